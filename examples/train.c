/* Trains GPR-GNN on a synthetic graph, saves the model, loads it again and predicts with it.
 *
 *     cc -std=c11 train.c -o train $(pkg-config --cflags --libs gprgnn)
 *     ./train                 writes model.safetensors
 */
#include <gprgnn.h>
#include <stdio.h>
#include <stdlib.h>

/* Called after every epoch. Anything but 0 would stop the training. */
static int on_progress(void *user, const gpr_progress *p) {
    (void)user;
    if (p->epoch % 50 == 0) printf("epoch %3d: validation accuracy %.1f %%\n", (int)p->epoch, p->val_accuracy);
    return 0;
}

/* Warnings only; the library itself never prints. */
static void on_log(void *user, gpr_log_level level, const char *line) {
    (void)user;
    if (level == GPR_LOG_WARNING) fprintf(stderr, "warning: %s\n", line);
}

#define TRY(call)                 \
    do {                          \
        status = (call);          \
        if (status < 0) goto end; \
    } while (0)

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "model.safetensors";
    gpr_ctx *ctx = NULL;
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_model *model = NULL, *loaded = NULL;
    gpr_result *result = NULL;
    int32_t *classes = NULL;
    gpr_status status;

    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 0, .log = on_log, .progress = on_progress};
    TRY(gpr_ctx_new(&ctx, &options));

    /* A graph whose neighbours tend to differ in class. */
    TRY(gpr_dataset_open(ctx, &data, "csbm:phi=-0.5,n=2000,f=500", NULL));
    int64_t nodes = gpr_dataset_nodes(data);

    TRY(gpr_params_new(ctx, &params));
    TRY(gpr_params_set(params, "epochs", "200"));
    TRY(gpr_params_set(params, "split", "60/20/20"));
    TRY(gpr_train(ctx, &model, &result, data, params));

    gpr_run_info run = {.struct_size = sizeof run};
    TRY(gpr_result_run(result, gpr_result_best_run(result), &run));
    printf("test accuracy %.1f %% at epoch %d of %d\n", run.test_accuracy, (int)run.best_epoch, (int)run.epochs);

    TRY(gpr_model_save(ctx, model, path));
    TRY(gpr_model_load(ctx, &loaded, path));
    classes = malloc((size_t)nodes * sizeof *classes);
    if (!classes) TRY(GPR_ERROR_MEMORY);
    TRY(gpr_predict(ctx, loaded, data, classes, NULL)); /* the same graph here; any with as many features */

    int64_t right = 0;
    const int32_t *labels = gpr_dataset_labels(data, NULL);
    for (int64_t i = 0; i < nodes; i++) right += classes[i] == labels[i];
    printf("%s: %d of %d nodes right\n", path, (int)right, (int)nodes);
end:
    if (status < 0) fprintf(stderr, "%s: %s\n", gpr_status_name(status), gpr_last_error());
    free(classes);
    gpr_result_free(result);
    gpr_model_free(loaded);
    gpr_model_free(model);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx); /* last: the others were made with it */
    return status < 0;
}
