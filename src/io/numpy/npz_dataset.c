/* Datasets as .npz in the gnn-benchmark convention:
 *
 *     adj_indptr, adj_indices, adj_shape, [adj_data]      the adjacency as CSR
 *     attr_indptr, attr_indices, attr_shape, [attr_data]  the features as CSR, or attr_matrix, dense, or none
 *     [labels]                                            one class per node, -1 for none
 *     [class_names, node_names, attr_names]               texts: names of classes, nodes and features
 *
 * Several kinds of edges are several matrices, with their names after adj_, in place of the one: adj_pay_indptr,
 * adj_pay_indices, [adj_pay_data]; adj_shape is that of all. A matrix that is not symmetric has directions. We write
 * both arcs of each edge, and adj_along beside adj_data: the weight of the arc from row to column, 0 where there is
 * none.
 *
 * A sparse matrix as scipy's save_npz writes it (indptr, indices, shape, data; or row, col) is a graph without features
 * and labels. A missing _data means all 1. Four members are our own, and other readers skip them. They are written
 * only if information would be lost otherwise: csbm_phi (a cSBM's phi), num_classes (when the last classes have no
 * node), mixed_columns (features that are columns of a table), from_table (made from tables). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "base/print.h"
#include "data/dataset.h"
#include "data/feature_matrix.h"
#include "file/path.h"
#include "io/numpy/npz.h"
#include "io/numpy/npz_dataset.h"

/* A CSR matrix as read; the arrays are named after the members. */
typedef struct csr {
    int64_t rows, cols;
    gpri_array indptr, indices, data; /* int64; int32; float, or no data: all 1 */
    gpri_array along;                 /* float, or none: as data */
} csr;

static void csr_free(gpr_ctx *ctx, csr *matrix) {
    gpri_free_all(ctx, matrix->indptr.data, matrix->indices.data, matrix->data.data, matrix->along.data);
}

/* prefix: of the members' names, "adj_". bytes: of the file. */
static gpr_status check_shape(gpr_ctx *ctx, const csr *matrix, const char *prefix, int64_t bytes) {
    const bool attr = strcmp(prefix, "attr_") == 0;
    if (matrix->rows < 1 || matrix->rows >= INT32_MAX || matrix->cols < 1 || matrix->cols >= INT32_MAX)
        return gpri_fail(GPR_ERROR_FORMAT, "%sshape is (%lld, %lld): both must be from 1 to %d", prefix,
                         (long long)matrix->rows, (long long)matrix->cols, INT32_MAX - 1);
    return gpri_budget_declared(ctx, NULL, attr ? "columns" : "nodes", matrix->cols,
                                attr ? GPRI_COLUMN_BYTES : GPRI_NODE_BYTES, bytes);
}

/* The row pointers must fit the shape and the number of entries. */
static gpr_status check_structure(const csr *matrix, const char *prefix) {
    const int64_t *indptr = matrix->indptr.data;
    const int64_t rows = matrix->rows, entries = matrix->indices.count;
    NEED(gpri_check_indptr(GPR_ERROR_FORMAT, prefix, indptr, true, matrix->indptr.count, rows, entries));
    if (matrix->data.data && matrix->data.count != entries)
        return gpri_fail(GPR_ERROR_FORMAT, "%sdata has %lld numbers, %sindices %lld: they must be equal", prefix,
                         (long long)matrix->data.count, prefix, (long long)entries);
    if (matrix->along.data && matrix->along.count != entries)
        return gpri_fail(GPR_ERROR_FORMAT, "%salong has %lld numbers, %sindices %lld: they must be equal", prefix,
                         (long long)matrix->along.count, prefix, (long long)entries);
    return GPR_OK;
}

/* The message names the member; the builders could only say "edge 17". */
static gpr_status check_column(int64_t column, int64_t k, const csr *matrix, const char *prefix) {
    if (column >= 0 && column < matrix->cols) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "%sindices[%lld] is %lld: columns must be in [0, %lld), by %sshape", prefix,
                     (long long)k, (long long)column, (long long)matrix->cols, prefix);
}

