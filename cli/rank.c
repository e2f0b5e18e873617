/* gprgnn rank: generalised PageRank from seed nodes: the nodes nearest to them, and the local cluster around them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common.h"
#include "data_flags.h"
#include "names.h"
#include "seeds.h"
#include "terminal.h"

enum { USUAL_TOP = 20 };

static const cli_flag flags[] = {
    {"node", 'n', "ID", "a seed: the id of a node, or its number; several with commas, or give the flag again"},
    {"weights", 0, "W",
     "weight of each step: ppr:ALPHA, heat:T, ipr, ipr:THETA:STEP, numbers such as 0.5,0.3,0.2, or a FILE with "
     "numbers; "
     "default ppr:0.1"},
    {"K", 0, "N", "last step of ppr, heat or ipr; default: none, the sum is infinite"},
    {"tolerance", 0, "X", "a score is wrong by at most X times degree / mean degree; default 1e-6"},
    {"exact", 0, NULL, "add up all steps: the errors of all scores together are at most 1e-10"},
    {"top", 0, "N", "how many nodes to show; default 20"},
    {"cluster", 0, NULL, "find the local cluster: the sweep over score / degree with the lowest conductance"},
    {"cluster-max", 0, "N", "the same with at most N nodes; default: with at most half of all ends of edges"},
    {"output", 'o', "FILE", "write all scores that are not 0 as CSV"},
    {"json", 0, "FILE", "write everything as JSON; - is standard output, instead of the table"},
    {"quiet", 'q', NULL, "print no table"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

/* The handles and results of one call. */
typedef struct ranked {
    gpr_dataset *data;
    gpr_ranking *ranking;
    gpr_ranking_info info;
    cli_seeds seeds;
    const char *weights;
    int64_t nodes, top; /* of the data; how many are shown */
    const int32_t *labels;
    int32_t class_id; /* of the first seed; -1: none */
    uint8_t *marks;   /* (nodes) IS_SEED, IN_CLUSTER */
} ranked;

enum { IS_SEED = 1, IN_CLUSTER = 2 };

/* How well a list of nodes hits the class of the first seed. Seeds do not count. */
typedef struct hits {
    int64_t labelled, right,
        possible; /* of the list: with a label, with the right one; with the right one in the whole data */
} hits;

static hits count_hits(const ranked *r, const int64_t *list, int64_t count) {
    hits found = {0};
    for (int64_t i = 0; r->class_id >= 0 && i < count; i++) {
        if (r->marks[list[i]] & IS_SEED || r->labels[list[i]] < 0) continue;
        found.labelled++;
        found.right += r->labels[list[i]] == r->class_id;
    }
    for (int64_t i = 0; r->class_id >= 0 && i < r->nodes; i++)
        found.possible += !(r->marks[i] & IS_SEED) && r->labels[i] == r->class_id;
    return found;
}

/* NaN where nothing can be measured. */
static double precision(hits h) { return h.labelled ? (double)h.right / (double)h.labelled : NAN; }
static double recall(hits h) { return h.possible ? (double)h.right / (double)h.possible : NAN; }

static int64_t shown(const ranked *r) {
    int64_t count;
    gpr_ranking_nodes(r->ranking, &count);
    return count < r->top ? count : r->top;
}

/* ---- Table -------------------------------------------------------------------------------------------- */

/* A name or a number, cut to the width. */
static void put_cell(FILE *out, const char *name, int64_t number, int width) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    print_name(out, name ? name : text, width, terminal_is_utf8());
}

static int id_width(const ranked *r) {
    enum { LEAST = 4, MOST = 30 };
    const int64_t *nodes = gpr_ranking_nodes(r->ranking, NULL), count = shown(r);
    int width = LEAST;
    for (int64_t i = 0; i < count; i++) {
        const char *id = gpr_dataset_node_id(r->data, nodes[i]);
        const int needed = id ? name_width(id) : snprintf(NULL, 0, "%lld", (long long)nodes[i]);
        if (needed > width) width = needed;
    }
    return width < MOST ? width : MOST;
}

static void print_rows(FILE *out, const ranked *r) {
    const int64_t *nodes = gpr_ranking_nodes(r->ranking, NULL), count = shown(r);
    const double *scores = gpr_ranking_scores(r->ranking, NULL), *degrees = gpr_ranking_degrees(r->ranking, NULL);
    const bool labelled = gpr_dataset_classes(r->data) > 0;
    const int width = id_width(r);
    fprintf(out, "%6s  %-*s  %12s  %9s%s\n", "rank", width, "node", "score", "degree", labelled ? "  label" : "");
    for (int64_t i = 0; i < count; i++) {
        const int64_t node = nodes[i];
        fprintf(out, "%6lld  ", (long long)i + 1);
        put_cell(out, gpr_dataset_node_id(r->data, node), node, -width);
        fprintf(out, "  %12.6g  %9.6g", scores[i], degrees[i]);
        if (labelled) {
            fputs("  ", out);
            if (r->labels[node] < 0) fputc('-', out);
            else if (gpr_dataset_class_name(r->data, r->labels[node]))
                put_text(out, gpr_dataset_class_name(r->data, r->labels[node]));
            else fprintf(out, "%d", (int)r->labels[node]);
        }
        fputs(r->marks[node] & IS_SEED ? "  (seed)\n" : "\n", out);
    }
}

