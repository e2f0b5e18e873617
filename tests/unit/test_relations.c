/* embed/nearest.c, relations.c: near nodes, the radius, directions, divisions: against loops over all pairs. */
#include <math.h>

#include "base/random.h"
#include "embed/nearest.h"
#include "embed/relations.h"
#include "failing_memory.h"
#include "some_graphs.h"

/* Random points, at most `places` of them different. In the disk, more of them are near its rim. */
static gpri_embedding random_points(gpr_ctx *ctx, int64_t nodes, gpri_metric metric, int64_t places) {
    gpri_embedding e = {.nodes = nodes, .metric = metric};
    gpri_random stream = gpri_random_of(3, GPRI_RANDOM_TEST, 0, 0);
    assert_ok(gpri_alloc(ctx, &e.points, nodes, sizeof *e.points, "points"));
    for (int64_t i = 0; i < nodes; i++) {
        uint64_t place = (uint64_t)(i % places);
        double angle = 6.283185307179586 * gpri_uniform(stream, 2 * place), out = gpri_uniform(stream, 2 * place + 1);
        if (metric == GPRI_METRIC_POINCARE) out = 1 - 1e-4 - 0.9 * out * out * out;
        e.points[i] = (gpri_point){out * cos(angle), out * sin(angle)};
    }
    return e;
}

static double apart(const gpri_embedding *e, int64_t a, int64_t b) {
    return gpri_distance(e->metric, e->points[a], e->points[b]);
}

static int64_t pairs_within(const gpri_embedding *e, double radius) {
    int64_t count = 0;
    for (int64_t i = 0; i < e->nodes; i++)
        for (int64_t j = 0; j < i; j++) count += apart(e, i, j) < radius;
    return count;
}

static void test_find(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    enum { N = 300 };
    const int64_t sizes[] = {1, 2, 9, 30, N};
    int32_t found[N];
    double distances[N];
    for (int metric = 0; metric < 2; metric++)
        for (int s = 0; s < 5; s++)
            for (int64_t places = sizes[s]; places > 0; places /= 4) {
                gpri_embedding e = random_points(ctx, sizes[s], (gpri_metric)metric, places);
                gpri_nearest *tree;
                assert_ok(gpri_nearest_new(ctx, &tree, &e));
                for (double radius = 1e-3; radius < 20; radius *= 3)
                    for (int64_t v = 0; v < sizes[s]; v += 7) {
                        int64_t count = gpri_nearest_find(tree, v, radius, N, found, distances), expected = 0;
                        bool seen[N] = {false};
                        for (int64_t k = 0; k < count; k++) {
                            assert_false(seen[found[k]]);
                            assert_true(found[k] != v && distances[k] == apart(&e, v, found[k]) &&
                                        distances[k] < radius);
                            seen[found[k]] = true;
                        }
                        for (int64_t u = 0; u < sizes[s]; u++) expected += u != v && apart(&e, u, v) < radius;
                        assert_int_equal(count, expected);
                        assert_int_equal(gpri_nearest_find(tree, v, radius, N, NULL, NULL), count);
                        if (count > 1) assert_true(gpri_nearest_find(tree, v, radius, 1, found, NULL) > 1);
                    }
                gpri_nearest_free(tree);
                gpri_embedding_free(ctx, &e);
            }
    gpr_ctx_free(ctx);
}

/* Exactly as many pairs as asked for, if all distances differ. */
static void test_radius(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    enum { N = 150 };
    for (int metric = 0; metric < 2; metric++) {
        gpri_embedding e = random_points(ctx, N, (gpri_metric)metric, N);
        gpri_nearest *tree;
        double radius;
        assert_ok(gpri_nearest_new(ctx, &tree, &e));
        for (int64_t pairs = 0; pairs < N * (N - 1) / 2; pairs = pairs * 2 + 1) {
            assert_ok(gpri_nearest_radius(tree, &radius, pairs));
            assert_int_equal(pairs_within(&e, radius), pairs);
            assert_int_equal(pairs_within(&e, nextafter(radius, INFINITY)), pairs + 1); /* it is the largest */
        }
        assert_ok(gpri_nearest_radius(tree, &radius, N * (N - 1) / 2));
        assert_true(isinf(radius));
        gpri_nearest_free(tree);
        gpri_embedding_free(ctx, &e);
    }
    gpr_ctx_free(ctx);
}

