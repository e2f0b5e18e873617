/* Reading a file of kept runs, and adding lines to it. */
#include "study/kept_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { MOST_NAMED = 3 };                /* damaged lines that get a warning of their own */
#define LARGEST_TEXT ((int64_t)4 << 30) /* also of a small file that unpacks to much */

/* ---- order ---- */

static int compare(const gpri_kept_run *run, const char *key, uint64_t seed) {
    const int order = strcmp(run->key, key);
    return order != 0 ? order : (run->seed > seed) - (run->seed < seed);
}

static int by_key(const void *a, const void *b) {
    const gpri_kept_run *x = a, *y = b;
    const int order = compare(x, y->key, y->seed);
    return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

void gpri_kept_file_sort(gpri_kept_file *file) {
    if (file->count > 1) qsort(file->runs, (size_t)file->count, sizeof *file->runs, by_key);
    file->sorted = file->count;
}

/* A run may be kept several times, if a later study wanted more measures. */
const gpri_kept_run *gpri_kept_file_find(const gpri_kept_file *file, const char *key, uint64_t seed, int measures) {
    int64_t low = 0, high = file->sorted;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (compare(&file->runs[middle], key, seed) < 0) low = middle + 1;
        else high = middle;
    }
    for (; low < file->sorted && compare(&file->runs[low], key, seed) == 0; low++)
        if (gpri_kept_run_has(&file->runs[low], measures)) return &file->runs[low];
    for (int64_t i = file->sorted; i < file->count; i++)
        if (compare(&file->runs[i], key, seed) == 0 && gpri_kept_run_has(&file->runs[i], measures))
            return &file->runs[i];
    return NULL;
}

gpr_status gpri_kept_file_take(gpri_kept_file *file, gpri_kept_run *run) {
    gpr_status status =
        gpri_grow(file->ctx, &file->runs, &file->capacity, file->count + 1, sizeof *file->runs, "kept runs");
    if (status == GPR_OK) file->runs[file->count++] = *run;
    else gpri_kept_run_free(file->ctx, run);
    return status;
}

/* At the next place. */
static gpr_status keep(gpri_kept_file *file, gpri_kept_run *run) {
    run->place = file->count;
    return gpri_kept_file_take(file, run);
}

void gpri_kept_file_forget(gpri_kept_file *file, int64_t first) {
    int64_t left = 0;
    for (int64_t i = 0; i < file->count; i++)
        if (file->runs[i].place < first) file->runs[left++] = file->runs[i];
        else gpri_kept_run_free(file->ctx, &file->runs[i]);
    file->count = left;
    file->sorted = file->sorted < left ? file->sorted : left;
}

/* ---- reading ---- */

/* The text of a file, gzip or not, as zlib sees it. */
static gpr_status read_text(gpr_ctx *ctx, char **out, int64_t *size, int fd, const char *path) {
    gpr_status status = GPR_OK;
    int64_t room = 0;
    const int copy = dup(fd); /* gzclose closes it */
    gzFile in = copy >= 0 && lseek(copy, 0, SEEK_SET) == 0 ? gzdopen(copy, "rb") : NULL;
    *out = NULL;
    *size = 0;
    if (!in) {
        if (copy >= 0) close(copy);
        return gpri_fail_errno("read", path);
    }
    for (int got = 1; got > 0;) {
        TRY(gpri_grow(ctx, out, &room, *size + (1 << 16), 1, "kept runs"));
        got = gzread(in, *out + *size, 1 << 16);
        if (got > 0) *size += got;
        int code;
        const char *why = gzerror(in, &code);
        if (got < 0 || code == Z_BUF_ERROR)
            THROW(GPR_ERROR_FORMAT, "%s: cannot be unpacked: %s", path, code == Z_ERRNO ? strerror(errno) : why);
        if (*size > LARGEST_TEXT) THROW(GPR_ERROR_FORMAT, "%s: too large for a file of kept runs", path);
    }
done:
    gzclose(in);
    return status;
}

/* *whole: bytes up to the end of the last line that has an end. */
static gpr_status read_lines(gpri_kept_file *file, const char *path, const char *text, int64_t size, int64_t *whole) {
    gpr_status status = GPR_OK;
    int64_t number = 0, bad = 0;
    *whole = 0;
    for (int64_t at = 0; at < size; at = *whole) {
        const char *end = memchr(text + at, '\n', (size_t)(size - at));
        const char *why = NULL;
        gpri_kept_run run = {.failed = false};
        number++;
        if (!end) break; /* cut: the caller removes it */
        *whole = end - text + 1;
        if (end == text + at) continue;
        TRY(gpri_kept_run_read(file->ctx, &run, text + at, end - text - at, &why));
        if (!why) TRY(keep(file, &run));
        else if (++bad <= MOST_NAMED)
            gpri_log(file->ctx, GPR_LOG_WARNING, "%s:%lld: this line is left out: %s", path, (long long)number, why);
    }
    if (bad > MOST_NAMED)
        gpri_log(file->ctx, GPR_LOG_WARNING, "%s: %lld more lines are left out", path, (long long)(bad - MOST_NAMED));
done:
    return status;
}

gpr_status gpri_kept_file_include(gpri_kept_file *file, const char *path) {
    gpr_status status = GPR_OK;
    char *text = NULL;
    int64_t size, whole;
    int fd = -1;
    TRY(gpri_open_regular(&fd, &size, path, "a file of kept runs"));
    TRY(read_text(file->ctx, &text, &size, fd, path));
    TRY(read_lines(file, path, text, size, &whole));
    if (whole < size) gpri_log(file->ctx, GPR_LOG_WARNING, "%s: its last line is cut, and is left out", path);
    gpri_kept_file_sort(file);
done:
    gpri_free(file->ctx, text);
    if (fd >= 0) close(fd);
    return status;
}

