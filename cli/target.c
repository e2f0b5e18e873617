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
    *target = (cli_target){.path = path};
    target->stream = is_stdout(path) ? stdout : open_memstream(&target->bytes, &target->size);
    return target->stream ? EXIT_OK : failed("out of memory");
}

void drop_target(cli_target *target) {
    if (target->stream && target->stream != stdout) fclose(target->stream);
    target->stream = NULL;
    free(target->bytes);
    target->bytes = NULL;
    gpr_file_free(target->file);
    target->file = NULL;
    if (target->special) fclose(target->special);
    target->special = NULL;
}

static bool is_written_directly(const char *path) { return is_special(path) || open_file(path) >= 0; }

static int write_special(cli_target *target) {
    if (!target->special) {
        const int number = open_file(target->path), fd = number < 0 ? -1 : dup(number);
        target->special = number < 0 ? fopen(target->path, "w") : fd < 0 ? NULL : fdopen(fd, "w");
        if (!target->special) {
            const int code = cannot_write(target->path);
            if (fd >= 0) close(fd);
            return code;
        }
    }
    const size_t written = fwrite(target->bytes, 1, target->size, target->special);
    return written == target->size && fflush(target->special) == 0 ? EXIT_OK : cannot_write(target->path);
}

static int close_special(cli_target *target) {
    FILE *file = target->special;
    target->special = NULL;
    return fclose(file) == 0 ? EXIT_OK : cannot_write(target->path);
}

/* Ends the text; it is in target->bytes then. */
static int end_text(cli_target *target) {
    bool whole = !ferror(target->stream);
    if (fclose(target->stream) != 0) whole = false;
    target->stream = NULL;
    return whole ? EXIT_OK : failed("out of memory");
}

int flush_target(cli_target *target, gpr_ctx *ctx) {
    gpr_status status = GPR_OK;
    if (target->stream == stdout) return EXIT_OK;
    int code = end_text(target);
    if (code == EXIT_OK && is_written_directly(target->path)) {
        code = write_special(target);
    } else if (code == EXIT_OK) {
        if (!target->file) status = gpr_file_new(ctx, &target->file, target->path);
        if (status >= 0) status = gpr_file_write(target->file, target->bytes, target->size);
        if (status < 0) code = failed("%s", gpr_last_error());
    }
    free(target->bytes);
    target->bytes = NULL;
    if (code != EXIT_OK) return code;
    target->stream = open_memstream(&target->bytes, &target->size);
    return target->stream ? EXIT_OK : failed("out of memory");
}

static int write_file(const cli_target *target) {
    catch_interrupts(); /* until the file is complete */
    gpr_status status;
    if (target->file) {
        status = gpr_file_write(target->file, target->bytes, target->size);
        if (status >= 0) status = gpr_file_commit(target->file);
    } else {
        status = gpr_write_file(target->path, target->bytes, target->size);
    }
    return status < 0 ? failed("%s", gpr_last_error()) : EXIT_OK;
}

int close_target(cli_target *target) {
    int code = EXIT_OK;
    if (target->stream != stdout) {
        code = target->stream ? end_text(target) : EXIT_FAILED;
        if (code == EXIT_OK && is_written_directly(target->path)) {
            code = write_special(target);
            if (code == EXIT_OK) code = close_special(target);
        } else if (code == EXIT_OK) {
            code = write_file(target);
        }
    }
    drop_target(target);
    return code;
}

int write_target(const char *path, const char *text) {
    cli_target target;
    const int code = open_target(&target, path);
    if (code != EXIT_OK) return code;
    fputs(text, target.stream);
    return close_target(&target);
}

char *scratch_path(const char *const *paths) {
    static const char name[] = "/gprgnn";
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder) {
        for (; *paths; paths++)
            if (!is_stdout(*paths) && !is_written_directly(*paths)) return strdup(*paths);
        folder = "/var/tmp";
    }
    const size_t size = strlen(folder) + sizeof name;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s%s", folder, name);
    return path;
}
