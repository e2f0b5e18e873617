/* The goal of a choice. */
#include "train/choice/goal.h"

gpri_goal gpri_choice_goal(const gpr_params *params, const gpr_dataset *data, const gpr_split *split) {
    const gpri_goal asked = gpri_params_metric(params);
    if (asked != GPRI_GOAL_LOSS || data->classes != 2) return asked == GPRI_GOAL_LOSS ? GPRI_GOAL_ACCURACY : asked;
    const int64_t positive = gpri_positive_class(data->labels, data->graph.nodes, data->classes);
    const int64_t few = gpr_split_count(split, GPR_TRAIN, positive),
                  many = gpr_split_count(split, GPR_TRAIN, 1 - positive);
    const bool judged =
        gpr_split_count(split, GPR_VAL, positive) > 0 && gpr_split_count(split, GPR_VAL, 1 - positive) > 0;
    const bool rare = judged && gpri_is_rare(few, few + many);
    return rare ? GPRI_GOAL_AVERAGE_PRECISION : GPRI_GOAL_ACCURACY;
}
