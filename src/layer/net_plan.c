/* Planning a network: all memory that it will ever need. */

#include "layer/net.h"

/* Rows that an activation, or its gradient, has: those of the net, or all nodes where a layer wants others. */
static int64_t kept_rows(const gpri_net *net, bool whole) { return whole ? net->walk.local : net->walk.rows.count; }

int64_t gpri_net_streams(const gpri_net *net, const gpri_act *out) { return net->trains && !out->same ? 2 : 1; }

/* Each stream by itself; that of the evaluation in the place of another one. */
static gpr_status plan_apart(gpri_net *net, gpri_act *act) {
    const int64_t numbers = kept_rows(net, true) * act->width;
    act->ld = act->width;
    if (net->trains) NEED(gpri_net_alloc(net, &act->train, numbers, sizeof(gpri_real), false, "activations"));
    if (act->over) act->eval = act->over->eval;
    else NEED(gpri_net_alloc(net, &act->eval, numbers, sizeof(gpri_real), false, "activations"));
    return GPR_OK;
}

static gpr_status plan_values(gpri_net *net, gpri_act *act) {
    bool two = gpri_net_streams(net, act) == 2;
    if (act->apart) return plan_apart(net, act);
    act->ld = act->whole && two ? 2 * act->width : act->width; /* what walks the graph loads both streams together */
    if (act->whole || net->trains)
        NEED(gpri_net_alloc(net, &act->stored, kept_rows(net, act->whole) * act->ld, sizeof(gpri_real), false,
                            "activations"));
    if (net->trains) act->train = act->stored;
    if (act->whole || !two) act->eval = two ? act->stored + act->width : act->stored;
    return GPR_OK;
}

/* The gradient, and where tiles of the evaluation stream go that nobody keeps. */
static gpr_status plan_scratch(gpri_net *net, gpri_act *act) {
    int64_t tiles = (int64_t)net->walk.threads * net->walk.rows.tile * act->width;
    int64_t eval = act->eval ? 0 : tiles;
    int64_t gradient = act->whole_gradient ? kept_rows(net, true) * act->width : tiles;
    gpri_real *scratch;
    act->gradient_ld = act->width;
    if (!net->trains || act->under) gradient = 0;
    if (net->trains && act == net->output) { /* the loss turns the scores into their gradient, in place */
        act->gradient = act->train;
        act->gradient_ld = act->ld;
        return GPR_OK;
    }
    if (eval + gradient == 0) return GPR_OK;
    NEED(gpri_net_alloc(net, &scratch, eval + gradient, sizeof(gpri_real), false, "scratch"));
    if (!act->eval) act->eval = scratch;
    if (net->trains && !act->under) act->gradient = scratch + eval;
    return GPR_OK;
}

/* Layers that work in place, in a training of two streams: what goes in has one reader, as else its values would be
   gone before the next one. */
static void plan_places(gpri_net *net) {
    for (int i = 0; net->trains && i < net->layer_count; i++) {
        const gpri_layer *layer = net->layers[i];
        gpri_act *in = layer->in, *out = layer->out;
        int readers = 0;
        for (int k = 0; k < net->layer_count; k++) readers += net->layers[k]->in == in && net->layers[k]->out != in;
        if (readers != 1 || in->same || in->over || !layer->type->in_place || !layer->type->in_place(layer, net))
            continue;
        in->apart = out->apart = true;
        out->over = in;
        in->under = out;
    }
}

