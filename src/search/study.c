/* Studies: the cells and what is known of them. work.c trains. */
#include "search/study.h"

#include <math.h>
#include <string.h>

#include "base/struct.h"
#include "dist/all.h"
#include "io/split.h"
#include "search/together.h"

gpr_status gpr_study_open(gpr_ctx *ctx, gpr_study **out, const char *path) {
    gpr_status status = GPR_OK;
    gpr_study *study = NULL;
    if (out) *out = NULL;
    if (!ctx || !out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_study_open: a NULL argument");
    TRY(gpri_calloc(ctx, &study, 1, sizeof *study, "study"));
    study->ctx = ctx;
    TRY(gpri_all_well(ctx, gpri_kept_file_open(ctx, &study->kept, gpri_is_first_process(ctx) ? path : NULL)));
    TRY(gpri_study_share(study, 0));
    gpri_kept_file_sort(&study->kept);
    *out = study;
    study = NULL;
done:
    gpr_study_close(study);
    return gpri_finish(status);
}

/* A line whose key is that of a cell is a run of it. */
static gpr_status check_kept(const gpr_study *study, const gpri_cell *cell) {
    return gpri_kept_file_check(&study->kept, cell->key, gpri_run_content(cell->fingerprint, cell->params));
}

gpr_status gpr_study_include(gpr_study *study, const char *path) {
    if (!study || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_study_include: a NULL argument");
    const int64_t first = study->kept.count;
    gpr_status status = GPR_OK;
    if (gpri_is_first_process(study->ctx)) status = gpri_kept_file_include(&study->kept, path);
    NEED(gpri_all_well(study->ctx, status));
    NEED(gpri_study_share(study, first));
    gpri_kept_file_sort(&study->kept);
    for (int64_t i = 0; i < study->count; i++) NEED(check_kept(study, &study->cells[i]));
    return gpri_finish(status);
}

void gpr_study_close(gpr_study *study) {
    if (!study) return;
    for (int64_t i = 0; i < study->count; i++) {
        gpr_params_free(study->cells[i].params);
        gpri_free(study->ctx, study->cells[i].dataset);
    }
    gpri_free(study->ctx, study->cells);
    gpri_kept_file_close(&study->kept);
    gpri_free(study->ctx, study);
}

/* data: NULL: it is not at hand; name and fingerprint say which it is. */
static gpr_status add(gpr_study *study, const gpr_dataset *data, const char *name, const char *fingerprint,
                      const gpr_params *params, int measures, int64_t *cell) {
    gpr_status status = GPR_OK;
    gpri_cell made = {.data = data, .measures = measures};
    if (measures & ~(GPR_MEASURE_TOP_SHARE | GPR_MEASURE_GAMMA_HISTORY))
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_study_add: measures is %d: it must be a sum of GPR_MEASURE_...",
                         measures);
    TRY(gpr_params_check(params));
    if (!gpri_params_applies(params, GPRI_PARAM_INIT))
        made.measures &= ~GPR_MEASURE_GAMMA_HISTORY; /* none is learned */
    if (data) TRY(gpri_dataset_ready(study->ctx, data));
    TRY(gpri_params_copy(study->ctx, &made.params, params));
    if (data) TRY(gpri_split_settle(made.params, data));
    TRY(gpri_strdup(study->ctx, &made.dataset, data ? data->name : name));
    if (data) gpri_fingerprint(made.fingerprint, data);
    else strcpy(made.fingerprint, fingerprint);
    TRY(gpri_run_key(study->ctx, made.key, made.fingerprint, data, made.params));
    TRY(check_kept(study, &made));
    made.seed = (uint64_t)gpri_params_int(params, GPRI_PARAM_SEED);
    made.runs = gpri_params_int(params, GPRI_PARAM_RUNS);
    TRY(gpri_grow(study->ctx, &study->cells, &study->capacity, study->count + 1, sizeof *study->cells, "cells"));
    *cell = study->count;
    study->cells[study->count++] = made;
    made = (gpri_cell){.data = NULL};
done:
    gpr_params_free(made.params);
    gpri_free(study->ctx, made.dataset);
    return status;
}

gpr_status gpr_study_add(gpr_study *study, const gpr_dataset *data, const gpr_params *params, int measures,
                         int64_t *cell) {
    if (cell) *cell = -1;
    if (!study || !data || !params || !cell) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_study_add: a NULL argument");
    return gpri_finish(add(study, data, NULL, NULL, params, measures, cell));
}

gpr_status gpr_study_add_named(gpr_study *study, const char *dataset, const char *fingerprint, const gpr_params *params,
                               int measures, int64_t *cell) {
    if (cell) *cell = -1;
    if (!study || !dataset || !fingerprint || !params || !cell)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_study_add_named: a NULL argument");
    if (strlen(fingerprint) != GPRI_FINGERPRINT_SIZE - 1)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_study_add_named: '%s' is no fingerprint: it has %d hex digits",
                         fingerprint, GPRI_FINGERPRINT_SIZE - 1);
    return gpri_finish(add(study, NULL, dataset, fingerprint, params, measures, cell));
}

