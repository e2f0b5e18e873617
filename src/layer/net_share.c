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

/* ---- the scores of all nodes, in one process or several ---- */

gpr_status gpri_net_reserve_scores(const gpri_net *net) {
    gpri_share *share = net->walk.share;
    if (!share || share->scores) return GPR_OK;
    return gpri_alloc(net->ctx, &share->scores, net->walk.rows.nodes * net->output->width, sizeof *share->scores,
                      "scores");
}

gpr_status gpri_net_all_scores(const gpri_net *net, gpri_matrix *out) {
    gpri_share *share = net->walk.share;
    gpri_matrix z = gpri_net_output(net, GPRI_EVAL_STREAM);
    const int64_t width = net->output->width, row = width * (int64_t)sizeof *z.at;
    *out = z;
    if (!share) return GPR_OK;
    NEED(gpri_group_all_well(share->group, gpri_net_reserve_scores(net)));
    for (int64_t p = 0; p <= share->group->size; p++) share->begin[p] = share->cuts[p] * row;
    for (int64_t i = 0; i < z.rows; i++)
        memcpy(share->scores + (net->walk.rows.first + i) * width, z.at + i * z.ld, (size_t)row);
    share->group->gather(share->group, share->scores, share->begin);
    *out = (gpri_matrix){share->scores, net->walk.rows.nodes, z.cols, width, width};
    return GPR_OK;
}

/* Rows of z without gaps, some at a time: from this process to process 0, or there from another one. */
static void pass_rows(gpri_group *group, gpri_matrix z, int64_t width, gpri_real *to, int64_t rows, int64_t other) {
    enum { SOME = 4096 };
    gpri_real some[SOME];
    const int64_t most = width < SOME ? SOME / width : 1;
    for (int64_t first = 0; first < rows; first += most) {
        const int64_t count = rows - first < most ? rows - first : most;
        const int64_t bytes = count * width * (int64_t)sizeof *some;
        if (other > 0) group->receive(group, to + first * width, bytes, other);
        else if (width >= SOME) group->send(group, z.at + first * z.ld, bytes, 0);
        else {
            for (int64_t i = 0; i < count; i++)
                memcpy(some + i * width, z.at + (first + i) * z.ld, (size_t)width * sizeof *some);
            group->send(group, some, bytes, 0);
        }
    }
}

gpr_status gpri_net_root_scores(const gpri_net *net, gpri_matrix *out) {
    gpri_share *share = net->walk.share;
    gpri_matrix z = gpri_net_output(net, GPRI_EVAL_STREAM);
    const int64_t width = net->output->width;
    *out = z;
    if (!share) return GPR_OK;
    gpri_group *group = share->group;
    const bool root = group->rank == 0;
    NEED(gpri_group_all_well(group, root ? gpri_net_reserve_scores(net) : GPR_OK));
    *out = gpri_no_matrix;
    if (!root) {
        pass_rows(group, z, width, NULL, z.rows, 0);
        return GPR_OK;
    }
    for (int64_t i = 0; i < z.rows; i++)
        memcpy(share->scores + i * width, z.at + i * z.ld, (size_t)width * sizeof *z.at);
    for (int64_t p = 1; p < group->size; p++)
        pass_rows(group, z, width, share->scores + share->cuts[p] * width, share->cuts[p + 1] - share->cuts[p], p);
    *out = (gpri_matrix){share->scores, net->walk.rows.nodes, z.cols, width, width};
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
