/* One run of a training: its epochs, its state from time to time, its model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "layer/net.h"
#include "model/trained/stacked.h"
#include "train/calibrate.h"
#include "train/epochs.h"
#include "train/experiment.h"
#include "train/processes/processes.h"
#include "train/rates.h"
#include "train/smooth_choice.h"

static bool ends_early(const gpr_params *params) {
    return !gpri_params_is(params, GPRI_STOPPING_NONE) &&
           gpri_params_int(params, GPRI_PARAM_PATIENCE) < gpri_params_int(params, GPRI_PARAM_EPOCHS);
}

static gpr_progress progress_of(const gpri_running *running, int64_t epoch, int64_t best, const gpri_epoch *now) {
    const gpri_trial *trial = running->experiment->result->trial;
    return (gpr_progress){.struct_size = sizeof(gpr_progress),
                          .run = running->run,
                          .runs = running->experiment->runs,
                          .epoch = epoch,
                          .epochs = running->epochs_most,
                          .train_loss = now->train_loss,
                          .val_loss = now->val_loss,
                          .val_accuracy = now->val_accuracy,
                          .test_accuracy = now->test_accuracy,
                          .best_epoch = best,
                          .stage = running->stage,
                          .candidate = trial ? trial->name : NULL,
                          .candidate_index = trial ? trial->number : 0,
                          .candidates = trial ? trial->count : 0,
                          .refits = running->experiment->refits && !running->refit,
                          .may_end_early = !running->refit && ends_early(running->experiment->params)};
}

/* True: stop now. */
static bool after_step(void *arg, int64_t epoch, int64_t best, const gpri_epoch *now) {
    const gpri_running *running = arg;
    gpri_experiment *experiment = running->experiment;
    const gpr_progress progress = progress_of(running, epoch, best, now);
    gpri_acquire(&experiment->lock);
    if (!experiment->stop && experiment->ctx->job.progress &&
        experiment->ctx->job.progress(experiment->ctx->job.user, &progress))
        experiment->stop = experiment->stopped = true;
    bool stop = experiment->stop;
    gpri_release(&experiment->lock);
    if (!gpri_spreads_rows(experiment->ctx) || gpri_all_most(experiment->ctx, stop) == 0) return stop;
    experiment->stop = experiment->stopped = true; /* asked for in one process: all stop after the same step */
    return true;
}

double gpri_experiment_seconds(const gpri_experiment *experiment) {
    return experiment->before + gpri_seconds_now() - experiment->started;
}

bool gpri_experiment_began(const gpri_experiment *experiment, int64_t run) {
    return experiment->saved.runs && experiment->saved.runs[run].kind != GPRI_RUN_WAITING;
}

/* ---- saving ---- */

/* A state that cannot be saved must not end the training: hours of work may be at stake. */
static void warn_unsaved(const gpri_running *running, const char *why) {
    gpri_experiment *experiment = running->experiment;
    gpri_acquire(&experiment->lock); /* as for progress: the caller's log is not called by two threads at once */
    gpri_log(experiment->ctx, GPR_LOG_WARNING, "the state of run %lld could not be saved; the training goes on: %s",
             (long long)running->run, why);
    gpri_release(&experiment->lock);
}

/* Gives the caller the state of a run that has a model and, if it is not finished, a pause; or of a stack its networks.
 */
static void hand_over(const gpri_running *running, const gpri_run *run) {
    gpri_experiment *experiment = running->experiment;
    gpr_result now = *experiment->result; /* borrows all that it has */
    char *bytes = NULL;
    int64_t size = 0;
    now.seconds = gpri_experiment_seconds(experiment);
    if (gpri_state_bytes(experiment->ctx, &bytes, &size, &now, run, 1) != GPR_OK) {
        warn_unsaved(running, gpr_last_error());
        return;
    }
    const gpr_save_info info = {.struct_size = sizeof info,
                                .run = run->number,
                                .runs = experiment->runs,
                                .epoch = run->info.epochs,
                                .finished = run->model && !run->pause.numbers && !experiment->result->trial,
                                .bytes = bytes,
                                .size = (size_t)size};
    gpri_fail(GPR_OK, "the caller's function failed");
    gpri_acquire(&experiment->saving);
    int failed = 0;
    if (gpri_processes_posts(experiment)) gpri_processes_post(experiment, &info);
    else failed = experiment->options.save(experiment->options.user, &info);
    gpri_release(&experiment->saving);
    if (failed) warn_unsaved(running, gpr_last_error());
    gpri_free(experiment->ctx, bytes);
}

