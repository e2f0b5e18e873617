/* The public functions of gpr_metrics, and which metric a training goes by. */

#include "task/metrics/metrics.h"

#include <math.h>

#include "base/struct.h"

/* What a caller gives is not trusted. */
static gpr_status check_classes(const int32_t *ids, int64_t rows, int64_t classes, int64_t least, const char *what) {
    for (int64_t i = 0; i < rows; i++)
        if (ids[i] < least || ids[i] >= classes)
            return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_metrics_new: %s[%lld] is %d, and there are %lld classes", what,
                             (long long)i, (int)ids[i], (long long)classes);
    return GPR_OK;
}

static gpr_status check(const gpri_scored *scored) {
    int64_t cells;
    if (scored->rows < 0 || scored->classes < 1 || !gpri_mul_size(scored->rows, scored->classes, &cells))
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_metrics_new: %lld rows and %lld classes", (long long)scored->rows,
                         (long long)scored->classes);
    NEED(check_classes(scored->labels, scored->rows, scored->classes, INT32_MIN, "labels"));
    if (scored->predicted) NEED(check_classes(scored->predicted, scored->rows, scored->classes, 0, "predicted"));
    for (int64_t i = 0; i < cells; i++)
        if (!(scored->proba[i] >= 0 && scored->proba[i] <= 1))
            return gpri_fail(
                GPR_ERROR_ARGUMENT, "gpr_metrics_new: proba of row %lld, class %lld is %g: it must be in [0, 1]",
                (long long)(i / scored->classes), (long long)(i % scored->classes), (double)scored->proba[i]);
    return GPR_OK;
}

gpr_status gpr_metrics_new(gpr_ctx *ctx, gpr_metrics **out, const float *proba, const int32_t *labels, int64_t rows,
                           int64_t classes, const gpr_metrics_options *options) {
    gpr_metrics_options own = {0};
    if (out) *out = NULL;
    if (!ctx || !out || !proba || !labels) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_metrics_new: a NULL argument");
    if (options) NEED(GPRI_STRUCT_IN(&own, options, gpr_metrics_options, "gpr_metrics_new", "options"));
    gpri_scored scored = {.rows = rows,
                          .classes = classes,
                          .proba = proba,
                          .predicted = own.predicted,
                          .labels = labels,
                          .parts = own.parts,
                          .part = (uint8_t)own.part,
                          .positive = own.positive - 1};
    NEED(check(&scored));
    if (own.positive < 0 || own.positive > classes)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_metrics_new: options.positive is %lld", (long long)own.positive);
    if (own.positive == 0) scored.positive = gpri_positive_class(labels, rows, classes);
    NEED(gpri_metrics_new(ctx, out, &scored));
    return gpri_finish(GPR_OK);
}

gpr_status gpr_metrics_of_numbers(gpr_ctx *ctx, gpr_metrics **out, const float *predicted, const float *targets,
                                  int64_t rows) {
    const gpri_scored scored = {.rows = rows, .classes = 1, .proba = predicted, .numbers = targets};
    if (out) *out = NULL;
    if (!ctx || !out || !predicted || !targets)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_metrics_of_numbers: a NULL argument");
    if (rows < 0) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_metrics_of_numbers: %lld rows", (long long)rows);
    for (int64_t i = 0; i < rows; i++)
        if (!isfinite(predicted[i]) || isinf(targets[i]))
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "gpr_metrics_of_numbers: row %lld has prediction %g and target %g: they must be finite, "
                             "or NaN for a target that is not known",
                             (long long)i, (double)predicted[i], (double)targets[i]);
    NEED(gpri_metrics_of_numbers(ctx, out, &scored));
    return gpri_finish(GPR_OK);
}

const char *gpr_metrics_word(const gpr_metrics *metrics, int index) {
    for (int m = 0; metrics && m < GPRI_MEASURES; m++)
        if (gpri_measure_suits((gpri_measure)m, metrics->classes == 0) && index-- == 0)
            return gpri_measure_word((gpri_measure)m);
    return NULL;
}

const char *gpr_metric_word(int index) {
    return index >= 0 && index < GPRI_MEASURES ? gpri_measure_word((gpri_measure)index) : NULL;
}

gpr_status gpr_metrics_value(const gpr_metrics *metrics, const char *word, double *value) {
    if (!metrics || !word || !value) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_metrics_value: a NULL argument");
    const gpri_measure which = gpri_measure_find(word);
    if (which == GPRI_MEASURES) return gpri_finish(gpri_measure_unknown(word));
    *value = metrics->values[which];
    return gpri_finish(GPR_OK);
}

gpr_status gpr_metrics_describe(const gpr_metrics *metrics, gpr_metrics_info *out) {
    if (!metrics) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_metrics_describe: metrics is NULL");
    const gpr_metrics_info info = {sizeof info,       metrics->nodes,        metrics->classes,
                                   metrics->positive, metrics->true_classes, metrics->predicted_classes};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_metrics_info, "gpr_metrics_describe", &info));
}

gpr_status gpr_metrics_class(const gpr_metrics *metrics, int64_t class_id, gpr_class_metrics *out) {
    if (!metrics || class_id < 0 || class_id >= metrics->classes)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_metrics_class: metrics is NULL, or has no class %lld",
                         (long long)class_id);
    const gpri_class_measures *measures = &metrics->of_class[class_id];
    const gpr_class_metrics info = {sizeof info,     measures->nodes,     measures->predicted,
                                    measures->right, measures->precision, measures->recall,
                                    measures->f1,    measures->roc_auc,   measures->average_precision};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_class_metrics, "gpr_metrics_class", &info));
}

const int64_t *gpr_metrics_confusion(const gpr_metrics *metrics, int64_t *classes) {
    if (classes) *classes = metrics && metrics->confusion ? metrics->classes : 0;
    return metrics ? metrics->confusion : NULL;
}

/* ---- which one fits ---- */

bool gpri_params_tell_number(const gpr_params *params) { return !gpri_params_is(params, GPRI_LOSS_AUTO); }

gpri_measure gpri_params_metric(const gpr_params *params) {
    return gpri_measure_chosen(gpri_params_text(params, GPRI_PARAM_METRIC));
}

/* Whether nearly all training nodes are of one class: whoever always says its name is right for four of five. */
static bool is_lopsided(const gpr_split *split) {
    int64_t nodes = 0, largest = 0;
    for (int64_t c = 0; c < split->classes; c++) {
        const int64_t count = gpr_split_count(split, GPR_TRAIN, c);
        nodes += count;
        if (count > largest) largest = count;
    }
    return gpri_is_rare(nodes - largest, nodes);
}

gpri_measure gpri_fitting_metric(const gpr_params *params, const gpr_split *split, gpr_part judged) {
    const gpri_measure asked = gpri_params_metric(params);
    if (!gpri_is_loss(asked)) return asked;
    if (gpri_params_tell_number(params)) return GPRI_R2;
    if (split->classes < 2 || !is_lopsided(split)) return GPRI_ACCURACY;
    if (split->classes > 2) return GPRI_MACRO_F1;
    const bool both = gpr_split_count(split, judged, 0) > 0 && gpr_split_count(split, judged, 1) > 0;
    return both ? GPRI_AVERAGE_PRECISION : GPRI_ACCURACY;
}
