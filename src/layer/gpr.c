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
 * B_k or U is stored, twice.
 *
 * A device that takes all rows at once does either pass in one call. Else the rows of every hop are dealt out to the
 * threads.
 *
 * H may be a product of features that hold the first hops already (gpri_features_smooth): the filter then begins at
 * gamma_hops, and those before it are 0. */
#include "layer/panels.h"

typedef struct {
    gpri_layer base;
    gpri_weight *gamma;    /* (1 x all + 1) */
    const double *initial; /* (all + 1) */
    int64_t all, hops;     /* K; and without those that H already holds */
    gpri_filter filter;    /* inner: S^2 (A + I), + theta S h; last: S (A + I), + theta h; those gamma that are left */
    gpri_panels panels;
    gpri_real *back; /* (nodes x ld of Z) scratch of the hops; with panels (2 x nodes x GPRI_PANEL) */
    double *dots;    /* (all + 1 x panels x chunks) shares of dgamma_k; one panel: (chunks), for one k at a time */
} gpr_layer;

/* The basis of the polynomial: its recurrence out = a M in + b in - c before. */
typedef struct {
    gpri_real a, b, c;
} basis;

static const basis monomials = {1, 0, 0}; /* A~^k */

static gpri_step step_of(const gpri_net *net, const gpri_real *left, const gpri_real *scale, basis of) {
    gpri_adjacency m = {.graph = &net->graph_view, .left = left, .factor = 1, .loop = 1};
    return (gpri_step){.m = m, .a = of.a, .b = of.b, .c = of.c, .scale = scale};
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
    layer->panels = gpri_panels_of(net, z->cols, z->width, z->ld / z->width);
    const int64_t columns = layer->panels.each ? 2 * GPRI_PANEL : z->ld;
    const int64_t parts = layer->panels.each ? layer->panels.each * (layer->all + 1) : 1;
    layer->filter.inner.far = layer->filter.last.far = gpri_panels_far(net, layer->panels.each ? GPRI_PANEL : z->ld);
    TRY(gpri_net_alloc(net, &layer->back, net->rows.nodes * columns, sizeof(gpri_real), false, "graph filter"));
    if (net->trains)
        TRY(gpri_net_alloc(net, &layer->dots, parts * gpri_own_chunks(&net->rows), sizeof(double), false,
                           "graph filter"));
done:
    return status;
}

static void reset(gpri_layer *base, gpri_net *net) {
    gpr_layer *layer = (gpr_layer *)base;
    gpri_weight_put_doubles(net, layer->gamma, layer->initial);
}

/* One hop over all rows, dealt out in chunks. All matrices have all nodes. */
typedef struct {
    const gpr_layer *layer;
    const gpri_ops *ops;
    gpri_matrix out, in, before, h, sum;
    const gpri_step *step;
    const gpri_real *theta;
    double *dots; /* (chunks) */
} hop;

static gpri_matrix chunk_of(gpri_matrix x, gpri_chunk rows) {
    return x.at ? gpri_rows_of(x, rows.first, rows.count) : x;
}

static void begin_rows(void *arg, gpri_chunk rows) {
    const hop *p = arg;
    p->ops->filter_begin(chunk_of(p->out, rows), chunk_of(p->h, rows), p->step->scale, p->theta, rows.first);
}

static void hop_rows(void *arg, gpri_chunk rows) {
    const hop *p = arg;
    p->ops->propagate(chunk_of(p->out, rows), p->in, chunk_of(p->before, rows), chunk_of(p->h, rows), p->step, p->theta,
                      rows.first);
}

static void begin_dot_rows(void *arg, gpri_chunk rows) {
    const hop *p = arg;
    p->ops->filter_begin_dot(chunk_of(p->out, rows), chunk_of(p->sum, rows), &p->dots[rows.chunk],
                             chunk_of(p->in, rows), chunk_of(p->h, rows), p->step->scale, p->theta, rows.first);
}

static void hop_dot_rows(void *arg, gpri_chunk rows) {
    const hop *p = arg;
    p->ops->propagate_dot(chunk_of(p->out, rows), chunk_of(p->sum, rows), &p->dots[rows.chunk], p->in,
                          chunk_of(p->before, rows), chunk_of(p->h, rows), p->step, p->theta, rows.first);
}

static void end_rows(void *arg, gpri_chunk rows) {
    const hop *p = arg;
    p->ops->filter_end(chunk_of(p->sum, rows), p->step->scale, rows.first);
}

static int64_t hop_work(const gpri_net *net, int64_t width) {
    return (1 + net->graph->arcs / (net->graph->nodes ? net->graph->nodes : 1)) * (width / 4 + 1);
}

/* Z = the filter of H by Horner's scheme; buffers: scratch of the same shape, the first may be Z. */
static void horner(const gpr_layer *layer, gpri_net *net, gpri_matrix z, gpri_matrix h, const gpri_matrix buffers[2]) {
    const gpri_filter *filter = &layer->filter;
    const int64_t K = filter->hops;
    hop p = {.layer = layer, .ops = net->ops, .h = h};
    for (int64_t k = K; k >= 0; k--) {
        p.in = p.out;
        p.out = k == 0 ? z : buffers[k % 2];
        p.step = k == 0 ? &filter->last : &filter->inner;
        p.theta = &filter->theta[k];
        if (k == K) gpri_net_deal_rows(net, 4, begin_rows, &p);
        else gpri_net_deal_rows(net, hop_work(net, z.width), hop_rows, &p);
    }
}

