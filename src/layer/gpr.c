/* The graph filter: Z = sum_{k=0}^{K} gamma_k A~^k H  (eq. 1 of the paper), H (rows x C), A~ = S (A + I) S, S = D^-1/2.
 *
 *     dH = sum_k gamma_k B_k,   dgamma_k = <H, B_k>,   B_k = A~^k dZ,   as A~ is symmetric
 *
 * and where gamma is fixed, dH is the filter itself, applied to dZ. Both streams lie side by side in a row and go along
 * together. How the hops are made is in src/walk: walk/recurrence.c has the sums.
 *
 * In place of A~^k there may be the polynomials P_k(A~) of any basis (walk/basis.h). H may be a product of features
 * that hold the first hops already (gpri_features_smooth): the filter then begins at gamma_hops, and those before it
 * are 0. */
#include "layer/net.h"
#include "walk/polynomial.h"

typedef struct {
    gpri_layer base;
    gpri_weight *gamma;    /* (1 x K + 1) */
    const double *initial; /* (K + 1) */
    const gpri_basis *basis;
    int64_t hops;         /* K, without those that H already holds */
    gpri_polynomial walk; /* Z of H, dH and dgamma of dZ */
} gpr_layer;

static gpri_way way_of(const gpr_layer *layer, const gpri_net *net) {
    const gpri_act *z = layer->base.out;
    return gpri_way_of(&net->walk, z->cols, z->width, gpri_net_streams(net, z));
}

/* Panels leave room for it. */
static bool in_place(const gpri_layer *base, const gpri_net *net) {
    const gpr_layer *layer = (const gpr_layer *)base;
    return way_of(layer, net).kind == GPRI_WAY_PANELS && layer->hops > 0;
}

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    gpr_layer *layer = (gpr_layer *)base;
    const gpri_act *z = base->out;
    const gpri_weight *gamma = layer->gamma;
    const int64_t first = gamma->cols - 1 - layer->hops;
    const bool learns = net->trains && (!gamma->fixed || net->all_gradients);
    layer->walk = (gpri_polynomial){.walker = &net->walk,
                                    .basis = layer->basis,
                                    .degree = layer->hops,
                                    .theta = gamma->value + first,
                                    .dtheta = learns ? gamma->gradient + first : NULL,
                                    .way = way_of(layer, net),
                                    .width = z->width,
                                    .streams = gpri_net_streams(net, z),
                                    .trains = net->trains,
                                    .idle = z->over != NULL};
    return gpri_polynomial_plan(&layer->walk);
}

static void reset(gpri_layer *base, gpri_net *net) {
    gpr_layer *layer = (gpr_layer *)base;
    gpri_weight_put_doubles(net, layer->gamma, layer->initial);
}

/* A stream that is written over its H leaves the other one's Z idle; and the scores of the evaluation are, once they
   are judged, where dH is written over dZ. */
static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix z, gpri_matrix h) {
    gpri_matrix idle = z;
    (void)tile;
    if (z.at == h.at) idle.at = base->out->train;
    gpri_polynomial_apply(&((gpr_layer *)base)->walk, z, h, idle);
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dh, gpri_matrix dz, gpri_matrix h,
                     gpri_matrix z) {
    gpri_matrix idle = dh;
    (void)tile;
    if (base->out->over) idle.at = base->out->eval, idle.ld = base->out->ld;
    gpri_polynomial_learn(&((gpr_layer *)base)->walk, dh, dz, h, z, idle);
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

gpri_act *gpri_gpr_in(gpri_net *net, gpri_act *x, const gpri_basis *basis, int64_t hops, const double *gamma,
                      bool fixed, const char *name) {
    gpr_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    gpri_act *z = layer->base.out;
    if (basis->table && x->hops > 0)
        net->status = gpri_fail(GPR_ERROR_ARGUMENT, "features that hold hops already, in a filter of the basis `%s`",
                                basis->name);
    layer->hops = hops - x->hops;
    layer->basis = basis;
    layer->initial = gamma;
    layer->gamma = gpri_net_weight(net, name, "temp", 1, 1, hops + 1);
    if (!layer->gamma) return z;
    layer->gamma->decay = false;
    layer->gamma->fixed = fixed;
    return z;
}

gpri_act *gpri_gpr(gpri_net *net, gpri_act *x, int64_t hops, const double *gamma, bool fixed, const char *name) {
    return gpri_gpr_in(net, x, &gpri_monomials, hops, gamma, fixed, name);
}

/* The first filter of a net; NULL: it has none. */
static const gpr_layer *filter_of(const gpri_net *net) {
    for (int i = 0; i < net->layer_count; i++)
        if (net->layers[i]->type == &type) return (const gpr_layer *)net->layers[i];
    return NULL;
}

const char *gpri_filter_text(char out[GPRI_WAY_TEXT], const gpri_net *net) {
    const gpr_layer *layer = filter_of(net);
    return layer ? gpri_way_text(out, &layer->walk.way) : NULL;
}

gpri_act *gpri_filter_input(const gpri_net *net, gpri_weight **gamma) {
    const gpr_layer *layer = filter_of(net);
    *gamma = layer ? layer->gamma : NULL;
    return layer ? layer->base.in : NULL;
}
