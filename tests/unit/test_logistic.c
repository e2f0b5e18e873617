/* The baseline "features without the graph" against scikit-learn: dense and sparse features, and its choice of L2. */
#include <math.h>
#include <string.h>

#include "../golden/logistic_golden.h"
#include "baseline/logistic.h"
#include "support.h"

enum { N = LOGISTIC_NODES, F = LOGISTIC_COLUMNS, C = LOGISTIC_CLASSES };

static void expect_golden(gpr_ctx *ctx, const gpri_features *x, const gpr_split *split) {
    float proba[N * C];
    assert_ok(gpri_logistic(ctx, proba, x, &(gpri_target){.labels = (int32_t *)logistic_labels}, split));
    for (int i = 0; i < N * C; i++)
        if (fabs((double)proba[i] - logistic_proba[i]) > 2e-3)
            fail_msg("node %d, class %d: %g, scikit-learn has %g", i / C, i % C, (double)proba[i], logistic_proba[i]);
}

static void test_golden(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    uint8_t parts[N];
    memcpy(parts, logistic_parts, sizeof parts);
    const gpr_split split = {.nodes = N, .classes = C, .part = parts};
    gpri_real dense[N * F], value[N * F];
    int64_t rowptr[N + 1] = {0}, nnz = 0;
    int32_t column[N * F];
    for (int i = 0; i < N; i++) {
        for (int f = 0; f < F; f++) {
            dense[i * F + f] = (gpri_real)logistic_x[i * F + f];
            if (dense[i * F + f] == 0) continue;
            column[nnz] = f;
            value[nnz++] = dense[i * F + f];
        }
        rowptr[i + 1] = nnz;
    }
    expect_golden(ctx, &(gpri_features){.rows = N, .cols = F, .dense = dense, .ld = F}, &split);
    expect_golden(ctx, &(gpri_features){.rows = N, .cols = F, .rowptr = rowptr, .column = column, .value = value},
                  &split);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
