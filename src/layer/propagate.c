/* One step over the graph: Y = M X, or M X_0 + X_1 where X has two parts side by side; M is one of gpri_matrix.
 *
 *   dX_0 = M' dY,  dX_1 = dY
 *
 * M = factor L (A + loop I) R with L, R diagonal and A symmetric, so M' is the same with L and R exchanged, and an edge
 * of an unweighted graph remains a column index. X is best the narrower side of a product: M (X W), not (M X) W. */
#include <string.h>

#include "layer/net.h"

typedef struct {
    gpri_layer base;
    gpri_matrix matrix;
    gpri_adjacency there, back; /* M and M' */
} propagate_layer;

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    propagate_layer *layer = (propagate_layer *)base;
    gpri_adjacency m = {.graph = net->graph, .factor = layer->matrix == GPRI_MATRIX_CHEBY ? -1 : 1};
    gpr_status status = GPR_OK;
    switch (layer->matrix) {
    case GPRI_MATRIX_GCN:
        TRY(gpri_net_scale(net, &m.left, GPRI_SCALE_LOOPED));
        m.right = m.left;
        m.loop = 1;
        break;
    case GPRI_MATRIX_MEAN: TRY(gpri_net_scale(net, &m.left, GPRI_SCALE_MEAN)); break;
    case GPRI_MATRIX_CHEBY:
        TRY(gpri_net_scale(net, &m.left, GPRI_SCALE_PLAIN));
        m.right = m.left;
        break;
    }
    layer->there = layer->back = m;
    layer->back.left = m.right;
    layer->back.right = m.left;
done:
    return status;
}

static void step(const propagate_layer *layer, const gpri_net *net, gpri_real *y, int64_t width, const gpri_real *x,
                 int64_t r0, int64_t r1) {
    const gpri_act *in = layer->base.in;
    const gpri_real *own = in->parts == 2 ? x + r0 * in->ld + in->width / 2 : NULL;
    net->ops->propagate(y, layer->base.out->ld, x, in->ld, own, in->ld, &layer->there, width, r0, r1);
}

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    const propagate_layer *layer = (propagate_layer *)base;
    const gpri_act *x = base->in, *y = base->out;
    bool train = gpri_runs_train(net, base), eval = gpri_runs_eval(net, base);
    if (train && eval && y->whole && x->parts == 1) { /* both streams lie side by side, on either side */
        step(layer, net, gpri_train_rows(y, r0), 2 * y->width, x->train, r0, r1);
        return;
    }
    if (train) step(layer, net, gpri_train_rows(y, r0), y->width, x->train, r0, r1);
    if (eval) step(layer, net, gpri_eval_rows(y, r0, slot), y->width, x->eval, r0, r1);
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)block;
    const propagate_layer *layer = (propagate_layer *)base;
    const gpri_act *x = base->in, *y = base->out;
    gpri_real *dx = gpri_gradient_rows(x, r0, slot);
    net->ops->propagate(dx, x->gradient_ld, y->gradient, y->gradient_ld, NULL, 0, &layer->back, y->width, r0, r1);
    for (int64_t i = 0; x->parts == 2 && i < r1 - r0; i++)
        memcpy(dx + i * x->gradient_ld + y->width, y->gradient + (r0 + i) * y->gradient_ld,
               (size_t)y->width * sizeof *dx);
}

static const gpri_layer_type type = {.name = "propagation",
                                     .size = sizeof(propagate_layer),
                                     .gathers = true,
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward};

gpri_act *gpri_propagate(gpri_net *net, gpri_act *x, gpri_matrix matrix) {
    propagate_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    layer->matrix = matrix;
    x->whole = true;
    layer->base.out->whole_gradient = true;
    return layer->base.out;
}
