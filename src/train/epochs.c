/* The epochs of one run: forward, evaluate, stop or step. */
#include "train/epochs.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "train/stopping.h"

static gpr_status not_finite(const gpr_params *params, const char *part, int64_t step) {
    if (step == 0)
        return gpri_fail(
            GPR_ERROR_NUMERIC,
            "the %s loss is no finite number before the first step: the features are too large (normalize is %s)", part,
            gpri_params_text(params, GPRI_PARAM_NORMALIZE));
    return gpri_fail(GPR_ERROR_NUMERIC,
                     "the %s loss left the finite numbers at epoch %lld: try a smaller lr (it is %s)", part,
                     (long long)step, gpri_params_text(params, GPRI_PARAM_LR));
}

gpr_status gpri_train_epochs(gpri_trainer *trainer, gpri_run *out, const gpr_params *params,
                             gpri_after_step_fn after_step, void *arg) {
    gpri_net *net = trainer->net;
    int64_t epochs = gpri_params_int(params, GPRI_PARAM_EPOCHS);
    gpri_stopping rule = gpri_stopping_of(params);
    int64_t patience = gpri_params_int(params, GPRI_PARAM_PATIENCE), best_epoch = 0;
    bool validates = trainer->part_count[GPR_VAL] > 0;
    size_t weight_bytes = (size_t)net->weight_total * sizeof(gpri_real);
    double started = gpri_seconds_now();
    gpr_status status = gpri_alloc(trainer->ctx, &out->history, epochs + 1, sizeof *out->history, "history");
    if (status != GPR_OK) return status;
    if (!validates) rule = GPRI_STOP_NEVER;
    int64_t step = 0;
    for (;; step++) {
        bool last = step == epochs;
        gpri_net_forward(net, last ? GPRI_EVAL_STREAM : GPRI_BOTH_STREAMS);
        gpri_epoch *now = &out->history[step];
        gpri_trainer_evaluate(trainer, now);
        if (!isfinite(now->train_loss) || (validates && !isfinite(now->val_loss)))
            return not_finite(params, isfinite(now->train_loss) ? "validation" : "training", step);
        if (step > 0) {
            if (best_epoch == 0 || !validates || now->val_loss < out->history[best_epoch].val_loss) {
                best_epoch = step;
                memcpy(trainer->best, net->values, weight_bytes);
            }
            last |= gpri_should_stop(rule, out->history, step, patience, epochs);
            last |= after_step(arg, step, best_epoch, now);
        }
        if (last) break;
        gpri_trainer_loss(trainer);
        gpri_trainer_backward(trainer);
        gpri_trainer_update(trainer);
    }
    const gpri_epoch *at_best = &out->history[best_epoch];
    out->info = (gpr_run_info){.struct_size = sizeof out->info,
                               .seed = net->seed,
                               .epochs = step,
                               .best_epoch = best_epoch,
                               .train_loss = at_best->train_loss,
                               .val_loss = at_best->val_loss,
                               .train_accuracy = at_best->train_accuracy,
                               .val_accuracy = at_best->val_accuracy,
                               .test_accuracy = at_best->test_accuracy,
                               .initial_accuracy = out->history[0].test_accuracy,
                               .seconds = gpri_seconds_now() - started};
    out->info.ms_per_epoch = 1e3 * out->info.seconds / (double)step;
    return GPR_OK;
}
