/* gprgnn predict: the class of every node of a graph, with --proba also the probabilities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "common.h"
#include "data_flags.h"
#include "names.h"

static const cli_flag flags[] = {
    {"output", 'o', "FILE", "write the predictions to FILE, not to standard output"},
    {"proba", 0, NULL, "add one column of probabilities per class"},
    {"json", 0, "FILE", "write everything as JSON; - is standard output, instead of the CSV"},
    {"cpu", 0, "NAME", "kernels: auto, ref, base, avx2, avx512; default auto"},
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
    float *proba;     /* (nodes x columns), or NULL */
    int32_t *labels;  /* (nodes) labels of the data, as classes of the model */
    int32_t *known;   /* (nodes) those of them that were an input; -1: not */
    int64_t labelled, given, right; /* nodes with a label; those whose label was an input; right ones of the others */
} prediction;

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
    fprintf(out, "\n");
    for (int64_t i = 0; i < made->info.nodes; i++) {
        put_name(out, gpr_dataset_node_id(made->data, i), i);
        fputc(',', out);
        put_name(out, gpr_model_class_name(made->model, made->classes[i]), made->classes[i]);
        for (int64_t c = 0; made->proba && c < made->columns; c++)
            fprintf(out, ",%.9g", (double)made->proba[i * made->columns + c]);
        fprintf(out, "\n");
    }
}

static double accuracy(const prediction *made) {
    const int64_t asked = made->labelled - made->given;
    return asked ? 100.0 * (double)made->right / (double)asked : NAN;
}

/* 1: the model was trained on this data; 0: on other data; -1: its file is too old to say. */
static int is_training_data(const prediction *made) {
    const char *trained = gpr_model_fingerprint(made->model);
    return trained ? strcmp(trained, made->info.fingerprint) == 0 : -1;
}

static void put_class_names(FILE *out, const prediction *made) {
    for (int64_t c = 0; c < made->columns && gpr_model_class_name(made->model, c); c++) {
        fputs(c ? ", " : "[", out);
        put_json_text(out, gpr_model_class_name(made->model, c));
    }
    fputs(made->columns > 0 && gpr_model_class_name(made->model, 0) ? "]" : "null", out);
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
            "%lld,\n  \"accuracy\": ",
            (long long)made->info.nodes, (long long)made->columns, (long long)made->labelled, (long long)made->given);
    put_json_real(out, accuracy(made));
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
    for (int64_t i = 0; i < made->info.nodes; i++) {
        made->labelled += made->labels[i] != -1;
        made->given += made->known[i] >= 0;
        made->right += made->known[i] < 0 && made->labels[i] >= 0 && made->labels[i] == made->classes[i];
    }
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
    made->known = calloc(nodes + 1, sizeof *made->known);
    if (flag_given(args, "proba")) made->proba = calloc(nodes + 1, (size_t)made->columns * sizeof *made->proba);
    if (!made->classes || !made->labels || !made->known || (flag_given(args, "proba") && !made->proba))
        return failed("out of memory");
    status = gpr_predict_with(session->ctx, made->model, made->data, made->classes, made->proba, NULL, &options);
    if (status >= 0) status = gpr_model_labels(session->ctx, made->model, made->data, made->labels);
    if (status >= 0) status = gpr_model_known_labels(session->ctx, made->model, made->data, made->known);
    if (status < 0) return failed_with(args, status);
    compare_with_labels(made);
    say_whose_data(session, made);
    return EXIT_OK;
}

static int deliver(const cli_arguments *args, const cli_session *session, const prediction *made) {
    const char *output = flag_value(args, "output"), *json = flag_value(args, "json");
    int code = EXIT_OK;
    if (output || !json || !is_stdout(json)) code = write_with(output ? output : "-", made, print_csv);
    if (json && code == EXIT_OK) code = write_with(json, made, print_json);
    if (code != EXIT_OK || session->quiet) return code;
    if (made->given > 0 && made->given == made->labelled)
        fprintf(stderr, "no accuracy: the labels of all %lld labelled nodes are an input of the model\n",
                (long long)made->labelled);
    else if (made->given > 0)
        fprintf(stderr, "accuracy %.2f %% over %lld labelled nodes; the labels of the other %lld are an input\n",
                accuracy(made), (long long)(made->labelled - made->given), (long long)made->given);
    else if (made->labelled > 0)
        fprintf(stderr, "accuracy %.2f %% over %lld labelled nodes\n", accuracy(made), (long long)made->labelled);
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
    free(made.proba);
    free(made.labels);
    free(made.known);
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
               "training. Prints CSV: node,class[,p0,p1,...]. If DATA has labels, the accuracy goes\n"
               "to standard error. A geomgcn model computes its latent space again: with the\n"
               "--embedding of its training, or with the one given here. A file has to be given\n"
               "here: a model does not choose which files are opened.",
    .params = " threads embedding ",
    .flags = flags,
    .data_flags = data_flags,
    .run = run,
};
