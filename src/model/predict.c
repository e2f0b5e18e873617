/* Classes, probabilities and scores from a trained model, on any graph with its features. The model is only read: all
 * memory comes from the context of the call. */
#include "base/struct.h"
#include "model/input.h"
#include "model/known.h"

/* The model's options with another embedding; *out is to be freed. */
static gpr_status with_embedding(gpr_ctx *ctx, gpr_params **out, const gpr_model *model, const char *embedding) {
    if (!gpri_model_has_param(model, GPRI_PARAM_EMBEDDING))
        return gpri_fail(GPR_ERROR_ARGUMENT, "the model %s has no option 'embedding'", gpr_model_name(model));
    gpr_status status = gpri_params_copy(ctx, out, model->params);
    return status == GPR_OK ? gpri_params_set_from(*out, GPRI_FROM_FLAG, "embedding", embedding) : status;
}

/* The labels that the model gets as an input: the caller's, or those of the data. *out stays NULL for a model that
   takes none. */
static gpr_status know_labels(gpr_ctx *ctx, int32_t **out, const gpr_model *model, const gpr_dataset *data,
                              const int32_t *given) {
    gpr_status status = GPR_OK;
    const int64_t nodes = data->graph.nodes;
    if (!gpri_model_takes_labels(model->params)) {
        if (given)
            return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predict_with: known_labels for a model without `label-input`");
        return GPR_OK;
    }
    TRY(gpri_alloc(ctx, out, nodes, sizeof **out, "known labels"));
    if (!given) return gpri_model_known(ctx, model, data, *out);
    for (int64_t i = 0; i < nodes; i++) {
        if (given[i] < GPR_UNKNOWN_CLASS || given[i] >= model->classes)
            THROW(GPR_ERROR_ARGUMENT, "gpr_predict_with: known_labels[%lld] is %d: the model has %lld classes",
                  (long long)i, (int)given[i], (long long)model->classes);
        (*out)[i] = given[i] < 0 ? -1 : given[i];
    }
done:
    return status;
}

gpr_status gpr_predict_with(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes,
                            float *proba, float *logits, const gpr_predict_options *options) {
    gpr_status status = GPR_OK;
    gpri_model_input input = {.features = {.rows = 0}};
    gpr_predict_options own = {0};
    gpr_params *changed = NULL;
    gpri_net *net = NULL;
    int32_t *known = NULL; /* (nodes) */
    if (!ctx || !model || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predict: a NULL argument");
    if (options) TRY(GPRI_STRUCT_IN(&own, options, gpr_predict_options, "gpr_predict_with", "options"));
    if (own.embedding) TRY(with_embedding(ctx, &changed, model, own.embedding));
    else TRY(gpri_refuse_foreign_file(model));
    const gpr_params *params = changed ? changed : model->params;
    TRY(gpri_dataset_ready(ctx, data));
    TRY(gpri_model_input_new(ctx, &input, model, data, false));
    TRY(gpri_model_prepare(ctx, &input.features, params, &data->graph));
    gpri_recipe recipe = gpri_recipe_of(params, model->classes);
    TRY(know_labels(ctx, &known, model, data, own.known_labels));
    recipe.labels.known = known;
    TRY(gpri_model_net(ctx, &net, params, &recipe, &data->graph, &input.features, ctx->threads, 0, false));
    TRY(gpri_model_put(model, net));
    gpri_net_forward(net, GPRI_EVAL_STREAM);
    TRY(gpri_device_check(ctx));
    TRY(gpri_check_scores(net, model, data, &input.features, params));
    TRY(gpri_read_scores(net, model, classes, proba, logits));
    TRY(gpri_dataset_unchanged(ctx, data, true));
done:
    gpri_net_free(net);
    gpri_free(ctx, known);
    gpri_model_input_free(ctx, &input);
    gpr_params_free(changed);
    return gpri_finish(status);
}

gpr_status gpr_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes, float *proba) {
    return gpr_predict_with(ctx, model, data, classes, proba, NULL, NULL);
}

gpr_status gpr_predict_logits(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, float *logits) {
    if (!logits) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predict_logits: a NULL argument");
    return gpr_predict_with(ctx, model, data, NULL, NULL, logits, NULL);
}
