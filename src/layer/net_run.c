/* Running a network: which layers run together on a tile, which streams run, and where the matrices of a tile are. This
 * is the one place that knows. */

#include "base/thread.h"
#include "layer/net.h"

/* ---- dealing work out ---- */

typedef struct {
    gpri_deal_fn fn;
    void *arg;
    int64_t total, size;
} deal;

static void deal_piece(void *arg, int64_t piece, int slot) {
    (void)slot;
    const deal *d = arg;
    gpri_range range = gpri_chunk_of(piece, d->size, d->total);
    d->fn(d->arg, range.first, range.end);
}

void gpri_net_deal(gpri_net *net, int64_t total, int64_t size, int64_t work, gpri_deal_fn fn, void *arg) {
    if (net->device->tile == 0 && total > 0) size = total;
    deal d = {fn, arg, total, size};
    gpri_parallel(net->ctx, gpri_walker_threads(&net->walk, work), gpri_chunk_count(total, size), deal_piece, &d);
}

/* ---- dropout ---- */

gpri_mask gpri_net_mask(const gpri_net *net, double probability, uint32_t layer) {
    return (gpri_mask){gpri_dropout_rate_of(probability), net->seed, layer, net->step, GPRI_RANDOM_DROPOUT};
}

typedef struct {
    gpri_net *net;
    uint64_t *bits;
    const gpri_mask *mask;
    int64_t first; /* group */
} bits_work;

static void make_bits(void *arg, int64_t first, int64_t end) {
    const bits_work *work = arg;
    first += work->first, end += work->first;
    work->net->ops->keep_bits(work->bits + 2 * first, work->mask, first, end);
}

void gpri_net_keep_some_bits(gpri_net *net, uint64_t *bits, const gpri_mask *mask, int64_t first, int64_t end) {
    enum { GROUPS = 1024, GROUP = 128 }; /* that a thread makes at a time; elements of a group */
    bits_work work = {net, bits, mask, first / GROUP};
    int64_t groups = gpri_keep_groups(end) - work.first;
    gpri_net_deal(net, groups, GROUPS, groups * 60 * mask->rate.digits, make_bits, &work);
}

void gpri_net_keep_bits(gpri_net *net, uint64_t *bits, const gpri_mask *mask, int64_t count) {
    gpri_net_keep_some_bits(net, bits, mask, 0, count);
}

/* ---- the matrices of a tile ---- */

/* All rows of a stream that an activation keeps. */
static gpri_matrix stored_values(const gpri_net *net, const gpri_act *act, int stream) {
    gpri_matrix m = {stream & GPRI_TRAIN_STREAM ? act->train : act->eval, net->walk.rows.count, act->cols, act->width,
                     act->ld};
    if (act->whole) m.rows = net->walk.local;
    if (stream == GPRI_BOTH_STREAMS) m.cols = m.width = 2 * act->width;
    return m;
}

gpri_matrix gpri_values(const gpri_tile *tile, const gpri_act *act) {
    const gpri_partition *rows = &tile->net->walk.rows;
    bool of_tile = tile->stream == GPRI_EVAL_STREAM && !act->whole && !act->same; /* kept while the tile is worked on */
    int64_t at = of_tile ? tile->slot * rows->tile : tile->first - (act->whole ? tile->net->walk.origin : rows->first);
    return gpri_rows_of(stored_values(tile->net, act, tile->stream), at, tile->rows);
}

/* All nodes of it, for a layer that gathers. */
static gpri_matrix all_values(const gpri_tile *tile, const gpri_act *act) {
    return stored_values(tile->net, act, tile->stream);
}

static gpri_matrix all_gradients(const gpri_tile *tile, const gpri_act *act) {
    return (gpri_matrix){act->gradient, tile->net->walk.local, act->cols, act->width, act->gradient_ld};
}

gpri_matrix gpri_gradient(const gpri_tile *tile, const gpri_act *act) {
    gpri_matrix m = all_gradients(tile, act);
    const int64_t at =
        act->whole_gradient ? gpri_walker_place(&tile->net->walk, tile->first) : tile->slot * tile->net->walk.rows.tile;
    return gpri_rows_of(m, at, tile->rows);
}

gpri_matrix gpri_net_output(const gpri_net *net, int stream) {
    gpri_matrix m = stored_values(net, net->output, stream);
    return gpri_rows_of(m, gpri_walker_place(&net->walk, net->walk.rows.first), net->walk.rows.count);
}

