/* Node features: dense rows, or CSR when most of it is zero. Time proportional to what is given. */
#include "data/feature_matrix.h"

#include <math.h>
#include <string.h>

void gpri_feature_matrix_free(gpr_ctx *ctx, gpri_feature_matrix *matrix) {
    gpri_free_all(ctx, matrix->dense, matrix->rowptr, matrix->column, matrix->value);
    *matrix = (gpri_feature_matrix){0};
}

static gpr_status not_finite(int64_t row, int64_t column, float value) {
    return gpri_fail(GPR_ERROR_ARGUMENT, "features: row %lld, column %lld is %g: every feature must be a finite number",
                     (long long)row, (long long)column, (double)value);
}

static gpr_status check_shape(int64_t rows, int64_t cols) {
    int64_t cells;
    if (cols < 1 || cols >= INT32_MAX)
        return gpri_fail(GPR_ERROR_ARGUMENT, "features: %lld columns: there must be from 1 to %d", (long long)cols,
                         INT32_MAX - 1);
    if (!gpri_mul_size(rows, cols, &cells))
        return gpri_fail(GPR_ERROR_ARGUMENT, "features: %lld rows of %lld columns are too many", (long long)rows,
                         (long long)cols);
    return GPR_OK;
}

/* The non-zeros of dense, row after row. */
static gpr_status compress(gpr_ctx *ctx, gpri_feature_matrix *matrix, const float *dense) {
    int64_t end = 0;
    NEED(gpri_alloc(ctx, &matrix->rowptr, matrix->rows + 1, sizeof *matrix->rowptr, "feature rows"));
    NEED(gpri_alloc(ctx, &matrix->column, matrix->nnz, sizeof *matrix->column, "feature columns"));
    NEED(gpri_alloc(ctx, &matrix->value, matrix->nnz, sizeof *matrix->value, "feature values"));
    matrix->rowptr[0] = 0;
    for (int64_t i = 0; i < matrix->rows; i++) {
        const float *row = dense + i * matrix->cols;
        for (int64_t j = 0; j < matrix->cols; j++) {
            if (row[j] == 0) continue;
            matrix->column[end] = (int32_t)j;
            matrix->value[end] = row[j];
            end++;
        }
        matrix->rowptr[i + 1] = end;
    }
    return GPR_OK;
}

gpr_status gpri_feature_matrix_from_dense(gpr_ctx *ctx, gpri_feature_matrix *matrix, int64_t rows, int64_t cols,
                                          const float *dense) {
    gpr_status status = GPR_OK;
    *matrix = (gpri_feature_matrix){.rows = rows, .cols = cols};
    TRY(check_shape(rows, cols));
    const int64_t cells = rows * cols;
    for (int64_t k = 0; k < cells; k++) {
        if (!isfinite(dense[k])) {
            status = not_finite(k / cols, k % cols, dense[k]);
            goto done;
        }
        matrix->nnz += dense[k] != 0;
    }
    if (matrix->nnz < (cells + 4) / 5) {
        TRY(compress(ctx, matrix, dense));
    } else {
        TRY(gpri_copy(ctx, &matrix->dense, dense, cells, sizeof *matrix->dense, "features"));
    }
done:
    if (status != GPR_OK) gpri_feature_matrix_free(ctx, matrix);
    return status;
}

static int64_t pointer_at(const void *indptr, bool wide, int64_t i) {
    return wide ? ((const int64_t *)indptr)[i] : ((const int32_t *)indptr)[i];
}

gpr_status gpri_check_indptr(gpr_status wrong, const char *prefix, const void *indptr, bool wide, int64_t pointers,
                             int64_t count, int64_t entries) {
    int64_t before = 0;
    if (pointers != count + 1)
        return gpri_fail(wrong, "%sindptr has %lld numbers: expected %lld, one more than the shape says", prefix,
                         (long long)pointers, (long long)count + 1);
    for (int64_t i = 0; i <= count; i++) {
        const int64_t now = pointer_at(indptr, wide, i);
        if (i == 0 && now != 0)
            return gpri_fail(wrong, "%sindptr begins with %lld: it must begin with 0", prefix, (long long)now);
        if (now < before)
            return gpri_fail(wrong, "%sindptr[%lld] is %lld, less than the %lld before it", prefix, (long long)i,
                             (long long)now, (long long)before);
        before = now;
    }
    if (entries >= 0 && before != entries)
        return gpri_fail(wrong, "%sindptr ends with %lld: it must end with %lld, the length of %sindices", prefix,
                         (long long)before, (long long)entries, prefix);
    return GPR_OK;
}

/* *ordered: columns ascend strictly in every row. */
static gpr_status check_csr(int64_t rows, int64_t cols, const int64_t *indptr, const int32_t *indices,
                            const float *values, bool *ordered) {
    gpr_status status = gpri_check_indptr(GPR_ERROR_ARGUMENT, "features: ", indptr, true, rows + 1, rows, -1);
    *ordered = true;
    if (status != GPR_OK) return status;
    if (indptr[rows] > 0 && !indices)
        return gpri_fail(GPR_ERROR_ARGUMENT, "features: %lld entries are announced, but indices is NULL",
                         (long long)indptr[rows]);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = indptr[i]; k < indptr[i + 1]; k++) {
            if (indices[k] < 0 || indices[k] >= cols)
                return gpri_fail(GPR_ERROR_ARGUMENT,
                                 "features: indices[%lld] (row %lld) is %d: columns must be in [0, %lld)", (long long)k,
                                 (long long)i, indices[k], (long long)cols);
            if (values && !isfinite(values[k])) return not_finite(i, indices[k], values[k]);
            if (k > indptr[i] && indices[k] <= indices[k - 1]) *ordered = false;
        }
    return GPR_OK;
}

