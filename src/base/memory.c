/* Memory from the allocator of a context, in aligned blocks. */
#include "base/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/context.h"
#include "base/print.h"

#define ALIGNMENT 64 /* bytes: a cache line, and the widest vector */

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

const char *gpri_size_text(char out[GPRI_SIZE_TEXT], double bytes) {
    if (bytes < 1e4) gpri_print(out, GPRI_SIZE_TEXT, "%.0f bytes", bytes);
    else if (bytes < 1e9) gpri_print(out, GPRI_SIZE_TEXT, "%.1f MB", bytes / 1e6);
    else gpri_print(out, GPRI_SIZE_TEXT, "%.1f GB", bytes / 1e9);
    return out;
}

/* Kept in front of the aligned block. */
typedef struct origin {
    void *raw; /* what the allocator gave */
    size_t bytes;
} origin;

/* Counts the bytes as held, unless they are more than the budget of the context allows. */
static gpr_status take(gpr_ctx *ctx, size_t bytes, const char *what) {
    const int64_t before = atomic_fetch_add(&ctx->held, (int64_t)bytes);
    const gpri_budget *budget = &ctx->job.budget;
    if (budget->bytes == 0 || (int64_t)bytes <= budget->most - before) return GPR_OK;
    atomic_fetch_sub(&ctx->held, (int64_t)bytes);
    char needed[GPRI_SIZE_TEXT], taken[GPRI_SIZE_TEXT], allowed[GPRI_SIZE_TEXT];
    return gpri_fail(GPR_ERROR_MEMORY,
                     "%s needs %s: reading has taken %s and may take %s; give `memory` if the machine has more", what,
                     gpri_size_text(needed, (double)bytes),
                     gpri_size_text(taken, (double)(before - (budget->most - budget->bytes))),
                     gpri_size_text(allowed, (double)budget->bytes));
}

static gpr_status allocate(gpr_ctx *ctx, void *out, int64_t count, size_t size, const char *what, bool zero) {
    void *raw = NULL;
    size_t bytes;
    memcpy(out, &raw, sizeof raw);
    if (!gpri_block_size(&bytes, count, size, PTRDIFF_MAX / 2))
        return gpri_fail(GPR_ERROR_MEMORY, "%s: %lld elements of %zu bytes do not fit in memory", what,
                         (long long)count, size);
    NEED(take(ctx, bytes, what));
    raw = ctx->allocator.resize(ctx->allocator.user, NULL, bytes + ALIGNMENT + sizeof(origin));
    if (!raw) {
        atomic_fetch_sub(&ctx->held, (int64_t)bytes);
        return gpri_fail(GPR_ERROR_MEMORY, "out of memory: %s needs %.1f MB", what, (double)bytes / 1e6);
    }
    const origin from = {raw, bytes};
    uintptr_t address = ((uintptr_t)raw + sizeof from + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    void *block = (char *)raw + (address - (uintptr_t)raw);
    memcpy((char *)block - sizeof from, &from, sizeof from);
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
    origin from;
    memcpy(&from, (char *)block - sizeof from, sizeof from);
    atomic_fetch_sub(&ctx->held, (int64_t)from.bytes);
    ctx->allocator.release(ctx->allocator.user, from.raw);
}

void gpri_free_blocks(gpr_ctx *ctx, void *const *blocks, size_t count) {
    for (size_t i = 0; i < count; i++) gpri_free(ctx, blocks[i]);
}

gpr_status gpri_copy(gpr_ctx *ctx, void *out, const void *from, int64_t count, size_t size, const char *what) {
    void *block;
    NEED(gpri_alloc(ctx, out, count, size, what));
    memcpy(&block, out, sizeof block);
    if (count > 0) memcpy(block, from, (size_t)count * size);
    return GPR_OK;
}

gpr_status gpri_grow(gpr_ctx *ctx, void *block, int64_t *capacity, int64_t count, size_t size, const char *what) {
    if (count <= *capacity) return GPR_OK;
    int64_t wanted = *capacity < 16 ? 16 : *capacity;
    while (wanted < count) wanted = wanted > INT64_MAX / 2 ? count : wanted * 2;
    void *old, *fresh;
    memcpy(&old, block, sizeof old);
    NEED(gpri_alloc(ctx, &fresh, wanted, size, what));
    if (old) memcpy(fresh, old, (size_t)*capacity * size);
    gpri_free(ctx, old);
    memcpy(block, &fresh, sizeof fresh);
    *capacity = wanted;
    return GPR_OK;
}

gpr_status gpri_strdup(gpr_ctx *ctx, char **out, const char *text) {
    return gpri_copy(ctx, out, text, (int64_t)strlen(text) + 1, 1, "text");
}

/* advice: of madvise, none that changes what is in the memory. All pages that the block touches are advised of, or with
   `within` those that lie in it. */
static void advise(const void *block, int64_t bytes, bool within, int advice) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)block, to = from + (uintptr_t)bytes;
    const uintptr_t first = (within ? from + page - 1 : from) / page * page, end = within ? to / page * page : to;
    if (block && bytes > 0 && end > first) (void)madvise((void *)first, end - first, advice);
}

void gpri_wide_pages(void *block, int64_t bytes) {
#ifdef MADV_HUGEPAGE
    advise(block, bytes, true, MADV_HUGEPAGE);
#else
    (void)block, (void)bytes;
#endif
}

void gpri_pages_in_order(const void *at, int64_t bytes) { advise(at, bytes, false, MADV_SEQUENTIAL); }
void gpri_pages_ahead(const void *at, int64_t bytes) { advise(at, bytes, false, MADV_WILLNEED); }

int gpri_by_size(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int gpri_by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
