/* A small graph as a caller has it, models with initial weights on it, and their scores: for tests that compute the
 * same by hand, in double, from the model's weights and a dense matrix of the edges. */
#ifndef TEST_WORLD_H
#define TEST_WORLD_H

#include <math.h>

#include "fixture.h"
#include "tensor/cpu/cpu.h"
#include "training.h"

enum { NODES = 90, FEATURES = 40, CLASSES = 3, HIDDEN = 10, EDGES = 200, TABLES = 8 };

static const double tolerance = sizeof(gpri_real) == 8 ? 1e-12 : 3e-6; /* of the largest value */

/* Edges, features and labels as a caller has them. */
typedef struct {
    int64_t nodes, edges;
    int64_t src[2 * EDGES], dst[2 * EDGES];
    bool weighted;
    float weights[2 * EDGES];
    float x[NODES * FEATURES];
} world;

enum { DENSE = 0, SPARSE = 1, WEIGHTED = 2 };

/* Nodes from `joined` on have no edge. */
static inline void world_new(world *w, int kind, int64_t nodes, int64_t joined) {
    gpri_random stream = gpri_random_of(29, GPRI_RANDOM_TEST, 0, 0);
    *w = (world){.nodes = nodes, .edges = joined > 1 ? EDGES : 0, .weighted = kind & WEIGHTED};
    for (int64_t e = 0; e < w->edges; e++) { /* a path through all, then chords */
        w->src[e] = e < joined - 1 ? e : (int64_t)gpri_uniform_below(stream, (uint64_t)e, (uint64_t)joined);
        w->dst[e] = e < joined - 1 ? e + 1 : (int64_t)gpri_uniform_below(stream, (uint64_t)e + 1000, (uint64_t)joined);
        w->weights[e] = (float)(0.1 + 3 * gpri_uniform(stream, (uint64_t)e + 2000));
    }
    for (int64_t k = 0; k < nodes * FEATURES; k++)
        if (!(kind & SPARSE) || gpri_uniform(stream, (uint64_t)k + 5000) < 0.1)
            w->x[k] = (float)(2 * gpri_uniform(stream, (uint64_t)k + 20000) - 1);
}

/* labels: (NODES), borrowed as all of it. */
static inline gpr_dataset_desc world_desc(const world *w, const int32_t *labels) {
    return (gpr_dataset_desc){.struct_size = sizeof(gpr_dataset_desc),
                              .nodes = w->nodes,
                              .edges = w->edges,
                              .src = w->src,
                              .dst = w->dst,
                              .weights = w->weighted ? w->weights : NULL,
                              .features = FEATURES,
                              .dense = w->x,
                              .labels = labels,
                              .classes = CLASSES};
}

static inline gpr_dataset *dataset_of(gpr_ctx *ctx, const world *w, int kind) {
    gpr_dataset *data;
    int32_t labels[NODES];
    for (int64_t i = 0; i < w->nodes; i++) labels[i] = (int32_t)(i % CLASSES);
    gpr_dataset_desc desc = world_desc(w, labels);
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true; /* nothing is chosen by the data: one plain training */
    assert_int_equal(data->features.dense == NULL, (kind & SPARSE) != 0);
    return data;
}

/* The same world with node i renumbered to place[i], and its edges in another order and direction. place: (NODES). */
static inline void world_relabelled(world *moved, const world *w, int64_t *place) {
    *moved = *w;
    for (int64_t i = 0; i < NODES; i++) place[i] = (i * 37 + 11) % NODES; /* 37 and 90 share no factor */
    for (int64_t e = 0; e < w->edges; e++) {
        int64_t at = w->edges - 1 - e;
        moved->src[at] = place[e % 2 ? w->dst[e] : w->src[e]];
        moved->dst[at] = place[e % 2 ? w->src[e] : w->dst[e]];
        moved->weights[at] = w->weights[e];
    }
    for (int64_t i = 0; i < NODES; i++)
        memcpy(moved->x + place[i] * FEATURES, w->x + i * FEATURES, FEATURES * sizeof *w->x);
}

/* A model with initial weights; `options` are those besides hidden. */
static inline gpr_model *model_of(gpr_ctx *ctx, const world *w, const char *const *options) {
    fixture f;
    gpr_model *model;
    uint8_t part[NODES];
    int32_t labels[NODES];
    memset(part, GPR_TRAIN, sizeof part);
    for (int64_t i = 0; i < w->nodes; i++) labels[i] = (int32_t)(i % CLASSES);
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .nodes = w->nodes,
                             .features = FEATURES,
                             .dense = w->x,
                             .labels = labels,
                             .classes = CLASSES};
    const char *all[20] = {"hidden", "10"};
    for (int i = 0; options[i]; i++) all[i + 2] = options[i];
    fixture_new(&f, ctx, &desc, part, 7, all);
    assert_ok(gpri_model_take(ctx, &model, f.trainer->net, f.trainer->net->values, f.params, FEATURES, CLASSES));
    fixture_free(&f);
    return model;
}

