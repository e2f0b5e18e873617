/* The result of a training: its memory, and the public functions that read it. */
#include "train/result.h"

#include <math.h>
#include <string.h>

#include "base/struct.h"
#include "train/gamma_history.h"

void gpri_run_free(gpr_ctx *ctx, gpri_run *run) {
    gpri_free_all(ctx, run->history, run->gamma, run->gamma_initial, run->initial, run->gamma_rows, run->curves,
                  run->pause.numbers, run->stack, run->warning);
    for (int p = 0; p < 4; p++) gpr_metrics_free(run->metrics[p]);
    for (int b = 0; b < GPRI_BASELINES; b++) gpr_metrics_free(run->baselines[b]);
    gpr_split_free(run->split);
    gpr_model_free(run->model);
    *run = (gpri_run){.history = NULL};
}

void gpri_gathered_free(gpr_ctx *ctx, gpri_gathered *gathered) {
    if (!gathered) return;
    gpri_free_all(ctx, gathered->kinds, gathered->column, gathered->weight, gathered);
}

bool gpri_run_better(const gpr_run_info *a, const gpr_run_info *b, gpri_measure metric) {
    const gpri_epoch x = {.val_loss = a->val_loss, .val_metric = a->val_metric};
    const gpri_epoch y = {.val_loss = b->val_loss, .val_metric = b->val_metric};
    return gpri_epoch_better(&x, &y, metric) || (isnan(b->val_loss) && !isnan(a->val_loss));
}

void gpri_result_warn(const gpr_result *result) {
    for (int64_t i = 0; i < result->count; i++) {
        const gpri_run *run = &result->runs[i];
        if (run->warning) gpri_log(result->ctx, GPR_LOG_WARNING, "run %lld: %s", (long long)run->number, run->warning);
        if (run->uncalibrated)
            gpri_log(result->ctx, GPR_LOG_WARNING, "run %lld: `calibrate` did nothing: %s", (long long)run->number,
                     run->uncalibrated);
    }
}

void gpri_result_forget_texts(gpr_result *result) {
    gpri_free(result->ctx, result->json);
    result->json = NULL;
    for (int64_t i = 0; i < result->caution_count; i++) gpri_free(result->ctx, result->cautions[i]);
    gpri_free(result->ctx, result->cautions);
    result->cautions = NULL;
    result->caution_count = 0;
}

void gpri_importance_forget(gpr_ctx *ctx, gpri_kept_importance *kept) {
    for (int64_t i = 0; kept->columns && i < kept->info.tried; i++)
        gpri_free(ctx, (char *)(uintptr_t)kept->columns[i].name);
    gpri_free(ctx, kept->columns);
    *kept = (gpri_kept_importance){.columns = NULL};
}

void gpr_result_free(gpr_result *result) {
    if (!result) return;
    gpri_importance_forget(result->ctx, &result->importance);
    gpr_ctx *ctx = result->ctx;
    for (int64_t i = 0; result->runs && i < result->all; i++) gpri_run_free(ctx, &result->runs[i]);
    gpri_free(ctx, result->runs);
    gpr_params_free(result->params);
    gpri_free(ctx, result->dataset);
    gpri_names_free(ctx, &result->class_names);
    gpri_plan_free(result->plan);
    gpri_free_all(ctx, result->failures, result->state);
    gpri_gathered_free(ctx, result->gathered);
    gpri_outcome_free(ctx, &result->outcome);
    gpri_result_forget_texts(result);
    gpri_free(ctx, result);
}

/* The lines of gpri_run.curves. */
static const char *const curve_names[] = {"train_loss",   "val_loss",      "test_loss", "train_accuracy",
                                          "val_accuracy", "test_accuracy", "val_metric"};
enum { CURVES = sizeof curve_names / sizeof *curve_names };

gpr_status gpri_run_keep_curves(gpr_ctx *ctx, gpri_run *run) {
    const int64_t count = run->info.epochs + 1;
    gpr_status status = gpri_alloc(ctx, &run->curves, CURVES * count, sizeof *run->curves, "history");
    for (int64_t t = 0; status == GPR_OK && t < count; t++) {
        const gpri_epoch *at = &run->history[t];
        const double row[CURVES] = {at->train_loss,   at->val_loss,      at->test_loss, at->train_accuracy,
                                    at->val_accuracy, at->test_accuracy, at->val_metric};
        for (int i = 0; i < CURVES; i++) run->curves[i * count + t] = row[i];
    }
    return status;
}

static gpr_status check_run(const gpr_result *result, int64_t run, const char *call) {
    if (!result) return gpri_fail(GPR_ERROR_ARGUMENT, "%s: result is NULL", call);
    return gpri_check_index(call, "run", run, result->count);
}

