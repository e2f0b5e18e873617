/* gpr_ctx_new: memory and threads come from base/, the device is chosen here; and what gpr_version and gpr_build_info
 * tell. */
#include <stdio.h>
#include <string.h>

#include "base/struct.h"
#include "tensor/device.h"

#ifndef GPRI_VERSION
#define GPRI_VERSION "0.0.0"
#endif

const char *gpr_version(void) { return GPRI_VERSION; }

static gpr_status check_device(const char *device) {
    if (!device || strcmp(device, "cpu") == 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "device '%s' is not known: the only device is 'cpu'", device);
}

gpr_status gpr_ctx_new(gpr_ctx **out, const gpr_ctx_options *options) {
    gpr_ctx_options own = {0};
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_ctx_new: out is NULL");
    *out = NULL;
    gpr_status status = options ? GPRI_STRUCT_IN(&own, options, gpr_ctx_options, "gpr_ctx_new", "options") : GPR_OK;
    if (status == GPR_OK) status = check_device(own.device);
    if (status == GPR_OK) status = gpri_ctx_open(out, &own);
    if (status == GPR_OK) status = gpri_cpu_device(&(*out)->cpu, own.cpu);
    if (status != GPR_OK) {
        gpr_ctx_free(*out);
        *out = NULL;
        return status;
    }
    (*out)->device = (*out)->cpu;
    return gpri_finish(GPR_OK);
}

const char *gpr_build_info(gpr_ctx *ctx) {
#ifdef __VERSION__
    const char *compiler = __VERSION__;
#else
    const char *compiler = "unknown";
#endif
    if (!ctx) return NULL;
    snprintf(ctx->build_info, sizeof ctx->build_info,
             "{\"version\": \"%s\", \"compiler\": \"%s\", \"kernels\": \"%s\", \"threads\": %d}", GPRI_VERSION,
             compiler, ctx->device->ops->name, ctx->threads);
    return ctx->build_info;
}
