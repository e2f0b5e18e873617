/* Files that appear whole or not at all. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"
#include "file/path.h"
#include "file/temporary.h"

/* A file that could be written in place still needs a folder where a new one can be made beside it. */
static gpr_status open_failed(const char *path) {
    if (errno != EACCES) return gpri_write_failed(path);
    return gpri_fail(GPR_ERROR_IO,
                     "cannot write %s: its folder permits no new files (%s); a file is written beside the old one, and "
                     "then takes its place",
                     path, strerror(EACCES));
}

gpr_status gpri_output_open(gpri_output *out, const char *path) {
    struct stat info;
    out->temporary[0] = out->path[0] = 0;
    out->fd = -1;
    out->open = false;
    NEED(gpri_follow_links(out->path, sizeof out->path, path));
    const bool there = stat(out->path, &info) == 0;
    if (!there && errno != ENOENT) return gpri_write_failed(out->path);
    if (there && !S_ISREG(info.st_mode)) /* a rename would replace a device, such as /dev/null */
        return gpri_fail(GPR_ERROR_IO, "cannot write %s: it is %s", out->path,
                         S_ISDIR(info.st_mode) ? "a folder" : "not a regular file");
    if (!*out->path || out->path[strlen(out->path) - 1] == '/')
        return gpri_fail(GPR_ERROR_IO, "cannot write '%s': it does not end with the name of a file", out->path);
    gpri_temporary_sweep(out->path);
    out->fd = gpri_temporary_open(out->temporary, out->path, there ? 0600 : 0666);
    if (out->fd < 0) return open_failed(out->path);
    gpri_keep_rights(out->fd, out->path); /* now: what replaces a private file is private at every moment */
    out->open = true;
    return GPR_OK;
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

static gpr_status sync_file(const gpri_output *out) {
    if (fsync(out->fd) == 0 || errno == EINVAL || errno == EROFS) return GPR_OK; /* these: it cannot be synced */
    return gpri_write_failed(out->path);
}

/* For a file system that keeps files without a name but cannot give them one: copies the bytes to a file that has one.
 */
static gpr_status copy_to_name(gpri_output *out) {
    gpr_status status = GPR_OK;
    char block[1 << 16];
    int from = out->fd;
    const int64_t size = lseek(from, 0, SEEK_END);
    out->fd = gpri_temporary_create(out->temporary, out->path, 0600);
    if (out->fd < 0 || size < 0) LEAVE(gpri_write_failed(out->path));
    struct stat info;
    if (fstat(from, &info) == 0) (void)!fchmod(out->fd, info.st_mode & 0777);
    gpri_keep_rights(out->fd, out->path);
    for (int64_t at = 0; at < size; at += (int64_t)sizeof block) {
        const int64_t part = size - at < (int64_t)sizeof block ? size - at : (int64_t)sizeof block;
        TRY(gpri_read_at(from, out->path, block, part, at));
        TRY(gpri_write_at(out->fd, out->path, block, (size_t)part, at));
    }
    TRY(sync_file(out));
done:
    close(from);
    return status;
}

/* Gives the file its final name. */
static gpr_status put_in_place(gpri_output *out) {
    if (!out->temporary[0]) {
        if (gpri_temporary_link(out->fd, out->path) == 0) return GPR_OK;
        /* A link cannot replace a file, a rename can. */
        if (errno != EEXIST || gpri_temporary_name(out->fd, out->temporary, out->path) != 0) NEED(copy_to_name(out));
    }
    if (rename(out->temporary, out->path) != 0) return gpri_write_failed(out->path);
    out->temporary[0] = 0; /* nothing left to remove */
    return GPR_OK;
}

gpr_status gpri_output_commit(gpri_output *out) {
    gpr_status status = GPR_OK;
    TRY(sync_file(out));
    gpri_keep_rights(out->fd, out->path); /* again: they may have changed meanwhile */
    TRY(put_in_place(out));
    TRY(gpri_sync_folder_of(out->path));
done:
    gpri_output_abandon(out);
    return status;
}

void gpri_output_abandon(gpri_output *out) {
    if (out->open) {
        if (out->temporary[0]) unlink(out->temporary);
        if (out->fd >= 0) close(out->fd); /* last: it holds the lock */
    }
    out->temporary[0] = 0;
    out->fd = -1;
    out->open = false;
}

/* ---- gpr_file: a file that the caller writes piece by piece ---- */

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
