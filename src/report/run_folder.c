/* The run folder: all results of a training, each file whole or not at all. */
#include <string.h>

#include "report/report.h"

/* dir/name, valid until the next call with the same buffer. */
static gpr_status join(gpr_ctx *ctx, gpri_text *path, const char *dir, const char *name) {
    gpri_text_free(path);
    path->ctx = ctx;
    gpri_text_add(path, "%s/%s", dir, name);
    return gpri_text_status(path);
}

static gpr_status save_config(gpr_ctx *ctx, const gpr_result *result, const char *path) {
    gpri_text text = {.ctx = ctx};
    gpr_status status = GPR_OK;
    TRY(gpri_config_json(&text, result->params));
    TRY(gpri_write_whole(path, text.bytes, (size_t)text.size));
done:
    gpri_text_free(&text);
    return status;
}

/* One row per run and epoch, from the initial weights (epoch 0) on. */
static gpr_status save_history(gpr_ctx *ctx, const gpr_result *result, const char *path) {
    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    gpri_csv_add(&csv, "run,epoch,train_loss,val_loss,test_loss,train_accuracy,val_accuracy,test_accuracy\n");
    for (int64_t r = 0; r < result->count; r++) {
        const gpri_run *run = &result->runs[r];
        for (int64_t epoch = 0; run->history && epoch <= run->info.epochs; epoch++) {
            const gpri_epoch *row = &run->history[epoch];
            gpri_csv_add(&csv, "%lld,%lld", (long long)r, (long long)epoch);
            gpri_csv_real(&csv, row->train_loss);
            gpri_csv_real(&csv, row->val_loss);
            gpri_csv_real(&csv, row->test_loss);
            gpri_csv_real(&csv, row->train_accuracy);
            gpri_csv_real(&csv, row->val_accuracy);
            gpri_csv_real(&csv, row->test_accuracy);
            gpri_csv_add(&csv, "\n");
        }
    }
    return gpri_csv_close(&csv);
}

static gpr_status save_gamma(gpr_ctx *ctx, const gpr_result *result, const char *path) {
    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    gpri_csv_add(&csv, "run,k,initial,gamma\n");
    for (int64_t r = 0; r < result->count; r++) {
        const gpri_run *run = &result->runs[r];
        for (int64_t k = 0; run->gamma && run->gamma_initial && k < run->info.gamma_count; k++) {
            gpri_csv_add(&csv, "%lld,%lld", (long long)r, (long long)k);
            gpri_csv_real(&csv, gpri_shortest_decimal(run->gamma_initial[k]));
            gpri_csv_real(&csv, gpri_shortest_decimal(run->gamma[k]));
            gpri_csv_add(&csv, "\n");
        }
    }
    return gpri_csv_close(&csv);
}

gpr_status gpr_result_save(gpr_ctx *ctx, const gpr_result *result, const gpr_model *model, const gpr_dataset *data,
                           const char *dir) {
    if (!ctx || !result || !model || !data || !dir)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_save: a NULL argument");
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = ctx};
    const char *json;
    TRY(gpr_check_output_dir(dir));
    TRY(join(ctx, &path, dir, "model.safetensors")); /* first: it matters most */
    TRY(gpr_model_save(ctx, model, path.bytes));
    TRY(join(ctx, &path, dir, "config.json"));
    TRY(save_config(ctx, result, path.bytes));
    if (result->count > 0) {
        TRY(join(ctx, &path, dir, "split.npz"));
        TRY(gpr_split_save(ctx, result->runs[result->best].split, path.bytes));
    }
    TRY(join(ctx, &path, dir, "history.csv"));
    TRY(save_history(ctx, result, path.bytes));
    TRY(join(ctx, &path, dir, "gamma.csv"));
    TRY(save_gamma(ctx, result, path.bytes));
    TRY(join(ctx, &path, dir, "predictions.csv"));
    TRY(gpr_predictions_save(ctx, model, data, path.bytes, 1));
    TRY(join(ctx, &path, dir, "result.json")); /* last: it says that the folder is complete */
    TRY(gpr_result_json(ctx, result, &json));
    TRY(gpri_write_whole(path.bytes, json, strlen(json)));
done:
    gpri_text_free(&path);
    return gpri_finish(status);
}
