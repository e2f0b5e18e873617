/* The handle of an inspection, and its numbers by name. */
#include "spectral/inspection.h"

#include <math.h>
#include <string.h>

#include "base/struct.h"

static const char *const series_names[GPRI_SERIES] = {
    [GPRI_SERIES_GAMMA] = "gamma",           [GPRI_SERIES_GAMMA_MEAN] = "gamma_mean",
    [GPRI_SERIES_GAMMA_CI95] = "gamma_ci95", [GPRI_SERIES_LAMBDA] = "lambda",
    [GPRI_SERIES_RESPONSE] = "response",     [GPRI_SERIES_EIGENVALUES] = "eigenvalues",
    [GPRI_SERIES_DENSITY] = "density",       [GPRI_SERIES_NORM] = "norm",
    [GPRI_SERIES_DISTANCE] = "distance",     [GPRI_SERIES_CONTRIBUTION] = "contribution",
    [GPRI_SERIES_GRADIENT] = "gradient",
};

gpr_status gpri_series_new(gpr_inspection *inspection, double **out, gpri_series_id id, int64_t count) {
    gpri_series *series = &inspection->series[id];
    gpr_status status = gpri_alloc(inspection->ctx, &series->values, count, sizeof(double), series->name);
    if (status == GPR_OK) series->count = count;
    *out = series->values;
    return status;
}

gpr_status gpri_inspection_start(gpr_ctx *ctx, gpr_inspection **out, const gpr_model *model) {
    NEED(gpri_calloc(ctx, out, 1, sizeof **out, "inspection"));
    gpr_inspection *made = *out;
    made->ctx = ctx;
    made->lock = (gpri_lock)GPRI_LOCK_READY;
    for (int i = 0; i < GPRI_SERIES; i++) made->series[i].name = series_names[i];
    made->info = (gpr_inspection_info){.struct_size = sizeof made->info,
                                       .runs = 1,
                                       .training_data = -1,
                                       .top_class = -1,
                                       .damped = NAN,
                                       .second_eigenvalue = NAN,
                                       .smallest_eigenvalue = NAN,
                                       .top_share = NAN,
                                       .smooth_share = NAN,
                                       .loss = NAN};
    NEED(gpri_strdup(ctx, &made->model, gpr_model_name(model)));
    made->info.model = made->model;
    made->info.learned = gpr_model_param(model, "init") != NULL;
    return GPR_OK;
}

void gpr_inspection_free(gpr_inspection *inspection) {
    if (!inspection) return;
    gpr_ctx *ctx = inspection->ctx;
    for (int i = 0; i < GPRI_SERIES; i++) gpri_free(ctx, inspection->series[i].values);
    for (int64_t i = 0; inspection->filters && i < inspection->info.filters; i++)
        gpri_free(ctx, inspection->filters[i].numbers);
    gpri_free_all(ctx, inspection->filters, inspection->columns, inspection->theta, inspection->basis);
    gpri_free_all(ctx, inspection->model, inspection->dataset, inspection->json, inspection);
}

gpr_status gpri_inspect_runs(gpr_inspection *out, const double *gammas, int64_t runs, const double *mean,
                             const double *ci95) {
    gpr_status status = GPR_OK;
    const int64_t count = out->series[GPRI_SERIES_GAMMA].count;
    const gpri_series *values = &out->series[GPRI_SERIES_EIGENVALUES];
    const bool ends = out->plain && !isnan(out->info.second_eigenvalue);
    double *kept, *theta = NULL, ignored;
    TRY(gpri_alloc(out->ctx, &theta, count, sizeof *theta, "gamma"));
    TRY(gpri_series_new(out, &kept, GPRI_SERIES_GAMMA_MEAN, count));
    memcpy(kept, mean, (size_t)count * sizeof *kept);
    TRY(gpri_series_new(out, &kept, GPRI_SERIES_GAMMA_CI95, count));
    memcpy(kept, ci95, (size_t)count * sizeof *kept);
    out->info.runs = runs;
    for (int64_t r = 0; r < runs; r++) { /* each judged as the model was */
        const gpri_curve g = gpri_inspection_curve(out, theta, gammas + r * count);
        const gpr_filter_kind kind = values->values && out->plain
                                         ? gpri_filter_kind_of(&g, values->values + out->info.components, NULL,
                                                               values->count - out->info.components, &ignored)
                                         : gpri_filter_kind_between(&g, ends ? out->info.smallest_eigenvalue : -1,
                                                                    ends ? out->info.second_eigenvalue : 1, &ignored);
        out->info.low_pass_runs += kind == GPR_FILTER_LOW_PASS;
        out->info.high_pass_runs += kind == GPR_FILTER_HIGH_PASS;
    }
done:
    gpri_free(out->ctx, theta);
    return status;
}

gpr_status gpr_inspection_describe(const gpr_inspection *inspection, gpr_inspection_info *out) {
    if (!inspection) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_inspection_describe: a NULL argument");
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_inspection_info, "gpr_inspection_describe", &inspection->info));
}

gpr_status gpr_inspection_filter(const gpr_inspection *inspection, int64_t index, gpr_inspected_filter *out) {
    if (!inspection) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_inspection_filter: a NULL argument");
    NEED(gpri_check_index("gpr_inspection_filter", "index", index, inspection->info.filters));
    return gpri_finish(
        GPRI_STRUCT_OUT(out, gpr_inspected_filter, "gpr_inspection_filter", &inspection->filters[index].info));
}

gpr_status gpr_inspection_column(const gpr_inspection *inspection, int64_t index, gpr_inspected_column *out) {
    if (!inspection) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_inspection_column: a NULL argument");
    NEED(gpri_check_index("gpr_inspection_column", "index", index, inspection->info.asked_columns));
    return gpri_finish(
        GPRI_STRUCT_OUT(out, gpr_inspected_column, "gpr_inspection_column", &inspection->columns[index].info));
}

gpr_status gpr_inspection_series(const gpr_inspection *inspection, const char *what, const double **values,
                                 int64_t *count) {
    if (values) *values = NULL;
    if (count) *count = 0;
    if (!inspection || !what || !values) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_inspection_series: a NULL argument");
    for (int i = 0; i < GPRI_SERIES; i++) {
        if (strcmp(series_names[i], what) != 0) continue;
        *values = inspection->series[i].values;
        if (count) *count = inspection->series[i].count;
        return gpri_finish(GPR_OK);
    }
    const char *near = gpr_nearest_word(what, series_names, GPRI_SERIES);
    return gpri_fail(GPR_ERROR_ARGUMENT, "an inspection has no series '%s': did you mean '%s'?", what,
                     near ? near : "gamma");
}
