/* report.html of a run folder: all results of a training as one page that explains itself. */
#include "report/run_page/run_page.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "base/print.h"

enum { MOST_RUNS = 1000 };

static bool share_split(const gpr_result *result) {
    for (int64_t r = 1; r < result->count; r++)
        if (gpri_split_hash(result->runs[r].split) != gpri_split_hash(result->runs[0].split)) return false;
    return true;
}

/* ---- the result ---- */

static json_t *percent(double value) { return isnan(value) ? json_string("–") : gpri_json_format("%.2f %%", value); }

/* What a value of the headline is worth, in a sentence. */
static json_t *explain_headline(const gpri_run_page *page, gpri_measure which) {
    const double largest = 100 * gpri_largest_class(page->result);
    const gpr_metrics *test = page->best->metrics[GPR_TEST];
    const char *name = test && test->positive >= 0 ? gpr_dataset_class_name(page->data, test->positive) : NULL;
    char number[32];
    if (page->number)
        return gpri_json_format(which == GPRI_R2
                                    ? "How much of the spread of the %lld test nodes the model tells: 1 is "
                                      "perfect, always telling the mean gives 0."
                                    : "The error on the %lld test nodes, in the unit of the target.",
                                (long long)(test ? test->nodes : 0));
    if (which == GPRI_ACCURACY)
        return gpri_json_format("The share of the %lld test nodes whose class is predicted right. Always guessing the "
                                "largest class would be right for %.2f %% of them.",
                                (long long)(test ? test->nodes : 0), largest);
    if (!test || test->positive < 0)
        return gpri_json_format("A mean over the classes: each counts the same, the rare ones too. The accuracy below "
                                "says less, as %.2f %% of the test nodes are of one class.",
                                largest);
    snprintf(number, sizeof number, "%lld", (long long)test->positive);
    return gpri_json_format(
        "How well the nodes of class %.200s are ranked before the others: 1 is perfect, guessing "
        "gives %.3f. The accuracy below says less, as %.2f %% of the test nodes are of one class.",
        name ? name : number,
        which == GPRI_ROC_AUC ? 0.5 : (double)test->of_class[test->positive].nodes / (double)test->nodes, largest);
}

static void add_headline(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    const gpr_result *result = page->result;
    const gpri_measure which = gpri_headline_measure(result);
    const gpri_mean found = gpri_measure_mean(result, GPR_TEST, which);
    const bool percent = gpri_measure_is(which, GPRI_OF_100);
    const double scale = percent ? 100 : 1;
    const char *name = gpri_measure_name(which);
    json_t *headline = gpri_document_block(doc, "headline");
    gpri_document_put(doc, headline, "label",
                      gpri_json_format("%c%s on test nodes", toupper((unsigned char)*name), name + 1));
    gpri_document_put(doc, headline, "value",
                      isnan(found.mean) ? json_string("–")
                      : gpri_measure_is(which, GPRI_IN_UNIT)
                          ? gpri_json_format("%.4g", found.mean)
                          : gpri_json_format("%.*f", percent ? 2 : 3, scale * found.mean));
    if (isnan(found.mean)) {
        gpri_document_put(doc, headline, "text", json_string("The split has no test nodes."));
        return;
    }
    if (percent) gpri_document_put(doc, headline, "unit", json_string("%"));
    if (result->count > 1)
        gpri_document_put(doc, headline, "plus_minus", gpri_json_format("%.*f", percent ? 2 : 3, scale * found.ci95));
    gpri_document_put(doc, headline, "text", explain_headline(page, which));
    gpri_document_put(doc, headline, "note",
                      result->count > 1
                          ? gpri_json_format("Mean of %lld runs and its 95 %% confidence interval; standard deviation "
                                             "%.*f.",
                                             (long long)result->count, percent ? 2 : 3, scale * found.sd)
                          : json_string("One run. How much luck is in it is not known: ten runs or more give a "
                                        "confidence interval."));
}

static bool is_smoothed(const gpri_run_page *page) {
    const gpri_smoothing_outcome *found = &page->best->smoothing;
    return found->asked && gpri_smooths(&found->how);
}

static void add_accuracies(gpri_run_page *page, json_t *facts, const char *mean) {
    gpri_document *doc = &page->doc;
    const gpr_result *result = page->result;
    char largest[64];
    if (gpri_headline_measure(result) != GPRI_ACCURACY) {
        gpri_print(largest, sizeof largest, "largest class: %.2f %%", 100 * gpri_largest_class(result));
        gpri_document_fact(doc, facts, "Test accuracy", percent(gpri_result_mean(result, GPRI_FIELD_TEST).mean),
                           largest);
    }
    gpri_document_fact(doc, facts, "Validation accuracy", percent(gpri_result_mean(result, GPRI_FIELD_VAL).mean), mean);
    gpri_document_fact(doc, facts, "Training accuracy", percent(gpri_result_mean(result, GPRI_FIELD_TRAIN).mean),
                       is_smoothed(page) ? "before smoothing" : mean);
    gpri_document_fact(doc, facts, "Before training", percent(gpri_result_mean(result, GPRI_FIELD_INITIAL).mean),
                       "test accuracy of the initial weights");
}

