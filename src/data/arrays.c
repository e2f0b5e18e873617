/* gpr_dataset_new: the caller's arrays in the forms that gpr_dataset_desc allows become the one that gpri_dataset_build
 * and gpri_dataset_take have. CSR whose lengths are given is checked here before anything in it is followed. And
 * gpr_dataset_derive: other arrays in place of some. */
#include <math.h>
#include <string.h>

#include "base/struct.h"
#include "data/dataset.h"
#include "data/feature_matrix.h"

/* Indices of 32 or 64 bits, and how many there are. */
typedef struct {
    const void *indptr, *indices;
    int64_t indptr_length, indices_length;
    bool wide;
    const char *name; /* for messages: "adj_", "feature_", "" */
} index_arrays;

static int64_t at(const void *indices, bool wide, int64_t k) {
    return wide ? ((const int64_t *)indices)[k] : ((const int32_t *)indices)[k];
}

/* Begins with 0, never falls, ends within the indices. */
static gpr_status check_indptr(const index_arrays *a, int64_t nodes) {
    if (nodes < 1 || nodes >= INT32_MAX)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the graph has %lld nodes: it must have from 1 to %d", (long long)nodes,
                         INT32_MAX - 1);
    if (a->indptr_length != nodes + 1)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the length of %sindptr is %lld: it must be nodes + 1, %lld", a->name,
                         (long long)a->indptr_length, (long long)nodes + 1);
    if (a->indices_length < 0 || (a->indices_length > 0 && !a->indices))
        return gpri_fail(GPR_ERROR_ARGUMENT, "the length of %sindices is %lld%s", a->name, (long long)a->indices_length,
                         a->indices_length < 0 ? ": it must be 0 or more" : ", but there are no indices");
    NEED(gpri_check_indptr(GPR_ERROR_ARGUMENT, a->name, a->indptr, a->wide, nodes + 1, nodes, -1));
    const int64_t end = at(a->indptr, a->wide, nodes);
    if (end > a->indices_length)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%sindptr ends with %lld: there are %lld indices", a->name, (long long)end,
                         (long long)a->indices_length);
    return GPR_OK;
}

static gpr_status check_bits(const gpr_dataset_desc *desc) {
    if (desc->index_bits == 32 || desc->index_bits == 64) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "index_bits is %d: it must be 32 or 64, of adj_* and feature_*",
                     desc->index_bits);
}

/* ---- The graph ------------------------------------------------------------------------------------ */

static gpr_status take_adjacency(gpr_ctx *ctx, gpri_edges *out, const gpr_dataset_desc *desc) {
    const int64_t nodes = desc->nodes;
    const index_arrays adj = {desc->adj_indptr,         desc->adj_indices,      desc->adj_indptr_length,
                              desc->adj_indices_length, desc->index_bits == 64, "adj_"};
    if (desc->src || desc->dst || desc->weights || desc->edges)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the graph is given both as edges (src, dst) and as CSR (adj_indptr): give one");
    NEED(check_bits(desc));
    NEED(check_indptr(&adj, nodes));
    *out = (gpri_edges){.nodes = nodes, .count = at(adj.indptr, adj.wide, nodes), .directed = true};
    NEED(gpri_alloc(ctx, &out->src, out->count, sizeof *out->src, "graph edges"));
    NEED(gpri_alloc(ctx, &out->dst, out->count, sizeof *out->dst, "graph edges"));
    if (desc->adj_values) NEED(gpri_alloc(ctx, &out->weights, out->count, sizeof *out->weights, "edge weights"));
    for (int64_t i = 0; i < nodes; i++)
        for (int64_t k = at(adj.indptr, adj.wide, i); k < at(adj.indptr, adj.wide, i + 1); k++) {
            const int64_t other = at(adj.indices, adj.wide, k);
            if (other < 0 || other >= nodes)
                return gpri_fail(GPR_ERROR_ARGUMENT,
                                 "adj_indices[%lld], of node %lld, is %lld: ids must be in [0, %lld)", (long long)k,
                                 (long long)i, (long long)other, (long long)nodes);
            out->src[k] = (int32_t)i;
            out->dst[k] = (int32_t)other;
            if (desc->adj_values) out->weights[k] = desc->adj_values[k];
        }
    return GPR_OK;
}

/* ---- Several kinds of edges ---- */

