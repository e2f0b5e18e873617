/* The operations of GAT: attention with 8 heads of 8 columns, and one head of the classes in the last layer; ELU. */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "machine.h"

enum { HEADS = 8, OUT = 8, WIDTH = HEADS * OUT };

/* An attention layer. */
typedef struct {
    gpri_attention train, eval; /* the first with dropout */
    uint64_t *keep;
    gpri_real *x, *dy;         /* (nodes x width) */
    gpri_real *y, *bend;       /* (nodes x width); bend follows y */
    gpri_real *dx, *dsource;   /* (nodes x width), then (nodes x heads) */
    gpri_real *a, *da;         /* (width) weights of the scores, and their gradient */
    gpri_real *scores, *ready; /* source and target, (nodes x 5 heads), and as the forward pass of ref leaves them */
} attention;

typedef struct gat_data {
    attention many, one; /* heads */
    int32_t *reverse;
} gat_data;

static void make_attention(setting *t, attention *at, int64_t heads, int64_t out, uint64_t key) {
    int64_t n = t->shape->nodes, width = heads * out, coefficients = (t->graph.arcs + n) * heads;
    at->keep = zeros(gpri_keep_words(coefficients), sizeof *at->keep);
    gpri_keep_bits(at->keep, 0, (coefficients + 127) / 128, t->stream, t->rate);
    at->x = drawn(n * width, key), at->dy = drawn(n * width, key + 1), at->a = drawn(width, key + 2);
    at->y = zeros(2 * n * width, sizeof *at->y), at->bend = at->y + n * width;
    at->dx = drawn(n * (width + heads), key + 3), at->dsource = at->dx + n * width;
    at->da = zeros(width, sizeof *at->da);
    at->scores = drawn(5 * n * heads, key + 4);
    at->ready = zeros(5 * n * heads, sizeof *at->ready);
    at->eval = (gpri_attention){.graph = &t->graph,
                                .heads = heads,
                                .out = out,
                                .width = width,
                                .slope = (gpri_real)0.2,
                                .source = at->scores,
                                .target = at->scores + n * heads,
                                .scale = 1};
    at->train = at->eval;
    at->train.keep = at->keep, at->train.reverse = t->gat->reverse, at->train.scale = t->rate.scale;
    gpri_ops_ref.attention_forward(rows_of(at->y, width, width, 0, n), rows_of(at->bend, width, width, 0, n),
                                   rows_of(at->x, width, width, 0, n), &at->train, 0);
    gpri_ops_ref.head_dots(rows_of(at->train.target + 3 * heads, 4 * heads, heads, 0, n),
                           rows_of(at->dy, width, width, 0, n), rows_of(at->y, width, width, 0, n), heads, out);
    memcpy(at->ready, at->scores, (size_t)(5 * n * heads) * sizeof *at->ready);
}

static void restore_attention(const setting *t, attention *at, uint64_t key) {
    int64_t n = t->shape->nodes, width = at->eval.width, heads = at->eval.heads;
    memcpy(at->scores, at->ready, (size_t)(5 * n * heads) * sizeof *at->ready);
    filled(at->dx, n * (width + heads), key + 3);
    memset(at->da, 0, (size_t)width * sizeof *at->da);
}

