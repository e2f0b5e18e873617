/* An undirected graph as CSR, immutable once built.
 *
 * Every edge is stored in both directions, columns ascending within a row, no duplicates, no self loops: the
 * normalisation adds one loop per node. D^-1/2 factors out of A~ = D^-1/2 (A + I) D^-1/2 into row scalings,
 * so an edge is one 4-byte column index. */
#ifndef GPRI_GRAPH_H
#define GPRI_GRAPH_H

#include "base/context.h"

typedef struct gpri_graph {
    int64_t nodes;
    int64_t arcs;    /* stored entries: twice the undirected edges */
    int64_t *rowptr; /* (nodes + 1) */
    int32_t *column; /* (arcs) */
    float *weight;   /* (arcs), or NULL: all 1 */
    int64_t self_loops, duplicates, isolated; /* found in the input; isolated: no neighbour but itself */
} gpri_graph;

/* From edges in either or both directions; src, dst: (edges). weights: (edges) positive and finite, or NULL; of merged
   duplicates (and of the two directions of an edge) the largest counts. An arc given in both directions is not
   a duplicate; the same ordered pair again is. Fails with the place of the first bad edge.
   Time and memory proportional to nodes + edges. On failure *graph is zeroed. */
gpr_status gpri_graph_build(gpr_ctx *ctx, gpri_graph *graph, int64_t nodes, int64_t edges, const int64_t *src,
                            const int64_t *dst, const float *weights) GPRI_MUST_CHECK;
void gpri_graph_free(gpr_ctx *ctx, gpri_graph *graph);

/* scale[i] = 1 / sqrt(1 + sum of weights of row i): the diagonal of D^-1/2 of A + I. */
void gpri_graph_scale(const gpri_graph *graph, double *scale);

/* Measures over labelled nodes (labels: (nodes), -1 for none). NaN where nothing can be measured. */
double gpri_node_homophily(const gpri_graph *graph, const int32_t *labels);
double gpri_edge_homophily(const gpri_graph *graph, const int32_t *labels);

#endif
