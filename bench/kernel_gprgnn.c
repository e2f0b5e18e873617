/* The operations of GPR-GNN, and of models that use the same ones. */
#include <string.h>

#include "kernels.h"

static void keep_bits(setting *t, int64_t g0, int64_t g1) { t->ops->keep_bits(t->keep + 2 * g0, &t->mask, g0, g1); }

static gpri_matrix hidden_rows(const setting *t, int64_t r0, int64_t r1) {
    return rows_of(t->hidden, HIDDEN, HIDDEN, r0, r1);
}

/* Rows of scores, of one of two streams side by side; the padding is not counted as columns. */
static gpri_matrix score_rows(const setting *t, gpri_real *block, int64_t r0, int64_t r1) {
    gpri_matrix z = rows_of(block, 2 * t->width, t->width, r0, r1);
    z.cols = t->shape->classes;
    return z;
}

static void features_forward(setting *t, int64_t r0, int64_t r1) {
    gpri_matrix train = hidden_rows(t, r0, r1), eval = train;
    eval.at += t->shape->nodes * HIDDEN;
    t->ops->features_forward(train, eval, &t->x, t->keep, t->rate.scale, t->w1, t->b1, r0);
}

static void features_backward(setting *t, int64_t j0, int64_t j1) {
    t->ops->features_backward(t->dw1, rows_of(t->dy, HIDDEN, HIDDEN, 0, t->shape->nodes), &t->x, t->keep, t->rate.scale,
                              0, j0, j1);
}

static void linear_forward(setting *t, int64_t r0, int64_t r1) {
    t->ops->linear_forward(rows_of(t->out, 2 * t->width, t->width, r0, r1), hidden_rows(t, r0, r1), t->w2, t->b2);
}

static void linear_backward(setting *t, int64_t r0, int64_t r1) {
    t->ops->linear_backward(rows_of(t->dx, HIDDEN, HIDDEN, r0, r1), t->dw2, t->dw2 + HIDDEN * t->width,
                            rows_of(t->packed_in, t->width, t->width, r0, r1), hidden_rows(t, r0, r1), t->w2);
}

static void relu_forward(setting *t, int64_t r0, int64_t r1) { t->ops->relu_forward(hidden_rows(t, r0, r1)); }

static void relu_backward(setting *t, int64_t r0, int64_t r1) {
    t->ops->relu_backward(rows_of(t->dy, HIDDEN, HIDDEN, r0, r1), hidden_rows(t, r0, r1));
}

static void dropout(setting *t, int64_t r0, int64_t r1) { t->ops->dropout(hidden_rows(t, r0, r1), &t->mask, r0); }

static void dropout_output(setting *t, int64_t r0, int64_t r1) {
    t->ops->dropout(score_rows(t, t->z, r0, r1), &t->mask7, r0);
}

static const gpri_real gamma_k = (gpri_real)0.3;

static gpri_step inner_hop(const setting *t) {
    return (gpri_step){.m = {.graph = &t->graph, .left = t->squared, .factor = 1, .loop = 1}, .a = 1, .scale = t->s};
}

static void hop(setting *t, int64_t r0, int64_t r1) {
    int64_t ld = 2 * t->width;
    const gpri_step step = inner_hop(t);
    t->ops->propagate(rows_of(t->out, ld, ld, r0, r1), rows_of(t->in, ld, ld, 0, t->shape->nodes), gpri_no_matrix,
                      rows_of(t->z, ld, ld, r0, r1), &step, &gamma_k, r0);
}

static void hop_backward(setting *t, int64_t r0, int64_t r1) {
    int64_t width = t->width;
    const gpri_step step = inner_hop(t);
    double dot;
    t->ops->propagate_dot(rows_of(t->packed_out, width, width, r0, r1), rows_of(t->sum, width, width, r0, r1), &dot,
                          rows_of(t->packed_in, width, width, 0, t->shape->nodes), gpri_no_matrix,
                          rows_of(t->z, 2 * width, width, r0, r1), &step, &gamma_k, r0);
    if (dot == 0.123) t->sink = dot; /* not a race: it is never so */
}

/* A step over the hidden width, as convolutions make it. */
static void propagate(setting *t, int64_t r0, int64_t r1) {
    const gpri_step step = {.m = {.graph = &t->graph, .left = t->s, .right = t->s, .factor = 1, .loop = 1}, .a = 1};
    t->ops->propagate(rows_of(t->dx, HIDDEN, HIDDEN, r0, r1), hidden_rows(t, 0, t->shape->nodes), gpri_no_matrix,
                      gpri_no_matrix, &step, NULL, r0);
}

static void bias_forward(setting *t, int64_t r0, int64_t r1) { t->ops->bias_forward(hidden_rows(t, r0, r1), t->b1); }

static void bias_backward(setting *t, int64_t r0, int64_t r1) {
    t->ops->bias_backward(t->dw1, rows_of(t->dy, HIDDEN, HIDDEN, r0, r1));
}

static void nll_backward(setting *t, int64_t r0, int64_t r1) {
    const gpri_targets targets = {t->labels, t->part, (gpri_real)0.001};
    double loss;
    t->ops->nll_backward(score_rows(t, t->z, r0, r1), &loss, &targets, r0);
    if (loss == 0.123) t->sink = loss;
}

static void score(setting *t, int64_t r0, int64_t r1) {
    const gpri_targets targets = {t->labels, t->part, (gpri_real)0.001};
    gpri_scores scores;
    t->ops->score(&scores, score_rows(t, t->z, r0, r1), &targets, r0);
    for (int part = 0; part < 4; part++) t->out[r0 + part] = (gpri_real)scores.loss[part]; /* to be checked */
}

static void adam(setting *t, int64_t j0, int64_t j1) {
    static const gpri_record record = {.adam = {.rate = (gpri_real)0.01,
                                                .beta1 = (gpri_real)0.9,
                                                .beta2 = (gpri_real)0.999,
                                                .epsilon = (gpri_real)1e-8,
                                                .new1 = (gpri_real)0.1,
                                                .new2 = (gpri_real)0.001,
                                                .second_scale = 1}};
    int64_t at = j0 * HIDDEN;
    t->ops->adam(t->w1 + at, t->first + at, t->second + at, t->dw1 + at, &record, (gpri_real)0.0005, 0,
                 (j1 - j0) * HIDDEN);
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
