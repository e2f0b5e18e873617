/* Candidates are settings of options. Each is trained with the first seed and split; the one with the best goal
 * (train/choice/goal.h) on the validation nodes is kept. Another means joins as a row of `candidates`. */
#include "train/choice/choose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/print.h"
#include "dist/group.h"
#include "model/model.h"
#include "train/choice/goal.h"
#include "train/saved.h"

enum { MOST_SETTINGS = 4 };

typedef struct {
    struct {
        gpri_param option;
        const char *value;
    } settings[MOST_SETTINGS]; /* value NULL: no more */
} candidate;

/* The likely best one first. A table has few columns, and a node few neighbours with a known label: half of them
   dropped is often too much. The last is what is taken where there is no choice. */
static const candidate candidates[] = {
    {{{GPRI_PARAM_LABEL_INPUT, "yes"},
      {GPRI_PARAM_LABEL_COUNTS, "yes"},
      {GPRI_PARAM_DROPOUT, "0.2"},
      {GPRI_PARAM_DPRATE, "0"}}},
    {{{GPRI_PARAM_LABEL_INPUT, "no"},
      {GPRI_PARAM_LABEL_COUNTS, "yes"},
      {GPRI_PARAM_DROPOUT, "0.2"},
      {GPRI_PARAM_DPRATE, "0"}}},
    {{{GPRI_PARAM_LABEL_INPUT, "no"}, {GPRI_PARAM_LABEL_COUNTS, "no"}}},
};
enum { CANDIDATES = sizeof candidates / sizeof *candidates };

/* Options that may be `auto`; if one is, there is something to choose. */
static const gpri_param choosers[] = {GPRI_PARAM_LABEL_INPUT, GPRI_PARAM_LABEL_COUNTS};
enum { CHOOSERS = sizeof choosers / sizeof *choosers };

static bool is_auto(const gpr_params *params, gpri_param option) {
    return gpri_params_applies(params, option) && strcmp(gpri_params_text(params, option), "auto") == 0;
}

/* Whether the choice may set the option: it is `auto`, or nobody has set it. */
static bool is_free(const gpr_params *params, gpri_param option) {
    return is_auto(params, option) || (gpri_params_applies(params, option) &&
                                       strcmp(gpr_params_source(params, gpri_param_word(option)), "default") == 0);
}

static bool is_open(const gpr_params *params) {
    for (int i = 0; i < CHOOSERS; i++)
        if (is_auto(params, choosers[i])) return true;
    return false;
}

/* The settings of a candidate, for the options that the choice may set. */
static gpr_status settle(gpr_params *to, const gpr_params *asked, const candidate *as) {
    for (int i = 0; i < MOST_SETTINGS && as->settings[i].value; i++) {
        const gpri_param option = as->settings[i].option;
        if (!is_free(asked, option)) continue;
        gpr_status status = gpri_params_set_from(to, GPRI_FROM_FLAG, gpri_param_word(option), as->settings[i].value);
        if (status != GPR_OK) return status;
    }
    return GPR_OK;
}

gpr_status gpri_choice_settle(gpr_ctx *ctx, gpr_params **out, const gpr_dataset *data, const gpr_params *params,
                              const gpr_train_options *options) {
    gpr_status status = GPR_OK;
    char *text = NULL;
    TRY(gpri_params_copy(ctx, out, params));
    if (data->from_table) TRY(settle(*out, params, &candidates[CANDIDATES - 1]));
    if (options->state_count == 0 || !is_open(params)) goto done;
    const candidate *most = &candidates[0]; /* it has all options that a choice may set */
    for (int i = 0; i < MOST_SETTINGS && most->settings[i].value; i++) {
        const gpri_param option = most->settings[i].option;
        if (!is_free(params, option)) continue;
        TRY(gpri_saved_option(ctx, &text, &options->states[0], option));
        if (text) status = gpri_params_set_from(*out, GPRI_FROM_FLAG, gpri_param_word(option), text);
        if (status != GPR_OK) {
            gpri_fail_prefix(status, "the state is damaged");
            if (status == GPR_ERROR_ARGUMENT) status = GPR_ERROR_FORMAT;
            goto done;
        }
        gpri_free(ctx, text);
        text = NULL;
    }
done:
    gpri_free(ctx, text);
    if (status != GPR_OK) {
        gpr_params_free(*out);
        *out = NULL;
    }
    return status;
}

