/* Planetoid's files in one input: each after its length of two bytes; the last one has the rest. */
#include "data/dataset.h"
#include "folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const names[] = {"ind.f.test.index", "ind.f.graph", "ind.f.ally",
                                        "ind.f.ty",         "ind.f.allx",  "ind.f.tx"};
    enum { PARTS = sizeof names / sizeof *names };
    char prefix[80];
    gpr_ctx *ctx;
    gpr_dataset *data;
    folder_open(names, PARTS);
    for (int part = 0; part < PARTS; part++) {
        size_t length = size;
        if (part + 1 < PARTS) {
            if (size < 2) return 0;
            length = (size_t)bytes[0] | (size_t)bytes[1] << 8;
            bytes += 2;
            size -= 2;
            if (length > size) length = size;
        }
        folder_write(part, bytes, length);
        bytes += length;
        size -= length;
    }
    snprintf(prefix, sizeof prefix, "%s/ind.f", folder);
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    gpr_status status = gpri_read_planetoid(ctx, &data, prefix);
    if ((status == GPR_OK) != (data != NULL)) abort();
    if (!data && !gpr_last_error()[0]) abort();
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return 0;
}
