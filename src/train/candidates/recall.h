/* What the states of a training that goes on know of its choice. */
#ifndef GPRI_RECALL_H
#define GPRI_RECALL_H

#include "train/candidates/candidates.h"
#include "train/saved_choice.h"

typedef struct gpri_recalled {
    bool settled; /* the states are of 0.2.0, and of a training that has nothing to choose any more */
    gpri_choice choice;
    char now[GPRI_CANDIDATE_NAME]; /* the candidate that `state` is of */
    gpr_state state;               /* bytes NULL: none */
    gpr_state kept;                /* of the best finished candidate, inside `state`; bytes NULL: none */
    bool given;                    /* the splits of `state` are the caller's */
    double seconds;                /* of the training so far */
    gpr_state *others; /* (other_count) owned: states of runs after the choice; there is room for one more */
    int64_t other_count;
} gpri_recalled;

/* all: the candidates with the options of this call, which must be those of the states. states: (count), borrowed.
   Free out->others with gpri_free, whatever happens. Errors: GPR_ERROR_FORMAT, GPR_ERROR_MISMATCH. */
gpr_status gpri_choice_recall(gpr_ctx *ctx, gpri_recalled *out, const gpri_candidate_list *list,
                              const gpri_choice_plan *plan, const gpr_params *params, const gpr_state *states,
                              int64_t count) GPRI_MUST_CHECK;
/* That none of the states is of a choice. */
gpr_status gpri_choice_none(const gpr_state *states, int64_t count) GPRI_MUST_CHECK;

#endif
