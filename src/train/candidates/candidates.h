/* What is tried where an option is `auto`: settings of options. */
#ifndef GPRI_CANDIDATES_H
#define GPRI_CANDIDATES_H

#include "train/result.h"

enum { GPRI_CANDIDATES = 4, GPRI_CANDIDATE_SETTINGS = 5 };

typedef struct gpri_candidate {
    struct {
        gpri_param option;
        const char *value;
    } settings[GPRI_CANDIDATE_SETTINGS]; /* value NULL: no more */
} gpri_candidate;

/* The first has all options that a choice may set. The last is what is taken where there is no choice. */
extern const gpri_candidate gpri_candidates[GPRI_CANDIDATES];

/* *out: the options for this data: `direction` is `auto` only where the choice sets it. That is where edges have
   directions and it was asked for; or where known labels are chosen too, and the edges say directions: a twentieth of
   them or more have a reverse, and as many have not. Free with gpr_params_free. */
gpr_status gpri_candidates_for(gpr_ctx *ctx, gpr_params **out, const gpr_dataset *data,
                               const gpr_params *params) GPRI_MUST_CHECK;
/* Whether there is something to choose: an option is `auto`. */
bool gpri_candidates_open(const gpr_params *params);
bool gpri_candidates_of_labels(const gpr_params *params); /* and of these it is one of known labels */
/* Whether the choice may set the option: it is `auto`, or goes with labels that are and nobody has set it. */
bool gpri_candidate_may_set(const gpr_params *params, gpri_param option);
/* The settings of a candidate, for the options that the choice may set with the options that were asked for. */
gpr_status gpri_candidate_settle(gpr_params *to, const gpr_params *asked, const gpri_candidate *as) GPRI_MUST_CHECK;

/* The candidates that these options leave: those that somebody has set make candidates equal, and each counts once. */
typedef struct gpri_candidate_list {
    int count;
    int which[GPRI_CANDIDATES]; /* in gpri_candidates */
    char names[GPRI_CANDIDATES][GPRI_CANDIDATE_NAME];
} gpri_candidate_list;
void gpri_candidates_list(gpri_candidate_list *out, const gpr_params *params);
int gpri_candidates_place(const gpri_candidate_list *list, const char *name); /* -1: it is not there */

#endif
