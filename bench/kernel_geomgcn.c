/* The operations of Geom-GCN: products with the weights of nine divisions, 48 hidden columns each, in one, and steps
 * over the nine graphs of the divisions. As many pairs are near each other in the latent space as in the graph. */
#include <stdlib.h>
#include <string.h>

#include "embed/relations.h"
#include "kernels.h"
#include "machine.h"

enum { PART = 48, ALL_PARTS = GPRI_DIVISIONS * PART };

typedef struct geomgcn_data {
    gpri_relations relations;
    gpri_real *scale;      /* (nodes) */
    gpri_real *w, *dw;     /* (cols x ALL_PARTS) */
    gpri_real *hidden, *y; /* (nodes x 2 ALL_PARTS): train, then eval; (nodes x ALL_PARTS) */
    product last;          /* the second layer's */
    gpri_real *z;          /* (nodes x width) */
} geomgcn_data;

static int has_arc(const gpri_graph *graph, int64_t i, int64_t j) {
    for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++)
        if (graph->column[at] == j) return 1;
    return 0;
}

/* Directions are random. */
static void make_relations(gpr_ctx *ctx, gpri_relations *out, const setting *t) {
    gpri_graph latent;
    gpri_pairs pairs;
    make_random_graph(ctx, &latent, t->shape, 3);
    must(gpri_pairs_new(ctx, &pairs, t->graph.arcs + latent.arcs));
    const gpri_graph *graphs[] = {&t->graph, &latent};
    for (int space = 0; space < 2; space++)
        for (int64_t i = 0; i < t->shape->nodes; i++)
            for (int64_t at = graphs[space]->rowptr[i]; at < graphs[space]->rowptr[i + 1]; at++) {
                int64_t from = graphs[space]->column[at];
                if (space == 0 && has_arc(&latent, i, from)) continue; /* a pair is in one division */
                int direction = (int)drawn_below(GPRI_DIRECTIONS, 4, pairs.count);
                gpri_pairs_add(&pairs, from, i, direction + (space ? GPRI_LATENT : 0));
            }
    must(gpri_relations_build(ctx, out, t->shape->nodes, &pairs));
    gpri_pairs_free(ctx, &pairs);
    gpri_graph_free(ctx, &latent);
}

void make_geomgcn(gpr_ctx *ctx, setting *t) {
    int64_t n = t->shape->nodes;
    geomgcn_data *g = t->geomgcn = zeros(1, sizeof *t->geomgcn);
    make_relations(ctx, &g->relations, t);
    g->scale = zeros(n, sizeof *g->scale);
    for (int64_t i = 0; i < n; i++) g->scale[i] = (gpri_real)g->relations.scale[i];
    g->w = drawn(t->shape->cols * ALL_PARTS, 70), g->dw = zeros(t->shape->cols * ALL_PARTS, sizeof *g->dw);
    g->hidden = drawn(n * 2 * ALL_PARTS, 71), g->y = zeros(n * ALL_PARTS, sizeof *g->y);
    g->last = make_product(n, ALL_PARTS, GPRI_DIVISIONS * t->width, 72);
    g->z = zeros(n * t->width, sizeof *g->z);
}

void restore_geomgcn(setting *t) { restore_product(&t->geomgcn->last); }

void free_geomgcn(gpr_ctx *ctx, setting *t) {
    geomgcn_data *g = t->geomgcn;
    gpri_relations_free(ctx, &g->relations);
    free_product(&g->last);
    free(g->scale), free(g->w), free(g->dw), free(g->hidden), free(g->y), free(g->z), free(g);
}

static void features_forward(setting *t, int64_t r0, int64_t r1) {
    gpri_real *train = t->geomgcn->hidden + r0 * 2 * ALL_PARTS;
    t->ops->features_forward(rows_of(train, 2 * ALL_PARTS, ALL_PARTS, 0, r1 - r0),
                             rows_of(train + ALL_PARTS, 2 * ALL_PARTS, ALL_PARTS, 0, r1 - r0), &t->x, t->keep,
                             t->rate.scale, t->geomgcn->w, NULL, r0);
}

static void features_backward(setting *t, int64_t j0, int64_t j1) {
    t->ops->features_backward(t->geomgcn->dw, rows_of(t->geomgcn->last.x, ALL_PARTS, ALL_PARTS, 0, t->shape->nodes),
                              &t->x, t->keep, t->rate.scale, 0, j0, j1);
}

