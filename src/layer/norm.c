/* Norms: Y = (X - m) / d, with a residual beside it: dX gets what Y's gradient gives, added to what is there.
 *
 *   batch   m and d are those of a column over all rows. The training stream has those of this pass; the evaluation has
 *           running means of them, which are weights of the model, so that no node's scores depend on which others are
 *           there:  r <- r + (m - r) / 10 after each step, and the same of the variance; of the first ten steps, the
 *           plain mean, as a training may be at its best before the first values of r are forgotten
 *   layer   those of a row
 *   none    Y = X
 *
 *   dX += (dY - <dY> - Y <dY Y>) / d,   < > the mean over what m was taken of
 *
 * There is no scale and no shift to learn: the product that follows has both. Sums are over chunks of rows, in order.
 */
#include "layer/net.h"

typedef struct {
    gpri_layer base;
    gpri_norm_kind kind;
    bool first;           /* nothing has written the gradient of X before */
    gpri_weight *running; /* batch: (2 x cols) means and variances */
    gpri_real *shares;    /* batch: (chunks x 2 width) sums of a chunk */
    gpri_real *moments;   /* batch: (5 x width) of the training stream: means, squares, 1 / d; sums of dY and dY Y */
    gpri_real *steady;    /* batch: (width) 1 / d of the running variances */
    gpri_real *rates;     /* layer: (2 x rows) 1 / d of either stream */
} norm_layer;

enum { MEAN, SQUARES, RATE, SUMS, PRODUCTS, MOMENTS };

/* What a pass over chunks works on. */
typedef struct {
    const norm_layer *layer;
    const gpri_net *net;
    gpri_matrix y, x, dx, dy; /* of all rows */
    const gpri_real *mean, *rate;
    gpri_real *rates;
} norm_work;

static int64_t width_of(const norm_layer *layer) { return layer->base.in->width; }

static gpri_real *moment(const norm_layer *layer, int64_t which) { return layer->moments + which * width_of(layer); }

static gpri_matrix chunk_of(const norm_work *w, gpri_matrix x, gpri_chunk rows) {
    return gpri_rows_of(x, gpri_walker_place(&w->net->walk, rows.first), rows.count);
}

static gpri_matrix vector(gpri_real *at, int64_t width) { return gpri_packed(at, 1, width); }

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    norm_layer *layer = (norm_layer *)base;
    const int64_t width = width_of(layer);
    if (layer->kind == GPRI_LAYER_NORM)
        NEED(gpri_net_alloc(net, &layer->rates, 2 * net->walk.local, sizeof(gpri_real), true, "norm"));
    if (layer->kind != GPRI_BATCH_NORM) return GPR_OK;
    NEED(gpri_net_alloc(net, &layer->steady, width, sizeof(gpri_real), true, "norm"));
    if (!net->trains) return GPR_OK;
    NEED(gpri_net_alloc(net, &layer->moments, MOMENTS * width, sizeof(gpri_real), true, "norm"));
    NEED(gpri_net_alloc(net, &layer->shares, gpri_own_chunks(&net->walk.rows) * 2 * width, sizeof(gpri_real), false,
                        "norm"));
    return GPR_OK;
}

static double first_running(void *arg, int64_t index) {
    return index < *(const int64_t *)arg ? 0 : 1; /* means, then variances */
}

static void reset(gpri_layer *base, gpri_net *net) {
    gpri_weight *running = ((norm_layer *)base)->running;
    int64_t cols = base->in->cols;
    if (running) gpri_weight_fill(net, running, first_running, &cols);
}

/* ---- sums over all rows ---- */

static gpri_real *share_of(const norm_work *w, gpri_chunk rows, int64_t which) {
    const int64_t width = width_of(w->layer);
    gpri_real *share = w->layer->shares + (2 * rows.chunk + which) * width;
    w->net->ops->zero(vector(share, width));
    return share;
}

