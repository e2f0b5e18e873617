/* The hops go over U_k = S X_k, with S = D^-1/2: U_k+1 = S^2 (A + I) U_k. So an arc has no factor of its own. The last
 * hop of a table is made for its rows alone. */
#include "tensor/powers.h"

#include <string.h>

#include "base/thread.h"
#include "tensor/device.h"
#include "tensor/prepare.h"

enum { PANEL = 16, ROWS = 512 }; /* rows that a thread takes at a time */

typedef struct {
    gpr_ctx *ctx;
    const gpri_ops *ops;
    const gpri_powers_source *of;
    gpri_real *scale, *squared; /* (nodes) S, S^2 */
    gpri_real *block;           /* (2 x nodes x panel) */
    gpri_step inner;
    int64_t done, total; /* hops, for who looks on */

    /* the panel: its first column, and how many it has with their padding; the hop and its matrices, of all nodes */
    int64_t column, width, hop;
    gpri_matrix in, to;
    gpri_real *rows; /* (threads x ROWS x PANEL) of X */

    gpri_real *out; /* (. x ld); of a sum, or of a table */
    int64_t ld;
    const float *gamma; /* of a sum */
    int64_t skip;       /* columns of a sum that are before those of `out` */
    /* of a table */
    const int64_t *nodes;
    int64_t count;
} walk;

double gpri_powers_memory(int64_t nodes, int64_t panel, int64_t buffers) {
    return (double)nodes * (double)(buffers * panel + 2) * (double)sizeof(gpri_real);
}

int64_t gpri_powers_panel(int64_t nodes, int64_t cols, int64_t buffers, double bytes) {
    int64_t panel = PANEL;
    while (panel > 4 && gpri_padded(cols) < panel) panel /= 2;
    for (; panel >= 4; panel /= 2)
        if (gpri_powers_memory(nodes, panel, buffers) <= bytes) return panel;
    return 0;
}

/* The panel's columns of one row, scaled: the table as it would be after gpri_scaling_apply, without a copy of all. */
static void read_scaled(const walk *w, gpri_real *to, int64_t cols, int64_t begin, int64_t end) {
    const gpri_feature_matrix *x = w->of->table;
    const gpri_scaling *scaling = w->of->scaling;
    for (int64_t c = 0; c < cols; c++)
        to[c] = (gpri_real)gpri_scaled(scaling, w->column + c, x->dense ? x->dense[begin + w->column + c] : 0);
    for (int64_t at = begin; !x->dense && at < end; at++) {
        const int64_t c = x->column[at] - w->column;
        if (c >= 0 && c < cols) to[c] = (gpri_real)gpri_scaled(scaling, x->column[at], x->value[at]);
    }
}

/* to: (count x width) the panel's columns of the rows [first, first + count) of X, padded with zeros. */
static void read_rows(const walk *w, gpri_real *to, int64_t ld, int64_t first, int64_t count) {
    const gpri_feature_matrix *x = w->of->table;
    const int64_t left = x->cols - w->column, cols = left < w->width ? left : w->width;
    for (int64_t i = first; i < first + count; i++, to += ld) {
        memset(to, 0, (size_t)w->width * sizeof *to);
        const int64_t begin = x->dense ? i * x->cols : x->rowptr[i],
                      end = x->dense ? begin + x->cols : x->rowptr[i + 1];
        const float *values = x->dense ? x->dense : x->value;
        if (w->of->scaling && w->of->scaling->cols > 0) {
            read_scaled(w, to, cols, begin, end);
            continue;
        }
        const double factor = gpri_row_factor(values + begin, end - begin, w->of->normalize);
        for (int64_t c = 0; x->dense && c < cols; c++) to[c] = (gpri_real)(values[begin + w->column + c] * factor);
        for (int64_t at = begin; !x->dense && at < end; at++) {
            const int64_t c = x->column[at] - w->column;
            if (c >= 0 && c < cols) to[c] = (gpri_real)(values[at] * factor);
        }
    }
}

