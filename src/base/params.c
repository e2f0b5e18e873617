/* The options: the table of params.def, the values that were set, and by whom. */
#include "base/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/struct.h"
#include "base/text.h"

static const char model_words[] =
#define MODEL(ID, word, ...) "|" #word
#include "base/models.def"
    "|auto";

static const char candidate_words[] = "|all"
#define CANDIDATE(word, model, point, settings) "|" word
#include "base/models.def"
                                      "|NAME,...";

/* Models that `auto` may choose. */
static const char *const tried_models[] = {
#define CANDIDATE(word, model, point, settings) #model,
#include "base/models.def"
};

/* Ranges begin with a bar, which is left out. */
static const gpri_param_row table[GPRI_PARAM_COUNT] = {
#define PARAM(ID, word, type, fallback, range, models, group, written, effect, rows, help)                             \
    {word, GPRI_TYPE_##type, fallback, &(range)[1], models, group, GPRI_WRITTEN_##written, GPRI_EFFECT_##effect, rows, \
     help},
#define WORD(ID, NAME, word) "|" word
#define FORM(text) "|" text
#define MODELS model_words
#define TRIED candidate_words
#include "base/params.def"
};

static const struct {
    gpri_param id;
    const char *word;
} value_words[GPRI_VALUE_COUNT] = {
#define MODEL(ID, word, ...) {GPRI_PARAM_MODEL, #word},
#include "base/models.def"
    {GPRI_PARAM_MODEL, "auto"},
#define PARAM(ID, word, type, fallback, range, ...) range
#define WORD(ID, NAME, word) {GPRI_PARAM_##ID, word},
#define FORM(text)
#define MODELS
#define TRIED
#include "base/params.def"
};

static const struct {
    gpri_data_option option;
    gpri_data_value value;
    const char *word;
    bool spelling; /* another one of a value above it */
} data_words[] = {
#define DATA(ID, field, word, type, value, range, ...) range
#define USUAL(ID, NAME, word) {GPRI_OPEN_##ID, GPRI_##ID##_##NAME, word, false},
#define WORD(ID, NAME, word) {GPRI_OPEN_##ID, GPRI_##ID##_##NAME, word, false},
#define ALSO(ID, NAME, word) {GPRI_OPEN_##ID, GPRI_##ID##_##NAME, word, true},
#define FORM(text)
#include "base/params.def"
};
enum { DATA_WORDS = sizeof data_words / sizeof *data_words };

static const char *const data_options[GPRI_DATA_ROWS] = {
#define DATA(ID, field, word, ...) word,
#include "base/params.def"
};

typedef struct {
    gpri_param id;
    const char *model, *fallback;
} model_default;

static const model_default model_defaults[] = {
#define MODEL_DEFAULT(ID, model, fallback) {GPRI_PARAM_##ID, model, fallback},
#include "base/params.def"
};

typedef struct {
    char *text; /* NULL: the default's text from the table */
    gpri_set_by source;
    int64_t integer; /* INT */
    double real;     /* REAL */
    gpri_value word;
} param_value;

struct gpr_params {
    gpr_ctx *ctx;
    param_value values[GPRI_PARAM_COUNT];
    bool told;   /* that states are no more in bfloat16 */
    char **data; /* (data_count) word, value, word, value, ...: how a config.json says to open the data */
    int64_t data_count, data_capacity;
};

int gpr_param_count(void) { return GPRI_PARAM_COUNT; }

gpr_status gpr_param_describe(int index, gpr_param_info *out) {
    static const char *types[] = {
        [GPRI_TYPE_INT] = "int", [GPRI_TYPE_REAL] = "real", [GPRI_TYPE_CHOICE] = "choice", [GPRI_TYPE_TEXT] = "text"};
    static const char *values[] = {
        [GPRI_TYPE_INT] = "N", [GPRI_TYPE_REAL] = "X", [GPRI_TYPE_CHOICE] = "NAME", [GPRI_TYPE_TEXT] = "TEXT"};
    NEED(gpri_check_index("gpr_param_describe", "index", index, GPRI_PARAM_COUNT));
    const gpri_param_row *row = &table[index];
    const gpr_param_info info = {
        sizeof info, row->word,  types[row->type], row->fallback,     row->range,
        row->models, row->group, row->help,        values[row->type], row->written == GPRI_WRITTEN_ASKED};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_param_info, "gpr_param_describe", &info));
}

