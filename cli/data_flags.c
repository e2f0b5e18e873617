/* The flags of the data, and how they become the options of gpr_dataset_open_with. */
#include "data_flags.h"

#include <errno.h>
#include <stdio.h>
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
    {"id", 0, "COLUMN", "column of --nodes with the ids; default: the first that is not an index without a name"},
    {"label", 0, "COLUMN", "column of --nodes (or --labels) with the classes"},
    {"drop", 0, "COLUMNS", "columns of --nodes to leave out, separated by commas"},
    {"categorical", 0, "COLUMNS", "columns of --nodes that are categories, whatever they look like"},
    {"numeric", 0, "COLUMNS", "columns of --nodes that are numbers; cells that are none count as missing"},
    {"date", 0, "COLUMNS",
     "columns of --nodes that are dates; 3/4/2024 is then March 4th unless a cell shows another order"},
    {"max-values", 0, "N", "most values of a category; the others are one; default 1000"},
    {"fill", 0, "RULE", "for missing numbers and dates of --nodes: median, mean, zero or a number; default median"},
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

/* ---- several files of edges ---- */

static int count_flags(const cli_arguments *args, const char *name) {
    int count = 0;
    for (int i = 0; i < args->flag_count; i++) count += strcmp(args->flags[i].name, name) == 0;
    return count;
}

static int set_edge_weight(const cli_arguments *args, double *factor, const char *value) {
    char *end;
    *factor = strtod(value, &end);
    if (end != value && !*end && *factor > 0) return EXIT_OK;
    return wrong_call(args->command->name, "edge-weight is '%s': it must be a number above 0", value);
}

/* Room for `files` files: more (files - 1) and weights (files), which free_data_flags frees. */
static int make_edge_files(gpr_open_options *out, int files, const char ***more, double **weights) {
    out->more_edges = *more = calloc((size_t)files + 1, sizeof **more);
    out->edge_weights = *weights = calloc((size_t)files + 1, sizeof **weights);
    if (!*more || !*weights) return failed("out of memory");
    out->more_count = files - 1;
    return EXIT_OK;
}

/* "edges.2" and "edge-weight.2" of a config: those of the second file. */
static const char *of_file(const gpr_params *config, const char *word, int64_t number) {
    char name[40];
    snprintf(name, sizeof name, "%s.%lld", word, (long long)number);
    return gpr_params_data(config, name);
}

static int repeat_edge_files(gpr_open_options *out, const cli_arguments *args, const gpr_params *config) {
    const char **more;
    double *weights;
    bool weighted = false;
    int files = 1;
    while (files < 1000 && of_file(config, "edges", files + 1)) files++;
    for (int k = 1; k <= files; k++) weighted = weighted || of_file(config, "edge-weight", k);
    if (files == 1 && !weighted) return EXIT_OK;
    int code = make_edge_files(out, files, &more, &weights);
    for (int k = 1; k <= files && code == EXIT_OK; k++) {
        const char *weight = of_file(config, "edge-weight", k);
        if (k > 1) more[k - 2] = of_file(config, "edges", k);
        if (weight) code = set_edge_weight(args, &weights[k - 1], weight);
    }
    return code;
}

/* --edges A --edge-weight 2 --edges B: all files and their weights, in the order given. */
static int read_edge_files(gpr_open_options *out, const cli_arguments *args, const gpr_params *config) {
    const int files = count_flags(args, "edges"), weights = count_flags(args, "edge-weight");
    if (files == 0 && weights == 0 && config) return repeat_edge_files(out, args, config);
    if (files < 2 && weights == 0) return EXIT_OK;
    const char **more;
    double *factors;
    int code = make_edge_files(out, files, &more, &factors), at = -1; /* of the last --edges so far */
    for (int i = 0; i < args->flag_count && code == EXIT_OK; i++) {
        const cli_given *flag = &args->flags[i];
        if (strcmp(flag->name, "edges") == 0) {
            if (++at == 0) out->edges = flag->value;
            else more[at - 1] = flag->value;
        } else if (strcmp(flag->name, "edge-weight") == 0) {
            if (at < 0 || factors[at] != 0)
                return wrong_call(args->command->name,
                                  "--edge-weight %s: give it after the --edges that it is for, "
                                  "once for each",
                                  flag->value);
            code = set_edge_weight(args, &factors[at], flag->value);
        }
    }
    return code;
}

