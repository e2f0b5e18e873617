/* Edges between the same two nodes get one weight, and those of one direction of a directed graph get theirs. They are
 * ordered by their lower node, then by the higher one; within these by their place in the input, so that the sum does
 * not depend on anything else. */
#include "graph/duplicates.h"

#include <math.h>
#include <stdlib.h>

typedef struct entry {
    int32_t other; /* the higher node */
    int32_t relation;
    int64_t edge;
} entry;

static int by_node_and_place(const void *a, const void *b) {
    const entry *left = a, *right = b;
    if (left->other != right->other) return left->other < right->other ? -1 : 1;
    if (left->relation != right->relation) return left->relation < right->relation ? -1 : 1;
    return left->edge < right->edge ? -1 : left->edge > right->edge;
}

enum { UP = 1, DOWN = 2 }; /* from the lower node to the higher, and back */

static bool goes(const gpri_edges *edges, const entry *one, int ways) {
    return ways & (edges->src[one->edge] < edges->dst[one->edge] ? UP : DOWN);
}

/* The weight of the edges that go some ways. group: (count) edges between the same two nodes, in the order of the
 * input. */
static double weight_of(const gpri_edges *edges, const entry *group, int64_t count, gpri_duplicates rule, int ways) {
    double weight = 0;
    for (int64_t k = 0; k < count; k++) {
        if (!goes(edges, &group[k], ways)) continue;
        const double own = (double)edges->weights[group[k].edge];
        if (rule == GPRI_DUPLICATES_FIRST) return own;
        weight += rule == GPRI_DUPLICATES_SUM ? own : 1;
    }
    return weight;
}

static gpr_status settle_group(gpri_edges *edges, const entry *group, int64_t count, gpri_duplicates rule) {
    const double weight = weight_of(edges, group, count, rule, UP | DOWN);
    if (!isfinite((float)weight))
        return gpri_fail(GPR_ERROR_FORMAT, "the weights of %lld equal edges add up to %g: too large", (long long)count,
                         weight);
    for (int way = UP; edges->along && way <= DOWN; way++) {
        const float along = (float)weight_of(edges, group, count, rule, way);
        for (int64_t k = 0; k < count; k++)
            if (goes(edges, &group[k], way)) edges->along[group[k].edge] = along;
    }
    for (int64_t k = 0; k < count; k++) edges->weights[group[k].edge] = (float)weight;
    return GPR_OK;
}

/* row: (count) edges with the same lower node. */
static gpr_status settle_row(gpri_edges *edges, entry *row, int64_t count, gpri_duplicates rule) {
    qsort(row, (size_t)count, sizeof *row, by_node_and_place);
    for (int64_t k = 0, end = 0; k < count; k = end) {
        while (end < count && row[end].other == row[k].other && row[end].relation == row[k].relation) end++;
        NEED(settle_group(edges, row + k, end - k, rule));
    }
    return GPR_OK;
}

gpr_status gpri_duplicates_settle(gpr_ctx *ctx, gpri_edges *edges, gpri_duplicates rule) {
    gpr_status status = GPR_OK;
    int64_t *start = NULL; /* (nodes + 1) */
    entry *entries = NULL; /* (count) */
    if (rule == GPRI_DUPLICATES_MAX || (rule == GPRI_DUPLICATES_FIRST && !edges->weights)) return GPR_OK;
    if (!edges->weights) {
        TRY(gpri_alloc(ctx, &edges->weights, edges->count, sizeof *edges->weights, "edge weights"));
        for (int64_t e = 0; e < edges->count; e++) edges->weights[e] = 1;
    }
    if (edges->directed) TRY(gpri_alloc(ctx, &edges->along, edges->count, sizeof *edges->along, "edge weights"));
    TRY(gpri_calloc(ctx, &start, edges->nodes + 2, sizeof *start, "graph rows"));
    TRY(gpri_alloc(ctx, &entries, edges->count, sizeof *entries, "graph edges"));
    for (int64_t e = 0; e < edges->count; e++)
        start[2 + (edges->src[e] < edges->dst[e] ? edges->src[e] : edges->dst[e])]++;
    for (int64_t i = 0; i < edges->nodes; i++) start[i + 2] += start[i + 1];
    for (int64_t e = 0; e < edges->count; e++) { /* start[i + 1] moves on to the end of row i */
        const int32_t s = edges->src[e], d = edges->dst[e];
        entries[start[1 + (s < d ? s : d)]++] = (entry){s < d ? d : s, edges->relation ? edges->relation[e] : 0, e};
    }
    for (int64_t i = 0; i < edges->nodes; i++)
        TRY(settle_row(edges, entries + start[i], start[i + 1] - start[i], rule));
    if (gpri_all_ones(edges->weights, edges->count)) {
        const bool apart = edges->along && !gpri_all_ones(edges->along, edges->count);
        gpri_free_all(ctx, edges->weights, apart ? NULL : edges->along);
        edges->weights = NULL;
        if (!apart) edges->along = NULL;
    }
done:
    gpri_free_all(ctx, start, entries);
    return status;
}
