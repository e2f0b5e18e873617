/* A bidirectional LSTM of one layer over a short sequence: for each row the steps are X_0 .. X_{T-1}. In either
 * direction, the one from the first step to the last and the other back, each with its own weights,
 *
 *   [i f g o] = x_t W_ih + b_ih + h W_hh + b_hh      h, c of the step before, at first 0
 *   c = sigmoid(f) c + sigmoid(i) tanh(g)            h = sigmoid(o) tanh(c)
 *
 * Y (rows x T 2 units) holds h: step after step, of each both directions. Names and initial values (uniform in
 * +-1 / sqrt(units)) are PyTorch's. W_hh lies below W_ih, so that [x_t | h] makes one product with both. Kept for the
 * backward pass are the gates and c of every step. The X are inputs of a later layer too, which writes their gradients
 * first: this one adds to them. */
#include <math.h>
#include <string.h>

#include "layer/net.h"

typedef struct {
    gpri_layer base; /* base.in is the first input */
    gpri_act *inputs[GPRI_MOST_INPUTS];
    int count;
    int64_t units, width, ldc; /* width: 4 units, padded; ldc: units, padded */
    int64_t x_rows, h_rows;    /* rows of W_ih and W_hh with the zero rows below them */
    struct {
        gpri_weight *ih, *hh, *b_ih, *b_hh; /* ih, hh: (in x 4 units), (units x 4 units) */
        gpri_real *bias;                    /* (width) b_ih + b_hh */
        gpri_real *gates, *c; /* of the training stream, a step after the other: (rows x width), (rows x ldc) */
    } direction[2];
} lstm_layer;

/* Scratch of a tile. */
typedef struct {
    gpri_matrix in, d_in, gates, c[2]; /* inputs, their gradients, gates, and c in two steps */
} lstm_tile;

static int64_t in_width(const lstm_layer *layer) { return layer->x_rows + layer->h_rows; }

static lstm_tile tile_of(const lstm_layer *layer, const gpri_tile *tile) {
    lstm_tile t;
    gpri_real *at = gpri_tile_scratch(tile, &layer->base);
    int64_t rows = tile->net->walk.rows.tile;
    t.in = gpri_packed(at, tile->rows, in_width(layer));
    t.d_in = gpri_packed(at += rows * in_width(layer), tile->rows, in_width(layer));
    t.gates = gpri_packed(at += rows * in_width(layer), tile->rows, layer->width);
    t.c[0] = gpri_packed(at += rows * layer->width, tile->rows, layer->ldc);
    t.c[1] = gpri_packed(at + rows * layer->ldc, tile->rows, layer->ldc);
    t.c[0].cols = t.c[1].cols = layer->units;
    return t;
}

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    lstm_layer *layer = (lstm_layer *)base;
    int64_t step = net->walk.rows.count * (layer->width + layer->ldc), all = layer->count * step;
    gpri_real *kept;
    base->partial_size = 2 * (in_width(layer) + 1) * layer->width;
    base->scratch_width = 2 * in_width(layer) + layer->width + 2 * layer->ldc;
    gpr_status status =
        gpri_net_alloc(net, &kept, (net->trains ? 2 * all : 0) + 2 * layer->width, sizeof *kept, false, "LSTM");
    for (int d = 0; status == GPR_OK && d < 2; d++) {
        layer->direction[d].bias = kept + d * layer->width;
        layer->direction[d].gates = kept + 2 * layer->width + d * all;
        layer->direction[d].c = layer->direction[d].gates + layer->count * net->walk.rows.count * layer->width;
    }
    return status;
}

static void reset(gpri_layer *base, gpri_net *net) {
    lstm_layer *layer = (lstm_layer *)base;
    int64_t first = 0;
    for (int d = 0; d < 2; d++) {
        gpri_weight *all[] = {layer->direction[d].ih, layer->direction[d].hh, layer->direction[d].b_ih,
                              layer->direction[d].b_hh};
        for (int i = 0; i < 4; i++) {
            gpri_weight_uniform(net, all[i], base->number, first, 1 / sqrt((double)layer->units));
            first += all[i]->rows * all[i]->cols;
        }
    }
}

