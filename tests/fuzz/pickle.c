/* Python pickles: any bytes give a status, never a fault; an accepted value can be read in each of its forms. */
#define FUZZ_BOUNDED
#include "io/numpy/pickle.h"
#include "context.h"
#include "input.h"
#include "opcodes.h"

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
    gpr_ctx *ctx = fuzz_context();
    gpri_pickle *pickle;
    gpr_status status = gpri_pickle_open(ctx, &pickle, input_path(bytes, size));
    if ((status == GPR_OK) != (pickle != NULL)) abort();
    if (pickle) try_forms(ctx, pickle);
    else if (!gpr_last_error()[0]) abort();
    gpri_pickle_close(pickle);
    fuzz_context_free(ctx);
    return 0;
}

FUZZ_MUTATOR(mutate_pickle, NULL)
