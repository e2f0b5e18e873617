/* Small graphs of many kinds with their dense matrices, and weights of steps: for tests of gpr_rank. */
#ifndef TEST_RANK_SAMPLES_H
#define TEST_RANK_SAMPLES_H

#include <math.h>

#include "base/random.h"
#include "support.h"

enum { MOST = 400 };

/* A graph as a caller has it, with all that a dense computation needs. */
typedef struct sample {
    const char *name;
    int64_t nodes, edges;
    int64_t src[6 * MOST], dst[6 * MOST];
    float weight[6 * MOST];
    bool weighted;
    int64_t seeds[4], seed_count;
    double a[MOST][MOST], degree[MOST], mean;
} sample;

static inline void edge(sample *s, int64_t a, int64_t b, double weight) {
    s->src[s->edges] = a;
    s->dst[s->edges] = b;
    s->weight[s->edges++] = (float)weight;
    if (a == b) return; /* a loop is left out; the larger weight of two equal edges counts */
    const double w = s->weighted ? (double)(float)weight : 1;
    s->a[a][b] = s->a[b][a] = fmax(w, s->a[a][b]);
}

static inline void finish(sample *s) {
    s->mean = 0;
    for (int64_t i = 0; i < s->nodes; i++) {
        s->degree[i] = 0;
        for (int64_t j = 0; j < s->nodes; j++) s->degree[i] += s->a[i][j];
        s->mean += s->degree[i] / (double)s->nodes;
    }
}

/* Random edges among the nodes below `joined`; some loops, some edges twice. */
static inline void random_edges(sample *s, int64_t joined, int64_t edges, uint64_t seed) {
    gpri_random stream = gpri_random_of(seed, GPRI_RANDOM_TEST, 0, 0);
    for (int64_t e = 0; e < edges; e++) {
        const int64_t a = (int64_t)gpri_uniform_below(stream, (uint64_t)(3 * e), (uint64_t)joined);
        const int64_t b = (int64_t)gpri_uniform_below(stream, (uint64_t)(3 * e + 1), (uint64_t)joined);
        edge(s, a, b, 0.1 + 3 * gpri_uniform(stream, (uint64_t)(3 * e + 2)));
        if (e % 10 == 0) edge(s, b, a, 0.5);
        if (e % 15 == 0) edge(s, a, a, 1);
    }
}

enum { SAMPLES = 8 };

static inline void make_sample(sample *s, int which) {
    memset(s, 0, sizeof *s);
    s->nodes = which == 7 ? MOST : 70;
    s->weighted = which == 1 || which == 4;
    s->seeds[0] = 3;
    s->seed_count = 1;
    switch (which) {
    case 0:
        s->name = "random";
        random_edges(s, 70, 200, 1);
        break;
    case 1:
        s->name = "weighted, some nodes without edges, two seeds";
        random_edges(s, 60, 150, 2);
        s->seeds[1] = 50;
        s->seed_count = 2;
        break;
    case 2:
        s->name = "a path";
        for (int64_t i = 1; i < 70; i++) edge(s, i - 1, i, 1);
        break;
    case 3:
        s->name = "a star";
        for (int64_t i = 1; i < 70; i++) edge(s, 0, i, 1);
        break;
    case 4:
        s->name = "weighted, three seeds, one without edges, one given twice";
        random_edges(s, 60, 130, 3);
        s->seeds[1] = 65;
        s->seeds[2] = 8;
        s->seeds[3] = 3;
        s->seed_count = 4;
        break;
    case 5:
        s->name = "a seed without edges";
        random_edges(s, 60, 130, 4);
        s->seeds[0] = 66;
        break;
    case 6:
        s->name = "two components with a seed in each";
        random_edges(s, 30, 100, 5);
        for (int64_t i = 31; i < 70; i++) edge(s, i - 1, i, 1);
        for (int64_t i = 32; i < 70; i += 3) edge(s, i, 30, 1);
        s->seeds[1] = 69;
        s->seed_count = 2;
        break;
    default:
        s->name = "dense enough to mix";
        random_edges(s, MOST, 3 * MOST, 6);
        break;
    }
    finish(s);
}

static inline gpr_dataset *dataset_of(gpr_ctx *ctx, const sample *s) {
    gpr_dataset *data;
    const gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                   .nodes = s->nodes,
                                   .edges = s->edges,
                                   .src = s->src,
                                   .dst = s->dst,
                                   .weights = s->weighted ? s->weight : NULL};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    return data;
}

typedef struct weighting {
    const char *text;
    int64_t last;
} weighting;

static const weighting weightings[] = {
    {"ppr:0.1", 0}, {"ppr:0.6", 0}, {"ppr:1", 0}, {"ppr:0.2", 5},   {"heat:3", 0},        {"heat:0.5", 0},
    {"heat:3", 4},  {"ipr:0.8", 0}, {"ipr", 12},  {"ipr:0.7:4", 0}, {"1,-0.5,0,0.25", 0}, {"0,0,1", 0},
};
enum { WEIGHTINGS = sizeof weightings / sizeof *weightings };

#endif
