/* Whole files read into memory, and written; folders for results. */
#include "file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/temporary.h"

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
    if (*fd < 0 || fstat(*fd, &info) != 0) LEAVE(gpri_fail_errno("read", path));
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
    const int64_t got = gpri_read_some(fd, *out, all, 0);
    if (got < 0) LEAVE(gpri_fail_errno("read", path));
    (*out)[got] = 0;
    *size = got;
done:
    if (fd >= 0) close(fd);
    if (status != GPR_OK) {
        gpri_free(ctx, *out);
        *out = NULL;
    }
    return status;
}

gpr_status gpri_make_folders(const char *dir, bool *made) {
    char path[GPRI_LONGEST_PATH];
    struct stat info;
    bool last = false;
    gpr_status status = GPR_OK;
    if (snprintf(path, sizeof path, "%s/", dir) >= (int)sizeof path)
        return gpri_fail(GPR_ERROR_IO, "the name of the folder %s is too long", dir);
    for (char *slash = strchr(path + 1, '/'); slash && status == GPR_OK; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        last = mkdir(path, 0777) == 0;
        const int why = errno;
        if (last) {
            status = gpri_sync_folder_of(path);
        } else if (why != EEXIST && stat(path, &info) != 0) { /* a folder above may not let us look */
            errno = why; /* not that of stat, which only says that it is not there */
            gpri_fail_errno("make the folder", path);
            status = GPR_ERROR_IO;
        }
        *slash = '/';
    }
    if (made) *made = last;
    return status;
}

gpr_status gpr_check_output_dir(const char *dir) {
    char probe[GPRI_LONGEST_PATH], name[GPRI_LONGEST_PATH];
    if (!dir || !*dir) return gpri_fail(GPR_ERROR_ARGUMENT, "the output folder has no name");
    if (snprintf(probe, sizeof probe, "%s/probe", dir) >= (int)sizeof probe)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the output folder's name is too long");
    NEED(gpri_make_folders(dir, NULL));
    gpri_temporary_sweep(probe);
    const int fd = gpri_temporary_open(name, probe, 0600);
    if (fd < 0) {
        gpri_fail_errno("write into the output folder", dir);
        return GPR_ERROR_IO;
    }
    if (name[0]) unlink(name);
    close(fd);
    return gpri_finish(GPR_OK);
}
