/* The history of a learned filter: which steps it has, by the options alone. It has a row of gamma_0 .. gamma_K for the
 * weights after 0, stride, 2 stride, ... steps. The stride is the smallest power of two for which the rows of all
 * `epochs` have at most GPRI_GAMMA_MOST numbers. */
#ifndef GPRI_GAMMA_HISTORY_H
#define GPRI_GAMMA_HISTORY_H

#include "model/model.h"

#define GPRI_GAMMA_MOST (1 << 20) /* 4 MiB; above the numbers of one row for every K */

typedef struct gpri_gamma_plan {
    int64_t count;  /* of a row: K + 1; 0: the model learns no filter, and nothing is kept */
    int64_t stride; /* steps from row to row */
} gpri_gamma_plan;

/* Rows of a training that has done so many steps: 1 or more. */
static inline int64_t gpri_gamma_rows(gpri_gamma_plan plan, int64_t steps) { return steps / plan.stride + 1; }

static inline gpri_gamma_plan gpri_gamma_plan_of(const gpr_params *params) {
    gpri_gamma_plan plan = {.count = 0, .stride = 1};
    if (!gpri_model_learns_filter(params) || !gpri_filter_is_single(params)) return plan;
    const int64_t epochs = gpri_params_int(params, GPRI_PARAM_EPOCHS);
    plan.count = gpri_params_int(params, GPRI_PARAM_K) + 1;
    while (gpri_gamma_rows(plan, epochs) * plan.count > GPRI_GAMMA_MOST) plan.stride *= 2;
    return plan;
}

#endif
