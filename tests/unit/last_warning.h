/* A context that keeps the last warning. */
#ifndef TEST_LAST_WARNING_H
#define TEST_LAST_WARNING_H

#include "support.h"

static char warning[512];

static inline void keep_last_warning(void *user, gpr_log_level level, const char *line) {
    (void)user;
    if (level == GPR_LOG_WARNING) snprintf(warning, sizeof warning, "%s", line);
}

static inline gpr_ctx *warning_ctx(void) {
    gpr_ctx *ctx = NULL;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .log = keep_last_warning};
    assert_ok(gpr_ctx_new(&ctx, &options));
    warning[0] = 0;
    return ctx;
}

#endif
