/* The predictions of `gprgnn predict` as CSV and as JSON. */
#include "predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics.h"
#include "names.h"

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

/* The same table as the run folder's predictions.csv. */
void put_prediction_head(FILE *out, const prediction *made) {
    fputs(made->number ? "node,prediction" : "node,class", out);
    for (int64_t c = 0; made->with_proba && c < made->columns; c++) {
        fputc(',', out);
        put_column(out, gpr_model_class_name(made->model, c), c);
    }
    fprintf(out, "%s%s\n", made->labelled ? ",label" : "", made->split ? ",part" : "");
}

void put_prediction_rows(FILE *out, const prediction *made, int64_t first, int64_t count) {
    const int32_t *labels = made->labelled ? gpr_dataset_labels(made->data, NULL) : NULL;
    const uint8_t *parts = gpr_split_parts(made->split, NULL);
    for (int64_t i = 0; i < count; i++) {
        const int64_t node = first + i;
        put_name(out, gpr_dataset_node_id(made->data, node), node);
        fputc(',', out);
        if (made->number) fprintf(out, "%.9g", (double)made->proba[i]);
        else put_name(out, gpr_model_class_name(made->model, made->classes[i]), made->classes[i]);
        for (int64_t c = 0; made->with_proba && c < made->columns; c++)
            fprintf(out, ",%.9g", (double)made->proba[i * made->columns + c]);
        if (labels) fputc(',', out);
        if (labels && labels[node] >= 0 && made->targets) fprintf(out, "%.9g", (double)made->targets[node]);
        else if (labels && labels[node] >= 0)
            put_name(out, gpr_dataset_class_name(made->data, labels[node]), labels[node]);
        if (parts) fprintf(out, ",%s", predict_part_names[parts[node]]);
        fprintf(out, "\n");
    }
}

/* ---- JSON ---- */

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
        fprintf(out, "%s\"%s\": {\"nodes\": %lld, \"accuracy\": ", p > GPR_TRAIN ? ", " : "", predict_part_names[p],
                (long long)made->in_part[p]);
        put_json_real(out, share_in_percent(made->right_in[p], made->in_part[p]));
        fputs("}", out);
    }
    if (judged) fputs("}", out);
}

/* Calls put for some nodes at a time, and writes what it prints. predicted: they are predicted before. */
static int put_list(cli_target *target, prediction *made, progress_bar *bar, bool predicted,
                    void (*put)(FILE *, const prediction *, int64_t, int64_t)) {
    int code = EXIT_OK;
    for (int64_t first = 0; code == EXIT_OK && first < made->info.nodes; first += PREDICT_ROWS) {
        int64_t count = made->info.nodes - first < PREDICT_ROWS ? made->info.nodes - first : PREDICT_ROWS;
        if (predicted) code = predict_rows(made, bar, first, &count);
        if (code != EXIT_OK) return code;
        put(target->stream, made, first, count);
        code = flush_target(target, made->ctx);
    }
    return code;
}

static void put_ids(FILE *out, const prediction *made, int64_t first, int64_t count) {
    for (int64_t i = first; i < first + count; i++) {
        fputs(i ? ", " : "", out);
        put_json_text(out, gpr_dataset_node_id(made->data, i));
    }
}

static void put_classes(FILE *out, const prediction *made, int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        fputs(first + i ? ", " : "", out);
        if (made->number) {
            fprintf(out, "%.9g", (double)made->proba[i]);
            continue;
        }
        const char *name = gpr_model_class_name(made->model, made->classes[i]);
        if (name) put_json_text(out, name);
        else fprintf(out, "%d", (int)made->classes[i]);
    }
}

/* The true class of each node; null for one without. */
static void put_labels(FILE *out, const prediction *made, int64_t first, int64_t count) {
    const int32_t *labels = gpr_dataset_labels(made->data, NULL);
    for (int64_t i = first; i < first + count; i++) {
        const char *name = labels && labels[i] >= 0 ? gpr_dataset_class_name(made->data, labels[i]) : NULL;
        fputs(i ? ", " : "", out);
        if (made->targets && labels[i] >= 0) fprintf(out, "%.9g", (double)made->targets[i]);
        else if (name) put_json_text(out, name);
        else if (labels && labels[i] >= 0) fprintf(out, "%d", (int)labels[i]);
        else fputs("null", out);
    }
}

