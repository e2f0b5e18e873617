/* How good the model of a run is, on each part of its split. */
#ifndef GPRI_JUDGE_H
#define GPRI_JUDGE_H

#include "train/trainer.h"

/* After gpri_train_epochs, whose last forward pass was with the weights of out->model: fills in out->metrics. Training
   nodes have none where their labels are an input. smoothed: (nodes x ld) the scores after smoothing, or NULL. */
gpr_status gpri_run_judge(gpri_run *out, const gpri_trainer *trainer, const gpr_split *split,
                          const gpri_real *smoothed) GPRI_MUST_CHECK;

#endif
