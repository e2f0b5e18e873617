/* The numbers that every run of a result has, and their means. */
#include <math.h>
#include <string.h>

#include "report/report.h"

static const char *const field_names[GPRI_FIELDS] = {
#define FIELD(ID, name) #name,
#include "report/run_fields.def"
};

const char *gpri_run_field_word(gpri_run_field field) { return field_names[field]; }

double gpri_run_number(const gpr_run_info *info, gpri_run_field field) {
    const double numbers[] = {
#define FIELD(ID, name) (double)info->name,
#include "report/run_fields.def"
    };
    return field < GPRI_FIELDS ? numbers[field] : NAN;
}

typedef struct {
    const gpr_result *result;
    gpri_run_field field;
} field_of_runs;

static double of_run(const void *arg, int64_t run) {
    const field_of_runs *wanted = arg;
    return gpri_run_number(&wanted->result->runs[run].info, wanted->field);
}

/* A measure of gpr_metrics on a part. */
typedef struct {
    const gpr_result *result;
    int part;
    gpri_measure which;
} measure_of_runs;

static double measure_of_run(const void *arg, int64_t run) {
    const measure_of_runs *wanted = arg;
    const gpr_metrics *metrics = wanted->result->runs[run].metrics[wanted->part];
    return metrics ? metrics->values[wanted->which] : NAN;
}

gpri_mean gpri_measure_mean(const gpr_result *result, gpr_part part, gpri_measure which) {
    const measure_of_runs wanted = {result, (int)part, which};
    return gpri_mean_by(measure_of_run, &wanted, result->count);
}

/* "test_roc_auc" and the like. */
static bool find_measure(const char *what, gpr_part *part, gpri_measure *which) {
    static const char *const parts[] = {[GPR_TRAIN] = "train_", [GPR_VAL] = "val_", [GPR_TEST] = "test_"};
    for (int p = GPR_TRAIN; p <= GPR_TEST; p++) {
        if (strncmp(what, parts[p], strlen(parts[p])) != 0) continue;
        *part = (gpr_part)p;
        *which = gpri_measure_find(what + strlen(parts[p]));
        return *which != GPRI_MEASURES;
    }
    return false;
}

gpri_mean gpri_result_mean(const gpr_result *result, gpri_run_field field) {
    const field_of_runs wanted = {result, field};
    return gpri_mean_by(of_run, &wanted, result->count);
}

gpr_status gpri_result_values(gpr_ctx *ctx, double **out, int64_t *count, const gpr_result *result,
                              gpri_run_field field) {
    *count = 0;
    gpr_status status = gpri_alloc(ctx, out, result->count, sizeof **out, "numbers of runs");
    for (int64_t r = 0; status == GPR_OK && r < result->count; r++) {
        const double value = gpri_run_number(&result->runs[r].info, field);
        if (!isnan(value)) (*out)[(*count)++] = value;
    }
    return status;
}

static gpr_status unknown(const char *what) {
    const char *near = gpr_nearest_word(what, field_names, GPRI_FIELDS);
    return gpri_fail(GPR_ERROR_ARGUMENT, "a run has no number '%s': did you mean '%s'?", what,
                     near ? near : "test_accuracy");
}

gpr_status gpr_result_mean(const gpr_result *result, const char *what, double *mean, double *sd, double *ci95) {
    if (!result || !what) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_mean: a NULL argument");
    gpr_part part;
    gpri_measure which;
    gpri_mean found;
    int field = 0;
    while (field < GPRI_FIELDS && strcmp(field_names[field], what) != 0) field++;
    if (field < GPRI_FIELDS) found = gpri_result_mean(result, (gpri_run_field)field);
    else if (find_measure(what, &part, &which)) found = gpri_measure_mean(result, part, which);
    else return unknown(what);
    if (mean) *mean = found.mean;
    if (sd) *sd = found.sd;
    if (ci95) *ci95 = found.ci95;
    return gpri_finish(GPR_OK);
}