gpr_status gpr_result_history(const gpr_result *result, int64_t run, const char *what, const double **values,
                              int64_t *count) {
    if (values) *values = NULL;
    if (count) *count = 0;
    if (!what || !values) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_history: a NULL argument");
    gpr_status status = check_run(result, run, "gpr_result_history");
    if (status != GPR_OK) return gpri_finish(status);
    const gpri_run *found = &result->runs[run];
    for (int i = 0; i < CURVES; i++)
        if (strcmp(curve_names[i], what) == 0) {
            *values = found->curves + i * (found->info.epochs + 1);
            if (count) *count = found->info.epochs + 1;
            return gpri_finish(GPR_OK);
        }
    const char *near = gpr_nearest_word(what, curve_names, CURVES);
    return gpri_fail(GPR_ERROR_ARGUMENT, "a history has no '%s': did you mean '%s'?", what, near ? near : "val_loss");
}

gpr_status gpr_result_gamma_history(const gpr_result *result, int64_t run, const float **values, int64_t *rows,
                                    int64_t *count, int64_t *stride) {
    if (values) *values = NULL;
    if (rows) *rows = 0;
    if (count) *count = 0;
    if (stride) *stride = 0;
    if (!values || !rows) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_gamma_history: a NULL argument");
    gpr_status status = check_run(result, run, "gpr_result_gamma_history");
    if (status != GPR_OK) return gpri_finish(status);
    const gpri_run *found = &result->runs[run];
    if (!found->gamma_rows) return gpri_finish(GPR_OK);
    const gpri_gamma_plan plan = gpri_gamma_plan_of(result->params);
    *values = found->gamma_rows;
    *rows = gpri_gamma_rows(plan, found->info.epochs);
    if (count) *count = plan.count;
    if (stride) *stride = plan.stride;
    return gpri_finish(GPR_OK);
}

const gpr_model *gpr_result_model(const gpr_result *result, int64_t run) {
    return result && run >= 0 && run < result->count ? result->runs[run].model : NULL;
}

const char *gpr_result_choice(const gpr_result *result) {
    return result && result->choice.count > 0 ? result->choice.text : NULL;
}

double gpr_result_seconds(const gpr_result *result) { return result ? result->seconds : NAN; }

gpr_status gpr_result_embedding(const gpr_result *result, gpr_embedding_info *out) {
    if (!result) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_embedding: result is NULL");
    gpr_embedding_info info = {.struct_size = sizeof info};
    if (result->relates)
        info = (gpr_embedding_info){sizeof info,
                                    gpri_params_text(result->params, GPRI_PARAM_EMBEDDING),
                                    result->found.seconds,
                                    result->found.radius,
                                    result->found.latent_mean,
                                    result->found.graph_mean};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_embedding_info, "gpr_result_embedding", &info));
}

int64_t gpr_result_failures(const gpr_result *result) { return result ? result->failed : 0; }

gpr_status gpr_result_failure(const gpr_result *result, int64_t index, gpr_failure_info *out) {
    if (!result || index < 0 || index >= result->failed)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_failure: result is NULL, or has no failure %lld",
                         (long long)index);
    const gpri_failure *failure = &result->failures[index];
    const gpr_failure_info info = {sizeof info, failure->run, failure->seed, failure->message};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_failure_info, "gpr_result_failure", &info));
}

int64_t gpr_result_refit_nodes(const gpr_result *result) { return result ? result->refit_nodes : 0; }

gpr_status gpr_result_smoothing(const gpr_result *result, int64_t run, gpr_smoothing_info *out) {
    NEED(check_run(result, run, "gpr_result_smoothing"));
    const gpri_smoothing_outcome *found = &result->runs[run].smoothing;
    const gpr_smoothing_info info = {sizeof info,
                                     found->asked,
                                     (double)found->how.correct,
                                     (double)found->how.scale,
                                     (double)found->how.smooth,
                                     found->goal,
                                     found->before,
                                     found->after,
                                     found->val_loss,
                                     found->val_accuracy,
                                     found->test_accuracy,
                                     found->how.relation};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_smoothing_info, "gpr_result_smoothing", &info));
}

int64_t gpr_result_runs(const gpr_result *result) { return result ? result->count : 0; }
int64_t gpr_result_best_run(const gpr_result *result) { return result ? result->best : 0; }

gpr_status gpr_result_run(const gpr_result *result, int64_t run, gpr_run_info *out) {
    NEED(check_run(result, run, "gpr_result_run"));
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_run_info, "gpr_result_run", &result->runs[run].info));
}

const gpr_split *gpr_result_split(const gpr_result *result) {
    return result && result->count ? result->runs[result->best].split : NULL;
}

const gpr_metrics *gpr_result_metrics(const gpr_result *result, int64_t run, gpr_part part) {
    if (!result || run < 0 || run >= result->count || part < GPR_TRAIN || part > GPR_TEST) return NULL;
    return result->runs[run].metrics[part];
}
