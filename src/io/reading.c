/* How tables are read: options that a model keeps. Those of single columns of nodes are in its plan itself. */
#include "io/reading.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/print.h"
#include "data/made_features.h"
#include "io/data_options.h"
#include "io/text/edge_kinds.h"

enum { LONGEST_NUMBER = 40 };

/* An option, and the file that it is for. */
typedef struct entry {
    const char *word;
    const char **value;
    bool there;
} entry;

enum { ENTRIES = GPRI_DATA_ROWS + 3 };

/* Rows of the table that a model keeps, and of a file of labels its columns: those of a table of nodes are in the plan.
   Returns how many. */
static int list_entries(entry out[ENTRIES], gpr_open_options *o) {
    int count = 0;
    for (int i = 0; i < GPRI_DATA_ROWS; i++) {
        const gpri_data_row *row = gpri_data_row_at(i);
        const bool there = row->kept == GPRI_KEPT_TABLES || (row->kept == GPRI_KEPT_EDGES ? o->edges : o->nodes);
        if (row->kept != GPRI_KEPT_NO) out[count++] = (entry){row->word, gpri_data_text(o, row), there};
    }
    const bool made = !o->features || gpri_makes_features(o->features);
    out[count++] = (entry){"features", &o->features, o->nodes && made}; /* beside the columns of the nodes */
    out[count++] = (entry){"labels.label", &o->label, o->labels};
    out[count++] = (entry){"labels.id", &o->id, o->labels && !o->nodes};
    return count;
}

static const char *find(const gpri_plan *plan, const char *word) {
    for (int64_t i = 0; plan && i + 1 < plan->reading.count; i += 2)
        if (strcmp(gpri_name(&plan->reading, i), word) == 0) return gpri_name(&plan->reading, i + 1);
    return NULL;
}

void gpri_reading_apply(gpr_open_options *options) {
    entry all[ENTRIES];
    const bool given = options->features != NULL;
    const int entries = list_entries(all, options);
    for (int i = 0; i < entries; i++)
        if (!*all[i].value && all[i].there) *all[i].value = find(options->plan, all[i].word);
    if (!given && !gpri_makes_features(options->features)) options->features = NULL; /* a model names no files */
}

bool gpri_reading_has(const gpr_open_options *options, const char *value) {
    const gpri_plan *plan = options->plan;
    return plan && value && plan->reading.count > 0 && value >= plan->reading.bytes &&
           value < plan->reading.bytes + plan->reading.start[plan->reading.count];
}

/* "edge-weight.2", and "edge-kind.2" for the name of that table, where it has one. */
static const char *numbered(char word[LONGEST_NUMBER], const char *what, int64_t number) {
    snprintf(word, LONGEST_NUMBER, "%s.%lld", what, (long long)number + 1);
    return word;
}
static const char *factor_word(char word[LONGEST_NUMBER], int64_t number) {
    return numbered(word, "edge-weight", number);
}
static const char *kind_word(char word[LONGEST_NUMBER], int64_t number) { return numbered(word, "edge-kind", number); }

/* The table of the training, of `count`, that has the place of table k among those of its name (or of those without
   one); count: none. */
static int64_t table_like(const gpr_open_options *options, int64_t k, int64_t count) {
    char word[LONGEST_NUMBER];
    const char *given = gpri_edge_given(options, k);
    int64_t size, other, earlier = 0, number = 0;
    (void)gpri_edge_path(given, &size);
    for (int64_t i = 0; i < k; i++) {
        const char *before = gpri_edge_given(options, i);
        (void)gpri_edge_path(before, &other);
        earlier += other == size && strncmp(before, given, (size_t)size) == 0;
    }
    for (; number < count; number++) {
        const char *kind = find(options->plan, kind_word(word, number));
        const bool same = kind ? (int64_t)strlen(kind) == size && strncmp(kind, given, (size_t)size) == 0 : size == 0;
        if (same && earlier-- == 0) break;
    }
    return number;
}

/* Whether a table has a weight of its own: 0 is none. */
static bool has_factors(const gpr_open_options *options) {
    for (int64_t k = 0; options->edge_weights && k <= options->more_count; k++)
        if (options->edge_weights[k] != 0) return true;
    return false;
}

