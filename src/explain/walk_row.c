/* Steps of a row of A~^k. A~ is symmetric, so the row may be pushed to the neighbours or gathered from them. */
#include "explain/walk_row.h"

#include <string.h>

#include "base/thread.h"

enum { ROWS = 4096 }; /* of a chunk of a dense step */

gpr_status gpri_walk_row_new(gpr_ctx *ctx, gpri_walk_row *row, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    const int64_t nodes = graph->nodes;
    *row = (gpri_walk_row){.ctx = ctx, .graph = graph, .dense = true};
    TRY(gpri_alloc(ctx, &row->scale, nodes, sizeof *row->scale, "walks"));
    TRY(gpri_alloc(ctx, &row->at, nodes, sizeof *row->at, "walks"));
    TRY(gpri_alloc(ctx, &row->next, nodes, sizeof *row->next, "walks"));
    TRY(gpri_alloc(ctx, &row->list, nodes, sizeof *row->list, "walks"));
    TRY(gpri_alloc(ctx, &row->spare, nodes, sizeof *row->spare, "walks"));
    gpri_graph_scale(graph, GPRI_SCALE_LOOPED, row->scale);
done:
    return status;
}

void gpri_walk_row_free(gpri_walk_row *row) {
    if (!row->ctx) return;
    gpri_free(row->ctx, row->scale);
    gpri_free(row->ctx, row->at);
    gpri_free(row->ctx, row->next);
    gpri_free(row->ctx, row->list);
    gpri_free(row->ctx, row->spare);
    *row = (gpri_walk_row){.ctx = NULL};
}

void gpri_walk_row_begin(gpri_walk_row *row, int64_t node) {
    const size_t bytes = (size_t)row->graph->nodes * sizeof *row->at;
    memset(row->at, 0, bytes);
    memset(row->next, 0, bytes);
    row->at[node] = 1;
    row->list[0] = (int32_t)node;
    row->count = 1;
    row->dense = false;
}

/* The node gets a part of the next row. A part that is 0 (an underflow) is none: so no node is listed twice. */
static void give(gpri_walk_row *row, int32_t node, double value, int64_t *count) {
    if (value == 0) return;
    if (row->next[node] == 0) row->spare[(*count)++] = node;
    row->next[node] += value;
}

static void push(gpri_walk_row *row) {
    const gpri_graph *graph = row->graph;
    int64_t count = 0;
    for (int64_t k = 0; k < row->count; k++) {
        const int32_t from = row->list[k];
        const double value = row->at[from] * row->scale[from];
        row->at[from] = 0; /* it becomes the next row's memory */
        give(row, from, value * row->scale[from], &count);
        for (int64_t a = graph->rowptr[from]; a < graph->rowptr[from + 1]; a++) {
            const int32_t to = graph->column[a];
            give(row, to, value * (graph->weight ? (double)graph->weight[a] : 1) * row->scale[to], &count);
        }
    }
    int32_t *list = row->list;
    row->list = row->spare;
    row->spare = list;
    row->count = count;
}

static void gather_chunk(void *arg, int64_t chunk, int slot) {
    const gpri_walk_row *row = arg;
    const gpri_graph *graph = row->graph;
    const int64_t first = chunk * ROWS, end = first + ROWS < graph->nodes ? first + ROWS : graph->nodes;
    (void)slot;
    for (int64_t i = first; i < end; i++) {
        double sum = row->scale[i] * row->at[i];
        for (int64_t a = graph->rowptr[i]; a < graph->rowptr[i + 1]; a++) {
            const int32_t j = graph->column[a];
            sum += (graph->weight ? (double)graph->weight[a] : 1) * row->scale[j] * row->at[j];
        }
        row->next[i] = row->scale[i] * sum;
    }
}

/* Pushing touches memory at random, so it pays while its arcs are few. */
static bool is_wide(const gpri_walk_row *row) {
    const int64_t most = (row->graph->arcs + row->graph->nodes) / 4;
    int64_t work = 0;
    for (int64_t k = 0; k < row->count && work <= most; k++)
        work += 1 + row->graph->rowptr[row->list[k] + 1] - row->graph->rowptr[row->list[k]];
    return work > most;
}

void gpri_walk_row_step(gpri_walk_row *row) {
    row->dense = row->dense || is_wide(row);
    if (row->dense)
        gpri_parallel(row->ctx, row->ctx->threads, gpri_chunk_count(row->graph->nodes, ROWS), gather_chunk, row);
    else push(row);
    double *next = row->next;
    row->next = row->at;
    row->at = next;
}
