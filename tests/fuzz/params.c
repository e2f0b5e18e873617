/* Config files: any bytes give a status, never a fault; every value that is set is valid. */
#include "gprgnn.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx;
    gpr_params *params;
    input_file input = input_open(bytes, size);
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK || gpr_params_new(ctx, &params) != GPR_OK) abort();
    if (gpr_params_load(params, input.path) != GPR_OK && !gpr_last_error()[0]) abort();
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_param_describe(i, &info) != GPR_OK) abort();
        const char *value = gpr_params_get(params, info.name);
        if (!value || gpr_params_set(params, info.name, value) != GPR_OK) abort();
    }
    gpr_params_free(params);
    gpr_ctx_free(ctx);
    close(input.fd);
    return 0;
}
