/* Whether the device, or the machine, has memory for a training, before anything is taken; and for how many runs at a
 * time. */
#include <stdio.h>

#include "base/budget.h"
#include "base/memory.h"
#include "layer/net.h"
#include "tensor/counter.h"
#include "train/experiment.h"

/* The share of the free memory that runs side by side may take; the rest is for what operations compute in. */
#define SHARE 0.875

/* Of so many nodes, scores and arcs (about a million) one wants to know what a CPU needs. */
static bool is_large(const gpr_ctx *ctx, const gpr_dataset *data) {
    return data->graph.nodes * (1 + gpri_target_scores(&data->target) / 10) + data->graph.arcs > ctx->large / 8;
}

/* filter: becomes how the filter goes over its columns, "" without a filter; may be NULL. */
static gpr_status count_run(gpri_counter *counter, gpri_experiment *experiment, int64_t run, char *filter) {
    const gpri_labelled *rows = experiment->prepared->rows;
    const gpr_split *split;
    gpri_trainer *trainer = NULL;
    gpr_split *own = NULL;
    gpr_status status = gpri_experiment_split(experiment, &own, &split, experiment->result->runs[run].split);
    if (status == GPR_OK)
        status = gpri_trainer_plan(experiment->ctx, &trainer, &counter->device,
                                   rows ? &rows->data : gpri_prepared_data(experiment->prepared),
                                   rows ? &rows->features : &experiment->prepared->features, split, experiment->params,
                                   experiment->threads_per_run, experiment->seed + (uint64_t)run);
    if (filter) *filter = 0;
    if (filter && status == GPR_OK) (void)gpri_filter_text(filter, trainer->net);
    gpri_trainer_free(trainer);
    gpr_split_free(own);
    return status;
}

/* What the runs take of the machine's memory, beside the data. */
static gpr_status host_need(gpri_experiment *experiment) {
    gpr_ctx *ctx = experiment->ctx;
    const int64_t machine = gpri_machine_memory(), threads = ctx->threads;
    const int64_t at_once = experiment->runs < threads ? experiment->runs : threads;
    gpri_counter counter;
    char each[GPRI_SIZE_TEXT], sum[GPRI_SIZE_TEXT], there[GPRI_SIZE_TEXT], filter[GPRI_WAY_TEXT];
    if (!is_large(ctx, experiment->data)) return GPR_OK;
    gpri_counter_begin(&counter, ctx->job.device);
    counter.device.share = ctx->job.cpu->share; /* the host's arrays are there already */
    counter.device.unshare = ctx->job.cpu->unshare;
    NEED(count_run(&counter, experiment, 0, filter));
    if (*filter) gpri_log(ctx, GPR_LOG_INFO, "graph filter: %s", filter);
    const double bytes = (double)at_once * (double)counter.bytes;
    gpri_size_text(each, (double)counter.bytes);
    gpri_size_text(sum, bytes);
    gpri_size_text(there, (double)machine);
    if (machine > 0 && bytes > (double)machine)
        return gpri_fail(GPR_ERROR_MEMORY,
                         "training %s on %s takes %s of memory for %lld %s, and the machine has %s: %s, a smaller "
                         "`hidden` or fewer `runs` take less",
                         gpri_params_text(experiment->params, GPRI_PARAM_MODEL), experiment->data->name, sum,
                         (long long)at_once, at_once > 1 ? "runs at a time" : "run", there,
                         experiment->prepared->rows ? "a smaller `batch`" : "`order` filter-first of gprgnn");
    gpri_log(ctx, GPR_LOG_INFO, "memory of a run: %s, beside the data; %lld at a time; the machine has %s", each,
             (long long)at_once, there);
    return GPR_OK;
}

gpr_status gpri_experiment_need(gpri_experiment *experiment, int64_t *at_once) {
    gpr_ctx *ctx = experiment->ctx;
    const gpri_device *device = ctx->job.device;
    gpri_counter counter;
    char what[300], one[GPRI_SIZE_TEXT], more[GPRI_SIZE_TEXT], there[GPRI_SIZE_TEXT];
    int64_t first = 0;
    gpr_status status;
    *at_once = experiment->runs;
    if (!device->room) return device == ctx->job.cpu ? host_need(experiment) : GPR_OK;
    gpri_counter_begin(&counter, ctx->job.device);
    status = count_run(&counter, experiment, 0, NULL);
    first = counter.bytes; /* with what all runs share */
    if (status == GPR_OK && experiment->runs > 1) status = count_run(&counter, experiment, 1, NULL);
    const int64_t each = counter.bytes - first;
    counter.bytes = first;
    snprintf(what, sizeof what, "training %s on %s", gpri_params_text(experiment->params, GPRI_PARAM_MODEL),
             experiment->data->name);
    if (status == GPR_OK) status = gpri_counter_fits(&counter, what);
    if (status != GPR_OK) return status;
    const double room = SHARE * (double)device->room(device);
    if (experiment->runs > 1) {
        const double others = room > (double)first ? (room - (double)first) / (double)(each > 0 ? each : 1) : 0;
        if (others < (double)(experiment->runs - 1)) *at_once = 1 + (int64_t)others;
        gpri_log(ctx, GPR_LOG_INFO, "memory of the device: %s for one run, %s for each further one; %s are free",
                 gpri_size_text(one, (double)first), gpri_size_text(more, (double)each),
                 gpri_size_text(there, room / SHARE));
    } else {
        gpri_log(ctx, GPR_LOG_INFO, "memory of the device: %s for the run; %s are free",
                 gpri_size_text(one, (double)first), gpri_size_text(there, room / SHARE));
    }
    return GPR_OK;
}
