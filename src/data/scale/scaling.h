/* Columns brought to a similar scale: (x - mean) factor, unless a column has only 0 and 1; on request, skewed ones are
 * first brought to the shape of a normal distribution (data/scale/curves.h). A model keeps curves, means and factors of
 * its training data, and applies them to the data that it predicts. */
#ifndef GPRI_SCALING_H
#define GPRI_SCALING_H

#include "data/scale/curves.h"

/* Zeroed: columns stay as they are. */
typedef struct gpri_scaling {
    int64_t cols;
    float *mean, *factor; /* (cols); 0 and 1 where a column stays */
    gpri_curves curves;
} gpri_scaling;

/* factor: 1 / standard deviation of the column over all rows; 1 where that is 0. bends: skewed columns get curves. */
gpr_status gpri_scaling_measure(gpr_ctx *ctx, gpri_scaling *out, const gpri_feature_matrix *matrix,
                                bool bends) GPRI_MUST_CHECK;
gpr_status gpri_scaling_clone(gpr_ctx *ctx, gpri_scaling *out, const gpri_scaling *from) GPRI_MUST_CHECK;
static inline float gpri_scaled(const gpri_scaling *scaling, int64_t column, float value) {
    if (gpri_has_curve(&scaling->curves, column)) value = gpri_curve_value(&scaling->curves, column, value);
    return (value - scaling->mean[column]) * scaling->factor[column];
}
/* The matrix with its columns scaled, a new one. */
gpr_status gpri_scaling_apply(gpr_ctx *ctx, gpri_feature_matrix *out, const gpri_feature_matrix *matrix,
                              const gpri_scaling *scaling) GPRI_MUST_CHECK;
/* Both, where several processes have some rows of dense features each, in their order: the sums go from one process to
   the next, so all have the bits of one. scaled: of the own rows; no other is touched. The caller frees both, also on
   failure. */
gpr_status gpri_scaling_together(gpr_ctx *ctx, gpri_scaling *out, gpri_feature_matrix *scaled,
                                 const gpri_feature_matrix *matrix, gpri_range rows, bool bends) GPRI_MUST_CHECK;
void gpri_scaling_free(gpr_ctx *ctx, gpri_scaling *scaling);

#endif