/* If several pairs have the same distance: never more than asked for, but more with the next larger radius. */
static void test_ties(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_embedding e = random_points(ctx, 400, GPRI_METRIC_EUCLIDEAN, 400);
    gpri_nearest *tree;
    double radius;
    for (int64_t i = 0; i < 400; i++) e.points[i] = (gpri_point){(double)(i % 20), (double)(i / 20)};
    assert_ok(gpri_nearest_new(ctx, &tree, &e));
    const int64_t wanted[] = {0, 1, 759, 760, 761, 5000}, there[] = {0, 0, 0, 760, 760, 4898};
    for (int k = 0; k < 6; k++) {
        assert_ok(gpri_nearest_radius(tree, &radius, wanted[k]));
        assert_int_equal(pairs_within(&e, radius), there[k]);
        assert_true(pairs_within(&e, nextafter(radius, INFINITY)) > wanted[k]);
    }
    gpri_nearest_free(tree);
    for (int64_t i = 0; i < 400; i++) e.points[i] = (gpri_point){1, 2}; /* all at one place */
    assert_ok(gpri_nearest_new(ctx, &tree, &e));
    assert_ok(gpri_nearest_radius(tree, &radius, 1000));
    assert_true(radius == 0);
    gpri_nearest_free(tree);
    /* clusters far smaller than a step of halving would reach */
    for (int64_t i = 0; i < 400; i++) e.points[i] = (gpri_point){(double)(i % 2), 1e-100 * (double)i};
    assert_ok(gpri_nearest_new(ctx, &tree, &e));
    assert_ok(gpri_nearest_radius(tree, &radius, 1000));
    assert_true(radius > 0 && radius < 1e-97 && pairs_within(&e, radius) <= 1000);
    gpri_nearest_free(tree);
    gpri_embedding_free(ctx, &e);
    gpr_ctx_free(ctx);
}

/* ---- Relations ------------------------------------------------------------------------------------ */

static void test_directions(void **state) {
    (void)state;
    const gpri_point v = {1, 1};
    assert_int_equal(gpri_direction(v, (gpri_point){0, 2}), 0);
    assert_int_equal(gpri_direction(v, (gpri_point){2, 2}), 1);
    assert_int_equal(gpri_direction(v, (gpri_point){0, 0}), 2);
    assert_int_equal(gpri_direction(v, (gpri_point){2, 0}), 3);
    assert_int_equal(gpri_direction(v, (gpri_point){1, 2}), 1); /* on a line: right, up */
    assert_int_equal(gpri_direction(v, (gpri_point){1, 0}), 3);
    assert_int_equal(gpri_direction(v, (gpri_point){0, 1}), 0);
    assert_int_equal(gpri_direction(v, (gpri_point){2, 1}), 1);
    assert_int_equal(gpri_direction(v, v), 1);
}

static bool has(const gpri_graph *csr, int64_t row, int64_t column) {
    for (int64_t k = csr->rowptr[row]; k < csr->rowptr[row + 1]; k++)
        if (csr->column[k] == column) return true;
    return false;
}

