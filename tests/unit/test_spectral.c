/* spectral/smoother.c, spectrum.c, density.c: eigenvalues that are known or come from NumPy, the estimate of their
 * density against them, threads and failing memory. */
#include <math.h>

#include "../golden/spectrum_golden.h"
#include "base/random.h"
#include "data/dataset.h"
#include "failing_memory.h"
#include "some_graphs.h"
#include "spectral/density.h"
#include "spectral/spectrum.h"

static gpri_graph golden_graph(gpr_ctx *ctx) {
    gpri_graph graph;
    assert_ok(gpri_graph_build(ctx, &graph, GOLDEN_NODES, GOLDEN_EDGES, golden_src, golden_dst, golden_weight));
    return graph;
}

static gpr_status find_values(gpr_ctx *ctx, double *values, const gpri_graph *graph, int64_t *components,
                              bool *lapack) {
    gpr_status status = GPR_OK;
    gpri_components found = {0};
    gpri_exact smoother = {0};
    TRY(gpri_components_find(ctx, &found, graph));
    TRY(gpri_exact_new(ctx, &smoother, graph));
    TRY(gpri_spectrum_all(ctx, values, &smoother, &found, lapack));
    *components = found.count;
done:
    if (smoother.ctx) gpri_exact_free(&smoother);
    gpri_components_free(ctx, &found);
    return status;
}

/* All eigenvalues, the largest first; malloc'ed. */
static double *eigenvalues(gpr_ctx *ctx, const gpri_graph *graph, int64_t *components) {
    bool lapack;
    double *values = malloc((size_t)(graph->nodes + 1) * sizeof *values);
    assert_non_null(values);
    assert_ok(find_values(ctx, values, graph, components, &lapack));
    if (!lapack) skip_because("there is no LAPACK (Debian: liblapack3)");
    return values;
}

static void test_golden(void **state) {
    gpr_ctx *ctx = *state;
    gpri_graph graph = golden_graph(ctx);
    int64_t components;
    double *values = eigenvalues(ctx, &graph, &components), density[GOLDEN_BINS];
    assert_int_equal(components, 6);
    for (int i = 0; i < GOLDEN_NODES; i++)
        if (!(fabs(values[i] - golden_values[i]) < 1e-13))
            fail_msg("eigenvalue %d: %.17g, not %.17g", i, values[i], golden_values[i]);
    for (int i = 0; i < components; i++) assert_true(values[i] == 1);
    gpri_density_of_values(density, GOLDEN_BINS, values, GOLDEN_NODES);
    for (int b = 0; b < GOLDEN_BINS; b++) assert_true(fabs(density[b] - golden_density[b]) < 1e-12);
    free(values);
    gpri_graph_free(ctx, &graph);
}

/* Graphs whose eigenvalues are known: a ring has (1 + 2 cos(2 pi k / n)) / 3, a complete graph 1 and 0, a graph
   without edges 1. */
static void test_known(void **state) {
    gpr_ctx *ctx = *state;
    const double pi = acos(-1.0);
    int64_t components;
    gpri_graph ring = ring_graph(ctx, 31), complete = complete_graph(ctx, 9), edgeless = edgeless_graph(ctx, 5);
    double *values = eigenvalues(ctx, &ring, &components);
    for (int i = 0; i < 31; i++) assert_true(fabs(values[i] - (1 + 2 * cos(2 * pi * ((i + 1) / 2) / 31)) / 3) < 1e-14);
    free(values);
    values = eigenvalues(ctx, &complete, &components);
    for (int i = 0; i < 9; i++) assert_true(fabs(values[i] - (i == 0)) < 1e-14);
    free(values);
    values = eigenvalues(ctx, &edgeless, &components);
    assert_int_equal(components, 5);
    for (int i = 0; i < 5; i++) assert_true(values[i] == 1);
    free(values);
    gpri_graph_free(ctx, &ring);
    gpri_graph_free(ctx, &complete);
    gpri_graph_free(ctx, &edgeless);
}

static void check_ends(gpr_ctx *ctx, gpri_graph graph) {
    gpri_components components;
    gpri_exact smoother;
    double second, smallest;
    int64_t count;
    double *values = eigenvalues(ctx, &graph, &count);
    assert_ok(gpri_components_find(ctx, &components, &graph));
    assert_ok(gpri_exact_new(ctx, &smoother, &graph));
    assert_ok(gpri_spectrum_ends(ctx, &second, &smallest, &smoother, &components));
    if (count == graph.nodes) assert_true(isnan(second) && isnan(smallest));
    else if (!(fabs(second - values[count]) < 1e-8 && fabs(smallest - values[graph.nodes - 1]) < 1e-8))
        fail_msg("%lld nodes: second %.12g, not %.12g; smallest %.12g, not %.12g", (long long)graph.nodes, second,
                 values[count], smallest, values[graph.nodes - 1]);
    free(values);
    gpri_exact_free(&smoother);
    gpri_components_free(ctx, &components);
    gpri_graph_free(ctx, &graph);
}

static void test_ends(void **state) {
    gpr_ctx *ctx = *state;
    check_ends(ctx, golden_graph(ctx));
    check_ends(ctx, path_graph(ctx, 3));
    check_ends(ctx, path_graph(ctx, 120));
    check_ends(ctx, ring_graph(ctx, 50));
    check_ends(ctx, complete_graph(ctx, 20)); /* all others are 0 */
    check_ends(ctx, edgeless_graph(ctx, 4));
    check_ends(ctx, grid_graph(ctx, 12));
}