/* Merges the halves of a row, [0, middle) and [middle, count), which are in order; of equal columns, those of the first
   half come first. column2, value2: (count) */
static void merge_halves(const int32_t *column, const float *value, int64_t middle, int64_t count, int32_t *column2,
                         float *value2) {
    int64_t a = 0, b = middle;
    for (int64_t k = 0; k < count; k++) {
        const int64_t from = b == count || (a < middle && column[a] <= column[b]) ? a++ : b++;
        column2[k] = column[from];
        value2[k] = value[from];
    }
}

/* Orders a row by column; equal columns stay in their order, so that their sum does not change. */
static void order_row(int32_t *column, float *value, int64_t count, int32_t *column2, float *value2) {
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t at = 0; at < count; at += 2 * width) {
            const int64_t both = count - at < 2 * width ? count - at : 2 * width;
            merge_halves(column + at, value + at, width < both ? width : both, both, column2 + at, value2 + at);
        }
        memcpy(column, column2, (size_t)count * sizeof *column);
        memcpy(value, value2, (size_t)count * sizeof *value);
    }
}

/* Orders the columns of every row. The memory goes by the longest row: a shape may announce any number of columns. */
static gpr_status order_columns(gpr_ctx *ctx, gpri_feature_matrix *matrix) {
    gpr_status status = GPR_OK;
    const int64_t *rowptr = matrix->rowptr;
    int64_t longest = 0;
    int32_t *column = NULL; /* (longest) */
    float *value = NULL;    /* (longest) */
    for (int64_t i = 0; i < matrix->rows; i++)
        if (rowptr[i + 1] - rowptr[i] > longest) longest = rowptr[i + 1] - rowptr[i];
    TRY(gpri_alloc(ctx, &column, longest, sizeof *column, "feature columns"));
    TRY(gpri_alloc(ctx, &value, longest, sizeof *value, "feature values"));
    for (int64_t i = 0; i < matrix->rows; i++)
        order_row(matrix->column + rowptr[i], matrix->value + rowptr[i], rowptr[i + 1] - rowptr[i], column, value);
done:
    gpri_free_all(ctx, column, value);
    return status;
}

/* Adds up entries of the same place and drops zeros, in place. Columns ascend. */
static gpr_status merge_entries(gpri_feature_matrix *matrix) {
    int64_t end = 0, k = 0;
    for (int64_t i = 0; i < matrix->rows; i++) {
        int64_t stop = matrix->rowptr[i + 1];
        while (k < stop) {
            int32_t column = matrix->column[k];
            float sum = matrix->value[k++];
            while (k < stop && matrix->column[k] == column) sum += matrix->value[k++];
            if (!isfinite(sum)) return not_finite(i, column, sum);
            if (sum == 0) continue;
            matrix->column[end] = column;
            matrix->value[end] = sum;
            end++;
        }
        matrix->rowptr[i + 1] = end;
    }
    matrix->nnz = end;
    return GPR_OK;
}

gpr_status gpri_feature_matrix_from_csr(gpr_ctx *ctx, gpri_feature_matrix *matrix, int64_t rows, int64_t cols,
                                        const int64_t *indptr, const int32_t *indices, const float *values) {
    gpr_status status = GPR_OK;
    bool ordered;
    *matrix = (gpri_feature_matrix){.rows = rows, .cols = cols};
    TRY(check_shape(rows, cols));
    TRY(check_csr(rows, cols, indptr, indices, values, &ordered));
    matrix->nnz = indptr[rows];
    TRY(gpri_alloc(ctx, &matrix->rowptr, rows + 1, sizeof *matrix->rowptr, "feature rows"));
    TRY(gpri_alloc(ctx, &matrix->column, matrix->nnz, sizeof *matrix->column, "feature columns"));
    TRY(gpri_alloc(ctx, &matrix->value, matrix->nnz, sizeof *matrix->value, "feature values"));
    memcpy(matrix->rowptr, indptr, (size_t)(rows + 1) * sizeof *indptr);
    for (int64_t k = 0; k < matrix->nnz; k++) {
        matrix->column[k] = indices[k];
        matrix->value[k] = values ? values[k] : 1.0f;
    }
    if (!ordered) TRY(order_columns(ctx, matrix));
    TRY(merge_entries(matrix));
done:
    if (status != GPR_OK) gpri_feature_matrix_free(ctx, matrix);
    return status;
}

gpr_status gpri_feature_matrix_none(gpr_ctx *ctx, gpri_feature_matrix *matrix, int64_t rows) {
    gpr_status status = GPR_OK;
    *matrix = (gpri_feature_matrix){.rows = rows};
    TRY(gpri_calloc(ctx, &matrix->rowptr, rows + 1, sizeof *matrix->rowptr, "feature rows"));
    TRY(gpri_alloc(ctx, &matrix->column, 0, sizeof *matrix->column, "feature columns"));
    TRY(gpri_alloc(ctx, &matrix->value, 0, sizeof *matrix->value, "feature values"));
done:
    if (status != GPR_OK) gpri_feature_matrix_free(ctx, matrix);
    return status;
}
