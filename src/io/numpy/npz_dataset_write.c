/* Datasets as .npz (npz_dataset.c has the convention): what has other types in memory, or is not there, is made for the
 * file. */
#include <math.h>
#include <stdio.h>

#include "data/dataset.h"
#include "io/numpy/npz_dataset.h"

/* What has to live until the file is committed. */
typedef struct scratch {
    int64_t adj_shape[2], attr_shape[2];
    void *arrays[GPRI_NPZ_MOST_MEMBERS]; /* (count) to free: of other types than in memory, or made for the file */
    int count;
    int64_t *labels;
    int64_t classes;
    double phi, mixed;
} scratch;

/* Row pointers as int32 when they fit, as scipy has them. */
static gpr_status add_indptr(gpr_ctx *ctx, gpri_npz_writer *writer, const char *name, scratch *keep,
                             const int64_t *indptr, int64_t rows) {
    int64_t count = rows + 1;
    int32_t *narrow;
    if (indptr[rows] > INT32_MAX) return gpri_npz_add(writer, name, GPRI_AS_INT64, 1, &count, indptr, true);
    NEED(gpri_alloc(ctx, &narrow, count, sizeof *narrow, name));
    keep->arrays[keep->count++] = narrow;
    for (int64_t i = 0; i < count; i++) narrow[i] = (int32_t)indptr[i];
    return gpri_npz_add(writer, name, GPRI_AS_INT32, 1, &count, narrow, true);
}

/* One number per arc: 1, or, where sides are given, the weight of the arc along. */
static gpr_status made_weights(gpr_ctx *ctx, float **out, scratch *keep, const gpri_graph *graph, bool along) {
    NEED(gpri_alloc(ctx, out, graph->arcs, sizeof **out, "adj_data"));
    keep->arrays[keep->count++] = *out;
    for (int64_t k = 0; k < graph->arcs; k++)
        (*out)[k] = !along ? 1 : !(graph->sides[k] & GPRI_ALONG) ? 0 : graph->along ? graph->along[k] : 1;
    return GPR_OK;
}

/* prefix: "adj_", or that of a relation. */
static gpr_status add_graph(gpr_ctx *ctx, gpri_npz_writer *writer, const gpri_graph *graph, const char *prefix,
                            scratch *keep) {
    char name[64];
    float *made;
    snprintf(name, sizeof name, "%sindptr", prefix);
    NEED(add_indptr(ctx, writer, name, keep, graph->rowptr, graph->nodes));
    snprintf(name, sizeof name, "%sindices", prefix);
    NEED(gpri_npz_add(writer, name, GPRI_AS_INT32, 1, &graph->arcs, graph->column, true));
    if (!graph->weight) NEED(made_weights(ctx, &made, keep, graph, false)); /* other programs want the member */
    snprintf(name, sizeof name, "%sdata", prefix);
    NEED(gpri_npz_add(writer, name, GPRI_AS_FLOAT, 1, &graph->arcs, graph->weight ? graph->weight : made,
                      !graph->weight));
    if (!graph->sides) return GPR_OK;
    NEED(made_weights(ctx, &made, keep, graph, true));
    snprintf(name, sizeof name, "%salong", prefix);
    return gpri_npz_add(writer, name, GPRI_AS_FLOAT, 1, &graph->arcs, made, true);
}

/* A graph of one kind of edges, or those of all kinds: their union is found when they are read. */
static gpr_status add_graphs(gpr_ctx *ctx, gpri_npz_writer *writer, const gpri_graph *graph, scratch *keep) {
    char prefix[GPRI_RELATION_NAME + 8];
    const int64_t two = 2;
    for (int64_t r = 0; r < gpri_relation_count(graph); r++) {
        const char *name = gpri_relation_name(graph, r);
        snprintf(prefix, sizeof prefix, "adj_%s%s", name, *name ? "_" : "");
        NEED(add_graph(ctx, writer, gpri_relation_graph(graph, r), prefix, keep));
    }
    keep->adj_shape[0] = keep->adj_shape[1] = graph->nodes;
    return gpri_npz_add(writer, "adj_shape", GPRI_AS_INT64, 1, &two, keep->adj_shape, true);
}

