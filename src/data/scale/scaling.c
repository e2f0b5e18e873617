/* Columns of features brought to mean 0 and deviation 1. */
#include "data/scale/scaling.h"

#include <math.h>
#include <string.h>

#include "data/feature_matrix.h"
#include "dist/all.h"

static gpr_status make_room(gpr_ctx *ctx, gpri_scaling *out, int64_t cols) {
    gpr_status status = GPR_OK;
    *out = (gpri_scaling){.cols = cols};
    TRY(gpri_alloc(ctx, &out->mean, cols, sizeof *out->mean, "column means"));
    TRY(gpri_alloc(ctx, &out->factor, cols, sizeof *out->factor, "column factors"));
done:
    if (status != GPR_OK) gpri_scaling_free(ctx, out);
    return status;
}

void gpri_scaling_free(gpr_ctx *ctx, gpri_scaling *scaling) {
    gpri_free_all(ctx, scaling->mean, scaling->factor);
    gpri_curves_free(ctx, &scaling->curves);
    *scaling = (gpri_scaling){0};
}

gpr_status gpri_scaling_clone(gpr_ctx *ctx, gpri_scaling *out, const gpri_scaling *from) {
    *out = (gpri_scaling){0};
    if (from->cols == 0) return GPR_OK;
    out->cols = from->cols;
    gpr_status status = GPR_OK;
    TRY(gpri_copy(ctx, &out->mean, from->mean, from->cols, sizeof *out->mean, "column means"));
    TRY(gpri_copy(ctx, &out->factor, from->factor, from->cols, sizeof *out->factor, "column factors"));
    TRY(gpri_curves_clone(ctx, &out->curves, &from->curves));
done:
    if (status != GPR_OK) gpri_scaling_free(ctx, out);
    return status;
}

/* Sums of a column, in double: years, for example, are large compared with their spread. */
typedef struct sums {
    double sum, squares; /* of x - first, the column's first value that is not 0 */
    double first;
    int64_t stored; /* values that are not 0 */
    bool other;     /* a value that is neither 0 nor 1 */
} sums;

static void add(sums *s, float value) {
    if (s->stored++ == 0) s->first = (double)value;
    const double x = (double)value - s->first;
    s->sum += x;
    s->squares += x * x;
    s->other = s->other || value != 1;
}

/* The zeros that were not added are x = -first. */
static void finish(const sums *s, int64_t rows, float *mean, float *factor) {
    const double n = (double)rows, zeros = n - (double)s->stored;
    const double average = (s->sum - zeros * s->first) / n;
    const double variance = (s->squares + zeros * s->first * s->first) / n - average * average;
    *mean = 0;
    *factor = 1;
    if (!s->other) return;
    *mean = (float)(s->first + average);
    if (variance > 1e-12 * s->first * s->first && variance > 0) *factor = (float)(1 / sqrt(variance));
    if (!isfinite(*factor)) *factor = 1;
}

/* curves: only columns that have one are added, and what their values are beyond that of 0. NULL: all, as they are. */
static void add_rows(sums *columns, const gpri_feature_matrix *matrix, gpri_range rows, const gpri_curves *curves) {
    for (int64_t i = rows.first; i < rows.end; i++) {
        const int64_t end = matrix->dense ? matrix->cols : matrix->rowptr[i + 1];
        for (int64_t k = matrix->dense ? 0 : matrix->rowptr[i]; k < end; k++) {
            const int64_t j = matrix->dense ? k : matrix->column[k];
            const float value = matrix->dense ? matrix->dense[i * matrix->cols + j] : matrix->value[k];
            if (value == 0) continue;
            if (!curves) add(&columns[j], value);
            else if (gpri_has_curve(curves, j)) {
                const double x = (double)gpri_curve_value(curves, j, value) - (double)gpri_curve_value(curves, j, 0);
                columns[j].sum += x;
                columns[j].squares += x * x;
            }
        }
    }
}

/* The rows of this process after those of the processes before it; in the end all have all sums. */
static void add_together(sums *columns, const gpri_feature_matrix *matrix, gpri_range rows, const gpri_curves *curves,
                         const gpr_ctx *together) {
    const int64_t bytes = matrix->cols * (int64_t)sizeof *columns;
    gpri_turn_take(together, columns, bytes);
    add_rows(columns, matrix, rows, curves);
    gpri_turn_pass(together, columns, bytes);
    gpri_turn_end(together, columns, bytes);
}

/* Of columns with a curve: mean and factor of what they become. */
static void finish_bent(gpri_scaling *out, sums *columns, int64_t rows) {
    for (int64_t j = 0; j < out->cols; j++) {
        if (!gpri_has_curve(&out->curves, j)) continue;
        columns[j] = (sums){.sum = columns[j].sum, .squares = columns[j].squares, .other = true};
        finish(&columns[j], rows, &out->mean[j], &out->factor[j]);
        out->mean[j] += gpri_curve_value(&out->curves, j, 0);
    }
}

/* columns: (cols) zeroed. */
static gpr_status measure(gpr_ctx *ctx, gpri_scaling *out, sums *columns, const gpri_feature_matrix *matrix,
                          gpri_range rows, bool bends, const gpr_ctx *together) {
    bool *wanted = NULL; /* (cols) */
    gpr_status status = GPR_OK;
    TRY(gpri_all_well(together, gpri_alloc(ctx, &wanted, matrix->cols, sizeof *wanted, "skewed columns")));
    add_together(columns, matrix, rows, NULL, together);
    for (int64_t j = 0; j < matrix->cols; j++) {
        finish(&columns[j], matrix->rows, &out->mean[j], &out->factor[j]);
        wanted[j] = columns[j].other;
    }
    if (bends) TRY(gpri_curves_measure(ctx, &out->curves, matrix, wanted, rows, together));
    if (!out->curves.first) goto done;
    for (int64_t j = 0; j < matrix->cols; j++) columns[j].sum = columns[j].squares = 0;
    add_together(columns, matrix, rows, &out->curves, together);
    finish_bent(out, columns, matrix->rows);
done:
    gpri_free(ctx, wanted);
    return status;
}

