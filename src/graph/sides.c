/* Relations in their directions. */
#include "graph/sides.h"

gpr_status gpri_sides_new(gpr_ctx *ctx, gpri_sides **out, const gpri_graph *graph, const bool *wanted) {
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(ctx, out, 1, sizeof **out, "graph"));
    TRY(gpri_calloc(ctx, &(*out)->of, gpri_relation_count(graph), sizeof *(*out)->of, "graph"));
    (*out)->count = gpri_relation_count(graph);
    for (int64_t r = 0; r < (*out)->count; r++) {
        gpri_sided *sided = &(*out)->of[r];
        if (!wanted[r]) continue;
        TRY(gpri_graph_directed(ctx, &sided->along, gpri_relation_graph(graph, r), GPRI_ALONG));
        TRY(gpri_graph_directed(ctx, &sided->against, gpri_relation_graph(graph, r), GPRI_AGAINST));
    }
done:
    if (status != GPR_OK) {
        gpri_sides_free(ctx, *out);
        *out = NULL;
    }
    return status;
}

void gpri_sides_free(gpr_ctx *ctx, gpri_sides *sides) {
    for (int64_t r = 0; sides && r < sides->count; r++) {
        gpri_graph_free(ctx, &sides->of[r].along);
        gpri_graph_free(ctx, &sides->of[r].against);
    }
    if (sides) gpri_free(ctx, sides->of);
    gpri_free(ctx, sides);
}
