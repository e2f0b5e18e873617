/* The option `calibrate`: one temperature T for all scores, so that softmax(z / T) gives probabilities that fit. */
#ifndef GPRI_CALIBRATE_H
#define GPRI_CALIBRATE_H

#include "train/trainer.h"

enum { GPRI_CALIBRATE_LEAST = 20 }; /* validation nodes */

typedef struct gpri_calibration {
    double temperature;   /* 1/20 to 20 */
    double before, after; /* mean negative log-likelihood of the validation nodes */
    const char *skipped;  /* why there is none: a constant; NULL: there is one */
} gpri_calibration;

/* From the scores of the last forward pass of the evaluation stream: after gpri_train_epochs, those of the weights that
   are kept. smoothed: (nodes x ld) what takes their place, or NULL. T has the lowest negative log-likelihood of the
   validation nodes, but makes probabilities no larger on average than (right ones + 1) / (nodes + 2). */
gpr_status gpri_calibrate(gpri_calibration *out, const gpri_trainer *trainer, const gpr_split *split,
                          const gpri_real *smoothed) GPRI_MUST_CHECK;

/* The same for given scores: z (count x classes), labels (count). Fills in all but `skipped`. */
void gpri_fit_temperature(gpri_calibration *out, const gpri_real *z, const int32_t *labels, int64_t count,
                          int64_t classes);

#endif
