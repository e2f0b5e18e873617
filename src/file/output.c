/* Files that appear whole or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"
#include "file/temporary.h"

gpr_status gpri_output_open(gpri_output *out, const char *path) {
    struct stat info;
    out->temporary[0] = out->path[0] = 0;
    out->fd = -1;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) /* a rename would replace a device, such as /dev/null */
        return gpri_fail(GPR_ERROR_IO, "cannot write %s: it is %s", path,
                         S_ISDIR(info.st_mode) ? "a folder" : "not a regular file");
    if (strlen(path) + 16 > sizeof out->path) {
        errno = ENAMETOOLONG;
        return gpri_write_failed(path);
    }
    strcpy(out->path, path);
    out->fd = gpri_temporary_create(out->temporary, sizeof out->temporary, path);
    if (out->fd >= 0) return GPR_OK;
    out->temporary[0] = 0;
    return gpri_write_failed(path);
}

gpr_status gpri_output_write(gpri_output *out, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t written = write(out->fd, at, size > 1 << 30 ? 1 << 30 : size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return gpri_write_failed(out->path);
        at += written;
        size -= (size_t)written;
    }
    return GPR_OK;
}

gpr_status gpri_output_write_at(gpri_output *out, const void *bytes, size_t size, int64_t offset) {
    return gpri_write_at(out->fd, out->path, bytes, size, offset);
}

gpr_status gpri_output_read(const gpri_output *out, void *bytes, int64_t size, int64_t offset) {
    return gpri_read_at(out->fd, out->path, bytes, size, offset);
}

void gpri_sync_folder_of(const char *path) {
    char *copy = strdup(path);
    if (!copy) return;
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY);
    if (fd >= 0) {
        (void)fsync(fd); /* not all file systems can; the file itself is synced */
        close(fd);
    }
    free(copy);
}

gpr_status gpri_output_commit(gpri_output *out) {
    gpr_status status = GPR_OK;
    if (fsync(out->fd) != 0 && errno != EINVAL && errno != EROFS) {
        status = gpri_write_failed(out->path);
        goto done;
    }
    int fd = out->fd;
    out->fd = -1;
    if (close(fd) != 0 || rename(out->temporary, out->path) != 0) {
        status = gpri_write_failed(out->path);
        goto done;
    }
    gpri_sync_folder_of(out->path);
    out->temporary[0] = 0; /* nothing left to remove */
done:
    gpri_output_abandon(out);
    return status;
}

void gpri_output_abandon(gpri_output *out) {
    if (out->temporary[0]) {
        if (out->fd >= 0) close(out->fd);
        unlink(out->temporary);
    }
    out->temporary[0] = 0;
    out->fd = -1;
}
