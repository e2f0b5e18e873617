/* Sorting and merging the rows of a graph on many threads. */
#include "graph/rows.h"

#include <string.h>

#include "base/thread.h"
#include "graph/arcs.h"

enum { SORTED = 1 << 13 }; /* rows in a chunk */

/* A chunk of rows. */
typedef struct row_chunk {
    int64_t begin, arcs; /* where its rows begin before merging; arcs left after it */
    int64_t isolated;    /* rows */
    gpri_arcs_found found;
} row_chunk;

typedef struct merging {
    const gpri_rows *rows;
    row_chunk *found; /* (chunks) */
} merging;

static gpri_arcs arcs_from(const gpri_arcs *at, int64_t place) {
    return (gpri_arcs){at->column + place, at->weight ? at->weight + place : NULL, at->sides ? at->sides + place : NULL,
                       at->along ? at->along + place : NULL};
}

/* Sorts and merges the rows of a chunk, and moves them together at the start of the first. */
static void merge_chunk(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const merging *merge = arg;
    const gpri_rows *rows = merge->rows;
    row_chunk *own = &merge->found[chunk];
    const gpri_range range = gpri_chunk_of(chunk, SORTED, rows->rows);
    int64_t from = own->begin, to = own->begin;
    for (int64_t i = range.first; i < range.end; i++) {
        const int64_t count = rows->rowptr[i + 1] - from;
        const gpri_arcs row = arcs_from(&rows->at, from);
        gpri_arcs_sort(row.column, row.weight, count, rows->nodes);
        const int64_t left = gpri_arcs_merge(arcs_from(&rows->at, to), row.column, row.weight, count, &own->found);
        own->isolated += left == 0;
        from += count;
        to += left;
        rows->rowptr[i + 1] = to;
    }
    own->arcs = to - own->begin;
}

gpr_status gpri_arcs_alloc(gpr_ctx *ctx, gpri_arcs *at, int64_t arcs, bool weighted) {
    *at = (gpri_arcs){0};
    NEED(gpri_alloc(ctx, &at->column, arcs, sizeof *at->column, "graph edges"));
    if (weighted) NEED(gpri_alloc(ctx, &at->weight, arcs, sizeof *at->weight, "edge weights"));
    return GPR_OK;
}

gpr_status gpri_arcs_alloc_sides(gpr_ctx *ctx, gpri_arcs *at, int64_t arcs) {
    NEED(gpri_alloc(ctx, &at->sides, arcs, sizeof *at->sides, "directions of edges"));
    if (at->weight) NEED(gpri_alloc(ctx, &at->along, arcs, sizeof *at->along, "edge weights"));
    return GPR_OK;
}

void gpri_arcs_free(gpr_ctx *ctx, gpri_arcs *at) {
    gpri_free_all(ctx, at->column, at->weight, at->sides, at->along);
    *at = (gpri_arcs){0};
}

/* Moves the arcs of a chunk to the end of those before it. */
static void close_gap(const gpri_arcs *at, int64_t to, int64_t from, int64_t count) {
    memmove(at->column + to, at->column + from, (size_t)count * sizeof *at->column);
    if (at->weight) memmove(at->weight + to, at->weight + from, (size_t)count * sizeof *at->weight);
    if (at->sides) memmove(at->sides + to, at->sides + from, (size_t)count * sizeof *at->sides);
    if (at->along) memmove(at->along + to, at->along + from, (size_t)count * sizeof *at->along);
}

gpr_status gpri_rows_merge(gpr_ctx *ctx, int threads, gpri_rows *rows) {
    const int64_t chunks = gpri_chunk_count(rows->rows, SORTED);
    merging merge = {.rows = rows};
    NEED(gpri_calloc(ctx, &merge.found, chunks, sizeof *merge.found, "graph rows"));
    for (int64_t chunk = 0; chunk < chunks; chunk++) merge.found[chunk].begin = rows->rowptr[chunk * SORTED];
    gpri_parallel(ctx, threads, chunks, merge_chunk, &merge);
    rows->arcs = rows->isolated = 0;
    rows->found = (gpri_arcs_found){0};
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const row_chunk *own = &merge.found[chunk];
        const gpri_range range = gpri_chunk_of(chunk, SORTED, rows->rows);
        const int64_t gap = own->begin - rows->arcs;
        if (gap > 0) {
            close_gap(&rows->at, rows->arcs, own->begin, own->arcs);
            for (int64_t i = range.first; i < range.end; i++) rows->rowptr[i + 1] -= gap;
        }
        rows->arcs += own->arcs;
        rows->isolated += own->isolated;
        rows->found.duplicates += own->found.duplicates;
        rows->found.mutual += own->found.mutual;
        rows->found.one_sided += own->found.one_sided;
    }
    gpri_free(ctx, merge.found);
    return GPR_OK;
}
