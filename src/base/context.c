#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/print.h"
#include "base/thread.h"

#define ALIGNMENT 64

static void *system_resize(void *user, void *block, size_t size) {
    (void)user;
    return realloc(block, size);
}

static void system_release(void *user, void *block) {
    (void)user;
    free(block);
}

gpr_status gpri_ctx_open(gpr_ctx **out, const gpr_ctx_options *options) {
    *out = NULL;
    gpr_allocator allocator = options ? options->allocator : (gpr_allocator){NULL, NULL, NULL};
    if (!allocator.resize != !allocator.release)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_ctx_new: an allocator needs both resize and release");
    if (!allocator.resize) allocator = (gpr_allocator){system_resize, system_release, NULL};
    gpr_ctx *ctx = allocator.resize(allocator.user, NULL, sizeof *ctx);
    if (!ctx) return gpri_fail(GPR_ERROR_MEMORY, "out of memory: context");
    *ctx = (gpr_ctx){.allocator = allocator};
    if (options) {
        ctx->log = options->log;
        ctx->progress = options->progress;
        ctx->user = options->user;
    }
    gpr_status status = gpr_ctx_set_threads(ctx, options ? options->threads : 0);
    if (status == GPR_OK) *out = ctx;
    else gpr_ctx_free(ctx);
    return status;
}

void gpr_ctx_free(gpr_ctx *ctx) {
    if (!ctx) return;
    gpri_pool_free(ctx);
    ctx->allocator.release(ctx->allocator.user, ctx);
}

gpr_status gpr_ctx_set_threads(gpr_ctx *ctx, int threads) {
    if (!ctx) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_ctx_set_threads: ctx is NULL");
    if (threads < 0 || threads > GPRI_MAX_THREADS)
        return gpri_fail(GPR_ERROR_ARGUMENT, "threads is %d: it must be in [0, %d] (0: as many as the machine has)",
                         threads, GPRI_MAX_THREADS);
    ctx->threads = threads ? threads : gpri_machine_threads();
    return gpri_finish(GPR_OK);
}

int gpr_ctx_threads(const gpr_ctx *ctx) { return ctx ? ctx->threads : 0; }

bool gpri_mul_size(int64_t a, int64_t b, int64_t *out) {
    if (a < 0 || b < 0 || (b > 0 && a > INT64_MAX / b)) return false;
    *out = a * b;
    return true;
}

bool gpri_block_size(size_t *out, int64_t count, size_t size, size_t most) {
    int64_t bytes;
    if (size > INT64_MAX || !gpri_mul_size(count, (int64_t)size, &bytes) || (uint64_t)bytes > most) return false;
    *out = (size_t)bytes;
    return true;
}

/* The block's own address is kept in front of the aligned one. */
static gpr_status allocate(gpr_ctx *ctx, void *out, int64_t count, size_t size, const char *what, bool zero) {
    void *raw = NULL;
    size_t bytes;
    memcpy(out, &raw, sizeof raw);
    if (!gpri_block_size(&bytes, count, size, PTRDIFF_MAX / 2))
        return gpri_fail(GPR_ERROR_MEMORY, "%s: %lld elements of %zu bytes do not fit any memory", what,
                         (long long)count, size);
    raw = ctx->allocator.resize(ctx->allocator.user, NULL, bytes + ALIGNMENT + sizeof raw);
    if (!raw) return gpri_fail(GPR_ERROR_MEMORY, "out of memory: %s needs %.1f MB", what, (double)bytes / 1e6);
    uintptr_t address = ((uintptr_t)raw + sizeof raw + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    void *block = (char *)raw + (address - (uintptr_t)raw);
    memcpy((char *)block - sizeof raw, &raw, sizeof raw);
    if (zero) memset(block, 0, bytes);
    memcpy(out, &block, sizeof block);
    return GPR_OK;
}

gpr_status gpri_alloc(gpr_ctx *ctx, void *out, int64_t count, size_t size, const char *what) {
    return allocate(ctx, out, count, size, what, false);
}

gpr_status gpri_calloc(gpr_ctx *ctx, void *out, int64_t count, size_t size, const char *what) {
    return allocate(ctx, out, count, size, what, true);
}

void gpri_free(gpr_ctx *ctx, void *block) {
    if (!block) return;
    void *raw;
    memcpy(&raw, (char *)block - sizeof raw, sizeof raw);
    ctx->allocator.release(ctx->allocator.user, raw);
}

gpr_status gpri_grow(gpr_ctx *ctx, void *block, int64_t *capacity, int64_t count, size_t size, const char *what) {
    if (count <= *capacity) return GPR_OK;
    int64_t wanted = *capacity < 16 ? 16 : *capacity;
    while (wanted < count) wanted = wanted > INT64_MAX / 2 ? count : wanted * 2;
    void *old, *fresh;
    memcpy(&old, block, sizeof old);
    gpr_status status = gpri_alloc(ctx, &fresh, wanted, size, what);
    if (status != GPR_OK) return status;
    if (old) memcpy(fresh, old, (size_t)*capacity * size);
    gpri_free(ctx, old);
    memcpy(block, &fresh, sizeof fresh);
    *capacity = wanted;
    return GPR_OK;
}

gpr_status gpri_strdup(gpr_ctx *ctx, char **out, const char *text) {
    size_t size = strlen(text) + 1;
    gpr_status status = gpri_alloc(ctx, out, (int64_t)size, 1, "text");
    if (status == GPR_OK) memcpy(*out, text, size);
    return status;
}

void gpri_log(gpr_ctx *ctx, gpr_log_level level, const char *format, ...) {
    if (!ctx->log) return;
    char line[1024];
    va_list args;
    va_start(args, format);
    gpri_vprint(line, sizeof line, format, args);
    va_end(args);
    gpri_one_line(line);
    ctx->log(ctx->user, level, line);
}

/* Not getrusage: after fork and exec that still counts the peak of the program that started this one. */
int64_t gpr_peak_memory(void) {
    long long kilobytes = 0;
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %lld kB", &kilobytes) == 1) break;
    if (status) fclose(status);
    struct rusage usage;
    if (!kilobytes && getrusage(RUSAGE_SELF, &usage) == 0) kilobytes = usage.ru_maxrss;
    return (int64_t)kilobytes * 1024;
}
