/* Properties of the baselines for any weights, on every table of operations: their equations, computed here in double
 * from the model's weights and dense matrices of the edges; and that APPNP, SGC and MLP are special cases of GPR-GNN.
 * test_baselines_double.c is the same for the library in double. */
#include "world.h"

/* ---- the equations by hand ---- */

/* A (nodes x nodes): either direction of an edge, the largest of its weights, no loops. */
static void adjacency(const world *w, double *a) {
    int64_t n = w->nodes;
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int64_t e = 0; e < w->edges; e++) {
        if (w->src[e] == w->dst[e]) continue;
        double *there = &a[w->src[e] * n + w->dst[e]], *back = &a[w->dst[e] * n + w->src[e]];
        *there = *back = fmax(w->weighted ? (double)w->weights[e] : 1, *there);
    }
}

/* D^-1 A or -D^-1/2 A D^-1/2, in place. */
static void normalise(double *a, int64_t n, bool mean) {
    double degree[NODES];
    for (int64_t i = 0; i < n; i++) {
        degree[i] = 0;
        for (int64_t j = 0; j < n; j++) degree[i] += a[i * n + j];
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (a[i * n + j] != 0) a[i * n + j] /= mean ? degree[i] : -sqrt(degree[i] * degree[j]);
}

/* out (n x cols) = a (n x inner) b (inner x cols) */
static void product(double *out, const double *a, const double *b, int64_t n, int64_t inner, int64_t cols) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < cols; c++) {
            out[i * cols + c] = 0;
            for (int64_t k = 0; k < inner; k++) out[i * cols + c] += a[i * inner + k] * b[k * cols + c];
        }
}

/* y (n x cols) = x W, W the model's. */
static void times(double *y, const double *x, const gpr_model *model, const char *name, int64_t n) {
    static double weight[FEATURES * HIDDEN];
    const gpri_tensor *tensor = tensor_of(model, name);
    for (int64_t k = 0; k < tensor->rows * tensor->cols; k++) weight[k] = (double)tensor->values[k];
    product(y, x, weight, n, tensor->rows, tensor->cols);
}

static void add_bias(double *y, const gpr_model *model, const char *name, int64_t n) {
    const gpri_tensor *bias = tensor_of(model, name);
    for (int64_t k = 0; k < n * bias->cols; k++) y[k] += (double)bias->values[k % bias->cols];
}

static void relu(double *y, int64_t count) {
    for (int64_t k = 0; k < count; k++) y[k] = y[k] > 0 ? y[k] : 0;
}

/* out = M (x W) + x W' + b, W' and b where they are named. */
static void convolve(double *out, const double *m, const double *x, const gpr_model *model, const char *layer,
                     const char *weight, const char *own, const char *bias, int64_t n) {
    static double y[NODES * HIDDEN], add[NODES * HIDDEN];
    char name[64];
    snprintf(name, sizeof name, "%s.%s", layer, weight);
    int64_t cols = tensor_of(model, name)->cols;
    times(y, x, model, name, n);
    product(out, m, y, n, n, cols);
    if (own) {
        snprintf(name, sizeof name, "%s.%s", layer, own);
        times(add, x, model, name, n);
        for (int64_t k = 0; k < n * cols; k++) out[k] += add[k];
    }
    snprintf(name, sizeof name, "%s.%s", layer, bias);
    add_bias(out, model, name, n);
}

/* Z (n x CLASSES) of a model of two convolutions, or one. */
static void by_hand(const char *word, const gpr_model *model, const world *w, double *z) {
    static double m[NODES * NODES], x[NODES * FEATURES], h[NODES * HIDDEN];
    int64_t n = w->nodes;
    for (int64_t k = 0; k < n * FEATURES; k++) x[k] = (double)w->x[k];
    if (strcmp(word, "mlp") == 0) {
        times(h, x, model, "lin1.weight", n);
        add_bias(h, model, "lin1.bias", n);
        relu(h, n * HIDDEN);
        times(z, h, model, "lin2.weight", n);
        add_bias(z, model, "lin2.bias", n);
        return;
    }
    if (strcmp(word, "gcn") == 0 || strcmp(word, "sgc") == 0) dense_graph(w, m);
    else {
        adjacency(w, m);
        normalise(m, n, strcmp(word, "sage") == 0);
    }
    if (strcmp(word, "sgc") == 0) {
        int64_t hops = gpri_params_int(model->params, GPRI_PARAM_K);
        times(z, x, model, "conv1.lin.weight", n);
        for (int64_t k = 0; k < hops; k++) {
            memcpy(h, z, (size_t)(n * CLASSES) * sizeof *h);
            product(z, m, h, n, n, CLASSES);
        }
        add_bias(z, model, "conv1.lin.bias", n);
        return;
    }
    static const char *const parts[3][4] = {{"gcn", "lin.weight", NULL, "bias"},
                                            {"sage", "lin_l.weight", "lin_r.weight", "lin_l.bias"},
                                            {"cheby", "lins.1.weight", "lins.0.weight", "bias"}};
    for (int i = 0; i < 3; i++) {
        if (strcmp(word, parts[i][0]) != 0) continue;
        convolve(h, m, x, model, "conv1", parts[i][1], parts[i][2], parts[i][3], n);
        relu(h, n * HIDDEN);
        convolve(z, m, h, model, "conv2", parts[i][1], parts[i][2], parts[i][3], n);
        return;
    }
    fail_msg("no equation for %s", word);
}

