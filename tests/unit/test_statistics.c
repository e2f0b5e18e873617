/* Confidence intervals and tests of differences, compared with SciPy. */
#include "statistics/statistics.h"

#include <math.h>

#include "../golden/statistics_golden.h"
#include "failing_memory.h"
#include "support.h"

static void assert_near(double value, double expected, double tolerance, const char *what, const char *which) {
    if (fabs(value - expected) <= tolerance) return;
    fail_msg("%s of %s is %.17g, expected %.17g", what, which, value, expected);
}

static void test_student(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof student_tails / sizeof *student_tails; i++) {
        const double *row = student_tails[i], p = gpri_student_p(row[0], row[1]);
        const double tolerance = row[1] > 1e4 ? 1e-10 : 1e-11;
        if (fabs(p - row[2]) > tolerance * row[2])
            fail_msg("t %g, freedom %g: %.17g, not %.17g", row[0], row[1], p, row[2]);
        assert_true(p == gpri_student_p(-row[0], row[1]));
    }
    for (size_t i = 0; i < sizeof student_quantiles / sizeof *student_quantiles; i++)
        assert_near(gpri_student_t95(student_quantiles[i][0]), student_quantiles[i][1], 1e-10, "the quantile", "t");
    assert_true(gpri_student_p(INFINITY, 5) == 0);
    assert_true(isnan(gpri_student_p(NAN, 5)) && isnan(gpri_student_p(1, 0)));
    assert_near(gpri_normal_p(1.959963984540054), 0.05, 1e-15, "p", "z");
    assert_near(gpri_normal_p(-1), 0.31731050786291415, 1e-15, "p", "z");
}

static void test_golden(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double *first = cases[i].first, *second = cases[i].second, *expected = cases[i].expected;
        const char *name = cases[i].name;
        const int count = cases[i].count;
        gpri_difference paired, welch;
        int wins = 0, losses = 0;
        assert_ok(gpri_difference_paired(ctx, &paired, first, second, count));
        assert_ok(gpri_difference_welch(ctx, &welch, first, count, second, count));
        assert_near(paired.mean, expected[0], 1e-11, "the mean", name);
        assert_near(welch.mean, expected[0], 1e-11, "the mean (Welch)", name);
        assert_near(paired.student.low, expected[1], 1e-9, "low", name);
        assert_near(paired.student.high, expected[2], 1e-9, "high", name);
        assert_near(paired.p, expected[3], 1e-10 * expected[3], "p", name);
        assert_near(paired.wilcoxon, expected[4], 1e-10 * expected[4], "p of Wilcoxon", name);
        assert_near(paired.bootstrap.low, expected[5], 1e-11, "bootstrap low", name);
        assert_near(paired.bootstrap.high, expected[6], 1e-11, "bootstrap high", name);
        assert_near(welch.student.low, expected[7], 1e-9, "low (Welch)", name);
        assert_near(welch.student.high, expected[8], 1e-9, "high (Welch)", name);
        assert_near(welch.p, expected[9], 1e-10 * expected[9], "p (Welch)", name);
        assert_near(welch.bootstrap.low, expected[10], 1e-11, "bootstrap low (two)", name);
        assert_near(welch.bootstrap.high, expected[11], 1e-11, "bootstrap high (two)", name);
        assert_true(isnan(welch.wilcoxon));
        for (int k = 0; k < count; k++) wins += first[k] > second[k], losses += first[k] < second[k];
        assert_int_equal(paired.wins, wins);
        assert_int_equal(paired.losses, losses);
        assert_int_equal(paired.ties, count - wins - losses);
    }
    gpr_ctx_free(ctx);
}

