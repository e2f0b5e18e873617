/* Jumping knowledge (Xu et al., ICML 2018): for each row a weighted sum of what several layers gave,
 *
 *   y = sum_t p_t x_t,  p = softmax over t of <a, h_t> + b,  h the states of an LSTM that reads x_0, x_1, ...
 *
 * Backward: q_t = <dy, x_t>, ds_t = p_t (q_t - sum_k p_k q_k), dx_t = p_t dy, dh_t = ds_t a, da = sum ds_t h_t. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "layer/net.h"

typedef struct {
    gpri_layer base; /* base.in is the first part */
    gpri_act *parts[GPRI_MOST_PARTS], *states;
    int count;
    int64_t state_width;        /* of one h_t */
    gpri_weight *weight, *bias; /* (state_width x 1), (1 x 1) */
    gpri_real *shares;          /* (rows x count) p, of the training stream */
    gpri_real *scratch;         /* of a slot: a column with its padding, and (TILE x count) */
} jump_layer;

enum { COLUMN = 4 }; /* padded width of one column */

static int64_t scratch_size(const jump_layer *layer) { return GPRI_TILE * (COLUMN + layer->count); }

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    jump_layer *layer = (jump_layer *)base;
    gpr_status status = GPR_OK;
    base->partial_size = (layer->state_width + 1) * COLUMN;
    TRY(gpri_calloc(net->ctx, &layer->scratch, net->threads * scratch_size(layer), sizeof(gpri_real), "scratch"));
    if (net->trains)
        TRY(gpri_alloc(net->ctx, &layer->shares, net->rows * layer->count, sizeof(gpri_real), "weights of layers"));
done:
    return status;
}

static void release(gpri_layer *base, gpri_net *net) {
    gpri_free(net->ctx, ((jump_layer *)base)->scratch);
    gpri_free(net->ctx, ((jump_layer *)base)->shares);
}

static void reset(gpri_layer *base, gpri_net *net) {
    jump_layer *layer = (jump_layer *)base;
    double bound = 1 / sqrt((double)layer->state_width);
    gpri_weight_uniform(net, layer->weight, base->number, 0, bound);
    gpri_weight_uniform(net, layer->bias, base->number, layer->state_width, bound);
}

static void softmax(gpri_real *row, int count) {
    double most = row[0], sum = 0;
    for (int t = 1; t < count; t++)
        if (row[t] > most) most = row[t];
    for (int t = 0; t < count; t++) sum += exp(row[t] - most);
    for (int t = 0; t < count; t++) row[t] = (gpri_real)(exp(row[t] - most) / sum);
}

static const gpri_real *stream_rows(const gpri_act *x, bool train, int64_t r0, int slot) {
    return train ? gpri_train_rows(x, r0) : gpri_eval_rows(x, r0, slot);
}

