/* Columns of a table that are features, row after row, to a matrix.
 *
 *     gpri_feature_columns set;
 *     gpri_feature_columns_init(&set, ctx, table, plan);
 *     TRY(gpri_feature_columns_add(&set, 3, place, GPRI_KIND_UNKNOWN));   // the table's fourth column
 *     TRY(gpri_feature_columns_row(&set, fields));                        // every row
 *     TRY(gpri_feature_columns_finish(&set, &matrix));
 *     done: gpri_feature_columns_free(&set);
 *
 * What a column is (data/plan.h), where nobody said it:
 *
 * - numbers, if nine of ten of its cells with a value are, or of few cells all but one. Other cells are taken as
 *   missing, with a warning.
 * - dates, if as many are (io/text/dates.h). Dates with slashes count if one of them tells the order of day and month.
 * - lists of words, or sentences (io/nodes/word_lists.h).
 * - text that is left out, if it has more than 100 values and more than half as many as there are cells with one.
 * - an id that is left out, if its name is one of ids (gpri_is_called_id) and every row has another value, of ten or
 * more.
 * - else a category. The most frequent values, `most_values` of them, become a feature each, the others one in common.
 *
 * The table is read once. After SURE_CELLS cells with a value a column of numbers or dates stays one: if too few of all
 * are in the end, that is an error which says what to do. A column of text may still become numbers or lists.
 *
 * For data that a model is to predict on, a column is what it was for the model. */
#ifndef GPRI_FEATURE_COLUMNS_H
#define GPRI_FEATURE_COLUMNS_H

#include "data/plan.h"
#include "data/raw_features.h"
#include "io/nodes/word_lists.h"
#include "io/text/dates.h"
#include "io/text/delimited.h"
#include "io/text/ids.h"

enum { GPRI_NO_DATE = INT32_MIN, GPRI_NO_VALUE = -1 };

/* Of a number, NaN: none. Else a number of `values`, or minutes since 1970. */
typedef union gpri_feature_cell {
    float number;
    int32_t code;
} gpri_feature_cell;

/* A cell to name in a message. */
typedef struct gpri_sample {
    int64_t line; /* 0: there is none */
    char text[32];
} gpri_sample;

typedef struct gpri_feature_column {
    int64_t at, place;      /* in the table; in the plan */
    gpri_kind kind;         /* so far; UNKNOWN: guessed when enough cells have been seen */
    bool asked, known;      /* the caller says what it is; the model does */
    int64_t cells;          /* with a value */
    int64_t odd;            /* of them not of the kind; or of a value that the model does not know */
    gpri_sample odd_cell;   /* the first of them */
    gpri_sample text_cell;  /* the first that is not a number */
    gpri_sample plain_cell; /* the first that is neither a number nor a date */
    gpri_sample comma_cell; /* the first with a decimal comma */
    bool comma_is_sure;     /* a cell is like 0,5 and not like 1,234 */
    bool mixed;             /* a number is neither 0 nor 1 */
    int64_t rows_of_code, code_capacity;
    int32_t *code;    /* (rows) while guessing: of values */
    gpri_ids values;  /* different texts: while guessing, and of a category; of lists, different words */
    int32_t *word;    /* (list_end[rows - 1]) of lists: of values, those of a row ascending */
    int64_t *list_end; /* (rows) */
    int64_t words, word_capacity, list_capacity;
    int32_t *feature; /* (values) of a category or of lists, at the end: which of its features; -1: none */
    int64_t first;    /* its first feature */
    uint64_t *hashes; /* (hashed) of its texts, while they are all different: it is called an id; else NULL */
    int64_t hashed, hash_capacity;
} gpri_feature_column;

typedef enum gpri_fill_rule { GPRI_FILL_MEDIAN, GPRI_FILL_MEAN, GPRI_FILL_NUMBER } gpri_fill_rule;

