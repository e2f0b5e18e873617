/* report.html of a run folder: all results of a training as one page that explains itself. */
#include "report/run_page/run_page.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

enum { MOST_RUNS = 1000 };

static bool share_split(const gpr_result *result) {
    for (int64_t r = 1; r < result->count; r++)
        if (gpri_split_hash(result->runs[r].split) != gpri_split_hash(result->runs[0].split)) return false;
    return true;
}

/* ---- the result ---- */

static json_t *percent(double value) {
    return isnan(value) ? json_string("unknown") : gpri_json_format("%.2f %%", value);
}

/* The share of test nodes in their largest class, in percent; NaN without test nodes. */
static double largest_class(const gpr_split *split) {
    int64_t most = 0, all = 0;
    for (int64_t c = 0; c < split->classes; c++) {
        const int64_t count = gpr_split_count(split, GPR_TEST, c);
        all += count;
        if (count > most) most = count;
    }
    return all ? 100 * (double)most / (double)all : NAN;
}

static void add_headline(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    const gpr_result *result = page->result;
    const gpri_mean test = gpri_result_mean(result, GPRI_FIELD_TEST);
    const double guess = largest_class(page->best->split);
    json_t *headline = gpri_document_block(doc, "headline");
    gpri_document_put(doc, headline, "label", json_string("Test accuracy"));
    gpri_document_put(doc, headline, "value",
                      isnan(test.mean) ? json_string("unknown") : gpri_json_format("%.2f", test.mean));
    if (isnan(test.mean)) {
        gpri_document_put(doc, headline, "text", json_string("The split has no test nodes."));
        return;
    }
    gpri_document_put(doc, headline, "unit", json_string("%"));
    if (result->count > 1) gpri_document_put(doc, headline, "plus_minus", gpri_json_format("%.2f", test.ci95));
    if (result->count > 1)
        gpri_document_put(doc, headline, "text",
                          gpri_json_format("Mean of %lld runs and its 95 %% confidence interval; standard deviation "
                                           "%.2f. Always guessing the largest class would be right for %.1f %% of the "
                                           "test nodes.",
                                           (long long)result->count, test.sd, guess));
    else
        gpri_document_put(doc, headline, "text",
                          gpri_json_format("One run. How much luck is in it is not known: ten runs or more give a "
                                           "confidence interval. Always guessing the largest class would be right for "
                                           "%.1f %% of the test nodes.",
                                           guess));
}

static void add_facts(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    const gpr_result *result = page->result;
    const bool several = result->count > 1;
    json_t *facts = gpri_document_block(doc, "facts");
    gpri_document_fact(doc, facts, "Validation accuracy", percent(gpri_result_mean(result, GPRI_FIELD_VAL).mean),
                       several ? "mean of the runs" : NULL);
    gpri_document_fact(doc, facts, "Training accuracy", percent(gpri_result_mean(result, GPRI_FIELD_TRAIN).mean),
                       several ? "mean of the runs" : NULL);
    gpri_document_fact(doc, facts, "Before training", percent(gpri_result_mean(result, GPRI_FIELD_INITIAL).mean),
                       "test accuracy of random weights");
    gpri_document_fact(
        doc, facts, "Best epoch",
        gpri_json_format(several ? "%.1f" : "%.0f", gpri_result_mean(result, GPRI_FIELD_BEST_EPOCH).mean),
        page->blind ? "the last one: there are no validation nodes" : "lowest validation loss");
    gpri_document_fact(doc, facts, "Epochs trained",
                       gpri_json_format(several ? "%.1f" : "%.0f", gpri_result_mean(result, GPRI_FIELD_EPOCHS).mean),
                       several ? "mean of the runs" : NULL);
}

static void add_note(gpri_run_page *page, json_t *items, const char *level, json_t *text) {
    json_t *item = gpri_document_object(&page->doc, items);
    gpri_document_put(&page->doc, item, "level", json_string(level));
    gpri_document_put(&page->doc, item, "text", text);
}

static void add_troubles(gpri_run_page *page) {
    const gpr_result *result = page->result;
    json_t *notes = gpri_document_block(&page->doc, "notes");
    json_t *items = gpri_document_list(&page->doc, notes, "items");
    const char *caution;
    for (int64_t i = 0; (caution = gpr_result_caution(result, i)) != NULL; i++)
        add_note(page, items, "warning", gpri_json_format("%c%.800s.", toupper((unsigned char)*caution), caution + 1));
    if (result->stopped)
        add_note(page, items, "warning",
                 json_string("The training was stopped before its end: these are its results so far. It can be "
                             "resumed."));
    for (int64_t i = 0; i < result->failed && i < 20; i++)
        add_note(page, items, "warning",
                 gpri_json_format("Run %lld (seed %llu) failed: %.800s", (long long)result->failures[i].run,
                                  (unsigned long long)result->failures[i].seed, result->failures[i].message));
    if (result->failed > 20)
        add_note(page, items, "warning", gpri_json_format("%lld more runs failed.", (long long)result->failed - 20));
}

