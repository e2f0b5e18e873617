/* The degrees of the nodes around a node, ring by ring, as struc2vec compares them. */
#include "embed/struc2vec.h"

/* ---- Degrees -------------------------------------------------------------------------------------- */

/* Classes go up from the lowest degree. A new one begins where a degree is more than 1/16 above the class's first. */
gpr_status gpri_degree_classes_new(gpr_ctx *ctx, gpri_degree_classes *out, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    int64_t *histogram = NULL; /* (max + 1) nodes of each degree, then the class of each */
    gpri_degrees degrees;
    *out = (gpri_degree_classes){0};
    TRY(gpri_graph_degrees(ctx, &degrees, graph));
    TRY(gpri_calloc(ctx, &histogram, degrees.max + 1, sizeof *histogram, "degrees"));
    TRY(gpri_alloc(ctx, &out->of, graph->nodes, sizeof *out->of, "degrees"));
    TRY(gpri_alloc(ctx, &out->degree, degrees.max + 1, sizeof *out->degree, "degrees"));
    for (int64_t i = 0; i < graph->nodes; i++) histogram[gpri_degree(graph, i)]++;
    int64_t first = 0; /* degree + 1 of the present class */
    double nodes = 0, sum = 0;
    for (int64_t degree = 0; degree <= degrees.max; degree++) {
        if (histogram[degree] == 0) continue;
        if (first == 0 || 16 * (degree + 1) > 17 * first) {
            out->count++;
            first = degree + 1;
            nodes = sum = 0;
        }
        nodes += (double)histogram[degree];
        sum += (double)histogram[degree] * (double)(degree + 1);
        out->degree[out->count - 1] = (float)(sum / nodes);
        histogram[degree] = out->count - 1;
    }
    for (int64_t i = 0; i < graph->nodes; i++) out->of[i] = (int32_t)histogram[gpri_degree(graph, i)];
done:
    gpri_free(ctx, histogram);
    if (status < 0) gpri_degree_classes_free(ctx, out);
    return status;
}

void gpri_degree_classes_free(gpr_ctx *ctx, gpri_degree_classes *classes) {
    gpri_free_all(ctx, classes->of, classes->degree);
    *classes = (gpri_degree_classes){0};
}

/* ---- Rings ---------------------------------------------------------------------------------------- */

gpr_status gpri_degree_ring_search_new(gpr_ctx *ctx, gpri_degree_ring_search *out, const gpri_graph *graph,
                                       const gpri_degree_classes *classes) {
    *out = (gpri_degree_ring_search){.graph = graph, .classes = classes};
    NEED(gpri_alloc(ctx, &out->distance, graph->nodes, sizeof *out->distance, "rings of nodes"));
    NEED(gpri_alloc(ctx, &out->queue, graph->nodes, sizeof *out->queue, "rings of nodes"));
    NEED(gpri_calloc(ctx, &out->count, classes->count, sizeof *out->count, "rings of nodes"));
    for (int64_t i = 0; i < graph->nodes; i++) out->distance[i] = -1;
    return GPR_OK;
}

void gpri_degree_ring_search_free(gpr_ctx *ctx, gpri_degree_ring_search *search) {
    gpri_free_all(ctx, search->distance, search->queue, search->count);
    *search = (gpri_degree_ring_search){0};
}

/* Leaves `distance` and `count` as it found them. */
void gpri_degree_rings_around(gpri_degree_ring_search *search, gpri_degree_tally *tallies, int32_t *lengths,
                              int32_t node, int rings) {
    const gpri_degree_classes *classes = search->classes;
    int64_t found = gpri_graph_search(search->graph, node, rings - 1, search->distance, search->queue), next = 0;
    for (int k = 0; k < rings; k++) {
        gpri_degree_tally *ring = tallies + k * classes->count;
        int64_t lowest = classes->count, highest = -1;
        lengths[k] = 0;
        for (; next < found && search->distance[search->queue[next]] == k; next++) {
            int32_t class = classes->of[search->queue[next]];
            search->count[class]++;
            if (class < lowest) lowest = class;
            if (class > highest) highest = class;
        }
        for (int64_t c = lowest; c <= highest; c++) {
            if (search->count[c] == 0) continue;
            ring[lengths[k]++] = (gpri_degree_tally){classes->degree[c], (float)search->count[c]};
            search->count[c] = 0;
        }
    }
    for (int64_t i = 0; i < found; i++) search->distance[search->queue[i]] = -1;
}
