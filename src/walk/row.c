/* Steps of a row of A~^k, or of another polynomial of another matrix. A row may be pushed along the arcs of its nodes,
 * or gathered by the transpose. */
#include "walk/exact.h"

#include <string.h>

gpr_status gpri_walk_row_new(gpri_walk_row *row, gpri_exact *steps, const gpri_basis *basis) {
    gpr_ctx *ctx = steps->ctx;
    const int64_t nodes = steps->graph->nodes;
    *row = (gpri_walk_row){.steps = *steps, .basis = basis, .dense = true};
    *steps = (gpri_exact){0};
    NEED(gpri_alloc(ctx, &row->at, nodes, sizeof *row->at, "walks"));
    NEED(gpri_alloc(ctx, &row->next, nodes, sizeof *row->next, "walks"));
    NEED(gpri_alloc(ctx, &row->list, nodes, sizeof *row->list, "walks"));
    return gpri_alloc(ctx, &row->spare, nodes, sizeof *row->spare, "walks");
}

void gpri_walk_row_free(gpri_walk_row *row) {
    gpr_ctx *ctx = row->steps.ctx;
    if (!ctx) return;
    gpri_free_all(ctx, row->at, row->next, row->list, row->spare);
    gpri_exact_free(&row->steps);
    *row = (gpri_walk_row){.dense = false};
}

void gpri_walk_row_begin(gpri_walk_row *row, int64_t node) {
    const size_t bytes = (size_t)row->steps.graph->nodes * sizeof *row->at;
    memset(row->at, 0, bytes);
    memset(row->next, 0, bytes);
    row->at[node] = 1;
    row->list[0] = (int32_t)node;
    row->count = 1;
    row->done = 0;
    row->dense = !gpri_basis_is_monomial(row->basis);
}

/* The node gets a part of the next row. A part that is 0 (an underflow) is none: so no node is listed twice. */
static void give(gpri_walk_row *row, int32_t node, double value, int64_t *count) {
    if (value == 0) return;
    if (row->next[node] == 0) row->spare[(*count)++] = node;
    row->next[node] += value;
}

static void push(gpri_walk_row *row) {
    const gpri_graph *graph = row->steps.graph;
    int64_t count = 0;
    for (int64_t k = 0; k < row->count; k++) {
        const int32_t from = row->list[k];
        const double value = row->at[from] * row->steps.scale[from];
        row->at[from] = 0; /* it becomes the next row's memory */
        give(row, from, row->steps.loop * value * row->steps.right[from], &count);
        for (int64_t a = graph->rowptr[from]; a < graph->rowptr[from + 1]; a++) {
            const int32_t to = graph->column[a];
            give(row, to, value * (graph->weight ? (double)graph->weight[a] : 1) * row->steps.right[to], &count);
        }
    }
    int32_t *list = row->list;
    row->list = row->spare;
    row->spare = list;
    row->count = count;
}

/* Pushing touches memory at random, so it pays while its arcs are few. */
static bool is_wide(const gpri_walk_row *row) {
    const int64_t most = (row->steps.graph->arcs + row->steps.graph->nodes) / 4;
    int64_t work = 0;
    for (int64_t k = 0; k < row->count && work <= most; k++)
        work += 1 + row->steps.graph->rowptr[row->list[k] + 1] - row->steps.graph->rowptr[row->list[k]];
    return work > most;
}

void gpri_walk_row_step(gpri_walk_row *row) {
    gpri_exact turned = row->steps;
    turned.graph = row->steps.turned;
    turned.scale = row->steps.right;
    turned.right = row->steps.scale;
    row->dense = row->dense || is_wide(row);
    if (row->dense) gpri_exact_next(&turned, row->next, row->at, 1, gpri_recurrence_of(row->basis, row->done++));
    else push(row);
    double *next = row->next;
    row->next = row->at;
    row->at = next;
}
