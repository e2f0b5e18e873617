/* tensor/metric.c: the metrics that a training may go by, against scikit-learn and against their definitions. */
#include <math.h>

#include "../golden/train_metrics_golden.h"
#include "base/params.h"
#include "base/random.h"
#include "support.h"
#include "tensor/metric.h"

enum { MOST = 256 };

typedef struct {
    gpri_real z[MOST * 8];
    int32_t labels[MOST];
    int64_t nodes[MOST];
    uint64_t keys[2 * MOST];
    int64_t counts[3 * 8];
} sample;

/* All nodes count; rows lie `ld` apart. */
static double value_of(sample *s, gpri_measure metric, int64_t count, int64_t classes, int64_t ld) {
    const gpri_matrix z = {s->z, count, classes, classes, ld};
    const gpri_metric_plan plan = {.metric = metric,
                                   .nodes = s->nodes,
                                   .count = count,
                                   .positive = 1,
                                   .keys = gpri_metric_keys(metric, count) ? s->keys : NULL,
                                   .counts = s->counts};
    for (int64_t i = 0; i < count; i++) s->nodes[i] = i;
    return gpri_metric_value(z, s->labels, &plan, 0);
}

static void as_scikit_learn(void **state) {
    (void)state;
    sample s;
    for (size_t k = 0; k < sizeof golden_metrics / sizeof *golden_metrics; k++) {
        const int64_t nodes = golden_metrics[k].nodes, classes = golden_metrics[k].classes;
        for (int64_t i = 0; i < nodes; i++) s.labels[i] = golden_metrics[k].labels[i];
        for (int64_t i = 0; i < nodes * classes; i++)
            s.z[i / classes * 8 + i % classes] = (gpri_real)golden_metrics[k].z[i];
        for (int m = 0, at = 0; m < GPRI_MEASURES; m++) {
            if (!gpri_measure_each_step((gpri_measure)m) || !gpri_measure_suits((gpri_measure)m, false)) continue;
            const double got = value_of(&s, (gpri_measure)m, nodes, classes, 8), want = golden_metrics[k].values[at++];
            if (!(fabs(got - want) < 1e-12))
                fail_msg("%s, %s: %.17g, not %.17g", golden_metrics[k].name, gpri_measure_word((gpri_measure)m), got,
                         want);
        }
    }
}

/* The area is the share of pairs in the right order, ties being one half. Scores of both signs, and many sizes. */
static void pairs(void **state) {
    (void)state;
    sample s;
    for (int64_t draw = 0; draw < 60; draw++) {
        gpri_random stream = gpri_random_of((uint64_t)draw, GPRI_RANDOM_TEST, 0, 0);
        const int64_t count = 2 + draw * 4;
        double right = 0, all = 0;
        for (int64_t i = 0; i < count; i++) {
            const double u = gpri_uniform(stream, (uint64_t)i), v = gpri_uniform(stream, (uint64_t)(i + 1000));
            s.labels[i] = i == 0 ? 1 : i == 1 ? 0 : u < 0.3;
            s.z[2 * i] = 0;
            s.z[2 * i + 1] = (gpri_real)(draw % 2 ? floor(8 * v) - 4 : 1e3 * (v - 0.5));
        }
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < count; j++) {
                if (s.labels[i] != 1 || s.labels[j] != 0) continue;
                const double a = (double)s.z[2 * i + 1], b = (double)s.z[2 * j + 1];
                right += a > b ? 1 : a == b ? 0.5 : 0;
                all++;
            }
        assert_true(fabs(value_of(&s, GPRI_ROC_AUC, count, 2, 2) - right / all) < 1e-12);
    }
}

/* Only the nodes of the plan, with rows from `first` on. */
static void some_nodes(void **state) {
    (void)state;
    gpri_real z[] = {0, 9, 5, 0, 0, 5, 9, 0}; /* nodes 10, 11, 12, 13 */
    int32_t labels[14] = {[10] = 0, [11] = 0, [12] = 1, [13] = 1};
    const int64_t nodes[] = {11, 12};
    int64_t counts[6];
    const gpri_matrix rows = {z, 4, 2, 2, 2};
    const gpri_metric_plan plan = {
        .metric = GPRI_ACCURACY, .nodes = nodes, .count = 2, .positive = 1, .counts = counts};
    assert_true(gpri_metric_value(rows, labels, &plan, 10) == 1);
    labels[12] = 0;
    assert_true(gpri_metric_value(rows, labels, &plan, 10) == 0.5);
}

static void undefined(void **state) {
    (void)state;
    sample s = {.z = {1, 2, 2, 1}, .labels = {1, 1}};
    assert_true(isnan(value_of(&s, GPRI_ROC_AUC, 2, 2, 2)));
    assert_true(isnan(value_of(&s, GPRI_AVERAGE_PRECISION, 2, 2, 2)));
    assert_true(value_of(&s, GPRI_BALANCED_ACCURACY, 2, 2, 2) == 0.5);
    s.labels[0] = 0;
    s.z[3] = NAN;
    for (int m = GPRI_ACCURACY; m <= GPRI_AVERAGE_PRECISION; m++)
        if (gpri_measure_each_step((gpri_measure)m)) assert_true(isnan(value_of(&s, (gpri_measure)m, 2, 2, 2)));
    assert_true(isnan(value_of(&s, GPRI_ACCURACY, 0, 2, 2)));
}

/* Every word of the option `metric` is that of a measure, and the other way round. */
static void words(void **state) {
    (void)state;
    int chosen = 0, words = 0;
    for (int m = 0; m < GPRI_MEASURES; m++) {
        const char *choice = gpri_measure_choice((gpri_measure)m);
        if (!choice) continue;
        assert_int_equal(gpri_measure_chosen(choice), m);
        assert_int_equal(gpri_value_param(gpri_value_of(GPRI_PARAM_METRIC, choice)), GPRI_PARAM_METRIC);
        chosen++;
    }
    for (int v = 0; v < GPRI_VALUE_COUNT; v++)
        if (gpri_value_param((gpri_value)v) == GPRI_PARAM_METRIC) {
            assert_int_not_equal(gpri_measure_chosen(gpri_value_word((gpri_value)v)), GPRI_MEASURES);
            words++;
        }
    assert_int_equal(words, chosen + 1); /* auc, too */
    assert_int_equal(gpri_measure_chosen("f1"), GPRI_MEASURES);
    assert_int_equal(gpri_measure_chosen("log_loss"), GPRI_MEASURES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_scikit_learn), cmocka_unit_test(pairs),
                                       cmocka_unit_test(some_nodes), cmocka_unit_test(undefined),
                                       cmocka_unit_test(words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
