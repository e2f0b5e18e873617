/* Datasets (.npz): any bytes give a status, never a fault; an accepted dataset can be described and split. */
#include "data/dataset.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx;
    gpr_dataset *data;
    input_file input = input_open(bytes, size);
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    gpr_status status = gpri_read_npz(ctx, &data, input.path);
    if ((status == GPR_OK) != (data != NULL)) abort();
    if (data) {
        gpr_dataset_info info = {.struct_size = sizeof info};
        gpr_split *split;
        if (gpr_dataset_describe(ctx, data, &info) != GPR_OK || info.nodes < 1) abort();
        if (gpr_split_new(ctx, &split, data, "dense", 1, 0) == GPR_OK) gpr_split_free(split);
    } else if (!gpr_last_error()[0]) {
        abort();
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    close(input.fd);
    return 0;
}
