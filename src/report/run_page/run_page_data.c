/* report.html: the data, with its warnings, and the split. */
#include <math.h>

#include "report/run_page/run_page.h"

enum { MOST_ROWS = 200 };

json_t *gpri_class_label(const gpr_dataset *data, int64_t class_id) {
    const char *name = gpr_dataset_class_name(data, class_id);
    return name ? gpri_json_string(name) : gpri_json_format("%lld", (long long)class_id);
}

static json_t *measure(double value) { return isnan(value) ? json_string("–") : gpri_json_format("%.3f", value); }

static void add_target(gpri_run_page *page, json_t *facts, const gpr_dataset_info *info) {
    gpri_document *doc = &page->doc;
    gpri_document_fact(doc, facts, "Mean of the target", gpri_json_format("%.4g", info->target_mean), NULL);
    gpri_document_fact(doc, facts, "Standard deviation", gpri_json_format("%.4g", info->target_sd),
                       "of the target, over all labelled nodes");
    gpri_document_fact(doc, facts, "Range", gpri_json_format("%.4g to %.4g", info->target_min, info->target_max),
                       "of the target");
    gpri_document_fact(doc, facts, "Neighbours’ correlation", measure(info->target_assortativity),
                       "of the numbers at both ends of an edge: 1 is alike, 0 is chance");
}

static void add_sizes(gpri_run_page *page, const gpr_dataset_info *info) {
    gpri_document *doc = &page->doc;
    json_t *facts = gpri_document_block(doc, "facts");
    gpri_document_fact(doc, facts, "Nodes", gpri_json_count(info->nodes),
                       info->labelled < info->nodes ? "some have no label" : NULL);
    gpri_document_fact(doc, facts, "Edges", gpri_json_count(info->edges),
                       info->weighted ? "undirected, with weights" : "undirected");
    gpri_document_fact(doc, facts, "Features", gpri_json_count(info->features),
                       info->sparse_features ? "stored sparsely" : NULL);
    if (page->number) add_target(page, facts, info);
    else gpri_document_fact(doc, facts, "Classes", gpri_json_count(info->classes), NULL);
    gpri_document_fact(doc, facts, "Mean degree", gpri_json_format("%.2f", info->mean_degree), "neighbours per node");
    gpri_document_fact(doc, facts, "Components", gpri_json_count(info->components), "connected parts of the graph");
    gpri_document_fact(doc, facts, "Isolated nodes", gpri_json_count(info->isolated), "without any neighbour");
}

static void add_measures(gpri_run_page *page, const gpr_dataset_info *info) {
    gpri_document *doc = &page->doc;
    json_t *facts = gpri_document_block(doc, "facts");
    gpri_document_put(doc, facts, "title", json_string("Do neighbours share a class?"));
    gpri_document_fact(doc, facts, "Node homophily", measure(info->node_homophily),
                       "mean share of neighbours of the same class");
    gpri_document_fact(doc, facts, "Edge homophily", measure(info->edge_homophily), "share of edges within a class");
    gpri_document_fact(doc, facts, "Adjusted homophily", measure(info->adjusted_homophily),
                       "corrected for chance: 0 is chance, 1 the most");
    gpri_document_fact(doc, facts, "Class homophily", measure(info->class_homophily),
                       "above chance, mean over classes: 0 to 1");
    gpri_document_fact(doc, facts, "Label informativeness", measure(info->label_informativeness),
                       "what a neighbour's class tells about a node's: 0 to 1");
}

/* ---- warnings ---- */

static void keep_warning(void *user, gpr_log_level level, const char *line) {
    gpri_run_page *page = user;
    if (level != GPR_LOG_WARNING) return;
    json_t *last = json_array_get(page->doc.blocks, json_array_size(page->doc.blocks) - 1);
    json_t *item = gpri_document_object(&page->doc, json_object_get(last, "items"));
    gpri_document_put(&page->doc, item, "level", json_string("warning"));
    gpri_document_put(&page->doc, item, "text", gpri_json_string(line));
}

/* What the user has seen before the training. */
static gpr_status add_warnings(gpri_run_page *page) {
    const gpri_listener listener = {.log = keep_warning, .user = page};
    json_t *notes = gpri_document_block(&page->doc, "notes");
    gpri_document_list(&page->doc, notes, "items");
    return gpri_dataset_warn(page->ctx, &listener, page->data);
}

/* ---- the split ---- */

static void add_split(gpri_run_page *page) {
    static const gpr_part parts[] = {GPR_TRAIN, GPR_VAL, GPR_TEST, GPR_UNUSED};
    static const char *const names[] = {"Training", "Validation", "Test", "Unused"};
    gpri_document *doc = &page->doc;
    const gpr_split *split = page->best->split;
    json_t *table = gpri_document_block(doc, "table");
    gpri_document_put(doc, table, "title",
                      gpri_json_format("Nodes of each %s (split: %.200s)", page->number ? "part" : "class",
                                       gpri_params_text(page->result->params, GPRI_PARAM_SPLIT)));
    gpri_document_put(doc, table, "caption",
                      gpri_json_format("%s%s",
                                       page->result->count == 1 ? "The split of this run."
                                       : page->one_split
                                           ? "The split of all runs."
                                           : "The runs differ in their splits; this is that of the run whose model was "
                                             "kept.",
                                       split->classes > MOST_ROWS ? " Only the first 200 classes are shown." : ""));
    gpri_document_column(doc, table, page->number ? "Nodes" : "Class", "text");
    for (int p = 0; p < 4; p++) gpri_document_column(doc, table, names[p], "number");
    json_t *rows = gpri_document_list(doc, table, "rows");
    int64_t sums[4] = {0};
    for (int64_t c = 0; c < split->classes; c++) {
        json_t *row = NULL;
        if (c < MOST_ROWS) {
            gpri_document_add(doc, rows, json_array());
            row = json_array_get(rows, (size_t)c);
            gpri_document_add(doc, row, page->number ? json_string("labelled") : gpri_class_label(page->data, c));
        }
        for (int p = 0; p < 4; p++) {
            const int64_t count = gpr_split_count(split, parts[p], c);
            sums[p] += count;
            if (row) gpri_document_add(doc, row, gpri_json_count(count));
        }
    }
    json_t *list = gpri_document_list(doc, table, "total");
    gpri_document_add(doc, list, json_string("All"));
    for (int p = 0; p < 4; p++) gpri_document_add(doc, list, gpri_json_count(sums[p]));
}

gpr_status gpri_run_page_data(gpri_run_page *page) {
    gpr_dataset_info info = {.struct_size = sizeof info};
    if (page->gathered) info = page->gathered->info;
    else NEED(gpr_dataset_describe(page->ctx, page->data, &info));
    gpri_document_section(&page->doc, "data", "The data",
                          page->number ? "A graph whose nodes have features and a number."
                                       : "A graph whose nodes have features and a class.");
    add_sizes(page, &info);
    if (!page->number) add_measures(page, &info);
    json_t *code = gpri_document_block(&page->doc, "code");
    gpri_document_put(&page->doc, code, "title", json_string("Fingerprint"));
    gpri_document_put(&page->doc, code, "text", gpri_json_string(info.fingerprint));
    gpri_document_put(&page->doc, code, "caption",
                      json_string("Of graph, features and labels. The same data gives the same fingerprint in every "
                                  "file format: compare it with 'gprgnn info'."));
    NEED(add_warnings(page));
    if (page->best) add_split(page);
    return GPR_OK;
}