/* ---- parts of a hop, for rows dealt out to the threads ---- */

/* The rows that come after chunk `chunk`, where it is the first of some: what a hop reads of them is asked for now, so
   that a disk and the threads work at the same time. */
static void read_ahead(const walk *w, int64_t chunk, bool columns) {
    enum { SOME = 128, FAR = 2 }; /* chunks, and how many times that ahead */
    const gpri_graph *graph = w->of->graph;
    const gpri_feature_matrix *x = w->of->table;
    if (chunk % SOME != 0) return;
    const gpri_range rows = gpri_chunk_of(chunk / SOME + FAR, (int64_t)SOME * ROWS, graph->nodes);
    if (rows.first >= rows.end) return;
    if (columns) {
        const int64_t at = graph->rowptr[rows.first], arcs = graph->rowptr[rows.end] - at;
        gpri_pages_ahead(graph->column + at, arcs * (int64_t)sizeof *graph->column);
        if (graph->weight) gpri_pages_ahead(graph->weight + at, arcs * (int64_t)sizeof *graph->weight);
    } else if (x->dense) {
        gpri_pages_ahead(x->dense + rows.first * x->cols,
                         (rows.end - rows.first) * x->cols * (int64_t)sizeof *x->dense);
    }
}

static void deal(walk *w, int64_t rows, gpri_chunk_fn fn) {
    gpri_parallel(w->ctx, w->ctx->threads, gpri_chunk_count(rows, ROWS), fn, w);
}

static gpri_matrix rows_of(gpri_matrix x, gpri_range rows) {
    return gpri_rows_of(x, rows.first, rows.end - rows.first);
}

/* to = S X */
static void begin_rows(void *arg, int64_t chunk, int slot) {
    const walk *w = arg;
    const gpri_range rows = gpri_chunk_of(chunk, ROWS, w->of->graph->nodes);
    (void)slot;
    read_ahead(w, chunk, false);
    read_rows(w, w->to.at + rows.first * w->to.ld, w->to.ld, rows.first, rows.end - rows.first);
    for (int64_t i = rows.first; i < rows.end; i++)
        for (int64_t c = 0; c < w->width; c++) w->to.at[i * w->to.ld + c] *= w->scale[i];
}

static void hop_rows(void *arg, int64_t chunk, int slot) {
    const walk *w = arg;
    const gpri_range rows = gpri_chunk_of(chunk, ROWS, w->of->graph->nodes);
    (void)slot;
    read_ahead(w, chunk, true);
    w->ops->propagate(rows_of(w->to, rows), w->in, gpri_no_matrix, gpri_no_matrix, &w->inner, NULL, rows.first);
}

/* X_k of the table's rows: of the rows of X itself, of U_k, or of the hop that leads there. */
static void take_rows(void *arg, int64_t chunk, int slot) {
    const walk *w = arg;
    const gpri_range rows = gpri_chunk_of(chunk, ROWS, w->count);
    gpri_real *u = w->rows + (int64_t)slot * ROWS * PANEL;
    for (int64_t r = rows.first; r < rows.end; r++) {
        const int64_t node = w->nodes[r];
        gpri_real *to = w->out + r * w->ld + w->hop * gpri_padded(w->of->table->cols) + w->column;
        if (w->hop == 0) {
            read_rows(w, to, 0, node, 1);
            continue;
        }
        if (w->hop == w->of->hops)
            w->ops->propagate(gpri_packed(u, 1, w->width), w->in, gpri_no_matrix, gpri_no_matrix, &w->inner, NULL,
                              node);
        const gpri_real *from = w->hop == w->of->hops ? u : w->to.at + node * w->to.ld;
        for (int64_t c = 0; c < w->width; c++) to[c] = from[c] / w->scale[node];
    }
}

/* The rows of out += gamma_k X_k, in the order and with the operation of layer/powers.c: the bits are those that a
   training has seen. */
