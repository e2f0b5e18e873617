/* Reading a file of kept runs, and adding lines to it. */
#include "search/kept_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { MOST_NAMED = 3 }; /* damaged lines that get a warning of their own */
enum { BLOCK = 1 << 16, LONGEST_LINE = 1 << 24, SHORT_TEXT = 1 << 22, LARGEST_RUNS = 1 << 30 };
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

gpr_status gpri_kept_file_check(const gpri_kept_file *file, const char *key, uint64_t content) {
    for (int64_t i = 0; i < file->count; i++) {
        const gpri_kept_run *run = &file->runs[i];
        if (run->content == 0 || run->content == content || run->line == 0 || strcmp(run->key, key) != 0) continue;
        return gpri_fail(
            GPR_ERROR_FORMAT,
            "%s:%lld: the key of this run does not fit its settings or its data: the line was changed; remove "
            "it, and the run is trained again",
            run->file < file->files ? file->names[run->file] : "kept runs", (long long)run->line);
    }
    return GPR_OK;
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

/* Reads lines one by one, of a file that is gzip or not, as zlib sees it. */
typedef struct {
    gpri_kept_file *file;
    const char *path;
    gzFile in;
    char *line; /* (size) the one that is being read, without its end */
    int64_t size, room;
    int64_t number, bad; /* lines so far; those that are no runs */
    int64_t text;        /* bytes */
    int64_t whole;       /* bytes up to the end of the last line that has an end */
    int64_t memory;      /* that the runs take */
} lines;

static gpr_status begin_lines(lines *reader, gpri_kept_file *file, int fd, const char *path) {
    gpr_status status = GPR_OK;
    const int copy = dup(fd); /* gzclose closes it */
    *reader = (lines){.file = file, .path = path};
    reader->in = copy >= 0 && lseek(copy, 0, SEEK_SET) == 0 ? gzdopen(copy, "rb") : NULL;
    if (!reader->in) {
        status = gpri_fail_errno("read", path);
        if (copy >= 0) close(copy);
        return status;
    }
    NEED(gpri_grow(file->ctx, &file->names, &file->name_capacity, file->files + 1, sizeof *file->names, "kept runs"));
    NEED(gpri_strdup(file->ctx, &file->names[file->files], path));
    file->files++;
    return status;
}

static void end_lines(lines *reader) {
    if (reader->in) gzclose(reader->in);
    reader->in = NULL;
    if (reader->file) gpri_free(reader->file->ctx, reader->line);
    reader->line = NULL;
}

static gpr_status too_large(const lines *reader, const char *what) {
    return gpri_fail(GPR_ERROR_FORMAT, "%s:%lld: %s: this is no file of kept runs, or was damaged; take another one",
                     reader->path, (long long)reader->number + 1, what);
}

static gpr_status take_line(lines *reader) {
    gpri_kept_run run = {.failed = false};
    const char *why = NULL;
    reader->number++;
    if (reader->size == 0) return GPR_OK;
    NEED(gpri_kept_run_read(reader->file->ctx, &run, reader->line, reader->size, &why));
    if (!why) {
        run.line = reader->number;
        run.file = (int)reader->file->files - 1;
        reader->memory += (int64_t)sizeof run + (run.gamma_count * (1 + run.rows)) * (int64_t)sizeof *run.gamma;
        NEED(keep(reader->file, &run));
        if (reader->memory > LARGEST_RUNS) return too_large(reader, "its runs take more than 1 GB of memory");
    } else if (++reader->bad <= MOST_NAMED) {
        gpri_log(reader->file->ctx, GPR_LOG_WARNING, "%s:%lld: this line is left out: %s", reader->path,
                 (long long)reader->number, why);
    }
    return GPR_OK;
}

/* Between two blocks of a long file. */
static gpr_status may_go_on(const lines *reader) {
    const gpr_ctx *ctx = reader->file->ctx;
    const gpr_progress progress = {
        .struct_size = sizeof progress, .stage = "reading", .share = -1, .file = reader->path};
    if (reader->text < SHORT_TEXT || !ctx->job.progress || ctx->job.progress(ctx->job.user, &progress) == 0)
        return GPR_OK;
    return gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller while %s was read", reader->path);
}

/* The pieces of lines in a block. */
static gpr_status take_block(lines *reader, const char *block, int64_t size) {
    for (int64_t at = 0; at < size;) {
        const char *end = memchr(block + at, '\n', (size_t)(size - at));
        const int64_t piece = end ? end - block - at : size - at;
        if (reader->size + piece > LONGEST_LINE) return too_large(reader, "the line is longer than 16 MB");
        NEED(gpri_grow(reader->file->ctx, &reader->line, &reader->room, reader->size + piece, 1, "kept runs"));
        if (piece > 0) memcpy(reader->line + reader->size, block + at, (size_t)piece);
        reader->size += piece;
        at += piece + (end != NULL);
        if (!end) break;
        reader->whole = reader->text + at;
        NEED(take_line(reader));
        reader->size = 0;
    }
    reader->text += size;
    if (reader->text > LARGEST_TEXT) return too_large(reader, "the file has more than 4 GB");
    return may_go_on(reader);
}

/* What is left in reader->line at the end is a line that was cut. */
static gpr_status read_lines(lines *reader) {
    gpr_status status = GPR_OK;
    char *block = NULL;
    TRY(gpri_alloc(reader->file->ctx, &block, BLOCK, 1, "kept runs"));
    for (int got = 1; got > 0;) {
        int code;
        got = gzread(reader->in, block, BLOCK);
        const char *why = gzerror(reader->in, &code);
        if (got < 0 || code == Z_BUF_ERROR)
            THROW(GPR_ERROR_FORMAT, "%s: cannot be unpacked: %s", reader->path,
                  code == Z_ERRNO ? strerror(errno) : why);
        TRY(take_block(reader, block, got));
    }
    if (reader->bad > MOST_NAMED)
        gpri_log(reader->file->ctx, GPR_LOG_WARNING, "%s: %lld more lines are left out", reader->path,
                 (long long)(reader->bad - MOST_NAMED));
done:
    gpri_free(reader->file->ctx, block);
    return status;
}

gpr_status gpri_kept_file_include(gpri_kept_file *file, const char *path) {
    gpr_status status = GPR_OK;
    lines reader = {.in = NULL};
    int64_t size;
    int fd = -1;
    TRY(gpri_open_regular(&fd, &size, path, "a file of kept runs"));
    TRY(begin_lines(&reader, file, fd, path));
    TRY(read_lines(&reader));
    if (reader.size > 0) gpri_log(file->ctx, GPR_LOG_WARNING, "%s: its last line is cut, and is left out", path);
    gpri_kept_file_sort(file);
done:
    end_lines(&reader);
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

/* Whether the line that was cut is the beginning of a line that was written here. A few letters are enough where
   they are all there is. */
static bool is_ours(const lines *reader) {
    static const char mark[] = "{\"key\":\"";
    const int64_t length = sizeof mark - 1, cut = reader->size;
    if (reader->file->count > 0) return true;
    if (cut < length && reader->whole > 0) return false;
    for (int64_t i = 0; i < length && i < cut; i++)
        if (reader->line[i] != mark[i] && reader->line[i] != 0)
            return false; /* 0: a power failure lost what was written */
    return true;
}

gpr_status gpri_kept_file_open(gpr_ctx *ctx, gpri_kept_file *out, const char *path) {
    gpr_status status = GPR_OK;
    lines reader = {.in = NULL};
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
    TRY(begin_lines(&reader, out, out->fd, path));
    if (gzdirect(reader.in) == 0 && info.st_size > 0)
        THROW(GPR_ERROR_ARGUMENT, "%s is packed: unpack it first, so that runs can be added", path);
    TRY(read_lines(&reader));
    const bool cut = reader.size > 0;
    if (cut && !is_ours(&reader))
        THROW(GPR_ERROR_MISMATCH,
              "%s is no file of kept runs, and its last line has no end: it stays as it is; move it, or take another "
              "folder",
              path);
    if (cut) {
        gpri_log(ctx, GPR_LOG_WARNING, "%s: the last line is cut, because a program was killed: it is removed", path);
        if (ftruncate(out->fd, reader.whole) != 0) {
            status = gpri_fail_errno("shorten", path);
            goto done;
        }
    }
    gpri_kept_file_sort(out);
done:
    end_lines(&reader);
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
    for (int64_t i = 0; i < file->files; i++) gpri_free(file->ctx, file->names[i]);
    gpri_free_all(file->ctx, file->names, file->runs);
    if (file->fd >= 0) close(file->fd);
    *file = (gpri_kept_file){.fd = -1};
}
