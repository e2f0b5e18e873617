/* How much the surroundings of two nodes differ, with R_k(u) the sorted degrees of the nodes k steps from u:
 *
 *     f_k(u, v) = f_(k-1)(u, v) + warping distance of R_k(u) and R_k(v),   f_-1 = 0
 *
 * as long as neither is empty. Not all pairs are compared: nodes are sorted by degree, and each is compared with the
 * next log2(nodes) ones. Work is cut into stretches of that order. Each stretch computes the rings of its own nodes and
 * of the few after them: the rings of all nodes would not fit in memory. */
#include <math.h>
#include <stdlib.h>

#include "base/thread.h"
#include "embed/struc2vec.h"

enum {
    MOST_LAYERS = 6,
    FEWEST_LAYERS = 2, /* cheap: the degrees of neighbours are known */
    STRETCH = 256,     /* places */
    SAMPLE = 64        /* nodes from which the work is estimated */
};

/* ---- Two rings ------------------------------------------------------------------------------------ */

static float least(float a, float b) { return a < b ? a : b; }

static float cost_of(gpri_degree_tally a, gpri_degree_tally b) {
    float ratio = a.degree > b.degree ? a.degree / b.degree : b.degree / a.degree;
    return (ratio - 1) * (a.count > b.count ? a.count : b.count);
}

/* Row after row of the table of a x b: a cell is its cost plus the least of the cells to the left, above, and above
   left. */
float gpri_degree_ring_distance(const gpri_degree_tally *a, int64_t a_length, const gpri_degree_tally *b,
                                int64_t b_length, float *row) {
    row[0] = cost_of(a[0], b[0]);
    for (int64_t j = 1; j < b_length; j++) row[j] = row[j - 1] + cost_of(a[0], b[j]);
    for (int64_t i = 1; i < a_length; i++) {
        float corner = row[0], left = row[0] + cost_of(a[i], b[0]);
        row[0] = left;
        for (int64_t j = 1; j < b_length; j++) {
            const float above = row[j];
            left = least(left, least(corner, above)) + cost_of(a[i], b[j]);
            corner = above;
            row[j] = left;
        }
    }
    return row[b_length - 1];
}

/* ---- Order ---------------------------------------------------------------------------------------- */

typedef struct ranked {
    double walks[3]; /* from the node, of 1, 2, 3 steps: the first is its degree */
    int32_t node;
} ranked;

static int by_walks(const ranked *x, const ranked *y) {
    for (int k = 0; k < 3; k++)
        if (x->walks[k] != y->walks[k]) return x->walks[k] < y->walks[k] ? -1 : 1;
    return 0;
}

static int by_rank(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    int order = by_walks(x, y);
    return order ? order : x->node < y->node ? -1 : 1;
}

/* Many nodes have the same degree. The number of walks from them decides then, so that similar nodes are compared. */
static gpr_status order_nodes(gpr_ctx *ctx, gpri_similarity *similarity, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    ranked *ranks = NULL;
    TRY(gpri_alloc(ctx, &ranks, graph->nodes, sizeof *ranks, "order of nodes"));
    for (int64_t i = 0; i < graph->nodes; i++)
        ranks[i] = (ranked){.walks = {(double)(graph->rowptr[i + 1] - graph->rowptr[i])}, .node = (int32_t)i};
    for (int k = 1; k < 3; k++)
        for (int64_t i = 0; i < graph->nodes; i++)
            for (int64_t arc = graph->rowptr[i]; arc < graph->rowptr[i + 1]; arc++)
                ranks[i].walks[k] += ranks[graph->column[arc]].walks[k - 1];
    qsort(ranks, (size_t)graph->nodes, sizeof *ranks, by_rank);
    for (int64_t p = 0, end = 0; p < graph->nodes; p = end) {
        while (end < graph->nodes && by_walks(&ranks[p], &ranks[end]) == 0) end++;
        for (int64_t i = p; i < end; i++) {
            similarity->order[i] = ranks[i].node;
            similarity->rank[i] = 0.5 * (double)(p + end - 1);
        }
    }
done:
    gpri_free(ctx, ranks);
    return status;
}

/* ---- Comparisons ---------------------------------------------------------------------------------- */

/* Scratch memory of one thread. */
typedef struct space {
    gpri_degree_ring_search search;
    gpri_degree_tally *tallies; /* (STRETCH + band x MOST_LAYERS x classes) */
    int32_t *lengths;    /* (STRETCH + band x MOST_LAYERS) */
    float *row;          /* (classes) */
} space;

typedef struct comparison {
    gpri_similarity *similarity;
    gpri_degree_classes classes;
    space *spaces; /* (threads) */
    int64_t first; /* first stretch of those compared now */
} comparison;

static gpr_status make_spaces(gpr_ctx *ctx, comparison *c, const gpri_graph *graph) {
    int64_t rings = (STRETCH + c->similarity->band) * MOST_LAYERS;
    NEED(gpri_calloc(ctx, &c->spaces, ctx->threads, sizeof *c->spaces, "rings of nodes"));
    for (int t = 0; t < ctx->threads; t++) {
        space *s = &c->spaces[t];
        NEED(gpri_degree_ring_search_new(ctx, &s->search, graph, &c->classes));
        NEED(gpri_alloc(ctx, &s->tallies, rings * c->classes.count, sizeof *s->tallies, "rings of nodes"));
        NEED(gpri_alloc(ctx, &s->lengths, rings, sizeof *s->lengths, "rings of nodes"));
        NEED(gpri_alloc(ctx, &s->row, c->classes.count, sizeof *s->row, "rings of nodes"));
    }
    return GPR_OK;
}

