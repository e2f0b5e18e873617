/* A net in several processes: whether its layers can be dealt out, sums of weights over all processes, and the scores
 * of all nodes. */
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

/* The sum of a weight's row is one sum over all nodes. So each process gets what those before it have summed, goes on
   with its own nodes, and hands it on; piece by piece, so that all work at the same time. */
void gpri_net_share_chain(gpri_net *net, gpri_weight *weight, gpri_hand_on_fn fn, void *arg) {
    const int64_t row = weight->width * (int64_t)sizeof *weight->gradient, parts = 4 * gpri_process_count(net->ctx);
    const int64_t least = weight->rows < parts ? 1 : weight->rows / parts, piece = least < 128 ? least : 128;
    for (int64_t first = 0; first < weight->rows; first += piece) {
        const int64_t end = weight->rows - first < piece ? weight->rows : first + piece;
        gpri_real *at = weight->gradient + first * weight->width;
        memset(at, 0, (size_t)((end - first) * row));
        gpri_turn_take(net->ctx, at, (end - first) * row);
        fn(arg, first, end);
        gpri_turn_pass(net->ctx, at, (end - first) * row);
    }
    gpri_turn_end(net->ctx, weight->gradient, weight->rows * row);
}

/* ---- the scores of all nodes, in one process or several ---- */

gpr_status gpri_net_reserve_scores(const gpri_net *net) {
    return net->walk.share ? gpri_share_reserve_rows(net->walk.share, net->output->width) : GPR_OK;
}

gpr_status gpri_net_all_scores(const gpri_net *net, gpri_matrix *out) {
    const gpr_ctx *together = gpri_walker_together(&net->walk);
    *out = gpri_net_output(net, GPRI_EVAL_STREAM);
    NEED(gpri_all_well(together, gpri_net_reserve_scores(net)));
    if (together) gpri_share_all_rows(net->walk.share, out, *out, net->output->width);
    return GPR_OK;
}

gpr_status gpri_net_root_scores(const gpri_net *net, gpri_matrix *out) {
    const gpr_ctx *together = gpri_walker_together(&net->walk);
    *out = gpri_net_output(net, GPRI_EVAL_STREAM);
    NEED(gpri_all_well(together, gpri_is_first_process(together) ? gpri_net_reserve_scores(net) : GPR_OK));
    if (together) gpri_share_first_rows(net->walk.share, out, *out, net->output->width);
    return GPR_OK;
}

gpr_status gpri_net_scores(const gpri_net *net, gpri_real *out, int64_t ld) {
    enum { SOME = 16384 }; /* numbers that are fetched at a time: a copy takes long to begin */
    gpri_matrix z;
    NEED(gpri_net_all_scores(net, &z));
    gpri_real some[SOME];
    const int64_t bytes = (int64_t)sizeof *out, most = z.ld <= SOME ? SOME / z.ld : 1; /* rows at a time */
    for (int64_t first = 0; first < z.rows; first += most) {
        const int64_t rows = z.rows - first < most ? z.rows - first : most;
        gpri_real *from = rows > 1 ? some : out + first * ld;
        net->device->get(net->device, from, z.at + first * z.ld, ((rows - 1) * z.ld + z.cols) * bytes);
        for (int64_t i = 0; rows > 1 && i < rows; i++)
            memcpy(out + (first + i) * ld, some + i * z.ld, (size_t)(z.cols * bytes));
    }
    return gpri_device_check(net->ctx);
}
