/* ELU: y = x where x > 0, else exp(x) - 1; dx = dy where x > 0, else dy exp(x). Not in place: the derivative wants x,
 * or y before a dropout that follows. */
#include "layer/net.h"

static void forward(gpri_layer *layer, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    const gpri_act *x = layer->in, *y = layer->out;
    for (int64_t i = 0; i < r1 - r0; i++) {
        if (gpri_runs_train(net, layer))
            net->ops->elu_forward(gpri_train_rows(y, r0 + i), gpri_train_rows(x, r0 + i), y->width);
        if (gpri_runs_eval(net, layer))
            net->ops->elu_forward(gpri_eval_rows(y, r0, slot) + i * y->ld, gpri_eval_rows(x, r0, slot) + i * x->ld,
                                  y->width);
    }
}

static void backward(gpri_layer *layer, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)block;
    const gpri_act *x = layer->in, *y = layer->out;
    for (int64_t i = 0; i < r1 - r0; i++)
        net->ops->elu_backward(gpri_gradient_rows(x, r0, slot) + i * x->gradient_ld,
                               gpri_gradient_rows(y, r0, slot) + i * y->gradient_ld, gpri_train_rows(x, r0 + i),
                               y->width);
}

static const gpri_layer_type type = {
    .name = "elu", .size = sizeof(gpri_layer), .forward = forward, .backward = backward};

gpri_act *gpri_elu(gpri_net *net, gpri_act *x) {
    gpri_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    return layer ? layer->out : x;
}
