/* Attention over the neighbours of a node and itself (Velickovic et al., ICLR 2018), H = X W with its columns in heads.
 * For each head, with weights a_src, a_dst of as many numbers as it has columns:
 *
 *   s_j = <a_src, h_j>,  t_i = <a_dst, h_i>,  e_ij = leaky(s_j + t_i),  p_ij = exp(e_ij) / sum_k exp(e_ik)
 *   y_i = sum_j m_ij p_ij h_j,  m_ij dropout
 *
 * Backward, with r_i = <dy_i, y_i> and l_ij the slope of leaky, dL/de_ij = p_ij (m_ij <dy_i, h_j> - r_i):
 *
 *   dh_j = sum_i m_ij p_ij dy_i + ds_j a_src + dt_j a_dst
 *   ds_j = sum_i l_ij dL/de_ij = <h_j, sum_i l_ij m_ij p_ij dy_i> - sum_i l_ij p_ij r_i
 *   dt_i = sum_j l_ij dL/de_ij = (1 - slope) <dy_i, y+_i - p+_i y_i>
 *
 * where y+ and p+ are the terms of y and of sum_j p_ij = 1 with e_ij > 0: as sum_j dL/de_ij = 0, slope times all of
 * them is 0, and y+_i - p+_i y_i is had from the forward pass. So nothing is kept for an arc but a bit of dropout for
 * each head, and the sums over i go, as the graph is symmetric, over the neighbours of j: no thread writes another's
 * rows.
 *
 * Three layers: `score` makes s and t of a tile, `gather` goes over the neighbours, `join` puts the heads side by side
 * or takes their mean; backward, `join` is the one that makes r and dt before all rows are gathered. */
#include <math.h>

#include "layer/net.h"

typedef struct {
    gpri_layer base;        /* in and out: H */
    gpri_weight *src, *dst; /* (1 x heads out) a_src, a_dst */
    double bound;           /* of their initial values */
    bool mean;              /* of the heads, else side by side */
    double dropout;         /* of the coefficients */
    uint32_t gather_number; /* of the layer whose numbers the mask takes */
    gpri_mask mask;
    gpri_attention at[2];   /* of the training and the evaluation stream */
    uint64_t *keep;         /* one bit per arc, or loop, and head; NULL: no dropout */
    int32_t *reverse;       /* (arcs) */
    gpri_real *bend;        /* (rows x width) y+ - p+ y */
    gpri_real *dsrc, *ddst; /* (rows x heads) ds, dt */
} score_layer;

typedef struct {
    gpri_layer base;
    score_layer *scored_by;
} part_layer; /* gather and join */

/* ---- score: s and t ---- */

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    score_layer *layer = (score_layer *)base;
    const gpri_act *x = base->in;
    int64_t heads = layer->at[0].heads, streams = net->trains && !x->same ? 2 : 1, size = net->walk.rows.nodes * heads;
    int64_t elements = (net->walk.graph->arcs + net->walk.rows.nodes) * heads;
    gpr_status status = GPR_OK;
    gpri_real *scores;
    int32_t *reverse = NULL;
    base->partial_size = 2 * x->width;
    TRY(gpri_net_alloc(net, &scores, 5 * size * streams, sizeof *scores, false, "attention"));
    for (int stream = 0; stream < 2; stream++) {
        gpri_attention *at = &layer->at[stream];
        at->graph = &net->walk.view;
        at->source = scores + (stream && streams == 2 ? 5 * size : 0);
        at->target = at->source + size;
        at->scale = 1;
    }
    if (!net->trains) goto done;
    TRY(gpri_net_alloc(net, &layer->bend, net->walk.rows.count * x->width, sizeof(gpri_real), false, "attention"));
    TRY(gpri_net_alloc(net, &layer->dsrc, 2 * net->walk.rows.count * heads, sizeof(gpri_real), false, "attention"));
    layer->ddst = layer->dsrc + net->walk.rows.count * heads;
    layer->mask = gpri_net_mask(net, layer->dropout, layer->gather_number);
    if (!layer->mask.rate.digits) goto done;
    TRY(gpri_net_alloc(net, &layer->keep, gpri_keep_words(elements), sizeof *layer->keep, true,
                       "dropout bits of attention"));
    TRY(gpri_graph_reverse(net->ctx, &reverse, net->walk.graph));
    TRY(gpri_net_alloc(net, &layer->reverse, net->walk.graph->arcs, sizeof *reverse, false, "attention"));
    net->device->put(net->device, layer->reverse, reverse, net->walk.graph->arcs * (int64_t)sizeof *reverse);
    layer->at[0].keep = layer->keep;
    layer->at[0].reverse = layer->reverse;
    layer->at[0].scale = layer->mask.rate.scale;
