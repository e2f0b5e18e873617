/* data/generate/csbm.c: graph and features have the moments of the model, and the same bits on any number of threads.
 */
#include <math.h>

#include "data/dataset.h"
#include "failing_memory.h"
#include "homophily.h"

static gpr_csbm_options options_of(int64_t nodes, int64_t features, double phi, uint64_t seed) {
    gpr_csbm_options options;
    gpr_csbm_options_init(&options, sizeof options);
    options.nodes = nodes;
    options.features = features;
    options.phi = phi;
    options.seed = seed;
    return options;
}

static void test_homophily_of_the_paper(void **state) {
    (void)state;
    static const double published[][2] = {{-1, .039},  {-.75, .073}, {-.5, .170}, {-.25, .328}, {0, .500},
                                          {.25, .673}, {.5, .829},   {.75, .928}, {1, .960}};
    gpr_ctx *ctx = new_ctx(0);
    for (int k = 0; k < 9; k++) {
        gpr_csbm_options options = options_of(5000, 4, published[k][0], 3);
        gpr_dataset *data;
        gpr_dataset_info info = {.struct_size = sizeof info};
        assert_ok(gpr_dataset_csbm(ctx, &data, &options));
        assert_ok(gpr_dataset_describe(ctx, data, &info));
        if (!(fabs(info.node_homophily - published[k][1]) < .01))
            fail_msg("phi %g: homophily %.4f, the paper has %.3f", published[k][0], info.node_homophily,
                     published[k][1]);
        assert_true(fabs(info.mean_degree - 5) < .15); /* standard deviation .045 */
        assert_int_equal(info.nodes, 5000);
        assert_int_equal(info.features, 4);
        assert_int_equal(info.classes, 2);
        assert_int_equal(info.labelled, 5000);
        assert_int_equal(info.feature_nnz, 20000);
        assert_false(info.sparse_features);
        assert_int_equal(info.self_loops + info.duplicates, 0);
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

/* Edges counted over many small graphs: every pair of nodes, of the same or of different classes, near or far, is an
   edge with its probability. */
static void test_edge_probabilities(void **state) {
    (void)state;
    enum { N = 11, TRIALS = 4000 };
    static int64_t seen[N][N];
    gpr_ctx *ctx = new_ctx(1);
    gpr_csbm_options options = options_of(N, 1, 0.5, 0);
    options.degree = 3;
    options.epsilon = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        gpr_dataset *data;
        options.seed = (uint64_t)trial;
        assert_ok(gpr_dataset_csbm(ctx, &data, &options));
        for (int i = 0; i < N; i++)
            for (int64_t k = data->graph.rowptr[i]; k < data->graph.rowptr[i + 1]; k++)
                seen[i][data->graph.column[k]]++;
        gpr_dataset_free(data);
    }
    /* lambda = sqrt(2) sin(pi / 4) = 1 */
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double p = i == j ? 0 : (3 + (i % 2 == j % 2 ? 1 : -1) * sqrt(3)) / N;
            double share = (double)seen[i][j] / TRIALS, deviation = sqrt(p * (1 - p) / TRIALS);
            if (fabs(share - p) > 4.5 * deviation)
                fail_msg("pair %d, %d: share %.4f, probability %.4f", i, j, share, p);
        }
    gpr_ctx_free(ctx);
}

/* The squared distance of the class means times n / 4 is mu |u|^2 + 1 on average, the variance of a feature 1 / f. */
static void class_means(gpr_ctx *ctx, double phi, double *signal, double *variance) {
    enum { N = 2000, F = 40, SEEDS = 20 };
    *signal = *variance = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        gpr_csbm_options options = options_of(N, F, phi, seed);
        gpr_dataset *data;
        assert_ok(gpr_dataset_csbm(ctx, &data, &options));
        for (int j = 0; j < F; j++) {
            double sum[2] = {0}, squares = 0;
            for (int i = 0; i < N; i++) sum[i % 2] += (double)data->features.dense[i * F + j];
            for (int i = 0; i < N; i++)
                squares += pow((double)data->features.dense[i * F + j] - sum[i % 2] / (N / 2.0), 2);
            *signal += pow((sum[0] - sum[1]) / (N / 2.0), 2) * N / 4 / SEEDS;
            *variance += squares / N / F / SEEDS;
        }
        gpr_dataset_free(data);
    }
    assert_true(fabs(*variance * F - 1) < .01);
}

static void test_features(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(0);
    double signal, variance, mu = sqrt(2000.0 / 40 * 4.25);
    class_means(ctx, 0, &signal, &variance);
    assert_true(fabs(signal / (mu + 1) - 1) < .25); /* |u|^2 varies by .22 / sqrt(20) */
    class_means(ctx, 0.5, &signal, &variance);
    assert_true(fabs(signal / (mu * sqrt(.5) + 1) - 1) < .25);
    class_means(ctx, -1, &signal, &variance); /* all in the graph */
    assert_true(fabs(signal - 1) < .25);
    class_means(ctx, 1, &signal, &variance);
    assert_true(fabs(signal - 1) < .25);
    gpr_ctx_free(ctx);
}

