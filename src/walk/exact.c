/* Products with A~ in double precision, and the limit of A~^k. */
#include "walk/exact.h"

#include "base/thread.h"

enum { COLUMNS = 16, ROWS = 1024 }; /* summed at a time; dealt to a thread at a time */

gpr_status gpri_exact_of(gpr_ctx *ctx, gpri_exact *out, const gpri_graph *graph, const gpri_graph *turned, bool loops) {
    const gpri_scale which = loops && turned == graph ? GPRI_SCALE_LOOPED : GPRI_SCALE_OPEN;
    const int64_t nodes = graph->nodes;
    gpr_status status = GPR_OK;
    *out = (gpri_exact){.ctx = ctx, .graph = graph, .turned = turned, .loop = which == GPRI_SCALE_LOOPED};
    TRY(gpri_alloc(ctx, &out->scale, nodes, sizeof *out->scale, "degrees"));
    TRY(gpri_alloc(ctx, &out->squared, nodes, sizeof *out->squared, "degrees"));
    gpri_graph_scale(graph, which, out->scale);
    out->right = out->scale;
    if (turned != graph) {
        out->right = NULL;
        TRY(gpri_alloc(ctx, &out->right, nodes, sizeof *out->right, "degrees"));
        gpri_graph_scale(turned, which, out->right);
    }
    for (int64_t i = 0; i < nodes; i++) out->squared[i] = out->scale[i] * out->right[i];
done:
    if (status != GPR_OK) gpri_exact_free(out);
    return status;
}

gpr_status gpri_exact_new(gpr_ctx *ctx, gpri_exact *out, const gpri_graph *graph) {
    return gpri_exact_of(ctx, out, graph, graph, true);
}

void gpri_exact_free(gpri_exact *walk) {
    if (!walk->ctx) return;
    if (walk->right != walk->scale) gpri_free(walk->ctx, walk->right);
    gpri_free_all(walk->ctx, walk->scale, walk->squared);
    *walk = (gpri_exact){0};
}

/* ---- products ---- */

/* y = a L (A + loop I) R x + b x - c y. */
typedef struct {
    const gpri_graph *graph;
    const double *left, *right; /* (nodes); right NULL: I */
    double *y;
    const double *x;
    int64_t width;
    double loop, a, b, c;
} product;

/* Columns [c0, c0 + columns) of row i. The compiler makes a loop of its own for each number of columns that is a
   constant where it is called. */
GPRI_INLINE void sum_row(const product *p, int64_t i, int64_t c0, int64_t columns) {
    const gpri_graph *graph = p->graph;
    const double *own = p->x + i * p->width + c0;
    double sum[COLUMNS], loop = p->loop * (p->right ? p->right[i] : 1);
    for (int64_t c = 0; c < columns; c++) sum[c] = loop * own[c];
    for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++) {
        const int64_t j = graph->column[at];
        const double *x = p->x + j * p->width + c0;
        const double factor = (graph->weight ? (double)graph->weight[at] : 1) * (p->right ? p->right[j] : 1);
        for (int64_t c = 0; c < columns; c++) sum[c] += factor * x[c];
    }
    double *y = p->y + i * p->width + c0;
    const double a = p->a * p->left[i];
    if (p->c != 0)
        for (int64_t c = 0; c < columns; c++) y[c] = a * sum[c] - p->c * y[c];
    else
        for (int64_t c = 0; c < columns; c++) y[c] = a * sum[c]; /* y may be undefined */
    for (int64_t c = 0; p->b != 0 && c < columns; c++) y[c] += p->b * own[c];
}

static void sum_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const product *p = arg;
    const gpri_range rows = gpri_chunk_of(chunk, ROWS, p->graph->nodes);
    for (int64_t i = rows.first; i < rows.end; i++)
        for (int64_t c0 = 0; c0 < p->width; c0 += COLUMNS) {
            const int64_t left = p->width - c0, columns = left < COLUMNS ? left : COLUMNS;
            if (columns == COLUMNS) sum_row(p, i, c0, COLUMNS);
            else if (columns == 8) sum_row(p, i, c0, 8);
            else if (columns == 4) sum_row(p, i, c0, 4);
            else if (columns == 1) sum_row(p, i, c0, 1);
            else sum_row(p, i, c0, columns);
        }
}

static void multiply(const gpri_exact *walk, const product *p) {
    const int64_t work = (p->graph->arcs + p->graph->nodes) * p->width;
    gpri_parallel(walk->ctx, work < 100000 ? 1 : walk->ctx->threads, gpri_chunk_count(p->graph->nodes, ROWS), sum_rows,
                  (void *)(uintptr_t)p);
}

void gpri_exact_step(const gpri_exact *walk, double *y, const double *x, int64_t width) {
    gpri_exact_next(walk, y, x, width, (gpri_recurrence){1, 0, 0});
}

void gpri_exact_next(const gpri_exact *walk, double *y, const double *x, int64_t width, gpri_recurrence rule) {
    const product p = {walk->graph,    walk->scale,    walk->right,   y, x, width, walk->loop,
                       (double)rule.a, (double)rule.b, (double)rule.c};
    multiply(walk, &p);
}

void gpri_exact_scaled(const gpri_exact *walk, double *y, const double *x, int64_t width, double a, double c) {
    const product p = {walk->graph, walk->squared, NULL, y, x, width, walk->loop, a, 0, c};
    multiply(walk, &p);
}

/* ---- the limit ---- */

/* pi_i = sqrt(D_ii) / sqrt(sum D), and scale_i = 1 / sqrt(D_ii). */
static void limit_of(const gpri_exact *walk, const int32_t *nodes, int64_t count, double *y, const double *x,
                     int64_t width, int64_t column) {
    double total = 0, beta = 0;
    for (int64_t k = 0; k < count; k++) {
        const double root = 1 / walk->scale[nodes[k]];
        total += root * root;
        beta += root * x[nodes[k] * width + column];
    }
    for (int64_t k = 0; k < count; k++) y[nodes[k] * width + column] = beta / total / walk->scale[nodes[k]];
}

void gpri_exact_limit(const gpri_exact *walk, const gpri_components *components, double *y, const double *x,
                      int64_t width) {
    for (int64_t c = 0; c < components->count; c++) {
        const int64_t first = components->start[c], count = components->start[c + 1] - first;
        for (int64_t column = 0; column < width; column++)
            limit_of(walk, components->order + first, count, y, x, width, column);
    }
}

double gpri_sum_of_squares(const double *x, int64_t count) {
    double sum = 0;
    for (int64_t k = 0; k < count; k++) sum += x[k] * x[k];
    return sum;
}
