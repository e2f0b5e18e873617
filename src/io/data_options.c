/* The table of the options that the data was opened with: what they are, setting them, and noting them. */
#include "io/data_options.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/print.h"
#include "base/struct.h"
#include "base/text.h"

/* Ranges begin with a bar, which is left out. */
static const gpri_data_row table[GPRI_DATA_ROWS] = {
#define DATA(ID, field, word, type, value, range, kept, help) \
    {word,                                                    \
     GPRI_DATA_##type,                                        \
     value,                                                   \
     &(range)[1],                                             \
     GPRI_KEPT_##kept,                                        \
     help,                                                    \
     offsetof(gpr_open_options, field),                       \
     offsetof(gpr_open_options, field) + sizeof((gpr_open_options *)NULL)->field},
#define USUAL(ID, NAME, word) "|" word
#define WORD(ID, NAME, word) "|" word
#define ALSO(ID, NAME, word)
#define FORM(text) "|" text
#include "base/params.def"
};

const gpri_data_row *gpri_data_row_at(int index) { return &table[index]; }

const char **gpri_data_text(gpr_open_options *options, const gpri_data_row *row) {
    return (const char **)(void *)((char *)options + row->at);
}

/* ---- describing and setting them ---- */

int gpr_data_option_count(void) { return GPRI_DATA_ROWS; }

gpr_status gpr_data_option_describe(int index, gpr_param_info *out) {
    static const char *const types[] = {
        [GPRI_DATA_TEXT] = "text",   [GPRI_DATA_FILES] = "files", [GPRI_DATA_FACTOR] = "factor",
        [GPRI_DATA_COUNT] = "count", [GPRI_DATA_SIZE] = "size",   [GPRI_DATA_FLAG] = "flag"};
    NEED(gpri_check_index("gpr_data_option_describe", "index", index, GPRI_DATA_ROWS));
    const gpri_data_row *row = &table[index];
    const gpr_param_info info = {.name = row->word,
                                 .type = types[row->type],
                                 .range = row->range,
                                 .models = "all",
                                 .group = "data",
                                 .help = row->help,
                                 .value = row->value};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_param_info, "gpr_data_option_describe", &info));
}

/* DATA is no flag, but an operand. */
static const gpri_data_row operand = {.word = "data", .at = offsetof(gpr_open_options, data)};

static const gpri_data_row *find(const char *name) {
    if (strcmp(name, operand.word) == 0) return &operand;
    for (int i = 0; i < GPRI_DATA_ROWS; i++)
        if (gpri_same_word(name, table[i].word)) return &table[i];
    return NULL;
}

/* "512M" in bytes. K, M, G and T are powers of 1024; B or iB after them changes nothing. */
static bool parse_size(const char *text, int64_t *out) {
    static const char units[] = "KMGTkmgt";
    const size_t digits = strspn(text, "0123456789");
    const char *at = text + digits, *unit = *at ? strchr(units, *at) : NULL;
    if (!gpri_span_int(text, (int64_t)digits, out)) return false;
    for (int64_t i = 0; unit && i <= (unit - units) % 4; i++)
        if (!gpri_mul_size(*out, 1024, out)) return false;
    at += unit != NULL;
    if (unit && *at == 'i') at++;
    if (*at == 'B' || (unit && *at == 'b')) at++;
    return !*at;
}

static gpr_status set(gpr_open_options *options, const gpri_data_row *row, const char *value) {
    int64_t *number = (int64_t *)(void *)((char *)options + row->at);
    switch (row->type) {
    case GPRI_DATA_TEXT:
    case GPRI_DATA_FILES: *gpri_data_text(options, row) = value; return GPR_OK;
    case GPRI_DATA_FLAG: *(int *)(void *)number = value && strcmp(value, "no") != 0; return GPR_OK;
    case GPRI_DATA_COUNT:
        *number = 0;
        if (!value || (gpri_parse_int(value, number) && *number > 0)) return GPR_OK;
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s is '%s': it must be a whole number above 0", row->word, value);
    case GPRI_DATA_SIZE:
        *number = 0;
        if (value && !parse_size(value, number))
            return gpri_fail(GPR_ERROR_ARGUMENT, "%s is '%s': it must be a size such as 512M or 4G", row->word, value);
        if (value && *number == 0) *number = 1; /* 0 would mean the default; 1 gives its error */
        return GPR_OK;
    case GPRI_DATA_FACTOR: break;
    }
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: each table of edges has its own: set edge_weights", row->word);
}

gpr_status gpri_unknown_option(const char *word, const char *near) {
    return gpri_fail(GPR_ERROR_ARGUMENT, "unknown option '%.60s'%s%s%s", word, near ? ": did you mean '" : "",
                     near ? near : "", near ? "'?" : "");
}

