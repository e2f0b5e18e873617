/* Passes that a device records once and replays, and whether it failed. */
#include "tensor/device.h"

gpr_status gpri_device_run(gpr_ctx *ctx, gpri_recording **recording, gpri_pass_fn pass, void *arg) {
    const gpri_device *device = ctx->device;
    gpr_status status = GPR_OK;
    if (!device->begin) {
        pass(arg);
        return GPR_OK;
    }
    if (!*recording) {
        TRY(device->begin(device, ctx));
        pass(arg);
        TRY(device->end(device, ctx, recording));
    }
    TRY(device->replay(device, *recording));
done:
    return status;
}

gpr_status gpri_device_check(gpr_ctx *ctx) { return ctx->device->check ? ctx->device->check(ctx->device) : GPR_OK; }

void gpri_device_forget(gpr_ctx *ctx, gpri_recording *recording) {
    if (recording) ctx->device->forget(ctx->device, ctx, recording);
}
