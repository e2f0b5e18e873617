/* Compares a file with the catalogue: its size and its SHA-256, or, where those are not known, the fingerprint of the
 * dataset in it. A file may be packed in many ways and hold the same dataset. */
#include "fetch/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/dataset.h"
#include "data/describe.h"
#include "file/sha256.h"
#include "io/numpy/npz_dataset.h"

static gpr_status compare_bytes(gpr_fetch_state *state, char why[GPRI_WHY], const gpri_catalogue_file *file, int fd,
                                int64_t size, const char *path) {
    char hex[GPRI_SHA256_HEX];
    if (file->bytes && size != file->bytes) {
        snprintf(why, GPRI_WHY, "it has %lld bytes, not %lld", (long long)size, (long long)file->bytes);
        return GPR_OK;
    }
    NEED(gpri_sha256_file(hex, fd, path));
    if (strcmp(hex, file->sha256) == 0) *state = GPR_FETCH_CORRECT;
    else snprintf(why, GPRI_WHY, "its SHA-256 is %s, not %s", hex, file->sha256);
    return GPR_OK;
}

static gpr_status compare_content(gpr_ctx *ctx, gpr_fetch_state *state, char why[GPRI_WHY],
                                  const gpri_catalogue_entry *set, const char *path) {
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    gpr_dataset *data;
    gpr_status status = gpri_read_npz(ctx, &data, path);
    if (status == GPR_ERROR_MEMORY || status == GPR_ERROR_IO || status == GPR_ERROR_STOPPED) return status;
    if (status < 0) {
        snprintf(why, GPRI_WHY, "it is not a dataset: %s", gpr_last_error());
        return GPR_OK;
    }
    gpri_fingerprint(fingerprint, data);
    gpr_dataset_free(data);
    *state = strcmp(fingerprint, set->fingerprint) == 0 ? GPR_FETCH_CORRECT : GPR_FETCH_OTHER;
    if (*state == GPR_FETCH_OTHER)
        snprintf(why, GPRI_WHY, "its fingerprint is %s, not %s", fingerprint, set->fingerprint);
    return GPR_OK;
}

gpr_status gpri_fetched_file(gpr_ctx *ctx, gpr_fetch_state *state, char why[GPRI_WHY], const gpri_catalogue_entry *set,
                             const gpri_catalogue_file *file, const char *path) {
    gpr_status status = GPR_OK;
    struct stat info;
    *state = GPR_FETCH_MISSING;
    why[0] = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) return GPR_OK;
    if (fd < 0 || fstat(fd, &info) != 0) {
        status = gpri_fail_errno("read", path);
    } else {
        *state = GPR_FETCH_DAMAGED;
        if (!S_ISREG(info.st_mode)) snprintf(why, GPRI_WHY, "it is not a regular file");
        else if (info.st_size == 0) snprintf(why, GPRI_WHY, "it is empty");
        else if (file->sha256) status = compare_bytes(state, why, file, fd, (int64_t)info.st_size, path);
        else status = compare_content(ctx, state, why, set, path);
    }
    if (fd >= 0) close(fd);
    return status;
}
