/* Bias in place: y + b, the same for every row; db = column sums of dy. For what comes after a step over the graph: A
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

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    const gpri_act *y = base->out;
    const gpri_real *b = ((bias_layer *)base)->bias->value;
    if (gpri_runs_train(net, base)) net->ops->bias_forward(gpri_train_rows(y, r0), y->ld, b, y->width, r1 - r0);
    if (gpri_runs_eval(net, base)) net->ops->bias_forward(gpri_eval_rows(y, r0, slot), y->ld, b, y->width, r1 - r0);
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    const gpri_act *y = base->out;
    net->ops->bias_backward(base->partial + block * base->partial_size, gpri_gradient_rows(y, r0, slot), y->gradient_ld,
                            y->width, r1 - r0);
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
