#include "train/result.h"

void gpri_run_free(gpr_ctx *ctx, gpri_run *run) {
    gpri_free(ctx, run->history);
    gpri_free(ctx, run->gamma);
    gpri_free(ctx, run->gamma_initial);
    gpr_split_free(run->split);
    *run = (gpri_run){.history = NULL};
}

void gpr_result_free(gpr_result *result) {
    if (!result) return;
    gpr_ctx *ctx = result->ctx;
    for (int64_t i = 0; result->runs && i < result->count; i++) gpri_run_free(ctx, &result->runs[i]);
    gpri_free(ctx, result->runs);
    gpr_params_free(result->params);
    gpri_free(ctx, result->dataset);
    gpri_names_free(ctx, &result->class_names);
    gpri_free(ctx, result->json);
    gpri_free(ctx, result);
}

int64_t gpr_result_runs(const gpr_result *result) { return result ? result->count : 0; }
int64_t gpr_result_best_run(const gpr_result *result) { return result ? result->best : 0; }

gpr_status gpr_result_run(const gpr_result *result, int64_t run, gpr_run_info *out) {
    if (!result || !out || out->struct_size != sizeof *out)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_run: set out->struct_size to sizeof(gpr_run_info)");
    if (run < 0 || run >= result->count)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_run: run %lld is not in [0, %lld)", (long long)run,
                         (long long)result->count);
    *out = result->runs[run].info;
    return gpri_finish(GPR_OK);
}

const gpr_split *gpr_result_split(const gpr_result *result) {
    return result && result->count ? result->runs[result->best].split : NULL;
}