static void free_spaces(gpr_ctx *ctx, comparison *c) {
    for (int t = 0; c->spaces && t < ctx->threads; t++) {
        gpri_degree_ring_search_free(ctx, &c->spaces[t].search);
        gpri_free_all(ctx, c->spaces[t].tallies, c->spaces[t].lengths, c->spaces[t].row);
    }
    gpri_free(ctx, c->spaces);
}

/* As many layers as so much work allows, estimated from the rings of some nodes over the whole range of degrees. */
static int choose_layers(const comparison *c, double most_work) {
    const int64_t nodes = c->similarity->nodes, count = nodes < SAMPLE ? nodes : SAMPLE;
    space *s = &c->spaces[0];
    double work[MOST_LAYERS] = {0}, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        gpri_degree_rings_around(&s->search, s->tallies, s->lengths,
                                 c->similarity->order[(2 * i + 1) * nodes / (2 * count)], MOST_LAYERS);
        for (int k = 0; k < MOST_LAYERS; k++) {
            const gpri_degree_tally *ring = s->tallies + k * c->classes.count;
            double length = s->lengths[k];
            work[k] += (double)c->similarity->band * length * length;
            for (int32_t t = 0; k + 1 < MOST_LAYERS && t < s->lengths[k]; t++)
                work[k + 1] += (double)ring[t].count * (ring[t].degree - 1);
        }
    }
    int layers = 0;
    for (; layers < MOST_LAYERS; layers++) {
        sum += work[layers] * (double)nodes / (double)count;
        if (layers >= FEWEST_LAYERS && sum > most_work) break;
    }
    return layers;
}

/* Places p and other: f_k of all layers into distance[k * band]. a, b: their rings, of the lengths la, lb. */
static void compare_pair(const comparison *c, float *distance, const gpri_degree_tally *a, const int32_t *la,
                         const gpri_degree_tally *b, const int32_t *lb, float *row) {
    float sum = 0;
    for (int k = 0; k < c->similarity->layers; k++) {
        const int64_t ring = k * c->classes.count;
        if (la[k] == 0 || lb[k] == 0) sum = INFINITY;
        else sum += gpri_degree_ring_distance(a + ring, la[k], b + ring, lb[k], row);
        distance[k * c->similarity->band] = sum;
    }
}

static void compare_stretch(void *arg, int64_t chunk, int slot) {
    const comparison *c = arg;
    const gpri_similarity *similarity = c->similarity;
    const int64_t layers = similarity->layers, band = similarity->band, size = layers * c->classes.count;
    space *s = &c->spaces[slot];
    const gpri_range range = gpri_chunk_of(c->first + chunk, STRETCH, similarity->nodes);
    const int64_t first = range.first, end = range.end;
    int64_t known = end + band < similarity->nodes ? end + band : similarity->nodes;
    for (int64_t p = first; p < known; p++)
        gpri_degree_rings_around(&s->search, s->tallies + (p - first) * size, s->lengths + (p - first) * layers,
                                 similarity->order[p], similarity->layers);
    for (int64_t p = first; p < end; p++) {
        float *distance = similarity->distance + p * layers * band;
        const int64_t a = p - first;
        for (int64_t j = 0; j < band; j++) {
            const int64_t b = a + 1 + j;
            if (p + 1 + j < similarity->nodes)
                compare_pair(c, distance + j, s->tallies + a * size, s->lengths + a * layers, s->tallies + b * size,
                             s->lengths + b * layers, s->row);
            else
                for (int64_t k = 0; k < layers; k++) distance[k * band + j] = INFINITY;
        }
    }
}

/* ---- The whole ------------------------------------------------------------------------------------ */

static int64_t log2_of(int64_t nodes) {
    int64_t log = 0;
    while ((int64_t)1 << log < nodes) log++;
    return log;
}

gpr_status gpri_similarity_new(gpr_ctx *ctx, gpri_similarity *out, const gpri_graph *graph, double most_work) {
    gpr_status status = GPR_OK;
    comparison c = {.similarity = out};
    *out = (gpri_similarity){.nodes = graph->nodes, .band = log2_of(graph->nodes)};
    TRY(gpri_alloc(ctx, &out->order, graph->nodes, sizeof *out->order, "order of nodes"));
    TRY(gpri_alloc(ctx, &out->rank, graph->nodes, sizeof *out->rank, "order of nodes"));
    TRY(order_nodes(ctx, out, graph));
    TRY(gpri_degree_classes_new(ctx, &c.classes, graph));
    TRY(make_spaces(ctx, &c, graph));
    out->layers = choose_layers(&c, most_work);
    TRY(gpri_alloc(ctx, &out->distance, out->layers * out->band * graph->nodes, sizeof *out->distance,
                   "distances of nodes"));
    const int64_t stretches = gpri_chunk_count(graph->nodes, STRETCH), some = 4 * (int64_t)ctx->threads;
    for (; c.first < stretches; c.first += some) {
        TRY(gpri_embedding_report(ctx, GPRI_SIMILARITY_SHARE * (double)c.first / (double)stretches));
        gpri_parallel(ctx, ctx->threads, stretches - c.first < some ? stretches - c.first : some, compare_stretch, &c);
    }
done:
    free_spaces(ctx, &c);
    gpri_degree_classes_free(ctx, &c.classes);
    if (status < 0) gpri_similarity_free(ctx, out);
    return status;
}

void gpri_similarity_free(gpr_ctx *ctx, gpri_similarity *similarity) {
    gpri_free_all(ctx, similarity->order, similarity->rank, similarity->distance);
    *similarity = (gpri_similarity){0};
}
