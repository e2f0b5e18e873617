/* How often a prediction takes each class, against the labels of the training. */
#ifndef GPRI_SHARES_H
#define GPRI_SHARES_H

#include "model/model.h"
#include "task/outcome.h"

/* Predictions are counted into sums: (2 x classes of the model), zeroed at first: how often each class is predicted,
   and the sums of the probabilities. What the outcome has not is not counted. */
void gpri_shares_count(double *sums, const gpr_model *model, int64_t rows, const gpri_outcome *outcome);
/* All nodes are counted: warns where the shares of the classes are far from those of the training, and the data are
   others. data is ready. adapted: the probabilities have been corrected for it. */
void gpri_shares_warn(gpr_ctx *ctx, const double *sums, const gpr_model *model, const gpr_dataset *data, bool adapted);

#endif
