/* report.html of numbers: what was told against what is true, and which nodes are hard. */
#include <math.h>
#include <stdlib.h>

#include "report/by_kind.h"
#include "report/run_page/run_page.h"

enum { GROUPS = 20, SHOWN = 20 };

/* A test node: what is true, and what was told. */
typedef struct judged_node {
    int64_t node;
    double truth, told;
} judged_node;

static int by_truth(const void *a, const void *b) {
    const judged_node *left = a, *right = b;
    if (left->truth != right->truth) return left->truth < right->truth ? -1 : 1;
    return left->node < right->node ? -1 : left->node > right->node;
}

static double error_of(const judged_node *at) { return fabs(at->told - at->truth); }

static int by_error(const void *a, const void *b) {
    const judged_node *left = a, *right = b;
    if (error_of(left) != error_of(right)) return error_of(left) > error_of(right) ? -1 : 1;
    return left->node < right->node ? -1 : left->node > right->node;
}

static void add_point(gpri_document *doc, json_t *series, double x, double y) {
    gpri_document_add(doc, json_object_get(series, "x"), gpri_json_rounded(x, 5));
    gpri_document_add(doc, json_object_get(series, "values"), gpri_json_rounded(y, 5));
}

/* Groups of test nodes of equal size, by what is true. nodes: (count) in that order. */
static void add_truth(gpri_run_page *page, const judged_node *nodes, int64_t count) {
    gpri_document *doc = &page->doc;
    json_t *figure =
        gpri_document_figure(doc, "predicted-true", "lines", "Predicted and true numbers",
                             "Test nodes in groups of equal size by their true number: the mean of the true "
                             "numbers, and of the predicted ones. Where the lines are apart, the model is "
                             "wrong in one direction.");
    gpri_document_half(doc);
    gpri_document_axis(doc, figure, "x", "true number");
    gpri_document_axis(doc, figure, "y", "predicted number");
    json_t *told = gpri_document_series(doc, figure, "predicted", "line"),
           *truth = gpri_document_series(doc, figure, "as true", "line");
    gpri_document_list(doc, told, "x"), gpri_document_list(doc, truth, "x");
    const int64_t groups = count < GROUPS ? count : GROUPS;
    for (int64_t g = 0; g < groups; g++) {
        const int64_t first = g * count / groups, end = (g + 1) * count / groups;
        double x = 0, y = 0;
        for (int64_t k = first; k < end; k++) x += nodes[k].truth, y += nodes[k].told;
        x /= (double)(end - first), y /= (double)(end - first);
        add_point(doc, told, x, y);
        add_point(doc, truth, x, x);
    }
}

static void add_degrees(gpri_run_page *page, const judged_node *nodes, int64_t count) {
    gpri_document *doc = &page->doc;
    const gpri_graph *graph = &page->data->graph;
    double sum[GPRI_DEGREE_BINS] = {0}, squares[GPRI_DEGREE_BINS] = {0}, in[GPRI_DEGREE_BINS] = {0};
    for (int64_t k = 0; k < count; k++) {
        int bin = 0;
        for (int64_t d = graph->rowptr[nodes[k].node + 1] - graph->rowptr[nodes[k].node]; d > 0; d /= 2) bin++;
        if (bin >= GPRI_DEGREE_BINS) bin = GPRI_DEGREE_BINS - 1;
        in[bin]++;
        sum[bin] += error_of(&nodes[k]);
        squares[bin] += error_of(&nodes[k]) * error_of(&nodes[k]);
    }
    json_t *figure = gpri_document_figure(doc, "error-by-degree", "bars", "Error by number of neighbours",
                                          "Mean absolute error of test nodes of the best run. The thin bars are 95 % "
                                          "intervals: they are wide where there are few nodes.");
    gpri_document_half(doc);
    gpri_document_axis(doc, figure, "x", "neighbours of the node (below: number of nodes)");
    gpri_document_axis(doc, figure, "y", "mean absolute error");
    json_t *names = gpri_document_list(doc, json_object_get(figure, "x"), "categories");
    json_t *series = gpri_document_series(doc, figure, "error", "line");
    json_t *low = gpri_document_list(doc, series, "lo"), *high = gpri_document_list(doc, series, "hi");
    for (int b = 0; b < GPRI_DEGREE_BINS; b++) {
        if (in[b] == 0) continue;
        const long long from = b ? 1LL << (b - 1) : 0, to = b ? (1LL << b) - 1 : 0;
        const double mean = sum[b] / in[b], spread = fmax(squares[b] / in[b] - mean * mean, 0),
                     half = 1.96 * sqrt(spread / in[b]);
        gpri_document_add(doc, names,
                          from == to ? gpri_json_format("%lld\n%.0f", from, in[b])
                                     : gpri_json_format("%lld–%lld\n%.0f", from, to, in[b]));
        gpri_document_add(doc, json_object_get(series, "values"), gpri_json_rounded(mean, 4));
        gpri_document_add(doc, low, gpri_json_rounded(fmax(mean - half, 0), 4));
        gpri_document_add(doc, high, gpri_json_rounded(mean + half, 4));
    }
}

