/* The graph filter: Z = sum_{k=0}^{K} gamma_k A~^k H  (eq. 1 of the paper), H (rows x C), A~ = S (A + I) S, S = D^-1/2.
 *
 * Forward, by Horner's scheme on scaled vectors U = S Y:   U = gamma_K S H;  U <- S^2 (A + I) U + gamma_k S H for k =
 * K-1 .. 1; and last  Z = S (A + I) U + gamma_0 H.  Both streams lie side by side in a row and go along together.
 *
 * Backward: A~ is symmetric. With B_k = A~^k dZ,  dH = sum_k gamma_k B_k  and  dgamma_k = <H, B_k>.  So no hop of the
 * forward pass is stored: three buffers (front, back, sum) whatever K. Where gamma is fixed, dH is the filter itself,
 * applied to dZ.
 *
 * On a large graph all hops are done on a panel of columns before the next one (layer/panels.h): then only a panel of
 * B_k or U is stored, twice; one of the two where nothing of value is at that time. In a training of two streams Z of
 * the evaluation is written over its H, and dH over dZ. What lies idle: Z of the training, until the evaluation is
 * done; then the scores of the evaluation, which are judged before the backward pass.
 *
 * A device that takes all rows at once does either pass in one call. Else the rows of every hop are dealt out to the
 * threads.
 *
 * H may be a product of features that hold the first hops already (gpri_features_smooth): the filter then begins at
 * gamma_hops, and those before it are 0. */
#include "layer/gpr_layer.h"

typedef gpri_gpr_layer gpr_layer;

/* The basis of the polynomial: its recurrence out = a M in + b in - c before. */
typedef struct {
    gpri_real a, b, c;
} basis;

static const basis monomials = {1, 0, 0}; /* A~^k */

static gpri_step step_of(const gpri_net *net, const gpri_real *left, const gpri_real *scale, basis of) {
    gpri_adjacency m = {.graph = &net->graph_view, .left = left, .factor = 1, .loop = 1};
    return (gpri_step){.m = m, .a = of.a, .b = of.b, .c = of.c, .scale = scale};
}

static gpri_panels panels_of(const gpr_layer *layer, const gpri_net *net) {
    const gpri_act *z = layer->base.out;
    if (gpri_gpr_pairs(net, z)) return (gpri_panels){.each = 0};
    if (net->half && net->ops->half) return gpri_panels_half(z->cols, z->width);
    return gpri_panels_of(net, z->cols, z->width, gpri_net_streams(net, z));
}

/* Where other processes have columns, rows come and go, and have a place of their own. */
static bool in_place(const gpri_layer *base, const gpri_net *net) {
    const gpr_layer *layer = (const gpr_layer *)base;
    return panels_of(layer, net).each > 0 && layer->hops > 0 && !(net->share && !net->share->halo);
}

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    gpr_layer *layer = (gpr_layer *)base;
    const gpri_real *scale, *squared;
    gpr_status status = GPR_OK;
    TRY(gpri_net_scale(net, &scale, GPRI_SCALE_LOOPED));
    TRY(gpri_net_squared_scale(net, &squared, GPRI_SCALE_LOOPED));
    layer->filter = (gpri_filter){.inner = step_of(net, squared, scale, monomials),
                                  .last = step_of(net, scale, NULL, monomials),
                                  .theta = layer->gamma->value + layer->all - layer->hops,
                                  .hops = layer->hops};
    const gpri_act *z = base->out;
    layer->half = net->half && net->ops->half;
    layer->panels = panels_of(layer, net);
    layer->buffers = net->trains && !layer->gamma->fixed && !z->over ? 2 : 1;
    layer->pairs = gpri_gpr_pairs(net, z);
    const int64_t columns = layer->pairs         ? gpri_gpr_pairs_columns(net, layer)
                            : layer->panels.each ? layer->buffers * GPRI_PANEL
                                                 : z->ld;
    const int64_t panels = layer->panels.each ? layer->panels.each : 1;
    const int64_t parts = layer->panels.each || net->share ? panels * (layer->all + 1) : 1;
    layer->filter.inner.far = layer->filter.last.far = gpri_panels_far(net, layer->panels.each ? GPRI_PANEL : z->ld);
    if (net->share && !net->share->halo) return gpri_gpr_turn_plan(layer, net);
    TRY(gpri_net_alloc(net, &layer->back, net->local * columns, sizeof(gpri_real), false, "graph filter"));
    if (!net->trains) goto done;
    TRY(gpri_net_alloc(net, &layer->dots, parts * gpri_own_chunks(&net->rows), sizeof(double), false, "graph filter"));
    if (!net->share) goto done;
    TRY(gpri_net_alloc(net, &layer->all_dots, parts * net->rows.blocks * net->rows.pieces, sizeof(double), false,
                       "graph filter"));
    TRY(gpri_share_reserve_chunks(net, parts, sizeof(double)));
