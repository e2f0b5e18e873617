/* The arithmetic of judging a step and going on to the next, for the tables of all devices: the meaning of what an
 * epoch came to, the two rules of stopping, Adam's corrections. How sums are made is left to the caller. */
#ifndef GPRI_JUDGE_H
#define GPRI_JUDGE_H

#include <math.h>

#include "base/compiler.h"
#include "gprgnn.h"
#include "tensor/record.h"

/* What the rule looks at, turned so that lower is better: the validation loss, an error, or the metric times -1. */
GPRI_INLINE double gpri_cost_of(const gpri_epoch *at, gpri_measure metric) {
    if (gpri_is_error(metric)) return at->val_metric;
    return gpri_is_loss(metric) ? at->val_loss : -at->val_metric;
}

GPRI_INLINE bool gpri_lower_cost(const gpri_epoch *a, const gpri_epoch *b, gpri_measure metric) {
    const double x = gpri_cost_of(a, metric), y = gpri_cost_of(b, metric);
    return x < y || (x == y && a->val_loss < b->val_loss);
}

/* Whether the rule may stop after this step. If so, it compares with the mean cost of steps *first .. step - 1. */
GPRI_INLINE bool gpri_stop_window(const gpri_rule *rule, int64_t step, int64_t *first) {
    const bool program = rule->stopping == GPRI_STOP_PROGRAM;
    if (rule->stopping == GPRI_STOP_NEVER || step <= 1) return false;
    if (program ? step - 1 <= rule->patience : step <= rule->epochs / 2) return false;
    *first = step > rule->patience ? step - rule->patience : 1;
    return true;
}

GPRI_INLINE bool gpri_stop_by(const gpri_rule *rule, double now, double mean) {
    return rule->stopping == GPRI_STOP_PROGRAM ? now > mean : !(now < mean);
}

/* Means over the nodes of each part (gpr_part), from the sums. */
GPRI_INLINE gpri_epoch gpri_epoch_of(const gpri_scores *sums, const gpri_rule *rule) {
    double loss[4], accuracy[4];
    for (int part = 0; part < 4; part++) {
        const double count = (double)rule->part_count[part];
        loss[part] = count > 0 ? sums->loss[part] / count : (double)NAN;
        accuracy[part] = count > 0 && !rule->numbers ? 100.0 * (double)sums->correct[part] / count : (double)NAN;
    }
    if (rule->train_factor) {
        loss[GPR_TRAIN] *= (double)*rule->train_factor;
        accuracy[GPR_TRAIN] *= (double)*rule->train_factor;
    }
    gpri_epoch at = {loss[GPR_TRAIN],   loss[GPR_VAL],      loss[GPR_TEST], accuracy[GPR_TRAIN],
                     accuracy[GPR_VAL], accuracy[GPR_TEST], (double)NAN};
    return at;
}

/* Whether history[now], the last one, is the best so far. */
GPRI_INLINE bool gpri_is_best(const gpri_record *record, const gpri_epoch *history, int64_t now,
                              const gpri_rule *rule) {
    return record->best_step == 0 || rule->part_count[GPR_VAL] == 0 ||
           gpri_lower_cost(&history[now], &history[record->best_step], rule->metric);
}

/* Adam (beta .9, .999, epsilon 1e-8), for step t, counted from 1. */
GPRI_INLINE gpri_adam gpri_adam_of(double lr, double t) {
    gpri_adam adam;
    adam.rate = (gpri_real)(lr / (1 - pow(0.9, t)));
    adam.beta1 = (gpri_real)0.9;
    adam.beta2 = (gpri_real)0.999;
    adam.new1 = (gpri_real)0.1;
    adam.new2 = (gpri_real)0.001;
    adam.epsilon = (gpri_real)1e-8;
    adam.second_scale = (gpri_real)(1 / sqrt(1 - pow(0.999, t)));
    return adam;
}

#endif