/* shape_of: the prefix of the shape, which several matrices may share. */
static gpr_status read_csr(gpr_ctx *ctx, gpri_npz *npz, csr *matrix, const char *prefix, const char *shape_of) {
    gpr_status status = GPR_OK;
    gpri_array shape = {0};
    char name[64];
    TRY(gpri_npz_read_part(npz, &shape, shape_of, "shape", GPRI_AS_INT64));
    if (shape.count != 2)
        THROW(GPR_ERROR_FORMAT, "%sshape has %lld numbers: expected 2, rows and columns", shape_of,
              (long long)shape.count);
    matrix->rows = ((int64_t *)shape.data)[0];
    matrix->cols = ((int64_t *)shape.data)[1];
    TRY(check_shape(ctx, matrix, shape_of, gpri_npz_file_size(npz)));
    TRY(gpri_npz_read_part(npz, &matrix->indptr, prefix, "indptr", GPRI_AS_INT64));
    TRY(gpri_npz_read_part(npz, &matrix->indices, prefix, "indices", GPRI_AS_INT32));
    snprintf(name, sizeof name, "%sdata", prefix);
    if (gpri_npz_has(npz, name)) TRY(gpri_npz_read(npz, &matrix->data, name, GPRI_AS_FLOAT, 1));
    snprintf(name, sizeof name, "%salong", prefix);
    if (strncmp(prefix, "adj_", 4) == 0 && gpri_npz_has(npz, name))
        TRY(gpri_npz_read(npz, &matrix->along, name, GPRI_AS_FLOAT, 1));
    TRY(check_structure(matrix, prefix));
    for (int64_t k = 0; k < matrix->indices.count; k++)
        TRY(check_column(((int32_t *)matrix->indices.data)[k], k, matrix, prefix));
done:
    gpri_free(ctx, shape.data);
    return status;
}

/* Of entries with `along`: those that are arcs from row to column. The others are the way back of one that is. */
static gpr_status keep_along(gpri_edges *edges, csr *matrix, const char *prefix) {
    int64_t kept = 0;
    edges->along = matrix->along.data;
    matrix->along.data = NULL;
    for (int64_t k = 0; k < edges->count; k++) {
        const float along = edges->along[k];
        if (!(along >= 0) || isinf(along))
            return gpri_fail(GPR_ERROR_FORMAT, "%salong[%lld] is %g: it must be 0 or more", prefix, (long long)k,
                             (double)along);
        if (along == 0) continue;
        edges->src[kept] = edges->src[k];
        edges->dst[kept] = edges->dst[k];
        if (edges->weights) edges->weights[kept] = edges->weights[k];
        edges->along[kept++] = along;
    }
    edges->count = kept;
    return GPR_OK;
}

/* The entries as edges: the columns and weights are taken out of the matrix. */
static gpr_status take_edges(gpr_ctx *ctx, gpri_edges *edges, csr *matrix, const char *prefix) {
    const int64_t *indptr = matrix->indptr.data, count = matrix->indices.count;
    NEED(gpri_alloc(ctx, &edges->src, count, sizeof *edges->src, "graph edges"));
    for (int64_t i = 0; i < matrix->rows; i++)
        for (int64_t k = indptr[i]; k < indptr[i + 1]; k++) edges->src[k] = (int32_t)i;
    edges->nodes = matrix->rows;
    edges->count = count;
    edges->directed = true;
    edges->dst = matrix->indices.data;
    matrix->indices.data = NULL;
    if (matrix->data.data && !gpri_all_ones(matrix->data.data, matrix->data.count)) {
        edges->weights = matrix->data.data;
        matrix->data.data = NULL;
    }
    return matrix->along.data ? keep_along(edges, matrix, prefix) : GPR_OK;
}

/* The adjacency matrix of that prefix as edges. */
static gpr_status read_edges(gpr_ctx *ctx, gpri_npz *npz, gpri_edges *edges, const char *prefix, const char *shape_of) {
    gpr_status status = GPR_OK;
    csr adj = {0};
    TRY(read_csr(ctx, npz, &adj, prefix, shape_of));
    if (adj.rows != adj.cols)
        THROW(GPR_ERROR_FORMAT, "%sshape is (%lld, %lld): an adjacency matrix must be square", shape_of,
              (long long)adj.rows, (long long)adj.cols);
    TRY(take_edges(ctx, edges, &adj, prefix));
done:
    csr_free(ctx, &adj);
    return status;
}

/* The kind of edges whose matrix a member begins: NAME of adj_NAME_indptr.npy; false: it is none. */
static bool relation_of(char name[GPRI_RELATION_NAME + 1], const char *member) {
    static const char before[] = "adj_", after[] = "_indptr.npy";
    const size_t around = sizeof before + sizeof after - 2, size = strlen(member);
    if (size <= around || size - around > GPRI_RELATION_NAME || strncmp(member, before, sizeof before - 1) != 0 ||
        strcmp(member + size - sizeof after + 1, after) != 0)
        return false;
    snprintf(name, GPRI_RELATION_NAME + 1, "%.*s", (int)(size - around), member + sizeof before - 1);
    return gpri_is_relation_name(name, (int64_t)strlen(name));
}

