/* S = sum_k gamma_k X_k of features X_k = A~^k X that were computed before the training (walk/powers.h):
 *
 *     dgamma_k = <X_k, dS>, and nothing else is to be learned below it.
 *
 * The graph is not needed any more, so a row of S needs that row of the X_k alone. A tile of S stays in the cache while
 * the X_k are added to it one by one; each number of the features is read once per pass. */
#include "layer/net.h"

typedef struct {
    gpri_layer base;
    gpri_weight *gamma;    /* (1 x count) */
    const double *initial; /* (count) */
    int64_t count;         /* K + 1 */
} powers_layer;

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    const powers_layer *layer = (powers_layer *)base;
    base->partial_size = layer->gamma->width;
    if (net->trains) base->scratch_width = layer->gamma->width;
    return GPR_OK;
}

static void reset(gpri_layer *base, gpri_net *net) {
    powers_layer *layer = (powers_layer *)base;
    gpri_weight_put_doubles(net, layer->gamma, layer->initial);
}

/* The rows of X_k. */
static gpri_matrix power(const gpri_tile *tile, int64_t k, int64_t cols, int64_t width) {
    const gpri_features *x = &tile->net->features_view;
    return (gpri_matrix){x->dense + tile->first * x->ld + k * width, tile->rows, cols, width, x->ld};
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    const powers_layer *layer = (powers_layer *)base;
    (void)x;
    if (tile->net->features_view.powers == 0) {
        tile->ops->copy(y, power(tile, 0, y.cols, y.width));
        return;
    }
    tile->ops->zero(y);
    for (int64_t k = 0; k < layer->count; k++) {
        const gpri_matrix gamma = {layer->gamma->value + k, tile->rows, 1, 1, 0}; /* the same in every row */
        tile->ops->head_add(y, gamma, power(tile, k, y.cols, y.width), 1, y.width);
    }
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    const powers_layer *layer = (powers_layer *)base;
    const int64_t width = base->scratch_width;
    const gpri_matrix dots = {gpri_tile_scratch(tile, base), tile->rows, layer->count, width, width};
    (void)dx, (void)x;
    for (int64_t k = 0; k < layer->count; k++) {
        const gpri_matrix column = {dots.at + k, tile->rows, 1, 1, width};
        tile->ops->head_dots(column, power(tile, k, y.cols, y.width), dy, 1, y.width);
    }
    tile->ops->bias_backward(gpri_partial(tile, base), dots);
}

static void reduce(gpri_layer *base, gpri_net *net) { gpri_weight_reduce(net, ((powers_layer *)base)->gamma, base, 0); }

static const gpri_layer_type type = {.name = "sum of powers",
                                     .size = sizeof(powers_layer),
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward,
                                     .reduce = reduce,
                                     .reset = reset};

gpri_act *gpri_powers(gpri_net *net, gpri_act *x, int64_t hops, const double *gamma, const char *name) {
    powers_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    layer->count = hops + 1;
    layer->initial = gamma;
    layer->gamma = gpri_net_weight(net, name, "temp", 1, 1, hops + 1);
    if (!layer->gamma) return layer->base.out;
    layer->gamma->decay = false;
    return layer->base.out;
}
