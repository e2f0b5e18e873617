/* Paths: what lies at one, and the name that it gives. */
#include "file/path.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
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

gpr_status gpri_may_look(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) return errno == ENOENT || errno == ENOTDIR ? GPR_OK : gpri_fail_errno("read", path);
    if (S_ISDIR(info.st_mode) && access(path, R_OK | X_OK) != 0) return gpri_fail_errno("read the folder", path);
    return GPR_OK;
}

static bool ends(const char *path, size_t size, const char *ending) {
    const size_t tail = strlen(ending);
    return size > tail && strncmp(path + size - tail, ending, tail) == 0;
}

bool gpri_ends_with(const char *path, const char *ending) { return ends(path, strlen(path), ending); }

bool gpri_name_ends(const char *path, const char *ending) {
    return ends(path, strlen(path) - (gpri_ends_with(path, ".gz") ? 3 : 0), ending);
}

bool gpri_any_file(const char *path, const char *const *endings) {
    char name[PATH_MAX]; /* no longer path can be opened */
    for (; *endings; endings++)
        if (snprintf(name, sizeof name, "%s%s", path, *endings) < (int)sizeof name && gpri_is_file(name)) return true;
    return false;
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
    NEED(gpri_alloc(ctx, out, (int64_t)(end - first) + 1, 1, "text"));
    memcpy(*out, path + first, end - first);
    (*out)[end - first] = 0;
    return GPR_OK;
}

gpr_status gpri_path_stem(gpr_ctx *ctx, char **out, const char *path) {
    NEED(gpri_path_name(ctx, out, path));
    const size_t size = strlen(*out);
    if (size > 3 && strcmp(*out + size - 3, ".gz") == 0) (*out)[size - 3] = 0;
    char *dot = strrchr(*out, '.');
    if (dot && dot > *out) *dot = 0;
    return GPR_OK;
}

/* Words that say what a table has, and not what the data is about. */
static bool is_plain_word(const char *word, size_t size) {
    static const char *const plain[] = {"edges", "edge", "nodes", "node",   "links", "link",     "vertices", "graph",
                                        "e",     "n",    "table", "tables", "data",  "edgelist", "features", "labels"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strlen(plain[i]) == size && strncasecmp(plain[i], word, size) == 0) return true;
    return false;
}

/* Cuts plain words off both ends of a name. What is left may be empty: so it is where no letter would be left. */
static void cut_plain_words(char *name) {
    static const char marks[] = "_-. ";
    char *first = name;
    bool letters = false;
    for (size_t size; (size = strcspn(first, marks)) > 0 && is_plain_word(first, size);)
        first += size + (first[size] != 0);
    char *end = first + strlen(first), *last;
    do {
        for (last = end; last > first && !strchr(marks, last[-1]);) last--;
        if (!is_plain_word(last, (size_t)(end - last))) break;
        end = last > first ? last - 1 : first;
    } while (end > first);
    for (const char *at = first; at < end; at++) letters = letters || isalpha((unsigned char)*at) || (*at & 0x80);
    if (!letters) end = first;
    memmove(name, first, (size_t)(end - first));
    name[end - first] = 0;
}

/* The name of the folder that the file is in; "" where there is none. */
static gpr_status folder_name(gpr_ctx *ctx, char **out, const char *path) {
    char whole[PATH_MAX];
    if (!realpath(path, whole)) *whole = 0;
    char *slash = strrchr(whole, '/');
    if (slash) *slash = 0;
    return gpri_path_name(ctx, out, whole);
}

gpr_status gpri_path_data_name(gpr_ctx *ctx, char **out, const char *edges, const char *nodes, bool several) {
    const char *const files[] = {nodes, several ? NULL : edges}, *const folder = nodes ? nodes : edges;
    *out = NULL;
    for (int i = 0; i < 2; i++) {
        if (!files[i]) continue;
        NEED(gpri_path_stem(ctx, out, files[i]));
        cut_plain_words(*out);
        if (**out) return GPR_OK;
        gpri_free(ctx, *out);
        *out = NULL;
    }
    if (folder) NEED(folder_name(ctx, out, folder));
    if (*out && **out) return GPR_OK;
    gpri_free(ctx, *out);
    *out = NULL;
    return gpri_strdup(ctx, out, "edges");
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

gpr_status gpri_look_for_csv(gpri_text *path, const char *folder, const char *name) {
    for (int packed = 1; packed >= 0; packed--) {
        gpri_text_free(path);
        gpri_text_add(path, "%s/%s.csv%s", folder, name, packed ? ".gz" : "");
        if (gpri_text_status(path) != GPR_OK) return gpri_text_status(path);
        if (gpri_is_file(path->bytes)) return GPR_OK;
    }
    gpri_text_free(path);
    return GPR_OK;
}

gpr_status gpri_find_csv(gpri_text *path, const char *folder, const char *name) {
    NEED(gpri_look_for_csv(path, folder, name));
    if (path->bytes) return GPR_OK;
    return gpri_fail(GPR_ERROR_NOT_FOUND, "%s: neither %s.csv.gz nor %s.csv is there", folder, name, name);
}
