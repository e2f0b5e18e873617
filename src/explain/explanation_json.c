/* An explanation as JSON. */
#include <math.h>

#include "base/json.h"
#include "explain/explanation.h"

static void put_class(gpri_object *to, const char *key, const gpr_explanation *from, int64_t class_id) {
    gpri_put_name(to, key, class_id < 0 ? NULL : gpri_name(&from->class_names, class_id), class_id);
}

static json_t *nodes_of(const gpr_explanation *from, const gpri_explained *explained) {
    json_t *list = json_array();
    for (int64_t r = 0; list && r < explained->info.listed; r++) {
        const gpr_explained_node *node = &explained->nodes[r];
        gpri_object part = gpri_object_new();
        gpri_put_name(&part, "node", node->id, node->node);
        gpri_put_whole(&part, "distance", node->distance);
        if (isnan(explained->info.base)) {
            put_class(&part, "label", from, node->label);
            put_class(&part, "predicted", from, node->predicted);
        }
        gpri_put_real(&part, "weight", node->weight);
        gpri_put_real(&part, "score", node->score);
        gpri_put_real(&part, "lead", node->lead);
        list = gpri_append(list, gpri_object_done(&part));
    }
    return list;
}

static json_t *columns_of(const gpri_explained *explained) {
    json_t *list = json_array();
    for (int64_t r = 0; list && r < explained->info.listed_columns; r++) {
        const gpr_explained_column *column = &explained->columns[r];
        gpri_object part = gpri_object_new();
        gpri_put_name(&part, "column", column->name, column->feature);
        gpri_put_real(&part, "value", column->value);
        gpri_put_real(&part, "input", column->input);
        gpri_put_real(&part, "score", column->score);
        gpri_put_real(&part, "lead", column->lead);
        list = gpri_append(list, gpri_object_done(&part));
    }
    return list;
}

static json_t *filters_of(const gpr_explanation *from, const gpri_explained *explained) {
    json_t *list = json_array();
    for (int64_t t = 0; list && t < explained->info.filters; t++) {
        const gpr_explained_filter *filter = &explained->filters[t];
        gpri_object part = gpri_object_new();
        if (filter->block > 0) gpri_put_whole(&part, "block", filter->block);
        gpri_put(&part, "relation", *filter->relation ? json_string(filter->relation) : json_null());
        gpri_put(&part, "direction", json_string(filter->direction));
        gpri_put(&part, "gamma", gpri_reals(filter->gamma, from->hops + 1));
        gpri_put_real(&part, "score", filter->score);
        gpri_put_real(&part, "lead", filter->lead);
        gpri_put(&part, "hops", gpri_reals(filter->hops, from->hops + 1));
        gpri_put(&part, "hops_lead", gpri_reals(filter->hops_lead, from->hops + 1));
        list = gpri_append(list, gpri_object_done(&part));
    }
    return list;
}

/* Two numbers of one part. */
static void put_part(gpri_object *to, const char *key, double score, double lead) {
    gpri_object part = gpri_object_new();
    gpri_put_real(&part, "score", score);
    gpri_put_real(&part, "lead", lead);
    gpri_put(to, key, gpri_object_done(&part));
}

/* What nodes gave, of a score that is a sum over them. */
static void put_nodes(gpri_object *to, const gpr_explanation *from, const gpri_explained *explained) {
    const gpr_explanation_info *info = &explained->info;
    const int64_t count = from->hops + 1;
    put_part(to, "itself", info->own_score, info->own_lead);
    gpri_put_real(to, "own_weight", info->own_weight);
    gpri_put_whole(to, "reached", info->reached);
    gpri_put(to, "nodes", nodes_of(from, explained));
    put_part(to, "others", info->others_score, info->others_lead);
    gpri_put(to, "rings", gpri_reals(explained->series[GPRI_EXPLAINED_RINGS], count));
    gpri_put(to, "rings_lead", gpri_reals(explained->series[GPRI_EXPLAINED_RINGS_LEAD], count));
    gpri_put(to, "ring_nodes", gpri_reals(explained->series[GPRI_EXPLAINED_RING_NODES], count));
}