static void free_attention(attention *at) {
    void *blocks[] = {at->keep, at->x, at->dy, at->y, at->dx, at->a, at->da, at->scores, at->ready};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

void make_gat(gpr_ctx *ctx, setting *t) {
    t->gat = zeros(1, sizeof *t->gat);
    must(gpri_graph_reverse(ctx, &t->gat->reverse, &t->graph));
    make_attention(t, &t->gat->many, HEADS, OUT, 30);
    make_attention(t, &t->gat->one, 1, t->width, 40);
}

void restore_gat(setting *t) {
    restore_attention(t, &t->gat->many, 30);
    restore_attention(t, &t->gat->one, 40);
}

void free_gat(gpr_ctx *ctx, setting *t) {
    free_attention(&t->gat->many);
    free_attention(&t->gat->one);
    gpri_free(ctx, t->gat->reverse);
    free(t->gat);
}

/* ---- The operations --------------------------------------------------------------------------------- */

static void attend(const setting *t, const attention *at, int train, int64_t r0, int64_t r1) {
    int64_t width = at->eval.width;
    t->ops->attention_forward(rows_of(at->y, width, width, r0, r1),
                              train ? rows_of(at->bend, width, width, r0, r1) : gpri_no_matrix,
                              rows_of(at->x, width, width, 0, t->shape->nodes), train ? &at->train : &at->eval, r0);
}

static void attend_back(const setting *t, const attention *at, int64_t r0, int64_t r1) {
    int64_t width = at->eval.width;
    t->ops->attention_backward(
        rows_of(at->dx, width, width, r0, r1), rows_of(at->dsource, at->eval.heads, at->eval.heads, r0, r1),
        rows_of(at->dy, width, width, 0, t->shape->nodes), rows_of(at->x, width, width, r0, r1), &at->train, r0);
}

static void forward_many(setting *t, int64_t r0, int64_t r1) { attend(t, &t->gat->many, 1, r0, r1); }
static void forward_many_eval(setting *t, int64_t r0, int64_t r1) { attend(t, &t->gat->many, 0, r0, r1); }
static void forward_one(setting *t, int64_t r0, int64_t r1) { attend(t, &t->gat->one, 1, r0, r1); }
static void backward_many(setting *t, int64_t r0, int64_t r1) { attend_back(t, &t->gat->many, r0, r1); }
static void backward_one(setting *t, int64_t r0, int64_t r1) { attend_back(t, &t->gat->one, r0, r1); }

/* The scores of a node, from its row and weights that all nodes share. */
static void head_dots(setting *t, int64_t r0, int64_t r1) {
    const attention *at = &t->gat->many;
    t->ops->head_dots(rows_of(at->dsource, HEADS, HEADS, r0, r1), rows_of(at->x, WIDTH, WIDTH, r0, r1),
                      rows_of(at->a, 0, WIDTH, r0, r1), HEADS, OUT);
}

/* What the scores add to the gradient of a node's row, and to that of the weights. */
static void head_add(setting *t, int64_t r0, int64_t r1) {
    const attention *at = &t->gat->many;
    t->ops->head_add(rows_of(at->dx, WIDTH, WIDTH, r0, r1), rows_of(at->dsource, HEADS, HEADS, r0, r1),
                     rows_of(at->a, 0, WIDTH, r0, r1), HEADS, OUT);
}

static void head_add_weights(setting *t, int64_t r0, int64_t r1) {
    const attention *at = &t->gat->many;
    t->ops->head_add(rows_of(at->da, 0, WIDTH, r0, r1), rows_of(at->dsource, HEADS, HEADS, r0, r1),
                     rows_of(at->x, WIDTH, WIDTH, r0, r1), HEADS, OUT);
}

static void elu_forward(setting *t, int64_t r0, int64_t r1) {
    const attention *at = &t->gat->many;
    t->ops->elu_forward(rows_of(at->y, WIDTH, WIDTH, r0, r1), rows_of(at->x, WIDTH, WIDTH, r0, r1));
}

static void elu_backward(setting *t, int64_t r0, int64_t r1) {
    const attention *at = &t->gat->many;
    t->ops->elu_backward(rows_of(at->dx, WIDTH, WIDTH, r0, r1), rows_of(at->dy, WIDTH, WIDTH, r0, r1),
                         rows_of(at->x, WIDTH, WIDTH, r0, r1));
}

/* Flops per arc and head: forward 6 for the coefficient and its sums, and per column a multiply-add for y and, in
   training, one for bend; backward 9, and two multiply-adds per column. */
int list_gat(const setting *t, operation *out) {
    const attention *many = &t->gat->many, *one = &t->gat->one;
    int64_t N = t->shape->nodes, C = t->width;
    double n = (double)N, arcs = (double)t->graph.arcs, c = (double)C, all = n * WIDTH * 4, links = arcs * 4 + n * 8;
    double pairs = (arcs + n) * HEADS, single = arcs + n, score = n * HEADS * 4;
    double forward = links + pairs / 8 + 4 * score + 3 * all, evaluate = links + 2 * score + 2 * all;
    double backward = links + arcs * 4 + pairs / 8 + 6 * score + 3 * all;
    double forward_last = links + single / 8 + 4 * n * 4 + 3 * n * c * 4;
    double backward_last = links + arcs * 4 + single / 8 + 6 * n * 4 + 3 * n * c * 4;
    const operation list[] = {
        {"head_dots, 8 x 8", head_dots, N, TILE, 2 * n * WIDTH, all + score, all + score, many->dsource, N * HEADS,
         TIMED_ALL},
        {"head_add, 8 x 8", head_add, N, TILE, 2 * n * WIDTH, 2 * all + score, all + score, many->dx, N * WIDTH,
         TIMED_ALL},
        {"head_add, weights", head_add_weights, N, TILE, 2 * n * WIDTH, all + score, all + score, many->da, WIDTH,
         TIMED_ALONE},
        {"attention_forward, 8 x 8", forward_many, N, TILE, pairs * (6 + 4 * OUT), forward, forward, many->y,
         2 * N * WIDTH, TIMED_ALL},
        {"attention_forward, eval", forward_many_eval, N, TILE, pairs * (6 + 2 * OUT), evaluate, evaluate, many->y,
         N * WIDTH, TIMED_ALL},
        {"attention_backward, 8 x 8", backward_many, N, TILE, pairs * (9 + 4 * OUT), backward, backward, many->dx,
         N * (WIDTH + HEADS), TIMED_ALL},
        {"attention_forward, last", forward_one, N, TILE, single * (6 + 4 * c), forward_last, forward_last, one->y,
         2 * N * C, TIMED_ALL},
        {"attention_backward, last", backward_one, N, TILE, single * (9 + 4 * c), backward_last, backward_last, one->dx,
         N * (C + 1), TIMED_ALL},
        {"elu_forward", elu_forward, N, TILE, 2 * n * WIDTH, 2 * all, 2 * all, many->y, N * WIDTH, TIMED_ALL},
        {"elu_backward", elu_backward, N, TILE, 2 * n * WIDTH, 3 * all, 3 * all, many->dx, N * WIDTH, TIMED_ALL},
    };
    memcpy(out, list, sizeof list);
    return sizeof list / sizeof *list;
}
