/* report.html: which classes are told apart, and which nodes are hard. */
#include <math.h>

#include "report/by_kind.h"
#include "report/run_page/run_page.h"

/* Classes: so few that table and matrix fit side by side; so many that the matrix is left out, or rows of the table. */
enum { FEW = 8, MOST_MATRIX = 40, MOST_ROWS = 200 };

static json_t *percent(double share) { return isnan(share) ? json_string("–") : gpri_json_format("%.1f", 100 * share); }

static void add_matrix(gpri_run_page *page, const int64_t *matrix, int64_t classes) {
    gpri_document *doc = &page->doc;
    json_t *figure = gpri_document_figure(
        doc, "confusion", "heat", "Confusion matrix",
        "Test nodes of the best run. Row: the class of the node; column: what was predicted. The diagonal is right; "
        "darker is a larger share of the row.");
    gpri_document_axis(doc, figure, "x", "predicted class");
    gpri_document_axis(doc, figure, "y", "true class");
    json_t *rows = gpri_document_list(doc, figure, "rows"), *columns = gpri_document_list(doc, figure, "columns");
    json_t *values = gpri_document_list(doc, figure, "values");
    for (int64_t i = 0; i < classes; i++) {
        gpri_document_add(doc, rows, gpri_class_label(page->data, i));
        gpri_document_add(doc, columns, gpri_class_label(page->data, i));
        gpri_document_add(doc, values, json_array());
        json_t *row = json_array_get(values, (size_t)i);
        for (int64_t j = 0; j < classes; j++)
            gpri_document_add(doc, row, json_integer((json_int_t)matrix[i * classes + j]));
    }
}

static void add_scores(gpri_run_page *page, const gpr_metrics *metrics) {
    gpri_document *doc = &page->doc;
    const int64_t classes = metrics->classes;
    const gpri_class_measures *scores = metrics->of_class;
    json_t *table = gpri_document_block(doc, "table");
    gpri_document_put(doc, table, "title", json_string("Precision and recall"));
    gpri_document_put(doc, table, "caption",
                      gpri_json_format("Precision: how many of the nodes predicted as this class have it. Recall: how "
                                       "many nodes of this class were found. F1: their harmonic mean; over all classes "
                                       "%.1f on average (macro F1).%s",
                                       100 * metrics->values[GPRI_MACRO_F1],
                                       classes > MOST_ROWS ? " Only the first 200 classes are shown." : ""));
    gpri_document_column(doc, table, "Class", "text");
    gpri_document_column(doc, table, "Test nodes", "number");
    gpri_document_column(doc, table, "Precision %", "number");
    gpri_document_column(doc, table, "Recall %", "number");
    gpri_document_column(doc, table, "F1 %", "number");
    json_t *rows = gpri_document_list(doc, table, "rows");
    for (int64_t c = 0; c < classes && c < MOST_ROWS; c++) {
        gpri_document_add(doc, rows, json_array());
        json_t *row = json_array_get(rows, (size_t)c);
        gpri_document_add(doc, row, gpri_class_label(page->data, c));
        gpri_document_add(doc, row, gpri_json_count(scores[c].nodes));
        gpri_document_add(doc, row, percent(scores[c].precision));
        gpri_document_add(doc, row, percent(scores[c].recall));
        gpri_document_add(doc, row, percent(scores[c].f1));
    }
}

static json_t *begin_bins(gpri_run_page *page, const char *id, const char *title, const char *caption,
                          const char *label) {
    gpri_document *doc = &page->doc;
    json_t *figure = gpri_document_figure(doc, id, "bars", title, caption);
    gpri_document_half(doc);
    gpri_document_axis(doc, figure, "x", label);
    gpri_document_axis(doc, figure, "y", "test accuracy in %");
    gpri_document_put(doc, json_object_get(figure, "y"), "max", json_integer(100));
    gpri_document_list(doc, json_object_get(figure, "x"), "categories");
    json_t *series = gpri_document_series(doc, figure, "accuracy", "line");
    gpri_document_list(doc, series, "lo"), gpri_document_list(doc, series, "hi");
    return figure;
}