const gpri_kept_run *gpri_study_find(const gpr_study *study, const gpri_cell *cell, int64_t run) {
    return gpri_kept_file_find(&study->kept, cell->key, cell->seed + (uint64_t)run, cell->measures);
}

/* NULL, and an error, where there is no such cell. */
static const gpri_cell *cell_of(const gpr_study *study, int64_t cell, const char *call) {
    if (study && cell >= 0 && cell < study->count) return &study->cells[cell];
    gpri_fail(GPR_ERROR_ARGUMENT, "%s: study is NULL, or has no cell %lld", call, (long long)cell);
    return NULL;
}

int64_t gpr_study_cells(const gpr_study *study) { return study ? study->count : 0; }

gpr_status gpr_study_cell(const gpr_study *study, int64_t cell, gpr_cell_info *out) {
    const gpri_cell *kept = cell_of(study, cell, "gpr_study_cell");
    if (!kept) return GPR_ERROR_ARGUMENT;
    gpr_cell_info info = {.struct_size = sizeof info,
                          .dataset = kept->dataset,
                          .model = gpri_params_text(kept->params, GPRI_PARAM_MODEL),
                          .runs = kept->runs,
                          .fingerprint = kept->fingerprint};
    for (int64_t run = 0; run < kept->runs; run++) {
        const gpri_kept_run *found = gpri_study_find(study, kept, run);
        info.done += found != NULL;
        info.failed += found && found->failed;
    }
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_cell_info, "gpr_study_cell", &info));
}

const char *gpr_study_param(const gpr_study *study, int64_t cell, const char *name) {
    const gpri_cell *found = cell_of(study, cell, "gpr_study_param");
    return found ? gpr_params_get(found->params, name) : NULL;
}

gpr_status gpr_study_values(const gpr_study *study, int64_t cell, const char *what, double *values) {
    if (!what || !values) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_study_values: a NULL argument");
    const gpri_cell *kept = cell_of(study, cell, "gpr_study_values");
    if (!kept) return GPR_ERROR_ARGUMENT;
    const int number = gpri_kept_number(what);
    if (number < 0) return gpri_fail(GPR_ERROR_ARGUMENT, "a run has no number '%s'", what);
    for (int64_t run = 0; run < kept->runs; run++) {
        const gpri_kept_run *found = gpri_study_find(study, kept, run);
        values[run] = found && !found->failed ? found->numbers[number] : NAN;
    }
    return gpri_finish(GPR_OK);
}

const float *gpr_study_gamma(const gpr_study *study, int64_t cell, int64_t run, int64_t *count) {
    const gpri_cell *kept = cell_of(study, cell, "gpr_study_gamma");
    const gpri_kept_run *found = kept && run >= 0 && run < kept->runs ? gpri_study_find(study, kept, run) : NULL;
    if (count) *count = found ? found->gamma_count : 0;
    return found ? found->gamma : NULL;
}

const float *gpr_study_gamma_history(const gpr_study *study, int64_t cell, int64_t run, int64_t *rows,
                                     int64_t *stride) {
    const gpri_cell *kept = cell_of(study, cell, "gpr_study_gamma_history");
    const gpri_kept_run *found = kept && run >= 0 && run < kept->runs ? gpri_study_find(study, kept, run) : NULL;
    if (rows) *rows = found ? found->rows : 0;
    if (stride) *stride = found ? found->stride : 0;
    return found ? found->history : NULL;
}

static double value_at(const void *values, int64_t i) { return ((const double *)values)[i]; }

gpr_status gpr_statistics(const double *values, int64_t count, gpr_statistics_info *out) {
    if (count < 0 || (!values && count > 0))
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_statistics: values is NULL, or count is negative");
    const gpri_mean found = gpri_mean_by(value_at, values, count);
    gpr_statistics_info info = {.struct_size = sizeof info, .mean = found.mean, .sd = found.sd, .ci95 = found.ci95};
    for (int64_t i = 0; i < count; i++) info.count += !isnan(values[i]);
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_statistics_info, "gpr_statistics", &info));
}
