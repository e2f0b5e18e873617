/* What a model is made of: its options and its weights, for the caller to read. */
#include "base/struct.h"
#include "model/model.h"

const char *gpr_model_param(const gpr_model *model, const char *name) {
    gpri_param id;
    if (!model || !name || !gpri_param_find(name, &id) || !gpri_model_has_param(model, id)) return NULL;
    return gpri_params_text(model->params, id);
}

int64_t gpr_model_refit_nodes(const gpr_model *model) { return model ? model->refit_nodes : 0; }

int64_t gpr_model_weight_count(const gpr_model *model) { return model ? model->tensor_count : 0; }

gpr_status gpr_model_weight(const gpr_model *model, int64_t index, gpr_weight_info *out) {
    if (!model) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_weight: model is NULL");
    NEED(gpri_check_index("gpr_model_weight", "index", index, model->tensor_count));
    const gpri_tensor *tensor = &model->tensors[index];
    const gpr_weight_info info = {sizeof info,   tensor->name, tensor->rows, tensor->cols, gpri_tensor_axes(tensor),
                                  tensor->values};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_weight_info, "gpr_model_weight", &info));
}
