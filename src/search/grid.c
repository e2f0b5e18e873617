/* Reading the grid of a search, from a text or a file. */
#include "search/grid.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/print.h"
#include "base/text.h"
#include "file/file.h"
#include "file/source.h"

static const char paper_grid[] = "lr=0.002,0.01,0.05 weight-decay=0,0.0005 init=ppr,delta:0,delta:K,random "
                                 "alpha=0.1,0.2,0.5,0.9 dprate=0,0.5,0.7";
/* Around each candidate of model auto, which is tried itself too. */
static const char auto_grid[] = "lr=0.003,0.01,0.05 dropout=0.2,0.5 weight-decay=0.00005,0.0005 hidden=64,128 "
                                "basis=monomial,chebyshev depth=3,4,6 leaf-weight=1,5 row-share=0.5,0.8";
static const char small_grid[] = "lr=0.01,0.05 weight-decay=0,0.0005 init=ppr,random alpha=0.1,0.9";

/* The place of a mistake: "FILE:LINE", or "grid". */
typedef struct {
    const char *path; /* NULL: it is no file */
    int line;
} place;

static gpr_status at_place(gpr_status status, const place *where) {
    return where->path ? gpri_fail_prefix(status, "%s:%d", where->path, where->line) : gpri_fail_prefix(status, "grid");
}

static char *trim(char *text) {
    while (isspace((unsigned char)*text)) text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) *--end = 0;
    return text;
}

/* ---- values ---- */

static bool on_log_scale(gpri_param id) { return gpri_param_row_of(id)->effect == GPRI_EFFECT_LOG; }

static gpr_status add_value(gpr_ctx *ctx, gpri_grid_axis *axis, const char *value, gpr_params *trial) {
    gpr_status status = gpri_params_set_from(trial, GPRI_FROM_FLAG, gpri_param_word(axis->id), value);
    if (status == GPR_OK)
        status = gpri_grow(ctx, &axis->values, &axis->capacity, axis->count + 1, sizeof *axis->values, "grid");
    if (status == GPR_OK) axis->values[axis->count++] = value;
    return status;
}

static gpr_status add_range(gpr_ctx *ctx, gpri_grid_axis *axis, char *text, char *dots, gpr_params *trial) {
    const char *word = gpri_param_word(axis->id);
    double low = 0, high = 0;
    *dots = 0;
    gpr_status status = add_value(ctx, axis, trim(text), trial);
    if (status == GPR_OK) status = add_value(ctx, axis, trim(dots + 2), trial);
    if (status != GPR_OK) return status;
    if (!gpri_parse_real(axis->values[0], &low) || !gpri_parse_real(axis->values[1], &high) || low > high)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s is %s..%s: the smaller bound comes first", word, axis->values[0],
                         axis->values[1]);
    if (on_log_scale(axis->id) && low <= 0)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "%s is %s..%s: it is drawn on a log scale, so the lower bound must be above 0", word,
                         axis->values[0], axis->values[1]);
    axis->range = true;
    return GPR_OK;
}

/* "a,b,c"; "a;b;c" where a value has commas, as an `init` of numbers; or "low..high". */
static gpr_status add_values(gpr_ctx *ctx, gpri_grid_axis *axis, char *text, gpr_params *trial) {
    const char *between = strchr(text, ';') ? ";" : ",";
    char *dots = gpri_param_is_number(axis->id) ? strstr(text, "..") : NULL;
    gpr_status status = GPR_OK;
    if (dots && !strpbrk(text, ",;")) return add_range(ctx, axis, text, dots, trial);
    for (char *value = text, *next; status == GPR_OK && value; value = next) {
        next = strpbrk(value, between);
        if (next) *next++ = 0;
        value = trim(value);
        if (!*value)
            return gpri_fail(GPR_ERROR_ARGUMENT, "`%s` has an empty value: write %s=a,b,c", gpri_param_word(axis->id),
                             gpri_param_word(axis->id));
        status = add_value(ctx, axis, value, trial);
    }
    return status;
}

void gpri_grid_draw(const gpri_grid_axis *axis, double uniform, char *out, size_t size) {
    double low = 0, high = 0, value;
    gpri_parse_real(axis->values[0], &low);
    gpri_parse_real(axis->values[1], &high);
    if (gpri_param_row_of(axis->id)->type == GPRI_TYPE_INT) {
        gpri_print(out, size, "%.0f", low + floor(uniform * (high - low + 1)));
        return;
    }
    value = on_log_scale(axis->id) ? exp(log(low) + uniform * (log(high) - log(low))) : low + uniform * (high - low);
    gpri_print(out, size, "%.4g", value);
    gpri_parse_real(out, &value);
    if (value < low || value > high) /* by rounding */
        gpri_print(out, size, "%s", axis->values[value > high]);
}

/* ---- words ---- */

