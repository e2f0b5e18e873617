/* gprgnn predict: the class of every node of a graph, with --proba also the probabilities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "common.h"
#include "data_flags.h"
#include "metrics.h"
#include "names.h"
#include "predict.h"
#include "terminal.h"

static const cli_flag flags[] = {
    {"output", 'o', "FILE", "write the predictions to FILE, not to standard output"},
    {"proba", 0, NULL, "add one column of probabilities per class"},
    {"adapt-prior", 0, NULL,
     "classes are more or less frequent here than in the training: estimate how frequent, correct the probabilities"},
    {"json", 0, "FILE", "write everything as JSON; - is standard output, instead of the CSV"},
    {"cpu", 0, "NAME=auto|ref|base|avx2|avx512", "kernels: auto, ref, base, avx2, avx512; default auto"},
    {"quiet", 'q', NULL, "do not print the accuracy"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

const char *const predict_part_names[] = {"", "train", "val", "test"};

double share_in_percent(int64_t right, int64_t of) { return of ? 100.0 * (double)right / (double)of : NAN; }

int64_t judged_nodes(const prediction *made) { return made->labelled - made->given - made->seen; }

double predicted_accuracy(const prediction *made) { return share_in_percent(made->right, judged_nodes(made)); }

int is_training_data(const prediction *made) {
    const char *trained = gpr_model_fingerprint(made->model);
    return trained ? strcmp(trained, made->info.fingerprint) == 0 : -1;
}

bool has_seen_all(const prediction *made) {
    return gpr_model_refit_nodes(made->model) > 0 && is_training_data(made) == 1;
}

int predict_rows(prediction *made, progress_bar *bar, int64_t first, int64_t *count) {
    const int64_t left = made->info.nodes - first;
    *count = left < PREDICT_ROWS ? left : PREDICT_ROWS;
    const gpr_status status = gpr_predictor_rows(made->predictor, first, *count, made->classes, made->proba);
    if (status < 0 || made->on_terminal || left <= PREDICT_ROWS) wipe_progress(bar);
    return status < 0 ? failed("%s", gpr_last_error()) : EXIT_OK;
}

/* ---- what labels tell ---- */

static bool is_known(const prediction *made, int64_t node) {
    return made->inputs[node] < 0 && made->labels[node] >= 0 && !made->learned[node];
}

/* A label that the model does not know counts as wrong; one that it got as an input, or was trained on, does not count.
 */
static void count_labels(prediction *made) {
    const uint8_t *parts = gpr_split_parts(made->split, NULL);
    for (int64_t i = 0; i < made->info.nodes; i++) {
        const bool labelled = made->labels[i] != -1, given = labelled && made->inputs[i] >= 0;
        made->labelled += labelled;
        made->given += given;
        made->known += is_known(made, i);
        const bool seen = labelled && !given && made->learned[i];
        made->seen += seen;
        if (parts && !given && !seen) made->in_part[parts[i]] += labelled;
    }
}

/* What is measured later: only of nodes whose label says something. */
static int make_room(prediction *made) {
    const size_t known = has_seen_all(made) ? 0 : (size_t)made->known;
    made->judged_labels = malloc((2 * known + 1) * sizeof *made->judged_labels);
    if (!made->judged_labels) return failed("out of memory");
    return take_block(&made->judged_proba, known * (size_t)(made->columns + made->number) * sizeof(float),
                      made->scratch, "the probabilities of labelled nodes");
}

/* The present nodes, which begin at `first`, against their labels. */
static void judge_rows(prediction *made, int64_t first, int64_t count) {
    const uint8_t *parts = gpr_split_parts(made->split, NULL);
    const bool measured = !has_seen_all(made);
    const size_t columns = (size_t)made->columns;
    float *proba = made->judged_proba.at;
    for (int64_t i = 0; i < count; i++) {
        const int64_t node = first + i;
        if (!is_known(made, node)) continue;
        if (made->number) {
            if (measured) {
                proba[made->judged] = made->proba[i];
                proba[made->known + made->judged++] = made->targets[node];
            }
            continue;
        }
        const bool right = made->labels[node] == made->classes[i];
        made->right += right;
        if (parts) made->right_in[parts[node]] += right;
        if (!measured) continue;
        made->judged_labels[made->judged] = made->labels[node];
        made->judged_labels[made->known + made->judged] = made->classes[i];
        memcpy(proba + (size_t)made->judged * columns, made->proba + (size_t)i * columns, columns * sizeof *proba);
        made->judged++;
    }
}

