/* When to stop: the two rules, on the history of validation losses. */
#ifndef GPRI_STOPPING_H
#define GPRI_STOPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/params.h"
#include "train/result.h"

typedef enum gpri_stopping { GPRI_STOP_PROGRAM, GPRI_STOP_PAPER, GPRI_STOP_NEVER } gpri_stopping;

/* By the option `stopping`. */
gpri_stopping gpri_stopping_of(const gpr_params *params);

/* history[1 .. step]: the evaluations after each step; whether to stop after this one.
   program: once more than `patience` steps lie before it, when its validation loss is above the mean of the last
   `patience`. paper: past half of `most` steps, when it is not below that mean. */
bool gpri_should_stop(gpri_stopping rule, const gpri_epoch *history, int64_t step, int64_t patience, int64_t most);

#endif
