/* ReLU in place: y = max(x, 0); dx = dy where y > 0. */
#include "layer/net.h"

static void forward(gpri_layer *layer, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    (void)layer, (void)x;
    tile->ops->relu_forward(y);
}

static void backward(gpri_layer *layer, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    (void)layer, (void)dx, (void)x;
    tile->ops->relu_backward(dy, y);
}

static const gpri_layer_type type = {
    .name = "relu", .size = sizeof(gpri_layer), .forward = forward, .backward = backward};

gpri_act *gpri_relu(gpri_net *net, gpri_act *x) {
    gpri_net_add(net, &type, x, x, 0);
    return x;
}
