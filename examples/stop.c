/* Stops a training from the progress callback, when it is good enough or has taken long enough, and uses the best model
 * so far.
 *
 *     cc -std=c11 stop.c -o stop $(pkg-config --cflags --libs gprgnn)
 */
#include <gprgnn.h>
#include <stdio.h>
#include <time.h>

#define TRY(call)                 \
    do {                          \
        status = (call);          \
        if (status < 0) goto end; \
    } while (0)

typedef struct {
    double enough; /* validation accuracy in percent */
    time_t latest; /* when to stop anyway */
} limits;

/* Called after every epoch. Anything but 0 stops, and the training returns GPR_STOPPED. */
static int on_progress(void *user, const gpr_progress *p) {
    const limits *stop = user;
    return p->val_accuracy >= stop->enough || time(NULL) >= stop->latest;
}

int main(void) {
    limits stop = {80, time(NULL) + 60};
    gpr_ctx *ctx = NULL;
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_model *model = NULL;
    gpr_result *result = NULL;
    gpr_run_info run = {.struct_size = sizeof run};
    int stopped = 0;
    gpr_status status;

    gpr_ctx_options options = {.struct_size = sizeof options, .progress = on_progress, .user = &stop};
    TRY(gpr_ctx_new(&ctx, &options));
    TRY(gpr_dataset_open(ctx, &data, "csbm:phi=0.5,n=1000,f=200", NULL));
    TRY(gpr_params_new(ctx, &params));
    TRY(gpr_params_set(params, "epochs", "1000"));
    TRY(gpr_train(ctx, &model, &result, data, params)); /* a note is no error: model and result are there */
    stopped = status == GPR_STOPPED;

    TRY(gpr_result_run(result, gpr_result_best_run(result), &run));
    printf("%s after %d epochs: the best, epoch %d, has validation accuracy %.1f %%, test accuracy %.1f %%\n",
           stopped ? "stopped" : "ended", (int)run.epochs, (int)run.best_epoch, run.val_accuracy, run.test_accuracy);
    TRY(gpr_model_save(ctx, model, "stopped.safetensors"));
end:
    if (status < 0) fprintf(stderr, "%s: %s\n", gpr_status_name(status), gpr_last_error());
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return status < 0 || !stopped || run.epochs >= 1000 || run.val_accuracy < 70;
}
