/* The share of a net that one of several processes has; sums of all of them. */
#include "layer/processes/share.h"

#include <string.h>

/* ---- which rows ---- */

/* Blocks and nodes of each process. */
static gpr_status cut_rows(gpri_net *net, gpri_share *share) {
    const gpri_partition all = net->rows;
    const int64_t size = share->group->size;
    gpr_status status = GPR_OK;
    if (size > all.blocks)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`distribute`: %lld processes are too many for a graph of %lld nodes, which is cut into %lld "
                         "blocks: start at most so many, or deal out runs",
                         (long long)size, (long long)all.nodes, (long long)all.blocks);
    TRY(gpri_alloc(net->ctx, &share->cuts, size + 1, sizeof *share->cuts, "processes"));
    TRY(gpri_alloc(net->ctx, &share->block_cuts, size + 1, sizeof *share->block_cuts, "processes"));
    TRY(gpri_alloc(net->ctx, &share->begin, size + 1, sizeof *share->begin, "processes"));
    for (int64_t p = 0; p <= size; p++) {
        share->block_cuts[p] = p * all.blocks / size;
        share->cuts[p] = gpri_tile_node(&all, gpri_block_tile(&all, share->block_cuts[p]));
    }
done:
    return status;
}

static bool has_outer_row(const gpri_halo *halo, int64_t first, int64_t count) {
    const gpri_graph *graph = &halo->graph;
    const int64_t row = first - halo->first + halo->below, end = halo->below + halo->count;
    for (int64_t at = graph->rowptr[row]; at < graph->rowptr[row + count]; at++)
        if (graph->column[at] < halo->below || graph->column[at] >= end) return true;
    return false;
}

/* What may be worked on while the halo is on its way. */
static gpr_status find_outer(gpri_net *net, gpri_share *share) {
    const gpri_partition *rows = &net->rows;
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(net->ctx, &share->outer_chunks, gpri_own_chunks(rows), 1, "processes"));
    TRY(gpri_calloc(net->ctx, &share->outer_blocks, gpri_own_blocks(rows), 1, "processes"));
    for (int64_t c = 0; c < gpri_own_chunks(rows); c++) {
        const gpri_chunk chunk = gpri_chunk_rows(rows, c);
        share->outer_chunks[c] = has_outer_row(share->halo, chunk.first, chunk.count);
        share->outer_blocks[c / rows->pieces] |= share->outer_chunks[c];
    }
done:
    return status;
}

gpr_status gpri_net_spread(gpri_net *net) {
    gpr_ctx *ctx = net->ctx;
    gpr_status status = GPR_OK;
    if (!gpri_spreads_rows(ctx)) return GPR_OK;
    if (!net->ops->features_add)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`distribute`: rows are dealt out on the CPU only: use `device` cpu, or "
                                             "deal out runs");
    TRY(gpri_calloc(ctx, &net->share, 1, sizeof *net->share, "processes"));
    gpri_share *share = net->share;
    share->group = ctx->group;
    TRY(gpri_group_all_well(share->group, cut_rows(net, share)));
    const int64_t *cuts = share->block_cuts + share->group->rank;
    net->rows = gpri_partition_blocks(net->rows, cuts[0], cuts[1]);
    net->origin = net->rows.first;
    net->local = net->rows.count;
    if (ctx->spread == GPRI_SPREAD_COLUMNS) goto done;
    TRY(gpri_halo_new(ctx, &share->halo, net->graph, share->cuts));
    net->origin = net->rows.first - share->halo->below;
    net->local = gpri_halo_nodes(share->halo);
    net->near = &share->halo->graph;
    TRY(gpri_group_all_well(share->group, find_outer(net, share)));
done:
    return status;
}

void gpri_share_free(gpri_net *net) {
    gpri_share *share = net->share;
    if (!share) return;
    gpri_halo_free(share->halo);
    gpri_free(net->ctx, share->cuts);
    gpri_free(net->ctx, share->block_cuts);
    gpri_free(net->ctx, share->begin);
    gpri_free(net->ctx, share->outer_chunks);
    gpri_free(net->ctx, share->outer_blocks);
    gpri_free(net->ctx, share->gathered);
    gpri_free(net->ctx, share->scores);
    gpri_free(net->ctx, share);
    net->share = NULL;
}

