/* graph/search.c, embed/eigen.c, isomap.c, poincare.c: eigenvectors that are known, and graphs whose geometry is. */
#include <math.h>

#include "embed/eigen.h"
#include "embed/embedding.h"
#include "failing_memory.h"
#include "some_graphs.h"

static double apart(const gpri_embedding *e, int64_t a, int64_t b) {
    return gpri_distance(e->metric, e->points[a], e->points[b]);
}

/* ---- Search --------------------------------------------------------------------------------------- */

/* From the corner of a grid up to a given distance; nodes by their distance; nothing farther is touched. */
static void test_search(void **state) {
    (void)state;
    enum { SIDE = 6, NODES = SIDE * SIDE };
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph = grid_graph(ctx, SIDE);
    int32_t distance[NODES], queue[NODES];
    for (int32_t most = 0; most <= 2 * SIDE; most++) {
        int64_t within = 0;
        for (int i = 0; i < NODES; i++) distance[i] = -1, within += i % SIDE + i / SIDE <= most;
        assert_int_equal(gpri_graph_search(&graph, 0, most, distance, queue), within);
        for (int i = 0; i < NODES; i++) {
            int steps = i % SIDE + i / SIDE;
            assert_int_equal(distance[i], steps <= most ? steps : -1);
            if (i > 0 && i < within) assert_true(distance[queue[i - 1]] <= distance[queue[i]]);
        }
    }
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

/* ---- Eigenvectors --------------------------------------------------------------------------------- */

typedef struct matrix {
    int64_t size;
    double diagonal[40], all; /* diagonal + all ones times `all` */
} matrix;

static void multiply(void *arg, double *y, const double *x) {
    const matrix *m = arg;
    double sum = 0;
    for (int64_t i = 0; i < m->size; i++) sum += x[i];
    for (int64_t i = 0; i < m->size; i++) y[i] = m->diagonal[i] * x[i] + m->all * sum;
}

static void test_eigen(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    double values[2], vectors[2 * 40];
    for (int64_t size = 1; size <= 40; size++) {
        matrix m = {.size = size};
        for (int64_t i = 0; i < size; i++) m.diagonal[i] = (double)((i * 7) % 11) - 20 * (i % 3 == 0);
        m.diagonal[size - 1] = 30;
        m.diagonal[size / 2] = 50;
        assert_ok(gpri_eigen_largest(ctx, values, vectors, size, 2, multiply, &m));
        assert_true(fabs(values[0] - 50) < 1e-8 && vectors[size / 2] > 1 - 1e-8);
        if (size == 1) assert_true(fabs(values[1]) < 1e-12 && vectors[1] == 0); /* in the rows of zeros */
        else if (size > 2) assert_true(fabs(values[1] - 30) < 1e-8 && vectors[size + size - 1] > 1 - 1e-8);
    }
    /* I: one eigenvalue, all vectors; I + 11': 1 + size, and the rest */
    matrix same = {.size = 40, .all = 0};
    for (int i = 0; i < 40; i++) same.diagonal[i] = 1;
    assert_ok(gpri_eigen_largest(ctx, values, vectors, 40, 2, multiply, &same));
    assert_true(fabs(values[0] - 1) < 1e-10 && fabs(values[1] - 1) < 1e-10);
    double product = 0;
    for (int i = 0; i < 40; i++) product += vectors[i] * vectors[40 + i];
    assert_true(fabs(product) < 1e-10);
    same.all = 1;
    assert_ok(gpri_eigen_largest(ctx, values, vectors, 40, 2, multiply, &same));
    assert_true(fabs(values[0] - 41) < 1e-8 && fabs(values[1] - 1) < 1e-8);
    for (int i = 0; i < 40; i++) assert_true(fabs(vectors[i] - 1 / sqrt(40)) < 1e-8);
    /* none above 0 */
    matrix negative = {.size = 5, .diagonal = {-1, -2, -3, -4, -5}};
    assert_ok(gpri_eigen_largest(ctx, values, vectors, 5, 2, multiply, &negative));
    assert_true(fabs(values[0]) < 1e-12 && fabs(values[1]) < 1e-12);
    for (int i = 0; i < 10; i++) assert_true(vectors[i] == 0);
    gpr_ctx_free(ctx);
}

/* ---- Isomap --------------------------------------------------------------------------------------- */

/* A path is a straight line with steps of 1; with 5000 nodes, by landmarks. */
static void test_isomap_path(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    const int64_t sizes[] = {2, 3, 50, 5000};
    for (int s = 0; s < 4; s++) {
        gpri_graph graph = path_graph(ctx, sizes[s]);
        gpri_embedding e;
        assert_ok(gpri_embed_isomap(ctx, &e, &graph));
        assert_int_equal(e.nodes, sizes[s]);
        assert_int_equal(e.metric, GPRI_METRIC_EUCLIDEAN);
        double tolerance = 1e-5 * (double)sizes[s];
        for (int64_t i = 0; i < sizes[s]; i += 1 + sizes[s] / 60)
            for (int64_t j = 0; j < sizes[s]; j += 1 + sizes[s] / 50)
                assert_true(fabs(apart(&e, i, j) - (double)llabs(i - j)) < tolerance);
        gpri_embedding_free(ctx, &e);
        gpri_graph_free(ctx, &graph);
    }
    gpr_ctx_free(ctx);
}

/* A ring is a circle: all nodes are equally far from the centre, and all neighbours from each other. */
static void test_isomap_ring(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph = ring_graph(ctx, 60);
    gpri_embedding e;
    assert_ok(gpri_embed_isomap(ctx, &e, &graph));
    double radius = hypot(e.points[0].x, e.points[0].y), step = apart(&e, 0, 1);
    assert_true(radius > 5);
    for (int64_t i = 0; i < 60; i++) {
        assert_true(fabs(hypot(e.points[i].x, e.points[i].y) - radius) < 1e-4 * radius);
        assert_true(fabs(apart(&e, i, (i + 1) % 60) - step) < 1e-4 * radius);
        assert_true(fabs(apart(&e, i, (i + 30) % 60) - 2 * radius) < 1e-4 * radius);
    }
    gpri_embedding_free(ctx, &e);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

/* The corners of a grid are the corners of a square; distances in the plane follow those in the graph. */
static void check_grid(gpr_ctx *ctx, int64_t side) {
    gpri_graph graph = grid_graph(ctx, side);
    gpri_embedding e;
    assert_ok(gpri_embed_isomap(ctx, &e, &graph));
    const int64_t corners[] = {0, side - 1, side * side - 1, side * (side - 1)};
    double edge = apart(&e, corners[0], corners[1]);
    for (int k = 0; k < 4; k++) {
        assert_true(fabs(apart(&e, corners[k], corners[(k + 1) % 4]) / edge - 1) < 0.05);
        assert_true(fabs(apart(&e, corners[k], corners[(k + 2) % 4]) / edge - sqrt(2)) < 0.05);
    }
    double xy = 0, xx = 0, yy = 0, x = 0, y = 0, n = 0;
    for (int64_t i = 0; i < e.nodes; i += 1 + e.nodes / 97)
        for (int64_t j = 0; j < i; j += 1 + e.nodes / 89) {
            double steps = (double)(llabs(i % side - j % side) + llabs(i / side - j / side)), d = apart(&e, i, j);
            xy += steps * d, xx += steps * steps, yy += d * d, x += steps, y += d, n++;
        }
    double correlation = (xy - x * y / n) / sqrt((xx - x * x / n) * (yy - y * y / n));
    assert_true(correlation > 0.95);
    gpri_embedding_free(ctx, &e);
    gpri_graph_free(ctx, &graph);
}

static void test_isomap_grid(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    check_grid(ctx, 15);
    check_grid(ctx, 70); /* landmarks */
    gpr_ctx_free(ctx);
}

/* Components are separate; a graph without any geometry still gets finite places, all of them different. */
static void test_isomap_apart(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    edge_maker m = {.nodes = 60};
    for (int64_t i = 1; i < 30; i++) join(&m, i - 1, i), join(&m, 30 + i - 1, 30 + i);
    gpri_graph graph = graph_of(ctx, m);
    gpri_embedding e;
    assert_ok(gpri_embed_isomap(ctx, &e, &graph));
    for (int64_t i = 0; i < 30; i++)
        for (int64_t j = 30; j < 60; j++) assert_true(apart(&e, i, j) > 20);
    gpri_embedding_free(ctx, &e);
    gpri_graph_free(ctx, &graph);

    gpri_graph odd[] = {edgeless_graph(ctx, 1),  edgeless_graph(ctx, 2),   edgeless_graph(ctx, 40),
                        path_graph(ctx, 2),      complete_graph(ctx, 3),   complete_graph(ctx, 25),
                        tree_graph(ctx, 30, 29), edgeless_graph(ctx, 4200)};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
        assert_ok(gpri_embed_isomap(ctx, &e, &odd[k]));
        for (int64_t i = 0; i < e.nodes; i++) {
            assert_true(isfinite(e.points[i].x) && isfinite(e.points[i].y));
            if (i > 0) assert_true(apart(&e, 0, i) > 0);
        }
        gpri_embedding_free(ctx, &e);
        gpri_graph_free(ctx, &odd[k]);
    }
    gpr_ctx_free(ctx);
}

/* ---- Poincaré ------------------------------------------------------------------------------------- */

static void test_disk(void **state) {
    (void)state;
    const gpri_metric disk = GPRI_METRIC_POINCARE;
    const gpri_point middle = {0, 0}, a = {0.3, -0.4}, b = {-0.7, 0.1}, c = {0.3 + 1e-9, -0.4};
    assert_true(fabs(gpri_distance(disk, middle, a) - 2 * atanh(0.5)) < 1e-14);
    assert_true(fabs(gpri_distance(disk, a, b) - acosh(1 + 2 * (1 + 0.25) / (0.75 * 0.5))) < 1e-13);
    assert_true(gpri_distance(disk, a, b) == gpri_distance(disk, b, a));
    assert_true(gpri_distance(disk, a, a) == 0);
    assert_true(fabs(gpri_distance(disk, a, c) / (2e-9 / 0.75) - 1) < 1e-6);
    assert_true(fabs(gpri_distance(GPRI_METRIC_EUCLIDEAN, a, b) - sqrt(1.25)) < 1e-15);
}

/* In a tree, neighbours are nearer than others, and the root is nearer to the centre than the leaves. */
static void test_poincare_tree(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph = tree_graph(ctx, 127, 2);
    gpri_embedding e;
    assert_ok(gpri_embed_poincare(ctx, &e, &graph));
    assert_int_equal(e.metric, GPRI_METRIC_POINCARE);
    double near = 0, far = 0, leaves = 0, most = 0;
    int64_t below = 0;
    for (int64_t i = 0; i < 127; i++) {
        double out = hypot(e.points[i].x, e.points[i].y);
        most = fmax(most, out);
        if (i >= 63) leaves += out / 64;
        for (int64_t j = 0; j < i; j++)
            if (j == (i - 1) / 2) near += apart(&e, i, j) / 126;
            else far += apart(&e, i, j) / (127 * 63 - 126);
        for (int64_t j = 0; i > 0 && j < 127; j++) /* nodes nearer to it than its parent */
            below += j != i && (j - 1) / 2 != i && apart(&e, i, j) < apart(&e, i, (i - 1) / 2);
    }
    assert_true(most < 1);
    assert_true(near < 0.4 * far);
    assert_true(hypot(e.points[0].x, e.points[0].y) < 0.7 * leaves);
    assert_true(below < 126 * 12); /* of 62 by chance */
    gpri_embedding_free(ctx, &e);
    gpri_graph_free(ctx, &graph);
    gpri_graph odd[] = {edgeless_graph(ctx, 1), edgeless_graph(ctx, 3), path_graph(ctx, 2), complete_graph(ctx, 8)};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) { /* in a complete graph all nodes are neighbours */
        assert_ok(gpri_embed_poincare(ctx, &e, &odd[k]));
        for (int64_t i = 0; i < e.nodes; i++) assert_true(hypot(e.points[i].x, e.points[i].y) < 1);
        gpri_embedding_free(ctx, &e);
        gpri_graph_free(ctx, &odd[k]);
    }
    gpr_ctx_free(ctx);
}

