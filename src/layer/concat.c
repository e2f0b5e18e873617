/* Concatenation: Y = [X_0 | X_1 | ...], real columns after real columns; dX_p are the columns of dY. Those that are not
 * made right before it (in the same group of tiles) must be copies of gpri_fork or come from a whole layer, so that all
 * their rows are there. */
#include <string.h>

#include "layer/net.h"

typedef struct {
    gpri_layer base; /* base.in is the first */
    gpri_act *parts[GPRI_MOST_PARTS];
    int count;
} concat_layer;

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    const concat_layer *layer = (concat_layer *)base;
    const gpri_act *y = base->out;
    bool runs[2] = {gpri_runs_train(net, base), gpri_runs_eval(net, base)};
    for (int stream = 0; stream < 2; stream++)
        for (int64_t i = 0; runs[stream] && i < r1 - r0; i++) {
            gpri_real *row = (stream ? gpri_eval_rows(y, r0, slot) : gpri_train_rows(y, r0)) + i * y->ld;
            for (int p = 0; p < layer->count; p++) {
                const gpri_act *x = layer->parts[p];
                const gpri_real *from = (stream ? gpri_eval_rows(x, r0, slot) : gpri_train_rows(x, r0)) + i * x->ld;
                memcpy(row, from, (size_t)x->cols * sizeof *row);
                row += x->cols;
            }
            memset(row, 0, (size_t)(y->width - y->cols) * sizeof *row);
        }
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)net, (void)block;
    const concat_layer *layer = (concat_layer *)base;
    const gpri_act *y = base->out;
    for (int64_t i = 0; i < r1 - r0; i++) {
        const gpri_real *row = gpri_gradient_rows(y, r0, slot) + i * y->gradient_ld;
        for (int p = 0; p < layer->count; p++) {
            const gpri_act *x = layer->parts[p];
            gpri_real *to = gpri_gradient_rows(x, r0, slot) + i * x->gradient_ld;
            memcpy(to, row, (size_t)x->cols * sizeof *to);
            memset(to + x->cols, 0, (size_t)(x->width - x->cols) * sizeof *to);
            row += x->cols;
        }
    }
}

static const gpri_layer_type type = {
    .name = "concatenation", .size = sizeof(concat_layer), .forward = forward, .backward = backward};

gpri_act *gpri_concat(gpri_net *net, gpri_act *const *parts, int count) {
    int64_t cols = 0;
    bool same = true;
    if (count > GPRI_MOST_PARTS) {
        net->status = gpri_fail(GPR_ERROR_ARGUMENT, "a concatenation of more than %d", GPRI_MOST_PARTS);
        return parts[0];
    }
    for (int p = 0; p < count; p++) {
        cols += parts[p]->cols;
        same = same && parts[p]->same;
    }
    concat_layer *layer = gpri_net_add(net, &type, parts[0], NULL, cols);
    if (!layer) return parts[0];
    memcpy(layer->parts, parts, (size_t)count * sizeof *parts);
    layer->count = count;
    layer->base.same = layer->base.out->same = same;
    return layer->base.out;
}
