/* What a reader of the results must know: a model that predicts one class only, or is no better than a simple method.
 */
#include <math.h>

#include "report/report.h"

gpri_measure gpri_deciding_measure(const gpr_metrics *test) {
    if (!test || test->classes != 2 || test->nodes == 0) return GPRI_ACCURACY;
    return gpri_is_rare(test->of_class[test->positive].nodes, test->nodes) ? GPRI_AVERAGE_PRECISION : GPRI_ACCURACY;
}

static void put_value(gpri_text *out, gpri_measure which, double value) {
    if (which == GPRI_ACCURACY) gpri_text_add(out, "%.2f %%", 100 * value);
    else gpri_text_add(out, "%.3f", value);
}

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

static gpr_status caution_baselines(gpr_result *result, const gpr_metrics *test) {
    static const char *const names[GPRI_BASELINES] = {[GPRI_MAJORITY] = "the majority class",
                                                      [GPRI_FEATURES_ONLY] = "the features without the graph",
                                                      [GPRI_NEIGHBOURS] = "the vote of the neighbours"};
    const gpri_measure which = gpri_deciding_measure(test);
    const double own = gpri_measure_mean(result, GPR_TEST, which).mean;
    gpri_text line = {.ctx = result->ctx};
    int found = 0;
    for (int b = 0; b < GPRI_BASELINES; b++) {
        const double other = gpri_baseline_mean(result, b, which).mean;
        if (!(own <= other)) continue;
        if (found++ == 0) {
            gpri_text_add(&line, "the model is no better on the test nodes (%s ",
                          which == GPRI_ACCURACY ? "accuracy" : "average precision");
            put_value(&line, which, own);
            gpri_text_add(&line, ") than ");
        } else {
            gpri_text_add(&line, ", ");
        }
        gpri_text_add(&line, "%s (", names[b]);
        put_value(&line, which, other);
        gpri_text_add(&line, ")");
    }
    gpr_status status = found ? keep(result, &line) : GPR_OK;
    gpri_text_free(&line);
    return status;
}

gpr_status gpri_result_find_cautions(gpr_result *result) {
    const gpr_metrics *test = result->count ? result->runs[result->best].metrics[GPR_TEST] : NULL;
    if (!test || result->caution_count) return GPR_OK;
    gpr_status status = caution_one_class(result, test);
    return status == GPR_OK ? caution_baselines(result, test) : status;
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
