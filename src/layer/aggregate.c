/* The low and the high level of Geom-GCN's aggregation. X has nine parts side by side, X_d = H W_d, one for every
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
    gpri_real *scale;                                           /* (rows) S */
    gpri_adjacency there[GPRI_DIVISIONS], back[GPRI_DIVISIONS]; /* S A_d S and its transpose */
} aggregate_layer;

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    aggregate_layer *layer = (aggregate_layer *)base;
    const gpri_relations *r = layer->relations;
    gpr_status status = gpri_alloc(net->ctx, &layer->scale, net->rows, sizeof *layer->scale, "degrees");
    if (status != GPR_OK) return status;
    for (int64_t i = 0; i < net->rows; i++) layer->scale[i] = (gpri_real)r->scale[i];
    for (int d = 0; d < GPRI_DIVISIONS; d++) {
        gpri_adjacency m = {.graph = &r->from[d], .left = layer->scale, .right = layer->scale};
        m.factor = layer->mean ? (gpri_real)1 / GPRI_DIVISIONS : 1;
        m.loop = d == GPRI_ITSELF;
        layer->there[d] = layer->back[d] = m;
        layer->back[d].graph = &r->to[d];
    }
    return GPR_OK;
}

/* Rows [r0, r1) of one stream: x all rows, y row r0. */
static void step(const aggregate_layer *layer, const gpri_net *net, gpri_real *y, const gpri_real *x, int64_t r0,
                 int64_t r1) {
    const gpri_act *in = layer->base.in, *out = layer->base.out;
    int64_t width = in->width / GPRI_DIVISIONS;
    for (int d = 0; d < GPRI_DIVISIONS; d++) {
        gpri_real *to = layer->mean ? y : y + d * width;
        const gpri_real *sum = layer->mean && d > 0 ? y : NULL;
        net->ops->propagate(to, out->ld, x + d * width, in->ld, sum, out->ld, &layer->there[d], width, r0, r1);
    }
}

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    const aggregate_layer *layer = (aggregate_layer *)base;
    if (gpri_runs_train(net, base)) step(layer, net, gpri_train_rows(base->out, r0), base->in->train, r0, r1);
    if (gpri_runs_eval(net, base)) step(layer, net, gpri_eval_rows(base->out, r0, slot), base->in->eval, r0, r1);
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)block;
    const aggregate_layer *layer = (aggregate_layer *)base;
    const gpri_act *x = base->in, *y = base->out;
    int64_t width = x->width / GPRI_DIVISIONS;
    gpri_real *dx = gpri_gradient_rows(x, r0, slot);
    for (int d = 0; d < GPRI_DIVISIONS; d++)
        net->ops->propagate(dx + d * width, x->gradient_ld, layer->mean ? y->gradient : y->gradient + d * width,
                            y->gradient_ld, NULL, 0, &layer->back[d], width, r0, r1);
}

static void release(gpri_layer *base, gpri_net *net) { gpri_free(net->ctx, ((aggregate_layer *)base)->scale); }

static const gpri_layer_type type = {.name = "aggregation",
                                     .size = sizeof(aggregate_layer),
                                     .gathers = true,
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward,
                                     .release = release};

gpri_act *gpri_aggregate(gpri_net *net, gpri_act *x, const gpri_relations *relations, bool mean) {
    aggregate_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    gpri_act *y = layer->base.out;
    layer->relations = relations;
    layer->mean = mean;
    x->whole = true;
    y->whole_gradient = true;
    if (mean) return y;
    y->parts = x->parts;
    y->width = x->width;
    return gpri_join(net, y);
}
