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

/* Trains until the rule says stop, `epochs` are done or after_step asks for it. The best weights are left in
   trainer->state.best; history, info and warning of *out are filled in. A run that was restored (gpri_state_load: *out
   has a history) goes on where it was, or with go_on false just stays there. GPR_ERROR_NUMERIC: losses, weights that
   are kept, or scores that they give are not finite. */
gpr_status gpri_train_epochs(gpri_trainer *trainer, gpri_run *out, const gpr_params *params, bool go_on,
                             const gpri_epoch_hooks *hooks) GPRI_MUST_CHECK;

#endif
