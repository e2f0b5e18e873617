/* The size of a model in training, compared with the memory before anything is built: features may have billions of
 * columns, and every column costs a row of weights. */
#include "base/budget.h"
#include "model/model.h"

/* Of the weights, while a run is trained: values, gradients, two moments, best values. */
#define COPIES 5

gpr_status gpri_model_fits(gpr_ctx *ctx, const gpr_params *params, const gpr_dataset *data, int64_t at_once,
                           int64_t runs) {
    int64_t weights;
    char size[GPRI_SIZE_TEXT], most[GPRI_SIZE_TEXT];
    NEED(gpri_model_weights(ctx, &weights, params, data->features.cols, data->classes));
    const double run = COPIES * (double)weights * (double)sizeof(gpri_real); /* as doubles: no product overflows */
    const double needed = (double)at_once * run + (double)runs * (double)weights * sizeof(float);
    const double allowed = (double)gpri_budget_of(data->memory);
    if (allowed > 0 && needed > allowed)
        return gpri_fail(
            GPR_ERROR_MEMORY,
            "the model has %lld weights for %lld features and %lld classes: training would take %s or more, and "
            "may take %s; use fewer features, a smaller `hidden` or fewer `runs`, or give `memory` if the "
            "machine has more",
            (long long)weights, (long long)data->features.cols, (long long)data->classes, gpri_size_text(size, needed),
            gpri_size_text(most, allowed));
    return GPR_OK;
}
