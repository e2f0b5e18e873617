/* Poincaré embedding in two dimensions. For a node u, its neighbour v and ten nodes that are not its neighbours, with d
 * the distance in the disk:
 *
 *     L = -log( exp -d(u, v) / sum_w exp -d(u, w) ),   w = v and the others
 *
 * and each point p moves by -rate ((1 - |p|^2) / 2)^2 dL/dp, the Riemannian gradient, and is kept inside the disk. With
 * q^2 = |u - w|^2 / ((1 - |u|^2) (1 - |w|^2)) only square roots are needed: d = 2 asinh q, so that exp -d = (q + sqrt(1
 * + q^2))^-2.
 *
 * Steps run one after another on one thread: each needs the points that the step before has moved. */
#include <math.h>

#include "base/random.h"
#include "embed/embedding.h"

enum {
    EPOCHS = 50,
    GENTLE = 10, /* the first epochs, at a tenth of the rate: nodes find their direction */
    OTHERS = 10,
    BLOCKS = 5, /* of random numbers to draw them from: 20 numbers, as neighbours are skipped */
    BEGIN = 1,
    SHUFFLE = 2,
    DRAW = 3 /* layers of its random numbers */
};
static const double RATE = 0.1, INSIDE = 1 - 1e-5;

typedef struct poincare {
    gpr_ctx *ctx;
    const gpri_graph *graph;
    gpri_point *points; /* (nodes) */
    int32_t *source;    /* (arcs) */
    int64_t *order;     /* (arcs) */
} poincare;

static double room(gpri_point p) { return 1 - p.x * p.x - p.y * p.y; }

static bool is_neighbour(const gpri_graph *graph, int32_t u, int32_t w) {
    int64_t low = graph->rowptr[u], high = graph->rowptr[u + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (graph->column[middle] < w) low = middle + 1;
        else high = middle;
    }
    return low < graph->rowptr[u + 1] && graph->column[low] == w;
}

/* p - rate ((1 - |p|^2) / 2)^2 gradient, inside the disk. */
static gpri_point moved(gpri_point p, double rate, gpri_point gradient) {
    double factor = 0.25 * rate * room(p) * room(p);
    p = (gpri_point){p.x - factor * gradient.x, p.y - factor * gradient.y};
    double length = sqrt(p.x * p.x + p.y * p.y);
    if (length > INSIDE) p = (gpri_point){p.x * (INSIDE / length), p.y * (INSIDE / length)};
    return p;
}

/* v and those of some random nodes that are not neighbours of u; returns how many. step: its number in the epoch. */
static int draw_nodes(const poincare *m, int32_t *nodes, int32_t u, int32_t v, gpri_random random, int64_t step) {
    int count = 1;
    nodes[0] = v;
    for (uint64_t b = 0; b < BLOCKS && count <= OTHERS; b++) {
        philox4x32_ctr_t block = gpri_random_block(random, (uint64_t)step * BLOCKS + b);
        for (int k = 0; k < 4 && count <= OTHERS; k++) {
            int32_t w = (int32_t)((uint64_t)block.v[k] * (uint64_t)m->graph->nodes >> 32);
            if (w != u && !is_neighbour(m->graph, u, w)) nodes[count++] = w;
        }
    }
    return count;
}

static void take_step(poincare *m, int32_t u, const int32_t *nodes, int count, double rate) {
    double near[1 + OTHERS], slope[1 + OTHERS], sum = 0; /* exp -d; 4 / (rooms sqrt(gamma^2 - 1)), gamma = cosh d */
    const gpri_point at = m->points[u];
    gpri_point own = {0, 0}; /* gradient of u */
    for (int j = 0; j < count; j++) {
        gpri_point w = m->points[nodes[j]];
        double dx = at.x - w.x, dy = at.y - w.y, rooms = room(at) * room(w), q = sqrt((dx * dx + dy * dy) / rooms);
        double root = sqrt(1 + q * q);
        near[j] = 1 / ((q + root) * (q + root));
        slope[j] = q > 0 ? 2 / (rooms * q * root) : 0;
        sum += near[j];
    }
    for (int j = 0; j < count; j++) {
        const gpri_point w = m->points[nodes[j]];
        double dx = at.x - w.x, dy = at.y - w.y, square = dx * dx + dy * dy;
        double factor = ((j == 0) - near[j] / sum) * slope[j]; /* dL/dd times the slope */
        double here = square / room(at), there = square / room(w);
        own.x += factor * (here * at.x + dx);
        own.y += factor * (here * at.y + dy);
        m->points[nodes[j]] = moved(w, rate, (gpri_point){factor * (there * w.x - dx), factor * (there * w.y - dy)});
    }
    m->points[u] = moved(at, rate, own);
}

static void run_epoch(poincare *m, uint32_t epoch) {
    const gpri_graph *graph = m->graph;
    gpri_random shuffle = gpri_random_of(0, GPRI_RANDOM_EMBEDDING, epoch, SHUFFLE);
    gpri_random draw = gpri_random_of(0, GPRI_RANDOM_EMBEDDING, epoch, DRAW);
    int32_t nodes[1 + OTHERS];
    for (int64_t k = graph->arcs - 1; k > 0; k--) {
        int64_t j = (int64_t)gpri_uniform_below(shuffle, (uint64_t)k, (uint64_t)k + 1), other = m->order[j];
        m->order[j] = m->order[k];
        m->order[k] = other;
    }
    for (int64_t step = 0; step < graph->arcs; step++) {
        int64_t arc = m->order[step];
        int32_t u = m->source[arc];
        int count = draw_nodes(m, nodes, u, graph->column[arc], draw, step);
        take_step(m, u, nodes, count, epoch < GENTLE ? RATE / 10 : RATE);
    }
}

gpr_status gpri_embed_poincare(gpr_ctx *ctx, gpri_embedding *out, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    poincare m = {.ctx = ctx, .graph = graph};
    *out = (gpri_embedding){.nodes = graph->nodes, .metric = GPRI_METRIC_POINCARE};
    TRY(gpri_alloc(ctx, &m.points, graph->nodes, sizeof *m.points, "embedding"));
    TRY(gpri_alloc(ctx, &m.source, graph->arcs, sizeof *m.source, "embedding"));
    TRY(gpri_alloc(ctx, &m.order, graph->arcs, sizeof *m.order, "embedding"));
    gpri_random begin = gpri_random_of(0, GPRI_RANDOM_EMBEDDING, 0, BEGIN);
    for (int64_t i = 0; i < graph->nodes; i++) {
        m.points[i].x = 1e-3 * (2 * gpri_uniform(begin, 2 * (uint64_t)i) - 1);
        m.points[i].y = 1e-3 * (2 * gpri_uniform(begin, 2 * (uint64_t)i + 1) - 1);
        for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) m.source[k] = (int32_t)i, m.order[k] = k;
    }
    for (uint32_t epoch = 0; epoch < EPOCHS; epoch++) {
        TRY(gpri_embedding_report(ctx, (double)epoch / EPOCHS));
        run_epoch(&m, epoch);
    }
    out->points = m.points;
    m.points = NULL;
done:
    gpri_free_all(ctx, m.points, m.source, m.order);
    return status;
}
