/* embed/leading.c: eigenvectors of graphs whose eigenvalues are known, and the same bits on any number of threads. */
#include "embed/leading.h"

#include <math.h>

#include "support.h"

/* A ring of n nodes: all degrees are 2, so the matrix is A / 4, with the eigenvalues cos(2 pi k / n) / 2. */
static void make_ring(gpr_ctx *ctx, gpri_graph *graph, int64_t n) {
    int64_t *src = calloc((size_t)n, sizeof *src), *dst = calloc((size_t)n, sizeof *dst);
    for (int64_t i = 0; i < n; i++) {
        src[i] = i;
        dst[i] = (i + 1) % n;
    }
    assert_ok(gpri_graph_build(ctx, graph, n, n, src, dst, NULL));
    free(src);
    free(dst);
}

static void test_ring(void **state) {
    enum { N = 40, COUNT = 5 };
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph;
    float x[N * COUNT];
    (void)state;
    make_ring(ctx, &graph, N);
    assert_ok(gpri_leading_vectors(ctx, x, &graph, COUNT));
    for (int j = 0; j < COUNT; j++) {
        const double value = cos(2 * 3.14159265358979 * ((j + 1) / 2) / N) / 2;
        double length = 0, largest = 0;
        for (int i = 0; i < N; i++) {
            const double product = (double)(x[(i + 1) % N * COUNT + j] + x[(i + N - 1) % N * COUNT + j]) / 4;
            assert_float_equal(product, value * (double)x[i * COUNT + j], 1e-3);
            length += (double)x[i * COUNT + j] * (double)x[i * COUNT + j];
            if (fabs((double)x[i * COUNT + j]) > fabs(largest)) largest = (double)x[i * COUNT + j];
        }
        assert_float_equal(length, 1, 1e-4);
        assert_true(largest > 0);
    }
    assert_fails(gpri_leading_vectors(ctx, x, &graph, N + 1), GPR_ERROR_ARGUMENT, "from 1 to 40");
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

static void test_threads(void **state) {
    enum { N = 5000, COUNT = 3 };
    float *x[2];
    (void)state;
    for (int t = 0; t < 2; t++) {
        gpr_ctx *ctx = new_ctx(t == 0 ? 1 : 4);
        gpri_graph graph;
        x[t] = calloc(N * COUNT, sizeof **x);
        make_ring(ctx, &graph, N);
        assert_ok(gpri_leading_vectors(ctx, x[t], &graph, COUNT));
        gpri_graph_free(ctx, &graph);
        gpr_ctx_free(ctx);
    }
    assert_memory_equal(x[0], x[1], N * COUNT * sizeof **x);
    free(x[0]);
    free(x[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ring), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
