/* The network inside a stack as a model of its own, and its weights among those of the stack. */
#include "model/trained/stacked.h"

#include <string.h>

/* The name inside the network; NULL: the weight is no part of it. */
static const char *own_name(const char *name) {
    const size_t length = strlen(GPRI_STACK_PREFIX ".");
    return strncmp(name, GPRI_STACK_PREFIX ".", length) == 0 ? name + length : NULL;
}

gpr_status gpri_stack_network(gpr_ctx *ctx, gpr_model **out, const gpr_model *stack) {
    gpr_status status = GPR_OK;
    gpr_params *params = NULL;
    int kept = 0;
    TRY(gpri_model_clone(ctx, out, stack));
    gpr_model *model = *out;
    TRY(gpri_stack_params(ctx, &params, stack->params));
    gpr_params_free(model->params);
    model->params = params;
    model->temperature = 0;
    model->smoothing = (gpri_smoothing){0};
    for (int t = 0; t < model->tensor_count; t++) {
        gpri_tensor tensor = model->tensors[t];
        const char *name = own_name(tensor.name);
        if (!name) {
            gpri_free(model->ctx, tensor.values);
            continue;
        }
        memmove(tensor.name, name, strlen(name) + 1);
        model->tensors[kept++] = tensor;
    }
    model->tensor_count = kept;
done:
    if (status != GPR_OK) {
        gpr_model_free(*out);
        *out = NULL;
    }
    return status;
}

gpr_status gpri_stack_put(gpri_net *net, const gpr_model *network) {
    for (int i = 0; i < net->weight_count; i++) {
        gpri_weight *weight = &net->weights[i];
        const char *name = own_name(weight->name);
        if (!name) continue;
        const gpri_tensor *tensor = gpri_model_tensor(network, name);
        if (!tensor || tensor->rows != weight->rows || tensor->cols != weight->cols)
            return gpri_fail(GPR_ERROR_FORMAT, "the network of the stack lacks the weight %s", name);
        gpri_weight_put(net, weight, tensor->values);
    }
    return GPR_OK;
}
