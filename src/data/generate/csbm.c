/* The contextual stochastic block model: random graphs that go from "all in the features" to "all in the graph".
 *
 *     lambda = sqrt(1 + eps) sin(phi pi / 2)      mu = sqrt(n / f (1 + eps)) cos(phi pi / 2)
 *     P(edge) = (d + lambda sqrt(d)) / n within a class, (d - lambda sqrt(d)) / n between the two
 *     b_i = sqrt(mu / n) v_i u + Z_i / sqrt(f),   u ~ N(0, I / f),  Z_i ~ N(0, I)
 *
 * Node i is of class i % 2, v_i = +1 for class 0 and -1 for class 1. All numbers are counter-based and keyed by row, so
 * the bits do not depend on the threads. Rows skip from edge to edge by geometric steps: time is proportional to nodes
 * + edges + features drawn, and exact (every pair has its own probability). */
#include <math.h>

#include "base/print.h"
#include "base/random.h"
#include "base/struct.h"
#include "base/thread.h"
#include "data/dataset.h"

#define ROWS_PER_CHUNK 256

enum { SAME = 0, OTHER = 1 };

typedef struct csbm {
    int64_t nodes, features, chunks;
    uint64_t seed;
    double probability[2]; /* of an edge: SAME, OTHER class */
    double log_miss[2];    /* log(1 - probability) */
    double shift, noise;   /* sqrt(mu / n), 1 / sqrt(f) */
    const double *mean;    /* (features) u */
    const int64_t *first;  /* (chunks + 1) where a chunk's edges begin */
    int64_t *counts;       /* (chunks) edges, or non-zero features */
    int64_t *src, *dst;    /* (edges) */
    float *rows;           /* (nodes x features) */
} csbm;

void gpr_csbm_options_init(gpr_csbm_options *options, size_t struct_size) {
    const gpr_csbm_options usual = {
        .nodes = 5000, .features = 2000, .degree = 5, .epsilon = 3.25, .phi = 0.5, .seed = 1};
    GPRI_STRUCT_INIT(options, struct_size, gpr_csbm_options, usual);
}

/* A program that calls it has room for the struct of 0.1.0. */
void gpr_csbm_defaults(gpr_csbm_options *options) { gpr_csbm_options_init(options, GPRI_FIRST_gpr_csbm_options); }

static gpr_status check_options(const gpr_csbm_options *options) {
    if (options->nodes < 2 || options->nodes >= INT32_MAX)
        return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: n is %lld nodes: it must be from 2 (one of each class) to %d",
                         (long long)options->nodes, INT32_MAX - 1);
    if (options->features < 1 || options->features >= INT32_MAX)
        return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: f is %lld features: it must be from 1 to %d",
                         (long long)options->features, INT32_MAX - 1);
    if (!(options->phi >= -1 && options->phi <= 1))
        return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: phi is %g: it must be in [-1, 1]", options->phi);
    if (!(options->degree > 0 && options->degree < INFINITY))
        return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: d is %g: the average degree must be above 0", options->degree);
    if (!(options->epsilon > -1 && options->epsilon < INFINITY))
        return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: eps is %g: it must be above -1 (1 + eps is a squared signal)",
                         options->epsilon);
    return GPR_OK;
}