gpri_real *gpri_tile_scratch(const gpri_tile *tile, const gpri_layer *layer) {
    return layer->scratch + tile->slot * tile->net->walk.rows.tile * layer->scratch_width;
}

gpri_real *gpri_partial(const gpri_tile *tile, const gpri_layer *layer) {
    return layer->partial + tile->block * layer->partial_size;
}

/* ---- a layer on a tile ---- */

static void run_stream(gpri_layer *layer, gpri_tile tile, int stream) {
    const gpri_layer_type *type = layer->type;
    tile.stream = stream;
    gpri_matrix x = gpri_no_matrix;
    if (!layer->in->features)
        x = type->gathers || type->whole ? all_values(&tile, layer->in) : gpri_values(&tile, layer->in);
    type->forward(layer, &tile, type->whole ? all_values(&tile, layer->out) : gpri_values(&tile, layer->out), x);
}

/* Both streams of an activation in one matrix. */
static bool side_by_side(const gpri_act *act) { return act->whole && !act->apart && !act->same && act->slices == 1; }

static void run_pair(gpri_layer *layer, gpri_tile tile, bool train, bool eval) {
    gpri_matrix both[2] = {gpri_no_matrix, gpri_no_matrix};
    for (int s = 0; s < 2; s++) {
        tile.stream = s ? GPRI_EVAL_STREAM : GPRI_TRAIN_STREAM;
        if (s ? eval : train) both[s] = gpri_values(&tile, layer->out);
    }
    layer->type->forward_pair(layer, &tile, both[0], both[1]);
}

/* What is the same in both streams is computed once, as the training stream. */
static void layer_forward(gpri_layer *layer, gpri_tile tile) {
    const gpri_layer_type *type = layer->type;
    int streams = tile.net->streams;
    bool train = layer->same || streams & GPRI_TRAIN_STREAM, eval = !layer->same && streams & GPRI_EVAL_STREAM;
    if (type->train_only || type->parts) {
        if (layer->same && streams & GPRI_EVAL_STREAM && !layer->out->same) { /* here the two streams part */
            gpri_tile eval_tile = tile;
            eval_tile.stream = GPRI_EVAL_STREAM;
            tile.stream = GPRI_TRAIN_STREAM;
            tile.ops->copy(gpri_values(&eval_tile, layer->out), gpri_values(&tile, layer->out));
        }
        if (streams & GPRI_TRAIN_STREAM) run_stream(layer, tile, GPRI_TRAIN_STREAM);
        if (type->parts && streams & GPRI_EVAL_STREAM) run_stream(layer, tile, GPRI_EVAL_STREAM);
        return;
    }
    if (type->forward_pair) run_pair(layer, tile, train, eval);
    else if (train && eval && type->by_columns && side_by_side(layer->in) && side_by_side(layer->out))
        run_stream(layer, tile, GPRI_BOTH_STREAMS);
    else {
        const bool first = eval && layer->out->over; /* the other stream's result is its scratch */
        if (first) run_stream(layer, tile, GPRI_EVAL_STREAM);
        if (train) run_stream(layer, tile, GPRI_TRAIN_STREAM);
        if (eval && !first) run_stream(layer, tile, GPRI_EVAL_STREAM);
    }
}

static void layer_backward(gpri_layer *layer, gpri_tile tile) {
    const gpri_layer_type *type = layer->type;
    const gpri_act *in = layer->in, *out = layer->out;
    gpri_matrix dx = gpri_no_matrix, x = gpri_no_matrix;
    tile.stream = GPRI_TRAIN_STREAM;
    if (!in->features) {
        dx = type->whole ? all_gradients(&tile, in) : gpri_gradient(&tile, in);
        x = type->whole ? all_values(&tile, in) : gpri_values(&tile, in);
    }
    gpri_matrix dy = type->whole || type->gathers ? all_gradients(&tile, out) : gpri_gradient(&tile, out);
    type->backward(layer, &tile, dx, dy, x, type->whole ? all_values(&tile, out) : gpri_values(&tile, out));
}

/* ---- passes ---- */

/* Layers [from, to) that run tile by tile. */
typedef struct {
    gpri_net *net;
    int from, to;
} row_group;

static bool row_wise(const gpri_net *net, int i) {
    return !net->layers[i]->type->whole && !net->layers[i]->type->gathers;
}

static gpri_tile tile_of(gpri_net *net, int64_t number, int slot, int64_t block) {
    int64_t first = gpri_tile_node(&net->walk.rows, number);
    return (gpri_tile){.net = net,
                       .ops = net->ops,
                       .first = first,
                       .rows = gpri_tile_node(&net->walk.rows, number + 1) - first,
                       .slot = slot,
                       .block = block};
}