/* Of two classes the one with fewer labels, those that were an input too, plus 1. */
static int64_t rarer_class(const prediction *made) {
    int64_t count[2] = {0, 0};
    for (int64_t i = 0; made->columns == 2 && i < made->info.nodes; i++)
        if (made->labels[i] == 0 || made->labels[i] == 1) count[made->labels[i]]++;
    return made->columns == 2 ? (count[0] < count[1] ? 1 : 2) : 0;
}

/* Over the nodes whose label was no input, and whose class the model knows. */
static gpr_status measure(prediction *made) {
    if (made->judged == 0) return GPR_OK;
    if (made->number) {
        const float *predicted = made->judged_proba.at;
        return gpr_metrics_of_numbers(made->ctx, &made->metrics, predicted, predicted + made->known, made->judged);
    }
    const gpr_metrics_options how = {
        .struct_size = sizeof how, .predicted = made->judged_labels + made->known, .positive = rarer_class(made)};
    return gpr_metrics_new(made->ctx, &made->metrics, made->judged_proba.at, made->judged_labels, made->judged,
                           made->columns, &how);
}

/* The split of the training, if this is its data; else the one that --split-column names. */
static gpr_status find_split(const cli_arguments *args, cli_session *session, prediction *made) {
    struct stat info;
    const char *named = args->operands[0];
    const bool folder = stat(named, &info) == 0 && S_ISDIR(info.st_mode);
    gpr_status status = gpr_model_split(session->ctx, &made->split, made->model, made->data, folder ? named : NULL);
    if (status < 0 || made->split || !flag_given(args, "split-column")) return status;
    return gpr_split_new(session->ctx, &made->split, made->data, "column", 0, 0);
}

/* On which nodes the model is how good. Nodes that it was trained on tell little. */
static void print_accuracy(const prediction *made) {
    const int64_t asked = judged_nodes(made);
    if (has_seen_all(made)) {
        fprintf(stderr,
                "no %s: the model was trained once more on all %lld labelled nodes of this data (--refit); the "
                "figures of its training are those of the model before\n",
                made->targets ? "figures" : "accuracy", (long long)gpr_model_refit_nodes(made->model));
        return;
    }
    if (asked == 0 && made->seen > 0) {
        fprintf(stderr, "no accuracy: the model was trained on the labels of all %lld labelled nodes\n",
                (long long)made->labelled);
        return;
    }
    if (asked == 0) {
        fprintf(stderr, "no accuracy: the labels of all %lld labelled nodes are an input of the model\n",
                (long long)made->labelled);
        return;
    }
    fprintf(stderr, "accuracy %.2f %% on %lld labelled nodes", predicted_accuracy(made), (long long)asked);
    const char *mark = is_training_data(made) == 1 ? " of the training's own data: " : ": ";
    for (int p = GPR_TRAIN; made->split && p <= GPR_TEST; p++) {
        if (made->in_part[p] == 0) continue;
        fprintf(stderr, "%s%s %.2f %% of %lld", mark, predict_part_names[p],
                share_in_percent(made->right_in[p], made->in_part[p]), (long long)made->in_part[p]);
        mark = ", ";
    }
    if (!made->split && is_training_data(made) == 1) fputs(" of the training's own data, all parts together", stderr);
    if (made->seen > 0) fprintf(stderr, "; the model was trained on the labels of %lld others", (long long)made->seen);
    if (made->given > 0) fprintf(stderr, "; the labels of %lld others are an input", (long long)made->given);
    fputc('\n', stderr);
}

/* Of numbers: before their measures. */
static void print_judged(const prediction *made) {
    fprintf(stderr, "on %lld labelled nodes%s: ", (long long)made->judged,
            is_training_data(made) == 1 ? " of the training's own data, all parts together" : "");
}