done:
    return status;
}

static void reset(gpri_layer *base, gpri_net *net) {
    gpr_layer *layer = (gpr_layer *)base;
    gpri_weight_put_doubles(net, layer->gamma, layer->initial);
}

/* One of the buffers of a panel of so many columns. */
static gpri_matrix own_buffer(const gpr_layer *layer, int64_t i, int64_t rows, int64_t width) {
    return gpri_gpr_buffer(layer, layer->back + i * rows * GPRI_PANEL, rows, width);
}

/* The second one for panel i, in a matrix whose numbers nobody needs: of all its panels (free), or of panel i and those
   after it. Rows without gaps are a quarter faster: the first panel has room for them, and a narrow one has it in the
   first buffer. */
static gpri_matrix idle_buffer(const gpr_layer *layer, gpri_matrix idle, int64_t i, bool free) {
    const gpri_panels *panels = &layer->panels;
    const gpri_matrix part = gpri_panel(panels, idle, i);
    if (free || i == 0) return gpri_gpr_buffer(layer, idle.at, idle.rows, part.width);
    if (2 * part.width > panels->most) return part;
    return gpri_gpr_buffer(layer, layer->back + idle.rows * (GPRI_PANEL / 2), idle.rows, part.width);
}

/* idle: a matrix whose numbers nobody needs; Z, if H is not written over. */
static void apply(const gpr_layer *layer, gpri_net *net, gpri_matrix z, gpri_matrix h, gpri_matrix back,
                  gpri_matrix idle) {
    const gpri_panels *panels = &layer->panels;
    gpri_matrix buffers[2] = {z, back};
    if (layer->turned.cut) {
        gpri_gpr_turned_apply(layer, net, z, h);
        return;
    }
    if (net->device->tile == 0) {
        net->ops->filter_forward(z, h, back, &layer->filter);
        return;
    }
    if (layer->pairs) {
        gpri_gpr_pairs_apply(layer, net, z, h);
        return;
    }
    if (!panels->each) {
        gpri_gpr_horner(layer, net, z, h, buffers);
        return;
    }
    for (int64_t i = 0; i < gpri_panel_count(panels, z); i++) {
        const gpri_matrix part = gpri_panel(panels, z, i);
        buffers[0] = idle_buffer(layer, idle, i, idle.at != z.at);
        buffers[1] = own_buffer(layer, 0, z.rows, part.width);
        gpri_gpr_horner(layer, net, part, gpri_panel(panels, h, i), buffers);
    }
    gpri_panels_pad(panels, net, z);
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix z, gpri_matrix h) {
    gpr_layer *layer = (gpr_layer *)base;
    gpri_matrix back = z, idle = z;
    back.at = layer->back;
    if (z.at == h.at) idle.at = base->out->train;
    apply(layer, tile->net, z, h, back, idle);
}

/* dgamma_k, from the dots of all chunks and panels. */
static void add_dots(const gpr_layer *layer, gpri_net *net, int64_t panels) {
    int64_t count = panels * gpri_own_chunks(&net->rows);
    const double *dots = layer->dots;
    if (net->share) {
        gpri_share_chunks(net, layer->all_dots, layer->dots, panels * (layer->hops + 1), sizeof *dots);
        count = panels * net->rows.blocks * net->rows.pieces;
        dots = layer->all_dots;
    }
    for (int64_t k = 0; k <= layer->hops; k++) net->ops->sum_dots(&layer->gamma->gradient[k], dots + k * count, count);
}

