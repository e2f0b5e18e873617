/* How far apart shares are is half the sum of their differences (total variation): the share of nodes that would need
 * another class. */
#include "model/shares.h"

#include <math.h>

#include "base/print.h"
#include "model/known.h"

enum { FEWEST = 30 }; /* nodes: fewer say nothing */
static const double far_apart = 0.25;

void gpri_shares_count(int64_t *counts, const gpr_model *model, int64_t rows, const gpri_outcome *outcome) {
    if (!outcome->classes && !outcome->proba) return;
    for (int64_t i = 0; i < rows; i++) counts[gpri_outcome_class(outcome, i, model->classes)]++;
}

void gpri_shares_warn(gpr_ctx *ctx, const int64_t *counts, const gpr_model *model, const gpr_dataset *data) {
    const int64_t C = model->classes;
    double nodes = 0, before = 0, apart = 0, most = 0;
    int64_t at = 0;
    char name[24], text[256];
    for (int64_t c = 0; model->class_nodes && c < C; c++) {
        nodes += (double)counts[c];
        before += (double)model->class_nodes[c];
    }
    if (nodes < FEWEST || before < FEWEST) return;
    for (int64_t c = 0; c < C; c++) {
        const double far = fabs((double)counts[c] / nodes - (double)model->class_nodes[c] / before);
        apart += far / 2;
        if (far > most + 1e-9) most = far, at = c;
    }
    /* of two samples with the same shares, the mean is at most half the sum of the roots */
    if (apart < far_apart + sqrt((double)C / nodes) + sqrt((double)C / before)) return;
    if (gpri_is_data_of(model, data)) return;
    gpri_print(text, sizeof text, "%.1f %% of the predictions, and in the training %.1f %% of the labels",
               100 * (double)counts[at] / nodes, 100 * (double)model->class_nodes[at] / before);
    gpri_log(
        ctx, GPR_LOG_WARNING,
        "%s: the shares of the classes are far from those of the training: '%s' is %s. Is the data of the same kind, "
        "and prepared in the same way?",
        data->name, gpri_name_or_number(&model->class_names, at, name), text);
}
