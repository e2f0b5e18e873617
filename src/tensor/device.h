/* The seam for back ends: a device has memory and a table of operations on it (tensor/ops.h). Layers, models and the
 * trainer know devices, never which one.
 *
 * A device cuts the rows of a net into tiles of its own size and deals them out to the context's threads (the CPU), or
 * it takes all rows as one tile and is called from one thread. It may record a pass and replay it every epoch. */
#ifndef GPRI_DEVICE_H
#define GPRI_DEVICE_H

#include "base/context.h"
#include "tensor/ops.h"

#define GPRI_MOST_LANES 32

typedef struct gpri_device gpri_device;
typedef struct gpri_recording gpri_recording; /* the device's own */

struct gpri_device {
    const char *name; /* "cpu" */
    const gpri_ops *ops;
    int64_t tile; /* rows that a layer gets at a time; 0: all rows at once, on one thread */
    int64_t lag;  /* epochs that may run before the host looks at what came of them; 1: it looks after each */
    int64_t lanes; /* nets that one thread should train side by side, at most GPRI_MOST_LANES; 0, 1: one */
    void *state;  /* the device's own */

    /* count * size bytes, aligned to 64; zeroed or undefined. *out is NULL on failure. `what` names it in the error. */
    gpr_status (*alloc)(const gpri_device *device, gpr_ctx *ctx, void *out, int64_t count, size_t size, bool zeroed,
                        const char *what);
    void (*free)(const gpri_device *device, gpr_ctx *ctx, void *block); /* NULL is fine */
    /* Copies between the host's memory and the device's; done when they return. A failure of a copy or an operation is
       remembered, and check returns the first one. */
    void (*put)(const gpri_device *device, void *to, const void *from, int64_t bytes);
    void (*get)(const gpri_device *device, void *to, const void *from, int64_t bytes);
    gpr_status (*check)(const gpri_device *device); /* NULL: nothing can fail */
    /* Bytes that can be allocated now, about. NULL: as much as the machine has. */
    int64_t (*room)(const gpri_device *device);
    /* As get, for a few bytes at a time; they are there when check returns. NULL: use get. */
    void (*fetch)(const gpri_device *device, void *to, const void *from, int64_t bytes);
    /* What the host has, for operations to read: the same memory where the device can read it, else a copy. Several
       nets may share the same memory: a copy is made once and lives until all have given it back. */
    gpr_status (*share)(const gpri_device *device, gpr_ctx *ctx, const void **out, const void *host, int64_t bytes,
                        const char *what);
    void (*unshare)(const gpri_device *device, gpr_ctx *ctx, const void *shared);

    /* Between begin and end operations are recorded, not run. replay runs `count` recordings, at most GPRI_MOST_LANES:
       those of different nets, which may go side by side. All NULL: the device does not record. */
    gpr_status (*begin)(const gpri_device *device, gpr_ctx *ctx);
    gpr_status (*end)(const gpri_device *device, gpr_ctx *ctx, gpri_recording **out);
    gpr_status (*replay)(const gpri_device *device, gpri_recording *const *recordings, int64_t count);
    void (*forget)(const gpri_device *device, gpr_ctx *ctx, gpri_recording *recording);

    /* view->plan for a graph of the host whose shared arrays `view` has; once for all nets that share them. Both NULL:
       the device needs none. */
    gpr_status (*plan_graph)(const gpri_device *device, gpr_ctx *ctx, gpri_graph *view, const gpri_graph *graph);
    void (*unplan_graph)(const gpri_device *device, gpr_ctx *ctx, const void *plan);
};

/* Whether all that the device was asked to do has been done. */
gpr_status gpri_device_check(gpr_ctx *ctx) GPRI_MUST_CHECK;

/* Records a pass, on a device that can: a function that calls operations and decides nothing by their results. Free
   with gpri_device_forget. */
typedef void (*gpri_pass_fn)(void *arg);
gpr_status gpri_device_record(gpr_ctx *ctx, gpri_recording **out, gpri_pass_fn pass, void *arg) GPRI_MUST_CHECK;
void gpri_device_forget(gpr_ctx *ctx, gpri_recording *recording);

#endif
