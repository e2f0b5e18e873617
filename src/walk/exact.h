/* Products with A~ = S (A + I) S, S = D^-1/2, or with another matrix of a filter (walk/operator.h), in double
 * precision: for what is computed about a graph, not trained on it. */
#ifndef GPRI_EXACT_H
#define GPRI_EXACT_H

#include "graph/components.h"
#include "walk/basis.h"

typedef struct gpri_exact {
    gpr_ctx *ctx;
    const gpri_graph *graph, *turned; /* A by rows, and its transpose; must outlive it */
    double *scale, *right; /* (nodes) of the matrix scale (A + loop I) right; where it is symmetric the same */
    double *squared;       /* (nodes) their product */
    double loop;
} gpri_exact;

/* A~. */
gpr_status gpri_exact_new(gpr_ctx *ctx, gpri_exact *out, const gpri_graph *graph) GPRI_MUST_CHECK;
/* The matrix of a filter: undirected where turned is graph, with loops or without; else along the arcs of `graph`,
   whose transpose is `turned`. */
gpr_status gpri_exact_of(gpr_ctx *ctx, gpri_exact *out, const gpri_graph *graph, const gpri_graph *turned,
                         bool loops) GPRI_MUST_CHECK;
void gpri_exact_free(gpri_exact *walk);

/* y = A~ x, or the matrix in its place; x, y: (nodes x width), row after row, not the same. */
void gpri_exact_step(const gpri_exact *walk, double *y, const double *x, int64_t width);
/* A step of the recurrence of a basis (walk/basis.h): y = a A~ x + b x - c y. */
void gpri_exact_next(const gpri_exact *walk, double *y, const double *x, int64_t width, gpri_recurrence rule);
/* A step of a Chebyshev recurrence on vectors scaled by S: y = a S^2 (A + I) x - c y. It reads one number per
   neighbour and column, where gpri_exact_step reads the neighbour's scale too. */
void gpri_exact_scaled(const gpri_exact *walk, double *y, const double *x, int64_t width, double a, double c);

/* What A~^k x becomes for large k (the paper's Lemma on over-smoothing): in each component pi beta^T, with pi_i =
   sqrt(D_ii / sum_v D_vv) and beta^T = pi^T x over the nodes of the component. y may be x. */
void gpri_exact_limit(const gpri_exact *walk, const gpri_components *components, double *y, const double *x,
                      int64_t width);

/* The sum of the squares of `count` numbers. */
double gpri_sum_of_squares(const double *x, int64_t count);

/* ---- row i of P_k(A~) for k = 0, 1, ...: walk/row.c ---- */

/* Of powers: sparse from the node outwards, dense once it has reached a large part of the graph. Which of the two
   depends on the graph alone, and so do the bits. Of other polynomials: dense. */
typedef struct gpri_walk_row {
    gpri_exact steps;
    const gpri_basis *basis;
    double *at, *next;     /* (nodes) the row, and memory for the one after it: 0 unless dense, then the one before */
    int32_t *list, *spare; /* (nodes) where the row is not 0, if not dense */
    int64_t count;         /* of list */
    int64_t done;          /* dense steps of the basis */
    bool dense;
} gpri_walk_row;

/* Takes the steps, also where it fails; basis must outlive it. Free it in any case. */
gpr_status gpri_walk_row_new(gpri_walk_row *row, gpri_exact *steps, const gpri_basis *basis) GPRI_MUST_CHECK;
void gpri_walk_row_free(gpri_walk_row *row);
/* k = 0: the unit vector of the node. */
void gpri_walk_row_begin(gpri_walk_row *row, int64_t node);
/* From k to k + 1. */
void gpri_walk_row_step(gpri_walk_row *row);

#endif