static void say_whose_data(const cli_session *session, const prediction *made) {
    static const char *const answers[] = {"the model file does not say which data it was trained on",
                                          "not the data, with these labels, that the model was trained on",
                                          "the model was trained on this data"};
    if (!session->verbose) return;
    fputs("gprgnn: ", stderr);
    put_text(stderr, made->info.name);
    fprintf(stderr, ": %s\n", answers[is_training_data(made) + 1]);
}

/* The model and the data. */
static int open_input(const cli_arguments *args, cli_session *session, prediction *made) {
    bool is_run;
    int code = open_model(args, session, &made->model, &is_run);
    if (code != EXIT_OK) return code;
    if (flag_value(args, "embedding") &&
        !gpr_model_param(made->model, "embedding")) /* before the data: it may take long */
        return wrong_call(args->command->name, "the model %s has no option 'embedding'", gpr_model_name(made->model));
    code = open_data(&made->data, session, args, args->operands[1], made->model);
    if (code != EXIT_OK) return code;
    const gpr_status status = gpr_dataset_describe(session->ctx, made->data, &made->info);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}

static int prepare(const cli_arguments *args, cli_session *session, prediction *made) {
    const char *paths[3] = {NULL}, *output = flag_value(args, "output"), *json = flag_value(args, "json");
    int count = 0;
    if (output) paths[count++] = output;
    if (json) paths[count++] = json;
    int code = open_input(args, session, made);
    if (code != EXIT_OK) return code;
    const size_t nodes = (size_t)made->info.nodes;
    made->ctx = session->ctx;
    made->columns = gpr_model_classes(made->model);
    made->with_proba = flag_given(args, "proba");
    made->number = strcmp(gpr_model_task(made->model), "number") == 0;
    if (made->with_proba && made->number)
        return wrong_call(args->command->name, "--proba is of classes, and the model tells a number: leave it out");
    made->adapted = flag_given(args, "adapt-prior");
    made->on_terminal = isatty(STDOUT_FILENO) && (!output || is_stdout(output) || (json && is_stdout(json)));
    made->scratch = scratch_path(paths);
    if (!made->number) made->classes = malloc(PREDICT_ROWS * sizeof *made->classes);
    made->proba = malloc(PREDICT_ROWS * (size_t)made->columns * sizeof *made->proba);
    if (!made->scratch || (!made->classes && !made->number) || !made->proba) return failed("out of memory");
    const gpr_predict_options options = {.struct_size = sizeof options,
                                         .embedding = flag_value(args, "embedding"),
                                         .scratch = made->scratch,
                                         .adapt_prior = made->adapted};
    gpr_status status = gpr_predictor_new(session->ctx, &made->predictor, made->model, made->data, &options);
    wipe_progress(&session->bar); /* of hops, or of an embedding */
    if (status < 0) return failed_with(args, status);
    made->labels = malloc((nodes + 1) * sizeof *made->labels); /* now: the hops needed the memory */
    made->inputs = malloc((nodes + 1) * sizeof *made->inputs);
    made->learned = calloc(nodes + 1, sizeof *made->learned);
    if (!made->labels || !made->inputs || !made->learned) return failed("out of memory");
    made->targets = gpr_dataset_targets(made->data, NULL);
    status = gpr_model_labels(session->ctx, made->model, made->data, made->labels);
    if (status >= 0) status = gpr_model_known_labels(session->ctx, made->model, made->data, made->inputs);
    if (status >= 0 && is_training_data(made) != 1) /* there the parts of the split tell it */
        status = gpr_model_learned_nodes(session->ctx, made->model, made->data, made->learned);
    if (status >= 0) status = find_split(args, session, made);
    if (status < 0) return failed_with(args, status);
    count_labels(made);
    return make_room(made);
}

/* All nodes, some at a time: judged, and printed where there is a table. */
static int go_through(cli_session *session, prediction *made, cli_target *table) {
    int code = EXIT_OK;
    int64_t count;
    for (int64_t first = 0; code == EXIT_OK && first < made->info.nodes; first += PREDICT_ROWS) {
        code = predict_rows(made, &session->bar, first, &count);
        if (code != EXIT_OK) return code;
        judge_rows(made, first, count);
        if (table && first == 0) put_prediction_head(table->stream, made); /* scores may have been refused */
        if (table) put_prediction_rows(table->stream, made, first, count);
        if (table && count == PREDICT_ROWS) code = flush_target(table, made->ctx);
    }
    if (table && code == EXIT_OK && made->info.nodes == 0) put_prediction_head(table->stream, made);
    return code;
}

