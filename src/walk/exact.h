/* Products with A~ = S (A + I) S, S = D^-1/2, in double precision: for what is computed about a graph, not trained on
 * it. */
#ifndef GPRI_EXACT_H
#define GPRI_EXACT_H

#include "graph/components.h"

typedef struct gpri_exact {
    gpr_ctx *ctx;
    const gpri_graph *graph; /* must outlive it */
    double *scale;           /* (nodes) S */
    double *squared;         /* (nodes) S^2 */
} gpri_exact;

gpr_status gpri_exact_new(gpr_ctx *ctx, gpri_exact *out, const gpri_graph *graph) GPRI_MUST_CHECK;
void gpri_exact_free(gpri_exact *walk);

/* y = A~ x; x, y: (nodes x width), row after row, not the same. */
void gpri_exact_step(const gpri_exact *walk, double *y, const double *x, int64_t width);
/* A step of a Chebyshev recurrence on vectors scaled by S: y = a S^2 (A + I) x - c y. It reads one number per
   neighbour and column, where gpri_exact_step reads the neighbour's scale too. */
void gpri_exact_scaled(const gpri_exact *walk, double *y, const double *x, int64_t width, double a, double c);

/* What A~^k x becomes for large k (the paper's Lemma on over-smoothing): in each component pi beta^T, with pi_i =
   sqrt(D_ii / sum_v D_vv) and beta^T = pi^T x over the nodes of the component. y may be x. */
void gpri_exact_limit(const gpri_exact *walk, const gpri_components *components, double *y, const double *x,
                      int64_t width);

/* The sum of the squares of `count` numbers. */
double gpri_sum_of_squares(const double *x, int64_t count);

/* ---- row i of A~^k for k = 0, 1, ...: walk/row.c ---- */

/* Sparse from the node outwards, dense once it has reached a large part of the graph. Which of the two depends on the
   graph alone, and so do the bits. */
typedef struct gpri_walk_row {
    gpri_exact steps;
    double *at, *next;     /* (nodes) the row, and the one after it; next is 0 unless dense */
    int32_t *list, *spare; /* (nodes) where the row is not 0, if not dense */
    int64_t count;         /* of list */
    bool dense;
} gpri_walk_row;

/* Free it in any case. */
gpr_status gpri_walk_row_new(gpr_ctx *ctx, gpri_walk_row *row, const gpri_graph *graph) GPRI_MUST_CHECK;
void gpri_walk_row_free(gpri_walk_row *row);
/* k = 0: the unit vector of the node. */
void gpri_walk_row_begin(gpri_walk_row *row, int64_t node);
/* From k to k + 1. */
void gpri_walk_row_step(gpri_walk_row *row);

#endif
