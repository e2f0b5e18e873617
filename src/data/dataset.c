/* A dataset from arrays (of the caller: arrays.c), checked once here so that nothing after it has to. */
#include "data/dataset.h"

#include <math.h>

#include "data/feature_matrix.h"
#include "dist/group.h"

/* Nobody said how many classes there are. Numbers with gaps, of too many values for classes, are a quantity. */
static gpr_status check_class_numbers(const gpr_dataset *data, int64_t nodes, int64_t largest) {
    enum { FEW = 50, PER_CLASS = 20 }; /* 5 % of the labelled nodes, as for labels of tables */
    int64_t labelled = 0, values = 0;
    uint8_t *seen = NULL; /* (largest + 1) */
    if (largest < FEW) return GPR_OK;
    NEED(gpri_calloc(data->ctx, &seen, largest + 1, sizeof *seen, "classes"));
    for (int64_t i = 0; i < nodes; i++) {
        if (data->labels[i] < 0) continue;
        labelled++;
        values += !seen[data->labels[i]];
        seen[data->labels[i]] = 1;
    }
    gpri_free(data->ctx, seen);
    if (values > largest || values <= FEW || values * PER_CLASS <= labelled) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "%lld different numbers, up to %lld, are the labels of %lld nodes: gprgnn predicts classes, not "
                     "numbers; make a few classes of them; if each number is a class, number the classes 0, 1, 2, ...",
                     (long long)values, (long long)largest, (long long)labelled);
}

/* Copies the labels; *classes is at least the largest label + 1. */
static gpr_status take_labels(gpr_dataset *data, const gpr_dataset_desc *desc) {
    int64_t largest = -1, where = 0;
    NEED(gpri_alloc(data->ctx, &data->labels, desc->nodes, sizeof *data->labels, "labels"));
    for (int64_t i = 0; i < desc->nodes; i++) {
        int32_t label = desc->labels ? desc->labels[i] : -1;
        if (label < -1)
            return gpri_fail(GPR_ERROR_ARGUMENT, "node %lld has label %d: labels must be 0, 1, ... or -1 for none",
                             (long long)i, label);
        data->labels[i] = label;
        if (label > largest) {
            largest = label;
            where = i;
        }
    }
    if (desc->classes < 0 || desc->classes > GPRI_MOST_CLASSES)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%lld classes: there must be from 1 to %d (or 0: as the labels say)",
                         (long long)desc->classes, GPRI_MOST_CLASSES);
    if (desc->classes > 0 && largest >= desc->classes)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "node %lld has label %lld: with %lld classes, labels must be in [0, %lld) or -1",
                         (long long)where, (long long)largest, (long long)desc->classes, (long long)desc->classes);
    if (largest >= GPRI_MOST_CLASSES)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "node %lld has label %lld: labels must be below %d; number the classes 0, 1, 2, ...",
                         (long long)where, (long long)largest, GPRI_MOST_CLASSES);
    data->classes = desc->classes > 0 ? desc->classes : largest + 1;
    return desc->classes > 0 || desc->class_names ? GPR_OK : check_class_numbers(data, desc->nodes, largest);
}

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

/* names: (count), or NULL: none. */
static gpr_status take_names(gpr_dataset *data, gpri_names *to, const char *const *names, int64_t count,
                             const char *what) {
    for (int64_t i = 0; names && i < count; i++)
        if (!names[i]) return gpri_fail(GPR_ERROR_ARGUMENT, "%s %lld is NULL", what, (long long)i);
    return names ? gpri_names_copy(data->ctx, to, names, count) : GPR_OK;
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
    TRY(take_labels(data, desc));
    TRY(take_names(data, &data->class_names, desc->class_names, data->classes, "class name"));
    gpri_names_make_utf8(&data->class_names); /* it goes to model files */
    TRY(take_names(data, &data->feature_names, desc->feature_names, desc->features, "feature name"));
    gpri_names_make_utf8(&data->feature_names);
    TRY(take_names(data, &data->node_ids, desc->node_ids, desc->nodes, "node id"));
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

void gpri_dataset_drop_labels(gpr_dataset *data) {
    if (!data->backing.file || data->own_labels) {
        gpri_free(data->ctx, data->labels);
        gpri_names_free(data->ctx, &data->class_names);
    }
    data->labels = NULL;
    data->class_names = (gpri_names){0};
    data->own_labels = true;
    if (data->memo) data->memo->known = false;
}

void gpri_own_split_free(gpr_ctx *ctx, gpri_own_split *split) {
    gpri_free(ctx, split->part);
    gpri_free(ctx, split->column);
    *split = (gpri_own_split){0};
}

void gpr_dataset_free(gpr_dataset *data) {
    if (!data) return;
    gpri_dataset_drop_features(data);
    gpri_dataset_drop_labels(data);
    if (!data->backing.file || data->own_graph) gpri_graph_free(data->ctx, &data->graph);
    if (!data->backing.file || data->own_ids) gpri_names_free(data->ctx, &data->node_ids);
    if (!data->backing.file) gpri_free(data->ctx, data->order);
    if (data->backing.file) data->backing.release(data->ctx, data->backing.file);
    gpri_own_split_free(data->ctx, &data->own_split);
    gpri_plan_free(data->plan);
    gpri_names_free(data->ctx, &data->origin);
    gpri_free(data->ctx, data->node_weights);
    gpri_free(data->ctx, data->memo);
    gpri_free(data->ctx, data->name);
    gpri_free(data->ctx, data);
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
    return there ? data->labels : NULL;
}

const char *gpr_dataset_class_name(const gpr_dataset *data, int64_t class_id) {
    return readable(data) ? gpri_name(&data->class_names, class_id) : NULL;
}

const char *gpr_dataset_feature_name(const gpr_dataset *data, int64_t feature) {
    return readable(data) ? gpri_name(&data->feature_names, feature) : NULL;
}

const char *gpr_dataset_node_id(const gpr_dataset *data, int64_t node) {
    return readable(data) ? gpri_name(&data->node_ids, node) : NULL;
}
