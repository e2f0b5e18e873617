/* The degrees of a graph. */
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
