/* The hops of the graph filter (layer/gpr.c has its equations): all rows of a hop are dealt out to the threads, and
 * then those of the next one. */
#include "layer/gpr_layer.h"

/* One hop over all rows, dealt out in chunks. All matrices have all nodes. */
typedef struct {
    const gpri_gpr_layer *layer;
    const gpri_ops *ops;
    const gpri_half_ops *half; /* NULL: states are floats */
    int64_t origin; /* the node of the first row */
    gpri_matrix out, in, before, h, sum;
    const gpri_step *step;
    const gpri_real *theta;
    double *dots; /* (chunks) */
} hop;

static gpri_matrix chunk_of(gpri_matrix x, gpri_chunk rows) {
    return x.at ? gpri_rows_of(x, rows.first, rows.count) : x;
}

/* In the numbers of the process. */
static gpri_chunk place_of(const hop *p, gpri_chunk rows) {
    rows.first -= p->origin;
    return rows;
}

/* Rows of a step that reads no other rows, and of one that does; where the process has the columns of all nodes, of all
   of them. */
static void deal(const gpri_gpr_layer *layer, gpri_net *net, int64_t work, gpri_chunk_rows_fn fn, hop *p) {
    p->origin = layer->turned.cut ? 0 : net->origin;
    if (layer->turned.cut) gpri_net_deal_all_rows(net, work, fn, p);
    else gpri_net_deal_rows(net, work, fn, p);
}

static void deal_step(const gpri_gpr_layer *layer, gpri_net *net, int64_t work, gpri_chunk_rows_fn fn, hop *p) {
    if (layer->turned.cut) deal(layer, net, work, fn, p);
    else {
        p->origin = net->origin;
        gpri_net_deal_step(net, p->in, work, fn, p);
    }
}

static void begin_rows(void *arg, gpri_chunk rows) {
    const hop *p = arg;
    rows = place_of(p, rows);
    (p->half && p->step == &p->layer->filter.inner ? p->half->begin : p->ops->filter_begin)(
        chunk_of(p->out, rows), chunk_of(p->h, rows), p->step->scale, p->theta, rows.first);
}

static void hop_rows(void *arg, gpri_chunk rows) {
    const hop *p = arg;
    const bool last = p->step == &p->layer->filter.last;
    rows = place_of(p, rows);
    if (p->half)
        (last ? p->half->last : p->half->propagate)(chunk_of(p->out, rows), p->in, chunk_of(p->h, rows), p->step,
                                                    p->theta, rows.first);
    else
        p->ops->propagate(chunk_of(p->out, rows), p->in, chunk_of(p->before, rows), chunk_of(p->h, rows), p->step,
                          p->theta, rows.first);
}

static void begin_dot_rows(void *arg, gpri_chunk rows) {
    const hop *p = arg;
    rows = place_of(p, rows);
    (p->half ? p->half->begin_dot : p->ops->filter_begin_dot)(
        chunk_of(p->out, rows), chunk_of(p->sum, rows), &p->dots[rows.chunk], chunk_of(p->in, rows),
        chunk_of(p->h, rows), p->step->scale, p->theta, rows.first);
}

static void hop_dot_rows(void *arg, gpri_chunk rows) {
    const hop *p = arg;
    rows = place_of(p, rows);
    if (p->half)
        p->half->propagate_dot(chunk_of(p->out, rows), chunk_of(p->sum, rows), &p->dots[rows.chunk], p->in,
                               chunk_of(p->h, rows), p->step, p->theta, rows.first);
    else
        p->ops->propagate_dot(chunk_of(p->out, rows), chunk_of(p->sum, rows), &p->dots[rows.chunk], p->in,
                              chunk_of(p->before, rows), chunk_of(p->h, rows), p->step, p->theta, rows.first);
}

static void end_rows(void *arg, gpri_chunk rows) {
    const hop *p = arg;
    rows = place_of(p, rows);
    p->ops->filter_end(chunk_of(p->sum, rows), p->step->scale, rows.first);
}

gpri_matrix gpri_gpr_buffer(const gpri_gpr_layer *layer, gpri_real *at, int64_t rows, int64_t width) {
    return layer->half ? gpri_half_packed(at, rows, width) : gpri_packed(at, rows, width);
}

static int64_t hop_work(const gpri_net *net, int64_t width) {
    return (1 + net->graph->arcs / (net->graph->nodes ? net->graph->nodes : 1)) * (width / 4 + 1);
}

void gpri_gpr_horner(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix z, gpri_matrix h,
                     const gpri_matrix buffers[2]) {
    const gpri_filter *filter = &layer->filter;
    const int64_t K = filter->hops;
    hop p = {.layer = layer, .ops = net->ops, .half = layer->half ? net->ops->half : NULL, .h = h};
    for (int64_t k = K; k >= 0; k--) {
        p.in = p.out;
        p.out = k == 0 ? z : buffers[k % 2];
        p.step = k == 0 ? &filter->last : &filter->inner;
        p.theta = &filter->theta[k];
        if (k == K) deal(layer, net, 4, begin_rows, &p);
        else deal_step(layer, net, hop_work(net, z.width), hop_rows, &p);
    }
}

void gpri_gpr_learned_hops(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix dh, gpri_matrix dz, gpri_matrix h,
                           const gpri_matrix buffers[2], double *dots, int64_t apart) {
    hop p = {.layer = layer, .ops = net->ops, .h = h, .sum = dh, .in = dz, .step = &layer->filter.inner};
    p.half = layer->half ? net->ops->half : NULL;
    for (int64_t k = 0; k <= layer->hops; k++) {
        p.out = buffers[k % 2];
        p.theta = &layer->filter.theta[k];
        p.dots = dots + k * apart;
        if (k == 0) deal(layer, net, 8, begin_dot_rows, &p);
        else deal_step(layer, net, hop_work(net, dz.width), hop_dot_rows, &p);
        if (apart == 0) net->ops->sum_dots(&layer->gamma->gradient[k], layer->dots, gpri_own_chunks(&net->rows));
        p.in = p.out;
    }
    deal(layer, net, 4, end_rows, &p);
}
