/* struc2vec: walks from every node, in rounds; the walks of each round move the places. */
#include "embed/struc2vec.h"

#include <math.h>

enum {
    ROUNDS = 10,
    LENGTH = 40 /* nodes of a walk */
};
static const double MOST_WORK = 1e10, /* of comparisons: about 15 seconds on one core */
    RATE = 0.005,                     /* falls to 0 */
    ARC = 4.712388980384690,          /* three quarters of a circle */
    OFF = 0.025;

/* The initial places are along an arc in the order of degrees, with a little noise. Walks relate a node only to those
   next to it in this order: from random places the order would fold, and dissimilar nodes would overlap. */
static void place_first(gpri_point *points, const gpri_similarity *similarity) {
    gpri_random random = gpri_random_of(0, GPRI_RANDOM_EMBEDDING, 0, GPRI_STRUC2VEC_BEGIN);
    for (int64_t p = 0; p < similarity->nodes; p++) {
        double angle = ARC * similarity->rank[p] / (double)similarity->nodes;
        points[p].x = cos(angle) + OFF * (2 * gpri_uniform(random, 2 * (uint64_t)p) - 1);
        points[p].y = sin(angle) + OFF * (2 * gpri_uniform(random, 2 * (uint64_t)p + 1) - 1);
    }
}

static gpr_status place_nodes(gpr_ctx *ctx, gpri_point *points, const gpri_similarity *similarity) {
    gpr_status status = GPR_OK;
    const int64_t nodes = similarity->nodes;
    gpri_layer_walker walker = {0};
    gpri_skipgram model = {0};
    int32_t *walks = NULL; /* (nodes x LENGTH) */
    TRY(gpri_layer_walker_new(ctx, &walker, similarity));
    TRY(gpri_alloc(ctx, &walks, nodes * LENGTH, sizeof *walks, "random walks"));
    TRY(gpri_alloc(ctx, &model.own, nodes, sizeof *model.own, "embedding"));
    TRY(gpri_calloc(ctx, &model.context, nodes, sizeof *model.context, "embedding"));
    place_first(model.own, similarity);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        TRY(gpri_embedding_report(ctx, GPRI_SIMILARITY_SHARE + (1 - GPRI_SIMILARITY_SHARE) * round / ROUNDS));
        gpri_walk_round(ctx, &walker, walks, LENGTH, round);
        gpri_skipgram_round(&model, walks, nodes, LENGTH, round, RATE * (ROUNDS - round) / ROUNDS,
                            RATE * (ROUNDS - 1 - round) / ROUNDS);
    }
    for (int64_t p = 0; p < nodes; p++) points[similarity->order[p]] = model.own[p];
done:
    gpri_layer_walker_free(ctx, &walker);
    gpri_free_all(ctx, walks, model.own, model.context);
    return status;
}

gpr_status gpri_embed_struc2vec(gpr_ctx *ctx, gpri_embedding *out, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    gpri_similarity similarity = {0};
    *out = (gpri_embedding){.nodes = graph->nodes, .metric = GPRI_METRIC_EUCLIDEAN};
    TRY(gpri_alloc(ctx, &out->points, graph->nodes, sizeof *out->points, "embedding"));
    out->points[0] = (gpri_point){0, 0};
    if (graph->nodes == 1) goto done;
    TRY(gpri_similarity_new(ctx, &similarity, graph, MOST_WORK));
    TRY(place_nodes(ctx, out->points, &similarity));
done:
    gpri_similarity_free(ctx, &similarity);
    if (status < 0) gpri_embedding_free(ctx, out);
    return status;
}
