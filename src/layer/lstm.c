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
    gpri_layer base; /* base.in is the first part */
    gpri_act *parts[GPRI_MOST_PARTS];
    int count;
    int64_t units, width, ldc; /* width: 4 units, padded; ldc: units, padded */
    int64_t x_rows, h_rows;    /* rows of W_ih and W_hh with the zero rows below them */
    struct {
        gpri_weight *ih, *hh, *b_ih, *b_hh; /* ih, hh: (in x 4 units), (units x 4 units) */
        gpri_real *bias;                    /* (width) b_ih + b_hh */
        gpri_real *gates, *c; /* of the training stream, a step after the other: (rows x width), (rows x ldc) */
    } direction[2];
    gpri_real *kept, *scratch;
    int64_t scratch_size; /* of a slot */
} lstm_layer;

/* A slot's scratch: a tile of inputs, of their gradients, of gates, and of c in two steps. */
typedef struct {
    gpri_real *in, *d_in, *gates, *c[2];
} lstm_tile;

static int64_t in_width(const lstm_layer *layer) { return layer->x_rows + layer->h_rows; }

static lstm_tile tile_of(const lstm_layer *layer, int slot) {
    lstm_tile tile;
    tile.in = layer->scratch + slot * layer->scratch_size;
    tile.d_in = tile.in + GPRI_TILE * in_width(layer);
    tile.gates = tile.d_in + GPRI_TILE * in_width(layer);
    tile.c[0] = tile.gates + GPRI_TILE * layer->width;
    tile.c[1] = tile.c[0] + GPRI_TILE * layer->ldc;
    return tile;
}

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    lstm_layer *layer = (lstm_layer *)base;
    int64_t step = net->rows * (layer->width + layer->ldc), all = layer->count * step;
    gpr_status status = GPR_OK;
    base->partial_size = 2 * (in_width(layer) + 1) * layer->width;
    layer->scratch_size = GPRI_TILE * (2 * in_width(layer) + layer->width + 2 * layer->ldc);
    TRY(gpri_calloc(net->ctx, &layer->scratch, net->threads * layer->scratch_size, sizeof(gpri_real), "LSTM"));
    TRY(gpri_alloc(net->ctx, &layer->kept, (net->trains ? 2 * all : 0) + 2 * layer->width, sizeof(gpri_real), "LSTM"));
    for (int d = 0; d < 2; d++) {
        layer->direction[d].bias = layer->kept + d * layer->width;
        layer->direction[d].gates = layer->kept + 2 * layer->width + d * all;
        layer->direction[d].c = layer->direction[d].gates + layer->count * net->rows * layer->width;
    }
done:
    return status;
}

static void release(gpri_layer *base, gpri_net *net) {
    gpri_free(net->ctx, ((lstm_layer *)base)->kept);
    gpri_free(net->ctx, ((lstm_layer *)base)->scratch);
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
    (void)net;
    lstm_layer *layer = (lstm_layer *)base;
    for (int d = 0; d < 2; d++)
        for (int64_t c = 0; c < layer->width; c++)
            layer->direction[d].bias[c] = layer->direction[d].b_ih->value[c] + layer->direction[d].b_hh->value[c];
}

/* The place in the sequence, and in a row of Y. */
static int64_t place_of(const lstm_layer *layer, int d, int64_t step) { return d ? layer->count - 1 - step : step; }
static int64_t column_of(const lstm_layer *layer, int d, int64_t step) {
    return (2 * place_of(layer, d, step) + d) * layer->units;
}

/* in = [x_t | h of the step before] */
static void fill_in(const lstm_layer *layer, gpri_real *in, const gpri_real *x, const gpri_act *part,
                    const gpri_real *before, int64_t rows) {
    for (int64_t i = 0; i < rows; i++, in += in_width(layer)) {
        memcpy(in, x + i * part->ld, (size_t)part->width * sizeof *in);
        if (before) memcpy(in + layer->x_rows, before + i * layer->base.out->ld, (size_t)layer->units * sizeof *in);
    }
}

