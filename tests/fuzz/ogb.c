/* OGB's four texts and a split's train list, with a NUL byte between them. */
#include <string.h>

#include "folder.h"
#include "io/ogb.h"
#include "io/split.h"

enum { PARTS = 7 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const names[PARTS] = {"num-node-list.csv", "edge.csv",  "node-feat.csv", "node-label.csv",
                                             "train.csv",         "valid.csv", "test.csv"};
    gpr_ctx *ctx;
    gpr_dataset *data;
    folder_open(names, PARTS);
    for (int part = 0; part < PARTS; part++) {
        const uint8_t *nul = size && part + 1 < PARTS ? memchr(bytes, 0, size) : NULL;
        const size_t length = nul ? (size_t)(nul - bytes) : size;
        folder_write(part, bytes, length);
        bytes += nul ? length + 1 : length;
        size -= nul ? length + 1 : length;
    }
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    gpr_status status = gpri_read_ogb(ctx, &data, folder, NULL);
    if ((status == GPR_OK) != (data != NULL)) abort();
    if (!data && !gpr_last_error()[0]) abort();
    if (data) {
        uint8_t *part = malloc((size_t)data->graph.nodes);
        if (part && gpri_split_read_folder(ctx, part, data->graph.nodes, folder) != GPR_OK && !gpr_last_error()[0])
            abort();
        free(part);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return 0;
}
