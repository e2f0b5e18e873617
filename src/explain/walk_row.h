/* Row i of A~^k for k = 0, 1, ...: A~ = S (A + I) S, S = D^-1/2. Sparse from the node outwards, dense once it has
 * reached a large part of the graph. Which of the two depends on the graph alone, and so do the bits. */
#ifndef GPRI_WALK_ROW_H
#define GPRI_WALK_ROW_H

#include "graph/graph.h"

typedef struct gpri_walk_row {
    gpr_ctx *ctx;
    const gpri_graph *graph;
    double *scale;         /* (nodes) */
    double *at, *next;     /* (nodes) the row, and the one after it; next is 0 unless dense */
    int32_t *list, *spare; /* (nodes) where the row is not 0, if not dense */
    int64_t count;         /* of list */
    bool dense;
} gpri_walk_row;

/* Free it in any case. */
gpr_status gpri_walk_row_new(gpr_ctx *ctx, gpri_walk_row *row, const gpri_graph *graph) GPRI_MUST_CHECK;
void gpri_walk_row_free(gpri_walk_row *row);
/* k = 0: the unit vector of the node. */
void gpri_walk_row_begin(gpri_walk_row *row, int64_t node);
/* From k to k + 1. */
void gpri_walk_row_step(gpri_walk_row *row);

#endif
