/* A dataset from several files: a graph alone, or a table of edges and one of nodes, completed by features and labels.
 */
#include <string.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/struct.h"
#include "data/made_features.h"
#include "file/path.h"
#include "io/data_options.h"
#include "io/feature_file.h"
#include "io/formats.h"
#include "io/open.h"
#include "io/reading.h"
#include "io/text/edge_kinds.h"
#include "io/text/label_file.h"

/* ---- gpr_dataset_open_with ------------------------------------------------------------------------ */

/* Checked before much time is spent on the first of them. */
static gpr_status check_file(const char *path) {
    if (!path || gpri_is_stdin(path)) return GPR_OK;
    if (access(path, R_OK) != 0) return gpri_fail_errno("read", path);
    return gpri_is_folder(path) ? gpri_fail(GPR_ERROR_FORMAT, "%s is a folder: a file was expected", path) : GPR_OK;
}

/* A table of edges, which may be given with the name of its kind. Adds 1 to *standard for standard input. */
static gpr_status check_edges(const char *given, int *standard) {
    int64_t name;
    const char *path = gpri_edge_path(given, &name);
    *standard += gpri_is_stdin(path);
    if (name == 0 || gpri_is_stdin(path) || access(path, R_OK) == 0) return check_file(path);
    if (!*path)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`edges` is '%s': give the file of the kind of edges after the =", given);
    return gpri_fail_prefix(gpri_fail_errno("read", path), "%s", given);
}

static gpr_status check_files(const gpr_open_options *o) {
    const char *const files[] = {o->nodes, o->labels, gpri_makes_features(o->features) ? NULL : o->features};
    int standard = 0;
    if (o->edges) NEED(check_edges(o->edges, &standard));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        NEED(check_file(files[i]));
        standard += files[i] && gpri_is_stdin(files[i]);
    }
    for (int64_t k = 0; k < o->more_count; k++) {
        if (!o->more_edges || !o->more_edges[k])
            return gpri_fail(GPR_ERROR_ARGUMENT, "more_edges[%lld] is NULL", (long long)k);
        NEED(check_edges(o->more_edges[k], &standard));
    }
    if (standard > 1)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "standard input (-) is given for several files: it can be one of them only");
    if (o->features && gpri_is_stdin(o->features))
        return gpri_fail(GPR_ERROR_ARGUMENT, "`features` cannot be standard input: give a file");
    return GPR_OK;
}

