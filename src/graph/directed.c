/* The arcs of one direction of a graph, as a graph of their own. */
#include "graph/graph.h"

/* The weight of arc `at` of row i on the asked side; 0: there is none. back: of gpri_graph_reverse, or NULL. */
static float weight_of(const gpri_graph *graph, int64_t at, int side, const int32_t *back) {
    if (!graph->sides) return graph->weight ? graph->weight[at] : 1;
    if (!(graph->sides[at] & side)) return 0;
    if (!graph->along) return 1;
    return graph->along[back ? graph->rowptr[graph->column[at]] + back[at] : at];
}

gpr_status gpri_graph_directed(gpr_ctx *ctx, gpri_graph *out, const gpri_graph *graph, int side) {
    gpr_status status = GPR_OK;
    int32_t *back = NULL; /* where the weights of the other direction are */
    int64_t arcs = 0;
    *out = (gpri_graph){.nodes = graph->nodes, .moved = graph->moved};
    if (graph->along && side == GPRI_AGAINST) TRY(gpri_graph_reverse(ctx, &back, graph));
    for (int64_t at = 0; at < graph->arcs; at++) arcs += weight_of(graph, at, side, back) > 0;
    TRY(gpri_alloc(ctx, &out->rowptr, graph->nodes + 1, sizeof *out->rowptr, "graph rows"));
    TRY(gpri_alloc(ctx, &out->column, arcs, sizeof *out->column, "graph edges"));
    if (graph->sides ? graph->along : graph->weight)
        TRY(gpri_alloc(ctx, &out->weight, arcs, sizeof *out->weight, "edge weights"));
    out->rowptr[0] = 0;
    for (int64_t i = 0; i < graph->nodes; i++) {
        for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++) {
            const float weight = weight_of(graph, at, side, back);
            if (!(weight > 0)) continue;
            if (out->weight) out->weight[out->arcs] = weight;
            out->column[out->arcs++] = graph->column[at];
        }
        out->rowptr[i + 1] = out->arcs;
        out->isolated += gpri_degree(out, i) == 0;
    }
    if (out->weight && gpri_all_ones(out->weight, arcs)) {
        gpri_free(ctx, out->weight);
        out->weight = NULL;
    }
done:
    gpri_free(ctx, back);
    if (status != GPR_OK) gpri_graph_free(ctx, out);
    return status;
}