static void add_rows(void *arg, int64_t chunk, int slot) {
    const walk *w = arg;
    const gpri_range rows = gpri_chunk_of(chunk, ROWS, w->of->graph->nodes);
    const gpri_matrix x = gpri_packed(w->rows + (int64_t)slot * ROWS * PANEL, rows.end - rows.first, w->width);
    const gpri_matrix to = {w->out + rows.first * w->ld + w->column - w->skip, x.rows, x.cols, x.width, w->ld};
    gpri_real gamma = w->gamma[w->hop];
    if (w->hop == 0) {
        read_rows(w, x.at, x.ld, rows.first, x.rows);
        w->ops->zero(to);
    }
    for (int64_t i = 0; w->hop > 0 && i < x.rows; i++)
        for (int64_t c = 0; c < x.width; c++)
            x.at[i * x.ld + c] = w->to.at[(rows.first + i) * w->to.ld + c] / w->scale[rows.first + i];
    w->ops->head_add(to, (gpri_matrix){&gamma, x.rows, 1, 1, 0}, x, 1, x.width);
}

/* ---- all of it ---- */

/* Graph and features may lie in a file that is larger than the memory. */
static void expect_order(const gpri_powers_source *of) {
    const gpri_graph *graph = of->graph;
    const gpri_feature_matrix *x = of->table;
    gpri_pages_in_order(graph->rowptr, (graph->nodes + 1) * (int64_t)sizeof *graph->rowptr);
    gpri_pages_in_order(graph->column, graph->arcs * (int64_t)sizeof *graph->column);
    if (graph->weight) gpri_pages_in_order(graph->weight, graph->arcs * (int64_t)sizeof *graph->weight);
    if (x->dense) gpri_pages_in_order(x->dense, x->rows * x->cols * (int64_t)sizeof *x->dense);
}

static gpr_status walk_begin(gpr_ctx *ctx, walk *w, const gpri_powers_source *of) {
    gpr_status status = GPR_OK;
    const int64_t nodes = of->graph->nodes;
    double *exact = NULL;
    *w = (walk){.ctx = ctx, .ops = ctx->cpu->ops, .of = of};
    expect_order(of);
    TRY(gpri_alloc(ctx, &exact, nodes, sizeof *exact, "degrees"));
    TRY(gpri_alloc(ctx, &w->scale, nodes, sizeof *w->scale, "degrees"));
    TRY(gpri_alloc(ctx, &w->squared, nodes, sizeof *w->squared, "degrees"));
    gpri_graph_scale(of->graph, GPRI_SCALE_LOOPED, exact);
    for (int64_t i = 0; i < nodes; i++) {
        w->scale[i] = (gpri_real)exact[i];
        w->squared[i] = w->scale[i] * w->scale[i];
    }
    gpri_free(ctx, exact);
    exact = NULL;
    TRY(gpri_alloc(ctx, &w->rows, ctx->threads * (int64_t)ROWS * PANEL, sizeof *w->rows, "hops of the features"));
    TRY(gpri_alloc(ctx, &w->block, 2 * nodes * of->panel, sizeof *w->block, "hops of the features"));
    gpri_wide_pages(w->block, 2 * nodes * of->panel * (int64_t)sizeof *w->block);
    const bool far = nodes * of->panel * (int64_t)sizeof *w->block > ctx->large;
    w->inner = (gpri_step){.m = {.graph = of->graph, .left = w->squared, .factor = 1, .loop = 1}, .a = 1, .far = far};
done:
    gpri_free(ctx, exact);
    return status;
}

static void walk_end(walk *w) {
    gpri_free(w->ctx, w->scale);
    gpri_free(w->ctx, w->squared);
    gpri_free(w->ctx, w->rows);
    gpri_free(w->ctx, w->block);
}

/* Columns of the panel that begins at w->column: whole panels, and a last one as narrow as its padding allows. */
static void set_panel(walk *w) {
    const int64_t left = gpri_padded(w->of->table->cols) - w->column;
    w->width = left < w->of->panel ? left : w->of->panel;
}