static void sum_rows(void *arg, gpri_chunk rows) {
    const norm_work *w = arg;
    w->net->ops->bias_backward(share_of(w, rows, 0), chunk_of(w, w->x, rows));
}

static void square_rows(void *arg, gpri_chunk rows) {
    const norm_work *w = arg;
    w->net->ops->norm_squares(share_of(w, rows, 0), chunk_of(w, w->x, rows), w->mean);
}

/* A head for every column. */
static void product_rows(void *arg, gpri_chunk rows) {
    const norm_work *w = arg;
    const int64_t width = width_of(w->layer);
    const gpri_matrix dy = chunk_of(w, w->dy, rows), y = chunk_of(w, w->y, rows);
    w->net->ops->bias_backward(share_of(w, rows, 0), dy);
    w->net->ops->head_add((gpri_matrix){share_of(w, rows, 1), rows.count, width, width, 0}, dy, y, width, 1);
}

/* *sum (count) = the sums of all chunks, of which `count` numbers are asked for. */
static void add_up(norm_work *w, gpri_chunk_rows_fn fn, gpri_real *sum, int64_t count) {
    gpri_walker_rows(&w->net->walk, 4 * width_of(w->layer), fn, w);
    w->net->ops->sum_blocks(sum, w->layer->shares, gpri_own_chunks(&w->net->walk.rows), 2 * width_of(w->layer), count);
}

/* ---- there ---- */

static void column_rows(void *arg, gpri_chunk rows) {
    const norm_work *w = arg;
    w->net->ops->norm_columns(chunk_of(w, w->y, rows), chunk_of(w, w->x, rows), w->mean, w->rate);
}

static void each_row(void *arg, gpri_chunk rows) {
    const norm_work *w = arg;
    w->net->ops->norm_rows(chunk_of(w, w->y, rows), chunk_of(w, w->x, rows),
                           w->rates + gpri_walker_place(&w->net->walk, rows.first));
}

static void copy_rows(void *arg, gpri_chunk rows) {
    const norm_work *w = arg;
    w->net->ops->copy(chunk_of(w, w->y, rows), chunk_of(w, w->x, rows));
}

static gpri_real share_of_row(const gpri_net *net) { return (gpri_real)(1 / (double)net->walk.rows.nodes); }

static void batch_forward(norm_work *w, bool training) {
    const norm_layer *layer = w->layer;
    const gpri_ops *ops = w->net->ops;
    const int64_t width = width_of(layer);
    const gpri_real share = share_of_row(w->net);
    if (training && !w->net->looks) {
        add_up(w, sum_rows, moment(layer, MEAN), width);
        ops->scale(vector(moment(layer, MEAN), width), share);
        w->mean = moment(layer, MEAN);
        add_up(w, square_rows, moment(layer, SQUARES), width);
        ops->norm_rate(moment(layer, RATE), moment(layer, SQUARES), share, width);
        w->rate = moment(layer, RATE);
    } else {
        ops->norm_rate(layer->steady, layer->running->value + width, 1, width);
        w->mean = layer->running->value;
        w->rate = layer->steady;
    }
    gpri_walker_rows(&w->net->walk, width, column_rows, w);
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    const norm_layer *layer = (norm_layer *)base;
    const bool training = tile->stream == GPRI_TRAIN_STREAM;
    norm_work w = {.layer = layer, .net = tile->net, .y = gpri_columns_of(y, 0, x.width), .x = x};
    w.rates = layer->rates ? layer->rates + (training ? 0 : tile->net->walk.local) : NULL;
    if (layer->kind == GPRI_BATCH_NORM) batch_forward(&w, training);
    else gpri_walker_rows(&tile->net->walk, x.width, layer->kind == GPRI_LAYER_NORM ? each_row : copy_rows, &w);
}

/* ---- back ---- */

static void zero_rows(void *arg, gpri_chunk rows) {
    const norm_work *w = arg;
    w->net->ops->zero(chunk_of(w, w->dx, rows));
}

