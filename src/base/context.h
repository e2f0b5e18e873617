/* The context: allocator, threads, log, progress and the table of operations. No globals anywhere. */
#ifndef GPRI_CONTEXT_H
#define GPRI_CONTEXT_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"

struct gpri_ops;  /* tensor/ops.h */
struct gpri_pool; /* base/thread.c */

struct gpr_ctx {
    gpr_allocator allocator;
    gpr_log_fn log;
    gpr_progress_fn progress;
    void *user;
    int threads;
    const struct gpri_ops *ops; /* the back end chosen for this CPU */
    struct gpri_pool *pool;     /* threads, or NULL: not needed so far */
    char build_info[512];
};

/* Fills in all but `ops`; options may be NULL. gpr_ctx_new (tensor/) does the rest. */
gpr_status gpri_ctx_init(gpr_ctx *ctx, const gpr_ctx_options *options) GPRI_MUST_CHECK;

void gpri_log(gpr_ctx *ctx, gpr_log_level level, const char *format, ...) GPRI_PRINTF(3, 4);

#endif
