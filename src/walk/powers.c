/* The hops go over U_k = S X_k, with S = D^-1/2: U_k+1 = S^2 (A + I) U_k. So an arc has no factor of its own. The last
 * hop of a table is made for its rows alone. */
#include "walk/powers.h"

#include <string.h>

#include "base/memory.h"
#include "tensor/prepare.h"
#include "walk/hop.h"
#include "walk/way.h"

enum {
    ROWS = 64,   /* whose panel a thread has beside the buffers */
    TAKEN = 512, /* of a table, that a thread takes at a time */
    WORK = 256   /* operations of a row, about */
};

typedef struct {
    gpri_walker walker;
    const gpri_powers_source *source;
    const gpri_real *scale; /* (nodes) S */
    gpri_real *block;       /* (2 x nodes x panel) */
    gpri_step inner;
    int64_t done, total; /* hops, for who looks on */

    /* the panel: its first column, and how many it has with their padding; the hop and its matrices, of all nodes */
    int64_t column, width, hop;
    gpri_matrix in, to;

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
    int64_t panel = GPRI_PANEL;
    while (panel > 4 && gpri_padded(cols) < panel) panel /= 2;
    for (; panel >= 4; panel /= 2)
        if (gpri_powers_memory(nodes, panel, buffers) <= bytes) return panel;
    return 0;
}

/* The panel's columns of one row, scaled: the table as it would be after gpri_scaling_apply, without a copy of all. */
static void read_scaled(const walk *w, gpri_real *to, int64_t cols, int64_t begin, int64_t end) {
    const gpri_feature_matrix *x = w->source->table;
    const gpri_scaling *scaling = w->source->scaling;
    for (int64_t c = 0; c < cols; c++)
        to[c] = (gpri_real)gpri_scaled(scaling, w->column + c, x->dense ? x->dense[begin + w->column + c] : 0);
    for (int64_t at = begin; !x->dense && at < end; at++) {
        const int64_t c = x->column[at] - w->column;
        if (c >= 0 && c < cols) to[c] = (gpri_real)gpri_scaled(scaling, x->column[at], x->value[at]);
    }
}

/* to: (count x width) the panel's columns of the rows [first, first + count) of X, padded with zeros. */
static void read_rows(const walk *w, gpri_real *to, int64_t ld, int64_t first, int64_t count) {
    const gpri_feature_matrix *x = w->source->table;
    const int64_t left = x->cols - w->column, cols = left < w->width ? left : w->width;
    for (int64_t i = first; i < first + count; i++, to += ld) {
        memset(to, 0, (size_t)w->width * sizeof *to);
        const int64_t begin = x->dense ? i * x->cols : x->rowptr[i],
                      end = x->dense ? begin + x->cols : x->rowptr[i + 1];
        const float *values = x->dense ? x->dense : x->value;
        if (w->source->scaling && w->source->scaling->cols > 0) {
            read_scaled(w, to, cols, begin, end);
            continue;
        }
        const double factor = gpri_row_factor(values + begin, end - begin, w->source->normalize);
        for (int64_t c = 0; x->dense && c < cols; c++) to[c] = (gpri_real)(values[begin + w->column + c] * factor);
        for (int64_t at = begin; !x->dense && at < end; at++) {
            const int64_t c = x->column[at] - w->column;
            if (c >= 0 && c < cols) to[c] = (gpri_real)(values[at] * factor);
        }
    }
}

/* ---- parts of a hop, for rows dealt out to the threads ---- */

/* to = S X. Dense features may lie in a file: the next rows are asked for now, so that a disk and the threads work at
   the same time. */
static void begin_rows(void *arg, gpri_chunk rows) {
    const walk *w = arg;
    const gpri_feature_matrix *x = w->source->table;
    const gpri_range ahead = gpri_walker_ahead(&w->walker, rows.chunk);
    if (x->dense && ahead.end > ahead.first)
        gpri_pages_ahead(x->dense + ahead.first * x->cols,
                         (ahead.end - ahead.first) * x->cols * (int64_t)sizeof *x->dense);
    read_rows(w, w->to.at + rows.first * w->to.ld, w->to.ld, rows.first, rows.count);
    for (int64_t i = rows.first; i < rows.first + rows.count; i++)
        for (int64_t c = 0; c < w->width; c++) w->to.at[i * w->to.ld + c] *= w->scale[i];
}

