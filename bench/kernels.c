/* Times every operation of the tables against what this machine can do.
 *
 *     bench_kernels [--threads N] [--json FILE]
 *
 * First the machine: memory bandwidth on data of many sizes, and float32 fused multiply-adds. Then each operation, in
 * each table that this CPU can run, on the shapes of a training step on two graphs: checked against `ref`, then timed.
 * The share of the limit is the least time that bandwidth (on as much data) and arithmetic allow, by the time taken.
 * Prints Markdown. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "machine.h"
#include "tensor/ops.h"

enum {
    HIDDEN = 64,
    TILE = 64,
    HOP_ROWS = 512,
    WEIGHT_ROWS = 128,
    MASK_GROUPS = 1024,
    MOST_TABLES = 8,
    MOST_OPERATIONS = 20
};

/* ---- The shapes of a training step ------------------------------------------------------------------ */

typedef struct {
    const char *name, *title;
    int64_t nodes, edges, cols, nnz, classes; /* nnz 0: dense features */
} graph_shape;

static const graph_shape shapes[] = {
    {"csbm", "cSBM: 5000 × 2000 dense, 2 classes", 5000, 12500, 2000, 0, 2},
    {"cora_shape", "Cora's shape: 2708 × 1433 sparse, 7 classes", 2708, 5278, 1433, 49216, 7}};

typedef struct {
    const graph_shape *shape;
    const gpri_ops *ops;
    gpri_graph graph;
    gpri_features x;
    int64_t width; /* padded classes */
    gpri_stream stream;
    gpri_dropout_rate rate, rate7;
    uint64_t *keep;
    gpri_real *w1, *b1, *dw1, *first, *second; /* (cols x HIDDEN), b1 (HIDDEN) */
    gpri_real *hidden;                         /* (2 x nodes x HIDDEN): train, then eval */
    gpri_real *dy, *dx;                        /* (nodes x HIDDEN); behind dx lie dw2 and db2 */
    gpri_real *w2, *b2, *dw2;                  /* (HIDDEN x width), b2 (width) */
    gpri_real *z, *in, *out;                   /* (nodes x 2 width) */
    gpri_real *packed_in, *packed_out, *sum;   /* (nodes x width) */
    gpri_real *s;                              /* (nodes) */
    int32_t *labels;
    uint8_t *part;
    double sink;
} setting;

static const gpri_stream data_stream = {12345, 0, (uint32_t)GPRI_RANDOM_TEST << 16};

static gpri_real *filled(gpri_real *block, int64_t count, uint64_t key) {
    for (int64_t i = 0; i < count; i++)
        block[i] = (gpri_real)(2 * gpri_uniform(data_stream, key << 32 | (uint64_t)i) - 1);
    return block;
}

static gpri_real *drawn(int64_t count, uint64_t key) { return filled(zeros(count, sizeof(gpri_real)), count, key); }

static void make_graph(gpr_ctx *ctx, setting *t) {
    const graph_shape *shape = t->shape;
    int64_t *ends = zeros(2 * shape->edges, sizeof *ends);
    for (int64_t i = 0; i < 2 * shape->edges; i++)
        ends[i] = (int64_t)gpri_uniform_below(data_stream, 1ull << 60 | (uint64_t)i, (uint64_t)shape->nodes);
    if (gpri_graph_build(ctx, &t->graph, shape->nodes, shape->edges, ends, ends + shape->edges, NULL)) {
        fprintf(stderr, "bench_kernels: %s\n", gpr_last_error());
        exit(1);
    }
    free(ends);
    double *scale = zeros(shape->nodes, sizeof *scale);
    gpri_graph_scale(&t->graph, GPRI_SCALE_LOOPED, scale);
    t->s = zeros(shape->nodes, sizeof *t->s);
    for (int64_t i = 0; i < shape->nodes; i++) t->s[i] = (gpri_real)scale[i];
    free(scale);
}

