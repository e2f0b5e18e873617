/* The context: allocator, threads, log, progress and the table of operations. No globals anywhere. */
#ifndef GPRI_CONTEXT_H
#define GPRI_CONTEXT_H

#include <stdbool.h>

#include "base/status.h"
#include "base/tick.h"

struct gpri_ops;  /* tensor/ops.h */
struct gpri_pool; /* base/thread.c */

/* Where edges go that are not to stay in memory (graph/spill.h). Zeroed: they stay. */
typedef struct gpri_beyond {
    const char *path; /* to files beside this one; NULL: nowhere */
    int64_t memory;   /* bytes that may be taken at once */
    gpri_tick tick;   /* of the work on them */
} gpri_beyond;

struct gpr_ctx {
    gpr_allocator allocator;
    gpr_log_fn log;
    gpr_progress_fn progress;
    void *user;
    int threads;
    const struct gpri_ops *ops; /* the back end chosen for this CPU */
    struct gpri_pool *pool;     /* threads, or NULL: not needed so far */
    gpri_beyond beyond;         /* of gpr_convert, while it reads */
    char build_info[512];
};

/* A context without `ops`, for what needs memory and no arithmetic; freed by gpr_ctx_free. options may be NULL.
   gpr_ctx_new (tensor/) adds the rest. A context is never copied: its threads know its address. */
gpr_status gpri_ctx_open(gpr_ctx **out, const gpr_ctx_options *options) GPRI_MUST_CHECK;

/* count * size bytes, 64-byte aligned; contents undefined (gpri_alloc) or zero (gpri_calloc). *out is NULL on
   failure. A count of 0 gives a valid block. Checks count * size for overflow. `what` names it in the error. */
gpr_status gpri_alloc(gpr_ctx *ctx, void *out, int64_t count, size_t size, const char *what) GPRI_MUST_CHECK;
gpr_status gpri_calloc(gpr_ctx *ctx, void *out, int64_t count, size_t size, const char *what) GPRI_MUST_CHECK;
/* Grows *block to at least `count` elements, doubling *capacity; keeps the contents. Blocks made so are freed
   with gpri_free too. On failure *block is unchanged and still the caller's. */
gpr_status gpri_grow(gpr_ctx *ctx, void *block, int64_t *capacity, int64_t count, size_t size,
                     const char *what) GPRI_MUST_CHECK;
void gpri_free(gpr_ctx *ctx, void *block); /* NULL is fine */
gpr_status gpri_strdup(gpr_ctx *ctx, char **out, const char *text) GPRI_MUST_CHECK;

void gpri_log(gpr_ctx *ctx, gpr_log_level level, const char *format, ...) GPRI_PRINTF(3, 4);

/* a * b into *out; false on overflow or a negative factor. */
bool gpri_mul_size(int64_t a, int64_t b, int64_t *out);
/* The bytes of `count` elements of `size` bytes; false if they are more than `most`. Sizes have 64 bits on every
   machine, but what a machine can allocate has those of its size_t. */
bool gpri_block_size(size_t *out, int64_t count, size_t size, size_t most);

#endif
