/* The epochs of one run. */
#ifndef GPRI_EPOCHS_H
#define GPRI_EPOCHS_H

#include "train/trainer.h"

/* What the caller has to do meanwhile. */
typedef struct gpri_epoch_hooks {
    /* After every step, with the evaluation of the weights and the best step so far. True: stop now. */
    bool (*after_step)(void *arg, int64_t step, int64_t best, const gpri_epoch *now);
    /* Between two steps, where gpri_state_save may be called; history and info of the run are those of this moment. An
       error ends the training. */
    gpr_status (*at_rest)(void *arg);
    void *arg;
} gpri_epoch_hooks;

/* A run whose epochs are being trained. What the host knows of the history: evaluations 0 .. seen - 1. */
typedef struct gpri_epochs {
    gpri_trainer *trainer;
    gpri_run *out;
    const gpr_params *params;
    const gpri_epoch_hooks *hooks;
    int64_t first; /* steps that were done before */
    int64_t seen, best;
    gpri_record record; /* the device's, when the host looked last */
    double seconds; /* of the run; of what several runs did together, an equal share each */
    bool over;      /* the rule said stop, all epochs are done, or after_step asked for it */
    gpr_status failed;
    char why[1024]; /* the message of its failure */
} gpri_epochs;

/* Looks at the first weights. A run that was restored (gpri_state_load: *out has a history) goes on where it was, or
   with go_on false just stays there. */
gpr_status gpri_epochs_begin(gpri_epochs *run, gpri_trainer *trainer, gpri_run *out, const gpr_params *params,
                             bool go_on, const gpri_epoch_hooks *hooks) GPRI_MUST_CHECK;
/* One more epoch of `count` runs that are not over, at most GPRI_MOST_LANES, side by side where the device can. A run
   that failed says so itself; GPR_ERROR_NUMERIC: its losses are not finite. */
void gpri_epochs_go_on(gpri_epochs *const *runs, int64_t count);
/* After the last epoch. The best weights are left in trainer->state.best; history, info and warning of the run are
   filled in. GPR_ERROR_NUMERIC: weights that are kept, or scores that they give, are not finite. */
gpr_status gpri_epochs_end(gpri_epochs *run) GPRI_MUST_CHECK;

/* All of it, for one run. */
gpr_status gpri_train_epochs(gpri_trainer *trainer, gpri_run *out, const gpr_params *params, bool go_on,
                             const gpri_epoch_hooks *hooks) GPRI_MUST_CHECK;

#endif
