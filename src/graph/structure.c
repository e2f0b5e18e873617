/* Measures of the graph without labels: degrees and connected components. Time proportional to nodes + edges. */
#include "dist/group.h"
#include "graph/graph.h"

static int64_t degree_of(const gpri_graph *graph, int64_t i) { return graph->rowptr[i + 1] - graph->rowptr[i]; }

/* The k-th smallest degree, k from 0. histogram: (max + 1) nodes of each degree. */
static int64_t ranked_degree(const int64_t *histogram, int64_t k) {
    int64_t degree = 0;
    for (int64_t below = histogram[0]; below <= k; below += histogram[degree]) degree++;
    return degree;
}

gpr_status gpri_graph_degrees(gpr_ctx *ctx, gpri_degrees *out, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    const int64_t N = graph->nodes;
    int64_t *histogram = NULL; /* (max + 1); degrees are below N, so it is no longer than the graph */
    *out = (gpri_degrees){.min = N, .mean = (double)graph->arcs / (double)N};
    for (int64_t i = 0; i < N; i++) {
        int64_t degree = degree_of(graph, i);
        if (degree < out->min) out->min = degree;
        if (degree > out->max) out->max = degree;
    }
    TRY(gpri_calloc(ctx, &histogram, out->max + 1, sizeof *histogram, "degrees"));
    for (int64_t i = 0; i < N; i++) histogram[degree_of(graph, i)]++;
    /* for an even number, the mean of the two in the middle */
    out->median = 0.5 * (double)(ranked_degree(histogram, (N - 1) / 2) + ranked_degree(histogram, N / 2));
done:
    gpri_free(ctx, histogram);
    return status;
}

/* Breadth-first search: a component is the range of the queue that is reached from its first node. */
gpr_status gpri_graph_components(gpr_ctx *ctx, int64_t *count, int64_t *largest, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    uint8_t *seen = NULL;  /* (nodes) */
    int32_t *queue = NULL; /* (nodes) */
    int64_t end = 0;
    *count = *largest = 0;
    TRY(gpri_calloc(ctx, &seen, graph->nodes, sizeof *seen, "components"));
    TRY(gpri_alloc(ctx, &queue, graph->nodes, sizeof *queue, "components"));
    for (int64_t root = 0; root < graph->nodes; root++) {
        if (seen[root]) continue;
        const int64_t begin = end;
        seen[root] = 1;
        queue[end++] = (int32_t)root;
        for (int64_t next = begin; next < end; next++) {
            const int32_t node = queue[next];
            for (int64_t k = graph->rowptr[node]; k < graph->rowptr[node + 1]; k++) {
                const int32_t neighbour = graph->column[k];
                if (seen[neighbour]) continue;
                seen[neighbour] = 1;
                queue[end++] = neighbour;
            }
        }
        ++*count;
        if (end - begin > *largest) *largest = end - begin;
    }
done:
    gpri_free(ctx, seen);
    gpri_free(ctx, queue);
    return status;
}

/* ---- components of a graph whose rows several processes have ---- */

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

/* Every process joins the ends of its own edges; what it has joined, process 0 joins too, some nodes at a time. */
gpr_status gpri_graph_components_together(gpr_ctx *ctx, gpri_group *group, int64_t *count, int64_t *largest,
                                          const gpri_graph *graph, gpri_range rows) {
    enum { SOME = 4096 };
    int32_t some[SOME], *to = NULL; /* (nodes) */
    const int64_t N = graph->nodes;
    gpr_status status = GPR_OK;
    *count = *largest = 0;
    TRY(gpri_group_all_well(group, gpri_alloc(ctx, &to, N, sizeof *to, "components")));
    for (int64_t i = 0; i < N; i++) to[i] = -1;
    for (int64_t i = rows.first; i < rows.end; i++)
        for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) join(to, (int32_t)i, graph->column[k]);
    for (int64_t first = 0; first < N; first += SOME) {
        const int64_t here = N - first < SOME ? N - first : SOME, bytes = here * (int64_t)sizeof *to;
        if (group->rank > 0) group->send(group, to + first, bytes, 0);
        for (int64_t p = 1; group->rank == 0 && p < group->size; p++) {
            group->receive(group, some, bytes, p);
            for (int64_t i = 0; i < here; i++)
                if (some[i] >= 0) join(to, (int32_t)(first + i), some[i]);
        }
    }
    for (int64_t i = 0; i < N; i++) {
        if (to[i] >= 0) continue;
        ++*count;
        if (-(int64_t)to[i] > *largest) *largest = -(int64_t)to[i];
    }
done:
    gpri_free(ctx, to);
    return status;
}
