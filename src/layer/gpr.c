/* The graph filter: Z = sum_{k=0}^{K} gamma_k A~^k H  (eq. 1 of the paper), H (rows x C), A~ = S (A + I) S, S = D^-1/2.
 *
 *     dH = sum_k gamma_k B_k,   dgamma_k = <H, B_k>,   B_k = A~^k dZ,   as A~ is symmetric
 *
 * and where gamma is fixed, dH is the filter itself, applied to dZ. Both streams lie side by side in a row and go along
 * together. How the hops are made is in src/walk: walk/recurrence.c has the sums.
 *
 * In place of A~^k there may be the polynomials P_k of any basis (walk/basis.h), in place of A~ several matrices, and
 * in place of gamma_k a number for each column (layer/filter_form.h). Then theta are the numbers that the walk needs:
 * gamma itself, but of Bernstein's polynomials a product with it (layer/filter_turn.c). H may be a product of features
 * that hold the first hops already (gpri_features_smooth): the filter then begins at gamma_hops, and those before it
 * are 0. */
#include "layer/filter_turn.h"
#include "layer/net.h"
#include "walk/polynomial.h"

typedef struct {
    gpri_layer base;
    gpri_weight *gamma; /* (1 x rows of the form); with columns (rows of the form x C) */
    const double *initial;
    gpri_filter_form form;
    int64_t first;            /* hops that H already holds */
    gpri_operator *operators; /* (terms) */
    gpri_polynomial *walks;   /* (terms) Z of H, dH and dtheta of dZ; each adds to those before it */
    gpri_filter_turn turn;
} gpr_layer;

static bool single(const gpr_layer *layer) { return gpri_form_is_single(&layer->form); }

static gpri_way way_of(const gpr_layer *layer, const gpri_net *net) {
    const gpri_act *z = layer->base.out;
    const bool plain = single(layer) && gpri_basis_is_monomial(&layer->form.basis);
    return gpri_way_of(&net->walk, z->cols, z->width, gpri_net_streams(net, z), single(layer), plain);
}

/* Panels leave room for it. */
static bool in_place(const gpri_layer *base, const gpri_net *net) {
    const gpr_layer *layer = (const gpr_layer *)base;
    return way_of(layer, net).kind == GPRI_WAY_PANELS && layer->form.hops > layer->first && single(layer);
}

gpr_status gpri_filter_operator(gpri_operator *out, gpri_net *net, const gpri_filter_term *term, bool loops) {
    if (term->side != 0) return gpri_operator_directed(out, &net->walk, term->forward, term->backward);
    if (term->forward && term->forward != net->walk.graph)
        return gpri_operator_of(out, &net->walk, term->forward, loops);
    return gpri_operator_plain(out, &net->walk, loops);
}

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    gpr_layer *layer = (gpr_layer *)base;
    const gpri_act *z = base->out;
    const gpri_weight *gamma = layer->gamma;
    const gpri_filter_form *form = &layer->form;
    const bool learns = net->trains && (!gamma->fixed || net->all_gradients);
    NEED(gpri_held_keep(&net->walk.held, &layer->operators, form->count, sizeof *layer->operators, "graph filter"));
    NEED(gpri_held_keep(&net->walk.held, &layer->walks, form->count, sizeof *layer->walks, "graph filter"));
    NEED(gpri_filter_turn_plan(&layer->turn, net, form, gamma));
    for (int t = 0; t < form->count; t++) {
        const int64_t place = (t * form->hops + layer->first) * (form->columns ? gamma->width : 1);
        NEED(gpri_filter_operator(&layer->operators[t], net, &form->terms[t], form->loops));
        layer->walks[t] = (gpri_polynomial){.walker = &net->walk,
                                            .s = &layer->operators[t],
                                            .basis = &form->basis,
                                            .degree = form->hops - layer->first,
                                            .theta = layer->turn.theta + place,
                                            .dtheta = learns ? layer->turn.dtheta + place : NULL,
                                            .each = form->columns,
                                            .adds = t > 0,
                                            .apart = !single(layer),
                                            .scratch = t > 0 ? layer->walks[0].scratch : NULL,
                                            .way = way_of(layer, net),
                                            .width = z->width,
                                            .streams = gpri_net_streams(net, z),
                                            .trains = net->trains,
                                            .idle = z->over != NULL};
        NEED(gpri_polynomial_plan(&layer->walks[t]));
    }
    return GPR_OK;
}

