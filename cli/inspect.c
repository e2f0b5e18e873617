/* gprgnn inspect: what the filter of a model does, and how over-smoothed its scores are. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "commands.h"
#include "common.h"
#include "data_flags.h"
#include "filters.h"
#include "names.h"
#include "response.h"
#include "terminal.h"

static const cli_flag flags[] = {
    {"json", 0, "FILE", "write everything as JSON; - is standard output, instead of the text"},
    {"cpu", 0, "NAME=auto|ref|base|avx2|avx512", "kernels: auto, ref, base, avx2, avx512; default auto"},
    {"quiet", 'q', NULL, "print warnings only on standard error, and no text if there is --json"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

enum { MOST_HOPS = 32, MOST_COLUMNS = 20, MOST_NAME = 40 };

/* The handles of one call. */
typedef struct inspection {
    gpr_model *model;
    gpr_dataset *data; /* NULL: none was named */
    gpr_inspection *found;
    gpr_inspection_info info;
    bool is_run;
} inspection;

typedef struct series {
    const double *values; /* NULL: not known */
    int64_t count;
} series;

static series series_of(const inspection *i, const char *what) {
    series s = {NULL, 0};
    if (gpr_inspection_series(i->found, what, &s.values, &s.count) != GPR_OK) s.values = NULL;
    return s;
}

/* ---- the filter ---- */

static const char *const kinds[] = {"none", "low-pass", "high-pass", "neither low-pass nor high-pass"};

static void print_kind(FILE *out, const inspection *i) {
    const gpr_inspection_info *info = &i->info;
    static const char *const signs[] = {"", "<", ">", ""};
    fprintf(out, "filter    %s", kinds[info->filter]);
    if (info->filter == GPR_FILTER_NONE) {
        fprintf(out, ": the layers of %s are no polynomial of the graph's matrix, so there is no g(lambda)\n",
                info->model);
        return;
    }
    if (!info->learned) fprintf(out, " (fixed by the model)");
    const char *where = info->judged_on == GPR_JUDGED_ON_EIGENVALUES ? "all eigenvalues of the graph but 1"
                        : info->judged_on == GPR_JUDGED_ON_RANGE
                            ? "all lambda from the smallest eigenvalue to the second"
                            : "all lambda in (-1, 1)";
    if (info->filter != GPR_FILTER_NEITHER)
        fprintf(out, ": |g(lambda)| %s |g(1)| for %s\n", signs[info->filter], where);
    else if (info->damped == info->damped)
        fprintf(out, ": |g(lambda)| < |g(1)| for %.1f %% of %s\n", 100 * info->damped,
                info->dataset ? "the eigenvalues but 1" : "the interval (-1, 1)");
    else fprintf(out, ": the graph has no eigenvalue but 1\n");
    if (info->judged_on == GPR_JUDGED_ON_INTERVAL)
        fprintf(out, "          (judged on the whole interval: %s)\n",
                info->dataset ? "the outermost eigenvalues are not known" : "no graph was given");
}

static void print_filter(FILE *out, const inspection *i, int width, bool utf8) {
    const series gamma = series_of(i, "gamma"), mean = series_of(i, "gamma_mean"), ci95 = series_of(i, "gamma_ci95");
    const series response = series_of(i, "response"), density = series_of(i, "density");
    const series *shown = mean.values ? &mean : &gamma;
    if (gamma.values || i->info.filters == 0) print_kind(out, i);
    gpr_inspected_filter part = {.struct_size = sizeof part};
    if (i->info.filters > 0 && gpr_inspection_filter(i->found, 0, &part) == GPR_OK && part.block > 0) {
        print_kind(out, i);
        print_blocks(out, i->found, width, utf8);
    } else if (i->info.filters > 0) {
        print_filters(out, i->model, i->found, width, utf8);
        print_filter_responses(out, i->found, width, utf8);
        if (!mean.values) return;
    }
    if (!gamma.values) return;
    float *weights = calloc((size_t)shown->count, sizeof *weights); /* as the chart takes them */
    if (!weights) return;
    for (int64_t k = 0; k < shown->count; k++) weights[k] = (float)shown->values[k];
    if (mean.values) {
        const int64_t neither = i->info.runs - i->info.low_pass_runs - i->info.high_pass_runs;
        fprintf(out,
                "weights   mean of %" PRId64 " runs and 95 %% confidence interval; low-pass %" PRId64
                ", high-pass %" PRId64 ", neither %" PRId64 "\n",
                i->info.runs, i->info.low_pass_runs, i->info.high_pass_runs, neither);
        if (i->info.turned_runs > 0)
            fprintf(out,
                    "          (%" PRId64
                    " of them with the other sign, to agree with the best run: gamma and -gamma are "
                    "the\n          same filter)\n",
                    i->info.turned_runs);
    } else fprintf(out, "weights\n");
    print_gamma_chart(out, weights, ci95.values, shown->count, width, utf8);
    free(weights);
    fprintf(out, "response  g(%s)%s%s\n", utf8 ? "λ" : "lambda", mean.values ? " of the best run" : "",
            density.values ? "; behind it, how many eigenvalues the graph has there" : "");
    print_response(out, response.values, response.count, density.values, density.count, width, utf8);
}

