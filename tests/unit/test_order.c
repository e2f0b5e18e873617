/* Orders of nodes: every method gives a permutation, the same for any number of threads, with near neighbours where the
 * graph has them; the graph in another order; words of the option. */
#include "failing_memory.h"
#include "some_graphs.h"

#include "base/random.h"
#include "graph/order/order.h"

static const gpri_order_wish wishes[] = {
    {GPRI_ORDER_RCM, 0}, {GPRI_ORDER_COMMUNITIES, 0}, {GPRI_ORDER_METIS, 0}, {GPRI_ORDER_METIS, 7}};
enum { WISHES = sizeof wishes / sizeof *wishes };

/* METIS need not be installed where the tests run. */
static bool has_metis(gpr_ctx *ctx) {
    gpri_graph graph = path_graph(ctx, 4);
    int32_t order[4];
    const gpr_status status = gpri_order_metis(ctx, order, &graph, 2);
    if (status != GPR_OK) assert_fails(status, GPR_ERROR_IO, "install libmetis.so.5");
    gpri_graph_free(ctx, &graph);
    return status == GPR_OK;
}

static void assert_permutation(const int32_t *order, int64_t nodes) {
    bool *seen = calloc((size_t)nodes, 1);
    assert_non_null(seen);
    for (int64_t i = 0; i < nodes; i++) {
        assert_true(order[i] >= 0 && order[i] < nodes && !seen[order[i]]);
        seen[order[i]] = true;
    }
    free(seen);
}

/* A number below `nodes` for each, all different. */
static int64_t *shuffled(int64_t nodes) {
    const gpri_random random = gpri_random_of(3, GPRI_RANDOM_TEST, 0, 1);
    int64_t *to = malloc((size_t)nodes * sizeof *to);
    assert_non_null(to);
    for (int64_t i = 0; i < nodes; i++) to[i] = i;
    for (int64_t k = nodes - 1; k > 0; k--) {
        const int64_t other = (int64_t)gpri_uniform_below(random, (uint64_t)k, (uint64_t)k + 1), kept = to[k];
        to[k] = to[other];
        to[other] = kept;
    }
    return to;
}

/* Groups of nodes: `inside` edges of each node within its group, and one in ten to anywhere. Numbers are shuffled;
 *group: (nodes) of each. */
static gpri_graph groups_graph(gpr_ctx *ctx, int64_t nodes, int64_t size, int32_t *group) {
    const gpri_random random = gpri_random_of(5, GPRI_RANDOM_TEST, 0, 2);
    int64_t *to = shuffled(nodes);
    edge_maker m = {.nodes = nodes};
    uint64_t draw = 0;
    for (int64_t i = 0; i < nodes; i++) {
        const int64_t first = i / size * size, count = nodes - first < size ? nodes - first : size;
        group[to[i]] = (int32_t)(i / size);
        for (int k = 0; k < 5; k++)
            join(&m, to[i], to[first + (int64_t)gpri_uniform_below(random, draw++, (uint64_t)count)]);
        if (i % 10 == 0) join(&m, to[i], to[gpri_uniform_below(random, draw++, (uint64_t)nodes)]);
    }
    free(to);
    return graph_of(ctx, m);
}

static gpri_graph some_graph(gpr_ctx *ctx, int which) {
    static int32_t group[3000];
    switch (which) {
    case 0: return path_graph(ctx, 300);
    case 1: return edgeless_graph(ctx, 20);
    case 2: return complete_graph(ctx, 30);
    case 3: return tree_graph(ctx, 200, 13);
    case 4: return edgeless_graph(ctx, 1);
    case 5: return grid_graph(ctx, 20);
    default: return groups_graph(ctx, 3000, 100, group);
    }
}
enum { GRAPHS = 7 };

static void permutations(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1), *many = new_ctx(3);
    const int methods = has_metis(ctx) ? WISHES : 2;
    for (int g = 0; g < GRAPHS; g++)
        for (int w = 0; w < methods; w++) {
            gpri_graph graph = some_graph(ctx, g);
            int32_t *order, *again;
            assert_ok(gpri_order_find(ctx, &order, &graph, wishes[w]));
            assert_ok(gpri_order_find(many, &again, &graph, wishes[w]));
            assert_permutation(order, graph.nodes);
            assert_memory_equal(order, again, (size_t)graph.nodes * sizeof *order);
            gpri_free(ctx, order);
            gpri_free(many, again);
            gpri_graph_free(ctx, &graph);
        }
    gpr_ctx_free(ctx);
    gpr_ctx_free(many);
}

