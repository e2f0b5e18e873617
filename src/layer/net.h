/* A network: layers in the order of a model's equation, their weights and buffers.
 *
 * Two streams run side by side through the layers: the training one with dropout, the evaluation one without. The
 * evaluation of the weights after step t and the forward pass of step t + 1 use the same weights, so one pass over
 * the data serves both. Up to the first dropout both are one, and computed once.
 *
 * A layer is row-wise (a row of its output needs that row of its input alone), or it gathers (a row of its output needs
 * other rows of its input: one step over the graph), or it is whole (it goes over all rows several times: the graph
 * filter). Layers run in groups, tile by tile of rows, so that what lies between them stays in the cache; only what a
 * backward pass needs is kept for all rows. A layer that gathers begins a group in the forward pass; in the backward
 * pass it is the first of the group before it. A whole layer is alone.
 *
 * All buffers are planned before the first epoch; none is allocated after. */
#ifndef GPRI_NET_H
#define GPRI_NET_H

#include "base/context.h"
#include "embed/relations.h"
#include "tensor/ops.h"

enum { GPRI_TRAIN_STREAM = 1, GPRI_EVAL_STREAM = 2, GPRI_BOTH_STREAMS = 3 };
enum { GPRI_TILE = 64 }; /* rows that row-wise layers handle at a time */

/* A trainable matrix; all weights lie in one block each for values, gradients and Adam's moments. Element (r, c) is at
   r * width + c. Weights may share rows, side by side: [W_0 | W_1 | ...]. */
typedef struct gpri_weight {
    char name[32];
    int64_t rows, cols, width;
    bool decay;                  /* weight decay applies */
    bool fixed;                  /* a constant of the model: not trained, has no gradient */
    int64_t offset;              /* into the blocks */
    int64_t size;                /* numbers from there on that Adam goes over; 0: the first of its row covers it */
    gpri_real *value, *gradient; /* (rows x width) */
} gpri_weight;

/* What flows between layers. Element (i, c) of a stream is at i * ld + c. */
typedef struct gpri_act {
    const gpri_features *features; /* the input: no buffers, but dropout that the first linear applies */
    double features_dropout;
    uint32_t features_dropout_layer;

    int64_t cols, width, ld;
    int64_t parts;           /* matrices side by side, of `cols` columns and width / parts padded ones each; mostly 1 */
    int64_t hops;            /* steps over the graph that the features, and so this product of them, already hold */
    bool same;               /* no dropout so far: the evaluation stream is the training stream */
    bool whole;              /* a layer wants other rows of it: all rows of both streams are kept, side by side */
    bool whole_gradient;     /* the same of its gradient */
    gpri_real *train, *eval; /* (rows x ld); eval of what is neither whole nor same: (slots x TILE x ld) */
    gpri_real *gradient;     /* distance of rows: gradient_ld; (slots x TILE) rows unless whole_gradient */
    int64_t gradient_ld;
    gpri_real *block, *scratch; /* what the net allocated for it */
} gpri_act;

typedef struct gpri_net gpri_net;
typedef struct gpri_layer gpri_layer;

typedef struct gpri_layer_type {
    const char *name;
    size_t size; /* of its struct */
    bool gathers, whole;
    /* May allocate; called once, after the activations have their buffers. NULL: nothing to plan. */
    gpr_status (*plan)(gpri_layer *layer, gpri_net *net);
    /* Before the rows of a forward pass, for all rows at once. May be NULL. */
    void (*prepare)(gpri_layer *layer, gpri_net *net);
    /* Rows [r0, r1); whole layers get all rows and deal them out themselves. slot: the worker, for scratch. */
    void (*forward)(gpri_layer *layer, gpri_net *net, int64_t r0, int64_t r1, int slot);
    /* Gradient of the input, and of the weights into the partial sums of `block`. */
    void (*backward)(gpri_layer *layer, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block);
    /* After the rows of a backward pass: gradients of the weights from their partial sums. May be NULL. */
    void (*reduce)(gpri_layer *layer, gpri_net *net);
    /* Initial weights. NULL: has none. */
    void (*reset)(gpri_layer *layer, gpri_net *net);
    void (*release)(gpri_layer *layer, gpri_net *net); /* what plan allocated; may be NULL */
} gpri_layer_type;

/* What all types share; a type's own struct begins with it. */
struct gpri_layer {
    const gpri_layer_type *type;
    uint32_t number; /* position in the net: the layer's key for random numbers */
    bool same;       /* what comes in is the same in both streams: see gpri_runs_train */
    gpri_act *in, *out;
    gpri_real *partial; /* (blocks x partial_size) sums of weight gradients over blocks of rows; zeroed by the net */
    int64_t partial_size;
};

