/* gpr_dataset_find_node: a node by its id, or by its number where nodes have no ids. */
#include <string.h>

#include "base/text.h"
#include "data/dataset.h"

/* The error names the id that is spelled most alike. */
static gpr_status unknown(gpr_ctx *ctx, const gpr_dataset *data, const char *id) {
    gpr_status status = GPR_OK;
    const char **ids = NULL; /* (nodes) */
    TRY(gpri_alloc(ctx, &ids, data->node_ids.count, sizeof *ids, "ids of nodes"));
    for (int64_t i = 0; i < data->node_ids.count; i++) ids[i] = gpri_name(&data->node_ids, i);
    const char *near = gpr_nearest_word(id, ids, (int)data->node_ids.count);
    if (near) THROW(GPR_ERROR_ARGUMENT, "%s: no node has the id '%s': did you mean '%s'?", data->name, id, near);
    THROW(GPR_ERROR_ARGUMENT, "%s: no node has the id '%s'; the first node is '%s'", data->name, id, ids[0]);
done:
    gpri_free(ctx, ids);
    return status;
}

gpr_status gpr_dataset_find_node(gpr_ctx *ctx, int64_t *node, const gpr_dataset *data, const char *id) {
    int64_t found = -1;
    if (!ctx || !node || !data || !id) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_find_node: a NULL argument");
    NEED(gpri_dataset_ready(ctx, data));
    if (data->node_ids.count > 0) {
        for (int64_t i = 0; i < data->node_ids.count && found < 0; i++)
            if (strcmp(gpri_name(&data->node_ids, i), id) == 0) found = i;
        if (found < 0) NEED(unknown(ctx, data, id));
    } else if (!gpri_parse_int(id, &found) || found < 0 || found >= data->graph.nodes) {
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: there is no node '%s': the nodes are the numbers 0 to %lld",
                         data->name, id, (long long)data->graph.nodes - 1);
    }
    NEED(gpri_dataset_unchanged(ctx, data, false));
    *node = found;
    return gpri_finish(GPR_OK);
}
