/* One run of a training: its epochs, its state from time to time, its model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "layer/net.h"
#include "model/known.h"
#include "model/model.h"
#include "train/calibrate.h"
#include "train/epochs.h"
#include "train/experiment.h"
#include "train/processes/processes.h"
#include "train/smooth_choice.h"

static bool ends_early(const gpr_params *params) {
    return !gpri_params_is(params, GPRI_STOPPING_NONE) &&
           gpri_params_int(params, GPRI_PARAM_PATIENCE) < gpri_params_int(params, GPRI_PARAM_EPOCHS);
}

static gpr_progress progress_of(const gpri_running *one, int64_t epoch, int64_t best, const gpri_epoch *now) {
    const gpri_trial *trial = one->all->result->trial;
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
                          .stage = one->stage,
                          .candidate = trial ? trial->name : NULL,
                          .candidate_index = trial ? trial->number : 0,
                          .candidates = trial ? trial->count : 0,
                          .refits = one->all->refits && !one->refit,
                          .may_end_early = !one->refit && ends_early(one->all->params)};
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

double gpri_experiment_seconds(const gpri_experiment *all) { return all->before + gpri_seconds_now() - all->started; }

bool gpri_experiment_began(const gpri_experiment *all, int64_t run) {
    return all->saved.runs && all->saved.runs[run].kind != GPRI_RUN_WAITING;
}

/* What a prediction must know of the labels of the training. */
static gpr_status take_labels(const gpri_running *one, gpr_model *model) {
    gpri_experiment *all = one->all;
    const gpr_dataset *data = all->data;
    gpr_status status = GPR_OK;
    int64_t *sizes = NULL; /* (classes) */
    TRY(gpri_alloc(all->ctx, &sizes, data->classes, sizeof *sizes, "classes"));
    TRY(gpri_alloc(all->ctx, &model->class_nodes, data->classes, sizeof *model->class_nodes, "classes"));
    gpri_class_sizes(sizes, data->labels, data->graph.nodes, data->classes);
    for (int64_t c = 0; c < data->classes; c++) model->class_nodes[c] = (float)sizes[c];
    if (!gpri_model_uses_labels(model)) goto done;
    TRY(gpri_known_nodes_text(all->ctx, &model->known_nodes, one->given->part, one->given->nodes));
    gpri_acquire(&all->lock);
    if (!all->prepared->past) status = gpri_past_new(all->ctx, &all->prepared->past, data);
    model->past = gpri_past_share(all->prepared->past);
    gpri_release(&all->lock);
done:
    gpri_free(all->ctx, sizes);
    return status;
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
    model->normalize = all->prepared->normalize;
    TRY(gpri_scaling_clone(ctx, &model->scaling, &all->prepared->scaling));
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)(all->seed + (uint64_t)all->result->runs[one->run].number));
    TRY(gpri_params_set_from(model->params, GPRI_FROM_FLAG, "seed", seed));
    TRY(gpri_params_set_from(model->params, GPRI_FROM_FLAG, "runs", "1"));
    const double temperature = all->result->runs[one->run].info.temperature;
    if (temperature > 0) model->temperature = temperature;
    model->smoothing = all->result->runs[one->run].smoothing.how;
    TRY(take_labels(one, model));
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
                                .finished = run->pause.numbers == NULL && !all->result->trial,
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