/* The largest difference of the shares up to a bin, exact and estimated, for bins far from each other's blur. */
static double density_error(gpr_ctx *ctx, const gpri_graph *graph, int bins) {
    double exact_density[64], estimate[64], below = 0, worst = 0, total = 0;
    int64_t components;
    double *values = eigenvalues(ctx, graph, &components);
    gpri_density_of_values(exact_density, bins, values, graph->nodes);
    free(values);
    assert_ok(gpri_density_estimate(ctx, graph, estimate, bins));
    for (int b = 0; b < bins; b++) {
        assert_true(estimate[b] >= 0);
        total += estimate[b];
        below += estimate[b] - exact_density[b];
        worst = fmax(worst, fabs(below));
    }
    assert_true(fabs(total - 1) < 1e-12);
    return worst;
}

static void test_estimate(void **state) {
    gpr_ctx *ctx = *state;
    gpr_dataset *data;
    gpri_graph path = path_graph(ctx, 1000), grid = grid_graph(ctx, 30), edgeless = edgeless_graph(ctx, 30);
    assert_true(density_error(ctx, &path, 10) < 0.01);
    assert_true(density_error(ctx, &grid, 10) < 0.01);
    assert_true(density_error(ctx, &edgeless, 10) < 1e-5); /* all at 1; the kernel blurs it a little */
    for (int sign = -1; sign <= 1; sign += 2) {
        gpr_csbm_options options;
        gpr_csbm_options_init(&options, sizeof options);
        options.nodes = 800;
        options.features = 2;
        options.phi = 0.7 * sign;
        assert_ok(gpr_dataset_csbm(ctx, &data, &options));
        double worst = density_error(ctx, &data->graph, 12);
        if (!(worst < 0.01)) fail_msg("phi %g: %g", options.phi, worst);
        gpr_dataset_free(data);
    }
    gpri_graph_free(ctx, &path);
    gpri_graph_free(ctx, &grid);
    gpri_graph_free(ctx, &edgeless);
}

/* A graph that is cut into many chunks. */
static void test_threads(void **state) {
    (void)state;
    double first[32], density[32];
    for (int threads = 1; threads <= 7; threads += 2) {
        gpr_ctx *ctx = new_ctx(threads);
        gpri_graph graph = grid_graph(ctx, 70);
        assert_ok(gpri_density_estimate(ctx, &graph, density, 32));
        if (threads == 1) memcpy(first, density, sizeof first);
        assert_memory_equal(first, density, sizeof first);
        gpri_graph_free(ctx, &graph);
        gpr_ctx_free(ctx);
    }
}

/* The limit of A~^k x, and that A~ keeps it. */
static void test_limit(void **state) {
    gpr_ctx *ctx = *state;
    gpri_graph graph = golden_graph(ctx);
    gpri_components components;
    gpri_exact smoother;
    double x[GOLDEN_NODES * 3], limit[GOLDEN_NODES * 3], y[GOLDEN_NODES * 3];
    for (int i = 0; i < GOLDEN_NODES * 3; i++) x[i] = cos(i * i);
    assert_ok(gpri_components_find(ctx, &components, &graph));
    assert_ok(gpri_exact_new(ctx, &smoother, &graph));
    gpri_exact_limit(&smoother, &components, limit, x, 3);
    gpri_exact_step(&smoother, y, limit, 3);
    for (int i = 0; i < GOLDEN_NODES * 3; i++) assert_true(fabs(y[i] - limit[i]) < 1e-14);
    for (int i = 57 * 3; i < GOLDEN_NODES * 3; i++)
        assert_true(fabs(limit[i] - x[i]) < 1e-15); /* nodes without edges */
    for (int c = 0; c < 3; c++) {                   /* x - limit has no part of pi */
        double rest = 0;
        for (int i = 0; i < 40; i++) rest += (x[i * 3 + c] - limit[i * 3 + c]) / smoother.scale[i];
        assert_true(fabs(rest) < 1e-12);
    }
    for (int k = 0; k < 2000; k++) {
        gpri_exact_step(&smoother, y, x, 3);
        memcpy(x, y, sizeof x);
    }
    for (int i = 0; i < GOLDEN_NODES * 3; i++) assert_true(fabs(x[i] - limit[i]) < 1e-12);
    gpri_exact_free(&smoother);
    gpri_components_free(ctx, &components);
    gpri_graph_free(ctx, &graph);
}

static void test_response(void **state) {
    (void)state;
    const double gamma[] = {1, -2, 0.5};
    double lambda[5], response[5];
    gpri_response_grid(lambda, response, 5, &(gpri_curve){NULL, gamma, 3});
    const double want[] = {3.5, 2.125, 1, 0.125, -0.5};
    for (int i = 0; i < 5; i++) {
        assert_true(lambda[i] == -1 + 0.5 * i);
        assert_true(fabs(response[i] - want[i]) < 1e-15);
    }
}

static gpr_status density_trial(gpr_ctx *ctx, void *arg) {
    const bool estimated = *(bool *)arg;
    gpri_graph graph;
    double density[8], values[GOLDEN_NODES];
    int64_t components;
    bool lapack;
    gpr_status status =
        gpri_graph_build(ctx, &graph, GOLDEN_NODES, GOLDEN_EDGES, golden_src, golden_dst, golden_weight);
    if (status != GPR_OK) return status;
    status = estimated ? gpri_density_estimate(ctx, &graph, density, 8)
                       : find_values(ctx, values, &graph, &components, &lapack);
    gpri_graph_free(ctx, &graph);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    bool estimated = false;
    fail_every_allocation(density_trial, &estimated);
    estimated = true;
    fail_every_allocation(density_trial, &estimated);
}

static int set_up(void **state) {
    *state = new_ctx(2);
    return 0;
}

static int tear_down(void **state) {
    gpr_ctx_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),   cmocka_unit_test(test_known),   cmocka_unit_test(test_ends),
        cmocka_unit_test(test_estimate), cmocka_unit_test(test_threads), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_response), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
