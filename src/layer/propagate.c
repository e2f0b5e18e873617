/* One step over the graph: Y = M X, or M X_0 + X_1 where X has two slices side by side; M is one of gpri_graph_matrix.
 *
 *   dX_0 = M' dY,  dX_1 = dY
 *
 * M = factor L (A + loop I) R with L, R diagonal and A symmetric, so M' is the same with L and R exchanged, and an edge
 * of an unweighted graph remains a column index. X is best the narrower side of a product: M (X W), not (M X) W. */
#include "layer/net.h"

typedef struct {
    gpri_layer base;
    gpri_graph_matrix matrix;
    gpri_step there, back; /* M and M' */
} propagate_layer;

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    propagate_layer *layer = (propagate_layer *)base;
    gpri_adjacency m = {.graph = &net->walk.view, .factor = layer->matrix == GPRI_MATRIX_CHEBY ? -1 : 1};
    switch (layer->matrix) {
    case GPRI_MATRIX_GCN:
        NEED(gpri_walker_scale(&net->walk, &m.left, GPRI_SCALE_LOOPED));
        m.right = m.left;
        m.loop = 1;
        break;
    case GPRI_MATRIX_MEAN: NEED(gpri_walker_scale(&net->walk, &m.left, GPRI_SCALE_MEAN)); break;
    case GPRI_MATRIX_CHEBY:
        NEED(gpri_walker_scale(&net->walk, &m.left, GPRI_SCALE_PLAIN));
        m.right = m.left;
        break;
    }
    layer->there = layer->back = (gpri_step){.m = m, .a = 1, .far = gpri_way_far(&net->walk, base->out->ld)};
    layer->back.m.left = m.right;
    layer->back.m.right = m.left;
    return GPR_OK;
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    const gpri_step *m = &((propagate_layer *)base)->there;
    const int64_t at = gpri_walker_place(&tile->net->walk, tile->first);
    gpri_matrix own = gpri_no_matrix;
    if (base->in->slices == 2) {
        own = gpri_rows_of(gpri_columns_of(x, y.width, y.width), at, tile->rows);
        x = gpri_columns_of(x, 0, y.width);
    }
    tile->ops->propagate(y, x, gpri_no_matrix, own, m, NULL, at);
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    const gpri_step *m = &((propagate_layer *)base)->back;
    const int64_t at = gpri_walker_place(&tile->net->walk, tile->first);
    (void)x, (void)y;
    tile->ops->propagate(gpri_columns_of(dx, 0, dy.width), dy, gpri_no_matrix, gpri_no_matrix, m, NULL, at);
    if (base->in->slices == 2)
        tile->ops->copy(gpri_columns_of(dx, dy.width, dy.width), gpri_rows_of(dy, at, tile->rows));
}

static const gpri_layer_type type = {.name = "propagation",
                                     .size = sizeof(propagate_layer),
                                     .gathers = true,
                                     .shares_rows = true,
                                     .by_columns = true,
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward};

gpri_act *gpri_propagate(gpri_net *net, gpri_act *x, gpri_graph_matrix matrix) {
    propagate_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    layer->matrix = matrix;
    return layer->base.out;
}