static void run_rows(const jump_layer *layer, const gpri_net *net, bool train, int64_t r0, int64_t r1, int slot) {
    const gpri_act *h = layer->states, *y = layer->base.out;
    gpri_real *column = layer->scratch + slot * scratch_size(layer), *shares = column + GPRI_TILE * COLUMN;
    gpri_real *to = train ? gpri_train_rows(y, r0) : gpri_eval_rows(y, r0, slot);
    int64_t rows = r1 - r0;
    if (train) shares = layer->shares + r0 * layer->count;
    for (int t = 0; t < layer->count; t++) {
        net->ops->linear_forward(column, COLUMN, stream_rows(h, train, r0, slot) + t * layer->state_width, h->ld,
                                 layer->weight->value, layer->bias->value, rows, layer->state_width, COLUMN);
        for (int64_t i = 0; i < rows; i++) shares[i * layer->count + t] = column[i * COLUMN];
    }
    for (int64_t i = 0; i < rows; i++) {
        softmax(shares + i * layer->count, layer->count);
        memset(to + i * y->ld, 0, (size_t)y->width * sizeof *to);
    }
    for (int t = 0; t < layer->count; t++)
        net->ops->head_add(to, y->ld, shares + t, layer->count, stream_rows(layer->parts[t], train, r0, slot),
                           layer->parts[t]->ld, 1, y->width, rows);
}

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    if (gpri_runs_train(net, base)) run_rows((jump_layer *)base, net, true, r0, r1, slot);
    if (gpri_runs_eval(net, base)) run_rows((jump_layer *)base, net, false, r0, r1, slot);
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    jump_layer *layer = (jump_layer *)base;
    const gpri_act *h = layer->states, *y = base->out;
    const gpri_real *dy = gpri_gradient_rows(y, r0, slot), *shares = layer->shares + r0 * layer->count;
    gpri_real *column = layer->scratch + slot * scratch_size(layer), *dots = column + GPRI_TILE * COLUMN;
    gpri_real *da = base->partial + block * base->partial_size;
    int64_t rows = r1 - r0, count = layer->count;
    for (int t = 0; t < count; t++) {
        const gpri_act *x = layer->parts[t];
        gpri_real *dx = gpri_gradient_rows(x, r0, slot);
        net->ops->head_dots(dots + t, count, dy, y->gradient_ld, gpri_train_rows(x, r0), x->ld, 1, y->width, rows);
        for (int64_t i = 0; i < rows; i++) memset(dx + i * x->gradient_ld, 0, (size_t)x->width * sizeof *dx);
        net->ops->head_add(dx, x->gradient_ld, shares + t, count, dy, y->gradient_ld, 1, y->width, rows);
    }
    for (int64_t i = 0; i < rows; i++) {
        gpri_real mean = 0;
        for (int t = 0; t < count; t++) mean += shares[i * count + t] * dots[i * count + t];
        for (int t = 0; t < count; t++) dots[i * count + t] = shares[i * count + t] * (dots[i * count + t] - mean);
    }
    memset(column, 0, (size_t)(rows * COLUMN) * sizeof *column);
    for (int t = 0; t < count; t++) {
        for (int64_t i = 0; i < rows; i++) column[i * COLUMN] = dots[i * count + t];
        net->ops->linear_backward(gpri_gradient_rows(h, r0, slot) + t * layer->state_width, h->gradient_ld, da,
                                  da + layer->state_width * COLUMN, gpri_train_rows(h, r0) + t * layer->state_width,
                                  h->ld, column, COLUMN, layer->weight->value, rows, layer->state_width, COLUMN);
    }
}

static void reduce(gpri_layer *base, gpri_net *net) {
    jump_layer *layer = (jump_layer *)base;
    gpri_weight_reduce(net, layer->weight, base, 0);
    gpri_weight_reduce(net, layer->bias, base, layer->state_width * COLUMN);
}

static const gpri_layer_type type = {.name = "jumping knowledge",
                                     .size = sizeof(jump_layer),
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward,
                                     .reduce = reduce,
                                     .reset = reset,
                                     .release = release};

gpri_act *gpri_jump(gpri_net *net, gpri_act *const *parts, int count, int64_t units, const char *name) {
    char lstm[32], att[32];
    snprintf(lstm, sizeof lstm, "%s.lstm", name);
    snprintf(att, sizeof att, "%s.att", name);
    gpri_act *states = gpri_lstm(net, parts, count, units, lstm);
    jump_layer *layer = gpri_net_add(net, &type, parts[0], NULL, parts[0]->cols);
    if (!layer) return parts[0];
    memcpy(layer->parts, parts, (size_t)count * sizeof *parts);
    layer->states = states;
    layer->count = count;
    layer->state_width = 2 * units;
    layer->weight = gpri_net_weight(net, att, "weight", 2 * units, 2 * units, 1);
    layer->bias = gpri_net_weight(net, att, "bias", 1, 1, 1);
    layer->base.same = layer->base.out->same = states->same;
    return layer->base.out;
}