/* Whether states are kept, here or in process 0. */
static bool saves(const gpri_experiment *experiment) {
    return experiment->options.save || gpri_processes_posts(experiment);
}

static bool is_due(gpri_running *running, const gpri_run *run) {
    gpri_experiment *experiment = running->experiment;
    gpri_processes_look(experiment);
    if (!saves(experiment)) return false;
    if (!experiment->options.save_due) return gpri_seconds_now() - running->last_save >= experiment->options.save_every;
    const gpr_progress progress =
        progress_of(running, run->info.epochs, run->info.best_epoch, &run->history[run->info.epochs]);
    gpri_acquire(&experiment->saving);
    const bool due = experiment->options.save_due(experiment->options.user, &progress) != 0;
    gpri_release(&experiment->saving);
    return due;
}

/* Of a run that is not finished, between two steps. */
static gpr_status keep_state(gpri_running *running) {
    gpri_run now = running->experiment->result->runs[running->run]; /* borrows what it has so far */
    gpr_status status = gpri_dataset_unchanged(running->experiment->ctx, running->experiment->data, false);
    if (status != GPR_OK) return status; /* what was learned since the last state may be wrong */
    if (gpri_running_model(running, &now.model) == GPR_OK && gpri_state_save(running->trainer, &now.pause) == GPR_OK &&
        gpri_trainer_gamma(running->trainer, &now.gamma_rows) == GPR_OK)
        hand_over(running, &now);
    else warn_unsaved(running, gpr_last_error());
    gpr_model_free(now.model);
    gpri_free_all(running->experiment->ctx, now.pause.numbers, now.gamma_rows);
    running->last_save = gpri_seconds_now();
    return GPR_OK;
}

/* The same of a stack whose networks are trained. */
static gpr_status keep_networks(gpri_running *running) {
    gpri_run now = running->experiment->result->runs[running->run]; /* borrows what it has so far */
    NEED(gpri_dataset_unchanged(running->experiment->ctx, running->experiment->data, false));
    if (gpri_stacking_bytes(&running->stack, &now.stack, &now.stack_size) == GPR_OK) hand_over(running, &now);
    else warn_unsaved(running, gpr_last_error());
    gpri_free(running->experiment->ctx, now.stack);
    running->last_save = gpri_seconds_now();
    return GPR_OK;
}

static gpr_status networks_at_rest(void *arg) {
    gpri_running *running = arg;
    return is_due(running, &running->stack.run) ? keep_networks(running) : GPR_OK;
}

static gpr_status at_rest(void *arg) {
    gpri_running *running = arg;
    return is_due(running, &running->experiment->result->runs[running->run]) ? keep_state(running) : GPR_OK;
}

/* The temperature of a run whose best weights were the last to be looked at. smoothed: its scores, or NULL. Smoothing
   makes probabilities too even, as means are: by `auto` they are calibrated then. */
static gpr_status calibrate(const gpri_running *running, gpri_run *out, const gpri_real *smoothed) {
    gpri_calibration found;
    out->info.temperature = out->info.calibrated_loss = NAN;
    const bool asked = gpri_params_is(running->experiment->params, GPRI_CALIBRATE_YES);
    if (!asked && (!smoothed || gpri_params_is(running->experiment->params, GPRI_CALIBRATE_NO))) return GPR_OK;
    NEED(gpri_calibrate(&found, running->trainer, running->split, smoothed));
    out->uncalibrated = asked ? found.skipped : NULL;
    out->info.temperature = found.temperature;
    out->info.calibrated_loss = found.after;
    return GPR_OK;
}