/* nnz entries spread evenly: about the same number in each row, columns at random distances. */
static void make_sparse(gpri_features *x, int64_t nnz) {
    x->rowptr = zeros(x->rows + 1, sizeof *x->rowptr);
    x->colptr = zeros(x->cols + 1, sizeof *x->colptr);
    x->column = zeros(nnz, sizeof *x->column);
    x->row = zeros(nnz, sizeof *x->row);
    x->offset = zeros(nnz, sizeof *x->offset);
    x->column_value = zeros(nnz, sizeof *x->column_value);
    x->value = drawn(nnz, 9);
    for (int64_t i = 0; i < x->rows; i++) {
        int64_t first = nnz * i / x->rows, end = nnz * (i + 1) / x->rows, count = end - first;
        x->rowptr[i + 1] = end;
        for (int64_t k = 0; k < count; k++) {
            int64_t low = x->cols * k / count, high = x->cols * (k + 1) / count;
            uint64_t draw = gpri_uniform_below(data_stream, 2ull << 60 | (uint64_t)(first + k), (uint64_t)(high - low));
            x->column[first + k] = (int32_t)(low + (int64_t)draw);
        }
    }
    for (int64_t at = 0; at < nnz; at++) x->colptr[x->column[at] + 1]++;
    for (int64_t j = 0; j < x->cols; j++) x->colptr[j + 1] += x->colptr[j];
    int64_t *next = zeros(x->cols, sizeof *next);
    memcpy(next, x->colptr, (size_t)x->cols * sizeof *next);
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t at = x->rowptr[i]; at < x->rowptr[i + 1]; at++) {
            int64_t to = next[x->column[at]]++;
            x->row[to] = (int32_t)i;
            x->offset[to] = (int32_t)(at - x->rowptr[i]);
            x->column_value[to] = x->value[at];
        }
    free(next);
}

static void make_setting(gpr_ctx *ctx, setting *t, const graph_shape *shape) {
    int64_t n = shape->nodes, f = shape->cols, c = gpri_padded(shape->classes);
    *t = (setting){.shape = shape, .width = c};
    make_graph(ctx, t);
    t->x.rows = n;
    t->x.cols = f;
    if (shape->nnz) {
        make_sparse(&t->x, shape->nnz);
    } else {
        t->x.ld = gpri_padded(f);
        t->x.dense = zeros(n * t->x.ld, sizeof(gpri_real));
        for (int64_t i = 0; i < n; i++) filled(t->x.dense + i * t->x.ld, f, 100 + (uint64_t)i);
    }
    t->stream = gpri_stream_of(1, GPRI_RANDOM_DROPOUT, 0, 0);
    t->rate = gpri_dropout_rate_of(0.5);
    t->rate7 = gpri_dropout_rate_of(0.7);
    int64_t groups = (gpri_features_count(&t->x) + 127) / 128;
    t->keep = zeros(2 * groups + 1, sizeof *t->keep);
    t->w1 = drawn(f * HIDDEN, 10), t->b1 = drawn(HIDDEN, 11), t->dw1 = drawn(f * HIDDEN, 12);
    t->first = drawn(f * HIDDEN, 13), t->second = drawn(f * HIDDEN, 14);
    t->hidden = drawn(2 * n * HIDDEN, 15), t->dy = drawn(n * HIDDEN, 16);
    t->dx = drawn(n * HIDDEN + HIDDEN * c + c, 17), t->dw2 = t->dx + n * HIDDEN;
    t->w2 = drawn(HIDDEN * c, 18), t->b2 = drawn(c, 19);
    t->z = drawn(n * 2 * c, 21), t->in = drawn(n * 2 * c, 22), t->out = drawn(n * 2 * c, 23);
    t->packed_in = drawn(n * c, 24), t->packed_out = drawn(n * c, 25), t->sum = drawn(n * c, 26);
    t->labels = zeros(n, sizeof *t->labels);
    t->part = zeros(n, sizeof *t->part);
    for (int64_t i = 0; i < n; i++) {
        t->labels[i] = (int32_t)(i % shape->classes);
        t->part[i] = i * 7 % 10 < 6 ? GPR_TRAIN : i * 7 % 10 < 8 ? GPR_VAL : GPR_TEST;
    }
}

