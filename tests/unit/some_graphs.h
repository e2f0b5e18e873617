/* Graphs with a known geometry. */
#ifndef TEST_SOME_GRAPHS_H
#define TEST_SOME_GRAPHS_H

#include "graph/graph.h"
#include "support.h"

typedef struct edge_maker {
    int64_t nodes, count, *src, *dst;
} edge_maker;

static inline void join(edge_maker *m, int64_t a, int64_t b) {
    m->src = realloc(m->src, (size_t)(m->count + 1) * sizeof *m->src);
    m->dst = realloc(m->dst, (size_t)(m->count + 1) * sizeof *m->dst);
    assert_true(m->src && m->dst);
    m->src[m->count] = a;
    m->dst[m->count++] = b;
}

static inline gpri_graph graph_of(gpr_ctx *ctx, edge_maker m) {
    gpri_graph graph;
    assert_ok(gpri_graph_build(ctx, &graph, m.nodes, m.count, m.src, m.dst, NULL));
    free(m.src);
    free(m.dst);
    return graph;
}

static inline gpri_graph path_graph(gpr_ctx *ctx, int64_t nodes) {
    edge_maker m = {.nodes = nodes};
    for (int64_t i = 1; i < nodes; i++) join(&m, i - 1, i);
    return graph_of(ctx, m);
}

static inline gpri_graph ring_graph(gpr_ctx *ctx, int64_t nodes) {
    edge_maker m = {.nodes = nodes};
    for (int64_t i = 0; i < nodes; i++) join(&m, i, (i + 1) % nodes);
    return graph_of(ctx, m);
}

static inline gpri_graph grid_graph(gpr_ctx *ctx, int64_t side) {
    edge_maker m = {.nodes = side * side};
    for (int64_t i = 0; i < side * side; i++) {
        if (i % side + 1 < side) join(&m, i, i + 1);
        if (i + side < side * side) join(&m, i, i + side);
    }
    return graph_of(ctx, m);
}

/* A tree: every node has `children` children; the parent of node i is (i - 1) / children. */
static inline gpri_graph tree_graph(gpr_ctx *ctx, int64_t nodes, int64_t children) {
    edge_maker m = {.nodes = nodes};
    for (int64_t i = 1; i < nodes; i++) join(&m, i, (i - 1) / children);
    return graph_of(ctx, m);
}

static inline gpri_graph complete_graph(gpr_ctx *ctx, int64_t nodes) {
    edge_maker m = {.nodes = nodes};
    for (int64_t i = 0; i < nodes; i++)
        for (int64_t j = 0; j < i; j++) join(&m, i, j);
    return graph_of(ctx, m);
}

static inline gpri_graph edgeless_graph(gpr_ctx *ctx, int64_t nodes) {
    return graph_of(ctx, (edge_maker){.nodes = nodes});
}

#endif