/* X_k of the table's rows: of the rows of X itself, of U_k, or of the hop that leads there. */
static void take_rows(void *arg, int64_t chunk, int slot) {
    const walk *w = arg;
    const gpri_range rows = gpri_chunk_of(chunk, TAKEN, w->count);
    gpri_real u[GPRI_PANEL];
    (void)slot;
    for (int64_t r = rows.first; r < rows.end; r++) {
        const int64_t node = w->nodes[r];
        gpri_real *to = w->out + r * w->ld + w->hop * gpri_padded(w->source->table->cols) + w->column;
        if (w->hop == 0) {
            read_rows(w, to, 0, node, 1);
            continue;
        }
        if (w->hop == w->source->hops)
            w->walker.device->ops->propagate(gpri_packed(u, 1, w->width), w->in, gpri_no_matrix, gpri_no_matrix,
                                             &w->inner, NULL, node);
        const gpri_real *from = w->hop == w->source->hops ? u : w->to.at + node * w->to.ld;
        for (int64_t c = 0; c < w->width; c++) to[c] = from[c] / w->scale[node];
    }
}

/* The rows of out += gamma_k X_k, in the order and with the operation of layer/powers.c: the bits are those that a
   training has seen. */
static void add_rows(void *arg, gpri_chunk rows) {
    const walk *w = arg;
    const gpri_ops *ops = w->walker.device->ops;
    const int64_t end = rows.first + rows.count;
    gpri_real values[ROWS * GPRI_PANEL], gamma = w->gamma[w->hop];
    for (int64_t first = rows.first; first < end; first += ROWS) {
        const gpri_matrix x = gpri_packed(values, end - first < ROWS ? end - first : ROWS, w->width);
        const gpri_matrix to = {w->out + first * w->ld + w->column - w->skip, x.rows, x.cols, x.width, w->ld};
        if (w->hop == 0) {
            read_rows(w, x.at, x.ld, first, x.rows);
            ops->zero(to);
        }
        for (int64_t i = 0; w->hop > 0 && i < x.rows; i++)
            for (int64_t c = 0; c < x.width; c++)
                x.at[i * x.ld + c] = w->to.at[(first + i) * w->to.ld + c] / w->scale[first + i];
        ops->head_add(to, (gpri_matrix){&gamma, x.rows, 1, 1, 0}, x, 1, x.width);
    }
}

/* U_0 = S X, or U_k of U_k-1. */
static void make_hop(walk *w) {
    const gpri_hop hop = {.walker = &w->walker, .from_file = true, .out = w->to, .in = w->in, .step = &w->inner};
    if (w->hop == 0) gpri_walker_rows(&w->walker, WORK, begin_rows, w);
    else gpri_hop_step(&hop);
}

/* ---- all of it ---- */

/* Graph and features may lie in a file that is larger than the memory. */
static void expect_order(const gpri_powers_source *source) {
    const gpri_graph *graph = source->graph;
    const gpri_feature_matrix *x = source->table;
    gpri_pages_in_order(graph->rowptr, (graph->nodes + 1) * (int64_t)sizeof *graph->rowptr);
    gpri_pages_in_order(graph->column, graph->arcs * (int64_t)sizeof *graph->column);
    if (graph->weight) gpri_pages_in_order(graph->weight, graph->arcs * (int64_t)sizeof *graph->weight);
    if (x->dense) gpri_pages_in_order(x->dense, x->rows * x->cols * (int64_t)sizeof *x->dense);
}

static gpr_status walk_begin(gpr_ctx *ctx, walk *w, const gpri_powers_source *source) {
    const int64_t nodes = source->graph->nodes;
    const gpri_real *squared;
    *w = (walk){.walker = gpri_walker_of(ctx, ctx->job.cpu, source->graph, ctx->threads), .source = source};
    expect_order(source);
    NEED(gpri_walker_scale(&w->walker, &w->scale, GPRI_SCALE_LOOPED));
    NEED(gpri_walker_squared_scale(&w->walker, &squared, GPRI_SCALE_LOOPED));
    NEED(gpri_held_alloc(&w->walker.held, &w->block, 2 * nodes * source->panel, sizeof *w->block, false,
                         "hops of the features"));
    w->inner = (gpri_step){.m = {.graph = &w->walker.view, .left = squared, .factor = 1, .loop = 1},
                           .a = 1,
                           .far = gpri_way_far(&w->walker, source->panel)};
    return GPR_OK;
}

