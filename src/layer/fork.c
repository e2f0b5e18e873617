/* Fork: a copy y of x, where two layers need x. Every activation has one layer that reads it last and writes its
 * gradient; every other reader reads a copy. dx += dy: when the backward pass comes here, dx has what the layers after
 * the fork left there. The copy is kept for all rows, so that a layer further on may read it. */
#include "layer/net.h"

static void forward(gpri_layer *layer, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    (void)layer;
    tile->ops->copy(y, x);
}

static void backward(gpri_layer *layer, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    (void)layer, (void)x, (void)y;
    tile->ops->add(dx, dy);
}

static const gpri_layer_type type = {
    .name = "fork", .size = sizeof(gpri_layer), .forward = forward, .backward = backward};

gpri_act *gpri_fork(gpri_net *net, gpri_act *x) {
    gpri_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    layer->out->whole = layer->out->whole_gradient = true;
    return layer->out;
}
