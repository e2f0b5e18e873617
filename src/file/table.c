/* Tables of numbers in a mapped file: a header of one page, then the numbers. */
#include "file/table.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/thread.h"
#include "file/checksum.h"
#include "file/temporary.h"

#define MAGIC "\x89GPRHOP\n"
enum { PAGE = 4096, MOST_PARTS = 500, VERSION = 2 }; /* the numbers begin after a page */

/* Columns up to `end`, and the checksum of their numbers: row after row, block after block. */
typedef struct {
    uint32_t end, checksum;
} part;

/* One page, all of it under the checksum. Version 1, of 0.2.0, ends after `done`, and has no checksums of numbers. */
typedef struct gpri_table_head {
    char magic[8];
    uint32_t version, checksum; /* of all, with 0 here */
    uint64_t key[2];
    int64_t bytes, done;
    gpri_table_shape shape;
    int64_t parts;
    part part[MOST_PARTS];
} head;
_Static_assert(sizeof(head) <= PAGE, "the header is a page");

typedef union {
    head head;
    char bytes[PAGE];
} page;

static uint32_t checksum_of(const page *header) {
    page copy = *header;
    copy.head.checksum = 0;
    return gpri_checksum(0, &copy, sizeof copy);
}

/* Of version 1. */
static uint32_t old_checksum(const head *h) {
    return gpri_checksum(0, h->key, (int64_t)(offsetof(head, shape) - offsetof(head, key)));
}

/* ---- checksums of the numbers ---- */

enum { SOME_ROWS = 1024 };

typedef struct {
    const char *at;
    gpri_table_shape shape;
    int64_t first, end; /* columns */
    uint32_t *sums;     /* of each chunk of rows */
} summing;

static void sum_rows(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const summing *job = arg;
    const gpri_table_shape *s = &job->shape;
    const gpri_range rows = gpri_chunk_of(chunk, SOME_ROWS, s->rows);
    uint32_t sum = 0;
    for (int64_t r = rows.first; r < rows.end; r++)
        for (int64_t b = 0; b < s->blocks; b++)
            sum = gpri_checksum(sum, job->at + ((r * s->blocks + b) * s->cols + job->first) * s->each,
                                (job->end - job->first) * s->each);
    job->sums[chunk] = sum;
}

static gpr_status sum_part(gpr_ctx *ctx, uint32_t *out, const void *at, gpri_table_shape shape, int64_t first,
                           int64_t end) {
    const int64_t chunks = gpri_chunk_count(shape.rows, SOME_ROWS);
    summing sum = {.at = at, .shape = shape, .first = first, .end = end};
    NEED(gpri_alloc(ctx, &sum.sums, chunks, sizeof *sum.sums, "checksums"));
    gpri_parallel(ctx, ctx->threads, chunks, sum_rows, &sum);
    *out = 0;
    for (int64_t c = 0; c < chunks; c++) {
        const gpri_range rows = gpri_chunk_of(c, SOME_ROWS, shape.rows);
        const int64_t bytes = (rows.end - rows.first) * shape.blocks * (end - first) * shape.each;
        *out = gpri_checksum_join(*out, sum.sums[c], bytes);
    }
    gpri_free(ctx, sum.sums);
    return GPR_OK;
}

static gpr_status check_numbers(gpr_ctx *ctx, const head *h, const void *at, const char *path) {
    int64_t first = 0;
    for (int64_t i = 0; i < h->parts; i++) {
        const int64_t end = h->part[i].end;
        uint32_t sum = 0;
        NEED(sum_part(ctx, &sum, at, h->shape, first, end));
        if (sum != h->part[i].checksum)
            return gpri_fail(GPR_ERROR_FORMAT,
                             "%s is damaged (the numbers of columns %lld to %lld are not what was written): delete it, "
                             "and they are computed again",
                             path, (long long)first, (long long)end - 1);
        first = end;
    }
    return GPR_OK;
}

/* ---- the header ---- */

static gpr_status write_header(gpri_table *table) {
    page whole = {.bytes = {0}};
    whole.head = *table->head;
    whole.head.checksum = checksum_of(&whole);
    NEED(gpri_write_at(table->fd, table->path, &whole, sizeof whole, 0));
    return fdatasync(table->fd) == 0 ? GPR_OK : gpri_write_failed(table->path);
}

/* Bytes of a table; -1: of an impossible one. */
static int64_t size_of(gpri_table_shape s) {
    int64_t cells;
    if (s.rows < 0 || s.blocks < 1 || s.cols < 1 || s.cols > INT32_MAX || s.each < 1 || s.each > 16) return -1;
    if (!gpri_mul_size(s.rows, s.blocks, &cells) || !gpri_mul_size(cells, s.cols, &cells)) return -1;
    return cells > (INT64_MAX - PAGE) / s.each ? -1 : cells * s.each;
}

/* That the header is whole and its numbers make sense; a table of version 1 has nothing but its key and size. */
static bool is_sound(const page *header, int64_t size) {
    const head *h = &header->head;
    int64_t last = 0;
    if (h->bytes < 0 || h->bytes != size - PAGE || h->done < 0) return false;
    if (h->version == 1) return h->checksum == old_checksum(h);
    if (h->checksum != checksum_of(header) || size_of(h->shape) != h->bytes || h->parts < 0 || h->parts > MOST_PARTS)
        return false;
    for (int64_t i = 0; i < h->parts; last = h->part[i++].end)
        if (h->part[i].end <= last || h->part[i].end > h->shape.cols) return false;
    return last == h->done;
}

