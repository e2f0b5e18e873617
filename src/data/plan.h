/* The plan of the columns: what each column of a table is, and what was done with it.
 *
 * A dataset has the plan that its tables were read by; without a table of nodes it has no column. A model has that of
 * its training, and new tables are read by it. The features are those of the columns with the role feature, in the
 * order of the plan; a column gives
 *
 *     number      itself, and "age (missing)" if `indicator`
 *     category    "city=Rome" for each of `values`, and "city (other)" if `other`
 *     words       "genres:Comedy" for each of `values`: whether the cell holds this word, among others
 *     date        days since 1970, "(year sin)", "(year cos)", "(week sin)", "(week cos)", with `times` "(day sin)" and
 *                 "(day cos)", and "(missing)" if `indicator`
 *
 * and any other kind nothing. */
#ifndef GPRI_PLAN_H
#define GPRI_PLAN_H

#include "base/json.h"
#include "base/names.h"

typedef enum gpri_role {
    GPRI_ROLE_FEATURE,
    GPRI_ROLE_ID,
    GPRI_ROLE_LABEL,
    GPRI_ROLE_WEIGHT,
    GPRI_ROLE_SPLIT,
    GPRI_ROLE_DROPPED,
    GPRI_ROLES
} gpri_role;

typedef enum gpri_kind {
    GPRI_KIND_UNKNOWN, /* nobody looked */
    GPRI_KIND_NUMBER,
    GPRI_KIND_CATEGORY,
    GPRI_KIND_DATE,
    GPRI_KIND_TEXT, /* nearly as many values as rows: names, sentences; ids */
    GPRI_KIND_EMPTY,
    GPRI_KIND_WORDS, /* lists of words, sentences */
    GPRI_KINDS
} gpri_kind;

/* How a cell of words is written (io/nodes/word_lists.h). */
typedef enum gpri_list_form {
    GPRI_LIST_NONE,
    GPRI_LIST_BRACKETS,
    GPRI_LIST_BARS,
    GPRI_LIST_SEMICOLONS,
    GPRI_LIST_COMMAS,
    GPRI_LIST_BLANKS,
    GPRI_LISTS
} gpri_list_form;

/* How numbers are written (io/text/amounts.h). Zeroed: plainly. */
typedef struct gpri_number_style {
    char thousands, decimal; /* marks; 0: none. '\'': blanks without a break, too */
    char unit[8];            /* a currency or "%"; "": none */
} gpri_number_style;

typedef struct gpri_column {
    char *name; /* the header's word, or its number from 1 */
    gpri_role role;
    gpri_kind kind;
    int64_t distinct, missing; /* values and cells without one; -1: not counted */
    int64_t odd;               /* cells that are not of its kind, taken as missing; those of unknown values */
    int64_t features;          /* that it gives */
    double fill;               /* number, date: for missing cells */
    bool indicator, other, times;
    bool no_comma;     /* number, plain: no cell had a comma, so 1,234 is not 1.234 */
    int order;         /* date: a gpri_date_order */
    gpri_number_style style; /* number */
    gpri_list_form form; /* words */
    gpri_names values;   /* category, words: in the order of their features */
    char *done;        /* for people; NULL: nothing */
} gpri_column;

typedef struct gpr_plan gpri_plan;
struct gpr_plan {
    gpr_ctx *ctx;
    gpri_column *columns; /* (count) */
    int64_t count, capacity;
    bool header;        /* the table has one: names are words */
    bool weighted;      /* the edges have weights */
    int64_t added;      /* features behind those of the columns, from a file or the graph */
    char *weight;       /* their column, as it was given; NULL: by itself */
    gpri_names reading; /* other options that the tables were read with: word, value, ... (io/reading.h) */
};

gpr_status gpri_plan_new(gpr_ctx *ctx, gpri_plan **out) GPRI_MUST_CHECK;
gpr_status gpri_plan_clone(gpr_ctx *ctx, gpri_plan **out, const gpri_plan *from) GPRI_MUST_CHECK; /* NULL: NULL */
void gpri_plan_free(gpri_plan *plan);                                                             /* NULL is fine */

/* A column more. name: (size) becomes UTF-8. The other fields are of a feature that nobody looked at. */
gpr_status gpri_plan_add(gpri_plan *plan, int64_t *number, const char *name, int64_t size) GPRI_MUST_CHECK;
/* The first column of that name, upper or lower case; -1: none. */
int64_t gpri_plan_find(const gpri_plan *plan, const char *name, int64_t size);
/* The first column of that role; NULL: none. */
const gpri_column *gpri_plan_of_role(const gpri_plan *plan, gpri_role role);
gpr_status gpri_column_say(gpri_plan *plan, gpri_column *column, const char *format, ...)
    GPRI_PRINTF(3, 4) GPRI_MUST_CHECK; /* sets done */

const char *gpri_role_word(gpri_role role);
const char *gpri_kind_word(gpri_kind kind);
static inline bool gpri_is_plain(const gpri_number_style *style) { return !style->thousands && !*style->unit; }
const char *gpri_list_word(gpri_list_form form); /* "bars" */
/* How many features the column gives, by its kind; and appends the name of one of them. */
int64_t gpri_column_features(const gpri_column *column);
void gpri_column_feature_name(gpri_text *text, const gpri_column *column, int64_t number);
int64_t gpri_plan_features(const gpri_plan *plan);

/* As JSON; NULL: no memory. whole: with all that is needed to read another table, else what a person wants to know. */
json_t *gpri_plan_json(const gpri_plan *plan, bool whole);
/* From the whole JSON. The text is not trusted. path: for messages. */
gpr_status gpri_plan_read(gpr_ctx *ctx, gpri_plan **out, const char *text, const char *path) GPRI_MUST_CHECK;

#endif
