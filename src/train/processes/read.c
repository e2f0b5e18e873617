/* Which rows of the data a process of several opens, and looks through before they are used. Rows of shards that are
 * not open cannot be read: so a process opens all of them unless it is known that its own are enough. */
#include <stdio.h>
#include <string.h>

#include "data/defaults.h"
#include "model/model.h"
#include "train/processes/processes.h"
#include "train/smooth_choice.h"

bool gpri_processes_own_rows_do(const gpr_params *params) {
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (gpri_params_applies(params, (gpri_param)i) && !gpri_params_own_rows_do(params, (gpri_param)i)) return false;
    return gpri_model_shares(params);
}

/* Columns that may be scaled, of features that are stored sparsely: how many are stored afterwards, all rows tell. */
static bool scales_sparse(const gpri_experiment *experiment) {
    return !experiment->data->features.dense &&
           gpri_scale_may_be_columns(experiment->data, gpri_params_value(experiment->params, GPRI_PARAM_NORMALIZE));
}

/* Whether a process looks at rows of others, too: by an option, or by what it means for this data. */
static bool needs_all(const gpri_experiment *experiment) {
    const gpr_params *params = experiment->params;
    return gpri_dealt_out(experiment->ctx) != GPRI_SPREAD_ROWS || !gpri_processes_own_rows_do(params) ||
           experiment->data->own_labels || gpri_model_takes_labels(params) || gpri_model_counts_labels(params) ||
           gpri_smooth_asked(params, experiment->data) || scales_sparse(experiment);
}

/* Of data that is cut into shards. */
static gpr_status open_rows(const gpri_experiment *experiment) {
    const gpri_backing *backing = &experiment->data->backing;
    const gpri_range own = gpri_processes_rows(experiment);
    const bool every = needs_all(experiment);
    if (!backing->rows) return GPR_OK;
    return backing->rows(experiment->ctx, backing->file, every ? 0 : own.first,
                         every ? experiment->data->graph.nodes : own.end);
}

/* Each looks through a part of the file. The fingerprint is then the one that the file states: to compute it, one
   process would have to read all. */
static gpr_status read_together(gpri_experiment *experiment) {
    gpr_ctx *ctx = experiment->ctx;
    const gpri_backing *backing = &experiment->data->backing;
    char stated[64];
    snprintf(stated, sizeof stated, "%016llx%016llx", (unsigned long long)backing->stated[0],
             (unsigned long long)backing->stated[1]);
    NEED(gpri_all_same(ctx, stated, "other data", "give the same files to all"));
    NEED(gpri_all_well(ctx, open_rows(experiment)));
    return backing->ready(ctx, ctx->threads, ctx, backing->file);
}

/* A file that states no fingerprint is read by every process, and data in memory is there. All processes ask each other
   the same, whatever they have themselves. */
gpr_status gpri_processes_read(gpri_experiment *experiment) {
    gpr_ctx *ctx = experiment->ctx;
    const gpri_backing *backing = &experiment->data->backing;
    const uint64_t none[2] = {0, 0};
    const bool parts = backing->file && !backing->seen(backing->file) && !experiment->data->own_features &&
                       memcmp(backing->stated, none, sizeof none) != 0;
    const gpr_status status = gpri_all_well(ctx, GPR_OK); /* a process that has failed is there */
    if (status != GPR_OK) return status;
    if (gpri_spreads_rows(ctx) && gpri_all_most(ctx, !parts) == 0) return read_together(experiment);
    const bool partly = backing->file && backing->partly(backing->file);
    const bool own = !needs_all(experiment) && (partly || !backing->file || backing->seen(backing->file));
    if (gpri_spreads_rows(ctx) && gpri_all_most(ctx, !own) == 0 && partly)
        return GPR_OK; /* an earlier training has looked through them */
    return backing->file ? backing->ready(ctx, ctx->threads, NULL, backing->file) : GPR_OK;
}
