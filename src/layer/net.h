/* A network: layers in the order of a model's equation, their weights and buffers.
 *
 * A layer sees plain matrices and the operations of the device. All else is the net's business, and is in net_run.c:
 *
 *  - Two streams run through the layers, the training one with dropout and the evaluation one without. The evaluation
 *    of the weights after step t and the forward pass of step t + 1 use the same weights, so one pass over the data
 *    serves both. Up to the first dropout both are one, and computed once.
 *  - Rows are cut into tiles. A layer is row-wise (a row of its output needs that row of its input alone), or it
 * gathers (a row of its output needs other rows of its input: one step over the graph), or it is whole (it goes over
 * all rows several times: the graph filter). Layers run in groups, tile by tile, so that what lies between them stays
 * in the cache; only what a backward pass needs is kept for all rows. A layer that gathers begins a group in the
 * forward pass; in the backward pass it is the first of the group before it. A whole layer is alone.
 *
 * All buffers are planned before the first epoch; none is allocated after. They are in the device's memory. */
#ifndef GPRI_NET_H
#define GPRI_NET_H

#include "embed/relations.h"
#include "layer/filter_form.h"
#include "walk/way.h"

enum { GPRI_TRAIN_STREAM = 1, GPRI_EVAL_STREAM = 2, GPRI_BOTH_STREAMS = 3 };

/* A trainable matrix; all weights lie in one block each for values, gradients and Adam's moments. Element (r, c) is at
   r * width + c. Weights may share rows, side by side: [W_0 | W_1 | ...]. */
typedef struct gpri_weight {
    char name[32];
    int64_t rows, cols, width;
    bool decay;                  /* weight decay applies */
    bool fixed;                  /* a constant of the model: not trained, has no gradient */
    bool variances;              /* its last row has none below 0 */
    int64_t offset;              /* into the blocks */
    int64_t size;                /* numbers from there on that Adam goes over; 0: the first of its row covers it */
    gpri_real *value, *gradient; /* (rows x width) */
} gpri_weight;

/* Known labels as an input beside the features; lives in the net's input. Every known label adds a learned row of the
   class to the first product of its node. In the evaluation stream all known labels are shown. In the training stream a
   random share is, drawn again in every step; the loss is that of the other nodes. */
typedef struct gpri_label_input {
    int64_t classes;      /* 0: none */
    const int32_t *known; /* (nodes) the host's, must outlive the net; -1: not known. NULL: none is */
    double share;         /* that is shown in the training stream; 1: all */
} gpri_label_input;

/* What flows between layers. Element (i, c) of a stream is at i * ld + c. */
typedef struct gpri_act {
    const gpri_features *features; /* the input: no buffers, but dropout that the first linear applies */
    double features_dropout;
    uint32_t features_dropout_layer;
    const struct gpri_label_input *labels; /* beside the features, or NULL; the first product adds them */

    int64_t cols, width, ld;
    int64_t slices;         /* matrices side by side, of `cols` columns and width / slices padded ones each; mostly 1 */
    int64_t hops;           /* steps over the graph that the features, and so this product of them, already hold */
    bool same;              /* no dropout so far: the evaluation stream is the training stream */
    bool whole;             /* a layer wants other rows of it: all nodes of both streams are kept, side by side */
    bool whole_gradient;    /* the same of its gradient */
    bool apart;             /* whole, but the streams have a matrix each */
    struct gpri_act *over;  /* its evaluation stream is written over that of this one; NULL: it has its own */
    struct gpri_act *under; /* its gradient is written over that of this one; NULL: it has its own */
    gpri_real *train, *eval; /* (rows x ld); eval of what is neither whole nor same: (slots x tile x ld) */
    gpri_real *gradient;     /* distance of rows: gradient_ld; (slots x tile) rows unless whole_gradient */
    int64_t gradient_ld;
    gpri_real *stored; /* train and eval, where all rows are kept */
} gpri_act;

typedef struct gpri_net gpri_net;
typedef struct gpri_layer gpri_layer;

/* The rows that a layer works on. */
typedef struct gpri_tile {
    gpri_net *net;
    const gpri_ops *ops;
    int64_t first, rows; /* nodes [first, first + rows) */
    int stream;          /* GPRI_TRAIN_STREAM, GPRI_EVAL_STREAM; or both, whose columns lie side by side */
    int slot;            /* of the thread: for scratch */
    int64_t block;       /* of the partial sums */
} gpri_tile;

