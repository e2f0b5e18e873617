/* Tables of nodes, edges and labels, with a NUL byte between them. The first byte chooses among the options. */
#include <string.h>

#include "folder.h"
#include "gprgnn.h"

static void write_parts(const uint8_t *bytes, size_t size) {
    for (int part = 0; part < 3; part++) {
        const uint8_t *nul = size && part < 2 ? memchr(bytes, 0, size) : NULL;
        const size_t length = nul ? (size_t)(nul - bytes) : size;
        folder_write(part, bytes, length);
        bytes += nul ? length + 1 : length;
        size -= nul ? length + 1 : length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const names[] = {"n.csv", "e.csv", "y.csv"};
    static const char *const headers[] = {NULL, "yes", "no"}, *const columns[] = {NULL, "2", "3", "label"};
    static const char *const known[] = {"x", "city=Rome", "city=Oslo", "2"};
    gpr_ctx *ctx;
    gpr_dataset *data;
    const uint8_t choice = size ? *bytes : 0;
    folder_open(names, 3);
    write_parts(size ? bytes + 1 : bytes, size ? size - 1 : 0);
    gpr_ctx_options ctx_options = {.struct_size = sizeof ctx_options, .threads = 1};
    if (gpr_ctx_new(&ctx, &ctx_options) != GPR_OK) abort();
    gpr_open_options options = {.struct_size = sizeof options,
                                .nodes = links[0],
                                .edges = links[1],
                                .labels = choice & 16 ? links[2] : NULL,
                                .header = headers[choice % 3],
                                .label = columns[choice / 4 % 4],
                                .fill = choice & 32 ? "1.5" : NULL,
                                .drop = choice & 64 ? "2,3" : NULL,
                                .model_features = 4,
                                .model_names = choice & 128 ? known : NULL};
    gpr_status status = gpr_dataset_open_with(ctx, &data, &options);
    if ((status == GPR_OK) != (data != NULL)) abort();
    if (data) {
        gpr_dataset_info info = {.struct_size = sizeof info};
        if (gpr_dataset_describe(ctx, data, &info) != GPR_OK || info.nodes < 1) abort();
        for (int64_t c = 0; c < info.classes; c++)
            if (gpr_dataset_class_name(data, c) && gpr_dataset_class_name(data, info.classes)) abort();
    } else if (!gpr_last_error()[0]) {
        abort();
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return 0;
}
