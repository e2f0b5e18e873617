/* ELU: y = x where x > 0, else exp(x) - 1; dx = dy where x > 0, else dy exp(x). Not in place: the derivative needs x,
 * or y before a dropout that follows. */
#include "layer/net.h"

static void forward(gpri_layer *layer, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    (void)layer;
    tile->ops->elu_forward(y, x);
}

static void backward(gpri_layer *layer, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    (void)layer, (void)y;
    tile->ops->elu_backward(dx, dy, x);
}

static const gpri_layer_type type = {
    .name = "elu", .size = sizeof(gpri_layer), .forward = forward, .backward = backward};

gpri_act *gpri_elu(gpri_net *net, gpri_act *x) {
    gpri_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    return layer ? layer->out : x;
}
