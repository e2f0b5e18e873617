/* Judging a step and going on to the next, for devices whose memory the host can read: sums in the order of chunks and
 * steps. */
#include "tensor/record.h"

#include "gprgnn.h"
#include "tensor/judge.h"

bool gpri_epoch_better(const gpri_epoch *a, const gpri_epoch *b, gpri_measure metric) {
    return gpri_lower_cost(a, b, metric);
}

bool gpri_should_stop(const gpri_rule *rule, const gpri_epoch *history, int64_t step) {
    int64_t first;
    double sum = 0;
    if (!gpri_stop_window(rule, step, &first)) return false;
    for (int64_t t = first; t < step; t++) sum += gpri_cost_of(&history[t], rule->metric);
    return gpri_stop_by(rule, gpri_cost_of(&history[step], rule->metric), sum / (double)(step - first));
}

void gpri_judge(gpri_record *record, gpri_epoch *history, const gpri_scores *scores, int64_t chunks,
                const uint32_t *step, const gpri_rule *rule) {
    int64_t now = *step;
    gpri_scores sums = {.loss = {0}};
    record->improved = 0;
    if (record->stopped || now > rule->epochs) return;
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        for (int part = 0; part < 4; part++) {
            sums.loss[part] += scores[chunk].loss[part];
            sums.correct[part] += scores[chunk].correct[part];
        }
    history[now] = gpri_epoch_of(&sums, rule);
    if (!gpri_is_loss(rule->metric)) history[now].val_metric = record->metric;
    record->judged = now;
    if (now == 0) return;
    if (gpri_is_best(record, history, now, rule)) {
        record->best_step = now;
        record->improved = 1;
    }
    if (rule->part_count[GPR_VAL] > 0) record->stopped = gpri_should_stop(rule, history, now);
}

void gpri_keep_gamma(float *rows, const gpri_real *gamma, int64_t count, const uint32_t *step,
                     const gpri_record *record, const gpri_rule *rule) {
    const int64_t now = *step;
    if (record->judged != now || now % rule->gamma_stride != 0) return; /* after a stop nothing is judged */
    float *row = rows + now / rule->gamma_stride * count;
    for (int64_t k = 0; k < count; k++) row[k] = (float)gamma[k];
}

void gpri_advance(gpri_record *record, uint32_t *step, const gpri_rule *rule) {
    ++*step;
    record->adam = gpri_adam_of(rule->lr, (double)*step + 1);
}

gpri_record gpri_record_start(const gpri_rule *rule) {
    return (gpri_record){.judged = -1, .adam = gpri_adam_of(rule->lr, 1)};
}
