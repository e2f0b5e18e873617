/* Makes the input of the first layer from the dataset's table: normalised rows, and a column index for the gradient. */
#include "graph/sides.h"
#include "tensor/prepare.h"

#include <string.h>

double gpri_row_factor(const float *values, int64_t count, bool normalize) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += values[i];
    return normalize && sum != 0 ? 1 / sum : 1;
}

static gpr_status prepare_dense(gpr_ctx *ctx, gpri_features *out, const gpri_feature_matrix *table, gpri_range rows,
                                bool normalize) {
    int64_t cols = table->cols;
    out->ld = cols;
#ifndef GPRI_DOUBLE
    if (!normalize) { /* as they are: no copy */
        out->dense = table->dense;
        out->borrowed = true;
        return GPR_OK;
    }
#endif
    NEED(gpri_alloc(ctx, &out->dense, table->rows * cols, sizeof(gpri_real), "features"));
    for (int64_t i = rows.first; i < rows.end; i++) {
        double factor = gpri_row_factor(table->dense + i * cols, cols, normalize);
        for (int64_t j = 0; j < cols; j++) out->dense[i * cols + j] = (gpri_real)(table->dense[i * cols + j] * factor);
    }
    return GPR_OK;
}

/* CSC by counting; within a column rows ascend. */
static void index_columns(gpri_features *x, gpri_range rows) {
    memset(x->colptr, 0, (size_t)(x->cols + 1) * sizeof *x->colptr);
    for (int64_t at = x->rowptr[rows.first]; at < x->rowptr[rows.end]; at++) x->colptr[x->column[at] + 1]++;
    for (int64_t j = 0; j < x->cols; j++) x->colptr[j + 1] += x->colptr[j];
    for (int64_t i = rows.first; i < rows.end; i++)
        for (int64_t at = x->rowptr[i]; at < x->rowptr[i + 1]; at++) {
            int64_t place = x->colptr[x->column[at]]++;
            x->row[place] = (int32_t)i;
            x->offset[place] = (int32_t)(at - x->rowptr[i]);
            x->column_value[place] = x->value[at];
        }
    memmove(x->colptr + 1, x->colptr,
            (size_t)x->cols * sizeof *x->colptr); /* each start has moved to that of the next column */
    x->colptr[0] = 0;
}

static gpr_status prepare_sparse(gpr_ctx *ctx, gpri_features *out, const gpri_feature_matrix *table, gpri_range rows,
                                 bool normalize, bool trains) {
    const int64_t nnz = table->rowptr[rows.end] - table->rowptr[rows.first];
    out->rowptr = table->rowptr; /* the structure is the dataset's own */
    out->column = table->column;
    out->entries = table->nnz;
    NEED(gpri_alloc(ctx, &out->value, table->nnz, sizeof(gpri_real), "features"));
    for (int64_t i = rows.first; i < rows.end; i++) {
        int64_t first = table->rowptr[i], count = table->rowptr[i + 1] - first;
        double factor = gpri_row_factor(table->value + first, count, normalize);
        for (int64_t k = 0; k < count; k++) out->value[first + k] = (gpri_real)(table->value[first + k] * factor);
    }
    if (!trains) return GPR_OK;
    NEED(gpri_alloc(ctx, &out->colptr, table->cols + 1, sizeof *out->colptr, "feature columns"));
    NEED(gpri_alloc(ctx, &out->row, nnz, sizeof *out->row, "feature columns"));
    NEED(gpri_alloc(ctx, &out->offset, nnz, sizeof *out->offset, "feature columns"));
    NEED(gpri_alloc(ctx, &out->column_value, nnz, sizeof *out->column_value, "feature columns"));
    index_columns(out, rows);
    out->piece = gpri_features_piece(nnz);
    out->pieces = gpri_features_pieces(nnz);
    NEED(gpri_alloc(ctx, &out->piece_column, out->pieces, sizeof *out->piece_column, "feature columns"));
    gpri_features_cut(out->piece_column, out->colptr, out->cols);
    return GPR_OK;
}

gpr_status gpri_features_prepare(gpr_ctx *ctx, gpri_features *out, const gpri_feature_matrix *table, bool normalize,
                                 bool trains) {
    return gpri_features_prepare_rows(ctx, out, table, (gpri_range){0, table->rows}, normalize, trains);
}

gpr_status gpri_features_prepare_rows(gpr_ctx *ctx, gpri_features *out, const gpri_feature_matrix *table,
                                      gpri_range rows, bool normalize, bool trains) {
    *out = (gpri_features){.rows = table->rows, .cols = table->cols, .first = rows.first, .end = rows.end};
    gpr_status status = table->dense ? prepare_dense(ctx, out, table, rows, normalize)
                                     : prepare_sparse(ctx, out, table, rows, normalize, trains);
    if (status != GPR_OK) gpri_features_free(ctx, out);
    return status;
}

void gpri_features_free(gpr_ctx *ctx, gpri_features *x) {
    if (!x->borrowed) gpri_free(ctx, x->dense);
    gpri_free_all(ctx, x->value, x->colptr, x->row, x->offset, x->column_value, x->piece_column, x->kept);
    gpri_sides_free(ctx, x->sides);
    if (x->relations) gpri_relations_free(ctx, x->relations);
    gpri_free(ctx, x->relations);
    *x = (gpri_features){.rows = 0};
}
