/* Dropout in place: with probability p a value becomes 0, else it is divided by 1 - p. The mask is a function of (seed,
 * epoch, layer, element), so the backward pass draws it again instead of keeping it. On the input features nothing
 * happens here: the first linear layer leaves the dropped entries out. Up to the first dropout both streams are one;
 * here they part. */
#include <string.h>

#include "layer/net.h"

typedef struct {
    gpri_layer base;
    gpri_dropout_rate rate;
} dropout_layer;

static void thin(const dropout_layer *layer, gpri_net *net, gpri_real *x, int64_t ld, int64_t r0, int64_t r1) {
    gpri_stream stream = gpri_stream_of(net->seed, GPRI_RANDOM_DROPOUT, net->epoch, layer->base.number);
    net->ops->dropout(x, ld, layer->base.out->cols, stream, layer->rate, r0, r1);
}

static bool does_nothing(const dropout_layer *layer) { return layer->base.in->features || !layer->rate.digits; }

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    const dropout_layer *layer = (dropout_layer *)base;
    const gpri_act *x = base->out;
    if (does_nothing(layer)) return;
    if (base->same && net->streams & GPRI_EVAL_STREAM)
        for (int64_t i = 0; i < r1 - r0; i++)
            memcpy(gpri_eval_rows(x, r0, slot) + i * x->ld, gpri_train_rows(x, r0) + i * x->ld,
                   (size_t)x->width * sizeof(gpri_real));
    if (net->streams & GPRI_TRAIN_STREAM) thin(layer, net, gpri_train_rows(x, r0), x->ld, r0, r1);
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)block;
    const dropout_layer *layer = (dropout_layer *)base;
    if (does_nothing(layer)) return;
    thin(layer, net, gpri_gradient_rows(base->out, r0, slot), base->out->gradient_ld, r0, r1);
}

static const gpri_layer_type type = {
    .name = "dropout", .size = sizeof(dropout_layer), .forward = forward, .backward = backward};

gpri_act *gpri_dropout(gpri_net *net, gpri_act *x, double probability) {
    dropout_layer *layer = gpri_net_add(net, &type, x, x, 0);
    if (!layer) return x;
    layer->rate = gpri_dropout_rate_of(probability);
    if (layer->rate.digits) x->same = false;
    if (x->features) {
        x->features_dropout = probability;
        x->features_dropout_layer = layer->base.number;
    }
    return x;
}
