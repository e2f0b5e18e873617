/* Features from an .npz file: a sparse matrix as scipy's save_npz writes it (csr, csc or coo), the attr_* of a dataset,
 * or a dense array. */
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "data/feature_matrix.h"
#include "file/path.h"
#include "io/numpy/npz.h"
#include "io/numpy/npz_dataset.h"

/* A sparse matrix of scipy's save_npz. */
typedef struct sparse {
    int64_t rows, cols;
    gpri_array indptr, indices, row, data; /* int64, int32, int32, float; row and indices of coo: row and col */
} sparse;

static void sparse_free(gpr_ctx *ctx, sparse *m) {
    gpri_free_all(ctx, m->indptr.data, m->indices.data, m->row.data, m->data.data);
}

/* "csr", "csc", "coo" or another word; csr where the file does not say. */
static gpr_status read_form(gpr_ctx *ctx, gpri_npz *npz, char form[8], const char *prefix) {
    gpri_names names = {0};
    strcpy(form, "csr");
    if (*prefix || !gpri_npz_has(npz, "format")) return GPR_OK;
    gpr_status status = gpri_npz_read_names(npz, &names, NULL, "format");
    if (status == GPR_OK && names.count == 1) snprintf(form, 8, "%s", gpri_name(&names, 0));
    gpri_names_free(ctx, &names);
    return status;
}

/* Entries (row, column) in any order to CSR: counted by row. */
static gpr_status order_by_row(gpr_ctx *ctx, gpri_raw_features *out, const sparse *m, const int32_t *row,
                               const int32_t *col, const char *path) {
    gpr_status status = GPR_OK;
    const float *data = m->data.data;
    int64_t *next = NULL; /* (rows) */
    const int64_t entries = m->indices.count;
    TRY(gpri_calloc(ctx, &out->indptr, m->rows + 1, sizeof *out->indptr, "feature rows"));
    TRY(gpri_alloc(ctx, &out->indices, entries, sizeof *out->indices, "feature columns"));
    TRY(gpri_alloc(ctx, &out->values, entries, sizeof *out->values, "feature values"));
    TRY(gpri_alloc(ctx, &next, m->rows, sizeof *next, "feature rows"));
    for (int64_t k = 0; k < entries; k++) {
        if (row[k] < 0 || row[k] >= m->rows)
            THROW(GPR_ERROR_FORMAT, "%s: entry %lld is in row %d: rows must be in [0, %lld), by shape", path,
                  (long long)k, row[k], (long long)m->rows);
        out->indptr[row[k] + 1]++;
    }
    for (int64_t i = 0; i < m->rows; i++) {
        next[i] = out->indptr[i];
        out->indptr[i + 1] += out->indptr[i];
    }
    for (int64_t k = 0; k < entries; k++) {
        const int64_t place = next[row[k]]++;
        out->indices[place] = col[k];
        out->values[place] = data[k];
    }
done:
    gpri_free(ctx, next);
    return status;
}

/* csc: the column of every entry, from indptr over the columns. */
static gpr_status spread_columns(gpr_ctx *ctx, sparse *m, const char *path) {
    const int64_t *indptr = m->indptr.data;
    int32_t *column;
    gpr_status status =
        gpri_check_indptr(GPR_ERROR_FORMAT, "", indptr, true, m->indptr.count, m->cols, m->indices.count);
    if (status != GPR_OK) return gpri_fail_prefix(status, "%s", path);
    NEED(gpri_alloc(ctx, &column, m->indices.count, sizeof *column, "feature columns"));
    m->row.data = column; /* freed with the rest */
    for (int64_t j = 0; j < m->cols; j++)
        for (int64_t k = indptr[j]; k < indptr[j + 1]; k++) column[k] = (int32_t)j;
    return GPR_OK;
}

static gpr_status check_sizes(const sparse *m, bool coo, const char *path) {
    if (m->rows < 1 || m->rows >= INT32_MAX || m->cols < 1 || m->cols >= INT32_MAX)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: shape is (%lld, %lld): both must be from 1 to %d", path,
                         (long long)m->rows, (long long)m->cols, INT32_MAX - 1);
    if (m->data.count != m->indices.count || (coo && m->row.count != m->indices.count))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: %lld indices and %lld values: they must be equal", path,
                         (long long)m->indices.count, (long long)m->data.count);
    return GPR_OK;
}