typedef struct gpri_feature_columns {
    gpr_ctx *ctx;
    const gpri_delimited *table; /* for names and messages; must outlive it */
    gpri_plan *plan;             /* of the data; must outlive it */
    bool finds_fill;             /* else the plan has it: that of a model */
    gpri_fill_rule fill;
    float fill_number;
    int64_t most_values, most_words; /* that become features */
    gpri_words split;                /* of the cell at hand */
    gpri_feature_column *columns; /* (count) */
    int64_t count, capacity, rows;
    gpri_feature_cell *cells; /* (rows x count) */
    int64_t cell_capacity;
} gpri_feature_columns;

void gpri_feature_columns_init(gpri_feature_columns *set, gpr_ctx *ctx, const gpri_delimited *table, gpri_plan *plan);
/* Before the first row. place: of its column in the plan. kind: UNKNOWN: guessed. */
gpr_status gpri_feature_columns_add(gpri_feature_columns *set, int64_t at, int64_t place,
                                    gpri_kind kind) GPRI_MUST_CHECK;
/* The same with what the column was for the model; the plan's column is a copy of the model's. */
gpr_status gpri_feature_columns_add_known(gpri_feature_columns *set, int64_t at, int64_t place) GPRI_MUST_CHECK;
gpr_status gpri_feature_columns_row(gpri_feature_columns *set, const gpri_field *fields) GPRI_MUST_CHECK;
/* Fills in the columns of the plan. out: zeroed before; without features, its cols is 0. */
gpr_status gpri_feature_columns_finish(gpri_feature_columns *set, gpri_raw_features *out) GPRI_MUST_CHECK;
void gpri_feature_columns_free(gpri_feature_columns *set);

/* ---- between feature_columns.c, settle_columns.c, word_columns.c and feature_rows.c ---- */

/* What a column of unknown kind is, by its cells so far; its cells become those of that kind. */
gpr_status gpri_feature_column_decide(gpri_feature_columns *set, gpri_feature_column *c) GPRI_MUST_CHECK;
/* At the end: the kind, the fill, the values and the words of the plan's column. */
gpr_status gpri_feature_column_settle(gpri_feature_columns *set, gpri_feature_column *c) GPRI_MUST_CHECK;
gpr_status gpri_feature_rows(const gpri_feature_columns *set, gpri_raw_features *out) GPRI_MUST_CHECK;
/* How often each value occurs: (values), free it. code: (rows) with `stride` between them. */
gpr_status gpri_count_values(gpr_ctx *ctx, int64_t **out, const gpri_ids *values, const int32_t *code, int64_t rows,
                             int64_t stride) GPRI_MUST_CHECK;
/* The plan's values, in the order of their bytes: the `most` that are most frequent of those with `least` cells or
   more. Fills in c->feature; the others have the number behind the last. */
gpr_status gpri_choose_values(const gpri_feature_columns *set, gpri_feature_column *c, const int64_t *counts,
                              int64_t most, int64_t least) GPRI_MUST_CHECK;
/* If the texts are lists, or are said to be, the column becomes one of words, and its cells lists. counts: (values). */
gpr_status gpri_take_lists(gpri_feature_columns *set, gpri_feature_column *c, const int64_t *counts) GPRI_MUST_CHECK;
/* The words of the next row of such a column. A size of 0: none. */
gpr_status gpri_take_words(gpri_feature_columns *set, gpri_feature_column *c, gpri_field field) GPRI_MUST_CHECK;
gpr_status gpri_settle_words(const gpri_feature_columns *set, gpri_feature_column *c) GPRI_MUST_CHECK;
/* Takes note of a cell of a column that may be an id; and whether it is one, at the end. */
gpr_status gpri_feature_column_hash(const gpri_feature_columns *set, gpri_feature_column *c,
                                    gpri_field field) GPRI_MUST_CHECK;
bool gpri_feature_column_is_id(const gpri_feature_columns *set, gpri_feature_column *c);
/* Nine of ten or more; of few cells all but one. */
static inline bool gpri_mostly(int64_t part, int64_t all) {
    return 10 * part >= 9 * all || (part >= 3 && part == all - 1);
}
static inline gpri_feature_cell *gpri_cell_of(const gpri_feature_columns *set, const gpri_feature_column *c,
                                              int64_t row) {
    return &set->cells[row * set->count + (c - set->columns)];
}

#endif