/* The input features where operations can read them. */
static gpr_status plan_features(gpri_net *net, gpri_act *act) {
    const gpri_features *x = act->features;
    gpri_features *view = &net->features_view;
    int64_t nnz = x->dense ? 0 : gpri_features_count(x);
    *view = *x;
    NEED(gpri_net_share(net, &view->dense, x->dense, x->rows * x->ld, sizeof *x->dense, "features"));
    NEED(gpri_net_share(net, &view->rowptr, x->rowptr, x->rows + 1, sizeof *x->rowptr, "features"));
    NEED(gpri_net_share(net, &view->column, x->column, nnz, sizeof *x->column, "features"));
    NEED(gpri_net_share(net, &view->value, x->value, nnz, sizeof *x->value, "features"));
    NEED(gpri_net_share(net, &view->colptr, x->colptr, x->cols + 1, sizeof *x->colptr, "features"));
    NEED(gpri_net_share(net, &view->row, x->row, nnz, sizeof *x->row, "features"));
    NEED(gpri_net_share(net, &view->offset, x->offset, nnz, sizeof *x->offset, "features"));
    NEED(gpri_net_share(net, &view->column_value, x->column_value, nnz, sizeof *x->column_value, "features"));
    return gpri_net_share(net, &view->piece_column, x->piece_column, x->pieces, sizeof *x->piece_column, "features");
}

static gpr_status plan_act(gpri_net *net, gpri_act *act) {
    if (act->features) return plan_features(net, act);
    if (!net->trains) act->same = false;
    gpr_status status = plan_values(net, act);
    return status == GPR_OK ? plan_scratch(net, act) : status;
}

static gpr_status plan_weights(gpri_net *net) {
    NEED(gpri_net_alloc(net, &net->values, net->weight_total, sizeof(gpri_real), true, "weights"));
    if (net->trains)
        NEED(gpri_net_alloc(net, &net->gradients, net->weight_total, sizeof(gpri_real), true, "gradients"));
    for (int i = 0; i < net->weight_count; i++) {
        net->weights[i].value = net->values + net->weights[i].offset;
        if (net->trains) net->weights[i].gradient = net->gradients + net->weights[i].offset;
    }
    return GPR_OK;
}

static gpr_status plan_layer(gpri_net *net, gpri_layer *layer) {
    if (!net->trains) layer->same = false; /* there is the evaluation stream alone */
    if (layer->type->plan) NEED(layer->type->plan(layer, net));
    if (layer->scratch_width)
        NEED(gpri_net_alloc(net, &layer->scratch, net->walk.threads * net->walk.rows.tile * layer->scratch_width,
                            sizeof(gpri_real), true, "scratch"));
    if (net->trains && layer->partial_size) { /* of all blocks where others make some of them */
        const int64_t blocks = net->walk.share ? net->walk.rows.blocks : gpri_own_blocks(&net->walk.rows);
        NEED(gpri_net_alloc(net, &layer->partial, blocks * layer->partial_size, sizeof(gpri_real), false,
                            "partial sums"));
        if (net->walk.share) layer->partial += net->walk.rows.block0 * layer->partial_size;
    }
    return GPR_OK;
}

gpr_status gpri_net_plan(gpri_net *net, gpri_act *output, bool trains) {
    gpr_status status = net->status;
    if (status != GPR_OK) return status;
    net->trains = trains;
    net->output = output;
    output->whole = output->whole_gradient = true;
    NEED(gpri_net_alloc(net, &net->step, 1, sizeof *net->step, true, "step"));
    NEED(gpri_net_share_plan(net));
    NEED(gpri_held_share_graph(&net->walk.held, &net->walk.view, net->walk.near));
    NEED(plan_weights(net));
    plan_places(net);
    for (int i = 0; i < net->act_count; i++) NEED(plan_act(net, &net->acts[i]));
    for (int i = net->act_count - 1; i >= 0; i--) {
        gpri_act *act = &net->acts[i];
        if (act->under) act->gradient = act->under->gradient, act->gradient_ld = act->under->gradient_ld;
    }
    for (int i = 0; i < net->layer_count; i++) NEED(plan_layer(net, net->layers[i]));
    return status;
}

void gpri_net_reset(gpri_net *net) {
    const uint32_t none = 0;
    net->ops->zero(gpri_packed(net->values, 1, net->weight_total));
    if (net->trains) net->ops->zero(gpri_packed(net->gradients, 1, net->weight_total));
    net->device->put(net->device, net->step, &none, sizeof none);
    for (int i = 0; i < net->layer_count; i++)
        if (net->layers[i]->type->reset) net->layers[i]->type->reset(net->layers[i], net);
}
