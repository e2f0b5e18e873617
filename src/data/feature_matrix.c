/* Node features: dense rows, or CSR when most of it is zero. Time proportional to what is given. */
#include "data/feature_matrix.h"

#include <math.h>
#include <string.h>

void gpri_feature_matrix_free(gpr_ctx *ctx, gpri_feature_matrix *table) {
    gpri_free(ctx, table->dense);
    gpri_free(ctx, table->rowptr);
    gpri_free(ctx, table->column);
    gpri_free(ctx, table->value);
    *table = (gpri_feature_matrix){0};
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
static gpr_status compress(gpr_ctx *ctx, gpri_feature_matrix *table, const float *dense) {
    gpr_status status = GPR_OK;
    int64_t end = 0;
    TRY(gpri_alloc(ctx, &table->rowptr, table->rows + 1, sizeof *table->rowptr, "feature rows"));
    TRY(gpri_alloc(ctx, &table->column, table->nnz, sizeof *table->column, "feature columns"));
    TRY(gpri_alloc(ctx, &table->value, table->nnz, sizeof *table->value, "feature values"));
    table->rowptr[0] = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        const float *row = dense + i * table->cols;
        for (int64_t j = 0; j < table->cols; j++) {
            if (row[j] == 0) continue;
            table->column[end] = (int32_t)j;
            table->value[end] = row[j];
            end++;
        }
        table->rowptr[i + 1] = end;
    }
done:
    return status;
}

gpr_status gpri_feature_matrix_from_dense(gpr_ctx *ctx, gpri_feature_matrix *table, int64_t rows, int64_t cols,
                                          const float *dense) {
    gpr_status status = GPR_OK;
    *table = (gpri_feature_matrix){.rows = rows, .cols = cols};
    TRY(check_shape(rows, cols));
    const int64_t cells = rows * cols;
    for (int64_t k = 0; k < cells; k++) {
        if (!isfinite(dense[k])) {
            status = not_finite(k / cols, k % cols, dense[k]);
            goto done;
        }
        table->nnz += dense[k] != 0;
    }
    if (table->nnz < (cells + 4) / 5) {
        TRY(compress(ctx, table, dense));
    } else {
        TRY(gpri_alloc(ctx, &table->dense, cells, sizeof *table->dense, "features"));
        memcpy(table->dense, dense, (size_t)cells * sizeof *dense);
    }
done:
    if (status != GPR_OK) gpri_feature_matrix_free(ctx, table);
    return status;
}

/* *ordered: columns ascend strictly in every row. */
static gpr_status check_csr(int64_t rows, int64_t cols, const int64_t *indptr, const int32_t *indices,
                            const float *values, bool *ordered) {
    *ordered = true;
    if (indptr[0] != 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "features: indptr begins with %lld: it must begin with 0",
                         (long long)indptr[0]);
    for (int64_t i = 0; i < rows; i++)
        if (indptr[i + 1] < indptr[i])
            return gpri_fail(GPR_ERROR_ARGUMENT, "features: indptr[%lld] is %lld, less than the %lld before it",
                             (long long)i + 1, (long long)indptr[i + 1], (long long)indptr[i]);
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

/* Orders the columns of every row: two stable counting sorts, by column and by row, as in graph/graph.c. */
static gpr_status order_columns(gpr_ctx *ctx, gpri_feature_matrix *table) {
    gpr_status status = GPR_OK;
    int64_t *next = NULL, *start = NULL;
    int32_t *row_of = NULL;
    float *moved = NULL;
    TRY(gpri_calloc(ctx, &start, table->cols + 1, sizeof *start, "feature columns"));
    TRY(gpri_alloc(ctx, &next, table->cols > table->rows ? table->cols : table->rows, sizeof *next, "feature columns"));
    TRY(gpri_alloc(ctx, &row_of, table->nnz, sizeof *row_of, "feature columns"));
    TRY(gpri_alloc(ctx, &moved, table->nnz, sizeof *moved, "feature values"));
    for (int64_t k = 0; k < table->nnz; k++) start[table->column[k] + 1]++;
    for (int64_t j = 0; j < table->cols; j++) start[j + 1] += start[j];
    memcpy(next, start, (size_t)table->cols * sizeof *next);
    for (int64_t i = 0; i < table->rows; i++)
        for (int64_t k = table->rowptr[i]; k < table->rowptr[i + 1]; k++) {
            int64_t place = next[table->column[k]]++;
            row_of[place] = (int32_t)i;
            moved[place] = table->value[k];
        }
    memcpy(next, table->rowptr, (size_t)table->rows * sizeof *next);
    for (int64_t j = 0; j < table->cols; j++)
        for (int64_t k = start[j]; k < start[j + 1]; k++) {
            int64_t place = next[row_of[k]]++;
            table->column[place] = (int32_t)j;
            table->value[place] = moved[k];
        }
done:
    gpri_free(ctx, start);
    gpri_free(ctx, next);
    gpri_free(ctx, row_of);
    gpri_free(ctx, moved);
    return status;
}

/* Adds up entries of the same place and drops zeros, in place. Columns ascend. */
static gpr_status merge_entries(gpri_feature_matrix *table) {
    int64_t end = 0, k = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        int64_t stop = table->rowptr[i + 1];
        while (k < stop) {
            int32_t column = table->column[k];
            float sum = table->value[k++];
            while (k < stop && table->column[k] == column) sum += table->value[k++];
            if (!isfinite(sum)) return not_finite(i, column, sum);
            if (sum == 0) continue;
            table->column[end] = column;
            table->value[end] = sum;
            end++;
        }
        table->rowptr[i + 1] = end;
    }
    table->nnz = end;
    return GPR_OK;
}

gpr_status gpri_feature_matrix_from_csr(gpr_ctx *ctx, gpri_feature_matrix *table, int64_t rows, int64_t cols,
                                        const int64_t *indptr, const int32_t *indices, const float *values) {
    gpr_status status = GPR_OK;
    bool ordered;
    *table = (gpri_feature_matrix){.rows = rows, .cols = cols};
    TRY(check_shape(rows, cols));
    TRY(check_csr(rows, cols, indptr, indices, values, &ordered));
    table->nnz = indptr[rows];
    TRY(gpri_alloc(ctx, &table->rowptr, rows + 1, sizeof *table->rowptr, "feature rows"));
    TRY(gpri_alloc(ctx, &table->column, table->nnz, sizeof *table->column, "feature columns"));
    TRY(gpri_alloc(ctx, &table->value, table->nnz, sizeof *table->value, "feature values"));
    memcpy(table->rowptr, indptr, (size_t)(rows + 1) * sizeof *indptr);
    for (int64_t k = 0; k < table->nnz; k++) {
        table->column[k] = indices[k];
        table->value[k] = values ? values[k] : 1.0f;
    }
    if (!ordered) TRY(order_columns(ctx, table));
    TRY(merge_entries(table));
done:
    if (status != GPR_OK) gpri_feature_matrix_free(ctx, table);
    return status;
}

gpr_status gpri_feature_matrix_none(gpr_ctx *ctx, gpri_feature_matrix *table, int64_t rows) {
    gpr_status status = GPR_OK;
    *table = (gpri_feature_matrix){.rows = rows};
    TRY(gpri_calloc(ctx, &table->rowptr, rows + 1, sizeof *table->rowptr, "feature rows"));
    TRY(gpri_alloc(ctx, &table->column, 0, sizeof *table->column, "feature columns"));
    TRY(gpri_alloc(ctx, &table->value, 0, sizeof *table->value, "feature values"));
done:
    if (status != GPR_OK) gpri_feature_matrix_free(ctx, table);
    return status;
}
