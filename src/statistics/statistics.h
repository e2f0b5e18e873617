/* Statistics of plain arrays of numbers: means, confidence intervals, differences and their tests. No value is NaN,
 * unless said otherwise. docs/statistics.md explains the methods. */
#ifndef GPRI_STATISTICS_H
#define GPRI_STATISTICS_H

#include "base/context.h"

/* Mean, standard deviation (n - 1) and the half width of the 95 % confidence interval of the mean (Student's t) over
   values that are not NaN; ci95 and sd are 0 for fewer than two, mean NaN for none. */
typedef struct gpri_mean {
    double mean, sd, ci95;
} gpri_mean;

/* The mean of value(arg, 0), value(arg, 1), ...; NaN is left out. */
gpri_mean gpri_mean_by(double (*value)(const void *arg, int64_t i), const void *arg, int64_t count);
gpri_mean gpri_mean_of(const double *values, int64_t count);

/* ---- Intervals: 95 %, of a mean ---- */

typedef struct gpri_interval {
    double low, high; /* NaN for fewer than two values */
} gpri_interval;

/* The mean -+ 1.96 standard errors; narrower than Student's for few values. */
gpri_interval gpri_normal_interval(const gpri_mean *mean, int64_t count);

enum { GPRI_RESAMPLES = 10000, GPRI_MOST_RESAMPLED = 10000 };
/* Percentile bootstrap: the 2.5 % and the 97.5 % quantile of the means of GPRI_RESAMPLES samples, drawn with
   replacement. The same values in the same order give the same bits. For more than GPRI_MOST_RESAMPLED values it is the
   normal interval, which then is the same for all purposes. */
gpr_status gpri_bootstrap(gpr_ctx *ctx, gpri_interval *out, const double *values, int64_t count) GPRI_MUST_CHECK;

/* ---- Distributions ---- */

/* The probability of |t| or more under Student's t with `freedom` > 0, which need not be whole. Its relative error is
   below 1e-11, or 1e-10 for a freedom of more than 10,000. */
double gpri_student_p(double t, double freedom);
/* The same for the standard normal distribution. */
double gpri_normal_p(double z);
/* The t with gpri_student_p(t, freedom) = 0.05, freedom >= 1. */
double gpri_student_t95(double freedom);

/* ---- Differences of two lists ---- */

typedef struct gpri_difference {
    double mean; /* of the first minus that of the second */
    gpri_interval student, bootstrap;
    double p;                   /* of the t-test: paired, or Welch's */
    double wilcoxon;            /* p of the signed-rank test; NaN without pairs */
    int64_t wins, ties, losses; /* pairs where the first is larger, equal up to rounding, smaller */
} gpri_difference;

/* (count >= 2) pairs: first[i] and second[i] belong together. */
gpr_status gpri_difference_paired(gpr_ctx *ctx, gpri_difference *out, const double *first, const double *second,
                                  int64_t count) GPRI_MUST_CHECK;
/* Two lists of at least two values each that have nothing to do with each other: Welch's t-test. */
gpr_status gpri_difference_welch(gpr_ctx *ctx, gpri_difference *out, const double *first, int64_t firsts,
                                 const double *second, int64_t seconds) GPRI_MUST_CHECK;

/* Holm's correction: corrected (count) are the p for which the chance of any false alarm among all is kept. */
gpr_status gpri_holm(gpr_ctx *ctx, double *corrected, const double *p, int64_t count) GPRI_MUST_CHECK;

#endif
