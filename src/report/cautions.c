/* What a reader of the results must know: a model that predicts one class only, is no better than a simple method, or
 * is good by the labels of neighbours alone. */
#include "baseline/baselines.h"
#include "report/report.h"

static gpr_status keep(gpr_result *result, gpri_text *line) {
    int64_t room = result->caution_count;
    gpr_status status = gpri_text_status(line);
    if (status == GPR_OK)
        status = gpri_grow(result->ctx, &result->cautions, &room, result->caution_count + 1, sizeof *result->cautions,
                           "cautions");
    if (status != GPR_OK) return status;
    result->cautions[result->caution_count++] = line->bytes;
    *line = (gpri_text){.ctx = result->ctx};
    return GPR_OK;
}

static gpr_status caution_one_class(gpr_result *result, const gpr_metrics *test) {
    gpri_text line = {.ctx = result->ctx};
    int64_t only = 0;
    if (test->predicted_classes != 1 || test->true_classes < 2) return GPR_OK;
    while (test->of_class[only].predicted == 0) only++;
    gpri_text_add(&line, "the model predicts one class only on the test nodes, ");
    if (result->class_names.count) gpri_text_add(&line, "'%s'", gpri_name(&result->class_names, only));
    else gpri_text_add(&line, "class %lld", (long long)only);
    gpri_text_add(&line, "; they have %lld", (long long)test->true_classes);
    gpr_status status = keep(result, &line);
    gpri_text_free(&line);
    return status;
}

static gpr_status caution_baselines(gpr_result *result) {
    static const char *const names[GPRI_BASELINES] = {[GPRI_MAJORITY] = "the majority class",
                                                      [GPRI_FEATURES_ONLY] = "the features without the graph",
                                                      [GPRI_NEIGHBOURS] = "the vote of the neighbours"};
    const gpri_measure which = gpri_headline_measure(result);
    char value[GPRI_VALUE_SIZE];
    const double own = gpri_measure_mean(result, GPR_TEST, which).mean;
    gpri_text line = {.ctx = result->ctx};
    int found = 0;
    for (int b = 0; b < GPRI_BASELINES; b++) {
        const double other = gpri_baseline_mean(result, b, which).mean;
        if (!(own <= other)) continue;
        if (found++ == 0) {
            gpri_measure_print(value, which, own);
            gpri_text_add(&line, "the model is no better on the test nodes (%s %s) than ", gpri_measure_name(which),
                          value);
        } else {
            gpri_text_add(&line, ", ");
        }
        gpri_measure_print(value, which, other);
        gpri_text_add(&line, "%s (%s)", names[b], value);
    }
    gpr_status status = found ? keep(result, &line) : GPR_OK;
    gpri_text_free(&line);
    return status;
}

/* A network that says little by itself: the smoothing makes the model, and it can only where labels are near. */
static gpr_status caution_smoothing(gpr_result *result) {
    static const double much = 0.1;
    const gpri_smoothing_outcome *found = &result->runs[result->best].smoothing;
    gpri_text line = {.ctx = result->ctx};
    char before[GPRI_VALUE_SIZE], after[GPRI_VALUE_SIZE];
    if (!found->asked || !gpri_smooths(&found->how) || !(found->after - found->before >= much)) return GPR_OK;
    const gpri_measure which = gpri_measure_find(found->goal);
    gpri_measure_print(before, which, found->before);
    gpri_measure_print(after, which, found->after);
    gpri_text_add(&line,
                  "the network alone has %s %s on the validation nodes; known labels of their neighbours (smoothing) "
                  "bring it to %s: expect less for nodes without labelled neighbours",
                  gpri_measure_name(which), before, after);
    gpr_status status = keep(result, &line);
    gpri_text_free(&line);
    return status;
}

gpr_status gpri_result_find_cautions(gpr_result *result) {
    const gpr_metrics *test = result->count ? result->runs[result->best].metrics[GPR_TEST] : NULL;
    if (result->count == 0 || result->caution_count) return GPR_OK;
    if (test) NEED(caution_one_class(result, test));
    if (test) NEED(caution_baselines(result));
    return caution_smoothing(result);
}

const char *gpr_result_caution(const gpr_result *result, int64_t index) {
    gpr_result *keeper = (gpr_result *)(uintptr_t)result; /* its lock guards what is changed */
    const char *text = NULL;
    if (!result || index < 0) return NULL;
    gpri_acquire(&keeper->lock);
    if (gpri_result_find_cautions(keeper) == GPR_OK && index < result->caution_count) text = result->cautions[index];
    gpri_release(&keeper->lock);
    return text;
}