/* The constants of the model; fails where (d +- lambda sqrt(d)) / n is no probability. */
static gpr_status prepare(csbm *model, const gpr_csbm_options *options) {
    const double half_pi = 1.5707963267948966;
    const double n = (double)options->nodes, f = (double)options->features, d = options->degree;
    const double lambda = sqrt(1 + options->epsilon) * sin(options->phi * half_pi);
    const double cosine = fabs(options->phi) >= 1 ? 0 : fmax(0, cos(options->phi * half_pi)); /* no 6e-17 at the ends */
    const double mu = sqrt(n / f * (1 + options->epsilon)) * cosine;
    const double pull = lambda * sqrt(d);
    double low = d - fabs(pull), high = d + fabs(pull);
    if (low < 0 && low > -1e-12 * d) low = 0; /* 1 + eps = d at phi = +-1, up to rounding */
    if (low < 0)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "csbm: phi=%g, eps=%g, d=%g give an edge probability below 0: |lambda| sqrt(d) = %g "
                         "must not exceed d; take a larger d, or a smaller eps or |phi|",
                         options->phi, options->epsilon, d, fabs(pull));
    if (high > n)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "csbm: phi=%g, eps=%g, d=%g give an edge probability above 1: d + |lambda| sqrt(d) = %g "
                         "must not exceed n = %lld; take more nodes or a smaller d",
                         options->phi, options->epsilon, d, high, (long long)options->nodes);
    *model = (csbm){.nodes = options->nodes,
                    .features = options->features,
                    .chunks = gpri_chunk_count(options->nodes, ROWS_PER_CHUNK),
                    .seed = options->seed,
                    .shift = sqrt(mu / n),
                    .noise = 1 / sqrt(f)};
    model->probability[SAME] = (pull < 0 ? low : high) / n;
    model->probability[OTHER] = (pull < 0 ? high : low) / n;
    for (int kind = SAME; kind <= OTHER; kind++) model->log_miss[kind] = log1p(-model->probability[kind]);
    return GPR_OK;
}

/* The edges i - j with j > i; written when src is not NULL. Candidates of i's class are i + 2, i + 4, ..., of the
   other i + 1, i + 3, ... Returns how many. */
static int64_t draw_edges(const csbm *model, int64_t i, int64_t *src, int64_t *dst) {
    int64_t count = 0;
    for (int kind = SAME; kind <= OTHER; kind++) {
        const gpri_random random = gpri_random_of(model->seed, GPRI_RANDOM_CSBM_EDGES, 0, (uint32_t)kind);
        const int64_t candidates = kind == SAME ? (model->nodes - 1 - i) / 2 : (model->nodes - i) / 2;
        const int64_t nearest = kind == SAME ? i + 2 : i + 1;
        if (!(model->probability[kind] > 0)) continue;
        uint64_t draw = (uint64_t)i << 32; /* a row has 2^32 numbers of its own */
        for (int64_t at = 0; at < candidates; at++, draw++) {
            double skip = floor(log1p(-gpri_uniform(random, draw)) / model->log_miss[kind]);
            if (!(skip < (double)(candidates - at))) break;
            at += (int64_t)skip;
            if (src) {
                src[count] = i;
                dst[count] = nearest + 2 * at;
            }
            count++;
        }
    }
    return count;
}

static void count_edges(void *arg, int64_t chunk, int slot) {
    const csbm *model = arg;
    int64_t count = 0;
    const gpri_range range = gpri_chunk_of(chunk, ROWS_PER_CHUNK, model->nodes);
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++) count += draw_edges(model, i, NULL, NULL);
    model->counts[chunk] = count;
}

static void fill_edges(void *arg, int64_t chunk, int slot) {
    const csbm *model = arg;
    int64_t at = model->first[chunk];
    const gpri_range range = gpri_chunk_of(chunk, ROWS_PER_CHUNK, model->nodes);
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++) at += draw_edges(model, i, model->src + at, model->dst + at);
}

static void fill_features(void *arg, int64_t chunk, int slot) {
    const csbm *model = arg;
    const gpri_random random = gpri_random_of(model->seed, GPRI_RANDOM_CSBM_FEATURES, 0, 0);
    const int64_t f = model->features, pairs = (f + 1) / 2;
    int64_t nonzero = 0;
    const gpri_range range = gpri_chunk_of(chunk, ROWS_PER_CHUNK, model->nodes);
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++) {
        const double shift = i % 2 == 0 ? model->shift : -model->shift;
        float *row = model->rows + i * f;
        for (int64_t j = 0; j < f; j += 2) {
            double z[2];
            gpri_normal_pair(random, (uint64_t)(i * pairs + j / 2), &z[0], &z[1]);
            for (int64_t k = j; k < f && k < j + 2; k++) {
                row[k] = (float)(shift * model->mean[k] + model->noise * z[k - j]);
                nonzero += row[k] != 0;
            }
        }
    }
    model->counts[chunk] = nonzero;
}

/* The same numbers are drawn twice: first to count the edges, then to write them. So no chunk has to grow its memory.
 */