/* Every ordered pair is where the definition puts it, and nowhere else. */
static void check_relations(const gpri_relations *r, const gpri_graph *graph, const gpri_embedding *e, double radius) {
    for (int64_t v = 0; v < graph->nodes; v++) {
        int64_t degree = 1;
        for (int64_t u = 0; u < graph->nodes; u++) {
            bool latent = u != v && apart(e, u, v) < radius, edge = has(graph, v, u);
            int division = (latent ? GPRI_LATENT : 0) + gpri_direction(e->points[v], e->points[u]);
            degree += latent || edge;
            for (int d = 0; d < GPRI_ITSELF; d++) {
                assert_int_equal(has(&r->from[d], v, u), (latent || edge) && d == division);
                assert_int_equal(has(&r->to[d], u, v), (latent || edge) && d == division);
            }
        }
        assert_true(fabs(r->scale[v] - 1 / sqrt((double)degree)) < 1e-15);
    }
    for (int d = 0; d < GPRI_ITSELF; d++)
        for (int back = 0; back < 2; back++) {
            const gpri_graph *csr = back ? &r->to[d] : &r->from[d];
            assert_int_equal(csr->nodes, graph->nodes);
            assert_int_equal(csr->rowptr[graph->nodes], csr->arcs);
            for (int64_t v = 0; v < graph->nodes; v++)
                for (int64_t k = csr->rowptr[v] + 1; k < csr->rowptr[v + 1]; k++)
                    assert_true(csr->column[k - 1] < csr->column[k]);
        }
}

static void test_embedded(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    for (int metric = 0; metric < 2; metric++) {
        gpri_graph graphs[] = {grid_graph(ctx, 8), tree_graph(ctx, 64, 3), edgeless_graph(ctx, 64),
                               complete_graph(ctx, 12)};
        for (int g = 0; g < 4; g++) {
            gpri_embedding e = random_points(ctx, graphs[g].nodes, (gpri_metric)metric, graphs[g].nodes);
            gpri_relations r;
            assert_ok(gpri_relations_embed(ctx, &r, &graphs[g], &e));
            gpri_neighbourhood found = r.found;
            check_relations(&r, &graphs[g], &e, found.radius);
            assert_true(found.graph_mean == (double)graphs[g].arcs / (double)graphs[g].nodes);
            assert_true(found.latent_mean == found.graph_mean); /* the paper's rule */
            int64_t both = 0;
            for (int64_t v = 0; v < e.nodes; v++)
                for (int64_t u = 0; u < e.nodes; u++) both += has(&graphs[g], v, u) && apart(&e, u, v) < found.radius;
            assert_int_equal(found.both, both);
            gpri_relations_free(ctx, &r);
            gpri_embedding_free(ctx, &e);
            gpri_graph_free(ctx, &graphs[g]);
        }
    }
    gpr_ctx_free(ctx);
}

/* A path that was embedded: neighbours in the plane are those in the graph. */
static void test_path(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph = path_graph(ctx, 30);
    gpri_embedding e;
    gpri_relations r;
    assert_ok(gpri_embed_isomap(ctx, &e, &graph));
    assert_ok(gpri_relations_embed(ctx, &r, &graph, &e));
    assert_int_equal(r.found.both, 58);
    assert_true(r.found.radius > 1.9 && r.found.radius < 2);
    for (int d = 0; d < 4; d++) assert_int_equal(r.from[d].arcs, 0);
    for (int64_t v = 0; v < 30; v++) {
        int64_t count = 0;
        for (int d = 4; d < 8; d++) count += r.from[d].rowptr[v + 1] - r.from[d].rowptr[v];
        assert_int_equal(count, v == 0 || v == 29 ? 1 : 2);
    }
    gpri_relations_free(ctx, &r);
    gpri_embedding_free(ctx, &e);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

static gpr_status relate_once(gpr_ctx *ctx, void *arg) {
    (void)arg;
    gpr_ctx *own = new_ctx(1);
    gpri_graph graph = grid_graph(own, 5);
    gpri_embedding e = random_points(own, 25, GPRI_METRIC_EUCLIDEAN, 25);
    gpri_relations r;
    gpr_status status = gpri_relations_embed(ctx, &r, &graph, &e);
    gpri_relations_free(ctx, &r);
    gpri_embedding_free(own, &e);
    gpri_graph_free(own, &graph);
    gpr_ctx_free(own);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    fail_every_allocation(relate_once, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),       cmocka_unit_test(test_radius),   cmocka_unit_test(test_ties),
        cmocka_unit_test(test_directions), cmocka_unit_test(test_embedded), cmocka_unit_test(test_path),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
