/* Trains into a run folder. Kill it at any moment and start it again: it goes on, and ends with the same bits as if it
 * had never been disturbed.
 *
 *     cc -std=c11 folder.c -o folder $(pkg-config --cflags --libs gprgnn)
 *     ./folder [DIR]
 */
#include <gprgnn.h>
#include <stdio.h>

#define TRY(call)                 \
    do {                          \
        status = (call);          \
        if (status < 0) goto end; \
    } while (0)

int main(int argc, char **argv) {
    const char *dir = argc > 1 ? argv[1] : "run";
    gpr_ctx *ctx = NULL;
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_run_folder *folder = NULL;
    gpr_model *model = NULL;
    gpr_result *result = NULL;
    double mean, ci95;
    gpr_status status;

    TRY(gpr_ctx_new(&ctx, NULL));
    TRY(gpr_dataset_open(ctx, &data, "csbm:phi=0.5,n=1000,f=200", NULL));
    TRY(gpr_params_new(ctx, &params));
    TRY(gpr_params_set(params, "runs", "3"));
    TRY(gpr_params_set(params, "epochs", "200"));

    /* Locked from here on: a second process gets GPR_ERROR_IO. */
    TRY(gpr_run_folder_open(ctx, &folder, dir));
    gpr_train_options options = {.struct_size = sizeof options,
                                 .save = gpr_run_folder_keep, /* every 10 seconds, and each run that is finished */
                                 .save_every = 10,
                                 .user = folder};
    TRY(gpr_run_folder_states(folder, &options.states, &options.state_count)); /* what a killed process left, or none */
    if (options.state_count > 0) printf("%d runs began before\n", (int)options.state_count);

    /* GPR_PARTIAL, a note: some runs failed, and the result has the others. */
    TRY(gpr_train_with(ctx, &model, &result, data, params, &options));
    TRY(gpr_run_folder_save(folder, result, model, data)); /* all files at once; the states are gone */
    TRY(gpr_result_mean(result, "test_accuracy", &mean, NULL, &ci95));
    printf("%s: %d runs, test accuracy %.1f +/- %.1f %%\n", dir, (int)gpr_result_runs(result), mean, ci95);
end:
    if (status < 0) fprintf(stderr, "%s: %s\n", gpr_status_name(status), gpr_last_error());
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_run_folder_close(folder);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return status < 0;
}