/* What is chosen by its value on validation nodes must not change these nodes, or how often they are asked. */
static gpr_status check_word(const gpri_grid *grid, gpri_param id) {
    const char *word = gpri_param_word(id);
    if (id == GPRI_PARAM_MODEL)
        return gpri_fail(GPR_ERROR_ARGUMENT, "'model' is no word of a grid: give the models with `model`");
    if (gpri_param_row_of(id)->effect >= GPRI_EFFECT_FIXED)
        return gpri_fail(GPR_ERROR_ARGUMENT, "'%s' is no word of a grid: it is the same for all settings", word);
    for (int i = 0; i < grid->count; i++)
        if (grid->axes[i].id == id)
            return gpri_fail(GPR_ERROR_ARGUMENT, "'%s' comes twice: give all its values together", word);
    return GPR_OK;
}

/* text: "word=a,b,c". */
static gpr_status add_axis(gpri_grid *grid, char *text, gpr_params *trial) {
    gpri_param id;
    char *values = strchr(text, '=');
    if (!values) return gpri_fail(GPR_ERROR_ARGUMENT, "'%s' has no values: write word=a,b,c", text);
    *values++ = 0;
    text = trim(text);
    if (!gpri_param_find(text, &id)) return gpri_params_set_from(trial, GPRI_FROM_FLAG, text, ""); /* its error */
    NEED(check_word(grid, id));
    gpri_grid_axis *axis = &grid->axes[grid->count++];
    *axis = (gpri_grid_axis){.id = id};
    return add_values(grid->ctx, axis, values, trial);
}

/* "lr = 0.01, 0.05 hidden=32": blanks beside '=' ',' and ".." separate nothing. */
static void close_up(char *text) {
    char *to = text;
    for (const char *at = text; *at; at++) {
        if (!isspace((unsigned char)*at)) {
            *to++ = *at;
            continue;
        }
        const char *next = at + strspn(at, " \t\r\n");
        const bool before = to > text && strchr("=,;", to[-1]), after = *next && strchr("=,;", *next);
        const bool dots = strncmp(next, "..", 2) == 0 || (to > text + 1 && strncmp(to - 2, "..", 2) == 0);
        if (!before && !after && !dots && to > text && *next) *to++ = ' ';
        at = next - 1;
    }
    *to = 0;
}

static gpr_status read_text(gpri_grid *grid, gpr_params *trial) {
    const place where = {.path = NULL};
    gpr_status status = GPR_OK;
    char *rest;
    close_up(grid->bytes);
    for (char *word = strtok_r(grid->bytes, " ", &rest); status == GPR_OK && word; word = strtok_r(NULL, " ", &rest))
        status = add_axis(grid, word, trial);
    return status == GPR_OK ? GPR_OK : at_place(status, &where);
}

static gpr_status read_file(gpri_grid *grid, const char *path, gpr_params *trial) {
    gpr_status status = GPR_OK;
    place where = {.path = path};
    int64_t size;
    NEED(gpri_read_whole(grid->ctx, &grid->bytes, &size, path, 1 << 20));
    if ((int64_t)strlen(grid->bytes) != size)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: not a text file (it holds a NUL byte)", path);
    gpri_end_lines(grid->bytes, size);
    for (char *line = grid->bytes, *next; line; line = next) {
        where.line++;
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        line[strcspn(line, "#")] = 0;
        line = trim(line);
        if (!*line) continue;
        status = add_axis(grid, line, trial);
        if (status != GPR_OK) {
            status = at_place(status, &where);
            return status;
        }
    }
    return status;
}

static gpr_status not_a_grid(const char *text) {
    static const char *const known[] = {"paper", "auto"};
    const char *near = gpr_nearest_word(text, known, 2);
    return gpri_fail(GPR_ERROR_NOT_FOUND,
                     "grid '%s' is not known: %s%s%sit must be 'paper', 'auto', 'word=a,b,c ...' or a file", text,
                     near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

gpr_status gpri_grid_read(gpr_ctx *ctx, gpri_grid *out, const char *text) {
    gpr_status status = GPR_OK;
    gpr_params *trial = NULL;
    const char *own = !text                        ? small_grid
                      : strcmp(text, "paper") == 0 ? paper_grid
                      : strcmp(text, "auto") == 0  ? auto_grid
                                                   : NULL;
    *out = (gpri_grid){.ctx = ctx, .given = !own};
    TRY(gpr_params_new(ctx, &trial));
    if (own || strchr(text, '=')) {
        TRY(gpri_strdup(ctx, &out->bytes, own ? own : text));
        TRY(read_text(out, trial));
    } else {
        status = *text ? read_file(out, text, trial) : GPR_OK;
        if (status == GPR_ERROR_NOT_FOUND) status = not_a_grid(text);
        if (status != GPR_OK) goto done;
    }
    if (out->count == 0) THROW(GPR_ERROR_ARGUMENT, "the grid is empty: write word=a,b,c, such as lr=0.01,0.05");
done:
    gpr_params_free(trial);
    if (status != GPR_OK) gpri_grid_free(out);
    return status;
}

void gpri_grid_free(gpri_grid *grid) {
    if (!grid->ctx) return;
    for (int i = 0; i < grid->count; i++) gpri_free(grid->ctx, grid->axes[i].values);
    gpri_free(grid->ctx, grid->bytes);
    *grid = (gpri_grid){.count = 0};
}