gpr_status gpr_open_options_set(gpr_open_options *options, const char *name, const char *value) {
    const char *near;
    NEED(GPRI_STRUCT_CHECK(options, gpr_open_options, "gpr_open_options_set", "options"));
    if (!name) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_open_options_set: name is NULL");
    const gpri_data_row *row = find(name);
    if (!row) {
        (void)gpri_is_data_word(name, &near);
        return gpri_unknown_option(name, near);
    }
    if (row->end > options->struct_size)
        return gpri_fail(
            GPR_ERROR_ARGUMENT,
            "%s: the program was compiled with an older gprgnn.h, whose gpr_open_options lacks it: compile "
            "it anew",
            row->word);
    return gpri_finish(set(options, row, value));
}

/* ---- noting them ---- */

enum { LONGEST_NUMBER = 40 };

/* The words "edges.2" and the like, with the values that are numbers. */
typedef struct numbered {
    char word[LONGEST_NUMBER], value[LONGEST_NUMBER];
} numbered;

/* texts: room for two of each file and weight more; *count grows. room: (2 (1 + more_count)). */
static void add_edge_files(const char **texts, int64_t *count, numbered *room, const gpr_open_options *o) {
    for (int64_t k = 0; k <= o->more_count; k++) {
        if (k > 0) {
            snprintf(room->word, sizeof room->word, "edges.%lld", (long long)k + 1);
            texts[(*count)++] = room++->word;
            texts[(*count)++] = o->more_edges[k - 1];
        }
        if (!o->edge_weights || o->edge_weights[k] == 0) continue;
        snprintf(room->word, sizeof room->word, "edge-weight.%lld", (long long)k + 1);
        gpri_print(room->value, sizeof room->value, "%.17g", o->edge_weights[k]);
        texts[(*count)++] = room->word;
        texts[(*count)++] = room++->value;
    }
}

/* Whether a run notes it in its row: not what is about the machine, and factors have names of their own. */
static bool is_noted(const gpri_data_row *row) {
    return row->type == GPRI_DATA_TEXT || row->type == GPRI_DATA_FILES || row->type == GPRI_DATA_COUNT;
}

/* "edges.2": a word, a point and a whole number. */
static bool is_numbered(const char *word, const char *before) {
    const size_t size = strlen(before);
    int64_t number;
    return strncmp(word, before, size) == 0 && word[size] == '.' && gpri_parse_int(word + size + 1, &number) &&
           number > 0;
}

bool gpri_is_data_word(const char *word, const char **near) {
    const char *words[GPRI_DATA_ROWS + 1] = {"data"};
    int count = 1;
    bool found = strcmp(word, "data") == 0 || is_numbered(word, "edges") || is_numbered(word, "edge-weight");
    for (int i = 0; i < GPRI_DATA_ROWS; i++) {
        if (!is_noted(&table[i])) continue;
        words[count++] = table[i].word;
        found = found || strcmp(word, table[i].word) == 0;
    }
    if (near) *near = gpr_nearest_word(word, words, count);
    return found;
}

/* Of a row, or NULL where it is not given. number: (LONGEST_NUMBER) */
static const char *text_of(const gpri_data_row *row, gpr_open_options *o, char *number) {
    if (row->type != GPRI_DATA_COUNT) return *gpri_data_text(o, row);
    const int64_t count = *(int64_t *)(void *)((char *)o + row->at);
    snprintf(number, LONGEST_NUMBER, "%lld", (long long)count);
    return count ? number : NULL;
}

gpr_status gpri_note_origin(gpr_dataset *data, const gpr_open_options *o) {
    gpr_status status = GPR_OK;
    gpr_open_options own = *o;
    char numbers[GPRI_DATA_ROWS][LONGEST_NUMBER];
    const int64_t more = 2 * (1 + o->more_count);
    const char **given = NULL; /* (2 (1 + GPRI_DATA_ROWS + more)) */
    numbered *room = NULL;     /* (more) */
    int64_t count = 0;
    TRY(gpri_alloc(data->ctx, &given, 2 * (1 + GPRI_DATA_ROWS + more), sizeof *given, "options"));
    TRY(gpri_alloc(data->ctx, &room, more, sizeof *room, "options"));
    given[0] = "data";
    given[1] = o->data;
    if (o->data) count = 2;
    for (int i = 0; i < GPRI_DATA_ROWS; i++) {
        const char *text = is_noted(&table[i]) ? text_of(&table[i], &own, numbers[i]) : NULL;
        if (!text) continue;
        given[count++] = table[i].word;
        given[count++] = text;
    }
    add_edge_files(given, &count, room, o);
    TRY(gpri_names_copy(data->ctx, &data->origin, given, count));
done:
    gpri_free_all(data->ctx, given, room);
    return status;
}
