/* For tests, with LD_PRELOAD: the monotonic clock starts at 0 and goes $GPRGNN_TEST_SPEED times as fast. So what
   happens every few seconds can be seen in a short run. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

typedef int (*clock_fn)(clockid_t, struct timespec *);

static clock_fn real;
static long long start, speed = 1; /* nanoseconds; factor */

static long long nanoseconds(const struct timespec *time) {
    return (long long)time->tv_sec * 1000000000 + time->tv_nsec;
}

static void find_real(void) {
    struct timespec now;
    const char *given = getenv("GPRGNN_TEST_SPEED");
    const clock_fn found = (clock_fn)dlsym(RTLD_NEXT, "clock_gettime");
    found(CLOCK_MONOTONIC, &now);
    start = nanoseconds(&now);
    if (given) speed = atoll(given);
    real = found;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    if (!real) find_real();
    const int status = real(clock, out);
    if (status != 0 || clock != CLOCK_MONOTONIC) return status;
    const long long passed = speed * (nanoseconds(out) - start);
    out->tv_sec = passed / 1000000000;
    out->tv_nsec = passed % 1000000000;
    return 0;
}
