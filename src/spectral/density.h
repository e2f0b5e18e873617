/* The spectrum of a graph, and what a filter makes of it: the eigenvalues of A~ = D^-1/2 (A + I) D^-1/2, how many of
 * them lie where, and the response g(lambda) = sum_k gamma_k lambda^k, or with the polynomials of another basis in
 * place of lambda^k.
 *
 * All eigenvalues lie in (-1, 1]; 1 is one of them, once for each connected component. */
#ifndef GPRI_DENSITY_H
#define GPRI_DENSITY_H

#include "graph/graph.h"
#include "walk/basis.h"

/* Share of the eigenvalues of A~ = D^-1/2 (A + I) D^-1/2 in each of `bins` equal bins of [-1, 1]; sums to 1. density:
   (bins). Of `count` known eigenvalues. */
void gpri_density_of_values(double *density, int bins, const double *values, int64_t count);
/* Or an estimate with the kernel polynomial method (Weisse et al. 2006), for any size, blurred over neighbouring bins.
   The bits do not depend on the number of threads. */
gpr_status gpri_density_estimate(gpr_ctx *ctx, const gpri_graph *graph, double *density, int bins) GPRI_MUST_CHECK;

/* What a filter makes of an eigenvalue. */
typedef struct gpri_curve {
    const gpri_basis *basis; /* NULL: the monomials */
    const double *theta;     /* (count) before its polynomials */
    int64_t count;
} gpri_curve;
/* g(lambda). */
double gpri_response(const gpri_curve *g, double lambda);
/* The same at `points` (2 or more) equal distances from -1 to 1; lambda, response: (points). g NULL: lambda alone. */
void gpri_response_grid(double *lambda, double *response, int64_t points, const gpri_curve *g);

#endif
