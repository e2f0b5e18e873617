/* gprgnn info: describes a dataset, as a table or JSON. */
#include <stdlib.h>

#include "columns.h"
#include "commands.h"
#include "common.h"
#include "data_flags.h"
#include "heatmap.h"
#include "names.h"
#include "terminal.h"

enum { MATRIX_CLASSES = 256 }; /* with more classes the matrix of classes is left out */
enum { MOST_FAULTS = 8 };      /* known ones of one graph */
enum { MOST_COLUMNS = 200 };   /* of a table, that are printed */
enum { MOST_RELATIONS = 64 };  /* of a dataset */

static const cli_flag flags[] = {
    {"json", 0, "FILE", "write the measures as JSON; - is standard output, instead of the table"},
    {"quiet", 'q', NULL, "print no progress, and no table if there is --json"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

typedef struct findings {
    const gpr_dataset *data; /* for its names */
    gpr_dataset_info info;
    int64_t *sizes; /* (classes) */
    int64_t *edges; /* (classes x classes), or NULL: too many classes */
    gpr_fault_info faults[MOST_FAULTS];
    int fault_count;
    gpr_relation_measures relations[MOST_RELATIONS]; /* at least one: all edges */
    int relation_count;
} findings;

static void put_row(FILE *out, const int64_t *row, int64_t count) {
    fputc('[', out);
    for (int64_t c = 0; c < count; c++) fprintf(out, "%s%lld", c ? ", " : "", (long long)row[c]);
    fputc(']', out);
}

/* One line per row; NULL: null. */
static void put_matrix(FILE *out, const int64_t *matrix, int64_t count) {
    if (!matrix || count == 0) {
        fputs(matrix ? "[]" : "null", out);
        return;
    }
    for (int64_t c = 0; c < count; c++) {
        fputs(c ? ",\n    " : "[\n    ", out);
        put_row(out, matrix + c * count, count);
    }
    fputs("\n  ]", out);
}

/* Edges of a directed file that have no reverse; -1: each is there once, or nobody knows. */
static int64_t one_way(const gpr_relation_measures *edges) {
    return edges->mutual_edges > 0 ? edges->edges - edges->mutual_edges : -1;
}

static const char *directed_word(int64_t one_way) { return one_way > 0 ? "true" : one_way == 0 ? "false" : "null"; }

static void put_one_way(FILE *out, int64_t one_way) {
    if (one_way >= 0) fprintf(out, "%lld", (long long)one_way);
    else fputs("null", out);
}

/* Of all kinds of edges: one that is directed makes the data so. */
static int64_t most_one_way(const findings *found) {
    int64_t most = one_way(&found->relations[0]);
    bool known = true;
    for (int r = 0; r < found->relation_count; r++) {
        const int64_t edges = one_way(&found->relations[r]);
        known = known && edges >= 0;
        if (edges > most) most = edges;
    }
    return known || most > 0 ? most : -1;
}

static void put_counts(FILE *out, const gpr_dataset_info *info) {
    const struct {
        const char *key;
        int64_t value;
    } counts[] = {{"nodes", info->nodes},
                  {"edges", info->edges},
                  {"features", info->features},
                  {"classes", info->classes},
                  {"feature_nnz", info->feature_nnz},
                  {"zero_feature_rows", info->zero_feature_rows},
                  {"isolated", info->isolated},
                  {"self_loops", info->self_loops},
                  {"duplicates", info->duplicates},
                  {"labelled", info->labelled},
                  {"components", info->components},
                  {"largest_component", info->largest_component},
                  {"min_degree", info->min_degree},
                  {"max_degree", info->max_degree}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        fprintf(out, ",\n  \"%s\": %lld", counts[i].key, (long long)counts[i].value);
}

/* What is told of a node is a number. */
static bool has_number(const gpr_dataset_info *info) { return info->target_mean == info->target_mean; }

static void put_measures(FILE *out, const gpr_dataset_info *info) {
    const struct {
        const char *key;
        double value;
    } measures[] = {
        {"median_degree", info->median_degree},           {"mean_degree", info->mean_degree},
        {"feature_density", info->feature_density},       {"node_homophily", info->node_homophily},
        {"edge_homophily", info->edge_homophily},         {"class_homophily", info->class_homophily},
        {"adjusted_homophily", info->adjusted_homophily}, {"label_informativeness", info->label_informativeness},
        {"chernoff_hellinger", info->chernoff_hellinger}};
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
        fprintf(out, ",\n  \"%s\": ", measures[i].key);
        put_json_real(out, measures[i].value);
    }
    if (!has_number(info)) return;
    const struct {
        const char *key;
        double value;
    } numbers[] = {{"target_mean", info->target_mean},
                   {"target_sd", info->target_sd},
                   {"target_min", info->target_min},
                   {"target_max", info->target_max},
                   {"target_assortativity", info->target_assortativity}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fprintf(out, ",\n  \"%s\": ", numbers[i].key);
        put_json_real(out, numbers[i].value);
    }
}

static void put_faults(FILE *out, const findings *found) {
    fputc('[', out);
    for (int i = 0; i < found->fault_count; i++) {
        char *text = program_words(found->faults[i].text);
        fprintf(out, "%s\n    {\"warning\": %s, \"text\": ", i ? "," : "", found->faults[i].warning ? "true" : "false");
        put_json_text(out, text ? text : found->faults[i].text);
        fputc('}', out);
        free(text);
    }
    fputs(found->fault_count ? "\n  ]" : "]", out);
}

static bool has_kinds(const findings *found) { return found->relation_count > 1; }

static void put_relations(FILE *out, const findings *found) {
    fputc('[', out);
    for (int r = 0; has_kinds(found) && r < found->relation_count; r++) {
        const gpr_relation_measures *edges = &found->relations[r];
        fprintf(out, "%s\n    {\"name\": ", r ? "," : "");
        put_json_text(out, edges->name);
        fprintf(out, ", \"edges\": %lld, \"isolated\": %lld, \"self_loops\": %lld, \"duplicates\": %lld",
                (long long)edges->edges, (long long)edges->isolated, (long long)edges->self_loops,
                (long long)edges->duplicates);
        fprintf(out, ", \"weighted\": %s, \"directed\": %s, \"one_way_edges\": ", edges->weighted ? "true" : "false",
                directed_word(one_way(edges)));
        put_one_way(out, one_way(edges));
        fputs(", \"node_homophily\": ", out);
        put_json_real(out, edges->node_homophily);
        fputs(", \"edge_homophily\": ", out);
        put_json_real(out, edges->edge_homophily);
        fputc('}', out);
    }
    fputs(has_kinds(found) ? "\n  ]" : "]", out);
}

static void print_json(FILE *out, const findings *found) {
    const gpr_dataset_info *info = &found->info;
    fprintf(out, "{\n  \"name\": ");
    put_json_text(out, info->name ? info->name : "");
    fprintf(out, ",\n  \"fingerprint\": \"%s\"", info->fingerprint);
    put_counts(out, info);
    put_measures(out, info);
    fprintf(out, ",\n  \"closest_classes\": ");
    if (info->closest_classes[0] >= 0) put_row(out, info->closest_classes, 2);
    else fputs("null", out);
    fprintf(out, ",\n  \"directed\": %s,\n  \"one_way_edges\": ", directed_word(most_one_way(found)));
    put_one_way(out, has_kinds(found) ? -1 : most_one_way(found));
    fputs(",\n  \"relations\": ", out);
    put_relations(out, found);
    fprintf(out, ",\n  \"sparse_features\": %s,\n  \"weighted\": %s,\n  \"class_edges\": ",
            info->sparse_features ? "true" : "false", info->weighted ? "true" : "false");
    put_matrix(out, found->edges, info->classes);
    fprintf(out, ",\n  \"class_names\": ");
    put_json_names(out, found->data, gpr_dataset_class_name, info->classes);
    fprintf(out, ",\n  \"feature_names\": ");
    put_json_names(out, found->data, gpr_dataset_feature_name, info->features);
    fprintf(out, ",\n  \"columns\": ");
    put_json_columns(out, found->data);
    fprintf(out, ",\n  \"known_faults\": ");
    put_faults(out, found);
    fprintf(out, ",\n  \"class_sizes\": ");
    put_row(out, found->sizes, info->classes);
    fprintf(out, "\n}\n");
}

static void print_measure(FILE *out, const char *label, double value, const char *meaning) {
    if (value == value) fprintf(out, "%-16s %.4f  (%s)\n", label, value, meaning);
    else fprintf(out, "%-16s unknown: needs labelled neighbours\n", label);
}

/* Prints its name, or its number. */
static void put_class(FILE *out, const gpr_dataset *data, int64_t class_id) {
    enum { WIDEST = 20 };
    const char *name = gpr_dataset_class_name(data, class_id);
    const int width = name ? name_width(name) : 0;
    if (name) print_name(out, name, width < WIDEST ? width : WIDEST, terminal_is_utf8());
    else fprintf(out, "%lld", (long long)class_id);
}

static void print_measures(FILE *out, const gpr_dataset *data, const gpr_dataset_info *info) {
    const char *several = "unknown: needs edges at two classes";
    print_measure(out, "node homophily", info->node_homophily, "H(G): mean share of neighbours of the same class");
    print_measure(out, "edge homophily", info->edge_homophily, "share of edges within a class");
    const struct {
        const char *label;
        double value;
        const char *meaning;
    } measures[] = {
        {"class homophily", info->class_homophily, "edge homophily per class, beyond what class sizes explain"},
        {"adj. homophily", info->adjusted_homophily, "0: as expected by chance; 1: all edges within classes"},
        {"informativeness", info->label_informativeness, "what the class of a neighbour tells: 0 nothing, 1 all"}};
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (measures[i].value == measures[i].value)
            print_measure(out, measures[i].label, measures[i].value, measures[i].meaning);
        else fprintf(out, "%-16s %s\n", measures[i].label, several);
    if (info->closest_classes[0] < 0)
        fprintf(out, "%-16s unknown: needs 2 to %d classes\n", "divergence", MATRIX_CLASSES);
    else {
        fprintf(out, "%-16s %.4f  (classes ", "divergence", info->chernoff_hellinger);
        put_class(out, data, info->closest_classes[0]);
        fputs(" and ", out);
        put_class(out, data, info->closest_classes[1]);
        fputs(" are the closest; 0: the same neighbours)\n", out);
    }
}

/* Those that are warnings are on standard error already. */
static void print_notes(FILE *out, const findings *found) {
    for (int i = 0; i < found->fault_count; i++)
        if (!found->faults[i].warning) fprintf(out, "%-16s %s\n", "note", found->faults[i].text);
}

/* What a filter can make of the directions of the input. */
static void print_directions(FILE *out, const gpr_relation_measures *edges) {
    if (one_way(edges) > 0)
        fprintf(out,
                "%-16s directed in the file: %lld of %lld edges have no reverse; all are used in both directions, "
                "unless --direction says else\n",
                "directions", (long long)one_way(edges), (long long)edges->edges);
    else if (edges->has_directions && edges->mutual_edges == 0)
        fprintf(out, "%-16s each edge is given once: if that is its direction, --direction can use it\n", "directions");
}

static void print_relations(FILE *out, const findings *found) {
    int width = 8;
    for (int r = 0; r < found->relation_count; r++) {
        const int own = name_width(found->relations[r].name);
        if (own > width) width = own;
    }
    fprintf(out, "%-16s %d kinds of edges, each with its own weights in a filter; the edges above are their union\n",
            "relations", found->relation_count);
    fprintf(out, "  %-*s %10s %10s  %-10s %s\n", width, "name", "edges", "homophily", "weights", "directions");
    for (int r = 0; r < found->relation_count; r++) {
        const gpr_relation_measures *edges = &found->relations[r];
        fprintf(out, "  %-*s %10lld ", width, edges->name, (long long)edges->edges);
        if (edges->edge_homophily == edges->edge_homophily) fprintf(out, "%10.4f", edges->edge_homophily);
        else fprintf(out, "%10s", "-");
        fprintf(out, "  %-10s ", edges->weighted ? "yes" : "no");
        if (one_way(edges) > 0)
            fprintf(out, "directed: %lld of %lld have no reverse\n", (long long)one_way(edges),
                    (long long)edges->edges);
        else fprintf(out, "%s\n", edges->has_directions && edges->mutual_edges == 0 ? "each edge once" : "both");
    }
    if (most_one_way(found) > 0)
        fprintf(out, "  (all edges are used in both directions, unless --direction says else)\n");
}

static void print_table(FILE *out, const findings *found) {
    const gpr_dataset_info *info = &found->info;
    fprintf(out, "%-16s ", "name");
    put_text(out, info->name && *info->name ? info->name : "-");
    fputc('\n', out);
    fprintf(out, "%-16s %lld\n", "nodes", (long long)info->nodes);
    fprintf(out, "%-16s %lld  (%s%lld self loops and %lld duplicates removed)\n", "edges", (long long)info->edges,
            info->weighted ? "weighted; " : "", (long long)info->self_loops, (long long)info->duplicates);
    if (has_kinds(found)) print_relations(out, found);
    else print_directions(out, &found->relations[0]);
    fprintf(out, "%-16s %lld to %lld, median %g, mean %.2f\n", "degree", (long long)info->min_degree,
            (long long)info->max_degree, info->median_degree, info->mean_degree);
    fprintf(out, "%-16s %lld  (the largest has %lld nodes, %.1f %%)\n", "components", (long long)info->components,
            (long long)info->largest_component, 100 * (double)info->largest_component / (double)info->nodes);
    fprintf(out, "%-16s %lld\n", "isolated nodes", (long long)info->isolated);
    if (info->features == 0) fprintf(out, "%-16s none\n", "features");
    else
        fprintf(out, "%-16s %lld  (%s, %lld non-zero values: %.2f %%; %lld nodes have none)\n", "features",
                (long long)info->features, info->sparse_features ? "sparse" : "dense", (long long)info->feature_nnz,
                100 * info->feature_density, (long long)info->zero_feature_rows);
    print_measures(out, found->data, info);
    fprintf(out, "%-16s %s\n", "fingerprint", info->fingerprint);
    if (has_number(info))
        fprintf(out,
                "%-16s a number, of %lld of %lld nodes: mean %.6g, standard deviation %.4g, from %.6g to %.6g; "
                "correlation of neighbours %.3f\n",
                "target", (long long)info->labelled, (long long)info->nodes, info->target_mean, info->target_sd,
                info->target_min, info->target_max, info->target_assortativity);
    else
        fprintf(out, "%-16s %lld  (%lld of %lld nodes labelled)\n", "classes", (long long)info->classes,
                (long long)info->labelled, (long long)info->nodes);
    print_notes(out, found);
    print_columns(out, found->data, MOST_COLUMNS);
    print_class_map(out, found->data, found->sizes, found->edges, info->classes, terminal_width(fileno(out)),
                    terminal_is_utf8());
}

static int deliver(const char *json, bool quiet, const findings *found) {
    if (!json || !(is_stdout(json) || quiet)) print_table(stdout, found);
    if (!json) return EXIT_OK;
    cli_target target;
    int code = open_target(&target, json);
    if (code != EXIT_OK) return code;
    print_json(target.stream, found);
    return close_target(&target);
}

/* EXIT_OK, or the exit status after an error message. */
static int find_out(findings *found, const cli_arguments *args, gpr_ctx *ctx, const gpr_dataset *data) {
    gpr_status status = gpr_dataset_describe(ctx, data, &found->info);
    found->data = data;
    if (status < 0) return failed_with(args, status);
    for (int r = 0; r < MOST_RELATIONS && status >= 0; r++) {
        found->relations[r].struct_size = sizeof found->relations[r];
        status = gpr_dataset_describe_relation(ctx, data, r, &found->relations[r]);
        if (status < 0 || !found->relations[r].name) break;
        found->relation_count++;
    }
    if (status < 0) return failed_with(args, status);
    const size_t C = (size_t)found->info.classes;
    found->sizes = calloc(C + 1, sizeof *found->sizes);
    if (!found->sizes) return failed("out of memory");
    status = gpr_dataset_class_sizes(ctx, data, found->sizes);
    if (status >= 0 && C <= MATRIX_CLASSES) {
        found->edges = calloc(C * C + 1, sizeof *found->edges);
        if (!found->edges) return failed("out of memory");
        status = gpr_dataset_class_edges(ctx, data, found->edges);
    }
    while (status >= 0 && found->fault_count < MOST_FAULTS) {
        gpr_fault_info *fault = &found->faults[found->fault_count];
        fault->struct_size = sizeof *fault;
        status = gpr_dataset_known_fault(ctx, data, found->fault_count, fault);
        if (status < 0 || !fault->text) break;
        found->fault_count++;
    }
    if (status >= 0) status = gpr_dataset_check(ctx, data);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}

static int run(const cli_arguments *args) {
    const char *json = flag_value(args, "json");
    findings found = {.info = {.struct_size = sizeof found.info}};
    gpr_dataset *data = NULL;
    cli_session session;
    int code = json ? check_target(json) : EXIT_OK;
    if (code != EXIT_OK) return code;
    if ((code = open_session(&session, args, NULL)) != EXIT_OK) return code;
    code = open_data(&data, &session, args, args->operands[0], NULL);
    if (code == EXIT_OK) code = find_out(&found, args, session.ctx, data);
    if (code == EXIT_OK) code = deliver(json, session.quiet, &found);
    free(found.sizes);
    free(found.edges);
    gpr_dataset_free(data);
    close_session(&session);
    return code;
}

const cli_command info_command = {
    .name = "info",
    .operands = "[DATA]",
    .operand_count = 1,
    .optional_operands = 1,
    .about = "count nodes, edges, features and classes; measure homophily",
    .details = "Reads a dataset and describes it: nodes, edges, features, classes, which classes are linked\n"
               "with which, and how much the graph tells about the classes. Warns if something looks wrong.",
    .flags = flags,
    .takes_data = true,
    .run = run,
};