static gpr_status take_names(gpr_ctx *ctx, gpri_edges *out, const gpr_dataset_desc *desc) {
    const int64_t count = desc->relation_count;
    if (!desc->relation_names || (desc->edges > 0 && (!desc->edge_relation || !desc->src || !desc->dst)))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "there are %lld relations: relation_names, and edge_relation, src and dst of the edges, must "
                         "not be NULL",
                         (long long)count);
    if (count < 0 || count > GPRI_MOST_RELATIONS)
        return gpri_fail(GPR_ERROR_ARGUMENT, "relation_count is %lld: it must be from 0 to %d", (long long)count,
                         GPRI_MOST_RELATIONS);
    NEED(gpri_calloc(ctx, &out->relations, count, sizeof *out->relations, "relations"));
    out->relation_count = count;
    for (int64_t r = 0; r < count; r++) {
        const char *name = desc->relation_names[r];
        if (!name || !gpri_is_relation_name(name, (int64_t)strnlen(name, GPRI_RELATION_NAME + 1)))
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "the name of relation %lld is %s%.40s%s: it must have from 1 to %d letters, digits, '_', "
                             "'-' and '.'",
                             (long long)r, name ? "'" : "NULL", name ? name : "", name ? "'" : "", GPRI_RELATION_NAME);
        NEED(gpri_strdup(ctx, &out->relations[r].name, name));
    }
    return GPR_OK;
}

static gpr_status take_relations(gpr_ctx *ctx, gpri_edges *out, const gpr_dataset_desc *desc) {
    const int64_t nodes = desc->nodes, count = desc->edges;
    if (desc->adj_indptr)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "kinds of edges (relation_count) are given with src and dst, not with adj_indptr");
    if (count < 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the graph has %lld edges: it must have 0 or more", (long long)count);
    NEED(take_names(ctx, out, desc));
    out->nodes = nodes;
    out->count = count;
    out->directed = true;
    NEED(gpri_alloc(ctx, &out->src, count, sizeof *out->src, "graph edges"));
    NEED(gpri_alloc(ctx, &out->dst, count, sizeof *out->dst, "graph edges"));
    NEED(gpri_alloc(ctx, &out->relation, count, sizeof *out->relation, "graph edges"));
    if (desc->weights) NEED(gpri_alloc(ctx, &out->weights, count, sizeof *out->weights, "edge weights"));
    for (int64_t e = 0; e < count; e++) {
        const int64_t src = desc->src[e], dst = desc->dst[e], relation = desc->edge_relation[e];
        if (src < 0 || src >= nodes || dst < 0 || dst >= nodes || nodes >= INT32_MAX)
            return gpri_fail(GPR_ERROR_ARGUMENT, "edge %lld goes from node %lld to node %lld: ids must be in [0, %lld)",
                             (long long)e, (long long)src, (long long)dst, (long long)nodes);
        if (relation < 0 || relation >= out->relation_count)
            return gpri_fail(GPR_ERROR_ARGUMENT, "edge_relation[%lld] is %lld: there are %lld relations", (long long)e,
                             (long long)relation, (long long)out->relation_count);
        if (desc->weights && !(desc->weights[e] > 0 && isfinite(desc->weights[e])))
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "edge %lld (%lld to %lld) has weight %g: weights must be positive and finite",
                             (long long)e, (long long)src, (long long)dst, (double)desc->weights[e]);
        out->src[e] = (int32_t)src;
        out->dst[e] = (int32_t)dst;
        out->relation[e] = (uint8_t)relation;
        if (desc->weights) out->weights[e] = desc->weights[e];
    }
    return GPR_OK;
}

/* ---- The features --------------------------------------------------------------------------------- */

/* Copies in the types that gpri_dataset_build takes. */
typedef struct {
    int64_t *indptr;
    int32_t *indices;
} narrow_indices;

/* feature_indptr and feature_indices become indptr and indices of *desc. */
static gpr_status take_features(gpr_ctx *ctx, narrow_indices *own, gpr_dataset_desc *desc) {
    const index_arrays csr = {desc->feature_indptr, desc->feature_indices,  desc->indptr_length,
                              desc->indices_length, desc->index_bits == 64, "feature_"};
    const int64_t nodes = desc->nodes;
    if (desc->indptr || desc->dense)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "features are given both as feature_indptr and as %s: give one and leave the other "
                         "NULL",
                         desc->dense ? "dense" : "indptr");
    NEED(check_bits(desc));
    NEED(check_indptr(&csr, nodes));
    const int64_t count = at(csr.indptr, csr.wide, nodes);
    NEED(gpri_alloc(ctx, &own->indptr, nodes + 1, sizeof *own->indptr, "feature rows"));
    NEED(gpri_alloc(ctx, &own->indices, count, sizeof *own->indices, "feature columns"));
    for (int64_t i = 0; i <= nodes; i++) own->indptr[i] = at(csr.indptr, csr.wide, i);
    for (int64_t k = 0; k < count; k++) {
        const int64_t column = at(csr.indices, csr.wide, k);
        if (column < 0 || column >= desc->features || column >= INT32_MAX)
            return gpri_fail(GPR_ERROR_ARGUMENT, "feature_indices[%lld] is %lld: columns must be in [0, %lld)",
                             (long long)k, (long long)column, (long long)desc->features);
        own->indices[k] = (int32_t)column;
    }
    desc->indptr = own->indptr;
    desc->indices = own->indices;
    return GPR_OK;
}

