/* report.html: which columns matter, where the training was asked for it. */
#include <math.h>

#include "report/run_page/run_page.h"

/* "1.23 ± 0.10", or without an interval. */
static json_t *number(int digits, double mean, double ci95) {
    if (isnan(ci95)) return gpri_json_format("%.*f", digits, mean);
    return gpri_json_format("%.*f ± %.*f", digits, mean, digits, ci95);
}

void gpri_run_page_importance(gpri_run_page *page) {
    const gpri_kept_importance *found = &page->result->importance;
    const gpr_importance_info *info = &found->info;
    gpri_document *doc = &page->doc;
    if (info->tried == 0) return;
    gpri_document_section(
        doc, "importance", "Which columns matter",
        "The values of a column are shuffled among all nodes, and the model predicts again: what it then loses is what "
        "the column was worth to it. A column that tells what another tells too loses little. 0 or less: the model "
        "does "
        "as well without.");
    gpri_document_short(doc, "Columns");
    json_t *table = gpri_document_block(doc, "table");
    gpri_document_put(
        doc, table, "caption",
        gpri_json_format("%lld test nodes, accuracy %.2f %%, log-loss %.4f; %lld of %lld columns, each shuffled %lld "
                         "time%s: means%s.%s",
                         (long long)info->nodes, info->accuracy, info->loss, (long long)info->tried,
                         (long long)info->columns, (long long)info->repeats, info->repeats == 1 ? "" : "s",
                         info->repeats == 1 ? "" : " and half of their 95 % confidence intervals",
                         page->result->refit_nodes > 0
                             ? " The model was trained once more on all labelled nodes, and knows these."
                             : ""));
    gpri_document_column(doc, table, "Column", "text");
    gpri_document_column(doc, table, "Accuracy lost", "number");
    gpri_document_column(doc, table, "Log-loss gained", "number");
    json_t *rows = gpri_document_list(doc, table, "rows");
    for (int64_t i = 0; i < info->tried; i++) {
        const gpr_important_column *column = &found->columns[i];
        gpri_document_add(doc, rows, json_array());
        json_t *row = json_array_get(rows, (size_t)i);
        gpri_document_add(doc, row,
                          column->name ? gpri_json_string(column->name)
                                       : gpri_json_format("%lld", (long long)column->feature));
        gpri_document_add(doc, row, number(2, column->accuracy_drop, column->accuracy_drop_ci95));
        gpri_document_add(doc, row, number(4, column->loss_rise, column->loss_rise_ci95));
    }
}