/* All kinds of edges, each as its graph. Without any, *edges is left alone. */
static gpr_status read_relations(gpr_ctx *ctx, gpri_npz *npz, gpri_edges *edges) {
    char name[GPRI_RELATION_NAME + 1], prefix[GPRI_RELATION_NAME + 8];
    gpr_status status = GPR_OK;
    gpri_edges part = {0};
    int64_t count = 0;
    for (int64_t m = 0; m < gpri_npz_count(npz); m++) count += relation_of(name, gpri_npz_name(npz, m));
    if (count == 0) return GPR_OK;
    if (count > GPRI_MOST_RELATIONS)
        return gpri_fail(GPR_ERROR_FORMAT, "%lld kinds of edges (adj_NAME_indptr): %d is the most", (long long)count,
                         GPRI_MOST_RELATIONS);
    TRY(gpri_calloc(ctx, &edges->relations, count, sizeof *edges->relations, "relations"));
    edges->relation_count = count;
    for (int64_t m = 0, r = 0; m < gpri_npz_count(npz); m++) {
        if (!relation_of(name, gpri_npz_name(npz, m))) continue;
        snprintf(prefix, sizeof prefix, "adj_%s_", name);
        TRY(gpri_strdup(ctx, &edges->relations[r].name, name));
        TRY(read_edges(ctx, npz, &part, prefix, "adj_"));
        edges->nodes = part.nodes;
        TRY(gpri_graph_take(ctx, &edges->relations[r++].graph, &part));
    }
done:
    gpri_edges_free(ctx, &part);
    return status;
}

/* Messages from the npz layer name the file already. */
static bool names_file(const char *message, const char *path) {
    size_t size = strlen(path);
    return strncmp(message, path, size) == 0 && message[size] == ':';
}

static gpr_status check_rows(const char *member, int64_t rows, int64_t nodes) {
    if (rows == nodes) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "%s has %lld rows, adj_shape %lld nodes: they must be equal", member,
                     (long long)rows, (long long)nodes);
}

/* A scalar member that may be missing; *out is then unchanged. */
static gpr_status read_scalar(gpr_ctx *ctx, gpri_npz *npz, double *out, const char *name) {
    gpri_array array;
    if (!gpri_npz_has(npz, name)) return GPR_OK;
    gpr_status status = gpri_npz_read(npz, &array, name, GPRI_AS_DOUBLE, 0);
    if (status == GPR_OK) *out = *(double *)array.data;
    gpri_free(ctx, array.data);
    return status;
}

static gpr_status set_phi(gpr_dataset *data, double phi) {
    char name[64];
    if (!(phi >= -1 && phi <= 1)) return gpri_fail(GPR_ERROR_FORMAT, "csbm_phi is %g: it must be in [-1, 1]", phi);
    data->phi = phi;
    gpri_print(name, sizeof name, "csbm(phi=%g)", phi);
    gpri_free(data->ctx, data->name);
    return gpri_strdup(data->ctx, &data->name, name);
}

/* Names are not essential: they are skipped if they are not texts, or not as many as are needed. But a member that
   cannot be read is an error, as any other. */
static gpr_status read_names(gpr_ctx *ctx, gpri_npz *npz, gpri_names *out, const char *member, int64_t count,
                             const char *path) {
    gpri_names names = {0};
    bool other = false;
    if (!gpri_npz_has(npz, member)) return GPR_OK;
    NEED(gpri_npz_read_names(npz, &names, &other, member));
    if (!other && names.count == count) {
        *out = names;
        return GPR_OK;
    }
    if (other) gpri_log(ctx, GPR_LOG_INFO, "%s: member '%s' does not hold texts: skipped", path, member);
    else
        gpri_log(ctx, GPR_LOG_INFO, "%s: %s has %lld names: expected %lld: skipped", path, member,
                 (long long)names.count, (long long)count);
    gpri_names_free(ctx, &names);
    return GPR_OK;
}

/* Of labels whose classes have names, in a file that does not say how many. */
static int64_t count_named(const gpri_array *labels) {
    const int32_t *label = labels->data;
    int64_t classes = 0;
    for (int64_t i = 0; i < labels->count; i++)
        if (label[i] >= classes && label[i] < GPRI_MOST_CLASSES) classes = (int64_t)label[i] + 1;
    return classes;
}