/* what: NULL: whatever it holds. */
static gpr_status read_header(page *out, int fd, const char *path, int64_t size, const char *what) {
    if (size >= PAGE) NEED(gpri_read_at(fd, path, out, sizeof *out, 0));
    if (size < PAGE || memcmp(out->head.magic, MAGIC, sizeof out->head.magic) != 0 ||
        (out->head.version != 1 && out->head.version != VERSION))
        return gpri_fail(GPR_ERROR_FORMAT, "%s is there, and does not hold %s: give another name", path, what);
    if (!is_sound(out, size))
        return gpri_fail(GPR_ERROR_FORMAT, "%s is damaged: delete it, and %s are computed again", path, what);
    return GPR_OK;
}

/* Of the file that is there. */
static gpr_status take_header(gpri_table *table, int64_t size, const char *what) {
    page found;
    head *own = table->head;
    NEED(read_header(&found, table->fd, table->path, size, what));
    const head *h = &found.head;
    table->renewed = h->version == 1;
    if (h->key[0] != own->key[0] || h->key[1] != own->key[1] || h->bytes != own->bytes ||
        (!table->renewed && memcmp(&h->shape, &own->shape, sizeof h->shape) != 0))
        return gpri_fail(
            GPR_ERROR_MISMATCH,
            "%s holds %s of other data, other labelled nodes or other options (K, normalize): delete it, or give "
            "another name",
            table->path, what);
    if (!table->renewed) *own = *h;
    table->done = own->done;
    return GPR_OK;
}

/* ---- files ---- */

gpr_status gpri_table_open(gpr_ctx *ctx, gpri_table *out, const char *path, const uint64_t key[2],
                           gpri_table_shape shape, const char *what) {
    gpr_status status = GPR_OK;
    struct stat info;
    bool made = false;
    const int64_t bytes = size_of(shape);
    *out = (gpri_table){.ctx = ctx, .fd = -1, .path = path, .shape = shape, .bytes = bytes};
    if (bytes < 0) THROW(GPR_ERROR_MEMORY, "%s fit no file", what);
    TRY(gpri_calloc(ctx, &out->head, 1, sizeof *out->head, "header"));
    *out->head = (head){.version = VERSION, .key = {key[0], key[1]}, .bytes = bytes, .shape = shape};
    memcpy(out->head->magic, MAGIC, sizeof out->head->magic);
    out->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (out->fd < 0 || fstat(out->fd, &info) != 0) LEAVE(gpri_write_failed(path));
    if (!S_ISREG(info.st_mode)) THROW(GPR_ERROR_FORMAT, "%s is not a regular file: give another name", path);
    if (flock(out->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        THROW(GPR_ERROR_IO, "%s is in use by another training: wait for it, or give another name", path);
    made = info.st_size == 0;
    if (made) {
        TRY(gpri_reserve(out->fd, path, PAGE + bytes, what, "in", "give a file on another disk"));
        TRY(write_header(out));
    } else {
        TRY(take_header(out, (int64_t)info.st_size, what));
        if (out->renewed) TRY(write_header(out));
    }
    char *mapped = mmap(NULL, (size_t)(PAGE + bytes), PROT_READ | PROT_WRITE, MAP_SHARED, out->fd, 0);
    if (mapped == MAP_FAILED) LEAVE(gpri_fail_errno("map", path));
    out->at = mapped + PAGE;
    TRY(check_numbers(ctx, out->head, out->at, path));
done:
    if (status != GPR_OK) {
        if (made) unlink(path);
        gpri_table_close(out);
    }
    return status;
}

gpr_status gpri_table_done(gpri_table *table, int64_t done) {
    head *h = table->head;
    uint32_t sum = 0;
    if (msync((char *)table->at - PAGE, (size_t)(PAGE + table->bytes), MS_SYNC) != 0)
        return gpri_write_failed(table->path);
    const int64_t place = h->parts < MOST_PARTS ? h->parts : MOST_PARTS - 1; /* where it is full, the last part grows */
    const int64_t first = place > 0 ? h->part[place - 1].end : 0;
    NEED(sum_part(table->ctx, &sum, table->at, table->shape, first, done));
    h->part[place] = (part){.end = (uint32_t)done, .checksum = sum};
    h->parts = place + 1;
    h->done = table->done = done;
    return write_header(table);
}

void gpri_table_close(gpri_table *table) {
    if (table->at) munmap((char *)table->at - PAGE, (size_t)(PAGE + table->bytes));
    if (table->fd >= 0) close(table->fd);
    if (table->head) gpri_free(table->ctx, table->head);
    *table = (gpri_table){.fd = -1};
}

/* ---- reading alone ---- */

bool gpri_is_table(const char *path) {
    char magic[sizeof MAGIC - 1];
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool found =
        fd >= 0 && read(fd, magic, sizeof magic) == (ssize_t)sizeof magic && memcmp(magic, MAGIC, sizeof magic) == 0;
    if (fd >= 0) close(fd);
    return found;
}

gpr_status gpri_table_verify(gpr_ctx *ctx, const char *path, int64_t *done, int64_t *cols, bool *old) {
    gpr_status status = GPR_OK;
    struct stat info;
    page found;
    char *mapped = MAP_FAILED;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0) LEAVE(gpri_fail_errno("read", path));
    if (flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        THROW(GPR_ERROR_IO, "%s is in use by a training: wait for it", path);
    TRY(read_header(&found, fd, path, (int64_t)info.st_size, "the hops of features"));
    *old = found.head.version == 1;
    *done = found.head.done;
    *cols = *old ? 0 : found.head.shape.cols;
    if (*old || found.head.parts == 0) goto done;
    mapped = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) LEAVE(gpri_fail_errno("map", path));
    TRY(check_numbers(ctx, &found.head, mapped + PAGE, path));
done:
    if (mapped != MAP_FAILED) munmap(mapped, (size_t)info.st_size);
    if (fd >= 0) close(fd);
    return status;
}