/* label: the first line of its text. */
static void add_bin(gpri_run_page *page, json_t *figure, const gpri_bin *bin, const char *label) {
    gpri_document *doc = &page->doc;
    json_t *series = json_array_get(json_object_get(figure, "series"), 0);
    double low, high;
    if (bin->nodes == 0) return;
    gpri_share_interval(bin, &low, &high);
    gpri_document_add(doc, json_object_get(json_object_get(figure, "x"), "categories"),
                      gpri_json_format("%s\n%lld", label, (long long)bin->nodes));
    gpri_document_add(doc, json_object_get(series, "values"),
                      gpri_json_rounded(100 * (double)bin->right / (double)bin->nodes, 4));
    gpri_document_add(doc, json_object_get(series, "lo"), gpri_json_rounded(100 * low, 4));
    gpri_document_add(doc, json_object_get(series, "hi"), gpri_json_rounded(100 * high, 4));
}

static void add_degrees(gpri_run_page *page, const gpri_judged *judged) {
    gpri_bin bins[GPRI_DEGREE_BINS];
    json_t *figure = begin_bins(page, "accuracy-by-degree", "Accuracy by number of neighbours",
                                "Test nodes of the best run. The thin bars are 95 % intervals of each share (Wilson): "
                                "they are wide where there are few nodes.",
                                "neighbours of the node (below: number of nodes)");
    gpri_score_by_degree(bins, judged);
    for (int b = 0; b < GPRI_DEGREE_BINS; b++) {
        char label[64];
        const long long from = b ? 1LL << (b - 1) : 0, to = b ? (1LL << b) - 1 : 0;
        if (from == to) snprintf(label, sizeof label, "%lld", from);
        else snprintf(label, sizeof label, "%lld–%lld", from, to);
        add_bin(page, figure, &bins[b], label);
    }
}

static void add_homophily(gpri_run_page *page, const gpri_judged *judged) {
    static const char *const labels[GPRI_HOMOPHILY_BINS] = {"0–20 %",  "20–40 %",  "40–60 %",
                                                            "60–80 %", "80–100 %", "no neighbours"};
    gpri_bin bins[GPRI_HOMOPHILY_BINS];
    json_t *figure = begin_bins(page, "accuracy-by-homophily", "Accuracy by kind of neighbourhood",
                                "How many of a node's labelled neighbours have its own class. A network that only "
                                "averages over neighbours fails on the left.",
                                "neighbours of the same class (below: number of nodes)");
    gpri_score_by_homophily(bins, judged);
    for (int b = 0; b < GPRI_HOMOPHILY_BINS; b++) add_bin(page, figure, &bins[b], labels[b]);
}

gpr_status gpri_run_page_classes(gpri_run_page *page) {
    const gpr_metrics *metrics = page->best ? page->best->metrics[GPR_TEST] : NULL;
    const gpri_graph *graph = &page->data->graph;
    uint8_t *kinds = NULL;                                                  /* (nodes) */
    if (!metrics || metrics->nodes == 0 || !page->predicted) return GPR_OK; /* nothing to judge */
    if (!page->gathered) {
        gpr_status status = gpri_alloc(page->ctx, &kinds, graph->nodes, sizeof *kinds, "kinds of nodes");
        if (status != GPR_OK) return status;
        gpri_homophily_kinds(kinds, graph, page->data->target.labels, (gpri_range){0, graph->nodes});
    }
    const gpri_judged judged = {.graph = graph,
                                .kinds = kinds ? kinds : page->gathered->kinds,
                                .labels = page->data->target.labels,
                                .predicted = page->predicted,
                                .parts = page->best->split->part,
                                .part = GPR_TEST,
                                .classes = metrics->classes};
    gpri_document_section(&page->doc, "classes", "Which classes are found",
                          "Computed from the test nodes of the run whose model was kept.");
    gpri_document_short(&page->doc, "Classes");
    if (metrics->confusion && metrics->classes <= MOST_MATRIX) {
        add_matrix(page, metrics->confusion, metrics->classes);
        if (metrics->classes <= FEW) gpri_document_half(&page->doc);
    }
    add_scores(page, metrics);
    if (metrics->classes <= FEW) gpri_document_half(&page->doc);
    gpri_document_section(&page->doc, "nodes", "Which nodes are hard",
                          "Accuracy on test nodes of the best run, by their place in the graph.");
    gpri_document_short(&page->doc, "Hard nodes");
    add_degrees(page, &judged);
    add_homophily(page, &judged);
    gpri_free(page->ctx, kinds);
    return GPR_OK;
}
