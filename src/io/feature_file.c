/* Features from a file of their own: .npy, .npz, svmlight, or a table of numbers. */
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/text.h"
#include "file/path.h"
#include "io/feature_file.h"
#include "io/numpy/npy.h"
#include "io/numpy/npz_dataset.h"
#include "io/text/delimited.h"
#include "io/text/svmlight.h"

/* ---- .npy ----------------------------------------------------------------------------------------- */

static gpr_status read_npy_matrix(gpr_ctx *ctx, gpri_raw_features *out, const char *path) {
    gpri_array array;
    *out = (gpri_raw_features){0};
    NEED(gpri_npy_file_read(ctx, &array, path, GPRI_AS_FLOAT, -1));
    if (array.dims == 0) {
        gpri_free(ctx, array.data);
        return gpri_fail(GPR_ERROR_FORMAT, "%s: the array is a single number: expected one row per node", path);
    }
    *out = (gpri_raw_features){.rows = array.shape[0], .cols = array.shape[1], .dense = array.data};
    gpr_status status =
        gpri_budget_declared(ctx, path, "rows", out->rows, GPRI_NODE_BYTES, array.count); /* (n, 0) has no byte */
    if (status != GPR_OK) gpri_raw_features_free(ctx, out);
    return status;
}

/* ---- A table of numbers --------------------------------------------------------------------------- */

static gpr_status take_header(gpr_ctx *ctx, gpri_raw_features *out, const gpri_delimited *table) {
    const gpri_field *header = gpri_delimited_header(table);
    const int64_t count = gpri_delimited_columns(table);
    int64_t end = 0;
    if (!header) return GPR_OK;
    for (int64_t j = 0; j < count; j++) end += header[j].size + 1;
    NEED(gpri_alloc(ctx, &out->names.start, count + 1, sizeof *out->names.start, "names"));
    NEED(gpri_alloc(ctx, &out->names.bytes, end, 1, "names"));
    out->names.count = count;
    end = 0;
    for (int64_t j = 0; j < count; j++) {
        out->names.start[j] = end;
        memcpy(out->names.bytes + end, header[j].text, (size_t)header[j].size);
        end += header[j].size;
        out->names.bytes[end++] = 0;
    }
    out->names.start[count] = end;
    return GPR_OK;
}

gpr_status gpri_read_number_table(gpr_ctx *ctx, gpri_raw_features *out, const char *path, gpri_header header) {
    const gpri_delimited_options form = {.header = header};
    gpr_status status = GPR_OK;
    gpri_delimited *table = NULL;
    const gpri_field *fields;
    int64_t count, capacity = 0;
    *out = (gpri_raw_features){0};
    TRY(gpri_delimited_open(ctx, &table, path, &form));
    TRY(take_header(ctx, out, table));
    out->cols = gpri_delimited_columns(table);
    for (;;) {
        TRY(gpri_delimited_next(table, &fields, &count));
        if (count == 0) break;
        TRY(gpri_grow(ctx, &out->dense, &capacity, (out->rows + 1) * count, sizeof *out->dense, "features"));
        for (int64_t j = 0; j < count; j++) {
            double value;
            if (!gpri_span_real(fields[j].text, fields[j].size, &value) || !isfinite((float)value)) {
                const bool pair = memchr(fields[j].text, ':', (size_t)fields[j].size) != NULL;
                LEAVE(gpri_delimited_fail(table, "column %lld is '%.*s': expected a finite number%s", (long long)j + 1,
                                          GPRI_FIELD(fields[j]),
                                          pair ? " (the name of an svmlight file must end in .svm)" : ""));
            }
            out->dense[out->rows * count + j] = (float)value;
        }
        out->rows++;
    }
    if (out->rows == 0) THROW(GPR_ERROR_FORMAT, "%s: no row: expected numbers, one row per node", path);
done:
    gpri_delimited_close(table);
    if (status != GPR_OK) gpri_raw_features_free(ctx, out);
    return status;
}

/* ---- Any of them ---------------------------------------------------------------------------------- */

gpr_status gpri_read_features(gpr_ctx *ctx, gpri_raw_features *out, gpri_label_texts *labels, bool *labelled,
                              const char *path, int64_t columns) {
    gpri_head head;
    *labelled = false;
    gpri_head_init(&head, path);
    if (gpri_head_begins(&head, "\x93NUMPY", 6) || gpri_name_ends(path, ".npy")) return read_npy_matrix(ctx, out, path);
    if (gpri_head_begins(&head, "PK", 2) || gpri_name_ends(path, ".npz")) return gpri_read_npz_matrix(ctx, out, path);
    if (gpri_name_ends(path, ".svm") || gpri_name_ends(path, ".svmlight") || gpri_name_ends(path, ".libsvm"))
        return gpri_read_svmlight(ctx, out, labels, labelled, path, columns);
    return gpri_read_number_table(ctx, out, path, GPRI_HEADER_AUTO);
}
