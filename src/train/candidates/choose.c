/* Candidates are settings of options. Each is trained with the first seed and split; the one with the best goal
 * (gpri_fitting_metric) on the validation nodes is kept. Another means joins as a row of `candidates`. Models are
 * trained in rungs: a few epochs each, and the best go on from where they were. Of a call that was killed the state of
 * the best one is there; the others that go on begin anew, and come to the same numbers.
 *
 * The training with the chosen one goes on from the state of that candidate, as it does after a kill: its first run is
 * there, and the other runs and the refit are left. */
#include "train/candidates/choose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "data/defaults.h"
#include "dist/all.h"
#include "model/model.h"
#include "train/candidates/afford.h"
#include "train/candidates/candidates.h"
#include "train/candidates/recall.h"
#include "train/candidates/rungs.h"
#include "train/candidates/tell.h"
#include "train/smooth_choice.h"

/* ---- scores ---- */

/* Higher is better; NaN: unknown. */
static double score_of(const gpr_result *result, gpri_measure goal) {
    const gpr_metrics *found = result->runs[result->best].metrics[GPR_VAL];
    return found ? found->values[goal] : NAN;
}

/* ---- a choice on its way ---- */

typedef struct {
    gpr_model *model;
    gpr_result *result;
} outcome;

static void forget(outcome *what) {
    gpr_model_free(what->model);
    gpr_result_free(what->result);
    *what = (outcome){NULL, NULL};
}

/* The bytes of a state. */
typedef struct {
    char *bytes;
    int64_t size;
} saved_bytes;

typedef struct {
    gpr_ctx *ctx;
    const gpr_dataset *data;
    const gpr_params *params; /* those of the call */
    gpr_train_options options;
    gpri_preparation *prepared; /* that all candidates share */
    gpri_attempt attempt;
    gpri_candidate_list list;
    gpri_choice record;     /* the finished ones */
    gpri_recalled recalled; /* of the states */
    gpr_split **splits;     /* (split_count) that only the state has; NULL: they are not needed */
    int64_t split_count;
    outcome kept; /* of candidate kept_of; empty where only its state is here */
    int kept_of;
    saved_bytes states[GPRI_MOST_CANDIDATES]; /* of those that may go on or be taken, by the places of the list */
    saved_bytes last;                         /* of the last trained one, with what is known of the others */
} choosing;

static gpr_status copy_bytes(gpr_ctx *ctx, saved_bytes *out, const gpr_state *from) {
    gpri_free(ctx, out->bytes);
    gpr_status status = gpri_alloc(ctx, &out->bytes, (int64_t)from->size, 1, "state");
    out->size = status == GPR_OK ? (int64_t)from->size : 0;
    if (status == GPR_OK) memcpy(out->bytes, from->bytes, from->size);
    return status;
}