/* prefix: "", or "attr_" as a dataset has it. */
static gpr_status read_sparse(gpr_ctx *ctx, gpri_raw_features *out, gpri_npz *npz, const char *prefix,
                              const char *path) {
    gpr_status status = GPR_OK;
    gpri_array shape = {0};
    sparse m = {0};
    char form[8];
    TRY(read_form(ctx, npz, form, prefix));
    const bool coo = strcmp(form, "coo") == 0, csc = strcmp(form, "csc") == 0;
    if (!coo && !csc && strcmp(form, "csr") != 0)
        THROW(GPR_ERROR_FORMAT, "%s: a sparse matrix of the form '%s': expected csr, csc or coo", path, form);
    TRY(gpri_npz_read_part(npz, &shape, prefix, "shape", GPRI_AS_INT64));
    if (shape.count != 2)
        THROW(GPR_ERROR_FORMAT, "%s: %sshape has %lld numbers: expected 2", path, prefix, (long long)shape.count);
    m.rows = ((int64_t *)shape.data)[0];
    m.cols = ((int64_t *)shape.data)[1];
    if (coo) TRY(gpri_npz_read_part(npz, &m.row, prefix, "row", GPRI_AS_INT32));
    else TRY(gpri_npz_read_part(npz, &m.indptr, prefix, "indptr", GPRI_AS_INT64));
    TRY(gpri_npz_read_part(npz, &m.indices, prefix, coo ? "col" : "indices", GPRI_AS_INT32));
    TRY(gpri_npz_read_part(npz, &m.data, prefix, "data", GPRI_AS_FLOAT));
    TRY(check_sizes(&m, coo, path));
    TRY(gpri_budget_declared(ctx, path, "rows", m.rows, GPRI_NODE_BYTES, gpri_npz_file_size(npz)));
    TRY(gpri_budget_declared(ctx, path, "columns", m.cols, GPRI_COLUMN_BYTES, gpri_npz_file_size(npz)));
    out->rows = m.rows;
    out->cols = m.cols;
    if (csc) TRY(spread_columns(ctx, &m, path));
    if (coo || csc)
        LEAVE(order_by_row(ctx, out, &m, coo ? m.row.data : m.indices.data, coo ? m.indices.data : m.row.data, path));
    status = gpri_check_indptr(GPR_ERROR_FORMAT, prefix, m.indptr.data, true, m.indptr.count, m.rows, m.indices.count);
    if (status != GPR_OK) LEAVE(gpri_fail_prefix(status, "%s", path));
    out->indptr = m.indptr.data;
    out->indices = m.indices.data;
    out->values = m.data.data;
    m = (sparse){0};
done:
    gpri_free(ctx, shape.data);
    sparse_free(ctx, &m);
    return status;
}

/* The member that holds a dense matrix, without ".npy". */
static gpr_status dense_member(const gpri_npz *npz, char name[256], const char *path) {
    static const char *const usual[] = {"attr_matrix", "node_features", "features", "x", "X"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (gpri_npz_has(npz, usual[i])) {
            snprintf(name, 256, "%s", usual[i]);
            return GPR_OK;
        }
    if (gpri_npz_count(npz) != 1)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: %lld arrays, and none is called features: expected a sparse matrix of scipy's save_npz, "
                         "or a single array",
                         path, (long long)gpri_npz_count(npz));
    snprintf(name, 256, "%s", gpri_npz_name(npz, 0));
    if (gpri_ends_with(name, ".npy")) name[strlen(name) - 4] = 0;
    return GPR_OK;
}

gpr_status gpri_read_npz_matrix(gpr_ctx *ctx, gpri_raw_features *out, const char *path) {
    gpr_status status = GPR_OK;
    gpri_npz *npz = NULL;
    gpri_array array = {0};
    char name[256];
    *out = (gpri_raw_features){0};
    TRY(gpri_npz_open(ctx, &npz, path));
    if (gpri_npz_has(npz, "attr_indptr")) {
        TRY(read_sparse(ctx, out, npz, "attr_", path));
    } else if (gpri_npz_has(npz, "shape") && (gpri_npz_has(npz, "indptr") || gpri_npz_has(npz, "row"))) {
        TRY(read_sparse(ctx, out, npz, "", path));
    } else {
        TRY(dense_member(npz, name, path));
        TRY(gpri_npz_read(npz, &array, name, GPRI_AS_FLOAT, -1));
        if (array.dims == 0) THROW(GPR_ERROR_FORMAT, "%s: member '%s' is a single number", path, name);
        TRY(gpri_budget_declared(ctx, path, "rows", array.shape[0], GPRI_NODE_BYTES, array.count)); /* (n, 0) */
        *out = (gpri_raw_features){.rows = array.shape[0], .cols = array.shape[1], .dense = array.data};
        array.data = NULL;
    }
done:
    gpri_npz_close(npz);
    gpri_free(ctx, array.data);
    if (status != GPR_OK) gpri_raw_features_free(ctx, out);
    return status;
}
