/* How good the model of a run is, on each part of its split. */
#ifndef GPRI_JUDGE_H
#define GPRI_JUDGE_H

#include "train/trainer.h"

/* Predictions. */
typedef struct gpri_outcome {
    int32_t *classes; /* (nodes); NULL: another process has them */
    float *proba;     /* (nodes x classes) */
} gpri_outcome;

/* After gpri_train_epochs, whose last forward pass was with the weights of out->model: fills in out->metrics. Training
   nodes have none where their labels are an input. smoothed: (nodes x ld) the scores after smoothing, or NULL. kept:
   gets the predictions, which the caller frees, where this process has them; NULL: nobody wants them. */
gpr_status gpri_run_judge(gpri_run *out, const gpri_trainer *trainer, const gpr_split *split, const gpri_real *smoothed,
                          gpri_outcome *kept) GPRI_MUST_CHECK;

/* After a training: the predictions of its model for all nodes, in process 0. Free with gpri_outcome_free. */
gpr_status gpri_outcome_read(gpri_outcome *out, const gpri_trainer *trainer, const gpr_model *model) GPRI_MUST_CHECK;
void gpri_outcome_free(gpr_ctx *ctx, gpri_outcome *outcome);

#endif
