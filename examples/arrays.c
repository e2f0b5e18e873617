/* A graph from the program's own arrays: CSR, as scipy and most graph libraries have it, with 32-bit indices.
 *
 *     cc -std=c11 arrays.c -o arrays $(pkg-config --cflags --libs gprgnn)
 */
#include <gprgnn.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                 \
    do {                          \
        status = (call);          \
        if (status < 0) goto end; \
    } while (0)

enum { NODES = 120, FEATURES = 3, CLASSES = 3, NEIGHBOURS = 4 };

int main(void) {
    static int32_t indptr[NODES + 1], indices[NODES * NEIGHBOURS], labels[NODES], classes[NODES];
    static float features[NODES * FEATURES];
    static const char *const names[CLASSES] = {"red", "green", "blue"};
    gpr_ctx *ctx = NULL;
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_model *model = NULL;
    gpr_result *result = NULL;
    int32_t known = 0, right = 0;
    gpr_status status;

    /* Node i is of class i % 3 and knows the next nodes of its class. A third of the labels is kept back. Only
       every other node has features that tell its class: of the others the neighbours do. */
    for (int i = 0; i < NODES; i++) {
        indptr[i] = NEIGHBOURS * i;
        for (int k = 0; k < NEIGHBOURS; k++) indices[NEIGHBOURS * i + k] = (i + CLASSES * (k + 1)) % NODES;
        labels[i] = i % 9 < 6 ? i % CLASSES : -1;
        for (int j = 0; j < FEATURES; j++) features[i * FEATURES + j] = i % CLASSES == j && i % 2 == 0 ? 1.0f : 0.1f;
    }
    indptr[NODES] = NODES * NEIGHBOURS;

    TRY(gpr_ctx_new(&ctx, NULL));
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "three rings",
                             .nodes = NODES,
                             .index_bits = 32,
                             .adj_indptr = indptr,
                             .adj_indices = indices,
                             .adj_indptr_length =
                                 NODES + 1, /* with the lengths a wrong indptr is an error, not a crash */
                             .adj_indices_length = NODES * NEIGHBOURS,
                             .features = FEATURES,
                             .dense = features,
                             .labels = labels,
                             .class_names = names};
    TRY(gpr_dataset_new(ctx, &data, &desc)); /* copies: the arrays may go */
    printf("%s: %d nodes, %d edges\n", desc.name, (int)gpr_dataset_nodes(data), (int)gpr_dataset_edges(data));

    TRY(gpr_params_new(ctx, &params));
    TRY(gpr_params_set(params, "epochs", "200"));
    TRY(gpr_train(ctx, &model, &result, data, params));
    TRY(gpr_predict(ctx, model, data, classes, NULL));
    for (int i = 0; i < NODES; i++) {
        if (labels[i] >= 0) continue;
        known++;
        right += classes[i] == i % CLASSES;
    }
    printf("node 8, whose label was kept back, is %s\n", gpr_model_class_name(model, classes[8]));
    printf("%d of %d such nodes right\n", right, known);
end:
    if (status < 0) fprintf(stderr, "%s: %s\n", gpr_status_name(status), gpr_last_error());
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return status < 0 || right < known * 9 / 10;
}
