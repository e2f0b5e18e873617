/* Isomap: classical scaling of shortest-path distances. With D2 the squared distances between L landmarks (all nodes of
 * a small graph) and J = I - 1/L:
 *
 *     B = -1/2 J D2 J,   B v_i = lambda_i v_i,   landmark l lies at (sqrt(lambda_1) v_1[l], sqrt(lambda_2) v_2[l])
 *
 * Any other node, with squared distances d to the landmarks and their means m, has the coordinate i = -1/2 sum_l v_i[l]
 * / sqrt(lambda_i) (d[l] - m[l]): the place that it would have as a landmark.
 *
 * B is never stored: its product with a vector is that of D2, with the mean subtracted before and after. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/thread.h"
#include "embed/eigen.h"
#include "embed/embedding.h"

enum {
    MOST_WHOLE = 4096, /* up to so many nodes, all are landmarks: 64 MB of distances */
    LANDMARKS = 512,   /* of a larger graph */
    BATCH = 32,        /* landmarks that are searched from together */
    ROWS = 64,         /* of D2 in a chunk */
    NODES = 4096,      /* placed in a chunk */
    DRAW = 0,          /* layers of its random numbers */
    SPREAD = 4
};

typedef struct isomap {
    gpr_ctx *ctx;
    const gpri_graph *graph;
    int64_t count;     /* landmarks */
    int32_t *landmark; /* (count) ascending */
    float *square;     /* D2: (count x count); before that, distances, -1 for none */

    int64_t first, size;    /* the present batch */
    int32_t *distance;      /* (BATCH x nodes) -1: not reached */
    int32_t *queue;         /* (threads x nodes) */
    int32_t longest[BATCH]; /* distance found from each */
    int32_t apart;          /* distance between components */

    double *centred;  /* (count) */
    const double *in; /* of the present product */
    double *out;
    double *mean;   /* (count) of the rows of D2 */
    double *weight; /* (2 x count) v_i / sqrt(lambda_i) */
    gpri_point *points;
} isomap;

/* ---- Shortest paths ------------------------------------------------------------------------------- */

/* From landmark first + chunk. */
static void search_from(void *arg, int64_t chunk, int slot) {
    isomap *m = arg;
    const int64_t nodes = m->graph->nodes;
    int32_t *distance = m->distance + chunk * nodes, *queue = m->queue + slot * nodes;
    memset(distance, 0xff, (size_t)nodes * sizeof *distance);
    int64_t found = gpri_graph_search(m->graph, m->landmark[m->first + chunk], INT32_MAX, distance, queue);
    m->longest[chunk] = distance[queue[found - 1]];
}

/* Searches from the next batch of landmarks; m->size is 0 after the last. All batches are half of the work, or all of
   it. */
static gpr_status search_batch(isomap *m, double done) {
    m->first += m->size;
    m->size = m->count - m->first < BATCH ? m->count - m->first : BATCH;
    gpri_parallel(m->ctx, m->ctx->threads, m->size, search_from, m);
    double part = m->count == m->graph->nodes ? 1 : 0.5;
    return gpri_embedding_report(m->ctx, done + part * (double)m->first / (double)m->count);
}

static double squared(const isomap *m, int32_t distance) {
    double d = distance < 0 ? m->apart : distance;
    return d * d;
}

/* D2, its means, and the distance between components. */
static gpr_status measure_landmarks(isomap *m) {
    int32_t longest = 0;
    m->first = m->size = 0;
    NEED(search_batch(m, 0));
    while (m->size > 0) {
        for (int64_t b = 0; b < m->size; b++) {
            const int32_t *distance = m->distance + b * m->graph->nodes;
            float *row = m->square + (m->first + b) * m->count;
            for (int64_t l = 0; l < m->count; l++) row[l] = (float)distance[m->landmark[l]];
            if (m->longest[b] > longest) longest = m->longest[b];
        }
        NEED(search_batch(m, 0));
    }
    m->apart = longest + 1;
    for (int64_t r = 0; r < m->count; r++) {
        float *row = m->square + r * m->count;
        double sum = 0;
        for (int64_t l = 0; l < m->count; l++) {
            row[l] = (float)squared(m, (int32_t)row[l]);
            sum += row[l];
        }
        m->mean[r] = sum / (double)m->count;
    }
    return GPR_OK;
}

/* ---- Eigenvectors --------------------------------------------------------------------------------- */

static void multiply_rows(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const isomap *m = arg;
    const gpri_range range = gpri_chunk_of(chunk, ROWS, m->count);
    for (int64_t r = range.first; r < range.end; r++) {
        const float *row = m->square + r * m->count;
        double sum[4] = {0};
        int64_t l = 0;
        for (; l + 4 <= m->count; l += 4)
            for (int64_t k = 0; k < 4; k++) sum[k] += (double)row[l + k] * m->centred[l + k];
        for (; l < m->count; l++) sum[0] += (double)row[l] * m->centred[l];
        m->out[r] = -0.5 * (sum[0] + sum[1] + (sum[2] + sum[3]));
    }
}

static double mean_of(const double *x, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += x[i];
    return sum / (double)count;
}

/* y = B x */
static void multiply(void *arg, double *y, const double *x) {
    isomap *m = arg;
    double mean = mean_of(x, m->count);
    for (int64_t i = 0; i < m->count; i++) m->centred[i] = x[i] - mean;
    m->out = y;
    gpri_parallel(m->ctx, m->count < 256 ? 1 : m->ctx->threads, gpri_chunk_count(m->count, ROWS), multiply_rows, m);
    mean = mean_of(y, m->count);
    for (int64_t i = 0; i < m->count; i++) y[i] -= mean;
}

/* ---- Places --------------------------------------------------------------------------------------- */