static gpri_tile all_rows(gpri_net *net) {
    return (gpri_tile){.net = net, .ops = net->ops, .first = net->walk.rows.first, .rows = net->walk.rows.count};
}

static void forward_block(void *arg, int64_t block, int slot) {
    const row_group *group = arg;
    gpri_net *net = group->net;
    int64_t end = gpri_block_tile(&net->walk.rows, net->walk.rows.block0 + block + 1);
    for (int64_t tile = gpri_block_tile(&net->walk.rows, net->walk.rows.block0 + block); tile < end; tile++)
        for (int i = group->from; i < group->to; i++) layer_forward(net->layers[i], tile_of(net, tile, slot, block));
}

static void backward_block(void *arg, int64_t block, int slot) {
    const row_group *group = arg;
    gpri_net *net = group->net;
    int64_t end = gpri_block_tile(&net->walk.rows, net->walk.rows.block0 + block + 1);
    for (int i = group->from; i < group->to; i++) {
        gpri_layer *layer = net->layers[i];
        if (layer->partial)
            net->ops->zero(gpri_packed(layer->partial + block * layer->partial_size, 1, layer->partial_size));
    }
    for (int64_t tile = gpri_block_tile(&net->walk.rows, net->walk.rows.block0 + block); tile < end; tile++)
        for (int i = group->to - 1; i >= group->from; i--)
            layer_backward(net->layers[i], tile_of(net, tile, slot, block));
}

/* reads: what the first layer of the group to run gathers from, of which the halo is fetched. */
static void run_blocks(row_group *group, gpri_chunk_fn fn, const gpri_matrix *reads, int count) {
    const gpri_walker *walk = &group->net->walk;
    gpri_walker_overlap(walk, reads, count, walk->share ? walk->share->outer_blocks : NULL,
                        gpri_walker_threads(walk, walk->rows.count * 64), gpri_own_blocks(&walk->rows), fn, group);
}

/* What a layer gathers from in the forward pass: the first slice of the streams that run. */
static int gathered_values(const gpri_net *net, const gpri_layer *layer, gpri_matrix out[2]) {
    const gpri_act *x = layer->in;
    int count = 0;
    if (!layer->type->gathers) return 0;
    for (int stream = GPRI_TRAIN_STREAM; stream <= GPRI_EVAL_STREAM; stream++) {
        const bool runs = layer->same ? stream == GPRI_TRAIN_STREAM : (net->streams & stream) != 0;
        if (runs) out[count++] = gpri_columns_of(stored_values(net, x, stream), 0, x->width / x->slices);
    }
    return count;
}

static int gathered_gradients(const gpri_net *net, const gpri_layer *layer, gpri_matrix out[2]) {
    const gpri_act *y = layer->out;
    if (!layer->type->gathers) return 0;
    out[0] = (gpri_matrix){y->gradient, net->walk.local, y->cols, y->width, y->gradient_ld};
    return 1;
}

void gpri_net_forward(gpri_net *net, int streams) {
    gpri_matrix reads[2];
    net->streams = streams;
    for (int from = 0, to; from < net->layer_count; from = to) {
        if (net->layers[from]->type->whole) {
            layer_forward(net->layers[from], all_rows(net));
            to = from + 1;
            continue;
        }
        for (to = from + 1; to < net->layer_count && row_wise(net, to);) to++;
        for (int i = from; i < to; i++)
            if (net->layers[i]->type->prepare) net->layers[i]->type->prepare(net->layers[i], net);
        row_group group = {net, from, to};
        run_blocks(&group, forward_block, reads, gathered_values(net, net->layers[from], reads));
    }
}

void gpri_net_backward(gpri_net *net) {
    gpri_matrix reads[2];
    for (int to = net->layer_count, from; to > 0; to = from) {
        from = to - 1;
        if (net->layers[from]->type->whole) {
            layer_backward(net->layers[from], all_rows(net));
            continue;
        }
        while (from > 0 && row_wise(net, from - 1)) from--;
        row_group group = {net, from, to};
        run_blocks(&group, backward_block, reads, gathered_gradients(net, net->layers[to - 1], reads));
        for (int i = from; net->walk.share && i < to; i++)
            if (net->layers[i]->partial)
                gpri_share_blocks(net->walk.share, net->layers[i]->partial, net->layers[i]->partial_size);
        for (int i = from; i < to; i++)
            if (net->layers[i]->type->reduce) net->layers[i]->type->reduce(net->layers[i], net);
    }
}
