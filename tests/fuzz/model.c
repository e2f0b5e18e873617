/* Model files: any bytes give a status, never a fault; an accepted model can predict, and predicts finite numbers. It
 * is written as bytes that read as the same model. */
#define FUZZ_BOUNDED
#include "context.h"
#include "input.h"
#include "tensors.h"

/* A path of four nodes with as many features as the model needs. bare: with the ids of the nodes that the stored models
   with ids were trained on, in another order, and without labels. */
static void predict(gpr_ctx *ctx, const gpr_model *model, bool bare) {
    enum { NODES = 4, MOST = 4096 };
    static const int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 3};
    static const int32_t labels[NODES] = {0, 1, 0, 1};
    static const char *const ids[NODES] = {"n5", "n2", "x", "n3"};
    static float dense[NODES * MOST], proba[NODES * MOST];
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
                             .labels = bare ? NULL : labels,
                             .classes = bare ? 0 : 2,
                             .node_ids = bare ? ids : NULL};
    gpr_dataset *data;
    int32_t predicted[NODES];
    if (gpr_dataset_new(ctx, &data, &desc) != GPR_OK) abort();
    if (gpr_predict(ctx, model, data, predicted, proba) >= 0) {
        for (int i = 0; i < NODES; i++)
            if (predicted[i] < 0 || predicted[i] >= classes) abort();
        for (int64_t i = 0; i < NODES * classes; i++)
            if (!isfinite(proba[i])) abort();
    }
    gpr_dataset_free(data);
}

static void write_again(gpr_ctx *ctx, const gpr_model *model) {
    void *bytes, *others;
    size_t size, other_size;
    gpr_model *again;
    if (gpr_model_to_bytes(ctx, &bytes, &size, model) != GPR_OK) return; /* no memory */
    if (gpr_model_from_bytes(ctx, &again, bytes, size) != GPR_OK) abort();
    if (gpr_model_to_bytes(ctx, &others, &other_size, again) != GPR_OK) abort();
    if (size != other_size || memcmp(bytes, others, size) != 0) abort();
    gpr_bytes_free(ctx, bytes);
    gpr_bytes_free(ctx, others);
    gpr_model_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx = fuzz_context();
    gpr_model *model;
    gpr_status status = gpr_model_load(ctx, &model, input_path(bytes, size));
    if ((status == GPR_OK) != (model != NULL) || (!model && !gpr_last_error()[0])) abort();
    if (model) {
        if (!gpr_model_name(model)) abort();
        write_again(ctx, model);
        predict(ctx, model, false);
        predict(ctx, model, true);
    }
    gpr_model_free(model);
    fuzz_context_free(ctx);
    return 0;
}

static const tensors_form form = {
    seal_model, DICTIONARY("gprgnn", "appnp", "mlp", "sgc", "gcn", "sage", "cheby", "gat", "jknet", "geomgcn",
                           "lin1.weight", "lin1.bias", "lin2.weight", "lin2.bias", "prop1.temp", "conv1.lin.weight",
                           "conv1.bias", "conv1.att_src", "1", "2", "3", "sum to 1", "as they are", "[\"a\",\"b\"]",
                           "[1.5,2,0]", "{\"columns\":[]}", "number", "category", "feature", "ppr", "isomap",
                           "known.labels", "known.ids", "{\"reading\":{\"source\":\"a\"},\"columns\":[]}", "accuracy")};

FUZZ_MUTATOR(mutate_tensors, &form)
