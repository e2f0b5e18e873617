#include "layer/net.h"

#include <stdio.h>
#include <string.h>

#include "base/thread.h"

gpr_status gpri_net_new(gpr_ctx *ctx, gpri_net **out, const gpri_graph *graph, int threads, uint64_t seed) {
    gpr_status status = gpri_calloc(ctx, out, 1, sizeof **out, "network");
    if (status != GPR_OK) return status;
    gpri_net *net = *out;
    net->ctx = ctx;
    net->ops = ctx->ops;
    net->threads = threads;
    net->seed = seed;
    net->rows = graph->nodes;
    net->graph = graph;
    net->tiles = (graph->nodes + GPRI_TILE - 1) / GPRI_TILE;
    net->blocks = net->tiles < 8 ? 1 : net->tiles > 256 ? 64 : net->tiles / 4;
    return GPR_OK;
}

void gpri_net_free(gpri_net *net) {
    if (!net) return;
    gpr_ctx *ctx = net->ctx;
    for (int i = 0; i < net->layer_count; i++) {
        gpri_layer *layer = net->layers[i];
        if (layer->type->release) layer->type->release(layer, net);
        gpri_free(ctx, layer->partial);
        gpri_free(ctx, layer);
    }
    for (int i = 0; i < net->act_count; i++) {
        gpri_free(ctx, net->acts[i].block);
        gpri_free(ctx, net->acts[i].scratch);
    }
    gpri_free(ctx, net->values);
    gpri_free(ctx, net->gradients);
    for (int i = 0; i < GPRI_SCALES; i++) gpri_free(ctx, net->scales[i]);
    gpri_free(ctx, net);
}

/* ---- building ---- */

static gpri_act *new_act(gpri_net *net, int64_t cols) {
    gpri_act *act = &net->acts[net->act_count++];
    act->cols = cols;
    act->width = gpri_padded(cols);
    act->parts = 1;
    act->same = true;
    return act;
}

gpri_act *gpri_input(gpri_net *net, const gpri_features *features) {
    gpri_act *act = new_act(net, features->cols);
    act->features = features;
    act->hops = features->hops;
    return act;
}

void *gpri_net_add(gpri_net *net, const gpri_layer_type *type, gpri_act *in, gpri_act *out, int64_t cols) {
    if (net->status != GPR_OK) return NULL;
    if (net->layer_count == GPRI_MOST_LAYERS || net->act_count == GPRI_MOST_LAYERS) {
        net->status = gpri_fail(GPR_ERROR_ARGUMENT, "a network of more than %d layers", GPRI_MOST_LAYERS);
        return NULL;
    }
    gpri_layer *layer;
    net->status = gpri_calloc(net->ctx, &layer, 1, type->size, type->name);
    if (net->status != GPR_OK) return NULL;
    layer->type = type;
    layer->number = net->next_number++;
    layer->same = in->same;
    layer->in = in;
    layer->out = out ? out : new_act(net, cols);
    layer->out->same = in->same;
    net->layers[net->layer_count++] = layer;
    return layer;
}

void gpri_net_skip(gpri_net *net) { net->next_number++; }

gpri_weight *gpri_net_weights(gpri_net *net, const char *name, const char *const *parts, int64_t count, int64_t rows,
                              int64_t stored_rows, int64_t cols) {
    if (net->weight_count + count > GPRI_MOST_WEIGHTS) {
        net->status = gpri_fail(GPR_ERROR_ARGUMENT, "a network of more than %d weights", GPRI_MOST_WEIGHTS);
        return NULL;
    }
    gpri_weight *weights = &net->weights[net->weight_count];
    int64_t padded = gpri_padded(cols);
    for (int64_t p = 0; p < count; p++) {
        weights[p] = (gpri_weight){.rows = rows, .cols = cols, .width = count * padded, .decay = true};
        snprintf(weights[p].name, sizeof weights[p].name, "%s.%s", name, parts[p]);
        weights[p].offset = net->weight_total + p * padded;
    }
    weights[0].size = rows * weights[0].width;
    net->weight_total += (stored_rows * weights[0].width + 15) / 16 * 16; /* each on its own cache line */
    net->weight_count += (int)count;
    return weights;
}

gpri_weight *gpri_net_weight(gpri_net *net, const char *name, const char *part, int64_t rows, int64_t stored_rows,
                             int64_t cols) {
    return gpri_net_weights(net, name, &part, 1, rows, stored_rows, cols);
}

/* ---- planning ---- */

