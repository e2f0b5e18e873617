/* How much of gamma's history is kept. */
#include "train/gamma_history.h"

#include "model/model.h"

gpri_gamma_plan gpri_gamma_plan_of(const gpr_params *params) {
    gpri_gamma_plan plan = {.count = 0, .stride = 1};
    if (!gpri_model_learns_filter(params)) return plan;
    const int64_t epochs = gpri_params_int(params, GPRI_PARAM_EPOCHS);
    plan.count = gpri_params_int(params, GPRI_PARAM_K) + 1;
    while (gpri_gamma_rows(plan, epochs) * plan.count > GPRI_GAMMA_MOST) plan.stride *= 2;
    return plan;
}
