/* Random walks over the layers of gpri_similarity. A walker at u in layer k stays in its layer with probability STAY:
 * it steps to v with probability proportional to exp -f_k(u, v), and v is added to the walk. Otherwise it changes its
 * layer and goes to u in
 *
 *     layer k + 1 with weight log(e + edges of u in layer k whose exp -f_k is above the layer's mean)
 *     layer k - 1 with weight 1
 *
 * if u is in that layer. Where many nodes are similar, a higher layer is needed to tell them apart. */
#include <math.h>

#include "base/thread.h"
#include "embed/struc2vec.h"

enum {
    PLACES = 512,        /* in a chunk */
    WALKS = 64,          /* in a chunk */
    MOST_CHANGES = 65536 /* random numbers of a walk: about 3 per step */
};
static const double STAY = 0.3;

/* ---- Chances -------------------------------------------------------------------------------------- */

typedef struct chances {
    gpri_layer_walker *walker;
    const gpri_similarity *similarity;
    const double *mean; /* (layers) mean weight of an edge */
} chances;

/* f_k of place p and its i-th candidate for a step; infinite: no such step. */
static float distance_of(const gpri_similarity *similarity, int64_t p, int k, int64_t i) {
    const int64_t band = similarity->band, first = i < band ? p - band + i : p, j = i < band ? band - 1 - i : i - band;
    return first < 0 ? INFINITY : similarity->distance[(first * similarity->layers + k) * band + j];
}

/* The shares of a place in a layer; returns how many edges are above the layer's mean, or -1 if there are none at all.
   The nearest one has weight 1: exp -f itself may underflow. */
static int64_t set_shares(const chances *c, float *share, int64_t p, int k) {
    const int64_t count = 2 * c->similarity->band;
    double nearest = INFINITY, sum = 0;
    int64_t many = 0;
    for (int64_t i = 0; i < count; i++) nearest = fmin(nearest, distance_of(c->similarity, p, k, i));
    if (isinf(nearest)) return -1;
    for (int64_t i = 0; i < count; i++) {
        double f = distance_of(c->similarity, p, k, i);
        sum += exp(nearest - f);
        share[i] = (float)sum;
        many += exp(-f) > c->mean[k];
    }
    const float all = share[count - 1];
    for (int64_t i = 0; i < count; i++) share[i] /= all;
    return many;
}

static void set_chances(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const chances *c = arg;
    const gpri_layer_walker *w = c->walker;
    const gpri_range range = gpri_chunk_of(chunk, PLACES, w->nodes);
    for (int64_t p = range.first; p < range.end; p++) {
        bool above = false; /* whether it is in the layer above */
        for (int k = w->layers - 1; k >= 0; k--) {
            const int64_t at = p * w->layers + k;
            int64_t many = set_shares(c, w->share + at * 2 * w->band, p, k);
            double weight = log(exp(1) + (double)many);
            w->up[at] = above ? (float)(weight / (weight + (k > 0))) : 0;
            above = many >= 0;
        }
    }
}

gpr_status gpri_layer_walker_new(gpr_ctx *ctx, gpri_layer_walker *out, const gpri_similarity *similarity) {
    gpr_status status = GPR_OK;
    double *mean = NULL, *edges = NULL; /* (layers) */
    const int64_t entries = similarity->nodes * similarity->layers;
    *out = (gpri_layer_walker){.nodes = similarity->nodes, .band = similarity->band, .layers = similarity->layers};
    TRY(gpri_alloc(ctx, &out->share, entries * 2 * similarity->band, sizeof *out->share, "random walks"));
    TRY(gpri_alloc(ctx, &out->up, entries, sizeof *out->up, "random walks"));
    TRY(gpri_calloc(ctx, &mean, similarity->layers, sizeof *mean, "random walks"));
    TRY(gpri_calloc(ctx, &edges, similarity->layers, sizeof *edges, "random walks"));
    for (int64_t i = 0; i < entries * similarity->band; i++)
        if (isfinite(similarity->distance[i])) {
            int64_t k = i / similarity->band % similarity->layers;
            mean[k] += exp(-(double)similarity->distance[i]);
            edges[k]++;
        }
    for (int k = 0; k < similarity->layers; k++) mean[k] /= fmax(edges[k], 1);
    chances c = {out, similarity, mean};
    gpri_parallel(ctx, ctx->threads, gpri_chunk_count(similarity->nodes, PLACES), set_chances, &c);
done:
    gpri_free_all(ctx, mean, edges);
    if (status < 0) gpri_layer_walker_free(ctx, out);
    return status;
}

void gpri_layer_walker_free(gpr_ctx *ctx, gpri_layer_walker *walker) {
    gpri_free_all(ctx, walker->share, walker->up);
    *walker = (gpri_layer_walker){0};
}

/* ---- Walks ---------------------------------------------------------------------------------------- */

typedef struct walking {
    const gpri_layer_walker *walker;
    int32_t *walks; /* (nodes x length) the first of each is set */
    int64_t length;
    gpri_random random;
} walking;

/* The first share above x. There is one: x is below 1, and the last share is 1. */
static int64_t chosen(const float *share, int64_t count, float x) {
    int64_t low = 0, high = count - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (share[middle] > x) high = middle;
        else low = middle + 1;
    }
    return low;
}

static void walk_from(const walking *m, int64_t number) {
    const gpri_layer_walker *w = m->walker;
    int32_t *walk = m->walks + number * m->length;
    int64_t p = walk[0], step = 1, k = 0;
    for (uint64_t change = 0; step < m->length && change < MOST_CHANGES; change++) {
        philox4x32_ctr_t block = gpri_random_block(m->random, (uint64_t)number * MOST_CHANGES + change);
        const int64_t at = p * w->layers + k;
        float x = (float)(block.v[1] >> 8) * 0x1p-24f;
        if (block.v[0] * 0x1p-32 < STAY) {
            int64_t i = chosen(w->share + at * 2 * w->band, 2 * w->band, x);
            p += i < w->band ? i - w->band : i - w->band + 1;
            walk[step++] = (int32_t)p;
        } else if (x < w->up[at]) k++;
        else if (k > 0) k--;
    }
    while (step < m->length) walk[step++] = (int32_t)p;
}

static void walk_chunk(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const walking *m = arg;
    const gpri_range range = gpri_chunk_of(chunk, WALKS, m->walker->nodes);
    for (int64_t i = range.first; i < range.end; i++) walk_from(m, i);
}

void gpri_walk_round(gpr_ctx *ctx, const gpri_layer_walker *walker, int32_t *walks, int64_t length, uint32_t round) {
    walking m = {walker, walks, length, gpri_random_of(0, GPRI_RANDOM_EMBEDDING, round, GPRI_STRUC2VEC_WALK)};
    gpri_random shuffle = gpri_random_of(0, GPRI_RANDOM_EMBEDDING, round, GPRI_STRUC2VEC_SHUFFLE);
    for (int64_t i = 0; i < walker->nodes; i++) walks[i * length] = (int32_t)i;
    for (int64_t i = walker->nodes - 1; i > 0; i--) {
        int64_t j = (int64_t)gpri_uniform_below(shuffle, (uint64_t)i, (uint64_t)i + 1);
        int32_t other = walks[j * length];
        walks[j * length] = walks[i * length];
        walks[i * length] = other;
    }
    gpri_parallel(ctx, ctx->threads, gpri_chunk_count(walker->nodes, WALKS), walk_chunk, &m);
}
