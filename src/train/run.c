/* One run of a training: its epochs, its state from time to time, its model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "layer/processes/share.h"
#include "model/known.h"
#include "model/model.h"
#include "train/calibrate.h"
#include "train/choice/smooth_choice.h"
#include "train/epochs.h"
#include "train/experiment.h"
#include "train/judge/judge.h"
#include "train/processes/processes.h"

static gpr_progress progress_of(const gpri_running *one, int64_t epoch, int64_t best, const gpri_epoch *now) {
    return (gpr_progress){.struct_size = sizeof(gpr_progress),
                          .run = one->run,
                          .runs = one->all->runs,
                          .epoch = epoch,
                          .epochs = one->epochs_most,
                          .train_loss = now->train_loss,
                          .val_loss = now->val_loss,
                          .val_accuracy = now->val_accuracy,
                          .test_accuracy = now->test_accuracy,
                          .best_epoch = best,
                          .stage = one->stage};
}

/* True: stop now. */
static bool after_step(void *arg, int64_t epoch, int64_t best, const gpri_epoch *now) {
    const gpri_running *one = arg;
    gpri_experiment *all = one->all;
    const gpr_progress progress = progress_of(one, epoch, best, now);
    gpri_acquire(&all->lock);
    if (!all->stop && all->ctx->progress && all->ctx->progress(all->ctx->user, &progress))
        all->stop = all->stopped = true;
    bool stop = all->stop;
    gpri_release(&all->lock);
    if (!gpri_spreads_rows(all->ctx) || gpri_group_most(all->ctx->group, stop) == 0) return stop;
    all->stop = all->stopped = true; /* asked for in one process: all stop after the same step */
    return true;
}

static gpr_status keep_gamma(gpr_ctx *ctx, gpri_run *out, const gpri_trainer *trainer, const gpr_model *model) {
    gpr_status status = GPR_OK;
    int64_t count;
    const float *gamma = gpr_model_gamma(model, &count);
    if (!gamma) return GPR_OK;
    TRY(gpri_alloc(ctx, &out->gamma, count, sizeof *gamma, "gamma"));
    TRY(gpri_alloc(ctx, &out->gamma_initial, count, sizeof *gamma, "gamma"));
    memcpy(out->gamma, gamma, (size_t)count * sizeof *gamma);
    for (int64_t k = 0; k < count; k++) out->gamma_initial[k] = (float)trainer->gamma[k];
    out->info.gamma = out->gamma;
    out->info.gamma_count = count;
done:
    return status;
}

double gpri_experiment_seconds(const gpri_experiment *all) {
    return all->saved.seconds + gpri_seconds_now() - all->started;
}

bool gpri_experiment_began(const gpri_experiment *all, int64_t run) {
    return all->saved.runs && all->saved.runs[run].kind != GPRI_RUN_WAITING;
}

/* The weights of the best step so far, with all that a model needs. */
static gpr_status take_model(const gpri_running *one, gpr_model **out) {
    const gpri_experiment *all = one->all;
    gpr_ctx *ctx = all->ctx;
    gpr_model *model = NULL;
    gpr_status status = GPR_OK;
    char seed[32]; /* training with the model's options gives this model again */
    TRY(gpri_model_take(ctx, &model, one->trainer->net, one->trainer->state.best, all->params, all->data->features.cols,
                        all->data->classes));
    TRY(gpri_strdup(ctx, &model->dataset, all->data->name));
    TRY(gpri_names_clone(ctx, &model->class_names, &all->data->class_names));
    TRY(gpri_names_clone(ctx, &model->feature_names, &all->data->feature_names));
    memcpy(model->made, all->data->made, sizeof model->made);
    memcpy(model->made_from, all->data->made_from, sizeof model->made_from);
    TRY(gpri_plan_clone(ctx, &model->plan, all->data->plan));
    memcpy(model->fingerprint, all->result->fingerprint, sizeof model->fingerprint);
    model->normalize = all->normalize;
    TRY(gpri_scaling_clone(ctx, &model->scaling, &all->scaling));
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)(all->seed + (uint64_t)all->result->runs[one->run].number));
    TRY(gpri_params_set_from(model->params, GPRI_FROM_FLAG, "seed", seed));
    TRY(gpri_params_set_from(model->params, GPRI_FROM_FLAG, "runs", "1"));
    const double temperature = all->result->runs[one->run].info.temperature;
    if (temperature > 0) model->temperature = temperature;
    model->smoothing = all->result->runs[one->run].smoothing.how;
    if (gpri_model_uses_labels(model))
        TRY(gpri_known_nodes_text(ctx, &model->known_nodes, one->given->part, one->given->nodes));
    model->split_hash = gpri_split_hash(all->result->runs[one->run].split);
    *out = model;
    model = NULL;
