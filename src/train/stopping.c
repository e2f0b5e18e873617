#include "train/stopping.h"

#include <string.h>

gpri_stopping gpri_stopping_of(const gpr_params *params) {
    const char *word = gpri_params_text(params, GPRI_PARAM_STOPPING);
    if (strcmp(word, "program") == 0) return GPRI_STOP_PROGRAM;
    return strcmp(word, "paper") == 0 ? GPRI_STOP_PAPER : GPRI_STOP_NEVER;
}

bool gpri_should_stop(gpri_stopping rule, const gpri_epoch *history, int64_t step, int64_t patience, int64_t most) {
    if (rule == GPRI_STOP_NEVER || step <= 1) return false;
    if (rule == GPRI_STOP_PROGRAM ? step - 1 <= patience : step <= most / 2) return false;
    int64_t first = step > patience ? step - patience : 1;
    double sum = 0;
    for (int64_t t = first; t < step; t++) sum += history[t].val_loss;
    double mean = sum / (double)(step - first), now = history[step].val_loss;
    return rule == GPRI_STOP_PROGRAM ? now > mean : !(now < mean);
}