const gpri_param_row *gpri_param_row_of(gpri_param id) { return &table[id]; }
const char *gpri_param_word(gpri_param id) { return table[id].word; }

static const char *default_of(int index, const char *model) {
    for (size_t i = 0; i < sizeof model_defaults / sizeof *model_defaults; i++)
        if ((int)model_defaults[i].id == index && strcmp(model_defaults[i].model, model) == 0)
            return model_defaults[i].fallback;
    return table[index].fallback;
}

const char *gpr_param_default(int index, const char *model) {
    return index < 0 || index >= GPRI_PARAM_COUNT || !model ? NULL : default_of(index, model);
}

/* Does a list of words, with blanks between them, contain the word? */
static bool lists(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (size == length && strncmp(at, word, size) == 0) return true;
        at += size;
    }
    return false;
}

static bool has(int index, const char *model) {
    static const char but[] = "all but ";
    const char *models = table[index].models;
    if (strcmp(models, "all") == 0) return true;
    if (strncmp(models, but, strlen(but)) == 0) return !lists(models + strlen(but), model);
    return lists(models, model);
}

/* To auto, where one of the models has it that are tried. */
static bool applies(int index, const char *model) {
    if (strcmp(model, gpri_value_word(GPRI_MODEL_AUTO)) != 0) return has(index, model);
    bool found = strcmp(table[index].models, model) == 0;
    for (size_t i = 0; i < sizeof tried_models / sizeof *tried_models; i++) found |= has(index, tried_models[i]);
    return found;
}

int gpr_param_applies(int index, const char *model) {
    return index >= 0 && index < GPRI_PARAM_COUNT && model && applies(index, model);
}

bool gpri_same_word(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (*a != *b && !(*a == '_' && *b == '-')) return false;
    return *a == *b;
}

static int find(const char *name) {
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (gpri_same_word(name, table[i].word)) return i;
    return -1;
}

bool gpri_param_find(const char *name, gpri_param *id) {
    const int index = find(name);
    if (index >= 0) *id = (gpri_param)index;
    return index >= 0;
}

gpr_ctx *gpri_params_ctx(const gpr_params *params) { return params->ctx; }

static gpr_status unknown_word(const char *name) {
    const char *words[GPRI_PARAM_COUNT];
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) words[i] = table[i].word;
    const char *near = gpr_nearest_word(name, words, GPRI_PARAM_COUNT);
    if (near) return gpri_fail(GPR_ERROR_ARGUMENT, "unknown option '%s': did you mean '%s'?", name, near);
    return gpri_fail(GPR_ERROR_ARGUMENT, "unknown option '%s'", name);
}

/* range is "[0, 1)" or the like. */
static bool in_interval(const char *range, double value) {
    double low, high;
    const char *comma = strchr(range, ','), *end = strpbrk(range, "])");
    if (!comma || !end || !gpri_span_real(range + 1, comma - range - 1, &low) ||
        !gpri_span_real(comma + 2, end - comma - 2, &high))
        return false; /* a slip in params.def: the unit test of this file finds it */
    if (range[0] == '[' ? value < low : value <= low) return false;
    return *end == ']' ? value <= high : value < high;
}

/* choice: "word", or "word[:N]": the word alone, or with a number. */
static bool is_choice(const char *choice, const char *text) {
    int64_t number;
    const char *more = strchr(choice, '[');
    if (!more) return strcmp(choice, text) == 0;
    const size_t size = (size_t)(more - choice);
    if (strncmp(choice, text, size) != 0) return false;
    return !text[size] || (text[size] == ':' && gpri_parse_int(text + size + 1, &number) && number >= 0);
}

gpri_value gpri_value_of(gpri_param id, const char *text) {
    for (int i = 0; i < GPRI_VALUE_COUNT; i++)
        if (value_words[i].id == id && is_choice(value_words[i].word, text)) return (gpri_value)i;
    return GPRI_OTHER;
}

const char *gpri_value_near(gpri_param id, const char *text) {
    const char *known[GPRI_VALUE_COUNT];
    int count = 0;
    for (int i = 0; i < GPRI_VALUE_COUNT; i++)
        if (value_words[i].id == id) known[count++] = value_words[i].word;
    return gpr_nearest_word(text, known, count);
}

