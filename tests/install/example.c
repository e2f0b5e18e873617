/* A user's program: trains on a small synthetic graph, saves the model, loads it again and predicts. */
#include <gprgnn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(gpr_status status, const char *what) {
    if (status >= 0) return;
    fprintf(stderr, "%s: %s: %s\n", what, gpr_status_name(status), gpr_last_error());
    exit(1);
}

int main(int argc, char **argv) {
    enum { NODES = 300, CLASSES = 2 };
    const char *path = argc > 1 ? argv[1] : "model.safetensors";
    gpr_ctx *ctx;
    gpr_dataset *data;
    gpr_params *params;
    gpr_model *model, *loaded;
    gpr_result *result;
    gpr_csbm_options csbm;
    gpr_ctx_options options;
    static float first[NODES * CLASSES], second[NODES * CLASSES];
    static int32_t classes[NODES];
    int64_t count, right = 0;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.threads = 2;
    check(gpr_ctx_new(&ctx, &options), "context");
    gpr_csbm_options_init(&csbm, sizeof csbm);
    csbm.nodes = NODES;
    csbm.features = 100;
    csbm.phi = 0.5;
    check(gpr_dataset_csbm(ctx, &data, &csbm), "data");
    check(gpr_params_new(ctx, &params), "parameters");
    check(gpr_params_set(params, "epochs", "50"), "epochs");
    check(gpr_params_set(params, "hidden", "16"), "hidden");
    check(gpr_train(ctx, &model, &result, data, params), "train");
    check(gpr_predict(ctx, model, data, classes, first), "predict");
    check(gpr_model_save(ctx, model, path), "save");
    check(gpr_model_load(ctx, &loaded, path), "load");
    check(gpr_predict(ctx, loaded, data, NULL, second), "predict again");

    const int32_t *labels = gpr_dataset_labels(data, &count);
    for (int64_t i = 0; i < count; i++) right += labels[i] == classes[i];
    printf("gprgnn %s: %lld of %lld nodes right\n", gpr_version(), (long long)right, (long long)count);

    gpr_result_free(result);
    gpr_model_free(model);
    gpr_model_free(loaded);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    if (count != NODES || right < NODES * 6 / 10) return 1;
    return memcmp(first, second, sizeof first) ? 1 : 0;
}