/* ---- trees ---- */

static void print_trees(FILE *out, const inspection *i, bool utf8) {
    enum { ROOM = 20 };
    const int64_t asked = i->info.asked_columns, shown = asked < MOST_COLUMNS ? asked : MOST_COLUMNS;
    gpr_inspected_column column = {.struct_size = sizeof column};
    int width = 6;
    double most = 0;
    if (i->model && strcmp(gpr_model_name(i->model), "stack") == 0)
        fputs("network   a gprgnn: a score begins with its score, and the trees may ask about it\n", out);
    fprintf(out, "trees     %" PRId64 ", up to %" PRId64 " questions deep, about %" PRId64 " columns\n", i->info.trees,
            i->info.depth, asked);
    for (int64_t c = 0; c < shown && gpr_inspection_column(i->found, c, &column) == GPR_OK; c++) {
        const int needed = name_width(column.name);
        if (needed > width) width = needed < MOST_NAME ? needed : MOST_NAME;
        if (column.share > most) most = column.share;
    }
    if (shown > 0) fprintf(out, "  %-*s %8s %10s\n", width, "column", "gain", "questions");
    for (int64_t c = 0; c < shown && gpr_inspection_column(i->found, c, &column) == GPR_OK; c++) {
        fputs("  ", out);
        print_name(out, column.name, -width, utf8);
        fprintf(out, " %6.1f %% %10" PRId64 "  ", 100 * column.share, column.questions);
        print_bar(out, column.share, 0, most, ROOM, utf8);
        fputc('\n', out);
    }
    if (asked > shown) fprintf(out, "  and %" PRId64 " more: see the JSON\n", asked - shown);
    fputs("  gain: a column's share of what all questions of the trees lowered the training loss by. How much a\n"
          "  column matters on nodes that trained no tree: gprgnn explain --importance. Why a node got its class:\n"
          "  gprgnn explain --node ID\n",
          out);
}

/* ---- the graph ---- */

static void print_data(FILE *out, const inspection *i) {
    static const char *const answers[] = {"the model file does not say which data it was trained on",
                                          "NOT the data that the model was trained on", "the data of the training"};
    if (!i->info.dataset) return;
    fputs("data      ", out);
    put_text(out, i->info.dataset);
    fprintf(out, ": %" PRId64 " nodes, %" PRId64 " connected component%s; %s\n", i->info.nodes, i->info.components,
            i->info.components == 1 ? "" : "s", answers[i->info.training_data + 1]);
}

static void print_spectrum(FILE *out, const inspection *i) {
    const gpr_inspection_info *info = &i->info;
    if (!info->dataset) return;
    fprintf(out, "spectrum  eigenvalue 1 (%" PRId64 " time%s)", info->components, info->components == 1 ? "" : "s");
    if (info->second_eigenvalue == info->second_eigenvalue)
        fprintf(out, ", the next %.6f,\n          the smallest %.6f", info->second_eigenvalue,
                info->smallest_eigenvalue);
    else if (info->components < info->nodes) fprintf(out, "; others are not known one by one");
    fprintf(out, "; %s\n", info->exact_density ? "all are known" : "their density is estimated");
}

/* ---- over-smoothing ---- */

static void print_smoothness(FILE *out, const inspection *i) {
    const gpr_inspection_info *info = &i->info;
    if (!info->dataset) return;
    const char *name = i->model ? gpr_model_class_name(i->model, info->top_class) : NULL;
    fputs("over-smoothing\n", out);
    if (info->top_class >= 0) {
        fprintf(out, "  %.1f %% of the nodes are predicted to be class ", 100 * info->top_share);
        if (name) put_text(out, name);
        else fprintf(out, "%" PRId64, info->top_class);
        fputs(",\n  the most frequent one (100 %: over-smoothed)\n", out);
    }
    fprintf(out,
            "  %.1f %% of the squares of the scores lie in the limit of many hops, where\n"
            "  degrees alone tell the nodes of a component apart\n",
            100 * info->smooth_share);
}

static const char *sign_of(double value) { return value > 0 ? "+" : value < 0 ? "-" : "0"; }

static bool tells_number(const inspection *i) { return i->model && strcmp(gpr_model_task(i->model), "number") == 0; }

