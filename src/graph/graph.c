/* What is computed from a finished graph: scalings by degree, and reverse arcs. */
#include "graph/graph.h"

#include <math.h>

void gpri_graph_free(gpr_ctx *ctx, gpri_graph *graph) {
    gpri_free(ctx, graph->rowptr);
    gpri_free(ctx, graph->column);
    gpri_free(ctx, graph->weight);
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
        scale[i] = divisor > 0 ? 1 / divisor : 0;
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
