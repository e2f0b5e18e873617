/* Scores of predictions by kind of node, on a graph whose answers are counted by hand. */
#include <math.h>
#include <string.h>

#include "report/by_kind.h"
#include "support.h"

/* A star: node 0 in the middle of 1 to 4; 5 and 6 are neighbours; 7 is alone, 8 has only an unlabelled neighbour, 9. */
static const int64_t src[] = {0, 0, 0, 0, 5, 8}, dst[] = {1, 2, 3, 4, 6, 9};
static const int32_t labels[] = {0, 0, 1, 1, 1, 2, 2, 0, 1, -1};
static const int32_t predicted[] = {0, 1, 1, 1, 0, 2, 0, 0, 1, 0};
static const uint8_t parts[] = {GPR_TEST, GPR_TEST, GPR_TEST, GPR_TRAIN, GPR_TEST,
                                GPR_TEST, GPR_TEST, GPR_TEST, GPR_TEST,  GPR_TEST};

static void with_judged(void (*check)(const gpri_judged *)) {
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph;
    assert_ok(gpri_graph_build(ctx, &graph, 10, 6, src, dst, NULL));
    uint8_t kinds[10];
    gpri_homophily_kinds(kinds, &graph, labels, (gpri_range){0, 4});
    gpri_homophily_kinds(kinds, &graph, labels, (gpri_range){4, 10});
    const gpri_judged of = {&graph, kinds, labels, predicted, parts, GPR_TEST, 4};
    check(&of);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

static void check_degrees(const gpri_judged *of) {
    gpri_bin bins[GPRI_DEGREE_BINS];
    gpri_score_by_degree(bins, of);
    assert_true(bins[0].nodes == 1 && bins[0].right == 1); /* 7 */
    assert_true(bins[1].nodes == 6 && bins[1].right == 3); /* 1, 2, 4, 5, 6, 8; right: 2, 5, 8 */
    assert_true(bins[2].nodes == 0);
    assert_true(bins[3].nodes == 1 && bins[3].right == 1); /* 0 has four */
}

static void check_homophily(const gpri_judged *of) {
    gpri_bin bins[GPRI_HOMOPHILY_BINS];
    gpri_score_by_homophily(bins, of);
    assert_true(bins[0].nodes == 2 && bins[0].right == 1); /* 2 and 4 differ from their only neighbour */
    assert_true(bins[1].nodes == 1 && bins[1].right == 1); /* 0: one of four */
    assert_true(bins[4].nodes == 3 && bins[4].right == 1); /* 1, 5, 6 */
    assert_true(bins[5].nodes == 2 && bins[5].right == 2); /* 7 and 8 have no labelled neighbour */
}

static void test_degrees(void **state) { (void)state, with_judged(check_degrees); }
static void test_homophily(void **state) { (void)state, with_judged(check_homophily); }

/* From tables of Wilson's interval: 8 of 10, 0 of 10, 10 of 10. */
static void test_interval(void **state) {
    (void)state;
    double low, high;
    gpri_share_interval(&(gpri_bin){10, 8}, &low, &high);
    assert_true(fabs(low - 0.4901625) < 1e-6 && fabs(high - 0.9433178) < 1e-6);
    gpri_share_interval(&(gpri_bin){10, 0}, &low, &high);
    assert_true(low == 0 && fabs(high - 0.2775328) < 1e-6);
    gpri_share_interval(&(gpri_bin){10, 10}, &low, &high);
    assert_true(fabs(low - 0.7224672) < 1e-6 && high <= 1 && high > 1 - 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_degrees), cmocka_unit_test(test_homophily),
                                       cmocka_unit_test(test_interval)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
