/* gpr_train, gpr_train_splits, gpr_train_resume: one or many runs, each with its own split and initial weights. Runs are
 * independent: several runs use one core each, a single run uses all. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "data/feature_matrix.h"
#include "io/split.h"
#include "model/model.h"
#include "tensor/prepare.h"
#include "train/epochs.h"
#include "train/saved.h"

/* What all runs share. */
typedef struct {
    gpr_ctx *ctx;
    const gpr_dataset *data;
    const gpr_params *params;      /* after prepare: those of the result */
    const gpr_split *const *given; /* (runs) the caller's splits; NULL: drawn by the option */
    gpri_saved saved;              /* the stopped training that goes on; no runs: a new one */
    gpri_features features;
    bool normalize;       /* rows */
    gpri_scaling scaling; /* columns */
    gpri_feature_matrix scaled; /* the scaled features */
    uint64_t seed;
    int64_t runs, epochs;
    int threads_per_run;
    gpr_result *result;
    gpr_status *statuses;
    char (*messages)[512]; /* of failed runs: each thread has its own last error */
    gpri_lock lock;
    bool stop; /* asked for by the progress callback, or by a failed run; guarded by lock */
    bool stopped;
} experiment;

typedef struct {
    experiment *all;
    int64_t run;
} one_run;

/* After every step. True: stop now. */
static bool report_progress(void *arg, int64_t epoch, int64_t best, const gpri_epoch *now) {
    const one_run *one = arg;
    experiment *all = one->all;
    gpr_progress progress = {.struct_size = sizeof progress,
                             .run = one->run,
                             .runs = all->runs,
                             .epoch = epoch,
                             .epochs = all->epochs,
                             .train_loss = now->train_loss,
                             .val_loss = now->val_loss,
                             .val_accuracy = now->val_accuracy,
                             .test_accuracy = now->test_accuracy,
                             .best_epoch = best,
                             .stage = "training"};
    gpri_acquire(&all->lock);
    if (!all->stop && all->ctx->progress && all->ctx->progress(all->ctx->user, &progress))
        all->stop = all->stopped = true;
    bool stop = all->stop;
    gpri_release(&all->lock);
    return stop;
}

/* FNV-1a. */
static uint64_t hash_split(const gpr_split *split) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (int64_t i = 0; i < split->nodes; i++) hash = (hash ^ split->part[i]) * 0x100000001b3u;
    return hash;
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

/* Whether the run began in the training that goes on now. */
static bool began(const experiment *all, int64_t run) {
    return all->saved.runs && all->saved.runs[run].kind != GPRI_RUN_WAITING;
}

/* go_on: false for a run that began before and only keeps its place. */
static gpr_status do_run(experiment *all, int64_t run, bool go_on) {
    gpr_ctx *ctx = all->ctx;
    gpri_run *out = &all->result->runs[run];
    gpri_trainer *trainer = NULL;
    gpr_model *model = NULL;
    one_run one = {all, run};
    gpr_status status = GPR_OK;
    TRY(gpri_trainer_new(ctx, &trainer, all->data, &all->features, out->split, all->params, all->threads_per_run,
                         all->seed + (uint64_t)run));
    if (began(all, run)) TRY(gpri_saved_restore(&all->saved, trainer, out));
    TRY(gpri_train_epochs(trainer, out, all->params, go_on, report_progress, &one));
    if (!gpri_state_finished(trainer)) TRY(gpri_state_save(trainer, &out->pause));
    TRY(gpri_model_take(ctx, &model, trainer->net, trainer->state.best, all->params, all->data->features.cols,
                        all->data->classes));
    TRY(gpri_strdup(ctx, &model->dataset, all->data->name));
    TRY(gpri_names_clone(ctx, &model->class_names, &all->data->class_names));
    TRY(gpri_names_clone(ctx, &model->feature_names, &all->data->feature_names));
    memcpy(model->fingerprint, all->result->fingerprint, sizeof model->fingerprint);
    model->normalize = all->normalize;
    TRY(gpri_scaling_clone(ctx, &model->scaling, &all->scaling));
    char seed[32]; /* training with the model's options gives this model again */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)(all->seed + (uint64_t)run));
    TRY(gpri_params_set_from(model->params, GPRI_FROM_FLAG, "seed", seed));
    TRY(gpri_params_set_from(model->params, GPRI_FROM_FLAG, "runs", "1"));
    model->split_hash = hash_split(out->split);
    TRY(keep_gamma(ctx, out, trainer, model));
    TRY(gpri_run_keep_curves(ctx, out));
    out->model = model;
    model = NULL;
done:
    gpr_model_free(model);
    gpri_trainer_free(trainer);
    return status;
}

static void run_chunk(void *arg, int64_t run, int slot) {
    (void)slot;
    experiment *all = arg;
    gpri_acquire(&all->lock);
    bool stop = all->stop, skip = stop && !(all->stopped && began(all, run));
    gpri_release(&all->lock);
    if (skip) return;
    gpr_status status = do_run(all, run, !stop);
    all->statuses[run] = status;
    if (status == GPR_OK) return;
    snprintf(all->messages[run], sizeof all->messages[run], "%s", gpr_last_error());
    gpri_acquire(&all->lock);
    all->stop = true;
    gpri_release(&all->lock);
}

