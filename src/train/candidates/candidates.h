/* What is tried where an option is `auto`: settings of options, and where `model` is, of several models. */
#ifndef GPRI_CANDIDATES_H
#define GPRI_CANDIDATES_H

#include "train/result.h"

enum { GPRI_CANDIDATE_SETTINGS = 10 };
typedef enum gpri_candidate_point { GPRI_POINT_LABELS, GPRI_POINT_DIRECTIONS, GPRI_POINT_MODEL } gpri_candidate_point;

typedef struct gpri_candidate {
    const char *word;  /* where `model` is auto (base/models.def); NULL: of label use, named by its settings */
    const char *model; /* with it; else NULL: that of the options */
    gpri_candidate_point point;
    struct {
        gpri_param option;
        const char *value;
    } settings[GPRI_CANDIDATE_SETTINGS]; /* value NULL: no more */
} gpri_candidate;

/* (gpri_candidate_count) Those of a named model come first: of them, the first has all options that a choice may set,
   and gpri_plain_candidate is what is taken where there is no choice. */
extern const gpri_candidate gpri_candidates[];
extern const int gpri_candidate_count, gpri_plain_candidate;

/* *out: the options for this data: `direction` is `auto` only where the choice sets it. That is where edges have
   directions and it was asked for; or where known labels are chosen too, and the edges say directions: a twentieth of
   them or more have a reverse, and as many have not. Free with gpr_params_free. */
gpr_status gpri_candidates_for(gpr_ctx *ctx, gpr_params **out, const gpr_dataset *data,
                               const gpr_params *params) GPRI_MUST_CHECK;
/* Whether there is something to choose: an option is `auto`. */
bool gpri_candidates_open(const gpr_params *params);
bool gpri_candidates_of_labels(const gpr_params *params); /* and of these it is one of known labels */
/* Whether the choice may set the option: it is `auto`; or nobody has set it, and the model or label use is chosen. */
bool gpri_candidate_may_set(const gpr_params *params, gpri_param option);
/* The settings of a candidate, for the options that the choice may set with the options that were asked for. */
gpr_status gpri_candidate_settle(gpr_params *to, const gpr_params *asked, const gpri_candidate *as) GPRI_MUST_CHECK;

/* The candidates that these options leave: those that somebody has set make candidates equal, and each counts once; a
   model that lacks one of them is not tried, nor, by processes that share the rows, one whose rows they cannot. Fails
   where none is left. */
typedef struct gpri_candidate_list {
    int count;
    int which[GPRI_MOST_CANDIDATES]; /* in gpri_candidates */
    char names[GPRI_MOST_CANDIDATES][GPRI_CANDIDATE_NAME];
} gpri_candidate_list;
gpr_status gpri_candidates_list(gpr_ctx *ctx, gpri_candidate_list *out, const gpr_params *params) GPRI_MUST_CHECK;
const char *gpri_candidate_model(const char *word);                           /* "" if there is none of that word */
int gpri_candidates_place(const gpri_candidate_list *list, const char *name); /* -1: it is not there */

#endif