done:
    gpri_free(net->ctx, reverse);
    return status;
}

static void reset(gpri_layer *base, gpri_net *net) {
    score_layer *layer = (score_layer *)base;
    gpri_weight_uniform(net, layer->src, base->number, 0, layer->bound);
    gpri_weight_uniform(net, layer->dst, base->number, layer->src->cols, layer->bound);
}

static const gpri_attention *of_stream(const score_layer *layer, const gpri_tile *tile) {
    return &layer->at[tile->stream == GPRI_EVAL_STREAM];
}

/* The tile's rows of s; of t (column 0) and what lies beside it in `target` (columns 1 to 3), for all heads. */
static gpri_matrix sources(const gpri_attention *at, const gpri_tile *tile) {
    return gpri_packed(at->source + tile->first * at->heads, tile->rows, at->heads);
}
static gpri_matrix targets(const gpri_attention *at, const gpri_tile *tile, int64_t column) {
    gpri_matrix all = gpri_packed(at->target + tile->first * 4 * at->heads, tile->rows, 4 * at->heads);
    return gpri_columns_of(all, column * at->heads, at->heads);
}
/* The tile's rows of what is kept for the rows of the net. */
static gpri_matrix own_rows(gpri_real *all, const gpri_tile *tile, int64_t width) {
    return gpri_packed(all + (tile->first - tile->net->walk.rows.first) * width, tile->rows, width);
}
/* The same row for every i. */
static gpri_matrix every_row(gpri_real *row, int64_t width) { return (gpri_matrix){row, 1, width, width, 0}; }

static void score_forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix h) {
    score_layer *layer = (score_layer *)base;
    const gpri_attention *at = of_stream(layer, tile);
    (void)y;
    tile->ops->head_dots(sources(at, tile), h, every_row(layer->src->value, h.width), at->heads, at->out);
    tile->ops->head_dots(targets(at, tile, 0), h, every_row(layer->dst->value, h.width), at->heads, at->out);
}

/* dH += ds a_src + dt a_dst; da_src += ds H, da_dst += dt H. */
static void score_backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dh, gpri_matrix dy, gpri_matrix h,
                           gpri_matrix y) {
    score_layer *layer = (score_layer *)base;
    const gpri_attention *at = &layer->at[0];
    gpri_real *all[2] = {layer->dsrc, layer->ddst}, *a[2] = {layer->src->value, layer->dst->value};
    (void)dy, (void)y;
    for (int end = 0; end < 2; end++) {
        gpri_matrix d = own_rows(all[end], tile, at->heads);
        gpri_matrix da = every_row(gpri_partial(tile, base) + end * h.width, h.width);
        tile->ops->head_add(dh, d, every_row(a[end], h.width), at->heads, at->out);
        tile->ops->head_add(da, d, h, at->heads, at->out);
    }
}

static void reduce(gpri_layer *base, gpri_net *net) {
    score_layer *layer = (score_layer *)base;
    gpri_weight_reduce(net, layer->src, base, 0);
    gpri_weight_reduce(net, layer->dst, base, base->in->width);
}

/* ---- gather: y ---- */

static void gather_prepare(gpri_layer *base, gpri_net *net) {
    const score_layer *layer = ((part_layer *)base)->scored_by;
    if (layer->keep && net->streams & GPRI_TRAIN_STREAM)
        gpri_net_keep_bits(net, layer->keep, &layer->mask,
                           (net->walk.graph->arcs + net->walk.rows.nodes) * layer->at[0].heads);
}