static void run_rows(const lstm_layer *layer, const gpri_net *net, bool train, int d, int64_t r0, int64_t r1,
                     int slot) {
    const gpri_act *y = layer->base.out;
    gpri_real *h = train ? gpri_train_rows(y, r0) : gpri_eval_rows(y, r0, slot), *c_before = NULL;
    lstm_tile tile = tile_of(layer, slot);
    for (int64_t step = 0; step < layer->count; step++) {
        const gpri_act *x = layer->parts[place_of(layer, d, step)];
        int64_t row = step * net->rows + r0;
        gpri_real *gates = train ? layer->direction[d].gates + row * layer->width : tile.gates;
        gpri_real *c = train ? layer->direction[d].c + row * layer->ldc : tile.c[step % 2];
        fill_in(layer, tile.in, train ? gpri_train_rows(x, r0) : gpri_eval_rows(x, r0, slot), x,
                step ? h + column_of(layer, d, step - 1) : NULL, r1 - r0);
        net->ops->linear_forward(gates, layer->width, tile.in, in_width(layer), layer->direction[d].ih->value,
                                 layer->direction[d].bias, r1 - r0, step ? in_width(layer) : layer->x_rows,
                                 layer->width);
        net->ops->lstm_forward(gates, layer->width, c, layer->ldc, h + column_of(layer, d, step), y->ld, c_before,
                               layer->units, r1 - r0);
        c_before = c;
    }
    for (int64_t i = 0; i < r1 - r0; i++) memset(h + i * y->ld + y->cols, 0, (size_t)(y->width - y->cols) * sizeof *h);
}

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    for (int d = 0; d < 2; d++) {
        if (gpri_runs_train(net, base)) run_rows((lstm_layer *)base, net, true, d, r0, r1, slot);
        if (gpri_runs_eval(net, base)) run_rows((lstm_layer *)base, net, false, d, r0, r1, slot);
    }
}

static void add_rows(gpri_real *to, int64_t ld, const gpri_real *from, int64_t ld_from, int64_t cols, int64_t rows) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < cols; c++) to[i * ld + c] += from[i * ld_from + c];
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    lstm_layer *layer = (lstm_layer *)base;
    const gpri_act *y = base->out;
    const gpri_real *h = gpri_train_rows(y, r0);
    gpri_real *dh = gpri_gradient_rows(y, r0, slot), *dw = base->partial + block * base->partial_size;
    int64_t rows = r1 - r0, in = in_width(layer);
    lstm_tile tile = tile_of(layer, slot);
    gpri_real *dc = tile.c[0];
    for (int d = 0; d < 2; d++, dw += (in + 1) * layer->width) {
        memset(dc, 0, (size_t)(rows * layer->ldc) * sizeof *dc);
        for (int64_t step = layer->count - 1; step >= 0; step--) {
            const gpri_act *x = layer->parts[place_of(layer, d, step)];
            int64_t row = step * net->rows + r0, used = step ? in : layer->x_rows;
            gpri_real *gates = layer->direction[d].gates + row * layer->width, *c = layer->direction[d].c;
            net->ops->lstm_backward(gates, layer->width, dc, c + row * layer->ldc, layer->ldc,
                                    step ? c + (row - net->rows) * layer->ldc : NULL, dh + column_of(layer, d, step),
                                    y->gradient_ld, layer->units, rows);
            fill_in(layer, tile.in, gpri_train_rows(x, r0), x, step ? h + column_of(layer, d, step - 1) : NULL, rows);
            net->ops->linear_backward(tile.d_in, in, dw, dw + in * layer->width, tile.in, in, gates, layer->width,
                                      layer->direction[d].ih->value, rows, used, layer->width);
            add_rows(gpri_gradient_rows(x, r0, slot), x->gradient_ld, tile.d_in, in, x->cols, rows);
            if (step)
                add_rows(dh + column_of(layer, d, step - 1), y->gradient_ld, tile.d_in + layer->x_rows, in,
                         layer->units, rows);
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
                                     .reset = reset,
                                     .release = release};

gpri_act *gpri_lstm(gpri_net *net, gpri_act *const *parts, int count, int64_t units, const char *name) {
    static const char *const names[2][4] = {
        {"weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"},
        {"weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"}};
    int64_t cols = parts[0]->cols;
    bool same = true;
    if (count > GPRI_MOST_PARTS) {
        net->status = gpri_fail(GPR_ERROR_ARGUMENT, "an LSTM of more than %d steps", GPRI_MOST_PARTS);
        return parts[0];
    }
    if (units < 1) {
        net->status =
            gpri_fail(GPR_ERROR_ARGUMENT, "the LSTM would have %lld units: take a larger hidden, or larger jk-layers",
                      (long long)units);
        return parts[0];
    }
    for (int p = 0; p < count; p++) same = same && parts[p]->same;
    lstm_layer *layer = gpri_net_add(net, &type, parts[0], NULL, count * 2 * units);
    if (!layer) return parts[0];
    memcpy(layer->parts, parts, (size_t)count * sizeof *parts);
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
