/* The context of a fuzz target: one thread, and an allocator that sees more and costs less than malloc.
 *
 * - The library aligns its blocks within those of the allocator. The bytes behind such a block are poisoned for
 *   AddressSanitizer, so that an overrun of one byte is seen.
 * - Large blocks are kept and given again: to map fresh memory for every input takes longer than to read the input.
 * - A block above FUZZ_MOST_BYTES is refused, and so is one above FUZZ_HUGE where FUZZ_MOST_HUGE of them are in use
 * (the two pieces of each of two packed texts): a few bytes may well ask for a graph of 2^31 nodes. Where sizes are
 * checked against those of the file, FUZZ_BOUNDED is defined, and a block above 1 GiB is a fault.
 * - fuzz_context_free aborts where a block was not given back. */
#ifndef FUZZ_CONTEXT_H
#define FUZZ_CONTEXT_H

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"

#if defined(__SANITIZE_ADDRESS__)
#define FUZZ_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUZZ_ASAN
#endif
#endif
#ifdef FUZZ_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

#define FUZZ_MOST_BYTES ((size_t)16 << 20)
enum {
    FUZZ_HUGE = 1 << 21,
    FUZZ_MOST_HUGE = 4,
    FUZZ_LARGE = 1 << 15, /* bytes from which a block is kept */
    FUZZ_KEPT = 24,       /* blocks */
    FUZZ_ALIGNMENT = 64,  /* of base/memory.c */
    FUZZ_ORIGIN = sizeof(void *) + sizeof(size_t),
    FUZZ_SLACK = FUZZ_ALIGNMENT + FUZZ_ORIGIN /* what it asks for in addition to the block */
};

typedef struct {
    char *at;
    size_t capacity;
    int used;
} fuzz_block;

static fuzz_block fuzz_blocks[FUZZ_KEPT];
static int64_t fuzz_live; /* blocks that were not given back */

static inline fuzz_block *fuzz_find(const void *block) {
    for (int i = 0; block && i < FUZZ_KEPT; i++)
        if (fuzz_blocks[i].at == block) return &fuzz_blocks[i];
    return NULL;
}

/* size bytes of a kept block are the caller's; all behind them is poisoned. */
static inline void *fuzz_give(fuzz_block *kept, size_t size) {
    kept->used = 1;
    ASAN_POISON_MEMORY_REGION(kept->at, kept->capacity);
    ASAN_UNPOISON_MEMORY_REGION(kept->at, size);
    return kept->at;
}

/* The smallest free one that is large enough; else a new one in a free place; NULL: all places are taken. */
static inline fuzz_block *fuzz_take(size_t size) {
    fuzz_block *best = NULL, *empty = NULL;
    for (int i = 0; i < FUZZ_KEPT; i++) {
        fuzz_block *b = &fuzz_blocks[i];
        if (!b->at) empty = empty ? empty : b;
        else if (!b->used && b->capacity >= size && (!best || b->capacity < best->capacity)) best = b;
    }
    if (best && best->capacity <= 4 * size) return best;
    if (!empty) return best;
    size_t capacity = FUZZ_LARGE;
    while (capacity < size) capacity *= 2;
    empty->at = malloc(capacity);
    empty->capacity = empty->at ? capacity : 0;
    return empty->at ? empty : NULL;
}

/* The aligned block ends before the bytes that were asked for. */
static inline void fuzz_poison_slack(char *raw, size_t size) {
    if (size <= FUZZ_SLACK || size == sizeof(gpr_ctx)) return;
    const uintptr_t address = (uintptr_t)raw, past = address + FUZZ_ORIGIN + FUZZ_ALIGNMENT - 1,
                    first = past - past % FUZZ_ALIGNMENT, end = first + (size - FUZZ_SLACK);
    ASAN_POISON_MEMORY_REGION(raw + (end - address), address + size - end);
}

static inline void fuzz_release(void *user, void *block) {
    (void)user;
    if (!block) return;
    fuzz_block *kept = fuzz_find(block);
    fuzz_live--;
    if (kept) {
        kept->used = 0;
        ASAN_POISON_MEMORY_REGION(kept->at, kept->capacity);
    } else {
        ASAN_UNPOISON_MEMORY_REGION(block, malloc_usable_size(block));
        free(block);
    }
}

static inline int fuzz_huge(void) {
    int count = 0;
    for (int i = 0; i < FUZZ_KEPT; i++) count += fuzz_blocks[i].used && fuzz_blocks[i].capacity > FUZZ_HUGE;
    return count;
}

static inline void *fuzz_new(size_t size) {
    if (size > FUZZ_HUGE && fuzz_huge() >= FUZZ_MOST_HUGE) return NULL;
    fuzz_block *kept = size >= FUZZ_LARGE ? fuzz_take(size) : NULL;
    char *block = kept ? fuzz_give(kept, size) : malloc(size);
    if (!block) return NULL;
    fuzz_live++;
    fuzz_poison_slack(block, size);
    return block;
}

static inline void *fuzz_resize(void *user, void *block, size_t size) {
#ifdef FUZZ_BOUNDED
    if (size > (size_t)1 << 30) abort();
#endif
    if (size > FUZZ_MOST_BYTES) return NULL;
    if (!block) return fuzz_new(size);
    const fuzz_block *kept = fuzz_find(block);
    const size_t old = kept ? kept->capacity : malloc_usable_size(block);
    char *fresh = fuzz_new(size);
    if (!fresh) return NULL;
    ASAN_UNPOISON_MEMORY_REGION(block, old);
    ASAN_UNPOISON_MEMORY_REGION(fresh, size);
    memcpy(fresh, block, old < size ? old : size);
    fuzz_release(user, block);
    return fresh;
}

static inline gpr_ctx *fuzz_context(void) {
    gpr_ctx *ctx;
    const gpr_ctx_options options = {
        .struct_size = sizeof options, .threads = 1, .allocator = {fuzz_resize, fuzz_release, NULL}};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    return ctx;
}

static inline void fuzz_context_free(gpr_ctx *ctx) {
    gpr_ctx_free(ctx);
    if (fuzz_live != 0) abort();
}

#endif
