/* Skewed columns brought to the shape of a normal distribution: a value becomes the normal quantile of its share among
 * the values of the column, by straight lines between knots.
 *
 * A column is skewed if one of its tails is more than 5 times as long as the other: from the median to the quantiles of
 * 1 % and 99 %. A column of fewer than 10 different values stays, and so does one of 0 and 1 alone. */
#ifndef GPRI_CURVES_H
#define GPRI_CURVES_H

#include "base/context.h"
#include "data/dataset.h"

enum { GPRI_MOST_KNOTS = 130 };

/* Zeroed: no column has a curve. */
typedef struct gpri_curves {
    int64_t cols;
    int64_t *first;   /* (cols + 1) where the knots of each column begin; none: it stays */
    float *from, *to; /* (first[cols]) ascending within a column; the same for both ends and beyond */
} gpri_curves;

/* By about 10,000 rows of the matrix, evenly spread. wanted: (cols) columns to look at. rows: that this process has;
   together: its processes call it too, and have the other rows of a dense matrix; NULL: this one has all. */
gpr_status gpri_curves_measure(gpr_ctx *ctx, gpri_curves *out, const gpri_feature_matrix *matrix, const bool *wanted,
                               gpri_range rows, const gpr_ctx *together) GPRI_MUST_CHECK;
gpr_status gpri_curves_clone(gpr_ctx *ctx, gpri_curves *out, const gpri_curves *from) GPRI_MUST_CHECK;
/* Of knots as a file has them: counts (cols) whole numbers. false: they are no curves. Moves nothing. */
bool gpri_curves_are_right(const gpri_curves *curves);
float gpri_curve_value(const gpri_curves *curves, int64_t column, float value);
/* A value that becomes this one, between the ends of the curve. */
float gpri_curve_origin(const gpri_curves *curves, int64_t column, float value);
static inline bool gpri_has_curve(const gpri_curves *curves, int64_t column) {
    return curves->first && curves->first[column + 1] > curves->first[column];
}
void gpri_curves_free(gpr_ctx *ctx, gpri_curves *curves);

#endif