/* Scores with every step over the graph made by the network, none computed beforehand. */
static void direct_scores(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, double *z) {
    gpri_net *net;
    gpri_features features;
    gpri_recipe recipe = gpri_recipe_of(model->params, model->classes, model);
    assert_ok(gpri_features_prepare(ctx, &features, &data->features, model->normalize, false));
    assert_ok(gpri_model_net(ctx, &net, model->params, &recipe, &data->graph, &features, 1, 0, false));
    assert_ok(gpri_model_put(model, net));
    gpri_net_forward(net, GPRI_EVAL_STREAM);
    for (int64_t k = 0; k < data->graph.nodes * CLASSES; k++)
        z[k] = (double)net->output->eval[k / CLASSES * net->output->ld + k % CLASSES];
    gpri_net_free(net);
    gpri_features_free(ctx, &features);
}

static const char *const words[] = {"mlp", "sgc", "gcn", "sage", "cheby"};
enum { WORDS = sizeof words / sizeof *words };

static gpr_model *trained_model_of(gpr_ctx *ctx, const world *w, const char *word, const char *K) {
    const char *chosen[8];
    gpr_model *model = model_of(ctx, w, options_for(chosen, word, OPTIONS("K", K)));
    draw_biases(model);
    return model;
}

static void check_equations(gpr_ctx *ctx) {
    for (int kind = 0; kind < 4; kind++)
        for (int i = 0; i < WORDS; i++) {
            static world w;
            double z[NODES * CLASSES], want[NODES * CLASSES];
            world_new(&w, kind, NODES, NODES - 2);
            gpr_model *model = trained_model_of(ctx, &w, words[i], "3");
            gpr_dataset *data = dataset_of(ctx, &w, kind);
            by_hand(words[i], model, &w, want);
            scores_of(ctx, model, data, z);
            compare(words[i], ctx, z, want, NODES, tolerance);
            direct_scores(ctx, model, data, z);
            compare(words[i], ctx, z, want, NODES, tolerance);
            gpr_dataset_free(data);
            gpr_model_free(model);
        }
}

/* No model depends on how nodes are numbered. An embedding does, so Geom-GCN is tested with given places
   (test_geom_model.c). */
static void check_relabelling(gpr_ctx *ctx) {
    char all[MOST_MODELS][16];
    int count = model_words(all);
    for (int kind = 0; kind < 4; kind++)
        for (int i = 0; i < count; i++) {
            static world w, moved;
            double z[NODES * CLASSES], z_moved[NODES * CLASSES], back[NODES * CLASSES];
            int64_t place[NODES];
            if (strcmp(all[i], "geomgcn") == 0) continue;
            world_new(&w, kind, NODES, NODES - 2);
            world_relabelled(&moved, &w, place);
            gpr_model *model = trained_model_of(ctx, &w, all[i], "4");
            gpr_dataset *data = dataset_of(ctx, &w, kind), *other = dataset_of(ctx, &moved, kind);
            scores_of(ctx, model, data, z);
            scores_of(ctx, model, other, z_moved);
            for (int64_t k = 0; k < NODES; k++)
                memcpy(back + k * CLASSES, z_moved + place[k] * CLASSES, CLASSES * sizeof *back);
            compare(all[i], ctx, back, z, NODES, tolerance);
            gpr_dataset_free(data);
            gpr_dataset_free(other);
            gpr_model_free(model);
        }
}