/* The largest difference of two neighbours' numbers. */
static int64_t bandwidth(const gpri_graph *graph) {
    int64_t most = 0;
    for (int64_t i = 0; i < graph->nodes; i++)
        for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++)
            if (graph->column[k] - i > most) most = graph->column[k] - i;
    return most;
}

static void narrow_band(void **state) {
    (void)state;
    enum { NODES = 400, SIDE = 20 };
    gpr_ctx *ctx = new_ctx(2);
    int64_t *to = shuffled(NODES);
    edge_maker path = {.nodes = NODES}, grid = {.nodes = NODES};
    for (int64_t i = 1; i < NODES; i++) join(&path, to[i - 1], to[i]);
    for (int64_t i = 0; i < NODES; i++) {
        if (i % SIDE + 1 < SIDE) join(&grid, to[i], to[i + 1]);
        if (i + SIDE < NODES) join(&grid, to[i], to[i + SIDE]);
    }
    free(to);
    for (int turn = 0; turn < 2; turn++) {
        gpri_graph graph = graph_of(ctx, turn ? grid : path), moved;
        int32_t order[NODES];
        assert_true(bandwidth(&graph) > 200);
        assert_ok(gpri_order_rcm(ctx, order, &graph));
        assert_ok(gpri_order_graph(ctx, &moved, &graph, order));
        assert_true(bandwidth(&moved) <= (turn ? 2 * SIDE : 1));
        gpri_graph_free(ctx, &graph);
        gpri_graph_free(ctx, &moved);
    }
    gpr_ctx_free(ctx);
}

/* How often the group changes along the order. */
static int64_t changes(const int32_t *order, const int32_t *group, int64_t nodes) {
    int64_t count = 0;
    for (int64_t i = 1; i < nodes; i++) count += group[order[i]] != group[order[i - 1]];
    return count;
}

