/* Writes what is said of a choice. */
#include "train/candidates/tell.h"

#include <math.h>
#include <stdio.h>

#include "base/print.h"

/* "..., gprgnn, sage; 100 epochs each, the best 4 200, the best 2 at most 1000; an estimated 12 s on two cores at
   most" */
static void announce_models(char *text, size_t size, const gpri_choice_plan *plan, const gpri_candidate_list *list,
                            const char *before) {
    int at = snprintf(text, size, "model: the validation nodes choose%s among %d candidate%s:", before, list->count,
                      list->count == 1 ? "" : "s");
    for (int i = 0; i < list->count && at >= 0 && (size_t)at < size; i++)
        at += snprintf(text + at, size - (size_t)at, "%s %s", i ? "," : "", list->names[i]);
    for (int r = 0; r < plan->rungs && at >= 0 && (size_t)at < size; r++) {
        const char *most = r + 1 < plan->rungs ? "" : "at most ";
        if (r == 0)
            at += snprintf(text + at, size - (size_t)at, "; %s%lld epochs each", most, (long long)plan->until[r]);
        else
            at += snprintf(text + at, size - (size_t)at, ", the best %d %s%lld", plan->places[r], most,
                           (long long)(r + 1 < plan->rungs || plan->budget == 0 ? plan->until[r] : plan->asked));
    }
    if (at >= 0 && (size_t)at < size)
        at += gpri_print(text + at, size - (size_t)at, "; an estimated %.3g s on two cores at most", plan->seconds);
    for (int i = 0; i < plan->left_out_count && at >= 0 && (size_t)at < size; i++)
        at += snprintf(text + at, size - (size_t)at, "%s %s",
                       i ? "," : "; left out for `budget`:", gpri_candidates[plan->left_out[i]].word);
}

void gpri_choice_announce(char *text, size_t size, const gpri_choice_plan *plan, const gpri_candidate_list *list,
                          const gpr_params *params, int64_t runs) {
    char before[48] = "";
    if (runs > 1) snprintf(before, sizeof before, " before the %lld runs", (long long)runs);
    const bool sides = gpri_candidate_may_set(params, GPRI_PARAM_DIRECTION), labels = gpri_candidates_of_labels(params);
    if (plan->models) {
        announce_models(text, size, plan, list, before);
        return;
    }
    snprintf(text, size, "%s chosen by the validation nodes: %d trainings%s;%s%s trains %s",
             !sides   ? "label use is"
             : labels ? "label use and `direction` are"
                      : "`direction` is",
             list->count, before, labels ? " `label-input` no `label-counts` no" : "",
             sides ? " `direction` undirected" : "", runs > 1 ? "none of them" : "one");
}

/* Once for each at first: who goes on has its last figure in the choice. */
void gpri_choice_figure(gpr_ctx *ctx, const gpri_choice *choice, int number) {
    const gpr_log_level level = choice->rungs[number] > 1 ? GPR_LOG_INFO : GPR_LOG_NOTICE;
    const long long epochs = choice->epochs[number];
    const char *name = choice->names[number];
    char value[GPRI_VALUE_SIZE];
    if (!choice->plan.models) return;
    if (choice->failed[number]) {
        gpri_log(ctx, GPR_LOG_NOTICE, "%s: it failed", name);
    } else if (isnan(choice->scores[number])) {
        gpri_log(ctx, level, "%s: %lld epochs", name, epochs);
    } else {
        const gpri_measure which = gpri_measure_find(choice->measure);
        gpri_measure_print(value, which, choice->scores[number]);
        gpri_log(ctx, level, "%s: %s %s on the validation nodes, %lld epochs", name, gpri_measure_name(which), value,
                 epochs);
    }
}

/* The best of the others that came as far; -1: there is none. */
static int next_best(const gpri_choice *choice) {
    int next = -1;
    for (int i = 0; i < choice->count; i++)
        if (i != choice->taken && choice->rungs[i] == choice->rungs[choice->taken] && !isnan(choice->scores[i]) &&
            (next < 0 || choice->scores[i] > choice->scores[next]))
            next = i;
    return next;
}

/* ", 0.35 points more than gprdeep 81.67 %, gprgnn 80.12 %" */
static void say_others(char *text, size_t size, const gpri_choice *choice) {
    const gpri_measure which = gpri_measure_find(choice->measure);
    char value[GPRI_VALUE_SIZE];
    const int next = next_best(choice);
    if (next < 0) return;
    const double lead = choice->scores[choice->taken] - choice->scores[next];
    const bool percent = gpri_measure_is(which, GPRI_PERCENT);
    int at = snprintf(text, size, ", as much as %s, with a lower loss", choice->names[next]);
    if (lead > 0)
        at = gpri_print(text, size, percent ? ", %.2f points more than %s" : ", %.3f more than %s",
                        percent ? 100 * lead : lead, choice->names[next]);
    for (int i = 0; i < choice->count && at >= 0 && (size_t)at < size; i++) {
        if (i == choice->taken || (i == next && !(lead > 0))) continue;
        if (choice->failed[i]) snprintf(value, sizeof value, "failed");
        else gpri_measure_print(value, which, choice->scores[i]);
        at += snprintf(text + at, size - (size_t)at, "; %s %s", choice->names[i], value);
    }
}

void gpri_choice_say(gpri_choice *choice, int64_t runs) {
    const gpri_measure which = gpri_measure_find(choice->measure);
    char value[GPRI_VALUE_SIZE];
    if (isnan(choice->scores[choice->taken])) {
        snprintf(choice->text, sizeof choice->text, "%s: no validation nodes tell which is better",
                 choice->names[choice->taken]);
        return;
    }
    gpri_measure_print(value, which, choice->scores[choice->taken]);
    size_t at = (size_t)snprintf(choice->text, sizeof choice->text, "%s: %s %s on the validation nodes%s",
                                 choice->names[choice->taken], gpri_measure_name(which), value,
                                 runs > 1 ? " of the first run" : "");
    if (choice->plan.models) {
        if (at < sizeof choice->text) say_others(choice->text + at, sizeof choice->text - at, choice);
        return;
    }
    const char *comma = "";
    for (int i = 0; i < choice->count && at < sizeof choice->text; i++) {
        if (i == choice->taken) continue;
        if (!*comma) {
            at += (size_t)snprintf(choice->text + at, sizeof choice->text - at, " (%d other%s: ", choice->count - 1,
                                   choice->count > 2 ? "s" : "");
            if (at >= sizeof choice->text) break;
        }
        gpri_measure_print(value, which, choice->scores[i]);
        at += (size_t)snprintf(choice->text + at, sizeof choice->text - at, "%s%s", comma, value);
        comma = ", ";
    }
    if (*comma && at < sizeof choice->text) snprintf(choice->text + at, sizeof choice->text - at, ")");
}