/* Nothing varies: there is no t, and still an answer. */
static void test_constant(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const double low[] = {80, 80, 80}, high[] = {81, 81, 81};
    const double third = 100.0 / 3, also[] = {third, third * (1 + 1e-15), third};
    const double thirds[] = {third, third, third};
    gpri_difference found;
    assert_ok(gpri_difference_paired(ctx, &found, high, low, 3));
    assert_true(found.mean == 1 && found.p == 0 && found.student.low == 1 && found.bootstrap.high == 1);
    assert_near(found.wilcoxon, 0.25, 1e-15, "p of Wilcoxon", "three wins");
    assert_ok(gpri_difference_welch(ctx, &found, low, 3, high, 3));
    assert_true(found.mean == -1 && found.p == 0);
    assert_ok(gpri_difference_welch(ctx, &found, low, 3, low, 3));
    assert_true(found.mean == 0 && found.p == 1);
    assert_ok(gpri_difference_paired(ctx, &found, also, thirds, 3)); /* they differ by rounding only */
    assert_true(found.mean == 0 && found.p == 1 && found.ties == 3 && found.wilcoxon == 1);
    gpr_ctx_free(ctx);
}

static void test_intervals(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    static double many[GPRI_MOST_RESAMPLED + 1];
    const double values[] = {90, 92, 94};
    gpri_mean mean = gpri_mean_of(values, 3);
    gpri_interval found = gpri_normal_interval(&mean, 3), again;
    assert_near(found.low, 92 - 1.959963984540054 * 2 / sqrt(3), 1e-12, "low", "normal");
    assert_near(found.high, 92 + 1.959963984540054 * 2 / sqrt(3), 1e-12, "high", "normal");
    assert_ok(gpri_bootstrap(ctx, &found, values, 3));
    assert_true(found.low == 90 && found.high == 94); /* 1 of 27 resamples is all of one value: more than 2.5 % */
    mean = gpri_mean_of(values, 1);
    found = gpri_normal_interval(&mean, 1);
    assert_true(isnan(found.low) && isnan(found.high));
    assert_ok(gpri_bootstrap(ctx, &found, values, 1));
    assert_true(isnan(found.low) && isnan(found.high));
    for (int i = 0; i <= GPRI_MOST_RESAMPLED; i++) many[i] = i % 97;
    mean = gpri_mean_of(many, GPRI_MOST_RESAMPLED + 1);
    again = gpri_normal_interval(&mean, GPRI_MOST_RESAMPLED + 1);
    assert_ok(gpri_bootstrap(ctx, &found, many, GPRI_MOST_RESAMPLED + 1));
    assert_true(found.low == again.low && found.high == again.high);
    gpr_ctx_free(ctx);
}

/* The example of Holm's method worked by hand: 4 x 0.005, 3 x 0.01, 2 x 0.03, then no less than before. */
static void test_holm(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const double p[] = {0.04, 0.01, 0.03, 0.005}, expected[] = {0.06, 0.03, 0.06, 0.02};
    double corrected[4];
    assert_ok(gpri_holm(ctx, corrected, p, 4));
    for (int i = 0; i < 4; i++) assert_near(corrected[i], expected[i], 1e-15, "corrected p", "Holm");
    const double large[] = {0.9, 0.6};
    assert_ok(gpri_holm(ctx, corrected, large, 2));
    assert_true(corrected[0] == 1 && corrected[1] == 1);
    assert_ok(gpri_holm(ctx, corrected, p, 1));
    assert_true(corrected[0] == 0.04);
    gpr_ctx_free(ctx);
}

static gpr_status all_of_it(gpr_ctx *ctx, void *arg) {
    gpr_status status = GPR_OK;
    const double first[] = {1, 2, 3, 4}, second[] = {2, 1, 5, 4};
    double corrected[4];
    gpri_difference found;
    (void)arg;
    TRY(gpri_difference_paired(ctx, &found, first, second, 4));
    TRY(gpri_difference_welch(ctx, &found, first, 4, second, 3));
    TRY(gpri_holm(ctx, corrected, first, 4));
done:
    return status;
}

static void test_memory(void **state) {
    (void)state;
    fail_every_allocation(all_of_it, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_student),  cmocka_unit_test(test_golden),
                                       cmocka_unit_test(test_constant), cmocka_unit_test(test_intervals),
                                       cmocka_unit_test(test_holm),     cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
