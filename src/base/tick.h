/* Long work calls its tick again and again. The tick may show how far the work is, and stop it. */
#ifndef GPRI_TICK_H
#define GPRI_TICK_H

#include "base/status.h"

/* Zeroed: nobody listens. */
typedef struct gpri_tick {
    /* done of total: bytes, or any other measure of the work. total: 0 if it is not known. An error ends the work. */
    gpr_status (*fn)(void *user, double done, double total);
    void *user;
} gpri_tick;

GPRI_MUST_CHECK static inline gpr_status gpri_tick_now(const gpri_tick *tick, double done, double total) {
    return tick->fn ? tick->fn(tick->user, done, total) : GPR_OK;
}

#endif