gpr_status gpri_reading_factors(gpr_ctx *ctx, double **out, const gpr_open_options *options) {
    char word[LONGEST_NUMBER];
    int64_t count = 0;
    *out = NULL;
    while (find(options->plan, factor_word(word, count))) count++;
    if (has_factors(options) || count == 0) return GPR_OK;
    if (count != 1 + options->more_count)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%s: the model was trained on %lld tables of edges, each with its `edge-weight`, and here %s "
                         "%lld: give the weight of each with `edge-weight`",
                         options->edges, (long long)count, options->more_count ? "are" : "is",
                         (long long)(1 + options->more_count));
    NEED(gpri_alloc(ctx, out, count, sizeof **out, "files of edges"));
    for (int64_t k = 0; k < count; k++) {
        const int64_t number = table_like(options, k, count);
        if (number == count)
            return gpri_fail(GPR_ERROR_MISMATCH,
                             "`edges` %s: the model was trained on tables with `edge-weight`, and none of them has the "
                             "name and place of this one: give the weight of each with `edge-weight`",
                             gpri_edge_given(options, k));
        const char *text = find(options->plan, factor_word(word, number));
        if (!gpri_parse_real(text, &(*out)[k]))
            return gpri_fail(GPR_ERROR_FORMAT, "the model's `edge-weight` '%s' is not a number", text);
    }
    return GPR_OK;
}

/* Whether the last message is about this option: it names the option or its value. */
static bool is_meant(const char *word, const char *value) {
    char quoted[256];
    snprintf(quoted, sizeof quoted, "'%s'", value);
    if (strstr(gpr_last_error(), quoted)) return true;
    snprintf(quoted, sizeof quoted, "`%s`", word);
    return strstr(gpr_last_error(), quoted) != NULL;
}

static gpr_status explain(gpr_status status, const char *word, const char *value) {
    return gpri_fail(status == GPR_ERROR_ARGUMENT ? GPR_ERROR_MISMATCH : status,
                     "%s; the model asks for it: it was trained with `%s` %s; give `%s` for another one",
                     gpr_last_error(), word, value, word);
}

gpr_status gpri_reading_explain(gpr_status status, const gpr_open_options *options) {
    gpr_open_options own = *options;
    entry all[ENTRIES];
    if ((status != GPR_ERROR_ARGUMENT && status != GPR_ERROR_FORMAT) || !options->plan) return status;
    const int entries = list_entries(all, &own);
    for (int i = 0; i < entries; i++) {
        const char *dot = strchr(all[i].word, '.'), *word = dot ? dot + 1 : all[i].word;
        if (gpri_reading_has(options, *all[i].value) && is_meant(word, *all[i].value))
            return explain(status, word, *all[i].value);
    }
    const char *weight = options->plan->weight;
    if (!options->weight && weight && is_meant("weight", weight)) return explain(status, "weight", weight);
    return status;
}

gpr_status gpri_reading_note(gpr_dataset *data, const gpr_open_options *options) {
    gpr_status status = GPR_OK;
    gpr_open_options own = *options;
    entry all[ENTRIES];
    const int64_t files = 1 + options->more_count;
    const char **given = NULL;             /* (2 ENTRIES + 4 files) */
    char(*room)[4][LONGEST_NUMBER] = NULL; /* (files) */
    double *factors = NULL;                /* (files) */
    int64_t count = 0;
    const int entries = list_entries(all, &own);
    TRY(gpri_alloc(data->ctx, &given, 2 * ENTRIES + 4 * files, sizeof *given, "options"));
    TRY(gpri_alloc(data->ctx, &room, files, sizeof *room, "options"));
    TRY(gpri_reading_factors(data->ctx, &factors, options));
    const double *weights = factors ? factors : has_factors(options) ? options->edge_weights : NULL;
    for (int i = 0; i < entries; i++) {
        if (!*all[i].value || !all[i].there) continue;
        given[count++] = all[i].word;
        given[count++] = *all[i].value;
    }
    for (int64_t k = 0; weights && k < files; k++) {
        gpri_print(room[k][1], sizeof room[k][1], "%.17g", weights[k] != 0 ? weights[k] : 1);
        given[count++] = factor_word(room[k][0], k);
        given[count++] = room[k][1];
        int64_t size;
        const char *kind = gpri_edge_given(options, k);
        (void)gpri_edge_path(kind, &size);
        if (size == 0) continue;
        snprintf(room[k][3], sizeof room[k][3], "%.*s", (int)size, kind);
        given[count++] = kind_word(room[k][2], k);
        given[count++] = room[k][3];
    }
    gpri_names_free(data->ctx, &data->plan->reading);
    if (count > 0) TRY(gpri_names_copy(data->ctx, &data->plan->reading, given, count));
done:
    gpri_free_all(data->ctx, given, room, factors);
    return status;
}
