/* Is a filter low-pass or high-pass? Both by the paper's definition, which compares |g(lambda_i)| with |g(lambda_1)|,
 * lambda_1 = 1, for all other eigenvalues. And which of its two signs do the filters of several runs have? */
#include <math.h>

#include "spectral/density.h"
#include "spectral/inspection.h"

gpr_filter_kind gpri_filter_kind_of(const gpri_curve *g, const double *lambda, const double *shares, int64_t count,
                                    double *damped) {
    const double first = fabs(gpri_response(g, 1));
    double below = 0, above = 0, all = 0;
    *damped = NAN;
    if (count == 0) return GPR_FILTER_NEITHER;
    for (int64_t i = 0; i < count; i++) {
        const double size = fabs(gpri_response(g, lambda[i])), share = shares ? shares[i] : 1;
        all += share;
        below += size < first ? share : 0;
        above += size > first ? share : 0;
    }
    *damped = below / all;
    return below == all ? GPR_FILTER_LOW_PASS : above == all ? GPR_FILTER_HIGH_PASS : GPR_FILTER_NEITHER;
}

gpr_filter_kind gpri_filter_kind_between(const gpri_curve *g, double low, double high, double *damped) {
    enum { POINTS = 2000 };
    double lambda[POINTS];
    for (int i = 0; i < POINTS; i++) lambda[i] = low + (high - low) * (i + 0.5) / POINTS;
    return gpri_filter_kind_of(g, lambda, NULL, POINTS, damped);
}

int64_t gpri_filters_turn(double *gammas, int64_t runs, int64_t count, const double *like) {
    int64_t turned = 0;
    for (int64_t r = 0; r < runs; r++) {
        double *gamma = gammas + r * count, product = 0;
        for (int64_t k = 0; k < count; k++) product += gamma[k] * like[k];
        if (!(product < 0)) continue;
        for (int64_t k = 0; k < count; k++) gamma[k] = -gamma[k];
        turned++;
    }
    return turned;
}