/* nodes: (count) the largest errors first. */
static void add_worst(gpri_run_page *page, const judged_node *nodes, int64_t count) {
    gpri_document *doc = &page->doc;
    json_t *table = gpri_document_block(doc, "table");
    gpri_document_put(doc, table, "title", json_string("The largest errors"));
    gpri_document_put(doc, table, "caption", json_string("Test nodes of the best run."));
    gpri_document_column(doc, table, "Node", "text");
    gpri_document_column(doc, table, "True", "number");
    gpri_document_column(doc, table, "Predicted", "number");
    gpri_document_column(doc, table, "Error", "number");
    gpri_document_column(doc, table, "Neighbours", "number");
    json_t *rows = gpri_document_list(doc, table, "rows");
    for (int64_t k = 0; k < count && k < SHOWN; k++) {
        const char *name = gpr_dataset_node_id(page->data, nodes[k].node);
        const int64_t *rowptr = page->data->graph.rowptr;
        gpri_document_add(doc, rows, json_array());
        json_t *row = json_array_get(rows, (size_t)k);
        gpri_document_add(doc, row, name ? gpri_json_string(name) : gpri_json_format("%lld", (long long)nodes[k].node));
        gpri_document_add(doc, row, gpri_json_format("%.6g", nodes[k].truth));
        gpri_document_add(doc, row, gpri_json_format("%.6g", nodes[k].told));
        gpri_document_add(doc, row, gpri_json_format("%.4g", nodes[k].told - nodes[k].truth));
        gpri_document_add(doc, row, gpri_json_count(rowptr[nodes[k].node + 1] - rowptr[nodes[k].node]));
    }
}

gpr_status gpri_run_page_numbers(gpri_run_page *page) {
    const gpr_metrics *test = page->best ? page->best->metrics[GPR_TEST] : NULL;
    const float *truth = page->data->target.numbers;
    judged_node *nodes = NULL; /* (count) */
    int64_t count = 0;
    if (!test || test->nodes == 0 || !page->numbers || !truth) return GPR_OK; /* nothing to judge */
    NEED(gpri_alloc(page->ctx, &nodes, test->nodes, sizeof *nodes, "errors"));
    for (int64_t i = 0; i < page->data->graph.nodes && count < test->nodes; i++)
        if (page->best->split->part[i] == GPR_TEST && gpri_target_known(&page->data->target, i))
            nodes[count++] = (judged_node){i, (double)truth[i], (double)page->numbers[i]};
    qsort(nodes, (size_t)count, sizeof *nodes, by_truth);
    gpri_document_section(&page->doc, "numbers", "How near the numbers are",
                          "Computed from the test nodes of the run whose model was kept.");
    gpri_document_short(&page->doc, "Numbers");
    add_truth(page, nodes, count);
    add_degrees(page, nodes, count);
    qsort(nodes, (size_t)count, sizeof *nodes, by_error);
    add_worst(page, nodes, count);
    gpri_free(page->ctx, nodes);
    return GPR_OK;
}
