/* The spectrum of a graph, and what a filter makes of it: the eigenvalues of A~ = D^-1/2 (A + I) D^-1/2, how many of
 * them lie where, and the response g(lambda) = sum_k gamma_k lambda^k.
 *
 * All eigenvalues lie in (-1, 1]; 1 is one of them, once for each connected component. */
#ifndef GPRI_DENSITY_H
#define GPRI_DENSITY_H

#include "graph/graph.h"

/* Share of the eigenvalues of A~ = D^-1/2 (A + I) D^-1/2 in each of `bins` equal bins of [-1, 1]; sums to 1. density:
   (bins). Of `count` known eigenvalues. */
void gpri_density_of_values(double *density, int bins, const double *values, int64_t count);
/* Or an estimate with the kernel polynomial method (Weisse et al. 2006), for any size, blurred over neighbouring bins.
   The bits do not depend on the number of threads. */
gpr_status gpri_density_estimate(gpr_ctx *ctx, const gpri_graph *graph, double *density, int bins) GPRI_MUST_CHECK;

/* g(lambda) = sum_k gamma_k lambda^k; gamma: (count). */
double gpri_response(const double *gamma, int64_t count, double lambda);
/* The same at `points` (2 or more) equal distances from -1 to 1; lambda, response: (points). */
void gpri_response_grid(double *lambda, double *response, int64_t points, const double *gamma, int64_t count);

#endif