static void place_landmarks(isomap *m, const double *values, const double *vectors) {
    for (int64_t l = 0; l < m->count; l++)
        m->points[m->landmark[l]] = (gpri_point){sqrt(values[0]) * vectors[l], sqrt(values[1]) * vectors[m->count + l]};
}

static void place_nodes(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const isomap *m = arg;
    const gpri_range range = gpri_chunk_of(chunk, NODES, m->graph->nodes);
    for (int64_t b = 0; b < m->size; b++) {
        const int32_t *distance = m->distance + b * m->graph->nodes;
        int64_t l = m->first + b;
        for (int64_t i = range.first; i < range.end; i++) {
            double off = -0.5 * (squared(m, distance[i]) - m->mean[l]);
            m->points[i].x += m->weight[l] * off;
            m->points[i].y += m->weight[m->count + l] * off;
        }
    }
}

/* Places all nodes by their distances to the landmarks, which are computed again: all of them would not fit in
   memory. */
static gpr_status place_all(isomap *m, const double *values, const double *vectors) {
    for (int64_t i = 0; i < 2 * m->count; i++) {
        double value = values[i / m->count];
        m->weight[i] = value > 0 ? vectors[i] / sqrt(value) : 0;
    }
    memset(m->points, 0, (size_t)m->graph->nodes * sizeof *m->points);
    m->first = m->size = 0;
    NEED(search_batch(m, 0.5));
    while (m->size > 0) {
        gpri_parallel(m->ctx, m->ctx->threads, gpri_chunk_count(m->graph->nodes, NODES), place_nodes, m);
        NEED(search_batch(m, 0.5));
    }
    return GPR_OK;
}

/* Nodes with the same distances, such as the leaves of a star, would lie at the same place. Each is moved by up to a
   millionth of the extent, so that a radius can separate them. That is more than the rounding of eigenvectors. */
static void spread_places(gpri_point *points, int64_t nodes) {
    gpri_random random = gpri_random_of(0, GPRI_RANDOM_EMBEDDING, 0, SPREAD);
    double extent = 0;
    for (int64_t i = 0; i < nodes; i++) extent = fmax(extent, fmax(fabs(points[i].x), fabs(points[i].y)));
    for (int64_t i = 0; i < nodes; i++) {
        points[i].x += 1e-6 * extent * (2 * gpri_uniform(random, 2 * (uint64_t)i) - 1);
        points[i].y += 1e-6 * extent * (2 * gpri_uniform(random, 2 * (uint64_t)i + 1) - 1);
    }
}

/* ---- The whole ------------------------------------------------------------------------------------ */

/* All nodes, or a random choice of them: node i is taken with probability (landmarks still wanted) / (nodes left). */
static void choose_landmarks(isomap *m) {
    gpri_random random = gpri_random_of(0, GPRI_RANDOM_EMBEDDING, 0, DRAW);
    int64_t taken = 0, nodes = m->graph->nodes;
    for (int64_t i = 0; i < nodes && taken < m->count; i++)
        if ((int64_t)gpri_uniform_below(random, (uint64_t)i, (uint64_t)(nodes - i)) < m->count - taken)
            m->landmark[taken++] = (int32_t)i;
}

static gpr_status make_buffers(isomap *m) {
    gpr_ctx *ctx = m->ctx;
    int64_t nodes = m->graph->nodes;
    NEED(gpri_alloc(ctx, &m->points, nodes, sizeof *m->points, "embedding"));
    NEED(gpri_alloc(ctx, &m->landmark, m->count, sizeof *m->landmark, "landmarks"));
    NEED(gpri_alloc(ctx, &m->square, m->count * m->count, sizeof *m->square, "distances of landmarks"));
    NEED(gpri_alloc(ctx, &m->distance, BATCH * nodes, sizeof *m->distance, "distances of nodes"));
    NEED(gpri_alloc(ctx, &m->queue, ctx->threads * nodes, sizeof *m->queue, "distances of nodes"));
    NEED(gpri_alloc(ctx, &m->centred, m->count, sizeof *m->centred, "landmarks"));
    NEED(gpri_alloc(ctx, &m->mean, m->count, sizeof *m->mean, "landmarks"));
    return gpri_alloc(ctx, &m->weight, 2 * m->count, sizeof *m->weight, "landmarks");
}

gpr_status gpri_embed_isomap(gpr_ctx *ctx, gpri_embedding *out, const gpri_graph *graph) {
    gpr_status status = GPR_OK;
    double values[2], *vectors = NULL; /* (2 x landmarks) */
    isomap m = {.ctx = ctx, .graph = graph, .count = graph->nodes <= MOST_WHOLE ? graph->nodes : LANDMARKS};
    *out = (gpri_embedding){.nodes = graph->nodes, .metric = GPRI_METRIC_EUCLIDEAN};
    TRY(make_buffers(&m));
    m.points[0] = (gpri_point){0, 0};
    if (graph->nodes == 1) goto placed;
    TRY(gpri_alloc(ctx, &vectors, 2 * m.count, sizeof *vectors, "eigenvectors"));
    choose_landmarks(&m);
    TRY(measure_landmarks(&m));
    TRY(gpri_eigen_largest(ctx, values, vectors, m.count, 2, multiply, &m));
    for (int i = 0; i < 2; i++) values[i] = fmax(values[i], 0); /* a negative one adds no coordinate */
    if (m.count == graph->nodes) place_landmarks(&m, values, vectors);
    else TRY(place_all(&m, values, vectors));
    spread_places(m.points, graph->nodes);
placed:
    out->points = m.points;
    m.points = NULL;
done:
    gpri_free_all(ctx, m.points, m.landmark, m.square, m.distance, m.queue, m.centred, m.mean, m.weight, vectors);
    return status;
}
