/* Percentile bootstrap of a mean, and of the difference of two means. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "statistics/statistics.h"

/* means: (GPRI_RESAMPLES). Which values a resample has depends on their number and on `layer` alone (docs/design.md).
 */
static void resample(double *means, const double *values, int64_t count, uint32_t layer) {
    const gpri_random random = gpri_random_of(0, GPRI_RANDOM_BOOTSTRAP, 0, layer);
    const uint64_t blocks = ((uint64_t)count + 3) / 4;
    for (uint64_t r = 0; r < GPRI_RESAMPLES; r++) {
        double sum = 0;
        for (uint64_t b = 0; b < blocks; b++) {
            const philox4x32_ctr_t block = gpri_random_block(random, r * blocks + b);
            const int64_t left = count - 4 * (int64_t)b;
            for (int k = 0; k < 4 && k < left; k++) sum += values[(uint64_t)block.v[k] * (uint64_t)count >> 32];
        }
        means[r] = sum / (double)count;
    }
}

/* Between the two nearest of the sorted values. */
static double quantile(const double *sorted, int64_t count, double share) {
    const double place = share * (double)(count - 1);
    const int64_t below = (int64_t)place;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

static gpri_interval middle_of(double *means) {
    qsort(means, GPRI_RESAMPLES, sizeof *means, gpri_by_value);
    return (gpri_interval){quantile(means, GPRI_RESAMPLES, 0.025), quantile(means, GPRI_RESAMPLES, 0.975)};
}

gpr_status gpri_bootstrap(gpr_ctx *ctx, gpri_interval *out, const double *values, int64_t count) {
    gpr_status status = GPR_OK;
    double *means = NULL;
    const gpri_mean mean = gpri_mean_of(values, count);
    *out = gpri_normal_interval(&mean, count);
    if (count < 2 || count > GPRI_MOST_RESAMPLED) return GPR_OK;
    TRY(gpri_alloc(ctx, &means, GPRI_RESAMPLES, sizeof *means, "means of the bootstrap"));
    resample(means, values, count, 0);
    *out = middle_of(means);
done:
    gpri_free(ctx, means);
    return status;
}

gpr_status gpri_bootstrap_two(gpr_ctx *ctx, gpri_interval *out, const double *first, int64_t firsts,
                              const double *second, int64_t seconds) {
    gpr_status status = GPR_OK;
    double *means = NULL, *others = NULL;
    const gpri_mean a = gpri_mean_of(first, firsts), b = gpri_mean_of(second, seconds);
    const double error = sqrt(a.sd * a.sd / (double)firsts + b.sd * b.sd / (double)seconds);
    const double difference = a.mean - b.mean, width = 1.959963984540054 * error;
    *out = (gpri_interval){difference - width, difference + width};
    if (firsts > GPRI_MOST_RESAMPLED || seconds > GPRI_MOST_RESAMPLED) return GPR_OK;
    TRY(gpri_alloc(ctx, &means, GPRI_RESAMPLES, sizeof *means, "means of the bootstrap"));
    TRY(gpri_alloc(ctx, &others, GPRI_RESAMPLES, sizeof *others, "means of the bootstrap"));
    resample(means, first, firsts, 0);
    resample(others, second, seconds, 1);
    for (int r = 0; r < GPRI_RESAMPLES; r++) means[r] -= others[r];
    *out = middle_of(means);
done:
    gpri_free_all(ctx, means, others);
    return status;
}
