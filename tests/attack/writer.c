/* Writers of one file, for the test of the attacks: attack_writer HOW FILE. `right` is right; each of the others has
 * one fault that the attacks must find:
 *
 *     in-place     writes over the old file
 *     stdio        the same with fopen: calls that libc makes by itself
 *     no-sync      renames a temporary file without fsync of its bytes
 *     no-folder    renames it without fsync of the folder
 *     debris       leaves the temporary file of a killed call behind
 *     silent       ignores that a write fails
 *     crash        crashes when a write fails
 *     two-files    replaces FILE/a and FILE/b one by one, as if they were independent
 *     right-tmp    right too: without a temporary name, through O_TMPFILE and linkat */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *how;

static int is(const char *name) { return strcmp(how, name) == 0; }

static _Noreturn void fail(const char *path) {
    fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
    exit(1);
}

/* 3000 bytes in three pieces; returns 0 on success. */
static int write_all(int fd) {
    char bytes[1000];
    for (int piece = 0; piece < 3; piece++) {
        memset(bytes, 'a' + piece, sizeof bytes);
        for (size_t at = 0; at < sizeof bytes;) {
            const ssize_t got = write(fd, bytes + at, sizeof bytes - at);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0 && is("crash")) abort();
            if (got < 0 && is("silent")) break;
            if (got < 0) return -1;
            at += (size_t)got;
        }
    }
    return 0;
}

static void sync_folder(const char *folder, const char *path) {
    const int fd = open(folder, O_RDONLY | O_DIRECTORY);
    if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL)) fail(path);
    close(fd);
}

/* The name of the temporary file is always the same, so the next call replaces it. */
static void replace(const char *folder, const char *path) {
    char name[4096];
    snprintf(name, sizeof name, is("debris") ? "%s.tmp%d" : "%s.tmp", path, (int)getpid());
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0) fail(path);
    if (write_all(fd) != 0 || (!is("no-sync") && fsync(fd) != 0 && errno != EINVAL) || close(fd) != 0 ||
        rename(name, path) != 0) {
        const int error = errno;
        unlink(name);
        errno = error;
        fail(path);
    }
    if (!is("no-folder")) sync_folder(folder, path);
}

static void overwrite(const char *path) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || write_all(fd) != 0 || (fsync(fd) != 0 && errno != EINVAL) || close(fd) != 0) fail(path);
    sync_folder(".", path);
}

static void print(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) fail(path);
    for (int i = 0; i < 3000; i++) fputc('a' + i / 1000, file);
    if (fflush(file) != 0 || (fsync(fileno(file)) != 0 && errno != EINVAL) || fclose(file) != 0) fail(path);
    sync_folder(".", path);
}

/* A file that gets its first name when it is whole. It cannot replace, so a second name is renamed. */
static void link_unnamed(const char *path) {
    char name[4096], own[64];
    const int fd = open(".", O_WRONLY | O_TMPFILE, 0666);
    if (fd < 0) {
        replace(".", path);
        return;
    }
    snprintf(name, sizeof name, "%s.tmp", path);
    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    unlink(name); /* of a killed call */
    if (write_all(fd) != 0 || (fsync(fd) != 0 && errno != EINVAL) ||
        linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0)
        fail(path);
    if (close(fd) != 0 || rename(name, path) != 0) {
        const int error = errno;
        unlink(name);
        errno = error;
        fail(path);
    }
    sync_folder(".", path);
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    how = arguments[1];
    const char *path = arguments[2];
    char name[4096];
    if (is("in-place")) overwrite(path);
    else if (is("stdio")) print(path);
    else if (is("right-tmp")) link_unnamed(path);
    else if (is("two-files")) {
        if (mkdir(path, 0777) != 0 && errno != EEXIST) fail(path);
        sync_folder(".", path);
        for (const char *each = "ab"; *each; each++) {
            snprintf(name, sizeof name, "%s/%c", path, *each);
            replace(path, name);
        }
    } else replace(".", path);
    return 0;
}
