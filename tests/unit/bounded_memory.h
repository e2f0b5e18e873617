/* An allocator that counts the peak of memory, and refuses allocations beyond a limit. */
#ifndef TEST_BOUNDED_MEMORY_H
#define TEST_BOUNDED_MEMORY_H

#include "support.h"

typedef struct bounded_memory {
    int64_t limit; /* bytes; 0: none */
    int64_t held, peak;
} bounded_memory;

enum { BOUNDED_HEAD = 64 }; /* in front of a block, its size */

static inline void *bounded_resize(void *user, void *block, size_t size) {
    bounded_memory *memory = user;
    size_t before = 0;
    char *raw = block ? (char *)block - BOUNDED_HEAD : NULL;
    if (raw) memcpy(&before, raw, sizeof before);
    const int64_t held = memory->held + (int64_t)size - (int64_t)before;
    if (memory->limit > 0 && held > memory->limit) return NULL;
    raw = realloc(raw, size + BOUNDED_HEAD);
    if (!raw) return NULL;
    memcpy(raw, &size, sizeof size);
    memory->held = held;
    if (held > memory->peak) memory->peak = held;
    return raw + BOUNDED_HEAD;
}

static inline void bounded_release(void *user, void *block) {
    bounded_memory *memory = user;
    size_t size;
    if (!block) return;
    memcpy(&size, (char *)block - BOUNDED_HEAD, sizeof size);
    memory->held -= (int64_t)size;
    free((char *)block - BOUNDED_HEAD);
}

/* One thread: the counts are not guarded. */
static inline gpr_ctx *bounded_ctx(bounded_memory *memory) {
    gpr_ctx *ctx = NULL;
    gpr_ctx_options options = {
        .struct_size = sizeof options, .threads = 1, .allocator = {bounded_resize, bounded_release, memory}};
    assert_ok(gpr_ctx_new(&ctx, &options));
    return ctx;
}

#endif