static void test_same_bits_on_any_threads(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 7};
    gpr_csbm_options options = options_of(1501, 33, -0.3, 99); /* odd sizes: the last chunk and pair are partial */
    gpr_dataset *first = NULL;
    gpr_ctx *ctx[3];
    for (int k = 0; k < 3; k++) {
        gpr_dataset *data;
        ctx[k] = new_ctx(threads[k]);
        assert_ok(gpr_dataset_csbm(ctx[k], &data, &options));
        if (!first) {
            first = data;
            continue;
        }
        assert_int_equal(data->graph.arcs, first->graph.arcs);
        assert_memory_equal(data->graph.rowptr, first->graph.rowptr, 1502 * sizeof *first->graph.rowptr);
        assert_memory_equal(data->graph.column, first->graph.column,
                            (size_t)first->graph.arcs * sizeof *first->graph.column);
        assert_memory_equal(data->features.dense, first->features.dense, 1501 * 33 * sizeof *first->features.dense);
        assert_memory_equal(data->target.labels, first->target.labels, 1501 * sizeof *first->target.labels);
        gpr_dataset_free(data);
    }
    options.seed++;
    gpr_dataset *other;
    assert_ok(gpr_dataset_csbm(ctx[0], &other, &options));
    assert_memory_not_equal(other->features.dense, first->features.dense, 1501 * 33 * sizeof *first->features.dense);
    gpr_dataset_free(other);
    gpr_dataset_free(first);
    for (int k = 0; k < 3; k++) gpr_ctx_free(ctx[k]);
}

static void test_edges_of_the_range(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data;
    gpr_csbm_options options = options_of(2, 1, 0, 1);
    options.degree = 2; /* every pair is an edge */
    assert_ok(gpr_dataset_csbm(ctx, &data, &options));
    assert_int_equal(data->graph.arcs, 2);
    assert_string_equal(data->name, "csbm(phi=0)");
    gpr_dataset_free(data);

    options = options_of(100, 3, 1, 1);
    options.degree = 4.25; /* 1 + eps = d: no edge between the classes */
    assert_ok(gpr_dataset_csbm(ctx, &data, &options));
    assert_true(edge_homophily(&data->graph, data->target.labels) == 1);
    gpr_dataset_free(data);

    options = options_of(101, 3, -0.5, 1);
    assert_ok(gpr_dataset_csbm(ctx, &data, &options));
    assert_string_equal(data->name, "csbm(phi=-0.5)");
    assert_true(data->phi == -0.5);
    assert_int_equal(data->target.labels[0], 0);
    assert_int_equal(data->target.labels[99], 1);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void test_errors(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data;
    const gpr_csbm_options good = options_of(100, 3, 0.5, 1);
    gpr_csbm_options options;
#define FAILS(field, value, part)                                                       \
    do {                                                                                \
        options = good;                                                                 \
        options.field = value;                                                          \
        assert_fails(gpr_dataset_csbm(ctx, &data, &options), GPR_ERROR_ARGUMENT, part); \
        assert_null(data);                                                              \
    } while (0)
    FAILS(nodes, 0, "n is 0 nodes");
    FAILS(nodes, 1, "n is 1 nodes");
    FAILS(nodes, INT64_C(1) << 40, "n is 1099511627776");
    FAILS(features, 0, "f is 0");
    FAILS(features, -3, "f is -3");
    FAILS(phi, 1.5, "phi is 1.5");
    FAILS(phi, -1.0001, "phi is -1.0001");
    FAILS(phi, NAN, "[-1, 1]");
    FAILS(degree, 0, "d is 0");
    FAILS(degree, -1, "d is -1");
    FAILS(degree, NAN, "above 0");
    FAILS(degree, INFINITY, "d is inf");
    FAILS(epsilon, -1, "eps is -1");
    FAILS(epsilon, NAN, "above -1");
    FAILS(epsilon, 1000, "below 0: |lambda| sqrt(d) = 50.02"); /* sqrt(1001) / sqrt(2) * sqrt(5) = 50.025 */
    FAILS(degree, 99, "must not exceed n = 100");
    FAILS(struct_size, 3, "struct_size is 3");
    assert_fails(gpr_dataset_csbm(ctx, &data, NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_dataset_csbm(ctx, NULL, &good), GPR_ERROR_ARGUMENT, "NULL");
    options = options_of(2000000000, 2000000000, 0, 1);
    assert_fails(gpr_dataset_csbm(ctx, &data, &options), GPR_ERROR_MEMORY, "");
    gpr_ctx_free(ctx);
}

static gpr_status generate(gpr_ctx *ctx, void *arg) {
    (void)arg;
    gpr_csbm_options options = options_of(50, 3, 0.5, 1);
    gpr_dataset *data;
    gpr_status status = gpr_dataset_csbm(ctx, &data, &options);
    gpr_dataset_free(data);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    fail_every_allocation(generate, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_homophily_of_the_paper),
        cmocka_unit_test(test_edge_probabilities),
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_same_bits_on_any_threads),
        cmocka_unit_test(test_edges_of_the_range),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