static void put_class(FILE *out, const ranked *r) {
    const char *name = gpr_dataset_class_name(r->data, r->class_id);
    if (name) put_text(out, name);
    else fprintf(out, "%d", (int)r->class_id);
}

static void print_hits(FILE *out, const ranked *r, hits h, const char *where) {
    if (r->class_id < 0 || h.labelled == 0) return;
    fprintf(out, "%-12s %.1f %% of the labelled nodes %s have the label of the first seed, ", "precision",
            100 * precision(h), where);
    put_class(out, r);
    fputs(" (seeds left out)\n", out);
    if (strcmp(where, "in the cluster") == 0 && h.possible > 0)
        fprintf(out, "%-12s %.1f %% of the %lld nodes with that label are in it\n", "recall", 100 * recall(h),
                (long long)h.possible);
}

static void print_table(FILE *out, const ranked *r) {
    const gpr_ranking_info *info = &r->info;
    print_rows(out, r);
    fprintf(out, "\n%-12s ", "weights");
    put_text(out, r->weights); /* may be a path */
    fprintf(out, ", %lld %s, errors of all scores together at most %.2g\n", (long long)info->steps,
            info->steps == 1 ? "step" : "steps", info->error);
    fprintf(out, "%-12s %lld of %lld nodes have a score; their sum is %.6g\n", "scores", (long long)info->scored,
            (long long)r->nodes, info->total);
    print_hits(out, r, count_hits(r, gpr_ranking_nodes(r->ranking, NULL), shown(r)), "above");
}

static void print_cluster(FILE *out, const ranked *r) {
    const gpr_ranking_info *info = &r->info;
    int64_t count;
    const int64_t *cluster = gpr_ranking_cluster(r->ranking, &count);
    if (count == 0) {
        fprintf(out, "\n%-12s none: no set of these nodes has edges and at most half of all\n", "cluster");
        return;
    }
    fprintf(out, "\n%-12s %lld %s, conductance %.4g  (volume %.6g, of which %.6g leaves it)\n", "cluster",
            (long long)count, count == 1 ? "node" : "nodes", info->conductance, info->cluster_volume,
            info->cluster_cut);
    print_hits(out, r, count_hits(r, cluster, count), "in the cluster");
}

/* ---- CSV and JSON ------------------------------------------------------------------------------------- */

static void put_csv(FILE *out, const char *name, int64_t number) {
    if (name) put_csv_name(out, name);
    else fprintf(out, "%lld", (long long)number);
}

static void print_csv(FILE *out, const ranked *r) {
    int64_t count;
    const int64_t *nodes = gpr_ranking_nodes(r->ranking, &count);
    const double *scores = gpr_ranking_scores(r->ranking, NULL), *degrees = gpr_ranking_degrees(r->ranking, NULL);
    const bool labelled = gpr_dataset_classes(r->data) > 0, clustered = gpr_ranking_cluster(r->ranking, NULL);
    fprintf(out, "node,score,degree%s%s\n", labelled ? ",label" : "", clustered ? ",cluster" : "");
    for (int64_t i = 0; i < count; i++) {
        const int64_t node = nodes[i];
        put_csv(out, gpr_dataset_node_id(r->data, node), node);
        fprintf(out, ",%.15g,%.9g", scores[i], degrees[i]);
        if (labelled) fputc(',', out);
        if (labelled && r->labels[node] >= 0)
            put_csv(out, gpr_dataset_class_name(r->data, r->labels[node]), r->labels[node]);
        fputs(!clustered ? "\n" : r->marks[node] & IN_CLUSTER ? ",1\n" : ",0\n", out);
    }
}

static void put_json(FILE *out, const char *name, int64_t number) {
    if (name) put_json_text(out, name);
    else fprintf(out, "%lld", (long long)number);
}

static void put_json_label(FILE *out, const ranked *r, int32_t class_id) {
    if (class_id < 0) fputs("null", out);
    else put_json(out, gpr_dataset_class_name(r->data, class_id), class_id);
}

