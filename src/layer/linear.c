/* Products with weights, X an activation (rows x in) or the input features:
 *
 *   linear     Y = X W + b              dW = X' dY,  db = column sums of dY,  dX = dY W'
 *              of slices: Y = X_0 W_0 + X_1 W_1 + ... + b, as one product: the W lie below each other
 *   multiply   Y = [X W_0 | X W_1 | ...]  without a bias: one pass over X for all of them
 *
 * Initial W: uniform in +-1 / sqrt(in), or Glorot's +-sqrt(6 / (in + out)); b as the former. On the features, X may be
 * sparse and thinned by dropout; both streams are made in one pass over X, and dX is not needed. Instead dY is kept (in
 * place of Y) until all rows are there; then dW is gathered column by column of X, each column on one thread. */
#include <math.h>
#include <stdio.h>

#include "layer/net.h"

typedef struct {
    gpri_layer base;
    gpri_weight *weight; /* (in x out); those of the other slices follow it */
    gpri_weight *bias;   /* (1 x out), or NULL */
    int64_t weights;     /* how many: one for each slice of X, or of Y */
    gpri_init init;
    gpri_mask mask; /* of the features */
    uint64_t *keep; /* one bit per stored feature; NULL: no dropout */
} linear_layer;

static double bound_of(gpri_init init, int64_t rows, int64_t cols) {
    return init == GPRI_INIT_GLOROT ? sqrt(6.0 / (double)(rows + cols)) : 1 / sqrt((double)rows);
}

static void reset(gpri_layer *base, gpri_net *net) {
    linear_layer *layer = (linear_layer *)base;
    int64_t rows = layer->weight->rows, cols = layer->weight->cols;
    double bound = bound_of(layer->init, rows * base->in->slices, cols);
    for (int64_t p = 0; p < layer->weights; p++)
        gpri_weight_uniform(net, &layer->weight[p], base->number, p * rows * cols, bound);
    if (layer->bias) gpri_weight_uniform(net, layer->bias, base->number, layer->weights * rows * cols, bound);
}

static const gpri_real *bias_of(const linear_layer *layer) { return layer->bias ? layer->bias->value : NULL; }

/* ---- on an activation ---- */

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    (void)net;
    base->partial_size = base->in->width * base->out->width + base->out->width;
    return GPR_OK;
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    linear_layer *layer = (linear_layer *)base;
    tile->ops->linear_forward(y, x, layer->weight->value, bias_of(layer));
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    gpri_real *dw = gpri_partial(tile, base), *db = dw + x.width * y.width;
    tile->ops->linear_backward(dx, dw, db, dy, x, ((linear_layer *)base)->weight->value);
}

static void reduce(gpri_layer *base, gpri_net *net) {
    linear_layer *layer = (linear_layer *)base;
    const int64_t slices = base->in->slices, size = base->in->width / slices * base->out->width;
    for (int64_t p = 0; p < slices; p++) gpri_weight_reduce(net, &layer->weight[p], base, p * size);
    if (layer->bias) gpri_weight_reduce(net, layer->bias, base, base->in->width * base->out->width);
}

/* ---- on the input features ---- */

static gpr_status features_plan(gpri_layer *base, gpri_net *net) {
    linear_layer *layer = (linear_layer *)base;
    layer->mask = gpri_net_mask(net, base->in->features_dropout, base->in->features_dropout_layer);
    base->partial_size = layer->bias ? base->out->width : 0;
    if (!net->trains || !layer->mask.rate.digits) return GPR_OK;
    /* memory that is not zeroed is not taken before it is used: a share of the rows takes its share */
    return gpri_net_alloc(net, &layer->keep, gpri_keep_words(gpri_features_count(base->in->features)),
                          sizeof *layer->keep, !net->walk.share, "dropout bits of the features");
}

/* Where the stored values of a row begin. */
static int64_t value_of(const gpri_features *x, int64_t row) { return x->dense ? row * x->cols : x->rowptr[row]; }

static void features_prepare(gpri_layer *base, gpri_net *net) {
    linear_layer *layer = (linear_layer *)base;
    if (layer->keep && net->streams & GPRI_TRAIN_STREAM)
        gpri_net_keep_some_bits(net, layer->keep, &layer->mask, value_of(base->in->features, net->walk.rows.first),
                                value_of(base->in->features, net->walk.rows.first + net->walk.rows.count));
}

static void features_forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix train, gpri_matrix eval) {
    linear_layer *layer = (linear_layer *)base;
    if (base->same) eval = train, train = gpri_no_matrix; /* nothing is dropped */
    tile->ops->features_forward(train, eval, &tile->net->features_view, layer->keep, layer->mask.rate.scale,
                                layer->weight->value, bias_of(layer), tile->first);
}

static void features_backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                              gpri_matrix y) {
    (void)dx, (void)x;
    if (base->partial) tile->ops->bias_backward(gpri_partial(tile, base), dy);
    if (!base->out->whole_gradient) tile->ops->copy(y, dy);
}

/* dY of all rows: where whole gradients are, or in place of Y. */
static gpri_matrix all_gradients(const gpri_net *net, const gpri_act *y) {
    gpri_matrix m = {y->train, net->walk.rows.count, y->cols, y->width, y->ld};
    if (y->whole_gradient) m.at = y->gradient, m.ld = y->gradient_ld;
    return y->whole || y->whole_gradient
               ? gpri_rows_of(m, gpri_walker_place(&net->walk, net->walk.rows.first), net->walk.rows.count)
               : m;
}