void free_data_flags(gpr_open_options *options) {
    free((void *)options->more_edges);
    free((void *)options->edge_weights);
    options->more_edges = NULL;
    options->edge_weights = NULL;
}

/* ---- all flags ---- */

/* The value of a flag, or that of the file that --config names. */
static const char *given(const cli_arguments *args, const gpr_params *config, const char *word) {
    const char *value = flag_value(args, word);
    return value || !config ? value : gpr_params_data(config, word);
}

int read_data_flags(gpr_open_options *out, const cli_arguments *args, const char *data, const gpr_params *params) {
    const gpr_params *config = data || flag_given(args, "edges") ? NULL : params; /* other data: all of it is other */
    const char *memory = flag_value(args, "memory"), *values = given(args, config, "max-values");
    if (!data && config) data = gpr_params_data(config, "data");
    *out = (gpr_open_options){.struct_size = sizeof *out,
                              .data = data,
                              .data_dir = given(args, config, "data-dir"),
                              .format = given(args, config, "format"),
                              .edges = given(args, config, "edges"),
                              .source = given(args, config, "source"),
                              .target = given(args, config, "target"),
                              .weight = given(args, config, "weight"),
                              .duplicates = given(args, config, "duplicates"),
                              .unknown = given(args, config, "unknown"),
                              .nodes = given(args, config, "nodes"),
                              .id = given(args, config, "id"),
                              .label = given(args, config, "label"),
                              .drop = given(args, config, "drop"),
                              .categorical = given(args, config, "categorical"),
                              .numeric = given(args, config, "numeric"),
                              .date = given(args, config, "date"),
                              .fill = given(args, config, "fill"),
                              .split_column = given(args, config, "split-column"),
                              .val_from = given(args, config, "val-from"),
                              .test_from = given(args, config, "test-from"),
                              .features = given(args, config, "features"),
                              .labels = given(args, config, "labels"),
                              .delimiter = given(args, config, "delimiter"),
                              .header = given(args, config, "header"),
                              .encoding = given(args, config, "encoding"),
                              .no_map = flag_given(args, "no-map")};
    char *end = NULL;
    if (values) out->max_values = strtoll(values, &end, 10);
    if (values && (*end || end == values || out->max_values < 1))
        return wrong_call(args->command->name, "max-values is '%s': it must be a whole number above 0", values);
    if (memory && !parse_size(memory, &out->memory))
        return wrong_call(args->command->name, "memory is '%s': it must be a size such as 512M or 4G", memory);
    if (memory && out->memory == 0) out->memory = 1; /* 0 would mean the library's default; 1 gives its error */
    if (data || out->edges) return read_edge_files(out, args, config);
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
    const int code = read_data_flags(&options, args, data, session->params);
    if (code != EXIT_OK) {
        free_data_flags(&options);
        return code;
    }
    const char **names = names_of(model);
    options.default_features = args->command->trains ? "auto" : model ? gpr_model_made_features(model) : NULL;
    options.model_features = gpr_model_features(model);
    options.model_names = names;
    options.plan = gpr_model_plan(model);
    const char *weight = session->params ? gpr_params_get(session->params, "sample-weight") : NULL;
    if (weight && strcmp(weight, "none") != 0) options.sample_weight = weight;
    begin_guard(session->ctx);
    const gpr_status status = gpr_dataset_open_with(session->ctx, out, &options);
    wipe_progress(&session->bar);
    if (!gpr_ctx_mapped_file(session->ctx, 0)) end_guard(); /* else until the session is closed */
    free(names);
    free_data_flags(&options);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}
