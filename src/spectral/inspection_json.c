/* An inspection as JSON. What is not known is null; numbers have 15 digits. */
#include "base/json.h"
#include "spectral/inspection.h"

static json_t *whole(int64_t value) { return json_integer((json_int_t)value); }
static json_t *text(const char *value) { return value ? gpri_json_string(value) : json_null(); }

/* Rows of numbers, one for each column; where there is one column, the numbers. */
static json_t *table(const double *values, int64_t rows, int64_t columns) {
    if (!values || columns == 1) return gpri_reals(values, rows);
    json_t *list = json_array();
    for (int64_t i = 0; list && i < rows; i++) list = gpri_append(list, gpri_reals(values + i * columns, columns));
    return list;
}

static json_t *filters_of(const gpr_inspection *inspection) {
    json_t *list = json_array();
    for (int64_t i = 0; list && i < inspection->info.filters; i++) {
        const gpr_inspected_filter *filter = &inspection->filters[i].info;
        gpri_object part = gpri_object_new();
        if (filter->block > 0) gpri_put(&part, "block", whole(filter->block));
        gpri_put(&part, "relation", *filter->relation ? json_string(filter->relation) : json_null());
        gpri_put(&part, "direction", json_string(filter->direction));
        gpri_put(&part, "basis", text(filter->basis));
        gpri_put(&part, "loops", json_boolean(filter->loops));
        gpri_put(&part, "gamma", table(filter->gamma, filter->hops + 1, filter->columns));
        gpri_put(&part, "response", table(filter->response, GPRI_INSPECT_POINTS, filter->columns));
        gpri_put(&part, "contribution", table(filter->contribution, filter->hops + 1, 1));
        gpri_put_real(&part, "part", filter->part);
        gpri_put(&part, "quartiles", table(filter->quartiles, filter->hops + 1, 3));
        gpri_put_real(&part, "mixed_signs", filter->mixed);
        if (filter->weights) gpri_put(&part, "weights", table(filter->weights, filter->hops + 1, 1));
        list = gpri_append(list, gpri_object_done(&part));
    }
    return list;
}

static json_t *columns_of(const gpr_inspection *inspection) {
    json_t *list = json_array();
    for (int64_t i = 0; list && i < inspection->info.asked_columns; i++) {
        const gpr_inspected_column *column = &inspection->columns[i].info;
        gpri_object each = gpri_object_new();
        gpri_put(&each, "name", text(column->name));
        gpri_put(&each, "feature", column->feature < 0 ? json_null() : whole(column->feature));
        gpri_put(&each, "questions", whole(column->questions));
        gpri_put_real(&each, "gain", column->gain);
        gpri_put_real(&each, "share", column->share);
        list = gpri_append(list, gpri_object_done(&each));
    }
    return list;
}

static json_t *tree_of(const gpr_inspection *inspection) {
    static const char *const kinds[] = {NULL, "low-pass", "high-pass", "neither"};
    static const char *const judged[] = {NULL, "interval", "range", "eigenvalues"};
    const gpr_inspection_info *info = &inspection->info;
    const bool data = info->dataset != NULL, gradient = inspection->series[GPRI_SERIES_GRADIENT].values != NULL;
    gpri_object tree = gpri_object_new();
    gpri_put(&tree, "model", text(info->model));
    gpri_put(&tree, "filter", text(kinds[info->filter]));
    gpri_put(&tree, "judged_on", text(judged[info->judged_on]));
    gpri_put(&tree, "learned", info->filter ? json_boolean(info->learned) : json_null());
    gpri_put_real(&tree, "damped", info->damped);
    gpri_put(&tree, "runs", whole(info->runs));
    gpri_put(&tree, "low_pass_runs", info->runs > 1 ? whole(info->low_pass_runs) : json_null());
    gpri_put(&tree, "high_pass_runs", info->runs > 1 ? whole(info->high_pass_runs) : json_null());
    gpri_put(&tree, "turned_runs", info->runs > 1 ? whole(info->turned_runs) : json_null());
    gpri_put(&tree, "dataset", text(info->dataset));
    gpri_put(&tree, "training_data", info->training_data < 0 ? json_null() : json_boolean(info->training_data));
    gpri_put(&tree, "nodes", data ? whole(info->nodes) : json_null());
    gpri_put(&tree, "components", data ? whole(info->components) : json_null());
    gpri_put_real(&tree, "second_eigenvalue", info->second_eigenvalue);
    gpri_put_real(&tree, "smallest_eigenvalue", info->smallest_eigenvalue);
    gpri_put(&tree, "exact_density", data ? json_boolean(info->exact_density) : json_null());
    gpri_put(&tree, "top_class", data ? whole(info->top_class) : json_null());
    gpri_put_real(&tree, "top_share", info->top_share);
    gpri_put_real(&tree, "smooth_share", info->smooth_share);
    gpri_put(&tree, "gradient_nodes", gradient ? whole(info->gradient_nodes) : json_null());
    gpri_put(&tree, "on_training_nodes", gradient ? json_boolean(info->on_training_nodes) : json_null());
    gpri_put_real(&tree, "loss", info->loss);
    for (int i = 0; i < GPRI_SERIES; i++)
        gpri_put(&tree, inspection->series[i].name,
                 gpri_reals(inspection->series[i].values, inspection->series[i].count));
    if (info->filters > 0) gpri_put(&tree, "filters", filters_of(inspection));
    if (info->trees > 0) {
        gpri_put(&tree, "trees", whole(info->trees));
        gpri_put(&tree, "depth", whole(info->depth));
        gpri_put(&tree, "columns", columns_of(inspection));
    }
    gpri_put(&tree, "version", json_string(gpr_version()));
    return gpri_object_done(&tree);
}

static gpr_status write_text(gpri_text *out, const void *handle) { return gpri_json_page(out, tree_of(handle)); }

gpr_status gpr_inspection_json(gpr_ctx *ctx, const gpr_inspection *inspection, const char **json) {
    if (json) *json = NULL;
    if (!ctx || !inspection || !json) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_inspection_json: a NULL argument");
    gpr_inspection *keeper = (gpr_inspection *)(uintptr_t)inspection; /* its lock guards what is changed */
    return gpri_finish(gpri_text_keep(keeper->ctx, &keeper->lock, &keeper->json, write_text, keeper, json));
}