/* Among classes. */
static void put_standing(gpri_object *to, const gpr_explanation *from, const gpr_explanation_info *info) {
    put_class(to, "label", from, info->label);
    put_class(to, "predicted", from, info->predicted);
    put_class(to, "class", from, info->class_id);
    put_class(to, "rival", from, info->rival);
    gpri_put_real(to, "probability", info->probability);
    if (info->rival >= 0) gpri_put_real(to, "rival_probability", info->rival_probability);
    else gpri_put(to, "rival_probability", json_null());
}

static json_t *one_of(const gpr_explanation *from, const gpri_explained *explained) {
    const gpr_explanation_info *info = &explained->info;
    const int64_t count = from->hops + 1;
    gpri_object tree = gpri_object_new();
    gpri_put_name(&tree, "node", info->id, info->node);
    if (isnan(info->base)) {
        put_standing(&tree, from, info);
    } else {
        gpri_put_real(&tree, "prediction", info->prediction);
        gpri_put_real(&tree, "base", info->base);
        gpri_put(&tree, "unit", json_string("that of the target: prediction = base + score"));
    }
    gpri_put_real(&tree, "score", info->score);
    gpri_put_real(&tree, "lead", info->lead);
    gpri_put(&tree, "method",
             json_string(info->exact == 2 ? "exact shares of the columns of trees (SHAP)"
                         : info->exact    ? "exact sum over nodes and hops"
                                          : "gradient times input; not exact"));
    put_part(&tree, "bias", info->bias_score, info->bias_lead);
    put_part(&tree, "label_counts", info->labels_score, info->labels_lead);
    if (info->exact == 2) {
        gpri_put_whole(&tree, "columns_not_zero", info->columns);
        put_part(&tree, "columns_sum", info->columns_score, info->columns_lead);
        gpri_put(&tree, "columns", columns_of(explained));
        return gpri_object_done(&tree);
    }
    if (info->exact) put_nodes(&tree, from, explained);
    gpri_put(&tree, "hops", gpri_reals(explained->series[GPRI_EXPLAINED_HOPS], count));
    gpri_put(&tree, "hops_lead", gpri_reals(explained->series[GPRI_EXPLAINED_HOPS_LEAD], count));
    if (!from->gamma) gpri_put(&tree, "filters", filters_of(from, explained));
    gpri_put_whole(&tree, "columns_not_zero", info->columns);
    put_part(&tree, "columns_gradient_times_input", info->columns_score, info->columns_lead);
    gpri_put(&tree, "columns", columns_of(explained));
    return gpri_object_done(&tree);
}

static json_t *tree_of(const gpr_explanation *from) {
    gpri_object tree = gpri_object_new();
    json_t *list = json_array();
    for (int64_t e = 0; list && e < from->count; e++) list = gpri_append(list, one_of(from, &from->explained[e]));
    gpri_put_name(&tree, "model", from->model, -1);
    gpri_put_name(&tree, "dataset", from->dataset, -1);
    gpri_put(&tree, "gamma", gpri_reals(from->gamma, from->gamma ? from->hops + 1 : 0));
    gpri_put(&tree, "explained", list);
    gpri_put(&tree, "version", json_string(gpr_version()));
    return gpri_object_done(&tree);
}

static gpr_status write_text(gpri_text *out, const void *handle) { return gpri_json_page(out, tree_of(handle)); }

gpr_status gpr_explanation_json(gpr_ctx *ctx, const gpr_explanation *explanation, const char **json) {
    if (json) *json = NULL;
    if (!ctx || !explanation || !json) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_explanation_json: a NULL argument");
    gpr_explanation *keeper = (gpr_explanation *)(uintptr_t)explanation; /* its lock guards what is changed */
    return gpri_finish(gpri_text_keep(keeper->ctx, &keeper->lock, &keeper->json, write_text, keeper, json));
}
