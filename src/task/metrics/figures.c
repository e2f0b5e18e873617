/* Measures of predictions: what is counted per class, and what is read off the probabilities of the nodes. */
#include "task/loss.h"
#include "task/metrics/metrics.h"

#include <math.h>
#include <string.h>

static bool counts(const gpri_scored *scored, int64_t node) {
    return scored->labels[node] >= 0 && (!scored->parts || scored->parts[node] == scored->part);
}

static int64_t predicted_of(const gpri_scored *scored, int64_t node) {
    if (scored->predicted) return scored->predicted[node];
    return gpri_best_of_floats(scored->proba + node * scored->classes, scored->classes);
}

/* ---- counts per class ---- */

static double share(int64_t part, int64_t whole) { return whole > 0 ? (double)part / (double)whole : NAN; }

/* Returns the number of nodes. */
static int64_t count_classes(const gpri_scored *scored, int64_t *count, int64_t *confusion) {
    const int64_t C = scored->classes;
    int64_t nodes = 0;
    memset(count, 0, (size_t)(3 * C) * sizeof *count);
    for (int64_t i = 0; i < scored->rows; i++) {
        if (!counts(scored, i)) continue;
        const int64_t label = scored->labels[i], predicted = predicted_of(scored, i);
        nodes++;
        count[label]++;
        count[C + predicted]++;
        count[2 * C + label] += label == predicted;
        if (confusion) confusion[label * C + predicted]++;
    }
    return nodes;
}

static double f1_of(const int64_t *count, int64_t C, int64_t c) {
    return share(2 * count[2 * C + c], count[c] + count[C + c]);
}

/* The mean of F1 over the nodes' classes. */
static double weighted_f1(const int64_t *count, int64_t C, int64_t nodes) {
    double sum = 0;
    for (int64_t c = 0; c < C; c++)
        if (count[c] > 0) sum += f1_of(count, C, c) * (double)count[c];
    return nodes ? sum / (double)nodes : NAN;
}

/* ---- probabilities ---- */

/* As scikit-learn does for doubles: a probability is at least 2^-52, and at most 1 less that. */
static double log_loss(const gpri_scored *scored) {
    const double least = 0x1p-52;
    double sum = 0;
    int64_t nodes = 0;
    for (int64_t i = 0; i < scored->rows; i++) {
        if (!counts(scored, i)) continue;
        const double p = (double)scored->proba[i * scored->classes + scored->labels[i]];
        sum += gpri_loss_of_probability(fmin(p, 1 - least), least);
        nodes++;
    }
    return nodes ? sum / (double)nodes : NAN;
}

/* Bin b has the nodes whose largest probability is in (b / 15, (b + 1) / 15]. */
static double calibration_error(const gpri_scored *scored) {
    enum { BINS = 15 };
    double confidence[BINS] = {0}, sum = 0;
    int64_t right[BINS] = {0}, nodes = 0;
    for (int64_t i = 0; i < scored->rows; i++) {
        if (!counts(scored, i)) continue;
        const int64_t predicted = predicted_of(scored, i);
        const double p = (double)scored->proba[i * scored->classes + predicted];
        int bin = (int)ceil(p * BINS) - 1;
        bin = bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
        confidence[bin] += p;
        right[bin] += predicted == scored->labels[i];
        nodes++;
    }
    for (int b = 0; b < BINS; b++) sum += fabs((double)right[b] - confidence[b]);
    return nodes ? sum / (double)nodes : NAN;
}

/* ---- all ---- */

/* Of one class against the rest. keys: (2 x rows). */
static gpri_ranking rank_class(const gpri_scored *scored, int64_t class_id, uint64_t *keys) {
    int64_t count = 0;
    for (int64_t i = 0; i < scored->rows; i++)
        if (counts(scored, i))
            keys[count++] =
                gpri_ranking_key(scored->proba[i * scored->classes + class_id], scored->labels[i] == class_id);
    return gpri_ranking_of(keys, count);
}

