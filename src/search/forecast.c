/* How long a search will take: a few epochs of some settings are timed, and thrown away. */
#include <math.h>

#include "base/clock.h"
#include "base/print.h"
#include "base/struct.h"
#include "dist/all.h"
#include "search/search.h"
#include "search/together.h"
#include "tensor/open/open_context.h"
#include "train/candidates/choose.h"

enum { PROBES = 3 /* settings of a model, that are timed */ };

typedef struct {
    const gpr_search *search;
    gpr_ctx *ctx; /* as a job of the search has one */
    gpr_study_progress_fn progress;
    void *user;
} forecasting;

static int after_epoch(void *user, const gpr_progress *of_run) {
    const forecasting *forecast = user;
    const gpr_study_progress progress = {.struct_size = sizeof progress,
                                         .dataset = forecast->search->data->name,
                                         .epoch = of_run->epoch,
                                         .epochs = of_run->epochs};
    return forecast->progress ? forecast->progress(forecast->user, &progress) : 0;
}

/* Seconds of a run of so many epochs; NaN where it fails, which the search will tell. */
static gpr_status time_run(const forecasting *forecast, const gpri_setting *setting, int64_t epochs, double *seconds) {
    gpr_status status = GPR_OK;
    gpr_params *params = NULL;
    gpr_model *model = NULL;
    gpr_result *result = NULL;
    char text[32];
    *seconds = NAN;
    TRY(gpri_params_copy(forecast->ctx, &params, setting->params));
    gpri_print(text, sizeof text, "%lld", (long long)epochs);
    TRY(gpri_params_set_from(params, GPRI_FROM_FLAG, "epochs", text));
    TRY(gpri_params_set_from(params, GPRI_FROM_FLAG, "runs", "1"));
    const double begun = gpri_seconds_now();
    status = gpri_train_watched(forecast->ctx, &model, &result, forecast->search->data, params, 0, NULL);
    if (status == GPR_OK) *seconds = gpri_seconds_now() - begun;
    if (status == GPR_STOPPED) status = GPR_ERROR_STOPPED;
    if (status != GPR_ERROR_STOPPED) status = GPR_OK;
done:
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_params_free(params);
    return status;
}

/* Seconds of a run, with the fewest epochs that its rule of stopping lets it have, and with the most. */
static gpr_status time_setting(const forecasting *forecast, const gpri_setting *setting, double *least, double *most) {
    const gpr_params *params = setting->params;
    const int64_t epochs = gpri_params_int(params, GPRI_PARAM_EPOCHS);
    const bool stops = !gpri_params_is(params, GPRI_STOPPING_NONE);
    const int64_t patience = gpri_params_int(params, GPRI_PARAM_PATIENCE);
    double one = NAN, more = NAN;
    gpr_status status = time_run(forecast, setting, 1, &one);
    if (status != GPR_OK) return status;
    int64_t some = one < 0.05 ? 20 : one < 0.5 ? 8 : 2;
    if (some > epochs) some = epochs;
    if (some > 1) status = time_run(forecast, setting, some, &more);
    else more = one;
    const double epoch = some > 1 ? fmax(0, (more - one) / (double)(some - 1)) : 0;
    *most = one + epoch * (double)(epochs - 1);
    *least = one + epoch * (double)((stops && patience < epochs ? patience : epochs) - 1);
    return status;
}

/* The means over some settings of a model, evenly spaced: a grid may have small and large ones. */
static gpr_status time_model(const forecasting *forecast, int model, double *least, double *most) {
    const gpr_search *search = forecast->search;
    int64_t count = 0, at = 0, next = 0, timed = 0;
    gpr_status status = GPR_OK;
    for (int64_t i = 0; i < search->count; i++) count += search->settings[i].model == model;
    *least = *most = 0;
    for (int64_t i = 0; i < search->count && status == GPR_OK; i++) {
        double low = 0, high = 0;
        if (search->settings[i].model != model || at++ != next) continue;
        next = count > PROBES ? at - 1 + (count - 1) / (PROBES - 1) : at;
        status = time_setting(forecast, &search->settings[i], &low, &high);
        *least += low;
        *most += high;
        timed++;
    }
    if (timed > 0) *least /= (double)timed;
    if (timed > 0) *most /= (double)timed;
    return status;
}

/* Runs of a model that the study has. */
static int64_t kept_of(const gpr_search *search, const gpr_study *study, int model) {
    const uint64_t seed = (uint64_t)gpri_params_int(search->params, GPRI_PARAM_SEED);
    int64_t kept = 0;
    for (int64_t i = 0; i < search->count; i++)
        for (int64_t run = 0; search->settings[i].model == model && run < search->runs; run++)
            kept += gpri_kept_file_find(&study->kept, search->settings[i].key, seed + (uint64_t)run, 0) != NULL;
    return kept;
}

static gpr_status open_job(forecasting *forecast, int jobs) {
    return gpri_ctx_for_job(&forecast->ctx, forecast->search->ctx, jobs, after_epoch, forecast);
}

gpr_status gpr_search_forecast(gpr_search *search, const gpr_study *study, int jobs, gpr_study_progress_fn progress,
                               void *user, gpr_forecast_info *out) {
    gpr_status status = GPRI_STRUCT_CHECK(out, gpr_forecast_info, "gpr_search_forecast", "out");
    forecasting forecast = {.search = search, .progress = progress, .user = user};
    gpr_forecast_info info = {.struct_size = sizeof info};
    if (status != GPR_OK) return gpri_finish(status);
    if (!search || !study) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_search_forecast: a NULL argument");
    if (jobs < 0 || jobs > GPRI_MAX_THREADS)
        return gpri_fail(GPR_ERROR_ARGUMENT, "jobs is %d: it must be in [0, %d]", jobs, GPRI_MAX_THREADS);
    if (jobs == 0) jobs = search->ctx->threads;
    info.settings = search->count;
    info.models = search->model_count;
    info.at_once = jobs * gpri_process_count(study->ctx);
    TRY(open_job(&forecast, jobs));
    for (int m = 0; m < search->model_count; m++) {
        const int64_t runs = gpri_search_planned(search, m), found = kept_of(search, study, m);
        const int64_t kept = found < runs ? found : runs;
        double least = 0, most = 0;
        info.runs += runs;
        info.kept += kept;
        if (kept < runs) TRY(time_model(&forecast, m, &least, &most));
        info.least_seconds += least * (double)(runs - kept) / (double)info.at_once;
        info.most_seconds += most * (double)(runs - kept) / (double)info.at_once;
    }
    if (info.runs - info.kept < info.at_once) info.at_once = info.runs - info.kept;
    gpri_struct_out(out, &info, sizeof info);
done:
    gpr_ctx_free(forecast.ctx);
    return gpri_finish(status);
}
