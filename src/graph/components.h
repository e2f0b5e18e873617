/* The connected components of a graph. */
#ifndef GPRI_COMPONENTS_H
#define GPRI_COMPONENTS_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct gpri_components {
    int64_t count;
    int32_t *order; /* (nodes) all nodes, component after component */
    int64_t *start; /* (count + 1) component c has order[start[c]] .. order[start[c + 1] - 1] */
} gpri_components;

gpr_status gpri_components_find(gpr_ctx *ctx, gpri_components *out, const gpri_graph *graph) GPRI_MUST_CHECK;
void gpri_components_free(gpr_ctx *ctx, gpri_components *components);

/* How many there are, and how many nodes the largest has. together: its processes have some rows each, and process 0
   gets the counts; NULL: this one has all. */
gpr_status gpri_components_count(gpr_ctx *ctx, const gpr_ctx *together, int64_t *count, int64_t *largest,
                                 const gpri_graph *graph, gpri_range rows) GPRI_MUST_CHECK;

#endif
