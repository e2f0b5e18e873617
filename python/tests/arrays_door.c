/* Trains on arrays and writes the probabilities of all nodes, for test_doors.py:
 *     arrays_door NODES FEATURES EDGES [OPTION VALUE]... <ARRAYS >PROBABILITIES
 * ARRAYS: features (float, row by row), sources and targets of edges (int64), labels (int32). */
#include <gprgnn.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                 \
    do {                          \
        status = (call);          \
        if (status < 0) goto end; \
    } while (0)

static void *take(size_t count, size_t size) {
    void *array = malloc(count * size);
    if (!array || fread(array, size, count, stdin) != count) exit(3);
    return array;
}

int main(int argc, char **argv) {
    static const char *const classes[] = {"no", "yes"};
    gpr_ctx *ctx = NULL;
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_model *model = NULL;
    gpr_result *result = NULL;
    gpr_status status = GPR_OK;
    if (argc < 4) return 2;
    const size_t nodes = strtoul(argv[1], NULL, 10), features = strtoul(argv[2], NULL, 10),
                 edges = strtoul(argv[3], NULL, 10);
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "arrays",
                             .nodes = (int64_t)nodes,
                             .features = (int64_t)features,
                             .edges = (int64_t)edges,
                             .class_names = classes,
                             .classes = 2};
    float *dense = take(nodes * features, sizeof *dense), *proba = malloc(nodes * 2 * sizeof *proba);
    int64_t *src = take(edges, sizeof *src), *dst = take(edges, sizeof *dst);
    int32_t *labels = take(nodes, sizeof *labels);
    if (!proba) return 3;
    desc.dense = dense, desc.src = src, desc.dst = dst, desc.labels = labels;
    TRY(gpr_ctx_new(&ctx, NULL));
    TRY(gpr_dataset_new(ctx, &data, &desc));
    TRY(gpr_params_new(ctx, &params));
    for (int i = 4; i + 1 < argc; i += 2) TRY(gpr_params_set(params, argv[i], argv[i + 1]));
    TRY(gpr_train(ctx, &model, &result, data, params));
    TRY(gpr_predict(ctx, model, data, NULL, proba));
    if (fwrite(proba, sizeof *proba, nodes * 2, stdout) != nodes * 2) status = GPR_ERROR_IO;
end:
    if (status < 0) fprintf(stderr, "%s\n", gpr_last_error());
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    free(dense), free(proba), free(src), free(dst), free(labels);
    return status < 0;
}