/* What operations write, as it was. */
static void restore(setting *t) {
    int64_t n = t->shape->nodes, f = t->shape->cols, c = t->width;
    int64_t groups = (gpri_features_count(&t->x) + 127) / 128;
    gpri_keep_bits(t->keep, 0, groups, t->stream, t->rate);
    filled(t->w1, f * HIDDEN, 10);
    filled(t->dw1, f * HIDDEN, 12);
    filled(t->first, f * HIDDEN, 13);
    filled(t->second, f * HIDDEN, 14);
    for (int64_t i = 0; i < f * HIDDEN; i++) t->second[i] = t->second[i] * t->second[i] + (gpri_real)0.01;
    filled(t->hidden, 2 * n * HIDDEN, 15);
    filled(t->dy, n * HIDDEN, 16);
    memset(t->dw2, 0, (size_t)(HIDDEN * c + c) * sizeof *t->dw2);
    filled(t->z, n * 2 * c, 21);
    filled(t->sum, n * c, 26);
}

static void free_setting(gpr_ctx *ctx, setting *t) {
    gpri_graph_free(ctx, &t->graph);
    void *blocks[] = {
        t->x.dense, t->x.rowptr, t->x.column, t->x.value, t->x.colptr, t->x.row,  t->x.offset,  t->x.column_value,
        t->keep,    t->w1,       t->b1,       t->dw1,     t->first,    t->second, t->hidden,    t->dy,
        t->dx,      t->w2,       t->b2,       t->z,       t->in,       t->out,    t->packed_in, t->packed_out,
        t->sum,     t->s,        t->labels,   t->part};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

/* ---- The operations --------------------------------------------------------------------------------- */

static void keep_bits(setting *t, int64_t g0, int64_t g1) {
    gpri_keep_bits(t->keep + 2 * g0, g0, g1, t->stream, t->rate);
}

static void features_forward(setting *t, int64_t r0, int64_t r1) {
    gpri_real *train = t->hidden + r0 * HIDDEN, *eval = train + t->shape->nodes * HIDDEN;
    t->ops->features_forward(train, eval, HIDDEN, &t->x, t->keep, t->rate.scale, t->w1, t->b1, HIDDEN, r0, r1);
}

static void features_backward(setting *t, int64_t j0, int64_t j1) {
    t->ops->features_backward(t->dw1, &t->x, t->keep, t->rate.scale, t->dy, HIDDEN, HIDDEN, j0, j1);
}

static void linear_forward(setting *t, int64_t r0, int64_t r1) {
    t->ops->linear_forward(t->out + r0 * 2 * t->width, 2 * t->width, t->hidden + r0 * HIDDEN, HIDDEN, t->w2, t->b2,
                           r1 - r0, HIDDEN, t->width);
}

static void linear_backward(setting *t, int64_t r0, int64_t r1) {
    t->ops->linear_backward(t->dx + r0 * HIDDEN, HIDDEN, t->dw2, t->dw2 + HIDDEN * t->width, t->hidden + r0 * HIDDEN,
                            HIDDEN, t->packed_in + r0 * t->width, t->width, t->w2, r1 - r0, HIDDEN, t->width);
}

static void relu_forward(setting *t, int64_t r0, int64_t r1) {
    t->ops->relu_forward(t->hidden + r0 * HIDDEN, (r1 - r0) * HIDDEN);
}

static void relu_backward(setting *t, int64_t r0, int64_t r1) {
    t->ops->relu_backward(t->dy + r0 * HIDDEN, t->hidden + r0 * HIDDEN, (r1 - r0) * HIDDEN);
}

/* Scale 1: many rounds of 1 / (1 - p) would leave the range of numbers. */
static void dropout(setting *t, int64_t r0, int64_t r1) {
    gpri_dropout_rate rate = t->rate;
    rate.scale = 1;
    t->ops->dropout(t->hidden + r0 * HIDDEN, HIDDEN, HIDDEN, t->stream, rate, r0, r1);
}

static void dropout_output(setting *t, int64_t r0, int64_t r1) {
    gpri_dropout_rate rate = t->rate7;
    rate.scale = 1;
    t->ops->dropout(t->z + r0 * 2 * t->width, 2 * t->width, t->shape->classes, t->stream, rate, r0, r1);
}

static void hop(setting *t, int64_t r0, int64_t r1) {
    int64_t ld = 2 * t->width;
    t->ops->hop(t->out, t->in, ld, t->z, ld, (gpri_real)0.3, 0, &t->graph, t->s, ld, r0, r1);
}

static void hop_backward(setting *t, int64_t r0, int64_t r1) {
    double dot = t->ops->hop_backward(t->packed_out, t->packed_in, t->sum, t->z, 2 * t->width, (gpri_real)0.3,
                                      &t->graph, t->s, t->width, r0, r1);
    if (dot == 0.123) t->sink = dot; /* not a race: it is never so */
}

/* A step over the hidden width, as convolutions make it. */
static void propagate(setting *t, int64_t r0, int64_t r1) {
    const gpri_adjacency m = {.graph = &t->graph, .left = t->s, .right = t->s, .factor = 1, .loop = 1};
    t->ops->propagate(t->dx + r0 * HIDDEN, HIDDEN, t->hidden, HIDDEN, NULL, 0, &m, HIDDEN, r0, r1);
}

static void bias_forward(setting *t, int64_t r0, int64_t r1) {
    t->ops->bias_forward(t->hidden + r0 * HIDDEN, HIDDEN, t->b1, HIDDEN, r1 - r0);
}

static void bias_backward(setting *t, int64_t r0, int64_t r1) {
    t->ops->bias_backward(t->dw1, t->dy + r0 * HIDDEN, HIDDEN, HIDDEN, r1 - r0);
}

static void nll_backward(setting *t, int64_t r0, int64_t r1) {
    double loss = t->ops->nll_backward(t->z + r0 * 2 * t->width, 2 * t->width, t->shape->classes, t->width, t->labels,
                                       t->part, (gpri_real)0.001, r0, r1);
    if (loss == 0.123) t->sink = loss;
}

static void score(setting *t, int64_t r0, int64_t r1) {
    gpri_scores scores = {{0}, {0}};
    t->ops->score(&scores, t->z + r0 * 2 * t->width, 2 * t->width, t->shape->classes, t->labels, t->part, r0, r1);
    for (int part = 0; part < 4; part++) t->out[r0 + part] = (gpri_real)scores.loss[part]; /* to be checked */
}

static void adam(setting *t, int64_t j0, int64_t j1) {
    const gpri_adam settings = {.rate = (gpri_real)0.01,
                                .beta1 = (gpri_real)0.9,
                                .beta2 = (gpri_real)0.999,
                                .epsilon = (gpri_real)1e-8,
                                .new1 = (gpri_real)0.1,
                                .new2 = (gpri_real)0.001,
                                .second_scale = 1,
                                .decay = (gpri_real)0.0005};
    int64_t at = j0 * HIDDEN;
    t->ops->adam(t->w1 + at, t->dw1 + at, t->first + at, t->second + at, settings, (j1 - j0) * HIDDEN);
}

typedef struct {
    const char *name;
    void (*run)(setting *t, int64_t from, int64_t to);
    int64_t extent, step;      /* rows, columns or groups; how many the program hands over at a time */
    double flops, bytes, data; /* bytes: read and written; data: held */
    const gpri_real *output;   /* checked against ref */
    int64_t count;
    int alone; /* adds up over the rows: one thread */
} operation;

static int list_operations(const setting *t, operation *out) {
    double n = (double)t->shape->nodes, f = (double)t->shape->cols, h = HIDDEN, c = (double)t->width;
    double classes = (double)t->shape->classes, arcs = (double)t->graph.arcs,
           nnz = t->shape->nnz ? (double)t->shape->nnz : n * f;
    int64_t N = t->shape->nodes, F = t->shape->cols, C = t->width;
    double x_bytes = t->shape->nnz ? nnz * 8 + n * 8 : nnz * 4, xt_bytes = t->shape->nnz ? nnz * 12 : nnz * 4;
    double forward = x_bytes + nnz / 8 + f * h * 4 + 2 * n * h * 4, backward = xt_bytes + nnz / 8 + (n + f) * h * 4;
    double linear = n * (h + c) * 4, links = arcs * 4 + n * 12, packed = n * c * 4;
    const operation all[] = {
        {"keep_bits", keep_bits, (gpri_features_count(&t->x) + 127) / 128, MASK_GROUPS, 0, nnz / 8, nnz / 8, NULL, 0,
         0},
        {"features_forward", features_forward, N, TILE, 4 * nnz * h, forward, forward, t->hidden, 2 * N * HIDDEN, 0},
        {"features_backward", features_backward, F, WEIGHT_ROWS, 2 * nnz * h, backward, backward, t->dw1, F * HIDDEN,
         0},
        {"linear_forward", linear_forward, N, TILE, 2 * n * h * c, linear, linear, t->out, N * 2 * C, 0},
        {"linear_backward", linear_backward, N, TILE, 4 * n * h * c, linear + n * h * 4, linear + n * h * 4, t->dx,
         N * HIDDEN + HIDDEN * C + C, 1},
        {"relu_forward", relu_forward, N, TILE, n * h, 2 * n * h * 4, n * h * 4, t->hidden, N * HIDDEN, 0},
        {"relu_backward", relu_backward, N, TILE, n * h, 3 * n * h * 4, 2 * n * h * 4, t->dy, N * HIDDEN, 0},
        {"dropout, 1/2, hidden", dropout, N, TILE, n * h, 2 * n * h * 4, n * h * 4, t->hidden, N * HIDDEN, 0},
        {"dropout, 0.7, output", dropout_output, N, TILE, n * c, 2 * packed, packed, t->z, N * 2 * C, 0},
        {"hop", hop, N, HOP_ROWS, (arcs + 4 * n) * 2 * c, links + 6 * packed, links + 6 * packed, t->out, N * 2 * C, 0},
        {"hop_backward", hop_backward, N, HOP_ROWS, (arcs + 6 * n) * c, links + 5 * packed, links + 4 * packed, t->sum,
         N * C, 0},
        {"propagate, hidden", propagate, N, TILE, 2 * (arcs + n) * h, links + 2 * n * h * 4, links + 2 * n * h * 4,
         t->dx, N * HIDDEN, 0},
        {"bias_forward", bias_forward, N, TILE, n * h, 2 * n * h * 4, n * h * 4, t->hidden, N * HIDDEN, 0},
        {"bias_backward", bias_backward, N, TILE, n * h, n * h * 4, n * h * 4, t->dw1, HIDDEN, 1},
        {"nll_backward", nll_backward, N, TILE, 4 * n * classes, 2 * packed + n * 5, packed + n * 5, t->z, N * 2 * C,
         0},
        {"score", score, N, TILE, 3 * n * classes, packed + n * 5, packed + n * 5, t->out, N * 2 * C, 0},
        {"adam", adam, F, WEIGHT_ROWS, 12 * f * h, 7 * f * h * 4, 4 * f * h * 4, t->w1, F * HIDDEN, 0},
    };
    int count = sizeof all / sizeof *all;
    memcpy(out, all, sizeof all);
    return count;
}

typedef struct {
    gpr_ctx *ctx;
    setting *setting;
    const operation *operation;
} job;

static void job_chunk(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const job *j = arg;
    int64_t from = chunk * j->operation->step, to = from + j->operation->step;
    j->operation->run(j->setting, from, to < j->operation->extent ? to : j->operation->extent);
}

static void job_work(void *arg, int threads) {
    const operation *op = ((job *)arg)->operation;
    gpri_parallel(((job *)arg)->ctx, threads, (op->extent + op->step - 1) / op->step, job_chunk, arg);
}

/* The largest difference from `wanted`, relative to its largest value. */
static double off(const gpri_real *wanted, const gpri_real *got, int64_t count) {
    double most = 0, difference = 0;
    for (int64_t i = 0; i < count; i++) {
        double d = fabs((double)wanted[i] - (double)got[i]);
        most = fmax(most, fabs((double)wanted[i]));
        if (!(d <= difference)) difference = d; /* NaN too */
    }
    return most > 0 ? difference / most : difference;
}

static void check(job *j, const gpri_ops *table, const gpri_real *wanted) {
    if (!j->operation->count) return;
    restore(j->setting);
    job_work(j, 1);
    double error = off(wanted, j->operation->output, j->operation->count);
    if (error <= 1e-4) return;
    fprintf(stderr, "bench_kernels: %s of %s on %s is off by %g\n", j->operation->name, table->name,
            j->setting->shape->name, error);
    exit(1);
}

/* ---- Output ----------------------------------------------------------------------------------------- */

static void write_entry(FILE *json, int *entries, const job *j, const char *table, const machine *m, int threads,
                        spread s) {
    const operation *op = j->operation;
    if (!json) return;
    fprintf(json,
            "%s\n  {\"name\": \"kernel/%s/%s/%s/%d\", \"who\": \"%s\", \"unit\": \"ms\", \"better\": \"less\", "
            "\"median\": %.6g, "
            "\"q1\": %.6g, \"q3\": %.6g, \"threads\": %d, \"gb_per_s\": %.4g, \"gflop_per_s\": %.4g, "
            "\"share_of_limit\": %.4g}",
            (*entries)++ ? "," : "", j->setting->shape->name, op->name, table, threads,
            strcmp(table, "ref") ? "gprgnn" : "ref", 1e3 * s.median, 1e3 * s.q1, 1e3 * s.q3, threads,
            1e-9 * op->bytes / s.median, 1e-9 * op->flops / s.median,
            limit_seconds(m, threads > 1, op->data, op->bytes, op->flops) / s.median);
}

static void time_operation(job *j, const gpri_ops **tables, int count, const machine *m, FILE *json, int *entries) {
    const operation *op = j->operation;
    int shared = op->run == keep_bits; /* one for all tables */
    gpri_real *wanted = zeros(op->count, sizeof *wanted);
    j->setting->ops = tables[0];
    restore(j->setting);
    job_work(j, 1);
    if (op->count) memcpy(wanted, op->output, (size_t)op->count * sizeof *wanted);
    printf("| %s |", op->name);
    spread best = {0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        if (shared && i + 1 < count) {
            printf(" |");
            continue;
        }
        j->setting->ops = tables[i];
        check(j, tables[i], wanted);
        best = time_of(job_work, j, 1);
        printf(" %.4g |", 1e3 * best.median);
        write_entry(json, entries, j, shared ? "all" : tables[i]->name, m, 1, best);
    }
    if (m->threads > 1 && !op->alone) {
        spread many = time_of(job_work, j, m->threads);
        printf(" %.4g |", 1e3 * many.median);
        write_entry(json, entries, j, shared ? "all" : tables[count - 1]->name, m, m->threads, many);
    } else if (m->threads > 1) {
        printf(" |");
    }
    printf(" %.1f | %.1f | %.0f %% |\n", 1e-9 * op->bytes / best.median, 1e-9 * op->flops / best.median,
           100 * limit_seconds(m, 0, op->data, op->bytes, op->flops) / best.median);
    fflush(stdout);
    free(wanted);
}

static void write_machine(const machine *m, FILE *json) {
    printf("This machine: float32 fused multiply-adds %.1f GFLOP/s with 1 thread", 1e-9 * m->flops[0]);
    if (m->threads > 1) printf(", %.1f with %d", 1e-9 * m->flops[1], m->threads);
    printf(". Memory, GB/s, by the size of the data:\n\n| threads |");
    for (int size = 0; size < SIZES; size += 2) {
        int64_t kib = (int64_t)1 << (LEAST_SIZE + size - 10);
        printf(kib < 1024 ? " %" PRId64 " KiB |" : " %" PRId64 " MiB |", kib < 1024 ? kib : kib / 1024);
    }
    printf("\n|---|---|---|---|---|---|---|---|---|\n");
    for (int many = 0; many < (m->threads > 1 ? 2 : 1); many++) {
        printf("| %d |", many ? m->threads : 1);
        for (int size = 0; size < SIZES; size += 2) printf(" %.1f |", 1e-9 * m->bandwidth[many][size]);
        printf("\n");
    }
    if (!json) return;
    fprintf(json, "{\"threads\": %d, \"least_bytes\": %d", m->threads, 1 << LEAST_SIZE);
    for (int many = 0; many < 2; many++) {
        const char *name = many ? "all" : "one";
        fprintf(json, ", \"fma_gflop_per_s_%s\": %.4g, \"memory_gb_per_s_%s\": [", name, 1e-9 * m->flops[many], name);
        for (int size = 0; size < SIZES; size++)
            fprintf(json, "%s%.4g", size ? ", " : "", 1e-9 * m->bandwidth[many][size]);
        fprintf(json, "]");
    }
    fprintf(json, ", \"entries\": [");
}

static void time_shape(gpr_ctx *ctx, const graph_shape *shape, const machine *m, FILE *json, int *entries) {
    const gpri_ops *tables[MOST_TABLES];
    int count = gpri_ops_all(tables, MOST_TABLES);
    setting t;
    make_setting(ctx, &t, shape);
    printf("\n%s. Milliseconds:\n\n| operation |", shape->title);
    for (int i = 0; i < count; i++) printf(" %s |", tables[i]->name);
    if (m->threads > 1) printf(" %s, %d threads |", tables[count - 1]->name, m->threads);
    printf(" GB/s | GFLOP/s | of the limit |\n|---|");
    for (int i = 0; i < count + 3 + (m->threads > 1); i++) printf("---|");
    printf("\n");
    operation operations[MOST_OPERATIONS];
    int many = list_operations(&t, operations);
    for (int i = 0; i < many; i++) {
        job j = {ctx, &t, &operations[i]};
        time_operation(&j, tables, count, m, json, entries);
    }
    free_setting(ctx, &t);
}

int main(int argc, char **argv) {
    int threads = gpri_machine_threads();
    const char *path = NULL;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && strcmp(argv[i], "--threads") == 0) {
            threads = atoi(argv[i + 1]);
        } else if (i + 1 < argc && strcmp(argv[i], "--json") == 0) {
            path = argv[i + 1];
        } else {
            fputs("usage: bench_kernels [--threads N] [--json FILE]\n", stderr);
            return 2;
        }
    }
    if (threads < 1 || threads > GPRI_MAX_THREADS) {
        fprintf(stderr, "bench_kernels: threads must be from 1 to %d\n", GPRI_MAX_THREADS);
        return 2;
    }
    FILE *json = path ? fopen(path, "w") : NULL;
    if (path && !json) {
        perror(path);
        return 1;
    }
    gpr_ctx *ctx = NULL;
    if (gpr_ctx_new(&ctx, NULL)) {
        fprintf(stderr, "bench_kernels: %s\n", gpr_last_error());
        return 1;
    }
    machine m = measure_machine(ctx, threads);
    write_machine(&m, json);
    int entries = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) time_shape(ctx, &shapes[i], &m, json, &entries);
    gpr_ctx_free(ctx);
    if (!json) return 0;
    fprintf(json, "]}\n");
    if (fclose(json)) {
        perror(path);
        return 1;
    }
    return 0;
}