gpr_status gpri_net_scale(gpri_net *net, const gpri_real **out, gpri_scale which) {
    gpr_status status = GPR_OK;
    double *scale = NULL;
    if (!net->scales[which]) {
        TRY(gpri_alloc(net->ctx, &scale, net->rows, sizeof *scale, "degrees"));
        TRY(gpri_alloc(net->ctx, &net->scales[which], net->rows, sizeof(gpri_real), "degrees"));
        gpri_graph_scale(net->graph, which, scale);
        for (int64_t i = 0; i < net->rows; i++) net->scales[which][i] = (gpri_real)scale[i];
    }
    *out = net->scales[which];
done:
    gpri_free(net->ctx, scale);
    return status;
}

static gpr_status plan_values(gpri_net *net, gpri_act *act) {
    gpr_status status = GPR_OK;
    bool two = net->trains && !act->same;
    act->ld = act->whole && two ? 2 * act->width : act->width; /* what walks the graph loads both streams together */
    if (act->whole || net->trains)
        TRY(gpri_alloc(net->ctx, &act->block, net->rows * act->ld, sizeof(gpri_real), "activations"));
    if (net->trains) act->train = act->block;
    if (act->whole || !two) act->eval = two ? act->block + act->width : act->block;
done:
    return status;
}

/* The gradient, and where tiles of the evaluation stream go that nobody keeps. */
static gpr_status plan_scratch(gpri_net *net, gpri_act *act) {
    int64_t tiles = (int64_t)net->threads * GPRI_TILE * act->width;
    int64_t eval = act->eval ? 0 : tiles, gradient = act->whole_gradient ? net->rows * act->width : tiles;
    act->gradient_ld = act->width;
    if (!net->trains) gradient = 0;
    if (net->trains && act == net->output) { /* the loss turns the scores into their gradient, in place */
        act->gradient = act->train;
        act->gradient_ld = act->ld;
        return GPR_OK;
    }
    if (eval + gradient == 0) return GPR_OK;
    gpr_status status = gpri_alloc(net->ctx, &act->scratch, eval + gradient, sizeof(gpri_real), "scratch");
    if (status != GPR_OK) return status;
    if (!act->eval) act->eval = act->scratch;
    if (net->trains) act->gradient = act->scratch + eval;
    return GPR_OK;
}

static gpr_status plan_act(gpri_net *net, gpri_act *act) {
    if (act->features) return GPR_OK;
    if (!net->trains) act->same = false;
    gpr_status status = plan_values(net, act);
    return status == GPR_OK ? plan_scratch(net, act) : status;
}

gpr_status gpri_net_plan(gpri_net *net, gpri_act *output, bool trains) {
    gpr_status status = net->status;
    if (status != GPR_OK) return status;
    net->trains = trains;
    net->output = output;
    output->whole = output->whole_gradient = true;
    TRY(gpri_calloc(net->ctx, &net->values, net->weight_total, sizeof(gpri_real), "weights"));
    if (trains) { /* gradients and both moments in one block */
        TRY(gpri_calloc(net->ctx, &net->gradients, 3 * net->weight_total, sizeof(gpri_real), "gradients"));
        net->first = net->gradients + net->weight_total;
        net->second = net->first + net->weight_total;
    }
    for (int i = 0; i < net->weight_count; i++) {
        net->weights[i].value = net->values + net->weights[i].offset;
        if (trains) net->weights[i].gradient = net->gradients + net->weights[i].offset;
    }
    for (int i = 0; i < net->act_count; i++) TRY(plan_act(net, &net->acts[i]));
    for (int i = 0; i < net->layer_count; i++) {
        gpri_layer *layer = net->layers[i];
        if (!trains) layer->same = false; /* there is the evaluation stream alone */
        if (layer->type->plan) TRY(layer->type->plan(layer, net));
    }
    for (int i = 0; trains && i < net->layer_count; i++) {
        gpri_layer *layer = net->layers[i];
        if (layer->partial_size)
            TRY(gpri_alloc(net->ctx, &layer->partial, net->blocks * layer->partial_size, sizeof(gpri_real),
                           "partial sums"));
    }
done:
    return status;
}

void gpri_net_reset(gpri_net *net) {
    memset(net->values, 0, (size_t)net->weight_total * sizeof(gpri_real));
    if (net->trains) memset(net->gradients, 0, 3 * (size_t)net->weight_total * sizeof(gpri_real));
    for (int i = 0; i < net->layer_count; i++)
        if (net->layers[i]->type->reset) net->layers[i]->type->reset(net->layers[i], net);
}

