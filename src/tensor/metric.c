/* Metrics from scores, in double precision. */
#include "tensor/metric.h"

#include <math.h>
#include <string.h>

#include "task/link.h"

int64_t gpri_metric_keys(gpri_measure metric, int64_t count) {
    return gpri_measure_is(metric, GPRI_RANKS) ? 2 * count : 0;
}

/* ---- by the predicted class ---- */

static double of_classes(gpri_matrix z, const int32_t *labels, const gpri_metric_plan *plan, int64_t first) {
    const int64_t classes = z.cols;
    int64_t *counts = plan->counts;
    memset(counts, 0, (size_t)(3 * classes) * sizeof *counts);
    for (int64_t i = 0; i < plan->count; i++) {
        const int64_t node = plan->nodes[i];
        const gpri_real *row = z.at + (node - first) * z.ld;
        int64_t best = 0;
        for (int64_t c = 0; c < classes; c++) {
            if (isnan(row[c])) return NAN;
            if (row[c] > row[best]) best = c;
        }
        counts[labels[node]]++;
        counts[classes + best]++;
        counts[2 * classes + best] += best == labels[node];
    }
    return gpri_measure_of_counts(plan->metric, counts, classes);
}

/* ---- by the order of the scores ---- */

static double of_class(gpri_matrix z, const int32_t *labels, const gpri_metric_plan *plan, int64_t first,
                       int64_t class_id) {
    for (int64_t i = 0; i < plan->count; i++) {
        const int64_t node = plan->nodes[i];
        const double score = gpri_evidence_of(z.at + (node - first) * z.ld, z.cols, class_id);
        if (isnan(score)) return NAN;
        plan->keys[i] = gpri_ranking_key((float)score, labels[node] == class_id);
    }
    const gpri_ranking found = gpri_ranking_of(plan->keys, plan->count);
    return plan->metric == GPRI_AVERAGE_PRECISION ? found.average_precision : found.roc_auc;
}

/* ---- of numbers ---- */

static double of_numbers(gpri_matrix z, const gpri_metric_plan *plan, int64_t first) {
    double mean = 0, spread = 0, squares = 0, sizes = 0;
    for (int64_t i = 0; i < plan->count; i++) mean += (double)plan->numbers[plan->nodes[i]] / (double)plan->count;
    for (int64_t i = 0; i < plan->count; i++) {
        const int64_t node = plan->nodes[i];
        const double y = (double)plan->numbers[node], r = (double)z.at[(node - first) * z.ld] - y;
        spread += (y - mean) * (y - mean);
        squares += r * r;
        sizes += fabs(r);
    }
    if (plan->metric == GPRI_RMSE) return plan->scale * sqrt(squares / (double)plan->count);
    if (plan->metric == GPRI_MAE) return plan->scale * sizes / (double)plan->count;
    return spread > 0 ? 1 - squares / spread : (double)NAN;
}

double gpri_metric_value(gpri_matrix z, const int32_t *labels, const gpri_metric_plan *plan, int64_t first) {
    int64_t *nodes = plan->counts, present = 0;
    double sum = 0;
    if (plan->count == 0) return NAN;
    if (plan->numbers) return of_numbers(z, plan, first);
    if (!plan->keys) return of_classes(z, labels, plan, first);
    memset(nodes, 0, (size_t)z.cols * sizeof *nodes);
    for (int64_t i = 0; i < plan->count; i++) nodes[labels[plan->nodes[i]]]++;
    for (int64_t c = 0; c < z.cols; c++) {
        if (nodes[c] == 0 || nodes[c] == plan->count || (z.cols == 2 && c != plan->positive)) continue;
        sum += of_class(z, labels, plan, first, c);
        present++;
    }
    return present ? sum / (double)present : NAN;
}