bool gpri_choice_open(const gpr_dataset *data, const gpr_params *params, const gpr_train_options *options) {
    return data->from_table && options->state_count == 0 && is_open(params) && !gpri_model_filter_first(params);
}

/* ---- scores ---- */

/* Higher is better; NaN: unknown. */
static double score_of(const gpr_result *result, gpri_goal goal) {
    static const gpri_measure measures[] = {[GPRI_GOAL_ACCURACY] = GPRI_ACCURACY,
                                            [GPRI_GOAL_BALANCED_ACCURACY] = GPRI_BALANCED_ACCURACY,
                                            [GPRI_GOAL_MACRO_F1] = GPRI_MACRO_F1,
                                            [GPRI_GOAL_ROC_AUC] = GPRI_ROC_AUC,
                                            [GPRI_GOAL_AVERAGE_PRECISION] = GPRI_AVERAGE_PRECISION};
    const gpr_metrics *found = result->runs[result->best].metrics[GPR_VAL];
    return found ? found->values[measures[goal]] : NAN;
}

/* Of equal scores, which those that count nodes often are, the lower validation loss. */
static bool better(double score, double loss, double than_score, double than_loss) {
    if (isnan(score) || isnan(than_score)) return isnan(than_score) && !isnan(score);
    return score > than_score || (score == than_score && loss < than_loss);
}

/* ---- trainings ---- */

/* Options of a candidate's training: the first run alone. Of several runs its state would be that of one. */
static gpr_status first_run(gpr_params *params, gpr_train_options *options, int64_t runs) {
    if (runs > 1) {
        options->save = NULL;
        options->save_due = NULL;
    }
    if (options->splits) options->split_count = 1;
    return gpri_params_set_from(params, GPRI_FROM_FLAG, "runs", "1");
}

static void name_candidate(char *name, size_t size, const candidate *of, const gpr_params *params) {
    size_t at = 0;
    *name = 0;
    for (int i = 0; i < MOST_SETTINGS && of->settings[i].value && at < size; i++)
        if (is_free(params, of->settings[i].option))
            at += (size_t)snprintf(name + at, size - at, "%s%s %s", at ? ", " : "",
                                   gpri_param_word(of->settings[i].option), of->settings[i].value);
}

/* "label-input yes: validation average_precision 0.886 (label-input no: 0.213)" */
static void say(gpri_choice *choice) {
    size_t at = (size_t)gpri_print(choice->text, sizeof choice->text, "%s: validation %s %.4g (",
                                   choice->names[choice->taken], choice->measure, choice->scores[choice->taken]);
    const char *comma = "";
    for (int i = 0; i < choice->count && at < sizeof choice->text; i++) {
        if (i == choice->taken) continue;
        at += (size_t)gpri_print(choice->text + at, sizeof choice->text - at, "%s%s: %.4g", comma, choice->names[i],
                                 choice->scores[i]);
        comma = ", ";
    }
    if (at < sizeof choice->text) snprintf(choice->text + at, sizeof choice->text - at, ")");
}

typedef struct {
    gpr_model *model;
    gpr_result *result;
} outcome;

static void forget(outcome *what) {
    gpr_model_free(what->model);
    gpr_result_free(what->result);
    *what = (outcome){NULL, NULL};
}

/* A choice on its way. */
typedef struct {
    const gpr_dataset *data;
    gpri_choice choice;
    double loss;    /* of the validation nodes, with the candidate that is taken */
    bool refitting; /* a candidate that is taken is the result, and may be refitted */
    bool taken;     /* the last candidate is */
} choosing;

