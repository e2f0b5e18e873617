/* How much the means of two lists differ, and whether chance explains it: paired, or by Welch's test. */
#include <math.h>
#include <stdlib.h>

#include "statistics/statistics.h"

/* The same up to rounding: accuracies that are equal fractions may differ in their last bits. */
static bool equal(double a, double b) { return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)); }

/* error: the standard error of out->mean. */
static void judge(gpri_difference *out, double error, double freedom) {
    const double width = gpri_student_t95(freedom) * error;
    out->student = (gpri_interval){out->mean - width, out->mean + width};
    if (error > 0) out->p = gpri_student_p(out->mean / error, freedom);
    else out->p = out->mean == 0 ? 1 : 0; /* nothing varies */
}

gpr_status gpri_difference_paired(gpr_ctx *ctx, gpri_difference *out, const double *first, const double *second,
                                  int64_t count) {
    gpr_status status = GPR_OK;
    double *differences = NULL;
    *out = (gpri_difference){0};
    TRY(gpri_alloc(ctx, &differences, count, sizeof *differences, "differences"));
    for (int64_t i = 0; i < count; i++) {
        differences[i] = equal(first[i], second[i]) ? 0 : first[i] - second[i];
        out->wins += differences[i] > 0;
        out->ties += differences[i] == 0;
        out->losses += differences[i] < 0;
    }
    const gpri_mean mean = gpri_mean_of(differences, count);
    out->mean = mean.mean;
    judge(out, mean.sd / sqrt((double)count), (double)(count - 1));
    TRY(gpri_bootstrap(ctx, &out->bootstrap, differences, count));
    TRY(gpri_wilcoxon(ctx, &out->wilcoxon, differences, count));
done:
    gpri_free(ctx, differences);
    return status;
}

gpr_status gpri_difference_welch(gpr_ctx *ctx, gpri_difference *out, const double *first, int64_t firsts,
                                 const double *second, int64_t seconds) {
    const gpri_mean a = gpri_mean_of(first, firsts), b = gpri_mean_of(second, seconds);
    const double va = a.sd * a.sd / (double)firsts, vb = b.sd * b.sd / (double)seconds, sum = va + vb;
    const double parts = va * va / (double)(firsts - 1) + vb * vb / (double)(seconds - 1);
    *out = (gpri_difference){.wilcoxon = NAN};
    out->mean = equal(a.mean, b.mean) ? 0 : a.mean - b.mean;
    judge(out, sqrt(sum), parts > 0 ? sum * sum / parts : (double)(firsts + seconds - 2));
    return gpri_bootstrap_two(ctx, &out->bootstrap, first, firsts, second, seconds);
}

/* ---- Several tests -------------------------------------------------------------------------------- */

typedef struct ranked {
    double p;
    int64_t place;
} ranked;

static int smaller_p(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->p != y->p) return x->p < y->p ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* The smallest p counts `count` times, the next one once less, and so on; and none is below one before it. */
gpr_status gpri_holm(gpr_ctx *ctx, double *corrected, const double *p, int64_t count) {
    gpr_status status = GPR_OK;
    ranked *order = NULL;
    double largest = 0;
    TRY(gpri_alloc(ctx, &order, count, sizeof *order, "p values"));
    for (int64_t i = 0; i < count; i++) order[i] = (ranked){p[i], i};
    if (count > 1) qsort(order, (size_t)count, sizeof *order, smaller_p);
    for (int64_t i = 0; i < count; i++) {
        largest = fmax(largest, fmin(1, order[i].p * (double)(count - i)));
        corrected[order[i].place] = largest;
    }
done:
    gpri_free(ctx, order);
    return status;
}