static void prepare(gpri_layer *base, gpri_net *net) {
    lstm_layer *layer = (lstm_layer *)base;
    for (int d = 0; d < 2; d++) {
        gpri_matrix bias = gpri_packed(layer->direction[d].bias, 1, layer->width);
        net->ops->copy(bias, gpri_packed(layer->direction[d].b_ih->value, 1, layer->width));
        net->ops->add(bias, gpri_packed(layer->direction[d].b_hh->value, 1, layer->width));
    }
}

/* The place in the sequence. */
static int64_t place_of(const lstm_layer *layer, int d, int64_t step) { return d ? layer->count - 1 - step : step; }
/* Columns of Y, or of dY: h of a step. */
static gpri_matrix state_of(const lstm_layer *layer, gpri_matrix y, int d, int64_t step) {
    return gpri_columns_of(y, (2 * place_of(layer, d, step) + d) * layer->units, layer->units);
}
/* Gates and c that are kept of a step: rows of the tile. */
static gpri_matrix kept_gates(const lstm_layer *layer, const gpri_tile *tile, int d, int64_t step) {
    int64_t row = step * tile->net->walk.rows.count + tile->first - tile->net->walk.rows.first;
    return gpri_packed(layer->direction[d].gates + row * layer->width, tile->rows, layer->width);
}
static gpri_matrix kept_c(const lstm_layer *layer, const gpri_tile *tile, int d, int64_t step) {
    int64_t row = step * tile->net->walk.rows.count + tile->first - tile->net->walk.rows.first;
    gpri_matrix c = gpri_packed(layer->direction[d].c + row * layer->ldc, tile->rows, layer->ldc);
    c.cols = layer->units;
    return c;
}

/* in = [x_t | h of the step before]; returns the columns of it that count: in the first step there is no h. */
static gpri_matrix fill_in(const lstm_layer *layer, const gpri_tile *tile, gpri_matrix in, gpri_matrix y, int d,
                           int64_t step) {
    gpri_matrix x = gpri_values(tile, layer->inputs[place_of(layer, d, step)]);
    tile->ops->copy(gpri_columns_of(in, 0, x.width), x);
    if (step) tile->ops->copy(gpri_columns_of(in, layer->x_rows, layer->units), state_of(layer, y, d, step - 1));
    return gpri_columns_of(in, 0, step ? in_width(layer) : layer->x_rows);
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    lstm_layer *layer = (lstm_layer *)base;
    bool train = tile->stream == GPRI_TRAIN_STREAM;
    lstm_tile scratch = tile_of(layer, tile);
    (void)x;
    for (int d = 0; d < 2; d++) {
        gpri_matrix before = gpri_no_matrix;
        for (int64_t step = 0; step < layer->count; step++) {
            gpri_matrix gates = train ? kept_gates(layer, tile, d, step) : scratch.gates;
            gpri_matrix c = train ? kept_c(layer, tile, d, step) : scratch.c[step % 2];
            gpri_matrix in = fill_in(layer, tile, scratch.in, y, d, step);
            tile->ops->linear_forward(gates, in, layer->direction[d].ih->value, layer->direction[d].bias);
            tile->ops->lstm_forward(gates, c, state_of(layer, y, d, step), before);
            before = c;
        }
    }
    tile->ops->zero(gpri_columns_of(y, y.cols, y.width - y.cols));
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    lstm_layer *layer = (lstm_layer *)base;
    int64_t in_all = in_width(layer);
    gpri_real *dw = gpri_partial(tile, base);
    lstm_tile scratch = tile_of(layer, tile);
    gpri_matrix dc = scratch.c[0];
    (void)dx, (void)x;
    for (int d = 0; d < 2; d++, dw += (in_all + 1) * layer->width) {
        tile->ops->zero(dc);
        for (int64_t step = layer->count - 1; step >= 0; step--) {
            gpri_matrix gates = kept_gates(layer, tile, d, step), d_in = scratch.d_in;
            gpri_matrix dx_t = gpri_gradient(tile, layer->inputs[place_of(layer, d, step)]);
            tile->ops->lstm_backward(gates, dc, kept_c(layer, tile, d, step),
                                     step ? kept_c(layer, tile, d, step - 1) : gpri_no_matrix,
                                     state_of(layer, dy, d, step));
            gpri_matrix in = fill_in(layer, tile, scratch.in, y, d, step);
            tile->ops->linear_backward(d_in, dw, dw + in_all * layer->width, gates, in, layer->direction[d].ih->value);
            tile->ops->add(gpri_columns_of(dx_t, 0, dx_t.cols), d_in);
            if (step)
                tile->ops->add(state_of(layer, dy, d, step - 1), gpri_columns_of(d_in, layer->x_rows, layer->units));
        }
    }
}