static gpr_status no_choice(gpri_param id, const char *text) {
    const char *near = gpri_value_near(id, text);
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s '%s' is not known: %s%s%sit must be one of %s", table[id].word, text,
                     near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", table[id].range);
}

gpri_data_value gpri_data_value_of(gpri_data_option option, const char *text) {
    if (!text) return (gpri_data_value)0;
    for (int i = 0; i < DATA_WORDS; i++)
        if (data_words[i].option == option && strcmp(data_words[i].word, text) == 0) return data_words[i].value;
    return GPRI_NO_WORD;
}

int gpri_data_words(const char *words[GPRI_MOST_WORDS], gpri_data_option option) {
    int count = 0;
    for (int i = 0; i < DATA_WORDS; i++)
        if (data_words[i].option == option && !data_words[i].spelling) words[count++] = data_words[i].word;
    return count;
}

gpr_status gpri_data_choose(gpri_data_value *out, gpri_data_option option, const char *text) {
    const char *words[GPRI_MOST_WORDS];
    char list[128] = "";
    *out = gpri_data_value_of(option, text);
    if (*out != GPRI_NO_WORD) return GPR_OK;
    const int count = gpri_data_words(words, option);
    for (int i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", before, words[i]);
    }
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s '%s' is not known: give %s", data_options[option], text, list);
}

bool gpri_next_listed(char name[GPRI_LISTED_NAME], const char **list) {
    *list += strspn(*list, ", ");
    const size_t size = strcspn(*list, ", ");
    snprintf(name, GPRI_LISTED_NAME, "%.*s", (int)(size < GPRI_LISTED_NAME ? size : GPRI_LISTED_NAME - 1), *list);
    *list += size;
    return size > 0;
}