/* Of numbers, in place of accuracies. */
static void add_errors(gpri_run_page *page, json_t *facts) {
    static const struct {
        gpr_part part;
        gpri_measure which;
        const char *label, *note;
    } shown[] = {{GPR_TEST, GPRI_R2, "Test R2", "1 is perfect, 0 is the mean"},
                 {GPR_TEST, GPRI_RMSE, "Test RMSE", "in the unit of the target"},
                 {GPR_TEST, GPRI_MAE, "Test MAE", "in the unit of the target"},
                 {GPR_TEST, GPRI_MEDIAN_ERROR, "Median error", "half of the test nodes are nearer"},
                 {GPR_VAL, GPRI_R2, "Validation R2", NULL},
                 {GPR_TRAIN, GPRI_R2, "Training R2", NULL}};
    char value[GPRI_VALUE_SIZE];
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        gpri_measure_print(value, shown[i].which, gpri_measure_mean(page->result, shown[i].part, shown[i].which).mean);
        gpri_document_fact(&page->doc, facts, shown[i].label, json_string(value), shown[i].note);
    }
}

static void add_facts(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    const gpr_result *result = page->result;
    const bool several = result->count > 1;
    const char *mean = several ? "mean of the runs" : NULL;
    const bool by_loss = gpri_is_loss(gpri_params_metric(result->params));
    json_t *facts = gpri_document_block(doc, "facts");
    if (page->number) add_errors(page, facts);
    else add_accuracies(page, facts, mean);
    gpri_document_fact(
        doc, facts, "Best epoch",
        gpri_json_format(several ? "%.1f" : "%.0f", gpri_result_mean(result, GPRI_FIELD_BEST_EPOCH).mean),
        page->blind ? "the last one: there are no validation nodes"
        : by_loss   ? "lowest validation loss"
                    : "by the validation nodes");
    gpri_document_fact(doc, facts, "Epochs trained",
                       gpri_json_format(several ? "%.1f" : "%.0f", gpri_result_mean(result, GPRI_FIELD_EPOCHS).mean),
                       mean);
}

/* What was done beside the plain training. */
static void add_notes(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    char text[600];
    const char *about;
    json_t *table = NULL, *rows = NULL;
    for (int64_t i = 0; (about = gpr_result_note(page->result, i, text, sizeof text)); i++) {
        if (!table) {
            table = gpri_document_block(doc, "table");
            gpri_document_put(doc, table, "title", json_string("How the model was made"));
            gpri_document_column(doc, table, "Step", "word");
            gpri_document_column(doc, table, "What was done", "long");
            rows = gpri_document_list(doc, table, "rows");
        }
        gpri_document_add(doc, rows, json_array());
        json_t *row = json_array_get(rows, (size_t)i);
        gpri_document_add(doc, row, gpri_json_format("%c%s", toupper((unsigned char)*about), about + 1));
        gpri_document_add(doc, row, gpri_json_string(text));
    }
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

static double r2_of(const gpri_run *run, gpr_part part) {
    return run->metrics[part] ? run->metrics[part]->values[GPRI_R2] : NAN;
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
    gpri_document_column(doc, table, page->number ? "Test R2" : "Test %", "number");
    gpri_document_column(doc, table, page->number ? "Validation R2" : "Validation %", "number");
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
        add_number(doc, row, page->number ? 3 : 2,
                   page->number ? r2_of(&result->runs[r], GPR_TEST) : info->test_accuracy);
        add_number(doc, row, page->number ? 3 : 2,
                   page->number ? r2_of(&result->runs[r], GPR_VAL) : info->val_accuracy);
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
    add_notes(page);
}

gpr_status gpri_run_page_save(gpr_ctx *ctx, const char *path, const gpr_result *result, const gpr_dataset *data,
                              const int32_t *predicted, const float *numbers, const gpri_gathered *gathered) {
    gpr_status status = GPR_OK;
    gpri_run_page page = {.ctx = ctx,
                          .result = result,
                          .best = result->count > 0 ? &result->runs[result->best] : NULL,
                          .data = data,
                          .predicted = predicted,
                          .numbers = numbers,
                          .number = gpri_params_tell_number(result->params),
                          .gathered = gathered,
                          .one_split = share_split(result)};
    page.blind = page.best && isnan(page.best->info.val_loss); /* with a number, a run would be better */
    begin(&page);
    if (page.best) gpri_run_page_measures(&page);
    gpri_run_page_importance(&page);
    TRY(page.number ? gpri_run_page_numbers(&page) : gpri_run_page_classes(&page));
    TRY(gpri_run_page_filter(&page));
    gpri_run_page_learning(&page);
    add_runs(&page);
    TRY(gpri_run_page_data(&page));
    gpri_run_page_settings(&page);
    if (!page.doc.good || !page.doc.tree) THROW(GPR_ERROR_MEMORY, "out of memory: JSON");
    TRY(gpri_page_write(ctx, path, "run", page.doc.tree));
done:
    json_decref(page.doc.tree);
    return status;
}
