/* The epochs of one run. The device judges every step itself. The host reads its record after each step, or after some
 * steps (the device's lag), and stops where the record says. */
#include "train/epochs.h"

#include <math.h>

#include "base/clock.h"
#include "train/state.h"

static gpr_status not_finite(const gpr_params *params, const char *part, int64_t step) {
    if (step == 0)
        return gpri_fail(
            GPR_ERROR_NUMERIC,
            "the %s loss is not a finite number before the first step: the features are too large (normalize is %s)",
            part, gpri_params_text(params, GPRI_PARAM_NORMALIZE));
    return gpri_fail(GPR_ERROR_NUMERIC, "the %s loss became infinite or NaN at epoch %lld: try a smaller lr (it is %s)",
                     part, (long long)step, gpri_params_text(params, GPRI_PARAM_LR));
}

/* What the host knows of the history: evaluations 0 .. seen - 1. */
typedef struct {
    gpri_trainer *trainer;
    const gpr_params *params;
    gpri_epoch *history;
    int64_t seen, best;
    const gpri_epoch_hooks *hooks;
} viewer;

/* Reads the new evaluations; *stop: training ends after the last of them. */
static gpr_status catch_up(viewer *view, bool *stop) {
    gpri_trainer *trainer = view->trainer;
    gpri_record record = gpri_trainer_record(trainer);
    bool validates = trainer->rule.part_count[GPR_VAL] > 0;
    gpri_trainer_history(trainer, view->history + view->seen, view->seen, record.judged + 1 - view->seen);
    gpr_status status = gpri_device_check(trainer->ctx);
    if (status != GPR_OK) return status;
    for (; view->seen <= record.judged; view->seen++) {
        const gpri_epoch *now = &view->history[view->seen];
        if (!isfinite(now->train_loss) || (validates && !isfinite(now->val_loss)))
            return not_finite(view->params, isfinite(now->train_loss) ? "validation" : "training", view->seen);
        if (view->seen == 0) continue;
        if (view->best == 0 || !validates || now->val_loss < view->history[view->best].val_loss)
            view->best = view->seen;
        *stop |= view->hooks->after_step(view->hooks->arg, view->seen, view->best, now);
    }
    *stop |= record.stopped;
    return GPR_OK;
}

static void fill_info(gpr_run_info *info, const viewer *view, double seconds) {
    const gpri_epoch *at_best = &view->history[view->best];
    int64_t steps = view->seen - 1;
    *info = (gpr_run_info){.struct_size = sizeof *info,
                           .seed = view->trainer->net->seed,
                           .epochs = steps,
                           .best_epoch = view->best,
                           .train_loss = at_best->train_loss,
                           .val_loss = at_best->val_loss,
                           .train_accuracy = at_best->train_accuracy,
                           .val_accuracy = at_best->val_accuracy,
                           .test_accuracy = at_best->test_accuracy,
                           .initial_accuracy = view->history[0].test_accuracy,
                           .seconds = seconds,
                           .ms_per_epoch = 1e3 * seconds / (double)steps};
}

gpr_status gpri_train_epochs(gpri_trainer *trainer, gpri_run *out, const gpr_params *params, bool go_on,
                             const gpri_epoch_hooks *hooks) {
    gpr_status status = GPR_OK;
    int64_t epochs = trainer->rule.epochs, lag = trainer->net->device->lag;
    int64_t first = out->history ? out->info.epochs : 0; /* of a run that was restored: judged already */
    double started = gpri_seconds_now(), before = out->info.seconds;
    viewer view = {.trainer = trainer, .params = params, .hooks = hooks};
    if (out->history) {
        view.seen = first + 1;
        view.best = out->info.best_epoch;
    } else {
        TRY(gpri_alloc(trainer->ctx, &out->history, epochs + 1, sizeof *out->history, "history"));
    }
    view.history = out->history;
    bool stop = !go_on || gpri_state_finished(trainer);
    for (int64_t step = first; !stop; step++) {
        bool last = step == epochs;
        TRY(gpri_trainer_look(trainer, last));
        if (last || step % lag == 0) {
            TRY(catch_up(&view, &stop));
            if (step > first && !stop && !last) {
                fill_info(&out->info, &view, before + gpri_seconds_now() - started);
                hooks->at_rest(hooks->arg);
            }
        }
        if (last) break;
        if (!stop) TRY(gpri_trainer_learn(trainer));
    }
    fill_info(&out->info, &view, before + gpri_seconds_now() - started);
done:
    return status;
}
