/* Jumping knowledge (Xu et al., ICML 2018): for each row a weighted sum of what several layers gave,
 *
 *   y = sum_t p_t x_t,  p = softmax over t of <a, h_t> + b,  h the states of an LSTM that reads x_0, x_1, ...
 *
 * Backward: q_t = <dy, x_t>, ds_t = p_t (q_t - sum_k p_k q_k), dx_t = p_t dy, dh_t = ds_t a, da = sum ds_t h_t. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "layer/net.h"

typedef struct {
    gpri_layer base; /* base.in is the first input */
    gpri_act *inputs[GPRI_MOST_INPUTS], *states;
    int count;
    int64_t state_width;        /* of one h_t */
    gpri_weight *weight, *bias; /* (state_width x 1), (1 x 1) */
    gpri_real *shares;          /* (rows x count) p, of the training stream */
} jump_layer;

enum { COLUMN = 4 }; /* padded width of one column */

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    jump_layer *layer = (jump_layer *)base;
    base->partial_size = (layer->state_width + 1) * COLUMN;
    base->scratch_width = COLUMN + layer->count;
    if (!net->trains) return GPR_OK;
    return gpri_net_alloc(net, &layer->shares, net->walk.rows.count * layer->count, sizeof(gpri_real), false,
                          "weights of layers");
}

static void reset(gpri_layer *base, gpri_net *net) {
    jump_layer *layer = (jump_layer *)base;
    double bound = 1 / sqrt((double)layer->state_width);
    gpri_weight_uniform(net, layer->weight, base->number, 0, bound);
    gpri_weight_uniform(net, layer->bias, base->number, layer->state_width, bound);
}

/* Scratch of a tile: a column with its padding, and (rows x count). */
static gpri_matrix column_scratch(const jump_layer *layer, const gpri_tile *tile) {
    return gpri_packed(gpri_tile_scratch(tile, &layer->base), tile->rows, COLUMN);
}
static gpri_matrix share_scratch(const jump_layer *layer, const gpri_tile *tile) {
    return gpri_packed(gpri_tile_scratch(tile, &layer->base) + tile->net->walk.rows.tile * COLUMN, tile->rows,
                       layer->count);
}
/* p of the training stream. */
static gpri_matrix kept_shares(const jump_layer *layer, const gpri_tile *tile) {
    int64_t row = tile->first - tile->net->walk.rows.first;
    return gpri_packed(layer->shares + row * layer->count, tile->rows, layer->count);
}
/* h_t among the states. */
static gpri_matrix state_of(const jump_layer *layer, gpri_matrix states, int t) {
    return gpri_columns_of(states, t * layer->state_width, layer->state_width);
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    jump_layer *layer = (jump_layer *)base;
    const gpri_ops *ops = tile->ops;
    gpri_matrix column = column_scratch(layer, tile), states = gpri_values(tile, layer->states);
    gpri_matrix p = tile->stream == GPRI_TRAIN_STREAM ? kept_shares(layer, tile) : share_scratch(layer, tile);
    (void)x;
    for (int t = 0; t < layer->count; t++) {
        ops->linear_forward(column, state_of(layer, states, t), layer->weight->value, layer->bias->value);
        ops->copy(gpri_columns_of(p, t, 1), column);
    }
    ops->softmax_forward(p);
    ops->zero(y);
    for (int t = 0; t < layer->count; t++)
        ops->head_add(y, gpri_columns_of(p, t, 1), gpri_values(tile, layer->inputs[t]), 1, y.width);
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    jump_layer *layer = (jump_layer *)base;
    const gpri_ops *ops = tile->ops;
    gpri_matrix p = kept_shares(layer, tile), q = share_scratch(layer, tile), column = column_scratch(layer, tile);
    gpri_matrix states = gpri_values(tile, layer->states), d_states = gpri_gradient(tile, layer->states);
    gpri_real *da = gpri_partial(tile, base);
    (void)dx, (void)x, (void)y;
    for (int t = 0; t < layer->count; t++) {
        gpri_matrix dx_t = gpri_gradient(tile, layer->inputs[t]);
        ops->head_dots(gpri_columns_of(q, t, 1), dy, gpri_values(tile, layer->inputs[t]), 1, dy.width);
        ops->zero(dx_t);
        ops->head_add(dx_t, gpri_columns_of(p, t, 1), dy, 1, dy.width);
    }
    ops->softmax_backward(q, p);
    ops->zero(column);
    for (int t = 0; t < layer->count; t++) {
        ops->copy(gpri_columns_of(column, 0, 1), gpri_columns_of(q, t, 1));
        ops->linear_backward(state_of(layer, d_states, t), da, da + layer->state_width * COLUMN, column,
                             state_of(layer, states, t), layer->weight->value);
    }
}

static void reduce(gpri_layer *base, gpri_net *net) {
    jump_layer *layer = (jump_layer *)base;
    gpri_weight_reduce(net, layer->weight, base, 0);
    gpri_weight_reduce(net, layer->bias, base, layer->state_width * COLUMN);
}

static const gpri_layer_type type = {.name = "jumping knowledge",
                                     .size = sizeof(jump_layer),
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward,
                                     .reduce = reduce,
                                     .reset = reset};

gpri_act *gpri_jump(gpri_net *net, gpri_act *const *inputs, int count, int64_t units, const char *name) {
    char lstm[32], att[32];
    snprintf(lstm, sizeof lstm, "%s.lstm", name);
    snprintf(att, sizeof att, "%s.att", name);
    gpri_act *states = gpri_lstm(net, inputs, count, units, lstm);
    jump_layer *layer = gpri_net_add(net, &type, inputs[0], NULL, inputs[0]->cols);
    if (!layer) return inputs[0];
    memcpy(layer->inputs, inputs, (size_t)count * sizeof *inputs);
    layer->states = states;
    layer->count = count;
    layer->state_width = 2 * units;
    layer->weight = gpri_net_weight(net, att, "weight", 2 * units, 2 * units, 1);
    layer->bias = gpri_net_weight(net, att, "bias", 1, 1, 1);
    layer->base.same = layer->base.out->same = states->same;
    return layer->base.out;
}
