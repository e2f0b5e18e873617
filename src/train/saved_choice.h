/* What a state (train/saved.h) says of the choice among candidates (train/candidates/choose.h), in its metadata:
 *
 *  - choice.now: the candidate that the state is of, by its settings; not there once the choice is made
 *  - choice.count: how many others are finished; of the I-th: choice.I.name, choice.I.score and choice.I.loss, the bits
 *    of a double in hex, or choice.I.score "failed"; where models are chosen, choice.I.rungs, choice.I.until and
 *    choice.I.epochs (train/result.h), and choice.I.done "yes" where it ended before
 *  - choice.measure: what the scores are
 *  - choice.cut: "yes" where the clock ended the choice before all were tried
 *
 * While a choice goes on, the array `kept` is the state of the best of the finished ones. So the last state of a
 * training knows all that came before it. */
#ifndef GPRI_SAVED_CHOICE_H
#define GPRI_SAVED_CHOICE_H

#include "train/saved.h"

typedef struct gpri_saved_choice {
    bool old;                      /* a state of 0.2.0, which does not say whether it is of a choice */
    bool some;                     /* it is of one */
    bool given;                    /* its splits are the caller's */
    int64_t runs;                  /* of the training */
    char now[GPRI_CANDIDATE_NAME]; /* the candidate that it is of; "": the choice is made */
    gpri_choice so_far;            /* the finished ones, in their order; neither `taken` nor `text` is filled in */
    gpr_state kept;                /* in the bytes of the state; bytes NULL: none */
    double seconds;                /* of the training, so far */
} gpri_saved_choice;

/* Into the metadata of a state of the result. */
void gpri_choice_write(gpri_object *meta, const gpr_result *result);
/* Of a state. Its bytes must outlive *out. Errors: GPR_ERROR_FORMAT. */
gpr_status gpri_choice_read(gpri_saved_choice *out, const gpr_state *state) GPRI_MUST_CHECK;

#endif
