/* What a result says in words: its headline, and what was done beside the plain training. The summary of the program,
 * report.html and the Python package have these sentences from here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/print.h"
#include "baseline/baselines.h"
#include "report/report.h"

/* ---- the headline ---- */

gpri_measure gpri_headline_measure(const gpr_result *result) {
    const gpri_run *best = result->count > 0 ? &result->runs[result->best] : NULL;
    const gpri_measure usual = gpri_params_tell_number(result->params) ? GPRI_R2 : GPRI_ACCURACY;
    if (!best || !best->split) return usual;
    const gpri_measure which = gpri_fitting_metric(result->params, best->split, GPR_TEST);
    return isnan(gpri_measure_mean(result, GPR_TEST, which).mean) ? usual : which;
}

const char *gpr_result_headline(const gpr_result *result) {
    return result ? gpri_measure_word(gpri_headline_measure(result)) : NULL;
}

double gpri_largest_class(const gpr_result *result) {
    const gpr_split *split = result->count > 0 ? result->runs[result->best].split : NULL;
    int64_t most = 0, all = 0;
    for (int64_t c = 0; split && c < split->classes; c++) {
        const int64_t count = gpr_split_count(split, GPR_TEST, c);
        all += count;
        if (count > most) most = count;
    }
    return all ? (double)most / (double)all : NAN;
}

/* ---- what was done ---- */

static bool say_choice(char *text, size_t size, const gpr_result *result) {
    if (!gpr_result_choice(result)) return false;
    snprintf(text, size, "%s", gpr_result_choice(result));
    return true;
}

static bool say_smoothing(char *text, size_t size, const gpr_result *result) {
    const gpri_smoothing_outcome *found = &result->runs[result->best].smoothing;
    const char *which = result->count > 1 ? ", in the best run" : "", *relation = found->how.relation;
    char before[GPRI_VALUE_SIZE], after[GPRI_VALUE_SIZE], who[64];
    if (!found->asked) return false;
    snprintf(who, sizeof who, "known labels of neighbours%s%s", *relation ? " by " : "", relation);
    if (!gpri_smooths(&found->how)) {
        snprintf(text, size, "none: %s%s",
                 isnan(found->after) ? "there are no validation nodes to choose by"
                                     : "the labels of neighbours do not help the validation nodes",
                 which);
        return true;
    }
    const gpri_measure measure = gpri_measure_find(found->goal);
    gpri_measure_print(before, measure, found->before);
    gpri_measure_print(after, measure, found->after);
    if (isnan(found->after)) snprintf(text, size, "%s adjust the predictions%s", who, which);
    else if (strcmp(before, after) == 0)
        snprintf(text, size, "%s adjust the predictions; %s of the validation nodes: %s, as without%s", who,
                 gpri_measure_name(measure), after, which);
    else
        snprintf(text, size, "%s adjust the predictions; %s of the validation nodes: %s, without %s%s", who,
                 gpri_measure_name(measure), after, before, which);
    return true;
}

static bool say_calibration(char *text, size_t size, const gpr_result *result) {
    static const double nearly_one = 0.02; /* of a temperature: nobody sees the difference */
    const gpri_run *best = &result->runs[result->best];
    const double temperature = best->info.temperature;
    const char *which = result->count > 1 ? ", in the best run" : "";
    if (best->uncalibrated) {
        snprintf(text, size, "none: %s%s", best->uncalibrated, which);
        return true;
    }
    if (!(temperature > 0)) return false;
    if (fabs(temperature - 1) < nearly_one)
        gpri_print(text, size, "the probabilities fit the validation nodes as they are: temperature %.2f%s",
                   temperature, which);
    else
        gpri_print(text, size, "the probabilities were %s on the validation nodes: temperature %.2f corrects it%s",
                   temperature > 1 ? "too sure" : "not sure enough", temperature, which);
    return true;
}

static bool say_refit(char *text, size_t size, const gpr_result *result) {
    if (result->refit_nodes == 0) return false;
    snprintf(
        text, size,
        "the saved model is trained once more, on all %lld labelled nodes for %lld epochs; all figures here are of "
        "the model before that: no labelled node is left to judge this one by",
        (long long)result->refit_nodes, (long long)result->refit_epochs);
    return true;
}

const char *gpr_result_note(const gpr_result *result, int64_t index, char *text, size_t size) {
    static const struct {
        const char *about;
        bool (*say)(char *, size_t, const gpr_result *);
    } notes[] = {
        {"chosen", say_choice}, {"smoothing", say_smoothing}, {"calibration", say_calibration}, {"refit", say_refit}};
    if (!result || result->count == 0 || index < 0 || !text || size == 0) return NULL;
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i].say(text, size, result) && index-- == 0) return notes[i].about;
    *text = 0;
    return NULL;
}

/* ---- what a reader of the results must know ---- */

/* a model that predicts one class only, is no better than a simple method, or is good by the labels of neighbours
   alone. */

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
    static const char *const of_classes[GPRI_BASELINES] = {[GPRI_MAJORITY] = "the majority class",
                                                           [GPRI_FEATURES_ONLY] = "the features without the graph",
                                                           [GPRI_NEIGHBOURS] = "the vote of the neighbours"};
    static const char *const of_numbers[GPRI_BASELINES] = {[GPRI_MAJORITY] = "the mean of the training nodes",
                                                           [GPRI_FEATURES_ONLY] = "the features without the graph",
                                                           [GPRI_NEIGHBOURS] = "the mean of the neighbours"};
    const char *const *names = gpri_params_tell_number(result->params) ? of_numbers : of_classes;
    const gpri_measure which = gpri_headline_measure(result);
    const bool lower = gpri_measure_is(which, GPRI_LOWER);
    char value[GPRI_VALUE_SIZE];
    const double own = gpri_measure_mean(result, GPR_TEST, which).mean;
    gpri_text line = {.ctx = result->ctx};
    int found = 0;
    for (int b = 0; b < GPRI_BASELINES; b++) {
        const double other = gpri_baseline_mean(result, b, which).mean;
        if (!(lower ? own >= other : own <= other)) continue;
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
    if (test && test->classes > 0) NEED(caution_one_class(result, test));
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
