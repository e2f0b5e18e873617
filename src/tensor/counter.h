/* The memory that nets would take on a device, counted before any of it is taken. A counter is a device to plan nets
 * for: it gives addresses of nothing, and copies nothing. Operations on them must not run.
 *
 *     gpri_counter counter;
 *     gpri_counter_begin(&counter, ctx->job.device);
 *     ... plan a net for &counter.device, free it ...
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

/* The counter must stay where it is. */
void gpri_counter_begin(gpri_counter *counter, const gpri_device *real);
/* GPR_ERROR_MEMORY, with both figures, if the real device has less memory. what: "training texas", for the message. */
gpr_status gpri_counter_fits(const gpri_counter *counter, const char *what) GPRI_MUST_CHECK;

#endif
