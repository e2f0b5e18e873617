/* A split from the caller's own parts; the hash of a split. */
#include <string.h>

#include "data/split.h"

gpr_status gpri_split_of_parts(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const uint8_t *parts,
                               int64_t count, bool warn) {
    gpr_status status = GPR_OK;
    gpr_split *split = NULL;
    *out = NULL;
    if (count != data->graph.nodes)
        return gpri_fail(GPR_ERROR_MISMATCH, "the given split has %lld nodes, and %s has %lld", (long long)count,
                         data->name, (long long)data->graph.nodes);
    for (int64_t i = 0; i < count; i++)
        if (parts[i] > GPR_TEST)
            return gpri_fail(GPR_ERROR_ARGUMENT, "the part of node %lld is %d: it must be a gpr_part, from 0 to 3",
                             (long long)i, parts[i]);
    TRY(gpri_dataset_ready_nodes(ctx, data));
    TRY(gpri_split_begin(ctx, &split, data));
    memcpy(split->part, parts, (size_t)count * sizeof *parts);
    TRY(gpri_split_finish(split, data, "given", warn ? GPRI_SPLIT_WARN : 0));
    *out = split;
    split = NULL;
done:
    gpr_split_free(split);
    return status;
}

uint64_t gpri_parts_hash(const uint8_t *parts, int64_t nodes) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (int64_t i = 0; i < nodes; i++) hash = (hash ^ parts[i]) * 0x100000001b3u;
    return hash;
}

uint64_t gpri_split_hash(const gpr_split *split) { return gpri_parts_hash(split->part, split->nodes); }

gpr_status gpr_split_from_parts(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const uint8_t *parts,
                                int64_t count) {
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_split_from_parts: out is NULL");
    *out = NULL;
    if (!ctx || !data || !parts) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_split_from_parts: a NULL argument");
    return gpri_finish(gpri_split_of_parts(ctx, out, data, parts, count, true));
}
