/* Matrix Market files, plain and gzip. */
#include "input.h"
#include "io/text/graph_only.h"
#include "text.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data;
    const char *path = input_path(bytes, size);
    gpri_head head;
    bool fits;
    gpri_head_init(&head, path);
    gpr_status status = gpri_fits_matrix_market(ctx, &fits, &head);
    if (status == GPR_OK) status = gpri_fits_edges(ctx, &fits, &head);
    if (status != GPR_OK && status != GPR_ERROR_MEMORY) abort();
    status = gpri_read_matrix_market(ctx, &data, path, NULL);
    check_opened(status, data);
    if (data) use_dataset(ctx, data);
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
    return 0;
}

static const dictionary words =
    DICTIONARY("%%MatrixMarket", "matrix", "coordinate", "array", "real", "integer", "pattern", "complex", "general",
               "symmetric", "skew-symmetric", "hermitian", "%", "2 2 1");

FUZZ_MUTATOR(mutate_text, &words)