/* Forward, y and x are rows of the tile; backward, dx, dy, x and y are. A layer that works in place gets the same
   matrix twice. A layer that gathers gets all nodes of x forward, and of dy backward; a whole layer gets all nodes of
   everything. */
typedef struct gpri_layer_type {
    const char *name;
    size_t size; /* of its struct */
    bool gathers, whole;
    bool by_columns;                  /* every column is treated alike: two streams side by side are one wide matrix */
    bool train_only;                  /* leaves the evaluation stream as it is: dropout */
    bool shares_rows, shares_columns; /* other rows that it needs come from other processes (walk/share.h) */
    bool parts;                       /* works in place, and otherwise in each of the streams: after it they are two */
    /* Whether, in a training, each stream may go through it by itself, the evaluation first, and that stream and the
       gradient may be written over what they come from. May be NULL: no. */
    bool (*in_place)(const gpri_layer *layer, const gpri_net *net);
    /* May allocate (gpri_net_alloc); called once, after the activations have their buffers. NULL: nothing to plan. */
    gpr_status (*plan)(gpri_layer *layer, gpri_net *net);
    /* Before the rows of a forward pass, for all rows at once. May be NULL. */
    void (*prepare)(gpri_layer *layer, gpri_net *net);
    void (*forward)(gpri_layer *layer, const gpri_tile *tile, gpri_matrix y, gpri_matrix x);
    /* In place of forward, for a layer that makes both streams in one pass over its input; either may be absent. */
    void (*forward_pair)(gpri_layer *layer, const gpri_tile *tile, gpri_matrix train, gpri_matrix eval);
    /* Gradient of the input, and of the weights added to the partial sums of the tile's block. */
    void (*backward)(gpri_layer *layer, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y);
    /* After the rows of a backward pass: gradients of the weights from their partial sums. May be NULL. */
    void (*reduce)(gpri_layer *layer, gpri_net *net);
    /* Initial weights. NULL: has none. */
    void (*reset)(gpri_layer *layer, gpri_net *net);
} gpri_layer_type;

/* What all types share; a type's own struct begins with it. */
struct gpri_layer {
    const gpri_layer_type *type;
    uint32_t number; /* position in the net: the layer's key for random numbers */
    bool same;       /* what comes in is the same in both streams: it is computed once, as training stream */
    gpri_act *in, *out;
    gpri_real *partial; /* (blocks x partial_size) sums of weight gradients over blocks of rows; zeroed by the net */
    int64_t partial_size;
    gpri_real *scratch; /* (slots x tile x scratch_width), set by the plan; zeroed once */
    int64_t scratch_width;
};

enum { GPRI_MOST_LAYERS = 576, GPRI_MOST_WEIGHTS = 1024, GPRI_MOST_INPUTS = 16 };

struct gpri_net {
    gpr_ctx *ctx;
    const gpri_device *device;
    const gpri_ops *ops;
    uint64_t seed;
    uint32_t *step;     /* steps done, in the device's memory: the key of this pass's dropout */
    int streams;        /* of the present pass */
    bool trains;        /* planned for training, not for evaluation only */
    bool all_gradients; /* also fixed weights of a filter have one; set before planning */
    bool looks;         /* the training stream is the evaluation: norms go by their running means */

    gpri_walker walk; /* the graph, which of its rows this net has, and what it shares with other processes */
    gpri_features features_view;

    gpr_status status; /* of building: the first failure */
    gpri_layer *layers[GPRI_MOST_LAYERS];
    int layer_count;
    uint32_t next_number; /* of the next layer */
    gpri_act acts[GPRI_MOST_LAYERS];
    gpri_label_input labels;
    int act_count;
    gpri_act *output;
    gpri_weight weights[GPRI_MOST_WEIGHTS];
    int weight_count;
    int64_t weight_total; /* padded numbers in each block below */
    gpri_real *values, *gradients;
};

/* An empty net over a graph. The graph and the features must outlive it. */
gpr_status gpri_net_new(gpr_ctx *ctx, gpri_net **out, const gpri_device *device, const gpri_graph *graph, int threads,
                        uint64_t seed) GPRI_MUST_CHECK;
void gpri_net_free(gpri_net *net);

/* Initial weights of a product with a matrix (in x out): uniform in +-1 / sqrt(in), or in +-sqrt(6 / (in + out)). */
typedef enum gpri_init { GPRI_INIT_UNIFORM, GPRI_INIT_GLOROT } gpri_init;

