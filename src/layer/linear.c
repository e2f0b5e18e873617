/* Products with weights, X an activation (rows x in) or the input features:
 *
 *   linear     Y = X W + b              dW = X' dY,  db = column sums of dY,  dX = dY W'
 *   multiply   Y = [X W_0 | X W_1 | ...]  without a bias: one pass over X for all of them
 *
 * Initial W: uniform in +-1 / sqrt(in), or Glorot's +-sqrt(6 / (in + out)); b as the former. On the features, X may be
 * sparse and thinned by dropout; both streams are made in one pass over X, and dX is not needed: instead dY is kept (in
 * place of Y) until all rows are there, and dW is then gathered column by column of X, each column on one thread. */
#include <math.h>
#include <string.h>

#include "base/thread.h"
#include "layer/net.h"

typedef struct {
    gpri_layer base;
    gpri_weight *weight; /* (in x out); those of the other parts follow it */
    gpri_weight *bias;   /* (1 x out), or NULL */
    gpri_init init;
    gpri_dropout_rate rate;
    uint64_t *keep; /* a bit for each stored feature; NULL: no dropout */
} linear_layer;

static void reset(gpri_layer *base, gpri_net *net) {
    linear_layer *layer = (linear_layer *)base;
    int64_t rows = layer->weight->rows, cols = layer->weight->cols, parts = base->out->parts;
    double bound = layer->init == GPRI_INIT_GLOROT ? sqrt(6.0 / (double)(rows + cols)) : 1 / sqrt((double)rows);
    for (int64_t p = 0; p < parts; p++)
        gpri_weight_uniform(net, &layer->weight[p], base->number, p * rows * cols, bound);
    if (layer->bias) gpri_weight_uniform(net, layer->bias, base->number, parts * rows * cols, bound);
}

static const gpri_real *bias_of(const linear_layer *layer) { return layer->bias ? layer->bias->value : NULL; }

/* ---- on an activation ---- */

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    (void)net;
    base->partial_size = base->in->width * base->out->width + base->out->width;
    return GPR_OK;
}

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    linear_layer *layer = (linear_layer *)base;
    const gpri_act *x = base->in, *y = base->out;
    const gpri_real *w = layer->weight->value, *b = bias_of(layer);
    if (gpri_runs_train(net, base))
        net->ops->linear_forward(gpri_train_rows(y, r0), y->ld, gpri_train_rows(x, r0), x->ld, w, b, r1 - r0, x->width,
                                 y->width);
    if (gpri_runs_eval(net, base))
        net->ops->linear_forward(gpri_eval_rows(y, r0, slot), y->ld, gpri_eval_rows(x, r0, slot), x->ld, w, b, r1 - r0,
                                 x->width, y->width);
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    linear_layer *layer = (linear_layer *)base;
    const gpri_act *x = base->in, *y = base->out;
    gpri_real *dw = base->partial + block * base->partial_size, *db = dw + x->width * y->width;
    net->ops->linear_backward(gpri_gradient_rows(x, r0, slot), x->gradient_ld, dw, db, gpri_train_rows(x, r0), x->ld,
                              gpri_gradient_rows(y, r0, slot), y->gradient_ld, layer->weight->value, r1 - r0, x->width,
                              y->width);
}

static void reduce(gpri_layer *base, gpri_net *net) {
    linear_layer *layer = (linear_layer *)base;
    gpri_weight_reduce(net, layer->weight, base, 0);
    if (layer->bias) gpri_weight_reduce(net, layer->bias, base, base->in->width * base->out->width);
}

/* ---- on the input features ---- */

static gpr_status features_plan(gpri_layer *base, gpri_net *net) {
    linear_layer *layer = (linear_layer *)base;
    layer->rate = gpri_dropout_rate_of(base->in->features_dropout);
    base->partial_size = layer->bias ? base->out->width : 0;
    if (!net->trains || !layer->rate.digits) return GPR_OK;
    return gpri_calloc(net->ctx, &layer->keep, gpri_keep_words(gpri_features_count(base->in->features)),
                       sizeof *layer->keep, "dropout bits of the features");
}

static void features_release(gpri_layer *base, gpri_net *net) { gpri_free(net->ctx, ((linear_layer *)base)->keep); }

enum { MASK_GROUPS = 1024, WEIGHT_ROWS = 128 }; /* what one chunk of work takes */

typedef struct {
    linear_layer *layer;
    gpri_net *net;
} features_work;

