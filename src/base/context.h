/* The context: memory, threads, and what a job needs. No globals anywhere. */
#ifndef GPRI_CONTEXT_H
#define GPRI_CONTEXT_H

#ifndef __cplusplus
#include <stdatomic.h>
#endif
#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"

struct gpri_device;  /* tensor/device.h */
struct gpri_group;   /* dist/group.h */
struct gpri_mapping; /* file/mapping.h */
struct gpri_pool;    /* base/thread.c */

/* A fixed number, not the size of a cache: bits must not depend on the machine. Tests set another one. */
#define GPRI_LARGE ((int64_t)8 << 20)

/* What reading data may take (base/budget.h). Zeroed: no limit. */
typedef struct gpri_budget {
    int64_t bytes; /* that it may take; 0: any number */
    int64_t most;  /* that the context may hold then */
    bool given;    /* set by the caller */
} gpri_budget;

/* Who hears what is said. */
typedef struct gpri_listener {
    gpr_log_fn log; /* NULL: nobody */
    void *user;
    bool quiet; /* no warning of what the caller has asked for */
} gpri_listener;

/* Long work calls its tick again and again. The tick may show how far the work is, and stop it. Zeroed: nobody listens.
 */
typedef struct gpri_tick {
    /* done of total: bytes, or any other measure of the work. total: 0 if it is not known. An error ends the work. */
    gpr_status (*fn)(void *user, double done, double total);
    void *user;
} gpri_tick;

GPRI_MUST_CHECK static inline gpr_status gpri_tick_now(const gpri_tick *tick, double done, double total) {
    return tick->fn ? tick->fn(tick->user, done, total) : GPR_OK;
}

/* What a job needs beside memory and threads: who computes, with which other processes, who hears of it, and what it
   may take. The caller sets it when he makes the context, chooses a device or joins processes; nothing in the library
   puts another one in its place. A job with other ends has a context of its own (gpri_ctx_for_job). */
typedef struct gpri_job {
    const struct gpri_device *device; /* what computes, and where its memory is */
    const struct gpri_device *cpu;    /* this CPU, for what is computed in the host's memory; mostly the same one */
    struct gpri_group *group;         /* the processes that train together; NULL: this one is alone. Ask dist/all.h */
    void (*close_group)(struct gpri_group *group);
    gpr_log_fn log;
    gpr_progress_fn progress;
    void *user;         /* of both */
    bool quiet;         /* as of gpri_listener */
    gpri_budget budget; /* of what is read now (base/budget.h) */
} gpri_job;

#ifndef __cplusplus /* which has no atomics of C: there a context is known by its address only */
struct gpr_ctx {
    gpri_job job;
    gpr_allocator allocator;
    int threads;
    struct gpri_pool *pool;      /* threads, or NULL: not needed so far */
    _Atomic int64_t held;        /* bytes of all blocks; any thread may free one */
    int64_t large;               /* bytes of a state that caches do not hold (walk/way.h) */
    struct gpri_mapping *mapped; /* the files that it has mapped; guarded by mapped_lock */
    atomic_flag mapped_lock;
    char build_info[512];
};
#endif

/* A context without its devices, for what needs memory and no arithmetic; freed by gpr_ctx_free. options may be NULL.
   gpr_ctx_new (tensor/) adds the rest. A context is never copied: its threads know its address. */
gpr_status gpri_ctx_open(gpr_ctx **out, const gpr_ctx_options *options) GPRI_MUST_CHECK;

/* The level of a warning that only says what an option of the call has done, such as edges that were left out because
   the caller said so. Callers who do not want these (gpr_ctx_options.quiet) do not get them; others get a warning. */
#define GPRI_LOG_ASKED ((gpr_log_level)100)

void gpri_log(gpr_ctx *ctx, gpr_log_level level, const char *format, ...) GPRI_PRINTF(3, 4);
/* To a listener, who may be another one than the context's. */
void gpri_tell(const gpri_listener *listener, gpr_log_level level, const char *format, ...) GPRI_PRINTF(3, 4);

#endif
