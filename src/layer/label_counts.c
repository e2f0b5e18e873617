/* Counts of known labels (tensor/label_counts.h), in place: Z + N W, N (nodes x columns) constant; dW = N' dZ. It comes
 * after all steps over the graph: behind it a node would get its own label back from its neighbours. Initial W: 0, so a
 * training begins as without it. Its layer takes a number from the end of the numbers, as that of gpri_add_labels. */
#include "tensor/label_counts.h"
#include "layer/net.h"

enum { COUNTS_NUMBER = 0xfffe };

typedef struct {
    gpri_layer base;
    gpri_weight *weight;            /* (columns x classes) */
    const gpri_real *host, *counts; /* (nodes x ld) N, and in the device's memory; NULL: there are none */
    int64_t columns, ld;
} counts_layer;

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    counts_layer *layer = (counts_layer *)base;
    base->partial_size = (layer->ld + 1) * base->out->width;
    base->scratch_width = base->out->width > layer->ld ? base->out->width : layer->ld;
    return gpri_net_share(net, &layer->counts, layer->host, net->walk.rows.nodes * layer->ld, sizeof *layer->counts,
                          "counts of labels");
}

/* Rows of the tile: of N; and of the scratch, as wide as asked for. */
static gpri_matrix counts_of(const counts_layer *layer, const gpri_tile *tile) {
    gpri_real *at = (gpri_real *)(uintptr_t)layer->counts; /* never written */
    return (gpri_matrix){at + tile->first * layer->ld, tile->rows, layer->columns, layer->ld, layer->ld};
}

static gpri_matrix scratch_of(const counts_layer *layer, const gpri_tile *tile, int64_t cols, int64_t width) {
    return (gpri_matrix){gpri_tile_scratch(tile, &layer->base), tile->rows, cols, width, width};
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    const counts_layer *layer = (const counts_layer *)base;
    const gpri_matrix product = scratch_of(layer, tile, y.cols, y.width);
    (void)x;
    if (!layer->counts) return;
    tile->ops->linear_forward(product, counts_of(layer, tile), layer->weight->value, NULL);
    tile->ops->add(y, product);
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    const counts_layer *layer = (const counts_layer *)base;
    gpri_real *dw = gpri_partial(tile, base), *unused = dw + layer->ld * dy.width;
    (void)dx, (void)x, (void)y;
    if (!layer->counts) return;
    tile->ops->linear_backward(scratch_of(layer, tile, layer->columns, layer->ld), dw, unused, dy,
                               counts_of(layer, tile), layer->weight->value);
}

static void reduce(gpri_layer *base, gpri_net *net) {
    gpri_weight_reduce(net, ((counts_layer *)base)->weight, base, 0);
}

static const gpri_layer_type type = {.name = "counts of labels",
                                     .size = sizeof(counts_layer),
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward,
                                     .reduce = reduce};

gpri_act *gpri_add_label_counts(gpri_net *net, gpri_act *z, const gpri_real *counts, int64_t graphs) {
    counts_layer *layer = gpri_net_add(net, &type, z, z, 0);
    if (!layer) return z;
    layer->base.number = COUNTS_NUMBER;
    net->next_number--;
    layer->host = counts;
    layer->columns = gpri_label_count_columns(z->cols, graphs);
    layer->ld = gpri_padded(layer->columns);
    layer->weight = gpri_net_weight(net, "counts", "weight", layer->columns, layer->ld, z->cols);
    return z;
}
