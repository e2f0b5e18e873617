/* Classes, probabilities and scores from a trained model, on any graph with its features. The model is only read: all
 * memory comes from the context of the call. */
#include <math.h>

#include "base/struct.h"
#include "model/input.h"
#include "model/known.h"

/* softmax in double; the class is the first largest score, as in the training's own accuracy. */
static void read_row(const gpri_real *z, int64_t classes, int32_t *class_id, float *proba, float *logits) {
    int64_t best = 0;
    double sum = 0;
    for (int64_t c = 1; c < classes; c++)
        if (z[c] > z[best]) best = c;
    if (class_id) *class_id = (int32_t)best;
    for (int64_t c = 0; logits && c < classes; c++) logits[c] = (float)z[c];
    if (!proba) return;
    for (int64_t c = 0; c < classes; c++) sum += exp((double)z[c] - (double)z[best]);
    for (int64_t c = 0; c < classes; c++) proba[c] = (float)(exp((double)z[c] - (double)z[best]) / sum);
}

enum { ROWS = 256 }; /* that are copied from the device at a time */

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
    gpri_real *scores = NULL;
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
    gpri_matrix z = gpri_net_output(net, GPRI_EVAL_STREAM);
    TRY(gpri_alloc(ctx, &scores, ROWS * z.ld, sizeof *scores, "scores"));
    for (int64_t first = 0; first < z.rows; first += ROWS) {
        int64_t rows = z.rows - first < ROWS ? z.rows - first : ROWS;
        net->device->get(net->device, scores, z.at + first * z.ld,
                         ((rows - 1) * z.ld + z.cols) * (int64_t)sizeof *scores);
        for (int64_t i = 0; i < rows; i++)
            read_row(scores + i * z.ld, model->classes, classes ? &classes[first + i] : NULL,
                     proba ? &proba[(first + i) * model->classes] : NULL,
                     logits ? &logits[(first + i) * model->classes] : NULL);
    }
    TRY(gpri_dataset_unchanged(ctx, data, true));
done:
    gpri_free(ctx, scores);
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
