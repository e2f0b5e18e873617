/* One training on a preparation, which it may share with others. The public calls are in
 * train/candidates/train.c. */
#ifndef GPRI_TRAINING_H
#define GPRI_TRAINING_H

#include "train/preparation/preparation.h"
#include "train/result.h"

/* Told of every run when it is finished, by the thread that trained it; several may be told at once. outcome: its
   predictions, or empty. */
typedef struct gpri_run_hook {
    void (*finished)(void *arg, const gpr_result *result, const gpri_run *run, const gpri_outcome *outcome);
    void *arg;
} gpri_run_hook;

/* What a training is told that is one of several. */
typedef struct gpri_attempt {
    bool again;              /* the data and the splits were warned of before */
    bool directions;         /* the choice is one of directions too */
    const gpri_trial *trial; /* the first run alone is trained, without a refit; NULL: all runs */
    const gpri_choice *made; /* the choice that was made before; NULL: none */
    double started, before;  /* the time when the call began; seconds of earlier calls. started 0: it begins now */
    int64_t first; /* its run 0, with the seed of params, is that run of a larger training: it gets the same split */
    const gpri_run_hook *hook; /* may be NULL */
    const char *notice;        /* logged when the first of them begins; or NULL */
} gpri_attempt;

/* Trains with these options, which leave nothing to choose. What it prepares stays in *prepared, for the next one.
 *model, *result: NULL before the call. */
gpr_status gpri_training(gpri_preparation *prepared, gpr_model **model, gpr_result **result, const gpr_params *params,
                         const gpr_train_options *options, const gpri_attempt *attempt) GPRI_MUST_CHECK;
/* Whether the option `refit` asks for a second training; the data is ready. */
bool gpri_training_refits(const gpr_params *params, const gpr_dataset *data);

#endif