typedef struct {
    linear_layer *layer;
    gpri_net *net;
} features_work;

static void gather_rows(void *arg, int64_t first, int64_t end) {
    const features_work *work = arg;
    const linear_layer *layer = work->layer;
    gpri_net *net = work->net;
    net->ops->features_backward(layer->weight->gradient, all_gradients(net, layer->base.out), &net->features_view,
                                layer->keep, layer->mask.rate.scale, net->walk.rows.first, first, end);
}

/* Goes on with what other processes have summed. */
static void add_rows(void *arg, int64_t first, int64_t end) {
    const features_work *work = arg;
    const linear_layer *layer = work->layer;
    gpri_net *net = work->net;
    net->ops->features_add(layer->weight->gradient, all_gradients(net, layer->base.out), &net->features_view,
                           layer->keep, layer->mask.rate.scale, net->walk.rows.first, first, end);
}

typedef struct {
    features_work *work;
    int64_t first; /* row of the piece */
} piece_work;

static void add_some_rows(void *arg, int64_t first, int64_t end) {
    const piece_work *piece = arg;
    add_rows(piece->work, piece->first + first, piece->first + end);
}

static void add_piece(void *arg, int64_t first, int64_t end) {
    enum { EVERY_THREAD = 1 << 30 };
    features_work *work = arg;
    piece_work piece = {work, first};
    gpri_net_deal(work->net, end - first, 1 + (end - first - 1) / work->net->walk.threads, EVERY_THREAD, add_some_rows,
                  &piece);
}

static void features_reduce(gpri_layer *base, gpri_net *net) {
    enum { WEIGHT_ROWS = 128, EVERY_THREAD = 1 << 30 };
    features_work work = {(linear_layer *)base, net};
    if (work.layer->bias) gpri_weight_reduce(net, work.layer->bias, base, 0);
    if (net->walk.share) gpri_net_share_chain(net, work.layer->weight, add_piece, &work);
    else gpri_net_deal(net, work.layer->weight->rows, WEIGHT_ROWS, EVERY_THREAD, gather_rows, &work);
}

static const gpri_layer_type on_activation = {.name = "linear",
                                              .size = sizeof(linear_layer),
                                              .plan = plan,
                                              .forward = forward,
                                              .backward = backward,
                                              .reduce = reduce,
                                              .reset = reset};

static const gpri_layer_type on_features = {.name = "linear on features",
                                            .size = sizeof(linear_layer),
                                            .plan = features_plan,
                                            .prepare = features_prepare,
                                            .forward_pair = features_forward,
                                            .backward = features_backward,
                                            .reduce = features_reduce,
                                            .reset = reset};

/* One for each slice of X, "name.0.weight" and so on; the first. Nothing lies between them. */
static gpri_weight *slice_weights(gpri_net *net, const gpri_act *x, int64_t cols, const char *name) {
    gpri_weight *first = NULL;
    char own[24];
    for (int64_t p = 0; p < x->slices && net->status == GPR_OK; p++) {
        snprintf(own, sizeof own, "%d.weight", (int)p);
        gpri_weight *weight = gpri_net_weight(net, name, own, x->cols, x->width / x->slices, cols);
        if (p == 0) first = weight;
    }
    return first;
}

/* Without the rows of known labels. NULL after a failure. */
static linear_layer *add_product(gpri_net *net, gpri_act *x, int64_t cols, gpri_init init, const char *name,
                                 const char *const *names, int64_t count) {
    linear_layer *layer = gpri_net_add(net, x->features ? &on_features : &on_activation, x, NULL, cols);
    if (!layer) return NULL;
    gpri_act *y = layer->base.out;
    y->slices = count;
    y->width = count * gpri_padded(cols);
    y->hops = x->features ? x->hops : 0;
    layer->init = init;
    layer->weights = count > x->slices ? count : x->slices;
    layer->weight = x->slices > 1
                        ? slice_weights(net, x, cols, name)
                        : gpri_net_weights(net, name, names, count, x->cols, x->features ? x->cols : x->width, cols);
    return layer;
}

static gpri_act *finish(gpri_net *net, const linear_layer *layer, const gpri_act *x) {
    gpri_act *y = layer->base.out;
    return x->labels ? gpri_add_labels(net, y, x->labels, bound_of(layer->init, x->cols, y->cols)) : y;
}

gpri_act *gpri_multiply(gpri_net *net, gpri_act *x, int64_t cols, gpri_init init, const char *name,
                        const char *const *names, int64_t count) {
    const linear_layer *layer = add_product(net, x, cols, init, name, names, count);
    return layer ? finish(net, layer, x) : x;
}

gpri_act *gpri_linear(gpri_net *net, gpri_act *x, int64_t cols, const char *name) {
    static const char *const weight[] = {"weight"};
    linear_layer *layer = add_product(net, x, cols, GPRI_INIT_UNIFORM, name, weight, 1);
    if (!layer) return x;
    if (net->status == GPR_OK) layer->bias = gpri_net_weight(net, name, "bias", 1, 1, cols);
    return finish(net, layer, x);
}

gpri_matrix gpri_input_gradient(const gpri_net *net, const gpri_weight **weight) {
    for (int i = 0; i < net->layer_count; i++) {
        if (net->layers[i]->type != &on_features) continue;
        *weight = ((const linear_layer *)net->layers[i])->weight;
        return all_gradients(net, net->layers[i]->out);
    }
    *weight = NULL; /* not reached: every model begins with a product of the features */
    return gpri_no_matrix;
}
