/* The order of scores, and the local cluster: the prefix of that order with the lowest conductance. */
#include <math.h>
#include <stdlib.h>

#include "spectral/rank.h"

static bool before(const gpri_ranked *a, const gpri_ranked *b) {
    return a->value > b->value || (a->value == b->value && a->node < b->node);
}

static int compare(const void *a, const void *b) { return before(a, b) ? -1 : before(b, a); }

/* By descending value, equal ones by node. */
static void sort(gpri_ranked *entries, int64_t count) {
    if (count > 1) qsort(entries, (size_t)count, sizeof *entries, compare);
}

/* Moves the entry at `at` of a heap down to its place; the last in the order is at the top. */
static void sink(gpri_ranked *heap, int64_t count, int64_t at) {
    for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && before(&heap[child], &heap[child + 1])) child++;
        if (!before(&heap[at], &heap[child])) return;
        const gpri_ranked entry = heap[at];
        heap[at] = heap[child];
        heap[child] = entry;
        at = child;
    }
}

int64_t gpri_rank_first(gpri_ranked *entries, int64_t count, int64_t most) {
    const int64_t kept = count < most ? count : most;
    for (int64_t i = kept / 2 - 1; i >= 0; i--) sink(entries, kept, i);
    for (int64_t i = kept; kept > 0 && i < count; i++) {
        if (!before(&entries[i], &entries[0])) continue;
        entries[0] = entries[i];
        sink(entries, kept, 0);
    }
    sort(entries, kept);
    return kept;
}

gpr_status gpri_rank_sweep(gpr_ctx *ctx, gpri_cluster *out, const gpri_walk *walk, const double *q, int64_t most) {
    gpr_status status = GPR_OK;
    const gpri_graph *graph = walk->graph;
    gpri_ranked *order = NULL; /* (count) */
    uint8_t *inside = NULL;    /* (nodes) */
    int64_t count = 0, *nodes = NULL;
    double volume = 0, cut = 0;
    *out = (gpri_cluster){.conductance = NAN};
    for (int64_t i = 0; i < graph->nodes; i++) count += q[i] > 0;
    TRY(gpri_alloc(ctx, &order, count, sizeof *order, "order of nodes"));
    TRY(gpri_calloc(ctx, &inside, graph->nodes, sizeof *inside, "cluster"));
    count = 0;
    for (int64_t i = 0; i < graph->nodes; i++)
        if (q[i] > 0 && graph->rowptr[i] < graph->rowptr[i + 1]) order[count++] = (gpri_ranked){q[i], i};
    if (most > 0) count = gpri_rank_first(order, count, most);
    else sort(order, count);
    for (int64_t i = 0; i < count; i++) {
        const int64_t node = order[i].node;
        double within = 0; /* weight of the edges to nodes of the cluster */
        for (int64_t k = graph->rowptr[node]; k < graph->rowptr[node + 1]; k++)
            if (inside[graph->column[k]]) within += graph->weight ? (double)graph->weight[k] : 1;
        inside[node] = 1;
        volume += walk->degree[node];
        cut += walk->degree[node] - 2 * within;
        if (volume > walk->volume / 2) break;
        const double leaving = cut > 1e-12 * volume ? cut : 0; /* less is rounding */
        if (out->size > 0 && !(leaving / volume < out->conductance)) continue;
        *out = (gpri_cluster){.size = i + 1, .volume = volume, .cut = leaving, .conductance = leaving / volume};
    }
    TRY(gpri_alloc(ctx, &nodes, out->size, sizeof *nodes, "cluster"));
    for (int64_t i = 0; i < out->size; i++) nodes[i] = order[i].node;
    out->nodes = nodes;
done:
    gpri_free_all(ctx, order, inside);
    return status;
}
