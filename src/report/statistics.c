/* Mean, spread and confidence interval over runs. */
#include <math.h>
#include <string.h>

#include "report/report.h"

/* The .975 quantile of Student's t: a table for few degrees of freedom, beyond it the Cornish-Fisher expansion around
   the normal quantile z (Abramowitz and Stegun 26.7.5; off by less than 2e-6 from 31 on). */
static double student_quantile(int64_t freedom) {
    static const double table[30] = {12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004,
                                     2.262157,  2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905,
                                     2.109816,  2.100922, 2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899,
                                     2.059539,  2.055529, 2.051831, 2.048407, 2.045230, 2.042272};
    if (freedom <= 30) return table[freedom - 1];
    const double z = 1.959963984540054, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    const double v = (double)freedom;
    return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

gpri_mean gpri_mean_by(double (*value)(const void *arg, int64_t i), const void *arg, int64_t count) {
    double sum = 0, squares = 0;
    int64_t known = 0;
    for (int64_t i = 0; i < count; i++) {
        const double x = value(arg, i);
        if (isnan(x)) continue;
        sum += x;
        known++;
    }
    if (known == 0) return (gpri_mean){NAN, 0, 0};
    gpri_mean result = {sum / (double)known, 0, 0};
    if (known < 2) return result;
    for (int64_t i = 0; i < count; i++) {
        const double x = value(arg, i);
        if (!isnan(x)) squares += (x - result.mean) * (x - result.mean);
    }
    result.sd = sqrt(squares / (double)(known - 1));
    result.ci95 = student_quantile(known - 1) * result.sd / sqrt((double)known);
    return result;
}

/* ---- The numbers of a run ------------------------------------------------------------------------- */

/* As report/json.c names them. */
static const char *const field_names[GPRI_FIELDS] = {
    [GPRI_FIELD_SEED] = "seed",
    [GPRI_FIELD_EPOCHS] = "epochs",
    [GPRI_FIELD_BEST_EPOCH] = "best_epoch",
    [GPRI_FIELD_TRAIN] = "train_accuracy",
    [GPRI_FIELD_VAL] = "val_accuracy",
    [GPRI_FIELD_TEST] = "test_accuracy",
    [GPRI_FIELD_INITIAL] = "initial_accuracy",
    [GPRI_FIELD_TRAIN_LOSS] = "train_loss",
    [GPRI_FIELD_VAL_LOSS] = "val_loss",
    [GPRI_FIELD_MS_PER_EPOCH] = "ms_per_epoch",
    [GPRI_FIELD_SECONDS] = "seconds",
};

double gpri_run_number(const gpr_run_info *info, gpri_run_field field) {
    switch (field) {
    case GPRI_FIELD_SEED: return (double)info->seed;
    case GPRI_FIELD_EPOCHS: return (double)info->epochs;
    case GPRI_FIELD_BEST_EPOCH: return (double)info->best_epoch;
    case GPRI_FIELD_TRAIN: return info->train_accuracy;
    case GPRI_FIELD_VAL: return info->val_accuracy;
    case GPRI_FIELD_TEST: return info->test_accuracy;
    case GPRI_FIELD_INITIAL: return info->initial_accuracy;
    case GPRI_FIELD_TRAIN_LOSS: return info->train_loss;
    case GPRI_FIELD_VAL_LOSS: return info->val_loss;
    case GPRI_FIELD_MS_PER_EPOCH: return info->ms_per_epoch;
    case GPRI_FIELD_SECONDS: return info->seconds;
    case GPRI_FIELDS: break;
    }
    return NAN;
}

typedef struct {
    const gpr_result *result;
    gpri_run_field field;
} field_of_runs;

static double of_run(const void *arg, int64_t run) {
    const field_of_runs *of = arg;
    return gpri_run_number(&of->result->runs[run].info, of->field);
}

gpri_mean gpri_result_mean(const gpr_result *result, gpri_run_field field) {
    const field_of_runs of = {result, field};
    return gpri_mean_by(of_run, &of, result->count);
}

gpr_status gpr_result_mean(const gpr_result *result, const char *what, double *mean, double *sd, double *ci95) {
    if (!result || !what) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_mean: a NULL argument");
    for (int i = 0; i < GPRI_FIELDS; i++) {
        if (strcmp(field_names[i], what) != 0) continue;
        const gpri_mean found = gpri_result_mean(result, (gpri_run_field)i);
        if (mean) *mean = found.mean;
        if (sd) *sd = found.sd;
        if (ci95) *ci95 = found.ci95;
        return gpri_finish(GPR_OK);
    }
    const char *near = gpr_nearest_word(what, field_names, GPRI_FIELDS);
    return gpri_fail(GPR_ERROR_ARGUMENT, "a run has no number '%s': did you mean '%s'?", what,
                     near ? near : "test_accuracy");
}
