/* The table of options (params.def) and a set of values. */
#ifndef GPRI_PARAMS_H
#define GPRI_PARAMS_H

#include "base/context.h"

typedef enum gpri_param {
#define PARAM(ID, ...) GPRI_PARAM_##ID,
#include "base/params.def"
    GPRI_PARAM_COUNT
} gpri_param;

/* The words that options have as values, of all options: GPRI_STOPPING_PAPER. */
typedef enum gpri_value {
    GPRI_OTHER = -1, /* a value that is none of them: a number, a file, a list */
#define MODEL(ID, ...) GPRI_MODEL_##ID,
#include "base/models.def"
    GPRI_MODEL_COUNT,
    GPRI_MODEL_AUTO = GPRI_MODEL_COUNT,
#define PARAM(ID, word, type, fallback, range, ...) range
#define WORD(ID, NAME, word) GPRI_##ID##_##NAME,
#define FORM(text)
#define MODELS
#define TRIED
#include "base/params.def"
    GPRI_VALUE_COUNT
} gpri_value;

/* The options of the data, rows DATA. */
typedef enum gpri_data_option {
#define DATA(ID, ...) GPRI_OPEN_##ID,
#include "base/params.def"
    GPRI_DATA_ROWS
} gpri_data_option;

/* The words that they have as values: GPRI_DUPLICATES_SUM. Each option counts its own, from 0: what is usual. */
typedef enum gpri_data_value {
    GPRI_NO_WORD = -1,
#define DATA(ID, field, word, type, value, range, ...) range
#define USUAL(ID, NAME, word) GPRI_##ID##_##NAME = 0,
#define WORD(ID, NAME, word) GPRI_##ID##_##NAME,
#define ALSO(ID, NAME, word)
#define FORM(text)
#include "base/params.def"
} gpri_data_value;

/* What a text means as the value of the option; NULL: what is usual. GPRI_NO_WORD, or a failure: another text. */
gpri_data_value gpri_data_value_of(gpri_data_option option, const char *text);
gpr_status gpri_data_choose(gpri_data_value *out, gpri_data_option option, const char *text) GPRI_MUST_CHECK;
/* (count) its words, without other spellings; returns how many. words: (GPRI_MOST_WORDS) */
enum { GPRI_MOST_WORDS = 16 };
int gpri_data_words(const char *words[GPRI_MOST_WORDS], gpri_data_option option);

/* A row of the table; params.def says what its columns mean. */
typedef struct gpri_param_row {
    const char *word;
    enum { GPRI_TYPE_INT, GPRI_TYPE_REAL, GPRI_TYPE_CHOICE, GPRI_TYPE_TEXT } type;
    const char *fallback, *range, *models, *group;
    enum { GPRI_WRITTEN_ALWAYS, GPRI_WRITTEN_FILES, GPRI_WRITTEN_ASKED } written;
    enum { GPRI_EFFECT_RESULT, GPRI_EFFECT_LOG, GPRI_EFFECT_FIXED, GPRI_EFFECT_SERIES, GPRI_EFFECT_WAY } effect;
    const char *rows, *help;
} gpri_param_row;

const gpri_param_row *gpri_param_row_of(gpri_param id);
gpri_param gpri_value_param(gpri_value value); /* whose value it is */
const char *gpri_value_word(gpri_value value);
gpri_value gpri_value_of(gpri_param id, const char *text);
const char *gpri_value_near(gpri_param id, const char *text); /* the word that was meant, or NULL */

/* Who set a value; a higher one is not overwritten by a lower one. */
typedef enum gpri_set_by { GPRI_FROM_DEFAULT, GPRI_FROM_PRESET, GPRI_FROM_FILE, GPRI_FROM_FLAG } gpri_set_by;

/* What a config.json says of the data; gpr_params_data gives it. Copies of the options do not have it. */
gpr_status gpri_params_set_data(gpr_params *params, const char *word, const char *value) GPRI_MUST_CHECK;

static inline bool gpri_param_is_number(gpri_param id) { return gpri_param_row_of(id)->type <= GPRI_TYPE_REAL; }
/* Whether it changes what a training comes to: not how, and not which runs there are. */
static inline bool gpri_param_is_identity(gpri_param id) { return gpri_param_row_of(id)->effect <= GPRI_EFFECT_FIXED; }
/* Says how to compute, not what: models, states and studies do not know the option. */
static inline bool gpri_param_is_way(gpri_param id) { return gpri_param_row_of(id)->effect == GPRI_EFFECT_WAY; }
bool gpri_params_is_default(const gpr_params *params, gpri_param id);
/* Whether files leave the option out: it is younger than they are, and has its default. */
bool gpri_params_left_out(const gpr_params *params, gpri_param id);
/* Whether a process of several needs no rows of others for the value that the option has. */
bool gpri_params_own_rows_do(const gpr_params *params, gpri_param id);

/* The next of names with commas or blanks between them; *list goes on behind it. False: no more. */
enum { GPRI_LISTED_NAME = 64 };
bool gpri_next_listed(char name[GPRI_LISTED_NAME], const char **list);

/* weight_decay, weight-decay: the same word. */
bool gpri_same_word(const char *a, const char *b);
const char *gpri_param_word(gpri_param id);
/* By its word, "weight-decay" or "weight_decay"; false: there is none. */
bool gpri_param_find(const char *name, gpri_param *id);
gpr_ctx *gpri_params_ctx(const gpr_params *params); /* that they were made with: for the log */
/* Whether the option means anything to the model that these options choose. */
bool gpri_params_applies(const gpr_params *params, gpri_param id);
/* Fails if an option was set that the model does not have. */
gpr_status gpri_params_check_model(const gpr_params *params) GPRI_MUST_CHECK;
gpr_status gpri_params_set_from(gpr_params *params, gpri_set_by source, const char *name,
                                const char *value) GPRI_MUST_CHECK;
/* Puts the value that a word such as "auto" stands for in its place; nobody has asked for that value. */
gpr_status gpri_params_settle(gpr_params *params, gpri_param id, const char *value) GPRI_MUST_CHECK;
/* Whether a flag, the API or a file names the value; else it is the default or that of a preset. */
bool gpri_params_asked(const gpr_params *params, gpri_param id);
int64_t gpri_params_int(const gpr_params *params, gpri_param id);
double gpri_params_real(const gpr_params *params, gpri_param id);
double gpri_params_budget(const gpr_params *params); /* the option of that name in seconds; 0: none */
/* Which word an option has as its value; and whether the option of this word has it. */
gpri_value gpri_params_value(const gpr_params *params, gpri_param id);
bool gpri_params_is(const gpr_params *params, gpri_value value);
/* Of any type. */
const char *gpri_params_text(const gpr_params *params, gpri_param id);
gpr_status gpri_params_copy(gpr_ctx *ctx, gpr_params **out, const gpr_params *params) GPRI_MUST_CHECK;

#endif
