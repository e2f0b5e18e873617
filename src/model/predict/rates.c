/* Base rates by EM. With q the probabilities of the model, r the rates behind them and p those of the new data, a
 * node's probabilities are q p / r, made to add up to 1, and p is their mean: both are repeated until p stays. The
 * likelihood of p has one maximum only, so the start does not matter.
 *
 * r is the mean of the probabilities where the classes have the rates that the training has seen, weights of classes
 * counted (train/rates.c), and p / r the correction. So where the rates are those of the training, nothing changes,
 * even if the model is not calibrated. Weights of classes, which ask for other probabilities than the true ones, are
 * taken out. What is told of p is p / r times the rates that belong to r. */
#include "model/predict/rates.h"

#include <math.h>
#include <string.h>

#include "base/print.h"
#include "model/known.h"
#include "task/link.h"

enum { MOST_STEPS = 500 };
static const double near_enough = 1e-8, least = 1e-9;

void gpri_rates_free(gpri_rates *rates) {
    if (rates->ctx) gpri_free(rates->ctx, rates->trained);
    *rates = (gpri_rates){0};
}

gpr_status gpri_rates_new(gpr_ctx *ctx, gpri_rates *out, const gpr_model *model) {
    const int64_t C = model->classes;
    *out = (gpri_rates){0};
    if (!model->rates)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`adapt-prior`: the file of the model does not say how frequent the classes were in its "
                         "training, as it is of an earlier version: train it again");
    NEED(gpri_calloc(ctx, &out->trained, (GPRI_RATES_ROWS + 2) * C, sizeof *out->trained, "classes"));
    out->ctx = ctx;
    out->classes = C;
    out->weighted = out->trained + C, out->behind = out->weighted + C, out->mean = out->behind + C;
    out->found = out->mean + C, out->factor = out->found + C;
    for (int64_t i = 0; i < GPRI_RATES_ROWS * C; i++) out->trained[i] = (double)model->rates[i];
    for (int64_t c = 0; c < C; c++) {
        out->found[c] = out->trained[c];
        out->factor[c] = 1;
    }
    return GPR_OK;
}

/* ---- nodes ---- */

gpr_status gpri_rates_nodes(gpr_ctx *ctx, uint8_t **out, const gpr_model *model, const gpr_dataset *data,
                            const int32_t *known) {
    const int64_t nodes = data->graph.nodes;
    int64_t count = 0;
    NEED(gpri_alloc(ctx, out, nodes, sizeof **out, "nodes"));
    NEED(gpr_model_learned_nodes(ctx, model, data, *out));
    const bool own =
        !model->known_nodes && gpri_is_data_of(model, data); /* it has forgotten which nodes it was given */
    for (int64_t i = 0; i < nodes; i++) {
        (*out)[i] =
            !(*out)[i] && !(known && known[i] >= 0) && !(own && data->target.labels && data->target.labels[i] >= 0);
        count += (*out)[i];
    }
    if (count >= GPRI_RATES_FEWEST) return GPR_OK;
    gpri_free(ctx, *out);
    *out = NULL;
    return GPR_OK;
}

gpri_rates_sample gpri_rates_sample_of(const uint8_t *counted, int64_t nodes) {
    gpri_rates_sample sample = {.counted = counted, .nodes = nodes, .count = nodes};
    for (int64_t i = 0; counted && i < nodes; i++) sample.count -= !counted[i];
    return sample;
}

int64_t gpri_rates_sample_size(const gpri_rates_sample *sample) {
    return sample->count < GPRI_RATES_MOST ? sample->count : GPRI_RATES_MOST;
}

/* Node k of those that count is taken where k size / count is the next whole number. */
int64_t gpri_rates_take(gpri_rates_sample *sample, int64_t node) {
    if (sample->counted && !sample->counted[node]) return -1;
    const double size = (double)gpri_rates_sample_size(sample), k = (double)sample->at++;
    if (floor(k * size / (double)sample->count) < (double)sample->taken) return -1;
    return sample->taken++;
}

/* ---- EM ---- */

