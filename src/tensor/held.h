/* Memory of a device that is given back together: blocks of its own, and what it shares with the host. */
#ifndef GPRI_HELD_H
#define GPRI_HELD_H

#include "tensor/device.h"

typedef struct gpri_held {
    gpr_ctx *ctx;
    const gpri_device *device;
    struct gpri_held_block *blocks;
} gpri_held;

/* zeroed, or undefined. */
gpr_status gpri_held_alloc(gpri_held *held, void *out, int64_t count, size_t size, bool zeroed,
                           const char *what) GPRI_MUST_CHECK;
/* Memory of the host that goes with the rest: structs of settings that operations get. Zeroed. */
gpr_status gpri_held_keep(gpri_held *held, void *out, int64_t count, size_t size, const char *what) GPRI_MUST_CHECK;
/* The host's memory for operations to read. NULL stays NULL. */
gpr_status gpri_held_share(gpri_held *held, void *out, const void *host, int64_t count, size_t size,
                           const char *what) GPRI_MUST_CHECK;
/* A graph whose arrays operations can read. */
gpr_status gpri_held_share_graph(gpri_held *held, gpri_graph *view, const gpri_graph *graph) GPRI_MUST_CHECK;
/* A block that is not needed any more. */
void gpri_held_give_back(gpri_held *held, const void *block);
void gpri_held_free(gpri_held *held);

#endif