static int write_table(const cli_arguments *args, cli_session *session, prediction *made) {
    const char *output = flag_value(args, "output"), *json = flag_value(args, "json");
    const bool wanted = output || !json || !is_stdout(json);
    cli_target table;
    int code = wanted ? open_target(&table, output ? output : "-") : EXIT_OK;
    if (code != EXIT_OK) return code;
    code = go_through(session, made, wanted ? &table : NULL);
    if (code == EXIT_OK) {
        const gpr_status status = measure(made);
        if (status < 0) code = failed_with(args, status);
    }
    if (code == EXIT_OK) say_whose_data(session, made);
    if (!wanted) return code;
    if (code == EXIT_OK) return close_target(&table);
    drop_target(&table);
    return code;
}

static int write_json(const char *path, cli_session *session, prediction *made) {
    cli_target target;
    int code = open_target(&target, path);
    if (code != EXIT_OK) return code;
    code = put_prediction_json(&target, made, &session->bar);
    if (code == EXIT_OK) return close_target(&target);
    drop_target(&target);
    return code;
}

static int deliver(const cli_arguments *args, cli_session *session, prediction *made) {
    const char *json = flag_value(args, "json");
    int code = write_table(args, session, made);
    if (json && code == EXIT_OK) code = write_json(json, session, made);
    if (code != EXIT_OK || session->quiet) return code;
    if (made->labelled > 0 && (!made->number || !made->metrics)) print_accuracy(made);
    if (made->metrics) {
        if (made->number) print_judged(made);
        else if (made->known < judged_nodes(made))
            fprintf(stderr, "over the %lld nodes whose class the model knows: ", (long long)made->known);
        print_metrics_line(stderr, made->metrics, NULL, NULL, names_of_model(made->model), terminal_is_utf8());
        if (session->verbose)
            print_class_metrics(stderr, made->metrics, names_of_model(made->model), terminal_is_utf8());
    }
    return EXIT_OK;
}

static int run(const cli_arguments *args) {
    const char *output = flag_value(args, "output"), *json = flag_value(args, "json");
    prediction made = {.info = {.struct_size = sizeof made.info}};
    cli_session session;
    int code = EXIT_OK;
    if (output && json && is_stdout(output) && is_stdout(json))
        return wrong_call(args->command->name, "-o and --json cannot both be standard output");
    if (output) code = check_target(output);
    if (json && code == EXIT_OK) code = check_target(json);
    if (code != EXIT_OK) return code;
    if ((code = open_session(&session, args, NULL)) != EXIT_OK) return code;
    code = prepare(args, &session, &made);
    if (code == EXIT_OK) code = deliver(args, &session, &made);
    gpr_predictor_free(made.predictor);
    free(made.scratch);
    free(made.classes);
    free(made.proba);
    free_block(&made.judged_proba);
    free(made.judged_labels);
    gpr_metrics_free(made.metrics);
    free(made.labels);
    free(made.inputs);
    free(made.learned);
    gpr_split_free(made.split);
    gpr_dataset_free(made.data);
    gpr_model_free(made.model);
    close_session(&session);
    return code;
}

const cli_command predict_command = {
    .name = "predict",
    .operands = "MODEL [DATA]",
    .operand_count = 2,
    .optional_operands = 1,
    .about = "predict the class of every node, on the same or another graph",
    .details = "Reads a model (a model.safetensors, or the run folder that holds it) and predicts\n"
               "the class of every node of DATA, which may be another graph than the one of the\n"
               "training. Prints CSV: node,class[,p0,p1,...][,label][,part]. If DATA has labels,\n"
               "they are in it, and the accuracy goes to standard error: by part of the split if\n"
               "DATA is the data of the training. A geomgcn model computes its latent space again: with the\n"
               "--embedding of its training, or with the one given here. A file has to be given\n"
               "here: a model does not choose which files are opened.",
    .params = " threads device embedding ",
    .flags = flags,
    .takes_data = true,
    .run = run,
};