/* Biases that are not 0, as those of a convolution are at first. */
static inline void draw_biases(gpr_model *model) {
    gpri_random stream = gpri_random_of(31, GPRI_RANDOM_TEST, 0, 0);
    for (int t = 0; t < model->tensor_count; t++)
        for (int64_t c = 0; strstr(model->tensors[t].name, "bias") && c < model->tensors[t].cols; c++)
            model->tensors[t].values[c] = (float)(gpri_uniform(stream, (uint64_t)(10 * t + c)) - 0.5);
}

/* Z (nodes x CLASSES) of the model; checks that gpr_predict agrees. */
static inline void scores_of(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, double *z) {
    gpri_net *net;
    gpri_features features;
    gpri_recipe recipe = gpri_recipe_of(model->params, model->classes, model);
    int32_t classes[NODES];
    float proba[NODES * CLASSES];
    assert_ok(gpri_features_prepare(ctx, &features, &data->features, model->normalize, false));
    assert_ok(gpri_model_prepare(ctx, &features, model->params, &data->graph, model));
    assert_ok(gpri_model_net(ctx, &net, model->params, &recipe, &data->graph, &features, ctx->threads, 0, false));
    assert_ok(gpri_model_put(model, net));
    gpri_net_forward(net, GPRI_EVAL_STREAM);
    assert_ok(gpr_predict(ctx, model, data, classes, proba));
    for (int64_t i = 0; i < data->graph.nodes; i++) {
        double sum = 0;
        int64_t best = 0;
        for (int64_t c = 0; c < CLASSES; c++) {
            z[i * CLASSES + c] = (double)net->output->eval[i * net->output->ld + c];
            if (z[i * CLASSES + c] > z[i * CLASSES + best]) best = c;
            sum += exp(z[i * CLASSES + c]);
        }
        assert_int_equal(classes[i], best);
        for (int64_t c = 0; c < CLASSES; c++) {
            double want = exp(z[i * CLASSES + c]) / sum, got = (double)proba[i * CLASSES + c];
            if (!(fabs(got - want) < 1e-6))
                fail_msg("node %d, class %d: probability %.9g, not %.9g", (int)i, (int)c, got, want);
        }
    }
    gpri_net_free(net);
    gpri_features_free(ctx, &features);
}

/* A~ (nodes x nodes) of the edges: either direction of an edge, the largest of its weights, one loop per node. */
static inline void dense_graph(const world *w, double *a) {
    int64_t n = w->nodes;
    double degree[NODES];
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int64_t e = 0; e < w->edges; e++) {
        double weight = w->weighted ? (double)w->weights[e] : 1;
        double *there = &a[w->src[e] * n + w->dst[e]], *back = &a[w->dst[e] * n + w->src[e]];
        *there = *back = fmax(weight, fmax(*there, *back));
    }
    for (int64_t i = 0; i < n; i++) a[i * n + i] = 1;
    for (int64_t i = 0; i < n; i++) {
        degree[i] = 0;
        for (int64_t j = 0; j < n; j++) degree[i] += a[i * n + j];
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) a[i * n + j] /= sqrt(degree[i] * degree[j]);
}

static inline void compare(const char *what, const gpr_ctx *ctx, const double *got, const double *want, int64_t n,
                           double most) {
    double largest = 0;
    for (int64_t k = 0; k < n * CLASSES; k++) largest = fmax(largest, fabs(want[k]));
    assert_true(largest > 1e-3); /* else there is nothing to compare */
    for (int64_t k = 0; k < n * CLASSES; k++)
        if (!(fabs(got[k] - want[k]) <= most * largest))
            fail_msg("%s (%s): node %d, class %d: %.9g, not %.9g: apart by %.1e of the largest, %.1e allowed", what,
                     ctx->job.device->ops->name, (int)(k / CLASSES), (int)(k % CLASSES), got[k], want[k],
                     fabs(got[k] - want[k]) / largest, most);
}

/* Calls the check with a context for each table of operations. */
static inline void on_every_table(void (*check)(gpr_ctx *)) {
    const gpri_ops *tables[TABLES];
    int count = gpri_ops_all(tables, TABLES);
    for (int i = 0; i < count; i++) {
        gpr_ctx *ctx;
        gpr_ctx_options options = {.struct_size = sizeof options, .threads = 2, .cpu = tables[i]->name};
        assert_ok(gpr_ctx_new(&ctx, &options));
        check(ctx);
        gpr_ctx_free(ctx);
    }
}

#endif