static void put_probabilities(FILE *out, const prediction *made, int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        fprintf(out, "%s\n    [", first + i ? "," : "");
        for (int64_t c = 0; c < made->columns; c++)
            fprintf(out, "%s%.9g", c ? ", " : "", (double)made->proba[i * made->columns + c]);
        fprintf(out, "]");
    }
}

/* How frequent the classes were, and are estimated to be. */
static void put_rates(FILE *out, const prediction *made) {
    static const char *const keys[] = {"training", "data"};
    double *rates = made->adapted ? malloc(2 * (size_t)made->columns * sizeof *rates) : NULL;
    fprintf(out, ",\n  \"base_rates\": ");
    if (!rates || gpr_predictor_rates(made->predictor, rates, rates + made->columns) != GPR_OK) fputs("null", out);
    else
        for (int k = 0; k < 2; k++) {
            fprintf(out, "%s\"%s\": [", k == 0 ? "{" : ", ", keys[k]);
            for (int64_t c = 0; c < made->columns; c++) {
                fputs(c ? ", " : "", out);
                put_json_real(out, rates[k * made->columns + c]);
            }
            fputs(k == 0 ? "]" : "]}", out);
        }
    free(rates);
}

static void put_facts(FILE *out, const prediction *made) {
    static const char *const truth[] = {"null", "false", "true"};
    fprintf(out, "{\n  \"model\": ");
    put_json_text(out, gpr_model_name(made->model));
    fprintf(out, ",\n  \"dataset\": ");
    put_json_text(out, made->info.name ? made->info.name : "");
    fprintf(out, ",\n  \"fingerprint\": \"%s\",\n  \"training_data\": %s", made->info.fingerprint,
            truth[is_training_data(made) + 1]);
    fprintf(out,
            ",\n  \"nodes\": %lld,\n  \"classes\": %lld,\n  \"labelled\": %lld,\n  \"labels_as_input\": "
            "%lld,\n  \"labels_learned\": %lld,\n  \"refit_nodes\": %lld",
            (long long)made->info.nodes, made->number ? 0 : (long long)made->columns, (long long)made->labelled,
            (long long)made->given, (long long)made->seen, (long long)gpr_model_refit_nodes(made->model));
    if (made->number) {
        fprintf(out, ",\n  \"task\": \"number\"");
    } else {
        fprintf(out, ",\n  \"accuracy\": ");
        put_json_real(out, has_seen_all(made) ? NAN : predicted_accuracy(made));
        fprintf(out, ",\n  \"parts\": ");
        put_parts(out, made);
    }
    fprintf(out, ",\n  \"metrics\": ");
    put_json_metrics(out, made->metrics);
    put_rates(out, made);
    fprintf(out, ",\n  \"class_names\": ");
    put_class_names(out, made);
}

int put_prediction_json(cli_target *target, prediction *made, progress_bar *bar) {
    const bool named = made->info.nodes > 0 && gpr_dataset_node_id(made->data, 0);
    put_facts(target->stream, made);
    fprintf(target->stream, ",\n  \"node_ids\": %s", named ? "[" : "null");
    int code = named ? put_list(target, made, bar, false, put_ids) : EXIT_OK;
    if (code != EXIT_OK) return code;
    fprintf(target->stream, "%s,\n  \"predictions\": [", named ? "]" : "");
    if ((code = put_list(target, made, bar, true, put_classes)) != EXIT_OK) return code;
    fprintf(target->stream, "]");
    if (made->labelled) {
        fprintf(target->stream, ",\n  \"labels\": [");
        if ((code = put_list(target, made, bar, false, put_labels)) != EXIT_OK) return code;
        fprintf(target->stream, "]");
    }
    if (made->with_proba) {
        fprintf(target->stream, ",\n  \"probabilities\": [");
        if ((code = put_list(target, made, bar, true, put_probabilities)) != EXIT_OK) return code;
        fprintf(target->stream, "\n  ]");
    }
    fprintf(target->stream, "\n}\n");
    return EXIT_OK;
}
