/* gprgnn predict: the class of every node of a graph, with --proba also the probabilities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "common.h"
#include "data_flags.h"
#include "metrics.h"
#include "names.h"
#include "terminal.h"

static const cli_flag flags[] = {
    {"output", 'o', "FILE", "write the predictions to FILE, not to standard output"},
    {"proba", 0, NULL, "add one column of probabilities per class"},
    {"json", 0, "FILE", "write everything as JSON; - is standard output, instead of the CSV"},
    {"cpu", 0, "NAME=auto|ref|base|avx2|avx512", "kernels: auto, ref, base, avx2, avx512; default auto"},
    {"quiet", 'q', NULL, "do not print the accuracy"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

/* The handles and results of one call. */
typedef struct prediction {
    gpr_model *model;
    gpr_dataset *data;
    gpr_dataset_info info;
    int64_t columns;  /* classes of the model */
    int32_t *classes; /* (nodes) */
    float *judged;    /* (nodes x columns) probabilities */
    float *proba;     /* the same, or NULL: they are not printed */
    int32_t *labels;  /* (nodes) labels of the data, as classes of the model */
    int32_t *inputs;  /* (nodes) those of them that were an input; -1: not */
    int64_t labelled, given, known, right; /* given: as an input, which no count behind it has; known: their class is
                                              one of the model */
    gpr_metrics *metrics;                  /* of the known ones; NULL: there are none */
    gpr_split *split;                      /* of the training, or of a column of the data; NULL: not known */
    int64_t in_part[4];                    /* labelled nodes whose label was no input, by gpr_part */
    int64_t right_in[4];                   /* those of them that are right */
} prediction;

static const char *const part_names[] = {"", "train", "val", "test"};

static void put_name(FILE *out, const char *name, int64_t number) {
    if (name) put_csv_name(out, name);
    else fprintf(out, "%lld", (long long)number);
}

/* The head of a column of probabilities. */
static void put_column(FILE *out, const char *class_name, int64_t number) {
    const size_t size = class_name ? strlen(class_name) + sizeof "p_" : 0;
    char *column = class_name ? malloc(size) : NULL;
    if (column) snprintf(column, size, "p_%s", class_name);
    if (column) put_csv_name(out, column);
    else fprintf(out, "p%lld", (long long)number);
    free(column);
}

/* The same rows as the run folder's predictions.csv. */
static void print_csv(FILE *out, const prediction *made) {
    fprintf(out, "node,class");
    for (int64_t c = 0; made->proba && c < made->columns; c++) {
        fputc(',', out);
        put_column(out, gpr_model_class_name(made->model, c), c);
    }
    const int32_t *labels = made->labelled ? gpr_dataset_labels(made->data, NULL) : NULL;
    const uint8_t *parts = gpr_split_parts(made->split, NULL);
    fprintf(out, "%s%s\n", labels ? ",label" : "", parts ? ",part" : "");
    for (int64_t i = 0; i < made->info.nodes; i++) {
        put_name(out, gpr_dataset_node_id(made->data, i), i);
        fputc(',', out);
        put_name(out, gpr_model_class_name(made->model, made->classes[i]), made->classes[i]);
        for (int64_t c = 0; made->proba && c < made->columns; c++)
            fprintf(out, ",%.9g", (double)made->proba[i * made->columns + c]);
        if (labels) fputc(',', out);
        if (labels && labels[i] >= 0) put_name(out, gpr_dataset_class_name(made->data, labels[i]), labels[i]);
        if (parts) fprintf(out, ",%s", part_names[parts[i]]);
        fprintf(out, "\n");
    }
}

static double percent(int64_t right, int64_t of) { return of ? 100.0 * (double)right / (double)of : NAN; }

static double accuracy(const prediction *made) { return percent(made->right, made->labelled - made->given); }

