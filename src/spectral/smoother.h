/* Products with A~ = S (A + I) S, S = D^-1/2, in double precision, and its connected components: for what is computed
 * about a graph, not trained on it. */
#ifndef GPRI_SMOOTHER_H
#define GPRI_SMOOTHER_H

#include "graph/graph.h"

/* The connected components of a graph. */
typedef struct gpri_components {
    int64_t count;
    int32_t *order; /* (nodes) all nodes, component after component */
    int64_t *start; /* (count + 1) component c has order[start[c]] .. order[start[c + 1] - 1] */
} gpri_components;

gpr_status gpri_components_find(gpr_ctx *ctx, gpri_components *out, const gpri_graph *graph) GPRI_MUST_CHECK;
void gpri_components_free(gpr_ctx *ctx, gpri_components *components);

typedef struct gpri_smoother {
    gpr_ctx *ctx;
    const gpri_graph *graph; /* must outlive it */
    double *scale;           /* (nodes) S */
    double *squared;         /* (nodes) S^2 */
} gpri_smoother;

gpr_status gpri_smoother_new(gpr_ctx *ctx, gpri_smoother *out, const gpri_graph *graph) GPRI_MUST_CHECK;
void gpri_smoother_free(gpri_smoother *smoother);

/* y = A~ x; x, y: (nodes x width), row after row, not the same. */
void gpri_smooth(const gpri_smoother *smoother, double *y, const double *x, int64_t width);
/* A step of a Chebyshev recurrence on vectors scaled by S: y = a S^2 (A + I) x - c y. It reads one number per
   neighbour and column, where gpri_smooth reads the neighbour's scale too. */
void gpri_smooth_scaled(const gpri_smoother *smoother, double *y, const double *x, int64_t width, double a, double c);

/* What A~^k x becomes for large k (the paper's Lemma on over-smoothing): in each component pi beta^T, with pi_i =
   sqrt(D_ii / sum_v D_vv) and beta^T = pi^T x over the nodes of the component. y may be x. */
void gpri_smooth_limit(const gpri_smoother *smoother, const gpri_components *components, double *y, const double *x,
                       int64_t width);

/* The sum of the squares of `count` numbers. */
double gpri_sum_of_squares(const double *x, int64_t count);

#endif
