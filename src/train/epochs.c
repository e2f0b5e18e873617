/* The epochs of one run, or of several side by side. The device judges every step itself. The host reads its record
 * after each step, or after some steps (the device's lag), and stops where the record says. */
#include "train/epochs.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/print.h"
#include "model/cause.h"
#include "train/state.h"

static void name_causes(char why[GPRI_CAUSES_SIZE], const gpri_epochs *run, int64_t steps) {
    const gpri_trainer *trainer = run->trainer;
    gpri_name_causes(why, &(gpri_suspects){.data = trainer->whole ? trainer->whole : trainer->data,
                                           .features = trainer->features,
                                           .order = trainer->order,
                                           .params = run->params,
                                           .gamma = trainer->gamma,
                                           .steps = steps,
                                           .together = gpri_walker_together(&trainer->net->walk)});
}

/* what: after so many steps, is not finite; node: the first one, or -1. */
static gpr_status not_finite(const gpri_epochs *run, const char *what, int64_t step, int64_t node) {
    char where[GPRI_NODE_SIZE], why[GPRI_CAUSES_SIZE];
    const gpri_trainer *trainer = run->trainer;
    if (trainer->whole && node >= 0) node = trainer->nodes ? trainer->nodes[node] : trainer->order[node];
    gpri_name_node(where, trainer->whole ? trainer->whole : trainer->data, node);
    name_causes(why, run, step);
    if (step == 0)
        return gpri_fail(GPR_ERROR_NUMERIC, "%s infinite or NaN before the first step%s: %s", what, where, why);
    return gpri_fail(GPR_ERROR_NUMERIC, "%s infinite or NaN at epoch %lld%s: %s", what, (long long)step, where, why);
}

/* The losses of the parts that have nodes. */
static gpr_status check_losses(const gpri_epochs *run, const gpri_epoch *now) {
    const int64_t *nodes = run->trainer->rule.part_count;
    const char *what = !isfinite(now->train_loss)                         ? "the training loss is"
                       : nodes[GPR_VAL] > 0 && !isfinite(now->val_loss)   ? "the validation loss is"
                       : nodes[GPR_TEST] > 0 && !isfinite(now->test_loss) ? "the test loss is"
                                                                          : NULL;
    int64_t node;
    if (!what) return GPR_OK;
    gpr_status status = gpri_find_not_finite(run->trainer->net, &node); /* of the last forward pass */
    return status == GPR_OK ? not_finite(run, what, run->seen, node) : status;
}

/* The scores of all nodes, also of those that no loss has seen, with the weights that are kept. The weights of the last
   step are put back: a training that was stopped goes on with them. */
static gpr_status check_kept(const gpri_epochs *run) {
    gpri_trainer *trainer = run->trainer;
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
            status = not_finite(run, "weights are", run->best, -1);
            goto done;
        }
    device->get(device, kept + state->weights, state->values, bytes);
    device->put(device, state->values, kept, bytes);
    gpri_net_forward(trainer->net, GPRI_EVAL_STREAM);
    device->put(device, state->values, kept + state->weights, bytes);
    TRY(gpri_find_not_finite(trainer->net, &node));
    if (node >= 0) status = not_finite(run, "scores are", run->best, node);
done:
    gpri_free(trainer->ctx, kept);
    return status;
}

/* A model with a loss far above that of a guess has learned nothing: its numbers have grown too large, and are finite
 * by luck. *out: what to say about it, or NULL. */
static gpr_status judge_losses(const gpri_epochs *run, char **out) {
    const double guess = gpri_target_guess(&run->trainer->data->target), most = 10 * guess;
    const gpri_epoch *first = &run->out->history[0], *last = &run->out->history[run->seen - 1],
                     *kept = &run->out->history[run->best];
    char why[GPRI_CAUSES_SIZE], text[GPRI_CAUSES_SIZE + 128];
    const bool large = kept->train_loss > most;
    const bool diverged = last->train_loss > most && last->train_loss > first->train_loss;
    if (!large && !diverged) return GPR_OK;
    name_causes(why, run, run->seen - 1);
    if (large)
        gpri_print(text, sizeof text, "the training loss of the model is %.3g, and that of a guess is %.3g: %s",
                   kept->train_loss, guess, why);
    else
        gpri_print(text, sizeof text,
                   "the training loss grew to %.3g at epoch %lld (the model is that of epoch %lld): %s",
                   last->train_loss, (long long)(run->seen - 1), (long long)run->best, why);
    return gpri_strdup(run->trainer->ctx, out, text);
}

/* Asks for the new evaluations. The device may have stopped before the last of them. */
static void ask(gpri_epochs *run) {
    gpri_trainer_fetch(run->trainer, &run->record, run->out->history + run->seen, run->seen,
                       run->trainer->steps + 1 - run->seen);
}