/* ---- running ---- */

int gpri_net_threads(const gpri_net *net, int64_t work) {
    int64_t worth = 1 + work / 40000; /* about ten microseconds a thread, more than it costs to wake it */
    return worth < net->threads ? (int)worth : net->threads;
}

/* Layers [from, to) that run tile by tile. */
typedef struct {
    gpri_net *net;
    int from, to;
} row_group;

static bool row_wise(const gpri_net *net, int i) {
    return !net->layers[i]->type->whole && !net->layers[i]->type->gathers;
}

static void tile_rows(const gpri_net *net, int64_t tile, int64_t *r0, int64_t *r1) {
    *r0 = tile * GPRI_TILE;
    *r1 = *r0 + GPRI_TILE < net->rows ? *r0 + GPRI_TILE : net->rows;
}

static void forward_block(void *arg, int64_t block, int slot) {
    const row_group *group = arg;
    gpri_net *net = group->net;
    for (int64_t tile = block * net->tiles / net->blocks; tile < (block + 1) * net->tiles / net->blocks; tile++) {
        int64_t r0, r1;
        tile_rows(net, tile, &r0, &r1);
        for (int i = group->from; i < group->to; i++) net->layers[i]->type->forward(net->layers[i], net, r0, r1, slot);
    }
}

static void backward_block(void *arg, int64_t block, int slot) {
    const row_group *group = arg;
    gpri_net *net = group->net;
    for (int i = group->from; i < group->to; i++) {
        gpri_layer *layer = net->layers[i];
        if (layer->partial)
            memset(layer->partial + block * layer->partial_size, 0, (size_t)layer->partial_size * sizeof(gpri_real));
    }
    for (int64_t tile = block * net->tiles / net->blocks; tile < (block + 1) * net->tiles / net->blocks; tile++) {
        int64_t r0, r1;
        tile_rows(net, tile, &r0, &r1);
        for (int i = group->to - 1; i >= group->from; i--)
            net->layers[i]->type->backward(net->layers[i], net, r0, r1, slot, block);
    }
}

void gpri_net_forward(gpri_net *net, int streams) {
    net->streams = streams;
    for (int from = 0, to; from < net->layer_count; from = to) {
        if (net->layers[from]->type->whole) {
            net->layers[from]->type->forward(net->layers[from], net, 0, net->rows, 0);
            to = from + 1;
            continue;
        }
        for (to = from + 1; to < net->layer_count && row_wise(net, to);) to++;
        for (int i = from; i < to; i++)
            if (net->layers[i]->type->prepare) net->layers[i]->type->prepare(net->layers[i], net);
        row_group group = {net, from, to};
        gpri_parallel(net->ctx, gpri_net_threads(net, net->rows * 64), net->blocks, forward_block, &group);
    }
}

void gpri_net_backward(gpri_net *net) {
    for (int to = net->layer_count, from; to > 0; to = from) {
        from = to - 1;
        if (net->layers[from]->type->whole) {
            net->layers[from]->type->backward(net->layers[from], net, 0, net->rows, 0, 0);
            continue;
        }
        while (from > 0 && row_wise(net, from - 1)) from--;
        row_group group = {net, from, to};
        gpri_parallel(net->ctx, gpri_net_threads(net, net->rows * 64), net->blocks, backward_block, &group);
        for (int i = from; i < to; i++)
            if (net->layers[i]->type->reduce) net->layers[i]->type->reduce(net->layers[i], net);
    }
}

/* ---- weights ---- */

void gpri_weight_uniform(gpri_net *net, gpri_weight *weight, uint32_t layer, int64_t first, double bound) {
    gpri_stream stream = gpri_stream_of(net->seed, GPRI_RANDOM_WEIGHTS, 0, layer);
    for (int64_t i = 0; i < weight->rows; i++)
        for (int64_t j = 0; j < weight->cols; j++) {
            double u = gpri_uniform(stream, (uint64_t)(first + i * weight->cols + j));
            weight->value[i * weight->width + j] = (gpri_real)((2 * u - 1) * bound);
        }
}

void gpri_weight_reduce(gpri_net *net, gpri_weight *weight, const gpri_layer *layer, int64_t first) {
    memcpy(weight->gradient, layer->partial + first, (size_t)weight->size * sizeof(gpri_real));
    for (int64_t block = 1; block < net->blocks; block++) {
        const gpri_real *sums = layer->partial + block * layer->partial_size + first;
        for (int64_t i = 0; i < weight->size; i++) weight->gradient[i] += sums[i];
    }
}