done:
    gpr_model_free(model);
    return status;
}

/* ---- saving ---- */

/* A state that cannot be saved must not end the training: hours of work may be at stake. */
static void warn_unsaved(const gpri_running *one, const char *why) {
    gpri_experiment *all = one->all;
    gpri_acquire(&all->lock); /* as for progress: the caller's log is not called by two threads at once */
    gpri_log(all->ctx, GPR_LOG_WARNING, "the state of run %lld could not be saved; the training goes on: %s",
             (long long)one->run, why);
    gpri_release(&all->lock);
}

/* Gives the caller the state of a run that has a model and, if it is not finished, a pause. */
static void hand_over(const gpri_running *one, const gpri_run *run) {
    gpri_experiment *all = one->all;
    gpr_result now = *all->result; /* borrows all that it has */
    char *bytes = NULL;
    int64_t size = 0;
    now.seconds = gpri_experiment_seconds(all);
    if (gpri_state_bytes(all->ctx, &bytes, &size, &now, run, 1) != GPR_OK) {
        warn_unsaved(one, gpr_last_error());
        return;
    }
    const gpr_save_info info = {.struct_size = sizeof info,
                                .run = run->number,
                                .runs = all->runs,
                                .epoch = run->info.epochs,
                                .finished = run->pause.numbers == NULL,
                                .bytes = bytes,
                                .size = (size_t)size};
    gpri_fail(GPR_OK, "the caller's function failed");
    gpri_acquire(&all->saving);
    int failed = 0;
    if (gpri_processes_posts(all)) gpri_processes_post(all, &info);
    else failed = all->options.save(all->options.user, &info);
    gpri_release(&all->saving);
    if (failed) warn_unsaved(one, gpr_last_error());
    gpri_free(all->ctx, bytes);
}

/* Whether states are kept, here or in process 0. */
static bool saves(const gpri_experiment *all) { return all->options.save || gpri_processes_posts(all); }

static bool is_due(gpri_running *one, const gpri_run *run) {
    gpri_experiment *all = one->all;
    gpri_processes_look(all);
    if (!saves(all)) return false;
    if (!all->options.save_due) return gpri_seconds_now() - one->last_save >= all->options.save_every;
    const gpr_progress progress =
        progress_of(one, run->info.epochs, run->info.best_epoch, &run->history[run->info.epochs]);
    gpri_acquire(&all->saving);
    const bool due = all->options.save_due(all->options.user, &progress) != 0;
    gpri_release(&all->saving);
    return due;
}

/* Between two steps. */
static gpr_status at_rest(void *arg) {
    gpri_running *one = arg;
    gpri_run now = one->all->result->runs[one->run]; /* borrows what it has so far */
    if (!is_due(one, &now)) return GPR_OK;
    gpr_status status = gpri_dataset_unchanged(one->all->ctx, one->all->data, false);
    if (status != GPR_OK) return status; /* what was learned since the last state may be wrong */
    if (take_model(one, &now.model) == GPR_OK && gpri_state_save(one->trainer, &now.pause) == GPR_OK &&
        gpri_trainer_gamma(one->trainer, &now.gamma_rows) == GPR_OK)
        hand_over(one, &now);
    else warn_unsaved(one, gpr_last_error());
    gpr_model_free(now.model);
    gpri_free(one->all->ctx, now.pause.numbers);
    gpri_free(one->all->ctx, now.gamma_rows);
    one->last_save = gpri_seconds_now();
    return GPR_OK;
}

static bool asks(const gpr_params *params, gpri_param id) { return strcmp(gpri_params_text(params, id), "yes") == 0; }

/* The temperature of a run whose best weights were the last to be looked at. smoothed: its scores, or NULL. Smoothing
   makes probabilities too even, as means are: by `auto` they are calibrated then. */
