/* Files that appear whole or not at all, files without a name, and whole files read into memory. */
#include "file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static gpr_status write_failed(const char *path) {
    gpr_status status = gpri_fail_errno("write", path);
    return status == GPR_ERROR_NOT_FOUND ? GPR_ERROR_IO : status;
}

/* Like mkstemp, but with the usual access rights: mkstemp's files are private, and a thread cannot ask for the umask
   without changing it for all threads. */
static int create_temporary(char *name, size_t size, const char *path) {
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        unsigned number = (unsigned)now.tv_nsec * 2654435761u + (unsigned)getpid() + attempt;
        snprintf(name, size, "%s.tmp%06x", path, number & 0xffffff);
        int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

gpr_status gpri_output_open(gpri_output *out, const char *path) {
    struct stat info;
    out->temporary[0] = out->path[0] = 0;
    out->fd = -1;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) /* a rename would replace a device, such as /dev/null */
        return gpri_fail(GPR_ERROR_IO, "cannot write %s: it is %s", path,
                         S_ISDIR(info.st_mode) ? "a folder" : "not a regular file");
    if (strlen(path) + 16 > sizeof out->path) {
        errno = ENAMETOOLONG;
        return write_failed(path);
    }
    strcpy(out->path, path);
    out->fd = create_temporary(out->temporary, sizeof out->temporary, path);
    if (out->fd >= 0) return GPR_OK;
    out->temporary[0] = 0;
    return write_failed(path);
}

gpr_status gpri_output_write(gpri_output *out, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t written = write(out->fd, at, size > 1 << 30 ? 1 << 30 : size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return write_failed(out->path);
        at += written;
        size -= (size_t)written;
    }
    return GPR_OK;
}

static gpr_status write_at(int fd, const char *path, const void *bytes, size_t size, int64_t offset) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t written = pwrite(fd, at, size > 1 << 30 ? 1 << 30 : size, offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return write_failed(path);
        at += written;
        offset += written;
        size -= (size_t)written;
    }
    return GPR_OK;
}

