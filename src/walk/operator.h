/* A matrix S of the graph whose polynomials a filter takes, and the parts that steps go by:
 *
 *     undirected     S = D^-1/2 (A + loop I) D^-1/2, D the degrees of A + loop I; it is symmetric
 *     along          S = D_out^-1/2 A D_in^-1/2, A_ij = 1 where the input has the arc i -> j
 *     against        its transpose
 *
 * A node without edges, or without arcs of a direction, has an empty row or column: its degree counts as 1. */
#ifndef GPRI_OPERATOR_H
#define GPRI_OPERATOR_H

#include "walk/walker.h"

typedef struct gpri_operator {
    gpri_graph forward, backward;         /* A by rows and its transpose, the arrays in the device's memory */
    const gpri_real *left, *right, *both; /* (nodes) of S = left A right, and left times right */
    gpri_real loop;
} gpri_operator;

/* Undirected, over the walker's own graph. */
gpr_status gpri_operator_plain(gpri_operator *out, gpri_walker *walker, bool loops) GPRI_MUST_CHECK;
/* Over another graph of the same nodes, which must outlive the walker. */
gpr_status gpri_operator_of(gpri_operator *out, gpri_walker *walker, const gpri_graph *graph,
                            bool loops) GPRI_MUST_CHECK;
/* Along the arcs of `forward`, whose transpose is `backward`. */
gpr_status gpri_operator_directed(gpri_operator *out, gpri_walker *walker, const gpri_graph *forward,
                                  const gpri_graph *backward) GPRI_MUST_CHECK;

/* A step of S on scaled vectors, of which the factors of arcs are left out: U = right u, u' = S u becomes U' = (left
   right) A U. `last`: the step that ends in plain numbers. back: of the transpose of S. */
gpri_step gpri_operator_step(const gpri_operator *s, bool back, bool last);
/* A step of S as it is. */
gpri_step gpri_operator_whole_step(const gpri_operator *s, bool back);

#endif
