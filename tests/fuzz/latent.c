/* Files for --embedding: relations, points as text, points as an array. The graph is a ring with a chord. */
#include "io/latent.h"
#include "context.h"
#include "input.h"
#include "npy.h"
#include "text.h"

enum { NODES = 5, EDGES = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const int64_t src[EDGES] = {0, 1, 2, 3, 4, 1}, dst[EDGES] = {1, 2, 3, 4, 0, 3};
    gpr_ctx *ctx = fuzz_context();
    gpri_graph graph;
    gpri_relations relations;
    if (gpri_graph_build(ctx, &graph, NODES, EDGES, src, dst, NULL) != GPR_OK) abort();
    gpr_status status = gpri_latent_open(ctx, &relations, &graph, input_path(bytes, size));
    if (status == GPR_OK)
        for (int d = 0; d < GPRI_ITSELF; d++)
            for (int64_t k = 0; k < relations.from[d].arcs; k++)
                if (relations.from[d].column[k] < 0 || relations.from[d].column[k] >= NODES) abort();
    if (status != GPR_OK && relations.scale) abort();
    gpri_relations_free(ctx, &relations);
    gpri_graph_free(ctx, &graph);
    fuzz_context_free(ctx);
    return 0;
}

static void mutate_latent(blob *b, chance *c, const void *how) {
    if (b->size > 6 && memcmp(b->bytes, "\x93NUMPY", 6) == 0) mutate_npy(b, c, NULL);
    else mutate_text(b, c, how);
}

static const dictionary words = DICTIONARY("node1,node2\tspace\trelation", "latent_space", "graph", "0", "3", "4",
                                           "0,1", "1,0", "0,1\tgraph\t2", "1,3\tlatent_space\t0");

FUZZ_MUTATOR(mutate_latent, &words)
