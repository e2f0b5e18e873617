/* The memory that nets would take on a device, counted before any of it is taken. A counter stands in for the device
 * while nets are planned: it gives addresses of nothing, and copies nothing. Operations must not run meanwhile.
 *
 *     gpri_counter counter;
 *     gpri_counter_begin(&counter, ctx);
 *     ... plan a net, free it ...
 *     gpri_counter_end(&counter, ctx);
 *     TRY(gpri_counter_fits(&counter, "the training"));
 */
#ifndef GPRI_COUNTER_H
#define GPRI_COUNTER_H

#include "tensor/device.h"

#define GPRI_COUNTED_SHARES 256

typedef struct gpri_counter {
    gpri_device device;                      /* its state is the counter */
    const gpri_device *real;                 /* that it stands in for */
    int64_t bytes;                           /* so far */
    const void *shared[GPRI_COUNTED_SHARES]; /* arrays of the host that are counted: once, whoever shares them */
    int shares;
} gpri_counter;

/* The context computes with the counter, until end. */
void gpri_counter_begin(gpri_counter *counter, gpr_ctx *ctx);
void gpri_counter_end(gpri_counter *counter, gpr_ctx *ctx);
/* GPR_ERROR_MEMORY, with both figures, if the real device has less memory. what: "training texas", for the message. */
gpr_status gpri_counter_fits(const gpri_counter *counter, const char *what) GPRI_MUST_CHECK;

#endif
