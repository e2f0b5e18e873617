/* The bytes of a stopped training: any bytes give a status, never a fault; an accepted one goes on to its end. The
 * first byte chooses the model, whether a good state of another run comes with them, and whether the data is a table,
 * whose training chooses among candidates. */
#define FUZZ_BOUNDED
#include "context.h"
#include "data/dataset.h"
#include "tensors.h"

enum { NODES = 12, FEATURES = 3, EDGES = 14, MODELS = 4 };

static gpr_dataset *small_data(gpr_ctx *ctx) {
    int64_t src[EDGES], dst[EDGES];
    float dense[NODES * FEATURES];
    int32_t labels[NODES];
    for (int e = 0; e < EDGES; e++) {
        src[e] = e % NODES;
        dst[e] = (e * 5 + 1) % NODES;
    }
    for (int i = 0; i < NODES * FEATURES; i++) dense[i] = (float)(i * 7 % 5);
    for (int i = 0; i < NODES; i++) labels[i] = i % 2;
    const gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                   .nodes = NODES,
                                   .edges = EDGES,
                                   .src = src,
                                   .dst = dst,
                                   .features = FEATURES,
                                   .dense = dense,
                                   .labels = labels,
                                   .classes = 2};
    gpr_dataset *data;
    if (gpr_dataset_new(ctx, &data, &desc) != GPR_OK) abort();
    return data;
}

static gpr_params *small_params(gpr_ctx *ctx, int model) {
    static const char *const names[MODELS] = {"gprgnn", "gat", "mlp", "jknet"};
    static const char *const options[][2] = {{"epochs", "4"}, {"hidden", "2"}, {"runs", "3"}, {"split", "50/25/25"}};
    gpr_params *params;
    if (gpr_params_new(ctx, &params) != GPR_OK || gpr_params_set(params, "model", names[model]) != GPR_OK) abort();
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (gpr_params_set(params, options[i][0], options[i][1]) != GPR_OK) abort();
    if (model == 0 && gpr_params_set(params, "K", "2") != GPR_OK) abort();
    if (model == 1 && gpr_params_set(params, "heads", "2") != GPR_OK) abort();
    if (model == 3 && gpr_params_set(params, "jk-layers", "1") != GPR_OK) abort();
    return params;
}

/* Keeps the first state of run 1. */
static int keep_state(void *user, const gpr_save_info *info) {
    blob *kept = user;
    if (info->run == 1 && kept->size == 0) *kept = blob_copy(info->bytes, info->size);
    return 0;
}

/* A good state of run 1; made once for each model. */
static gpr_state other_state(gpr_ctx *ctx, const gpr_dataset *data, const gpr_params *params, int model) {
    static blob all[2 * MODELS];
    blob *kept = data->from_table ? all + MODELS : all;
    if (kept[model].size == 0) {
        gpr_model *trained;
        gpr_result *result;
        const gpr_train_options options = {.struct_size = sizeof options, .save = keep_state, .user = &kept[model]};
        if (gpr_train_with(ctx, &trained, &result, data, params, &options) < 0 || kept[model].size == 0) abort();
        gpr_model_free(trained);
        gpr_result_free(result);
    }
    return (gpr_state){kept[model].bytes, kept[model].size, "the other"};
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data = small_data(ctx);
    const int choice = size ? *bytes : 0, chosen = choice % MODELS;
    data->from_table = choice / (2 * MODELS) % 2;
    gpr_params *params = small_params(ctx, chosen);
    gpr_model *model;
    gpr_result *result;
    blob state = blob_copy(bytes + !!size, size - !!size); /* of just that size, so that reading beyond it is seen */
    state.bytes = realloc(state.bytes, state.size ? state.size : 1);
    if (!state.bytes) abort();
    gpr_status status;
    if (choice / MODELS % 2) {
        const gpr_state states[] = {{state.bytes, state.size, NULL}, other_state(ctx, data, params, chosen)};
        const gpr_train_options options = {.struct_size = sizeof options, .states = states, .state_count = 2};
        status = gpr_train_with(ctx, &model, &result, data, params, &options);
    } else {
        status = gpr_train_resume(ctx, &model, &result, data, params, state.bytes, state.size);
    }
    if ((status >= 0) != (model != NULL) || (status >= 0) != (result != NULL)) abort();
    if (status < 0 && !gpr_last_error()[0]) abort();
    if (result && gpr_result_runs(result) < 1) abort();
    gpr_model_free(model);
    gpr_result_free(result);
    blob_free(&state);
    gpr_params_free(params);
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
    return 0;
}

static const tensors_form form = {
    seal_state, DICTIONARY("runs", "seconds", "splits", "history", "gamma", "best", "numbers", "adam", "checksum",
                           "kept", "choice.now", "choice.count", "choice.measure", "choice.0.name", "choice.0.score",
                           "choice.0.loss", "failed", "accuracy", "given", "drawn", "rows sum to 1", "columns scaled",
                           "as they are", "0", "1", "2", "3", "4", "5")};

static void mutate_state(blob *b, chance *c, const void *how) {
    const uint8_t first = b->size > 0 && !one_in(c, 32) ? b->bytes[0] : (uint8_t)below(c, 4 * MODELS);
    if (b->size > 0) blob_replace(b, 0, 1, NULL, 0);
    mutate_tensors(b, c, how);
    blob_replace(b, 0, 0, &first, 1);
}

FUZZ_MUTATOR(mutate_state, &form)