static gpr_status make_graph(gpr_ctx *ctx, gpri_graph *graph, csbm *model) {
    gpr_status status = GPR_OK;
    int64_t *first = NULL;
    TRY(gpri_alloc(ctx, &first, model->chunks + 1, sizeof *first, "csbm edges"));
    gpri_parallel(ctx, ctx->threads, model->chunks, count_edges, model);
    first[0] = 0;
    for (int64_t chunk = 0; chunk < model->chunks; chunk++) first[chunk + 1] = first[chunk] + model->counts[chunk];
    model->first = first;
    TRY(gpri_alloc(ctx, &model->src, first[model->chunks], sizeof *model->src, "csbm edges"));
    TRY(gpri_alloc(ctx, &model->dst, first[model->chunks], sizeof *model->dst, "csbm edges"));
    gpri_parallel(ctx, ctx->threads, model->chunks, fill_edges, model);
    TRY(gpri_graph_build(ctx, graph, model->nodes, first[model->chunks], model->src, model->dst, NULL));
done:
    gpri_free_all(ctx, first, model->src, model->dst);
    return status;
}

/* Drawn straight into the matrix: no second copy of a large matrix. */
static gpr_status make_features(gpr_ctx *ctx, gpri_feature_matrix *matrix, csbm *model) {
    gpr_status status = GPR_OK;
    double *mean = NULL;
    int64_t cells;
    const int64_t f = model->features;
    const gpri_random random = gpri_random_of(model->seed, GPRI_RANDOM_CSBM_MEAN, 0, 0);
    if (!gpri_mul_size(model->nodes, f, &cells))
        THROW(GPR_ERROR_MEMORY, "csbm: %lld nodes of %lld features do not fit in memory", (long long)model->nodes,
              (long long)f);
    *matrix = (gpri_feature_matrix){.rows = model->nodes, .cols = f};
    TRY(gpri_alloc(ctx, &matrix->dense, cells, sizeof *matrix->dense, "csbm features"));
    TRY(gpri_alloc(ctx, &mean, f + 1, sizeof *mean, "csbm features")); /* pairs: room for one past an odd end */
    for (int64_t j = 0; j < f; j += 2) {
        gpri_normal_pair(random, (uint64_t)(j / 2), &mean[j], &mean[j + 1]);
        mean[j] *= model->noise;
        mean[j + 1] *= model->noise;
    }
    model->mean = mean;
    model->rows = matrix->dense;
    gpri_parallel(ctx, ctx->threads, model->chunks, fill_features, model);
    for (int64_t chunk = 0; chunk < model->chunks; chunk++) matrix->nnz += model->counts[chunk];
done:
    gpri_free(ctx, mean);
    return status;
}

gpr_status gpr_dataset_csbm(gpr_ctx *ctx, gpr_dataset **out, const gpr_csbm_options *options) {
    gpr_status status = GPR_OK;
    gpr_dataset *data = NULL;
    csbm model = {0};
    gpr_csbm_options own;
    char name[64];
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_csbm: out is NULL");
    *out = NULL;
    if (!ctx || !options) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_csbm: a NULL argument");
    TRY(GPRI_STRUCT_IN(&own, options, gpr_csbm_options, "gpr_dataset_csbm", "options"));
    options = &own;
    TRY(check_options(options));
    TRY(prepare(&model, options));
    TRY(gpri_dataset_new_empty(ctx, &data));
    data->phi = options->phi + 0.0; /* -0 is 0 */
    data->target.classes = 2;
    gpri_print(name, sizeof name, "csbm(phi=%g)", data->phi);
    TRY(gpri_strdup(ctx, &data->name, name));
    TRY(gpri_alloc(ctx, &model.counts, model.chunks, sizeof *model.counts, "csbm edges"));
    TRY(make_features(ctx, &data->features,
                      &model)); /* the largest block first: if it does not fit, that is known at once */
    TRY(make_graph(ctx, &data->graph, &model));
    TRY(gpri_alloc(ctx, &data->target.labels, model.nodes, sizeof *data->target.labels, "labels"));
    for (int64_t i = 0; i < model.nodes; i++) data->target.labels[i] = (int32_t)(i % 2);
    *out = data;
    data = NULL;
done:
    gpri_free(ctx, model.counts);
    gpr_dataset_free(data);
    return gpri_finish(status);
}
