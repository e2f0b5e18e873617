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
 * where y+ and p+ are the parts of y and of sum_j p_ij = 1 with e_ij > 0: as sum_j dL/de_ij = 0, slope times all of
 * them is 0, and y+_i - p+_i y_i is had from the forward pass. So nothing is kept for an arc but a bit of dropout for
 * each head, and the sums over i go, as the graph is symmetric, over the neighbours of j: no thread writes another's
 * rows.
 *
 * Three layers: `score` makes s and t of a tile, `gather` goes over the neighbours, `join` puts the heads side by side
 * or takes their mean; backward, `join` is the one that makes r and dt before all rows are gathered. */
#include <math.h>
#include <string.h>

#include "base/thread.h"
#include "layer/net.h"

typedef struct {
    gpri_layer base;        /* in and out: H */
    gpri_weight *src, *dst; /* (1 x heads out) a_src, a_dst */
    double bound;           /* of their initial values */
    bool mean;              /* of the heads, else side by side */
    gpri_dropout_rate rate; /* of the coefficients */
    gpri_attention at[2];   /* of the training and the evaluation stream */
    gpri_real *scores;      /* what source and target of both lie in */
    uint64_t *keep;         /* a bit for each arc, or loop, and head; NULL: no dropout */
    int32_t *reverse;       /* (arcs) */
    gpri_real *bend;        /* (rows x width) y+ - p+ y */
    gpri_real *dsrc, *ddst; /* (rows x heads) ds, dt */
} score_layer;

typedef struct {
    gpri_layer base;
    score_layer *of;
} part_layer; /* gather and join */

/* ---- score: s and t ---- */

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    score_layer *layer = (score_layer *)base;
    const gpri_act *x = base->in;
    int64_t heads = layer->at[0].heads, streams = net->trains && !x->same ? 2 : 1, size = net->rows * heads;
    gpr_status status = GPR_OK;
    base->partial_size = 2 * x->width;
    TRY(gpri_alloc(net->ctx, &layer->scores, 5 * size * streams, sizeof(gpri_real), "attention"));
    for (int stream = 0; stream < 2; stream++) {
        gpri_attention *at = &layer->at[stream];
        at->source = layer->scores + (stream && streams == 2 ? 5 * size : 0);
        at->target = at->source + size;
        at->scale = 1;
    }
    if (!net->trains) return GPR_OK;
    TRY(gpri_alloc(net->ctx, &layer->bend, net->rows * x->width, sizeof(gpri_real), "attention"));
    TRY(gpri_alloc(net->ctx, &layer->dsrc, 2 * size, sizeof(gpri_real), "attention"));
    layer->ddst = layer->dsrc + size;
    if (!layer->rate.digits) return GPR_OK;
    TRY(gpri_calloc(net->ctx, &layer->keep, gpri_keep_words((net->graph->arcs + net->rows) * heads),
                    sizeof *layer->keep, "dropout bits of attention"));
    TRY(gpri_graph_reverse(net->ctx, &layer->reverse, net->graph));
    layer->at[0].keep = layer->keep;
    layer->at[0].reverse = layer->reverse;
    layer->at[0].scale = layer->rate.scale;
done:
    return status;
}

static void release(gpri_layer *base, gpri_net *net) {
    score_layer *layer = (score_layer *)base;
    gpri_free(net->ctx, layer->scores);
    gpri_free(net->ctx, layer->bend);
    gpri_free(net->ctx, layer->dsrc);
    gpri_free(net->ctx, layer->keep);
    gpri_free(net->ctx, layer->reverse);
}

static void reset(gpri_layer *base, gpri_net *net) {
    score_layer *layer = (score_layer *)base;
    gpri_weight_uniform(net, layer->src, base->number, 0, layer->bound);
    gpri_weight_uniform(net, layer->dst, base->number, layer->src->cols, layer->bound);
}

