/* Classes, probabilities and scores from a trained model, on any graph with its features. The model is only read: all
 * memory comes from the context of the call. */
#include <math.h>

#include "base/struct.h"
#include "model/input.h"

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

/* The same for the outcome of smoothing: probabilities, and their logarithms as logits. */
static void read_shares(const gpri_real *p, int64_t classes, int32_t *class_id, float *proba, float *logits) {
    int64_t best = 0;
    for (int64_t c = 1; c < classes; c++)
        if (p[c] > p[best]) best = c;
    if (class_id) *class_id = (int32_t)best;
    for (int64_t c = 0; proba && c < classes; c++) proba[c] = (float)p[c];
    for (int64_t c = 0; logits && c < classes; c++) logits[c] = (float)log(fmax((double)p[c], 1e-30));
}

enum { ROWS = 256 }; /* that are copied from the device at a time */

/* The model's options with another embedding; *out is to be freed. */
static gpr_status with_embedding(gpr_ctx *ctx, gpr_params **out, const gpr_model *model, const char *embedding) {
    if (!gpri_model_has_param(model, GPRI_PARAM_EMBEDDING))
        return gpri_fail(GPR_ERROR_ARGUMENT, "the model %s has no option 'embedding'", gpr_model_name(model));
    gpr_status status = gpri_params_copy(ctx, out, model->params);
    return status == GPR_OK ? gpri_params_set_from(*out, GPRI_FROM_FLAG, "embedding", embedding) : status;
}

/* p: (nodes x spreader.ld) the outcome after a forward pass, with the labels that are known. */
static gpr_status smooth_outcome(gpr_ctx *ctx, gpri_real **p, const gpr_model *model, const gpr_dataset *data,
                                 const gpri_net *net, const int32_t *known) {
    gpr_status status = GPR_OK;
    gpri_spreader spreader = {.ctx = ctx};
    TRY(gpri_spreader_new(ctx, &spreader, &data->graph, known, model->classes, ctx->threads));
    TRY(gpri_spreader_take(&spreader, p, net));
    gpri_spreader_softmax(&spreader, *p, 1);
    gpri_spreader_apply(&spreader, *p, &model->smoothing);
done:
    gpri_spreader_free(&spreader);
    return status;
}

/* For a model whose outcome is corrected and smoothed. Nodes without a label may know all labels: on the training data
   that is a second pass. Nodes with a label, on which accuracies are told, know those of the training nodes alone. */
static gpr_status predict_smoothed(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const gpri_net *net,
                                   int32_t *classes, float *proba, float *logits) {
    gpr_status status = GPR_OK;
    const int64_t C = model->classes, N = data->graph.nodes, ld = gpri_padded(C);
    gpri_real *judged = NULL, *free_ones = NULL; /* (nodes x ld) of nodes with a label; of the others */
    int32_t *known = NULL;
    bool all;
    TRY(gpri_known_labels(ctx, &known, model, data, false, &all));
    TRY(smooth_outcome(ctx, &judged, model, data, net, known));
    if (!all) {
        gpri_free(ctx, known);
        TRY(gpri_known_labels(ctx, &known, model, data, true, &all));
        TRY(smooth_outcome(ctx, &free_ones, model, data, net, known));
    }
    for (int64_t i = 0; i < N; i++) {
        const gpri_real *from = free_ones && data->labels[i] < 0 ? free_ones : judged;
        read_shares(from + i * ld, C, classes ? &classes[i] : NULL, proba ? &proba[i * C] : NULL,
                    logits ? &logits[i * C] : NULL);
    }
done:
    gpri_free(ctx, judged);
    gpri_free(ctx, free_ones);
    gpri_free(ctx, known);
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
    if (!ctx || !model || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predict: a NULL argument");
    if (options) TRY(GPRI_STRUCT_IN(&own, options, gpr_predict_options, "gpr_predict_with", "options"));
    if (own.embedding) TRY(with_embedding(ctx, &changed, model, own.embedding));
    else TRY(gpri_refuse_foreign_file(model));
    const gpr_params *params = changed ? changed : model->params;
    TRY(gpri_dataset_ready(ctx, data));
    TRY(gpri_model_input_new(ctx, &input, model, data, false));
    TRY(gpri_model_prepare(ctx, &input.features, params, &data->graph));
    gpri_recipe recipe = gpri_recipe_of(params, model->classes);
    TRY(gpri_model_net(ctx, &net, params, &recipe, &data->graph, &input.features, ctx->threads, 0, false));
    TRY(gpri_model_put(model, net));
    gpri_net_forward(net, GPRI_EVAL_STREAM);
    TRY(gpri_device_check(ctx));
    TRY(gpri_check_scores(net, model, data, &input.features, params));
    gpri_matrix z = gpri_net_output(net, GPRI_EVAL_STREAM);
    const bool plain = !gpri_smooths(&model->smoothing);
    if (!plain) TRY(predict_smoothed(ctx, model, data, net, classes, proba, logits));
    TRY(gpri_alloc(ctx, &scores, ROWS * z.ld, sizeof *scores, "scores"));
    for (int64_t first = 0; plain && first < z.rows; first += ROWS) {
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
