/* Sorting and merging the rows of a graph on many threads. */
#include "graph/rows.h"

#include <string.h>

#include "base/thread.h"
#include "graph/arcs.h"

enum { SORTED = 1 << 13 }; /* rows in a chunk */

/* A chunk of rows. */
typedef struct row_chunk {
    int64_t begin, arcs;          /* where its rows begin before merging; arcs left after it */
    int64_t duplicates, isolated, mutual; /* how many */
} row_chunk;

typedef struct merging {
    const gpri_rows *rows;
    row_chunk *found; /* (chunks) */
} merging;

/* Sorts and merges the rows of a chunk, and moves them together at the start of the first. */
static void merge_chunk(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const merging *merge = arg;
    const gpri_rows *rows = merge->rows;
    row_chunk *own = &merge->found[chunk];
    const gpri_range range = gpri_chunk_of(chunk, SORTED, rows->rows);
    int64_t from = own->begin, to = own->begin;
    for (int64_t i = range.first; i < range.end; i++) {
        const int64_t count = rows->rowptr[i + 1] - from;
        uint32_t *row = rows->column + from;
        float *weight = rows->weight ? rows->weight + from : NULL;
        gpri_arcs_sort(row, weight, count, rows->nodes);
        const int64_t left = gpri_arcs_merge(rows->column + to, weight ? rows->weight + to : NULL, row, weight, count,
                                             &own->duplicates, &own->mutual);
        own->isolated += left == 0;
        from += count;
        to += left;
        rows->rowptr[i + 1] = to;
    }
    own->arcs = to - own->begin;
}

gpr_status gpri_rows_merge(gpr_ctx *ctx, int threads, gpri_rows *rows) {
    const int64_t chunks = gpri_chunk_count(rows->rows, SORTED);
    merging merge = {.rows = rows};
    NEED(gpri_calloc(ctx, &merge.found, chunks, sizeof *merge.found, "graph rows"));
    for (int64_t chunk = 0; chunk < chunks; chunk++) merge.found[chunk].begin = rows->rowptr[chunk * SORTED];
    gpri_parallel(ctx, threads, chunks, merge_chunk, &merge);
    rows->arcs = rows->duplicates = rows->isolated = rows->mutual = 0;
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const row_chunk *own = &merge.found[chunk];
        const gpri_range range = gpri_chunk_of(chunk, SORTED, rows->rows);
        const int64_t gap = own->begin - rows->arcs;
        if (gap > 0) {
            memmove(rows->column + rows->arcs, rows->column + own->begin, (size_t)own->arcs * sizeof *rows->column);
            if (rows->weight)
                memmove(rows->weight + rows->arcs, rows->weight + own->begin, (size_t)own->arcs * sizeof *rows->weight);
            for (int64_t i = range.first; i < range.end; i++) rows->rowptr[i + 1] -= gap;
        }
        rows->arcs += own->arcs;
        rows->duplicates += own->duplicates;
        rows->isolated += own->isolated;
        rows->mutual += own->mutual;
    }
    gpri_free(ctx, merge.found);
    return GPR_OK;
}