/* Built again from its parts: it may come from other data, with other labels. */
static gpr_status copy_split(experiment *all, gpr_split **out, int64_t run) {
    const gpr_split *given = all->given[run];
    if (!given) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train_splits: splits[%lld] is NULL", (long long)run);
    gpr_status status = gpri_split_of_parts(all->ctx, out, all->data, given->part, given->nodes, run == 0);
    return status < 0 && all->runs > 1 ? gpri_fail_prefix(status, "run %lld", (long long)run) : status;
}

/* Sets the options `runs` and `split` of a training on given splits. */
static gpr_status note_splits(gpr_params *params, int64_t runs) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)runs);
    gpr_status status = gpri_params_set_from(params, GPRI_FROM_FLAG, "runs", text);
    return status == GPR_OK ? gpri_params_set_from(params, GPRI_FROM_FLAG, "split", "given") : status;
}

/* Splits are drawn before the runs begin, with warnings for the first one only. */
static gpr_status draw_splits(experiment *all) {
    gpr_ctx *ctx = all->ctx;
    const char *spec = gpri_params_text(all->params, GPRI_PARAM_SPLIT);
    gpr_status status = GPR_OK;
    for (int64_t run = 0; run < all->runs; run++) {
        gpr_split **split = &all->result->runs[run].split;
        all->result->runs[run].number = run;
        if (all->saved.runs) TRY(gpri_saved_split(&all->saved, split, all->data, run));
        else if (all->given) TRY(copy_split(all, split, run));
        else TRY(gpri_split_make(ctx, split, all->data, spec, all->seed, run, run == 0));
    }
done:
    return status;
}

/* Divides rows by their sums, standardises columns, or does neither. */
static gpr_status prepare_features(experiment *all) {
    gpr_status status = GPR_OK;
    const char *rule = gpri_params_text(all->params, GPRI_PARAM_NORMALIZE);
    const gpri_feature_matrix *table = &all->data->features;
    if (strcmp(rule, "column") == 0 || (strcmp(rule, "auto") == 0 && all->data->mixed_columns)) {
        gpri_log(all->ctx, GPR_LOG_INFO, "features: columns scaled to mean 0 and standard deviation 1");
        TRY(gpri_scaling_measure(all->ctx, &all->scaling, table));
        TRY(gpri_scaling_apply(all->ctx, &all->scaled, table, &all->scaling));
        table = &all->scaled;
    } else {
        all->normalize = gpri_features_normalized_by(table, rule);
        gpri_log(all->ctx, GPR_LOG_INFO, "features: rows %s",
                 all->normalize ? "divided by their sums" : "left as they are");
    }
    TRY(gpri_features_prepare(all->ctx, &all->features, table, all->normalize, true));
done:
    return status;
}

static gpr_status prepare(experiment *all) {
    gpr_ctx *ctx = all->ctx;
    const gpr_dataset *data = all->data;
    gpr_status status = GPR_OK;
    gpr_result *result;
    int64_t labelled = 0;
    TRY(gpri_dataset_ready(ctx, data));
    for (int64_t i = 0; i < data->graph.nodes; i++) labelled += data->labels[i] >= 0;
    if (labelled == 0)
        THROW(GPR_ERROR_ARGUMENT,
              "%s has no labelled node: there is nothing to train on; give `label` with the column of `nodes`, or "
              "`labels`",
              data->name);
    if (data->classes < 2)
        THROW(GPR_ERROR_ARGUMENT, "%s has only one class: there is nothing to tell apart", data->name);
    TRY(gpri_model_fits(ctx, all->params, data, all->runs < ctx->threads ? all->runs : ctx->threads, all->runs));
    TRY(gpri_dataset_warn(ctx, data));
    TRY(gpri_calloc(ctx, &all->result, 1, sizeof *all->result, "result"));
    result = all->result;
    result->ctx = ctx;
    result->lock = (gpri_lock)GPRI_LOCK_READY;
    TRY(gpri_params_copy(ctx, &result->params, all->params));
    result->given = all->given || all->saved.given;
    if (result->given) TRY(note_splits(result->params, all->runs));
    all->params = result->params;
    TRY(gpri_strdup(ctx, &result->dataset, data->name));
    gpri_fingerprint(result->fingerprint, data);
    if (all->saved.runs) TRY(gpri_saved_match(&all->saved, data, result->fingerprint));
    TRY(gpri_names_clone(ctx, &result->class_names, &data->class_names));
    TRY(gpri_calloc(ctx, &result->runs, all->runs, sizeof *result->runs, "runs"));
    result->count = result->all = all->runs;
    result->threads = ctx->threads;
    TRY(gpri_calloc(ctx, &all->statuses, all->runs, sizeof *all->statuses, "runs"));
    TRY(gpri_calloc(ctx, &all->messages, all->runs, sizeof *all->messages, "runs"));
    TRY(draw_splits(all));
    TRY(prepare_features(all));
    if (all->saved.runs) TRY(gpri_saved_match_features(&all->saved, all->normalize, &all->scaling));
    TRY(gpri_model_prepare(ctx, &all->features, all->params, &data->graph));
    result->relates = all->features.relations != NULL;
    if (result->relates) result->found = all->features.relations->found;
done:
    return status;
}

