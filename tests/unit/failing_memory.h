/* An allocator that fails on request. A call that allocates must then return GPR_ERROR_MEMORY and leak nothing. */
#ifndef TEST_FAILING_MEMORY_H
#define TEST_FAILING_MEMORY_H

#include "support.h"

typedef struct failing_memory {
    int64_t until; /* allocations that still succeed */
    int64_t live;  /* blocks not yet released */
} failing_memory;

static inline void *failing_resize(void *user, void *block, size_t size) {
    failing_memory *memory = user;
    if (memory->until-- <= 0) return NULL;
    if (!block) memory->live++;
    return realloc(block, size);
}

static inline void failing_release(void *user, void *block) {
    if (block) ((failing_memory *)user)->live--;
    free(block);
}

/* The trial; it frees all that it made. */
typedef gpr_status (*memory_trial)(gpr_ctx *ctx, void *arg);

/* Runs the trial with 0, 1, 2, ... successful allocations until it succeeds. */
static inline void fail_every_allocation(memory_trial trial, void *arg) {
    for (int64_t allowed = 0;; allowed++) {
        failing_memory memory = {.until = 1};
        gpr_ctx *ctx = NULL;
        gpr_ctx_options options = {
            .struct_size = sizeof options, .threads = 1, .allocator = {failing_resize, failing_release, &memory}};
        assert_ok(gpr_ctx_new(&ctx, &options));
        memory.until = allowed;
        gpr_status status = trial(ctx, arg);
        if (memory.live != 1)
            fail_msg("%lld blocks leaked after %lld allocations", (long long)memory.live - 1, (long long)allowed);
        if (status != GPR_OK && status != GPR_ERROR_MEMORY)
            fail_msg("%lld allocations: %s: %s", (long long)allowed, gpr_status_name(status), gpr_last_error());
        gpr_ctx_free(ctx);
        if (status == GPR_OK) return;
    }
}

#endif