/* next: (classes) becomes the mean of q p / r, with p in rates->found; what a class that never occurred has is left
 * out. */
static void step(double *next, const gpri_rates *rates, const float *proba, int64_t nodes) {
    const int64_t C = rates->classes;
    double whole = 0;
    memset(next, 0, (size_t)C * sizeof *next);
    for (int64_t i = 0; i < nodes; i++) {
        const float *q = proba + i * C;
        double sum = 0;
        for (int64_t c = 0; c < C; c++)
            if (rates->behind[c] > 0) sum += (double)q[c] * rates->found[c] / rates->behind[c];
        for (int64_t c = 0; sum > 0 && c < C; c++)
            if (rates->behind[c] > 0) next[c] += (double)q[c] * rates->found[c] / rates->behind[c] / sum;
    }
    for (int64_t c = 0; c < C; c++) whole += next[c];
    for (int64_t c = 0; c < C; c++) next[c] = whole > 0 ? fmax(next[c] / whole, least) : rates->found[c];
}

/* The class whose rate changed most. */
static void say(const gpri_rates *rates, const gpr_model *model, const gpr_dataset *data) {
    char name[24], text[160];
    int64_t at = 0;
    for (int64_t c = 1; c < rates->classes; c++)
        if (fabs(rates->found[c] - rates->trained[c]) > fabs(rates->found[at] - rates->trained[at])) at = c;
    gpri_print(text, sizeof text, "of %.1f %% of the nodes, in the training of %.1f %%", 100 * rates->found[at],
               100 * rates->trained[at]);
    gpri_log(rates->ctx, GPR_LOG_NOTICE,
             "%s: base rates estimated from the probabilities of %lld nodes; the largest change: '%s' is the class %s",
             data->name, (long long)rates->nodes, gpri_name_or_number(&model->class_names, at, name), text);
}

void gpri_rates_find(gpri_rates *rates, const float *proba, int64_t nodes, const gpr_model *model,
                     const gpr_dataset *data) {
    const int64_t C = rates->classes;
    double sum = 0, change = 1;
    if (nodes < GPRI_RATES_FEWEST) {
        gpri_log(rates->ctx, GPR_LOG_WARNING,
                 "%s: %lld nodes are too few to estimate base rates from (`adapt-prior`): those of the training stay",
                 data->name, (long long)nodes);
        return;
    }
    memcpy(rates->found, rates->behind, (size_t)C * sizeof *rates->found);
    for (int s = 0; s < MOST_STEPS && change > near_enough; s++) {
        step(rates->factor, rates, proba, nodes);
        change = 0;
        for (int64_t c = 0; c < C; c++) {
            change = fmax(change, fabs(rates->factor[c] - rates->found[c]));
            rates->found[c] = rates->factor[c];
        }
    }
    for (int64_t c = 0; c < C; c++) rates->factor[c] = rates->behind[c] > 0 ? rates->found[c] / rates->behind[c] : 1;
    for (int64_t c = 0; c < C; c++) sum += rates->found[c] = rates->weighted[c] * rates->factor[c];
    for (int64_t c = 0; sum > 0 && c < C; c++) rates->found[c] /= sum;
    rates->nodes = nodes;
    say(rates, model, data);
}

void gpri_rates_adapt(const gpri_rates *rates, const gpr_model *model, const gpri_outcome *rows, int64_t count) {
    const int64_t C = rates->classes;
    if (rates->nodes == 0) return; /* they are those of the training */
    const double temperature = 1 / gpri_model_scale(model);
    for (int64_t i = 0; i < count; i++) {
        const gpri_outcome row = gpri_outcome_from(rows, i, C);
        double sum = 0;
        for (int64_t c = 0; c < C; c++) sum += (double)row.proba[c] * rates->factor[c];
        for (int64_t c = 0; c < C; c++) row.proba[c] = (float)((double)row.proba[c] * rates->factor[c] / sum);
        for (int64_t c = 0; row.logits && c < C; c++) row.logits[c] += (float)(temperature * log(rates->factor[c]));
        if (row.classes) *row.classes = (int32_t)gpri_best_of_floats(row.proba, C);
    }
}
