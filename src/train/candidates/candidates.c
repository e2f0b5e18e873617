/* The candidates, and what they set. */
#include "train/candidates/candidates.h"

#include <stdio.h>
#include <string.h>

#include "model/filter.h"
#include "train/smooth_choice.h"

/* The likely best one first. A table has few columns, and a node few neighbours with a known label: half of them
   dropped is often too much. */
const gpri_candidate gpri_candidates[GPRI_CANDIDATES] = {
    {{{GPRI_PARAM_LABEL_INPUT, "yes"},
      {GPRI_PARAM_LABEL_COUNTS, "yes"},
      {GPRI_PARAM_DROPOUT, "0.2"},
      {GPRI_PARAM_DPRATE, "0"},
      {GPRI_PARAM_DIRECTION, "undirected"}}},
    {{{GPRI_PARAM_LABEL_INPUT, "no"},
      {GPRI_PARAM_LABEL_COUNTS, "yes"},
      {GPRI_PARAM_DROPOUT, "0.2"},
      {GPRI_PARAM_DPRATE, "0"},
      {GPRI_PARAM_DIRECTION, "undirected"}}},
    {{{GPRI_PARAM_LABEL_INPUT, "no"},
      {GPRI_PARAM_LABEL_COUNTS, "yes"},
      {GPRI_PARAM_DROPOUT, "0.2"},
      {GPRI_PARAM_DPRATE, "0"},
      {GPRI_PARAM_DIRECTION, "both"}}},
    {{{GPRI_PARAM_LABEL_INPUT, "no"}, {GPRI_PARAM_LABEL_COUNTS, "no"}, {GPRI_PARAM_DIRECTION, "undirected"}}},
};

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

bool gpri_candidates_open(const gpr_params *params) { return some_open(params, CHOOSERS); }
bool gpri_candidates_of_labels(const gpr_params *params) { return some_open(params, LABEL_CHOOSERS); }

bool gpri_candidate_may_set(const gpr_params *params, gpri_param option) {
    for (int i = 0; i < CHOOSERS; i++)
        if (gpri_value_param(choosers[i]) == option) return is_open(params, choosers[i]);
    return gpri_candidates_of_labels(params) && gpri_params_applies(params, option) &&
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

gpr_status gpri_candidates_for(gpr_ctx *ctx, gpr_params **out, const gpr_dataset *data, const gpr_params *params) {
    const bool labels = gpri_labels_may_help(data, params) && gpri_candidates_of_labels(params);
    gpr_status status = GPR_OK;
    TRY(gpri_params_copy(ctx, out, params));
    if (!gpri_params_applies(params, GPRI_PARAM_DIRECTION)) goto done;
    bool tries = is_open(params, GPRI_DIRECTION_AUTO);
    if (gpri_params_is_default(params, GPRI_PARAM_BASIS) && !gpri_params_asked(params, GPRI_PARAM_DIRECTION))
        tries |= labels && !data->backing.rows && says_directions(&data->graph);
    tries &= gpri_filter_has_directions(&data->graph);
    if (tries) status = gpri_params_set_from(*out, GPRI_FROM_FLAG, "direction", "auto");
    else if (is_open(params, GPRI_DIRECTION_AUTO))
        status = gpri_params_settle(*out, GPRI_PARAM_DIRECTION, "undirected");
    for (int i = 0; i < LABEL_CHOOSERS && tries && !labels; i++) /* of published data `auto` means no */
        if (status == GPR_OK && is_open(params, choosers[i]))
            status = gpri_params_settle(*out, gpri_value_param(choosers[i]), "no");
done:
    if (status != GPR_OK) {
        gpr_params_free(*out);
        *out = NULL;
    }
    return status;
}

gpr_status gpri_candidate_settle(gpr_params *to, const gpr_params *asked, const gpri_candidate *as) {
    for (int i = 0; i < GPRI_CANDIDATE_SETTINGS && as->settings[i].value; i++) {
        const gpri_param option = as->settings[i].option;
        if (!gpri_candidate_may_set(asked, option)) continue;
        gpr_status status = gpri_params_set_from(to, GPRI_FROM_FLAG, gpri_param_word(option), as->settings[i].value);
        if (status != GPR_OK) return status;
    }
    return GPR_OK;
}

static void name_candidate(char *name, size_t size, const gpri_candidate *candidate, const gpr_params *params) {
    size_t at = 0;
    *name = 0;
    for (int i = 0; i < GPRI_CANDIDATE_SETTINGS && candidate->settings[i].value && at < size; i++)
        if (gpri_candidate_may_set(params, candidate->settings[i].option))
            at += (size_t)snprintf(name + at, size - at, "%s%s %s", at ? ", " : "",
                                   gpri_param_word(candidate->settings[i].option), candidate->settings[i].value);
}

int gpri_candidates_place(const gpri_candidate_list *list, const char *name) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0) return i;
    return -1;
}

void gpri_candidates_list(gpri_candidate_list *out, const gpr_params *params) {
    char name[sizeof out->names[0]];
    out->count = 0;
    for (int k = 0; k < GPRI_CANDIDATES; k++) {
        name_candidate(name, sizeof name, &gpri_candidates[k], params);
        if (gpri_candidates_place(out, name) >= 0) continue;
        memcpy(out->names[out->count], name, sizeof name);
        out->which[out->count++] = k;
    }
}
