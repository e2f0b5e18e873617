/* Relations between nodes, from pairs and from an embedding: which nodes are neighbours, and in which direction. */
#include "embed/relations.h"

#include <math.h>
#include <string.h>

#include "embed/nearest.h"

/* ---- From pairs to rows --------------------------------------------------------------------------- */

/* CSR of the pairs of one division; row[k] and column[k] of pair k. order: the pairs sorted by column. They are filled
   in this order, so that the columns of a row ascend. */
static gpr_status fill_division(gpr_ctx *ctx, gpri_graph *csr, int64_t nodes, const gpri_pairs *pairs, int division,
                                const int32_t *row, const int32_t *column, const int64_t *order) {
    csr->nodes = nodes;
    for (int64_t k = 0; k < pairs->count; k++) csr->arcs += pairs->division[k] == division;
    NEED(gpri_calloc(ctx, &csr->rowptr, nodes + 1, sizeof *csr->rowptr, "relations"));
    NEED(gpri_alloc(ctx, &csr->column, csr->arcs, sizeof *csr->column, "relations"));
    for (int64_t k = 0; k < pairs->count; k++)
        if (pairs->division[k] == division) csr->rowptr[row[k] + 1]++;
    for (int64_t i = 0; i < nodes; i++) csr->rowptr[i + 1] += csr->rowptr[i];
    for (int64_t at = 0; at < pairs->count; at++) {
        int64_t k = order[at];
        if (pairs->division[k] == division) csr->column[csr->rowptr[row[k]]++] = column[k];
    }
    memmove(csr->rowptr + 1, csr->rowptr, (size_t)nodes * sizeof *csr->rowptr); /* they have moved on by one row */
    csr->rowptr[0] = 0;
    return GPR_OK;
}

/* order: (pairs) the pairs sorted by key, 0 .. nodes - 1; pairs with the same key keep their order. */
static gpr_status order_by(gpr_ctx *ctx, int64_t *order, const int32_t *key, int64_t count, int64_t nodes) {
    int64_t *next; /* (nodes + 1) */
    NEED(gpri_calloc(ctx, &next, nodes + 1, sizeof *next, "relations"));
    for (int64_t k = 0; k < count; k++) next[key[k] + 1]++;
    for (int64_t i = 0; i < nodes; i++) next[i + 1] += next[i];
    for (int64_t k = 0; k < count; k++) order[next[key[k]]++] = k;
    gpri_free(ctx, next);
    return GPR_OK;
}

gpr_status gpri_pairs_new(gpr_ctx *ctx, gpri_pairs *pairs, int64_t most) {
    *pairs = (gpri_pairs){0};
    NEED(gpri_alloc(ctx, &pairs->from, most, sizeof *pairs->from, "relations"));
    NEED(gpri_alloc(ctx, &pairs->to, most, sizeof *pairs->to, "relations"));
    return gpri_alloc(ctx, &pairs->division, most, sizeof *pairs->division, "relations");
}

void gpri_pairs_add(gpri_pairs *pairs, int64_t from, int64_t to, int division) {
    pairs->from[pairs->count] = (int32_t)from;
    pairs->to[pairs->count] = (int32_t)to;
    pairs->division[pairs->count++] = (uint8_t)division;
}

void gpri_pairs_free(gpr_ctx *ctx, gpri_pairs *pairs) {
    gpri_free_all(ctx, pairs->from, pairs->to, pairs->division);
    *pairs = (gpri_pairs){0};
}

gpr_status gpri_relations_build(gpr_ctx *ctx, gpri_relations *out, int64_t nodes, const gpri_pairs *pairs) {
    gpr_status status = GPR_OK;
    int64_t *order = NULL; /* (pairs) */
    *out = (gpri_relations){.nodes = nodes};
    TRY(gpri_alloc(ctx, &order, pairs->count, sizeof *order, "relations"));
    TRY(order_by(ctx, order, pairs->from, pairs->count, nodes));
    for (int d = 0; d < GPRI_DIVISIONS; d++)
        TRY(fill_division(ctx, &out->from[d], nodes, pairs, d, pairs->to, pairs->from, order));
    TRY(order_by(ctx, order, pairs->to, pairs->count, nodes));
    for (int d = 0; d < GPRI_DIVISIONS; d++)
        TRY(fill_division(ctx, &out->to[d], nodes, pairs, d, pairs->from, pairs->to, order));
    TRY(gpri_alloc(ctx, &out->scale, nodes, sizeof *out->scale, "relations"));
    for (int64_t i = 0; i < nodes; i++) {
        int64_t degree = 1;
        for (int d = 0; d < GPRI_DIVISIONS; d++) degree += out->from[d].rowptr[i + 1] - out->from[d].rowptr[i];
        out->scale[i] = 1 / sqrt((double)degree);
    }
done:
    gpri_free(ctx, order);
    if (status != GPR_OK) gpri_relations_free(ctx, out);
    return status;
}

