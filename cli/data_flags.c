/* The flags of the data, and how they become the options of gpr_dataset_open_with. */
#include "data_flags.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"

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
    {"memory", 0, "SIZE",
     "most memory that reading may take, such as 512M or 4G; default: 3/4 of the machine's, and a file may not declare "
     "far more nodes or columns than it has bytes"},
    {"no-map", 0, NULL, "read a .gpr file into memory instead of mapping it: it may then change meanwhile"},
    {0},
};

/* "512M" in bytes. K, M, G and T are powers of 1024; B or iB after them changes nothing. */
static bool parse_size(const char *text, int64_t *out) {
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || errno == ERANGE || value < 0) return false;
    const char *unit = *end ? strchr(units, *end >= 'a' ? *end - 32 : *end) : NULL;
    for (int i = 0; unit && i <= unit - units; i++) {
        if (value > INT64_MAX / 1024) return false;
        value *= 1024;
    }
    if (unit) end++;
    if (unit && *end == 'i') end++;
    if (*end == 'B' || (unit && *end == 'b')) end++;
    *out = value;
    return !*end;
}

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
                              .header = flag_value(args, "header"),
                              .no_map = flag_given(args, "no-map")};
    const char *memory = flag_value(args, "memory");
    if (memory && !parse_size(memory, &out->memory))
        return wrong_call(args->command->name, "memory is '%s': it must be a size such as 512M or 4G", memory);
    if (memory && out->memory == 0) out->memory = 1; /* 0 would mean the library's default; 1 gives its error */
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
    const char *weight = session->params ? gpr_params_get(session->params, "sample-weight") : NULL;
    if (weight && strcmp(weight, "none") != 0) options.sample_weight = weight;
    begin_guard(session->ctx);
    const gpr_status status = gpr_dataset_open_with(session->ctx, out, &options);
    if (!gpr_ctx_mapped_file(session->ctx, 0)) end_guard(); /* else until the session is closed */
    free(names);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}
