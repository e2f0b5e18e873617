/* The epochs of one run. The device judges every step itself. The host reads its record after each step, or after some
 * steps (the device's lag), and stops where the record says. */
#include "train/epochs.h"

#include <math.h>

#include "base/clock.h"
#include "base/print.h"
#include "model/cause.h"
#include "train/state.h"

/* What the host knows of the history: evaluations 0 .. seen - 1. */
typedef struct {
    gpri_trainer *trainer;
    const gpr_params *params;
    gpri_epoch *history;
    int64_t seen, best;
    const gpri_epoch_hooks *hooks;
} viewer;

static void name_causes(char why[GPRI_CAUSES_SIZE], const viewer *view, int64_t steps) {
    const gpri_trainer *trainer = view->trainer;
    gpri_name_causes(why, &(gpri_suspects){.data = trainer->data,
                                           .features = trainer->features,
                                           .params = view->params,
                                           .gamma = trainer->gamma,
                                           .steps = steps});
}

/* what: after so many steps, is not finite; node: the first one, or -1. */
static gpr_status not_finite(const viewer *view, const char *what, int64_t step, int64_t node) {
    char where[GPRI_NODE_SIZE], why[GPRI_CAUSES_SIZE];
    gpri_name_node(where, view->trainer->data, node);
    name_causes(why, view, step);
    if (step == 0)
        return gpri_fail(GPR_ERROR_NUMERIC, "%s infinite or NaN before the first step%s: %s", what, where, why);
    return gpri_fail(GPR_ERROR_NUMERIC, "%s infinite or NaN at epoch %lld%s: %s", what, (long long)step, where, why);
}

/* The losses of the parts that have nodes. */
static gpr_status check_losses(const viewer *view, const gpri_epoch *now) {
    const int64_t *nodes = view->trainer->rule.part_count;
    const char *what = !isfinite(now->train_loss)                         ? "the training loss is"
                       : nodes[GPR_VAL] > 0 && !isfinite(now->val_loss)   ? "the validation loss is"
                       : nodes[GPR_TEST] > 0 && !isfinite(now->test_loss) ? "the test loss is"
                                                                          : NULL;
    int64_t node;
    if (!what) return GPR_OK;
    gpr_status status = gpri_find_not_finite(view->trainer->net, &node); /* of the last forward pass */
    return status == GPR_OK ? not_finite(view, what, view->seen, node) : status;
}

/* The scores of all nodes, also of those that no loss has seen, with the weights that are kept. The weights of the last
   step are put back: a training that was stopped goes on with them. */
static gpr_status check_kept(const viewer *view) {
    gpri_trainer *trainer = view->trainer;
    const gpri_device *device = trainer->net->device;
    const gpri_state *state = &trainer->state;
    const int64_t bytes = state->weights * (int64_t)sizeof(gpri_real);
    gpr_status status = GPR_OK;
    gpri_real *kept = NULL; /* (2 x weights) the best and the last ones */
    int64_t node;
    TRY(gpri_alloc(trainer->ctx, &kept, 2 * state->weights, sizeof *kept, "weights"));
    device->get(device, kept, state->best, bytes);
    for (int64_t i = 0; i < state->weights; i++)
        if (!isfinite(kept[i])) {
            status = not_finite(view, "weights are", view->best, -1);
            goto done;
        }
    device->get(device, kept + state->weights, state->values, bytes);
    device->put(device, state->values, kept, bytes);
    gpri_net_forward(trainer->net, GPRI_EVAL_STREAM);
    device->put(device, state->values, kept + state->weights, bytes);
    TRY(gpri_find_not_finite(trainer->net, &node));
    if (node >= 0) status = not_finite(view, "scores are", view->best, node);
done:
    gpri_free(trainer->ctx, kept);
    return status;
}

/* A guess without knowledge has a loss of ln(classes). A model far above it has learned nothing: its numbers have grown
   too large, and are finite by luck. *out: what to say about it, or NULL. */
static gpr_status judge_losses(const viewer *view, char **out) {
    const double guess = log((double)view->trainer->data->classes), most = 10 * guess;
    const gpri_epoch *first = &view->history[0], *last = &view->history[view->seen - 1],
                     *kept = &view->history[view->best];
    char why[GPRI_CAUSES_SIZE], text[GPRI_CAUSES_SIZE + 128];
    const bool large = kept->train_loss > most;
    const bool diverged = last->train_loss > most && last->train_loss > first->train_loss;
    if (!large && !diverged) return GPR_OK;
    name_causes(why, view, view->seen - 1);
    if (large)
        gpri_print(text, sizeof text, "the training loss of the model is %.3g, and that of a guess is %.3g: %s",
                   kept->train_loss, guess, why);
    else
        gpri_print(text, sizeof text,
                   "the training loss grew to %.3g at epoch %lld (the model is that of epoch %lld): %s",
                   last->train_loss, (long long)(view->seen - 1), (long long)view->best, why);
    return gpri_strdup(view->trainer->ctx, out, text);
}

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
        status = check_losses(view, now);
        if (status != GPR_OK) return status;
        if (view->seen == 0) continue;
        if (view->best == 0 || !validates || gpri_epoch_better(now, &view->history[view->best], trainer->rule.metric))
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
                           .val_metric = at_best->val_metric,
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
                TRY(hooks->at_rest(hooks->arg));
            }
        }
        if (last) break;
        if (!stop) TRY(gpri_trainer_learn(trainer));
    }
    fill_info(&out->info, &view, before + gpri_seconds_now() - started);
    TRY(check_kept(&view));
    TRY(judge_losses(&view, &out->warning));
done:
    return status;
}
