/* Matrix Market files, plain and gzip. */
#include "input.h"
#include "io/text/graph_only.h"
#include "small_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx = small_context();
    gpr_dataset *data;
    input_file input = input_open(bytes, size);
    gpri_head head;
    bool fits;
    gpri_head_init(&head, input.path);
    gpr_status status = gpri_fits_matrix_market(ctx, &fits, &head);
    if (status == GPR_OK) status = gpri_fits_edges(ctx, &fits, &head);
    if (status != GPR_OK && status != GPR_ERROR_MEMORY) abort();
    status = gpri_read_matrix_market(ctx, &data, input.path, NULL);
    if ((status == GPR_OK) != (data != NULL)) abort();
    if (data) {
        gpr_dataset_info info = {.struct_size = sizeof info};
        status = gpr_dataset_describe(ctx, data, &info);
        if (status != GPR_OK && status != GPR_ERROR_MEMORY) abort();
    } else if (!gpr_last_error()[0]) {
        abort();
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    close(input.fd);
    return 0;
}