static void reduce(gpri_layer *base, gpri_net *net) {
    lstm_layer *layer = (lstm_layer *)base;
    for (int d = 0; d < 2; d++) {
        int64_t first = d * (in_width(layer) + 1) * layer->width;
        gpri_weight_reduce(net, layer->direction[d].ih, base, first);
        gpri_weight_reduce(net, layer->direction[d].hh, base, first + layer->x_rows * layer->width);
        gpri_weight_reduce(net, layer->direction[d].b_ih, base, first + in_width(layer) * layer->width);
        gpri_weight_reduce(net, layer->direction[d].b_hh, base, first + in_width(layer) * layer->width);
    }
}

static const gpri_layer_type type = {.name = "LSTM",
                                     .size = sizeof(lstm_layer),
                                     .plan = plan,
                                     .prepare = prepare,
                                     .forward = forward,
                                     .backward = backward,
                                     .reduce = reduce,
                                     .reset = reset};

gpri_act *gpri_lstm(gpri_net *net, gpri_act *const *inputs, int count, int64_t units, const char *name) {
    static const char *const names[2][4] = {
        {"weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"},
        {"weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"}};
    int64_t cols = inputs[0]->cols;
    bool same = true;
    if (count > GPRI_MOST_INPUTS) {
        net->status = gpri_fail(GPR_ERROR_ARGUMENT, "an LSTM of more than %d steps", GPRI_MOST_INPUTS);
        return inputs[0];
    }
    if (units < 1) {
        net->status =
            gpri_fail(GPR_ERROR_ARGUMENT, "the LSTM would have %lld units: take a larger hidden, or larger jk-layers",
                      (long long)units);
        return inputs[0];
    }
    for (int p = 0; p < count; p++) same = same && inputs[p]->same;
    lstm_layer *layer = gpri_net_add(net, &type, inputs[0], NULL, count * 2 * units);
    if (!layer) return inputs[0];
    memcpy(layer->inputs, inputs, (size_t)count * sizeof *inputs);
    layer->base.same = layer->base.out->same = same;
    layer->count = count;
    layer->units = units;
    layer->width = gpri_padded(4 * units);
    layer->ldc = gpri_padded(units);
    layer->x_rows = (cols + 15) / 16 * 16;
    layer->h_rows = (units + 15) / 16 * 16;
    for (int d = 0; d < 2; d++) {
        layer->direction[d].ih = gpri_net_weight(net, name, names[d][0], cols, layer->x_rows, 4 * units);
        layer->direction[d].hh = gpri_net_weight(net, name, names[d][1], units, layer->h_rows, 4 * units);
        layer->direction[d].b_ih = gpri_net_weight(net, name, names[d][2], 1, 1, 4 * units);
        layer->direction[d].b_hh = gpri_net_weight(net, name, names[d][3], 1, 1, 4 * units);
    }
    return layer->base.out;
}