/* A graph of one node, and one without edges: A~ is I, there are no neighbours to average. */
static void check_alone(gpr_ctx *ctx) {
    for (int single = 0; single < 2; single++)
        for (int i = 0; i < WORDS; i++) {
            static world w;
            double z[NODES * CLASSES], want[NODES * CLASSES];
            world_new(&w, DENSE, single ? 1 : NODES, 0);
            gpr_model *model = trained_model_of(ctx, &w, words[i], "3");
            gpr_dataset *data = dataset_of(ctx, &w, DENSE);
            scores_of(ctx, model, data, z);
            by_hand(words[i], model, &w, want);
            compare(words[i], ctx, z, want, w.nodes, tolerance);
            gpr_dataset_free(data);
            gpr_model_free(model);
        }
}

/* ---- special cases of GPR-GNN ---- */

/* A trainer on the world, for every third node. */
static void trainer_on(fixture *f, gpr_ctx *ctx, const world *w, const char *const *options, int64_t hops) {
    static uint8_t part[NODES];
    static int32_t labels[NODES];
    for (int64_t i = 0; i < w->nodes; i++) {
        part[i] = (uint8_t)(1 + i % 3);
        labels[i] = (int32_t)(i / 3 % CLASSES);
    }
    gpr_dataset_desc desc = world_desc(w, labels);
    fixture_new_smooth(f, ctx, &desc, part, 7, options, hops);
}

static void step(fixture *f) {
    gpri_net_forward(f->trainer->net, GPRI_BOTH_STREAMS);
    gpri_trainer_loss(f->trainer);
    gpri_trainer_backward(f->trainer);
    gpri_trainer_update(f->trainer);
}

/* most: limit of the largest difference, relative to the largest value; 0: the same bits. gradients: compare gradients,
   not values. */
static void compare_weight(const char *what, fixture *a, const char *name_a, fixture *b, const char *name_b,
                           bool gradients, double most) {
    const gpri_weight *x = fixture_weight(a, name_a), *y = fixture_weight(b, name_b);
    double largest = 1e-30, apart = 0;
    assert_true(x->rows == y->rows && x->cols == y->cols);
    for (int64_t r = 0; r < x->rows; r++)
        for (int64_t c = 0; c < x->cols; c++) {
            double u = (double)(gradients ? x->gradient : x->value)[r * x->width + c];
            double v = (double)(gradients ? y->gradient : y->value)[r * y->width + c];
            largest = fmax(largest, fabs(v));
            if (!(fabs(u - v) <= apart)) apart = fabs(u - v);
        }
    if (!(apart <= most * largest))
        fail_msg("%s (%s): %s: apart by %.2e of %.2e", what, a->ctx->job.device->ops->name, name_a, apart, largest);
}

static const char *const linears[] = {"lin1.weight", "lin1.bias", "lin2.weight", "lin2.bias"};

static void compare_scores(const char *what, const fixture *a, const fixture *b) {
    const gpri_act *x = a->trainer->net->output, *y = b->trainer->net->output;
    for (int64_t i = 0; i < a->data->graph.nodes; i++)
        if (memcmp(x->eval + i * x->ld, y->eval + i * y->ld, CLASSES * sizeof(gpri_real)) != 0)
            fail_msg("%s (%s): scores of node %d: %.9g and %.9g", what, a->ctx->job.device->ops->name, (int)i,
                     (double)x->eval[i * x->ld], (double)y->eval[i * y->ld]);
}

/* The MLP is APPNP without hops: the same bits through a training with dropout. And GPR-GNN without hops and dprate has
   the same scores, as long as its gamma_0 is 1. */
static void check_mlp(gpr_ctx *ctx) {
    for (int kind = 0; kind < 2; kind++) {
        static world w;
        fixture mlp, appnp, gprgnn;
        world_new(&w, kind, NODES, NODES - 2);
        trainer_on(&mlp, ctx, &w, OPTIONS("model", "mlp", "hidden", "10", "lr", "0.05"), 0);
        trainer_on(&appnp, ctx, &w, OPTIONS("model", "appnp", "hidden", "10", "lr", "0.05", "K", "0"), 0);
        trainer_on(&gprgnn, ctx, &w, OPTIONS("hidden", "10", "K", "0", "dprate", "0"), 0);
        for (int t = 0; t < 5; t++) {
            step(&mlp);
            step(&appnp);
            for (int i = 0; i < 4; i++) compare_weight("K = 0", &mlp, linears[i], &appnp, linears[i], false, 0);
            if (t == 0) step(&gprgnn);
            for (int i = 0; t == 0 && i < 4; i++)
                compare_weight("K = 0", &mlp, linears[i], &gprgnn, linears[i], true, tolerance);
        }
        fixture_free(&gprgnn);
        trainer_on(&gprgnn, ctx, &w, OPTIONS("hidden", "10", "K", "0", "dprate", "0"), 0);
        fixture_free(&mlp);
        trainer_on(&mlp, ctx, &w, OPTIONS("model", "mlp", "hidden", "10"), 0);
        gpri_net_forward(mlp.trainer->net, GPRI_BOTH_STREAMS);
        gpri_net_forward(gprgnn.trainer->net, GPRI_BOTH_STREAMS);
        compare_scores("K = 0", &mlp, &gprgnn);
        fixture_free(&mlp);
        fixture_free(&appnp);
        fixture_free(&gprgnn);
    }
}