static gpr_status check_layer(const gpri_net *net, const gpri_layer *layer) {
    const gpri_layer_type *type = layer->type;
    const bool columns = !net->share->halo;
    if ((!type->gathers && !type->whole) || (columns ? type->shares_columns : type->shares_rows)) return GPR_OK;
    if (columns && type->shares_rows)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`distribute` columns: the model has no filter whose columns could be dealt "
                         "out: use `distribute` rows, or deal out runs");
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "`distribute`: the model has a layer (%s) whose rows are not dealt out: deal out its runs, with "
                     "`distribute` runs",
                     type->name);
}

gpr_status gpri_share_plan(gpri_net *net) {
    gpr_status status = GPR_OK;
    if (!net->share) return GPR_OK;
    for (int i = 0; i < net->layer_count; i++) {
        const gpri_layer *layer = net->layers[i];
        TRY(check_layer(net, layer));
        if (!net->share->halo || !layer->type->shares_rows) continue;
        TRY(gpri_halo_reserve(net->share->halo,
                              2 * (layer->in->width > layer->out->width ? layer->in->width : layer->out->width)));
    }
done:
    return status;
}

void gpri_share_tell(const gpri_net *net) {
    const gpri_halo *halo = net->share ? net->share->halo : NULL;
    if (!halo) return;
    gpri_log(
        net->ctx, GPR_LOG_INFO,
        "process %lld of %lld: %lld of %lld rows, %lld of their halo; it has sent %lld bytes in %lld exchanges; by "
        "the formula %lld: 4 times columns times the %lld rows that others need",
        (long long)halo->group->rank, (long long)halo->group->size, (long long)halo->count, (long long)net->rows.nodes,
        (long long)(halo->below + halo->above), (long long)halo->counted, (long long)halo->exchanges,
        (long long)halo->sent, (long long)halo->out_begin[halo->group->size]);
}

/* ---- sums ---- */

void gpri_share_blocks(gpri_net *net, const gpri_layer *layer) {
    gpri_share *share = net->share;
    const int64_t each = layer->partial_size * (int64_t)sizeof *layer->partial;
    for (int64_t p = 0; p <= share->group->size; p++) share->begin[p] = share->block_cuts[p] * each;
    share->group->gather(share->group, layer->partial - net->rows.block0 * layer->partial_size, share->begin);
}

gpr_status gpri_share_reserve_chunks(gpri_net *net, int64_t items, int64_t size) {
    gpri_share *share = net->share;
    const int64_t bytes = items * size * net->rows.blocks * net->rows.pieces;
    if (!share || bytes <= share->gathered_room) return GPR_OK;
    gpri_free(net->ctx, share->gathered);
    share->gathered_room = 0;
    gpr_status status = gpri_alloc(net->ctx, &share->gathered, bytes, 1, "sums of processes");
    if (status == GPR_OK) share->gathered_room = bytes;
    return status;
}

void gpri_share_chunks(gpri_net *net, void *out, const void *own, int64_t items, int64_t size) {
    gpri_share *share = net->share;
    gpri_group *group = share->group;
    const int64_t pieces = net->rows.pieces, all = net->rows.blocks * pieces * size;
    for (int64_t p = 0; p <= group->size; p++) share->begin[p] = share->block_cuts[p] * pieces * size * items;
    memcpy(share->gathered + share->begin[group->rank], own,
           (size_t)(share->begin[group->rank + 1] - share->begin[group->rank]));
    group->gather(group, share->gathered, share->begin);
    for (int64_t p = 0; p < group->size; p++) {
        const int64_t before = share->block_cuts[p] * pieces * size;
        const int64_t bytes = share->block_cuts[p + 1] * pieces * size - before;
        for (int64_t i = 0; i < items; i++)
            memcpy((char *)out + i * all + before, share->gathered + share->begin[p] + i * bytes, (size_t)bytes);
    }
}

/* The sum of a weight's row is one sum over all nodes. So each process gets what those before it have summed, goes on
   with its own nodes, and hands it on; piece by piece, so that all work at the same time. */
void gpri_share_chain(gpri_net *net, gpri_weight *weight, gpri_hand_on_fn fn, void *arg) {
    gpri_group *group = net->share->group;
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
