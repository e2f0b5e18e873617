/* The data of a training step: a graph, features, weights and activations, all random. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "machine.h"

static const gpri_random data_stream = {12345, 0, (uint32_t)GPRI_RANDOM_TEST << 16};

gpri_real *filled(gpri_real *block, int64_t count, uint64_t key) {
    for (int64_t i = 0; i < count; i++)
        block[i] = (gpri_real)(2 * gpri_uniform(data_stream, key << 32 | (uint64_t)i) - 1);
    return block;
}

gpri_real *drawn(int64_t count, uint64_t key) { return filled(zeros(count, sizeof(gpri_real)), count, key); }

int64_t drawn_below(int64_t limit, uint64_t key, int64_t index) {
    return (int64_t)gpri_uniform_below(data_stream, key << 60 | (uint64_t)index, (uint64_t)limit);
}

void must(gpr_status status) {
    if (status == GPR_OK) return;
    fprintf(stderr, "bench_kernels: %s\n", gpr_last_error());
    exit(1);
}

void make_random_graph(gpr_ctx *ctx, gpri_graph *graph, const graph_shape *shape, uint64_t key) {
    int64_t *ends = zeros(2 * shape->edges, sizeof *ends);
    for (int64_t i = 0; i < 2 * shape->edges; i++) ends[i] = drawn_below(shape->nodes, key, i);
    must(gpri_graph_build(ctx, graph, shape->nodes, shape->edges, ends, ends + shape->edges, NULL));
    free(ends);
}

static void make_graph(gpr_ctx *ctx, setting *t) {
    const graph_shape *shape = t->shape;
    make_random_graph(ctx, &t->graph, shape, 1);
    double *scale = zeros(shape->nodes, sizeof *scale);
    gpri_graph_scale(&t->graph, GPRI_SCALE_LOOPED, scale);
    t->s = zeros(shape->nodes, sizeof *t->s);
    t->squared = zeros(shape->nodes, sizeof *t->s);
    for (int64_t i = 0; i < shape->nodes; i++) {
        t->s[i] = (gpri_real)scale[i];
        t->squared[i] = t->s[i] * t->s[i];
    }
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
            x->column[first + k] = (int32_t)(low + drawn_below(high - low, 2, first + k));
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

void make_setting(gpr_ctx *ctx, setting *t, const graph_shape *shape) {
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
    t->stream = gpri_random_of(1, GPRI_RANDOM_DROPOUT, 0, 0);
    t->rate = gpri_dropout_rate_of(0.5);
    t->mask = (gpri_mask){t->rate, 1, 0, &t->drop_step};
    t->mask7 = (gpri_mask){gpri_dropout_rate_of(0.7), 1, 0, &t->drop_step};
    /* many rounds of 1 / (1 - p) would leave the range of numbers */
    t->mask.rate.scale = t->mask7.rate.scale = 1;
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
    make_gat(ctx, t);
    make_jknet(t);
    make_gprdeep(t);
    make_geomgcn(ctx, t);
}

void restore(setting *t) {
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
    restore_gat(t);
    restore_jknet(t);
    restore_gprdeep(t);
    restore_geomgcn(t);
}

void free_setting(gpr_ctx *ctx, setting *t) {
    free_gat(ctx, t);
    free_jknet(t);
    free_gprdeep(t);
    free_geomgcn(ctx, t);
    gpri_graph_free(ctx, &t->graph);
    void *blocks[] = {
        t->x.dense, t->x.rowptr, t->x.column, t->x.value, t->x.colptr, t->x.row,  t->x.offset,  t->x.column_value,
        t->keep,    t->w1,       t->b1,       t->dw1,     t->first,    t->second, t->hidden,    t->dy,
        t->dx,      t->w2,       t->b2,       t->z,       t->in,       t->out,    t->packed_in, t->packed_out,
        t->sum,     t->s,        t->squared,  t->labels,  t->part};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}
