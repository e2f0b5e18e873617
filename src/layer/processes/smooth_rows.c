/* Steps over the graph that are made once, before training (tensor/smooth.c), where the rows are dealt out: each
 * process has its own rows of X and of A~^hops X, and fetches those of its halo before each step. Neighbours keep their
 * order, so rows have the bits of one process. */
#include "layer/processes/smooth_rows.h"

#include <string.h>

#include "base/thread.h"
#include "layer/partition.h"
#include "layer/processes/halo.h"
#include "tensor/device.h"
#include "tensor/prepare.h"

enum { COLUMNS = 64, ROWS = 512 }; /* that go through all steps together; that a thread takes at a time */

typedef struct {
    const gpri_ops *ops;
    gpri_halo *halo;
    gpri_real *scale; /* (nodes of the halo's graph) */
    gpri_step step;
    gpri_matrix out, in; /* own rows; all nodes of the halo's graph */
} walk;

static void walk_rows(void *arg, int64_t chunk, int slot) {
    const walk *w = arg;
    const gpri_range rows = gpri_chunk_of(chunk, ROWS, w->halo->count);
    (void)slot;
    w->ops->propagate(gpri_rows_of(w->out, rows.first, rows.end - rows.first), w->in, gpri_no_matrix, gpri_no_matrix,
                      &w->step, NULL, w->halo->below + rows.first);
}

static void fetch(gpri_halo *halo, gpri_matrix in) {
    gpri_halo_begin(halo, &in, 1);
    gpri_halo_end(halo);
}

/* to: (own rows x COLUMNS) columns [c0, c1) of X, padded with zeros. */
static void take_columns(gpri_real *to, const gpri_features *x, const gpri_halo *halo, int64_t c0, int64_t c1) {
    memset(to, 0, (size_t)(halo->count * COLUMNS) * sizeof *to);
    for (int64_t i = 0; i < halo->count; i++) {
        const int64_t node = halo->first + i;
        gpri_real *row = to + i * COLUMNS;
        if (x->dense && c1 > c0) memcpy(row, x->dense + node * x->ld + c0, (size_t)(c1 - c0) * sizeof *row);
        for (int64_t at = x->dense ? 0 : x->rowptr[node]; !x->dense && at < x->rowptr[node + 1]; at++)
            if (x->column[at] >= c0 && x->column[at] < c1) row[x->column[at] - c0] = x->value[at];
    }
}

/* Columns [c0, c0 + width) of all steps. from, to: (nodes of the halo's graph x COLUMNS); out: (all nodes x ld). */
static void smooth_columns(gpr_ctx *ctx, walk *w, const gpri_features *x, int64_t hops, gpri_matrix out, int64_t c0,
                           gpri_real *from, gpri_real *to) {
    gpri_halo *halo = w->halo;
    const int64_t left = out.ld - c0, width = left < COLUMNS ? left : COLUMNS;
    const int64_t nodes = gpri_halo_nodes(halo), own = halo->below * COLUMNS;
    take_columns(from + own, x, halo, c0, c0 + width < x->cols ? c0 + width : x->cols);
    for (int64_t hop = 1; hop <= hops; hop++) {
        w->in = (gpri_matrix){from, nodes, width, width, COLUMNS};
        w->out = hop < hops ? (gpri_matrix){to + own, halo->count, width, width, COLUMNS}
                            : (gpri_matrix){out.at + halo->first * out.ld + c0, halo->count, width, width, out.ld};
        fetch(halo, w->in);
        gpri_parallel(ctx, ctx->threads, gpri_chunk_count(halo->count, ROWS), walk_rows, w);
        gpri_real *other = from;
        from = to;
        to = other;
    }
}

/* All memory of this process. buffers: (2 x nodes of the halo's graph x COLUMNS) */
static gpr_status make_room(gpr_ctx *ctx, walk *w, gpri_matrix *out, gpri_real **buffers) {
    const int64_t nodes = gpri_halo_nodes(w->halo);
    double *exact = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_halo_reserve(w->halo, COLUMNS));
    TRY(gpri_alloc(ctx, &exact, nodes, sizeof *exact, "degrees"));
    TRY(gpri_alloc(ctx, &w->scale, nodes, sizeof *w->scale, "degrees"));
    TRY(gpri_alloc(ctx, buffers, 2 * nodes * COLUMNS, sizeof **buffers, "smoothed features"));
    TRY(gpri_alloc(ctx, &out->at, out->rows * out->ld, sizeof *out->at, "smoothed features"));
    gpri_graph_scale(&w->halo->graph, GPRI_SCALE_LOOPED, exact);
    for (int64_t i = 0; i < nodes; i++) w->scale[i] = (gpri_real)exact[i];
done:
    gpri_free(ctx, exact);
    return status;
}

gpr_status gpri_features_smooth_rows(gpr_ctx *ctx, gpri_features *x, const gpri_graph *graph, int64_t hops) {
    gpri_group *group = ctx->group;
    const gpri_partition rows = gpri_partition_of(graph->nodes, ctx->device->tile);
    const int64_t ld = gpri_padded(x->cols);
    walk w = {.ops = ctx->cpu->ops};
    gpri_matrix out = {NULL, x->rows, x->cols, ld, ld};
    gpri_real *buffers = NULL;
    int64_t *cuts = NULL; /* (size + 1) */
    gpr_status status = GPR_OK;
    TRY(gpri_group_all_well(group, gpri_alloc(ctx, &cuts, group->size + 1, sizeof *cuts, "processes")));
    for (int64_t p = 0; p <= group->size; p++)
        cuts[p] = gpri_tile_node(&rows, gpri_block_tile(&rows, p * rows.blocks / group->size));
    TRY(gpri_halo_new(ctx, &w.halo, graph, cuts));
    TRY(gpri_group_all_well(group, make_room(ctx, &w, &out, &buffers)));
    fetch(w.halo, gpri_packed(w.scale, gpri_halo_nodes(w.halo), 1));
    w.step =
        (gpri_step){.m = {.graph = &w.halo->graph, .left = w.scale, .right = w.scale, .factor = 1, .loop = 1}, .a = 1};
    for (int64_t c0 = 0; c0 < ld; c0 += COLUMNS)
        smooth_columns(ctx, &w, x, hops, out, c0, buffers, buffers + gpri_halo_nodes(w.halo) * COLUMNS);
    const gpri_features smooth = {.rows = x->rows,
                                  .cols = x->cols,
                                  .first = x->first,
                                  .end = x->end,
                                  .dense = out.at,
                                  .ld = ld,
                                  .hops = x->hops + hops};
    gpri_features_free(ctx, x);
    *x = smooth;
    out.at = NULL;
done:
    gpri_halo_free(w.halo);
    gpri_free(ctx, cuts);
    gpri_free(ctx, w.scale);
    gpri_free(ctx, buffers);
    gpri_free(ctx, out.at);
    return status;
}
