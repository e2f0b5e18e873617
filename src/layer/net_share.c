/* Whether the layers of a net can be dealt out; sums of weights over all processes. */
#include "layer/net.h"

#include <string.h>

static gpr_status check_layer(const gpri_net *net, const gpri_layer *layer) {
    const gpri_layer_type *type = layer->type;
    const bool columns = !net->walk.share->halo;
    if ((!type->gathers && !type->whole) || (columns ? type->shares_columns : type->shares_rows)) return GPR_OK;
    if (columns && type->shares_rows)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`distribute` columns: the model has no filter whose columns could be distributed: "
                         "use `distribute` rows, or distribute runs");
    return gpri_fail(
        GPR_ERROR_ARGUMENT,
        "`distribute`: the model has a layer (%s) whose rows are not distributed: distribute its runs, with "
        "`distribute` runs",
        type->name);
}

gpr_status gpri_net_share_plan(gpri_net *net) {
    if (!net->walk.share) return GPR_OK;
    for (int i = 0; i < net->layer_count; i++) {
        const gpri_layer *layer = net->layers[i];
        NEED(check_layer(net, layer));
        if (!net->walk.share->halo || !layer->type->shares_rows) continue;
        NEED(gpri_halo_reserve(net->walk.share->halo,
                               2 * (layer->in->width > layer->out->width ? layer->in->width : layer->out->width)));
    }
    return GPR_OK;
}

/* ---- sums ---- */

void gpri_net_share_blocks(gpri_net *net, const gpri_layer *layer) {
    gpri_share *share = net->walk.share;
    const int64_t each = layer->partial_size * (int64_t)sizeof *layer->partial;
    for (int64_t p = 0; p <= share->group->size; p++) share->begin[p] = share->block_cuts[p] * each;
    share->group->gather(share->group, layer->partial - net->walk.rows.block0 * layer->partial_size, share->begin);
}

/* The sum of a weight's row is one sum over all nodes. So each process gets what those before it have summed, goes on
   with its own nodes, and hands it on; piece by piece, so that all work at the same time. */
void gpri_net_share_chain(gpri_net *net, gpri_weight *weight, gpri_hand_on_fn fn, void *arg) {
    gpri_group *group = net->walk.share->group;
    const int64_t row = weight->width * (int64_t)sizeof *weight->gradient, last = group->size - 1;
    const int64_t parts = 4 * group->size, least = weight->rows < parts ? 1 : weight->rows / parts;
    const int64_t piece = least < 128 ? least : 128;
    for (int64_t first = 0; first < weight->rows; first += piece) {
        const int64_t end = weight->rows - first < piece ? weight->rows : first + piece;
        gpri_real *at = weight->gradient + first * weight->width;
        if (group->rank > 0) group->receive(group, at, (end - first) * row, group->rank - 1);
        else memset(at, 0, (size_t)((end - first) * row));
        fn(arg, first, end);
        if (group->rank < last) group->send(group, at, (end - first) * row, group->rank + 1);
    }
    group->broadcast(group, weight->gradient, weight->rows * row, last);
}