/* By validation loss; NaN (a run without validation nodes) is worse than any number. */
static bool better(const gpr_run_info *a, const gpr_run_info *b) {
    return a->val_loss < b->val_loss || (isnan(b->val_loss) && !isnan(a->val_loss));
}

/* Moves runs that never began (after a stop) behind the others, finds the best, copies its model; the result keeps all
   models. */
static gpr_status gather(experiment *all, gpr_model **model) {
    gpr_result *result = all->result;
    int64_t kept = 0;
    for (int64_t run = 0; run < all->runs; run++)
        if (all->statuses[run] != GPR_OK) {
            gpri_fail(all->statuses[run], "%s", all->messages[run]);
            return all->runs > 1 ? gpri_fail_prefix(all->statuses[run], "run %lld", (long long)run)
                                 : all->statuses[run];
        }
    for (int64_t run = 0; run < all->runs; run++) {
        if (!result->runs[run].model) continue;
        const gpri_run waiting = result->runs[kept];
        result->runs[kept] = result->runs[run];
        if (kept != run) result->runs[run] = waiting;
        if (kept > 0 && better(&result->runs[kept].info, &result->runs[result->best].info)) result->best = kept;
        kept++;
    }
    result->count = kept;
    return gpri_model_clone(all->ctx, model, result->runs[result->best].model);
}

/* What is trained beside data and options: at most one of the two. */
typedef struct {
    const gpr_split *const *splits; /* (runs) the caller's */
    int64_t runs;
    const void *state; /* (size) of a stopped training */
    size_t size;
} origin;

static gpr_status train(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                        const gpr_params *params, origin from) {
    gpr_status status = GPR_OK;
    if (data->features.cols == 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s has no features: a model learns from them; give `features`",
                         data->name);
    status = from.splits ? gpri_params_check_model(params) : gpr_params_check(params); /* `split` plays no part then */
    if (status != GPR_OK) return gpri_finish(status);
    double started = gpri_seconds_now();
    experiment all = {.ctx = ctx,
                      .data = data,
                      .params = params,
                      .seed = (uint64_t)gpri_params_int(params, GPRI_PARAM_SEED),
                      .runs = from.runs,
                      .given = from.splits,
                      .epochs = gpri_params_int(params, GPRI_PARAM_EPOCHS),
                      .lock = GPRI_LOCK_READY};
    if (from.state) {
        TRY(gpri_saved_open(ctx, &all.saved, from.state, from.size, params));
        all.runs = all.saved.count;
    }
    all.threads_per_run = all.runs > 1 ? 1 : ctx->threads;
    TRY(prepare(&all));
    gpri_parallel(ctx, all.runs > 1 ? ctx->threads : 1, all.runs, run_chunk, &all);
    TRY(gpri_dataset_unchanged(ctx, data, true)); /* what a run failed from, too */
    TRY(gather(&all, model));
    all.result->seconds = all.saved.seconds + gpri_seconds_now() - started;
    all.result->stopped = all.stopped;
    *result = all.result;
    all.result = NULL;
    if (all.stopped) status = gpri_fail(GPR_STOPPED, "stopped by the caller");
done:
    gpri_features_free(ctx, &all.features);
    gpri_scaling_free(ctx, &all.scaling);
    gpri_feature_matrix_free(ctx, &all.scaled);
    gpri_free(ctx, all.statuses);
    gpri_free(ctx, all.messages);
    gpri_saved_close(&all.saved);
    gpr_result_free(all.result);
    return gpri_finish(status);
}

gpr_status gpr_train(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                     const gpr_params *params) {
    if (model) *model = NULL;
    if (result) *result = NULL;
    if (!ctx || !model || !result || !data || !params)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train: a NULL argument");
    return gpri_finish(
        train(ctx, model, result, data, params, (origin){.runs = gpri_params_int(params, GPRI_PARAM_RUNS)}));
}

gpr_status gpr_train_splits(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                            const gpr_params *params, const gpr_split *const *splits, int64_t count) {
    if (model) *model = NULL;
    if (result) *result = NULL;
    if (!ctx || !model || !result || !data || !params || !splits)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train_splits: a NULL argument");
    if (count < 1)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train_splits: %lld splits: there must be at least one",
                         (long long)count);
    return gpri_finish(train(ctx, model, result, data, params, (origin){.splits = splits, .runs = count}));
}

gpr_status gpr_train_resume(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                            const gpr_params *params, const void *state, size_t size) {
    if (model) *model = NULL;
    if (result) *result = NULL;
    if (!ctx || !model || !result || !data || !params || !state)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train_resume: a NULL argument");
    return gpri_finish(train(ctx, model, result, data, params, (origin){.state = state, .size = size}));
}
