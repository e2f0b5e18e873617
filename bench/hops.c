/* A step over the graph on an NVIDIA GPU: ours, cuSPARSE's and what the card's memory allows.
 *
 *     bench_hops [SHAPE ...]
 *
 * For graphs of the shapes of public datasets (random, with few nodes of many edges) and several widths: the time of
 * out = A in, and of a whole filter of ten steps forward and backward. GB/s counts a row of `in` for each edge and a
 * row of `out` for each node; the last column compares it with the speed of a copy, which counts what is read and
 * written. Prints Markdown. Without a shape: all but the largest. */
#include <cuda_runtime.h>
#include <cusparse.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "tensor/device.h"

typedef struct {
    const char *name;
    int64_t nodes, edges, classes;
    bool large; /* only if it is asked for */
} shape;

static const shape shapes[] = {{"texas", 183, 279, 5, false},         {"cora", 2708, 5278, 7, false},
                               {"chameleon", 2277, 31371, 5, false},  {"squirrel", 5201, 198353, 5, false},
                               {"pubmed", 19717, 44324, 3, false},    {"computers", 13752, 245861, 10, false},
                               {"arxiv", 169343, 1157799, 40, false}, {"products", 2449029, 61859012, 47, true}};

enum { HOPS = 10, SAMPLES = 15 };

static gpr_ctx *ctx;
static const gpri_device *device;

static void must(gpr_status status) {
    if (status == GPR_OK) return;
    fprintf(stderr, "bench_hops: %s\n", gpr_last_error());
    exit(1);
}

static void must_cuda(cudaError_t error) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "bench_hops: %s\n", cudaGetErrorString(error));
    exit(1);
}

static void must_sparse(cusparseStatus_t status) {
    if (status == CUSPARSE_STATUS_SUCCESS) return;
    fprintf(stderr, "bench_hops: cuSPARSE: %s\n", cusparseGetErrorString(status));
    exit(1);
}

static void *on_card(const void *from, int64_t count, size_t size) {
    void *block;
    must(device->alloc(device, ctx, &block, count, size, true, "bench"));
    if (from) device->put(device, block, from, count * (int64_t)size);
    return block;
}

/* One end of an edge is any node, the other one of few. */
static gpri_graph graph_of(const shape *s) {
    const gpri_random stream = gpri_random_of(1, GPRI_RANDOM_TEST, 0, 0);
    int64_t *src = malloc((size_t)s->edges * sizeof *src), *dst = malloc((size_t)s->edges * sizeof *dst);
    gpri_graph graph;
    if (!src || !dst) exit(1);
    for (int64_t e = 0; e < s->edges; e++) {
        const double u = gpri_uniform(stream, (uint64_t)(2 * e + 1));
        src[e] = (int64_t)gpri_uniform_below(stream, (uint64_t)(2 * e), (uint64_t)s->nodes);
        dst[e] = (int64_t)((double)(s->nodes - 1) * u * u * u);
    }
    must(gpri_graph_build(ctx, &graph, s->nodes, s->edges, src, dst, NULL));
    free(src), free(dst);
    return graph;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times) {
    qsort(times, SAMPLES, sizeof *times, by_size);
    return times[SAMPLES / 2];
}

/* ---- ours: recorded `repeat` times, and replayed ---- */

typedef void (*work_fn)(void *arg);

static double seconds_of(work_fn work, void *arg, int repeat) {
    double times[SAMPLES];
    gpri_recording *recording;
    must(device->begin(device, ctx));
    for (int i = 0; i < repeat; i++) work(arg);
    must(device->end(device, ctx, &recording));
    for (int i = -2; i < SAMPLES; i++) {
        const double begin = gpri_seconds_now();
        must(device->replay(device, &recording, 1));
        must(gpri_device_check(ctx));
        if (i >= 0) times[i] = (gpri_seconds_now() - begin) / repeat;
    }
    device->forget(device, ctx, recording);
    return median(times);
}

typedef struct {
    gpri_step step;
    gpri_filter filter;
    gpri_matrix in, out, h, back;
    gpri_real *dtheta;
} hop_work;

static void one_hop(void *arg) {
    const hop_work *w = arg;
    device->ops->propagate(w->out, w->in, gpri_no_matrix, gpri_no_matrix, &w->step, NULL, 0);
}

