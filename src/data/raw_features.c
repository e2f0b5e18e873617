/* Features from a file of their own, put into a dataset. */
#include "data/raw_features.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "data/feature_matrix.h"
#include "data/plan.h"

void gpri_raw_features_free(gpr_ctx *ctx, gpri_raw_features *matrix) {
    gpri_free_all(ctx, matrix->dense, matrix->indptr, matrix->indices, matrix->values);
    gpri_names_free(ctx, &matrix->names);
    *matrix = (gpri_raw_features){0};
}

/* The features as a dataset has them; not moved. */
static gpr_status check(const gpr_dataset *data, gpri_feature_matrix *out, const gpri_raw_features *matrix,
                        const char *path) {
    gpr_status status = GPR_OK;
    if (matrix->rows != data->graph.nodes)
        THROW(GPR_ERROR_MISMATCH, "%s: %lld rows of features, but %s has %lld nodes: expected one per node", path,
              (long long)matrix->rows, data->name, (long long)data->graph.nodes);
    if (matrix->dense)
        status = gpri_feature_matrix_from_dense(data->ctx, out, matrix->rows, matrix->cols, matrix->dense);
    else
        status = gpri_feature_matrix_from_csr(data->ctx, out, matrix->rows, matrix->cols, matrix->indptr,
                                              matrix->indices, matrix->values);
    if (status == GPR_ERROR_ARGUMENT)
        status = GPR_ERROR_FORMAT; /* a wrong argument of the function is a wrong file here */
    if (status != GPR_OK) gpri_fail_prefix(status, "%s", path);
done:
    return status;
}

gpr_status gpri_dataset_set_features(gpr_dataset *data, gpri_raw_features *matrix, const char *path) {
    gpr_status status = GPR_OK;
    gpri_feature_matrix checked = {0};
    TRY(check(data, &checked, matrix, path));
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

/* ---- two matrices side by side ---- */

/* Row i of the matrix with its columns from `first` on. Returns the end of the entries. */
static int64_t put_row(int32_t *column, float *value, int64_t end, const gpri_feature_matrix *from, int64_t i,
                       int64_t first) {
    for (int64_t j = 0; from->dense && j < from->cols; j++) {
        if (from->dense[i * from->cols + j] == 0) continue;
        column[end] = (int32_t)(first + j);
        value[end++] = from->dense[i * from->cols + j];
    }
    for (int64_t k = from->dense ? 0 : from->rowptr[i]; !from->dense && k < from->rowptr[i + 1]; k++) {
        column[end] = (int32_t)(first + from->column[k]);
        value[end++] = from->value[k];
    }
    return end;
}

/* out: dense where both are; not checked yet. */
static gpr_status put_together(gpr_ctx *ctx, gpri_raw_features *out, const gpri_feature_matrix *left,
                               const gpri_feature_matrix *right) {
    const int64_t rows = left->rows, cols = left->cols + right->cols;
    int64_t cells, end = 0;
    if (cols > INT32_MAX || !gpri_mul_size(rows, cols, &cells))
        return gpri_fail(GPR_ERROR_MEMORY, "the features do not fit in memory");
    out->rows = rows;
    out->cols = cols;
    if (left->dense && right->dense) {
        NEED(gpri_alloc(ctx, &out->dense, cells, sizeof *out->dense, "features"));
        for (int64_t i = 0; i < rows; i++) {
            float *to = out->dense + i * cols;
            memcpy(to, left->dense + i * left->cols, (size_t)left->cols * sizeof *to);
            memcpy(to + left->cols, right->dense + i * right->cols, (size_t)right->cols * sizeof *to);
        }
        return GPR_OK;
    }
    NEED(gpri_alloc(ctx, &out->indptr, rows + 1, sizeof *out->indptr, "feature rows"));
    NEED(gpri_alloc(ctx, &out->indices, left->nnz + right->nnz, sizeof *out->indices, "feature columns"));
    NEED(gpri_alloc(ctx, &out->values, left->nnz + right->nnz, sizeof *out->values, "feature values"));
    out->indptr[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        end = put_row(out->indices, out->values, end, left, i, 0);
        end = put_row(out->indices, out->values, end, right, i, left->cols);
        out->indptr[i + 1] = end;
    }
    return GPR_OK;
}

static void add_name(gpri_text *text, const gpri_names *names, const char *other, int64_t number) {
    if (names->count > 0) gpri_text_add(text, "%s", gpri_name(names, number));
    else gpri_text_add(text, "%s %lld", other, (long long)number + 1);
    gpri_text_add(text, "%c", 0);
}

static gpr_status join_names(gpr_ctx *ctx, gpri_names *out, const gpri_names *left, int64_t left_count,
                             const gpri_names *right, int64_t right_count) {
    gpri_text text = {.ctx = ctx};
    if (left->count == 0 && right->count == 0) return GPR_OK;
    NEED(gpri_alloc(ctx, &out->start, left_count + right_count + 1, sizeof *out->start, "names"));
    for (int64_t j = 0; j < left_count + right_count; j++) {
        out->start[j] = text.size;
        if (j < left_count) add_name(&text, left, "column", j);
        else add_name(&text, right, "features", j - left_count);
    }
    const gpr_status status = gpri_text_status(&text);
    if (status != GPR_OK) gpri_text_free(&text);
    out->start[left_count + right_count] = text.size;
    out->count = left_count + right_count;
    out->bytes = text.bytes;
    return status;
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* Names of both are an error: a model would not know which is which. */
static gpr_status check_twins(gpr_ctx *ctx, const gpri_names *left, const gpri_names *right, const char *path) {
    gpr_status status = GPR_OK;
    const char **names = NULL; /* (left) */
    if (left->count == 0) return GPR_OK;
    TRY(gpri_alloc(ctx, &names, left->count, sizeof *names, "names"));
    for (int64_t j = 0; j < left->count; j++) names[j] = gpri_name(left, j);
    qsort(names, (size_t)left->count, sizeof *names, by_text);
    for (int64_t j = 0; j < right->count; j++) {
        const char *name = gpri_name(right, j);
        if (bsearch(&name, names, (size_t)left->count, sizeof *names, by_text))
            THROW(GPR_ERROR_MISMATCH, "%s: the feature '%s' is a column of `nodes`, too: rename it there or here", path,
                  name);
    }
done:
    gpri_free(ctx, names);
    return status;
}

gpr_status gpri_dataset_add_features(gpr_dataset *data, gpri_raw_features *matrix, const char *path) {
    gpr_status status = GPR_OK;
    gpri_feature_matrix checked = {0};
    gpri_raw_features both = {.mixed = data->mixed_columns || matrix->mixed};
    if (data->features.cols == 0) return gpri_dataset_set_features(data, matrix, path);
    TRY(check(data, &checked, matrix, path));
    TRY(check_twins(data->ctx, &data->feature_names, &matrix->names, path));
    TRY(join_names(data->ctx, &both.names, &data->feature_names, data->features.cols, &matrix->names, matrix->cols));
    TRY(put_together(data->ctx, &both, &data->features, &checked));
    TRY(gpri_dataset_set_features(data, &both, path));
    if (data->plan) data->plan->added = matrix->cols;
done:
    gpri_feature_matrix_free(data->ctx, &checked);
    gpri_raw_features_free(data->ctx, &both);
    gpri_raw_features_free(data->ctx, matrix);
    return status;
}
