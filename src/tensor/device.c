/* Passes that a device records, and whether it failed. */
#include "tensor/device.h"

gpr_status gpri_device_record(gpr_ctx *ctx, gpri_recording **out, gpri_pass_fn pass, void *arg) {
    const gpri_device *device = ctx->device;
    NEED(device->begin(device, ctx));
    pass(arg);
    return device->end(device, ctx, out);
}

gpr_status gpri_device_check(gpr_ctx *ctx) { return ctx->device->check ? ctx->device->check(ctx->device) : GPR_OK; }

void gpri_device_forget(gpr_ctx *ctx, gpri_recording *recording) {
    if (recording) ctx->device->forget(ctx->device, ctx, recording);
}