gpr_status gpri_scaling_measure(gpr_ctx *ctx, gpri_scaling *out, const gpri_feature_matrix *matrix, bool bends) {
    gpr_status status = GPR_OK;
    sums *columns = NULL; /* (cols) */
    TRY(make_room(ctx, out, matrix->cols));
    TRY(gpri_calloc(ctx, &columns, matrix->cols, sizeof *columns, "column means"));
    TRY(measure(ctx, out, columns, matrix, (gpri_range){0, matrix->rows}, bends, NULL));
done:
    gpri_free(ctx, columns);
    if (status != GPR_OK) gpri_scaling_free(ctx, out);
    return status;
}

static void scale_rows(gpri_feature_matrix *out, const gpri_feature_matrix *matrix, const gpri_scaling *scaling,
                       gpri_range rows) {
    for (int64_t c = rows.first * matrix->cols; c < rows.end * matrix->cols; c++) {
        out->dense[c] = gpri_scaled(scaling, c % matrix->cols, matrix->dense[c]);
        out->nnz += out->dense[c] != 0;
    }
}

static gpr_status apply_dense(gpr_ctx *ctx, gpri_feature_matrix *out, const gpri_feature_matrix *matrix,
                              const gpri_scaling *scaling) {
    *out = (gpri_feature_matrix){.rows = matrix->rows, .cols = matrix->cols};
    gpr_status status = gpri_alloc(ctx, &out->dense, matrix->rows * matrix->cols, sizeof *out->dense, "features");
    if (status == GPR_OK) scale_rows(out, matrix, scaling, (gpri_range){0, matrix->rows});
    return status;
}

/* Where zeros become something else, a column has none left. Such columns are few and hardly sparse; all their values
   are stored. */
static gpr_status apply_sparse(gpr_ctx *ctx, gpri_feature_matrix *out, const gpri_feature_matrix *matrix,
                               const gpri_scaling *scaling) {
    gpr_status status = GPR_OK;
    int32_t *shifted = NULL, *column = NULL; /* the columns whose zeros change */
    float *value = NULL;
    int64_t *rowptr = NULL, shifts = 0, more, end = 0;
    TRY(gpri_alloc(ctx, &shifted, matrix->cols, sizeof *shifted, "feature columns"));
    for (int64_t j = 0; j < matrix->cols; j++)
        if (gpri_scaled(scaling, j, 0) != 0) shifted[shifts++] = (int32_t)j;
    if (!gpri_mul_size(matrix->rows, shifts, &more)) THROW(GPR_ERROR_MEMORY, "the features do not fit in memory");
    TRY(gpri_alloc(ctx, &rowptr, matrix->rows + 1, sizeof *rowptr, "feature rows"));
    TRY(gpri_alloc(ctx, &column, matrix->nnz + more, sizeof *column, "feature columns"));
    TRY(gpri_alloc(ctx, &value, matrix->nnz + more, sizeof *value, "feature values"));
    rowptr[0] = 0;
    for (int64_t i = 0; i < matrix->rows; i++) {
        int64_t s = 0;
        for (int64_t k = matrix->rowptr[i]; k <= matrix->rowptr[i + 1]; k++) {
            const int64_t present = k < matrix->rowptr[i + 1] ? matrix->column[k] : matrix->cols;
            for (; s < shifts && shifted[s] < present; s++) {
                column[end] = shifted[s];
                value[end++] = gpri_scaled(scaling, shifted[s], 0);
            }
            if (present == matrix->cols) break;
            if (s < shifts && shifted[s] == present) s++;
            column[end] = (int32_t)present;
            value[end++] = gpri_scaled(scaling, present, matrix->value[k]);
        }
        rowptr[i + 1] = end;
    }
    TRY(gpri_feature_matrix_from_csr(ctx, out, matrix->rows, matrix->cols, rowptr, column, value));
done:
    gpri_free_all(ctx, shifted, rowptr, column, value);
    return status;
}

gpr_status gpri_scaling_apply(gpr_ctx *ctx, gpri_feature_matrix *out, const gpri_feature_matrix *matrix,
                              const gpri_scaling *scaling) {
    return matrix->dense ? apply_dense(ctx, out, matrix, scaling) : apply_sparse(ctx, out, matrix, scaling);
}

gpr_status gpri_scaling_together(gpr_ctx *ctx, gpri_scaling *out, gpri_feature_matrix *scaled,
                                 const gpri_feature_matrix *matrix, gpri_range rows, bool bends) {
    sums *columns = NULL; /* (cols) */
    gpr_status status = make_room(ctx, out, matrix->cols);
    *scaled = (gpri_feature_matrix){.rows = matrix->rows, .cols = matrix->cols};
    if (status == GPR_OK) status = gpri_calloc(ctx, &columns, matrix->cols, sizeof *columns, "column means");
    if (status == GPR_OK)
        status = gpri_alloc(ctx, &scaled->dense, matrix->rows * matrix->cols, sizeof *scaled->dense, "features");
    TRY(gpri_all_well(ctx, status));
    TRY(measure(ctx, out, columns, matrix, rows, bends, ctx));
    scale_rows(scaled, matrix, out, rows);
done:
    gpri_free(ctx, columns);
    return status; /* the caller frees both, also on failure */
}
