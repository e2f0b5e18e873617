/* Saves and restores the state of a training, through the device's put and get alone. */
#include "train/state.h"

#include <string.h>

bool gpri_state_finished(const gpri_trainer *trainer) {
    gpri_record record = gpri_trainer_record(trainer);
    return record.stopped || record.judged == trainer->rule.epochs;
}

gpr_status gpri_state_save(const gpri_trainer *trainer, gpri_pause *out) {
    const gpri_state *state = &trainer->state;
    const gpri_device *device = trainer->net->device;
    const gpri_real *const from[] = {state->values, state->m, state->v};
    NEED(gpri_alloc(trainer->ctx, &out->numbers, 3 * state->weights, sizeof *out->numbers, "state"));
    out->weights = state->weights;
    out->adam = gpri_trainer_record(trainer).adam;
    for (int i = 0; i < 3; i++)
        device->get(device, out->numbers + i * state->weights, from[i], state->weights * (int64_t)sizeof *out->numbers);
    return GPR_OK;
}

/* The best weights: into the net, which knows their layout, and from there to their place. */
static gpr_status load_best(gpri_trainer *trainer, const gpri_restart *from) {
    gpr_status status = GPR_OK;
    gpri_net *net = trainer->net;
    const int64_t bytes = trainer->state.weights * (int64_t)sizeof(gpri_real);
    gpri_real *padded = NULL;
    float *values = NULL;
    int64_t count = 0, at = 0;
    for (int i = 0; i < net->weight_count; i++) count += net->weights[i].rows * net->weights[i].cols;
    if (count != from->weight_count)
        THROW(GPR_ERROR_FORMAT, "the state has %lld weights: the model has %lld", (long long)from->weight_count,
              (long long)count);
    TRY(gpri_copy(trainer->ctx, &values, from->weights, count, sizeof *values, "weights"));
    TRY(gpri_alloc(trainer->ctx, &padded, trainer->state.weights, sizeof *padded, "weights"));
    for (int i = 0; i < net->weight_count; i++) {
        gpri_weight_put(net, &net->weights[i], values + at);
        at += net->weights[i].rows * net->weights[i].cols;
    }
    net->device->get(net->device, padded, net->values, bytes);
    net->device->put(net->device, trainer->state.best, padded, bytes);
done:
    gpri_free_all(trainer->ctx, values, padded);
    return status;
}

gpr_status gpri_state_load(gpri_trainer *trainer, const gpri_restart *from) {
    const gpri_state *state = &trainer->state;
    const gpri_device *device = trainer->net->device;
    const int64_t bytes = state->weights * (int64_t)sizeof(gpri_real);
    gpri_record record = gpri_trainer_record(trainer);
    uint32_t step = (uint32_t)from->steps;
    if (from->numbers && from->number_count != 3 * state->weights)
        return gpri_fail(GPR_ERROR_FORMAT, "the state has %lld numbers of a run: the model has %lld",
                         (long long)from->number_count, (long long)(3 * state->weights));
    NEED(load_best(trainer, from));
    record.judged = from->steps;
    record.best_step = from->best;
    record.stopped = from->numbers == NULL;
    if (from->numbers) {
        const char *numbers = from->numbers;
        memcpy(&record.adam, from->adam, sizeof record.adam);
        device->put(device, state->values, numbers, bytes);
        device->put(device, state->m, numbers + bytes, bytes);
        device->put(device, state->v, numbers + 2 * bytes, bytes);
    }
    device->put(device, state->history, from->history, (from->steps + 1) * (int64_t)sizeof *state->history);
    if (state->gamma)
        device->put(device, state->gamma, from->gamma,
                    gpri_gamma_rows(trainer->plan, from->steps) * trainer->plan.count * (int64_t)sizeof *state->gamma);
    device->put(device, state->record, &record, sizeof record);
    device->put(device, state->step, &step, sizeof step);
    if (trainer->boosting) NEED(gpri_forest_check(trainer->net, state->best));
    if (trainer->boosting) NEED(gpri_forest_check(trainer->net, state->values));
    if (trainer->batches) *trainer->batches->net->step = (uint32_t)(from->steps * trainer->batches->count);
    trainer->steps = from->steps;
    return GPR_OK;
}