/* 1: the model was trained on this data; 0: on other data; -1: its file is too old to say. */
static int is_training_data(const prediction *made) {
    const char *trained = gpr_model_fingerprint(made->model);
    return trained ? strcmp(trained, made->info.fingerprint) == 0 : -1;
}

/* The model has seen the labels that it would be judged by: it was trained once more, on all labelled nodes here. */
static bool has_seen_all(const prediction *made) {
    return gpr_model_refit_nodes(made->model) > 0 && is_training_data(made) == 1;
}

static void put_class_names(FILE *out, const prediction *made) {
    for (int64_t c = 0; c < made->columns && gpr_model_class_name(made->model, c); c++) {
        fputs(c ? ", " : "[", out);
        put_json_text(out, gpr_model_class_name(made->model, c));
    }
    fputs(made->columns > 0 && gpr_model_class_name(made->model, 0) ? "]" : "null", out);
}

/* Accuracy by part of the split; null where none is known, or it would say nothing. */
static void put_parts(FILE *out, const prediction *made) {
    const bool judged = made->split && !has_seen_all(made);
    fputs(judged ? "{" : "null", out);
    for (int p = GPR_TRAIN; judged && p <= GPR_TEST; p++) {
        fprintf(out, "%s\"%s\": {\"nodes\": %lld, \"accuracy\": ", p > GPR_TRAIN ? ", " : "", part_names[p],
                (long long)made->in_part[p]);
        put_json_real(out, percent(made->right_in[p], made->in_part[p]));
        fputs("}", out);
    }
    if (judged) fputs("}", out);
}

/* The true class of each node; null for one without. */
static void put_labels(FILE *out, const prediction *made) {
    const int32_t *labels = gpr_dataset_labels(made->data, NULL);
    fputs("[", out);
    for (int64_t i = 0; i < made->info.nodes; i++) {
        const char *name = labels && labels[i] >= 0 ? gpr_dataset_class_name(made->data, labels[i]) : NULL;
        fputs(i ? ", " : "", out);
        if (name) put_json_text(out, name);
        else if (labels && labels[i] >= 0) fprintf(out, "%d", (int)labels[i]);
        else fputs("null", out);
    }
    fputs("]", out);
}

static void print_json(FILE *out, const prediction *made) {
    static const char *const truth[] = {"null", "false", "true"};
    fprintf(out, "{\n  \"model\": ");
    put_json_text(out, gpr_model_name(made->model));
    fprintf(out, ",\n  \"dataset\": ");
    put_json_text(out, made->info.name ? made->info.name : "");
    fprintf(out, ",\n  \"fingerprint\": \"%s\",\n  \"training_data\": %s", made->info.fingerprint,
            truth[is_training_data(made) + 1]);
    fprintf(out,
            ",\n  \"nodes\": %lld,\n  \"classes\": %lld,\n  \"labelled\": %lld,\n  \"labels_as_input\": "
            "%lld,\n  \"refit_nodes\": %lld,\n  \"accuracy\": ",
            (long long)made->info.nodes, (long long)made->columns, (long long)made->labelled, (long long)made->given,
            (long long)gpr_model_refit_nodes(made->model));
    put_json_real(out, has_seen_all(made) ? NAN : accuracy(made));
    fprintf(out, ",\n  \"parts\": ");
    put_parts(out, made);
    fprintf(out, ",\n  \"metrics\": ");
    put_json_metrics(out, made->metrics);
    fprintf(out, ",\n  \"class_names\": ");
    put_class_names(out, made);
    fprintf(out, ",\n  \"node_ids\": ");
    put_json_names(out, made->data, gpr_dataset_node_id, made->info.nodes);
    fprintf(out, ",\n  \"predictions\": [");
    for (int64_t i = 0; i < made->info.nodes; i++) {
        const char *name = gpr_model_class_name(made->model, made->classes[i]);
        fputs(i ? ", " : "", out);
        if (name) put_json_text(out, name);
        else fprintf(out, "%d", (int)made->classes[i]);
    }
    fprintf(out, "]");
    if (made->labelled) {
        fprintf(out, ",\n  \"labels\": ");
        put_labels(out, made);
    }
    if (made->proba) {
        fprintf(out, ",\n  \"probabilities\": [");
        for (int64_t i = 0; i < made->info.nodes; i++) {
            fprintf(out, "%s\n    [", i ? "," : "");
            for (int64_t c = 0; c < made->columns; c++)
                fprintf(out, "%s%.9g", c ? ", " : "", (double)made->proba[i * made->columns + c]);
            fprintf(out, "]");
        }
        fprintf(out, "\n  ]");
    }
    fprintf(out, "\n}\n");
}