static void make_bits(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const features_work *work = arg;
    const gpri_act *x = work->layer->base.in;
    int64_t groups = (gpri_features_count(x->features) + 127) / 128, first = chunk * MASK_GROUPS;
    int64_t end = first + MASK_GROUPS < groups ? first + MASK_GROUPS : groups;
    gpri_stream stream =
        gpri_stream_of(work->net->seed, GPRI_RANDOM_DROPOUT, work->net->epoch, x->features_dropout_layer);
    gpri_keep_bits(work->layer->keep + 2 * first, first, end, stream, work->layer->rate);
}

static void features_prepare(gpri_layer *base, gpri_net *net) {
    features_work work = {(linear_layer *)base, net};
    if (!work.layer->keep || !(net->streams & GPRI_TRAIN_STREAM)) return;
    int64_t groups = (gpri_features_count(base->in->features) + 127) / 128;
    gpri_parallel(net->ctx, gpri_net_threads(net, groups * 60 * work.layer->rate.digits),
                  (groups + MASK_GROUPS - 1) / MASK_GROUPS, make_bits, &work);
}

static void features_forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    linear_layer *layer = (linear_layer *)base;
    const gpri_act *y = base->out;
    gpri_real *train = gpri_runs_train(net, base) ? gpri_train_rows(y, r0) : NULL;
    gpri_real *eval = gpri_runs_eval(net, base) ? gpri_eval_rows(y, r0, slot) : NULL;
    if (base->same) eval = train, train = NULL; /* nothing is dropped */
    net->ops->features_forward(train, eval, y->ld, base->in->features, layer->keep, layer->rate.scale,
                               layer->weight->value, bias_of(layer), y->width, r0, r1);
}

/* Where dY of all rows is when they are done: where whole gradients are, or in place of Y. */
static gpri_real *all_gradients(const gpri_act *y, int64_t *ld) {
    *ld = y->whole_gradient ? y->gradient_ld : y->ld;
    return y->whole_gradient ? y->gradient : y->train;
}

static void features_backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    const gpri_act *y = base->out;
    const gpri_real *dy = gpri_gradient_rows(y, r0, slot);
    int64_t ld;
    gpri_real *kept = all_gradients(y, &ld) + r0 * ld;
    if (base->partial)
        net->ops->bias_backward(base->partial + block * base->partial_size, dy, y->gradient_ld, y->width, r1 - r0);
    for (int64_t i = 0; kept != dy && i < r1 - r0; i++)
        memcpy(kept + i * ld, dy + i * y->gradient_ld, (size_t)y->width * sizeof *kept);
}

static void gather_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const features_work *work = arg;
    const linear_layer *layer = work->layer;
    const gpri_act *y = layer->base.out;
    int64_t j0 = chunk * WEIGHT_ROWS, ld,
            j1 = j0 + WEIGHT_ROWS < layer->weight->rows ? j0 + WEIGHT_ROWS : layer->weight->rows;
    const gpri_real *dy = all_gradients(y, &ld);
    work->net->ops->features_backward(layer->weight->gradient, layer->base.in->features, layer->keep, layer->rate.scale,
                                      dy, ld, y->width, j0, j1);
}

static void features_reduce(gpri_layer *base, gpri_net *net) {
    features_work work = {(linear_layer *)base, net};
    if (work.layer->bias) gpri_weight_reduce(net, work.layer->bias, base, 0);
    gpri_parallel(net->ctx, net->threads, (work.layer->weight->rows + WEIGHT_ROWS - 1) / WEIGHT_ROWS, gather_rows,
                  &work);
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
                                            .forward = features_forward,
                                            .backward = features_backward,
                                            .reduce = features_reduce,
                                            .reset = reset,
                                            .release = features_release};

gpri_act *gpri_multiply(gpri_net *net, gpri_act *x, int64_t cols, gpri_init init, const char *name,
                        const char *const *parts, int64_t count) {
    linear_layer *layer = gpri_net_add(net, x->features ? &on_features : &on_activation, x, NULL, cols);
    if (!layer) return x;
    gpri_act *y = layer->base.out;
    y->parts = count;
    y->width = count * gpri_padded(cols);
    y->hops = x->features ? x->hops : 0;
    layer->init = init;
    layer->weight = gpri_net_weights(net, name, parts, count, x->cols, x->features ? x->cols : x->width, cols);
    return y;
}

gpri_act *gpri_linear(gpri_net *net, gpri_act *x, int64_t cols, const char *name) {
    static const char *const part[] = {"weight"};
    gpri_act *y = gpri_multiply(net, x, cols, GPRI_INIT_UNIFORM, name, part, 1);
    if (net->status != GPR_OK) return y;
    ((linear_layer *)net->layers[net->layer_count - 1])->bias = gpri_net_weight(net, name, "bias", 1, 1, cols);
    return y;
}
