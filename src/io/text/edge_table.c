/* A table of edges, alone or with one of nodes, as a dataset. */
#include <string.h>

#include "data/classes.h"
#include "data/raw_features.h"
#include "io/assemble.h"
#include "io/text/columns.h"
#include "io/text/graph_only.h"
#include "io/text/node_table.h"

/* A Matrix Market file looks like a table of three columns, but is not one. */
static gpr_status read_matrix_market(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options,
                                     gpri_edge_sink *sink) {
    if (options->nodes)
        return gpri_fail(
            GPR_ERROR_ARGUMENT,
            "%s is a Matrix Market file, whose nodes have no ids: give it as data, with `features` and `labels`",
            options->edges);
    return gpri_read_matrix_market(ctx, out, options->edges, sink);
}

/* nodes: NULL, or with the ids that the edges may have. rows: if not 0, and there are no ids: of the features. */
static gpr_status read_edges(gpr_ctx *ctx, gpri_edge_list *list, const gpr_open_options *options, const gpri_ids *ids,
                             int64_t rows, gpri_edge_sink *sink) {
    gpr_status status = GPR_OK;
    const bool named = options->weight && strcmp(options->weight, "none") != 0;
    const char *const columns[] = {named ? options->weight : NULL};
    gpri_edge_options edges = {
        .known = ids, .known_in = options->nodes, .nodes = ids ? 0 : rows, .weight = options->weight, .sink = sink};
    TRY(gpri_table_options(&edges.table, options->delimiter, options->header, columns, 1));
    status = gpri_edge_list_read(ctx, list, options->edges, &edges);
    if (status == GPR_ERROR_FORMAT && !ids && rows > 0)
        gpri_fail(status, "%s (without a table of nodes, ids are the %lld rows of %s, from 0)", gpr_last_error(),
                  (long long)rows, options->features);
done:
    return status;
}

gpr_status gpri_read_edge_table(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options, int64_t rows,
                                gpri_edge_sink *sink) {
    gpr_status status = GPR_OK;
    gpri_node_table nodes = {.ids = {.ctx = ctx}};
    gpri_edge_list list = {0};
    gpr_dataset *data = NULL;
    gpri_head head;
    bool is_matrix_market;
    *out = NULL;
    gpri_head_init(&head, options->edges);
    TRY(gpri_fits_matrix_market(ctx, &is_matrix_market, &head));
    if (is_matrix_market) return read_matrix_market(ctx, out, options, sink);
    if (options->nodes) TRY(gpri_read_node_table(ctx, &nodes, options));
    TRY(read_edges(ctx, &list, options, options->nodes ? &nodes.ids : NULL, rows, sink));
    if (options->nodes && !gpri_ids_are_numbers(&nodes.ids)) gpri_ids_take_names(&nodes.ids, &list.names);
    TRY(gpri_graph_only(ctx, &data, &list, options->edges));
    if (nodes.features.cols > 0) TRY(gpri_dataset_set_features(data, &nodes.features, options->nodes));
    if (nodes.classes.labels) TRY(gpri_dataset_set_labels(data, &nodes.classes, options->nodes));
    data->node_weights = nodes.weights;
    nodes.weights = NULL;
    *out = data;
    data = NULL;
done:
    gpr_dataset_free(data);
    gpri_edge_list_free(ctx, &list);
    gpri_node_table_free(ctx, &nodes);
    return status;
}
