/* Products with A~ in double precision; connected components; the limit of A~^k. */
#include "spectral/smoother.h"

#include <math.h>
#include <string.h>

#include "base/thread.h"

enum { COLUMNS = 16, ROWS = 1024 }; /* summed at a time; dealt to a thread at a time */

gpr_status gpri_components_find(gpr_ctx *ctx, gpri_components *out, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    int32_t *distance = NULL; /* (nodes) -1: not reached so far */
    int64_t end = 0, capacity = 0;
    *out = (gpri_components){0};
    TRY(gpri_alloc(ctx, &out->order, graph->nodes, sizeof *out->order, "components"));
    TRY(gpri_alloc(ctx, &distance, graph->nodes, sizeof *distance, "components"));
    for (int64_t i = 0; i < graph->nodes; i++) distance[i] = -1;
    TRY(gpri_grow(ctx, &out->start, &capacity, 1, sizeof *out->start, "components"));
    out->start[0] = 0;
    for (int64_t root = 0; root < graph->nodes; root++) {
        if (distance[root] >= 0) continue;
        end += gpri_graph_search(graph, (int32_t)root, INT32_MAX, distance, out->order + end);
        TRY(gpri_grow(ctx, &out->start, &capacity, out->count + 2, sizeof *out->start, "components"));
        out->start[++out->count] = end;
    }
done:
    gpri_free(ctx, distance);
    if (status != GPR_OK) gpri_components_free(ctx, out);
    return status;
}

void gpri_components_free(gpr_ctx *ctx, gpri_components *components) {
    gpri_free(ctx, components->order);
    gpri_free(ctx, components->start);
    *components = (gpri_components){0};
}

gpr_status gpri_smoother_new(gpr_ctx *ctx, gpri_smoother *out, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    *out = (gpri_smoother){.ctx = ctx, .graph = graph};
    TRY(gpri_alloc(ctx, &out->scale, graph->nodes, sizeof *out->scale, "degrees"));
    TRY(gpri_alloc(ctx, &out->squared, graph->nodes, sizeof *out->squared, "degrees"));
    gpri_graph_scale(graph, GPRI_SCALE_LOOPED, out->scale);
    for (int64_t i = 0; i < graph->nodes; i++) out->squared[i] = out->scale[i] * out->scale[i];
done:
    if (status != GPR_OK) gpri_smoother_free(out);
    return status;
}

void gpri_smoother_free(gpri_smoother *smoother) {
    gpri_free(smoother->ctx, smoother->scale);
    gpri_free(smoother->ctx, smoother->squared);
    *smoother = (gpri_smoother){0};
}

/* ---- products ---- */

/* y = a L (A + I) R x - c y. */
typedef struct {
    const gpri_graph *graph;
    const double *left, *right; /* (nodes); right NULL: I */
    double *y;
    const double *x;
    int64_t width;
    double a, c;
} product;

/* Columns [c0, c0 + columns) of row i. The compiler makes a loop of its own for each number of columns that is a
   constant where it is called. */
GPRI_INLINE void sum_row(const product *p, int64_t i, int64_t c0, int64_t columns) {
    const gpri_graph *graph = p->graph;
    const double *own = p->x + i * p->width + c0;
    double sum[COLUMNS], loop = p->right ? p->right[i] : 1;
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

static void multiply(const gpri_smoother *smoother, const product *p) {
    const int64_t work = (p->graph->arcs + p->graph->nodes) * p->width;
    gpri_parallel(smoother->ctx, work < 100000 ? 1 : smoother->ctx->threads, gpri_chunk_count(p->graph->nodes, ROWS),
                  sum_rows, (void *)(uintptr_t)p);
}

void gpri_smooth(const gpri_smoother *smoother, double *y, const double *x, int64_t width) {
    const product p = {smoother->graph, smoother->scale, smoother->scale, y, x, width, 1, 0};
    multiply(smoother, &p);
}

void gpri_smooth_scaled(const gpri_smoother *smoother, double *y, const double *x, int64_t width, double a, double c) {
    const product p = {smoother->graph, smoother->squared, NULL, y, x, width, a, c};
    multiply(smoother, &p);
}

/* ---- the limit ---- */

/* pi_i = sqrt(D_ii) / sqrt(sum D), and scale_i = 1 / sqrt(D_ii). */
static void limit_of(const gpri_smoother *smoother, const int32_t *nodes, int64_t count, double *y, const double *x,
                     int64_t width, int64_t column) {
    double total = 0, beta = 0;
    for (int64_t k = 0; k < count; k++) {
        const double root = 1 / smoother->scale[nodes[k]];
        total += root * root;
        beta += root * x[nodes[k] * width + column];
    }
    for (int64_t k = 0; k < count; k++) y[nodes[k] * width + column] = beta / total / smoother->scale[nodes[k]];
}

void gpri_smooth_limit(const gpri_smoother *smoother, const gpri_components *components, double *y, const double *x,
                       int64_t width) {
    for (int64_t c = 0; c < components->count; c++) {
        const int64_t first = components->start[c], count = components->start[c + 1] - first;
        for (int64_t column = 0; column < width; column++)
            limit_of(smoother, components->order + first, count, y, x, width, column);
    }
}

double gpri_sum_of_squares(const double *x, int64_t count) {
    double sum = 0;
    for (int64_t k = 0; k < count; k++) sum += x[k] * x[k];
    return sum;
}
