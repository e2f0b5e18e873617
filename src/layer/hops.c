/* What comes over the hops, without the node's own: X has a slice for the node, H, and one for each term t of a form
 * (layer/filter_form.h), which gets
 *
 *     P_t = sum_{k=1}^{K} Gamma_{t,k} * P_k(S_t) H        dH += sum_{t,k} Gamma_{t,k} * P_k(S_t') dP_t
 *
 * * by columns: Gamma_{t,k} is a number for each column of H, or one for all. dGamma_{t,k} = <H, P_k(S_t') dP_t>, by
 * columns or in all. The hops are not kept (walk/polynomial.h). */
#include "layer/filter_turn.h"
#include "layer/net.h"
#include "walk/polynomial.h"

typedef struct {
    gpri_layer base;
    gpri_weight *gamma; /* (terms K x cols), or of one number for all columns (1 x terms K) */
    gpri_filter_form form;
    gpri_operator *operators; /* (terms) */
    gpri_polynomial *walks;   /* (terms), each adds: H has gamma_0, and is not theirs */
} hops_layer;

static int64_t slice_width(const hops_layer *layer) { return layer->base.in->width / layer->base.in->slices; }

/* Where gamma_0 of a term would be, which nobody reads. */
static int64_t place_of(const hops_layer *layer, int term) {
    return (term * layer->form.hops - 1) * (layer->form.columns ? layer->gamma->width : 1);
}

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    hops_layer *layer = (hops_layer *)base;
    const gpri_filter_form *form = &layer->form;
    const int64_t width = slice_width(layer);
    NEED(gpri_held_keep(&net->walk.held, &layer->operators, form->count, sizeof *layer->operators, "hops"));
    NEED(gpri_held_keep(&net->walk.held, &layer->walks, form->count, sizeof *layer->walks, "hops"));
    for (int t = 0; t < form->count; t++) {
        NEED(gpri_filter_operator(&layer->operators[t], net, &form->terms[t], form->loops));
        layer->walks[t] = (gpri_polynomial){.walker = &net->walk,
                                            .s = &layer->operators[t],
                                            .basis = &form->basis,
                                            .degree = form->hops,
                                            .theta = layer->gamma->value + place_of(layer, t),
                                            .dtheta = net->trains ? layer->gamma->gradient + place_of(layer, t) : NULL,
                                            .each = form->columns,
                                            .adds = true,
                                            .apart = true,
                                            .scratch = t > 0 ? layer->walks[0].scratch : NULL,
                                            .way = gpri_way_of(&net->walk, base->in->cols, width, 1, false, false),
                                            .width = width,
                                            .streams = 1,
                                            .trains = net->trains};
        NEED(gpri_polynomial_plan(&layer->walks[t]));
    }
    return GPR_OK;
}

/* Each hop counts alike at first. */
static double first_gamma(void *arg, int64_t index) {
    (void)index;
    return 1 / (double)*(const int64_t *)arg;
}

static void reset(gpri_layer *base, gpri_net *net) {
    hops_layer *layer = (hops_layer *)base;
    gpri_weight_fill(net, layer->gamma, first_gamma, &layer->form.hops);
}

static gpri_matrix slice(const hops_layer *layer, gpri_matrix x, int64_t number) {
    gpri_matrix part = gpri_columns_of(x, number * slice_width(layer), slice_width(layer));
    part.cols = layer->base.in->cols;
    return part;
}

typedef struct {
    const gpri_net *net;
    gpri_matrix p;
} zero_work;

static void zero_rows(void *arg, gpri_chunk rows) {
    const zero_work *w = arg;
    w->net->ops->zero(gpri_rows_of(w->p, gpri_walker_place(&w->net->walk, rows.first), rows.count));
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    const hops_layer *layer = (hops_layer *)base;
    (void)x; /* in place */
    for (int t = 0; t < layer->form.count; t++) {
        zero_work w = {tile->net, slice(layer, y, 1 + t)};
        gpri_walker_rows(&tile->net->walk, w.p.width / 4, zero_rows, &w);
        gpri_polynomial_apply(&layer->walks[t], w.p, slice(layer, y, 0), w.p);
    }
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    const hops_layer *layer = (hops_layer *)base;
    const gpri_matrix h = slice(layer, x, 0), dh = slice(layer, dx, 0);
    (void)tile;
    for (int t = 0; t < layer->form.count; t++)
        gpri_polynomial_learn(&layer->walks[t], dh, slice(layer, dy, 1 + t), h, slice(layer, y, 1 + t), dh);
}

static const gpri_layer_type type = {.name = "hops",
                                     .size = sizeof(hops_layer),
                                     .whole = true,
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward,
                                     .reset = reset};

gpri_act *gpri_hops(gpri_net *net, gpri_act *x, const gpri_filter_form *form, const char *name) {
    const int64_t rows = form->count * form->hops;
    hops_layer *layer = gpri_net_add(net, &type, x, x, 0);
    if (!layer) return x;
    layer->form = *form;
    if (form->columns) layer->gamma = gpri_net_weight(net, name, "gamma", rows, rows, x->cols);
    else layer->gamma = gpri_net_weight(net, name, "gamma", 1, 1, rows);
    if (layer->gamma) layer->gamma->decay = false;
    return x;
}

gpri_act *gpri_hops_of(const gpri_net *net, int64_t number, gpri_weight **gamma) {
    for (int i = 0; i < net->layer_count; i++) {
        if (net->layers[i]->type != &type || number-- > 0) continue;
        *gamma = ((const hops_layer *)net->layers[i])->gamma;
        return net->layers[i]->out;
    }
    *gamma = NULL;
    return NULL;
}