void gpri_relations_free(gpr_ctx *ctx, gpri_relations *relations) {
    for (int d = 0; d < GPRI_DIVISIONS; d++) {
        gpri_graph_free(ctx, &relations->from[d]);
        gpri_graph_free(ctx, &relations->to[d]);
    }
    gpri_free(ctx, relations->scale);
    *relations = (gpri_relations){0};
}

/* ---- From an embedding to pairs ------------------------------------------------------------------- */

int gpri_direction(gpri_point v, gpri_point u) { return (v.y > u.y ? 2 : 0) + (v.x > u.x ? 0 : 1); }

/* Adds the pairs of node v with its neighbours in both spaces; latent: (count) ascending. Returns how many are in
   both. */
static int64_t add_node(gpri_pairs *pairs, const gpri_graph *graph, const gpri_point *points, int64_t v,
                        const int32_t *latent, int64_t count) {
    int64_t both = 0, l = 0;
    for (int64_t k = graph->rowptr[v]; k < graph->rowptr[v + 1]; k++) {
        int32_t u = graph->column[k];
        while (l < count && latent[l] < u) l++;
        if (l < count && latent[l] == u) both++;
        else gpri_pairs_add(pairs, u, v, gpri_direction(points[v], points[u]));
    }
    for (l = 0; l < count; l++)
        gpri_pairs_add(pairs, latent[l], v, GPRI_LATENT + gpri_direction(points[v], points[latent[l]]));
    return both;
}

/* Neighbours in the latent space, as CSR with ascending columns. Nearness is symmetric: each point that node v finds
   gets v as a neighbour, in the order of v. */
static gpr_status find_latent(gpr_ctx *ctx, gpri_graph *out, const gpri_nearest *tree, double radius, int64_t nodes) {
    gpr_status status = GPR_OK;
    int32_t *found = NULL; /* (nodes) */
    out->nodes = nodes;
    TRY(gpri_alloc(ctx, &found, nodes, sizeof *found, "nearby nodes"));
    TRY(gpri_calloc(ctx, &out->rowptr, nodes + 1, sizeof *out->rowptr, "nearby nodes"));
    for (int64_t v = 0; v < nodes; v++)
        out->rowptr[v + 1] = out->rowptr[v] + gpri_nearest_find(tree, v, radius, nodes, NULL, NULL);
    out->arcs = out->rowptr[nodes];
    TRY(gpri_alloc(ctx, &out->column, out->arcs, sizeof *out->column, "nearby nodes"));
    for (int64_t v = 0; v < nodes; v++) {
        int64_t count = gpri_nearest_find(tree, v, radius, nodes, found, NULL);
        for (int64_t k = 0; k < count; k++) out->column[out->rowptr[found[k]]++] = (int32_t)v;
    }
    memmove(out->rowptr + 1, out->rowptr, (size_t)nodes * sizeof *out->rowptr); /* they have moved on by one row */
    out->rowptr[0] = 0;
done:
    gpri_free(ctx, found);
    return status;
}

gpr_status gpri_relations_embed(gpr_ctx *ctx, gpri_relations *out, const gpri_graph *graph,
                                const gpri_embedding *embedding) {
    gpr_status status = GPR_OK;
    gpri_nearest *tree = NULL;
    gpri_graph latent = {0};
    gpri_pairs pairs = {0};
    const double nodes = (double)graph->nodes;
    gpri_neighbourhood found = {0};
    *out = (gpri_relations){0};
    TRY(gpri_nearest_new(ctx, &tree, embedding));
    TRY(gpri_nearest_radius(tree, &found.radius, graph->arcs / 2));
    TRY(find_latent(ctx, &latent, tree, found.radius, graph->nodes));
    TRY(gpri_pairs_new(ctx, &pairs, graph->arcs + latent.arcs));
    for (int64_t v = 0; v < graph->nodes; v++)
        found.both += add_node(&pairs, graph, embedding->points, v, latent.column + latent.rowptr[v],
                               latent.rowptr[v + 1] - latent.rowptr[v]);
    found.graph_mean = (double)graph->arcs / nodes;
    found.latent_mean = (double)latent.arcs / nodes;
    TRY(gpri_relations_build(ctx, out, graph->nodes, &pairs));
    out->found = found;
done:
    gpri_nearest_free(tree);
    gpri_graph_free(ctx, &latent);
    gpri_pairs_free(ctx, &pairs);
    return status;
}
