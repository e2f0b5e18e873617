/* Edges to CSR in linear time: two counting sorts, by column and then by row, then one pass that merges.
 *
 * Each edge (s, d) enters as the arcs s -> d and d -> s. Sorting by column first and stably by row after leaves the
 * columns ascending within every row. The second arc of an edge carries a tag bit, so that the merge can
 * tell "given in both directions" (fine) from "given twice" (a duplicate). Ids are below 2^31: the bit is free. */
#include "graph/graph.h"

#include <math.h>
#include <string.h>

#define REVERSED 0x80000000u

typedef struct edge_list {
    int64_t nodes, edges;
    const int64_t *src, *dst; /* (edges) */
    const float *weights;     /* (edges), or NULL */
} edge_list;

static gpr_status check_sizes(const edge_list *list) {
    if (list->nodes < 1 || list->nodes >= INT32_MAX)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the graph has %lld nodes: it must have from 1 to %d",
                         (long long)list->nodes, INT32_MAX - 1);
    if (list->edges < 0 || list->edges > INT64_MAX / 16)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the graph has %lld edges: a count from 0 on that fits the memory was expected",
                         (long long)list->edges);
    if (list->edges > 0 && (!list->src || !list->dst))
        return gpri_fail(GPR_ERROR_ARGUMENT, "%lld edges are announced, but src or dst is NULL",
                         (long long)list->edges);
    return GPR_OK;
}

/* Checks every edge; start[i + 1] becomes the number of arcs of row i (equal to that of column i). */
static gpr_status count_arcs(const edge_list *list, int64_t *start, int64_t *self_loops) {
    const uint64_t nodes = (uint64_t)list->nodes;
    for (int64_t e = 0; e < list->edges; e++) {
        int64_t s = list->src[e], d = list->dst[e];
        if ((uint64_t)s >= nodes || (uint64_t)d >= nodes) /* negative ones are huge as unsigned */
            return gpri_fail(GPR_ERROR_ARGUMENT, "edge %lld goes from node %lld to node %lld: ids must be in [0, %lld)",
                             (long long)e, (long long)s, (long long)d, (long long)list->nodes);
        if (list->weights && !(list->weights[e] > 0 && list->weights[e] < INFINITY))
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "edge %lld (%lld to %lld) has weight %g: weights must be positive and finite",
                             (long long)e, (long long)s, (long long)d, (double)list->weights[e]);
        if (s == d) {
            ++*self_loops;
            continue;
        }
        start[s + 1]++;
        start[d + 1]++;
    }
    return GPR_OK;
}

/* to: rows (with tags) grouped by column. next: (nodes) where the next arc of a column goes. */
static void sort_by_column(const edge_list *list, int64_t *next, uint32_t *to, float *to_weight) {
    for (int64_t e = 0; e < list->edges; e++) {
        int64_t s = list->src[e], d = list->dst[e];
        if (s == d) continue;
        int64_t forward = next[d]++, backward = next[s]++;
        to[forward] = (uint32_t)s;
        to[backward] = (uint32_t)d | REVERSED;
        if (to_weight) to_weight[forward] = to_weight[backward] = list->weights[e];
    }
}

/* from: rows grouped by column. to: columns (with tags) grouped by row, ascending. */
static void sort_by_row(int64_t nodes, const int64_t *start, int64_t *next, const uint32_t *from,
                        const float *from_weight, uint32_t *to, float *to_weight) {
    for (int64_t c = 0; c < nodes; c++)
        for (int64_t k = start[c]; k < start[c + 1]; k++) {
            uint32_t row = from[k] & ~REVERSED;
            int64_t place = next[row]++;
            to[place] = (uint32_t)c | (from[k] & REVERSED);
            if (to_weight) to_weight[place] = from_weight[k];
        }
}

/* Merges equal columns of each row in place, drops the tags, turns rowptr into that of the result. Of merged
   weights the largest stays. */
