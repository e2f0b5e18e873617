/* Python pickles: any bytes give a status, never a fault; an accepted value can be read in each of its forms. */
#include "io/numpy/pickle.h"
#include "input.h"

static void try_forms(gpr_ctx *ctx, const gpri_pickle *pickle) {
    gpri_array array;
    gpri_csr matrix;
    gpri_neighbours graph;
    for (int dims = 1; dims <= 2; dims++)
        for (int type = GPRI_AS_BOOL; type <= GPRI_AS_DOUBLE; type++) {
            if (gpri_pickle_array(pickle, &array, (gpri_number)type, dims) == GPR_OK && array.count > pickle->size)
                abort();
            gpri_free(ctx, array.data);
        }
    if (gpri_pickle_csr(pickle, &matrix) == GPR_OK && matrix.indptr[matrix.rows] > pickle->size) abort();
    gpri_csr_free(ctx, &matrix);
    if (gpri_pickle_graph(pickle, &graph) == GPR_OK && graph.edges > pickle->size) abort();
    gpri_neighbours_free(ctx, &graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx;
    gpri_pickle *pickle;
    input_file input = input_open(bytes, size);
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    gpr_status status = gpri_pickle_open(ctx, &pickle, input.path);
    if ((status == GPR_OK) != (pickle != NULL)) abort();
    if (pickle) try_forms(ctx, pickle);
    else if (!gpr_last_error()[0]) abort();
    gpri_pickle_close(pickle);
    gpr_ctx_free(ctx);
    close(input.fd);
    return 0;
}
