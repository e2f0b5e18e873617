/* The candidates, what they set, and which of them are left. */
#include "train/candidates/candidates.h"

#include <stdio.h>
#include <string.h>

#include "dist/all.h"
#include "model/filter.h"
#include "model/model.h"
#include "train/smooth_choice.h"
#include "train/trees/boosting.h"

/* Of a named model the likely best one first. A table has few columns, and a node few neighbours with a known label:
   half of them dropped is often too much. */
const gpri_candidate gpri_candidates[] = {
#define SET(ID, value) {GPRI_PARAM_##ID, value},
    {NULL,
     NULL,
     GPRI_POINT_LABELS,
     {SET(LABEL_INPUT, "yes") SET(LABEL_COUNTS, "yes") SET(DROPOUT, "0.2") SET(DPRATE, "0")
          SET(DIRECTION, "undirected")}},
    {NULL,
     NULL,
     GPRI_POINT_LABELS,
     {SET(LABEL_INPUT, "no") SET(LABEL_COUNTS, "yes") SET(DROPOUT, "0.2") SET(DPRATE, "0")
          SET(DIRECTION, "undirected")}},
    {NULL,
     NULL,
     GPRI_POINT_LABELS,
     {SET(LABEL_INPUT, "no") SET(LABEL_COUNTS, "yes") SET(DROPOUT, "0.2") SET(DPRATE, "0") SET(DIRECTION, "both")}},
    {NULL, NULL, GPRI_POINT_LABELS, {SET(LABEL_INPUT, "no") SET(LABEL_COUNTS, "no") SET(DIRECTION, "undirected")}},
#define CANDIDATE(word, model, point, settings) {word, #model, GPRI_POINT_##point, {settings}},
#include "base/models.def"
};
const int gpri_candidate_count = sizeof gpri_candidates / sizeof *gpri_candidates, gpri_plain_candidate = 3;

/* Options that may be `auto`; if one is, there is something to choose. */
static const gpri_value choosers[] = {GPRI_LABEL_INPUT_AUTO, GPRI_LABEL_COUNTS_AUTO, GPRI_DIRECTION_AUTO};
enum { LABEL_CHOOSERS = 2, CHOOSERS = sizeof choosers / sizeof *choosers };

static bool is_open(const gpr_params *params, gpri_value chooser) {
    return gpri_params_applies(params, gpri_value_param(chooser)) && gpri_params_is(params, chooser);
}

static bool some_open(const gpr_params *params, int count) {
    bool found = false;
    for (int i = 0; i < count; i++) found |= is_open(params, choosers[i]);
    return found;
}

static bool chooses_model(const gpr_params *params) { return gpri_params_is(params, GPRI_MODEL_AUTO); }

bool gpri_candidates_open(const gpr_params *params) { return chooses_model(params) || some_open(params, CHOOSERS); }
bool gpri_candidates_of_labels(const gpr_params *params) { return some_open(params, LABEL_CHOOSERS); }

bool gpri_candidate_may_set(const gpr_params *params, gpri_param option) {
    for (int i = 0; i < CHOOSERS; i++)
        if (gpri_value_param(choosers[i]) == option) return is_open(params, choosers[i]);
    return (chooses_model(params) || gpri_candidates_of_labels(params)) && gpri_params_applies(params, option) &&
           strcmp(gpr_params_source(params, gpri_param_word(option)), "default") == 0;
}

/* Of a relation some edges have a reverse, and others not, more than by chance: directions are meant. */
static bool says_directions(const gpri_graph *graph) {
    for (int64_t r = 0; r < gpri_relation_count(graph); r++) {
        const gpri_graph *one = gpri_relation_graph(graph, r);
        const int64_t few = one->arcs / 2 / 20;
        if (one->mutual > few && gpri_graph_one_way(one) > few) return true;
    }
    return false;
}

/* Of published data `auto` means no. */
static gpr_status close_labels(gpr_params *params) {
    for (int i = 0; i < LABEL_CHOOSERS; i++)
        if (is_open(params, choosers[i])) NEED(gpri_params_settle(params, gpri_value_param(choosers[i]), "no"));
    return GPR_OK;
}

