/* Known labels as an input, in place: Y_i += E[label of node i] for the nodes whose label is shown; dE of a class = the
 * sum of dY_i over them. In the evaluation stream all known labels are shown. In the training stream a random share is,
 * drawn again in every step, and the loss is that of the other nodes: so no node sees its own label where it counts.
 *
 * E is what the first product would add for one column per class beside the features, 1 where the label is shown. Its
 * layer takes a number from the end of the numbers: those of all other layers, and so their random numbers, are the
 * same with and without it. */
#include <stdio.h>

#include "layer/net.h"

enum { LABELS_NUMBER = 0xffff };

typedef struct {
    gpri_layer base;
    gpri_weight *rows; /* (classes x cols) E; those of the other slices follow it */
    int64_t slices;    /* of Y, from the first, that it is added to */
    double bound;      /* of its initial values */
    gpri_label_input input;
    const int32_t *known; /* (nodes) in the device's memory; NULL: none is */
    int32_t *shown;       /* (nodes) in the training stream; NULL: all that are known */
    gpri_real *factor;    /* of labels_show */
    gpri_mask mask;
    uint64_t *keep; /* one bit per node; set: it may be shown */
} labels_layer;

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    labels_layer *layer = (labels_layer *)base;
    const int64_t nodes = net->walk.rows.nodes;
    base->partial_size = layer->rows->size;
    NEED(gpri_net_share(net, &layer->known, layer->input.known, nodes, sizeof *layer->known, "known labels"));
    if (!net->trains || !base->type->parts) return GPR_OK;
    layer->mask = gpri_net_mask(net, 1 - layer->input.share, 0);
    layer->mask.purpose = GPRI_RANDOM_LABELS;
    NEED(gpri_net_alloc(net, &layer->keep, gpri_keep_words(nodes), sizeof *layer->keep, true, "known labels"));
    NEED(gpri_net_alloc(net, &layer->shown, nodes, sizeof *layer->shown, false, "known labels"));
    NEED(gpri_net_alloc(net, &layer->factor, 1, sizeof *layer->factor, true, "known labels"));
    return GPR_OK;
}

static void reset(gpri_layer *base, gpri_net *net) {
    labels_layer *layer = (labels_layer *)base;
    const int64_t size = layer->rows->rows * layer->rows->cols;
    for (int64_t p = 0; p < layer->slices; p++)
        gpri_weight_uniform(net, &layer->rows[p], base->number, p * size, layer->bound);
}

static void prepare(gpri_layer *base, gpri_net *net) {
    labels_layer *layer = (labels_layer *)base;
    if (!layer->shown || !layer->known || !(net->streams & GPRI_TRAIN_STREAM)) return;
    gpri_net_keep_bits(net, layer->keep, &layer->mask, net->walk.rows.nodes);
    net->ops->labels_show(layer->shown, layer->factor, layer->known, layer->keep, net->walk.rows.nodes);
}

static const int32_t *shown_in(const labels_layer *layer, const gpri_tile *tile) {
    return layer->known && layer->shown && tile->stream == GPRI_TRAIN_STREAM ? layer->shown : layer->known;
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    const labels_layer *layer = (labels_layer *)base;
    const int32_t *shown = shown_in(layer, tile);
    (void)x;
    if (shown)
        tile->ops->labels_forward(gpri_columns_of(y, 0, layer->rows->width), layer->rows->value, shown, tile->first);
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    const labels_layer *layer = (labels_layer *)base;
    const int32_t *shown = shown_in(layer, tile);
    (void)dx, (void)x, (void)y;
    if (shown)
        tile->ops->labels_backward(gpri_partial(tile, base), gpri_columns_of(dy, 0, layer->rows->width), shown,
                                   tile->first);
}

static void reduce(gpri_layer *base, gpri_net *net) { gpri_weight_reduce(net, ((labels_layer *)base)->rows, base, 0); }

/* A share of the known labels in the training stream; or all of them in both. */
static const gpri_layer_type of_share = {.name = "known labels",
                                         .size = sizeof(labels_layer),
                                         .parts = true,
                                         .plan = plan,
                                         .prepare = prepare,
                                         .forward = forward,
                                         .backward = backward,
                                         .reduce = reduce,
                                         .reset = reset};
static const gpri_layer_type of_all = {.name = "all known labels",
                                       .size = sizeof(labels_layer),
                                       .plan = plan,
                                       .forward = forward,
                                       .backward = backward,
                                       .reduce = reduce,
                                       .reset = reset};

gpri_act *gpri_add_labels(gpri_net *net, gpri_act *y, const gpri_label_input *labels, double bound) {
    static const char *const names[] = {"0.weight", "1.weight", "2.weight", "3.weight",
                                        "4.weight", "5.weight", "6.weight", "7.weight"};
    static const char *const one[] = {"weight"};
    const bool all = labels->share >= 1;
    const int64_t slices = y->slices > 1 ? y->slices - 1 : 1;
    if (slices > (int64_t)(sizeof names / sizeof *names)) {
        net->status = gpri_fail(GPR_ERROR_ARGUMENT, "known labels for more than 8 slices");
        return y;
    }
    labels_layer *layer = gpri_net_add(net, all ? &of_all : &of_share, y, y, 0);
    if (!layer) return y;
    layer->base.number = LABELS_NUMBER;
    net->next_number--;
    layer->input = *labels;
    layer->slices = slices;
    layer->bound = bound;
    layer->rows =
        gpri_net_weights(net, "labels", slices > 1 ? names : one, slices, labels->classes, labels->classes, y->cols);
    if (!all) y->same = false;
    return y;
}

const int32_t *gpri_net_shown(const gpri_net *net, const gpri_real **factor) {
    for (int i = 0; i < net->layer_count; i++) {
        const labels_layer *layer = (const labels_layer *)net->layers[i];
        if (net->layers[i]->type != &of_share || !layer->known) continue;
        *factor = layer->factor;
        return layer->shown;
    }
    *factor = NULL;
    return NULL;
}
