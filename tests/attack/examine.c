/* What a system call is about: its paths and files, seen from outside through /proc and the memory of the program. */
#include "examine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>

static void read_text(pid_t thread, uint64_t at, char *to) {
    to[0] = 0;
    for (size_t size = 0; size + 1 < PATH_MAX;) { /* page by page: the text may end before a hole */
        size_t piece = 4096 - (at + size) % 4096;
        if (piece > PATH_MAX - 1 - size) piece = PATH_MAX - 1 - size;
        struct iovec here = {to + size, piece}, there = {(void *)(uintptr_t)(at + size), piece};
        const ssize_t got = process_vm_readv(thread, &here, 1, &there, 1, 0);
        if (got <= 0) break;
        const char *end = memchr(to + size, 0, (size_t)got);
        size += (size_t)got;
        to[size] = 0;
        if (end) return;
    }
}

static void link_of(pid_t thread, const char *what, char *to) {
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/%s", (int)thread, what);
    const ssize_t size = readlink(name, to, PATH_MAX - 1);
    to[size > 0 ? size : 0] = 0;
}

static void path_of_fd(pid_t thread, int fd, char *to) {
    char what[32];
    snprintf(what, sizeof what, "fd/%d", fd);
    link_of(thread, what, to);
    char *gone = strstr(to, " (deleted)");
    if (gone) *gone = 0;
}

/* "a//b/./c" becomes "a/b/c". */
static void tidy(char *path) {
    char *to = path;
    for (const char *from = path; *from;) {
        if (from[0] == '/' && from[1] == '/') from++;
        else if (from[0] == '/' && from[1] == '.' && (from[2] == '/' || !from[2])) from += 2;
        else *to++ = *from++;
    }
    *to = 0;
    if (to > path + 1 && to[-1] == '/') to[-1] = 0;
}

static void absolute_path(const running_call *c, int folder, int path, char *to) {
    char name[PATH_MAX], base[PATH_MAX];
    read_text(c->thread, c->args[path], name);
    if (strncmp(name, "/proc/self/fd/", 14) == 0) { /* how a file without a name is linked */
        path_of_fd(c->thread, atoi(name + 14), to);
        return;
    }
    if (name[0] == '/') base[0] = 0;
    else if (folder < 0 || (int)c->args[folder] == AT_FDCWD) link_of(c->thread, "cwd", base);
    else path_of_fd(c->thread, (int)c->args[folder], base);
    if (snprintf(to, PATH_MAX, "%s%s%s", base, name[0] == '/' || !name[0] ? "" : "/", name) >= PATH_MAX) to[0] = 0;
    tidy(to);
}

static bool below(const char *path, const char *root) {
    const size_t size = strlen(root);
    return strncmp(path, root, size) == 0 && (path[size] == '/' || path[size] == 0);
}

uint64_t inode_of(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 ? (uint64_t)info.st_ino : 0;
}

uint64_t inode_of_fd(pid_t thread, int fd) {
    char name[64];
    struct stat info;
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)thread, fd);
    return stat(name, &info) == 0 ? (uint64_t)info.st_ino : 0;
}

/* Where the next write of an open file goes, and how it was opened. */
static void look_at_fd(pid_t thread, int fd, int64_t *position, long *flags) {
    char name[64], line[128];
    long long at = 0;
    *flags = O_RDONLY;
    snprintf(name, sizeof name, "/proc/%d/fdinfo/%d", (int)thread, fd);
    FILE *file = fopen(name, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "pos: %lld", &at) == 1) continue;
        if (strncmp(line, "flags:", 6) == 0) *flags = strtol(line + 6, NULL, 8);
    }
    if (file) fclose(file);
    *position = at;
    struct stat info;
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)thread, fd);
    if ((*flags & O_APPEND) && stat(name, &info) == 0) *position = info.st_size;
}

bool is(const running_call *c, const char *name) { return strcmp(c->call->name, name) == 0; }

bool has_bytes(const running_call *c) {
    return c->call->count >= 0 || strstr(c->call->name, "writev") || is(c, "copy_file_range") || is(c, "sendfile") ||
           is(c, "splice");
}

bool examine(running_call *c, const char *root) {
    const changing_call *call = c->call;
    c->path[0] = c->path2[0] = 0;
    if (call->fd >= 0) {
        const int fd = (int)c->args[call->fd];
        long flags;
        if (fd < 0) return false;
        path_of_fd(c->thread, fd, c->path);
        if (!below(c->path, root)) return false;
        look_at_fd(c->thread, fd, &c->position, &flags);
        c->inode = inode_of_fd(c->thread, fd);
        if (strncmp(call->name, "pwrite", 6) == 0) c->position = (int64_t)c->args[3];
        if (is(c, "close")) return (flags & O_ACCMODE) != O_RDONLY;
        if (is(c, "mmap"))
            return (c->args[2] & PROT_WRITE) && (c->args[3] & MAP_TYPE) != MAP_PRIVATE && !(c->args[3] & MAP_ANONYMOUS);
        return true;
    }
    if (call->path < 0) { /* sync: everywhere */
        strcpy(c->path, root);
        return true;
    }
    absolute_path(c, call->folder, call->path, c->path);
    if (call->path2 >= 0) absolute_path(c, call->folder2, call->path2, c->path2);
    if (!below(c->path, root) && !below(c->path2, root)) return false;
    c->inode = inode_of(c->path);
    if (is(c, "linkat")) { /* a file that has no name yet */
        char name[PATH_MAX];
        read_text(c->thread, c->args[1], name);
        if (strncmp(name, "/proc/self/fd/", 14) == 0) c->inode = inode_of_fd(c->thread, atoi(name + 14));
        else if (!name[0]) c->inode = inode_of_fd(c->thread, (int)c->args[0]);
    }
    c->existed = c->inode != 0;
    if (call->flags < 0) return true;
    const uint64_t flags = c->args[call->flags];
    return (flags & (O_CREAT | O_TRUNC | O_DIRECTORY)) || (flags & O_TMPFILE) == O_TMPFILE;
}
