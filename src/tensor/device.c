/* Passes that a device records, and whether it failed. */
#include "tensor/device.h"

gpr_status gpri_device_record(gpr_ctx *ctx, gpri_recording **out, gpri_pass_fn pass, void *arg) {
    const gpri_device *device = ctx->job.device;
    NEED(device->begin(device, ctx));
    pass(arg);
    return device->end(device, ctx, out);
}

gpr_status gpri_device_check(gpr_ctx *ctx) {
    return ctx->job.device->check ? ctx->job.device->check(ctx->job.device) : GPR_OK;
}

void gpri_device_forget(gpr_ctx *ctx, gpri_recording *recording) {
    if (recording) ctx->job.device->forget(ctx->job.device, ctx, recording);
}
