/* A copy of a model (what it remembers of its data is shared), and the checksum of its weights. */
#include <string.h>

#include "file/checksum.h"
#include "model/model.h"

gpr_status gpri_model_clone(gpr_ctx *ctx, gpr_model **out, const gpr_model *from) {
    gpr_status status = GPR_OK;
    gpr_model *model = NULL;
    *out = NULL;
    TRY(gpri_calloc(ctx, &model, 1, sizeof *model, "model"));
    model->ctx = ctx;
    model->features = from->features;
    model->classes = from->classes;
    model->unit = from->unit;
    model->foreign = from->foreign;
    model->normalize = from->normalize;
    model->split_hash = from->split_hash;
    model->temperature = from->temperature;
    model->refit_epochs = from->refit_epochs;
    model->refit_nodes = from->refit_nodes;
    memcpy(model->fingerprint, from->fingerprint, sizeof model->fingerprint);
    TRY(gpri_params_copy(ctx, &model->params, from->params));
    if (from->dataset) TRY(gpri_strdup(ctx, &model->dataset, from->dataset));
    if (from->known_nodes) TRY(gpri_strdup(ctx, &model->known_nodes, from->known_nodes));
    model->past = gpri_past_share(from->past);
    model->worth = from->worth;
    if (from->class_nodes) {
        TRY(gpri_copy(ctx, &model->class_nodes, from->class_nodes, from->classes, sizeof *model->class_nodes,
                      "classes"));
    }
    if (from->rates)
        TRY(gpri_copy(ctx, &model->rates, from->rates, GPRI_RATES_ROWS * from->classes, sizeof *model->rates,
                      "classes"));
    TRY(gpri_names_clone(ctx, &model->class_names, &from->class_names));
    TRY(gpri_names_clone(ctx, &model->feature_names, &from->feature_names));
    memcpy(model->made, from->made, sizeof model->made);
    memcpy(model->made_from, from->made_from, sizeof model->made_from);
    TRY(gpri_scaling_clone(ctx, &model->scaling, &from->scaling));
    TRY(gpri_plan_clone(ctx, &model->plan, from->plan));
    model->smoothing = from->smoothing;
    for (int i = 0; i < from->tensor_count; i++) {
        const gpri_tensor *tensor = &from->tensors[i];
        gpri_tensor *copy;
        TRY(gpri_model_add_tensor(&copy, model, tensor->name, tensor->rows, tensor->cols));
        memcpy(copy->values, tensor->values, (size_t)(tensor->rows * tensor->cols) * sizeof *copy->values);
    }
    *out = model;
    model = NULL;
done:
    gpr_model_free(model);
    return status;
}

uint32_t gpri_model_checksum(const gpr_model *model) {
    uint32_t sum = 0;
    for (int i = 0; i < model->tensor_count; i++) {
        const gpri_tensor *t = &model->tensors[i];
        sum = gpri_checksum(sum, t->values, t->rows * t->cols * (int64_t)sizeof *t->values);
    }
    return sum;
}
