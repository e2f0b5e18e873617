/* Two kinds of edges between the same nodes, which say opposite things: people who pay each other are alike, those who
 * share a device are not. One graph of both says nothing; a filter with weights for each kind finds it.
 *
 *     cc -std=c11 relations.c -o relations $(pkg-config --cflags --libs gprgnn)
 */
#include <gprgnn.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                 \
    do {                          \
        status = (call);          \
        if (status < 0) goto end; \
    } while (0)

enum { NODES = 200, EDGES = 4 * NODES };

int main(void) {
    static int64_t src[EDGES], dst[EDGES];
    static int32_t kinds[EDGES], labels[NODES], classes[NODES];
    static float features[NODES];
    static const char *const names[] = {"pay", "device"};
    gpr_ctx *ctx = NULL;
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_model *model = NULL;
    gpr_result *result = NULL;
    int32_t known = 0, right = 0;
    gpr_status status;

    /* Node i is of class i % 2. It pays nodes at an even distance, and shares devices with others at an odd one. A
       third of the labels is kept back. Only every fourth node has a feature that tells its class. */
    for (int i = 0; i < NODES; i++) {
        for (int k = 0; k < 4; k++) {
            src[4 * i + k] = i;
            dst[4 * i + k] = (i + 2 * ((7 * i + 13 * k) % 50) + (k < 2 ? 2 : 1)) % NODES;
            kinds[4 * i + k] = k < 2 ? 0 : 1;
        }
        labels[i] = i % 9 < 6 ? i % 2 : -1;
        features[i] = i % 4 == 0 ? 1.0f : i % 4 == 1 ? -1.0f : 0.1f;
    }

    TRY(gpr_ctx_new(&ctx, NULL));
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "payments and devices",
                             .nodes = NODES,
                             .edges = EDGES,
                             .src = src,
                             .dst = dst,
                             .features = 1,
                             .dense = features,
                             .labels = labels,
                             .relation_count = 2,
                             .relation_names = names,
                             .edge_relation = kinds};
    TRY(gpr_dataset_new(ctx, &data, &desc));
    for (int64_t r = 0;; r++) {
        gpr_relation_measures one = {.struct_size = sizeof one};
        TRY(gpr_dataset_describe_relation(ctx, data, r, &one));
        if (!one.name) break;
        printf("%s: %d edges, %.0f %% of them within a class\n", one.name, (int)one.edges, 100 * one.edge_homophily);
    }

    TRY(gpr_params_new(ctx, &params));
    TRY(gpr_params_set(params, "epochs", "300"));
    TRY(gpr_train(ctx, &model, &result, data, params));
    TRY(gpr_predict(ctx, model, data, classes, NULL));
    for (int i = 0; i < NODES; i++) {
        if (labels[i] >= 0) continue;
        known++;
        right += classes[i] == i % 2;
    }
    printf("%d of %d nodes whose label was kept back are right\n", right, known);

    /* Data whose relations have other names is refused. */
    desc.relation_names = (const char *const[]){"pay", "phone"};
    gpr_dataset_free(data);
    TRY(gpr_dataset_new(ctx, &data, &desc));
    if (gpr_predict(ctx, model, data, classes, NULL) == GPR_ERROR_MISMATCH) printf("refused: %s\n", gpr_last_error());
    else known = 0;
end:
    if (status < 0) fprintf(stderr, "%s: %s\n", gpr_status_name(status), gpr_last_error());
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return status < 0 || known == 0 || right * 10 < known * 9 ? EXIT_FAILURE : EXIT_SUCCESS;
}
