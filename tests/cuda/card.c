/* The card of this machine, for the tests that need one. Where there is none they fail. */
#include "support.h"

gpr_ctx *card_open(void);
extern const bool card_is_slow;
const bool card_is_slow = false;

gpr_ctx *card_open(void) {
    gpr_ctx *ctx = NULL;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .device = "cuda"};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) {
        fprintf(stderr, "these tests need a card: %s\n", gpr_last_error());
        exit(1);
    }
    return ctx;
}
