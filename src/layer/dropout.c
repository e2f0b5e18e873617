/* Dropout in place: with probability p a value becomes 0, else it is divided by 1 - p. The mask is a function of (seed,
 * step, layer, element), so the backward pass draws it again instead of keeping it. On the input features nothing
 * happens here: the first linear layer leaves the dropped entries out. Up to the first dropout both streams are one. */
#include "layer/net.h"

typedef struct {
    gpri_layer base;
    double probability;
    gpri_mask mask;
} dropout_layer;

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    dropout_layer *layer = (dropout_layer *)base;
    layer->mask = gpri_net_mask(net, layer->probability, base->number);
    return GPR_OK;
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    const dropout_layer *layer = (dropout_layer *)base;
    (void)x;
    if (layer->mask.rate.digits) tile->ops->dropout(y, &layer->mask, tile->first);
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    const dropout_layer *layer = (dropout_layer *)base;
    (void)dx, (void)x, (void)y;
    if (layer->mask.rate.digits) tile->ops->dropout(dy, &layer->mask, tile->first);
}

static const gpri_layer_type type = {.name = "dropout",
                                     .size = sizeof(dropout_layer),
                                     .train_only = true,
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward};

gpri_act *gpri_dropout(gpri_net *net, gpri_act *x, double probability) {
    if (x->features) { /* the layer that reads them does it */
        x->features_dropout = probability;
        x->features_dropout_layer = net->next_number;
        if (gpri_dropout_rate_of(probability).digits) x->same = false;
        gpri_net_skip(net);
        return x;
    }
    dropout_layer *layer = gpri_net_add(net, &type, x, x, 0);
    if (!layer) return x;
    layer->probability = probability;
    if (gpri_dropout_rate_of(probability).digits) x->same = false;
    return x;
}
