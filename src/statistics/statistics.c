/* Mean, spread and the confidence intervals that come from them. */
#include "statistics/statistics.h"

#include <math.h>

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
