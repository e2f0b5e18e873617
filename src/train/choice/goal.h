/* By what the program chooses among its own methods (train/choice/smooth_choice.h, train/choice/choose.h). */
#ifndef GPRI_GOAL_H
#define GPRI_GOAL_H

#include "data/dataset.h"
#include "data/split.h"
#include "train/result.h"

/* The option `metric`, if it is not the loss. Else the average precision for two classes of which one is rare: a model
   that never finds it may have the lower loss and the higher accuracy. Else the accuracy. */
gpri_goal gpri_choice_goal(const gpr_params *params, const gpr_dataset *data, const gpr_split *split);

#endif
