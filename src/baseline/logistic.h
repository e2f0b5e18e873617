/* A plain multinomial logistic regression on the features of nodes; of a number, a linear one. */
#ifndef GPRI_LOGISTIC_H
#define GPRI_LOGISTIC_H

#include "data/split.h"
#include "tensor/features.h"

/* Trained on the training nodes, with L2 on the weights (not on the bias); how much is chosen by the loss of the
   validation nodes. Full batches by L-BFGS on one thread: the same input gives the same bits. The sizes alone bound its
   work. proba: (rows x classes), of all nodes; of a number: it. */
gpr_status gpri_logistic(gpr_ctx *ctx, float *proba, const gpri_features *x, const gpri_target *target,
                         const gpr_split *split) GPRI_MUST_CHECK;

#endif