/* ---- Both ----------------------------------------------------------------------------------------- */

typedef gpr_status (*embedder)(gpr_ctx *, gpri_embedding *, const gpri_graph *);
static const embedder embedders[] = {gpri_embed_isomap, gpri_embed_poincare};

static void test_threads(void **state) {
    (void)state;
    const int threads[] = {1, 2, 7};
    for (int which = 0; which < 2; which++)
        for (int64_t nodes = 400; nodes <= 4300; nodes += 3900) {
            gpri_embedding first = {0};
            gpr_ctx *one = new_ctx(1);
            for (int t = 0; t < 3; t++) {
                gpr_ctx *ctx = new_ctx(threads[t]);
                gpri_graph graph = tree_graph(ctx, nodes, 3);
                gpri_embedding e;
                assert_ok(embedders[which](ctx, &e, &graph));
                if (t > 0) assert_memory_equal(first.points, e.points, (size_t)nodes * sizeof *e.points);
                if (t == 0) {
                    assert_ok(gpri_alloc(one, &first.points, nodes, sizeof *e.points, "copy"));
                    memcpy(first.points, e.points, (size_t)nodes * sizeof *e.points);
                }
                gpri_embedding_free(ctx, &e);
                gpri_graph_free(ctx, &graph);
                gpr_ctx_free(ctx);
                if (which == 1 && nodes > 400) break; /* one thread does it all */
            }
            gpri_embedding_free(one, &first);
            gpr_ctx_free(one);
        }
}

