/* What is computed from a finished graph: degrees and scalings by them, reverse arcs, distances in steps. */
#include "graph/graph.h"

#include <math.h>

void gpri_graph_relations_free(gpr_ctx *ctx, gpri_relation *relations, int64_t count) {
    for (int64_t r = 0; relations && r < count; r++) {
        gpri_graph_free(ctx, &relations[r].graph);
        gpri_free(ctx, relations[r].name);
    }
    gpri_free(ctx, relations);
}

void gpri_graph_free(gpr_ctx *ctx, gpri_graph *graph) {
    gpri_graph_relations_free(ctx, graph->relations, graph->relation_count);
    gpri_free_all(ctx, graph->rowptr, graph->column, graph->weight, graph->sides, graph->along);
    *graph = (gpri_graph){0};
}

bool gpri_all_ones(const float *values, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        if (values[k] != 1) return false;
    return true;
}

void gpri_graph_scale(const gpri_graph *graph, gpri_scale which, double *scale) {
    for (int64_t i = 0; i < graph->nodes; i++) {
        double degree = which == GPRI_SCALE_LOOPED; /* the loop that the normalisation adds */
        if (graph->weight)
            for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) degree += (double)graph->weight[k];
        else degree += (double)(graph->rowptr[i + 1] - graph->rowptr[i]);
        double divisor = which == GPRI_SCALE_MEAN ? degree : sqrt(degree);
        scale[i] = divisor > 0 ? 1 / divisor : which == GPRI_SCALE_OPEN;
    }
}

/* Rows come in order, and the columns of a row ascend. So the t-th arc that leads to j comes from j's t-th neighbour.
 */
gpr_status gpri_graph_reverse(gpr_ctx *ctx, int32_t **out, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    int32_t *seen = NULL;
    TRY(gpri_alloc(ctx, out, graph->arcs, sizeof **out, "reverse arcs"));
    TRY(gpri_calloc(ctx, &seen, graph->nodes, sizeof *seen, "reverse arcs"));
    for (int64_t at = 0; at < graph->arcs; at++) (*out)[at] = seen[graph->column[at]]++;
done:
    gpri_free(ctx, seen);
    return status;
}

/* Breadth first. */
int64_t gpri_graph_search(const gpri_graph *graph, int32_t start, int32_t most, int32_t *distance, int32_t *queue) {
    int64_t end = 0;
    queue[end++] = start;
    distance[start] = 0;
    for (int64_t next = 0; next < end; next++) {
        const int32_t node = queue[next], further = distance[node] + 1;
        if (further > most) break;
        for (int64_t k = graph->rowptr[node]; k < graph->rowptr[node + 1]; k++) {
            const int32_t neighbour = graph->column[k];
            if (distance[neighbour] >= 0) continue;
            distance[neighbour] = further;
            queue[end++] = neighbour;
        }
    }
    return end;
}

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
        int64_t degree = gpri_degree(graph, i);
        if (degree < out->min) out->min = degree;
        if (degree > out->max) out->max = degree;
    }
    TRY(gpri_calloc(ctx, &histogram, out->max + 1, sizeof *histogram, "degrees"));
    for (int64_t i = 0; i < N; i++) histogram[gpri_degree(graph, i)]++;
    /* for an even number, the mean of the two in the middle */
    out->median = 0.5 * (double)(ranked_degree(histogram, (N - 1) / 2) + ranked_degree(histogram, N / 2));
done:
    gpri_free(ctx, histogram);
    return status;
}