/* APPNP is GPR-GNN with the weights of PPR: the same bits of the scores, and the same gradients except for rounding. */
static void check_appnp(gpr_ctx *ctx) {
    for (int kind = 0; kind < 4; kind++) {
        static world w;
        fixture appnp, gprgnn;
        world_new(&w, kind, NODES, NODES - 2);
        trainer_on(&appnp, ctx, &w, OPTIONS("model", "appnp", "hidden", "10", "alpha", "0.2"), 0);
        trainer_on(&gprgnn, ctx, &w, OPTIONS("hidden", "10", "alpha", "0.2", "dprate", "0"), 0);
        gpri_net_forward(appnp.trainer->net, GPRI_BOTH_STREAMS);
        gpri_net_forward(gprgnn.trainer->net, GPRI_BOTH_STREAMS);
        compare_scores("APPNP", &appnp, &gprgnn);
        step(&appnp);
        step(&gprgnn);
        for (int i = 0; i < 4; i++) compare_weight("APPNP", &appnp, linears[i], &gprgnn, linears[i], true, tolerance);
        /* fixed weights do not change */
        for (int k = 0; k <= 10; k++)
            assert_true(fixture_weight(&appnp, "prop1.temp")->value[k] ==
                        (gpri_real)(k < 10 ? 0.2 * pow(0.8, k) : pow(0.8, 10)));
        fixture_free(&appnp);
        fixture_free(&gprgnn);
    }
}

/* SGC is the filter with a single weight at K, bit for bit equal to a learned filter of the same product. Computed
   beforehand, its steps give the same except for rounding. */
static void check_sgc(gpr_ctx *ctx) {
    static const double last[] = {0, 0, 0, 1};
    for (int kind = 0; kind < 4; kind++) {
        static world w;
        fixture direct, smooth;
        gpri_net *net;
        world_new(&w, kind, NODES, NODES - 2);
        trainer_on(&direct, ctx, &w, OPTIONS("model", "sgc", "K", "3"), 0);
        trainer_on(&smooth, ctx, &w, OPTIONS("model", "sgc", "K", "3"), 3);
        assert_ok(gpri_net_new(ctx, &net, ctx->job.device, &direct.data->graph, 2, 7));
        static const char *const name[] = {"lin.weight"};
        gpri_act *y =
            gpri_multiply(net, gpri_input(net, &direct.features), CLASSES, GPRI_INIT_UNIFORM, "conv1", name, 1);
        y = gpri_bias(net, gpri_gpr(net, y, 3, last, false, "prop1"), 1 / sqrt(FEATURES), "conv1.lin");
        assert_ok(gpri_net_plan(net, y, true));
        gpri_net_reset(net);
        gpri_net_forward(net, GPRI_BOTH_STREAMS);
        gpri_net_forward(direct.trainer->net, GPRI_BOTH_STREAMS);
        const gpri_act *z = direct.trainer->net->output;
        for (int64_t k = 0; k < NODES * CLASSES; k++)
            assert_true(z->eval[k / CLASSES * z->ld + k % CLASSES] == y->eval[k / CLASSES * y->ld + k % CLASSES]);
        gpri_net_free(net);
        step(&direct);
        step(&smooth);
        compare_weight("SGC", &smooth, "conv1.lin.weight", &direct, "conv1.lin.weight", true, tolerance);
        compare_weight("SGC", &smooth, "conv1.lin.bias", &direct, "conv1.lin.bias", true, tolerance);
        fixture_free(&direct);
        fixture_free(&smooth);
    }
}

#define PROPERTY(name)                \
    static void name(void **state) {  \
        (void)state;                  \
        on_every_table(check_##name); \
    }

PROPERTY(equations)
PROPERTY(relabelling)
PROPERTY(alone)
PROPERTY(mlp)
PROPERTY(appnp)
PROPERTY(sgc)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equations), cmocka_unit_test(relabelling),
                                       cmocka_unit_test(alone),     cmocka_unit_test(mlp),
                                       cmocka_unit_test(appnp),     cmocka_unit_test(sgc)};
    return cmocka_run_group_tests_name("baselines", tests, NULL, NULL);
}
