/* What every unit test includes: cmocka, the headers that it needs before it, and helpers. */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/context.h"

#ifdef main /* the build gives the main of each file a name of its own (tests/driver.c) */
int main(void);
#endif

#define assert_ok(call)                                                                       \
    do {                                                                                      \
        gpr_status assert_status_ = (call);                                                   \
        if (assert_status_ != GPR_OK)                                                         \
            fail_msg("%s: %s: %s", #call, gpr_status_name(assert_status_), gpr_last_error()); \
    } while (0)

/* The call fails with this status, and the message contains `part`. */
#define assert_fails(call, expected, part)                                                                         \
    do {                                                                                                           \
        gpr_status assert_status_ = (call);                                                                        \
        if (assert_status_ != (expected))                                                                          \
            fail_msg("%s: got %s, not %s (%s)", #call, gpr_status_name(assert_status_), gpr_status_name(expected), \
                     gpr_last_error());                                                                            \
        if (!strstr(gpr_last_error(), part))                                                                       \
            fail_msg("%s: the message lacks '%s': %s", #call, part, gpr_last_error());                             \
    } while (0)

/* Ends a test that cannot run here. tests/run.py gathers the reasons. */
#define skip_because(...)                                            \
    do {                                                             \
        print_message("skipped: " __VA_ARGS__), print_message("\n"); \
        skip();                                                      \
    } while (0)

static inline gpr_ctx *new_ctx(int threads) {
    gpr_ctx *ctx = NULL;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = threads};
    assert_ok(gpr_ctx_new(&ctx, &options));
    return ctx;
}

#endif