static gpr_status calibrate(const gpri_running *one, gpri_run *out, const gpri_real *smoothed) {
    gpri_calibration found;
    out->info.temperature = out->info.calibrated_loss = NAN;
    const bool asked = asks(one->all->params, GPRI_PARAM_CALIBRATE);
    if (!asked && (!smoothed || strcmp(gpri_params_text(one->all->params, GPRI_PARAM_CALIBRATE), "auto") != 0))
        return GPR_OK;
    gpr_status status = gpri_calibrate(&found, one->trainer, one->split, smoothed);
    if (status != GPR_OK) return status;
    out->uncalibrated = asked ? found.skipped : NULL;
    out->info.temperature = found.temperature;
    out->info.calibrated_loss = found.after;
    return GPR_OK;
}

gpr_status gpri_experiment_split(const gpri_experiment *all, gpr_split **own, const gpr_split **out,
                                 const gpr_split *split) {
    gpr_status status = GPR_OK;
    *own = NULL;
    if (all->rows) status = gpri_labelled_split(all->rows, own, split);
    else if (all->ordered) status = gpri_order_split(all->ctx, own, split, all->order);
    *out = *own ? *own : split;
    return status;
}

/* The trainer of a run on that split: of all nodes, or of the rows of `order` filter-first. one->split becomes that of
   the trainer; what it has of its own is freed with the run. */
static gpr_status new_trainer(gpri_running *one, const gpr_split *split, const gpr_params *params, int threads,
                              int64_t number) {
    const gpri_experiment *all = one->all;
    const gpri_labelled *rows = all->rows;
    gpr_status status = GPR_OK;
    one->given = split;
    TRY(gpri_experiment_split(all, &one->own_split, &one->split, split));
    TRY(gpri_trainer_new(all->ctx, &one->trainer, rows ? &rows->data : gpri_experiment_data(all),
                         rows ? &rows->features : &all->features, one->split, params, threads,
                         all->seed + (uint64_t)number));
    if (rows || all->ordered) {
        one->trainer->whole = all->data;
        one->trainer->nodes = rows ? rows->nodes : NULL;
        one->trainer->order = all->order;
    }
done:
    return status;
}

gpr_status gpri_running_begin(gpri_running *one, gpri_experiment *all, int64_t number, bool go_on) {
    gpri_run *out = &all->result->runs[number];
    gpr_status status = GPR_OK;
    *one = (gpri_running){.all = all,
                          .run = number,
                          .epochs_most = all->epochs,
                          .stage = "training",
                          .last_save = gpri_seconds_now(),
                          .hooks = {.after_step = after_step, .at_rest = at_rest, .arg = one}};
    TRY(new_trainer(one, out->split, all->params, all->threads_per_run, number));
    if (gpri_experiment_began(all, number)) TRY(gpri_saved_restore(&all->saved, one->trainer, out));
    TRY(gpri_epochs_begin(&one->epochs, one->trainer, out, all->params, go_on, &one->hooks));
done:
    return status;
}

gpr_status gpri_running_finish(gpri_running *one) {
    gpri_experiment *all = one->all;
    gpr_ctx *ctx = all->ctx;
    gpri_run *out = &all->result->runs[one->run];
    const bool was_finished = all->saved.runs && all->saved.runs[one->run].kind == GPRI_RUN_FINISHED;
    gpr_model *model = NULL;
    gpri_real *smoothed = NULL; /* (nodes x ld) */
    gpr_status status = GPR_OK;
    TRY(gpri_epochs_end(&one->epochs));
    if (!gpri_state_finished(one->trainer)) TRY(gpri_state_save(one->trainer, &out->pause));
    if (gpri_smooth_asked(all->params, all->data))
        TRY(gpri_smooth_choose(out, &smoothed, one->trainer, all->params, all->threads_per_run));
    TRY(calibrate(one, out, smoothed));
    TRY(take_model(one, &model));
    TRY(keep_gamma(ctx, out, one->trainer, model));
    TRY(gpri_trainer_gamma(one->trainer, &out->gamma_rows));
    TRY(gpri_run_keep_curves(ctx, out));
    out->model = model;
    model = NULL;
    gpri_net_keep_scores(one->trainer->net);
    const bool keeps = gpri_about_wants(all, out->model);
    gpri_outcome made = {NULL, NULL};
    TRY(gpri_run_judge(out, one->trainer, one->split, smoothed, keeps ? &made : NULL));
    gpri_about_take(all, one->run, &made);
    const bool finished = gpri_state_finished(one->trainer), tells = all->hook && finished;
    /* a wrong result must not be kept as a finished run */
    if ((saves(all) && !was_finished) || tells) TRY(gpri_dataset_unchanged(ctx, all->data, finished));
    if (saves(all) && !was_finished) hand_over(one, out);
    gpri_share_tell(one->trainer->net);
    if (tells) all->hook->finished(all->hook->arg, all->result, out);
done:
    gpri_free(ctx, smoothed);
    gpr_model_free(model);
    return status;
}

