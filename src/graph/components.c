/* Connected components: their nodes, by searching; only their number and sizes, by joining the ends of edges. */
#include "graph/components.h"

#include "dist/all.h"

gpr_status gpri_components_find(gpr_ctx *ctx, gpri_components *out, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    int32_t *distance = NULL; /* (nodes) -1: not reached so far */
    int64_t end = 0, capacity = 0;
    *out = (gpri_components){0};
    TRY(gpri_alloc(ctx, &out->order, graph->nodes, sizeof *out->order, "components"));
    TRY(gpri_alloc(ctx, &distance, graph->nodes, sizeof *distance, "components"));
    for (int64_t i = 0; i < graph->nodes; i++) distance[i] = -1;
    TRY(gpri_grow(ctx, &out->start, &capacity, 1, sizeof *out->start, "components"));
    out->start[0] = 0;
    for (int64_t root = 0; root < graph->nodes; root++) {
        if (distance[root] >= 0) continue;
        end += gpri_graph_search(graph, (int32_t)root, INT32_MAX, distance, out->order + end);
        TRY(gpri_grow(ctx, &out->start, &capacity, out->count + 2, sizeof *out->start, "components"));
        out->start[++out->count] = end;
    }
done:
    gpri_free(ctx, distance);
    if (status != GPR_OK) gpri_components_free(ctx, out);
    return status;
}

void gpri_components_free(gpr_ctx *ctx, gpri_components *components) {
    gpri_free_all(ctx, components->order, components->start);
    *components = (gpri_components){0};
}

/* ---- counted, also where several processes have the rows ---- */

/* to[i]: a node of the same component; for one node of each, its root, minus the number of its nodes so far. */
static int32_t root_of(int32_t *to, int32_t node) {
    while (to[node] >= 0) {
        const int32_t next = to[node];
        if (to[next] >= 0) to[node] = to[next]; /* shorter next time */
        node = next;
    }
    return node;
}

static void join(int32_t *to, int32_t a, int32_t b) {
    a = root_of(to, a);
    b = root_of(to, b);
    if (a == b) return;
    const int32_t large = to[a] <= to[b] ? a : b, small = large == a ? b : a;
    to[large] += to[small];
    to[small] = large;
}

/* What another process has joined. */
static void join_all(void *arg, int64_t first, const void *some, int64_t count) {
    const int32_t *others = some;
    for (int64_t i = 0; i < count; i++)
        if (others[i] >= 0) join(arg, (int32_t)(first + i), others[i]);
}

/* Every process joins the ends of its own edges; what it has joined, process 0 joins too. */
gpr_status gpri_components_count(gpr_ctx *ctx, const gpr_ctx *together, int64_t *count, int64_t *largest,
                                 const gpri_graph *graph, gpri_range rows) {
    int32_t *to = NULL; /* (nodes) */
    const int64_t N = graph->nodes;
    gpr_status status = GPR_OK;
    *count = *largest = 0;
    TRY(gpri_all_well(together, gpri_alloc(ctx, &to, N, sizeof *to, "components")));
    for (int64_t i = 0; i < N; i++) to[i] = -1;
    for (int64_t i = rows.first; i < rows.end; i++)
        for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) {
            const int32_t other = graph->column[k];
            if (other < i || other >= rows.end) join(to, (int32_t)i, other); /* else the other one's row has it */
        }
    gpri_first_merges(together, to, N, sizeof *to, join_all, to);
    for (int64_t i = 0; i < N; i++) {
        if (to[i] >= 0) continue;
        ++*count;
        if (-(int64_t)to[i] > *largest) *largest = -(int64_t)to[i];
    }
done:
    gpri_free(ctx, to);
    return status;
}