static gpr_status nothing_to_save(void *arg) {
    (void)arg;
    return GPR_OK;
}

/* All networks of a run count as one. */
static bool after_network_step(void *arg, int64_t epoch, int64_t best, const gpri_epoch *now) {
    gpri_running *running = arg;
    const int64_t each = gpri_params_int(running->stack.own, GPRI_PARAM_EPOCHS), before = each * running->stack.done;
    running->epochs_most = each * GPRI_STACK_NETWORKS;
    return after_step(arg, before + epoch, before + best, now);
}

/* Before the trees of a stack: its networks. of: the run that has what is known of them. */
static gpr_status train_networks(gpri_running *running, const gpr_params *params, int threads, const gpri_run *of) {
    gpri_experiment *experiment = running->experiment;
    const bool goes_on = !running->refit && experiment->saved.runs;
    const gpri_saved_run *saved = goes_on ? &experiment->saved.runs[of->number] : NULL;
    const char *stage = running->stage;
    const int64_t epochs = running->epochs_most;
    gpri_stacking *stack = &running->stack;
    running->network_hooks = (gpri_epoch_hooks){.after_step = after_network_step,
                                                .at_rest = running->refit ? nothing_to_save : networks_at_rest,
                                                .arg = running};
    *stack = (gpri_stacking){.ctx = experiment->ctx,
                             .from = experiment->prepared->network,
                             .result = experiment->result,
                             .params = params,
                             .split = running->split,
                             .hooks = &running->network_hooks,
                             .threads = threads,
                             .seed = experiment->seed + (uint64_t)of->number,
                             .refits = running->refit};
    NEED(gpri_stacking_begin(stack, saved ? saved->stack : NULL, saved ? saved->stack_size : 0));
    if (running->refit) NEED(gpri_stacking_epochs(stack->best, of->stack, of->stack_size));
    running->stage = "networks";
    NEED(gpri_stacking_train(stack, &running->halted));
    running->stage = stage;
    running->epochs_most = epochs;
    running->features = experiment->prepared->features;
    running->features.scores = stack->scores;
    return GPR_OK;
}

/* What is kept of them with the run. */
static gpr_status keep_with_run(gpri_running *running, gpri_run *out) {
    if (running->halted && saves(running->experiment)) NEED(keep_networks(running));
    gpri_free(running->experiment->ctx, out->stack);
    out->stack = NULL;
    return gpri_stacking_bytes(&running->stack, &out->stack, &out->stack_size);
}

/* The trainer of a run on that split: of all nodes, or of the rows of `order` filter-first. one->split becomes that of
   the trainer; what it has of its own is freed with the run. */
static gpr_status new_trainer(gpri_running *running, const gpr_split *split, const gpr_params *params, int threads,
                              const gpri_run *of) {
    const gpri_experiment *experiment = running->experiment;
    const gpri_labelled *rows = experiment->prepared->rows;
    const bool stacks = experiment->prepared->network != NULL;
    running->given = split;
    NEED(gpri_experiment_split(experiment, &running->own_split, &running->split, split));
    if (stacks) NEED(train_networks(running, params, threads, of));
    if (running->halted) return GPR_OK;
    NEED(gpri_trainer_new(experiment->ctx, &running->trainer,
                          rows ? &rows->data : gpri_prepared_data(experiment->prepared),
                          rows     ? &rows->features
                          : stacks ? &running->features
                                   : &experiment->prepared->features,
                          running->split, params, threads, experiment->seed + (uint64_t)of->number));
    if (running->stack.network) NEED(gpri_stack_put(running->trainer->net, running->stack.network));
    if (rows || experiment->prepared->ordered) {
        running->trainer->whole = experiment->data;
        running->trainer->nodes = rows ? rows->nodes : NULL;
        running->trainer->order = experiment->prepared->order;
    }
    return GPR_OK;
}

