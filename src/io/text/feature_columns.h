/* Columns of a table that are features, row after row, to a matrix.
 *
 *     gpri_feature_columns set;
 *     gpri_feature_columns_init(&set, ctx, table);
 *     TRY(gpri_feature_columns_add(&set, 3));             // the table's fourth column
 *     TRY(gpri_feature_columns_row(&set, fields));        // every row
 *     TRY(gpri_feature_columns_finish(&set, &matrix));
 *     done: gpri_feature_columns_free(&set);
 *
 * A column of numbers is a feature as it is. One of text is a feature of 0 and 1 for each of its values, in the order
 * of their bytes, if there are at most 100 of them; an empty cell has none. Others are left out. The log tells of text.
 * A column is text if one of its first 1000 cells is not a number; a later one is an error.
 *
 * For data that a model is to predict on, a column is what it was for the model: text with the values that it knows,
 * numbers, or left out. */
#ifndef GPRI_FEATURE_COLUMNS_H
#define GPRI_FEATURE_COLUMNS_H

#include "base/text.h"
#include "data/raw_features.h"
#include "io/text/delimited.h"

struct gpri_feature_column;

typedef struct gpri_feature_columns {
    gpr_ctx *ctx;
    const gpri_delimited *table; /* for names and messages; must outlive it */
    bool has_fill;
    float fill;                          /* for cells of numbers that are empty; else they are an error */
    const char *const *known;            /* (known_count) names of a model's features, or NULL */
    int64_t known_count, unknown_count;  /* columns that it does not have */
    gpri_text unknown;                   /* their names */
    struct gpri_feature_column *columns; /* (count) */
    int64_t count, capacity, rows;
    float *cells; /* (rows x count) numbers; NaN: a gap, or text */
    int64_t cell_capacity;
} gpri_feature_columns;

void gpri_feature_columns_init(gpri_feature_columns *set, gpr_ctx *ctx, const gpri_delimited *table);
/* Before the first row. */
gpr_status gpri_feature_columns_add(gpri_feature_columns *set, int64_t column) GPRI_MUST_CHECK;
gpr_status gpri_feature_columns_row(gpri_feature_columns *set, const gpri_field *fields) GPRI_MUST_CHECK;
/* out: zeroed before; without columns, its cols is 0. */
gpr_status gpri_feature_columns_finish(gpri_feature_columns *set, gpri_raw_features *out) GPRI_MUST_CHECK;
void gpri_feature_columns_free(gpri_feature_columns *set);

#endif