/* The two buffers of a panel of so many columns. */
static void panel_buffers(const gpr_layer *layer, gpri_matrix buffers[2], int64_t rows, int64_t width) {
    for (int64_t i = 0; i < 2; i++) buffers[i] = gpri_packed(layer->back + i * rows * GPRI_PANEL, rows, width);
}

static void apply(const gpr_layer *layer, gpri_net *net, gpri_matrix z, gpri_matrix h, gpri_matrix back) {
    const gpri_panels *panels = &layer->panels;
    gpri_matrix buffers[2] = {z, back};
    if (net->device->tile == 0) {
        net->ops->filter_forward(z, h, back, &layer->filter);
        return;
    }
    if (!panels->each) {
        horner(layer, net, z, h, buffers);
        return;
    }
    for (int64_t i = 0; i < gpri_panel_count(panels, z); i++) {
        const gpri_matrix part = gpri_panel(panels, z, i);
        panel_buffers(layer, buffers, z.rows, part.width);
        horner(layer, net, part, gpri_panel(panels, h, i), buffers);
    }
    gpri_panels_pad(panels, net, z);
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix z, gpri_matrix h) {
    gpr_layer *layer = (gpr_layer *)base;
    gpri_matrix back = z;
    back.at = layer->back;
    apply(layer, tile->net, z, h, back);
}

/* dH = sum_k gamma_k B_k, and what dgamma_k = <H, B_k> is the sum of. With panels the dots of k begin at
   dots + k * apart; without, apart is 0 and each dgamma_k is added up at once. */
static void learned_hops(const gpr_layer *layer, gpri_net *net, gpri_matrix dh, gpri_matrix dz, gpri_matrix h,
                         const gpri_matrix buffers[2], double *dots, int64_t apart) {
    hop p = {.layer = layer, .ops = net->ops, .h = h, .sum = dh, .in = dz, .step = &layer->filter.inner};
    for (int64_t k = 0; k <= layer->hops; k++) {
        p.out = buffers[k % 2];
        p.theta = &layer->filter.theta[k];
        p.dots = dots + k * apart;
        if (k == 0) gpri_net_deal_rows(net, 8, begin_dot_rows, &p);
        else gpri_net_deal_rows(net, hop_work(net, dz.width), hop_dot_rows, &p);
        if (apart == 0) net->ops->sum_dots(&layer->gamma->gradient[k], layer->dots, gpri_own_chunks(&net->rows));
        p.in = p.out;
    }
    gpri_net_deal_rows(net, 4, end_rows, &p);
}

/* The B_k go back and forth between two buffers: without panels `back` and Z's own memory, which dZ may lie in. */
static void learned_backward(const gpr_layer *layer, gpri_net *net, gpri_matrix dh, gpri_matrix dz, gpri_matrix h,
                             gpri_matrix z) {
    const gpri_panels *panels = &layer->panels;
    const int64_t chunks = gpri_own_chunks(&net->rows), count = panels->each ? gpri_panel_count(panels, dz) : 1;
    gpri_matrix buffers[2] = {gpri_packed(layer->back, z.rows, dz.width), gpri_packed(z.at, z.rows, dz.width)};
    if (net->device->tile == 0) {
        net->ops->filter_backward(dh, layer->gamma->gradient, dz, h, buffers[0], buffers[1], &layer->filter);
        return;
    }
    if (!panels->each) {
        learned_hops(layer, net, dh, dz, h, buffers, layer->dots, 0);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        const gpri_matrix part = gpri_panel(panels, dz, i);
        panel_buffers(layer, buffers, z.rows, part.width);
        learned_hops(layer, net, gpri_panel(panels, dh, i), part, gpri_panel(panels, h, i), buffers,
                     layer->dots + i * chunks, count * chunks);
    }
    for (int64_t k = 0; k <= layer->hops; k++)
        net->ops->sum_dots(&layer->gamma->gradient[k], layer->dots + k * count * chunks, count * chunks);
    gpri_panels_pad(panels, net, dh);
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dh, gpri_matrix dz, gpri_matrix h,
                     gpri_matrix z) {
    gpr_layer *layer = (gpr_layer *)base;
    if (layer->gamma->fixed) apply(layer, tile->net, dh, dz, gpri_packed(layer->back, dh.rows, dh.width));
    else learned_backward(layer, tile->net, dh, dz, h, z);
}

static const gpri_layer_type type = {.name = "graph filter",
                                     .size = sizeof(gpr_layer),
                                     .whole = true,
                                     .by_columns = true,
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

gpri_act *gpri_filter_input(const gpri_net *net, gpri_weight **gamma) {
    *gamma = NULL;
    for (int i = 0; i < net->layer_count; i++) {
        if (net->layers[i]->type != &type) continue;
        *gamma = ((const gpr_layer *)net->layers[i])->gamma;
        return net->layers[i]->in;
    }
    return NULL;
}