static void column_back_rows(void *arg, gpri_chunk rows) {
    const norm_work *w = arg;
    w->net->ops->norm_columns_backward(chunk_of(w, w->dx, rows), chunk_of(w, w->dy, rows), chunk_of(w, w->y, rows),
                                       w->rate, moment(w->layer, SUMS), share_of_row(w->net));
}

static void each_back_row(void *arg, gpri_chunk rows) {
    const norm_work *w = arg;
    w->net->ops->norm_rows_backward(chunk_of(w, w->dx, rows), chunk_of(w, w->dy, rows), chunk_of(w, w->y, rows),
                                    w->rates + gpri_walker_place(&w->net->walk, rows.first));
}

static void add_rows(void *arg, gpri_chunk rows) {
    const norm_work *w = arg;
    w->net->ops->add(chunk_of(w, w->dx, rows), chunk_of(w, w->dy, rows));
}

static void remember(const norm_layer *layer, const gpri_net *net) {
    static const gpri_real least = (gpri_real)0.1;
    const int64_t width = width_of(layer), nodes = net->walk.rows.nodes;
    gpri_real *running = layer->running->value;
    net->ops->norm_remember(running, moment(layer, MEAN), 1, least, net->step, width);
    net->ops->norm_remember(running + width, moment(layer, SQUARES),
                            (gpri_real)(1 / (double)(nodes > 1 ? nodes - 1 : 1)), least, net->step, width);
}

static void batch_backward(norm_work *w) {
    const norm_layer *layer = w->layer;
    const gpri_net *net = w->net;
    const int64_t width = width_of(layer);
    w->rate = net->looks ? layer->steady : moment(layer, RATE);
    if (net->looks) net->ops->zero(vector(moment(layer, SUMS), 2 * width)); /* the moments are constants */
    else add_up(w, product_rows, moment(layer, SUMS), 2 * width);
    gpri_walker_rows(&net->walk, width, column_back_rows, w);
    if (!net->looks) remember(layer, net);
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    const norm_layer *layer = (norm_layer *)base;
    norm_work w = {.layer = layer,
                   .net = tile->net,
                   .y = gpri_columns_of(y, 0, dx.width),
                   .dx = dx,
                   .dy = gpri_columns_of(dy, 0, dx.width),
                   .rates = layer->rates};
    (void)x;
    w.dx.cols = w.y.cols = w.dy.cols = base->in->cols;
    if (layer->first) gpri_walker_rows(&tile->net->walk, dx.width, zero_rows, &w);
    if (layer->kind == GPRI_BATCH_NORM) batch_backward(&w);
    else gpri_walker_rows(&tile->net->walk, dx.width, layer->kind == GPRI_LAYER_NORM ? each_back_row : add_rows, &w);
}

static const gpri_layer_type type = {.name = "norm",
                                     .size = sizeof(norm_layer),
                                     .whole = true,
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward,
                                     .reset = reset};

/* The evaluation's values and the gradients of Y are gone when the next norm comes to its own: those of the same shape
   share their memory. */
static void share_memory(gpri_net *net, gpri_act *y) {
    for (int i = 0; i < net->layer_count; i++) {
        gpri_act *other = net->layers[i]->out;
        if (net->layers[i]->type != &type || other == y || other->width != y->width) continue;
        y->over = y->under = other;
        return;
    }
}

gpri_act *gpri_norm(gpri_net *net, gpri_act *x, gpri_norm_kind kind, bool first, int64_t slices, const char *name) {
    norm_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    gpri_act *y = layer->base.out;
    x->apart = y->apart = true;
    y->slices = slices;
    y->width = slices * gpri_padded(x->cols);
    layer->kind = kind;
    layer->first = first;
    if (kind == GPRI_BATCH_NORM) {
        layer->running = gpri_net_weight(net, name, "running", 2, 2, x->cols);
        if (layer->running) layer->running->decay = false;
        if (layer->running) layer->running->fixed = layer->running->variances = true;
    }
    share_memory(net, y);
    return y;
}
