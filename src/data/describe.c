/* gpr_dataset_describe and related functions: sizes and measures of a dataset. Time proportional to nodes + edges +
 * non-zeros. */
#include "data/describe.h"

#include "base/struct.h"

static int64_t zero_rows(const gpri_feature_matrix *features) {
    int64_t count = 0;
    for (int64_t i = 0; i < features->rows; i++) {
        if (!features->dense) {
            count += features->rowptr[i] == features->rowptr[i + 1];
            continue;
        }
        const float *row = features->dense + i * features->cols;
        int64_t j = 0;
        while (j < features->cols && row[j] == 0) j++;
        count += j == features->cols;
    }
    return count;
}

gpr_status gpr_dataset_describe(gpr_ctx *ctx, const gpr_dataset *data, gpr_dataset_info *out) {
    gpr_status status = GPR_OK;
    if (!ctx || !data || !out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_describe: a NULL argument");
    TRY(GPRI_STRUCT_CHECK(out, gpr_dataset_info, "gpr_dataset_describe", "out"));
    gpri_log(ctx, GPR_LOG_DEBUG, "%s: its measures are taken", data->name);
    const gpri_graph *graph = &data->graph;
    const gpri_feature_matrix *features = &data->features;
    gpri_degrees degrees;
    gpri_mixing mixing;
    gpri_divergence divergence;
    int64_t components, largest;
    TRY(gpri_dataset_ready(ctx, data));
    TRY(gpri_graph_degrees(ctx, &degrees, graph));
    TRY(gpri_graph_components(ctx, &components, &largest, graph));
    TRY(gpri_class_mixing(ctx, &mixing, graph, data->labels, data->classes));
    TRY(gpri_class_divergence(ctx, &divergence, graph, data->labels, data->classes));
    gpr_dataset_info info = {.struct_size = sizeof info,
                             .name = data->name,
                             .nodes = graph->nodes,
                             .edges = graph->arcs / 2,
                             .features = features->cols,
                             .feature_nnz = features->nnz,
                             .classes = data->classes,
                             .isolated = graph->isolated,
                             .self_loops = graph->self_loops,
                             .duplicates = graph->duplicates,
                             .node_homophily = gpri_node_homophily(graph, data->labels),
                             .edge_homophily = gpri_edge_homophily(graph, data->labels),
                             .mean_degree = degrees.mean,
                             .max_degree = degrees.max,
                             .sparse_features = features->dense == NULL,
                             .weighted = graph->weight != NULL,
                             .min_degree = degrees.min,
                             .median_degree = degrees.median,
                             .components = components,
                             .largest_component = largest,
                             .zero_feature_rows = zero_rows(features),
                             .feature_density =
                                 (double)features->nnz / ((double)features->rows * (double)features->cols),
                             .class_homophily = mixing.class_homophily,
                             .adjusted_homophily = mixing.adjusted_homophily,
                             .label_informativeness = mixing.label_informativeness,
                             .chernoff_hellinger = divergence.value,
                             .closest_classes = {divergence.first, divergence.second}};
    for (int64_t i = 0; i < graph->nodes; i++) info.labelled += data->labels[i] >= 0;
    gpri_fingerprint(info.fingerprint, data);
    TRY(gpri_dataset_unchanged(ctx, data, true));
    gpri_struct_out(out, &info, sizeof info);
done:
    return gpri_finish(status);
}

gpr_status gpr_dataset_class_sizes(gpr_ctx *ctx, const gpr_dataset *data, int64_t *sizes) {
    if (!ctx || !data || !sizes) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_class_sizes: a NULL argument");
    gpr_status status = gpri_dataset_ready(ctx, data);
    if (status != GPR_OK) return gpri_finish(status);
    gpri_class_sizes(sizes, data->labels, data->graph.nodes, data->classes);
    return gpri_finish(gpri_dataset_unchanged(ctx, data, false));
}

gpr_status gpr_dataset_class_edges(gpr_ctx *ctx, const gpr_dataset *data, int64_t *edges) {
    if (!ctx || !data || !edges) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_class_edges: a NULL argument");
    gpr_status status = gpri_dataset_ready(ctx, data);
    if (status != GPR_OK) return gpri_finish(status);
    gpri_class_edges(edges, &data->graph, data->labels, data->classes);
    return gpri_finish(gpri_dataset_unchanged(ctx, data, false));
}
