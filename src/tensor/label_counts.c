/* Counts of labels over one and two steps, row by row in double precision. Rows are cut by their number alone. */
#include "tensor/label_counts.h"

#include <math.h>

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
    gpri_real *out; /* (nodes x ld) */
} counting;

int64_t gpri_label_count_columns(int64_t classes) { return PER_CLASS * classes + 1; }

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

gpr_status gpri_label_counts(gpr_ctx *ctx, gpri_real **out, const gpri_graph *graph, const int32_t *known,
                             int64_t classes, double factor, int threads) {
    gpr_status status = GPR_OK;
    const int64_t nodes = graph->nodes, chunks = gpri_chunk_count(nodes, ROWS);
    counting work = {.graph = graph,
                     .known = known,
                     .classes = classes,
                     .ld = gpri_padded(gpri_label_count_columns(classes)),
                     .factor = factor};
    int64_t cells;
    *out = NULL;
    if (!gpri_mul_size(nodes, work.ld, &cells)) THROW(GPR_ERROR_MEMORY, "the counts of labels do not fit in memory");
    TRY(gpri_calloc(ctx, &work.out, cells, sizeof *work.out, "counts of labels"));
    TRY(gpri_calloc(ctx, &work.near, nodes * classes, sizeof *work.near, "counts of labels"));
    TRY(gpri_calloc(ctx, &work.degree, nodes, sizeof *work.degree, "counts of labels"));
    TRY(gpri_calloc(ctx, &work.sums, threads * 2 * classes, sizeof *work.sums, "counts of labels"));
    gpri_parallel(ctx, threads, chunks, count_neighbours, &work);
    gpri_parallel(ctx, threads, chunks, fill_rows, &work);
    *out = work.out;
    work.out = NULL;
done:
    gpri_free(ctx, work.out);
    gpri_free(ctx, work.near);
    gpri_free(ctx, work.degree);
    gpri_free(ctx, work.sums);
    return status;
}
