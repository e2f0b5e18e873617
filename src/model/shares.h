/* How often a prediction takes each class, against the labels of the training. */
#ifndef GPRI_SHARES_H
#define GPRI_SHARES_H

#include "model/model.h"
#include "task/outcome.h"

/* Predictions are counted into counts: (classes of the model). Without classes and probabilities none is. */
void gpri_shares_count(int64_t *counts, const gpr_model *model, int64_t rows, const gpri_outcome *outcome);
/* All nodes are counted: warns where the shares of the classes are far from those of the training, and the data are
   others. data is ready. */
void gpri_shares_warn(gpr_ctx *ctx, const int64_t *counts, const gpr_model *model, const gpr_dataset *data);

#endif
