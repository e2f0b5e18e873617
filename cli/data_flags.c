/* The flags of the data, and how they become the options of gpr_dataset_open_with. */
#include "data_flags.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"

const cli_flag data_flags[] = {
    {"data-dir", 0, "DIR", "where to look for datasets by name"},
    {"format", 0, "NAME=auto|gpr|npz|planetoid|geom-gcn|ogb|mtx|edges",
     "format of DATA: auto, gpr, npz, planetoid, geom-gcn, ogb, mtx, edges; default auto"},
    {"edges", 0, "FILE",
     "instead of DATA: a table with one row per edge: two ids and an optional weight; if given several times, "
     "the tables are united; - is standard input"},
    {"source", 0, "COLUMN", "column of --edges with the first id, by name or number; default: see docs/files.md"},
    {"target", 0, "COLUMN", "column of --edges with the second id"},
    {"weight", 0, "COLUMN", "column of --edges with the weights, by name or number; 'none': no weights"},
    {"edge-weight", 0, "W",
     "weight of the edges of the --edges before it; where these have a column of weights, its factor"},
    {"duplicates", 0, "RULE=max|sum|first|count",
     "weight of edges between the same two nodes, in either direction: max, sum, first, count; default max"},
    {"unknown", 0, "RULE=error|skip",
     "edges with ids that --nodes lacks: error, or skip to leave them out; default error"},
    {"nodes", 0, "FILE", "a table with one row per node: id, features, label"},
    {"id", 0, "COLUMN", "column of --nodes with the ids; default: the first"},
    {"label", 0, "COLUMN", "column of --nodes (or --labels) with the classes"},
    {"drop", 0, "COLUMNS", "columns of --nodes to leave out, separated by commas"},
    {"fill", 0, "X", "number for empty feature cells of --nodes; without it they are an error"},
    {"split-column", 0, "COLUMN",
     "column of --nodes with train, val or test for each node; or with dates or numbers, for --val-from and "
     "--test-from"},
    {"val-from", 0, "X",
     "nodes with a --split-column below this date or number are for training, those from it on for validation"},
    {"test-from", 0, "X", "nodes with a --split-column from this date or number on are for testing"},
    {"features", 0, "FILE=identity|degree|FILE",
     "features from .npy, .npz, .svm or a table of numbers: one row per node; or made from the graph: identity, "
     "degree, spectral:N; data without features is trained with identity, or spectral:64 above 50,000 nodes"},
    {"labels", 0, "FILE", "labels from .npy or a table: one per node in the order of the nodes, or id and label"},
    {"delimiter", 0, "NAME=auto|comma|tab|semicolon|space",
     "delimiter of tables: auto, comma, tab, semicolon, space; default auto"},
    {"header", 0, "NAME=auto|yes|no", "whether tables have a header: auto, yes, no; default auto"},
    {"encoding", 0, "NAME=utf-8|latin1|utf-16",
     "encoding of tables: utf-8, which is checked, latin1, utf-16; default utf-8"},
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

static int count_flags(const cli_arguments *args, const char *name) {
    int count = 0;
    for (int i = 0; i < args->flag_count; i++) count += strcmp(args->flags[i].name, name) == 0;
    return count;
}

/* --edges A --edge-weight 2 --edges B: all files and their weights, in the order given. */
static int read_edge_files(gpr_open_options *out, const cli_arguments *args) {
    const int files = count_flags(args, "edges"), weights = count_flags(args, "edge-weight");
    if (files < 2 && weights == 0) return EXIT_OK;
    const char **more = calloc((size_t)files + 1, sizeof *more);
    double *factors = calloc((size_t)files + 1, sizeof *factors);
    out->more_edges = more;
    out->edge_weights = factors;
    if (!more || !factors) return failed("out of memory");
    int at = -1; /* of the last --edges so far */
    for (int i = 0; i < args->flag_count; i++) {
        const cli_given *given = &args->flags[i];
        char *end;
        if (strcmp(given->name, "edges") == 0) {
            if (++at == 0) out->edges = given->value;
            else more[at - 1] = given->value;
        } else if (strcmp(given->name, "edge-weight") == 0) {
            if (at < 0 || factors[at] != 0)
                return wrong_call(args->command->name,
                                  "--edge-weight %s: give it after the --edges that it is for, "
                                  "once for each",
                                  given->value);
            factors[at] = strtod(given->value, &end);
            if (end == given->value || *end || !(factors[at] > 0))
                return wrong_call(args->command->name, "edge-weight is '%s': it must be a number above 0",
                                  given->value);
        }
    }
    out->more_count = files - 1;
    return EXIT_OK;
}

void free_data_flags(gpr_open_options *options) {
    free((void *)options->more_edges);
    free((void *)options->edge_weights);
    options->more_edges = NULL;
    options->edge_weights = NULL;
}

int read_data_flags(gpr_open_options *out, const cli_arguments *args, const char *data) {
    *out = (gpr_open_options){.struct_size = sizeof *out,
                              .data = data,
                              .data_dir = flag_value(args, "data-dir"),
                              .format = flag_value(args, "format"),
                              .edges = flag_value(args, "edges"),
                              .weight = flag_value(args, "weight"),
                              .source = flag_value(args, "source"),
                              .target = flag_value(args, "target"),
                              .duplicates = flag_value(args, "duplicates"),
                              .unknown = flag_value(args, "unknown"),
                              .encoding = flag_value(args, "encoding"),
                              .nodes = flag_value(args, "nodes"),
                              .id = flag_value(args, "id"),
                              .label = flag_value(args, "label"),
                              .drop = flag_value(args, "drop"),
                              .fill = flag_value(args, "fill"),
                              .features = flag_value(args, "features"),
                              .labels = flag_value(args, "labels"),
                              .delimiter = flag_value(args, "delimiter"),
                              .header = flag_value(args, "header"),
                              .no_map = flag_given(args, "no-map"),
                              .split_column = flag_value(args, "split-column"),
                              .val_from = flag_value(args, "val-from"),
                              .test_from = flag_value(args, "test-from")};
    const char *memory = flag_value(args, "memory");
    if (memory && !parse_size(memory, &out->memory))
        return wrong_call(args->command->name, "memory is '%s': it must be a size such as 512M or 4G", memory);
    if (memory && out->memory == 0) out->memory = 1; /* 0 would mean the library's default; 1 gives its error */
    if (data || out->edges) return read_edge_files(out, args);
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

int open_data(gpr_dataset **out, cli_session *session, const cli_arguments *args, const char *data,
              const gpr_model *model) {
    gpr_open_options options;
    *out = NULL;
    const int code = read_data_flags(&options, args, data);
    if (code != EXIT_OK) {
        free_data_flags(&options);
        return code;
    }
    const char **names = names_of(model);
    options.default_features = args->command->trains ? "auto" : model ? gpr_model_made_features(model) : NULL;
    options.model_features = gpr_model_features(model);
    options.model_names = names;
    begin_guard(session->ctx);
    const gpr_status status = gpr_dataset_open_with(session->ctx, out, &options);
    wipe_progress(&session->bar);
    if (!gpr_ctx_mapped_file(session->ctx, 0)) end_guard(); /* else until the session is closed */
    free(names);
    free_data_flags(&options);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}
