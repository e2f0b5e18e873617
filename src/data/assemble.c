/* A dataset from several files: a graph alone is completed by features and labels; tables of edges and nodes make one.
 */
#include "data/assemble.h"

#include "data/node_table.h"
#include "data/table.h"

gpr_status gpri_dataset_set_features(gpr_dataset *data, gpri_matrix *matrix, const char *path) {
    gpr_status status = GPR_OK;
    gpri_table table = {0};
    if (matrix->rows != data->graph.nodes)
        THROW(GPR_ERROR_MISMATCH, "%s: %lld rows of features, but %s has %lld nodes: expected one per node", path,
              (long long)matrix->rows, data->name, (long long)data->graph.nodes);
    if (matrix->dense) status = gpri_table_from_dense(data->ctx, &table, matrix->rows, matrix->cols, matrix->dense);
    else
        status = gpri_table_from_csr(data->ctx, &table, matrix->rows, matrix->cols, matrix->indptr, matrix->indices,
                                     matrix->values);
    if (status == GPR_ERROR_ARGUMENT)
        status = GPR_ERROR_FORMAT; /* what is a wrong argument there is here a wrong file */
    if (status != GPR_OK) gpri_fail_prefix(status, "%s", path);
    TRY(status);
    gpri_dataset_drop_features(data);
    data->features = table;
    data->mixed_columns = matrix->mixed;
    data->feature_names = matrix->names;
    matrix->names = (gpri_names){0};
    gpri_names_make_utf8(&data->feature_names);
done:
    gpri_matrix_free(data->ctx, matrix);
    return status;
}

gpr_status gpri_dataset_set_labels(gpr_dataset *data, gpri_classes *classes, const char *path) {
    gpr_status status = GPR_OK;
    if (classes->classes > GPRI_MOST_CLASSES)
        THROW(GPR_ERROR_FORMAT, "%s: %lld classes: there may be %d", path, (long long)classes->classes,
              GPRI_MOST_CLASSES);
    gpri_dataset_drop_labels(data);
    data->labels = classes->labels;
    data->classes = classes->classes;
    data->class_names = classes->names;
    *classes = (gpri_classes){0};
    gpri_names_make_utf8(&data->class_names);
done:
    gpri_classes_free(data->ctx, classes);
    return status;
}

/* ---- gpr_dataset_open_with ------------------------------------------------------------------------ */

/* Flags that do not go together, said before anything is read. */
static gpr_status check_options(const gpr_open_options *o) {
    static const char *const both = "data and edges are both given: a graph is one or the other";
    if (o->data && o->edges) return gpri_fail(GPR_ERROR_ARGUMENT, "%s", both);
    if (!o->data && !o->edges)
        return gpri_fail(GPR_ERROR_ARGUMENT, o->nodes ? "nodes without edges: give the table of edges too"
                                                      : "no data: give the name or path of a dataset, or edges");
    if (o->nodes && !o->edges)
        return gpri_fail(GPR_ERROR_ARGUMENT, "nodes is for a table of edges: to %s, give features and labels", o->data);
    const struct {
        const char *value, *name, *needed;
        bool there;
    } needs[] = {{o->weight, "weight", "edges", o->edges != NULL},
                 {o->drop, "drop", "nodes", o->nodes != NULL},
                 {o->fill, "fill", "nodes", o->nodes != NULL},
                 {o->id, "id", "nodes or labels", o->nodes || o->labels},
                 {o->label, "label", "nodes or labels", o->nodes || o->labels}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].value && !needs[i].there)
            return gpri_fail(GPR_ERROR_ARGUMENT, "%s is '%s', the column of a table: give %s", needs[i].name,
                             needs[i].value, needs[i].needed);
    return GPR_OK;
}

/* Features from their own file. svmlight's labels count where no others are given. */
static gpr_status add_features(gpr_dataset *data, const gpr_open_options *options) {
    gpr_status status = GPR_OK;
    gpri_matrix matrix = {0};
    gpri_classes classes = {0};
    gpri_label_texts texts = {.ctx = data->ctx, .path = options->features};
    const bool others = options->labels || options->label;
    bool labelled = false;
    TRY(gpri_read_features(data->ctx, &matrix, others ? NULL : &texts, &labelled, options->features,
                           options->feature_columns));
    TRY(gpri_dataset_set_features(data, &matrix, options->features));
    if (!labelled || others) goto done;
    TRY(gpri_label_texts_finish(&texts, &classes));
    TRY(gpri_dataset_set_labels(data, &classes, options->features));
done:
    gpri_matrix_free(data->ctx, &matrix);
    gpri_classes_free(data->ctx, &classes);
    gpri_label_texts_free(&texts);
    return status;
}

static gpr_status add_labels(gpr_dataset *data, const gpr_open_options *options) {
    gpri_classes classes;
    gpr_status status = gpri_dataset_ready(data->ctx, data); /* labels are found by the ids of its nodes */
    if (status == GPR_OK) status = gpri_read_labels(data->ctx, &classes, options, data);
    return status == GPR_OK ? gpri_dataset_set_labels(data, &classes, options->labels) : status;
}

gpr_status gpr_dataset_open_with(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options) {
    gpr_status status = GPR_OK;
    gpr_dataset *data = NULL;
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_open_with: out is NULL");
    *out = NULL;
    if (!ctx || !options) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_open_with: a NULL argument");
    if (options->struct_size != sizeof *options)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "gpr_dataset_open_with: options->struct_size is %zu: it must be sizeof(gpr_open_options), %zu",
                         options->struct_size, sizeof *options);
    TRY(check_options(options));
    if (options->data) TRY(gpr_dataset_open_as(ctx, &data, options->data, options->data_dir, options->format));
    else TRY(gpri_read_tables(ctx, &data, options));
    if (options->features) TRY(add_features(data, options));
    if (options->labels) TRY(add_labels(data, options));
    *out = data;
    data = NULL;
done:
    gpr_dataset_free(data);
    return status;
}