/* A matrix of the graph to multiply with; in all d is a node's degree (docs/models.md). */
typedef enum gpri_graph_matrix {
    GPRI_MATRIX_GCN,  /* A~ = (D + I)^-1/2 (A + I) (D + I)^-1/2 */
    GPRI_MATRIX_MEAN, /* D^-1 A: the mean over neighbours, 0 for a node without */
    GPRI_MATRIX_CHEBY /* -D^-1/2 A D^-1/2: the Laplacian scaled to [-1, 1], with a largest eigenvalue taken as 2 */
} gpri_graph_matrix;

/* Layers, added in order; each returns its output. A failure is kept in the net, and gpri_net_plan returns it: a model
   is written down without checks. */
gpri_act *gpri_input(gpri_net *net, const gpri_features *features);
/* The same with known labels; the first product of it adds them (gpri_add_labels). */
gpri_act *gpri_input_with_labels(gpri_net *net, const gpri_features *features, const gpri_label_input *labels);
gpri_act *gpri_dropout(gpri_net *net, gpri_act *x, double probability);
/* X W + b, initial values uniform in +-1 / sqrt(columns of X). Of an X with slices W has a weight for each,
   "name.0.weight" and so on. */
gpri_act *gpri_linear(gpri_net *net, gpri_act *x, int64_t cols, const char *name);
/* [X W_0 | X W_1 | ...], `count` weights, "name.names[i]", of cols columns each. Of an X with slices, count is 1, and
   the weights are those of gpri_linear. */
gpri_act *gpri_multiply(gpri_net *net, gpri_act *x, int64_t cols, gpri_init init, const char *name,
                        const char *const *names, int64_t count);
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
/* States of a bidirectional LSTM of so many units, one layer, over the steps X_0, X_1, ... of a row:
   [t][direction][unit]. Another layer after it must read all the X too; this one adds to their gradients. */
gpri_act *gpri_lstm(gpri_net *net, gpri_act *const *inputs, int count, int64_t units, const char *name);
/* Jumping knowledge: sum_t p_t X_t, p from the states of that LSTM. */
gpri_act *gpri_jump(gpri_net *net, gpri_act *const *inputs, int count, int64_t units, const char *name);
/* M X for one slice; M X_0 + X_1 for two. */
gpri_act *gpri_propagate(gpri_net *net, gpri_act *x, gpri_graph_matrix matrix);
/* Y = (X - mean) / deviation, over all rows of a column or over a row; the first of `slices` of the output, which all
   have the columns of X. The gradient of X is added to what is there, but where nothing has written it: `first` in the
   backward pass. The streams differ from X on: X is one of gpri_begin, or comes after it. The weight of a batch norm is
   "name.running". */
typedef enum gpri_norm_kind { GPRI_BATCH_NORM, GPRI_LAYER_NORM, GPRI_NO_NORM } gpri_norm_kind;
gpri_act *gpri_norm(gpri_net *net, gpri_act *x, gpri_norm_kind kind, bool first, int64_t slices, const char *name);
/* Of X = [H | .. ], the other slices: sum_{k >= 1} Gamma_{t,k} * P_k(S_t) H for each term of the form. The weight is
   "name.gamma". */
gpri_act *gpri_hops(gpri_net *net, gpri_act *x, const gpri_filter_form *form, const char *name);
/* A copy of X to which residuals are added, X + Y in its place. */
gpri_act *gpri_begin(gpri_net *net, gpri_act *x);
gpri_act *gpri_residual(gpri_net *net, gpri_act *x, gpri_act *y);
/* Slices of X side by side, without the padding between them, as one matrix. */
gpri_act *gpri_join(gpri_net *net, gpri_act *x);
/* Of X with one slice per division of the neighbourhoods, what every node gets from its own in each: side by side, or
   their mean. The relations must outlive the net. */
gpri_act *gpri_aggregate(gpri_net *net, gpri_act *x, const gpri_relations *relations, bool mean);
/* The graph filter sum_k gamma_k A~^k X. gamma: (hops + 1), must outlive the net; learned, or fixed. */
gpri_act *gpri_gpr(gpri_net *net, gpri_act *x, int64_t hops, const double *gamma, bool fixed, const char *name);
/* The same of any form (layer/filter_form.h), whose graphs and tables must outlive the net. gamma: (rows of the form),
   or with columns (rows of the form x columns of x). The weight is "temp" where the form is single, else "filters". */
gpri_act *gpri_filters(gpri_net *net, gpri_act *x, const gpri_filter_form *form, const double *gamma, bool fixed,
                       const char *name);
