/* A context: making one from its options, its log, and the peak of the program's memory. */
#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/print.h"
#include "base/thread.h"

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
    *ctx = (gpr_ctx){.allocator = allocator, .large = GPRI_LARGE};
    if (options) {
        ctx->job.log = options->log;
        ctx->job.progress = options->progress;
        ctx->job.user = options->user;
        ctx->job.quiet = options->quiet != 0;
    }
    gpr_status status = gpr_ctx_set_threads(ctx, options ? options->threads : 0);
    if (status == GPR_OK) *out = ctx;
    else gpr_ctx_free(ctx);
    return status;
}

void gpr_ctx_free(gpr_ctx *ctx) {
    if (!ctx) return;
    gpri_pool_free(ctx);
    if (ctx->job.group) ctx->job.close_group(ctx->job.group);
    ctx->allocator.release(ctx->allocator.user, ctx);
}

gpr_status gpr_ctx_set_threads(gpr_ctx *ctx, int threads) {
    if (!ctx) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_ctx_set_threads: ctx is NULL");
    if (threads < 0 || threads > GPRI_MAX_THREADS)
        return gpri_fail(GPR_ERROR_ARGUMENT, "threads is %d: it must be in [0, %d] (0: as many as the machine has)",
                         threads, GPRI_MAX_THREADS);
    const int before = ctx->threads;
    ctx->threads = threads ? threads : gpri_machine_threads();
    if (ctx->threads < before) gpri_pool_rest(ctx);
    return gpri_finish(GPR_OK);
}

int gpr_ctx_threads(const gpr_ctx *ctx) { return ctx ? ctx->threads : 0; }

GPRI_PRINTF(3, 0)
static void tell(const gpri_listener *listener, gpr_log_level level, const char *format, va_list args) {
    char text[1024], line[1024];
    if (!listener->log || (level == GPRI_LOG_ASKED && listener->quiet)) return;
    gpri_vprint(text, sizeof text, format, args);
    gpr_text_printable(line, sizeof line, text);
    listener->log(listener->user, level == GPRI_LOG_ASKED ? GPR_LOG_WARNING : level, line);
}

void gpri_log(gpr_ctx *ctx, gpr_log_level level, const char *format, ...) {
    const gpri_listener own = {ctx->job.log, ctx->job.user, ctx->job.quiet};
    va_list args;
    va_start(args, format);
    tell(&own, level, format, args);
    va_end(args);
}

void gpri_tell(const gpri_listener *listener, gpr_log_level level, const char *format, ...) {
    va_list args;
    va_start(args, format);
    tell(listener, level, format, args);
    va_end(args);
}

/* Not getrusage: after fork and exec it still counts the peak of the parent program. */
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