/* Rankings of two classes: of the positive one. Of more: the mean over the classes that have a value. */
static void fill_classes(gpr_metrics *out, const gpri_scored *scored, const int64_t *count, uint64_t *keys) {
    const int64_t C = scored->classes;
    double auc = 0, precision = 0;
    int64_t aucs = 0, precisions = 0;
    for (int64_t c = 0; c < C; c++) {
        const gpri_ranking ranked = rank_class(scored, c, keys);
        out->true_classes += count[c] > 0;
        out->predicted_classes += count[C + c] > 0;
        out->of_class[c] = (gpri_class_measures){.nodes = count[c],
                                                 .predicted = count[C + c],
                                                 .right = count[2 * C + c],
                                                 .precision = share(count[2 * C + c], count[C + c]),
                                                 .recall = share(count[2 * C + c], count[c]),
                                                 .f1 = f1_of(count, C, c),
                                                 .roc_auc = ranked.roc_auc,
                                                 .average_precision = ranked.average_precision};
        if (C == 2 && c != scored->positive) continue;
        if (!isnan(ranked.roc_auc)) auc += ranked.roc_auc, aucs++;
        if (!isnan(ranked.average_precision)) precision += ranked.average_precision, precisions++;
    }
    out->values[GPRI_ROC_AUC] = aucs ? auc / (double)aucs : NAN;
    out->values[GPRI_AVERAGE_PRECISION] = precisions ? precision / (double)precisions : NAN;
}

void gpr_metrics_free(gpr_metrics *metrics) {
    if (!metrics) return;
    gpr_ctx *ctx = metrics->ctx;
    gpri_free_all(ctx, metrics->of_class, metrics->confusion, metrics);
}

gpr_status gpri_metrics_new(gpr_ctx *ctx, gpr_metrics **out, const gpri_scored *scored) {
    gpr_status status = GPR_OK;
    gpr_metrics *made = NULL;
    uint64_t *keys = NULL; /* (2 x rows) */
    int64_t *count = NULL; /* (3 x classes) nodes, predicted, right */
    *out = NULL;
    if (scored->numbers) return gpri_metrics_of_numbers(ctx, out, scored);
    TRY(gpri_calloc(ctx, &made, 1, sizeof *made, "metrics"));
    made->ctx = ctx;
    for (int m = 0; m < GPRI_MEASURES; m++) made->values[m] = NAN; /* those of numbers */
    made->classes = scored->classes;
    made->positive = scored->classes == 2 ? scored->positive : -1;
    TRY(gpri_alloc(ctx, &keys, 2 * scored->rows, sizeof *keys, "order of nodes"));
    TRY(gpri_alloc(ctx, &count, 3 * scored->classes, sizeof *count, "counts of classes"));
    TRY(gpri_calloc(ctx, &made->of_class, scored->classes, sizeof *made->of_class, "metrics of classes"));
    if (scored->classes <= GPRI_MOST_CONFUSED)
        TRY(gpri_calloc(ctx, &made->confusion, scored->classes * scored->classes, sizeof *made->confusion,
                        "confusion matrix"));
    made->nodes = count_classes(scored, count, made->confusion);
    made->values[GPRI_ACCURACY] = gpri_measure_of_counts(GPRI_ACCURACY, count, scored->classes);
    made->values[GPRI_BALANCED_ACCURACY] = gpri_measure_of_counts(GPRI_BALANCED_ACCURACY, count, scored->classes);
    made->values[GPRI_MACRO_F1] = gpri_measure_of_counts(GPRI_MACRO_F1, count, scored->classes);
    made->values[GPRI_WEIGHTED_F1] = weighted_f1(count, scored->classes, made->nodes);
    fill_classes(made, scored, count, keys);
    made->values[GPRI_LOG_LOSS] = log_loss(scored);
    made->values[GPRI_CALIBRATION_ERROR] = calibration_error(scored);
    *out = made;
    made = NULL;
done:
    gpri_free_all(ctx, keys, count);
    gpr_metrics_free(made);
    return status;
}

gpr_status gpri_metrics_of_part(gpr_ctx *ctx, gpr_metrics **out, const gpr_dataset *data, const gpr_split *split,
                                gpr_part part, const gpri_outcome *made) {
    const int64_t nodes = data->graph.nodes;
    const gpri_scored scored = {.rows = nodes,
                                .classes = data->target.classes,
                                .proba = made->proba,
                                .predicted = made->classes,
                                .labels = data->target.labels,
                                .numbers = data->target.numbers,
                                .parts = split->part,
                                .part = (uint8_t)part,
                                .positive = gpri_positive_class(data->target.labels, nodes, data->target.classes)};
    gpr_metrics_free(*out);
    return gpri_metrics_new(ctx, out, &scored);
}
