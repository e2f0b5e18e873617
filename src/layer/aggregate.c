/* The low and the high level of Geom-GCN's aggregation. X has nine slices side by side, X_d = H W_d, one for every
 * division d of a node's neighbourhood (embed/relations.h). With A_d(v, u) = 1 where v takes from u in division d, A_8
 * = I, and S the diagonal of 1 / sqrt(nodes that v takes from):
 *
 *     Y_d = S A_d S X_d                    dX_d = S A_d' S dY_d
 *     Y = [Y_0 | ... | Y_8],  or the mean Y = sum_d Y_d / 9, where dY_d = dY / 9
 *
 * A division without a pair gives zeros. */
#include "layer/net.h"

typedef struct {
    gpri_layer base;
    const gpri_relations *relations; /* not owned */
    bool mean;
    gpri_graph from[GPRI_DIVISIONS], to[GPRI_DIVISIONS];   /* their arrays in the device's memory */
    gpri_step there[GPRI_DIVISIONS], back[GPRI_DIVISIONS]; /* S A_d S and its transpose */
} aggregate_layer;

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    aggregate_layer *layer = (aggregate_layer *)base;
    const gpri_relations *r = layer->relations;
    int64_t nodes = net->walk.rows.nodes;
    gpr_status status = GPR_OK;
    gpri_real *scale, *rounded = NULL;
    TRY(gpri_net_alloc(net, &scale, nodes, sizeof *scale, false, "degrees"));
    TRY(gpri_alloc(net->ctx, &rounded, nodes, sizeof *rounded, "degrees"));
    for (int64_t i = 0; i < nodes; i++) rounded[i] = (gpri_real)r->scale[i];
    net->device->put(net->device, scale, rounded, nodes * (int64_t)sizeof *scale);
    for (int d = 0; d < GPRI_DIVISIONS; d++) {
        TRY(gpri_held_share_graph(&net->walk.held, &layer->from[d], &r->from[d]));
        TRY(gpri_held_share_graph(&net->walk.held, &layer->to[d], &r->to[d]));
        gpri_adjacency m = {.graph = &layer->from[d], .left = scale, .right = scale};
        m.factor = layer->mean ? (gpri_real)1 / GPRI_DIVISIONS : 1;
        m.loop = d == GPRI_ITSELF;
        layer->there[d] = layer->back[d] = (gpri_step){.m = m, .a = 1};
        layer->back[d].m.graph = &layer->to[d];
    }
done:
    gpri_free(net->ctx, rounded);
    return status;
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    const aggregate_layer *layer = (aggregate_layer *)base;
    int64_t width = base->in->width / GPRI_DIVISIONS;
    for (int d = 0; d < GPRI_DIVISIONS; d++) {
        gpri_matrix to = gpri_columns_of(y, layer->mean ? 0 : d * width, width);
        tile->ops->propagate(to, gpri_columns_of(x, d * width, width), gpri_no_matrix,
                             layer->mean && d > 0 ? to : gpri_no_matrix, &layer->there[d], NULL, tile->first);
    }
}

static void backward(gpri_layer *base, const gpri_tile *tile, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     gpri_matrix y) {
    const aggregate_layer *layer = (aggregate_layer *)base;
    int64_t width = base->in->width / GPRI_DIVISIONS;
    (void)x, (void)y;
    for (int d = 0; d < GPRI_DIVISIONS; d++)
        tile->ops->propagate(gpri_columns_of(dx, d * width, width),
                             gpri_columns_of(dy, layer->mean ? 0 : d * width, width), gpri_no_matrix, gpri_no_matrix,
                             &layer->back[d], NULL, tile->first);
}

static const gpri_layer_type type = {.name = "aggregation",
                                     .size = sizeof(aggregate_layer),
                                     .gathers = true,
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward};

gpri_act *gpri_aggregate(gpri_net *net, gpri_act *x, const gpri_relations *relations, bool mean) {
    aggregate_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    gpri_act *y = layer->base.out;
    layer->relations = relations;
    layer->mean = mean;
    if (mean) return y;
    y->slices = x->slices;
    y->width = x->width;
    return gpri_join(net, y);
}
