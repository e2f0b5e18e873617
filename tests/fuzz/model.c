/* Model files: any bytes give a status, never a fault; an accepted model can predict. */
#include "gprgnn.h"
#include "input.h"

/* A path of four nodes with as many features as the model needs. */
static void predict(gpr_ctx *ctx, const gpr_model *model) {
    enum { NODES = 4, MOST = 4096 };
    static const int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 3};
    static const int32_t labels[NODES] = {0, 1, 0, 1};
    static float dense[NODES * MOST];
    int64_t features = gpr_model_features(model), classes = gpr_model_classes(model);
    if (features < 1 || classes < 1) abort();
    if (features > MOST || classes > MOST) return;
    for (int64_t i = 0; i < NODES * features; i++) dense[i] = (float)(i % 3);
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .nodes = NODES,
                             .edges = 3,
                             .src = src,
                             .dst = dst,
                             .features = features,
                             .dense = dense,
                             .labels = labels,
                             .classes = 2};
    gpr_dataset *data;
    int32_t predicted[NODES];
    if (gpr_dataset_new(ctx, &data, &desc) != GPR_OK) abort();
    if (gpr_predict(ctx, model, data, predicted, NULL) == GPR_OK)
        for (int i = 0; i < NODES; i++)
            if (predicted[i] < 0 || predicted[i] >= classes) abort();
    gpr_dataset_free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx;
    gpr_model *model;
    input_file input = input_open(bytes, size);
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    gpr_status status = gpr_model_load(ctx, &model, input.path);
    if ((status == GPR_OK) != (model != NULL) || (!model && !gpr_last_error()[0])) abort();
    if (model) {
        if (!gpr_model_name(model)) abort();
        predict(ctx, model);
    }
    gpr_model_free(model);
    gpr_ctx_free(ctx);
    close(input.fd);
    return 0;
}
