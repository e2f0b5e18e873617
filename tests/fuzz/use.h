/* What can be done with every dataset that a reader took: it is described and split, and all of its names are there. */
#ifndef FUZZ_USE_H
#define FUZZ_USE_H

#include "context.h"
#include "data/dataset.h"

/* The result of a reader: a dataset, or a message that says why there is none. */
static inline void check_opened(gpr_status status, const gpr_dataset *data) {
    if ((status == GPR_OK) != (data != NULL)) abort();
    if (!data && !gpr_last_error()[0]) abort();
}

/* GPR_ERROR_MEMORY: it is too large for a fuzzer. */
static inline gpr_status use_dataset(gpr_ctx *ctx, const gpr_dataset *data) {
    gpr_dataset_info info = {.struct_size = sizeof info};
    gpr_split *split;
    const gpr_status status = gpr_dataset_describe(ctx, data, &info);
    if (status == GPR_ERROR_MEMORY) return status;
    if (status != GPR_OK || info.nodes < 1) abort();
    if (gpr_split_new(ctx, &split, data, "dense", 1, 0) == GPR_OK) gpr_split_free(split);
    for (int64_t c = 0; c < data->target.names.count; c++)
        if (!gpr_dataset_class_name(data, c)) abort();
    for (int64_t j = 0; j < data->feature_names.count; j++)
        if (!gpr_dataset_feature_name(data, j)) abort();
    for (int64_t i = 0; i < data->node_ids.count; i++)
        if (!gpr_dataset_node_id(data, i)) abort();
    return GPR_OK;
}

#endif