static void next_hop(walk *w) {
    const int64_t nodes = w->of->graph->nodes;
    w->in = w->to;
    w->to = gpri_packed(w->block + w->hop % 2 * nodes * w->of->panel, nodes, w->width);
}

/* One more hop is done. */
static gpr_status tell(walk *w) {
    const gpr_progress report = {
        .struct_size = sizeof report, .stage = "hops", .share = (double)++w->done / (double)w->total};
    if (w->ctx->progress && w->ctx->progress(w->ctx->user, &report))
        return gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller, before the hops of the features were done");
    return GPR_OK;
}

static int64_t panels_of(const gpri_powers_source *of, int64_t first) {
    return gpri_chunk_count(gpri_padded(of->table->cols) - first, of->panel);
}

gpr_status gpri_powers_table(gpr_ctx *ctx, gpri_real *out, int64_t ld, const gpri_powers_source *of,
                             const int64_t *nodes, int64_t count, int64_t first, gpri_powers_fn done, void *arg) {
    const int64_t K = of->hops, all = of->graph->nodes, end = gpri_padded(of->table->cols);
    walk w;
    gpr_status status = GPR_OK;
    TRY(walk_begin(ctx, &w, of));
    w.out = out;
    w.ld = ld;
    w.nodes = nodes;
    w.count = count;
    w.total = panels_of(of, first) * (K + 1);
    for (w.column = first; w.column < end; w.column += of->panel) {
        set_panel(&w);
        for (w.hop = 0; w.hop <= K; w.hop++) {
            next_hop(&w);
            if (w.hop == 0 && K > 0) deal(&w, all, begin_rows);
            else if (w.hop < K) deal(&w, all, hop_rows);
            deal(&w, count, take_rows);
            TRY(tell(&w));
        }
        if (done) TRY(done(arg, w.column + w.width));
    }
done:
    walk_end(&w);
    return status;
}

/* All hops of a panel, added up. */
static gpr_status sum_panel(walk *w) {
    const int64_t K = w->of->hops, all = w->of->graph->nodes;
    gpr_status status = GPR_OK;
    for (w->hop = 0; w->hop <= K; w->hop++) {
        next_hop(w);
        if (w->hop == 0 && K > 0) deal(w, all, begin_rows);
        else if (w->hop > 0) deal(w, all, hop_rows);
        deal(w, all, add_rows);
        TRY(tell(w));
    }
done:
    return status;
}

gpr_status gpri_powers_sum(gpr_ctx *ctx, gpri_real *out, const gpri_powers_source *of, const float *gamma) {
    const int64_t end = gpri_padded(of->table->cols);
    walk w;
    gpr_status status = GPR_OK;
    TRY(walk_begin(ctx, &w, of));
    w.out = out;
    w.ld = end;
    w.gamma = gamma;
    w.total = panels_of(of, 0) * (of->hops + 1);
    for (; w.column < end; w.column += of->panel) {
        set_panel(&w);
        TRY(sum_panel(&w));
    }
done:
    walk_end(&w);
    return status;
}

gpr_status gpri_powers_panels(gpr_ctx *ctx, const gpri_powers_source *of, const float *gamma, gpri_panel_fn take,
                              void *arg) {
    const int64_t end = gpri_padded(of->table->cols);
    gpri_real *sum = NULL; /* (nodes x panel) */
    walk w;
    gpr_status status = GPR_OK;
    TRY(walk_begin(ctx, &w, of));
    TRY(gpri_alloc(ctx, &sum, of->graph->nodes * of->panel, sizeof *sum, "hops of the features"));
    w.out = sum;
    w.gamma = gamma;
    w.total = panels_of(of, 0) * (of->hops + 1);
    for (; w.column < end; w.column += of->panel) {
        set_panel(&w);
        w.ld = w.width;
        w.skip = w.column;
        TRY(sum_panel(&w));
        TRY(take(arg, w.column, w.width, sum));
    }
done:
    gpri_free(ctx, sum);
    walk_end(&w);
    return status;
}
