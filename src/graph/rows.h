/* Rows of arcs that will be a graph. The arcs of a row come in any order; they are sorted and merged here. Shared by
 * build.c, which works in memory, and spill.c, which works through files. */
#ifndef GPRI_ROWS_H
#define GPRI_ROWS_H

#include "graph/graph.h"

typedef struct gpri_rows {
    int64_t rows;                       /* some rows of a graph that follow each other, or all */
    int64_t nodes;                      /* of the graph; columns are below it */
    int64_t *rowptr;                    /* (rows + 1) from 0 on */
    uint32_t *column;                   /* (rowptr[rows]) as graph/arcs.h has them */
    float *weight;                      /* (rowptr[rows]), or NULL */
    int64_t arcs, duplicates, isolated; /* of gpri_rows_merge: arcs that are left, arcs given again, empty rows */
    int64_t mutual;                     /* and arcs whose edge was given in both directions */
} gpri_rows;

/* Sorts the columns of every row and merges those that are equal, in place: rowptr and column (now without the lowest
   bit) become those of a gpri_graph. A merged arc keeps the largest weight. */
gpr_status gpri_rows_merge(gpr_ctx *ctx, int threads, gpri_rows *rows) GPRI_MUST_CHECK;

#endif
