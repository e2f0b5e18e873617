/* Tables of numbers in a mapped file: a header of one page, then the numbers. */
#include "file/table.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/checksum.h"
#include "file/file.h"
#include "file/temporary.h"

#define MAGIC "\x89GPRHOP\n"
#define NUMBERS 4096 /* where they begin: a page */

typedef struct header {
    char magic[8];
    uint32_t version, checksum; /* of all that follows */
    uint64_t key[2];
    int64_t bytes, done;
} header;

static uint32_t checksum_of(const header *h) {
    return gpri_checksum(0, h->key, (int64_t)(sizeof *h - offsetof(header, key)));
}

static gpr_status write_header(const gpri_table *table) {
    header h = {.version = 1, .key = {table->key[0], table->key[1]}, .bytes = table->bytes, .done = table->done};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    h.checksum = checksum_of(&h);
    gpr_status status = gpri_write_at(table->fd, table->path, &h, sizeof h, 0);
    if (status == GPR_OK && fdatasync(table->fd) != 0) status = gpri_write_failed(table->path);
    return status;
}

static gpr_status read_header(gpri_table *table, int64_t size, const char *what) {
    header h;
    gpr_status status = GPR_OK;
    const bool whole = size >= NUMBERS;
    if (whole) TRY(gpri_read_at(table->fd, table->path, &h, sizeof h, 0));
    if (!whole || memcmp(h.magic, MAGIC, sizeof h.magic) != 0 || h.version != 1)
        THROW(GPR_ERROR_FORMAT, "%s is there, and does not hold %s: give another name", table->path, what);
    if (h.checksum != checksum_of(&h) || h.bytes < 0 || size != NUMBERS + h.bytes || h.done < 0)
        THROW(GPR_ERROR_FORMAT, "%s is damaged: delete it, and %s are computed again", table->path, what);
    if (h.key[0] != table->key[0] || h.key[1] != table->key[1] || h.bytes != table->bytes)
        THROW(GPR_ERROR_MISMATCH,
              "%s holds %s of other data, other labelled nodes or other options (K, normalize): delete it, or give "
              "another name",
              table->path, what);
    table->done = h.done;
done:
    return status;
}

gpr_status gpri_table_open(gpri_table *out, const char *path, const uint64_t key[2], int64_t bytes, const char *what) {
    gpr_status status = GPR_OK;
    struct stat info;
    bool made = false;
    *out = (gpri_table){.path = path, .bytes = bytes, .key = {key[0], key[1]}};
    out->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (out->fd < 0 || fstat(out->fd, &info) != 0) {
        status = gpri_write_failed(path);
        goto done;
    }
    if (!S_ISREG(info.st_mode)) THROW(GPR_ERROR_FORMAT, "%s is not a regular file: give another name", path);
    if (flock(out->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        THROW(GPR_ERROR_IO, "%s is in use by another training: wait for it, or give another name", path);
    made = info.st_size == 0;
    if (made) {
        TRY(gpri_reserve(out->fd, path, NUMBERS + bytes, what, "in", "give a file on another disk"));
        TRY(write_header(out));
    } else {
        TRY(read_header(out, (int64_t)info.st_size, what));
    }
    char *mapped = mmap(NULL, (size_t)(NUMBERS + bytes), PROT_READ | PROT_WRITE, MAP_SHARED, out->fd, 0);
    if (mapped == MAP_FAILED) {
        status = gpri_fail_errno("map", path);
        goto done;
    }
    out->at = mapped + NUMBERS;
done:
    if (status != GPR_OK) {
        if (made) unlink(path);
        gpri_table_close(out);
    }
    return status;
}

gpr_status gpri_table_done(gpri_table *table, int64_t done) {
    if (msync((char *)table->at - NUMBERS, (size_t)(NUMBERS + table->bytes), MS_SYNC) != 0)
        return gpri_write_failed(table->path);
    table->done = done;
    return write_header(table);
}

void gpri_table_close(gpri_table *table) {
    if (table->at) munmap((char *)table->at - NUMBERS, (size_t)(NUMBERS + table->bytes));
    if (table->fd >= 0) close(table->fd);
    *table = (gpri_table){.fd = -1};
}
