/* A dataset from arrays (of the caller: arrays.c), checked once here so that nothing after it has to. */
#include "data/dataset.h"

#include <math.h>

#include "data/feature_matrix.h"
#include "dist/all.h"

static gpr_status take_features(gpr_dataset *data, const gpr_dataset_desc *desc) {
    if (!desc->dense && !desc->indptr) {
        if (desc->features == 0) return gpri_feature_matrix_none(data->ctx, &data->features, desc->nodes);
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "%lld features are announced, but neither dense nor indptr (CSR) is given; 0: no features",
                         (long long)desc->features);
    }
    if (desc->dense && desc->indptr)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "features are given both dense and as CSR: give one and leave the other NULL");
    if (desc->dense)
        return gpri_feature_matrix_from_dense(data->ctx, &data->features, desc->nodes, desc->features, desc->dense);
    return gpri_feature_matrix_from_csr(data->ctx, &data->features, desc->nodes, desc->features, desc->indptr,
                                        desc->indices, desc->values);
}

gpr_status gpri_dataset_new_empty(gpr_ctx *ctx, gpr_dataset **out) {
    gpr_status status = GPR_OK;
    gpr_dataset *data = NULL;
    *out = NULL;
    TRY(gpri_calloc(ctx, &data, 1, sizeof *data, "dataset"));
    data->ctx = ctx;
    data->phi = NAN;
    TRY(gpri_calloc(ctx, &data->memo, 1, sizeof *data->memo, "dataset"));
    data->memo->lock = (gpri_lock)GPRI_LOCK_READY;
    *out = data;
    data = NULL;
done:
    gpr_dataset_free(data);
    return status;
}

/* edges: taken, or NULL: those of desc, which are directed or not. Leaves node_ids alone. */
static gpr_status build(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc, gpri_edges *edges,
                        bool directed) {
    gpr_status status = GPR_OK;
    gpr_dataset *data = NULL;
    *out = NULL;
    TRY(gpri_dataset_new_empty(ctx, &data));
    TRY(gpri_strdup(ctx, &data->name, desc->name ? desc->name : "unnamed"));
    if (edges) TRY(gpri_graph_take(ctx, &data->graph, edges));
    else
        TRY((directed ? gpri_graph_build_directed : gpri_graph_build)(ctx, &data->graph, desc->nodes, desc->edges,
                                                                      desc->src, desc->dst, desc->weights));
    TRY(take_features(data, desc));
    if (desc->targets && (desc->labels || desc->classes || desc->class_names))
        THROW(GPR_ERROR_ARGUMENT, "both targets, which are numbers, and labels or classes are given: give one of them");
    TRY(desc->targets
            ? gpri_target_of_numbers(ctx, &data->target, desc->targets, desc->nodes)
            : gpri_target_of_labels(ctx, &data->target, desc->labels, desc->nodes, desc->classes, desc->class_names));
    TRY(gpri_names_take(ctx, &data->feature_names, desc->feature_names, desc->features, "feature name"));
    gpri_names_make_utf8(&data->feature_names); /* it goes to model files */
    TRY(gpri_names_take(ctx, &data->node_ids, desc->node_ids, desc->nodes, "node id"));
    *out = data;
    data = NULL;
done:
    gpr_dataset_free(data);
    return status;
}

gpr_status gpri_dataset_build(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc, bool directed) {
    return build(ctx, out, desc, NULL, directed);
}

gpr_status gpri_dataset_take(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc, gpri_edges *edges,
                             gpri_names *node_ids) {
    gpr_dataset_desc rest = *desc;
    rest.nodes = edges->nodes;
    rest.node_ids = NULL;
    gpr_status status = build(ctx, out, &rest, edges, false);
    gpri_edges_free(ctx, edges);
    if (status != GPR_OK) {
        if (node_ids) gpri_names_free(ctx, node_ids);
        return status;
    }
    if (node_ids) {
        (*out)->node_ids = *node_ids;
        *node_ids = (gpri_names){0};
    }
    return GPR_OK;
}