static void score_rows(const score_layer *layer, const gpri_net *net, const gpri_attention *at, const gpri_real *h,
                       int64_t r0, int64_t r1) {
    int64_t heads = at->heads;
    net->ops->head_dots(at->source + r0 * heads, heads, h, layer->base.in->ld, layer->src->value, 0, heads, at->out,
                        r1 - r0);
    net->ops->head_dots(at->target + r0 * 4 * heads, 4 * heads, h, layer->base.in->ld, layer->dst->value, 0, heads,
                        at->out, r1 - r0);
}

static void score_forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    score_layer *layer = (score_layer *)base;
    const gpri_act *x = base->in;
    if (gpri_runs_train(net, base)) score_rows(layer, net, &layer->at[0], gpri_train_rows(x, r0), r0, r1);
    if (gpri_runs_eval(net, base)) score_rows(layer, net, &layer->at[1], gpri_eval_rows(x, r0, slot), r0, r1);
}

/* dH += ds a_src + dt a_dst; da_src += ds H, da_dst += dt H. */
static void score_backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    score_layer *layer = (score_layer *)base;
    const gpri_act *x = base->in;
    const gpri_attention *at = &layer->at[0];
    const gpri_real *h = gpri_train_rows(x, r0), *d[2] = {layer->dsrc, layer->ddst},
                    *a[2] = {layer->src->value, layer->dst->value};
    gpri_real *dh = gpri_gradient_rows(x, r0, slot), *da = base->partial + block * base->partial_size;
    for (int end = 0; end < 2; end++) {
        const gpri_real *rows = d[end] + r0 * at->heads;
        net->ops->head_add(dh, x->gradient_ld, rows, at->heads, a[end], 0, at->heads, at->out, r1 - r0);
        net->ops->head_add(da + end * x->width, 0, rows, at->heads, h, x->ld, at->heads, at->out, r1 - r0);
    }
}

static void reduce(gpri_layer *base, gpri_net *net) {
    score_layer *layer = (score_layer *)base;
    gpri_weight_reduce(net, layer->src, base, 0);
    gpri_weight_reduce(net, layer->dst, base, base->in->width);
}

/* ---- gather: y ---- */

enum { MASK_GROUPS = 1024 }; /* groups of 128 bits that a thread makes at a time */

typedef struct {
    const part_layer *layer;
    const gpri_net *net;
    int64_t groups;
} mask_work;

static void make_bits(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const mask_work *work = arg;
    const gpri_net *net = work->net;
    int64_t first = chunk * MASK_GROUPS, end = first + MASK_GROUPS < work->groups ? first + MASK_GROUPS : work->groups;
    gpri_stream stream = gpri_stream_of(net->seed, GPRI_RANDOM_DROPOUT, net->epoch, work->layer->base.number);
    gpri_keep_bits(work->layer->of->keep + 2 * first, first, end, stream, work->layer->of->rate);
}

static void gather_prepare(gpri_layer *base, gpri_net *net) {
    const score_layer *of = ((part_layer *)base)->of;
    if (!of->keep || !(net->streams & GPRI_TRAIN_STREAM)) return;
    mask_work work = {(part_layer *)base, net, ((net->graph->arcs + net->rows) * of->at[0].heads + 127) / 128};
    gpri_parallel(net->ctx, gpri_net_threads(net, work.groups * 60 * of->rate.digits),
                  (work.groups + MASK_GROUPS - 1) / MASK_GROUPS, make_bits, &work);
}

static void gather_forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    const score_layer *of = ((part_layer *)base)->of;
    const gpri_act *x = base->in, *y = base->out;
    if (gpri_runs_train(net, base))
        net->ops->attention_forward(gpri_train_rows(y, r0), y->ld, of->bend + r0 * x->width, x->train, x->ld,
                                    &of->at[0], r0, r1);
    if (gpri_runs_eval(net, base))
        net->ops->attention_forward(gpri_eval_rows(y, r0, slot), y->ld, NULL, x->eval, x->ld, &of->at[1], r0, r1);
}

static void gather_backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)block;
    const score_layer *of = ((part_layer *)base)->of;
    const gpri_act *x = base->in, *y = base->out;
    net->ops->attention_backward(gpri_gradient_rows(x, r0, slot), x->gradient_ld, of->dsrc + r0 * of->at[0].heads,
                                 x->train, x->ld, y->gradient, y->gradient_ld, &of->at[0], r0, r1);
}