static void reset(gpri_layer *base, gpri_net *net) {
    gpr_layer *layer = (gpr_layer *)base;
    gpri_weight_put_doubles(net, layer->gamma, layer->initial);
}

/* A stream that is written over its H leaves the other one's Z idle; and the scores of the evaluation are, once they
   are judged, where dH is written over dZ. */
static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix z, gpri_matrix h) {
    const gpr_layer *layer = (gpr_layer *)base;
    gpri_matrix idle = z;
    if (z.at == h.at) idle.at = base->out->train;
    gpri_filter_turn_there(&layer->turn, tile->ops);
    for (int t = 0; t < layer->form.count; t++) gpri_polynomial_apply(&layer->walks[t], z, h, idle);
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dh, gpri_matrix dz, gpri_matrix h,
                     gpri_matrix z) {
    const gpr_layer *layer = (gpr_layer *)base;
    gpri_matrix idle = dh;
    if (base->out->over) idle.at = base->out->eval, idle.ld = base->out->ld;
    for (int t = 0; t < layer->form.count; t++) gpri_polynomial_learn(&layer->walks[t], dh, dz, h, z, idle);
    gpri_filter_turn_back(&layer->turn, tile->ops);
}

static const gpri_layer_type type = {.name = "graph filter",
                                     .size = sizeof(gpr_layer),
                                     .whole = true,
                                     .shares_rows = true,
                                     .shares_columns = true,
                                     .by_columns = true,
                                     .in_place = in_place,
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward,
                                     .reset = reset};

/* Of several matrices or gammas, which processes do not share. */
static const gpri_layer_type wide_type = {.name = "graph filters",
                                          .size = sizeof(gpr_layer),
                                          .whole = true,
                                          .by_columns = true,
                                          .in_place = in_place,
                                          .plan = plan,
                                          .forward = forward,
                                          .backward = backward,
                                          .reset = reset};

gpri_act *gpri_filters(gpri_net *net, gpri_act *x, const gpri_filter_form *form, const double *gamma, bool fixed,
                       const char *name) {
    const bool is_single = gpri_form_is_single(form);
    const int64_t rows = gpri_form_rows(form), stored = form->bernstein ? gpri_padded(rows) : rows;
    gpr_layer *layer = gpri_net_add(net, is_single ? &type : &wide_type, x, NULL, x->cols);
    if (!layer) return x;
    gpri_act *z = layer->base.out;
    if (x->hops > 0 && !(is_single && gpri_basis_is_monomial(&form->basis)))
        net->status = gpri_fail(GPR_ERROR_ARGUMENT, "features that hold hops already, in a filter of the basis `%s`",
                                form->basis.name);
    layer->first = x->hops;
    layer->form = *form;
    layer->initial = gamma;
    if (form->columns) layer->gamma = gpri_net_weight(net, name, "filters", rows, stored, x->cols);
    else layer->gamma = gpri_net_weight(net, name, is_single ? "temp" : "filters", 1, 1, rows);
    if (!layer->gamma) return z;
    layer->gamma->decay = false;
    layer->gamma->fixed = fixed;
    return z;
}

gpri_act *gpri_gpr_in(gpri_net *net, gpri_act *x, const gpri_basis *basis, int64_t hops, const double *gamma,
                      bool fixed, const char *name) {
    const gpri_filter_form form = {.basis = *basis, .loops = true, .hops = hops, .count = 1};
    return gpri_filters(net, x, &form, gamma, fixed, name);
}

gpri_act *gpri_gpr(gpri_net *net, gpri_act *x, int64_t hops, const double *gamma, bool fixed, const char *name) {
    return gpri_gpr_in(net, x, &gpri_monomials, hops, gamma, fixed, name);
}

/* The first filter of a net; NULL: it has none. */
static const gpr_layer *filter_of(const gpri_net *net) {
    for (int i = 0; i < net->layer_count; i++)
        if (net->layers[i]->type == &type || net->layers[i]->type == &wide_type)
            return (const gpr_layer *)net->layers[i];
    return NULL;
}

const char *gpri_filter_text(char out[GPRI_WAY_TEXT], const gpri_net *net) {
    const gpr_layer *layer = filter_of(net);
    return layer ? gpri_way_text(out, &layer->walks[0].way) : NULL;
}

gpri_act *gpri_filter_input(const gpri_net *net, gpri_weight **gamma) {
    const gpr_layer *layer = filter_of(net);
    *gamma = layer ? layer->gamma : NULL;
    return layer ? layer->base.in : NULL;
}