enum { GPRI_MOST_LAYERS = 64, GPRI_MOST_WEIGHTS = 64, GPRI_MOST_PARTS = 16 };

struct gpri_net {
    gpr_ctx *ctx;
    const gpri_ops *ops;
    int threads;
    uint64_t seed;
    uint32_t epoch; /* steps done: the key of this pass's dropout */
    int streams;    /* of the present pass */
    bool trains;    /* planned for training, not for evaluation only */

    int64_t rows;
    const gpri_graph *graph;
    gpri_real *scales[GPRI_SCALES]; /* (rows) each; NULL: not needed so far */

    gpr_status status; /* of building: the first failure */
    gpri_layer *layers[GPRI_MOST_LAYERS];
    int layer_count;
    uint32_t next_number; /* of the next layer */
    gpri_act acts[GPRI_MOST_LAYERS];
    int act_count;
    gpri_act *output;
    gpri_weight weights[GPRI_MOST_WEIGHTS];
    int weight_count;
    int64_t weight_total;                           /* padded numbers in each block below */
    gpri_real *values, *gradients, *first, *second; /* first, second: Adam's moments */

    int64_t tiles, blocks; /* rows are cut into tiles, tiles dealt to blocks: by the number of rows alone */
};

/* An empty net over a graph. The graph and the features must outlive it. */
gpr_status gpri_net_new(gpr_ctx *ctx, gpri_net **out, const gpri_graph *graph, int threads,
                        uint64_t seed) GPRI_MUST_CHECK;
void gpri_net_free(gpri_net *net);

/* Initial weights of a product with a matrix (in x out): uniform in +-1 / sqrt(in), or in +-sqrt(6 / (in + out)). */
typedef enum gpri_init { GPRI_INIT_UNIFORM, GPRI_INIT_GLOROT } gpri_init;

/* A matrix of the graph to multiply with; in all d is a node's degree (docs/models.md). */
typedef enum gpri_matrix {
    GPRI_MATRIX_GCN,  /* A~ = (D + I)^-1/2 (A + I) (D + I)^-1/2 */
    GPRI_MATRIX_MEAN, /* D^-1 A: the mean over neighbours, 0 for a node without */
    GPRI_MATRIX_CHEBY /* -D^-1/2 A D^-1/2: the Laplacian scaled to [-1, 1], with a largest eigenvalue taken as 2 */
} gpri_matrix;

/* Layers, added in order; each returns its output. A failure is kept in the net, and gpri_net_plan returns it: a model
   is written down without checks. */
gpri_act *gpri_input(gpri_net *net, const gpri_features *features);
gpri_act *gpri_dropout(gpri_net *net, gpri_act *x, double probability);
/* X W + b, initial values uniform in +-1 / sqrt(columns of X). */
gpri_act *gpri_linear(gpri_net *net, gpri_act *x, int64_t cols, const char *name);
/* [X W_0 | X W_1 | ...], `count` weights "name.part" of cols columns each. */
gpri_act *gpri_multiply(gpri_net *net, gpri_act *x, int64_t cols, gpri_init init, const char *name,
                        const char *const *parts, int64_t count);
/* X + b, in place; initial values uniform in +-bound. The weight is "name.bias". */
gpri_act *gpri_bias(gpri_net *net, gpri_act *x, double bound, const char *name);
gpri_act *gpri_relu(gpri_net *net, gpri_act *x);
gpri_act *gpri_elu(gpri_net *net, gpri_act *x);
/* Attention over neighbours; X in `heads` heads of as many columns each, of which the output has all, or the mean.
   slope: of the leaky relu; dropout: of the coefficients. The weights are "name.att_src" and "name.att_dst". */
gpri_act *gpri_attend(gpri_net *net, gpri_act *x, int64_t heads, bool mean, double slope, double dropout,
                      const char *name);
/* A copy of X for a second layer that reads it; X itself must still have a layer after it. */
gpri_act *gpri_fork(gpri_net *net, gpri_act *x);
/* [X_0 | X_1 | ...] */
gpri_act *gpri_concat(gpri_net *net, gpri_act *const *parts, int count);
/* States of a bidirectional LSTM of so many units, one layer, over the steps X_0, X_1, ... of a row:
   [t][direction][unit]. Another layer after it must read all the X too; this one adds to their gradients. */
