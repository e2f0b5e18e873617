/* The directed arcs of a graph's relations, by rows: made once for all filters that go along or against them. */
#ifndef GPRI_SIDES_H
#define GPRI_SIDES_H

#include "graph/graph.h"

typedef struct gpri_sided {
    gpri_graph along, against; /* each the transpose of the other */
} gpri_sided;

typedef struct gpri_sides {
    int64_t count;  /* relations */
    gpri_sided *of; /* (count) zeroed where it is not wanted */
} gpri_sides;

/* wanted: (relations of the graph). */
gpr_status gpri_sides_new(gpr_ctx *ctx, gpri_sides **out, const gpri_graph *graph, const bool *wanted) GPRI_MUST_CHECK;
void gpri_sides_free(gpr_ctx *ctx, gpri_sides *sides); /* NULL is fine */

#endif
