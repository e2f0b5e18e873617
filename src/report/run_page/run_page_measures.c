/* report.html: all metrics of the test nodes, beside those of simple methods on the same split. */
#include <math.h>

#include "baseline/baselines.h"
#include "report/run_page/run_page.h"

static json_t *cell(gpri_measure which, double value) {
    if (isnan(value)) return json_string("–");
    if (gpri_measure_is(which, GPRI_IN_UNIT)) return gpri_json_format("%.4g", value);
    return gpri_measure_is(which, GPRI_OF_100) ? gpri_json_format("%.2f", 100 * value)
                                               : gpri_json_format("%.3f", value);
}

static bool is_shown(const gpri_run_page *page, gpri_measure which) {
    return gpri_measure_heading(which) && gpri_measure_suits(which, page->number);
}

static json_t *caption(const gpri_run_page *page, const gpr_metrics *test) {
    const char *runs = page->result->count > 1 ? ", mean of the runs" : "";
    if (page->number)
        return gpri_json_format(
            "Test nodes%s. R2: the share of the spread that is told. RMSE, MAE and median error are "
            "in the unit of the target: lower is better.",
            runs);
    return gpri_json_format("Test nodes%s. Balanced: the mean over the classes of the share of their nodes "
                            "that is right. %s Log-loss and calibration error: lower is better.",
                            runs,
                            test->classes == 2
                                ? "ROC-AUC and average precision are those of the rarer class."
                                : "ROC-AUC and average precision are means over the classes, each against "
                                  "the rest.");
}

/* baseline: its index; less than 0: the model. */
static void add_row(gpri_run_page *page, json_t *rows, const char *name, int baseline) {
    gpri_document *doc = &page->doc;
    gpri_document_add(doc, rows, json_array());
    json_t *row = json_array_get(rows, json_array_size(rows) - 1);
    gpri_document_add(doc, row, json_string(name));
    for (int i = 0; i < GPRI_MEASURES; i++) {
        const gpri_measure which = (gpri_measure)i;
        if (!is_shown(page, which)) continue;
        const gpri_mean mean = baseline < 0 ? gpri_measure_mean(page->result, GPR_TEST, which)
                                            : gpri_baseline_mean(page->result, baseline, which);
        gpri_document_add(doc, row, cell(which, mean.mean));
    }
}

void gpri_run_page_measures(gpri_run_page *page) {
    static const char *const names[2][GPRI_BASELINES] = {
        {[GPRI_MAJORITY] = "Majority class",
         [GPRI_FEATURES_ONLY] = "Features alone",
         [GPRI_NEIGHBOURS] = "Neighbours’ vote"},
        {[GPRI_MAJORITY] = "Mean", [GPRI_FEATURES_ONLY] = "Features alone", [GPRI_NEIGHBOURS] = "Neighbours’ mean"}};
    gpri_document *doc = &page->doc;
    const gpr_metrics *test = page->best->metrics[GPR_TEST];
    const bool compared = page->best->baselines[GPRI_MAJORITY] != NULL;
    if (!test || test->nodes == 0) return;
    gpri_document_section(
        doc, "metrics", compared ? "Compared with simple methods" : "Metrics",
        !compared ? ""
        : page->number
            ? "A model is useful if it is better than these: always the mean, a linear regression on the features "
              "without the graph, and the mean of the known numbers of a node’s neighbours."
            : "A model is useful if it is better than these: always the most frequent class, a logistic "
              "regression on the features without the graph, and the known labels of a node’s neighbours.");
    if (compared) gpri_document_short(doc, "Comparison");
    json_t *table = gpri_document_block(doc, "table");
    gpri_document_put(doc, table, "caption", caption(page, test));
    gpri_document_column(doc, table, "By", "text");
    for (int i = 0; i < GPRI_MEASURES; i++) {
        const gpri_measure which = (gpri_measure)i;
        if (is_shown(page, which)) gpri_document_column(doc, table, gpri_measure_heading(which), "number");
    }
    json_t *rows = gpri_document_list(doc, table, "rows");
    add_row(page, rows, "This model", -1);
    for (int b = 0; b < GPRI_BASELINES; b++)
        if (page->best->baselines[b]) add_row(page, rows, names[page->number][b], b);
}