static void groups_together(void **state) {
    (void)state;
    enum { NODES = 3000, SIZE = 100 };
    static int32_t group[NODES];
    gpr_ctx *ctx = new_ctx(2);
    gpri_graph graph = groups_graph(ctx, NODES, SIZE, group);
    int32_t *order;
    assert_ok(gpri_order_find(ctx, &order, &graph, (gpri_order_wish){GPRI_ORDER_COMMUNITIES, 0}));
    assert_true(changes(order, group, NODES) < NODES / 10);
    gpri_free(ctx, order);
    if (has_metis(ctx)) {
        assert_ok(gpri_order_find(ctx, &order, &graph, (gpri_order_wish){GPRI_ORDER_METIS, NODES / SIZE}));
        int64_t cut = 0;
        int32_t place[NODES];
        gpri_order_invert(place, order, NODES);
        for (int64_t i = 0; i < NODES; i++) /* parts are blocks of rows */
            for (int64_t k = graph.rowptr[i]; k < graph.rowptr[i + 1]; k++)
                cut += place[i] / SIZE != place[graph.column[k]] / SIZE;
        assert_true(cut < graph.arcs / 5);
        gpri_free(ctx, order);
    }
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

/* Row order[i] of the one is row i of the other, with its weights. */
static void moved_graph(void **state) {
    (void)state;
    enum { NODES = 300, EDGES = 900 };
    int64_t src[EDGES], dst[EDGES];
    float weights[EDGES];
    const gpri_random random = gpri_random_of(7, GPRI_RANDOM_TEST, 0, 3);
    for (int64_t e = 0; e < EDGES; e++) {
        src[e] = e % 4 ? (int64_t)gpri_uniform_below(random, (uint64_t)(2 * e), NODES) : 7; /* a row that is long */
        dst[e] = (int64_t)gpri_uniform_below(random, (uint64_t)(2 * e + 1), NODES);
        weights[e] = (float)(e + 1);
    }
    gpr_ctx *ctx = new_ctx(3);
    for (int weighted = 0; weighted < 2; weighted++) {
        gpri_graph graph, moved;
        int32_t order[NODES];
        assert_ok(gpri_graph_build(ctx, &graph, NODES, EDGES, src, dst, weighted ? weights : NULL));
        assert_ok(gpri_order_communities(ctx, order, &graph));
        assert_ok(gpri_order_graph(ctx, &moved, &graph, order));
        assert_int_equal(moved.arcs, graph.arcs);
        assert_int_equal(moved.isolated, graph.isolated);
        for (int64_t i = 0; i < NODES; i++) {
            const int64_t old = order[i], begin = moved.rowptr[i], from = graph.rowptr[old];
            const int64_t count = moved.rowptr[i + 1] - begin;
            assert_int_equal(count, graph.rowptr[old + 1] - from);
            for (int64_t k = 0; k < count; k++) {
                if (k) assert_true(moved.column[begin + k] > moved.column[begin + k - 1]);
                int64_t at = 0; /* the same neighbour there */
                while (at < count && graph.column[from + at] != order[moved.column[begin + k]]) at++;
                assert_true(at < count);
                if (weighted) assert_true(moved.weight[begin + k] == graph.weight[from + at]);
            }
        }
        gpri_graph_free(ctx, &graph);
        gpri_graph_free(ctx, &moved);
    }
    gpr_ctx_free(ctx);
}

static void words(void **state) {
    (void)state;
    gpri_order_wish wish;
    assert_ok(gpri_order_parse(&wish, NULL));
    assert_int_equal(wish.method, GPRI_ORDER_NONE);
    assert_ok(gpri_order_parse(&wish, "metis"));
    assert_true(wish.method == GPRI_ORDER_METIS && wish.parts == 0);
    assert_ok(gpri_order_parse(&wish, "metis:12"));
    assert_true(wish.method == GPRI_ORDER_METIS && wish.parts == 12);
    assert_ok(gpri_order_parse(&wish, "communities"));
    assert_int_equal(wish.method, GPRI_ORDER_COMMUNITIES);
    assert_fails(gpri_order_parse(&wish, "metis:0"), GPR_ERROR_ARGUMENT, "from 1 to 1000000");
    assert_fails(gpri_order_parse(&wish, "metis:"), GPR_ERROR_ARGUMENT, "number of parts");
    assert_fails(gpri_order_parse(&wish, "comunities"), GPR_ERROR_ARGUMENT, "did you mean 'communities'?");
    assert_fails(gpri_order_parse(&wish, ""), GPR_ERROR_ARGUMENT, "expected auto, none, rcm");
}

/* `auto` leaves small graphs, and those whose neighbours are near. */
static void only_where_it_pays(void **state) {
    (void)state;
    enum { LARGE = 600000 };
    const gpri_order_wish automatic = {GPRI_ORDER_AUTO, 0};
    gpr_ctx *ctx = new_ctx(2);
    gpri_graph small = grid_graph(ctx, 20);
    int32_t *order;
    assert_ok(gpri_order_find(ctx, &order, &small, automatic));
    assert_null(order);
    gpri_graph_free(ctx, &small);
    for (int mixed = 0; mixed < 2; mixed++) {
        int64_t *to = shuffled(LARGE), *src = malloc(LARGE * sizeof *src), *dst = malloc(LARGE * sizeof *dst);
        gpri_graph graph;
        assert_true(src && dst);
        for (int64_t i = 0; i < LARGE; i++) {
            src[i] = mixed ? to[i] : i;
            dst[i] = mixed ? to[(i + 1) % LARGE] : (i + 1) % LARGE;
        }
        assert_ok(gpri_graph_build(ctx, &graph, LARGE, LARGE, src, dst, NULL));
        assert_true(mixed ? gpri_order_near(&graph, NULL) < 0.1 : gpri_order_near(&graph, NULL) > 0.9);
        assert_ok(gpri_order_find(ctx, &order, &graph, automatic));
        assert_true(!!order == !!mixed);
        gpri_free(ctx, order);
        gpri_graph_free(ctx, &graph);
        free(to);
        free(src);
        free(dst);
    }
    gpr_ctx_free(ctx);
}

static gpr_status order_it(gpr_ctx *ctx, void *arg) {
    const gpri_order_wish *wish = arg;
    const int64_t src[] = {0, 1, 2, 3, 4, 5, 0}, dst[] = {1, 2, 3, 4, 5, 0, 3};
    gpri_graph graph, moved = {0};
    int32_t *order = NULL;
    gpr_status status = gpri_graph_build(ctx, &graph, 6, 7, src, dst, NULL);
    if (status == GPR_OK) status = gpri_order_find(ctx, &order, &graph, *wish);
    if (status == GPR_OK) status = gpri_order_graph(ctx, &moved, &graph, order);
    gpri_free(ctx, order);
    gpri_graph_free(ctx, &graph);
    gpri_graph_free(ctx, &moved);
    return status;
}

static void out_of_memory(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const int methods = has_metis(ctx) ? WISHES : 2;
    gpr_ctx_free(ctx);
    for (int w = 0; w < methods; w++) fail_every_allocation(order_it, (void *)(uintptr_t)&wishes[w]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutations),  cmocka_unit_test(narrow_band), cmocka_unit_test(groups_together),
        cmocka_unit_test(moved_graph),   cmocka_unit_test(words),       cmocka_unit_test(only_where_it_pays),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
