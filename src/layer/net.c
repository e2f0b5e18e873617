/* Building a network: its layers, activations and weights; and its memory. */
#include "layer/net.h"

#include <stdio.h>

gpr_status gpri_net_new(gpr_ctx *ctx, gpri_net **out, const gpri_device *device, const gpri_graph *graph, int threads,
                        uint64_t seed) {
    NEED(gpri_calloc(ctx, out, 1, sizeof **out, "network"));
    gpri_net *net = *out;
    net->ctx = ctx;
    net->device = device;
    net->ops = device->ops;
    net->seed = seed;
    net->walk = gpri_walker_of(ctx, device, graph, threads);
    return GPR_OK;
}

void gpri_net_free(gpri_net *net) {
    if (!net) return;
    gpr_ctx *ctx = net->ctx;
    for (int i = 0; i < net->layer_count; i++) gpri_free(ctx, net->layers[i]);
    gpri_walker_free(&net->walk);
    gpri_free(ctx, net);
}

/* A block that is not needed any more. */
static void give_back(gpri_net *net, gpri_real **block) {
    gpri_held_give_back(&net->walk.held, *block);
    *block = NULL;
}

void gpri_net_keep_scores(gpri_net *net) {
    const gpri_act *output = net->output;
    for (int i = 0; net->device->tile != 0 && i < net->act_count; i++) { /* other devices judge where they are */
        gpri_act *act = &net->acts[i];
        if (act->under || act == output) act->gradient = NULL;
        else give_back(net, &act->gradient);
        if (act != output || output->apart) give_back(net, &act->train);
    }
}

/* ---- building ---- */

static gpri_act *new_act(gpri_net *net, int64_t cols) {
    gpri_act *act = &net->acts[net->act_count++];
    act->cols = cols;
    act->width = gpri_padded(cols);
    act->slices = 1;
    act->same = true;
    return act;
}

gpri_act *gpri_input(gpri_net *net, const gpri_features *features) {
    gpri_act *act = new_act(net, features->cols);
    act->features = features;
    act->hops = features->hops;
    return act;
}

gpri_act *gpri_input_with_labels(gpri_net *net, const gpri_features *features, const gpri_label_input *labels) {
    gpri_act *act = gpri_input(net, features);
    net->labels = *labels;
    if (labels->classes > 0) act->labels = &net->labels;
    return act;
}

void *gpri_net_add(gpri_net *net, const gpri_layer_type *type, gpri_act *in, gpri_act *out, int64_t cols) {
    if (net->status != GPR_OK) return NULL;
    if (net->layer_count == GPRI_MOST_LAYERS || net->act_count == GPRI_MOST_LAYERS) {
        net->status =
            gpri_fail(GPR_ERROR_ARGUMENT, "a network of more than %d layers: ask for fewer `layers`", GPRI_MOST_LAYERS);
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
    if (type->gathers || type->whole) in->whole = layer->out->whole_gradient = true; /* other rows are read */
    if (type->whole) in->whole_gradient = layer->out->whole = true;
    net->layers[net->layer_count++] = layer;
    return layer;
}

void gpri_net_skip(gpri_net *net) { net->next_number++; }

gpri_weight *gpri_net_weights(gpri_net *net, const char *name, const char *const *names, int64_t count, int64_t rows,
                              int64_t stored_rows, int64_t cols) {
    if (net->weight_count + count > GPRI_MOST_WEIGHTS) {
        net->status = gpri_fail(GPR_ERROR_ARGUMENT,
                                "a network of more than %d weights: ask for fewer `layers`, or name fewer `relations`",
                                GPRI_MOST_WEIGHTS);
        return NULL;
    }
    gpri_weight *weights = &net->weights[net->weight_count];
    int64_t padded = gpri_padded(cols);
    for (int64_t p = 0; p < count; p++) {
        weights[p] = (gpri_weight){.rows = rows, .cols = cols, .width = count * padded, .decay = true};
        snprintf(weights[p].name, sizeof weights[p].name, "%s.%s", name, names[p]);
        weights[p].offset = net->weight_total + p * padded;
    }
    weights[0].size = rows * weights[0].width;
    net->weight_total += (stored_rows * weights[0].width + 15) / 16 * 16; /* each on its own cache line */
    net->weight_count += (int)count;
    return weights;
}

gpri_weight *gpri_net_weight(gpri_net *net, const char *name, const char *own_name, int64_t rows, int64_t stored_rows,
                             int64_t cols) {
    return gpri_net_weights(net, name, &own_name, 1, rows, stored_rows, cols);
}
