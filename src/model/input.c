/* What a prediction and an inspection do before and after a forward pass of a trained model. */
#include "model/input.h"

#include <string.h>

#include "data/made_features.h"
#include "io/latent.h"
#include "model/match.h"
#include "tensor/prepare.h"

/* Features that were made from one graph: the place of a column, or the sign of an eigenvector, is another on others.
 */
static gpr_status check_made(const gpr_model *model, const gpr_dataset *data) {
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    if (!model->made[0] || !gpri_made_for_one_graph(model->made)) return GPR_OK;
    gpri_graph_fingerprint(fingerprint, &data->graph);
    if (strcmp(fingerprint, model->made_from) == 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_MISMATCH,
                     "the model was trained with `features` %s, made from its own graph, and %s is another one: there "
                     "they mean nothing; train with `features` degree, or with features of the nodes",
                     model->made, data->name);
}

gpr_status gpri_model_table(gpr_ctx *ctx, gpri_model_input *out, const gpri_feature_matrix **table,
                            const gpr_model *model, const gpr_dataset *data) {
    *out = (gpri_model_input){.features = {.rows = 0}};
    if (data->features.cols == 0)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%s has no features, and the model was trained on %lld: give `features`%s%s", data->name,
                         (long long)model->features, model->made[0] ? " " : "", model->made);
    NEED(check_made(model, data));
    NEED(gpri_match_features(ctx, &out->moved, model, data));
    *table = out->moved.rows ? &out->moved : &data->features;
    return GPR_OK;
}

gpr_status gpri_model_input_new(gpr_ctx *ctx, gpri_model_input *out, const gpr_model *model, const gpr_dataset *data,
                                bool trains) {
    const gpri_feature_matrix *table = NULL;
    NEED(gpri_model_table(ctx, out, &table, model, data));
    if (model->scaling.cols > 0) {
        NEED(gpri_scaling_apply(ctx, &out->scaled, table, &model->scaling));
        table = &out->scaled;
    }
    return gpri_features_prepare(ctx, &out->features, table, model->normalize, trains);
}

void gpri_model_input_free(gpr_ctx *ctx, gpri_model_input *input) {
    gpri_features_free(ctx, &input->features);
    gpri_feature_matrix_free(ctx, &input->moved);
    gpri_feature_matrix_free(ctx, &input->scaled);
}

gpr_status gpri_refuse_foreign_file(const gpr_model *model) {
    if (!model->foreign || !gpri_model_has_param(model, GPRI_PARAM_EMBEDDING)) return GPR_OK;
    const char *embedding = gpri_params_text(model->params, GPRI_PARAM_EMBEDDING);
    if (!gpri_latent_is_file(embedding)) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "the model was trained with the embedding file '%s', and a prediction opens no file that only the "
                     "model names: give `embedding` with that file, or with the one of this graph",
                     embedding);
}

void gpri_read_outcome(const gpri_real *z, int64_t ld, int64_t i, const gpr_model *model, const gpri_outcome *out,
                       int64_t row) {
    const gpri_meaning meaning = {gpri_model_scale(model), model->unit};
    gpri_outcome_read(out, row, z + i * ld, model->classes, &meaning);
}

enum { ROWS = 256 }; /* that are copied from the device at a time */

gpr_status gpri_read_scores(const gpri_net *net, const gpr_model *model, const gpri_outcome *out) {
    gpri_real *scores = NULL;
    gpri_matrix z;
    gpr_status status = gpri_net_root_scores(net, &z);
    if (status != GPR_OK || !z.at) return status;
    status = gpri_alloc(net->ctx, &scores, ROWS * z.ld, sizeof *scores, "scores");
    for (int64_t first = 0; status == GPR_OK && first < z.rows; first += ROWS) {
        const int64_t rows = z.rows - first < ROWS ? z.rows - first : ROWS;
        net->device->get(net->device, scores, z.at + first * z.ld,
                         ((rows - 1) * z.ld + z.cols) * (int64_t)sizeof *scores);
        for (int64_t i = 0; i < rows; i++) gpri_read_outcome(scores, z.ld, i, model, out, first + i);
    }
    gpri_free(net->ctx, scores);
    return status;
}