gpr_status gpri_candidates_for(gpr_ctx *ctx, gpr_params **out, const gpr_dataset *data, const gpr_params *params) {
    const bool labels = gpri_labels_may_help(data, params) && gpri_candidates_of_labels(params);
    gpr_status status = GPR_OK;
    TRY(gpri_params_copy(ctx, out, params));
    if (chooses_model(params) && !labels) TRY(close_labels(*out));
    if (!gpri_params_applies(params, GPRI_PARAM_DIRECTION)) goto done;
    bool tries = is_open(params, GPRI_DIRECTION_AUTO);
    if (gpri_params_is_default(params, GPRI_PARAM_BASIS) && !gpri_params_asked(params, GPRI_PARAM_DIRECTION))
        tries |= labels && !data->backing.rows && says_directions(&data->graph);
    tries &= gpri_filter_has_directions(&data->graph);
    if (tries) /* as nobody's wish, unless it is one: a model that has no directions may be tried too */
        status = gpri_params_set_from(
            *out, gpri_params_asked(params, GPRI_PARAM_DIRECTION) ? GPRI_FROM_FLAG : GPRI_FROM_PRESET, "direction",
            "auto");
    else if (is_open(params, GPRI_DIRECTION_AUTO))
        status = gpri_params_settle(*out, GPRI_PARAM_DIRECTION, "undirected");
    if (status == GPR_OK && tries && !labels) status = close_labels(*out);
done:
    if (status != GPR_OK) {
        gpr_params_free(*out);
        *out = NULL;
    }
    return status;
}

gpr_status gpri_candidate_settle(gpr_params *to, const gpr_params *asked, const gpri_candidate *as) {
    if (chooses_model(asked)) {
        NEED(gpri_params_settle(to, GPRI_PARAM_CANDIDATES, "all")); /* a named model has no such options */
        NEED(gpri_params_settle(to, GPRI_PARAM_BUDGET, "none"));
        NEED(gpri_params_set_from(to, GPRI_FROM_FLAG, "model", as->model ? as->model : "gprgnn"));
    }
    for (int i = 0; i < GPRI_CANDIDATE_SETTINGS && as->settings[i].value; i++) {
        const gpri_param option = as->settings[i].option;
        if (!gpri_candidate_may_set(asked, option) || !gpri_params_applies(to, option)) continue;
        NEED(gpri_params_set_from(to, GPRI_FROM_FLAG, gpri_param_word(option), as->settings[i].value));
    }
    const bool sides = gpri_params_applies(to, GPRI_PARAM_DIRECTION),
               asks = gpri_params_asked(to, GPRI_PARAM_DIRECTION);
    if (gpri_params_is(to, GPRI_DIRECTION_AUTO) && (sides || !asks)) /* else check_model refuses it */
        NEED(gpri_params_settle(to, GPRI_PARAM_DIRECTION, "undirected"));
    return GPR_OK;
}

/* ---- those that are left ---- */

static void name_candidate(char *name, size_t size, const gpri_candidate *candidate, const gpr_params *params) {
    size_t at = 0;
    *name = 0;
    if (candidate->word) snprintf(name, size, "%s", candidate->word);
    for (int i = 0; i < GPRI_CANDIDATE_SETTINGS && candidate->settings[i].value && at < size && !candidate->word; i++)
        if (gpri_candidate_may_set(params, candidate->settings[i].option))
            at += (size_t)snprintf(name + at, size - at, "%s%s %s", at ? ", " : "",
                                   gpri_param_word(candidate->settings[i].option), candidate->settings[i].value);
}

const char *gpri_candidate_model(const char *word) {
    for (int k = 0; k < gpri_candidate_count; k++)
        if (gpri_candidates[k].word && strcmp(gpri_candidates[k].word, word) == 0) return gpri_candidates[k].model;
    return "";
}

int gpri_candidates_place(const gpri_candidate_list *list, const char *name) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0) return i;
    return -1;
}

static bool is_named(const gpr_params *params, const char *word) {
    const char *list = gpri_params_text(params, GPRI_PARAM_CANDIDATES);
    char name[GPRI_LISTED_NAME];
    if (strcmp(list, "all") == 0) return true;
    while (gpri_next_listed(name, &list))
        if (strcmp(name, word) == 0) return true;
    return false;
}

