/* The program's own splits: cross-validation in five folds. Every node is tested once, by the model that has not seen
 * it.
 *
 *     cc -std=c11 splits.c -o splits $(pkg-config --cflags --libs gprgnn)
 */
#include <gprgnn.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                 \
    do {                          \
        status = (call);          \
        if (status < 0) goto end; \
    } while (0)

enum { FOLDS = 5, NODES = 600 };

int main(void) {
    static uint8_t parts[NODES];
    static int32_t classes[NODES];
    gpr_ctx *ctx = NULL;
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_split *splits[FOLDS] = {NULL};
    gpr_model *best = NULL;
    gpr_result *result = NULL;
    double mean = 0, ci95 = 0;
    int right = 0;
    gpr_status status;

    TRY(gpr_ctx_new(&ctx, NULL));
    TRY(gpr_dataset_open(ctx, &data, "csbm:phi=0.5,n=600,f=200", NULL));
    for (int fold = 0; fold < FOLDS; fold++) {
        for (int i = 0; i < NODES; i++)
            parts[i] = i % FOLDS == fold ? GPR_TEST : i % FOLDS == (fold + 1) % FOLDS ? GPR_VAL : GPR_TRAIN;
        TRY(gpr_split_from_parts(ctx, &splits[fold], data, parts, NODES));
    }
    TRY(gpr_params_new(ctx, &params));
    TRY(gpr_params_set(params, "epochs", "100"));
    TRY(gpr_train_splits(ctx, &best, &result, data, params, (const gpr_split *const *)splits, FOLDS));
    TRY(gpr_result_mean(result, "test_accuracy", &mean, NULL, &ci95));
    printf("test accuracy %.1f +/- %.1f %% over %d folds\n", mean, ci95, FOLDS);

    const int32_t *labels = gpr_dataset_labels(data, NULL);
    for (int fold = 0; fold < FOLDS; fold++) { /* the result keeps the model of every fold */
        TRY(gpr_predict(ctx, gpr_result_model(result, fold), data, classes, NULL));
        for (int i = fold; i < NODES; i += FOLDS) right += classes[i] == labels[i];
    }
    printf("%d of %d nodes right, each by the model that has not seen it\n", right, NODES);
end:
    if (status < 0) fprintf(stderr, "%s: %s\n", gpr_status_name(status), gpr_last_error());
    gpr_result_free(result);
    gpr_model_free(best);
    for (int fold = 0; fold < FOLDS; fold++) gpr_split_free(splits[fold]);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    /* folds of equal size: the mean of their accuracies is the share of nodes that are right */
    return status < 0 || mean < 70 || (int)(mean * NODES / 100 + 0.5) != right;
}