gpr_status gpri_running_begin(gpri_running *running, gpri_experiment *experiment, int64_t number, bool go_on) {
    gpri_run *out = &experiment->result->runs[number];
    *running = (gpri_running){.experiment = experiment,
                              .run = number,
                              .epochs_most = experiment->epochs,
                              .stage = "training",
                              .last_save = gpri_seconds_now(),
                              .hooks = {.after_step = after_step, .at_rest = at_rest, .arg = running}};
    NEED(new_trainer(running, out->split, experiment->params, experiment->threads_per_run, out));
    if (experiment->prepared->network) NEED(keep_with_run(running, out));
    running->epochs.over = running->halted;
    if (running->halted) return GPR_OK;
    if (gpri_experiment_began(experiment, number)) NEED(gpri_saved_restore(&experiment->saved, running->trainer, out));
    return gpri_epochs_begin(&running->epochs, running->trainer, out, experiment->params, go_on, &running->hooks);
}

/* A candidate that had all its epochs may get more. */
static bool may_go_on(const gpri_running *running) {
    const gpri_trial *trial = running->experiment->result->trial;
    return trial && trial->pauses && !gpri_trainer_record(running->trainer).stopped;
}

/* The trees have learned: from here on they see what those of a prediction will see. */
static void show_network(const gpri_running *running) {
    const gpri_trainer *trainer = running->trainer;
    const int64_t nodes = trainer->data->graph.nodes, classes = gpri_target_scores(&trainer->data->target);
    gpri_stack_show(&trainer->knowledge, gpri_net_forest(trainer->net, NULL)->count_columns, classes,
                    running->stack.scores + nodes * gpri_stack_columns(running->experiment->params, classes), nodes);
}

gpr_status gpri_running_finish(gpri_running *running) {
    gpri_experiment *experiment = running->experiment;
    gpr_ctx *ctx = experiment->ctx;
    gpri_run *out = &experiment->result->runs[running->run];
    /* the first run of a choice that was made has a state from before */
    const bool was_finished = experiment->saved.runs &&
                              experiment->saved.runs[running->run].kind == GPRI_RUN_FINISHED &&
                              (running->run > 0 || experiment->result->choice.count == 0);
    gpr_model *model = NULL;
    gpri_real *smoothed = NULL; /* (nodes x ld) */
    gpri_outcome made = {0};
    gpr_status status = GPR_OK;
    if (running->halted) return GPR_OK; /* it waits, as a run that did not begin */
    if (experiment->prepared->network) show_network(running);
    TRY(gpri_epochs_end(&running->epochs));
    const bool finished = gpri_state_finished(running->trainer);
    /* a stopped run: first, as whoever stopped it may not wait for what follows */
    if (!finished && saves(experiment)) TRY(keep_state(running));
    if (!finished || may_go_on(running)) TRY(gpri_state_save(running->trainer, &out->pause));
    if (gpri_smooth_asked(experiment->params, experiment->data))
        TRY(gpri_smooth_choose(out, &smoothed, running->trainer, running->split, experiment->params,
                               experiment->threads_per_run));
    TRY(calibrate(running, out, smoothed));
    TRY(gpri_running_model(running, &model));
    TRY(gpri_running_gamma(out, running->trainer, model));
    TRY(gpri_trainer_gamma(running->trainer, &out->gamma_rows));
    TRY(gpri_run_keep_curves(ctx, out));
    out->model = model;
    model = NULL;
    gpri_net_keep_scores(running->trainer->net);
    /* process 0 judges, and tells the others what the model is to know of it */
    TRY(gpri_all_well(gpri_spreads_rows(ctx) ? ctx : NULL,
                      gpri_run_judge(out, running->trainer, running->split, smoothed, &made)));
    TRY(gpri_rates_judge(running, out->model, &made));
    gpri_outcome_keep(experiment, running->run, &made);
    const bool tells = experiment->hook && finished, ends = saves(experiment) && finished && !was_finished;
    /* a wrong result must not be kept as a finished run */
    if (ends || tells) TRY(gpri_dataset_unchanged(ctx, experiment->data, true));
    if (ends) hand_over(running, out);
    gpri_share_tell(running->trainer->net->walk.share);
    if (tells) experiment->hook->finished(experiment->hook->arg, experiment->result, out, &made);
done:
    gpri_outcome_free(ctx, &made);
    gpri_free(ctx, smoothed);
    gpr_model_free(model);
    return status;
}

