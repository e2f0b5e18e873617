/* The state of a training (trainer.h) out of the device's memory and back into it. */
#ifndef GPRI_STATE_H
#define GPRI_STATE_H

#include "train/trainer.h"

/* Whether nothing is left to do: the rule said stop, or all epochs are done. */
bool gpri_state_finished(const gpri_trainer *trainer);

/* After a look without the step that follows it, which is where gpri_train_epochs leaves a run that was stopped: what
   it takes to go on from there. History and best weights are not in it; the run has them. */
gpr_status gpri_state_save(const gpri_trainer *trainer, gpri_pause *out) GPRI_MUST_CHECK;

/* A run as it was saved. All arrays are borrowed, and may lie at any address. */
typedef struct gpri_restart {
    int64_t steps, best;  /* judged last; the best of them */
    const void *history;  /* (steps + 1) gpri_epoch */
    const void *gamma;    /* (gamma_rows x gamma_count of the options) floats; NULL: no filter is learned */
    const void *weights;  /* (weight_count) floats: those of the best step, one after the other without padding */
    int64_t weight_count; /* not trusted */
    const void *numbers;  /* (number_count) gpri_real, as in gpri_pause; NULL: the run is finished */
    int64_t number_count; /* not trusted */
    const void *adam;     /* gpri_adam */
} gpri_restart;

/* Into a new trainer of the same data, options and seed: the device's memory is then what it was. The next look is that
   of step `steps` once more: it finds the same numbers, and so changes nothing. Errors: GPR_ERROR_FORMAT where the
   arrays have another size. */
gpr_status gpri_state_load(gpri_trainer *trainer, const gpri_restart *from) GPRI_MUST_CHECK;

#endif
