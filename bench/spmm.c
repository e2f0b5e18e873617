/* A step over the graph on the CPU beside SuiteSparse:GraphBLAS.
 *
 *     bench_spmm THREADS DATA...
 *
 * For each dataset (anything that gprgnn reads) and several numbers of columns: the time of out = A in. Ours also adds
 * the node's own row and scales rows, and its columns are padded, as in a training; once with whole rows, as a single
 * step goes, and once by panels of 16 columns, as the hops of a filter do. GraphBLAS multiplies with the pattern of A
 * alone (PLUS_SECOND), which is the least that it can do. They take turns; medians of 11. Prints Markdown. */
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/thread.h"
#include "data/dataset.h"
#include "tensor/device.h"

enum { SAMPLES = 11, TILE = 256, PANEL = 16 };
static const int64_t columns[] = {2, 7, 16, 40, 47, 64};

static void must(gpr_status status) {
    if (status == GPR_OK) return;
    fprintf(stderr, "bench_spmm: %s\n", gpr_last_error());
    exit(1);
}

static void must_grb(GrB_Info info) {
    if (info == GrB_SUCCESS) return;
    fprintf(stderr, "bench_spmm: GraphBLAS: error %d\n", (int)info);
    exit(1);
}

static void *block_of(int64_t count, size_t size) {
    void *block = aligned_alloc(64, ((size_t)count * size + 63) / 64 * 64);
    if (!block) exit(1);
    memset(block, 0, (size_t)count * size);
    return block;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- ours ---- */

typedef struct {
    const gpri_device *device;
    gpri_matrix in, out;
    gpri_step step;
} hop;

static void some_rows(void *arg, int64_t tile, int slot) {
    const hop *h = arg;
    gpri_matrix out = h->out;
    (void)slot;
    out.at += tile * TILE * out.ld;
    out.rows = h->out.rows - tile * TILE < TILE ? h->out.rows - tile * TILE : TILE;
    h->device->ops->propagate(out, h->in, gpri_no_matrix, gpri_no_matrix, &h->step, NULL, tile * TILE);
}

/* panel: columns that go together. */
static double ours(gpr_ctx *ctx, const hop *h, int64_t panel) {
    const int64_t tiles = (h->out.rows + TILE - 1) / TILE;
    const double begin = gpri_seconds_now();
    for (int64_t column = 0; column < h->in.width; column += panel) {
        hop part = *h;
        part.in = gpri_columns_of(h->in, column, panel);
        part.out = gpri_columns_of(h->out, column, panel);
        gpri_parallel(ctx, ctx->threads, tiles, some_rows, &part);
    }
    return gpri_seconds_now() - begin;
}

/* ---- GraphBLAS ---- */

static GrB_Matrix pattern_of(const gpri_graph *graph) {
    const size_t n = (size_t)graph->nodes, arcs = (size_t)graph->arcs;
    GrB_Index *rowptr = malloc((n + 1) * sizeof *rowptr), *column = malloc((arcs + 1) * sizeof *column);
    float *one = malloc(sizeof *one);
    GrB_Matrix a;
    if (!rowptr || !column || !one) exit(1);
    for (size_t i = 0; i <= n; i++) rowptr[i] = (GrB_Index)graph->rowptr[i];
    for (size_t i = 0; i < arcs; i++) column[i] = (GrB_Index)graph->column[i];
    *one = 1;
    must_grb(GxB_Matrix_import_CSR(&a, GrB_FP32, n, n, &rowptr, &column, (void **)&one, (n + 1) * sizeof *rowptr,
                                   (arcs + 1) * sizeof *column, sizeof *one, true, false, NULL));
    return a;
}

static GrB_Matrix full_of(int64_t rows, int64_t cols) {
    const GrB_Index size = (GrB_Index)(rows * cols) * sizeof(float);
    float *values = malloc(size);
    GrB_Matrix x;
    if (!values) exit(1);
    for (int64_t i = 0; i < rows * cols; i++) values[i] = (float)(i % 13) - 6;
    must_grb(
        GxB_Matrix_import_FullR(&x, GrB_FP32, (GrB_Index)rows, (GrB_Index)cols, (void **)&values, size, false, NULL));
    return x;
}

static double theirs(GrB_Matrix out, GrB_Matrix a, GrB_Matrix in) {
    const double begin = gpri_seconds_now();
    must_grb(GrB_mxm(out, NULL, NULL, GxB_PLUS_SECOND_FP32, a, in, NULL));
    must_grb(GrB_wait(out, GrB_MATERIALIZE));
    return gpri_seconds_now() - begin;
}

static void compare(gpr_ctx *ctx, const char *name, const gpri_graph *graph) {
    GrB_Matrix a = pattern_of(graph);
    gpri_real *scale = block_of(graph->nodes, sizeof *scale);
    for (int64_t i = 0; i < graph->nodes; i++) scale[i] = 0.5f;
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        const int64_t cols = columns[k], width = gpri_padded(cols);
        GrB_Matrix in = full_of(graph->nodes, cols), out;
        hop h = {.device = ctx->job.device};
        h.in = h.out = (gpri_matrix){.rows = graph->nodes, .cols = cols, .width = width, .ld = width};
        h.in.at = block_of(graph->nodes * width, sizeof(gpri_real));
        h.out.at = block_of(graph->nodes * width, sizeof(gpri_real));
        h.step = (gpri_step){.m = {.graph = graph, .left = scale, .factor = 1, .loop = 1}, .a = 1};
        h.step.far = graph->nodes * width * (int64_t)sizeof(gpri_real) > ctx->large;
        must_grb(GrB_Matrix_new(&out, GrB_FP32, (GrB_Index)graph->nodes, (GrB_Index)cols));
        double times[3][SAMPLES], median[3];
        for (int i = -2; i < SAMPLES; i++) {
            const double rows = ours(ctx, &h, width), panels = ours(ctx, &h, width < PANEL ? width : PANEL);
            const double other = theirs(out, a, in);
            if (i >= 0) times[0][i] = rows, times[1][i] = panels, times[2][i] = other;
        }
        for (int i = 0; i < 3; i++) {
            qsort(times[i], SAMPLES, sizeof **times, by_size);
            median[i] = 1e3 * times[i][SAMPLES / 2];
        }
        printf("| %s | %lld | %.3f | %.3f | %.3f | %.1f |\n", name, (long long)cols, median[0], median[1], median[2],
               median[2] / median[0]);
        fflush(stdout);
        must_grb(GrB_Matrix_free(&in));
        must_grb(GrB_Matrix_free(&out));
        free(h.in.at), free(h.out.at);
    }
    must_grb(GrB_Matrix_free(&a));
    free(scale);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: bench_spmm THREADS DATA...\n");
        return 2;
    }
    gpr_ctx *ctx;
    must(gpr_ctx_new(&ctx, NULL));
    must(gpr_ctx_set_threads(ctx, atoi(argv[1])));
    must_grb(GrB_init(GrB_NONBLOCKING));
    must_grb(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, ctx->threads));
    printf("| graph | columns | gprgnn (ms) | by panels (ms) | GraphBLAS (ms) | times faster "
           "|\n|---|---|---|---|---|---|\n");
    for (int i = 2; i < argc; i++) {
        gpr_dataset *data;
        must(gpr_dataset_open(ctx, &data, argv[i], NULL));
        const char *slash = strrchr(argv[i], '/');
        compare(ctx, slash ? slash + 1 : argv[i], &data->graph);
        gpr_dataset_free(data);
    }
    must_grb(GrB_finalize());
    gpr_ctx_free(ctx);
    return 0;
}