void gpri_running_end(gpri_running *running) {
    gpri_trainer_free(running->trainer);
    running->trainer = NULL;
    gpri_stacking_free(&running->stack);
    gpr_split_free(running->own_split);
    running->own_split = NULL;
}

/* ---- once more, on all labelled nodes ---- */

/* All nodes of the split are for training. */
static gpr_status join_parts(gpri_experiment *experiment, gpr_split **out, const gpr_split *split, int64_t *count) {
    gpr_status status = GPR_OK;
    uint8_t *parts = NULL;
    *count = 0;
    TRY(gpri_alloc(experiment->ctx, &parts, split->nodes, sizeof *parts, "split"));
    for (int64_t i = 0; i < split->nodes; i++) {
        parts[i] = split->part[i] == GPR_UNUSED ? GPR_UNUSED : GPR_TRAIN;
        *count += parts[i] == GPR_TRAIN;
    }
    TRY(gpri_split_of_parts(experiment->ctx, out, experiment->data, parts, split->nodes, false));
done:
    gpri_free(experiment->ctx, parts);
    return status;
}

/* The options of the second training: so many epochs, and no choice among them. */
static gpr_status refit_options(gpri_experiment *experiment, gpr_params **out, int64_t epochs) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)epochs);
    gpr_status status = gpri_params_copy(experiment->ctx, out, experiment->params);
    if (status == GPR_OK) status = gpri_params_set_from(*out, GPRI_FROM_FLAG, "epochs", text);
    if (status == GPR_OK) status = gpri_params_set_from(*out, GPRI_FROM_FLAG, "stopping", "none");
    return status == GPR_OK ? gpri_params_set_from(*out, GPRI_FROM_FLAG, "metric", "loss") : status;
}

gpr_status gpri_experiment_refit(gpri_experiment *experiment, gpr_model **model) {
    gpr_ctx *ctx = experiment->ctx;
    const gpri_run *best = &experiment->result->runs[experiment->result->best];
    const int64_t epochs = best->info.best_epoch;
    gpri_running running = {
        .experiment = experiment, .run = best->number, .epochs_most = epochs, .stage = "refit", .refit = true};
    const gpri_epoch_hooks hooks = {.after_step = after_step, .at_rest = nothing_to_save, .arg = &running};
    gpri_run run = {.number = best->number};
    gpr_params *params = NULL;
    gpr_split *split = NULL;
    gpr_model *made = NULL;
    int64_t nodes;
    gpr_status status = GPR_OK;
    TRY(refit_options(experiment, &params, epochs));
    TRY(join_parts(experiment, &split, best->split, &nodes));
    TRY(new_trainer(&running, split, params, ctx->threads, best));
    if (running.halted) goto done;
    TRY(gpri_train_epochs(running.trainer, &run, params, true, &hooks));
    if (!gpri_state_finished(running.trainer)) goto done;
    running.run = experiment->result->best; /* where the result keeps the run now */
    TRY(gpri_running_model(&running, &made));
    gpri_rates_keep(made, *model);
    TRY(gpri_outcome_refit(experiment, running.trainer, made));
    made->worth = (*model)->worth;
    made->refit_epochs = experiment->result->refit_epochs = epochs;
    made->refit_nodes = experiment->result->refit_nodes = nodes;
    gpr_model_free(*model);
    *model = made;
    made = NULL;
done:
    if (status != GPR_OK) gpri_fail_prefix(status, "`refit`");
    gpr_model_free(made);
    gpri_running_end(&running);
    gpri_run_free(ctx, &run);
    gpr_split_free(split);
    gpr_params_free(params);
    return status;
}
