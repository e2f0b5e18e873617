/* Mean, spread and the confidence intervals that come from them. */
#include "statistics/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"

/* ---- tails of Student's t and of the normal distribution ---- */

/* * P(|T| >= t) with v degrees of freedom is I_x(v/2, 1/2) with x = v / (v + t^2), where I is the regularised
   incomplete beta function: a power times a continued fraction (DLMF 8.17.22), evaluated by Lentz's method. */

/* log B(a, 1/2). The series of log gamma(a + 1/2) - log gamma(a) is off by less than 1e-16 from 20 on; below, factors
   lead there. Two log gamma of large numbers would lose digits, and lgamma writes a variable of the host. */
static double log_beta_half(double a) {
    double factors = 1;
    for (; a < 20; a++) factors *= a / (a + 0.5);
    const double y = 1 / (a * a);
    const double series = (-1.0 / 8 + y * (1.0 / 192 + y * (-1.0 / 640 + y * (17.0 / 14336 - y * 31 / 18432)))) / a;
    return 0.5723649429247001 - 0.5 * log(a) - series - log(factors); /* log(pi) / 2 */
}

/* The continued fraction of I_x(a, b); converges fast for x below (a + 1) / (a + b + 2). */
static double fraction(double x, double a, double b) {
    const double tiny = 1e-300, enough = 1e-15;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double result = d;
    for (int k = 1; k < 100000; k++) {
        const double m = k;
        const double terms[2] = {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                                 -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))};
        double change = 1;
        for (int half = 0; half < 2; half++) {
            d = 1 + terms[half] * d;
            c = 1 + terms[half] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            if (fabs(c) < tiny) c = tiny;
            change = c * d;
            result *= change;
        }
        if (fabs(change - 1) < enough) break;
    }
    return result;
}

double gpri_student_p(double t, double freedom) {
    if (isnan(t) || !(freedom > 0)) return NAN;
    const double a = freedom / 2, b = 0.5, ratio = t * t / freedom;
    const double x = 1 / (1 + ratio), rest = ratio / (1 + ratio); /* their sum is 1 */
    if (ratio == 0) return 1;
    if (isinf(ratio)) return 0;
    const double front = exp(-log_beta_half(a) - a * log1p(ratio) + b * log(rest));
    /* Near x = 1 the fraction of x loses digits; there the other one converges well enough, and p is not small. */
    if (x < (a + 1) / (a + b + 2) && (freedom < 1000 || t * t > 9)) return front * fraction(x, a, b) / a;
    return 1 - front * fraction(rest, b, a) / b;
}

double gpri_normal_p(double z) { return erfc(fabs(z) / 1.4142135623730951); }

double gpri_student_t95(double freedom) {
    double low = 1.9, high = 13; /* 1.96 for infinite freedom, 12.71 for 1 */
    for (int step = 0; step < 60; step++) {
        const double middle = (low + high) / 2;
        if (gpri_student_p(middle, freedom) > 0.05) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}

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

static double in_array(const void *values, int64_t i) { return ((const double *)values)[i]; }

gpri_mean gpri_mean_of(const double *values, int64_t count) { return gpri_mean_by(in_array, values, count); }

gpri_interval gpri_normal_interval(const gpri_mean *mean, int64_t count) {
    if (count < 2) return (gpri_interval){NAN, NAN};
    const double width = 1.959963984540054 * mean->sd / sqrt((double)count);
    return (gpri_interval){mean->mean - width, mean->mean + width};
}

/* ---- percentile bootstrap of a mean, and of the difference of two means ---- */

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

/* Of the difference of two means, each resampled for itself. */
static gpr_status bootstrap_two(gpr_ctx *ctx, gpri_interval *out, const double *first, int64_t firsts,
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

/* ---- Wilcoxon's signed-rank test ---- */

/* do positive and negative differences balance, by the ranks of their sizes? * W is the sum of the ranks of the
   positive differences. Equal sizes share the mean of their ranks, so twice a rank is a whole number, and the
   distribution of 2 W under random signs can be counted exactly, with ties too. */

enum { MOST_EXACT = 50 };

typedef struct signed_size {
    double size;
    bool positive;
    int64_t twice; /* the rank, from 1, times two */
} signed_size;

static int by_size(const void *a, const void *b) {
    const double x = ((const signed_size *)a)->size, y = ((const signed_size *)b)->size;
    return (x > y) - (x < y);
}

/* Gives ranks to the sorted sizes. Returns the sum of t^3 - t over the groups of t equal ones. */
static double rank(signed_size *sizes, int64_t count) {
    double ties = 0;
    for (int64_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && sizes[end].size <= sizes[begin].size * (1 + 1e-9); end++) {
        }
        for (int64_t i = begin; i < end; i++) sizes[i].twice = begin + end + 1;
        const double t = (double)(end - begin);
        ties += t * t * t - t;
    }
    return ties;
}

/* chance: (sum of all `twice` + 1), zeroed; entry s becomes the number of choices of signs with 2 W = s. */
static double exact(double *chance, const signed_size *sizes, int64_t count, int64_t twice) {
    int64_t total = 0;
    chance[0] = 1;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t s = total; s >= 0; s--) chance[s + sizes[i].twice] += chance[s];
        total += sizes[i].twice;
    }
    double below = 0, above = 0;
    for (int64_t s = 0; s <= total; s++) {
        if (s <= twice) below += chance[s];
        if (s >= twice) above += chance[s];
    }
    return fmin(1, 2 * fmin(below, above) / ldexp(1, (int)count));
}

/* p of Wilcoxon's signed-rank test, two-sided. Differences of 0 are left out, equal sizes share their ranks. Exact for
   up to 50 differences, else by the normal approximation. Sizes that differ by rounding only count as equal. */
static gpr_status gpri_wilcoxon(gpr_ctx *ctx, double *p, const double *differences, int64_t count) {
    gpr_status status = GPR_OK;
    signed_size *sizes = NULL;
    double *chance = NULL;
    int64_t found = 0, twice = 0;
    *p = 1;
    TRY(gpri_alloc(ctx, &sizes, count, sizeof *sizes, "ranks"));
    for (int64_t i = 0; i < count; i++)
        if (differences[i] != 0) sizes[found++] = (signed_size){fabs(differences[i]), differences[i] > 0, 0};
    if (found == 0) goto done;
    qsort(sizes, (size_t)found, sizeof *sizes, by_size);
    const double ties = rank(sizes, found), n = (double)found;
    for (int64_t i = 0; i < found; i++) twice += sizes[i].positive ? sizes[i].twice : 0;
    if (found <= MOST_EXACT) {
        TRY(gpri_calloc(ctx, &chance, found * (found + 1) + 1, sizeof *chance, "distribution of ranks"));
        *p = exact(chance, sizes, found, twice);
    } else {
        const double mean = n * (n + 1) / 4, variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;
        *p = variance > 0 ? gpri_normal_p(((double)twice / 2 - mean) / sqrt(variance)) : 1;
    }
done:
    gpri_free_all(ctx, sizes, chance);
    return status;
}

/* ---- how much the means of two lists differ, and whether chance explains it ---- */

/* paired, or by Welch's test. */

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
    return bootstrap_two(ctx, &out->bootstrap, first, firsts, second, seconds);
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
