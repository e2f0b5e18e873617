/* The graph filter of two classes on a large graph. Rows are padded to four numbers, so half of what a hop would fetch
 * is zeros. Here the hops go over copies without padding: [train 0, train 1, eval 0, eval 1] for each node. Sums have
 * the same numbers in the same order, and so the same bits. */
#include "layer/gpr_layer.h"

enum { PAIR = 2 }; /* columns of a stream */

bool gpri_gpr_pairs(const gpri_net *net, const gpri_act *z) {
    const bool large = gpri_panels_far(net, gpri_net_streams(net, z) * z->width);
    return net->device->tile != 0 && !net->share && z->cols == PAIR && (large || net->half);
}

int64_t gpri_gpr_pairs_columns(const gpri_net *net, const gpri_gpr_layer *layer) {
    const int64_t forward = 2 * PAIR * gpri_net_streams(net, layer->base.out), learned = 4 * PAIR;
    return net->trains && !layer->gamma->fixed && forward < learned ? learned : forward;
}

/* ---- copies: on the CPU, whose memory is the host's ---- */

typedef struct {
    gpri_matrix padded, pairs;
    int64_t streams, width; /* of padded */
} copying;

static void take_rows(void *arg, gpri_chunk rows) {
    const copying *w = arg;
    for (int64_t i = rows.first; i < rows.first + rows.count; i++) {
        const gpri_real *from = w->padded.at + i * w->padded.ld;
        gpri_real *to = w->pairs.at + i * w->pairs.ld;
        for (int64_t s = 0; s < w->streams; s++, from += w->width, to += PAIR) to[0] = from[0], to[1] = from[1];
    }
}

static void put_rows(void *arg, gpri_chunk rows) {
    const copying *w = arg;
    for (int64_t i = rows.first; i < rows.first + rows.count; i++) {
        const gpri_real *from = w->pairs.at + i * w->pairs.ld;
        gpri_real *to = w->padded.at + i * w->padded.ld;
        for (int64_t s = 0; s < w->streams; s++, from += PAIR, to += w->width) {
            to[0] = from[0], to[1] = from[1];
            for (int64_t c = PAIR; c < w->width; c++) to[c] = 0;
        }
    }
}

static copying copying_of(const gpri_gpr_layer *layer, gpri_matrix padded, gpri_matrix pairs) {
    const int64_t width = layer->base.out->width;
    return (copying){.padded = padded, .pairs = pairs, .streams = padded.width / width, .width = width};
}

static void take(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix pairs, gpri_matrix from) {
    copying work = copying_of(layer, from, pairs);
    gpri_net_deal_rows(net, 4, take_rows, &work);
}

static void put(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix to, gpri_matrix pairs) {
    copying work = copying_of(layer, to, pairs);
    gpri_net_deal_rows(net, 4, put_rows, &work);
}

/* Copy number i, of so many columns. */
static gpri_matrix pairs_of(const gpri_gpr_layer *layer, int64_t i, int64_t rows, int64_t columns) {
    return gpri_packed(layer->back + i * rows * columns, rows, columns);
}

/* ---- the filter ---- */

void gpri_gpr_pairs_apply(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix z, gpri_matrix h) {
    const int64_t columns = PAIR * (z.width / layer->base.out->width);
    const gpri_matrix from = pairs_of(layer, 0, z.rows, columns), to = pairs_of(layer, 1, z.rows, columns);
    const gpri_matrix buffers[2] = {gpri_gpr_buffer(layer, to.at, z.rows, columns),
                                    gpri_gpr_buffer(layer, z.at, z.rows, columns)}; /* Z is written last */
    take(layer, net, from, h);
    gpri_gpr_horner(layer, net, to, from, buffers);
    put(layer, net, z, to);
}

void gpri_gpr_pairs_learn(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix dh, gpri_matrix dz, gpri_matrix h) {
    const gpri_matrix from = pairs_of(layer, 0, dz.rows, PAIR), sum = pairs_of(layer, 1, dz.rows, PAIR);
    gpri_matrix buffers[2];
    for (int64_t i = 0; i < 2; i++)
        buffers[i] = gpri_gpr_buffer(layer, pairs_of(layer, 2 + i, dz.rows, PAIR).at, dz.rows, PAIR);
    take(layer, net, from, h);
    gpri_gpr_learned_hops(layer, net, sum, gpri_columns_of(dz, 0, PAIR), from, buffers, layer->dots, 0);
    put(layer, net, dh, sum);
}
