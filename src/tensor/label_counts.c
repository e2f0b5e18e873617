/* Counts of labels over one and two steps, row by row in double precision. Rows are cut by their number alone. */
#include "tensor/label_counts.h"

#include <math.h>
#include <string.h>

#include "base/thread.h"

enum { ROWS = 512, PER_CLASS = 4 };

typedef struct {
    const gpri_graph *graph;
    const int32_t *known;
    int64_t classes, ld;
    double factor;
    double *near;   /* (nodes x classes) n */
    double *degree; /* (nodes) d */
    double *sums;   /* (threads x 2 x classes) */
    gpri_real *out; /* (nodes x ld) from the graph's first column on */
} counting;

int64_t gpri_label_count_columns(int64_t classes, int64_t graphs) { return graphs * (PER_CLASS * classes + 1); }

static double weight_of(const gpri_graph *graph, int64_t arc) { return graph->weight ? (double)graph->weight[arc] : 1; }

static void count_neighbours(void *arg, int64_t chunk, int slot) {
    const counting *work = arg;
    const gpri_graph *graph = work->graph;
    const gpri_range range = gpri_chunk_of(chunk, ROWS, graph->nodes);
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++)
        for (int64_t arc = graph->rowptr[i]; arc < graph->rowptr[i + 1]; arc++) {
            const int32_t label = work->known[graph->column[arc]];
            work->degree[i] += weight_of(graph, arc);
            if (label >= 0) work->near[i * work->classes + label] += work->factor * weight_of(graph, arc);
        }
}

static void fill_row(const counting *work, int64_t node, double *mean, double *sum) {
    const gpri_graph *graph = work->graph;
    const int64_t C = work->classes;
    const int32_t own = work->known[node];
    const double degree = work->degree[node];
    gpri_real *out = work->out + node * work->ld;
    for (int64_t c = 0; c < C; c++) mean[c] = sum[c] = 0;
    for (int64_t arc = graph->rowptr[node]; arc < graph->rowptr[node + 1]; arc++) {
        const int64_t j = graph->column[arc];
        const double w = weight_of(graph, arc);
        for (int64_t c = 0; c < C; c++) {
            const double back = c == own ? work->factor * w : 0, n = work->near[j * C + c] - back;
            mean[c] += w / work->degree[j] * n;
            sum[c] += w * n;
        }
    }
    for (int64_t c = 0; c < C; c++) {
        const double n = work->near[node * C + c];
        out[PER_CLASS * c] = (gpri_real)log1p(n);
        out[PER_CLASS * c + 1] = (gpri_real)(degree > 0 ? n / degree : 0);
        out[PER_CLASS * c + 2] = (gpri_real)log1p(fmax(mean[c], 0)); /* what is taken back may leave a rounding error */
        out[PER_CLASS * c + 3] = (gpri_real)log1p(fmax(sum[c], 0));
    }
    out[PER_CLASS * C] = (gpri_real)log1p(degree);
}

static void fill_rows(void *arg, int64_t chunk, int slot) {
    const counting *work = arg;
    const gpri_range range = gpri_chunk_of(chunk, ROWS, work->graph->nodes);
    double *sums = work->sums + slot * 2 * work->classes;
    for (int64_t i = range.first; i < range.end; i++) fill_row(work, i, sums, sums + work->classes);
}

/* The numbers of one graph, from the work's first column on; near and degree are 0. */
static void count_graph(gpr_ctx *ctx, const counting *work, int threads) {
    const int64_t chunks = gpri_chunk_count(work->graph->nodes, ROWS);
    gpri_parallel(ctx, threads, chunks, count_neighbours, (void *)(uintptr_t)work);
    gpri_parallel(ctx, threads, chunks, fill_rows, (void *)(uintptr_t)work);
}

gpr_status gpri_label_counts(gpr_ctx *ctx, gpri_real **out, const gpri_graph *const *graphs, int64_t count,
                             const int32_t *known, int64_t classes, double factor, int threads) {
    gpr_status status = GPR_OK;
    const int64_t nodes = graphs[0]->nodes;
    counting work = {.known = known,
                     .classes = classes,
                     .ld = gpri_padded(gpri_label_count_columns(classes, count)),
                     .factor = factor};
    gpri_real *made = NULL;
    int64_t cells;
    *out = NULL;
    if (!gpri_mul_size(nodes, work.ld, &cells)) THROW(GPR_ERROR_MEMORY, "the counts of labels do not fit in memory");
    TRY(gpri_calloc(ctx, &made, cells, sizeof *made, "counts of labels"));
    TRY(gpri_alloc(ctx, &work.near, nodes * classes, sizeof *work.near, "counts of labels"));
    TRY(gpri_alloc(ctx, &work.degree, nodes, sizeof *work.degree, "counts of labels"));
    TRY(gpri_calloc(ctx, &work.sums, threads * 2 * classes, sizeof *work.sums, "counts of labels"));
    for (int64_t g = 0; g < count; g++) {
        memset(work.near, 0, (size_t)(nodes * classes) * sizeof *work.near);
        memset(work.degree, 0, (size_t)nodes * sizeof *work.degree);
        work.graph = graphs[g];
        work.out = made + g * gpri_label_count_columns(classes, 1);
        count_graph(ctx, &work, threads);
    }
    *out = made;
    made = NULL;
done:
    gpri_free_all(ctx, made, work.near, work.degree, work.sums);
    return status;
}