/* The same with the polynomials of a basis in place of A~^k. */
gpri_act *gpri_gpr_in(gpri_net *net, gpri_act *x, const gpri_basis *basis, int64_t hops, const double *gamma,
                      bool fixed, const char *name);
/* sum_k gamma_k A~^k X of features that have all these powers (gpri_features.powers); of others, which are that sum
   already, a copy. gamma: (hops + 1), must outlive the net; learned. */
gpri_act *gpri_powers(gpri_net *net, gpri_act *x, int64_t hops, const double *gamma, const char *name);
/* Z + N W, in place, for the scores Z; N: (nodes x padded columns) counts of labels (tensor/label_counts.h), the
   host's, which must outlive the net, or NULL: nothing is added. The weight is "counts.weight". */
gpri_act *gpri_add_label_counts(gpri_net *net, gpri_act *z, const gpri_real *counts, int64_t graphs);

/* Convolutions, made of the layers above: multiply, propagate, bias. Their weights are named as PyTorch Geometric's. */
gpri_act *gpri_gcn(gpri_net *net, gpri_act *x, int64_t cols, const char *name);
gpri_act *gpri_sage(gpri_net *net, gpri_act *x, int64_t cols, const char *name);
gpri_act *gpri_cheby(gpri_net *net, gpri_act *x, int64_t cols, const char *name);
/* heads: of cols columns each; mean: of them, else side by side. */
gpri_act *gpri_gat(gpri_net *net, gpri_act *x, int64_t heads, int64_t cols, bool mean, double slope, double dropout,
                   const char *name);

/* Allocates everything: for training, or for evaluation only. `output` is what the loss is taken of. */
gpr_status gpri_net_plan(gpri_net *net, gpri_act *output, bool trains) GPRI_MUST_CHECK;
/* Initial weights from the seed; no step done. */
void gpri_net_reset(gpri_net *net);
void gpri_net_forward(gpri_net *net, int streams);
/* What the net's graph filter gets, H of eq. 1, and its weights; NULL: it has no filter. */
gpri_act *gpri_filter_input(const gpri_net *net, gpri_weight **gamma);
/* Of the gpri_hops at `number`, from 0: its slices [H | P_1 | ..], and its weights; NULL: there is no such. */
gpri_act *gpri_hops_of(const gpri_net *net, int64_t number, gpri_weight **gamma);
/* How that filter is walked, for people: out, or NULL. */
const char *gpri_filter_text(char out[GPRI_WAY_TEXT], const gpri_net *net);
/* Labels that the training stream of the last pass was shown, -1 for other nodes, and the factor of labels_show; in the
   device's memory. NULL: no label, or all that are known. */
const int32_t *gpri_net_shown(const gpri_net *net, const gpri_real **factor);
/* From output->gradient to the gradients of all weights. */
void gpri_net_backward(gpri_net *net);
/* After a backward pass: the gradient of X W, X the features, W the weights of the first layer, `width` columns of all
   its slices. That of X is this times W'. */
gpri_matrix gpri_input_gradient(const gpri_net *net, const gpri_weight **weight);
/* The output of a stream: a row for each row of the net. */
gpri_matrix gpri_net_output(const gpri_net *net, int stream);
/* The scores of the last evaluation, of all nodes: also those of other processes, which must ask too. reserve: makes
   the memory for it before. */
gpr_status gpri_net_all_scores(const gpri_net *net, gpri_matrix *out) GPRI_MUST_CHECK;
/* The same in process 0 alone; out->at is NULL in the others. */
gpr_status gpri_net_root_scores(const gpri_net *net, gpri_matrix *out) GPRI_MUST_CHECK;
gpr_status gpri_net_reserve_scores(const gpri_net *net) GPRI_MUST_CHECK;
/* Gives back what a training needs beside the scores of the last evaluation: after this the net has nothing else. */
void gpri_net_keep_scores(gpri_net *net);
/* Copies the scores of the last evaluation to the host. out: (nodes x ld); what is behind the classes stays. */
gpr_status gpri_net_scores(const gpri_net *net, gpri_real *out, int64_t ld) GPRI_MUST_CHECK;

/* ---- for the types of layers ---- */

/* A zeroed layer of that type, or NULL after a failure. out: NULL for a new activation of `cols` columns. */
void *gpri_net_add(gpri_net *net, const gpri_layer_type *type, gpri_act *in, gpri_act *out, int64_t cols);
/* Adds the rows of known labels to Y, the product of an input with labels and weights that begin in +-bound: to all its
   slices but the last where it has several, as that is the node's own. The weight is "labels.weight", or
   "labels.0.weight" and so on. */
