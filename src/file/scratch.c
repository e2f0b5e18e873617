/* Files without a name, for data that does not fit into memory. */
#include <unistd.h>

#include "file/file.h"
#include "file/temporary.h"

gpr_status gpri_scratch_open(gpri_scratch *out, const char *path) {
    char name[GPRI_LONGEST_PATH];
    gpri_temporary_sweep(path);
    *out = (gpri_scratch){.fd = gpri_temporary_open(name, path, 0600), .path = path};
    if (out->fd < 0) return gpri_write_failed(path);
    if (name[0]) unlink(name);
    return GPR_OK;
}

gpr_status gpri_scratch_reserve(gpri_scratch *scratch, int64_t bytes, const char *what) {
    return gpri_reserve(scratch->fd, scratch->path, bytes, what, "in a temporary file beside",
                        "choose a folder on another disk");
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
