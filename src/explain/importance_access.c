/* The handle of an importance: its numbers, and all of it as JSON. */
#include "base/json.h"
#include "base/struct.h"
#include "explain/importance.h"

void gpr_importance_free(gpr_importance *importance) {
    if (!importance) return;
    gpr_ctx *ctx = importance->ctx;
    for (int64_t c = 0; c < importance->named; c++) gpri_free(ctx, (char *)(uintptr_t)importance->columns[c].name);
    gpri_free_all(ctx, importance->columns, importance->model, importance->dataset, importance->json, importance);
}

gpr_status gpr_importance_describe(const gpr_importance *importance, gpr_importance_info *out) {
    if (!importance) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_importance_describe: a NULL argument");
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_importance_info, "gpr_importance_describe", &importance->info));
}

gpr_status gpr_importance_column(const gpr_importance *importance, int64_t rank, gpr_important_column *out) {
    if (!importance) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_importance_column: a NULL argument");
    NEED(gpri_check_index("gpr_importance_column", "rank", rank, importance->info.tried));
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_important_column, "gpr_importance_column", &importance->columns[rank]));
}

static json_t *columns_of(const gpr_importance *from) {
    json_t *list = json_array();
    for (int64_t r = 0; list && r < from->info.tried; r++) {
        const gpr_important_column *column = &from->columns[r];
        gpri_object object = gpri_object_new();
        gpri_put_name(&object, "column", column->name, column->feature);
        gpri_put_whole(&object, "features", column->features);
        gpri_put_real(&object, "accuracy_drop", column->accuracy_drop);
        gpri_put_real(&object, "accuracy_drop_ci95", column->accuracy_drop_ci95);
        gpri_put_real(&object, "loss_rise", column->loss_rise);
        gpri_put_real(&object, "loss_rise_ci95", column->loss_rise_ci95);
        list = gpri_append(list, gpri_object_done(&object));
    }
    return list;
}

static json_t *tree_of(const gpr_importance *from) {
    const gpr_importance_info *info = &from->info;
    gpri_object tree = gpri_object_new();
    gpri_put_name(&tree, "model", from->model, -1);
    gpri_put_name(&tree, "dataset", from->dataset, -1);
    gpri_put_whole(&tree, "nodes", info->nodes);
    gpri_put(&tree, "on_test_nodes", json_boolean(info->on_test_nodes));
    gpri_put_whole(&tree, "columns_in_all", info->columns);
    gpri_put_whole(&tree, "tried", info->tried);
    gpri_put_whole(&tree, "repeats", info->repeats);
    gpri_put_real(&tree, "accuracy", info->accuracy);
    gpri_put_real(&tree, "loss", info->loss);
    gpri_put(&tree, "columns", columns_of(from));
    gpri_put(&tree, "version", json_string(gpr_version()));
    return gpri_object_done(&tree);
}

static gpr_status write_text(gpri_text *out, const void *handle) { return gpri_json_page(out, tree_of(handle)); }

gpr_status gpr_importance_json(gpr_ctx *ctx, const gpr_importance *importance, const char **json) {
    if (json) *json = NULL;
    if (!ctx || !importance || !json) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_importance_json: a NULL argument");
    gpr_importance *keeper = (gpr_importance *)(uintptr_t)importance; /* its lock guards what is changed */
    return gpri_finish(gpri_text_keep(keeper->ctx, &keeper->lock, &keeper->json, write_text, keeper, json));
}