static void put_json_nodes(FILE *out, const ranked *r, const int64_t *nodes, int64_t count) {
    fputc('[', out);
    for (int64_t i = 0; i < count; i++) {
        if (i) fputs(", ", out);
        put_json(out, gpr_dataset_node_id(r->data, nodes[i]), nodes[i]);
    }
    fputc(']', out);
}

static void put_json_number(FILE *out, const char *key, double value) {
    fprintf(out, ",\n  \"%s\": ", key);
    put_json_real(out, value);
}

static void put_json_cluster(FILE *out, const ranked *r) {
    int64_t count;
    const int64_t *cluster = gpr_ranking_cluster(r->ranking, &count);
    const hits h = count_hits(r, cluster, count);
    put_json_number(out, "cluster_nodes", (double)count);
    put_json_number(out, "cluster_volume", r->info.cluster_volume);
    put_json_number(out, "cluster_cut", r->info.cluster_cut);
    put_json_number(out, "conductance", r->info.conductance);
    put_json_number(out, "cluster_precision", precision(h));
    put_json_number(out, "cluster_recall", recall(h));
    fputs(",\n  \"cluster\": ", out);
    put_json_nodes(out, r, cluster, count);
}

static void print_json(FILE *out, const ranked *r, bool cluster) {
    const int64_t *nodes = gpr_ranking_nodes(r->ranking, NULL), count = shown(r);
    const double *scores = gpr_ranking_scores(r->ranking, NULL), *degrees = gpr_ranking_degrees(r->ranking, NULL);
    fprintf(out, "{\n  \"nodes\": %lld,\n  \"edges\": %lld,\n  \"seeds\": ", (long long)r->nodes,
            (long long)gpr_dataset_edges(r->data));
    put_json_nodes(out, r, r->seeds.nodes, r->seeds.count);
    fputs(",\n  \"weights\": ", out);
    put_json_text(out, r->weights);
    fprintf(out, ",\n  \"steps\": %lld,\n  \"arcs_visited\": %lld,\n  \"scored\": %lld", (long long)r->info.steps,
            (long long)r->info.arcs_visited, (long long)r->info.scored);
    put_json_number(out, "total", r->info.total);
    put_json_number(out, "error", r->info.error);
    put_json_number(out, "mean_degree", r->info.mean_degree);
    fputs(",\n  \"label\": ", out);
    put_json_label(out, r, r->class_id);
    put_json_number(out, "precision", precision(count_hits(r, nodes, count)));
    if (cluster) put_json_cluster(out, r);
    fputs(",\n  \"top\": [", out);
    for (int64_t i = 0; i < count; i++) {
        fprintf(out, "%s\n    {\"rank\": %lld, \"node\": ", i ? "," : "", (long long)i + 1);
        put_json(out, gpr_dataset_node_id(r->data, nodes[i]), nodes[i]);
        fputs(", \"score\": ", out);
        put_json_real(out, scores[i]);
        fputs(", \"degree\": ", out);
        put_json_real(out, degrees[i]);
        fputs(", \"label\": ", out);
        put_json_label(out, r, r->labels[nodes[i]]);
        fprintf(out, ", \"seed\": %s}", r->marks[nodes[i]] & IS_SEED ? "true" : "false");
    }
    fputs(count ? "\n  ]\n}\n" : "]\n}\n", out);
}

/* ---- The command -------------------------------------------------------------------------------------- */

static bool wants_cluster(const cli_arguments *args) {
    return flag_given(args, "cluster") || flag_given(args, "cluster-max");
}

static int read_options(gpr_rank_options *out, const cli_arguments *args, int64_t *top) {
    const char *tolerance = flag_value(args, "tolerance");
    int code = read_integer(args, "K", &out->last_step);
    if (code == EXIT_OK) code = read_integer(args, "top", top);
    if (code == EXIT_OK) code = read_integer(args, "cluster-max", &out->cluster_max);
    if (code != EXIT_OK) return code;
    if (flag_given(args, "K") && out->last_step < 1)
        return wrong_call(args->command->name, "K is %lld: the last step must be 1 or more", (long long)out->last_step);
    if (*top < 1) return wrong_call(args->command->name, "top is %lld: it must be 1 or more", (long long)*top);
    if (flag_given(args, "cluster-max") && out->cluster_max < 1)
        return wrong_call(args->command->name, "cluster-max is %lld: it must be 1 or more",
                          (long long)out->cluster_max);
    if (tolerance) {
        char *end;
        out->tolerance = strtod(tolerance, &end);
        if (end == tolerance || *end || !(out->tolerance > 0 && out->tolerance <= 1))
            return wrong_call(args->command->name, "tolerance is '%s': it must be a number in (0, 1]", tolerance);
        if (flag_given(args, "exact"))
            return wrong_call(args->command->name, "--exact and --tolerance exclude each other");
    }
    out->weights = flag_value(args, "weights");
    out->exact = flag_given(args, "exact");
    out->cluster = wants_cluster(args);
    out->top = flag_value(args, "output") ? 0 : *top;
    return EXIT_OK;
}