static gpr_status check_candidates(const char *text) {
    static const char *const words[] = {
#define CANDIDATE(word, model, point, settings) word,
#include "base/models.def"
    };
    enum { COUNT = sizeof words / sizeof *words };
    char name[GPRI_LISTED_NAME];
    int count = 0;
    if (strcmp(text, table[GPRI_PARAM_CANDIDATES].fallback) == 0) return GPR_OK;
    for (; gpri_next_listed(name, &text); count++) {
        int i = 0;
        while (i < COUNT && strcmp(words[i], name) != 0) i++;
        if (i < COUNT) continue;
        const char *near = gpr_nearest_word(name, words, COUNT);
        return gpri_fail(GPR_ERROR_ARGUMENT, "candidates: '%s' is not known: %s%s%sit must be some of %s", name,
                         near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", &candidate_words[1]);
    }
    if (count > 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "candidates names none: it must be some of %s", &candidate_words[1]);
}

/* "90s", "10m", "2h", or seconds alone, as seconds. */
static gpr_status read_budget(double *out, const char *text) {
    static const struct {
        char letter;
        int seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
    const int64_t size = (int64_t)strlen(text);
    int64_t digits = size;
    int seconds = 1;
    for (int i = 0; i < 3; i++)
        if (text[size - 1] == units[i].letter) digits = size - 1, seconds = units[i].seconds;
    if (!gpri_span_real(text, digits, out) || !(*out > 0 && *out <= 1e7))
        return gpri_fail(GPR_ERROR_ARGUMENT, "budget is '%s': it must be a time such as 90s, 10m or 2h, or none", text);
    *out *= seconds;
    return GPR_OK;
}

/* Fills in the parsed form; does not touch value->text. */
static gpr_status parse(int id, const char *text, param_value *value) {
    const gpri_param_row *row = &table[id];
    value->word = gpri_value_of((gpri_param)id, text);
    switch (row->type) {
    case GPRI_TYPE_INT:
        if (!gpri_parse_int(text, &value->integer))
            return gpri_fail(GPR_ERROR_ARGUMENT, "%s is '%s': it must be a whole number in %s", row->word, text,
                             row->range);
        if (!in_interval(row->range, (double)value->integer))
            return gpri_fail(GPR_ERROR_ARGUMENT, "%s is %s: it must be in %s", row->word, text, row->range);
        return GPR_OK;
    case GPRI_TYPE_REAL:
        if (!gpri_parse_real(text, &value->real))
            return gpri_fail(GPR_ERROR_ARGUMENT, "%s is '%s': it must be a number in %s", row->word, text, row->range);
        if (!in_interval(row->range, value->real))
            return gpri_fail(GPR_ERROR_ARGUMENT, "%s is %s: it must be in %s", row->word, text, row->range);
        return GPR_OK;
    case GPRI_TYPE_CHOICE: return value->word == GPRI_OTHER ? no_choice((gpri_param)id, text) : GPR_OK;
    case GPRI_TYPE_TEXT:
        if (!*text) return gpri_fail(GPR_ERROR_ARGUMENT, "%s is empty: it must be %s", row->word, row->range);
        if (id == GPRI_PARAM_BUDGET && value->word == GPRI_OTHER) return read_budget(&value->real, text);
        return id == GPRI_PARAM_CANDIDATES ? check_candidates(text) : GPR_OK;
    }
    return GPR_OK;
}

static const char *const source_names[] = {[GPRI_FROM_DEFAULT] = "default",
                                           [GPRI_FROM_PRESET] = "preset",
                                           [GPRI_FROM_FILE] = "file",
                                           [GPRI_FROM_FLAG] = "flag"};

static const char *model_of(const gpr_params *params) { return gpri_params_text(params, GPRI_PARAM_MODEL); }

/* What nobody has set gets the default of the model. */
static gpr_status take_defaults(gpr_params *params) {
    gpr_status status = GPR_OK;
    for (int i = 0; status == GPR_OK && i < GPRI_PARAM_COUNT; i++)
        if (params->values[i].source == GPRI_FROM_DEFAULT && !params->values[i].text) /* else it was settled */
            status = parse(i, default_of(i, model_of(params)), &params->values[i]);
    return status;
}

gpr_status gpr_params_new(gpr_ctx *ctx, gpr_params **out) {
    if (out) *out = NULL;
    if (!ctx || !out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_params_new: a NULL argument");
    gpr_status status = gpri_calloc(ctx, out, 1, sizeof **out, "parameters");
    if (status != GPR_OK) return gpri_finish(status);
    (*out)->ctx = ctx;
    status = take_defaults(*out);
    if (status != GPR_OK) { /* a mistake in params.def: the unit test of this file finds it */
        gpr_params_free(*out);
        *out = NULL;
    }
    return gpri_finish(status);
}

void gpr_params_free(gpr_params *params) {
    if (!params) return;
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) gpri_free(params->ctx, params->values[i].text);
    for (int64_t i = 0; i < params->data_count; i++) gpri_free(params->ctx, params->data[i]);
    gpri_free_all(params->ctx, params->data, params);
}

gpr_status gpri_params_set_data(gpr_params *params, const char *word, const char *value) {
    const char *const texts[] = {word, value};
    NEED(gpri_grow(params->ctx, &params->data, &params->data_capacity, params->data_count + 2, sizeof *params->data,
                   "data of a config"));
    for (int i = 0; i < 2; i++) {
        NEED(gpri_strdup(params->ctx, &params->data[params->data_count], texts[i]));
        params->data_count++;
    }
    return GPR_OK;
}

const char *gpr_params_data(const gpr_params *params, const char *word) {
    for (int64_t i = params && word ? params->data_count - 2 : -1; i >= 0; i -= 2) /* the last one counts */
        if (strcmp(params->data[i], word) == 0) return params->data[i + 1];
    return NULL;
}

/* What is computed where files and flags of 0.2.0 ask for states in bfloat16, which it had. */
static const char *state_of(gpr_params *params, const char *text) {
    const char *state = table[GPRI_PARAM_STATE].fallback;
    if (strcmp(text, state) != 0 && !params->told)
        gpri_log(params->ctx, GPR_LOG_WARNING, "`state` %s is no more: the filter is computed in %s", text, state);
    params->told |= strcmp(text, state) != 0;
    return state;
}

gpr_status gpri_params_set_from(gpr_params *params, gpri_set_by source, const char *name, const char *text) {
    int index = find(name);
    if (index < 0) return unknown_word(name);
    param_value value = {.source = source};
    NEED(parse(index, text, &value));
    param_value *old = &params->values[index];
    if (source < old->source) return GPR_OK;
    if (index == GPRI_PARAM_STATE) text = state_of(params, text), value.word = GPRI_STATE_FLOAT32;
    NEED(gpri_strdup(params->ctx, &value.text, text));
    gpri_free(params->ctx, old->text);
    *old = value;
    return index == GPRI_PARAM_MODEL ? take_defaults(params) : GPR_OK;
}

gpr_status gpr_params_set(gpr_params *params, const char *name, const char *value) {
    if (!params || !name || !value) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_params_set: a NULL argument");
    return gpri_finish(gpri_params_set_from(params, GPRI_FROM_FLAG, name, value));
}

gpr_status gpri_params_settle(gpr_params *params, gpri_param id, const char *value) {
    params->values[id].source = GPRI_FROM_DEFAULT;
    return gpri_params_set_from(params, GPRI_FROM_DEFAULT, table[id].word, value);
}

bool gpri_params_asked(const gpr_params *params, gpri_param id) { return params->values[id].source >= GPRI_FROM_FILE; }

const char *gpri_params_text(const gpr_params *params, gpri_param id) {
    if (params->values[id].text) return params->values[id].text;
    return id == GPRI_PARAM_MODEL ? table[id].fallback : default_of((int)id, model_of(params));
}

bool gpri_params_is_default(const gpr_params *params, gpri_param id) {
    return strcmp(gpri_params_text(params, id), default_of((int)id, model_of(params))) == 0;
}

bool gpri_params_left_out(const gpr_params *params, gpri_param id) {
    return table[id].written == GPRI_WRITTEN_ASKED && gpri_params_is_default(params, id);
}

bool gpri_params_own_rows_do(const gpr_params *params, gpri_param id) {
    const char *rows = table[id].rows;
    if (strcmp(rows, "default") == 0) return gpri_params_is_default(params, id);
    return strcmp(rows, "any") == 0 || lists(rows, gpri_params_text(params, id));
}

bool gpri_params_applies(const gpr_params *params, gpri_param id) { return applies((int)id, model_of(params)); }

gpr_status gpri_params_check_model(const gpr_params *params) {
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (params->values[i].source >= GPRI_FROM_FILE && !applies(i, model_of(params)))
            return gpri_fail(GPR_ERROR_ARGUMENT, "the model %s has no option '%s' (set by a %s): it is for %s",
                             model_of(params), table[i].word, source_names[params->values[i].source], table[i].models);
    return gpri_finish(GPR_OK);
}

int64_t gpri_params_int(const gpr_params *params, gpri_param id) { return params->values[id].integer; }
double gpri_params_real(const gpr_params *params, gpri_param id) { return params->values[id].real; }
double gpri_params_budget(const gpr_params *params) {
    return gpri_params_is(params, GPRI_BUDGET_NONE) ? 0 : gpri_params_real(params, GPRI_PARAM_BUDGET);
}
gpri_value gpri_params_value(const gpr_params *params, gpri_param id) { return params->values[id].word; }

gpri_param gpri_value_param(gpri_value value) { return value_words[value].id; }
const char *gpri_value_word(gpri_value value) { return value_words[value].word; }

bool gpri_params_is(const gpr_params *params, gpri_value value) {
    return gpri_params_value(params, value_words[value].id) == value;
}

const char *gpr_params_get(const gpr_params *params, const char *name) {
    int index = params && name ? find(name) : -1;
    return index < 0 ? NULL : gpri_params_text(params, (gpri_param)index);
}

const char *gpr_params_source(const gpr_params *params, const char *name) {
    int index = params && name ? find(name) : -1;
    return index < 0 ? NULL : source_names[params->values[index].source];
}

gpr_status gpri_params_copy(gpr_ctx *ctx, gpr_params **out, const gpr_params *params) {
    gpr_status status = gpr_params_new(ctx, out);
    for (int i = 0; status == GPR_OK && i < GPRI_PARAM_COUNT; i++) {
        param_value *to = &(*out)->values[i];
        const param_value *from = &params->values[i];
        *to = *from;
        to->text = NULL;
        if (from->text) status = gpri_strdup(ctx, &to->text, from->text);
    }
    if (status != GPR_OK) {
        gpr_params_free(*out);
        *out = NULL;
    }
    return status;
}
