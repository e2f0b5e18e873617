/* Config files: any bytes give a status, never a fault; every value that is set is valid. */
#include "context.h"
#include "input.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx = fuzz_context();
    gpr_params *params;
    if (gpr_params_new(ctx, &params) != GPR_OK) abort();
    if (gpr_params_load(params, input_path(bytes, size)) != GPR_OK && !gpr_last_error()[0]) abort();
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_param_describe(i, &info) != GPR_OK) abort();
        const char *value = gpr_params_get(params, info.name);
        if (!value || gpr_params_set(params, info.name, value) != GPR_OK) abort();
    }
    gpr_params_free(params);
    fuzz_context_free(ctx);
    return 0;
}

static const dictionary words =
    DICTIONARY("model", "gprgnn", "gat", "geomgcn", "hidden", "heads", "output-heads", "slope", "jk-layers", "K",
               "init", "ppr", "nppr", "delta:2", "random", "1,2,3", "alpha", "dropout", "dprate", "embedding", "lr",
               "weight-decay", "weight_decay", "epochs", "stopping", "patience", "split", "60/20/20",
               "planetoid:20/500/1000", "normalize", "row", "seed", "runs", "threads", "device", "cpu", "=", "#");

FUZZ_MUTATOR(mutate_text, &words)
