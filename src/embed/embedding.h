/* Nodes as points of a plane, for Geom-GCN (Pei et al., ICLR 2020): nodes that are near in it need not be near in the
 * graph.
 *
 * An embedding is a function of the graph alone, not of the training's seed: all runs share it, and a prediction
 * computes the same one again. */
#ifndef GPRI_EMBEDDING_H
#define GPRI_EMBEDDING_H

#include "graph/graph.h"

typedef enum gpri_metric {
    GPRI_METRIC_EUCLIDEAN,
    GPRI_METRIC_POINCARE /* the hyperbolic plane as the unit disk */
} gpri_metric;

typedef struct gpri_point {
    double x, y;
} gpri_point;

typedef struct gpri_embedding {
    int64_t nodes;
    gpri_point *points; /* (nodes) */
    gpri_metric metric;
} gpri_embedding;

/* Isomap (Tenenbaum et al., 2000): distances in the plane approximate the shortest paths between nodes. The distance
   between components is one more than the longest path within one. With more than 4096 nodes it uses the distances to
   512 landmarks (de Silva and Tenenbaum, 2004): time grows with nodes + edges, memory with nodes. */
gpr_status gpri_embed_isomap(gpr_ctx *ctx, gpri_embedding *out, const gpri_graph *graph) GPRI_MUST_CHECK;

/* Poincaré embedding (Nickel and Kiela, 2017): points of the hyperbolic disk, neighbours nearer than others, by
   stochastic gradient descent. Time grows with edges. */
gpr_status gpri_embed_poincare(gpr_ctx *ctx, gpri_embedding *out, const gpri_graph *graph) GPRI_MUST_CHECK;

/* struc2vec (Ribeiro et al., 2017): nodes are near if the degrees around them are similar, connected or not. Time grows
   with nodes log nodes, plus one search around every node; the larger the graph, the shorter the search. */
gpr_status gpri_embed_struc2vec(gpr_ctx *ctx, gpri_embedding *out, const gpri_graph *graph) GPRI_MUST_CHECK;

/* Tells the context's progress callback how much is done, 0 to 1; GPR_ERROR_STOPPED if that asks to stop. */
gpr_status gpri_embedding_report(gpr_ctx *ctx, double share) GPRI_MUST_CHECK;

void gpri_embedding_free(gpr_ctx *ctx, gpri_embedding *embedding);

/* Symmetric to the last bit. */
double gpri_distance(gpri_metric metric, gpri_point a, gpri_point b);

#endif
