/* Graphs built through files: the same as those built in memory, for any memory; and what it takes of it. */
#include "base/random.h"
#include "bounded_memory.h"
#include "failing_memory.h"
#include "graph/spill.h"
#include "npz_maker.h"

typedef struct {
    char folder[64], path[128];
} place;

static int set_up(void **state) {
    place *p = calloc(1, sizeof *p);
    if (!p) return -1;
    folder_make_fast(p->folder);
    snprintf(p->path, sizeof p->path, "%s/out.gpr", p->folder);
    *state = p;
    return 0;
}

/* No file may be left. */
static int tear_down(void **state) {
    place *p = *state;
    const int left = folder_files(p->folder, true);
    free(p);
    return left;
}

#define SPILL_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* ---- Edges ---------------------------------------------------------------------------------------- */

typedef struct {
    int64_t nodes, count;
    int32_t *src, *dst;
    float *weights;
    bool ones; /* all weights are 1 */
} edges;

/* A quarter of the edges at node 0, loops, duplicates, both directions; weights 1, 2, 3. */
static edges draw(int64_t nodes, int64_t count, uint64_t seed, bool ones) {
    edges list = {
        nodes, count, malloc((size_t)count * 4 + 1), malloc((size_t)count * 4 + 1), malloc((size_t)count * 4 + 1),
        ones};
    const gpri_random stream = gpri_random_of(seed, GPRI_RANDOM_TEST, 0, 0);
    for (int64_t e = 0; e < count; e++) {
        list.src[e] = e % 4 == 0 ? 0 : (int32_t)gpri_uniform_below(stream, 3 * (uint64_t)e, (uint64_t)nodes);
        list.dst[e] = (int32_t)gpri_uniform_below(stream, 3 * (uint64_t)e + 1, (uint64_t)nodes);
        list.weights[e] = ones ? 1 : 1 + (float)gpri_uniform_below(stream, 3 * (uint64_t)e + 2, 3);
    }
    return list;
}

static void edges_free(edges *list) {
    free(list->src);
    free(list->dst);
    free(list->weights);
}

static void build_within(gpr_ctx *ctx, gpri_graph *graph, const edges *list, bool weighted, bool directed) {
    int64_t *src = malloc((size_t)list->count * 8 + 1), *dst = malloc((size_t)list->count * 8 + 1);
    for (int64_t e = 0; e < list->count; e++) {
        src[e] = list->src[e];
        dst[e] = list->dst[e];
    }
    weighted = weighted && !list->ones; /* as a reader leaves them out */
    assert_ok((directed ? gpri_graph_build_directed : gpri_graph_build)(ctx, graph, list->nodes, list->count, src, dst,
                                                                        weighted ? list->weights : NULL));
    free(src);
    free(dst);
}

/* The graph that a spill gives, put together. */
typedef struct {
    int32_t *columns;
    float *weights, *along;
    uint8_t *sides;
    int64_t count;
} collected;

static void *more(void *old, const void *from, int64_t held, int64_t count, size_t size) {
    if (!from) return old;
    char *all = realloc(old, (size_t)(held + count) * size);
    assert_non_null(all);
    memcpy(all + (size_t)held * size, from, (size_t)count * size);
    return all;
}

static gpr_status collect(void *user, const gpri_arcs *arcs, int64_t count) {
    collected *c = user;
    if (count == 0) return GPR_OK;
    c->columns = more(c->columns, arcs->column, c->count, count, sizeof *c->columns);
    c->weights = more(c->weights, arcs->weight, c->count, count, sizeof *c->weights);
    c->sides = more(c->sides, arcs->sides, c->count, count, sizeof *c->sides);
    c->along = more(c->along, arcs->along, c->count, count, sizeof *c->along);
    c->count += count;
    return GPR_OK;
}

static void collected_free(collected *c) {
    free(c->columns);
    free(c->weights);
    free(c->sides);
    free(c->along);
}

static void put_all(gpri_spill *spill, const edges *list, bool weighted) {
    for (int64_t e = 0; e < list->count; e += 100) {
        const int64_t count = list->count - e < 100 ? list->count - e : 100;
        assert_ok(gpri_spill_put(spill, list->src + e, list->dst + e, weighted ? list->weights + e : NULL, count));
    }
    assert_int_equal(gpri_spill_edges(spill), list->count);
}

