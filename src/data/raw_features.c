/* Features from a file of their own, put into a dataset. */
#include "data/raw_features.h"

#include "data/feature_matrix.h"

void gpri_raw_features_free(gpr_ctx *ctx, gpri_raw_features *matrix) {
    gpri_free_all(ctx, matrix->dense, matrix->indptr, matrix->indices, matrix->values);
    gpri_names_free(ctx, &matrix->names);
    *matrix = (gpri_raw_features){0};
}

gpr_status gpri_dataset_set_features(gpr_dataset *data, gpri_raw_features *matrix, const char *path) {
    gpr_status status = GPR_OK;
    gpri_feature_matrix checked = {0};
    if (matrix->rows != data->graph.nodes)
        THROW(GPR_ERROR_MISMATCH, "%s: %lld rows of features, but %s has %lld nodes: expected one per node", path,
              (long long)matrix->rows, data->name, (long long)data->graph.nodes);
    if (matrix->dense)
        status = gpri_feature_matrix_from_dense(data->ctx, &checked, matrix->rows, matrix->cols, matrix->dense);
    else
        status = gpri_feature_matrix_from_csr(data->ctx, &checked, matrix->rows, matrix->cols, matrix->indptr,
                                              matrix->indices, matrix->values);
    if (status == GPR_ERROR_ARGUMENT)
        status = GPR_ERROR_FORMAT; /* a wrong argument of the function is a wrong file here */
    if (status != GPR_OK) gpri_fail_prefix(status, "%s", path);
    TRY(status);
    gpri_dataset_drop_features(data);
    data->features = checked;
    data->mixed_columns = matrix->mixed;
    data->feature_names = matrix->names;
    matrix->names = (gpri_names){0};
    gpri_names_make_utf8(&data->feature_names);
done:
    gpri_raw_features_free(data->ctx, matrix);
    return status;
}
