/* Rows of arcs that will be a graph. The arcs of a row come in any order; they are sorted and merged here. Shared by
 * build.c, which works in memory, and spill.c, which works through files. */
#ifndef GPRI_ROWS_H
#define GPRI_ROWS_H

#include "graph/arcs.h"
#include "graph/graph.h"

typedef struct gpri_rows {
    int64_t rows;           /* some rows of a graph that follow each other, or all */
    int64_t nodes;          /* of the graph; columns are below it */
    int64_t *rowptr;        /* (rows + 1) from 0 on */
    gpri_arcs at;           /* (rowptr[rows]) columns as graph/arcs.h has them; weights, or NULL */
    int64_t arcs, isolated; /* of gpri_rows_merge: arcs that are left, empty rows */
    gpri_arcs_found found;
} gpri_rows;

/* Room for columns and weights; and for what is kept of the directions. Free with gpri_arcs_free, also on failure. */
gpr_status gpri_arcs_alloc(gpr_ctx *ctx, gpri_arcs *at, int64_t arcs, bool weighted) GPRI_MUST_CHECK;
gpr_status gpri_arcs_alloc_sides(gpr_ctx *ctx, gpri_arcs *at, int64_t arcs) GPRI_MUST_CHECK;
void gpri_arcs_free(gpr_ctx *ctx, gpri_arcs *at);
/* Sorts the columns of every row and merges those that are equal, in place: rowptr and columns (now without the lowest
   bit) become those of a gpri_graph. A merged arc keeps the largest weight. */
gpr_status gpri_rows_merge(gpr_ctx *ctx, int threads, gpri_rows *rows) GPRI_MUST_CHECK;

#endif
