/* graph/: from edges to CSR, and the measures. */
#include <math.h>

#include "failing_memory.h"
#include "graph/graph.h"
#include "homophily.h"

static void build(gpr_ctx *ctx, gpri_graph *graph, int64_t nodes, int64_t edges, const int64_t *src, const int64_t *dst,
                  const float *weights) {
    assert_ok(gpri_graph_build(ctx, graph, nodes, edges, src, dst, weights));
}

/* A path 0 - 1 - 2, given in one direction, in both, with loops and repeats: always the same graph. */
static void test_merging(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const int64_t src[] = {1, 0, 2, 1, 1, 2, 1}, dst[] = {0, 1, 1, 1, 0, 1, 0};
    gpri_graph graph;
    build(ctx, &graph, 4, 7, src, dst, NULL);
    assert_int_equal(graph.nodes, 4);
    assert_int_equal(graph.arcs, 4);
    const int64_t rowptr[] = {0, 1, 3, 4, 4};
    const int32_t column[] = {1, 0, 2, 1};
    assert_memory_equal(graph.rowptr, rowptr, sizeof rowptr);
    assert_memory_equal(graph.column, column, sizeof column);
    assert_null(graph.weight);
    assert_int_equal(graph.self_loops, 1);
    assert_int_equal(graph.duplicates, 3); /* 1-0 twice more, 2-1 once more; 0-1 is the other direction */
    assert_int_equal(graph.mutual, 1);
    assert_int_equal(gpri_graph_one_way(&graph), graph.arcs / 2 - 1);
    assert_int_equal(graph.isolated, 1);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

static void test_weights(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const int64_t src[] = {0, 1, 1, 2, 2}, dst[] = {1, 0, 2, 1, 2};
    const float weights[] = {2, 5, 0.5f, 0.25f, 9};
    gpri_graph graph;
    double scale[3];
    build(ctx, &graph, 3, 5, src, dst, weights);
    const float expected[] = {5, 5, 0.5f, 0.5f}; /* the largest of either direction */
    assert_memory_equal(graph.weight, expected, sizeof expected);
    gpri_graph_scale(&graph, GPRI_SCALE_LOOPED, scale);
    assert_true(fabs(scale[0] - 1 / sqrt(6)) < 1e-15);
    assert_true(fabs(scale[1] - 1 / sqrt(6.5)) < 1e-15);
    assert_true(fabs(scale[2] - 1 / sqrt(1.5)) < 1e-15);
    gpri_graph_scale(&graph, GPRI_SCALE_PLAIN, scale);
    assert_true(fabs(scale[0] - 1 / sqrt(5)) < 1e-15 && fabs(scale[2] - 1 / sqrt(0.5)) < 1e-15);
    gpri_graph_scale(&graph, GPRI_SCALE_MEAN, scale);
    assert_true(fabs(scale[1] - 1 / 5.5) < 1e-15 && fabs(scale[2] - 2) < 1e-15);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

static void test_small_graphs(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph;
    double scale;
    const int32_t label = 0;
    const int64_t zero = 0;
    build(ctx, &graph, 1, 0, NULL, NULL, NULL);
    assert_int_equal(graph.isolated, 1);
    assert_int_equal(graph.arcs, 0);
    gpri_graph_scale(&graph, GPRI_SCALE_LOOPED, &scale);
    assert_true(scale == 1);
    gpri_graph_scale(&graph, GPRI_SCALE_PLAIN, &scale);
    assert_true(scale == 0);
    gpri_graph_scale(&graph, GPRI_SCALE_MEAN, &scale);
    assert_true(scale == 0);
    assert_true(isnan(node_homophily(&graph, &label)));
    assert_true(isnan(edge_homophily(&graph, &label)));
    gpri_graph_free(ctx, &graph);
    build(ctx, &graph, 1, 1, &zero, &zero, NULL);
    assert_int_equal(graph.isolated, 1);
    assert_int_equal(graph.self_loops, 1);
    gpri_graph_free(ctx, &graph);
    gpri_graph_free(ctx, &graph); /* zeroed: harmless */
    gpr_ctx_free(ctx);
}

/* Against a plain matrix, on random edges. */
static void test_random_graphs(void **state) {
    (void)state;
    enum { N = 23, E = 90 };
    gpr_ctx *ctx = new_ctx(1);
    srand(7);
    for (int trial = 0; trial < 50; trial++) {
        int64_t src[E], dst[E], loops = 0, repeats = 0, arcs = 0;
        int given[N][N] = {{0}};
        for (int e = 0; e < E; e++) {
            src[e] = rand() % N;
            dst[e] = rand() % (1 + trial % N);
            loops += src[e] == dst[e];
            repeats += src[e] != dst[e] && given[src[e]][dst[e]];
            given[src[e]][dst[e]] = 1;
        }
        gpri_graph graph;
        build(ctx, &graph, N, E, src, dst, NULL);
        for (int i = 0; i < N; i++) {
            int64_t k = graph.rowptr[i];
            for (int j = 0; j < N; j++) {
                if (i == j || !(given[i][j] || given[j][i])) continue;
                assert_true(k < graph.rowptr[i + 1]);
                assert_int_equal(graph.column[k++], j);
                arcs++;
            }
            assert_int_equal(k, graph.rowptr[i + 1]);
        }
        assert_int_equal(graph.arcs, arcs);
        assert_int_equal(graph.self_loops, loops);
        assert_int_equal(graph.duplicates, repeats);
        gpri_graph_free(ctx, &graph);
    }
    gpr_ctx_free(ctx);
}

/* ---- A larger graph, with hubs, against sorting ---- */

enum { MANY_NODES = 9000, MANY_EDGES = 300000 };

typedef struct arc {
    int32_t row, column;
    float weight;
} arc;

static int by_place(const void *a, const void *b) {
    const arc *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

typedef struct many {
    int64_t src[MANY_EDGES], dst[MANY_EDGES];
    float weights[MANY_EDGES];
    arc arcs[2 * MANY_EDGES]; /* sorted and merged */
    int64_t count;
} many;

static many *many_new(void) {
    many *m = calloc(1, sizeof *m);
    assert_non_null(m);
    srand(3);
    for (int64_t e = 0; e < MANY_EDGES; e++) { /* a third of them at few nodes, some in both directions */
        m->src[e] = rand() % (e % 3 ? MANY_NODES - 5 : 7);
        m->dst[e] = rand() % (e % 5 ? MANY_NODES - 5 : 50);
        m->weights[e] = (float)(1 + rand() % 100);
        if (e % 4 == 0 && e > 0) {
            m->src[e] = m->dst[e - 1];
            m->dst[e] = m->src[e - 1];
        }
        if (m->src[e] == m->dst[e]) continue;
        m->arcs[m->count++] = (arc){(int32_t)m->src[e], (int32_t)m->dst[e], m->weights[e]};
        m->arcs[m->count++] = (arc){(int32_t)m->dst[e], (int32_t)m->src[e], m->weights[e]};
    }
    qsort(m->arcs, (size_t)m->count, sizeof *m->arcs, by_place);
    int64_t end = 0;
    for (int64_t k = 1; k < m->count; k++)
        if (by_place(&m->arcs[end], &m->arcs[k]) != 0) m->arcs[++end] = m->arcs[k];
        else if (m->arcs[k].weight > m->arcs[end].weight) m->arcs[end].weight = m->arcs[k].weight;
    m->count = end + 1;
    return m;
}

static void assert_many(const gpri_graph *graph, const many *m, bool weighted) {
    assert_int_equal(graph->arcs, m->count);
    int64_t k = 0;
    for (int64_t i = 0; i < MANY_NODES; i++)
        for (; k < graph->rowptr[i + 1]; k++) {
            assert_int_equal(m->arcs[k].row, i);
            assert_int_equal(m->arcs[k].column, graph->column[k]);
            if (weighted) assert_true(m->arcs[k].weight == graph->weight[k]);
        }
    assert_int_equal(k, m->count);
    assert_true(!graph->weight == !weighted);
}

static gpri_edges narrow_copy(gpr_ctx *ctx, const many *m, bool weighted) {
    gpri_edges edges = {.nodes = MANY_NODES, .count = MANY_EDGES};
    assert_ok(gpri_alloc(ctx, &edges.src, MANY_EDGES, sizeof *edges.src, "test"));
    assert_ok(gpri_alloc(ctx, &edges.dst, MANY_EDGES, sizeof *edges.dst, "test"));
    if (weighted) assert_ok(gpri_alloc(ctx, &edges.weights, MANY_EDGES, sizeof *edges.weights, "test"));
    for (int64_t e = 0; e < MANY_EDGES; e++) {
        edges.src[e] = (int32_t)m->src[e];
        edges.dst[e] = (int32_t)m->dst[e];
        if (weighted) edges.weights[e] = m->weights[e];
    }
    return edges;
}

/* Any number of threads, ids of either width, with weights and without. */
static void test_many_edges(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 7};
    many *m = many_new();
    int64_t loops = -1, repeats = -1, isolated = -1;
    for (int t = 0; t < 6; t++) {
        gpr_ctx *ctx = new_ctx(threads[t / 2]);
        const bool weighted = t % 2;
        gpri_graph wide, graph;
        gpri_edges edges = narrow_copy(ctx, m, weighted);
        build(ctx, &wide, MANY_NODES, MANY_EDGES, m->src, m->dst, weighted ? m->weights : NULL);
        assert_many(&wide, m, weighted);
        assert_ok(gpri_graph_take(ctx, &graph, &edges));
        assert_null(edges.src);
        assert_many(&graph, m, weighted);
        if (t == 0) {
            loops = wide.self_loops;
            repeats = wide.duplicates;
            isolated = wide.isolated;
        }
        assert_int_equal(graph.self_loops, loops);
        assert_int_equal(graph.duplicates, repeats);
        assert_int_equal(graph.isolated, isolated);
        assert_int_equal(wide.self_loops, loops);
        assert_int_equal(wide.duplicates, repeats);
        gpri_graph_free(ctx, &wide);
        gpri_graph_free(ctx, &graph);
        gpr_ctx_free(ctx);
    }
    assert_true(loops > 0 && repeats > 1000 && isolated >= 5);
    free(m);
}

/* The message names the first wrong edge, whichever thread finds one first. */
static void test_many_errors(void **state) {
    (void)state;
    many *m = many_new();
    gpr_ctx *ctx = new_ctx(2);
    gpri_graph graph;
    m->dst[290000] = MANY_NODES;
    m->src[800] = -1;
    assert_fails(gpri_graph_build(ctx, &graph, MANY_NODES, MANY_EDGES, m->src, m->dst, NULL), GPR_ERROR_ARGUMENT,
                 "edge 800 goes from node -1");
    gpri_edges edges = narrow_copy(ctx, m, false);
    edges.src[800] = 0;
    assert_fails(gpri_graph_take(ctx, &graph, &edges), GPR_ERROR_ARGUMENT, "edge 290000 goes from");
    assert_null(edges.dst);
    gpr_ctx_free(ctx);
    free(m);
}

static void test_homophily(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    /* 0 - 1, 0 - 2, 0 - 3, 3 - 4; 5 alone */
    const int64_t src[] = {0, 0, 0, 3}, dst[] = {1, 2, 3, 4};
    const int32_t labels[] = {0, 0, 1, 0, 1, 1}, partly[] = {0, 0, 1, 0, -1, 1}, none[] = {-1, -1, -1, -1, -1, -1};
    gpri_graph graph;
    build(ctx, &graph, 6, 4, src, dst, NULL);
    /* shares: 2/3, 1, 0, 1/2, 0; node 5 has no neighbour */
    assert_true(fabs(node_homophily(&graph, labels) - (2.0 / 3 + 1 + 0.5) / 5) < 1e-15);
    assert_true(fabs(edge_homophily(&graph, labels) - 0.5) < 1e-15);
    /* without node 4: 2/3, 1, 0, 1; two of three edges */
    assert_true(fabs(node_homophily(&graph, partly) - (2.0 / 3 + 1 + 1) / 4) < 1e-15);
    assert_true(fabs(edge_homophily(&graph, partly) - 2.0 / 3) < 1e-15);
    assert_true(isnan(node_homophily(&graph, none)));
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

static void test_errors(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph;
    const int64_t src[] = {0, 1}, negative[] = {0, -7}, large[] = {1, 2};
    const float weights[][2] = {{1, 0}, {1, -2}, {1, NAN}, {1, INFINITY}};
    assert_fails(gpri_graph_build(ctx, &graph, 0, 0, NULL, NULL, NULL), GPR_ERROR_ARGUMENT, "0 nodes");
    assert_fails(gpri_graph_build(ctx, &graph, -1, 0, NULL, NULL, NULL), GPR_ERROR_ARGUMENT, "-1 nodes");
    assert_fails(gpri_graph_build(ctx, &graph, INT64_C(1) << 31, 0, NULL, NULL, NULL), GPR_ERROR_ARGUMENT,
                 "2147483648 nodes");
    assert_fails(gpri_graph_build(ctx, &graph, 2, -1, src, src, NULL), GPR_ERROR_ARGUMENT, "-1 edges");
    assert_fails(gpri_graph_build(ctx, &graph, 2, INT64_MAX, src, src, NULL), GPR_ERROR_ARGUMENT, "edges");
    assert_fails(gpri_graph_build(ctx, &graph, 2, 2, src, NULL, NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpri_graph_build(ctx, &graph, 2, 2, src, negative, NULL), GPR_ERROR_ARGUMENT,
                 "edge 1 goes from node 1 to node -7");
    assert_fails(gpri_graph_build(ctx, &graph, 2, 2, large, src, NULL), GPR_ERROR_ARGUMENT, "[0, 2)");
    for (int i = 0; i < 4; i++)
        assert_fails(gpri_graph_build(ctx, &graph, 3, 2, src, large, weights[i]), GPR_ERROR_ARGUMENT,
                     "edge 1 (1 to 2) has weight");
    assert_null(graph.rowptr);
    gpr_ctx_free(ctx);
}

static gpr_status build_weighted(gpr_ctx *ctx, void *arg) {
    (void)arg;
    const int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 0};
    const float weights[] = {1, 2, 3};
    gpri_graph graph;
    gpr_status status = gpri_graph_build(ctx, &graph, 3, 3, src, dst, weights);
    gpri_graph_free(ctx, &graph);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    fail_every_allocation(build_weighted, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merging),       cmocka_unit_test(test_weights),    cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_random_graphs), cmocka_unit_test(test_homophily),  cmocka_unit_test(test_errors),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_many_edges), cmocka_unit_test(test_many_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
