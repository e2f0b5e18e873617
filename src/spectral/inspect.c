/* Making an inspection: from a model, and optionally a graph and a split. */
#include <string.h>

#include "spectral/density.h"
#include "spectral/inspection.h"

/* What can be said without a graph. */
static gpr_status inspect_filter(gpr_inspection *out, const gpr_model *model) {
    double *gamma, *lambda, *response;
    NEED(gpri_trained_of(&out->filter, model));
    const int64_t count = out->filter.form.hops + 1;
    if (gpri_trained_blocks(model) > 0) {
        NEED(gpri_inspect_filters(out, model));
        gpri_inspect_weights(out, model);
    }
    if (out->filter.form.count == 0) return GPR_OK;
    NEED(gpri_strdup(out->ctx, &out->basis, out->filter.basis));
    out->plain = gpri_trained_is_plain(&out->filter, model->params);
    NEED(gpri_series_new(out, &lambda, GPRI_SERIES_LAMBDA, GPRI_INSPECT_POINTS));
    if (!out->plain || !gpri_basis_is_monomial(&out->filter.form.basis)) NEED(gpri_inspect_filters(out, model));
    if (!gpri_form_is_single(&out->filter.form)) {
        gpri_response_grid(lambda, NULL, GPRI_INSPECT_POINTS, NULL);
        return GPR_OK;
    }
    NEED(gpri_alloc(out->ctx, &out->theta, count, sizeof *out->theta, "gamma"));
    NEED(gpri_series_new(out, &gamma, GPRI_SERIES_GAMMA, count));
    NEED(gpri_series_new(out, &response, GPRI_SERIES_RESPONSE, GPRI_INSPECT_POINTS));
    for (int64_t k = 0; k < count; k++) gamma[k] = gpri_trained_gamma(&out->filter, 0, k, 0);
    const gpri_curve g = gpri_inspection_curve(out, out->theta, gamma);
    gpri_response_grid(lambda, response, GPRI_INSPECT_POINTS, &g);
    out->info.judged_on = GPR_JUDGED_ON_INTERVAL;
    out->info.filter = gpri_filter_kind_between(&g, -1, 1, &out->info.damped);
    return GPR_OK;
}

static gpr_status inspect_data(gpr_ctx *ctx, gpr_inspection *out, const gpr_model *model, const gpr_dataset *data,
                               const gpr_split *split) {
    gpr_status status = GPR_OK;
    gpri_exact walk = {0};
    gpri_components components = {0};
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    TRY(gpri_dataset_ready(ctx, data));
    if (split && split->nodes != data->graph.nodes)
        THROW(GPR_ERROR_MISMATCH, "the split has %lld nodes, and %s has %lld", (long long)split->nodes, data->name,
              (long long)data->graph.nodes);
    TRY(gpri_strdup(out->ctx, &out->dataset, data->name));
    out->info.dataset = out->dataset;
    out->info.nodes = data->graph.nodes;
    gpri_fingerprint(fingerprint, data);
    if (gpr_model_fingerprint(model)) {
        out->info.training_data = strcmp(gpr_model_fingerprint(model), fingerprint) == 0;
        if (!out->info.training_data)
            gpri_log(ctx, GPR_LOG_WARNING, "%s is not the data that the model was trained on", data->name);
    }
    TRY(gpri_components_find(ctx, &components, &data->graph));
    TRY(gpri_exact_new(ctx, &walk, &data->graph));
    out->info.components = components.count;
    TRY(gpri_inspect_spectrum(out, &walk, &components));
    TRY(gpri_inspect_scores(ctx, out, model, data, split, &walk, &components));
    TRY(gpri_dataset_unchanged(ctx, data, true));
done:
    gpri_exact_free(&walk);
    gpri_components_free(ctx, &components);
    return status;
}

gpr_status gpr_inspection_new(gpr_ctx *ctx, gpr_inspection **out, const gpr_model *model, const gpr_dataset *data,
                              const gpr_split *split) {
    gpr_status status = GPR_OK;
    if (out) *out = NULL;
    if (!ctx || !out || !model) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_inspection_new: a NULL argument");
    if (split && !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_inspection_new: a split without its data");
    TRY(gpri_inspection_start(ctx, out, model));
    TRY(inspect_filter(*out, model));
    if (gpri_model_is(model->params, GPRI_MODEL_FOREST)) TRY(gpri_inspect_trees(*out, model));
    if (data) TRY(inspect_data(ctx, *out, model, data, split));
done:
    if (status < 0) {
        gpr_inspection_free(*out);
        *out = NULL;
    }
    return gpri_finish(status);
}
