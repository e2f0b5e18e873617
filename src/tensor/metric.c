/* Metrics from scores, in double precision. The nodes are sorted by digits: no comparison, so the same on any machine.
 */
#include "tensor/metric.h"

#include <math.h>
#include <string.h>

static const char *const words[] = {"loss",     "accuracy", "balanced_accuracy",
                                    "macro_f1", "roc_auc",  "average_precision"};
enum { WORDS = sizeof words / sizeof *words };

int gpri_metric_of(const char *word) {
    for (int i = 0; i < WORDS; i++)
        if (strcmp(words[i], word) == 0) return i;
    return strcmp(word, "auc") == 0 ? GPRI_GOAL_ROC_AUC : -1;
}

const char *gpri_metric_word(gpri_goal metric) { return words[metric]; }

int64_t gpri_metric_keys(gpri_goal metric, int64_t count) {
    return metric == GPRI_GOAL_ROC_AUC || metric == GPRI_GOAL_AVERAGE_PRECISION ? 2 * count : 0;
}

/* ---- by the predicted class ---- */

double gpri_metric_of_counts(gpri_goal metric, const int64_t *counts, int64_t classes) {
    const int64_t *nodes = counts, *predicted = counts + classes, *right = counts + 2 * classes;
    int64_t all = 0, hits = 0, present = 0;
    double sum = 0;
    for (int64_t c = 0; c < classes; c++) {
        const bool balanced = metric == GPRI_GOAL_BALANCED_ACCURACY;
        all += nodes[c];
        hits += right[c];
        if (nodes[c] == 0 && (balanced || predicted[c] == 0)) continue;
        sum +=
            balanced ? (double)right[c] / (double)nodes[c] : 2 * (double)right[c] / (double)(nodes[c] + predicted[c]);
        present++;
    }
    if (all == 0) return NAN;
    return metric == GPRI_GOAL_ACCURACY ? (double)hits / (double)all : sum / (double)present;
}

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
    return gpri_metric_of_counts(plan->metric, counts, classes);
}

/* ---- by the order of the scores ---- */

/* 32 bits that sort as the score does, then one bit: the node is of the class. */
uint64_t gpri_ranking_key(float score, bool positive) {
    const float value = score + 0.0f; /* -0 becomes 0 */
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 1 | positive;
}

/* By the 32 bits, ascending; 3 passes of 11 bits. Returns the half of keys (2 x count) that holds the outcome. */
static const uint64_t *sort_keys(uint64_t *keys, int64_t count) {
    enum { BITS = 11, SIZE = 1 << BITS };
    uint64_t *from = keys, *to = keys + count;
    for (int shift = 1; shift < 33; shift += BITS) {
        int64_t place[SIZE + 1] = {0};
        for (int64_t i = 0; i < count; i++) place[(from[i] >> shift & (SIZE - 1)) + 1]++;
        for (int digit = 1; digit <= SIZE; digit++) place[digit] += place[digit - 1];
        for (int64_t i = 0; i < count; i++) to[place[from[i] >> shift & (SIZE - 1)]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* From the highest score down, one threshold for each score that occurs: half of the pairs with equal scores count for
   the area. */
gpri_ranking gpri_ranking_of(uint64_t *keys, int64_t count) {
    const uint64_t *sorted = sort_keys(keys, count);
    int64_t found = 0, seen = 0;
    double pairs = 0, precision = 0;
    for (int64_t end = count; end > 0;) {
        int64_t begin = end, hits = 0;
        while (begin > 0 && sorted[begin - 1] >> 1 == sorted[end - 1] >> 1) hits += (int64_t)(sorted[--begin] & 1);
        pairs += (double)(end - begin - hits) * ((double)found + (double)hits / 2);
        found += hits;
        seen += end - begin;
        precision += (double)hits * (double)found / (double)seen;
        end = begin;
    }
    return (gpri_ranking){.roc_auc = found && found < count ? pairs / ((double)found * (double)(count - found)) : NAN,
                          .average_precision = found ? precision / (double)found : NAN};
}

/* How the scores of a row speak for a class: the difference of two scores, or log softmax. Both sort as its
   probability does. */
static double evidence(const gpri_real *row, int64_t classes, int64_t class_id) {
    if (classes == 2) return (double)row[class_id] - (double)row[1 - class_id];
    double most = (double)row[0], sum = 0;
    for (int64_t c = 1; c < classes; c++)
        if ((double)row[c] > most) most = (double)row[c];
    for (int64_t c = 0; c < classes; c++) sum += exp((double)row[c] - most);
    return (double)row[class_id] - most - log(sum);
}

static double of_class(gpri_matrix z, const int32_t *labels, const gpri_metric_plan *plan, int64_t first,
                       int64_t class_id) {
    for (int64_t i = 0; i < plan->count; i++) {
        const int64_t node = plan->nodes[i];
        const double score = evidence(z.at + (node - first) * z.ld, z.cols, class_id);
        if (isnan(score)) return NAN;
        plan->keys[i] = gpri_ranking_key((float)score, labels[node] == class_id);
    }
    const gpri_ranking found = gpri_ranking_of(plan->keys, plan->count);
    return plan->metric == GPRI_GOAL_AVERAGE_PRECISION ? found.average_precision : found.roc_auc;
}

double gpri_metric_value(gpri_matrix z, const int32_t *labels, const gpri_metric_plan *plan, int64_t first) {
    int64_t *nodes = plan->counts, present = 0;
    double sum = 0;
    if (plan->count == 0) return NAN;
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
