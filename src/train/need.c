/* Whether the device has memory for a training, before anything is taken; and for how many runs at a time. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tensor/counter.h"
#include "train/experiment.h"

/* The share of the free memory that runs side by side may take; the rest is for what operations compute in. */
#define SHARE 0.875

static gpr_status count_run(gpri_experiment *all, int64_t run) {
    gpri_trainer *trainer = NULL;
    gpr_status status = gpri_trainer_plan(all->ctx, &trainer, all->data, &all->features, all->result->runs[run].split,
                                          all->params, all->threads_per_run, all->seed + (uint64_t)run);
    gpri_trainer_free(trainer);
    return status;
}

gpr_status gpri_experiment_need(gpri_experiment *all, int64_t *at_once) {
    gpr_ctx *ctx = all->ctx;
    const gpri_device *device = ctx->device;
    gpri_counter counter;
    char what[300], one[GPRI_SIZE_TEXT], more[GPRI_SIZE_TEXT], there[GPRI_SIZE_TEXT];
    int64_t first = 0;
    gpr_status status;
    *at_once = all->runs;
    if (!device->room) return GPR_OK;
    gpri_counter_begin(&counter, ctx);
    status = count_run(all, 0);
    first = counter.bytes; /* with what all runs share */
    if (status == GPR_OK && all->runs > 1) status = count_run(all, 1);
    gpri_counter_end(&counter, ctx);
    const int64_t each = counter.bytes - first;
    counter.bytes = first;
    snprintf(what, sizeof what, "training %s on %s", gpri_params_text(all->params, GPRI_PARAM_MODEL), all->data->name);
    if (status == GPR_OK) status = gpri_counter_fits(&counter, what);
    if (status != GPR_OK) return status;
    const double room = SHARE * (double)device->room(device);
    if (all->runs > 1) {
        const double others = room > (double)first ? (room - (double)first) / (double)(each > 0 ? each : 1) : 0;
        if (others < (double)(all->runs - 1)) *at_once = 1 + (int64_t)others;
        gpri_log(ctx, GPR_LOG_INFO, "memory of the device: %s for one run, %s for each further one; %s are free",
                 gpri_size_text(one, (double)first), gpri_size_text(more, (double)each),
                 gpri_size_text(there, room / SHARE));
    } else {
        gpri_log(ctx, GPR_LOG_INFO, "memory of the device: %s for the run; %s are free",
                 gpri_size_text(one, (double)first), gpri_size_text(there, room / SHARE));
    }
    return GPR_OK;
}
