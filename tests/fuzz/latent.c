/* Files for --embedding: relations, points as text, points as an array. The graph is a ring with a chord. */
#include "io/latent.h"
#include "input.h"

enum { NODES = 5, EDGES = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const int64_t src[EDGES] = {0, 1, 2, 3, 4, 1}, dst[EDGES] = {1, 2, 3, 4, 0, 3};
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    gpr_ctx *ctx;
    gpri_graph graph;
    gpri_relations relations;
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    if (gpri_graph_build(ctx, &graph, NODES, EDGES, src, dst, NULL) != GPR_OK) abort();
    input_file input = input_open(bytes, size);
    gpr_status status = gpri_latent_open(ctx, &relations, &graph, input.path);
    if (status == GPR_OK)
        for (int d = 0; d < GPRI_ITSELF; d++)
            for (int64_t k = 0; k < relations.from[d].arcs; k++)
                if (relations.from[d].column[k] < 0 || relations.from[d].column[k] >= NODES) abort();
    if (status != GPR_OK && relations.scale) abort();
    gpri_relations_free(ctx, &relations);
    close(input.fd);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
    return 0;
}