gpri_act *gpri_lstm(gpri_net *net, gpri_act *const *parts, int count, int64_t units, const char *name);
/* Jumping knowledge: sum_t p_t X_t, p from the states of that LSTM. */
gpri_act *gpri_jump(gpri_net *net, gpri_act *const *parts, int count, int64_t units, const char *name);
/* M X for one part; M X_0 + X_1 for two. */
gpri_act *gpri_propagate(gpri_net *net, gpri_act *x, gpri_matrix matrix);
/* Parts of X side by side, without the padding between them, as one matrix. */
gpri_act *gpri_join(gpri_net *net, gpri_act *x);
/* Of X with a part for each division of the neighbourhoods, what every node gets from its own in each: side by side, or
   their mean. The relations must outlive the net. */
gpri_act *gpri_aggregate(gpri_net *net, gpri_act *x, const gpri_relations *relations, bool mean);
/* The graph filter sum_k gamma_k A~^k X. gamma: (hops + 1), must outlive the net; learned, or fixed. */
gpri_act *gpri_gpr(gpri_net *net, gpri_act *x, int64_t hops, const double *gamma, bool fixed, const char *name);

/* Convolutions, made of the layers above: multiply, propagate, bias. Their weights are named as PyTorch Geometric's. */
gpri_act *gpri_gcn(gpri_net *net, gpri_act *x, int64_t cols, const char *name);
gpri_act *gpri_sage(gpri_net *net, gpri_act *x, int64_t cols, const char *name);
gpri_act *gpri_cheby(gpri_net *net, gpri_act *x, int64_t cols, const char *name);
/* heads: of cols columns each; mean: of them, else side by side. */
gpri_act *gpri_gat(gpri_net *net, gpri_act *x, int64_t heads, int64_t cols, bool mean, double slope, double dropout,
                   const char *name);

/* Allocates everything: for training, or for evaluation only. `output` is what the loss is taken of. */
gpr_status gpri_net_plan(gpri_net *net, gpri_act *output, bool trains) GPRI_MUST_CHECK;
/* Initial weights from the seed. */
void gpri_net_reset(gpri_net *net);
void gpri_net_forward(gpri_net *net, int streams);
/* From output->gradient to the gradients of all weights. */
void gpri_net_backward(gpri_net *net);

/* ---- for the types of layers ---- */

/* A zeroed layer of that type, or NULL after a failure. out: NULL for a new activation of `cols` columns. */
void *gpri_net_add(gpri_net *net, const gpri_layer_type *type, gpri_act *in, gpri_act *out, int64_t cols);
/* Counts a layer that is not needed this time, so that those after it keep their random numbers. */
void gpri_net_skip(gpri_net *net);
/* The weight "name.part", with decay. stored_rows: rows and the zero rows behind them that the padding of the layer's
   input asks for. */
gpri_weight *gpri_net_weight(gpri_net *net, const char *name, const char *part, int64_t rows, int64_t stored_rows,
                             int64_t cols);
/* `count` of them side by side, each padded; returns the first, and the others follow it. */
gpri_weight *gpri_net_weights(gpri_net *net, const char *name, const char *const *parts, int64_t count, int64_t rows,
                              int64_t stored_rows, int64_t cols);
/* To be called when planning; made once for all layers that ask. */
gpr_status gpri_net_scale(gpri_net *net, const gpri_real **out, gpri_scale which) GPRI_MUST_CHECK;
/* Threads worth using for that many elementary operations. */
int gpri_net_threads(const gpri_net *net, int64_t work);
/* Uniform in +-bound, element (i, j) from number first + i * cols + j of the layer's stream. */
void gpri_weight_uniform(gpri_net *net, gpri_weight *weight, uint32_t layer, int64_t first, double bound);
/* weight's gradient, and that of those that share its rows = the sum over blocks of what lies at `first` of the partial
   sums. */
void gpri_weight_reduce(gpri_net *net, gpri_weight *weight, const gpri_layer *layer, int64_t first);

/* Which streams a layer computes in the present pass. What is the same in both is computed once, as training stream. */
static inline bool gpri_runs_train(const gpri_net *net, const gpri_layer *layer) {
    return layer->same || net->streams & GPRI_TRAIN_STREAM;
}
static inline bool gpri_runs_eval(const gpri_net *net, const gpri_layer *layer) {
    return !layer->same && net->streams & GPRI_EVAL_STREAM;
}

/* Where row r0 of a tile is. */
static inline gpri_real *gpri_train_rows(const gpri_act *act, int64_t r0) { return act->train + r0 * act->ld; }
static inline gpri_real *gpri_eval_rows(const gpri_act *act, int64_t r0, int slot) {
    return act->eval + (act->whole || act->same ? r0 : (int64_t)slot * GPRI_TILE) * act->ld;
}
static inline gpri_real *gpri_gradient_rows(const gpri_act *act, int64_t r0, int slot) {
    return act->gradient + (act->whole_gradient ? r0 : (int64_t)slot * GPRI_TILE) * act->gradient_ld;
}

#endif