/* ---- adding ---- */

static gpr_status lock(const gpri_kept_file *file) {
    int done;
    do done = flock(file->fd, LOCK_EX | LOCK_NB);
    while (done != 0 && errno == EINTR);
    if (done == 0 || errno != EWOULDBLOCK) return GPR_OK; /* or there are no locks */
    return gpri_fail(GPR_ERROR_IO, "%s is in use: another process adds runs to it; wait for it, or take another file",
                     file->path);
}

/* Whether the text from `whole` on is the beginning of a line that was written here. A few letters are enough where
   they are all there is. */
static bool is_ours(const gpri_kept_file *file, const char *text, int64_t whole, int64_t size) {
    static const char mark[] = "{\"key\":\"";
    const int64_t length = sizeof mark - 1, cut = size - whole;
    if (file->count > 0) return true;
    if (cut < length && whole > 0) return false;
    for (int64_t i = 0; i < length && i < cut; i++)
        if (text[whole + i] != mark[i] && text[whole + i] != 0)
            return false; /* 0: a power failure lost what was written */
    return true;
}

gpr_status gpri_kept_file_open(gpr_ctx *ctx, gpri_kept_file *out, const char *path) {
    gpr_status status = GPR_OK;
    char *text = NULL;
    int64_t size, whole;
    struct stat info;
    *out = (gpri_kept_file){.ctx = ctx, .fd = -1};
    if (!path) return GPR_OK;
    if (strlen(path) >= sizeof out->path) return gpri_fail(GPR_ERROR_ARGUMENT, "the name of the file is too long");
    strcpy(out->path, path);
    out->fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (out->fd < 0) return gpri_fail_errno("open", path);
    TRY(lock(out)); /* before anything is asked of the file: until then another process may add to it */
    if (fstat(out->fd, &info) != 0 || !S_ISREG(info.st_mode))
        THROW(GPR_ERROR_ARGUMENT, "%s is not a regular file: kept runs are added to one", path);
    TRY(gpri_sync_folder_of(path));
    TRY(read_text(ctx, &text, &size, out->fd, path));
    if (size > 0 && info.st_size != size)
        THROW(GPR_ERROR_ARGUMENT, "%s is packed: unpack it first, so that runs can be added", path);
    TRY(read_lines(out, path, text, size, &whole));
    if (whole < size && !is_ours(out, text, whole, size))
        THROW(GPR_ERROR_MISMATCH,
              "%s is no file of kept runs, and its last line has no end: it stays as it is; move it, or take another "
              "folder",
              path);
    if (whole < size) {
        gpri_log(ctx, GPR_LOG_WARNING, "%s: the last line is cut, because a program was killed: it is removed", path);
        if (ftruncate(out->fd, whole) != 0) {
            status = gpri_fail_errno("shorten", path);
            goto done;
        }
    }
    gpri_kept_file_sort(out);
done:
    gpri_free(ctx, text);
    if (status != GPR_OK) gpri_kept_file_close(out);
    return status;
}

/* All bytes, or none. */
static gpr_status append(const gpri_kept_file *file, const char *bytes, int64_t size) {
    struct stat before;
    if (fstat(file->fd, &before) != 0) return gpri_fail_errno("write", file->path);
    for (int64_t done = 0; done < size;) {
        const ssize_t put = write(file->fd, bytes + done, (size_t)(size - done));
        if (put < 0 && errno == EINTR) continue;
        if (put > 0) {
            done += put;
            continue;
        }
        gpr_status status = gpri_fail_errno("write", file->path);
        (void)!ftruncate(file->fd, before.st_size);
        return status;
    }
    return fdatasync(file->fd) == 0 || errno == EINVAL ? GPR_OK : gpri_fail_errno("write", file->path);
}

gpr_status gpri_kept_file_add(gpri_kept_file *file, gpri_kept_run *run, const gpri_run_origin *origin) {
    gpr_status status = GPR_OK;
    gpri_text line = {.ctx = file->ctx};
    if (file->fd >= 0) status = gpri_kept_run_write(&line, run, origin);
    if (status == GPR_OK && file->fd >= 0) status = append(file, line.bytes, line.size);
    gpri_text_free(&line);
    if (status == GPR_OK) return keep(file, run);
    gpri_kept_run_free(file->ctx, run);
    return status;
}

gpr_status gpri_kept_file_add_line(gpri_kept_file *file, const char *line, int64_t size) {
    const char *why = NULL;
    gpri_kept_run run = {.failed = false};
    gpr_status status = gpri_kept_run_read(file->ctx, &run, line, size - 1, &why);
    if (status == GPR_OK && why) status = gpri_fail(GPR_ERROR_FORMAT, "the line of another process: %s", why);
    if (status == GPR_OK && file->fd >= 0) status = append(file, line, size);
    if (status == GPR_OK) return keep(file, &run);
    gpri_kept_run_free(file->ctx, &run);
    return status;
}

void gpri_kept_file_close(gpri_kept_file *file) {
    if (!file->ctx) return;
    for (int64_t i = 0; i < file->count; i++) gpri_kept_run_free(file->ctx, &file->runs[i]);
    gpri_free(file->ctx, file->runs);
    if (file->fd >= 0) close(file->fd);
    *file = (gpri_kept_file){.fd = -1};
}
