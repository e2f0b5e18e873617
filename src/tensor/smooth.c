/* Steps over the graph that are made once, before training: X becomes A~^hops X, which is dense. Columns are
 * independent: a few at a time go through all steps, in buffers that stay in the cache. */
#include <string.h>

#include "base/thread.h"
#include "tensor/device.h"
#include "tensor/prepare.h"

enum { COLUMNS = 64 };

typedef struct {
    const gpri_ops *ops;
    const gpri_features *x;
    gpri_step graph;
    int64_t hops;
    gpri_real *out;    /* (rows x ld) */
    int64_t ld;        /* padded */
    gpri_real *buffer; /* (threads x 2 x rows x COLUMNS) */
} smoothing;

/* to: (rows x COLUMNS) columns [c0, c1) of X, padded with zeros. */
static void take_columns(gpri_real *to, const gpri_features *x, int64_t c0, int64_t c1) {
    memset(to, 0, (size_t)(x->rows * COLUMNS) * sizeof *to);
    for (int64_t i = 0; i < x->rows; i++) {
        gpri_real *row = to + i * COLUMNS;
        if (x->dense) {
            memcpy(row, x->dense + i * x->ld + c0, (size_t)(c1 - c0) * sizeof *row);
            continue;
        }
        for (int64_t at = x->rowptr[i]; at < x->rowptr[i + 1]; at++)
            if (x->column[at] >= c0 && x->column[at] < c1) row[x->column[at] - c0] = x->value[at];
    }
}

static void smooth_columns(void *arg, int64_t chunk, int slot) {
    const smoothing *work = arg;
    int64_t rows = work->x->rows, c0 = chunk * COLUMNS, left = work->ld - c0;
    int64_t width = left < COLUMNS ? left : COLUMNS, end = c0 + width;
    gpri_real *from = work->buffer + 2 * slot * rows * COLUMNS, *to = from + rows * COLUMNS;
    take_columns(from, work->x, c0, end < work->x->cols ? end : work->x->cols);
    for (int64_t hop = 1; hop <= work->hops; hop++) {
        gpri_matrix out = {hop < work->hops ? to : work->out + c0, rows, width, width,
                           hop < work->hops ? COLUMNS : work->ld};
        gpri_matrix in = {from, rows, width, width, COLUMNS};
        work->ops->propagate(out, in, gpri_no_matrix, gpri_no_matrix, &work->graph, NULL, 0);
        to = from;
        from = out.at;
    }
}

gpr_status gpri_features_smooth(gpr_ctx *ctx, gpri_features *x, const gpri_graph *graph, int64_t hops) {
    gpr_status status = GPR_OK;
    double *exact = NULL;
    gpri_real *scale = NULL;
    int64_t ld = gpri_padded(x->cols);
    smoothing work = {.ops = ctx->cpu->ops, .x = x, .hops = hops, .ld = ld};
    if (hops < 1) return GPR_OK;
    TRY(gpri_alloc(ctx, &exact, x->rows, sizeof *exact, "degrees"));
    TRY(gpri_alloc(ctx, &scale, x->rows, sizeof *scale, "degrees"));
    gpri_graph_scale(graph, GPRI_SCALE_LOOPED, exact);
    for (int64_t i = 0; i < x->rows; i++) scale[i] = (gpri_real)exact[i];
    work.graph = (gpri_step){.m = {.graph = graph, .left = scale, .right = scale, .factor = 1, .loop = 1}, .a = 1};
    TRY(gpri_alloc(ctx, &work.buffer, 2 * ctx->threads * x->rows * COLUMNS, sizeof *work.buffer, "smoothed features"));
    TRY(gpri_alloc(ctx, &work.out, x->rows * ld, sizeof *work.out, "smoothed features"));
    gpri_parallel(ctx, ctx->threads, gpri_chunk_count(ld, COLUMNS), smooth_columns, &work);
    gpri_features smooth = {.rows = x->rows, .cols = x->cols, .dense = work.out, .ld = ld, .hops = x->hops + hops};
    gpri_features_free(ctx, x);
    *x = smooth;
done:
    gpri_free(ctx, exact);
    gpri_free(ctx, scale);
    gpri_free(ctx, work.buffer);
    return status;
}