static void forward(void *arg) {
    const hop_work *w = arg;
    device->ops->filter_forward(w->out, w->in, w->back, &w->filter);
}

static void backward(void *arg) {
    const hop_work *w = arg;
    device->ops->filter_backward(w->h, w->dtheta, w->in, w->in, w->back, w->out, &w->filter);
}

/* ---- cuSPARSE: out = A in, in CSR ---- */

static double sparse_seconds(const gpri_graph *graph, const gpri_graph *view, gpri_matrix in, gpri_matrix out,
                             int repeat) {
    static cusparseHandle_t handle;
    const float one = 1, zero = 0;
    double times[SAMPLES];
    size_t bytes = 0;
    void *room = NULL;
    float *values = malloc((size_t)(graph->arcs + 1) * sizeof *values);
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t x, y;
    if (!values) exit(1);
    if (!handle) must_sparse(cusparseCreate(&handle));
    for (int64_t i = 0; i < graph->arcs; i++) values[i] = 1;
    int32_t *rowptr = malloc((size_t)(graph->nodes + 1) * sizeof *rowptr); /* its indices have one type */
    if (!rowptr) exit(1);
    for (int64_t i = 0; i <= graph->nodes; i++) rowptr[i] = (int32_t)graph->rowptr[i];
    void *weights = on_card(values, graph->arcs, sizeof *values);
    void *rows = on_card(rowptr, graph->nodes + 1, sizeof *rowptr);
    must_sparse(cusparseCreateCsr(&a, graph->nodes, graph->nodes, graph->arcs, rows, view->column, weights,
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    must_sparse(cusparseCreateDnMat(&x, in.rows, in.width, in.ld, in.at, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    must_sparse(cusparseCreateDnMat(&y, out.rows, out.width, out.ld, out.at, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const cusparseSpMMAlg_t way = CUSPARSE_SPMM_CSR_ALG2; /* the one for rows of numbers */
    must_sparse(cusparseSpMM_bufferSize(handle, plain, plain, &one, a, x, &zero, y, CUDA_R_32F, way, &bytes));
    must_cuda(cudaMalloc(&room, bytes + 1));
    must_sparse(cusparseSpMM_preprocess(handle, plain, plain, &one, a, x, &zero, y, CUDA_R_32F, way, room));
    cudaStream_t stream; /* recorded and replayed too */
    cudaGraph_t recorded;
    cudaGraphExec_t run;
    must_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    must_sparse(cusparseSetStream(handle, stream));
    must_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int k = 0; k < repeat; k++)
        must_sparse(cusparseSpMM(handle, plain, plain, &one, a, x, &zero, y, CUDA_R_32F, way, room));
    must_cuda(cudaStreamEndCapture(stream, &recorded));
    must_cuda(cudaGraphInstantiate(&run, recorded, 0));
    for (int i = -2; i < SAMPLES; i++) {
        must_cuda(cudaStreamSynchronize(stream));
        const double begin = gpri_seconds_now();
        must_cuda(cudaGraphLaunch(run, stream));
        must_cuda(cudaStreamSynchronize(stream));
        if (i >= 0) times[i] = (gpri_seconds_now() - begin) / repeat;
    }
    must_cuda(cudaGraphExecDestroy(run));
    must_cuda(cudaGraphDestroy(recorded));
    must_cuda(cudaStreamDestroy(stream));
    must_sparse(cusparseDestroySpMat(a));
    must_sparse(cusparseDestroyDnMat(x));
    must_sparse(cusparseDestroyDnMat(y));
    must_cuda(cudaFree(room));
    device->free(device, ctx, weights), device->free(device, ctx, rows);
    free(values), free(rowptr);
    return median(times);
}

/* Bytes per second of a copy, read and written. */
static double copy_speed(void) {
    const size_t bytes = (size_t)1 << 30;
    double times[SAMPLES];
    void *from, *to;
    must_cuda(cudaMalloc(&from, bytes));
    must_cuda(cudaMalloc(&to, bytes));
    for (int i = -2; i < SAMPLES; i++) {
        must_cuda(cudaDeviceSynchronize());
        const double begin = gpri_seconds_now();
        for (int k = 0; k < 10; k++) must_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0));
        must_cuda(cudaDeviceSynchronize());
        if (i >= 0) times[i] = (gpri_seconds_now() - begin) / 10;
    }
    must_cuda(cudaFree(from));
    must_cuda(cudaFree(to));
    return 2 * (double)bytes / median(times);
}

static void measure(const shape *s, double copy) {
    gpri_graph graph = graph_of(s), view = graph;
    const int64_t nodes = graph.nodes, least = gpri_padded(s->classes);
    const int repeat = s->large ? 2 : graph.arcs > 1000000 ? 10 : 100;
    float *numbers = malloc((size_t)nodes * sizeof *numbers), theta[HOPS + 1];
    if (!numbers) exit(1);
    for (int64_t i = 0; i < nodes; i++) numbers[i] = 1 / sqrtf((float)(graph.rowptr[i + 1] - graph.rowptr[i] + 1));
    for (int k = 0; k <= HOPS; k++) theta[k] = 0.1f;
    view.rowptr = on_card(graph.rowptr, nodes + 1, sizeof *graph.rowptr);
    view.column = on_card(graph.column, graph.arcs, sizeof *graph.column);
    must(device->plan_graph(device, ctx, &view, &graph));
    gpri_real *scale = on_card(numbers, nodes, sizeof *numbers), *gamma = on_card(theta, HOPS + 1, sizeof *theta);
    for (int64_t width = least; width <= 4 * least || width <= 64; width *= 2) {
        hop_work w = {.step = {.m = {.graph = &view, .factor = 1}, .a = 1}};
        w.in = gpri_packed(on_card(NULL, nodes * width, sizeof(gpri_real)), nodes, width);
        w.out = gpri_packed(on_card(NULL, nodes * width, sizeof(gpri_real)), nodes, width);
        w.h = gpri_packed(on_card(NULL, nodes * width, sizeof(gpri_real)), nodes, width);
        w.back = gpri_packed(on_card(NULL, nodes * width, sizeof(gpri_real)), nodes, width);
        w.dtheta = on_card(NULL, HOPS + 1, sizeof *w.dtheta);
        w.filter = (gpri_filter){
            .inner = {.m = {.graph = &view, .left = scale, .factor = 1, .loop = 1}, .a = 1, .scale = scale},
            .last = {.m = {.graph = &view, .left = scale, .factor = 1, .loop = 1}, .a = 1},
            .theta = gamma,
            .hops = HOPS};
        const double ours = seconds_of(one_hop, &w, repeat);
        const double theirs = sparse_seconds(&graph, &view, w.in, w.out, repeat);
        const double there = seconds_of(forward, &w, 1 + repeat / HOPS),
                     back = seconds_of(backward, &w, 1 + repeat / HOPS);
        const double bytes = (double)(graph.arcs + nodes) * (double)width * sizeof(gpri_real);
        printf("| %s | %d | %.1f | %.1f | %.1f | %.1f | %.0f | %.0f%% |\n", s->name, (int)width, 1e6 * ours,
               1e6 * theirs, 1e6 * there, 1e6 * back, bytes / ours / 1e9, 100 * bytes / ours / copy);
        fflush(stdout);
        gpri_real *const blocks[] = {w.in.at, w.out.at, w.h.at, w.back.at, w.dtheta};
        for (int i = 0; i < 5; i++) device->free(device, ctx, blocks[i]);
    }
    device->unplan_graph(device, ctx, view.plan);
    void *const blocks[] = {view.rowptr, view.column, scale, gamma};
    for (int i = 0; i < 4; i++) device->free(device, ctx, blocks[i]);
    free(numbers);
    gpri_graph_free(ctx, &graph);
}

int main(int argc, char **argv) {
    const int known = sizeof shapes / sizeof *shapes;
    const gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .device = "cuda"};
    must(gpr_ctx_new(&ctx, &options));
    device = ctx->job.device;
    const double copy = copy_speed();
    printf("A copy: %.0f GB/s, read and written.\n\n", copy / 1e9);
    printf("| graph | columns | hop (µs) | cuSPARSE (µs) | filter forward (µs) | backward (µs) | GB/s | of a copy |\n");
    printf("|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < known; i++) {
        bool wanted = argc == 1 && !shapes[i].large;
        for (int k = 1; k < argc; k++) wanted |= strcmp(argv[k], shapes[i].name) == 0;
        if (wanted) measure(&shapes[i], copy);
    }
    gpr_ctx_free(ctx);
    return 0;
}
