/* A file that the caller writes piece by piece: gpri_output behind a handle. */
#include "file/file.h"

struct gpr_file {
    gpr_ctx *ctx;
    gpri_output out;
};

gpr_status gpr_file_new(gpr_ctx *ctx, gpr_file **out, const char *path) {
    gpr_status status = GPR_OK;
    gpr_file *file = NULL;
    if (out) *out = NULL;
    if (!ctx || !out || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_file_new: a NULL argument");
    TRY(gpri_calloc(ctx, &file, 1, sizeof *file, "file"));
    file->ctx = ctx;
    TRY(gpri_output_open(&file->out, path));
    *out = file;
    file = NULL;
done:
    gpri_free(ctx, file);
    return gpri_finish(status);
}

gpr_status gpr_file_write(gpr_file *file, const void *bytes, size_t size) {
    if (!file || (!bytes && size)) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_file_write: a NULL argument");
    if (!file->out.open) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_file_write: the file is committed");
    return gpri_finish(gpri_output_write(&file->out, bytes, size));
}

gpr_status gpr_file_commit(gpr_file *file) {
    if (!file) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_file_commit: a NULL argument");
    if (!file->out.open) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_file_commit: the file is committed");
    return gpri_finish(gpri_output_commit(&file->out));
}

void gpr_file_free(gpr_file *file) {
    if (!file) return;
    gpri_output_abandon(&file->out);
    gpri_free(file->ctx, file);
}
