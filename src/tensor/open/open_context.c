/* gpr_ctx_new: memory and threads come from base/, the device is chosen here; and what gpr_version and gpr_build_info
 * tell. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/struct.h"
#include "base/text.h"
#include "tensor/cpu/cpu.h"
#include "tensor/open/cuda_open.h"
#include "tensor/open/open_context.h"

#ifndef GPRI_VERSION
#define GPRI_VERSION "0.0.0"
#endif

const char *gpr_version(void) { return GPRI_VERSION; }

/* ---- the device ---- */

typedef struct {
    bool cuda, may_be_cpu; /* may_be_cpu: where there is no card that can be used */
    int card;              /* -1: the first */
} device_choice;

/* "cpu", "cuda", "cuda:N", "auto"; NULL is the CPU. */
static gpr_status read_choice(device_choice *choice, const char *device) {
    int64_t card;
    *choice = (device_choice){.card = -1};
    if (!device || strcmp(device, "cpu") == 0) return GPR_OK;
    choice->cuda = true;
    choice->may_be_cpu = strcmp(device, "auto") == 0;
    if (choice->may_be_cpu || strcmp(device, "cuda") == 0) return GPR_OK;
    if (strncmp(device, "cuda:", 5) != 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "device '%s' is not known: it must be cpu, cuda, cuda:N or auto", device);
    if (!gpri_parse_int(device + 5, &card) || card < 0 || card > INT_MAX)
        return gpri_fail(GPR_ERROR_ARGUMENT, "device '%s': the number of a card is 0 or more, as in cuda:0", device);
    choice->card = (int)card;
    return GPR_OK;
}

gpr_status gpr_ctx_set_device(gpr_ctx *ctx, const char *device) {
    device_choice choice;
    const gpri_device *card = NULL;
    char name[GPRI_CUDA_NAME_SIZE];
    if (!ctx) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_ctx_set_device: ctx is NULL");
    gpr_status status = read_choice(&choice, device);
    if (status == GPR_OK && choice.cuda) status = gpri_cuda_device(&card, choice.card, name);
    if (status != GPR_OK && choice.may_be_cpu) {
        gpri_log(ctx, GPR_LOG_INFO, "computing on the CPU: %s", gpr_last_error());
        status = GPR_OK;
    } else if (card && ctx->job.device != card) {
        gpri_log(ctx, GPR_LOG_INFO, "computing on %s", name);
    }
    if (status == GPR_OK) ctx->job.device = card ? card : ctx->job.cpu;
    return gpri_finish(status);
}

/* ---- the context ---- */

gpr_status gpr_ctx_new(gpr_ctx **out, const gpr_ctx_options *options) {
    gpr_ctx_options own = {0};
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_ctx_new: out is NULL");
    *out = NULL;
    gpr_status status = options ? GPRI_STRUCT_IN(&own, options, gpr_ctx_options, "gpr_ctx_new", "options") : GPR_OK;
    if (status == GPR_OK) status = gpri_ctx_open(out, &own);
    if (status == GPR_OK) status = gpri_cpu_device(&(*out)->job.cpu, own.cpu);
    if (status == GPR_OK) (*out)->job.device = (*out)->job.cpu;
    if (status == GPR_OK && own.device) status = gpr_ctx_set_device(*out, own.device);
    if (status != GPR_OK) {
        gpr_ctx_free(*out);
        *out = NULL;
        return status;
    }
    return gpri_finish(GPR_OK);
}

gpr_status gpri_ctx_for_job(gpr_ctx **out, const gpr_ctx *ctx, int jobs, gpr_progress_fn progress, void *user) {
    const gpr_ctx_options options = {.struct_size = sizeof options,
                                     .threads = ctx->threads / jobs > 1 ? ctx->threads / jobs : 1,
                                     .cpu = ctx->job.cpu->ops->name,
                                     .progress = progress,
                                     .user = user,
                                     .allocator = ctx->allocator};
    gpr_status status = gpr_ctx_new(out, &options);
    if (status == GPR_OK) (*out)->job.device = ctx->job.device;
    return status;
}

const char *gpr_build_info(gpr_ctx *ctx) {
#ifdef __VERSION__
    const char *compiler = __VERSION__;
#else
    const char *compiler = "unknown";
#endif
    if (!ctx) return NULL;
    snprintf(ctx->build_info, sizeof ctx->build_info,
             "{\"version\": \"%s\", \"compiler\": \"%s\", \"device\": \"%s\", \"kernels\": \"%s\", \"threads\": %d}",
             GPRI_VERSION, compiler, ctx->job.device->name, ctx->job.device->ops->name, ctx->threads);
    return ctx->build_info;
}
