/* Slices side by side, each padded, become one matrix: its real columns follow each other without gaps, as a product or
 * a dropout needs them. Y = [X_0 | X_1 | ...]; dX_p are the columns of dY. */
#include "layer/net.h"

static void forward(gpri_layer *layer, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    int64_t slices = layer->in->slices, cols = layer->in->cols, padded = layer->in->width / slices;
    for (int64_t p = 0; p < slices; p++)
        tile->ops->copy(gpri_columns_of(y, p * cols, cols), gpri_columns_of(x, p * padded, cols));
    tile->ops->zero(gpri_columns_of(y, y.cols, y.width - y.cols));
}

static void backward(gpri_layer *layer, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    int64_t slices = layer->in->slices, cols = layer->in->cols, padded = layer->in->width / slices;
    (void)x, (void)y;
    for (int64_t p = 0; p < slices; p++) {
        tile->ops->copy(gpri_columns_of(dx, p * padded, cols), gpri_columns_of(dy, p * cols, cols));
        tile->ops->zero(gpri_columns_of(dx, p * padded + cols, padded - cols));
    }
}

static const gpri_layer_type type = {
    .name = "join", .size = sizeof(gpri_layer), .forward = forward, .backward = backward};

gpri_act *gpri_join(gpri_net *net, gpri_act *x) {
    int64_t cols = x->cols * x->slices;
    if (gpri_padded(cols) == x->width && x->width == cols) { /* there are no gaps */
        x->cols = cols;
        x->slices = 1;
        gpri_net_skip(net);
        return x;
    }
    gpri_layer *layer = gpri_net_add(net, &type, x, NULL, cols);
    return layer ? layer->out : x;
}