/* *out: the options with the settings of a candidate, which may have so many epochs. */
static gpr_status settle_as(const choosing *choice, gpr_params **out, int number, int64_t until) {
    gpr_status status = gpri_params_copy(choice->ctx, out, choice->params);
    if (status == GPR_OK)
        status = gpri_candidate_settle(*out, choice->params, &gpri_candidates[choice->list.which[number]]);
    if (status == GPR_OK) status = gpri_choice_set_epochs(*out, &choice->record.plan, until);
    if (status == GPR_OK) status = gpri_filter_settle(*out, &choice->data->graph);
    if (status != GPR_OK) {
        gpr_params_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- trainings ---- */

/* Splits that the caller gave to the training that goes on, and not to this call: the state has them. */
static gpr_status take_splits(choosing *choice, const gpr_result *from) {
    if (choice->options.splits || choice->splits || !from->given) return GPR_OK;
    for (int64_t i = 0; i < from->all; i++)
        if (!from->runs[i].split) return GPR_OK;
    NEED(gpri_calloc(choice->ctx, &choice->splits, from->all, sizeof *choice->splits, "splits"));
    choice->split_count = from->all;
    for (int64_t i = 0; i < from->all; i++) {
        const gpri_run *run = &from->runs[i];
        NEED(gpri_split_of_parts(choice->ctx, &choice->splits[run->number], choice->data, run->split->part,
                                 run->split->nodes, false));
    }
    return GPR_OK;
}

/* The options of a training that is part of the choice. */
static gpr_train_options own_options(const choosing *choice, const gpr_state *states, int64_t count) {
    gpr_train_options own = choice->options;
    own.states = states;
    own.state_count = count;
    if (choice->splits) {
        own.splits = (const gpr_split *const *)choice->splits;
        own.split_count = choice->split_count;
    }
    return own;
}

static double score_in_group(const gpr_result *result, gpri_measure goal) {
    double score = score_of(result, goal);
    gpri_all_hear(result->ctx, &score, sizeof score, 0); /* process 0 has the metrics */
    return score;
}

static void forget_states(choosing *choice, const bool *but) {
    for (int i = 0; i < GPRI_MOST_CANDIDATES; i++) {
        if (but && (i >= choice->record.count || but[i])) continue;
        gpri_free(choice->ctx, choice->states[i].bytes);
        choice->states[i] = (saved_bytes){NULL, 0};
    }
}

/* After a candidate is trained: keeps what is needed of it. found: what it might have and had. */
static gpr_status judge(choosing *choice, outcome *now, int number, int rung, gpri_found *found) {
    gpr_result *result = now->result;
    const gpri_run *run = &result->runs[result->best];
    const gpri_measure goal = gpri_fitting_metric(result->params, run->split, GPR_VAL);
    bool in[GPRI_MOST_CANDIDATES];
    gpr_status status = GPR_OK;
    saved_bytes *state = &choice->states[number];
    gpri_free(choice->ctx, choice->last.bytes);
    choice->last = (saved_bytes){NULL, 0};
    TRY(gpri_state_of_all(choice->ctx, &choice->last.bytes, &choice->last.size, result));
    result->trial = NULL;
    found->score = score_in_group(result, goal);
    found->loss = run->info.val_loss;
    found->epochs = run->info.epochs;
    found->done =
        choice->record.plan.units[number] < 0 || found->epochs < gpri_params_int(result->params, GPRI_PARAM_EPOCHS);
    choice->record.measure = gpri_measure_word(goal);
    gpri_choice_note(&choice->record, number, choice->list.names[number], found);
    gpri_choice_figure(choice->ctx, &choice->record, number);
    gpri_free(choice->ctx, state->bytes);
    *state = (saved_bytes){NULL, 0};
    TRY(result->given ? gpri_state_of_all(choice->ctx, &state->bytes, &state->size, result)
                      : gpri_state_bytes(choice->ctx, &state->bytes, &state->size, result, run, 1));
    gpri_rung_members(&choice->record, rung, in);
    forget_states(choice, in);
    const int best = choice->record.taken;
    int next, of;
    gpri_choice_next(&choice->record, choice->list.count, &next, &of);
    if (choice->record.taken == best && choice->kept_of == best && best != number) goto done;
    forget(&choice->kept);
    choice->kept_of = -1;
    if (choice->record.taken != number) goto done;
    choice->kept = *now;
    choice->kept_of = number;
    *now = (outcome){NULL, NULL};
done:
    return status;
}

static int64_t runs_of(const choosing *choice) {
    if (choice->options.splits) return choice->options.split_count;
    return choice->splits ? choice->split_count : gpri_params_int(choice->params, GPRI_PARAM_RUNS);
}

static double seconds_so_far(const choosing *choice) {
    return choice->attempt.before + gpri_seconds_now() - choice->attempt.started;
}

static gpri_trial trial_of(const choosing *choice, int number, int rung) {
    const gpri_choice *record = &choice->record;
    gpri_trial trial = {.name = choice->list.names[number], .so_far = record, .pauses = rung + 1 < record->plan.rungs};
    bool in[GPRI_MOST_CANDIDATES];
    for (int r = 0; r < record->plan.rungs; r++) {
        const int places = record->plan.places[r];
        if (r < rung) trial.number += places;
        trial.count += places;
    }
    if (record->taken >= 0) {
        trial.kept = choice->states[record->taken].bytes;
        trial.kept_size = choice->states[record->taken].size;
    }
    gpri_rung_members(record, rung, in);
    for (int i = 0; i < number && i < record->count; i++) trial.number += rung == 0 || in[i];
    return trial;
}

/* A candidate that was stopped is not compared: the best finished one is the result, if there is one. The state to go
   on from is that of the candidate. */
static gpr_status stopped(choosing *choice, outcome *now, int number) {
    gpr_status status = GPR_OK;
    saved_bytes go_on = {NULL, 0};
    const int best = choice->record.taken;
    const double seconds = now->result ? now->result->seconds : seconds_so_far(choice);
    if (now->result) TRY(gpri_state_of_all(choice->ctx, &go_on.bytes, &go_on.size, now->result));
    else if (choice->last.bytes)
        TRY(copy_bytes(choice->ctx, &go_on, &(gpr_state){choice->last.bytes, (size_t)choice->last.size, NULL}));
    else if (choice->recalled.state.bytes) TRY(copy_bytes(choice->ctx, &go_on, &choice->recalled.state));
    if (best >= 0 && !choice->kept.result) { /* an earlier call trained it */
        const gpr_state state = {choice->states[best].bytes, (size_t)choice->states[best].size, NULL};
        const gpr_train_options own = own_options(choice, &state, 1);
        const gpri_trial trial = trial_of(choice, best, choice->record.rungs[best] - 1);
        gpr_params *settled = NULL;
        choice->attempt.trial = &trial;
        TRY(settle_as(choice, &settled, best, choice->record.until[best]));
        status =
            gpri_training(choice->prepared, &choice->kept.model, &choice->kept.result, settled, &own, &choice->attempt);
        gpr_params_free(settled);
        if (status != GPR_OK) goto done;
    }
    if (best >= 0) {
        gpri_log(choice->ctx, GPR_LOG_WARNING,
                 "stopped at candidate %d of %d (%s), which is not compared; the model is that of the best finished "
                 "one: %s",
                 number + 1, choice->list.count, choice->list.names[number], choice->record.names[best]);
        forget(now);
    } else {
        choice->kept = *now;
        *now = (outcome){NULL, NULL};
    }
    gpr_result *result = choice->kept.result;
    result->trial = NULL;
    result->stopped = true;
    result->seconds = seconds;
    result->state = go_on.bytes;
    result->state_size = go_on.size;
    go_on = (saved_bytes){NULL, 0};
    status = gpri_fail(GPR_STOPPED, "stopped by the caller");
done:
    gpri_free(choice->ctx, go_on.bytes);
    return status;
}

/* Whether the candidate of an earlier rung is trained from where it was. Another stride of gamma's history has other
   rows. */
static bool goes_on(const choosing *choice, int number, const gpr_params *settled) {
    return choice->states[number].bytes && gpri_gamma_plan_of(settled).stride == 1;
}

/* GPR_OK; a failure that ends all; or GPR_STOPPED, and of->kept is the result. *failure: of this candidate. */
static gpr_status try_candidate(choosing *choice, int number, int rung, gpr_status *failure) {
    const bool recalled = choice->recalled.state.bytes && strcmp(choice->list.names[number], choice->recalled.now) == 0;
    gpr_state from = choice->recalled.state;
    gpri_trial trial = trial_of(choice, number, rung);
    gpri_found found = {.until = gpri_choice_until(&choice->record, number, rung), .score = NAN, .loss = NAN};
    outcome now = {NULL, NULL};
    gpr_params *settled = NULL;
    gpr_status status = GPR_OK;
    TRY(settle_as(choice, &settled, number, found.until));
    if (!recalled && rung > 0 && goes_on(choice, number, settled)) {
        from = (gpr_state){choice->states[number].bytes, (size_t)choice->states[number].size, NULL};
        trial.longer = true;
    }
    const gpr_train_options own = own_options(choice, &from, recalled || trial.longer);
    if (choice->recalled.given && !own.splits && own.state_count == 0)
        THROW(GPR_ERROR_MISMATCH, "the splits of the training that goes on were given: give the splits again");
    choice->attempt.trial = &trial;
    status = gpri_training(choice->prepared, &now.model, &now.result, settled, &own, &choice->attempt);
    choice->attempt.again = true;
    if (status == GPR_STOPPED || (status == GPR_ERROR_STOPPED && choice->record.taken >= 0)) {
        status = stopped(choice, &now, number);
        goto done;
    }
    *failure = status;
    const bool too_large = status == GPR_ERROR_MEMORY && choice->record.plan.models;
    if (status == GPR_ERROR_NUMERIC || too_large) { /* another may do */
        if (too_large)
            gpri_log(choice->ctx, GPR_LOG_WARNING, "%s is left out: %s", trial.name, gpr_last_error());
        found.failed = true;
        gpri_choice_note(&choice->record, number, trial.name, &found);
        gpri_choice_figure(choice->ctx, &choice->record, number);
        status = GPR_OK;
        goto done;
    }
    if (status != GPR_OK) goto done;
    TRY(take_splits(choice, now.result));
    TRY(judge(choice, &now, number, rung, &found));
done:
    if (recalled) choice->recalled.now[0] = 0; /* the next rung has another state */
    choice->attempt.trial = NULL;
    forget(&now);
    gpr_params_free(settled);
    return status;
}

/* All runs with the candidate that was chosen: from its state on, unless all is there. */
static gpr_status train_chosen(choosing *choice) {
    gpr_status status = GPR_OK;
    gpr_params *settled = NULL;
    const int taken = choice->record.taken;
    saved_bytes *state = &choice->states[taken];
    gpri_choice_say(&choice->record, runs_of(choice));
    gpri_log(choice->ctx, GPR_LOG_INFO, "chosen: %s", choice->record.text);
    if (choice->kept_of != taken) forget(&choice->kept);
    if (choice->kept.result && choice->kept.result->all == 1 && !gpri_training_refits(choice->params, choice->data)) {
        choice->kept.result->choice = choice->record;
        choice->kept.result->seconds = seconds_so_far(choice);
        gpri_result_warn(choice->kept.result);
        return GPR_OK;
    }
    forget(&choice->kept);
    if (state->bytes)
        choice->recalled.others[choice->recalled.other_count++] = (gpr_state){
            .bytes = state->bytes, .size = (size_t)state->size, .name = "the state of the chosen candidate"};
    const gpr_train_options own = own_options(choice, choice->recalled.others, choice->recalled.other_count);
    choice->attempt.made = &choice->record;
    TRY(settle_as(choice, &settled, taken, choice->record.until[taken]));
    status =
        gpri_training(choice->prepared, &choice->kept.model, &choice->kept.result, settled, &own, &choice->attempt);
    if (choice->kept.result)
        gpri_choice_say(&choice->kept.result->choice, choice->kept.result->all); /* a state may know of more runs */
done:
    gpr_params_free(settled);
    return status;
}

/* Whether the clock ends the choice before the next training. Process 0 has it. */
static bool is_cut(choosing *choice) {
    const gpri_choice *record = &choice->record;
    int64_t over = gpri_choice_is_over(&record->plan, seconds_so_far(choice)) && record->taken >= 0;
    int left = choice->list.count - record->count;
    gpri_all_hear(choice->ctx, &over, sizeof over, 0);
    choice->record.cut |= over;
    if (record->cut && left > 0)
        gpri_log(
            choice->ctx, GPR_LOG_WARNING,
            "`budget`: the time is over, and %d of %d candidates are not tried: another call, or a faster machine, "
            "may choose another model",
            left, choice->list.count);
    else if (record->cut)
        gpri_log(choice->ctx, GPR_LOG_WARNING,
                 "`budget`: the time is over, and the best candidates are not trained to their end: another call, or a "
                 "faster machine, may choose another model");
    return record->cut;
}

gpr_status gpri_choose_and_train(gpri_preparation *prepared, gpr_model **model, gpr_result **result,
                                 const gpr_params *params, const gpr_train_options *options, bool *settled) {
    gpr_ctx *ctx = prepared->ctx;
    gpr_status status = GPR_OK, failure = GPR_OK;
    choosing choice = {.ctx = ctx,
                       .data = prepared->data,
                       .params = params,
                       .options = *options,
                       .prepared = prepared,
                       .kept_of = -1,
                       .attempt = {.started = gpri_seconds_now()}};
    char told[1024];
    int number, rung;
    gpri_choice_plan plan;
    TRY(gpri_candidates_list(ctx, &choice.list, params));
    TRY(gpri_choice_make_plan(ctx, &plan, &choice.list, choice.data, params));
    TRY(gpri_choice_recall(ctx, &choice.recalled, &choice.list, &plan, params, options->states, options->state_count));
    choice.record = choice.recalled.choice;
    choice.attempt.before = choice.recalled.seconds;
    choice.attempt.directions = gpri_candidate_may_set(params, GPRI_PARAM_DIRECTION);
    if (choice.recalled.kept.bytes) TRY(copy_bytes(ctx, &choice.states[choice.record.taken], &choice.recalled.kept));
    *settled = choice.recalled.settled;
    if (*settled) goto done;
    gpri_choice_announce(told, sizeof told, &plan, &choice.list, params, runs_of(&choice));
    choice.attempt.notice = told;
    while (gpri_choice_next(&choice.record, choice.list.count, &number, &rung)) {
        /* one that had begun before the cut is finished, as without a stop */
        const bool begun = choice.recalled.state.bytes && strcmp(choice.list.names[number], choice.recalled.now) == 0;
        if (!begun && is_cut(&choice)) break;
        TRY(try_candidate(&choice, number, rung, &failure));
        if (status == GPR_STOPPED) goto done;
    }
    status = choice.record.taken < 0 ? failure : train_chosen(&choice); /* its message is the last one */
done:
    *model = choice.kept.model;
    *result = choice.kept.result;
    gpri_free(ctx, choice.recalled.others);
    forget_states(&choice, NULL);
    gpri_free(ctx, choice.last.bytes);
    for (int64_t i = 0; choice.splits && i < choice.split_count; i++) gpr_split_free(choice.splits[i]);
    gpri_free(ctx, choice.splits);
    if (status < 0) {
        gpr_model_free(*model);
        gpr_result_free(*result);
        *model = NULL;
        *result = NULL;
    }
    return status;
}
