/* The operations of JKNet, with 16 hidden columns and 4 layers' worth of LSTM: 32 units in either direction. */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "machine.h"

enum { COLUMNS = 16, UNITS = 32, GATES = 4 * UNITS, STATES = 2 * UNITS, STEPS = 2, SCORE = 4 };

typedef struct jknet_data {
    gpri_real *gates, *dc, *c, *h; /* (nodes x GATES), (nodes x UNITS) twice, (nodes x GATES): one block */
    gpri_real *before, *dh;        /* (nodes x UNITS), (nodes x GATES) */
    product step, score;           /* [x | h] with the weights of a step; the states of a step with those of jump */
    gpri_real *x, *y;              /* (nodes x 2 COLUMNS): the rows of both streams */
    gpri_real *shares;             /* (nodes x STEPS) */
} jknet_data;

void make_jknet(setting *t) {
    int64_t n = t->shape->nodes;
    jknet_data *j = t->jknet = zeros(1, sizeof *t->jknet);
    j->gates = drawn(2 * n * (GATES + UNITS), 50);
    j->dc = j->gates + n * GATES, j->c = j->dc + n * UNITS, j->h = j->c + n * UNITS;
    j->before = drawn(n * UNITS, 51), j->dh = drawn(n * GATES, 52);
    j->step = make_product(n, COLUMNS + UNITS, GATES, 53);
    j->score = make_product(n, STATES, SCORE, 57);
    j->x = drawn(n * 2 * COLUMNS, 61), j->y = drawn(n * 2 * COLUMNS, 62);
    j->shares = drawn(n * STEPS, 63);
}

void restore_jknet(setting *t) {
    int64_t n = t->shape->nodes;
    filled(t->jknet->gates, 2 * n * (GATES + UNITS), 50);
    filled(t->jknet->y, n * 2 * COLUMNS, 62);
    filled(t->jknet->shares, n * STEPS, 63);
    restore_product(&t->jknet->step);
    restore_product(&t->jknet->score);
}

void free_jknet(setting *t) {
    jknet_data *j = t->jknet;
    free_product(&j->step);
    free_product(&j->score);
    free(j->gates), free(j->before), free(j->dh), free(j->x), free(j->y), free(j->shares), free(j);
}

/* In place: each call reads what the call before it wrote. Forward, values stay between -1 and 1; backward, they are
   soon 0. Neither changes the time. */
static void lstm_forward(setting *t, int64_t r0, int64_t r1) {
    const jknet_data *j = t->jknet;
    t->ops->lstm_forward(rows_of(j->gates, GATES, GATES, r0, r1), rows_of(j->c, UNITS, UNITS, r0, r1),
                         rows_of(j->h, GATES, UNITS, r0, r1), rows_of(j->before, UNITS, UNITS, r0, r1));
}

static void lstm_backward(setting *t, int64_t r0, int64_t r1) {
    const jknet_data *j = t->jknet;
    t->ops->lstm_backward(rows_of(j->gates, GATES, GATES, r0, r1), rows_of(j->dc, UNITS, UNITS, r0, r1),
                          rows_of(j->c, UNITS, UNITS, r0, r1), rows_of(j->before, UNITS, UNITS, r0, r1),
                          rows_of(j->dh, GATES, UNITS, r0, r1));
}

static void step_forward(setting *t, int64_t r0, int64_t r1) { product_forward(&t->jknet->step, t->ops, r0, r1); }
static void step_backward(setting *t, int64_t r0, int64_t r1) { product_backward(&t->jknet->step, t->ops, r0, r1); }
static void score_forward(setting *t, int64_t r0, int64_t r1) { product_forward(&t->jknet->score, t->ops, r0, r1); }
static void score_backward(setting *t, int64_t r0, int64_t r1) { product_backward(&t->jknet->score, t->ops, r0, r1); }

/* A layer's part of the sum over layers, and of the gradient of its share. */
static void jump_add(setting *t, int64_t r0, int64_t r1) {
    const jknet_data *j = t->jknet;
    t->ops->head_add(rows_of(j->y, 2 * COLUMNS, COLUMNS, r0, r1), rows_of(j->shares, STEPS, 1, r0, r1),
                     rows_of(j->x, 2 * COLUMNS, COLUMNS, r0, r1), 1, COLUMNS);
}

static void jump_dots(setting *t, int64_t r0, int64_t r1) {
    const jknet_data *j = t->jknet;
    t->ops->head_dots(rows_of(j->shares, STEPS, 1, r0, r1), rows_of(j->y, 2 * COLUMNS, COLUMNS, r0, r1),
                      rows_of(j->x, 2 * COLUMNS, COLUMNS, r0, r1), 1, COLUMNS);
}

/* Both streams side by side, as the layer has them. */
static void propagate(setting *t, int64_t r0, int64_t r1) {
    const gpri_step step = {.m = {.graph = &t->graph, .left = t->s, .right = t->s, .factor = 1, .loop = 1}, .a = 1};
    int64_t width = 2 * COLUMNS;
    t->ops->propagate(rows_of(t->jknet->y, width, width, r0, r1),
                      rows_of(t->jknet->x, width, width, 0, t->shape->nodes), gpri_no_matrix, gpri_no_matrix, &step,
                      NULL, r0);
}

/* Flops per unit: forward 3 for each of three sigmoids and two tanh, 4 for c and h; backward 3 for tanh, 5 for d_c, 4
   for each gate, 1 for dc. */
int list_jknet(const setting *t, operation *out) {
    const jknet_data *j = t->jknet;
    int64_t N = t->shape->nodes;
    double n = (double)N, arcs = (double)t->graph.arcs, units = n * UNITS, rows = n * COLUMNS * 4;
    double links = arcs * 4 + n * 12, share = n * 4;
    const operation list[] = {
        {"lstm_forward", lstm_forward, N, TILE, 19 * units, 11 * units * 4, 7 * units * 4, j->gates,
         2 * N * (GATES + UNITS), TIMED_ALL},
        {"lstm_backward", lstm_backward, N, TILE, 25 * units, 13 * units * 4, 8 * units * 4, j->gates,
         N * (GATES + UNITS), TIMED_ALL},
        forward_operation("linear_forward, lstm", step_forward, &j->step),
        backward_operation("linear_backward, lstm", step_backward, &j->step),
        forward_operation("linear_forward, jump", score_forward, &j->score),
        backward_operation("linear_backward, jump", score_backward, &j->score),
        {"head_add, jump", jump_add, N, TILE, 2 * n * COLUMNS, 3 * rows + share, 2 * rows + share, j->y,
         N * 2 * COLUMNS, TIMED_ALL},
        {"head_dots, jump", jump_dots, N, TILE, 2 * n * COLUMNS, 2 * rows + share, 2 * rows + share, j->shares,
         N * STEPS, TIMED_ALL},
        {"propagate, 2 x 16", propagate, N, TILE, 2 * (arcs + n) * 2 * COLUMNS, links + 4 * rows, links + 4 * rows,
         j->y, N * 2 * COLUMNS, TIMED_ALL},
    };
    memcpy(out, list, sizeof list);
    return sizeof list / sizeof *list;
}
