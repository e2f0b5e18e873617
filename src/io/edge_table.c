/* A table of edges, alone or with one of nodes, as a dataset. */
#include <math.h>
#include <string.h>

#include "data/raw_features.h"
#include "file/path.h"
#include "graph/duplicates.h"
#include "io/nodes/node_table.h"
#include "io/open.h"
#include "io/reading.h"
#include "io/text/columns.h"
#include "io/text/graph_only.h"
#include "task/target.h"

/* A graph whose file is not read as a table: the options of tables would be forgotten. */
static gpr_status refuse_table_options(const gpr_open_options *o) {
    const struct {
        const char *name, *given;
    } options[] = {{"source", o->source},
                   {"target", o->target},
                   {"relation", o->relation},
                   {"duplicates", o->duplicates},
                   {"unknown", o->unknown}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && !gpri_reading_has(o, options[i].given))
            return gpri_fail(GPR_ERROR_ARGUMENT, "`%s` is for tables, and %s is a Matrix Market file", options[i].name,
                             o->edges);
    if (o->edge_weights)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s is a Matrix Market file: it cannot have `edge-weight`", o->edges);
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

/* *found: one of the files is such a matrix. Only alone it may be. */
static gpr_status find_matrix(gpr_ctx *ctx, bool *found, const gpr_open_options *options) {
    gpri_head head;
    int64_t name;
    *found = false;
    for (int64_t k = 0; k <= options->more_count && !*found; k++) {
        gpri_head_init(&head, gpri_edge_path(gpri_edge_given(options, k), &name));
        NEED(gpri_fits_matrix_market(ctx, found, &head));
    }
    if (!*found || options->more_count == 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "%s is a Matrix Market file: it cannot be one of several `edges`; make a table of it, with a row "
                     "and its two ids for each entry",
                     head.path);
}

/* Tables without a name, beside those that have one, are a kind of their own. */
static const char unnamed[] = "edges";

/* The kinds of edges that the tables are, or that a column has. */
static gpr_status find_kinds(gpri_edge_kinds *kinds, gpri_edge_file *files, const gpr_open_options *options) {
    const char *plain = NULL; /* a table without a name */
    bool taken = false;
    for (int64_t k = 0; k <= options->more_count; k++) {
        int64_t size;
        const char *given = gpri_edge_given(options, k);
        files[k].path = gpri_edge_path(given, &size);
        if (size == 0) plain = given;
        files[k].by_column = size == 0 && options->relation;
        if (size > 0) NEED(gpri_edge_kinds_name(kinds, &files[k].kind, given, size));
        taken = taken || (size == sizeof unnamed - 1 && strncmp(given, unnamed, sizeof unnamed - 1) == 0);
    }
    if (!plain && options->relation && !gpri_reading_has(options, options->relation))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`relation` is '%s', and every table of `edges` is given with the name of its kind: leave one "
                         "of the two out",
                         options->relation);
    if (!plain || options->relation || gpri_ids_count(&kinds->names) == 0) return GPR_OK;
    if (taken)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "%s has no name, and is the kind '%s' beside tables that have one: this name is taken; give "
                         "`edges` NAME=%s",
                         plain, unnamed, plain);
    for (int64_t k = 0; k <= options->more_count; k++)
        if (files[k].path == gpri_edge_given(options, k))
            NEED(gpri_edge_kinds_name(kinds, &files[k].kind, unnamed, sizeof unnamed - 1));
    return GPR_OK;
}

/* (1 + more_count) the caller's to free. */
static gpr_status list_files(gpr_ctx *ctx, gpri_edge_file **out, gpri_edge_kinds *kinds,
                             const gpr_open_options *options) {
    gpr_status status = GPR_OK;
    double *known = NULL; /* (1 + more_count) */
    TRY(gpri_reading_factors(ctx, &known, options));
    const double *weights = known ? known : options->edge_weights;
    TRY(gpri_calloc(ctx, out, 1 + options->more_count, sizeof **out, "files of edges"));
    TRY(find_kinds(kinds, *out, options));
    for (int64_t k = 0; k <= options->more_count; k++) {
        (*out)[k].factor = weights && weights[k] != 0 ? weights[k] : 1;
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
    const char *columns[] = {named ? weight : NULL, options->source, options->target, NULL};
    gpri_edge_kinds kinds = {.ctx = ctx, .told = options->plan != NULL, .names = {.ctx = ctx}, .values = {.ctx = ctx}};
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
    TRY(list_files(ctx, &files, &kinds, options));
    for (int64_t k = 0; k <= options->more_count; k++)
        if (files[k].by_column) edges.relation = columns[3] = options->relation;
    TRY(gpri_table_options(&edges.table, options, columns, 4));
    if (edges.relation || gpri_ids_count(&kinds.names) > 0) edges.kinds = &kinds;
    /* The other rules look at all edges, and kinds of edges are put apart. */
    if (rule == GPRI_DUPLICATES_MAX && !edges.kinds) edges.sink = sink;
    status = gpri_edge_files_read(ctx, list, files, 1 + options->more_count, &edges);
    if (status == GPR_ERROR_FORMAT && !ids && rows > 0)
        gpri_fail(status, "%s (without a table of nodes, ids are the %lld rows of %s, from 0)", gpr_last_error(),
                  (long long)rows, options->features);
    if (status == GPR_OK) status = gpri_duplicates_settle(ctx, &list->edges, rule);
done:
    gpri_free(ctx, files);
    gpri_edge_kinds_free(&kinds);
    return status;
}

/* The largest weights of several kinds of edges may all be 1. */
static bool has_weights(const gpri_graph *graph) {
    bool found = graph->weight != NULL;
    for (int64_t r = 0; r < gpri_relation_count(graph); r++) found = found || gpri_relation_graph(graph, r)->weight;
    return found;
}

/* Several tables with names are called by their folder: none of them is the data. */
static gpr_status name_by_folder(gpr_dataset *data, const gpr_open_options *options) {
    gpri_free(data->ctx, data->name);
    data->name = NULL;
    const char *nodes = options->nodes && gpri_is_stdin(options->nodes) ? NULL : options->nodes;
    return gpri_path_data_name(data->ctx, &data->name, options->edges, nodes, true);
}

/* Whether the edges have weights belongs to what a model must know of its tables. */
static gpr_status note_weights(gpr_dataset *data, const gpr_open_options *options) {
    gpri_plan *plan = data->plan;
    const bool before = options->plan && options->plan->weighted; /* in the training */
    plan->weighted = has_weights(&data->graph);
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
    int64_t name;
    bool is_matrix_market;
    *out = NULL;
    gpr_open_options of_nodes = *options;
    of_nodes.edges = gpri_edge_path(options->edges, &name);
    TRY(find_matrix(ctx, &is_matrix_market, options));
    if (is_matrix_market) return read_matrix_market(ctx, out, &of_nodes, sink);
    if (options->plan && options->plan->count == 0) of_nodes.plan = NULL; /* the model knows no table of nodes */
    if (options->nodes) TRY(gpri_read_node_table(ctx, &nodes, &of_nodes));
    TRY(read_edges(ctx, &list, options, options->nodes ? &nodes.ids : NULL, rows, sink));
    if (options->nodes && !gpri_ids_are_numbers(&nodes.ids)) gpri_ids_take_names(&nodes.ids, &list.names);
    TRY(gpri_graph_only(ctx, &data, &list, of_nodes.edges, options->nodes));
    if (name > 0 && options->more_count > 0) TRY(name_by_folder(data, &of_nodes));
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