static int mark(ranked *r) {
    int64_t count;
    const int64_t *cluster = gpr_ranking_cluster(r->ranking, &count);
    r->labels = gpr_dataset_labels(r->data, &r->nodes);
    if (!r->labels) return failed("%s", gpr_last_error());
    r->class_id = r->labels[r->seeds.nodes[0]];
    r->marks = calloc((size_t)r->nodes + 1, sizeof *r->marks);
    if (!r->marks) return failed("out of memory");
    for (int64_t i = 0; i < r->seeds.count; i++) r->marks[r->seeds.nodes[i]] |= IS_SEED;
    for (int64_t i = 0; i < count; i++) r->marks[cluster[i]] |= IN_CLUSTER;
    return EXIT_OK;
}

static int deliver(const cli_arguments *args, const cli_session *session, const ranked *r) {
    const char *output = flag_value(args, "output"), *json = flag_value(args, "json");
    const bool on_stdout = (output && is_stdout(output)) || (json && is_stdout(json));
    cli_target target;
    int code = EXIT_OK;
    if (!on_stdout && !session->quiet) print_table(stdout, r);
    if (!on_stdout && !session->quiet && wants_cluster(args)) print_cluster(stdout, r);
    if (output) {
        if ((code = open_target(&target, output)) != EXIT_OK) return code;
        print_csv(target.stream, r);
        code = close_target(&target);
    }
    if (json && code == EXIT_OK) {
        if ((code = open_target(&target, json)) != EXIT_OK) return code;
        print_json(target.stream, r, wants_cluster(args));
        code = close_target(&target);
    }
    return code;
}

static int rank(const cli_arguments *args, cli_session *session, ranked *r, const gpr_rank_options *options) {
    int code = open_data(&r->data, session, args, args->operands[0], NULL);
    if (code == EXIT_OK) code = read_seeds(&r->seeds, args, session->ctx, r->data);
    if (code != EXIT_OK) return code;
    r->weights = options->weights ? options->weights : "ppr:0.1";
    gpr_status status = gpr_rank(session->ctx, &r->ranking, r->data, r->seeds.nodes, r->seeds.count, options);
    if (status >= 0) status = gpr_ranking_describe(r->ranking, &r->info);
    return status < 0 ? failed_with(args, status) : mark(r);
}

static int run(const cli_arguments *args) {
    const char *output = flag_value(args, "output"), *json = flag_value(args, "json");
    ranked r = {.info = {.struct_size = sizeof r.info}, .top = USUAL_TOP};
    gpr_rank_options options = {.struct_size = sizeof options};
    cli_session session;
    int code = read_options(&options, args, &r.top);
    if (code != EXIT_OK) return code;
    if (!flag_given(args, "node"))
        return wrong_call(args->command->name, "no seed: give one node or more with --node ID");
    if (output && json && is_stdout(output) && is_stdout(json))
        return wrong_call(args->command->name, "-o and --json cannot both be standard output");
    if (output) code = check_target(output);
    if (json && code == EXIT_OK) code = check_target(json);
    if (code != EXIT_OK || (code = open_session(&session, args, NULL)) != EXIT_OK) return code;
    code = rank(args, &session, &r, &options);
    if (code == EXIT_OK) code = deliver(args, &session, &r);
    free(r.marks);
    free_seeds(&r.seeds);
    gpr_ranking_free(r.ranking);
    gpr_dataset_free(r.data);
    close_session(&session);
    return code;
}

const cli_command rank_command = {
    .name = "rank",
    .operands = "[DATA]",
    .operand_count = 1,
    .optional_operands = 1,
    .about = "rank nodes by generalised PageRank from seeds; find a local cluster",
    .details = "Walks at random over the edges of DATA, from the seeds, and adds up where the walk is after\n"
               "k steps, with weight w_k: score = sum of w_k P^k s. The weights are\n"
               "  ppr:ALPHA       personalised PageRank: ALPHA (1 - ALPHA)^k\n"
               "  heat:T          heat kernel: e^-T T^k / k!\n"
               "  ipr:THETA:STEP  inverse PageRank: they rise up to STEP, then fall\n"
               "  numbers         your own, from step 0 on\n"
               "With ppr the scores are those of networkx.pagerank with alpha = 1 - ALPHA. If DATA has\n"
               "labels, it says how many of the nodes found have the label of the first seed.\n"
               "For example: gprgnn rank cora --node 100 --cluster-max 400\n"
               "             gprgnn rank --edges e.csv --node alice --weights heat:3 -o scores.csv",
    .params = " threads ",
    .flags = flags,
    .takes_data = true,
    .run = run,
};
