/* A test program that passes or fails on demand, to prove that a failing check (or a fault under a sanitizer) fails
 * the run. */
#include <unistd.h>

#include "base/thread.h"
#include "support.h"

static const char *demand;
static volatile int shared;

static void increment(void *arg, int64_t chunk, int slot) {
    (void)arg, (void)chunk, (void)slot;
    usleep(1000); /* so that one thread cannot take all the chunks */
    shared = shared + 1;
}

static void check(void **state) {
    (void)state;
    if (strcmp(demand, "fail") == 0) assert_ok(GPR_ERROR_IO);
    if (strcmp(demand, "overrun") == 0) {
        volatile char *block = malloc(4);
        volatile int at = 4;
        assert_non_null(block);
        block[at] = 1;
        free((void *)block);
    }
    if (strcmp(demand, "leak") == 0) {
        char *volatile block = malloc(4);
        assert_non_null(block);
        block = NULL;
    }
    if (strcmp(demand, "race") == 0) {
        gpr_ctx *ctx = new_ctx(2);
        gpri_parallel(ctx, 2, 100, increment, NULL);
        gpr_ctx_free(ctx);
    }
    if (strcmp(demand, "undefined") == 0) {
        volatile int most = INT32_MAX;
        most = most + 1;
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(check)};
    demand = argc > 1 ? argv[1] : "pass";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
