/* report.html: the learning curves. */
#include "report/run_page/run_page.h"

enum { MOST_POINTS = 200, FEW_POINTS = 60, MOST_RUNS = 100 };

/* One curve of a run, thinned out evenly; the first and the last epoch stay. */
static void add_curve(gpri_document *doc, json_t *figure, const gpri_run *run, int curve, const char *name, int most) {
    const int64_t count = run->info.epochs + 1;
    const double *values = run->curves + curve * count;
    const int64_t points = count < most ? count : most;
    json_t *series = gpri_document_series(doc, figure, name, *name ? "line" : "faint");
    json_t *x = gpri_document_list(doc, series, "x"), *y = json_object_get(series, "values");
    for (int64_t i = 0; i < points; i++) {
        const int64_t epoch = points > 1 ? i * (count - 1) / (points - 1) : 0;
        gpri_document_add(doc, x, json_integer((json_int_t)epoch));
        gpri_document_add(doc, y, gpri_json_rounded(values[epoch], 4));
    }
}

static bool is_known(const gpri_run *run, int curve) {
    const double first = run->curves[curve * (run->info.epochs + 1)];
    return first == first;
}

/* The curves of the best run by name, and one curve of all others. Curves are in the order of gpr_result_history. */
static void add_figure(gpri_run_page *page, const char *id, const char *title, const char *caption, const char *label,
                       int first, int others) {
    static const char *const parts[] = {"training", "validation", "test"};
    gpri_document *doc = &page->doc;
    const gpr_result *result = page->result;
    json_t *figure = gpri_document_figure(doc, id, "lines", title, caption);
    gpri_document_half(doc);
    gpri_document_axis(doc, figure, "x", "epoch");
    gpri_document_axis(doc, figure, "y", label);
    for (int i = 0; i < 3; i++)
        if (is_known(page->best, first + i)) add_curve(doc, figure, page->best, first + i, parts[i], MOST_POINTS);
    for (int64_t r = 0, drawn = 0; r < result->count && drawn < MOST_RUNS; r++) {
        if (r == result->best || !result->runs[r].curves || !is_known(&result->runs[r], others)) continue;
        add_curve(doc, figure, &result->runs[r], others, "", FEW_POINTS);
        drawn++;
    }
    json_t *mark = gpri_document_object(doc, gpri_document_list(doc, figure, "marks"));
    gpri_document_put(doc, mark, "x", json_integer((json_int_t)page->best->info.best_epoch));
    gpri_document_put(doc, mark, "label", gpri_json_format("best epoch: %lld", (long long)page->best->info.best_epoch));
}

void gpri_run_page_learning(gpri_run_page *page) {
    const bool several = page->result->count > 1;
    if (!page->best || !page->best->curves) return;
    gpri_document_section(
        &page->doc, "learning", "Learning curves",
        page->blind
            ? "After every epoch the network is evaluated on all nodes, without dropout. There are no validation "
              "nodes: the weights of the last epoch are kept."
            : "After every epoch the network is evaluated on all nodes, without dropout. The weights of the epoch "
              "with the lowest validation loss are kept.");
    add_figure(page, "loss", "Loss per epoch",
               page->blind ? "The run whose model was kept. Lower is better."
               : several   ? "The run whose model was kept. Thin grey lines: the validation loss of the other runs."
                         : "Lower is better. Where the training loss falls and the validation loss rises, the network "
                           "learns its training nodes by heart.",
               page->number ? "loss, in standard deviations of the target" : "loss (cross entropy)", 0, 1);
    if (page->number) return; /* there is no accuracy */
    add_figure(page, "accuracy", "Accuracy per epoch",
               several ? "The run whose model was kept. Thin grey lines: the test accuracy of the other runs."
                       : "Test nodes take no part in the training, nor in the choice of the best epoch.",
               "accuracy in %", 3, 5);
}
