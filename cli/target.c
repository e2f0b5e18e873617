/* Files and streams that a command writes its results to. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "signals.h"

bool is_stdout(const char *path) { return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0; }

static int cannot_write(const char *path) { return failed("cannot write %s: %s", path, strerror(errno)); }

/* A device or a pipe is written directly; renaming a temporary file would replace it. */
static bool is_special(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/* The number of an open file that `path` means, such as 3 for /dev/fd/3; -1 if it means none. Such a file is written
   where it stands, as standard output is: opening it by this name would begin at its start. */
static int open_file(const char *path) {
    int number, end = 0;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    if (sscanf(path, "/dev/fd/%9d%n", &number, &end) == 1 && number >= 0 && !path[end]) return number;
    if (sscanf(path, "/proc/self/fd/%9d%n", &number, &end) == 1 && number >= 0 && !path[end]) return number;
    return -1;
}

/* Everything before the last slash, "." without one. Owned by the caller; NULL: out of memory. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

int check_target(const char *path) {
    struct stat info;
    if (is_stdout(path)) return EXIT_OK;
    if (!*path) return failed("the output file has no name: give a path, or - for standard output");
    if (open_file(path) >= 0) {
        const int flags = fcntl(open_file(path), F_GETFL);
        if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) return EXIT_OK;
        errno = EBADF;
        return cannot_write(path);
    }
    if (is_special(path)) return access(path, W_OK) == 0 ? EXIT_OK : cannot_write(path);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return failed("cannot write %s: it is a folder", path);
    char *real = realpath(path, NULL); /* of a link it is the target's folder that counts */
    char *folder = folder_of(real ? real : path);
    free(real);
    if (!folder) return failed("out of memory");
    int code = EXIT_OK;
    if (stat(folder, &info) != 0) {
        code = cannot_write(path);
    } else if (!S_ISDIR(info.st_mode)) {
        errno = ENOTDIR;
        code = cannot_write(path);
    } else if (access(folder, W_OK | X_OK) != 0) {
        code = failed("cannot write %s: its folder permits no new files (%s)", path, strerror(errno));
    }
    free(folder);
    return code;
}

int open_target(cli_target *target, const char *path) {
    target->path = path;
    target->bytes = NULL;
    target->size = 0;
    target->stream = is_stdout(path) ? stdout : open_memstream(&target->bytes, &target->size);
    return target->stream ? EXIT_OK : failed("out of memory");
}

void drop_target(cli_target *target) {
    if (target->stream && target->stream != stdout) fclose(target->stream);
    target->stream = NULL;
    free(target->bytes);
    target->bytes = NULL;
}

static int write_special(const cli_target *target) {
    const int number = open_file(target->path), fd = number < 0 ? -1 : dup(number);
    FILE *file = number < 0 ? fopen(target->path, "w") : fd < 0 ? NULL : fdopen(fd, "w");
    if (!file) {
        const int code = cannot_write(target->path);
        if (fd >= 0) close(fd);
        return code;
    }
    size_t written = fwrite(target->bytes, 1, target->size, file);
    int code = written == target->size && fflush(file) == 0 ? EXIT_OK : cannot_write(target->path);
    if (fclose(file) != 0 && code == EXIT_OK) code = cannot_write(target->path);
    return code;
}

static int write_file(const cli_target *target) {
    catch_interrupts(); /* until the file is complete */
    gpr_status status = gpr_write_file(target->path, target->bytes, target->size);
    return status < 0 ? failed("%s", gpr_last_error()) : EXIT_OK;
}

int close_target(cli_target *target) {
    int code = EXIT_OK;
    if (target->stream != stdout) {
        bool whole = !ferror(target->stream);
        if (fclose(target->stream) != 0) whole = false;
        target->stream = NULL;
        if (!whole) code = failed("out of memory");
        else
            code =
                is_special(target->path) || open_file(target->path) >= 0 ? write_special(target) : write_file(target);
    }
    drop_target(target);
    return code;
}
