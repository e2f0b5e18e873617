/* The flags of the data, and how they become the options of gpr_dataset_open_with. */
#include "data_flags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"

bool data_flag(int index, cli_flag *out) {
    gpr_param_info info = {.struct_size = sizeof info};
    if (index >= gpr_data_option_count() || gpr_data_option_describe(index, &info) != GPR_OK) return false;
    *out = (cli_flag){.name = info.name, .value = info.value, .help = info.help};
    return true;
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
    /* A config that names a graph is about that one: of other data nothing in it counts. */
    const bool named = gpr_params_data(params, "data") || gpr_params_data(params, "edges");
    const gpr_params *config = named && (data || flag_given(args, "edges")) ? NULL : params;
    if (!data && config) data = gpr_params_data(config, "data");
    *out = (gpr_open_options){.struct_size = sizeof *out, .data = data};
    for (int i = 0; i < gpr_data_option_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        gpr_status status = gpr_data_option_describe(i, &info);
        if (status == GPR_OK && strcmp(info.type, "factor") == 0) continue; /* read_edge_files */
        const char *value = info.value ? given(args, config, info.name) : flag_given(args, info.name) ? "yes" : NULL;
        if (status == GPR_OK) status = gpr_open_options_set(out, info.name, value);
        if (status < 0) return wrong_call(args->command->name, "%s", gpr_last_error());
    }
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
    if (model) options.task = gpr_model_task(model);
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
