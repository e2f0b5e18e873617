/* Measures of predicted numbers: R2, root of the mean square, mean and median of the absolute errors; as scikit-learn
 * defines them, without weights. */
#include <math.h>
#include <stdlib.h>

#include "task/metrics/metrics.h"

static bool counts(const gpri_scored *scored, int64_t node) {
    return !isnan(scored->numbers[node]) && (!scored->parts || scored->parts[node] == scored->part);
}

static int by_size(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

/* errors: (count) which are sorted. */
static double median_of(double *errors, int64_t count) {
    qsort(errors, (size_t)count, sizeof *errors, by_size);
    return (errors[(count - 1) / 2] + errors[count / 2]) / 2;
}

/* errors: (count) absolute ones. */
static void fill(double *values, const gpri_scored *scored, double *errors, int64_t count) {
    double sum = 0, spread = 0, squares = 0, sizes = 0;
    for (int64_t i = 0; i < scored->rows; i++)
        if (counts(scored, i)) sum += (double)scored->numbers[i];
    const double mean = sum / (double)count;
    for (int64_t i = 0; i < scored->rows; i++)
        if (counts(scored, i)) spread += ((double)scored->numbers[i] - mean) * ((double)scored->numbers[i] - mean);
    for (int64_t k = 0; k < count; k++) {
        squares += errors[k] * errors[k];
        sizes += errors[k];
    }
    values[GPRI_R2] = spread > 0 ? 1 - squares / spread : (double)NAN;
    values[GPRI_RMSE] = sqrt(squares / (double)count);
    values[GPRI_MAE] = sizes / (double)count;
    values[GPRI_MEDIAN_ERROR] = median_of(errors, count);
}

gpr_status gpri_metrics_of_numbers(gpr_ctx *ctx, gpr_metrics **out, const gpri_scored *scored) {
    gpr_status status = GPR_OK;
    gpr_metrics *made = NULL;
    double *errors = NULL; /* (rows) */
    *out = NULL;
    TRY(gpri_calloc(ctx, &made, 1, sizeof *made, "metrics"));
    made->ctx = ctx;
    made->positive = -1;
    for (int m = 0; m < GPRI_MEASURES; m++) made->values[m] = NAN;
    TRY(gpri_alloc(ctx, &errors, scored->rows, sizeof *errors, "errors"));
    for (int64_t i = 0; i < scored->rows; i++)
        if (counts(scored, i)) errors[made->nodes++] = fabs((double)scored->proba[i] - (double)scored->numbers[i]);
    if (made->nodes > 0) fill(made->values, scored, errors, made->nodes);
    *out = made;
    made = NULL;
done:
    gpri_free(ctx, errors);
    gpri_free(ctx, made); /* it has no classes */
    return status;
}
