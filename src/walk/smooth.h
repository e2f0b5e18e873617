/* Features that hold steps over the graph. */
#ifndef GPRI_SMOOTH_H
#define GPRI_SMOOTH_H

#include "graph/graph.h"
#include "tensor/features.h"

/* X becomes A~^hops X, dense. Where rows are dealt out to processes, x has the rows of this process, and so has what it
   becomes; all processes must call it, and all fail if one does. */
gpr_status gpri_features_smooth(gpr_ctx *ctx, gpri_features *x, const gpri_graph *graph, int64_t hops) GPRI_MUST_CHECK;

#endif
