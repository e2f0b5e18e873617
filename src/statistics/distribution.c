/* Tails of Student's t and of the normal distribution.
 *
 * P(|T| >= t) with v degrees of freedom is I_x(v/2, 1/2) with x = v / (v + t^2), where I is the regularised incomplete
 * beta function: a power times a continued fraction (DLMF 8.17.22), evaluated by Lentz's method. */
#include <math.h>

#include "statistics/statistics.h"

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