gpri_act *gpri_add_labels(gpri_net *net, gpri_act *y, const gpri_label_input *labels, double bound);
/* Counts a layer that is not needed this time, so that those after it keep their random numbers. */
void gpri_net_skip(gpri_net *net);
/* The weight "name.own_name", with decay. stored_rows: rows and the zero rows behind them that the padding of the
   layer's input asks for. */
gpri_weight *gpri_net_weight(gpri_net *net, const char *name, const char *own_name, int64_t rows, int64_t stored_rows,
                             int64_t cols);
/* `count` of them side by side, each padded; returns the first, and the others follow it. */
gpri_weight *gpri_net_weights(gpri_net *net, const char *name, const char *const *names, int64_t count, int64_t rows,
                              int64_t stored_rows, int64_t cols);
/* Streams that the output of a layer has. */
int64_t gpri_net_streams(const gpri_net *net, const gpri_act *out);
/* Memory of the device, and the host's for operations to read, given back with the net (tensor/held.h). */
static inline GPRI_MUST_CHECK gpr_status gpri_net_alloc(gpri_net *net, void *out, int64_t count, size_t size,
                                                        bool zeroed, const char *what) {
    return gpri_held_alloc(&net->walk.held, out, count, size, zeroed, what);
}
static inline GPRI_MUST_CHECK gpr_status gpri_net_share(gpri_net *net, void *out, const void *host, int64_t count,
                                                        size_t size, const char *what) {
    return gpri_held_share(&net->walk.held, out, host, count, size, what);
}
/* The mask of a dropout with the number of that layer. */
gpri_mask gpri_net_mask(const gpri_net *net, double probability, uint32_t layer);
/* Bits of that mask for `count` elements, dealt out to the threads. */
void gpri_net_keep_bits(gpri_net *net, uint64_t *bits, const gpri_mask *mask, int64_t count);
/* The same of the elements [first, end) alone, in their places, and of some around them. */
void gpri_net_keep_some_bits(gpri_net *net, uint64_t *bits, const gpri_mask *mask, int64_t first, int64_t end);

/* Deals [0, total) out in pieces of `size` to the threads; a device that takes all rows at once gets them at once.
   work: elementary operations in all. */
typedef void (*gpri_deal_fn)(void *arg, int64_t first, int64_t end);
void gpri_net_deal(gpri_net *net, int64_t total, int64_t size, int64_t work, gpri_deal_fn fn, void *arg);
/* Rows of the tile in its stream, or of their gradient. */
gpri_matrix gpri_values(const gpri_tile *tile, const gpri_act *act);
gpri_matrix gpri_gradient(const gpri_tile *tile, const gpri_act *act);
/* The layer's scratch for the tile: (rows x scratch_width). */
gpri_real *gpri_tile_scratch(const gpri_tile *tile, const gpri_layer *layer);
/* The partial sums of the tile's block. */
gpri_real *gpri_partial(const gpri_tile *tile, const gpri_layer *layer);

/* ---- in several processes, which share the rows (walk/share.h): layer/net_share.c ---- */

/* After the layers are known: whether all of them can be dealt out, and room for what they exchange. */
gpr_status gpri_net_share_plan(gpri_net *net) GPRI_MUST_CHECK;
/* The sum over all rows of a weight on the features: hands it on from process to process. */
typedef void (*gpri_hand_on_fn)(void *arg, int64_t first, int64_t end);
void gpri_net_share_chain(gpri_net *net, gpri_weight *weight, gpri_hand_on_fn fn, void *arg);

/* Element (i, j) = number(arg, i * cols + j). */
typedef double (*gpri_number_fn)(void *arg, int64_t index);
void gpri_weight_fill(gpri_net *net, gpri_weight *weight, gpri_number_fn number, void *arg);
/* Uniform in +-bound, element (i, j) from number first + i * cols + j of the layer's stream. */
void gpri_weight_uniform(gpri_net *net, gpri_weight *weight, uint32_t layer, int64_t first, double bound);
/* rows x cols numbers of the host, without padding, into the weight. */
void gpri_weight_put(gpri_net *net, gpri_weight *weight, const float *values);
void gpri_weight_put_doubles(gpri_net *net, gpri_weight *weight, const double *values);
/* weight's gradient, and that of those that share its rows = the sum over blocks of what lies at `first` of the partial
   sums. */
void gpri_weight_reduce(gpri_net *net, gpri_weight *weight, const gpri_layer *layer, int64_t first);

#endif
