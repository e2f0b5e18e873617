/* gpr_dataset_describe and related functions: sizes and measures of a dataset. Time proportional to nodes + edges +
 * non-zeros. */
#include "data/describe.h"

#include <math.h>

#include "base/struct.h"
#include "dist/all.h"
#include "graph/components.h"
#include "task/number.h"

static int64_t zero_rows(const gpri_feature_matrix *features, gpri_range rows) {
    int64_t count = 0;
    for (int64_t i = rows.first; i < rows.end; i++) {
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

/* What is counted in the rows of the graph and of the features. */
typedef struct counted {
    gpri_alike alike;
    int64_t zero_rows, components, largest;
    gpri_mixing mixing;
    gpri_divergence divergence;
    double least, most, assortativity; /* of numbers */
} counted;

/* Of edges between classes. */
static gpr_status mix(gpr_ctx *ctx, counted *out, const gpr_dataset *data, const gpr_ctx *together, gpri_range rows) {
    const int64_t C = data->target.classes;
    int64_t *matrix = NULL, *sizes = NULL;
    gpr_status status = gpri_calloc(ctx, &matrix, C * C, sizeof *matrix, "classes");
    if (status == GPR_OK) status = gpri_alloc(ctx, &sizes, C, sizeof *sizes, "classes");
    TRY(gpri_all_well(together, status));
    gpri_class_edges_add(matrix, &data->graph, data->target.labels, C, rows);
    gpri_all_sum(together, matrix, C * C);
    gpri_class_sizes(sizes, data->target.labels, data->graph.nodes, C);
    out->mixing = gpri_mixing_of_edges(matrix, sizes, C);
    TRY(gpri_divergence_of_edges(ctx, &out->divergence, matrix, sizes, C));
done:
    gpri_free_all(ctx, matrix, sizes);
    return status;
}

/* The range of the numbers, and the correlation of those at the two ends of an edge, each edge in both directions: 1:
   neighbours are equal, 0: as by chance. */
static void count_numbers(counted *out, const gpr_dataset *data) {
    const gpri_graph *graph = &data->graph;
    const float *y = data->target.numbers;
    double ends = 0, sum = 0, squares = 0, products = 0;
    out->least = out->most = out->assortativity = NAN;
    if (!y) return;
    const double mean = gpri_unit_of(y, NULL, 0, graph->nodes).mean;
    for (int64_t i = 0; i < graph->nodes; i++) {
        if (isnan(y[i])) continue;
        const double own = (double)y[i] - mean;
        out->least = out->least <= (double)y[i] ? out->least : (double)y[i];
        out->most = out->most >= (double)y[i] ? out->most : (double)y[i];
        for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) {
            const float other = y[graph->column[k]];
            if (isnan(other)) continue;
            ends++, sum += own, squares += own * own, products += own * ((double)other - mean);
        }
    }
    const double spread = squares - (ends > 0 ? sum * sum / ends : 0);
    if (spread > 0) out->assortativity = (products - sum * sum / ends) / spread;
}

static gpr_status count_all(gpr_ctx *ctx, counted *out, const gpr_dataset *data) {
    const gpri_graph *graph = &data->graph;
    const gpri_range rows = {0, graph->nodes};
    *out = (counted){.zero_rows = zero_rows(&data->features, rows)};
    count_numbers(out, data);
    gpri_alike_add(&out->alike, graph, data->target.labels, rows);
    NEED(gpri_components_count(ctx, NULL, &out->components, &out->largest, graph, rows));
    if (data->target.classes <= GPRI_MATRIX_CLASSES) return mix(ctx, out, data, NULL, rows);
    NEED(gpri_class_mixing(ctx, &out->mixing, graph, data->target.labels, data->target.classes));
    return gpri_class_divergence(ctx, &out->divergence, graph, data->target.labels, data->target.classes);
}

/* The same: whole numbers are added; shares of nodes are added up by one process after the other. */
static gpr_status count_together(gpr_ctx *ctx, counted *out, const gpr_dataset *data, gpri_range rows) {
    const int64_t bytes = (int64_t)sizeof out->alike;
    *out = (counted){.zero_rows = zero_rows(&data->features, rows), .least = NAN, .most = NAN, .assortativity = NAN};
    gpri_all_sum(ctx, &out->zero_rows, 1);
    gpri_turn_take(ctx, &out->alike, bytes);
    gpri_alike_add(&out->alike, &data->graph, data->target.labels, rows);
    gpri_turn_pass(ctx, &out->alike, bytes);
    gpri_turn_end(ctx, &out->alike, bytes);
    NEED(gpri_components_count(ctx, ctx, &out->components, &out->largest, &data->graph, rows));
    return gpri_all_well(ctx, mix(ctx, out, data, ctx, rows));
}

/* What is counted of classes says nothing of numbers. */
static void forget_classes(gpr_dataset_info *out) {
    out->node_homophily = out->edge_homophily = out->class_homophily = out->adjusted_homophily = NAN;
    out->label_informativeness = out->chernoff_hellinger = NAN;
    out->closest_classes[0] = out->closest_classes[1] = -1;
}

static gpr_status describe(gpr_ctx *ctx, gpr_dataset_info *out, const gpr_dataset *data, const counted *in_rows) {
    const gpri_graph *graph = &data->graph;
    const gpri_feature_matrix *features = &data->features;
    const float *target = data->target.numbers;
    const gpri_unit numbers =
        target ? gpri_unit_of(target, NULL, 0, graph->nodes) : (gpri_unit){(double)NAN, (double)NAN};
    gpri_degrees degrees;
    NEED(gpri_graph_degrees(ctx, &degrees, graph));
    *out =
        (gpr_dataset_info){.struct_size = sizeof *out,
                           .name = data->name,
                           .nodes = graph->nodes,
                           .edges = graph->arcs / 2,
                           .features = features->cols,
                           .feature_nnz = features->nnz,
                           .classes = gpri_target_classes(&data->target),
                           .isolated = graph->isolated,
                           .self_loops = graph->self_loops,
                           .duplicates = graph->duplicates,
                           .node_homophily = gpri_alike_nodes(&in_rows->alike),
                           .edge_homophily = gpri_alike_edges(&in_rows->alike),
                           .mean_degree = degrees.mean,
                           .max_degree = degrees.max,
                           .sparse_features = features->dense == NULL,
                           .weighted = graph->weight != NULL,
                           .min_degree = degrees.min,
                           .median_degree = degrees.median,
                           .components = in_rows->components,
                           .largest_component = in_rows->largest,
                           .zero_feature_rows = in_rows->zero_rows,
                           .feature_density = (double)features->nnz / ((double)features->rows * (double)features->cols),
                           .class_homophily = in_rows->mixing.class_homophily,
                           .adjusted_homophily = in_rows->mixing.adjusted_homophily,
                           .label_informativeness = in_rows->mixing.label_informativeness,
                           .labelled = gpri_target_count(&data->target, graph->nodes),
                           .chernoff_hellinger = in_rows->divergence.value,
                           .closest_classes = {in_rows->divergence.first, in_rows->divergence.second},
                           .mutual_edges = graph->mutual,
                           .target_mean = numbers.mean,
                           .target_sd = numbers.scale,
                           .target_min = in_rows->least,
                           .target_max = in_rows->most,
                           .target_assortativity = in_rows->assortativity};
    if (gpri_target_is_number(&data->target)) forget_classes(out);
    gpri_fingerprint(out->fingerprint, data);
    return GPR_OK;
}

gpr_status gpr_dataset_describe(gpr_ctx *ctx, const gpr_dataset *data, gpr_dataset_info *out) {
    gpr_dataset_info info;
    counted in_rows;
    if (!ctx || !data || !out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_describe: a NULL argument");
    gpri_log(ctx, GPR_LOG_DEBUG, "%s: its measures are taken", data->name);
    NEED(GPRI_STRUCT_CHECK(out, gpr_dataset_info, "gpr_dataset_describe", "out"));
    NEED(gpri_dataset_ready(ctx, data));
    NEED(count_all(ctx, &in_rows, data));
    NEED(describe(ctx, &info, data, &in_rows));
    NEED(gpri_dataset_unchanged(ctx, data, true));
    gpri_struct_out(out, &info, sizeof info);
    return gpri_finish(GPR_OK);
}

gpr_status gpr_dataset_describe_relation(gpr_ctx *ctx, const gpr_dataset *data, int64_t index,
                                         gpr_relation_measures *out) {
    gpri_alike alike = {0};
    if (!ctx || !data || !out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_describe_relation: a NULL argument");
    if (index < 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_describe_relation: index is %lld: it must be 0 or more",
                         (long long)index);
    NEED(GPRI_STRUCT_CHECK(out, gpr_relation_measures, "gpr_dataset_describe_relation", "out"));
    NEED(gpri_dataset_ready(ctx, data));
    gpr_relation_measures found = {.struct_size = sizeof found};
    if (index < gpri_relation_count(&data->graph)) {
        const gpri_graph *graph = gpri_relation_graph(&data->graph, index);
        gpri_alike_add(&alike, graph, data->target.labels, (gpri_range){0, graph->nodes});
        found.name = gpri_relation_name(&data->graph, index);
        found.edges = graph->arcs / 2;
        found.isolated = graph->isolated;
        found.self_loops = graph->self_loops;
        found.duplicates = graph->duplicates;
        found.mutual_edges = graph->mutual;
        found.weighted = graph->weight != NULL;
        found.has_directions = graph->sides != NULL;
        const bool number = gpri_target_is_number(&data->target);
        found.node_homophily = number ? (double)NAN : gpri_alike_nodes(&alike);
        found.edge_homophily = number ? (double)NAN : gpri_alike_edges(&alike);
    }
    NEED(gpri_dataset_unchanged(ctx, data, true));
    gpri_struct_out(out, &found, sizeof found);
    return gpri_finish(GPR_OK);
}

bool gpri_describes_together(const gpr_dataset *data) { return data->target.classes <= GPRI_MATRIX_CLASSES; }

gpr_status gpri_describe_together(gpr_ctx *ctx, gpr_dataset_info *out, const gpr_dataset *data, gpri_range rows) {
    counted in_rows;
    gpr_status status = count_together(ctx, &in_rows, data, rows);
    return status == GPR_OK ? gpri_all_well(ctx, describe(ctx, out, data, &in_rows)) : status;
}

gpr_status gpr_dataset_class_sizes(gpr_ctx *ctx, const gpr_dataset *data, int64_t *sizes) {
    if (!ctx || !data || !sizes) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_class_sizes: a NULL argument");
    gpr_status status = gpri_dataset_ready(ctx, data);
    if (status != GPR_OK) return gpri_finish(status);
    if (!gpri_target_is_number(&data->target))
        gpri_class_sizes(sizes, data->target.labels, data->graph.nodes, data->target.classes);
    return gpri_finish(gpri_dataset_unchanged(ctx, data, false));
}

gpr_status gpr_dataset_class_edges(gpr_ctx *ctx, const gpr_dataset *data, int64_t *edges) {
    if (!ctx || !data || !edges) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_class_edges: a NULL argument");
    gpr_status status = gpri_dataset_ready(ctx, data);
    if (status != GPR_OK) return gpri_finish(status);
    if (!gpri_target_is_number(&data->target))
        gpri_class_edges(edges, &data->graph, data->target.labels, data->target.classes);
    return gpri_finish(gpri_dataset_unchanged(ctx, data, false));
}

/* ---- The arrays and sizes of a dataset -------------------------------------------------------------- */

int64_t gpr_dataset_nodes(const gpr_dataset *data) { return data ? data->graph.nodes : -1; }
int64_t gpr_dataset_edges(const gpr_dataset *data) { return data ? data->graph.arcs / 2 : -1; }
int64_t gpr_dataset_features(const gpr_dataset *data) { return data ? data->features.cols : -1; }
int64_t gpr_dataset_classes(const gpr_dataset *data) { return data ? gpri_target_classes(&data->target) : -1; }

gpr_status gpr_dataset_relation_arrays(gpr_ctx *ctx, const gpr_dataset *data, int64_t index, gpr_relation_arrays *out) {
    if (!ctx || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_relation_arrays: a NULL argument");
    if (index < 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_relation_arrays: index is %lld: it must be 0 or more",
                         (long long)index);
    NEED(GPRI_STRUCT_CHECK(out, gpr_relation_arrays, "gpr_dataset_relation_arrays", "out"));
    NEED(gpri_dataset_ready(ctx, data));
    NEED(gpri_dataset_unchanged(ctx, data, false));
    gpr_relation_arrays found = {.struct_size = sizeof found};
    if (index < gpri_relation_count(&data->graph)) {
        const gpri_graph *graph = gpri_relation_graph(&data->graph, index);
        found.name = gpri_relation_name(&data->graph, index);
        found.adj_indptr = graph->rowptr;
        found.adj_indices = graph->column;
        found.adj_values = graph->weight;
        found.sides = graph->sides;
        found.along = graph->along;
    }
    gpri_struct_out(out, &found, sizeof found);
    return gpri_finish(GPR_OK);
}

gpr_status gpr_dataset_arrays(gpr_ctx *ctx, const gpr_dataset *data, gpr_arrays_info *out) {
    if (!ctx || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_arrays: a NULL argument");
    NEED(GPRI_STRUCT_CHECK(out, gpr_arrays_info, "gpr_dataset_arrays", "out"));
    NEED(gpri_dataset_ready(ctx, data));
    NEED(gpri_dataset_unchanged(ctx, data, false));
    const gpri_feature_matrix *features = &data->features;
    const bool dense = features->dense != NULL;
    gpr_arrays_info info = {.struct_size = sizeof info,
                            .name = data->name,
                            .nodes = data->graph.nodes,
                            .features = features->cols,
                            .adj_indptr = data->graph.rowptr,
                            .adj_indices = data->graph.column,
                            .adj_values = data->graph.weight,
                            .dense = features->dense,
                            .feature_indptr = dense ? NULL : features->rowptr,
                            .feature_indices = dense ? NULL : features->column,
                            .feature_values = dense ? NULL : features->value,
                            .labels = data->target.labels,
                            .targets = data->target.numbers,
                            .node_weights = data->node_weights};
    gpri_struct_out(out, &info, sizeof info);
    return gpri_finish(GPR_OK);
}
