/* The emulated card, for tests of the kernels on any machine. */
#include "support.h"

#include "tensor/device.h"

gpr_ctx *card_open(void);
extern const bool card_is_slow;
const bool card_is_slow = true;
const gpri_device *emulated_device(void);

gpr_ctx *card_open(void) {
    gpr_ctx *ctx = new_ctx(1);
    ctx->job.device = emulated_device();
    return ctx;
}
