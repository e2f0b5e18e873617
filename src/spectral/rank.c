/* gpr_rank: checks the call, computes scores, orders the nodes, finds the cluster; and access to the result. */
#include "spectral/rank.h"

#include <math.h>
#include <stdlib.h>

#include "base/struct.h"
#include "data/dataset.h"

#define USUAL_TOLERANCE 1e-6

struct gpr_ranking {
    gpr_ctx *ctx;
    int64_t count;
    int64_t *nodes; /* (count) in the order of scores */
    double *scores, *degrees;
    int64_t cluster_count, *cluster;
    gpr_ranking_info info;
};

static int by_number(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorted, each once; *count becomes their number. */
static gpr_status take_seeds(gpr_ctx *ctx, int64_t **out, const int64_t *seeds, int64_t *count, int64_t nodes) {
    int64_t kept = 0;
    if (*count < 1) return gpri_fail(GPR_ERROR_ARGUMENT, "there is no seed: give one node or more");
    for (int64_t i = 0; i < *count; i++)
        if (seeds[i] < 0 || seeds[i] >= nodes)
            return gpri_fail(GPR_ERROR_ARGUMENT, "seed %lld is node %lld: the nodes are 0 to %lld", (long long)i,
                             (long long)seeds[i], (long long)nodes - 1);
    NEED(gpri_alloc(ctx, out, *count, sizeof **out, "seeds"));
    for (int64_t i = 0; i < *count; i++) (*out)[i] = seeds[i];
    qsort(*out, (size_t)*count, sizeof **out, by_number);
    for (int64_t i = 0; i < *count; i++)
        if (i == 0 || (*out)[i] != (*out)[i - 1]) (*out)[kept++] = (*out)[i];
    *count = kept;
    return GPR_OK;
}

static gpr_status take_weights(gpr_ctx *ctx, gpri_rank_weights *weights, const gpr_rank_options *options) {
    if (!options->values)
        return gpri_rank_weights_parse(ctx, weights, options->weights ? options->weights : "ppr:0.1",
                                       options->last_step);
    if (options->weights || options->last_step)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_rank: values are given, so weights and last_step must not be");
    return gpri_rank_weights_copy(ctx, weights, options->values, options->value_count);
}

/* Moves scores and nodes to the result: all that are not 0, or the first `top`. */
static gpr_status order_nodes(gpr_ranking *ranking, const gpri_walk *walk, const double *q, int64_t top) {
    gpr_status status = GPR_OK;
    gpr_ctx *ctx = ranking->ctx;
    gpri_ranked *entries = NULL;
    int64_t count = 0;
    for (int64_t i = 0; i < walk->graph->nodes; i++) count += q[i] != 0;
    TRY(gpri_alloc(ctx, &entries, count, sizeof *entries, "order of nodes"));
    count = 0;
    for (int64_t i = 0; i < walk->graph->nodes; i++) {
        if (q[i] == 0) continue;
        entries[count++] = (gpri_ranked){q[i] * walk->degree[i], i};
        ranking->info.total += q[i] * walk->degree[i];
    }
    ranking->info.scored = count;
    ranking->count = gpri_rank_first(entries, count, top > 0 ? top : count);
    TRY(gpri_alloc(ctx, &ranking->nodes, ranking->count, sizeof *ranking->nodes, "ranking"));
    TRY(gpri_alloc(ctx, &ranking->scores, ranking->count, sizeof *ranking->scores, "ranking"));
    TRY(gpri_alloc(ctx, &ranking->degrees, ranking->count, sizeof *ranking->degrees, "ranking"));
    for (int64_t i = 0; i < ranking->count; i++) {
        const int64_t node = entries[i].node;
        ranking->nodes[i] = node;
        ranking->scores[i] = entries[i].value;
        ranking->degrees[i] = walk->graph->rowptr[node] < walk->graph->rowptr[node + 1] ? walk->degree[node] : 0;
    }
done:
    gpri_free(ctx, entries);
    return status;
}

/* The seeds and the options are checked. */
static gpr_status compute(gpr_ranking *ranking, const gpri_graph *graph, const int64_t *seeds, int64_t count,
                          const gpri_rank_weights *weights, const gpr_rank_options *options) {
    gpr_status status = GPR_OK;
    gpr_ctx *ctx = ranking->ctx;
    gpri_walk walk = {.ctx = ctx};
    double *q = NULL, *residual = NULL;
    gpri_cluster cluster = {.conductance = NAN};
    gpr_ranking_info *info = &ranking->info;
    TRY(gpri_walk_begin(ctx, &walk, graph, seeds, count));
    TRY(gpri_calloc(ctx, &q, graph->nodes, sizeof *q, "scores"));
    const double tolerance = options->tolerance > 0 ? options->tolerance : USUAL_TOLERANCE;
    const double mean = walk.volume > 0 ? walk.volume / (double)graph->nodes : 1;
    info->mean_degree = walk.volume / (double)graph->nodes;
    if (weights->alpha > 0 && !options->exact) {
        TRY(gpri_calloc(ctx, &residual, graph->nodes, sizeof *residual, "residuals"));
        gpri_rank_push(&walk, weights->alpha, tolerance / mean, q, residual, &info->error, &info->steps);
    } else {
        gpri_rank_hops(&walk, weights, options->exact ? 0 : tolerance / mean, q, &info->error, &info->steps);
    }
    info->arcs_visited = walk.arcs_visited;
    TRY(order_nodes(ranking, &walk, q, options->top));
    if (options->cluster) TRY(gpri_rank_sweep(ctx, &cluster, &walk, q, options->cluster_max));
    ranking->cluster = cluster.nodes;
    ranking->cluster_count = cluster.size;
    info->cluster_nodes = cluster.size;
    info->cluster_volume = cluster.volume;
    info->cluster_cut = cluster.cut;
    info->conductance = cluster.conductance;
done:
    gpri_walk_free(&walk);
    gpri_free_all(ctx, q, residual);
    return status;
}

gpr_status gpr_rank(gpr_ctx *ctx, gpr_ranking **out, const gpr_dataset *data, const int64_t *seeds, int64_t count,
                    const gpr_rank_options *options) {
    gpr_status status = GPR_OK;
    gpr_rank_options given = {.struct_size = sizeof given};
    gpri_rank_weights weights = {0};
    gpr_ranking *ranking = NULL;
    int64_t *sorted = NULL;
    if (out) *out = NULL;
    if (!ctx || !out || !data || !seeds) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_rank: a NULL argument");
    if (options) TRY(GPRI_STRUCT_IN(&given, options, gpr_rank_options, "gpr_rank", "options"));
    if (!(given.tolerance >= 0 && given.tolerance <= 1))
        THROW(GPR_ERROR_ARGUMENT, "tolerance is %g: it must be in (0, 1]", given.tolerance);
    if (given.top < 0) THROW(GPR_ERROR_ARGUMENT, "top is %lld: it must be 0 or more", (long long)given.top);
    if (given.cluster_max < 0)
        THROW(GPR_ERROR_ARGUMENT, "cluster_max is %lld: it must be 0 or more", (long long)given.cluster_max);
    TRY(take_weights(ctx, &weights, &given));
    TRY(gpri_dataset_ready(ctx, data));
    TRY(take_seeds(ctx, &sorted, seeds, &count, data->graph.nodes));
    TRY(gpri_calloc(ctx, &ranking, 1, sizeof *ranking, "ranking"));
    ranking->ctx = ctx;
    ranking->info = (gpr_ranking_info){.struct_size = sizeof ranking->info, .seeds = count};
    TRY(compute(ranking, &data->graph, sorted, count, &weights, &given));
    TRY(gpri_dataset_unchanged(ctx, data, false));
    *out = ranking;
    ranking = NULL;
done:
    gpr_ranking_free(ranking);
    gpri_rank_weights_free(ctx, &weights);
    gpri_free(ctx, sorted);
    return gpri_finish(status);
}

void gpr_ranking_free(gpr_ranking *ranking) {
    if (!ranking) return;
    gpr_ctx *ctx = ranking->ctx;
    gpri_free_all(ctx, ranking->nodes, ranking->scores, ranking->degrees, ranking->cluster, ranking);
}

gpr_status gpr_ranking_describe(const gpr_ranking *ranking, gpr_ranking_info *out) {
    if (!ranking || !out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_ranking_describe: a NULL argument");
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_ranking_info, "gpr_ranking_describe", &ranking->info));
}

const int64_t *gpr_ranking_nodes(const gpr_ranking *ranking, int64_t *count) {
    if (count) *count = ranking ? ranking->count : 0;
    return ranking ? ranking->nodes : NULL;
}

const double *gpr_ranking_scores(const gpr_ranking *ranking, int64_t *count) {
    if (count) *count = ranking ? ranking->count : 0;
    return ranking ? ranking->scores : NULL;
}

const double *gpr_ranking_degrees(const gpr_ranking *ranking, int64_t *count) {
    if (count) *count = ranking ? ranking->count : 0;
    return ranking ? ranking->degrees : NULL;
}

const int64_t *gpr_ranking_cluster(const gpr_ranking *ranking, int64_t *count) {
    if (count) *count = ranking ? ranking->cluster_count : 0;
    return ranking && ranking->cluster_count > 0 ? ranking->cluster : NULL;
}
