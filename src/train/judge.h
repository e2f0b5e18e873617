/* How good the model of a run is, on each part of its split. */
#ifndef GPRI_JUDGE_H
#define GPRI_JUDGE_H

#include "train/trainer.h"

/* When nothing is left to train, and out has its model and its split: puts the model's weights into the trainer's net,
   runs it once more, and fills in out->metrics. */
gpr_status gpri_run_judge(gpri_run *out, gpri_trainer *trainer) GPRI_MUST_CHECK;
/* The same from predictions of all nodes. classes: (nodes); proba: (nodes x classes). */
gpr_status gpri_run_judge_predictions(gpr_ctx *ctx, gpri_run *out, const gpr_dataset *data, const int32_t *classes,
                                      const float *proba) GPRI_MUST_CHECK;

#endif
