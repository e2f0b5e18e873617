/* ReLU in place: y = max(x, 0); dx = dy where y > 0. */
#include "layer/net.h"

/* Rows that follow each other without gaps are one long row. */
static void each_row(void (*op)(gpri_real *, int64_t), gpri_real *y, int64_t ld, int64_t rows, int64_t width) {
    if (ld == width) {
        op(y, rows * width);
        return;
    }
    for (int64_t i = 0; i < rows; i++) op(y + i * ld, width);
}

static void forward(gpri_layer *layer, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    const gpri_act *y = layer->out;
    if (gpri_runs_train(net, layer)) each_row(net->ops->relu_forward, gpri_train_rows(y, r0), y->ld, r1 - r0, y->width);
    if (gpri_runs_eval(net, layer))
        each_row(net->ops->relu_forward, gpri_eval_rows(y, r0, slot), y->ld, r1 - r0, y->width);
}

static void backward(gpri_layer *layer, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)block;
    const gpri_act *y = layer->out;
    gpri_real *dy = gpri_gradient_rows(y, r0, slot), *value = gpri_train_rows(y, r0);
    for (int64_t i = 0; i < r1 - r0; i++) net->ops->relu_backward(dy + i * y->gradient_ld, value + i * y->ld, y->width);
}

static const gpri_layer_type type = {
    .name = "relu", .size = sizeof(gpri_layer), .forward = forward, .backward = backward};

gpri_act *gpri_relu(gpri_net *net, gpri_act *x) {
    gpri_net_add(net, &type, x, x, 0);
    return x;
}
