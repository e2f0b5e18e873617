/* Classes and probabilities from a trained model, on any graph with its features. */
#include <math.h>

#include "data/feature_matrix.h"
#include "model/match.h"
#include "tensor/prepare.h"

/* softmax in double; the class is the first largest score, as in the training's own accuracy. */
static void read_row(const gpri_real *z, int64_t classes, int32_t *class_id, float *proba) {
    int64_t best = 0;
    double sum = 0;
    for (int64_t c = 1; c < classes; c++)
        if (z[c] > z[best]) best = c;
    if (class_id) *class_id = (int32_t)best;
    if (!proba) return;
    for (int64_t c = 0; c < classes; c++) sum += exp((double)z[c] - (double)z[best]);
    for (int64_t c = 0; c < classes; c++) proba[c] = (float)(exp((double)z[c] - (double)z[best]) / sum);
}

gpr_status gpr_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes, float *proba) {
    gpr_status status = GPR_OK;
    gpri_features features = {.rows = 0};
    gpri_feature_matrix moved = {0}, scaled = {0};
    gpri_net *net = NULL;
    if (!ctx || !model || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predict: a NULL argument");
    if (data->features.cols == 0)
        THROW(GPR_ERROR_MISMATCH, "%s has no features, and the model was trained on %lld: give --features", data->name,
              (long long)model->features);
    TRY(gpri_dataset_ready(ctx, data));
    TRY(gpri_match_features(ctx, &moved, model, data));
    const gpri_feature_matrix *table = moved.rows ? &moved : &data->features;
    if (model->scaling.cols > 0) {
        TRY(gpri_scaling_apply(ctx, &scaled, table, &model->scaling));
        table = &scaled;
    }
    TRY(gpri_features_prepare(ctx, &features, table, model->normalize, false));
    TRY(gpri_model_prepare(ctx, &features, model->params, &data->graph));
    gpri_recipe recipe = gpri_recipe_of(model->params, model->classes);
    TRY(gpri_model_net(ctx, &net, model->params, &recipe, &data->graph, &features, ctx->threads, 0, false));
    TRY(gpri_model_put(model, net));
    gpri_net_forward(net, GPRI_EVAL_STREAM);
    for (int64_t i = 0; i < data->graph.nodes; i++)
        read_row(net->output->eval + i * net->output->ld, model->classes, classes ? &classes[i] : NULL,
                 proba ? &proba[i * model->classes] : NULL);
done:
    gpri_net_free(net);
    gpri_features_free(ctx, &features);
    gpri_feature_matrix_free(ctx, &moved);
    gpri_feature_matrix_free(ctx, &scaled);
    return gpri_finish(status);
}
