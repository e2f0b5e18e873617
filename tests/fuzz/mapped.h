/* A .gpr file of any bytes: a status, never a fault; accepted data can be described, split, and written again. */
#ifndef FUZZ_MAPPED_H
#define FUZZ_MAPPED_H

#include "data/describe.h"
#include "input.h"
#include "io/mapped/mapped.h"
#include "io/readers.h"

static inline void use_dataset(gpr_ctx *ctx, const gpr_dataset *data) {
    gpr_dataset_info info = {.struct_size = sizeof info};
    gpr_split *split;
    if (gpr_dataset_describe(ctx, data, &info) != GPR_OK || info.nodes < 1) abort();
    if (gpr_split_new(ctx, &split, data, "dense", 1, 0) == GPR_OK) gpr_split_free(split);
    for (int64_t c = 0; c < data->class_names.count; c++)
        if (!gpr_dataset_class_name(data, c)) abort();
    for (int64_t j = 0; j < data->feature_names.count; j++)
        if (!gpr_dataset_feature_name(data, j)) abort();
    for (int64_t i = 0; i < data->node_ids.count; i++)
        if (!gpr_dataset_node_id(data, i)) abort();
}

/* sealed: the fingerprint is corrected too, if all else is valid. */
static inline void try_mapped(const uint8_t *bytes, size_t size, bool sealed) {
    gpr_ctx *ctx;
    gpr_dataset *data;
    input_file input = input_open(bytes, size);
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    gpr_status status = gpri_read_mapped(ctx, &data, input.path);
    if ((status == GPR_OK) != (data != NULL) || (!data && !gpr_last_error()[0])) abort();
    if (data) {
        status = gpri_mapped_check(ctx, 1, data->backing.file);
        if (status != GPR_OK && sealed && strstr(gpr_last_error(), "fingerprint")) {
            gpri_fingerprint_arrays(((gpri_mapped *)data->backing.file)->header.fingerprint, data);
            status = gpri_mapped_check(ctx, 1, data->backing.file);
            if (status != GPR_OK) abort();
        }
        if ((gpri_dataset_ready(ctx, data) == GPR_OK) != (status == GPR_OK)) abort();
        if (status == GPR_OK) use_dataset(ctx, data);
        else if (status != GPR_ERROR_FORMAT) abort();
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    close(input.fd);
}

#endif