static int write_with(const char *path, const prediction *made, void (*print)(FILE *, const prediction *)) {
    cli_target target;
    int code = open_target(&target, path);
    if (code != EXIT_OK) return code;
    print(target.stream, made);
    return close_target(&target);
}

/* A label that the model does not know counts as wrong; one that it got as an input does not count. */
static void compare_with_labels(prediction *made) {
    const uint8_t *parts = gpr_split_parts(made->split, NULL);
    for (int64_t i = 0; i < made->info.nodes; i++) {
        const bool labelled = made->labels[i] != -1, given = made->inputs[i] >= 0;
        const bool right = !given && made->labels[i] >= 0 && made->labels[i] == made->classes[i];
        made->labelled += labelled;
        made->given += given;
        made->known += !given && made->labels[i] >= 0;
        made->right += right;
        if (!parts || given) continue;
        made->in_part[parts[i]] += labelled;
        made->right_in[parts[i]] += right;
    }
}

/* Over the nodes whose label was no input, and whose class the model knows. */
static gpr_status measure(cli_session *session, prediction *made) {
    uint8_t *parts = calloc((size_t)made->info.nodes + 1, sizeof *parts);
    if (!parts) return GPR_ERROR_MEMORY;
    for (int64_t i = 0; i < made->info.nodes; i++) parts[i] = made->inputs[i] >= 0 ? GPR_UNUSED : GPR_TEST;
    const gpr_metrics_options how = {
        .struct_size = sizeof how, .predicted = made->classes, .parts = parts, .part = GPR_TEST};
    const gpr_status status = gpr_metrics_new(session->ctx, &made->metrics, made->judged, made->labels,
                                              made->info.nodes, made->columns, &how);
    free(parts);
    return status;
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
    const int64_t asked = made->labelled - made->given;
    if (has_seen_all(made)) {
        fprintf(stderr,
                "no accuracy: the model was trained once more on all %lld labelled nodes of this data (--refit); the "
                "accuracies of its training are those of the model before\n",
                (long long)gpr_model_refit_nodes(made->model));
        return;
    }
    if (asked == 0) {
        fprintf(stderr, "no accuracy: the labels of all %lld labelled nodes are an input of the model\n",
                (long long)made->labelled);
        return;
    }
    fprintf(stderr, "accuracy %.2f %% on %lld labelled nodes", accuracy(made), (long long)asked);
    const char *mark = is_training_data(made) == 1 ? " of the training's own data: " : ": ";
    for (int p = GPR_TRAIN; made->split && p <= GPR_TEST; p++) {
        if (made->in_part[p] == 0) continue;
        fprintf(stderr, "%s%s %.2f %% of %lld", mark, part_names[p], percent(made->right_in[p], made->in_part[p]),
                (long long)made->in_part[p]);
        mark = ", ";
    }
    if (!made->split && is_training_data(made) == 1) fputs(" of the training's own data, all parts together", stderr);
    if (made->given > 0) fprintf(stderr, "; the labels of %lld others are an input", (long long)made->given);
    fputc('\n', stderr);
}

