/* Stops a training from the progress callback, uses the best model so far, and goes on with the training. At the end it
 * looks whether all is as if it had never been stopped.
 *
 *     cc -std=c11 stop.c -o stop $(pkg-config --cflags --libs gprgnn)
 */
#include <gprgnn.h>
#include <stdio.h>
#include <string.h>

#define TRY(call)                 \
    do {                          \
        status = (call);          \
        if (status < 0) goto end; \
    } while (0)

/* Called after every epoch. Anything but 0 stops, and the training returns GPR_STOPPED. */
static int on_progress(void *user, const gpr_progress *p) {
    const int64_t *last = user; /* epoch; 0: do not stop */
    return p->epoch == *last;
}

static gpr_status tell(const char *what, const gpr_result *result) {
    gpr_run_info run = {.struct_size = sizeof run};
    gpr_status status = gpr_result_run(result, gpr_result_best_run(result), &run);
    if (status == GPR_OK)
        printf("%s: %d epochs, the best is %d, test accuracy %.1f %%\n", what, (int)run.epochs, (int)run.best_epoch,
               run.test_accuracy);
    return status;
}

int main(void) {
    int64_t last = 40;
    gpr_ctx *ctx = NULL;
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_model *so_far = NULL, *resumed = NULL, *undisturbed = NULL;
    gpr_result *stopped = NULL, *ended = NULL, *whole = NULL;
    void *state = NULL, *a = NULL, *b = NULL;
    size_t size = 0, a_size = 0, b_size = 0;
    int same = 0;
    gpr_status status;

    gpr_ctx_options options = {.struct_size = sizeof options, .progress = on_progress, .user = &last};
    TRY(gpr_ctx_new(&ctx, &options));
    TRY(gpr_dataset_open(ctx, &data, "csbm:phi=0.5,n=1000,f=200", NULL));
    TRY(gpr_params_new(ctx, &params));
    TRY(gpr_params_set(params, "epochs", "200"));

    /* A note is no error: model and result are there, and the model can be used. */
    TRY(gpr_train(ctx, &so_far, &stopped, data, params));
    if (status != GPR_STOPPED) goto end;
    TRY(tell("stopped", stopped));
    TRY(gpr_model_save(ctx, so_far, "stopped.safetensors"));

    /* The state is all that it takes to go on: keep the bytes, or write them to a file. */
    TRY(gpr_result_state(ctx, stopped, &state, &size));
    last = 0;
    TRY(gpr_train_resume(ctx, &resumed, &ended, data, params, state, size));
    TRY(tell("resumed", ended));

    TRY(gpr_train(ctx, &undisturbed, &whole, data, params));
    TRY(tell("never stopped", whole));
    TRY(gpr_model_to_bytes(ctx, &a, &a_size, resumed));
    TRY(gpr_model_to_bytes(ctx, &b, &b_size, undisturbed));
    same = a_size == b_size && memcmp(a, b, a_size) == 0;
    printf("the two models are %s\n", same ? "equal, bit for bit" : "not equal");
end:
    if (status < 0) fprintf(stderr, "%s: %s\n", gpr_status_name(status), gpr_last_error());
    gpr_bytes_free(ctx, b);
    gpr_bytes_free(ctx, a);
    gpr_bytes_free(ctx, state);
    gpr_result_free(whole);
    gpr_result_free(ended);
    gpr_result_free(stopped);
    gpr_model_free(undisturbed);
    gpr_model_free(resumed);
    gpr_model_free(so_far);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return !same;
}
