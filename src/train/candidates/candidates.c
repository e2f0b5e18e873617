/* The candidates, and what they set. */
#include "train/candidates/candidates.h"

#include <stdio.h>
#include <string.h>

/* The likely best one first. A table has few columns, and a node few neighbours with a known label: half of them
   dropped is often too much. */
const gpri_candidate gpri_candidates[GPRI_CANDIDATES] = {
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

/* Options that may be `auto`; if one is, there is something to choose. */
static const gpri_value choosers[] = {GPRI_LABEL_INPUT_AUTO, GPRI_LABEL_COUNTS_AUTO};
enum { CHOOSERS = sizeof choosers / sizeof *choosers };

static bool is_open(const gpr_params *params, gpri_value chooser) {
    return gpri_params_applies(params, gpri_value_param(chooser)) && gpri_params_is(params, chooser);
}

bool gpri_candidate_may_set(const gpr_params *params, gpri_param option) {
    for (int i = 0; i < CHOOSERS; i++)
        if (gpri_value_param(choosers[i]) == option && is_open(params, choosers[i])) return true;
    return gpri_params_applies(params, option) &&
           strcmp(gpr_params_source(params, gpri_param_word(option)), "default") == 0;
}

bool gpri_candidates_open(const gpr_params *params) {
    for (int i = 0; i < CHOOSERS; i++)
        if (is_open(params, choosers[i])) return true;
    return false;
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