gpr_status gpri_read_npz(gpr_ctx *ctx, gpr_dataset **out, const char *path) {
    gpr_status status = GPR_OK;
    gpri_npz *npz = NULL;
    gpr_dataset *data = NULL;
    csr attr = {0};
    gpri_array matrix = {0}, labels = {0};
    gpri_edges edges = {0};
    char *name = NULL;
    double phi = NAN, classes = 0, mixed = 0, table = 0, generated = 0;
    *out = NULL;
    TRY(gpri_npz_open(ctx, &npz, path));
    TRY(gpri_name_ends(path, ".npz") ? gpri_path_stem(ctx, &name, path) : gpri_path_name(ctx, &name, path));
    const bool ours = gpri_npz_has(npz, "adj_indptr");
    if (!ours && gpri_npz_has(npz, "node_features")) LEAVE(gpri_npz_read_nodes(ctx, out, npz, name));
    if (!ours && gpri_npz_has(npz, "row") && gpri_npz_has(npz, "col")) LEAVE(gpri_npz_read_pairs(ctx, out, npz, name));
    const char *prefix = !ours && gpri_npz_has(npz, "indptr") ? "" : "adj_"; /* "": scipy's save_npz */
    if (!ours && *prefix) TRY(read_relations(ctx, npz, &edges));
    if (edges.relation_count == 0) status = read_edges(ctx, npz, &edges, prefix, prefix);
    if (status != GPR_OK && *prefix && !gpri_npz_has(npz, "adj_shape")) /* some other kind of .npz */
        gpri_fail(status, "%s; expected adj_indptr, adj_indices, adj_shape, attr_* or attr_matrix, labels",
                  gpr_last_error());
    if (status != GPR_OK) goto done;
    const int64_t nodes = edges.nodes;
    gpr_dataset_desc desc = {.struct_size = sizeof desc, .name = name};
    if (gpri_npz_has(npz, "attr_matrix")) {
        TRY(gpri_npz_read(npz, &matrix, "attr_matrix", GPRI_AS_FLOAT, 2));
        TRY(check_rows("attr_matrix", matrix.shape[0], nodes));
        desc.features = matrix.shape[1];
        desc.dense = matrix.data;
    } else if (gpri_npz_has(npz, "attr_shape") || gpri_npz_has(npz, "attr_indptr")) {
        TRY(read_csr(ctx, npz, &attr, "attr_", "attr_"));
        TRY(check_rows("attr_shape", attr.rows, nodes));
        desc.features = attr.cols;
        desc.indptr = attr.indptr.data;
        desc.indices = attr.indices.data;
        desc.values = attr.data.data;
    }
    if (gpri_npz_has(npz, "targets")) {
        TRY(gpri_npz_read(npz, &labels, "targets", GPRI_AS_FLOAT, 1));
        TRY(check_rows("targets", labels.count, nodes));
        desc.targets = labels.data;
    } else if (gpri_npz_has(npz, "labels")) {
        TRY(gpri_npz_read(npz, &labels, "labels", GPRI_AS_INT32, 1));
        TRY(check_rows("labels", labels.count, nodes));
        desc.labels = labels.data;
    }
    TRY(read_scalar(ctx, npz, &phi, "csbm_phi"));
    TRY(read_scalar(ctx, npz, &classes, "num_classes"));
    TRY(read_scalar(ctx, npz, &mixed, "mixed_columns"));
    TRY(read_scalar(ctx, npz, &table, "from_table"));
    TRY(read_scalar(ctx, npz, &generated, "generated"));
    if (!(classes >= 0 && classes < INT32_MAX))
        THROW(GPR_ERROR_FORMAT, "num_classes is %g: expected a small count", classes);
    desc.classes = (int64_t)classes;
    if (classes == 0 && desc.labels && gpri_npz_has(npz, "class_names")) desc.classes = count_named(&labels);
    TRY(gpri_dataset_take(ctx, &data, &desc, &edges, NULL));
    if (!isnan(phi)) TRY(set_phi(data, phi));
    data->mixed_columns = mixed == 1;
    data->from_table = table == 1;
    data->generated = generated == 1;
    TRY(read_names(ctx, npz, &data->target.names, "class_names", data->target.classes, path));
    TRY(read_names(ctx, npz, &data->node_ids, "node_names", data->graph.nodes, path));
    TRY(read_names(ctx, npz, &data->feature_names, "attr_names", data->features.cols, path));
    gpri_names_make_utf8(&data->target.names);
    gpri_names_make_utf8(&data->feature_names);
    *out = data;
    data = NULL;
done:
    /* A wrong argument of the builder is a wrong file here. */
    if (status == GPR_ERROR_ARGUMENT) status = GPR_ERROR_FORMAT;
    if (status != GPR_OK && npz && !names_file(gpr_last_error(), path)) gpri_fail_prefix(status, "%s", path);
    gpri_npz_close(npz);
    gpr_dataset_free(data);
    csr_free(ctx, &attr);
    gpri_free_all(ctx, matrix.data, labels.data);
    gpri_edges_free(ctx, &edges);
    gpri_free(ctx, name);
    return status;
}