static gpr_status add_features(gpr_ctx *ctx, gpri_npz_writer *writer, const gpri_feature_matrix *table, scratch *keep) {
    const int64_t two = 2;
    if (table->cols == 0) return GPR_OK; /* no member: no features */
    keep->attr_shape[0] = table->rows;
    keep->attr_shape[1] = table->cols;
    if (table->dense)
        return gpri_npz_add(writer, "attr_matrix", GPRI_AS_FLOAT, 2, keep->attr_shape, table->dense, false);
    NEED(add_indptr(ctx, writer, "attr_indptr", keep, table->rowptr, table->rows));
    NEED(gpri_npz_add(writer, "attr_indices", GPRI_AS_INT32, 1, &table->nnz, table->column, true));
    /* ones (a bag of words) compress to almost nothing, other floats hardly at all */
    NEED(gpri_npz_add(writer, "attr_data", GPRI_AS_FLOAT, 1, &table->nnz, table->value,
                      gpri_all_ones(table->value, table->nnz)));
    return gpri_npz_add(writer, "attr_shape", GPRI_AS_INT64, 1, &two, keep->attr_shape, true);
}

gpr_status gpri_write_npz(gpr_ctx *ctx, const gpr_dataset *data, const char *path) {
    gpr_status status = GPR_OK;
    enum { MANY = 50 }; /* more would be taken for a quantity where some have no node: see task/target.c */
    gpri_npz_writer *writer = NULL;
    scratch keep = {0};
    int64_t seen = 0; /* classes that the labels show by themselves */
    TRY(gpri_npz_create(ctx, &writer, path));
    TRY(add_graphs(ctx, writer, &data->graph, &keep));
    TRY(add_features(ctx, writer, &data->features, &keep));
    TRY(gpri_alloc(ctx, &keep.labels, data->graph.nodes, sizeof *keep.labels, "labels"));
    for (int64_t i = 0; i < data->graph.nodes; i++) {
        keep.labels[i] = data->target.labels[i];
        if (data->target.labels[i] >= seen) seen = data->target.labels[i] + 1;
    }
    if (data->target.numbers)
        TRY(gpri_npz_add(writer, "targets", GPRI_AS_FLOAT, 1, &data->graph.nodes, data->target.numbers, false));
    else TRY(gpri_npz_add(writer, "labels", GPRI_AS_INT64, 1, &data->graph.nodes, keep.labels, true));
    keep.classes = data->target.classes;
    if (!data->target.numbers && (keep.classes != seen || seen > MANY))
        TRY(gpri_npz_add(writer, "num_classes", GPRI_AS_INT64, 0, NULL, &keep.classes, true));
    keep.phi = data->phi;
    if (!isnan(keep.phi)) TRY(gpri_npz_add(writer, "csbm_phi", GPRI_AS_DOUBLE, 0, NULL, &keep.phi, false));
    keep.mixed = 1;
    if (data->mixed_columns) TRY(gpri_npz_add(writer, "mixed_columns", GPRI_AS_DOUBLE, 0, NULL, &keep.mixed, false));
    if (data->from_table) TRY(gpri_npz_add(writer, "from_table", GPRI_AS_DOUBLE, 0, NULL, &keep.mixed, false));
    if (data->generated) TRY(gpri_npz_add(writer, "generated", GPRI_AS_DOUBLE, 0, NULL, &keep.mixed, false));
    if (data->target.names.count > 0) TRY(gpri_npz_add_names(writer, "class_names", &data->target.names));
    if (data->node_ids.count > 0) TRY(gpri_npz_add_names(writer, "node_names", &data->node_ids));
    if (data->feature_names.count > 0) TRY(gpri_npz_add_names(writer, "attr_names", &data->feature_names));
    TRY(gpri_dataset_unchanged(ctx, data, true));
    TRY(gpri_npz_commit(&writer));
done:
    gpri_npz_discard(writer);
    for (int k = 0; k < keep.count; k++) gpri_free(ctx, keep.arrays[k]);
    gpri_free(ctx, keep.labels);
    return status;
}
