/* An inspection as JSON. What is not known is null; numbers have 15 digits. */
#include <math.h>

#include "base/json.h"
#include "spectral/inspection.h"

/* A member that could not be stored (no memory) clears `good`. */
typedef struct {
    json_t *tree;
    bool good;
} object;

static void put(object *to, const char *key, json_t *value) {
    if (json_object_set_new(to->tree, key, value) != 0) to->good = false;
}

static json_t *real(double value) { return isfinite(value) ? json_real(value) : json_null(); }
static json_t *whole(int64_t value) { return json_integer((json_int_t)value); }
static json_t *text(const char *value) { return value ? gpri_json_string(value) : json_null(); }

static json_t *list_of(const gpri_series *series) {
    if (!series->values) return json_null();
    json_t *list = json_array();
    for (int64_t i = 0; list && i < series->count; i++)
        if (json_array_append_new(list, real(series->values[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *tree_of(const gpr_inspection *inspection) {
    static const char *const kinds[] = {NULL, "low-pass", "high-pass", "neither"};
    static const char *const judged[] = {NULL, "interval", "range", "eigenvalues"};
    const gpr_inspection_info *info = &inspection->info;
    const bool data = info->dataset != NULL, gradient = inspection->series[GPRI_SERIES_GRADIENT].values != NULL;
    object tree = {json_object(), true};
    put(&tree, "model", text(info->model));
    put(&tree, "filter", text(kinds[info->filter]));
    put(&tree, "judged_on", text(judged[info->judged_on]));
    put(&tree, "learned", info->filter ? json_boolean(info->learned) : json_null());
    put(&tree, "damped", real(info->damped));
    put(&tree, "runs", whole(info->runs));
    put(&tree, "low_pass_runs", info->runs > 1 ? whole(info->low_pass_runs) : json_null());
    put(&tree, "high_pass_runs", info->runs > 1 ? whole(info->high_pass_runs) : json_null());
    put(&tree, "turned_runs", info->runs > 1 ? whole(info->turned_runs) : json_null());
    put(&tree, "dataset", text(info->dataset));
    put(&tree, "training_data", info->training_data < 0 ? json_null() : json_boolean(info->training_data));
    put(&tree, "nodes", data ? whole(info->nodes) : json_null());
    put(&tree, "components", data ? whole(info->components) : json_null());
    put(&tree, "second_eigenvalue", real(info->second_eigenvalue));
    put(&tree, "smallest_eigenvalue", real(info->smallest_eigenvalue));
    put(&tree, "exact_density", data ? json_boolean(info->exact_density) : json_null());
    put(&tree, "top_class", data ? whole(info->top_class) : json_null());
    put(&tree, "top_share", real(info->top_share));
    put(&tree, "smooth_share", real(info->smooth_share));
    put(&tree, "gradient_nodes", gradient ? whole(info->gradient_nodes) : json_null());
    put(&tree, "on_training_nodes", gradient ? json_boolean(info->on_training_nodes) : json_null());
    put(&tree, "loss", real(info->loss));
    for (int i = 0; i < GPRI_SERIES; i++) put(&tree, inspection->series[i].name, list_of(&inspection->series[i]));
    put(&tree, "version", json_string(gpr_version()));
    if (tree.good && tree.tree) return tree.tree;
    json_decref(tree.tree);
    return NULL;
}

gpr_status gpr_inspection_json(gpr_ctx *ctx, const gpr_inspection *inspection, const char **json) {
    if (json) *json = NULL;
    if (!ctx || !inspection || !json) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_inspection_json: a NULL argument");
    gpr_status status = GPR_OK;
    gpr_inspection *keeper = (gpr_inspection *)(uintptr_t)inspection; /* its lock guards what is changed */
    gpri_text made = {.ctx = inspection->ctx};                        /* the inspection frees it with its own context */
    gpri_acquire(&keeper->lock);
    if (!keeper->json) {
        TRY(gpri_json_write(&made, tree_of(inspection), JSON_INDENT(2) | JSON_REAL_PRECISION(15)));
        gpri_text_add(&made, "\n");
        TRY(gpri_text_status(&made));
        keeper->json = made.bytes;
        made = (gpri_text){.ctx = inspection->ctx};
    }
    *json = keeper->json;
done:
    gpri_release(&keeper->lock);
    gpri_text_free(&made);
    return gpri_finish(status);
}