static bool same_options(const gpr_params *a, const gpr_params *b) {
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (strcmp(gpri_params_text(a, (gpri_param)i), gpri_params_text(b, (gpri_param)i)) != 0) return false;
    return true;
}

/* What it is there for can be had. */
static bool keeps_its_point(const gpri_candidate *as, const gpr_params *settled) {
    switch (as->point) {
    case GPRI_POINT_LABELS: return gpri_model_takes_labels(settled) || gpri_model_counts_labels(settled);
    case GPRI_POINT_DIRECTIONS: return strcmp(gpri_params_text(settled, GPRI_PARAM_DIRECTION), "both") == 0;
    case GPRI_POINT_MODEL: return true;
    }
    return true;
}

/* *fits: a model that is tried, with all that was set. */
static gpr_status fit_model(gpr_ctx *ctx, gpr_params **out, bool *fits, const gpri_candidate *as,
                            const gpr_params *params) {
    gpri_filter_form form;
    *fits = false;
    NEED(gpri_params_copy(ctx, out, params));
    NEED(gpri_candidate_settle(*out, params, as));
    *fits = gpri_params_check_model(*out) == GPR_OK && keeps_its_point(as, *out) &&
            gpri_filter_form_of(&form, *out) == GPR_OK && (!gpri_spread_may_be_rows(ctx) || gpri_model_shares(*out));
    /* no fault of the caller's options; where a library is missing in one process, no other tries it */
    if (*fits && gpri_all_well(ctx, gpri_boosting_check(ctx, *out)) != GPR_OK) {
        gpri_log(ctx, GPR_LOG_NOTICE, "%s is not tried: %s", as->word, gpr_last_error());
        *fits = false;
    }
    return gpri_finish(GPR_OK);
}

/* The option that no candidate has, or all that were set. */
static gpr_status nothing_left(const gpr_params *params) {
    char set[256] = "";
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        bool has = false;
        if (!gpri_params_asked(params, (gpri_param)i) || i == GPRI_PARAM_MODEL) continue;
        for (int k = 0; k < gpri_candidate_count; k++)
            has |= gpri_candidates[k].model && is_named(params, gpri_candidates[k].word) &&
                   gpr_param_applies(i, gpri_candidates[k].model);
        if (!has && i != GPRI_PARAM_CANDIDATES)
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "`model` is auto, and no candidate has the option `%s`: leave it out, or name the model "
                             "(it is for %s)",
                             gpri_param_word((gpri_param)i), gpri_param_row_of((gpri_param)i)->models);
        snprintf(set + strlen(set), sizeof set - strlen(set), "%s`%s`", *set ? ", " : "",
                 gpri_param_word((gpri_param)i));
    }
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "`model` is auto, and no candidate is left for this data with what was set (%s): set less, or "
                     "name the model",
                     *set ? set : "nothing");
}

gpr_status gpri_candidates_list(gpr_ctx *ctx, gpri_candidate_list *out, const gpr_params *params) {
    gpr_params *made[GPRI_MOST_CANDIDATES + 1] = {NULL}; /* those that are listed, and the next one */
    char name[sizeof out->names[0]];
    gpr_status status = GPR_OK;
    out->count = 0;
    for (int k = 0; k < gpri_candidate_count; k++) {
        const gpri_candidate *as = &gpri_candidates[k];
        const int at = out->count;
        bool fits = true;
        if ((as->word != NULL) != chooses_model(params) || (as->word && !is_named(params, as->word))) continue;
        name_candidate(name, sizeof name, as, params);
        if (as->word) TRY(fit_model(ctx, &made[at], &fits, as, params));
        for (int i = 0; i < at; i++)
            fits &= as->word ? !made[at] || !same_options(made[i], made[at]) : strcmp(out->names[i], name) != 0;
        if (fits) {
            memcpy(out->names[at], name, sizeof name);
            out->which[out->count++] = k;
        } else {
            gpr_params_free(made[at]);
            made[at] = NULL;
        }
    }
    if (out->count == 0) status = nothing_left(params);
done:
    for (int i = 0; i <= GPRI_MOST_CANDIDATES; i++) gpr_params_free(made[i]);
    return status;
}
