/* The flags of the data, and how they become the options of gpr_dataset_open_with. */
#include "data_flags.h"

#include <stdlib.h>

const cli_flag data_flags[] = {
    {"data-dir", 0, "DIR", "where to look for datasets by name"},
    {"format", 0, "NAME", "format of DATA: auto, gpr, npz, planetoid, geom-gcn, ogb, mtx, edges; default auto"},
    {"edges", 0, "FILE", "instead of DATA: a table with one row per edge: two ids and an optional weight"},
    {"weight", 0, "COLUMN", "column of --edges with the weights, by name or number; 'none': no weights"},
    {"nodes", 0, "FILE", "a table with one row per node: id, features, label"},
    {"id", 0, "COLUMN", "column of --nodes with the ids; default: the first"},
    {"label", 0, "COLUMN", "column of --nodes (or --labels) with the classes"},
    {"drop", 0, "COLUMNS", "columns of --nodes to leave out, separated by commas"},
    {"fill", 0, "X", "number for empty feature cells of --nodes; without it they are an error"},
    {"features", 0, "FILE", "features from .npy, .npz, .svm or a table of numbers: one row per node"},
    {"labels", 0, "FILE", "labels from .npy or a table: one per node in the order of the nodes, or id and label"},
    {"delimiter", 0, "NAME", "delimiter of tables: auto, comma, tab, semicolon, space; default auto"},
    {"header", 0, "NAME", "whether tables have a header: auto, yes, no; default auto"},
    {0},
};

int read_data_flags(gpr_open_options *out, const cli_arguments *args, const char *data) {
    *out = (gpr_open_options){.struct_size = sizeof *out,
                              .data = data,
                              .data_dir = flag_value(args, "data-dir"),
                              .format = flag_value(args, "format"),
                              .edges = flag_value(args, "edges"),
                              .weight = flag_value(args, "weight"),
                              .nodes = flag_value(args, "nodes"),
                              .id = flag_value(args, "id"),
                              .label = flag_value(args, "label"),
                              .drop = flag_value(args, "drop"),
                              .fill = flag_value(args, "fill"),
                              .features = flag_value(args, "features"),
                              .labels = flag_value(args, "labels"),
                              .delimiter = flag_value(args, "delimiter"),
                              .header = flag_value(args, "header")};
    if (data || out->edges) return EXIT_OK;
    return wrong_call(args->command->name, "too few arguments; usage: gprgnn %s %s, or --edges FILE",
                      args->command->name, args->command->operands);
}

/* (features of the model); the caller frees it. NULL: they have no names. */
static const char **names_of(const gpr_model *model) {
    const int64_t count = gpr_model_features(model);
    if (!model || !gpr_model_feature_name(model, 0)) return NULL;
    const char **names = calloc((size_t)count, sizeof *names);
    for (int64_t j = 0; names && j < count; j++) names[j] = gpr_model_feature_name(model, j);
    return names;
}

int open_data(gpr_dataset **out, const cli_session *session, const cli_arguments *args, const char *data,
              const gpr_model *model) {
    gpr_open_options options;
    *out = NULL;
    const int code = read_data_flags(&options, args, data);
    if (code != EXIT_OK) return code;
    const char **names = names_of(model);
    options.model_features = gpr_model_features(model);
    options.model_names = names;
    const gpr_status status = gpr_dataset_open_with(session->ctx, out, &options);
    free(names);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}
