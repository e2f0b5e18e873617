/* Fork: a copy y of x, where two layers need x. Every activation has one layer that reads it last and writes its
 * gradient; what else reads it reads a copy. dx += dy: when the backward pass comes here, dx has what the layers after
 * the fork left there. The copy is kept for all rows, so that a layer further on may read it. */
#include <string.h>

#include "layer/net.h"

static void copy_rows(gpri_real *to, const gpri_act *y, const gpri_real *from, const gpri_act *x, int64_t rows) {
    for (int64_t i = 0; i < rows; i++) memcpy(to + i * y->ld, from + i * x->ld, (size_t)x->width * sizeof *to);
}

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    const gpri_act *x = base->in, *y = base->out;
    if (gpri_runs_train(net, base)) copy_rows(gpri_train_rows(y, r0), y, gpri_train_rows(x, r0), x, r1 - r0);
    if (gpri_runs_eval(net, base)) copy_rows(gpri_eval_rows(y, r0, slot), y, gpri_eval_rows(x, r0, slot), x, r1 - r0);
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)net, (void)block;
    const gpri_act *x = base->in, *y = base->out;
    gpri_real *dx = gpri_gradient_rows(x, r0, slot);
    const gpri_real *dy = gpri_gradient_rows(y, r0, slot);
    for (int64_t i = 0; i < r1 - r0; i++)
        for (int64_t c = 0; c < x->width; c++) dx[i * x->gradient_ld + c] += dy[i * y->gradient_ld + c];
}

static const gpri_layer_type type = {
    .name = "fork", .size = sizeof(gpri_layer), .forward = forward, .backward = backward};

gpri_act *gpri_fork(gpri_net *net, gpri_act *x) {
    gpri_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    layer->out->whole = layer->out->whole_gradient = true;
    return layer->out;
}
