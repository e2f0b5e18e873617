/* One run of a training: its epochs, its state from time to time, its model. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "model/model.h"
#include "train/epochs.h"
#include "train/experiment.h"
#include "train/smooth_choice.h"

typedef struct {
    gpri_experiment *all;
    int64_t run;
    gpri_trainer *trainer;
    double last_save; /* the time */
} one_run;

static gpr_progress progress_of(const one_run *one, int64_t epoch, int64_t best, const gpri_epoch *now) {
    return (gpr_progress){.struct_size = sizeof(gpr_progress),
                          .run = one->run,
                          .runs = one->all->runs,
                          .epoch = epoch,
                          .epochs = one->all->epochs,
                          .train_loss = now->train_loss,
                          .val_loss = now->val_loss,
                          .val_accuracy = now->val_accuracy,
                          .test_accuracy = now->test_accuracy,
                          .best_epoch = best,
                          .stage = "training"};
}

/* True: stop now. */
static bool after_step(void *arg, int64_t epoch, int64_t best, const gpri_epoch *now) {
    const one_run *one = arg;
    gpri_experiment *all = one->all;
    const gpr_progress progress = progress_of(one, epoch, best, now);
    gpri_acquire(&all->lock);
    if (!all->stop && all->ctx->progress && all->ctx->progress(all->ctx->user, &progress))
        all->stop = all->stopped = true;
    bool stop = all->stop;
    gpri_release(&all->lock);
    return stop;
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
static gpr_status take_model(const one_run *one, gpr_model **out) {
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
    memcpy(model->fingerprint, all->result->fingerprint, sizeof model->fingerprint);
    model->normalize = all->normalize;
    TRY(gpri_scaling_clone(ctx, &model->scaling, &all->scaling));
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)(all->seed + (uint64_t)one->run));
    TRY(gpri_params_set_from(model->params, GPRI_FROM_FLAG, "seed", seed));
    TRY(gpri_params_set_from(model->params, GPRI_FROM_FLAG, "runs", "1"));
    model->split_hash = gpri_split_hash(all->result->runs[one->run].split);
    *out = model;
    model = NULL;
done:
    gpr_model_free(model);
    return status;
}

/* ---- saving ---- */

/* A state that cannot be saved must not end the training: hours of work may be at stake. */
static void warn_unsaved(const one_run *one, const char *why) {
    gpri_experiment *all = one->all;
    gpri_acquire(&all->lock); /* as for progress: the caller's log is not called by two threads at once */
    gpri_log(all->ctx, GPR_LOG_WARNING, "the state of run %lld could not be saved; the training goes on: %s",
             (long long)one->run, why);
    gpri_release(&all->lock);
}

/* Gives the caller the state of a run that has a model and, if it is not finished, a pause. */
static void hand_over(const one_run *one, const gpri_run *run) {
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
    const int failed = all->options.save(all->options.user, &info);
    gpri_release(&all->saving);
    if (failed) warn_unsaved(one, gpr_last_error());
    gpri_free(all->ctx, bytes);
}

static bool is_due(one_run *one, const gpri_run *run) {
    gpri_experiment *all = one->all;
    if (!all->options.save) return false;
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
    one_run *one = arg;
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

gpr_status gpri_experiment_run(gpri_experiment *all, int64_t run, bool go_on) {
    gpr_ctx *ctx = all->ctx;
    gpri_run *out = &all->result->runs[run];
    one_run one = {.all = all, .run = run, .last_save = gpri_seconds_now()};
    const bool was_finished = all->saved.runs && all->saved.runs[run].kind == GPRI_RUN_FINISHED;
    gpr_model *model = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_trainer_new(ctx, &one.trainer, all->data, &all->features, out->split, all->params, all->threads_per_run,
                         all->seed + (uint64_t)run));
    if (gpri_experiment_began(all, run)) TRY(gpri_saved_restore(&all->saved, one.trainer, out));
    const gpri_epoch_hooks hooks = {.after_step = after_step, .at_rest = at_rest, .arg = &one};
    TRY(gpri_train_epochs(one.trainer, out, all->params, go_on, &hooks));
    if (!gpri_state_finished(one.trainer)) TRY(gpri_state_save(one.trainer, &out->pause));
    if (gpri_smooth_asked(all->params, all->data))
        TRY(gpri_smooth_choose(out, one.trainer, all->params, all->threads_per_run));
    TRY(take_model(&one, &model));
    TRY(gpri_model_set_smoothing(model, &out->smoothing.how, out->split->part, out->split->nodes));
    TRY(keep_gamma(ctx, out, one.trainer, model));
    TRY(gpri_trainer_gamma(one.trainer, &out->gamma_rows));
    TRY(gpri_run_keep_curves(ctx, out));
    out->model = model;
    model = NULL;
    const bool finished = gpri_state_finished(one.trainer), tells = all->hook && finished;
    /* a wrong result must not be kept as a finished run */
    if ((all->options.save && !was_finished) || tells) TRY(gpri_dataset_unchanged(ctx, all->data, finished));
    if (all->options.save && !was_finished) hand_over(&one, out);
    if (tells) all->hook->finished(all->hook->arg, all->result, out);
done:
    gpr_model_free(model);
    gpri_trainer_free(one.trainer);
    return status;
}