/* Options that do not go together: said before anything is read. */
static gpr_status check_options(const gpr_open_options *o) {
    if (o->data && o->edges)
        return gpri_fail(GPR_ERROR_ARGUMENT, "data and `edges` are both given: a graph is one or the other");
    if (!o->data && !o->edges)
        return gpri_fail(GPR_ERROR_ARGUMENT, o->nodes ? "`nodes` without `edges`: give the table of edges too"
                                                      : "no data: give the name or path of a dataset, or `edges`");
    if (o->nodes && !o->edges)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`nodes` is for a table of edges: to %s, give `features` and `labels`",
                         o->data);
    for (int64_t i = 0; o->model_names && i < o->model_features; i++)
        if (!o->model_names[i]) return gpri_fail(GPR_ERROR_ARGUMENT, "model_names[%lld] is NULL", (long long)i);
    const struct {
        const char *value, *name, *needed;
        bool there;
    } needs[] = {{o->weight, "weight", "`edges`", o->edges != NULL},
                 {o->source, "source", "`edges`", o->edges != NULL},
                 {o->target, "target", "`edges`", o->edges != NULL},
                 {o->relation, "relation", "`edges`", o->edges != NULL},
                 {o->drop, "drop", "`nodes`", o->nodes != NULL},
                 {o->categorical, "categorical", "`nodes`", o->nodes != NULL},
                 {o->numeric, "numeric", "`nodes`", o->nodes != NULL},
                 {o->date, "date", "`nodes`", o->nodes != NULL},
                 {o->words, "words", "`nodes`", o->nodes != NULL},
                 {o->fill, "fill", "`nodes`", o->nodes != NULL},
                 {o->time, "time", "`nodes`", o->nodes != NULL},
                 {o->split_column, "split-column", "`nodes`", o->nodes != NULL},
                 {o->sample_weight, "sample-weight", "`nodes`", o->nodes != NULL},
                 {o->id, "id", "`nodes` or `labels`", o->nodes || o->labels},
                 {o->label, "label", "`nodes` or `labels`", o->nodes || o->labels}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].value && !needs[i].there)
            return gpri_fail(GPR_ERROR_ARGUMENT, "`%s` is '%s', the column of a table: give %s", needs[i].name,
                             needs[i].value, needs[i].needed);
    if (o->time && o->split_column)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`time` and `split-column` both divide the nodes: give one of them");
    if ((o->val_from || o->test_from) && !o->split_column && !o->time)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`%s` divides a column of `nodes`: give `split-column` with its name, or `time`",
                         o->val_from ? "val-from" : "test-from");
    if (o->default_features && !gpri_makes_features(o->default_features))
        return gpri_fail(GPR_ERROR_ARGUMENT, "default_features is '%s': give auto, identity, degree or spectral:N",
                         o->default_features);
    if (o->more_count < 0) return gpri_fail(GPR_ERROR_ARGUMENT, "more_count is %lld", (long long)o->more_count);
    if ((o->duplicates || o->more_count > 0 || o->edge_weights) && !o->edges)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`%s` is for tables of edges: give `edges`",
                         o->duplicates ? "duplicates" : "edge-weight");
    if (o->unknown && !o->nodes)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`unknown` is for ids that the table of nodes lacks: give `nodes`");
    return check_files(o);
}

/* What options->features holds. */
typedef struct feature_file {
    gpri_raw_features matrix;
    gpri_label_texts labels; /* svmlight's */
    bool labelled;
} feature_file;

static gpr_status read_features(feature_file *file, gpr_ctx *ctx, const gpr_open_options *options) {
    file->labels = (gpri_label_texts){.ctx = ctx, .path = options->features, .known = options->model_features > 0};
    NEED(gpri_data_choose(&file->labels.task, GPRI_OPEN_TASK, options->task));
    if (!options->features || gpri_makes_features(options->features)) return GPR_OK;
    const int64_t of_nodes = options->plan && options->nodes ? gpri_plan_features(options->plan) : 0;
    return gpri_read_features(ctx, &file->matrix, &file->labels, &file->labelled, options->features,
                              options->model_features > of_nodes ? options->model_features - of_nodes : 0);
}

/* svmlight's labels count where no others are given. */
static gpr_status add_features(gpr_dataset *data, feature_file *file, const gpr_open_options *options) {
    gpr_status status = GPR_OK;
    gpri_target classes = {0};
    TRY(options->nodes ? gpri_dataset_add_features(data, &file->matrix, options->features)
                       : gpri_dataset_set_features(data, &file->matrix, options->features));
    if (!file->labelled || options->labels || options->label) goto done;
    TRY(gpri_label_texts_finish(&file->labels, &classes));
    TRY(gpri_dataset_set_labels(data, &classes, options->features));
done:
    gpri_target_free(data->ctx, &classes);
    return status;
}

/* A text of edges shows only the nodes that have edges. The rows of the features say how many there are. */
static gpr_status open_graph(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options, int64_t rows,
                             gpri_edge_sink *sink) {
    const gpri_format *format;
    if (options->edges) return gpri_read_edge_table(ctx, out, options, rows, sink);
    NEED(gpri_format_named(&format, options->format));
    if (rows > 0 && !format && gpri_is_file(options->data)) NEED(gpri_format_of(ctx, &format, options->data));
    if (rows == 0 || !format || format->id != GPRI_FORMAT_EDGES) return gpri_dataset_open(ctx, out, options, sink);
    gpr_open_options tables = *options;
    tables.edges = options->data;
    return gpri_read_edge_table(ctx, out, &tables, rows, sink);
}

