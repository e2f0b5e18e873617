/* Split files (.npz with masks), for a graph of ten nodes. */
#include "io/split.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    enum { NODES = 10 };
    gpr_ctx *ctx;
    uint8_t part[NODES] = {0};
    input_file input = input_open(bytes, size);
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    if (gpri_split_read(ctx, part, NODES, input.path, 1) == GPR_OK) {
        for (int i = 0; i < NODES; i++)
            if (part[i] > GPR_TEST) abort();
    } else if (!gpr_last_error()[0]) {
        abort();
    }
    gpr_ctx_free(ctx);
    close(input.fd);
    return 0;
}
