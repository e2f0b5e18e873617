/* The leading eigenvectors of a graph, as features of its nodes.
 *
 * The matrix is D_t^-1/2 A D_t^-1/2, where D_t has the degrees plus their mean t. Without t, every small component of
 * the graph would have an eigenvalue as large as the whole, and its vector would tell nothing of the other nodes. */
#ifndef GPRI_LEADING_H
#define GPRI_LEADING_H

#include "graph/graph.h"

#define GPRI_LEADING_MOST 512

/* out: (nodes x count), one row per node; each column has length 1, and its entry of the largest size is positive (the
   first of them). The eigenvalues fall from left to right. 1 <= count <= GPRI_LEADING_MOST, and at most the number of
   nodes. Block power iteration with Chebyshev polynomials: good to about three digits where eigenvalues lie close
   together. The bits do not depend on the number of threads. */
gpr_status gpri_leading_vectors(gpr_ctx *ctx, float *out, const gpri_graph *graph, int64_t count) GPRI_MUST_CHECK;

#endif