static gpr_status add_labels(gpr_dataset *data, const gpr_open_options *options) {
    gpri_target classes;
    NEED(gpri_dataset_ready(data->ctx, data)); /* labels are found by the ids of its nodes */
    NEED(gpri_read_labels(data->ctx, &classes, options, data));
    return gpri_dataset_set_labels(data, &classes, gpri_shown_path(options->labels));
}

/* "auto" is for trainings, and without labels there is none. */
static bool wants_default(const gpr_dataset *data, const char *kind) {
    return kind && (gpri_target_scores(&data->target) > 0 || strcmp(kind, "auto") != 0);
}

/* Of files that say themselves what they have. */
static gpr_status check_task(const gpr_dataset *data, const char *word) {
    gpri_data_value task;
    NEED(gpri_data_choose(&task, GPRI_OPEN_TASK, word));
    const bool number = gpri_target_is_number(&data->target);
    if (gpri_target_scores(&data->target) == 0 || task == GPRI_TASK_AUTO || (task == GPRI_TASK_NUMBER) == number)
        return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "`task` is %s, and what %s has to tell of a node is a %s: leave `task` out, or %s", word,
                     data->name, number ? "number" : "class",
                     number ? "make classes of the numbers" : "give numbers by `labels`, or in tables");
}

/* given: what the caller asks for; tables are read as a model was trained where that says nothing. */
gpr_status gpri_dataset_open_with(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *given,
                                  gpri_edge_sink *sink) {
    gpr_status status = GPR_OK;
    gpr_open_options own = *given;
    const gpr_open_options *options = &own;
    gpr_dataset *data = NULL;
    feature_file file = {.labels = {.ctx = ctx}};
    *out = NULL;
    TRY(check_options(given));
    if (given->edges) gpri_reading_apply(&own);
    TRY(read_features(&file, ctx, options));
    if (gpri_makes_features(options->features) || options->default_features) sink = NULL; /* they need the graph */
    TRY(open_graph(ctx, &data, options, file.matrix.rows, sink));
    if (data->order && ((options->features && !gpri_makes_features(options->features)) || options->labels))
        THROW(GPR_ERROR_ARGUMENT,
              "%s has its nodes in another order (`reorder`), and files for them have the first one: give `%s` when "
              "the data is converted",
              options->data, options->labels ? "labels" : "features");
    if (gpri_makes_features(options->features))
        TRY(gpri_make_features(data, options->features, options->nodes != NULL));
    else if (options->features) TRY(add_features(data, &file, options));
    if (options->labels) TRY(add_labels(data, options));
    if (options->edges) data->from_table = true;
    if (options->edges) TRY(gpri_data_choose(&data->duplicates, GPRI_OPEN_DUPLICATES, options->duplicates));
    if (data->plan) TRY(gpri_reading_note(data, options));
    data->duplicates_asked = options->duplicates != NULL;
    TRY(check_task(data, options->task));
    if (data->features.cols == 0 && wants_default(data, options->default_features))
        TRY(gpri_make_features(data, options->default_features, false));
    data->memory = options->memory;
    TRY(gpri_note_origin(data, given));
    *out = data;
    data = NULL;
done:
    status = gpri_reading_explain(status, options);
    gpri_raw_features_free(ctx, &file.matrix);
    gpri_label_texts_free(&file.labels);
    gpr_dataset_free(data);
    return gpri_finish(status);
}

gpr_status gpr_dataset_open_with(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options) {
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_open_with: out is NULL");
    *out = NULL;
    if (!ctx || !options) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_open_with: a NULL argument");
    gpr_open_options own;
    NEED(GPRI_STRUCT_IN(&own, options, gpr_open_options, "gpr_dataset_open_with", "options"));
    NEED(gpri_budget_check(own.memory));
    const gpri_budget before = gpri_budget_begin(ctx, gpri_budget_of(own.memory), own.memory > 0);
    const gpr_status status = gpri_dataset_open_with(ctx, out, &own, NULL);
    gpri_budget_end(ctx, before);
    return gpri_finish(status);
}
