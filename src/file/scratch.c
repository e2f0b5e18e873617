/* Files without a name, for data that does not fit into memory. */
#include <string.h>
#include <unistd.h>

#include "file/file.h"
#include "file/temporary.h"

gpr_status gpri_scratch_open(gpr_ctx *ctx, gpri_scratch *out, const char *path) {
    gpr_status status = GPR_OK;
    char *name = NULL;
    const size_t size = strlen(path) + 16;
    *out = (gpri_scratch){.fd = -1, .path = path};
    TRY(gpri_alloc(ctx, &name, (int64_t)size, 1, "file name"));
    out->fd = gpri_temporary_create(name, size, path);
    if (out->fd < 0) status = gpri_write_failed(path);
    else unlink(name);
done:
    gpri_free(ctx, name);
    return status;
}

gpr_status gpri_scratch_write(gpri_scratch *scratch, const void *bytes, int64_t size, int64_t offset) {
    gpr_status status = gpri_write_at(scratch->fd, scratch->path, bytes, (size_t)size, offset);
    return status == GPR_OK ? GPR_OK : gpri_fail_prefix(status, "a temporary file beside the output");
}

gpr_status gpri_scratch_read(const gpri_scratch *scratch, void *bytes, int64_t size, int64_t offset) {
    return gpri_read_at(scratch->fd, scratch->path, bytes, size, offset);
}

void gpri_scratch_close(gpri_scratch *scratch) {
    if (scratch->fd >= 0) close(scratch->fd);
    scratch->fd = -1;
}