/* ---- Progress ------------------------------------------------------------------------------------- */

typedef struct listener {
    int64_t calls, stop_at; /* the call that asks to stop; 0: none */
    double share;
} listener;

static int hear(void *user, const gpr_progress *progress) {
    listener *l = user;
    assert_string_equal(progress->stage, "embedding");
    assert_true(progress->share >= l->share && progress->share <= 1);
    l->share = progress->share;
    return ++l->calls == l->stop_at;
}

/* Shares increase, and a stop at any of them ends the work. Above 4096 nodes Isomap uses its landmarks twice. */
static void test_progress(void **state) {
    (void)state;
    static const struct {
        embedder embed;
        int64_t side, calls;
    } cases[] = {{gpri_embed_isomap, 12, 6},
                 {gpri_embed_isomap, 65, 34},
                 {gpri_embed_poincare, 5, 50},
                 {gpri_embed_struc2vec, 30, 11}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        listener l = {0};
        gpr_ctx *ctx;
        gpr_ctx_options options = {.struct_size = sizeof options, .threads = 2, .progress = hear, .user = &l};
        assert_ok(gpr_ctx_new(&ctx, &options));
        gpri_graph graph = grid_graph(ctx, cases[i].side);
        gpri_embedding e;
        assert_ok(cases[i].embed(ctx, &e, &graph));
        assert_int_equal(l.calls, cases[i].calls);
        gpri_embedding_free(ctx, &e);
        for (int64_t stop = 1; stop <= cases[i].calls; stop += (cases[i].calls - 1) / 3) {
            l = (listener){.stop_at = stop};
            assert_fails(cases[i].embed(ctx, &e, &graph), GPR_ERROR_STOPPED, "stopped by the caller");
            assert_int_equal(l.calls, stop);
            assert_null(e.points);
        }
        gpri_graph_free(ctx, &graph);
        gpr_ctx_free(ctx);
    }
}

/* ---- Memory --------------------------------------------------------------------------------------- */

static gpr_status embed_once(gpr_ctx *ctx, void *arg) {
    gpr_ctx *own = new_ctx(1);
    gpri_graph graph = path_graph(own, 20);
    gpri_embedding e;
    gpr_status status = (*(embedder *)arg)(ctx, &e, &graph);
    gpri_embedding_free(ctx, &e);
    gpri_graph_free(own, &graph);
    gpr_ctx_free(own);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    for (int which = 0; which < 2; which++) {
        embedder one = embedders[which];
        fail_every_allocation(embed_once, &one);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search),      cmocka_unit_test(test_eigen),         cmocka_unit_test(test_isomap_path),
        cmocka_unit_test(test_isomap_ring), cmocka_unit_test(test_isomap_grid),   cmocka_unit_test(test_isomap_apart),
        cmocka_unit_test(test_disk),        cmocka_unit_test(test_poincare_tree), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_progress),    cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
