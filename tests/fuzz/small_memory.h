/* A context that gives no block above 16 MiB: a text may have more nodes than a fuzzer has memory for. */
#ifndef FUZZ_SMALL_MEMORY_H
#define FUZZ_SMALL_MEMORY_H

#include <stdlib.h>

#include "base/context.h"

static void *small_resize(void *user, void *block, size_t size) {
    (void)user;
    return size > (size_t)16 << 20 ? NULL : realloc(block, size);
}

static void small_release(void *user, void *block) {
    (void)user;
    free(block);
}

static inline gpr_ctx *small_context(void) {
    gpr_ctx *ctx;
    gpr_ctx_options options = {
        .struct_size = sizeof options, .threads = 1, .allocator = {small_resize, small_release, NULL}};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    return ctx;
}

#endif