/* Of indptr and indices, where the caller gives their lengths. */
static gpr_status check_features(const gpr_dataset_desc *desc) {
    const index_arrays csr = {desc->indptr, desc->indices, desc->indptr_length, desc->indices_length, true, ""};
    return desc->indptr && desc->indptr_length ? check_indptr(&csr, desc->nodes) : GPR_OK;
}

/* ---- The dataset ---------------------------------------------------------------------------------- */

static gpr_status build_from_edges(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc) {
    gpr_status status = GPR_OK;
    gpri_edges edges = {0};
    gpri_names ids = {0};
    TRY(desc->relation_count ? take_relations(ctx, &edges, desc) : take_adjacency(ctx, &edges, desc));
    for (int64_t i = 0; desc->node_ids && i < desc->nodes; i++)
        if (!desc->node_ids[i]) THROW(GPR_ERROR_ARGUMENT, "node id %lld is NULL", (long long)i);
    if (desc->node_ids) TRY(gpri_names_copy(ctx, &ids, desc->node_ids, desc->nodes));
    return gpri_dataset_take(ctx, out, desc, &edges, desc->node_ids ? &ids : NULL);
done:
    gpri_edges_free(ctx, &edges);
    return status;
}

static gpr_status take_node_weights(gpr_ctx *ctx, gpr_dataset *data, const float *weights) {
    for (int64_t i = 0; i < data->graph.nodes; i++)
        if (!(weights[i] >= 0) || isinf(weights[i]))
            return gpri_fail(GPR_ERROR_ARGUMENT, "node_weights[%lld] is %g: it must be a number of 0 or more",
                             (long long)i, (double)weights[i]);
    return gpri_copy(ctx, &data->node_weights, weights, data->graph.nodes, sizeof *weights, "weights of nodes");
}

gpr_status gpr_dataset_new(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc) {
    gpr_status status = GPR_OK;
    narrow_indices narrow = {NULL, NULL};
    gpr_dataset_desc own;
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_new: out is NULL");
    *out = NULL;
    if (!ctx || !desc) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_new: a NULL argument");
    TRY(GPRI_STRUCT_IN(&own, desc, gpr_dataset_desc, "gpr_dataset_new", "desc"));
    TRY(own.feature_indptr ? take_features(ctx, &narrow, &own) : check_features(&own));
    TRY(own.adj_indptr || own.relation_count ? build_from_edges(ctx, out, &own)
                                             : gpri_dataset_build(ctx, out, &own, true));
    if (own.node_weights) TRY(take_node_weights(ctx, *out, own.node_weights));
done:
    if (status != GPR_OK) {
        gpr_dataset_free(*out);
        *out = NULL;
    }
    gpri_free_all(ctx, narrow.indptr, narrow.indices);
    return gpri_finish(status);
}

/* ---- The same data with other labels, weights of nodes, or another graph ----------------------------
   All else lies in the dataset that it was derived from, as the arrays of a mapped dataset lie in a file: nothing of it
   is copied. First, a dataset in memory as such a file. */

static gpr_status is_ready(gpr_ctx *ctx, int threads, const gpr_ctx *together, void *file) {
    (void)ctx, (void)threads, (void)together, (void)file;
    return GPR_OK;
}

static bool is_true(const void *file) { return file != NULL; }
static bool is_false(const void *file) { return file == NULL; }

static gpr_status is_unchanged(gpr_ctx *ctx, void *file, bool deep) {
    (void)ctx, (void)file, (void)deep;
    return GPR_OK;
}

static void keep(gpr_ctx *ctx, void *file) { (void)ctx, (void)file; }

static const uint64_t unstated[2] = {0, 0};

static gpri_backing backing_of(const gpr_dataset *data) {
    gpri_backing backing = data->backing;
    if (!backing.file)
        backing = (gpri_backing){.file = (void *)data,
                                 .ready = is_ready,
                                 .seen = is_true,
                                 .whole = is_true,
                                 .partly = is_false,
                                 .unchanged = is_unchanged,
                                 .stated = unstated,
                                 .fingerprint = unstated}; /* never asked for: labels are its own */
    backing.release = keep;
    return backing;
}