/* One more hop is done. */
static gpr_status tell(walk *w) {
    gpr_ctx *ctx = w->walker.ctx;
    const gpr_progress report = {
        .struct_size = sizeof report, .stage = "hops", .share = (double)++w->done / (double)w->total};
    if (ctx->job.progress && ctx->job.progress(ctx->job.user, &report))
        return gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller, before the hops of the features were done");
    return GPR_OK;
}

static void take_all(walk *w) {
    gpr_ctx *ctx = w->walker.ctx;
    gpri_parallel(ctx, ctx->threads, gpri_chunk_count(w->count, TAKEN), take_rows, w);
}

static void add_all(walk *w) { gpri_walker_rows(&w->walker, WORK, add_rows, w); }

/* All hops of a panel, the first `made` of them for all nodes; each is used when it is there. */
static gpr_status walk_panel(walk *w, int64_t made, void (*use)(walk *)) {
    const int64_t nodes = w->source->graph->nodes;
    for (w->hop = 0; w->hop <= w->source->hops; w->hop++) {
        w->in = w->to;
        w->to = gpri_packed(w->block + w->hop % 2 * nodes * w->source->panel, nodes, w->width);
        if (w->hop < made) make_hop(w);
        use(w);
        NEED(tell(w));
    }
    return GPR_OK;
}

/* The next panel, of whole ones and a last one as narrow as its padding allows; false: there is none. */
static bool next_panel(walk *w) {
    const int64_t end = gpri_padded(w->source->table->cols);
    if (w->total == 0) w->total = gpri_chunk_count(end - w->column, w->source->panel) * (w->source->hops + 1);
    w->column += w->width;
    w->width = end - w->column < w->source->panel ? end - w->column : w->source->panel;
    return w->column < end;
}

gpr_status gpri_powers_table(gpr_ctx *ctx, gpri_real *out, int64_t ld, const gpri_powers_source *source,
                             const int64_t *nodes, int64_t count, int64_t first, gpri_powers_fn done, void *arg) {
    walk w;
    gpr_status status = GPR_OK;
    TRY(walk_begin(ctx, &w, source));
    w.out = out;
    w.ld = ld;
    w.nodes = nodes;
    w.count = count;
    w.column = first;
    while (next_panel(&w)) {
        TRY(walk_panel(&w, source->hops, take_all));
        if (done) TRY(done(arg, w.column + w.width));
    }
done:
    gpri_walker_free(&w.walker);
    return status;
}

/* out: (nodes x padded columns), or NULL: each panel has the same place, and is handed over. */
static gpr_status sum_powers(gpr_ctx *ctx, gpri_real *out, const gpri_powers_source *source, const float *gamma,
                             gpri_panel_fn take, void *arg) {
    walk w;
    gpr_status status = GPR_OK;
    TRY(walk_begin(ctx, &w, source));
    w.out = out;
    w.ld = gpri_padded(source->table->cols);
    w.gamma = gamma;
    if (!out)
        TRY(gpri_held_alloc(&w.walker.held, &w.out, source->graph->nodes * source->panel, sizeof *w.out, false,
                            "hops of the features"));
    while (next_panel(&w)) {
        if (!out) w.ld = w.width, w.skip = w.column;
        TRY(walk_panel(&w, source->hops > 0 ? source->hops + 1 : 0, add_all));
        if (take) TRY(take(arg, w.column, w.width, w.out));
    }
done:
    gpri_walker_free(&w.walker);
    return status;
}

gpr_status gpri_powers_sum(gpr_ctx *ctx, gpri_real *out, const gpri_powers_source *source, const float *gamma) {
    return sum_powers(ctx, out, source, gamma, NULL, NULL);
}

gpr_status gpri_powers_panels(gpr_ctx *ctx, const gpri_powers_source *source, const float *gamma, gpri_panel_fn take,
                              void *arg) {
    return sum_powers(ctx, NULL, source, gamma, take, arg);
}
