/* graph/duplicates.c: the weight of an edge that is given several times, in either direction. */
#include "graph/duplicates.h"

#include "support.h"

/* The weights of seven edges afterwards; NULL: none are left. */
static void settle(const char *word, bool weighted, const float *expected) {
    static const int32_t from[] = {0, 1, 0, 2, 1, 3, 2}, to[] = {1, 0, 1, 1, 2, 3, 0};
    static const float given[] = {2, 4, 8, 1, 1, 5, 7};
    gpr_ctx *ctx = new_ctx(1);
    gpri_edges edges = {.nodes = 4, .count = 7};
    gpri_duplicates rule;
    assert_ok(gpri_alloc(ctx, &edges.src, 7, sizeof *edges.src, "edges"));
    assert_ok(gpri_alloc(ctx, &edges.dst, 7, sizeof *edges.dst, "edges"));
    if (weighted) assert_ok(gpri_alloc(ctx, &edges.weights, 7, sizeof *edges.weights, "edges"));
    memcpy(edges.src, from, sizeof from);
    memcpy(edges.dst, to, sizeof to);
    if (weighted) memcpy(edges.weights, given, sizeof given);
    assert_ok(gpri_data_choose(&rule, GPRI_OPEN_DUPLICATES, word));
    assert_ok(gpri_duplicates_settle(ctx, &edges, rule));
    if (!expected) assert_null(edges.weights);
    for (int k = 0; expected && k < 7; k++) assert_float_equal(edges.weights[k], expected[k], 0);
    gpri_edges_free(ctx, &edges);
    gpr_ctx_free(ctx);
}

static void test_rules(void **state) {
    (void)state;
    settle(NULL, true, (const float[]){2, 4, 8, 1, 1, 5, 7});
    settle("max", false, NULL);
    settle("sum", true, (const float[]){14, 14, 14, 2, 2, 5, 7});
    settle("first", true, (const float[]){2, 2, 2, 1, 1, 5, 7});
    settle("first", false, NULL);
    settle("count", true, (const float[]){3, 3, 3, 2, 2, 1, 1});
    settle("count", false, (const float[]){3, 3, 3, 2, 2, 1, 1});
}

static void test_unknown(void **state) {
    gpri_duplicates rule;
    (void)state;
    assert_fails(gpri_data_choose(&rule, GPRI_OPEN_DUPLICATES, "mean"), GPR_ERROR_ARGUMENT,
                 "give max, sum, first or count");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