/* ---- the runs ---- */

/* A cell; NaN, such as the accuracy of no nodes, is a dash. */
static void add_number(gpri_document *doc, json_t *row, int digits, double value) {
    gpri_document_add(doc, row, isnan(value) ? json_string("–") : gpri_json_format("%.*f", digits, value));
}

static void add_runs(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    const gpr_result *result = page->result;
    if (result->count < 2) return;
    char text[256];
    snprintf(text, sizeof text, "%s Star: the run whose model was kept; %s.",
             page->one_split ? "All runs have the same split, and each has its own initial weights."
                             : "The runs differ in their splits and their initial weights.",
             page->blind ? "without validation nodes it is the first one" : "it has the lowest validation loss");
    gpri_document_section(doc, "runs", "The runs", text);
    json_t *table = gpri_document_block(doc, "table");
    gpri_document_put(doc, table, "sortable", json_true());
    if (result->count > MOST_RUNS)
        gpri_document_put(doc, table, "caption", json_string("Only the first 1000 are shown; result.json has all."));
    gpri_document_column(doc, table, "Run", "number");
    gpri_document_column(doc, table, "Seed", "number");
    gpri_document_column(doc, table, "Test %", "number");
    gpri_document_column(doc, table, "Validation %", "number");
    gpri_document_column(doc, table, "Validation loss", "number");
    gpri_document_column(doc, table, "Best epoch", "number");
    gpri_document_column(doc, table, "Epochs", "number");
    json_t *rows = gpri_document_list(doc, table, "rows");
    for (int64_t r = 0; r < result->count && r < MOST_RUNS; r++) {
        const gpr_run_info *info = &result->runs[r].info;
        gpri_document_add(doc, rows, json_array());
        json_t *row = json_array_get(rows, (size_t)r);
        gpri_document_add(doc, row,
                          gpri_json_format("%s%lld", r == result->best ? "★ " : "", (long long)result->runs[r].number));
        gpri_document_add(doc, row, gpri_json_format("%llu", (unsigned long long)info->seed));
        add_number(doc, row, 2, info->test_accuracy);
        add_number(doc, row, 2, info->val_accuracy);
        add_number(doc, row, 4, info->val_loss);
        gpri_document_add(doc, row, gpri_json_format("%lld", (long long)info->best_epoch));
        gpri_document_add(doc, row, gpri_json_format("%lld", (long long)info->epochs));
    }
}

/* ---- the whole ---- */

static void begin(gpri_run_page *page) {
    const gpr_result *result = page->result;
    char title[512], subtitle[512];
    const char *name = *result->dataset ? result->dataset : "unnamed data";
    snprintf(title, sizeof title, "%s on %s", gpri_params_text(result->params, GPRI_PARAM_MODEL), name);
    snprintf(subtitle, sizeof subtitle, "Results of a training: %lld %s, split %s, seed %lld", (long long)result->count,
             result->count == 1 ? "run" : "runs", gpri_params_text(result->params, GPRI_PARAM_SPLIT),
             (long long)gpri_params_int(result->params, GPRI_PARAM_SEED));
    gpri_document_begin(&page->doc, title, subtitle);
    gpri_document_section(&page->doc, "result", "Result", "");
    if (page->best) add_headline(page);
    add_troubles(page);
    if (page->best) add_facts(page);
}

gpr_status gpri_run_page_save(gpr_ctx *ctx, const char *path, const gpr_result *result, const gpr_dataset *data,
                              const int32_t *predicted, const gpri_about *about) {
    gpr_status status = GPR_OK;
    gpri_run_page page = {.ctx = ctx,
                          .result = result,
                          .best = result->count > 0 ? &result->runs[result->best] : NULL,
                          .data = data,
                          .predicted = predicted,
                          .about = about,
                          .one_split = share_split(result)};
    page.blind = page.best && isnan(page.best->info.val_loss); /* with a number, a run would be better */
    begin(&page);
    if (page.best) gpri_run_page_measures(&page);
    gpri_run_page_learning(&page);
    TRY(gpri_run_page_filter(&page));
    TRY(gpri_run_page_classes(&page));
    add_runs(&page);
    TRY(gpri_run_page_data(&page));
    gpri_run_page_settings(&page);
    if (!page.doc.good || !page.doc.tree) THROW(GPR_ERROR_MEMORY, "out of memory: JSON");
    TRY(gpri_page_write(ctx, path, "run", page.doc.tree));
done:
    json_decref(page.doc.tree);
    return status;
}