static void say_whose_data(const cli_session *session, const prediction *made) {
    static const char *const answers[] = {"the model file does not say which data it was trained on",
                                          "not the data that the model was trained on",
                                          "the model was trained on this data"};
    if (!session->verbose) return;
    fputs("gprgnn: ", stderr);
    put_text(stderr, made->info.name);
    fprintf(stderr, ": %s\n", answers[is_training_data(made) + 1]);
}

/* A run folder means the model in it. NULL: out of memory. */
static char *model_path(const char *named) {
    static const char name[] = "/model.safetensors";
    struct stat info;
    if (stat(named, &info) != 0 || !S_ISDIR(info.st_mode)) return strdup(named);
    size_t size = strlen(named) + sizeof name;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s%s", named, name);
    return path;
}

static int predict(const cli_arguments *args, cli_session *session, prediction *made) {
    char *path = model_path(args->operands[0]);
    if (!path) return failed("out of memory");
    gpr_status status = gpr_run_folder_repair(args->operands[0]);
    if (status >= 0) status = gpr_model_load(session->ctx, &made->model, path);
    free(path);
    if (status < 0) return failed_with(args, status);
    const gpr_predict_options options = {.struct_size = sizeof options, .embedding = flag_value(args, "embedding")};
    if (options.embedding && !gpr_model_param(made->model, "embedding")) /* before the data, which may take long */
        return wrong_call(args->command->name, "the model %s has no option 'embedding'", gpr_model_name(made->model));
    const int code = open_data(&made->data, session, args, args->operands[1], made->model);
    if (code != EXIT_OK) return code;
    status = gpr_dataset_describe(session->ctx, made->data, &made->info);
    if (status < 0) return failed_with(args, status);
    size_t nodes = (size_t)made->info.nodes;
    made->columns = gpr_model_classes(made->model);
    made->classes = calloc(nodes + 1, sizeof *made->classes);
    made->labels = calloc(nodes + 1, sizeof *made->labels);
    made->inputs = calloc(nodes + 1, sizeof *made->inputs);
    made->judged = calloc(nodes + 1, (size_t)made->columns * sizeof *made->judged);
    if (!made->classes || !made->labels || !made->inputs || !made->judged) return failed("out of memory");
    if (flag_given(args, "proba")) made->proba = made->judged;
    status = gpr_predict_with(session->ctx, made->model, made->data, made->classes, made->judged, NULL, &options);
    wipe_progress(&session->bar); /* of an embedding */
    if (status >= 0) status = gpr_model_labels(session->ctx, made->model, made->data, made->labels);
    if (status >= 0) status = gpr_model_known_labels(session->ctx, made->model, made->data, made->inputs);
    if (status >= 0) status = find_split(args, session, made);
    if (status < 0) return failed_with(args, status);
    compare_with_labels(made);
    if (made->known > 0 && !has_seen_all(made) && (status = measure(session, made)) < 0)
        return failed_with(args, status);
    say_whose_data(session, made);
    return EXIT_OK;
}

static int deliver(const cli_arguments *args, const cli_session *session, const prediction *made) {
    const char *output = flag_value(args, "output"), *json = flag_value(args, "json");
    int code = EXIT_OK;
    if (output || !json || !is_stdout(json)) code = write_with(output ? output : "-", made, print_csv);
    if (json && code == EXIT_OK) code = write_with(json, made, print_json);
    if (code != EXIT_OK || session->quiet) return code;
    if (made->labelled > 0) print_accuracy(made);
    if (made->metrics) {
        if (made->known < made->labelled - made->given)
            fprintf(stderr, "over the %lld nodes whose class the model knows: ", (long long)made->known);
        print_metrics_line(stderr, made->metrics, NULL, names_of_model(made->model), terminal_is_utf8());
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
    code = predict(args, &session, &made);
    if (code == EXIT_OK) code = deliver(args, &session, &made);
    free(made.classes);
    free(made.judged);
    gpr_metrics_free(made.metrics);
    free(made.labels);
    free(made.inputs);
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
    .data_flags = data_flags,
    .run = run,
};
