/* Parts side by side, each padded, become one matrix: its real columns follow each other without gaps, as those who
 * multiply it or drop some of it need them. Y = [X_0 | X_1 | ...]; dX_p are the columns of dY. */
#include <string.h>

#include "layer/net.h"

static void forward_rows(gpri_real *to, const gpri_act *y, const gpri_real *from, const gpri_act *x, int64_t rows) {
    const int64_t padded = x->width / x->parts;
    for (int64_t i = 0; i < rows; i++) {
        gpri_real *row = to + i * y->ld;
        for (int64_t p = 0; p < x->parts; p++)
            memcpy(row + p * x->cols, from + i * x->ld + p * padded, (size_t)x->cols * sizeof *row);
        memset(row + y->cols, 0, (size_t)(y->width - y->cols) * sizeof *row);
    }
}

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    const gpri_act *x = base->in, *y = base->out;
    if (gpri_runs_train(net, base)) forward_rows(gpri_train_rows(y, r0), y, gpri_train_rows(x, r0), x, r1 - r0);
    if (gpri_runs_eval(net, base))
        forward_rows(gpri_eval_rows(y, r0, slot), y, gpri_eval_rows(x, r0, slot), x, r1 - r0);
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)net, (void)block;
    const gpri_act *x = base->in, *y = base->out;
    const int64_t padded = x->width / x->parts;
    for (int64_t i = 0; i < r1 - r0; i++) {
        const gpri_real *from = gpri_gradient_rows(y, r0, slot) + i * y->gradient_ld;
        gpri_real *to = gpri_gradient_rows(x, r0, slot) + i * x->gradient_ld;
        for (int64_t p = 0; p < x->parts; p++, from += x->cols, to += padded) {
            memcpy(to, from, (size_t)x->cols * sizeof *to);
            memset(to + x->cols, 0, (size_t)(padded - x->cols) * sizeof *to);
        }
    }
}

static const gpri_layer_type type = {
    .name = "join", .size = sizeof(gpri_layer), .forward = forward, .backward = backward};

gpri_act *gpri_join(gpri_net *net, gpri_act *x) {
    int64_t cols = x->cols * x->parts;
    if (gpri_padded(cols) == x->width && x->width == cols) { /* there are no gaps */
        x->cols = cols;
        x->parts = 1;
        gpri_net_skip(net);
        return x;
    }
    gpri_layer *layer = gpri_net_add(net, &type, x, NULL, cols);
    return layer ? layer->out : x;
}
