/* Split files (.npz with masks), for a graph of ten nodes. */
#define FUZZ_BOUNDED
#include "io/split.h"
#include "context.h"
#include "input.h"
#include "io/numpy/split_masks.h"
#include "npz_names.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    enum { NODES = 10 };
    gpr_ctx *ctx = fuzz_context();
    uint8_t part[NODES] = {0};
    if (gpri_split_read(ctx, part, NODES, input_path(bytes, size), 1) == GPR_OK) {
        for (int i = 0; i < NODES; i++)
            if (part[i] > GPR_TEST) abort();
    } else if (!gpr_last_error()[0]) {
        abort();
    }
    fuzz_context_free(ctx);
    return 0;
}

FUZZ_MUTATOR(mutate_npz, &npz_names)
FUZZ_CROSSING(cross_npz, &npz_names)