/* Of a run that is not finished, between two steps. */
static gpr_status keep_state(gpri_running *one) {
    gpri_run now = one->all->result->runs[one->run]; /* borrows what it has so far */
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

static gpr_status at_rest(void *arg) {
    gpri_running *one = arg;
    return is_due(one, &one->all->result->runs[one->run]) ? keep_state(one) : GPR_OK;
}

/* The temperature of a run whose best weights were the last to be looked at. smoothed: its scores, or NULL. Smoothing
   makes probabilities too even, as means are: by `auto` they are calibrated then. */
static gpr_status calibrate(const gpri_running *one, gpri_run *out, const gpri_real *smoothed) {
    gpri_calibration found;
    out->info.temperature = out->info.calibrated_loss = NAN;
    const bool asked = gpri_params_is(one->all->params, GPRI_CALIBRATE_YES);
    if (!asked && (!smoothed || gpri_params_is(one->all->params, GPRI_CALIBRATE_NO))) return GPR_OK;
    gpr_status status = gpri_calibrate(&found, one->trainer, one->split, smoothed);
    if (status != GPR_OK) return status;
    out->uncalibrated = asked ? found.skipped : NULL;
    out->info.temperature = found.temperature;
    out->info.calibrated_loss = found.after;
    return GPR_OK;
}

/* The trainer of a run on that split: of all nodes, or of the rows of `order` filter-first. one->split becomes that of
   the trainer; what it has of its own is freed with the run. */
static gpr_status new_trainer(gpri_running *one, const gpr_split *split, const gpr_params *params, int threads,
                              int64_t number) {
    const gpri_experiment *all = one->all;
    const gpri_labelled *rows = all->prepared->rows;
    gpr_status status = GPR_OK;
    one->given = split;
    TRY(gpri_experiment_split(all, &one->own_split, &one->split, split));
    TRY(gpri_trainer_new(all->ctx, &one->trainer, rows ? &rows->data : gpri_prepared_data(all->prepared),
                         rows ? &rows->features : &all->prepared->features, one->split, params, threads,
                         all->seed + (uint64_t)number));
    if (rows || all->prepared->ordered) {
        one->trainer->whole = all->data;
        one->trainer->nodes = rows ? rows->nodes : NULL;
        one->trainer->order = all->prepared->order;
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
    /* the first run of a choice that was made has a state from before */
    const bool was_finished = all->saved.runs && all->saved.runs[one->run].kind == GPRI_RUN_FINISHED &&
                              (one->run > 0 || all->result->choice.count == 0);
    gpr_model *model = NULL;
    gpri_real *smoothed = NULL; /* (nodes x ld) */
    gpri_outcome made = {NULL, NULL};
    gpr_status status = GPR_OK;
    TRY(gpri_epochs_end(&one->epochs));
    const bool finished = gpri_state_finished(one->trainer);
    /* a stopped run: first, as whoever stopped it may not wait for what follows */
    if (!finished && saves(all)) TRY(keep_state(one));
    if (!finished) TRY(gpri_state_save(one->trainer, &out->pause));
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
    TRY(gpri_run_judge(out, one->trainer, one->split, smoothed, &made));
    gpri_outcome_keep(all, one->run, &made);
    const bool tells = all->hook && finished, ends = saves(all) && finished && !was_finished;
    /* a wrong result must not be kept as a finished run */
    if (ends || tells) TRY(gpri_dataset_unchanged(ctx, all->data, true));
    if (ends) hand_over(one, out);
    gpri_share_tell(one->trainer->net->walk.share);
    if (tells) all->hook->finished(all->hook->arg, all->result, out, &made);
done:
    gpri_outcome_free(ctx, &made);
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
    gpri_running one = {.all = all, .run = best->number, .epochs_most = epochs, .stage = "refit", .refit = true};
    const gpri_epoch_hooks hooks = {.after_step = after_step, .at_rest = nothing_to_save, .arg = &one};
    gpri_run run = {.number = best->number};
    gpr_params *params = NULL;
    gpr_split *split = NULL;
    gpr_model *made = NULL;
    int64_t nodes;
    gpr_status status = GPR_OK;
    TRY(refit_options(all, &params, epochs));
    TRY(join_parts(all, &split, best->split, &nodes));
    TRY(new_trainer(&one, split, params, ctx->threads, best->number));
    TRY(gpri_train_epochs(one.trainer, &run, params, true, &hooks));
    if (!gpri_state_finished(one.trainer)) goto done;
    one.run = all->result->best; /* where the result keeps the run now */
    TRY(take_model(&one, &made));
    TRY(gpri_outcome_refit(all, one.trainer, made));
    made->worth = (*model)->worth;
    made->refit_epochs = all->result->refit_epochs = epochs;
    made->refit_nodes = all->result->refit_nodes = nodes;
    gpr_model_free(*model);
    *model = made;
    made = NULL;
done:
    if (status != GPR_OK) gpri_fail_prefix(status, "`refit`");
    gpr_model_free(made);
    gpri_running_end(&one);
    gpri_run_free(ctx, &run);
    gpr_split_free(split);
    gpr_params_free(params);
    return status;
}
