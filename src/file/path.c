/* Paths: what lies at one, and the name that it gives. */
#include "file/path.h"

#include <string.h>
#include <sys/stat.h>

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
