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
