/* Paths: what lies at one, and the name that it gives. */
#include "file/path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

bool gpri_is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

bool gpri_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool gpri_name_ends(const char *path, const char *ending) {
    size_t size = strlen(path);
    const size_t tail = strlen(ending);
    if (size > 3 && strcmp(path + size - 3, ".gz") == 0) size -= 3;
    return size > tail && strncmp(path + size - tail, ending, tail) == 0;
}

/* [*first, *end) is the last part of the path, without slashes after it. */
static void last_part(const char *path, size_t *first, size_t *end) {
    *end = strlen(path);
    while (*end > 1 && path[*end - 1] == '/') --*end;
    *first = *end;
    while (*first > 0 && path[*first - 1] != '/') --*first;
}

gpr_status gpri_path_name(gpr_ctx *ctx, char **out, const char *path) {
    size_t first, end;
    last_part(path, &first, &end);
    gpr_status status = gpri_alloc(ctx, out, (int64_t)(end - first) + 1, 1, "text");
    if (status != GPR_OK) return status;
    memcpy(*out, path + first, end - first);
    (*out)[end - first] = 0;
    return GPR_OK;
}

gpr_status gpri_path_stem(gpr_ctx *ctx, char **out, const char *path) {
    gpr_status status = gpri_path_name(ctx, out, path);
    if (status != GPR_OK) return status;
    const size_t size = strlen(*out);
    if (size > 3 && strcmp(*out + size - 3, ".gz") == 0) (*out)[size - 3] = 0;
    char *dot = strrchr(*out, '.');
    if (dot && dot > *out) *dot = 0;
    return GPR_OK;
}

#define MOST_LINKS 40    /* as in the kernel */
#define PROC_TYPE 0x9fa0 /* of statfs */

/* The links of /proc lead to open files. Their text need not be the name of a file. */
static bool is_in_proc(const char *link) {
    struct statfs info;
    char folder[PATH_MAX];
    const char *slash = strrchr(link, '/');
    if (!slash || slash == link) return false;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - link), link);
    return statfs(folder, &info) == 0 && info.f_type == PROC_TYPE;
}

gpr_status gpri_follow_links(char *out, size_t size, const char *path) {
    char target[PATH_MAX];
    int code = strlen(path) < size ? 0 : ENAMETOOLONG;
    if (code == 0) strcpy(out, path);
    for (int links = 0; code == 0; links++) {
        const ssize_t length = readlink(out, target, sizeof target - 1);
        if (length < 0) return GPR_OK; /* no link, or nothing there */
        if (is_in_proc(out))
            return gpri_fail(GPR_ERROR_IO, "cannot write %s: it is an open file, not the name of one", path);
        target[length] = 0;
        const char *slash = strrchr(out, '/');
        const size_t folder = target[0] != '/' && slash ? (size_t)(slash - out) + 1 : 0;
        if (links >= MOST_LINKS) code = ELOOP;
        else if (folder + (size_t)length >= size) code = ENAMETOOLONG;
        else memcpy(out + folder, target, (size_t)length + 1);
    }
    return gpri_fail(GPR_ERROR_IO, "cannot write %s: %s", path, strerror(code));
}
