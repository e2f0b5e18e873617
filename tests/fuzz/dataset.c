/* Datasets as .npz, in all conventions: any bytes give a status, never a fault; a dataset that was taken can be used.
 */
#define FUZZ_BOUNDED
#include "input.h"
#include "io/numpy/npz_dataset.h"
#include "io/readers.h"
#include "npz_names.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data;
    const gpr_status status = gpri_read_npz(ctx, &data, input_path(bytes, size));
    check_opened(status, data);
    if (data) use_dataset(ctx, data);
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
    return 0;
}

FUZZ_MUTATOR(mutate_npz, &npz_names)
FUZZ_CROSSING(cross_npz, &npz_names)
