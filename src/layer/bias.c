/* Bias in place: y + b, the same for every row; db = column sums of dy. For what comes after a step over the graph: a
 * linear layer has its own. Initial values: uniform within a bound. */
#include "layer/net.h"

typedef struct {
    gpri_layer base;
    gpri_weight *bias; /* (1 x cols) */
    double bound;
} bias_layer;

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    (void)net;
    base->partial_size = base->out->width;
    return GPR_OK;
}

static void reset(gpri_layer *base, gpri_net *net) {
    bias_layer *layer = (bias_layer *)base;
    if (layer->bound > 0) gpri_weight_uniform(net, layer->bias, base->number, 0, layer->bound);
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    (void)x;
    tile->ops->bias_forward(y, ((bias_layer *)base)->bias->value);
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    (void)dx, (void)x, (void)y;
    tile->ops->bias_backward(gpri_partial(tile, base), dy);
}

static void reduce(gpri_layer *base, gpri_net *net) { gpri_weight_reduce(net, ((bias_layer *)base)->bias, base, 0); }

static const gpri_layer_type type = {.name = "bias",
                                     .size = sizeof(bias_layer),
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward,
                                     .reduce = reduce,
                                     .reset = reset};

gpri_act *gpri_bias(gpri_net *net, gpri_act *x, double bound, const char *name) {
    bias_layer *layer = gpri_net_add(net, &type, x, x, 0);
    if (!layer) return x;
    layer->bound = bound;
    layer->bias = gpri_net_weight(net, name, "bias", 1, 1, x->cols);
    return x;
}