static void compare(gpr_ctx *ctx, const place *p, const edges *list, bool weighted, bool directed, int64_t memory) {
    gpri_graph within, spilled;
    gpri_spill *spill;
    collected c = {0};
    gpri_spill_options options = {.path = p->path, .memory = memory, .weighted = weighted, .directed = directed};
    build_within(ctx, &within, list, weighted, directed);
    assert_ok(gpri_spill_new(ctx, &spill, &options));
    put_all(spill, list, weighted);
    assert_ok(gpri_spill_build(spill, &spilled, list->nodes, collect, &c));
    assert_true(gpri_spill_directed(spill) == (within.sides != NULL));
    gpri_spill_free(spill);
    assert_int_equal(spilled.nodes, within.nodes);
    assert_int_equal(spilled.arcs, within.arcs);
    assert_int_equal(spilled.self_loops, within.self_loops);
    assert_int_equal(spilled.duplicates, within.duplicates);
    assert_int_equal(spilled.mutual, within.mutual);
    assert_int_equal(spilled.isolated, within.isolated);
    assert_memory_equal(spilled.rowptr, within.rowptr, (size_t)(within.nodes + 1) * sizeof *within.rowptr);
    assert_int_equal(c.count, within.arcs);
    if (within.arcs) assert_memory_equal(c.columns, within.column, (size_t)within.arcs * sizeof *within.column);
    assert_true(!c.weights == (!weighted || list->ones || within.arcs == 0)); /* weights that are all 1 are none */
    if (c.weights) assert_memory_equal(c.weights, within.weight, (size_t)within.arcs * sizeof *within.weight);
    if (within.sides) assert_memory_equal(c.sides, within.sides, (size_t)within.arcs);
    if (within.sides) assert_true(!c.along == !within.along);
    if (within.along) assert_memory_equal(c.along, within.along, (size_t)within.arcs * sizeof *within.along);
    gpri_graph_free(ctx, &within);
    gpri_graph_free(ctx, &spilled);
    collected_free(&c);
}

/* ---- Tests ---------------------------------------------------------------------------------------- */

/* From one range for all rows to one range per row, also with rows that fit no range. */
static void same_graphs(void **state) {
    static const struct {
        int64_t nodes, count;
    } sizes[] = {{1, 0}, {1, 5}, {2, 1}, {2, 400}, {50, 30}, {300, 3000}, {100000, 5000}};
    static const int64_t memories[] = {1, 200, 1000, 3000, 20000, 1 << 26};
    gpr_ctx *ctx = new_ctx(2);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int weights = 0; weights < 3; weights++) {
            edges list = draw(sizes[i].nodes, sizes[i].count, i + 1, weights == 1);
            for (size_t m = 0; m < sizeof memories / sizeof *memories; m++)
                for (int directed = 0; directed < 2; directed++)
                    compare(ctx, *state, &list, weights > 0, directed, memories[m]);
            edges_free(&list);
        }
    gpr_ctx_free(ctx);
}

/* Memory is at most what was asked for and some bytes per node, for any number of edges. */
static void bounded(void **state) {
    enum { NODES = 1000, MEMORY = 1 << 17 };
    const place *p = *state;
    int64_t peaks[2];
    for (int round = 0; round < 2; round++) {
        bounded_memory memory = {0};
        gpr_ctx *ctx = bounded_ctx(&memory);
        edges list = draw(NODES, round == 0 ? 30000 : 300000, 7, false);
        gpri_spill *spill;
        gpri_graph graph;
        collected c = {0};
        gpri_spill_options options = {.path = p->path, .memory = MEMORY, .weighted = true, .directed = true};
        memory.peak = memory.held;
        assert_ok(gpri_spill_new(ctx, &spill, &options));
        put_all(spill, &list, true);
        assert_ok(gpri_spill_build(spill, &graph, NODES, collect, &c));
        peaks[round] = memory.peak;
        gpri_spill_free(spill);
        gpri_graph_free(ctx, &graph);
        gpr_ctx_free(ctx);
        collected_free(&c);
        edges_free(&list);
    }
    print_message("peak %lld and %lld bytes\n", (long long)peaks[0], (long long)peaks[1]);
    assert_true(peaks[0] < MEMORY + 64 * NODES);
    assert_true(peaks[1] < MEMORY + 64 * NODES);
}

/* Nodes by their first appearance, in the order of edges. */
typedef struct {
    int32_t number[50]; /* -1: none yet */
    int32_t count;
} appearance;

static gpr_status by_appearance(void *user, int32_t *id) {
    appearance *a = user;
    if (a->number[*id] < 0) a->number[*id] = a->count++;
    *id = a->number[*id];
    return GPR_OK;
}

static gpr_status rename_none(void *user, int32_t *id) {
    (void)user, (void)id;
    return gpri_fail(GPR_ERROR_FORMAT, "no name");
}

