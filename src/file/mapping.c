/* Files mapped into memory with mmap, or copied there; and the list of those that a context has mapped. */
#include "file/mapping.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"

/* ---- The list ------------------------------------------------------------------------------------- */

/* Any thread may free a dataset, so the list has a lock; of a kind that a signal handler can take. */
static void acquire(gpr_ctx *ctx) {
    while (atomic_flag_test_and_set(&ctx->mapped_lock)) continue;
}

static void release(gpr_ctx *ctx) { atomic_flag_clear(&ctx->mapped_lock); }

static void enlist(gpri_mapping *mapping) {
    acquire(mapping->ctx);
    mapping->next = mapping->ctx->mapped;
    mapping->ctx->mapped = mapping;
    release(mapping->ctx);
}

static void delist(gpri_mapping *mapping) {
    acquire(mapping->ctx);
    gpri_mapping **at = &mapping->ctx->mapped;
    while (*at != mapping) at = &(*at)->next;
    *at = mapping->next;
    release(mapping->ctx);
}

const char *gpr_ctx_mapped_file(gpr_ctx *ctx, int changed) {
    const char *path = NULL;
    if (!ctx) return NULL;
    acquire(ctx);
    for (const gpri_mapping *at = ctx->mapped; at && !path; at = at->next)
        if (!changed || gpri_mapping_changed(at) >= GPRI_MAPPING_WRITTEN) path = at->path;
    release(ctx);
    return path;
}

/* ---- One file ------------------------------------------------------------------------------------- */

static bool same_time(struct timespec a, struct timespec b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }

gpri_mapping_state gpri_mapping_changed(const gpri_mapping *mapping) {
    struct stat now;
    if (mapping->fd < 0) return GPRI_MAPPING_SAME;
    if (fstat(mapping->fd, &now) != 0 || (int64_t)now.st_size != mapping->size) return GPRI_MAPPING_RESIZED;
    if (!same_time(now.st_mtim, mapping->written)) return GPRI_MAPPING_WRITTEN;
    return same_time(now.st_ctim, mapping->touched) ? GPRI_MAPPING_SAME : GPRI_MAPPING_TOUCHED;
}

static gpr_status map_bytes(gpri_mapping *out) {
    size_t length;
    if (out->size == 0) return GPR_OK;
    if (!gpri_block_size(&length, out->size, 1, PTRDIFF_MAX)) /* on a machine of 32 bits */
        return gpri_fail(GPR_ERROR_MEMORY, "%s: %lld bytes do not fit the address space", out->path,
                         (long long)out->size);
    void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, out->fd, 0);
    if (bytes == MAP_FAILED) return gpri_fail_errno("map", out->path);
    out->bytes = bytes;
    return GPR_OK;
}

gpr_status gpri_map(gpr_ctx *ctx, gpri_mapping *out, const char *path) {
    gpr_status status = GPR_OK;
    struct stat info;
    *out = (gpri_mapping){.ctx = ctx, .path = path, .fd = -1};
    TRY(gpri_open_regular(&out->fd, &out->size, path, "a file"));
    if (fstat(out->fd, &info) != 0) LEAVE(gpri_fail_errno("read", path));
    out->size = (int64_t)info.st_size;
    out->written = info.st_mtim;
    out->touched = info.st_ctim;
    TRY(map_bytes(out));
    enlist(out);
done:
    if (status != GPR_OK) {
        if (out->fd >= 0) close(out->fd);
        *out = (gpri_mapping){.fd = -1};
    }
    return status;
}

gpr_status gpri_map_copy(gpr_ctx *ctx, gpri_mapping *out, const char *path) {
    *out = (gpri_mapping){.ctx = ctx, .path = path, .fd = -1};
    gpr_status status = gpri_read_whole(ctx, &out->copy, &out->size, path, INT64_MAX / 2);
    out->bytes = (unsigned char *)out->copy;
    return status;
}

void gpri_unmap(gpri_mapping *mapping) {
    if (mapping->copy) {
        gpri_free(mapping->ctx, mapping->copy);
    } else if (mapping->ctx && mapping->fd >= 0) {
        delist(mapping);
        if (mapping->bytes) munmap((void *)(uintptr_t)mapping->bytes, (size_t)mapping->size);
        close(mapping->fd);
    }
    *mapping = (gpri_mapping){.fd = -1};
}

void gpri_map_ahead(const gpri_mapping *mapping, int64_t offset, int64_t size) {
    const int64_t page = sysconf(_SC_PAGESIZE), begin = offset / page * page;
    if (mapping->copy) return;
    (void)posix_madvise((void *)(uintptr_t)(mapping->bytes + begin), (size_t)(offset + size - begin),
                        POSIX_MADV_WILLNEED); /* only a hint */
}
