/* Steps over the graph that are made once, before training: X becomes A~^hops X, which is dense. Columns are
 * independent: a few at a time go through all steps. Where rows are dealt out, each process has its own rows of X and
 * of A~^hops X, and fetches those of its halo before each step. */
#include "walk/smooth.h"

#include <string.h>

#include "tensor/prepare.h"
#include "walk/hop.h"

enum { COLUMNS = 64 };

/* Columns [first, end) of X, padded with zeros. */
typedef struct {
    const gpri_walker *walker;
    const gpri_features *x;
    int64_t first, end;
    gpri_real *to; /* (nodes that the process has x COLUMNS) */
} reading;

static void read_rows(void *arg, gpri_chunk rows) {
    const reading *r = arg;
    const gpri_features *x = r->x;
    for (int64_t node = rows.first; node < rows.first + rows.count; node++) {
        gpri_real *row = r->to + gpri_walker_place(r->walker, node) * COLUMNS;
        memset(row, 0, COLUMNS * sizeof *row);
        if (x->dense && r->end > r->first)
            memcpy(row, x->dense + node * x->ld + r->first, (size_t)(r->end - r->first) * sizeof *row);
        for (int64_t at = x->dense ? 0 : x->rowptr[node]; !x->dense && at < x->rowptr[node + 1]; at++)
            if (x->column[at] >= r->first && x->column[at] < r->end) row[x->column[at] - r->first] = x->value[at];
    }
}

/* All hops of the columns from c0 on. buffers: (2 x nodes that the process has x COLUMNS); out: (rows of X x ld). */
static void smooth_columns(gpri_walker *walker, const gpri_features *x, const gpri_step *step, int64_t hops,
                           gpri_matrix out, int64_t c0, gpri_real *buffers) {
    const int64_t left = out.ld - c0, width = left < COLUMNS ? left : COLUMNS, nodes = walker->local;
    reading r = {walker, x, c0, c0 + width < x->cols ? c0 + width : x->cols, buffers};
    gpri_hop hop = {.walker = walker, .step = step};
    gpri_walker_rows(walker, width, read_rows, &r);
    hop.out = (gpri_matrix){buffers, nodes, width, width, COLUMNS};
    for (int64_t k = 1; k <= hops; k++) {
        hop.in = hop.out;
        hop.out.at = buffers + k % 2 * nodes * COLUMNS;
        if (k == hops) hop.out = (gpri_matrix){out.at + walker->origin * out.ld + c0, nodes, width, width, out.ld};
        gpri_hop_step(&hop);
    }
}

/* All memory of this process. */
static gpr_status make_room(gpri_walker *walker, gpri_real **buffers, gpri_matrix *out) {
    if (walker->share) NEED(gpri_halo_reserve(walker->share->halo, COLUMNS));
    NEED(gpri_held_alloc(&walker->held, buffers, 2 * walker->local * COLUMNS, sizeof **buffers, false,
                         "smoothed features"));
    return gpri_alloc(walker->ctx, &out->at, out->rows * out->ld, sizeof *out->at, "smoothed features");
}

gpr_status gpri_features_smooth(gpr_ctx *ctx, gpri_features *x, const gpri_graph *graph, int64_t hops) {
    gpri_walker walker = gpri_walker_of(ctx, ctx->job.cpu, graph, ctx->threads);
    const int64_t ld = gpri_padded(x->cols);
    gpri_matrix out = {NULL, x->rows, x->cols, ld, ld};
    gpri_step step = {.m = {.graph = &walker.view, .factor = 1, .loop = 1}, .a = 1};
    gpri_real *buffers = NULL;
    gpr_status status = GPR_OK;
    if (hops < 1) return GPR_OK;
    if (gpri_dealt_out(ctx) == GPRI_SPREAD_ROWS) TRY(gpri_walker_spread(&walker));
    TRY(gpri_walker_scale(&walker, &step.m.left, GPRI_SCALE_LOOPED));
    step.m.right = step.m.left;
    TRY(gpri_all_well(gpri_walker_together(&walker), make_room(&walker, &buffers, &out)));
    for (int64_t c0 = 0; c0 < ld; c0 += COLUMNS) smooth_columns(&walker, x, &step, hops, out, c0, buffers);
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
    gpri_walker_free(&walker);
    gpri_free(ctx, out.at);
    return status;
}
