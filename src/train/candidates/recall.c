/* Reads the choice out of states: one is of a candidate, others of runs that came after the choice. */
#include "train/candidates/recall.h"

#include <string.h>

#include "train/candidates/rungs.h"

static gpr_status other_options(const gpr_state *state) {
    return gpri_fail(GPR_ERROR_MISMATCH,
                     "%s is of a training that chooses among other candidates, or among none: it goes on with the same "
                     "options only",
                     state->name ? state->name : "the state");
}

static gpr_status other_trainings(void) {
    return gpri_fail(GPR_ERROR_MISMATCH, "the states are of different trainings");
}

gpr_status gpri_choice_none(const gpr_state *states, int64_t count) {
    gpri_saved_choice found;
    for (int64_t i = 0; i < count; i++) {
        gpr_status status = gpri_choice_read(&found, &states[i]);
        if (status == GPR_OK && found.some) status = other_options(&states[i]);
        if (status != GPR_OK) return status;
    }
    return GPR_OK;
}

/* ---- states of 0.2.0, which say nothing of a choice ---- */

/* *number: the candidate whose settings the state has; -1: none. */
static gpr_status find_old(gpr_ctx *ctx, int *number, const gpri_candidate_list *list, const gpr_params *params,
                           const gpr_state *state) {
    gpr_status status = GPR_OK;
    char *text = NULL;
    *number = -1;
    for (int i = 0; i < list->count && *number < 0; i++) {
        const gpri_candidate *as = &gpri_candidates[list->which[i]];
        bool same = true;
        for (int s = 0; s < GPRI_CANDIDATE_SETTINGS && as->settings[s].value && same; s++) {
            double a, b;
            if (!gpri_candidate_may_set(params, as->settings[s].option)) continue;
            TRY(gpri_saved_option(ctx, &text, state, as->settings[s].option));
            same = text && (strcmp(text, as->settings[s].value) == 0 ||
                            (gpri_parse_real(text, &a) && gpri_parse_real(as->settings[s].value, &b) && a == b));
            gpri_free(ctx, text);
            text = NULL;
        }
        if (same) *number = i;
    }
done:
    gpri_free(ctx, text);
    return status;
}

/* Of one run it is the candidate that was trained. Of several, it came after the choice. */
static gpr_status recall_old(gpr_ctx *ctx, gpri_recalled *out, const gpri_candidate_list *list,
                             const gpr_params *params, int64_t runs, const gpr_state *states, int64_t count) {
    int number;
    NEED(find_old(ctx, &number, list, params, &states[0]));
    out->settled = number < 0 || runs > 1 || count > 1;
    if (number < 0) return GPR_OK;
    if (out->settled) {
        gpri_log(ctx, GPR_LOG_WARNING,
                 "the training began with a version that keeps no record of its choice: it goes on with %s, and says "
                 "nothing of the other candidates",
                 list->names[number]);
        return GPR_OK;
    }
    gpri_log(ctx, GPR_LOG_WARNING,
             "the training began with a version that keeps no record of its choice: the candidates other than %s are "
             "trained from the beginning",
             list->names[number]);
    out->state = states[0];
    memcpy(out->now, list->names[number], sizeof out->now);
    return GPR_OK;
}

/* ---- all others ---- */

static bool same_choice(const gpri_choice *a, const gpri_choice *b) {
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = strcmp(a->names[i], b->names[i]) == 0 && a->failed[i] == b->failed[i] && a->rungs[i] == b->rungs[i] &&
               memcmp(&a->scores[i], &b->scores[i], sizeof a->scores[i]) == 0;
    return same;
}

/* made: what the states say that came after the choice. */
static gpr_status recall_one(gpri_recalled *out, gpri_saved_choice *made, const gpri_candidate_list *list,
                             const gpr_state *state, gpri_choice *so_far) {
    gpri_saved_choice found;
    NEED(gpri_choice_read(&found, state));
    if (!found.some) return other_options(state);
    if (found.seconds > out->seconds) out->seconds = found.seconds;
    if (*found.now) {
        if (out->state.bytes) return other_trainings();
        if (gpri_candidates_place(list, found.now) < 0) return other_options(state);
        out->state = *state;
        out->kept = found.kept;
        out->given = found.given;
        memcpy(out->now, found.now, sizeof out->now);
        *so_far = found.so_far;
        return GPR_OK;
    }
    if (made->some && !same_choice(&made->so_far, &found.so_far)) return other_trainings();
    *made = found;
    out->others[out->other_count++] = *state;
    return GPR_OK;
}

gpr_status gpri_choice_recall(gpr_ctx *ctx, gpri_recalled *out, const gpri_candidate_list *list,
                              const gpri_choice_plan *plan, const gpr_params *params, const gpr_state *states,
                              int64_t count) {
    gpri_saved_choice first, made = {.some = false};
    gpri_choice so_far = {.count = 0};
    gpr_status status = GPR_OK;
    *out = (gpri_recalled){.choice = {.plan = *plan, .taken = -1}};
    TRY(gpri_calloc(ctx, &out->others, count + 1, sizeof *out->others, "states"));
    if (count == 0) goto done;
    TRY(gpri_choice_read(&first, &states[0]));
    if (first.old && gpri_params_is(params, GPRI_MODEL_AUTO)) { /* which that version did not have */
        status = other_options(&states[0]);
        goto done;
    }
    if (first.old) {
        out->seconds = first.seconds > 0 ? first.seconds : 0;
        out->given = first.given;
        TRY(recall_old(ctx, out, list, params, first.runs, states, count));
        goto done;
    }
    for (int64_t i = 0; i < count; i++) TRY(recall_one(out, &made, list, &states[i], &so_far));
    if (!out->state.bytes) so_far = made.so_far;
    bool same = so_far.count <= list->count;
    for (int i = 0; i < so_far.count && same; i++) same = strcmp(so_far.names[i], list->names[i]) == 0;
    int number, rung;
    out->choice = so_far;
    out->choice.plan = *plan;
    if (same) {
        const bool more = gpri_choice_next(&out->choice, list->count, &number, &rung);
        const bool best = out->choice.taken >= 0;
        same = out->state.bytes ? more && strcmp(list->names[number], out->now) == 0
                                : best && out->choice.measure && more == out->choice.cut;
        if (same && out->state.bytes && best != (out->kept.bytes != NULL))
            THROW(GPR_ERROR_FORMAT, "the state lacks the best candidate so far: it is damaged");
    }
    if (!same) status = other_options(&states[0]);
done:
    return status;
}