static void gather_forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix h) {
    const score_layer *layer = ((part_layer *)base)->scored_by;
    bool train = tile->stream == GPRI_TRAIN_STREAM;
    tile->ops->attention_forward(y, train ? own_rows(layer->bend, tile, h.width) : gpri_no_matrix, h,
                                 of_stream(layer, tile), tile->first);
}

static void gather_backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dh, gpri_matrix dy, gpri_matrix h,
                            gpri_matrix y) {
    const score_layer *layer = ((part_layer *)base)->scored_by;
    (void)y;
    tile->ops->attention_backward(dh, own_rows(layer->dsrc, tile, layer->at[0].heads), dy, h, &layer->at[0],
                                  tile->first);
}

/* ---- join: the heads side by side, or their mean ---- */

static void join_forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix z, gpri_matrix y) {
    const score_layer *layer = ((part_layer *)base)->scored_by;
    if (layer->mean && layer->at[0].heads > 1) tile->ops->head_mean_forward(z, y, layer->at[0].heads);
    else tile->ops->copy(z, y);
}

/* dY, and from it r and dt. */
static void join_backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dy, gpri_matrix dz, gpri_matrix y,
                          gpri_matrix z) {
    const score_layer *layer = ((part_layer *)base)->scored_by;
    const gpri_attention *at = &layer->at[0];
    gpri_matrix ddst = own_rows(layer->ddst, tile, at->heads);
    (void)z;
    if (layer->mean && at->heads > 1) tile->ops->head_mean_backward(dy, dz, at->heads);
    else tile->ops->copy(dy, dz);
    tile->ops->head_dots(targets(at, tile, 3), dy, y, at->heads, at->out);
    tile->ops->head_dots(ddst, dy, own_rows(layer->bend, tile, y.width), at->heads, at->out);
    tile->ops->scale(ddst, 1 - at->slope);
}

static const gpri_layer_type score = {.name = "scores of attention",
                                      .size = sizeof(score_layer),
                                      .plan = plan,
                                      .forward = score_forward,
                                      .backward = score_backward,
                                      .reduce = reduce,
                                      .reset = reset};
static const gpri_layer_type gather = {.name = "attention",
                                       .size = sizeof(part_layer),
                                       .gathers = true,
                                       .prepare = gather_prepare,
                                       .forward = gather_forward,
                                       .backward = gather_backward};
static const gpri_layer_type join = {
    .name = "heads of attention", .size = sizeof(part_layer), .forward = join_forward, .backward = join_backward};

gpri_act *gpri_attend(gpri_net *net, gpri_act *x, int64_t heads, bool mean, double slope, double dropout,
                      const char *name) {
    int64_t out = x->cols / heads;
    score_layer *layer = gpri_net_add(net, &score, x, x, 0);
    if (!layer) return x;
    layer->src = gpri_net_weight(net, name, "att_src", 1, 1, x->cols);
    layer->dst = gpri_net_weight(net, name, "att_dst", 1, 1, x->cols);
    layer->bound = sqrt(6.0 / (double)(heads + out));
    layer->mean = mean;
    layer->dropout = dropout;
    for (int stream = 0; stream < 2; stream++)
        layer->at[stream] = (gpri_attention){.heads = heads,
                                             .out = heads == 1 ? x->width : out, /* its padding is 0 */
                                             .width = x->width,
                                             .slope = (gpri_real)slope};
    part_layer *gathers = gpri_net_add(net, &gather, x, NULL, x->cols);
    if (!gathers) return x;
    gpri_act *y = gathers->base.out;
    gathers->scored_by = layer;
    layer->gather_number = gathers->base.number;
    gathers->base.same = y->same = x->same && !gpri_dropout_rate_of(dropout).digits;
    part_layer *joins = gpri_net_add(net, &join, y, NULL, mean ? out : x->cols);
    if (!joins) return y;
    joins->scored_by = layer;
    return joins->base.out;
}
