/* Two rules say what is far. By predicted classes: half the sum of the differences of the shares (total variation),
 * which is the share of nodes that would need another class, is a quarter or more. By probabilities, for a class that
 * is rarely the largest: the mean probability of a class is five points away from its share in the training, or one
 * point, and 1.5 times as large or as small. Both by more than chance does. The mean is corrected as far as it was off
 * on the validation nodes of the training: weights of classes change the probabilities on purpose. */
#include "model/shares.h"

#include <math.h>

#include "base/print.h"
#include "model/known.h"

enum { FEWEST = 30, PARTS = 5 }; /* nodes: fewer say nothing; the validation nodes are one of so many parts */
static const double far_apart = 0.25, points = 0.05, times = 1.5, least_points = 0.01, errors = 3;

void gpri_shares_count(double *sums, const gpr_model *model, int64_t rows, const gpri_outcome *outcome) {
    const int64_t C = model->classes;
    if (!outcome->classes && !outcome->proba) return;
    for (int64_t i = 0; i < rows; i++) sums[gpri_outcome_class(outcome, i, C)]++;
    for (int64_t i = 0; outcome->proba && i < rows * C; i++) sums[C + i % C] += (double)outcome->proba[i];
}

/* The class that is farthest away by its predictions, or -1. */
static int64_t far_by_class(const double *counts, double nodes, const gpr_model *model, double before) {
    const int64_t C = model->classes;
    double apart = 0, most = 0;
    int64_t at = 0;
    for (int64_t c = 0; c < C; c++) {
        const double far = fabs(counts[c] / nodes - (double)model->class_nodes[c] / before);
        apart += far / 2;
        if (far > most + 1e-9) most = far, at = c;
    }
    /* of two samples with the same shares, the mean is at most half the sum of the roots */
    return apart < far_apart + sqrt((double)C / nodes) + sqrt((double)C / before) ? -1 : at;
}

/* The same by its mean probability. */
static int64_t far_by_probability(const double *sums, double nodes, const gpr_model *model, double before) {
    double most = 0;
    int64_t at = -1;
    for (int64_t c = 0; c < model->classes && model->rates; c++) {
        const double was = (double)model->rates[c], mean = (double)model->rates[3 * model->classes + c];
        const double is = mean > 0 ? sums[c] / nodes * was / mean : was, far = fabs(is - was);
        const double chance = errors * sqrt(was * (1 - was) * (1 / nodes + PARTS / before)); /* of the validation */
        const bool many = far > points, other = far > least_points && (is > times * was || is < was / times);
        if ((many || other) && far > chance + (many ? 0 : least_points) && far > most) most = far, at = c;
    }
    return at;
}

void gpri_shares_warn(gpr_ctx *ctx, const double *sums, const gpr_model *model, const gpr_dataset *data, bool adapted) {
    const int64_t C = model->classes;
    double nodes = 0, expected = 0, before = 0;
    char name[24], text[256];
    if (adapted) return; /* it has been said */
    for (int64_t c = 0; model->class_nodes && c < C; c++) {
        nodes += sums[c];
        expected += sums[C + c];
        before += (double)model->class_nodes[c];
    }
    if (nodes < FEWEST || before < FEWEST) return;
    int64_t at = far_by_class(sums, nodes, model, before);
    const bool by_class = at >= 0;
    if (!by_class && expected > 0) at = far_by_probability(sums + C, nodes, model, before);
    if (at < 0 || gpri_is_data_of(model, data)) return;
    if (by_class)
        gpri_print(text, sizeof text, "%.1f %% of the predictions, and in the training %.1f %% of the labels",
                   100 * sums[at] / nodes, 100 * (double)model->class_nodes[at] / before);
    else
        gpri_print(text, sizeof text, "%.1f %% of the nodes by the probabilities, and in the training %.1f %%",
                   100 * sums[C + at] / nodes * (double)(model->rates[at] / model->rates[3 * C + at]),
                   100 * (double)model->rates[at]);
    gpri_log(
        ctx, GPR_LOG_WARNING,
        "%s: the shares of the classes are far from those of the training: '%s' is %s. Is the data of the same kind, "
        "and prepared in the same way? If so, and classes are only more or less frequent, `adapt-prior` corrects the "
        "probabilities",
        data->name, gpri_name_or_number(&model->class_names, at, name), text);
}
