/* graph/: the directions of edges, which a graph keeps beside its undirected arcs. */
#include "failing_memory.h"
#include "graph/duplicates.h"
#include "graph/graph.h"

enum { NODES = 5, EDGES = 7 };
static const int64_t from[EDGES] = {0, 1, 0, 2, 3, 1, 2}, to[EDGES] = {1, 0, 2, 3, 2, 2, 2};
static const float weights[EDGES] = {2, 5, 3, 4, 4, 1, 9};

/* Is there an arc from i to j, and which weight has it? A plain search of the input. */
static float expected(int64_t i, int64_t j, bool weighted) {
    float weight = 0;
    for (int64_t e = 0; e < EDGES; e++)
        if (i != j && from[e] == i && to[e] == j && weight < (weighted ? weights[e] : 1))
            weight = weighted ? weights[e] : 1;
    return weight;
}

/* Compares all pairs of nodes. */
static void assert_arcs(const gpri_graph *graph, int side, bool weighted) {
    int64_t arcs = 0, isolated = 0;
    for (int64_t i = 0; i < NODES; i++) {
        for (int64_t j = 0; j < NODES; j++) {
            float found = 0;
            for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++)
                if (graph->column[at] == j) found = graph->weight ? graph->weight[at] : 1;
            const float wanted = side == GPRI_ALONG ? expected(i, j, weighted) : expected(j, i, weighted);
            assert_float_equal(found, wanted, 0);
            arcs += wanted > 0;
        }
        isolated += gpri_degree(graph, i) == 0;
    }
    assert_int_equal(graph->arcs, arcs);
    assert_int_equal(graph->isolated, isolated);
    assert_null(graph->sides);
}

static void test_sides(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    for (int weighted = 0; weighted < 2; weighted++) {
        gpri_graph graph, plain, one;
        assert_ok(gpri_graph_build(ctx, &plain, NODES, EDGES, from, to, weighted ? weights : NULL));
        assert_ok(gpri_graph_build_directed(ctx, &graph, NODES, EDGES, from, to, weighted ? weights : NULL));
        assert_null(plain.sides);
        assert_int_equal(graph.arcs, plain.arcs);
        assert_memory_equal(graph.column, plain.column, sizeof *graph.column * (size_t)graph.arcs);
        if (weighted) assert_memory_equal(graph.weight, plain.weight, sizeof *graph.weight * (size_t)graph.arcs);
        /* row 0: 1 2, row 1: 0 2, row 2: 0 1 3, row 3: 2 */
        const uint8_t sides[] = {3, 1, 3, 1, 2, 2, 3, 3};
        assert_memory_equal(graph.sides, sides, sizeof sides);
        assert_true(weighted == (graph.along != NULL));
        for (int side = GPRI_ALONG; side <= GPRI_AGAINST; side++) {
            assert_ok(gpri_graph_directed(ctx, &one, &graph, side));
            assert_true((one.weight != NULL) == weighted);
            assert_arcs(&one, side, weighted);
            gpri_graph_free(ctx, &one);
            assert_ok(gpri_graph_directed(ctx, &one, &plain, side)); /* no directions: all arcs */
            assert_memory_equal(one.rowptr, plain.rowptr, sizeof *one.rowptr * (NODES + 1));
            assert_memory_equal(one.column, plain.column, sizeof *one.column * (size_t)one.arcs);
            if (weighted) assert_memory_equal(one.weight, plain.weight, sizeof *one.weight * (size_t)one.arcs);
            gpri_graph_free(ctx, &one);
        }
        gpri_graph_free(ctx, &graph);
        gpri_graph_free(ctx, &plain);
    }
    gpr_ctx_free(ctx);
}

