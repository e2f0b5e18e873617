/* Elapsed time, for measuring. It never goes backwards. */
#ifndef GPRI_CLOCK_H
#define GPRI_CLOCK_H

#include <time.h>

static inline double gpri_seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
