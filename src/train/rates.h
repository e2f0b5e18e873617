/* What a model is told of the base rates of its training (model/predict/rates.h). */
#ifndef GPRI_TRAIN_RATES_H
#define GPRI_TRAIN_RATES_H

#include "train/experiment.h"

/* From labels alone. */
gpr_status gpri_rates_of_run(const gpri_running *running, gpr_model *model) GPRI_MUST_CHECK;
/* What its probabilities say of them, on the validation nodes; made: its predictions of all nodes, or none. */
gpr_status gpri_rates_judge(const gpri_running *running, gpr_model *model, const gpri_outcome *made) GPRI_MUST_CHECK;
/* A model that was trained again, on all nodes, is taken to be as far off as the one before. */
void gpri_rates_keep(gpr_model *model, const gpr_model *before);

#endif