/* ---- join: the heads side by side, or their mean ---- */

static void join_rows(const part_layer *layer, gpri_real *z, const gpri_real *y, int64_t rows) {
    const gpri_act *from = layer->base.in, *to = layer->base.out;
    int64_t heads = layer->of->at[0].heads, out = to->cols;
    for (int64_t i = 0; i < rows; i++, y += from->ld, z += to->ld) {
        memcpy(z, y, (size_t)to->width * sizeof *z);
        if (!layer->of->mean || heads == 1) continue;
        memset(z + out, 0, (size_t)(to->width - out) * sizeof *z);
        for (int64_t h = 1; h < heads; h++)
            for (int64_t c = 0; c < out; c++) z[c] += y[h * out + c];
        for (int64_t c = 0; c < out; c++) z[c] /= (gpri_real)heads;
    }
}

static void join_forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    const part_layer *layer = (part_layer *)base;
    const gpri_act *y = base->in, *z = base->out;
    if (gpri_runs_train(net, base)) join_rows(layer, gpri_train_rows(z, r0), gpri_train_rows(y, r0), r1 - r0);
    if (gpri_runs_eval(net, base)) join_rows(layer, gpri_eval_rows(z, r0, slot), gpri_eval_rows(y, r0, slot), r1 - r0);
}

/* dY, and of it r and dt. */
static void join_backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)block;
    const score_layer *of = ((part_layer *)base)->of;
    const gpri_attention *at = &of->at[0];
    const gpri_act *y = base->in, *z = base->out;
    int64_t heads = at->heads, out = z->cols, rows = r1 - r0;
    gpri_real *dy = gpri_gradient_rows(y, r0, slot), *ddst = of->ddst + r0 * heads, bent = 1 - at->slope;
    for (int64_t i = 0; i < rows; i++) {
        const gpri_real *dz = gpri_gradient_rows(z, r0, slot) + i * z->gradient_ld;
        gpri_real *row = dy + i * y->gradient_ld;
        memcpy(row, dz, (size_t)(y->width < z->width ? y->width : z->width) * sizeof *row);
        if (!of->mean || heads == 1) continue;
        for (int64_t c = 0; c < y->width; c++) row[c] = c < heads * out ? dz[c % out] / (gpri_real)heads : 0;
    }
    net->ops->head_dots(at->target + (r0 * 4 + 3) * heads, 4 * heads, dy, y->gradient_ld, gpri_train_rows(y, r0), y->ld,
                        heads, at->out, rows);
    net->ops->head_dots(ddst, heads, dy, y->gradient_ld, of->bend + r0 * y->width, y->width, heads, at->out, rows);
    for (int64_t i = 0; i < rows * heads; i++) ddst[i] *= bent;
}

static const gpri_layer_type score = {.name = "scores of attention",
                                      .size = sizeof(score_layer),
                                      .plan = plan,
                                      .forward = score_forward,
                                      .backward = score_backward,
                                      .reduce = reduce,
                                      .reset = reset,
                                      .release = release};
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
    layer->rate = gpri_dropout_rate_of(dropout);
    for (int stream = 0; stream < 2; stream++)
        layer->at[stream] = (gpri_attention){.graph = net->graph,
                                             .heads = heads,
                                             .out = heads == 1 ? x->width : out, /* its padding is 0 */
                                             .width = x->width,
                                             .slope = (gpri_real)slope};
    part_layer *gathers = gpri_net_add(net, &gather, x, NULL, x->cols);
    if (!gathers) return x;
    gpri_act *y = gathers->base.out;
    gathers->of = layer;
    gathers->base.same = y->same = x->same && !layer->rate.digits;
    x->whole = true;
    y->whole_gradient = true;
    part_layer *joins = gpri_net_add(net, &join, y, NULL, mean ? out : x->cols);
    if (!joins) return y;
    joins->of = layer;
    return joins->base.out;
}