/* Reads from a temporary file beside path. */
static gpr_status read_at(int fd, const char *path, void *bytes, int64_t size, int64_t offset) {
    char *at = bytes;
    while (size > 0) {
        ssize_t got = pread(fd, at, size > 1 << 30 ? 1 << 30 : (size_t)size, offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return gpri_fail_errno("read a temporary file beside", path);
        if (got == 0) return gpri_fail(GPR_ERROR_IO, "a temporary file beside %s was cut short", path);
        at += got;
        offset += got;
        size -= got;
    }
    return GPR_OK;
}

gpr_status gpri_output_write_at(gpri_output *out, const void *bytes, size_t size, int64_t offset) {
    return write_at(out->fd, out->path, bytes, size, offset);
}

gpr_status gpri_output_read(const gpri_output *out, void *bytes, int64_t size, int64_t offset) {
    return read_at(out->fd, out->path, bytes, size, offset);
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
        status = write_failed(out->path);
        goto done;
    }
    int fd = out->fd;
    out->fd = -1;
    if (close(fd) != 0 || rename(out->temporary, out->path) != 0) {
        status = write_failed(out->path);
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

gpr_status gpri_scratch_open(gpr_ctx *ctx, gpri_scratch *out, const char *path) {
    gpr_status status = GPR_OK;
    char *name = NULL;
    const size_t size = strlen(path) + 16;
    *out = (gpri_scratch){.fd = -1, .path = path};
    TRY(gpri_alloc(ctx, &name, (int64_t)size, 1, "file name"));
    out->fd = create_temporary(name, size, path);
    if (out->fd < 0) status = write_failed(path);
    else unlink(name);
done:
    gpri_free(ctx, name);
    return status;
}

gpr_status gpri_scratch_write(gpri_scratch *scratch, const void *bytes, int64_t size, int64_t offset) {
    gpr_status status = write_at(scratch->fd, scratch->path, bytes, (size_t)size, offset);
    return status == GPR_OK ? GPR_OK : gpri_fail_prefix(status, "a temporary file beside the output");
}

gpr_status gpri_scratch_read(const gpri_scratch *scratch, void *bytes, int64_t size, int64_t offset) {
    return read_at(scratch->fd, scratch->path, bytes, size, offset);
}

void gpri_scratch_close(gpri_scratch *scratch) {
    if (scratch->fd >= 0) close(scratch->fd);
    scratch->fd = -1;
}

gpr_status gpri_write_whole(const char *path, const void *bytes, size_t size) {
    gpri_output out;
    gpr_status status = gpri_output_open(&out, path);
    if (status != GPR_OK) return status;
    TRY(gpri_output_write(&out, bytes, size));
    return gpri_output_commit(&out);
done:
    gpri_output_abandon(&out);
    return status;
}

gpr_status gpr_write_file(const char *path, const void *bytes, size_t size) {
    if (!path || (!bytes && size)) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_write_file: a NULL argument");
    return gpri_finish(gpri_write_whole(path, bytes, size));
}

gpr_status gpri_open_regular(int *fd, int64_t *size, const char *path, const char *expected) {
    gpr_status status = GPR_OK;
    struct stat info;
    *size = 0;
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0 || fstat(*fd, &info) != 0) {
        status = gpri_fail_errno("read", path);
        goto done;
    }
    if (S_ISDIR(info.st_mode)) THROW(GPR_ERROR_FORMAT, "%s is a folder: expected %s", path, expected);
    if (!S_ISREG(info.st_mode)) THROW(GPR_ERROR_FORMAT, "%s is not a regular file: expected %s", path, expected);
    *size = (int64_t)info.st_size;
done:
    if (status != GPR_OK && *fd >= 0) {
        close(*fd);
        *fd = -1;
    }
    return status;
}

gpr_status gpri_read_whole(gpr_ctx *ctx, char **out, int64_t *size, const char *path, int64_t limit) {
    gpr_status status = GPR_OK;
    int64_t all;
    int fd;
    *out = NULL;
    *size = 0;
    TRY(gpri_open_regular(&fd, &all, path, "a file"));
    if (all > limit)
        THROW(GPR_ERROR_FORMAT, "%s has %lld bytes: more than the %lld that such a file may have", path, (long long)all,
              (long long)limit);
    TRY(gpri_alloc(ctx, out, all + 1, 1, path));
    while (*size < all) {
        ssize_t got = read(fd, *out + *size, (size_t)(all - *size));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            status = gpri_fail_errno("read", path);
            goto done;
        }
        if (got == 0) break;
        *size += got;
    }
    (*out)[*size] = 0;
done:
    if (fd >= 0) close(fd);
    if (status != GPR_OK) {
        gpri_free(ctx, *out);
        *out = NULL;
    }
    return status;
}

gpr_status gpr_check_output_dir(const char *dir) {
    char probe[4096];
    if (!dir || !*dir) return gpri_fail(GPR_ERROR_ARGUMENT, "the output folder has no name");
    if (snprintf(probe, sizeof probe, "%s/.probeXXXXXX", dir) >= (int)sizeof probe)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the output folder's name is too long");
    for (char *slash = strchr(probe + 1, '/'); slash; slash = strchr(slash + 1, '/')) { /* its parents first */
        *slash = 0;
        if (mkdir(probe, 0777) != 0 && errno != EEXIST && errno != EISDIR) {
            gpri_fail_errno("make the output folder", dir);
            return GPR_ERROR_IO;
        }
        *slash = '/';
    }
    int fd = mkstemp(probe);
    if (fd < 0) {
        gpri_fail_errno("write into the output folder", dir);
        return GPR_ERROR_IO;
    }
    close(fd);
    unlink(probe);
    return gpri_finish(GPR_OK);
}
