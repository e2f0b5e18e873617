/* gpr_result_add_importance: what the importance of columns was, kept with the result of the training. */
#include "explain/importance.h"
#include "train/result.h"

static gpr_status keep(gpr_ctx *ctx, gpri_kept_importance *kept, const gpr_importance *found) {
    gpr_importance_info info = {.struct_size = sizeof info};
    NEED(gpr_importance_describe(found, &info));
    NEED(gpri_calloc(ctx, &kept->columns, info.tried, sizeof *kept->columns, "importance"));
    kept->info = info;
    for (int64_t i = 0; i < info.tried; i++) {
        gpr_important_column column = {.struct_size = sizeof column};
        char *name = NULL;
        NEED(gpr_importance_column(found, i, &column));
        if (column.name) NEED(gpri_strdup(ctx, &name, column.name));
        column.name = name;
        kept->columns[i] = column;
    }
    return GPR_OK;
}

gpr_status gpr_result_add_importance(gpr_ctx *ctx, gpr_result *result, const gpr_model *model, const gpr_dataset *data,
                                     const gpr_importance_options *options) {
    gpr_importance *found = NULL;
    gpri_kept_importance kept = {.columns = NULL};
    gpr_status status = GPR_OK;
    if (!ctx || !result || !model || !data)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_add_importance: a NULL argument");
    if (result->count == 0) THROW(GPR_ERROR_ARGUMENT, "importance: no run has a result");
    TRY(gpr_importance_new(ctx, &found, model, data, result->runs[result->best].split, options));
    TRY(keep(result->ctx, &kept, found));
    gpri_importance_forget(result->ctx, &result->importance);
    result->importance = kept;
    kept = (gpri_kept_importance){.columns = NULL};
done:
    gpri_importance_forget(result->ctx, &kept);
    gpr_importance_free(found);
    return gpri_finish(status);
}
