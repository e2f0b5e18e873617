/* Dropout in place: with probability p a value becomes 0, else it is divided by 1 - p. The mask is a function of (seed,
 * epoch, layer, element), so the backward pass draws it again instead of keeping it. On the input features nothing
 * happens here: the first linear layer leaves the dropped entries out. */
#include "layer/net.h"

typedef struct {
    gpri_layer base;
    gpri_dropout_rate rate;
} dropout_layer;

static void thin(const dropout_layer *layer, gpri_net *net, gpri_real *x, int64_t ld, int64_t r0, int64_t r1) {
    if (layer->base.in->features || !layer->rate.digits) return;
    gpri_stream stream = gpri_stream_of(net->seed, GPRI_RANDOM_DROPOUT, net->epoch, layer->base.number);
    net->ops->dropout(x, ld, layer->base.out->cols, stream, layer->rate, r0, r1);
}

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    (void)slot;
    if (net->streams & GPRI_TRAIN_STREAM && !base->in->features)
        thin((dropout_layer *)base, net, gpri_train_rows(base->out, r0), base->out->ld, r0, r1);
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)block;
    if (!base->in->features)
        thin((dropout_layer *)base, net, gpri_gradient_rows(base->out, r0, slot), base->out->gradient_ld, r0, r1);
}

static const gpri_layer_type type = {
    .name = "dropout", .size = sizeof(dropout_layer), .forward = forward, .backward = backward};

gpri_act *gpri_dropout(gpri_net *net, gpri_act *x, double probability) {
    dropout_layer *layer = gpri_net_add(net, &type, x, x, 0);
    if (!layer) return x;
    layer->rate = gpri_dropout_rate_of(probability);
    if (x->features) {
        x->features_dropout = probability;
        x->features_dropout_layer = layer->base.number;
    }
    return x;
}
