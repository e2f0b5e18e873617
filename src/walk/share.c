/* Which rows a process has, which of them need others, and sums over the chunks of all. */
#include "walk/share.h"

#include <string.h>

/* Blocks and nodes of each process. */
static gpr_status cut_rows(gpri_share *share, const gpri_partition *whole) {
    const int64_t size = share->group->size;
    if (size > whole->blocks)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`distribute`: %lld processes are too many for a graph of %lld nodes, which is cut into %lld "
                         "blocks: start at most so many, or distribute runs",
                         (long long)size, (long long)whole->nodes, (long long)whole->blocks);
    NEED(gpri_alloc(share->ctx, &share->cuts, size + 1, sizeof *share->cuts, "processes"));
    NEED(gpri_alloc(share->ctx, &share->block_cuts, size + 1, sizeof *share->block_cuts, "processes"));
    NEED(gpri_alloc(share->ctx, &share->begin, size + 1, sizeof *share->begin, "processes"));
    for (int64_t p = 0; p <= size; p++) {
        share->block_cuts[p] = p * whole->blocks / size;
        share->cuts[p] = gpri_process_node(whole, p, size);
    }
    return GPR_OK;
}

static bool has_outer_row(const gpri_halo *halo, int64_t first, int64_t count) {
    const gpri_graph *graph = &halo->graph;
    const int64_t row = first - halo->first + halo->below, end = halo->below + halo->count;
    for (int64_t at = graph->rowptr[row]; at < graph->rowptr[row + count]; at++)
        if (graph->column[at] < halo->below || graph->column[at] >= end) return true;
    return false;
}

/* What may be worked on while the halo is on its way. */
static gpr_status find_outer(gpri_share *share) {
    const gpri_partition *rows = &share->rows;
    NEED(gpri_calloc(share->ctx, &share->outer_chunks, gpri_own_chunks(rows), 1, "processes"));
    NEED(gpri_calloc(share->ctx, &share->outer_blocks, gpri_own_blocks(rows), 1, "processes"));
    for (int64_t c = 0; c < gpri_own_chunks(rows); c++) {
        const gpri_chunk chunk = gpri_chunk_rows(rows, c);
        share->outer_chunks[c] = has_outer_row(share->halo, chunk.first, chunk.count);
        share->outer_blocks[c / rows->pieces] |= share->outer_chunks[c];
    }
    return GPR_OK;
}

gpr_status gpri_share_new(gpr_ctx *ctx, gpri_share **out, const gpri_graph *graph, gpri_partition whole) {
    NEED(gpri_calloc(ctx, out, 1, sizeof **out, "processes"));
    gpri_share *share = *out;
    share->ctx = ctx;
    share->group = ctx->job.group;
    NEED(gpri_all_well(ctx, cut_rows(share, &whole)));
    const int64_t *cuts = share->block_cuts + share->group->rank;
    share->rows = gpri_partition_blocks(whole, cuts[0], cuts[1]);
    if (gpri_dealt_out(ctx) == GPRI_SPREAD_COLUMNS) return GPR_OK;
    NEED(gpri_halo_new(ctx, &share->halo, graph, share->cuts));
    NEED(gpri_all_well(ctx, find_outer(share)));
    return GPR_OK;
}

void gpri_share_blocks(gpri_share *share, gpri_real *own, int64_t each) {
    const int64_t bytes = each * (int64_t)sizeof *own;
    for (int64_t p = 0; p <= share->group->size; p++) share->begin[p] = share->block_cuts[p] * bytes;
    share->group->gather(share->group, own - share->rows.block0 * each, share->begin);
}

void gpri_share_free(gpri_share *share) {
    if (!share) return;
    gpr_ctx *ctx = share->ctx;
    gpri_halo_free(share->halo);
    gpri_free_all(ctx, share->cuts, share->block_cuts, share->begin, share->outer_chunks, share->outer_blocks,
                  share->gathered, share->all_rows, share);
}

void gpri_share_tell(const gpri_share *share) {
    const gpri_halo *halo = share ? share->halo : NULL;
    if (!halo) return;
    gpri_log(
        share->ctx, GPR_LOG_INFO,
        "process %lld of %lld: %lld of %lld rows, %lld of their halo; it has sent %lld bytes in %lld exchanges; by "
        "the formula %lld: 4 times columns times the %lld rows that others need",
        (long long)halo->group->rank, (long long)halo->group->size, (long long)halo->count,
        (long long)share->rows.nodes, (long long)(halo->below + halo->above), (long long)halo->counted,
        (long long)halo->exchanges, (long long)halo->sent, (long long)halo->out_begin[halo->group->size]);
}

/* ---- sums ---- */

gpr_status gpri_share_reserve_chunks(gpri_share *share, int64_t items, int64_t size) {
    if (!share) return GPR_OK;
    const int64_t bytes = items * size * share->rows.blocks * share->rows.pieces;
    if (bytes <= share->gathered_room) return GPR_OK;
    gpri_free(share->ctx, share->gathered);
    share->gathered_room = 0;
    gpr_status status = gpri_alloc(share->ctx, &share->gathered, bytes, 1, "sums of processes");
    if (status == GPR_OK) share->gathered_room = bytes;
    return status;
}

void gpri_share_chunks(gpri_share *share, void *out, const void *own, int64_t items, int64_t size) {
    gpri_group *group = share->group;
    const int64_t pieces = share->rows.pieces, all = share->rows.blocks * pieces * size;
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

/* ---- rows ---- */

gpr_status gpri_share_reserve_rows(gpri_share *share, int64_t width) {
    if (share->all_rows) return GPR_OK;
    return gpri_alloc(share->ctx, &share->all_rows, share->rows.nodes * width, sizeof *share->all_rows, "scores");
}

void gpri_share_all_rows(gpri_share *share, gpri_matrix *out, gpri_matrix own, int64_t width) {
    const int64_t row = width * (int64_t)sizeof *own.at;
    for (int64_t p = 0; p <= share->group->size; p++) share->begin[p] = share->cuts[p] * row;
    for (int64_t i = 0; i < own.rows; i++)
        memcpy(share->all_rows + (share->rows.first + i) * width, own.at + i * own.ld, (size_t)row);
    share->group->gather(share->group, share->all_rows, share->begin);
    *out = (gpri_matrix){share->all_rows, share->rows.nodes, own.cols, width, width};
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

void gpri_share_first_rows(gpri_share *share, gpri_matrix *out, gpri_matrix own, int64_t width) {
    gpri_group *group = share->group;
    *out = gpri_no_matrix;
    if (group->rank > 0) {
        pass_rows(group, own, width, NULL, own.rows, 0);
        return;
    }
    for (int64_t i = 0; i < own.rows; i++)
        memcpy(share->all_rows + i * width, own.at + i * own.ld, (size_t)width * sizeof *own.at);
    for (int64_t p = 1; p < group->size; p++)
        pass_rows(group, own, width, share->all_rows + share->cuts[p] * width, share->cuts[p + 1] - share->cuts[p], p);
    *out = (gpri_matrix){share->all_rows, share->rows.nodes, own.cols, width, width};
}
