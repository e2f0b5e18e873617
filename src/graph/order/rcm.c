/* Reverse Cuthill-McKee (George and Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981): a
 * breadth-first search from a node at the border of its component, neighbours by ascending degree; then the whole order
 * is turned round. Time proportional to the arcs, but for sorting the neighbours of each node. */
#include <stdlib.h>

#include "graph/order/order.h"

enum { SEARCHES = 5 }; /* for a node at the border, at most */

typedef struct search {
    const gpri_graph *graph;
    int32_t *level;   /* (nodes) distance in the last search of the node's component, or -1 */
    uint64_t *sorted; /* (most neighbours of a node) */
} search;

gpr_status gpri_order_by_degree(gpr_ctx *ctx, int32_t *order, const gpri_graph *graph) {
    int64_t *start = NULL, most = 0;
    for (int64_t i = 0; i < graph->nodes; i++)
        if (gpri_degree(graph, i) > most) most = gpri_degree(graph, i);
    NEED(gpri_calloc(ctx, &start, most + 2, sizeof *start, "order of nodes"));
    for (int64_t i = 0; i < graph->nodes; i++) start[gpri_degree(graph, i) + 1]++;
    for (int64_t d = 0; d <= most; d++) start[d + 1] += start[d];
    for (int64_t i = 0; i < graph->nodes; i++) order[start[gpri_degree(graph, i)]++] = (int32_t)i;
    gpri_free(ctx, start);
    return GPR_OK;
}

/* gpri_graph_search of the component of `start`, the nodes of one parent by degree. */
static int64_t search_sorted(search *s, int32_t *queue, int32_t start) {
    const gpri_graph *graph = s->graph;
    int64_t end = 0;
    queue[end++] = start;
    s->level[start] = 0;
    for (int64_t next = 0; next < end; next++) {
        const int32_t node = queue[next], further = s->level[node] + 1;
        const int64_t first = end;
        for (int64_t k = graph->rowptr[node]; k < graph->rowptr[node + 1]; k++) {
            const int32_t other = graph->column[k];
            if (s->level[other] >= 0) continue;
            s->level[other] = further;
            queue[end++] = other;
        }
        for (int64_t k = first; k < end; k++)
            s->sorted[k - first] = (uint64_t)gpri_degree(graph, queue[k]) << 32 | (uint32_t)queue[k];
        qsort(s->sorted, (size_t)(end - first), sizeof *s->sorted, gpri_by_size);
        for (int64_t k = first; k < end; k++) queue[k] = (int32_t)(uint32_t)s->sorted[k - first];
    }
    return end;
}

static void forget(search *s, const int32_t *queue, int64_t count) {
    for (int64_t k = 0; k < count; k++) s->level[queue[k]] = -1;
}

/* Of the most distant nodes, one with few neighbours: from there the component is deeper, until it is not. */
static int32_t find_border(search *s, int32_t *queue, int32_t start) {
    int32_t depth = -1;
    for (int turn = 0; turn < SEARCHES; turn++) {
        const int64_t count = gpri_graph_search(s->graph, start, INT32_MAX, s->level, queue);
        const int32_t last = s->level[queue[count - 1]];
        int32_t best = queue[count - 1];
        for (int64_t k = count - 1; k >= 0 && s->level[queue[k]] == last; k--)
            if (gpri_degree(s->graph, queue[k]) <= gpri_degree(s->graph, best)) best = queue[k];
        forget(s, queue, count);
        if (last <= depth) break;
        depth = last;
        start = best;
    }
    return start;
}

gpr_status gpri_order_rcm(gpr_ctx *ctx, int32_t *order, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    const int64_t nodes = graph->nodes;
    search s = {.graph = graph};
    int32_t *starts = NULL; /* (nodes) */
    int64_t done = 0;
    TRY(gpri_alloc(ctx, &starts, nodes, sizeof *starts, "order of nodes"));
    TRY(gpri_alloc(ctx, &s.level, nodes, sizeof *s.level, "order of nodes"));
    TRY(gpri_order_by_degree(ctx, starts, graph));
    TRY(gpri_alloc(ctx, &s.sorted, gpri_degree(graph, starts[nodes - 1]) + 1, sizeof *s.sorted, "order of nodes"));
    for (int64_t i = 0; i < nodes; i++) s.level[i] = -1;
    for (int64_t i = 0; i < nodes; i++) {
        if (s.level[starts[i]] >= 0) continue;
        const int32_t start = find_border(&s, order + done, starts[i]);
        done += search_sorted(&s, order + done, start);
    }
    for (int64_t i = 0; i < nodes / 2; i++) {
        const int32_t kept = order[i];
        order[i] = order[nodes - 1 - i];
        order[nodes - 1 - i] = kept;
    }
done:
    gpri_free_all(ctx, starts, s.level, s.sorted);
    return status;
}