static void renamed(void **state) {
    const place *p = *state;
    gpr_ctx *ctx = new_ctx(1);
    edges list = draw(50, 700, 11, false);
    for (int64_t memory = 300; memory < 100000; memory *= 10) {
        gpri_spill *spill;
        gpri_graph within, spilled;
        collected c = {0};
        appearance in_file = {.count = 0}, in_memory = {.count = 0};
        memset(in_file.number, -1, sizeof in_file.number);
        memset(in_memory.number, -1, sizeof in_memory.number);
        gpri_spill_options options = {.path = p->path, .memory = memory};
        assert_ok(gpri_spill_new(ctx, &spill, &options));
        put_all(spill, &list, false);
        assert_ok(gpri_spill_rename(spill, by_appearance, &in_file));
        assert_ok(gpri_spill_build(spill, &spilled, 50, collect, &c));
        gpri_spill_free(spill);
        edges copy = draw(50, 700, 11, false);
        for (int64_t e = 0; e < copy.count; e++) {
            assert_ok(by_appearance(&in_memory, &copy.src[e]));
            assert_ok(by_appearance(&in_memory, &copy.dst[e]));
        }
        build_within(ctx, &within, &copy, false, false);
        assert_int_equal(within.arcs, spilled.arcs);
        assert_int_equal(within.duplicates, spilled.duplicates);
        assert_int_equal(within.mutual, spilled.mutual);
        assert_memory_equal(c.columns, within.column, (size_t)within.arcs * sizeof *within.column);
        gpri_graph_free(ctx, &within);
        gpri_graph_free(ctx, &spilled);
        free(c.columns);
        edges_free(&copy);
        assert_ok(gpri_spill_new(ctx, &spill, &options));
        put_all(spill, &list, false);
        assert_fails(gpri_spill_rename(spill, rename_none, NULL), GPR_ERROR_FORMAT, "no name");
        gpri_spill_free(spill);
    }
    edges_free(&list);
    gpr_ctx_free(ctx);
}

static gpr_status stop(void *user, double done, double total) {
    int *left = user;
    assert_true(done >= 0 && done <= total);
    return (*left)-- > 0 ? GPR_OK : gpri_fail(GPR_ERROR_IO, "stopped");
}

static gpr_status refuse(void *user, const gpri_arcs *arcs, int64_t count) {
    (void)user, (void)arcs, (void)count;
    return gpri_fail(GPR_ERROR_IO, "no place");
}

static void stopped(void **state) {
    const place *p = *state;
    gpr_ctx *ctx = new_ctx(1);
    edges list = draw(100, 2000, 3, false);
    for (int64_t memory = 1000; memory < 100000; memory *= 20)
        for (int left = 0, steps = 1; steps > 0; left++) {
            int still = left;
            gpri_spill *spill;
            gpri_graph graph;
            collected c = {0};
            gpri_spill_options options = {.path = p->path, .memory = memory, .tick = {stop, &still}};
            assert_ok(gpri_spill_new(ctx, &spill, &options));
            put_all(spill, &list, false);
            gpr_status status = gpri_spill_build(spill, &graph, 100, collect, &c);
            if (status == GPR_OK) steps = 0;
            else assert_null(graph.rowptr);
            if (left == 0) assert_true(status == GPR_ERROR_IO);
            gpri_spill_free(spill);
            gpri_graph_free(ctx, &graph);
            free(c.columns);
        }
    gpri_spill *spill;
    gpri_graph graph;
    gpri_spill_options options = {.path = p->path, .memory = 1000};
    assert_ok(gpri_spill_new(ctx, &spill, &options));
    put_all(spill, &list, false);
    assert_fails(gpri_spill_build(spill, &graph, 100, refuse, NULL), GPR_ERROR_IO, "no place");
    gpri_spill_free(spill);
    options.path = "/none/out.gpr";
    assert_fails(gpri_spill_new(ctx, &spill, &options), GPR_ERROR_IO, "/none/out.gpr");
    assert_null(spill);
    options.path = p->path;
    assert_ok(gpri_spill_new(ctx, &spill, &options));
    assert_fails(gpri_spill_build(spill, &graph, 0, refuse, NULL), GPR_ERROR_ARGUMENT, "0 nodes");
    gpri_spill_free(spill);
    edges_free(&list);
    gpr_ctx_free(ctx);
}

typedef struct {
    const place *p;
    const edges *list;
} trial;

static gpr_status build_once(gpr_ctx *ctx, void *arg) {
    const trial *t = arg;
    gpr_status status = GPR_OK;
    gpri_spill *spill = NULL;
    gpri_graph graph = {0};
    collected c = {0};
    gpri_spill_options options = {.path = t->p->path, .memory = 3000, .weighted = true, .directed = true};
    TRY(gpri_spill_new(ctx, &spill, &options));
    TRY(gpri_spill_put(spill, t->list->src, t->list->dst, t->list->weights, t->list->count));
    TRY(gpri_spill_build(spill, &graph, t->list->nodes, collect, &c));
done:
    gpri_spill_free(spill);
    gpri_graph_free(ctx, &graph);
    collected_free(&c);
    return status;
}

static void little_memory(void **state) {
    edges list = draw(60, 3000, 5, false);
    trial t = {*state, &list};
    fail_every_allocation(build_once, &t);
    edges_free(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {SPILL_TEST(same_graphs), SPILL_TEST(bounded), SPILL_TEST(renamed),
                                       SPILL_TEST(stopped), SPILL_TEST(little_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
