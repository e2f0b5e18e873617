/* Making gpri_features from a dataset's table. */
#ifndef GPRI_PREPARE_H
#define GPRI_PREPARE_H

#include "base/thread.h"
#include "data/dataset.h"
#include "tensor/features.h"

/* What a row is multiplied by: 1 / its sum; 1 for a row that sums to 0 or if rows stay as they are. */
double gpri_row_factor(const float *values, int64_t count, bool normalize);
/* The table must outlive the features: what is not changed is borrowed. trains: also makes the index by column. */
gpr_status gpri_features_prepare(gpr_ctx *ctx, gpri_features *out, const gpri_feature_matrix *table, bool normalize,
                                 bool trains) GPRI_MUST_CHECK;
/* The same of some rows: all others must not be read. Memory for them is not touched, and so not taken. */
gpr_status gpri_features_prepare_rows(gpr_ctx *ctx, gpri_features *out, const gpri_feature_matrix *table,
                                      gpri_range rows, bool normalize, bool trains) GPRI_MUST_CHECK;
void gpri_features_free(gpr_ctx *ctx, gpri_features *features);

#endif