/* The B_k go back and forth between two buffers: without panels `back` and Z's own memory, which dZ may lie in. idle:
   as for apply, if dZ is written over. */
static void learned_backward(const gpr_layer *layer, gpri_net *net, gpri_matrix dh, gpri_matrix dz, gpri_matrix h,
                             gpri_matrix z, gpri_matrix idle) {
    const gpri_panels *panels = &layer->panels;
    const int64_t chunks = gpri_own_chunks(&net->rows), count = panels->each ? gpri_panel_count(panels, dz) : 1;
    gpri_matrix buffers[2] = {gpri_packed(layer->back, z.rows, dz.width), gpri_packed(z.at, z.rows, dz.width)};
    if (net->device->tile == 0) {
        net->ops->filter_backward(dh, layer->gamma->gradient, dz, h, buffers[0], buffers[1], &layer->filter);
        return;
    }
    if (layer->pairs) {
        gpri_gpr_pairs_learn(layer, net, dh, dz, h);
        return;
    }
    if (!panels->each) gpri_gpr_learned_hops(layer, net, dh, dz, h, buffers, layer->dots, net->share ? chunks : 0);
    if (!panels->each && !net->share) return;
    for (int64_t i = 0; panels->each && i < count; i++) {
        const gpri_matrix part = gpri_panel(panels, dz, i);
        buffers[0] = own_buffer(layer, 0, z.rows, part.width);
        buffers[1] = layer->buffers == 2 ? own_buffer(layer, 1, z.rows, part.width) : idle_buffer(layer, idle, i, true);
        gpri_gpr_learned_hops(layer, net, gpri_panel(panels, dh, i), part, gpri_panel(panels, h, i), buffers,
                              layer->dots + i * chunks, count * chunks);
    }
    add_dots(layer, net, count);
    if (panels->each) gpri_panels_pad(panels, net, dh);
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dh, gpri_matrix dz, gpri_matrix h,
                     gpri_matrix z) {
    gpr_layer *layer = (gpr_layer *)base;
    gpri_matrix idle = dh;
    if (base->out->over) idle.at = base->out->eval, idle.ld = base->out->ld;
    if (!layer->gamma->fixed && layer->turned.cut) gpri_gpr_turned_learn(layer, tile->net, dh, dz, h);
    else if (layer->gamma->fixed) apply(layer, tile->net, dh, dz, gpri_packed(layer->back, dh.rows, dh.width), idle);
    else learned_backward(layer, tile->net, dh, dz, h, z, idle);
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

gpri_act *gpri_gpr(gpri_net *net, gpri_act *x, int64_t hops, const double *gamma, bool fixed, const char *name) {
    gpr_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    gpri_act *z = layer->base.out;
    layer->all = hops;
    layer->hops = hops - x->hops;
    layer->initial = gamma;
    layer->gamma = gpri_net_weight(net, name, "temp", 1, 1, hops + 1);
    if (!layer->gamma) return z;
    layer->gamma->decay = false;
    layer->gamma->fixed = fixed;
    return z;
}

const char *gpri_filter_text(char out[GPRI_PANELS_TEXT], const gpri_net *net) {
    for (int i = 0; i < net->layer_count; i++) {
        const gpr_layer *layer = (const gpr_layer *)net->layers[i];
        if (net->layers[i]->type == &type)
            return gpri_panels_text(out, &layer->panels, layer->half, layer->pairs, layer->filter.inner.far);
    }
    return NULL;
}

gpri_act *gpri_filter_input(const gpri_net *net, gpri_weight **gamma) {
    *gamma = NULL;
    for (int i = 0; i < net->layer_count; i++) {
        if (net->layers[i]->type != &type) continue;
        *gamma = ((const gpr_layer *)net->layers[i])->gamma;
        return net->layers[i]->in;
    }
    return NULL;
}
