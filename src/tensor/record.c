/* Judging a step and going on to the next: the history, the best step, the two rules of stopping, Adam's corrections.
 */
#include "tensor/record.h"

#include <math.h>

#include "gprgnn.h"

double gpri_epoch_cost(const gpri_epoch *at, gpri_goal metric) {
    return metric == GPRI_GOAL_LOSS ? at->val_loss : -at->val_metric;
}

bool gpri_epoch_better(const gpri_epoch *a, const gpri_epoch *b, gpri_goal metric) {
    const double x = gpri_epoch_cost(a, metric), y = gpri_epoch_cost(b, metric);
    return x < y || (x == y && a->val_loss < b->val_loss);
}

bool gpri_should_stop(const gpri_rule *rule, const gpri_epoch *history, int64_t step) {
    const bool program = rule->stopping == GPRI_STOP_PROGRAM;
    if (rule->stopping == GPRI_STOP_NEVER || step <= 1) return false;
    if (program ? step - 1 <= rule->patience : step <= rule->epochs / 2) return false;
    int64_t first = step > rule->patience ? step - rule->patience : 1;
    double sum = 0;
    for (int64_t t = first; t < step; t++) sum += gpri_epoch_cost(&history[t], rule->metric);
    double mean = sum / (double)(step - first), now = gpri_epoch_cost(&history[step], rule->metric);
    return program ? now > mean : !(now < mean);
}

/* Means over the nodes of each part, from the sums over chunks of rows in the order of the chunks. */
static gpri_epoch epoch_of(const gpri_scores *scores, int64_t chunks, const int64_t *part_count,
                           const gpri_real *train_factor) {
    double loss[4] = {0}, accuracy[4];
    int64_t correct[4] = {0};
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        for (int part = 0; part < 4; part++) {
            loss[part] += scores[chunk].loss[part];
            correct[part] += scores[chunk].correct[part];
        }
    for (int part = 0; part < 4; part++) {
        double count = (double)part_count[part];
        loss[part] = count > 0 ? loss[part] / count : NAN;
        accuracy[part] = count > 0 ? 100.0 * (double)correct[part] / count : NAN;
    }
    if (train_factor) {
        loss[GPR_TRAIN] *= (double)*train_factor;
        accuracy[GPR_TRAIN] *= (double)*train_factor;
    }
    return (gpri_epoch){loss[GPR_TRAIN],
                        loss[GPR_VAL],
                        loss[GPR_TEST],
                        accuracy[GPR_TRAIN],
                        accuracy[GPR_VAL],
                        accuracy[GPR_TEST],
                        NAN};
}

void gpri_judge(gpri_record *record, gpri_epoch *history, const gpri_scores *scores, int64_t chunks,
                const uint32_t *step, const gpri_rule *rule) {
    int64_t now = *step;
    bool validates = rule->part_count[GPR_VAL] > 0;
    record->improved = 0;
    if (record->stopped || now > rule->epochs) return;
    history[now] = epoch_of(scores, chunks, rule->part_count, rule->train_factor);
    if (rule->metric != GPRI_GOAL_LOSS) history[now].val_metric = record->metric;
    record->judged = now;
    if (now == 0) return;
    if (record->best_step == 0 || !validates ||
        gpri_epoch_better(&history[now], &history[record->best_step], rule->metric)) {
        record->best_step = now;
        record->improved = 1;
    }
    if (validates) record->stopped = gpri_should_stop(rule, history, now);
}

void gpri_keep_gamma(float *rows, const gpri_real *gamma, int64_t count, const uint32_t *step,
                     const gpri_record *record, const gpri_rule *rule) {
    const int64_t now = *step;
    if (record->judged != now || now % rule->gamma_stride != 0) return; /* after a stop nothing is judged */
    float *row = rows + now / rule->gamma_stride * count;
    for (int64_t k = 0; k < count; k++) row[k] = (float)gamma[k];
}

/* Adam (beta .9, .999, epsilon 1e-8), for step t, counted from 1. */
static gpri_adam adam_of(double lr, double t) {
    return (gpri_adam){.rate = (gpri_real)(lr / (1 - pow(0.9, t))),
                       .beta1 = (gpri_real)0.9,
                       .beta2 = (gpri_real)0.999,
                       .new1 = (gpri_real)0.1,
                       .new2 = (gpri_real)0.001,
                       .epsilon = (gpri_real)1e-8,
                       .second_scale = (gpri_real)(1 / sqrt(1 - pow(0.999, t)))};
}

void gpri_advance(gpri_record *record, uint32_t *step, const gpri_rule *rule) {
    ++*step;
    record->adam = adam_of(rule->lr, (double)*step + 1);
}

gpri_record gpri_record_start(const gpri_rule *rule) {
    return (gpri_record){.judged = -1, .adam = adam_of(rule->lr, 1)};
}
