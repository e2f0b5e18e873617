/* gprgnn info: what a dataset holds. */
#include <stdlib.h>

#include "commands.h"
#include "common.h"

static const cli_flag flags[] = {
    {"json", 0, "FILE", "write the measures as JSON; - is standard output, in place of the table"},
    {"data-dir", 0, "DIR", "where to look for datasets by name"},
    {"verbose", 'v', NULL, "say more on standard error"},
    {0},
};

/* sizes: (classes), zeroed by the caller. */
static void count_classes(const gpr_dataset *data, int64_t classes, int64_t *sizes) {
    int64_t nodes;
    const int32_t *labels = gpr_dataset_labels(data, &nodes);
    for (int64_t i = 0; i < nodes; i++)
        if (labels[i] >= 0 && labels[i] < classes) sizes[labels[i]]++;
}

static void print_json(FILE *out, const gpr_dataset_info *info, const int64_t *sizes) {
    const struct {
        const char *key;
        int64_t value;
    } counts[] = {{"nodes", info->nodes},
                  {"edges", info->edges},
                  {"features", info->features},
                  {"classes", info->classes},
                  {"feature_nnz", info->feature_nnz},
                  {"isolated", info->isolated},
                  {"self_loops", info->self_loops},
                  {"duplicates", info->duplicates},
                  {"labelled", info->labelled},
                  {"max_degree", info->max_degree}};
    fprintf(out, "{\n  \"name\": ");
    put_json_text(out, info->name ? info->name : "");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        fprintf(out, ",\n  \"%s\": %lld", counts[i].key, (long long)counts[i].value);
    fprintf(out, ",\n  \"mean_degree\": ");
    put_json_real(out, info->mean_degree);
    fprintf(out, ",\n  \"node_homophily\": ");
    put_json_real(out, info->node_homophily);
    fprintf(out, ",\n  \"edge_homophily\": ");
    put_json_real(out, info->edge_homophily);
    fprintf(out, ",\n  \"sparse_features\": %s,\n  \"weighted\": %s,\n  \"class_sizes\": [",
            info->sparse_features ? "true" : "false", info->weighted ? "true" : "false");
    for (int64_t c = 0; c < info->classes; c++) fprintf(out, "%s%lld", c ? ", " : "", (long long)sizes[c]);
    fprintf(out, "]\n}\n");
}

static void print_homophily(FILE *out, const char *label, double value, const char *meaning) {
    if (value == value) fprintf(out, "%-16s %.4f  (%s)\n", label, value, meaning);
    else fprintf(out, "%-16s unknown: it takes labelled neighbours\n", label);
}

static void print_table(FILE *out, const gpr_dataset_info *info, const int64_t *sizes) {
    enum { MOST_CLASSES = 50 };
    double cells = (double)info->nodes * (double)info->features;
    fprintf(out, "%-16s %s\n", "name", info->name && *info->name ? info->name : "-");
    fprintf(out, "%-16s %lld\n", "nodes", (long long)info->nodes);
    fprintf(out, "%-16s %lld  (%s%lld self loops and %lld duplicates merged away)\n", "edges", (long long)info->edges,
            info->weighted ? "weighted; " : "", (long long)info->self_loops, (long long)info->duplicates);
    fprintf(out, "%-16s %.2f on average, %lld at most\n", "degree", info->mean_degree, (long long)info->max_degree);
    fprintf(out, "%-16s %lld\n", "isolated nodes", (long long)info->isolated);
    fprintf(out, "%-16s %lld  (%s, %lld values not zero: %.2f %%)\n", "features", (long long)info->features,
            info->sparse_features ? "sparse" : "dense", (long long)info->feature_nnz,
            cells > 0 ? 100 * (double)info->feature_nnz / cells : 0.0);
    print_homophily(out, "node homophily", info->node_homophily, "mean share of neighbours of a node's own class");
    print_homophily(out, "edge homophily", info->edge_homophily, "share of edges within a class");
    fprintf(out, "%-16s %lld  (%lld of %lld nodes labelled)\n", "classes", (long long)info->classes,
            (long long)info->labelled, (long long)info->nodes);
    for (int64_t c = 0; c < info->classes && c < MOST_CLASSES; c++)
        fprintf(out, "  class %-8lld %lld\n", (long long)c, (long long)sizes[c]);
    if (info->classes > MOST_CLASSES)
        fprintf(out, "  and %lld more classes, in the JSON\n", (long long)(info->classes - MOST_CLASSES));
}

static int deliver(const char *json, const gpr_dataset_info *info, const int64_t *sizes) {
    if (!json || !is_stdout(json)) print_table(stdout, info, sizes);
    if (!json) return EXIT_OK;
    cli_target target;
    int code = open_target(&target, json);
    if (code != EXIT_OK) return code;
    print_json(target.stream, info, sizes);
    return close_target(&target);
}

static int run(const cli_arguments *args) {
    const char *json = flag_value(args, "json");
    gpr_dataset_info info = {.struct_size = sizeof info};
    gpr_dataset *data = NULL;
    int64_t *sizes = NULL; /* (classes) */
    cli_session session;
    int code = json ? check_target(json) : EXIT_OK;
    if (code != EXIT_OK) return code;
    if ((code = open_session(&session, args, NULL)) != EXIT_OK) return code;
    gpr_status status = gpr_dataset_open(session.ctx, &data, args->operands[0], flag_value(args, "data-dir"));
    if (status >= 0) status = gpr_dataset_describe(session.ctx, data, &info);
    if (status < 0) {
        code = failed_with(args, status);
    } else if (!(sizes = calloc((size_t)info.classes + 1, sizeof *sizes))) {
        code = failed("out of memory");
    } else {
        count_classes(data, info.classes, sizes);
        code = deliver(json, &info, sizes);
    }
    free(sizes);
    gpr_dataset_free(data);
    close_session(&session);
    return code;
}

const cli_command info_command = {
    .name = "info",
    .operands = "DATA",
    .operand_count = 1,
    .about = "count nodes, edges, features and classes; measure homophily",
    .details = "Reads a dataset and prints what it holds: nodes, edges, features, classes and how\n"
               "alike neighbours are.",
    .flags = flags,
    .run = run,
};
