/* A~^hops X of the rows of this process. */
#ifndef GPRI_SMOOTH_ROWS_H
#define GPRI_SMOOTH_ROWS_H

#include "graph/graph.h"
#include "tensor/features.h"

/* gpri_features_smooth where rows are dealt out: x has the rows of this process, and so has what it becomes. All
   processes must call it; all fail if one does. */
gpr_status gpri_features_smooth_rows(gpr_ctx *ctx, gpri_features *x, const gpri_graph *graph,
                                     int64_t hops) GPRI_MUST_CHECK;

#endif
