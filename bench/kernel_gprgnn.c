/* The operations of GPR-GNN, and of models that use the same ones. */
#include <string.h>

#include "kernels.h"

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

/* Scale 1: repeated factors of 1 / (1 - p) would overflow. */
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
    if (dot == 0.123) t->sink = dot; /* never true, so it is not a race */
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

int list_gprgnn(const setting *t, operation *out) {
    double n = (double)t->shape->nodes, f = (double)t->shape->cols, h = HIDDEN, c = (double)t->width;
    double classes = (double)t->shape->classes, arcs = (double)t->graph.arcs,
           nnz = t->shape->nnz ? (double)t->shape->nnz : n * f;
    int64_t N = t->shape->nodes, F = t->shape->cols, C = t->width;
    double x_bytes = t->shape->nnz ? nnz * 8 + n * 8 : nnz * 4, xt_bytes = t->shape->nnz ? nnz * 12 : nnz * 4;
    double forward = x_bytes + nnz / 8 + f * h * 4 + 2 * n * h * 4, backward = xt_bytes + nnz / 8 + (n + f) * h * 4;
    double linear = n * (h + c) * 4, links = arcs * 4 + n * 12, packed = n * c * 4;
    const operation all[] = {
        {"keep_bits", keep_bits, (gpri_features_count(&t->x) + 127) / 128, MASK_GROUPS, 0, nnz / 8, nnz / 8, NULL, 0,
         TIMED_ONE_FOR_ALL},
        {"features_forward", features_forward, N, TILE, 4 * nnz * h, forward, forward, t->hidden, 2 * N * HIDDEN,
         TIMED_ALL},
        {"features_backward", features_backward, F, WEIGHT_ROWS, 2 * nnz * h, backward, backward, t->dw1, F * HIDDEN,
         TIMED_ALL},
        {"linear_forward", linear_forward, N, TILE, 2 * n * h * c, linear, linear, t->out, N * 2 * C, TIMED_ALL},
        {"linear_backward", linear_backward, N, TILE, 4 * n * h * c, linear + n * h * 4, linear + n * h * 4, t->dx,
         N * HIDDEN + HIDDEN * C + C, TIMED_ALONE},
        {"relu_forward", relu_forward, N, TILE, n * h, 2 * n * h * 4, n * h * 4, t->hidden, N * HIDDEN, TIMED_ALL},
        {"relu_backward", relu_backward, N, TILE, n * h, 3 * n * h * 4, 2 * n * h * 4, t->dy, N * HIDDEN, TIMED_ALL},
        {"dropout, 1/2, hidden", dropout, N, TILE, n * h, 2 * n * h * 4, n * h * 4, t->hidden, N * HIDDEN, TIMED_ALL},
        {"dropout, 0.7, output", dropout_output, N, TILE, n * c, 2 * packed, packed, t->z, N * 2 * C, TIMED_ALL},
        {"hop", hop, N, HOP_ROWS, (arcs + 4 * n) * 2 * c, links + 6 * packed, links + 6 * packed, t->out, N * 2 * C,
         TIMED_ALL},
        {"hop_backward", hop_backward, N, HOP_ROWS, (arcs + 6 * n) * c, links + 5 * packed, links + 4 * packed, t->sum,
         N * C, TIMED_ALL},
        {"propagate, hidden", propagate, N, TILE, 2 * (arcs + n) * h, links + 2 * n * h * 4, links + 2 * n * h * 4,
         t->dx, N * HIDDEN, TIMED_ALL},
        {"bias_forward", bias_forward, N, TILE, n * h, 2 * n * h * 4, n * h * 4, t->hidden, N * HIDDEN, TIMED_ALL},
        {"bias_backward", bias_backward, N, TILE, n * h, n * h * 4, n * h * 4, t->dw1, HIDDEN, TIMED_ALONE},
        {"nll_backward", nll_backward, N, TILE, 4 * n * classes, 2 * packed + n * 5, packed + n * 5, t->z, N * 2 * C,
         TIMED_ALL},
        {"score", score, N, TILE, 3 * n * classes, packed + n * 5, packed + n * 5, t->out, N * 2 * C, TIMED_ALL},
        {"adam", adam, F, WEIGHT_ROWS, 12 * f * h, 7 * f * h * 4, 4 * f * h * 4, t->w1, F * HIDDEN, TIMED_ALL},
    };
    int count = sizeof all / sizeof *all;
    memcpy(out, all, sizeof all);
    return count;
}