static void print_hops(FILE *out, const inspection *i) {
    const series gamma = series_of(i, "gamma"), norm = series_of(i, "norm"), distance = series_of(i, "distance");
    const series contribution = series_of(i, "contribution"), gradient = series_of(i, "gradient");
    if (!norm.values) return;
    fprintf(out, "  %-4s %12s %12s %12s %12s", "k", "gamma", "|H(k)|", "to limit", "|gamma H(k)|");
    if (gradient.values) fprintf(out, " %12s  signs", "dL/dgamma");
    fprintf(out, "\n");
    for (int64_t k = 0; k < gamma.count && k < MOST_HOPS; k++) {
        fprintf(out, "  %-4" PRId64 " %12.5f %12.5g %12.5g %12.5g", k, gamma.values[k], norm.values[k],
                distance.values[k], contribution.values[k]);
        if (gradient.values)
            fprintf(out, " %12.5g  %s %s", gradient.values[k], sign_of(gamma.values[k]), sign_of(gradient.values[k]));
        fprintf(out, "\n");
    }
    if (gamma.count > MOST_HOPS) fprintf(out, "  and %" PRId64 " more: see the JSON\n", gamma.count - MOST_HOPS);
    if (gradient.values)
        fprintf(out,
                "  dL/dgamma over %" PRId64 " %s nodes, without dropout; mean loss %.5g. Where hops are "
                "over-smoothed and\n  dominate the scores, its sign is that of gamma, and training shrinks the "
                "weight.\n",
                i->info.gradient_nodes, i->info.on_training_nodes ? "training" : "labelled", i->info.loss);
    else if (tells_number(i)) fprintf(out, "  dL/dgamma is told of models of classes alone so far\n");
    else fprintf(out, "  dL/dgamma is not known: no node has a label that the model knows\n");
}

/* ---- the command ---- */

/* The model of a folder is loaded here too: tables are read as it needs them, and it has the names of the classes. */
static int inspect(const cli_arguments *args, cli_session *session, inspection *i) {
    int code = open_model(args, session, &i->model, &i->is_run);
    if (code != EXIT_OK) return code;
    if (args->operands[1] || flag_given(args, "edges"))
        code = open_data(&i->data, session, args, args->operands[1], i->model);
    if (code != EXIT_OK) return code;
    gpr_status status = i->is_run ? gpr_inspection_of_run(session->ctx, &i->found, args->operands[0], i->data,
                                                          flag_value(args, "data-dir"))
                                  : gpr_inspection_new(session->ctx, &i->found, i->model, i->data, NULL);
    wipe_progress(&session->bar); /* of an embedding */
    if (status >= 0) status = gpr_inspection_describe(i->found, &i->info);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}

static void print_text(FILE *out, const inspection *i) {
    const int width = terminal_width(fileno(out));
    const bool utf8 = terminal_is_utf8();
    fprintf(out, "model     %s\n", i->info.model);
    print_data(out, i);
    if (i->info.trees > 0) print_trees(out, i, utf8);
    else print_filter(out, i, width, utf8);
    print_spectrum(out, i);
    print_smoothness(out, i);
    print_hops(out, i);
}

static int write_json(const cli_session *session, const inspection *i, const char *path, const cli_arguments *args) {
    const char *json;
    const gpr_status status = gpr_inspection_json(session->ctx, i->found, &json);
    return status < 0 ? failed_with(args, status) : write_target(path, json);
}

static int run(const cli_arguments *args) {
    const char *json = flag_value(args, "json");
    inspection i = {.info = {.struct_size = sizeof i.info}};
    cli_session session;
    int code = json ? check_target(json) : EXIT_OK;
    if (code != EXIT_OK) return code;
    if ((code = open_session(&session, args, NULL)) != EXIT_OK) return code;
    code = inspect(args, &session, &i);
    if (code == EXIT_OK && !(json && (session.quiet || is_stdout(json)))) print_text(stdout, &i);
    if (code == EXIT_OK && json) code = write_json(&session, &i, json, args);
    gpr_inspection_free(i.found);
    gpr_dataset_free(i.data);
    gpr_model_free(i.model);
    close_session(&session);
    return code;
}

const cli_command inspect_command = {
    .name = "inspect",
    .operands = "MODEL|RUN [DATA]",
    .operand_count = 2,
    .optional_operands = 1,
    .about = "explain a model: its filter, the graph's spectrum, over-smoothing",
    .details = "Shows the weights gamma of the graph filter (with their confidence interval over the\n"
               "runs of a run folder), its response g(lambda) = sum_k gamma_k lambda^k, and whether it\n"
               "is low-pass or high-pass by the paper's definition; of several relations, directions or\n"
               "classes each alone, and how much it adds to the scores. With a graph also: its eigenvalues\n"
               "lambda, how over-smoothed the scores are, the size of every hop H(k) and its distance\n"
               "from the limit of many hops, and which way the loss pushes every weight. Of trees: which\n"
               "columns they ask about, how often, and what that gained. The graph is\n"
               "DATA, or for a run folder the public dataset it was trained on, if that is here.\n"
               "\n"
               "  gprgnn inspect model.safetensors\n"
               "  gprgnn inspect run cora --json inspection.json",
    .params = " threads ",
    .flags = flags,
    .takes_data = true,
    .run = run,
};
