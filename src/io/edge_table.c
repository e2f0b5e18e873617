/* A table of edges, alone or with one of nodes, as a dataset. */
#include <math.h>
#include <string.h>

#include "data/classes.h"
#include "data/raw_features.h"
#include "graph/duplicates.h"
#include "io/nodes/node_table.h"
#include "io/open.h"
#include "io/reading.h"
#include "io/text/columns.h"
#include "io/text/graph_only.h"

/* A graph whose file is not read as a table: the options of tables would be forgotten. */
static gpr_status refuse_table_options(const gpr_open_options *o) {
    const struct {
        const char *name, *given;
    } options[] = {
        {"source", o->source}, {"target", o->target}, {"duplicates", o->duplicates}, {"unknown", o->unknown}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && !gpri_reading_has(o, options[i].given))
            return gpri_fail(GPR_ERROR_ARGUMENT, "`%s` is for tables, and %s is a Matrix Market file", options[i].name,
                             o->edges);
    if (o->more_count > 0 || o->edge_weights)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "%s is a Matrix Market file: it cannot be one of several `edges`, nor have `edge-weight`",
                         o->edges);
    return GPR_OK;
}

/* A Matrix Market file looks like a table of three columns, but is not one. */
static gpr_status read_matrix_market(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options,
                                     gpri_edge_sink *sink) {
    if (options->nodes)
        return gpri_fail(
            GPR_ERROR_ARGUMENT,
            "%s is a Matrix Market file, whose nodes have no ids: give it as data, with `features` and `labels`",
            options->edges);
    NEED(refuse_table_options(options));
    return gpri_read_matrix_market(ctx, out, options->edges, sink);
}

/* (1 + more_count) the caller's to free. */
static gpr_status list_files(gpr_ctx *ctx, gpri_edge_file **out, const gpr_open_options *options) {
    gpr_status status = GPR_OK;
    double *known = NULL; /* (1 + more_count) */
    TRY(gpri_reading_factors(ctx, &known, options));
    const double *weights = known ? known : options->edge_weights;
    TRY(gpri_calloc(ctx, out, 1 + options->more_count, sizeof **out, "files of edges"));
    for (int64_t k = 0; k <= options->more_count; k++) {
        (*out)[k] = (gpri_edge_file){.path = k == 0 ? options->edges : options->more_edges[k - 1],
                                     .factor = weights && weights[k] != 0 ? weights[k] : 1};
        if (!((*out)[k].factor > 0) || !isfinite((float)(*out)[k].factor) || (float)(*out)[k].factor == 0)
            THROW(GPR_ERROR_ARGUMENT, "`edge-weight` %g of %s: weights must be above 0 and finite", (*out)[k].factor,
                  (*out)[k].path);
    }
done:
    gpri_free(ctx, known);
    return status;
}

/* The column of weights: as asked, or as it was for the model. */
static const char *weight_column(const gpr_open_options *options) {
    if (options->weight || !options->plan) return options->weight;
    return options->plan->weighted ? options->plan->weight : "none";
}

/* ids: NULL, or those that the edges may have. rows: if not 0, and there are no ids: of the features. */
static gpr_status read_edges(gpr_ctx *ctx, gpri_edge_list *list, const gpr_open_options *options, const gpri_ids *ids,
                             int64_t rows, gpri_edge_sink *sink) {
    gpr_status status = GPR_OK;
    const char *weight = weight_column(options);
    const bool named = weight && strcmp(weight, "none") != 0;
    const char *const columns[] = {named ? weight : NULL, options->source, options->target};
    gpri_edge_file *files = NULL; /* (1 + more_count) */
    gpri_duplicates rule;
    gpri_edge_options edges = {.known = ids,
                               .known_in = gpri_shown_path(options->nodes),
                               .nodes = ids ? 0 : rows,
                               .source = options->source,
                               .target = options->target,
                               .weight = weight};
    TRY(gpri_data_choose(&rule, GPRI_OPEN_DUPLICATES, options->duplicates));
    const gpri_data_value unknown = gpri_data_value_of(GPRI_OPEN_UNKNOWN, options->unknown);
    edges.skip_unknown = unknown == GPRI_UNKNOWN_SKIP;
    if (unknown == GPRI_NO_WORD) THROW(GPR_ERROR_ARGUMENT, "unknown is '%s': give error or skip", options->unknown);
    if (rule == GPRI_DUPLICATES_MAX) edges.sink = sink; /* the other rules look at all edges */
    TRY(gpri_table_options(&edges.table, options, columns, 3));
    TRY(list_files(ctx, &files, options));
    status = gpri_edge_files_read(ctx, list, files, 1 + options->more_count, &edges);
    if (status == GPR_ERROR_FORMAT && !ids && rows > 0)
        gpri_fail(status, "%s (without a table of nodes, ids are the %lld rows of %s, from 0)", gpr_last_error(),
                  (long long)rows, options->features);
    if (status == GPR_OK) status = gpri_duplicates_settle(ctx, &list->edges, rule);
done:
    gpri_free(ctx, files);
    return status;
}

/* Whether the edges have weights belongs to what a model must know of its tables. */
static gpr_status note_weights(gpr_dataset *data, const gpr_open_options *options) {
    gpri_plan *plan = data->plan;
    const bool before = options->plan && options->plan->weighted; /* in the training */
    plan->weighted = data->graph.weight != NULL;
    if (before && !plan->weighted)
        gpri_log(data->ctx, GPR_LOG_WARNING, "%s has no weights, but the edges that the model was trained on had them",
                 options->edges);
    gpri_free(data->ctx, plan->weight);
    plan->weight = NULL;
    return options->weight ? gpri_strdup(data->ctx, &plan->weight, options->weight) : GPR_OK;
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
    gpr_open_options of_nodes = *options;
    if (options->plan && options->plan->count == 0) of_nodes.plan = NULL; /* the model knows no table of nodes */
    if (options->nodes) TRY(gpri_read_node_table(ctx, &nodes, &of_nodes));
    TRY(read_edges(ctx, &list, options, options->nodes ? &nodes.ids : NULL, rows, sink));
    if (options->nodes && !gpri_ids_are_numbers(&nodes.ids)) gpri_ids_take_names(&nodes.ids, &list.names);
    TRY(gpri_graph_only(ctx, &data, &list, options->edges, options->nodes));
    data->plan = nodes.plan;
    nodes.plan = NULL;
    if (!data->plan) TRY(gpri_plan_new(ctx, &data->plan));
    TRY(note_weights(data, options));
    if (nodes.features.cols > 0) TRY(gpri_dataset_set_features(data, &nodes.features, gpri_shown_path(options->nodes)));
    if (nodes.classes.labels) TRY(gpri_dataset_set_labels(data, &nodes.classes, gpri_shown_path(options->nodes)));
    data->own_split = nodes.split;
    nodes.split = (gpri_own_split){0};
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
