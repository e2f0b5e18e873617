/* Long work calls its tick again and again: it may show how far the work is, and stop it. */
#ifndef GPRI_TICK_H
#define GPRI_TICK_H

#include "base/status.h"

/* Zeroed: nobody listens. */
typedef struct gpri_tick {
    gpr_status (*fn)(void *user, double share); /* share: of the work that is done, 0 to 1; negative: not known. An
                                                   error ends the work. */
    void *user;
} gpri_tick;

GPRI_MUST_CHECK static inline gpr_status gpri_tick_now(const gpri_tick *tick, double share) {
    return tick->fn ? tick->fn(tick->user, share) : GPR_OK;
}

#endif
