/* Geom-GCN's two texts, with a NUL byte between them. */
#include <string.h>

#include "folder.h"
#include "io/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const names[] = {"out1_node_feature_label.txt", "out1_graph_edges.txt"};
    gpr_ctx *ctx;
    gpr_dataset *data;
    const uint8_t *nul = size ? memchr(bytes, 0, size) : NULL;
    size_t first = nul ? (size_t)(nul - bytes) : size, second = nul ? size - first - 1 : 0;
    folder_open(names, 2);
    folder_write(0, bytes, first);
    folder_write(1, nul ? nul + 1 : bytes, second);
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    gpr_status status = gpri_read_geomgcn(ctx, &data, folder);
    if ((status == GPR_OK) != (data != NULL)) abort();
    if (!data && !gpr_last_error()[0]) abort();
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return 0;
}