void gpri_dataset_drop_features(gpr_dataset *data) {
    if (!data->backing.file || data->own_features) {
        gpri_feature_matrix_free(data->ctx, &data->features);
        gpri_names_free(data->ctx, &data->feature_names);
    }
    data->features = (gpri_feature_matrix){0};
    data->feature_names = (gpri_names){0};
    data->own_features = true;
    data->made[0] = data->made_from[0] = 0;
    if (data->memo) data->memo->known = data->memo->unlabelled_known = false;
    if (data->memo) data->memo->scale = 0;
}

static void drop_labels(gpr_dataset *data) {
    if (!data->backing.file || data->own_labels) gpri_target_free(data->ctx, &data->target);
    data->target = (gpri_target){0};
    data->own_labels = true;
    if (data->memo) data->memo->known = false;
}

gpr_status gpri_dataset_set_labels(gpr_dataset *data, gpri_target *target, const char *path) {
    gpr_status status = GPR_OK;
    if (target->classes > GPRI_MOST_CLASSES)
        THROW(GPR_ERROR_FORMAT, "%s: %lld classes: there may be %d", path, (long long)target->classes,
              GPRI_MOST_CLASSES);
    drop_labels(data);
    data->target = *target;
    *target = (gpri_target){0};
    gpri_names_make_utf8(&data->target.names);
done:
    gpri_target_free(data->ctx, target);
    return status;
}

void gpri_own_split_free(gpr_ctx *ctx, gpri_own_split *split) {
    gpri_free_all(ctx, split->part, split->time, split->column);
    *split = (gpri_own_split){0};
}

void gpr_dataset_free(gpr_dataset *data) {
    if (!data) return;
    gpri_dataset_drop_features(data);
    drop_labels(data);
    if (!data->backing.file || data->own_graph) gpri_graph_free(data->ctx, &data->graph);
    if (!data->backing.file || data->own_ids) gpri_names_free(data->ctx, &data->node_ids);
    if (!data->backing.file) gpri_free(data->ctx, data->order);
    if (data->backing.file) data->backing.release(data->ctx, data->backing.file);
    gpri_own_split_free(data->ctx, &data->own_split);
    gpri_plan_free(data->plan);
    gpri_names_free(data->ctx, &data->origin);
    gpri_free_all(data->ctx, data->node_weights, data->memo, data->name, data);
}

static bool is_partly_open(const gpr_dataset *data) {
    return data->backing.file && data->backing.partly(data->backing.file);
}

gpr_status gpri_dataset_ready(gpr_ctx *ctx, const gpr_dataset *data) {
    if (is_partly_open(data) && gpri_spreads_rows(ctx))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "%s has shards, and this process has opened those of its own rows: what was asked for needs "
                         "all rows; ask when the training has ended. If nobody has asked, it is a fault of gprgnn: "
                         "report it, and train on one file",
                         data->name);
    return data->backing.file ? data->backing.ready(ctx, ctx->threads, NULL, data->backing.file) : GPR_OK;
}

gpr_status gpri_dataset_ready_nodes(gpr_ctx *ctx, const gpr_dataset *data) {
    return is_partly_open(data) ? GPR_OK : gpri_dataset_ready(ctx, data);
}

/* For functions that have no context: one thread, as the dataset's context may be busy on another. Labels and names are
   there with any rows. */
static bool readable(const gpr_dataset *data) {
    if (data && is_partly_open(data)) return true;
    return data && (!data->backing.file || data->backing.ready(data->ctx, 1, NULL, data->backing.file) == GPR_OK);
}

const int32_t *gpr_dataset_labels(const gpr_dataset *data, int64_t *count) {
    const bool there = readable(data);
    if (count) *count = there ? data->graph.nodes : 0;
    return there ? data->target.labels : NULL;
}

const float *gpr_dataset_targets(const gpr_dataset *data, int64_t *count) {
    const bool there = readable(data) && gpri_target_is_number(&data->target);
    if (count) *count = there ? data->graph.nodes : 0;
    return there ? data->target.numbers : NULL;
}

const char *gpr_dataset_class_name(const gpr_dataset *data, int64_t class_id) {
    return readable(data) ? gpri_name(&data->target.names, class_id) : NULL;
}

const char *gpr_dataset_feature_name(const gpr_dataset *data, int64_t feature) {
    return readable(data) ? gpri_name(&data->feature_names, feature) : NULL;
}

const char *gpr_dataset_node_id(const gpr_dataset *data, int64_t node) {
    return readable(data) ? gpri_name(&data->node_ids, node) : NULL;
}
