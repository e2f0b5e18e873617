/* What the graph alone says about a node: its PageRank and its core number. */
#ifndef GPRI_STRUCTURE_H
#define GPRI_STRUCTURE_H

#include "graph/graph.h"

/* rank: (nodes) PageRank with damping 0.85 times the number of nodes, after 30 steps: the mean is 1. Weights of edges
   are ignored. */
gpr_status gpri_page_rank(gpr_ctx *ctx, double *rank, const gpri_graph *graph, int threads) GPRI_MUST_CHECK;
/* core: (nodes) the largest k for which the node is in a part of the graph where all have k neighbours. */
gpr_status gpri_core_numbers(gpr_ctx *ctx, int32_t *core, const gpri_graph *graph) GPRI_MUST_CHECK;

#endif