static void merge_rows(gpri_graph *graph, uint32_t *column, float *weight) {
    int64_t end = 0, begin = 0; /* of the result; of the row in the input */
    for (int64_t i = 0; i < graph->nodes; i++) {
        int64_t stop = graph->rowptr[i + 1];
        int64_t k = begin;
        while (k < stop) {
            uint32_t c = column[k] & ~REVERSED;
            float largest = weight ? weight[k] : 1.0f;
            int64_t given = 0; /* how often the input holds the ordered pair (i, c) */
            for (; k < stop && (column[k] & ~REVERSED) == c; k++) {
                given += !(column[k] & REVERSED);
                if (weight && weight[k] > largest) largest = weight[k];
            }
            if (given > 1) graph->duplicates += given - 1;
            column[end] = c;
            if (weight) weight[end] = largest;
            end++;
        }
        begin = stop;
        graph->rowptr[i + 1] = end;
        graph->isolated += end == graph->rowptr[i];
    }
    graph->arcs = end;
}

gpr_status gpri_graph_build(gpr_ctx *ctx, gpri_graph *graph, int64_t nodes, int64_t edges, const int64_t *src,
                            const int64_t *dst, const float *weights) {
    gpr_status status = GPR_OK;
    const edge_list list = {nodes, edges, src, dst, weights};
    int64_t *next = NULL;
    uint32_t *by_column = NULL, *by_row = NULL;
    float *column_weight = NULL, *row_weight = NULL;
    *graph = (gpri_graph){0};
    TRY(check_sizes(&list));
    graph->nodes = nodes;
    TRY(gpri_calloc(ctx, &graph->rowptr, nodes + 1, sizeof *graph->rowptr, "graph rows"));
    TRY(count_arcs(&list, graph->rowptr, &graph->self_loops));
    for (int64_t i = 0; i < nodes; i++) graph->rowptr[i + 1] += graph->rowptr[i];
    const int64_t raw = graph->rowptr[nodes]; /* arcs before merging */

    TRY(gpri_alloc(ctx, &next, nodes, sizeof *next, "graph rows"));
    TRY(gpri_alloc(ctx, &by_column, raw, sizeof *by_column, "graph edges"));
    TRY(gpri_alloc(ctx, &by_row, raw, sizeof *by_row, "graph edges"));
    if (weights) {
        TRY(gpri_alloc(ctx, &column_weight, raw, sizeof *column_weight, "edge weights"));
        TRY(gpri_alloc(ctx, &row_weight, raw, sizeof *row_weight, "edge weights"));
    }
    memcpy(next, graph->rowptr, (size_t)nodes * sizeof *next);
    sort_by_column(&list, next, by_column, column_weight);
    memcpy(next, graph->rowptr, (size_t)nodes * sizeof *next);
    sort_by_row(nodes, graph->rowptr, next, by_column, column_weight, by_row, row_weight);
    merge_rows(graph, by_row, row_weight);

    /* The scratch goes first: an input with both directions of each edge shrinks to half. */
    gpri_free(ctx, by_column);
    by_column = NULL;
    gpri_free(ctx, column_weight);
    column_weight = NULL;
    TRY(gpri_alloc(ctx, &graph->column, graph->arcs, sizeof *graph->column, "graph edges"));
    for (int64_t k = 0; k < graph->arcs; k++) graph->column[k] = (int32_t)by_row[k];
    if (weights) {
        TRY(gpri_alloc(ctx, &graph->weight, graph->arcs, sizeof *graph->weight, "edge weights"));
        memcpy(graph->weight, row_weight, (size_t)graph->arcs * sizeof *graph->weight);
    }
done:
    gpri_free(ctx, next);
    gpri_free(ctx, by_column);
    gpri_free(ctx, by_row);
    gpri_free(ctx, column_weight);
    gpri_free(ctx, row_weight);
    if (status != GPR_OK) gpri_graph_free(ctx, graph);
    return status;
}

void gpri_graph_free(gpr_ctx *ctx, gpri_graph *graph) {
    gpri_free(ctx, graph->rowptr);
    gpri_free(ctx, graph->column);
    gpri_free(ctx, graph->weight);
    *graph = (gpri_graph){0};
}

void gpri_graph_scale(const gpri_graph *graph, double *scale) {
    for (int64_t i = 0; i < graph->nodes; i++) {
        double degree = 1; /* the loop that the normalisation adds */
        if (graph->weight)
            for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) degree += (double)graph->weight[k];
        else degree += (double)(graph->rowptr[i + 1] - graph->rowptr[i]);
        scale[i] = 1 / sqrt(degree);
    }
}