/* Looks at the new evaluations, which are there; *stop: training ends after the last of them. */
static gpr_status catch_up(gpri_epochs *run, bool *stop) {
    gpri_trainer *trainer = run->trainer;
    const bool validates = trainer->rule.part_count[GPR_VAL] > 0;
    for (; run->seen <= run->record.judged; run->seen++) {
        const gpri_epoch *now = &run->out->history[run->seen];
        gpr_status status = check_losses(run, now);
        if (status != GPR_OK) return status;
        if (run->seen == 0) continue;
        if (run->best == 0 || !validates || gpri_epoch_better(now, &run->out->history[run->best], trainer->rule.metric))
            run->best = run->seen;
        *stop |= run->hooks->after_step(run->hooks->arg, run->seen, run->best, now);
    }
    *stop |= run->record.stopped;
    return GPR_OK;
}

static void fill_info(gpri_epochs *run) {
    const gpri_epoch *at_best = &run->out->history[run->best];
    const int64_t steps = run->seen - 1;
    run->out->info = (gpr_run_info){.struct_size = sizeof run->out->info,
                                    .seed = run->trainer->net->seed,
                                    .epochs = steps,
                                    .best_epoch = run->best,
                                    .train_loss = at_best->train_loss,
                                    .val_loss = at_best->val_loss,
                                    .train_accuracy = at_best->train_accuracy,
                                    .val_accuracy = at_best->val_accuracy,
                                    .test_accuracy = at_best->test_accuracy,
                                    .val_metric = at_best->val_metric,
                                    .initial_accuracy = run->out->history[0].test_accuracy,
                                    .seconds = run->seconds,
                                    .ms_per_epoch = 1e3 * run->seconds / (double)steps};
}

static bool is_last(const gpri_epochs *run) { return run->trainer->steps == run->trainer->rule.epochs; }

/* After a look: whether the host looks at what came of it, too. */
static bool is_due(const gpri_epochs *run) {
    return is_last(run) || run->trainer->steps % run->trainer->net->device->lag == 0;
}

/* What the host then has to do. */
static gpr_status look_at(gpri_epochs *run) {
    NEED(catch_up(run, &run->over));
    run->over |= is_last(run);
    if (run->trainer->steps > run->first && !run->over) {
        fill_info(run);
        NEED(run->hooks->at_rest(run->hooks->arg));
    }
    return GPR_OK;
}

/* One question for all runs: an answer takes some time to come. */
static void look_at_all(gpri_epochs *const *runs, int64_t count) {
    int64_t due = 0;
    for (int64_t i = 0; i < count; i++)
        if (is_due(runs[i])) {
            ask(runs[i]);
            due++;
        }
    if (due == 0) return;
    const gpr_status together = gpri_device_check(runs[0]->trainer->ctx);
    for (int64_t i = 0; i < count; i++) {
        if (!is_due(runs[i])) continue;
        runs[i]->failed = together == GPR_OK ? look_at(runs[i]) : together;
        if (runs[i]->failed != GPR_OK) snprintf(runs[i]->why, sizeof runs[i]->why, "%s", gpr_last_error());
    }
}

gpr_status gpri_epochs_begin(gpri_epochs *run, gpri_trainer *trainer, gpri_run *out, const gpr_params *params,
                             bool go_on, const gpri_epoch_hooks *hooks) {
    const double started = gpri_seconds_now();
    *run =
        (gpri_epochs){.trainer = trainer, .out = out, .params = params, .hooks = hooks, .seconds = out->info.seconds};
    if (out->history) {
        run->first = out->info.epochs;
        run->seen = run->first + 1;
        run->best = out->info.best_epoch;
    } else {
        NEED(gpri_alloc(trainer->ctx, &out->history, trainer->rule.epochs + 1, sizeof *out->history, "history"));
    }
    run->over = !go_on || gpri_state_finished(trainer);
    if (!run->over) {
        gpri_trainer_look(trainer);
        look_at_all(&run, 1);
    }
    run->seconds += gpri_seconds_now() - started;
    return run->failed;
}

void gpri_epochs_go_on(gpri_epochs *const *runs, int64_t count) {
    gpri_trainer *trainers[GPRI_MOST_LANES];
    const double started = gpri_seconds_now();
    for (int64_t i = 0; i < count; i++) trainers[i] = runs[i]->trainer;
    const gpr_status together = gpri_trainers_epoch(trainers, count);
    for (int64_t i = 0; together != GPR_OK && i < count; i++) {
        runs[i]->failed = together;
        snprintf(runs[i]->why, sizeof runs[i]->why, "%s", gpr_last_error());
    }
    if (together == GPR_OK) look_at_all(runs, count);
    const double share = (gpri_seconds_now() - started) / (double)count;
    for (int64_t i = 0; i < count; i++) runs[i]->seconds += share;
}

gpr_status gpri_epochs_end(gpri_epochs *run) {
    fill_info(run);
    gpr_status status = check_kept(run);
    return status == GPR_OK ? judge_losses(run, &run->out->warning) : status;
}

gpr_status gpri_train_epochs(gpri_trainer *trainer, gpri_run *out, const gpr_params *params, bool go_on,
                             const gpri_epoch_hooks *hooks) {
    gpri_epochs run, *one = &run;
    NEED(gpri_epochs_begin(&run, trainer, out, params, go_on, hooks));
    while (run.failed == GPR_OK && !run.over) gpri_epochs_go_on(&one, 1);
    return run.failed == GPR_OK ? gpri_epochs_end(&run) : run.failed;
}