static void last_forward(setting *t, int64_t r0, int64_t r1) { product_forward(&t->geomgcn->last, t->ops, r0, r1); }
static void last_backward(setting *t, int64_t r0, int64_t r1) { product_backward(&t->geomgcn->last, t->ops, r0, r1); }

/* Nine steps over the graph. Into parts: from a row of both streams; else their mean, from that of the last product. */
static void aggregate(const setting *t, int mean, int back, int64_t r0, int64_t r1) {
    const geomgcn_data *g = t->geomgcn;
    int64_t width = mean ? t->width : PART, ldi = mean ? GPRI_DIVISIONS * width : 2 * ALL_PARTS,
            ldo = mean ? width : ALL_PARTS;
    for (int d = 0; d < GPRI_DIVISIONS; d++) {
        const gpri_step step = {.m = {.graph = back ? &g->relations.to[d] : &g->relations.from[d],
                                      .left = g->scale,
                                      .right = g->scale,
                                      .factor = mean ? (gpri_real)1 / GPRI_DIVISIONS : 1,
                                      .loop = d == GPRI_ITSELF},
                                .a = 1};
        gpri_matrix to = rows_of(mean ? g->z : g->y + d * width, ldo, width, r0, r1);
        gpri_matrix from = rows_of((mean ? g->last.dy : g->hidden) + d * width, ldi, width, 0, t->shape->nodes);
        t->ops->propagate(to, from, gpri_no_matrix, mean && d ? to : gpri_no_matrix, &step, NULL, r0);
    }
}

static void aggregate_parts(setting *t, int64_t r0, int64_t r1) { aggregate(t, 0, 0, r0, r1); }
static void aggregate_back(setting *t, int64_t r0, int64_t r1) { aggregate(t, 0, 1, r0, r1); }
static void aggregate_mean(setting *t, int64_t r0, int64_t r1) { aggregate(t, 1, 0, r0, r1); }

int list_geomgcn(const setting *t, operation *out) {
    const geomgcn_data *g = t->geomgcn;
    int64_t N = t->shape->nodes, F = t->shape->cols;
    double n = (double)N, f = (double)F, h = ALL_PARTS, c = (double)t->width, pairs = 0;
    double nnz = t->shape->nnz ? (double)t->shape->nnz : n * f;
    double x_bytes = t->shape->nnz ? nnz * 8 + n * 8 : nnz * 4, xt_bytes = t->shape->nnz ? nnz * 12 : nnz * 4;
    for (int d = 0; d < GPRI_DIVISIONS; d++) pairs += (double)g->relations.from[d].arcs;
    double forward = x_bytes + nnz / 8 + f * h * 4 + 2 * n * h * 4, backward = xt_bytes + nnz / 8 + (n + f) * h * 4;
    double links = pairs * 4 + GPRI_DIVISIONS * n * 8 + n * 4, parts = links + 2 * n * h * 4;
    double mean = links + n * (GPRI_DIVISIONS + 1) * c * 4;
    const operation list[] = {
        {"features_forward, 9 x 48", features_forward, N, TILE, 4 * nnz * h, forward, forward, g->hidden,
         N * 2 * ALL_PARTS, TIMED_ALL},
        {"features_backward, 9 x 48", features_backward, F, WEIGHT_ROWS, 2 * nnz * h, backward, backward, g->dw,
         F * ALL_PARTS, TIMED_ALL},
        {"propagate, 9 x 48", aggregate_parts, N, TILE, 2 * (pairs + n) * PART, parts, parts, g->y, N * ALL_PARTS,
         TIMED_ALL},
        {"propagate, 9 x 48, back", aggregate_back, N, TILE, 2 * (pairs + n) * PART, parts, parts, g->y, N * ALL_PARTS,
         TIMED_ALL},
        {"propagate, 9, mean", aggregate_mean, N, TILE, 2 * (pairs + n) * c + GPRI_DIVISIONS * n * c,
         mean + 2 * (GPRI_DIVISIONS - 1) * n * c * 4, mean, g->z, N * t->width, TIMED_ALL},
        forward_operation("linear_forward, 9 parts", last_forward, &g->last),
        backward_operation("linear_backward, 9 parts", last_backward, &g->last),
    };
    memcpy(out, list, sizeof list);
    return sizeof list / sizeof *list;
}
