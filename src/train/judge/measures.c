/* Measures of predictions: what is counted per class, and what is read off the probabilities of the nodes. */
#include "train/judge/measures.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *word;
    bool lower;
} measures[GPRI_MEASURES] = {
    [GPRI_ACCURACY] = {"accuracy", false}, [GPRI_BALANCED_ACCURACY] = {"balanced_accuracy", false},
    [GPRI_MACRO_F1] = {"macro_f1", false}, [GPRI_WEIGHTED_F1] = {"weighted_f1", false},
    [GPRI_ROC_AUC] = {"roc_auc", false},   [GPRI_AVERAGE_PRECISION] = {"average_precision", false},
    [GPRI_LOG_LOSS] = {"log_loss", true},  [GPRI_CALIBRATION_ERROR] = {"calibration_error", true},
};

static bool same_word(const char *word, const char *known) {
    for (; *word && *known; word++, known++)
        if (*word != *known && !(*word == '-' && *known == '_')) return false;
    return *word == *known;
}

gpri_measure gpri_measure_find(const char *word) {
    for (int i = 0; i < GPRI_MEASURES; i++)
        if (same_word(word, measures[i].word)) return (gpri_measure)i;
    return GPRI_MEASURES;
}

gpr_status gpri_measure_unknown(const char *word) {
    const char *words[GPRI_MEASURES];
    for (int i = 0; i < GPRI_MEASURES; i++) words[i] = measures[i].word;
    const char *near = gpr_nearest_word(word, words, GPRI_MEASURES);
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "there is no metric '%s'%s%s%s: there are accuracy, balanced_accuracy, macro_f1, weighted_f1, "
                     "roc_auc, average_precision, log_loss, calibration_error",
                     word, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

const char *gpri_measure_word(gpri_measure which) { return measures[which].word; }
bool gpri_measure_lower(gpri_measure which) { return measures[which].lower; }

int64_t gpri_positive_class(const int32_t *labels, int64_t rows, int64_t classes) {
    int64_t count[2] = {0, 0};
    if (classes != 2) return -1;
    for (int64_t i = 0; i < rows; i++)
        if (labels[i] == 0 || labels[i] == 1) count[labels[i]]++;
    return count[0] < count[1] ? 0 : 1;
}

gpr_status gpri_measure_space_new(gpr_ctx *ctx, gpri_measure_space *out, int64_t rows, int64_t classes) {
    gpr_status status = GPR_OK;
    *out = (gpri_measure_space){.keys = NULL};
    TRY(gpri_alloc(ctx, &out->keys, rows, sizeof *out->keys, "order of nodes"));
    TRY(gpri_alloc(ctx, &out->spare, rows, sizeof *out->spare, "order of nodes"));
    TRY(gpri_alloc(ctx, &out->counts, 3 * classes, sizeof *out->counts, "counts of classes"));
done:
    return status;
}

void gpri_measure_space_free(gpr_ctx *ctx, gpri_measure_space *space) {
    gpri_free(ctx, space->keys);
    gpri_free(ctx, space->spare);
    gpri_free(ctx, space->counts);
    *space = (gpri_measure_space){.keys = NULL};
}

static bool counts(const gpri_scored *of, int64_t node) {
    return of->labels[node] >= 0 && (!of->parts || of->parts[node] == of->part);
}

static int64_t predicted_of(const gpri_scored *of, int64_t node) {
    if (of->predicted) return of->predicted[node];
    const float *p = of->proba + node * of->classes;
    int64_t best = 0;
    for (int64_t c = 1; c < of->classes; c++)
        if (p[c] > p[best]) best = c;
    return best;
}

/* ---- counts per class ---- */

static double share(int64_t part, int64_t whole) { return whole > 0 ? (double)part / (double)whole : NAN; }

/* Returns the number of nodes. */
static int64_t count_classes(const gpri_scored *of, int64_t *count, int64_t *confusion) {
    const int64_t C = of->classes;
    int64_t nodes = 0;
    memset(count, 0, (size_t)(3 * C) * sizeof *count);
    for (int64_t i = 0; i < of->rows; i++) {
        if (!counts(of, i)) continue;
        const int64_t label = of->labels[i], predicted = predicted_of(of, i);
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

/* From the counts of the classes. A class that neither occurs nor is predicted has no part in a mean. */
static double from_counts(gpri_measure which, const int64_t *count, int64_t C) {
    double sum = 0;
    int64_t nodes = 0, right = 0, terms = 0;
    for (int64_t c = 0; c < C; c++) {
        nodes += count[c];
        right += count[2 * C + c];
    }
    if (which == GPRI_ACCURACY) return share(right, nodes);
    for (int64_t c = 0; c < C; c++) {
        if (which == GPRI_BALANCED_ACCURACY ? count[c] == 0 : count[c] + count[C + c] == 0) continue;
        if (which == GPRI_BALANCED_ACCURACY) sum += share(count[2 * C + c], count[c]);
        else if (which == GPRI_MACRO_F1) sum += f1_of(count, C, c);
        else sum += f1_of(count, C, c) * (double)count[c];
        terms++;
    }
    if (nodes == 0) return NAN;
    return sum / (double)(which == GPRI_WEIGHTED_F1 ? nodes : terms);
}

/* ---- probabilities ---- */

/* As scikit-learn does for doubles: a probability is at least 2^-52, and at most 1 less that. */
static double log_loss(const gpri_scored *of) {
    const double least = 0x1p-52;
    double sum = 0;
    int64_t nodes = 0;
    for (int64_t i = 0; i < of->rows; i++) {
        if (!counts(of, i)) continue;
        const double p = (double)of->proba[i * of->classes + of->labels[i]];
        sum -= log(fmin(fmax(p, least), 1 - least));
        nodes++;
    }
    return nodes ? sum / (double)nodes : NAN;
}

/* Bin b has the nodes whose largest probability is in (b / 15, (b + 1) / 15]. */
static double calibration_error(const gpri_scored *of) {
    enum { BINS = 15 };
    double confidence[BINS] = {0}, sum = 0;
    int64_t right[BINS] = {0}, nodes = 0;
    for (int64_t i = 0; i < of->rows; i++) {
        if (!counts(of, i)) continue;
        const int64_t predicted = predicted_of(of, i);
        const double p = (double)of->proba[i * of->classes + predicted];
        int bin = (int)ceil(p * BINS) - 1;
        bin = bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
        confidence[bin] += p;
        right[bin] += predicted == of->labels[i];
        nodes++;
    }
    for (int b = 0; b < BINS; b++) sum += fabs((double)right[b] - confidence[b]);
    return nodes ? sum / (double)nodes : NAN;
}

/* ---- rankings ---- */

/* Two classes: of the positive one. More: the mean over the classes that have a value. */
static double mean_ranking(gpri_measure which, const gpri_scored *of, gpri_measure_space *space) {
    double sum = 0;
    int64_t terms = 0;
    for (int64_t c = 0; c < of->classes; c++) {
        if (of->classes == 2 && c != of->positive) continue;
        const gpri_ranking_score score = gpri_rank_class(of, c, space);
        const double value = which == GPRI_ROC_AUC ? score.roc_auc : score.average_precision;
        if (isnan(value)) continue;
        sum += value;
        terms++;
    }
    return terms ? sum / (double)terms : NAN;
}

double gpri_measure_of(gpri_measure which, const gpri_scored *of, gpri_measure_space *space) {
    switch (which) {
    case GPRI_ACCURACY:
    case GPRI_BALANCED_ACCURACY:
    case GPRI_MACRO_F1:
    case GPRI_WEIGHTED_F1:
        count_classes(of, space->counts, NULL);
        return from_counts(which, space->counts, of->classes);
    case GPRI_ROC_AUC:
    case GPRI_AVERAGE_PRECISION: return mean_ranking(which, of, space);
    case GPRI_LOG_LOSS: return log_loss(of);
    case GPRI_CALIBRATION_ERROR: return calibration_error(of);
    case GPRI_MEASURES: break;
    }
    return NAN;
}

/* ---- all ---- */

static void fill_classes(gpr_metrics *out, const gpri_scored *of, gpri_measure_space *space) {
    const int64_t C = of->classes, *count = space->counts;
    double auc = 0, precision = 0;
    int64_t aucs = 0, precisions = 0;
    for (int64_t c = 0; c < C; c++) {
        const gpri_ranking_score ranked = gpri_rank_class(of, c, space);
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
        if (C == 2 && c != of->positive) continue;
        if (!isnan(ranked.roc_auc)) auc += ranked.roc_auc, aucs++;
        if (!isnan(ranked.average_precision)) precision += ranked.average_precision, precisions++;
    }
    out->values[GPRI_ROC_AUC] = aucs ? auc / (double)aucs : NAN;
    out->values[GPRI_AVERAGE_PRECISION] = precisions ? precision / (double)precisions : NAN;
}

void gpr_metrics_free(gpr_metrics *metrics) {
    if (!metrics) return;
    gpr_ctx *ctx = metrics->ctx;
    gpri_free(ctx, metrics->of_class);
    gpri_free(ctx, metrics->confusion);
    gpri_free(ctx, metrics);
}

gpr_status gpri_metrics_new(gpr_ctx *ctx, gpr_metrics **out, const gpri_scored *of) {
    gpr_status status = GPR_OK;
    gpri_measure_space space = {.keys = NULL};
    gpr_metrics *made = NULL;
    *out = NULL;
    TRY(gpri_calloc(ctx, &made, 1, sizeof *made, "metrics"));
    made->ctx = ctx;
    made->classes = of->classes;
    made->positive = of->classes == 2 ? of->positive : -1;
    TRY(gpri_measure_space_new(ctx, &space, of->rows, of->classes));
    TRY(gpri_calloc(ctx, &made->of_class, of->classes, sizeof *made->of_class, "metrics of classes"));
    if (of->classes <= GPRI_MOST_CONFUSED)
        TRY(gpri_calloc(ctx, &made->confusion, of->classes * of->classes, sizeof *made->confusion, "confusion matrix"));
    made->nodes = count_classes(of, space.counts, made->confusion);
    for (int i = GPRI_ACCURACY; i <= GPRI_WEIGHTED_F1; i++)
        made->values[i] = from_counts((gpri_measure)i, space.counts, of->classes);
    fill_classes(made, of, &space);
    made->values[GPRI_LOG_LOSS] = log_loss(of);
    made->values[GPRI_CALIBRATION_ERROR] = calibration_error(of);
    *out = made;
    made = NULL;
done:
    gpri_measure_space_free(ctx, &space);
    gpr_metrics_free(made);
    return status;
}