/* Compares the candidate at hand with the one that is taken so far. */
static bool takes(void *arg, const gpr_result *result) {
    choosing *of = arg;
    gpri_choice *choice = &of->choice;
    const gpri_run *run = &result->runs[result->best];
    const gpri_goal goal = gpri_choice_goal(result->params, of->data, run->split);
    double *score = &choice->scores[choice->count - 1];
    choice->measure = gpri_metric_word(goal);
    *score = score_of(result, goal);
    gpri_group *group = result->ctx->group;
    if (group) group->broadcast(group, score, sizeof *score, 0); /* process 0 has the metrics */
    of->taken = choice->taken < 0 || better(*score, run->info.val_loss, choice->scores[choice->taken], of->loss);
    if (!of->taken) return false;
    of->loss = run->info.val_loss;
    choice->taken = choice->count - 1;
    return of->refitting;
}

/* Whether a candidate with the same settings was tried: options that somebody has set make candidates equal. */
static bool is_tried(const gpri_choice *choice, const char *name) {
    for (int i = 0; i < choice->count; i++)
        if (strcmp(choice->names[i], name) == 0) return true;
    return false;
}

gpr_status gpri_choose_and_train(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                                 const gpr_params *params, const gpr_train_options *options, gpri_train_fn train) {
    gpr_status status = GPR_OK, failure = GPR_OK;
    const int64_t runs = options->splits ? options->split_count : gpri_params_int(params, GPRI_PARAM_RUNS);
    choosing of = {.data = data, .choice = {.taken = -1}, .refitting = runs == 1};
    gpri_attempt attempt = {.keeps = takes, .arg = &of};
    gpri_choice *choice = &of.choice;
    gpr_params *settled = NULL;
    outcome kept = {NULL, NULL}, now = {NULL, NULL};
    int taken = 0; /* the candidate that is taken so far, in the list of all */
    for (int k = 0; k < CANDIDATES; k++) {
        gpr_train_options own = *options;
        char *name = choice->names[choice->count];
        name_candidate(name, sizeof choice->names[0], &candidates[k], params);
        if (is_tried(choice, name)) continue;
        gpr_params_free(settled);
        settled = NULL;
        TRY(gpri_params_copy(ctx, &settled, params));
        TRY(settle(settled, params, &candidates[k]));
        TRY(first_run(settled, &own, runs));
        choice->scores[choice->count++] = NAN;
        of.taken = false;
        status = train(ctx, &now.model, &now.result, data, settled, &own, &attempt);
        attempt.again = true;
        if (status == GPR_STOPPED) {
            forget(&kept);
            kept = now;
            now = (outcome){NULL, NULL};
            goto done;
        }
        failure = status;
        if (status == GPR_ERROR_NUMERIC) continue; /* another may do */
        if (status != GPR_OK) goto done;
        if (of.taken) {
            forget(&kept);
            kept = now;
            now = (outcome){NULL, NULL};
            taken = k;
        }
        forget(&now);
    }
    status = choice->taken < 0 ? failure : GPR_OK; /* its message is the last one */
    if (status != GPR_OK) goto done;
    say(choice);
    gpri_log(ctx, GPR_LOG_INFO, "chosen: %s", choice->text);
    if (runs > 1) {
        forget(&kept);
        gpr_params_free(settled);
        settled = NULL;
        attempt.keeps = NULL;
        TRY(gpri_params_copy(ctx, &settled, params));
        TRY(settle(settled, params, &candidates[taken]));
        status = train(ctx, &kept.model, &kept.result, data, settled, options, &attempt);
    }
    if (kept.result) kept.result->choice = *choice;
done:
    forget(&now);
    gpr_params_free(settled);
    *model = kept.model;
    *result = kept.result;
    return status;
}