/* Every edge in both directions: nothing is kept. With two weights it is. */
static void test_symmetric(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const int64_t src[] = {0, 1, 1, 2}, dst[] = {1, 0, 2, 1};
    const float same[] = {2, 2, 3, 3}, other[] = {2, 2, 3, 4};
    gpri_graph graph;
    assert_ok(gpri_graph_build_directed(ctx, &graph, 3, 4, src, dst, NULL));
    assert_null(graph.sides);
    gpri_graph_free(ctx, &graph);
    assert_ok(gpri_graph_build_directed(ctx, &graph, 3, 4, src, dst, same));
    assert_true(!graph.sides && !graph.along);
    gpri_graph_free(ctx, &graph);
    assert_ok(gpri_graph_build_directed(ctx, &graph, 3, 4, src, dst, other));
    const uint8_t both[] = {3, 3, 3, 3};
    const float along[] = {2, 2, 3, 4}, weight[] = {2, 2, 4, 4};
    assert_memory_equal(graph.sides, both, sizeof both);
    assert_memory_equal(graph.along, along, sizeof along);
    assert_memory_equal(graph.weight, weight, sizeof weight);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

/* 0 -> 1 twice, 1 -> 0 once, 1 -> 2 once. along, weight: of the arcs 0-1 1-0 1-2 2-1. */
static void settled(const char *rule, const float *along, const float *weight) {
    static const int32_t src[] = {0, 0, 1, 1}, dst[] = {1, 1, 0, 2};
    static const float given[] = {1, 4, 8, 1};
    const uint8_t sides[] = {3, 3, 1, 2};
    gpr_ctx *ctx = new_ctx(1);
    gpri_edges edges = {.nodes = 3, .count = 4, .directed = true};
    gpri_duplicates choice;
    gpri_graph graph;
    assert_ok(gpri_alloc(ctx, &edges.src, 4, sizeof *edges.src, "edges"));
    assert_ok(gpri_alloc(ctx, &edges.dst, 4, sizeof *edges.dst, "edges"));
    assert_ok(gpri_alloc(ctx, &edges.weights, 4, sizeof *edges.weights, "edges"));
    memcpy(edges.src, src, sizeof src);
    memcpy(edges.dst, dst, sizeof dst);
    memcpy(edges.weights, given, sizeof given);
    assert_ok(gpri_data_choose(&choice, GPRI_OPEN_DUPLICATES, rule));
    assert_ok(gpri_duplicates_settle(ctx, &edges, choice));
    assert_ok(gpri_graph_take(ctx, &graph, &edges));
    assert_memory_equal(graph.sides, sides, sizeof sides);
    assert_memory_equal(graph.along, along, 4 * sizeof *along);
    if (weight) assert_memory_equal(graph.weight, weight, 4 * sizeof *weight);
    else assert_null(graph.weight);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

static void test_rules(void **state) {
    (void)state;
    settled("max", (const float[]){4, 8, 1, 0}, (const float[]){8, 8, 1, 1});
    settled("sum", (const float[]){5, 8, 1, 0}, (const float[]){13, 13, 1, 1});
    settled("count", (const float[]){2, 1, 1, 0}, (const float[]){3, 3, 1, 1});
    settled("first", (const float[]){1, 8, 1, 0}, NULL);
}

/* Many edges, in slabs, buckets and chunks of rows, on any number of threads. */
static void test_many(void **state) {
    (void)state;
    enum { MANY = 400000, MANY_NODES = 30000 };
    int64_t *src = malloc(MANY * sizeof *src), *dst = malloc(MANY * sizeof *dst);
    float *values = malloc(MANY * sizeof *values);
    uint32_t random = 1;
    for (int64_t e = 0; e < MANY; e++) {
        random = random * 1664525 + 1013904223;
        src[e] = (random >> 8) % MANY_NODES;
        random = random * 1664525 + 1013904223;
        dst[e] = (random >> 8) % 500;
        values[e] = (float)(1 + random % 7);
    }
    gpr_ctx *one = new_ctx(1), *four = new_ctx(4);
    gpri_graph a, b;
    assert_ok(gpri_graph_build_directed(one, &a, MANY_NODES, MANY, src, dst, values));
    assert_ok(gpri_graph_build_directed(four, &b, MANY_NODES, MANY, src, dst, values));
    assert_int_equal(a.arcs, b.arcs);
    assert_memory_equal(a.sides, b.sides, (size_t)a.arcs);
    assert_memory_equal(a.along, b.along, (size_t)a.arcs * sizeof *a.along);
    int64_t given = 0;
    for (int64_t e = 0; e < MANY; e++) {
        if (src[e] == dst[e]) continue;
        bool found = false;
        for (int64_t at = a.rowptr[src[e]]; at < a.rowptr[src[e] + 1]; at++)
            found |= a.column[at] == dst[e] && (a.sides[at] & GPRI_ALONG) && a.along[at] >= values[e];
        assert_true(found);
    }
    for (int64_t at = 0; at < a.arcs; at++) {
        assert_true((a.along[at] > 0) == ((a.sides[at] & GPRI_ALONG) != 0));
        given += (a.sides[at] & GPRI_ALONG) != 0;
    }
    assert_int_equal(given, MANY - a.duplicates - a.self_loops);
    gpri_graph_free(one, &a);
    gpri_graph_free(four, &b);
    gpr_ctx_free(one);
    gpr_ctx_free(four);
    free(src);
    free(dst);
    free(values);
}

static gpr_status all(gpr_ctx *ctx, void *user) {
    (void)user;
    gpri_graph graph, one = {0};
    gpr_status status = gpri_graph_build_directed(ctx, &graph, NODES, EDGES, from, to, weights);
    if (status == GPR_OK) status = gpri_graph_directed(ctx, &one, &graph, GPRI_AGAINST);
    gpri_graph_free(ctx, &one);
    gpri_graph_free(ctx, &graph);
    return status;
}

static void test_no_memory(void **state) {
    (void)state;
    fail_every_allocation(all, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sides), cmocka_unit_test(test_symmetric),
                                       cmocka_unit_test(test_rules), cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