void gpri_running_end(gpri_running *one) {
    gpri_trainer_free(one->trainer);
    one->trainer = NULL;
    gpr_split_free(one->own_split);
    one->own_split = NULL;
}

/* ---- once more, on all labelled nodes ---- */

static gpr_status nothing_to_save(void *arg) {
    (void)arg;
    return GPR_OK;
}

/* All nodes of the split are for training. */
static gpr_status join_parts(gpri_experiment *all, gpr_split **out, const gpr_split *split, int64_t *count) {
    gpr_status status = GPR_OK;
    uint8_t *parts = NULL;
    *count = 0;
    TRY(gpri_alloc(all->ctx, &parts, split->nodes, sizeof *parts, "split"));
    for (int64_t i = 0; i < split->nodes; i++) {
        parts[i] = split->part[i] == GPR_UNUSED ? GPR_UNUSED : GPR_TRAIN;
        *count += parts[i] == GPR_TRAIN;
    }
    TRY(gpri_split_of_parts(all->ctx, out, all->data, parts, split->nodes, false));
done:
    gpri_free(all->ctx, parts);
    return status;
}

/* The options of the second training: so many epochs, and no choice among them. */
static gpr_status refit_options(gpri_experiment *all, gpr_params **out, int64_t epochs) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)epochs);
    gpr_status status = gpri_params_copy(all->ctx, out, all->params);
    if (status == GPR_OK) status = gpri_params_set_from(*out, GPRI_FROM_FLAG, "epochs", text);
    if (status == GPR_OK) status = gpri_params_set_from(*out, GPRI_FROM_FLAG, "stopping", "none");
    return status == GPR_OK ? gpri_params_set_from(*out, GPRI_FROM_FLAG, "metric", "loss") : status;
}

gpr_status gpri_experiment_refit(gpri_experiment *all, gpr_model **model) {
    gpr_ctx *ctx = all->ctx;
    const gpri_run *best = &all->result->runs[all->result->best];
    const int64_t epochs = best->info.best_epoch;
    gpri_running one = {.all = all, .run = best->number, .epochs_most = epochs, .stage = "refit"};
    const gpri_epoch_hooks hooks = {.after_step = after_step, .at_rest = nothing_to_save, .arg = &one};
    gpri_run run = {.number = best->number};
    gpr_params *params = NULL;
    gpr_split *split = NULL;
    gpr_model *made = NULL;
    gpri_outcome outcome = {NULL, NULL};
    int64_t nodes;
    gpr_status status = GPR_OK;
    TRY(refit_options(all, &params, epochs));
    TRY(join_parts(all, &split, best->split, &nodes));
    TRY(new_trainer(&one, split, params, ctx->threads, best->number));
    TRY(gpri_train_epochs(one.trainer, &run, params, true, &hooks));
    if (!gpri_state_finished(one.trainer)) goto done;
    one.run = all->result->best; /* where the result keeps the run now */
    TRY(take_model(&one, &made));
    if (gpri_about_wants(all, made)) {
        gpri_net_keep_scores(one.trainer->net);
        TRY(gpri_outcome_read(&outcome, one.trainer, made));
        gpri_about_refit(all, &outcome);
    }
    made->refit_epochs = all->result->refit_epochs = epochs;
    made->refit_nodes = all->result->refit_nodes = nodes;
    gpr_model_free(*model);
    *model = made;
    made = NULL;
done:
    if (status != GPR_OK) gpri_fail_prefix(status, "`refit`");
    gpr_model_free(made);
    gpri_outcome_free(ctx, &outcome);
    gpri_running_end(&one);
    gpri_run_free(ctx, &run);
    gpr_split_free(split);
    gpr_params_free(params);
    return status;
}
