/* Datasets as .npz in the convention of the heterophilous-graphs collection:
 *
 *     node_features   nodes x features, dense
 *     node_labels     one class per node, -1 for none
 *     edges           edges x 2, in either or both directions
 *
 * Such a file may also hold masks (train_masks, ...); they are for io/numpy/split_masks.c. */
#include "base/budget.h"
#include "data/dataset.h"
#include "io/numpy/npz.h"
#include "io/numpy/npz_dataset.h"

/* edges of the shape 2 x E are probably transposed: the message says so. */
static gpr_status check_shapes(const gpri_array *features, const gpri_array *labels, const gpri_array *edges) {
    if (labels->count != features->shape[0])
        return gpri_fail(GPR_ERROR_FORMAT, "node_labels has %lld entries, node_features %lld rows: they must be equal",
                         (long long)labels->count, (long long)features->shape[0]);
    if (edges->shape[1] != 2)
        return gpri_fail(GPR_ERROR_FORMAT, "edges has the shape (%lld, %lld): expected a row of two nodes per edge%s",
                         (long long)edges->shape[0], (long long)edges->shape[1],
                         edges->shape[0] == 2 ? "; transpose it" : "");
    return GPR_OK;
}

gpr_status gpri_npz_read_nodes(gpr_ctx *ctx, gpr_dataset **out, gpri_npz *npz, const char *name) {
    gpr_status status = GPR_OK;
    gpri_array features = {0}, labels = {0}, edges = {0};
    gpri_edges ends = {0};
    TRY(gpri_npz_read(npz, &features, "node_features", GPRI_AS_FLOAT, 2));
    TRY(gpri_npz_read(npz, &labels, "node_labels", GPRI_AS_INT32, 1));
    TRY(gpri_npz_read(npz, &edges, "edges", GPRI_AS_INT32, 2));
    TRY(check_shapes(&features, &labels, &edges));
    const int32_t *pairs = edges.data;
    ends.nodes = features.shape[0];
    ends.directed = true;
    ends.count = edges.shape[0];
    TRY(gpri_alloc(ctx, &ends.src, ends.count, sizeof *ends.src, "graph edges"));
    TRY(gpri_alloc(ctx, &ends.dst, ends.count, sizeof *ends.dst, "graph edges"));
    for (int64_t e = 0; e < ends.count; e++) {
        ends.src[e] = pairs[2 * e];
        ends.dst[e] = pairs[2 * e + 1];
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = name,
                             .features = features.shape[1],
                             .dense = features.data,
                             .labels = labels.data};
    TRY(gpri_dataset_take(ctx, out, &desc, &ends, NULL));
done:
    gpri_free_all(ctx, features.data, labels.data, edges.data);
    gpri_edges_free(ctx, &ends);
    return status;
}

gpr_status gpri_npz_read_pairs(gpr_ctx *ctx, gpr_dataset **out, gpri_npz *npz, const char *name) {
    gpr_status status = GPR_OK;
    gpri_array shape = {0}, row = {0}, col = {0}, data = {0};
    TRY(gpri_npz_read(npz, &shape, "shape", GPRI_AS_INT64, 1));
    TRY(gpri_npz_read(npz, &row, "row", GPRI_AS_INT32, 1));
    TRY(gpri_npz_read(npz, &col, "col", GPRI_AS_INT32, 1));
    if (gpri_npz_has(npz, "data")) TRY(gpri_npz_read(npz, &data, "data", GPRI_AS_FLOAT, 1));
    const int64_t *size = shape.data;
    if (shape.count != 2 || size[0] != size[1])
        THROW(GPR_ERROR_FORMAT, "shape is not (n, n): an adjacency matrix must be square");
    TRY(gpri_budget_declared(ctx, NULL, "nodes", size[0], GPRI_NODE_BYTES, gpri_npz_file_size(npz)));
    if (col.count != row.count || (data.data && data.count != row.count))
        THROW(GPR_ERROR_FORMAT, "row, col and data have %lld, %lld and %lld entries: they must be equal",
              (long long)row.count, (long long)col.count, (long long)(data.data ? data.count : row.count));
    gpri_edges edges = {.nodes = size[0], .count = row.count, .src = row.data, .dst = col.data, .directed = true};
    if (data.data && !gpri_all_ones(data.data, data.count)) {
        edges.weights = data.data;
        data.data = NULL;
    }
    row.data = col.data = NULL;
    const gpr_dataset_desc desc = {.struct_size = sizeof desc, .name = name};
    TRY(gpri_dataset_take(ctx, out, &desc, &edges, NULL));
done:
    gpri_free_all(ctx, shape.data, row.data, col.data, data.data);
    return status;
}
