/* A device that counts bytes, and has none. */
#include "tensor/counter.h"

#include <string.h>

#include "base/memory.h"

static gpri_counter *counter_of(const gpri_device *device) { return device->state; }

/* Every block has an address of its own, which nobody may read or write. */
static gpr_status count_block(const gpri_device *device, gpr_ctx *ctx, void *out, int64_t count, size_t size,
                              bool zeroed, const char *what) {
    enum { ALIGNMENT = 256 };
    const uintptr_t address = ALIGNMENT + (uintptr_t)counter_of(device)->bytes;
    (void)ctx, (void)zeroed, (void)what;
    counter_of(device)->bytes += (count * (int64_t)size + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    memcpy(out, &address, sizeof address);
    return GPR_OK;
}

static void free_nothing(const gpri_device *device, gpr_ctx *ctx, void *block) { (void)device, (void)ctx, (void)block; }

static void put_nothing(const gpri_device *device, void *to, const void *from, int64_t bytes) {
    (void)device, (void)to, (void)from, (void)bytes;
}

static void get_zeros(const gpri_device *device, void *to, const void *from, int64_t bytes) {
    (void)device, (void)from;
    memset(to, 0, (size_t)bytes);
}

static gpr_status never_fail(const gpri_device *device) {
    (void)device;
    return GPR_OK;
}

static gpr_status count_share(const gpri_device *device, gpr_ctx *ctx, const void **out, const void *host,
                              int64_t bytes, const char *what) {
    gpri_counter *counter = counter_of(device);
    *out = host;
    for (int i = 0; i < counter->shares; i++)
        if (counter->shared[i] == host) return GPR_OK;
    if (counter->shares < GPRI_COUNTED_SHARES) counter->shared[counter->shares++] = host;
    return count_block(device, ctx, out, bytes, 1, false, what);
}

static void unshare_nothing(const gpri_device *device, gpr_ctx *ctx, const void *shared) {
    (void)device, (void)ctx, (void)shared;
}

void gpri_counter_begin(gpri_counter *counter, const gpri_device *real) {
    *counter = (gpri_counter){.device = *real, .real = real};
    gpri_device *device = &counter->device;
    device->state = counter;
    device->alloc = count_block;
    device->free = free_nothing;
    device->put = put_nothing;
    device->get = get_zeros;
    device->check = never_fail;
    device->fetch = NULL;
    device->share = count_share;
    device->unshare = unshare_nothing;
    device->plan_graph = NULL; /* small beside the graph */
    device->unplan_graph = NULL;
}

gpr_status gpri_counter_fits(const gpri_counter *counter, const char *what) {
    const gpri_device *device = counter->real;
    char needed[GPRI_SIZE_TEXT], there[GPRI_SIZE_TEXT];
    const int64_t room = device->room ? device->room(device) : INT64_MAX;
    if (counter->bytes <= room) return GPR_OK;
    return gpri_fail(GPR_ERROR_MEMORY,
                     "%s needs %s or more of the memory of device %s, and %s of it are free: end what else runs there, "
                     "use a smaller `hidden` or a device with more memory, or compute on the CPU (`device` cpu)",
                     what, gpri_size_text(needed, (double)counter->bytes), device->name,
                     gpri_size_text(there, (double)room));
}
