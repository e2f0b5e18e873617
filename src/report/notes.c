/* What a result says in words: its headline, and what was done beside the plain training. The summary of the program,
 * report.html and the Python package have these sentences from here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/print.h"
#include "report/report.h"

/* ---- the headline ---- */

gpri_measure gpri_headline_measure(const gpr_result *result) {
    const gpri_run *best = result->count > 0 ? &result->runs[result->best] : NULL;
    if (!best || !best->split) return GPRI_ACCURACY;
    const gpri_measure which = gpri_fitting_metric(result->params, best->split, GPR_TEST);
    return isnan(gpri_measure_mean(result, GPR_TEST, which).mean) ? GPRI_ACCURACY : which;
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
