/* Residuals: x + y, in place of x, y of the same shape. dy = dx, and dx stays for what comes before. x begins as a copy
 * of what made it, which needs its own values in the backward pass; there the two streams part. */
#include "layer/net.h"

/* "In" is y, "out" is x. */
static void forward(gpri_layer *layer, const gpri_tile *tile, gpri_matrix x, gpri_matrix y) {
    (void)layer;
    tile->ops->add(x, y);
}

static void backward(gpri_layer *layer, const gpri_tile *tile, gpri_matrix dy, gpri_matrix dx, gpri_matrix y,
                     gpri_matrix x) {
    (void)layer, (void)x, (void)y;
    tile->ops->copy(dy, dx);
}

static const gpri_layer_type type = {
    .name = "residual", .size = sizeof(gpri_layer), .forward = forward, .backward = backward};

gpri_act *gpri_residual(gpri_net *net, gpri_act *x, gpri_act *y) {
    gpri_net_add(net, &type, y, x, 0);
    return x;
}

/* The streams of X, or what both are so far. */
static void begin(gpri_layer *layer, const gpri_tile *tile, gpri_matrix train, gpri_matrix eval) {
    gpri_tile from = *tile;
    for (int stream = GPRI_TRAIN_STREAM; stream <= GPRI_EVAL_STREAM; stream++) {
        const gpri_matrix to = stream == GPRI_TRAIN_STREAM ? train : eval;
        from.stream = layer->in->same ? GPRI_TRAIN_STREAM : stream;
        if (to.at) tile->ops->copy(to, gpri_values(&from, layer->in));
    }
}

static void begin_back(gpri_layer *layer, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                       gpri_matrix y) {
    (void)layer, (void)x, (void)y;
    tile->ops->copy(dx, dy);
}

static const gpri_layer_type beginning = {
    .name = "begin", .size = sizeof(gpri_layer), .forward_pair = begin, .backward = begin_back};

gpri_act *gpri_begin(gpri_net *net, gpri_act *x) {
    gpri_layer *layer = gpri_net_add(net, &beginning, x, NULL, x->cols);
    if (!layer) return x;
    layer->same = layer->out->same = false;
    layer->out->whole = layer->out->whole_gradient = true;
    return layer->out;
}
