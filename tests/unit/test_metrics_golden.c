/* Metrics of predictions, compared with scikit-learn; what is not defined; failing memory; a large set in time. */
#include "task/metrics/metrics.h"

#include <string.h>

#include "../golden/metrics_golden.h"
#include "failing_memory.h"
#include "support.h"

static void assert_near(double value, double expected, const char *what, const char *which) {
    if (isnan(expected) ? isnan(value) : fabs(value - expected) <= 1e-9) return;
    fail_msg("%s of '%s' is %.17g, expected %.17g", what, which, value, expected);
}

static void check_case(const gpr_metrics *metrics, const metrics_case *expected) {
    const char *word;
    double value;
    int64_t classes;
    gpr_metrics_info info = {.struct_size = sizeof info};
    for (int i = 0; (word = gpr_metrics_word(metrics, i)); i++) {
        assert_ok(gpr_metrics_value(metrics, word, &value));
        assert_near(value, expected->values[i], word, expected->name);
    }
    assert_ok(gpr_metrics_describe(metrics, &info));
    assert_int_equal(info.nodes, expected->rows);
    assert_int_equal(info.positive, expected->positive);
    for (int64_t c = 0; c < expected->classes; c++) {
        gpr_class_metrics of = {.struct_size = sizeof of};
        assert_ok(gpr_metrics_class(metrics, c, &of));
        assert_near(of.precision, expected->precision[c], "precision", expected->name);
        assert_near(of.recall, expected->recall[c], "recall", expected->name);
        assert_near(of.f1, expected->f1[c], "f1", expected->name);
        assert_near(of.roc_auc, expected->auc[c], "roc_auc", expected->name);
        assert_near(of.average_precision, expected->ap[c], "average_precision", expected->name);
    }
    const int64_t *confusion = gpr_metrics_confusion(metrics, &classes);
    assert_int_equal(classes, expected->classes);
    assert_memory_equal(confusion, expected->confusion, (size_t)(classes * classes) * sizeof *confusion);
}

static void test_golden(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    for (size_t i = 0; i < sizeof metrics_cases / sizeof *metrics_cases; i++) {
        const metrics_case *expected = &metrics_cases[i];
        gpr_metrics *metrics;
        assert_ok(
            gpr_metrics_new(ctx, &metrics, expected->proba, expected->labels, expected->rows, expected->classes, NULL));
        check_case(metrics, expected);
        gpr_metrics_free(metrics);
    }
    gpr_ctx_free(ctx);
}

static void test_words(void **state) {
    (void)state;
    assert_int_equal(gpri_measure_find("roc-auc"), GPRI_ROC_AUC);
    assert_int_equal(gpri_measure_find("roc"), GPRI_MEASURES);
}

/* Nodes without a label and those of other parts do not count, wherever they stand. */
static void test_parts(void **state) {
    (void)state;
    const metrics_case *expected = &metrics_cases[0];
    enum { ROWS = 120 };
    float proba[2 * ROWS];
    int32_t labels[ROWS];
    uint8_t parts[ROWS];
    gpr_ctx *ctx = new_ctx(1);
    gpr_metrics *metrics;
    assert_int_equal(expected->rows, 60);
    for (int i = 0; i < ROWS; i++) {
        const bool other = i % 2;
        labels[i] = other && i % 4 == 1 ? -1 : other ? 1 - expected->labels[i / 2] : expected->labels[i / 2];
        parts[i] = other && i % 4 == 3 ? GPR_VAL : GPR_TEST;
        memcpy(proba + 2 * i, expected->proba + 2 * (i / 2), 2 * sizeof *proba);
    }
    const gpr_metrics_options options = {
        .struct_size = sizeof options, .parts = parts, .part = GPR_TEST, .positive = expected->positive + 1};
    assert_ok(gpr_metrics_new(ctx, &metrics, proba, labels, ROWS, 2, &options));
    check_case(metrics, expected);
    gpr_metrics_free(metrics);
    gpr_ctx_free(ctx);
}

static void test_nothing_to_judge(void **state) {
    (void)state;
    const float proba[] = {0.5f, 0.5f};
    const int32_t labels[] = {-1};
    const char *word;
    double value;
    gpr_ctx *ctx = new_ctx(1);
    gpr_metrics *metrics;
    assert_ok(gpr_metrics_new(ctx, &metrics, proba, labels, 1, 2, NULL));
    for (int i = 0; (word = gpr_metrics_word(metrics, i)); i++) {
        assert_ok(gpr_metrics_value(metrics, word, &value));
        assert_true(isnan(value));
    }
    gpr_metrics_free(metrics);
    gpr_ctx_free(ctx);
}

static void test_wrong_calls(void **state) {
    (void)state;
    float proba[] = {0.5f, 0.5f, 0.25f, 0.75f};
    int32_t labels[] = {0, 1};
    double value;
    gpr_ctx *ctx = new_ctx(1);
    gpr_metrics *metrics;
    labels[1] = 2;
    assert_fails(gpr_metrics_new(ctx, &metrics, proba, labels, 2, 2, NULL), GPR_ERROR_ARGUMENT, "labels[1] is 2");
    labels[1] = 1;
    proba[3] = NAN;
    assert_fails(gpr_metrics_new(ctx, &metrics, proba, labels, 2, 2, NULL), GPR_ERROR_ARGUMENT, "row 1, class 1");
    proba[3] = 0.75f;
    const int32_t predicted[] = {0, -1};
    gpr_metrics_options options = {.struct_size = sizeof options, .predicted = predicted};
    assert_fails(gpr_metrics_new(ctx, &metrics, proba, labels, 2, 2, &options), GPR_ERROR_ARGUMENT, "predicted[1]");
    options.predicted = NULL;
    options.positive = 3;
    assert_fails(gpr_metrics_new(ctx, &metrics, proba, labels, 2, 2, &options), GPR_ERROR_ARGUMENT, "positive is 3");
    assert_ok(gpr_metrics_new(ctx, &metrics, proba, labels, 2, 2, NULL));
    assert_fails(gpr_metrics_value(metrics, "roc_acu", &value), GPR_ERROR_ARGUMENT, "did you mean 'roc_auc'");
    gpr_metrics_free(metrics);
    gpr_ctx_free(ctx);
}

static gpr_status make_metrics(gpr_ctx *ctx, void *arg) {
    const metrics_case *of = arg;
    gpr_metrics *metrics;
    gpr_status status = gpr_metrics_new(ctx, &metrics, of->proba, of->labels, of->rows, of->classes, NULL);
    gpr_metrics_free(metrics);
    return status;
}

static void test_failing_memory(void **state) {
    (void)state;
    metrics_case of = metrics_cases[9];
    fail_every_allocation(make_metrics, &of);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),      cmocka_unit_test(test_words),
        cmocka_unit_test(test_parts),       cmocka_unit_test(test_nothing_to_judge),
        cmocka_unit_test(test_wrong_calls), cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