static gpr_status check_change(const gpr_dataset *data, const gpr_dataset_desc *desc) {
    if (desc->nodes != data->graph.nodes)
        return gpri_fail(GPR_ERROR_MISMATCH, "%s has %lld nodes, and what is to be derived from it has %lld",
                         data->name, (long long)data->graph.nodes, (long long)desc->nodes);
    if (desc->features || desc->dense || desc->indptr || desc->feature_indptr || desc->feature_names)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_derive: the features are those of %s: give none in desc",
                         data->name);
    return GPR_OK;
}

/* What desc does not give comes from data. to: made from desc. */
static gpr_status take_own(gpr_ctx *ctx, gpr_dataset *to, const gpr_dataset *data, const gpr_dataset_desc *desc) {
    const int64_t nodes = data->graph.nodes;
    if (!desc->labels && !desc->targets) { /* copied: a dataset whose arrays lie elsewhere has labels of its own */
        gpri_target_free(ctx, &to->target);
        NEED(gpri_target_new(ctx, &to->target, &data->target, nodes));
        for (int64_t i = 0; i < nodes; i++) gpri_target_copy(&to->target, i, &data->target, i);
    }
    if (!to->node_weights && data->node_weights) {
        NEED(
            gpri_copy(ctx, &to->node_weights, data->node_weights, nodes, sizeof *to->node_weights, "weights of nodes"));
    }
    if (data->own_split.part) {
        NEED(gpri_copy(ctx, &to->own_split.part, data->own_split.part, nodes, sizeof *to->own_split.part, "split"));
    }
    if (data->own_split.time) {
        NEED(gpri_copy(ctx, &to->own_split.time, data->own_split.time, nodes, sizeof *to->own_split.time, "times"));
    }
    to->own_split.timed = data->own_split.timed;
    if (data->own_split.column) NEED(gpri_strdup(ctx, &to->own_split.column, data->own_split.column));
    NEED(gpri_plan_clone(ctx, &to->plan, data->plan));
    if (to->plan && (desc->src || desc->adj_indptr)) { /* how the edges of data were read says nothing about others */
        gpri_names_free(ctx, &to->plan->reading);
        gpri_free(ctx, to->plan->weight);
        to->plan->weight = NULL;
        to->plan->weighted = to->graph.weight != NULL;
    }
    to->mixed_columns = data->mixed_columns;
    to->from_table = data->from_table;
    to->generated = data->generated;
    to->duplicates_asked = data->duplicates_asked;
    to->duplicates = data->duplicates;
    to->phi = data->phi;
    to->memory = data->memory;
    return GPR_OK;
}

/* From here on `to` has pointers into data. Cannot fail. */
static void borrow(gpr_dataset *to, const gpr_dataset *data, const gpr_dataset_desc *desc, bool keep_ids) {
    to->own_labels = true;
    to->own_graph = desc->src || desc->adj_indptr || desc->relation_count;
    if (!to->own_graph) {
        gpri_graph_free(to->ctx, &to->graph);
        to->graph = data->graph;
        memcpy(to->made, data->made, sizeof to->made);
        memcpy(to->made_from, data->made_from, sizeof to->made_from);
    }
    to->graph.moved = data->graph.moved;
    gpri_feature_matrix_free(to->ctx, &to->features);
    to->features = data->features;
    to->feature_names = data->feature_names;
    to->own_ids = !keep_ids;
    if (keep_ids) {
        gpri_names_free(to->ctx, &to->node_ids);
        to->node_ids = data->node_ids;
    }
    to->order = data->order;
    to->backing = backing_of(data);
}

gpr_status gpr_dataset_derive(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset *data, const gpr_dataset_desc *desc,
                              int keep_ids) {
    gpr_status status = GPR_OK;
    gpr_dataset *to = NULL;
    gpr_dataset_desc own;
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_derive: out is NULL");
    *out = NULL;
    if (!ctx || !data || !desc) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_derive: a NULL argument");
    TRY(GPRI_STRUCT_IN(&own, desc, gpr_dataset_desc, "gpr_dataset_derive", "desc"));
    TRY(check_change(data, &own));
    TRY(gpri_dataset_ready(ctx, data));
    TRY(gpr_dataset_new(ctx, &to, &own));
    if (!own.name) {
        gpri_free(ctx, to->name);
        TRY(gpri_strdup(ctx, &to->name, data->name));
    }
    TRY(take_own(ctx, to, data, &own));
    borrow(to, data, &own, keep_ids != 0);
    *out = to;
    to = NULL;
done:
    gpr_dataset_free(to);
    return gpri_finish(status);
}
