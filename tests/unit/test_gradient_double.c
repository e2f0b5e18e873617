/* Gradients of every layer and of every model against central differences, in double precision.
 *
 * The loss of a layer's test is <R, Z> with random R. A layer under test follows a linear layer on the features: the
 * gradients of its weights show the gradient of the tested layer's input. Dropout is included: its mask depends on the
 * epoch only. */
#include <math.h>

#include "bases.h"
#include "filters.h"
#include "fixture.h"

enum { NODES = 70, FEATURES = 9, CLASSES = 3 }; /* more than one tile */

static gpri_random stream;

static double draw(uint64_t i) { return 2 * gpri_uniform(stream, i) - 1; }

typedef struct {
    gpr_ctx *ctx;
    gpri_graph graph;
    gpri_feature_matrix table;
    gpri_features features;
    float values[NODES * FEATURES];
    int64_t rowptr[NODES + 1];
    int32_t column[NODES * FEATURES];
} world;

static void world_new(world *w, bool dense, bool weighted) {
    int64_t src[2 * NODES], dst[2 * NODES], nnz = 0;
    float weights[2 * NODES];
    w->ctx = new_ctx(2);
    for (int64_t e = 0; e < 2 * NODES; e++) {
        src[e] = (int64_t)gpri_uniform_below(stream, (uint64_t)e, NODES - 1); /* the last node is alone */
        dst[e] = (int64_t)gpri_uniform_below(stream, (uint64_t)e + 1000, NODES - 1);
        weights[e] = (float)(1.2 + draw((uint64_t)e + 2000));
    }
    assert_ok(gpri_graph_build(w->ctx, &w->graph, NODES, 2 * NODES, src, dst, weighted ? weights : NULL));
    w->table = (gpri_feature_matrix){.rows = NODES, .cols = FEATURES};
    for (int64_t i = 0; i < NODES; i++) {
        w->rowptr[i] = nnz;
        for (int64_t j = 0; j < FEATURES; j++) {
            float value = (float)draw((uint64_t)(i * FEATURES + j) + 5000);
            if (dense) w->values[i * FEATURES + j] = value;
            else if ((i + j) % 3 == 0) {
                w->column[nnz] = (int32_t)j;
                w->values[nnz++] = value;
            }
        }
    }
    w->rowptr[NODES] = nnz;
    if (dense) w->table.dense = w->values;
    else w->table.rowptr = w->rowptr, w->table.column = w->column, w->table.value = w->values, w->table.nnz = nnz;
    assert_ok(gpri_features_prepare(w->ctx, &w->features, &w->table, false, true));
    gpri_embedding places = {.nodes = NODES};
    assert_ok(gpri_alloc(w->ctx, &places.points, NODES, sizeof *places.points, "places"));
    assert_ok(gpri_calloc(w->ctx, &w->features.relations, 1, sizeof *w->features.relations, "relations"));
    for (uint64_t i = 0; i < NODES; i++) places.points[i] = (gpri_point){draw(2 * i + 400), draw(2 * i + 401)};
    assert_ok(gpri_relations_embed(w->ctx, w->features.relations, &w->graph, &places));
    gpri_embedding_free(w->ctx, &places);
}

static void world_free(world *w) {
    gpri_features_free(w->ctx, &w->features);
    gpri_graph_free(w->ctx, &w->graph);
    gpr_ctx_free(w->ctx);
}

/* <R, Z> of the training stream; with `backward` the gradients of all weights too. */
static double loss_of(gpri_net *net, bool backward) {
    gpri_act *z = net->output;
    double loss = 0;
    gpri_net_forward(net, GPRI_BOTH_STREAMS);
    for (int64_t i = 0; i < net->walk.rows.count; i++)
        for (int64_t c = 0; c < z->cols; c++)
            loss += draw((uint64_t)(i * z->cols + c) + 9000) * z->train[i * z->ld + c];
    if (!backward) return loss;
    for (int64_t i = 0; i < net->walk.rows.count; i++)
        for (int64_t c = 0; c < z->width; c++)
            z->gradient[i * z->gradient_ld + c] = c < z->cols ? draw((uint64_t)(i * z->cols + c) + 9000) : 0;
    gpri_net_backward(net);
    return loss;
}

/* With small weights, attention and an LSTM hardly depend on their input, and each of Geom-GCN's nine divisions has a
   small share. Rounding of the loss would then hide the gradients: so these have larger weights and a larger step. */
static bool softened(const char *what) {
    return strstr(what, "attention") || strstr(what, "gat") || strstr(what, "jumping") || strstr(what, "jknet") ||
           strstr(what, "geomgcn");
}

/* Every element of every weight. */
static void check(const char *what, gpri_net *net, double (*loss)(gpri_net *, bool)) {
    const double step = softened(what) ? 1e-5 : 1e-6; /* small, so that no ReLU changes its sign */
    double worst = 0, all = 0;
    loss(net, true);
    for (int64_t i = 0; i < net->weight_total; i++) all = fmax(all, fabs(net->gradients[i]));
    for (int k = 0; k < net->weight_count; k++) {
        gpri_weight *weight = &net->weights[k];
        double largest = 1e-4 * all; /* the gradient of a bias before a softmax is 0 except for rounding */
        if (weight->fixed) continue;
        for (int64_t i = 0; i < weight->rows; i++)
            for (int64_t c = 0; c < weight->cols; c++)
                largest = fmax(largest, fabs(weight->gradient[i * weight->width + c]));
        for (int64_t r = 0; r < weight->rows; r++)
            for (int64_t c = 0; c < weight->cols; c++) {
                gpri_real *at = &weight->value[r * weight->width + c], old = *at;
                *at = old + step;
                double above = loss(net, false);
                *at = old - step;
                double below = loss(net, false);
                *at = old;
                double apart = fabs((above - below) / (2 * step) - weight->gradient[r * weight->width + c]) / largest;
                if (!(apart <= worst)) worst = apart;
                if (!(apart < 1e-6))
                    fail_msg("%s: %s[%d][%d]: gradient %.9g, difference %.9g", what, weight->name, (int)r, (int)c,
                             weight->gradient[r * weight->width + c], (above - below) / (2 * step));
            }
    }
    printf("  %-40s largest relative error %.1e\n", what, worst);
}

typedef gpri_act *(*builder)(gpri_net *, gpri_act *);

static const double filter[] = {0.3, -0.5, 0.25, 0.7, -0.1, 0.4};

static gpri_act *build_linear(gpri_net *net, gpri_act *x) { return gpri_linear(net, x, 5, "a"); }
static gpri_act *build_thinned_linear(gpri_net *net, gpri_act *x) {
    return gpri_linear(net, gpri_dropout(net, x, 0.5), 5, "a");
}
static gpri_act *build_two_linears(gpri_net *net, gpri_act *x) {
    return gpri_linear(net, gpri_linear(net, x, 20, "a"), CLASSES, "b");
}
static gpri_act *build_relu(gpri_net *net, gpri_act *x) {
    return gpri_linear(net, gpri_relu(net, gpri_linear(net, x, 6, "a")), CLASSES, "b");
}
static gpri_act *build_dropout(gpri_net *net, gpri_act *x) {
    return gpri_linear(net, gpri_dropout(net, gpri_linear(net, x, 6, "a"), 0.7), CLASSES, "b");
}
static gpri_act *build_filter_0(gpri_net *net, gpri_act *x) {
    return gpri_gpr(net, gpri_linear(net, x, CLASSES, "a"), 0, filter, false, "g");
}
static gpri_act *build_filter_1(gpri_net *net, gpri_act *x) {
    return gpri_gpr(net, gpri_linear(net, x, CLASSES, "a"), 1, filter, false, "g");
}
static gpri_act *build_filter_4(gpri_net *net, gpri_act *x) {
    return gpri_gpr(net, gpri_linear(net, x, 17, "a"), 4, filter, false, "g");
}
static gpri_act *build_filter_5(gpri_net *net, gpri_act *x) {
    return gpri_gpr(net, gpri_dropout(net, gpri_linear(net, x, CLASSES, "a"), 0.5), 5, filter, false, "g");
}
static gpri_act *build_two_filters(gpri_net *net, gpri_act *x) {
    x = gpri_gpr(net, gpri_linear(net, x, 6, "a"), 2, filter, false, "g");
    return gpri_gpr(net, gpri_linear(net, gpri_relu(net, x), CLASSES, "b"), 3, filter, false, "h");
}

static gpri_act *build_legendre(gpri_net *net, gpri_act *x) {
    return gpri_gpr_in(net, gpri_linear(net, x, CLASSES, "a"), &legendre, 5, bases_gamma, false, "g");
}
static gpri_act *build_crooked(gpri_net *net, gpri_act *x) { /* panels, and in place where the graph is large */
    x = gpri_dropout(net, gpri_linear(net, x, 17, "a"), 0.5);
    return gpri_gpr_in(net, x, &crooked, 4, bases_gamma, false, "g");
}
static gpri_act *build_crooked_pair(gpri_net *net, gpri_act *x) {
    return gpri_gpr_in(net, gpri_linear(net, x, 2, "a"), &crooked, 5, bases_gamma, false, "g");
}
static gpri_act *build_chebyshev(gpri_net *net, gpri_act *x) { /* fixed */
    return gpri_gpr_in(net, gpri_linear(net, x, CLASSES, "a"), &chebyshev, 5, bases_gamma, true, "g");
}
static gpri_act *build_fixed_filter(gpri_net *net, gpri_act *x) {
    return gpri_gpr(net, gpri_linear(net, x, CLASSES, "a"), 5, filter, true, "g");
}
static gpri_act *build_fixed_filter_0(gpri_net *net, gpri_act *x) {
    return gpri_gpr(net, gpri_linear(net, x, CLASSES, "a"), 0, filter, true, "g");
}
static gpri_act *build_fixed_filter_inside(gpri_net *net, gpri_act *x) { /* the streams separate after it */
    x = gpri_relu(net, gpri_gpr(net, gpri_linear(net, x, 6, "a"), 4, filter, true, "g"));
    return gpri_linear(net, gpri_dropout(net, x, 0.5), CLASSES, "b");
}
static gpri_act *build_bias(gpri_net *net, gpri_act *x) {
    x = gpri_relu(net, gpri_bias(net, gpri_linear(net, x, 6, "a"), 0.3, "c"));
    return gpri_bias(net, gpri_linear(net, x, CLASSES, "b"), 0.1, "d");
}
static gpri_act *build_propagate(gpri_net *net, gpri_act *x) {
    return gpri_propagate(net, gpri_linear(net, x, CLASSES, "a"), GPRI_MATRIX_MEAN);
}
static gpri_act *build_gcn(gpri_net *net, gpri_act *x) {
    x = gpri_dropout(net, gpri_relu(net, gpri_gcn(net, x, 6, "a")), 0.5);
    return gpri_gcn(net, x, CLASSES, "b");
}
static gpri_act *build_wide_gcn(gpri_net *net, gpri_act *x) { /* dropout first: no stream is shared */
    x = gpri_relu(net, gpri_gcn(net, gpri_dropout(net, x, 0.5), 18, "a"));
    return gpri_gcn(net, x, CLASSES, "b");
}
static gpri_act *build_sage(gpri_net *net, gpri_act *x) {
    x = gpri_dropout(net, gpri_relu(net, gpri_sage(net, x, 6, "a")), 0.5);
    return gpri_sage(net, x, CLASSES, "b");
}
static gpri_act *build_cheby(gpri_net *net, gpri_act *x) {
    x = gpri_dropout(net, gpri_relu(net, gpri_cheby(net, x, 9, "a")), 0.5);
    return gpri_cheby(net, x, CLASSES, "b");
}
static gpri_act *build_three_steps(gpri_net *net, gpri_act *x) { /* one after the other, then a whole layer */
    x = gpri_propagate(net, gpri_propagate(net, gpri_linear(net, x, 6, "a"), GPRI_MATRIX_GCN), GPRI_MATRIX_MEAN);
    x = gpri_propagate(net, gpri_dropout(net, x, 0.5), GPRI_MATRIX_CHEBY);
    return gpri_linear(net, gpri_gpr(net, x, 2, filter, false, "g"), CLASSES, "b");
}
/* Heads in number and columns that fill vectors or not, side by side and averaged, thinned or not; streams that part
   here or did before. */
static gpri_act *build_attention(gpri_net *net, gpri_act *x) {
    return gpri_attend(net, gpri_linear(net, x, 6, "a"), 2, false, 0.2, 0, "b");
}
static gpri_act *build_thinned_attention(gpri_net *net, gpri_act *x) {
    return gpri_attend(net, gpri_linear(net, x, 8, "a"), 2, true, 0.2, 0.5, "b");
}
static gpri_act *build_one_head(gpri_net *net, gpri_act *x) {
    x = gpri_attend(net, gpri_dropout(net, gpri_linear(net, x, 5, "a"), 0.5), 1, true, 0.3, 0.4, "b");
    return gpri_linear(net, x, CLASSES, "c");
}
static gpri_act *build_gat(gpri_net *net, gpri_act *x) {
    x = gpri_dropout(net, gpri_elu(net, gpri_gat(net, gpri_dropout(net, x, 0.5), 3, 4, false, 0.2, 0.5, "a")), 0.5);
    return gpri_gat(net, x, 2, CLASSES, true, 0.2, 0.5, "b");
}
static gpri_act *build_elu(gpri_net *net, gpri_act *x) {
    return gpri_linear(net, gpri_dropout(net, gpri_elu(net, gpri_linear(net, x, 6, "a")), 0.5), CLASSES, "b");
}
static gpri_act *build_jump(gpri_net *net, gpri_act *x) { /* three steps */
    gpri_act *kept[3];
    kept[0] = gpri_fork(net, x = gpri_dropout(net, gpri_linear(net, x, 5, "a"), 0.5));
    kept[1] = gpri_fork(net, x = gpri_relu(net, gpri_linear(net, x, 5, "b")));
    kept[2] = gpri_gcn(net, x, 5, "c");
    return gpri_linear(net, gpri_jump(net, kept, 3, 3, "d"), CLASSES, "e");
}
static gpri_act *build_lone_jump(gpri_net *net, gpri_act *x) { /* one step, no dropout: a weight of 1 */
    x = gpri_linear(net, x, 5, "a");
    return gpri_jump(net, &x, 1, 4, "b");
}
static const char *const nine[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8"};

static gpri_act *build_nine(gpri_net *net, gpri_act *x, int64_t cols, bool mean) {
    const gpri_relations *relations = x->features->relations;
    x = gpri_multiply(net, x, cols, GPRI_INIT_GLOROT, "a", nine, GPRI_DIVISIONS);
    return gpri_aggregate(net, x, relations, mean);
}
static gpri_act *build_aggregate(gpri_net *net, gpri_act *x) { /* the parts have gaps between them */
    return gpri_linear(net, gpri_dropout(net, gpri_relu(net, build_nine(net, x, 5, false)), 0.5), CLASSES, "b");
}
static gpri_act *build_wide_aggregate(gpri_net *net, gpri_act *x) { /* they have none */
    return gpri_linear(net, gpri_relu(net, build_nine(net, gpri_dropout(net, x, 0.5), 16, false)), CLASSES, "b");
}
static gpri_act *build_mean(gpri_net *net, gpri_act *x) { return build_nine(net, x, CLASSES, true); }

/* With biases of 0, rows of zeros would stay at the kink of ReLU. */
static void off_the_kink(gpri_net *net) {
    for (int k = 0; k < net->weight_count; k++)
        for (int64_t i = 0; i < net->weights[k].rows * net->weights[k].cols; i++) {
            gpri_weight *weight = &net->weights[k];
            gpri_real *at = &weight->value[i / weight->cols * weight->width + i % weight->cols];
            if (*at == 0) *at = 0.1 * draw((uint64_t)(i + k) + 7000);
        }
}

static void enlarge(gpri_net *net, const char *what) {
    for (int64_t i = 0; softened(what) && i < net->weight_total; i++) net->values[i] *= 2;
}

/* Two blocks: what comes over the hops beside the node's own, and a residual around it. */
static gpri_act *build_blocks(gpri_net *net, gpri_act *x, gpri_norm_kind norm, gpri_filter_form form) {
    x = gpri_begin(net, gpri_relu(net, gpri_linear(net, x, 6, "in")));
    for (int block = 0; block < 2; block++) {
        gpri_act *h = gpri_norm(net, x, norm, false, 1 + form.count, block ? "b" : "a");
        h = gpri_linear(net, gpri_hops(net, h, &form, block ? "b" : "a"), 6, block ? "b" : "a");
        x = gpri_residual(net, x, gpri_dropout(net, gpri_relu(net, h), 0.3));
    }
    return gpri_linear(net, gpri_norm(net, x, norm, true, 1, "out"), CLASSES, "out");
}
/* Without residuals: a norm behind the product, of both streams by themselves. */
static gpri_act *build_plain(gpri_net *net, gpri_act *x, gpri_norm_kind norm) {
    const gpri_filter_form form = {.basis = gpri_monomials, .columns = true, .hops = 2, .count = 2};
    x = gpri_begin(net, gpri_dropout(net, gpri_relu(net, gpri_linear(net, x, 6, "in")), 0.3));
    for (int block = 0; block < 2; block++) {
        const char *name = block ? "b" : "a";
        gpri_act *h = gpri_hops(net, gpri_norm(net, x, GPRI_NO_NORM, true, 3, name), &form, name);
        h = gpri_norm(net, gpri_multiply(net, h, 6, GPRI_INIT_UNIFORM, name, NULL, 1), norm, true, 1, name);
        x = gpri_dropout(net, gpri_relu(net, gpri_bias(net, gpri_begin(net, h), 0.2, name)), 0.3);
    }
    return gpri_linear(net, gpri_norm(net, x, norm, true, 1, "out"), CLASSES, "out");
}
static gpri_act *build_plain_batch(gpri_net *net, gpri_act *x) { return build_plain(net, x, GPRI_BATCH_NORM); }
static gpri_act *build_plain_layer(gpri_net *net, gpri_act *x) { return build_plain(net, x, GPRI_LAYER_NORM); }
static gpri_act *build_batch_blocks(gpri_net *net, gpri_act *x) {
    return build_blocks(net, x, GPRI_BATCH_NORM,
                        (gpri_filter_form){.basis = gpri_monomials, .columns = true, .hops = 2, .count = 2});
}
static gpri_act *build_layer_blocks(gpri_net *net, gpri_act *x) {
    return build_blocks(
        net, x, GPRI_LAYER_NORM,
        (gpri_filter_form){.basis = gpri_monomials, .columns = true, .loops = true, .hops = 1, .count = 1});
}
static gpri_act *build_bare_blocks(gpri_net *net, gpri_act *x) {
    return build_blocks(net, x, GPRI_NO_NORM,
                        (gpri_filter_form){.basis = gpri_monomials, .loops = true, .hops = 3, .count = 2});
}
static gpri_act *build_legendre_blocks(gpri_net *net, gpri_act *x) {
    return build_blocks(net, x, GPRI_BATCH_NORM,
                        (gpri_filter_form){.basis = crooked, .columns = true, .hops = 3, .count = 1});
}

static void layers(void **state) {
    (void)state;
    const struct {
        const char *name;
        builder build;
    } cases[] = {{"linear", build_linear},
                 {"linear on thinned features", build_thinned_linear},
                 {"linear, linear", build_two_linears},
                 {"relu", build_relu},
                 {"dropout", build_dropout},
                 {"filter K = 0", build_filter_0},
                 {"filter K = 1", build_filter_1},
                 {"filter K = 4, 17 columns", build_filter_4},
                 {"dropout, filter K = 5", build_filter_5},
                 {"filter, relu, linear, filter", build_two_filters},
                 {"Legendre filter", build_legendre},
                 {"dropout, crooked filter", build_crooked},
                 {"crooked filter, 2 columns", build_crooked_pair},
                 {"fixed Chebyshev filter", build_chebyshev},
                 {"fixed filter", build_fixed_filter},
                 {"fixed filter K = 0", build_fixed_filter_0},
                 {"fixed filter, relu, dropout, linear", build_fixed_filter_inside},
                 {"bias", build_bias},
                 {"propagate", build_propagate},
                 {"two GCN convolutions", build_gcn},
                 {"two GCN convolutions, dropout first", build_wide_gcn},
                 {"two SAGE convolutions", build_sage},
                 {"two Chebyshev convolutions", build_cheby},
                 {"three steps and a filter", build_three_steps},
                 {"attention", build_attention},
                 {"attention with dropout, mean of heads", build_thinned_attention},
                 {"dropout, attention of one head", build_one_head},
                 {"two attention convolutions", build_gat},
                 {"elu, dropout", build_elu},
                 {"jumping knowledge", build_jump},
                 {"jumping knowledge of one", build_lone_jump},
                 {"nine divisions side by side", build_aggregate},
                 {"nine wide divisions side by side", build_wide_aggregate},
                 {"mean of nine divisions", build_mean},
                 {"filter blocks, batch norm", build_batch_blocks},
                 {"filter blocks, layer norm", build_layer_blocks},
                 {"filter blocks without norm", build_bare_blocks},
                 {"filter blocks without residuals, batch norm", build_plain_batch},
                 {"filter blocks without residuals, layer norm", build_plain_layer},
                 {"filter blocks, crooked", build_legendre_blocks}};
    for (int kind = 0; kind < 8; kind++) {
        const int dense = kind % 2, weighted = kind / 2 % 2;
        const bool large = kind / 4; /* as a graph that no cache holds */
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            if (weighted && strstr(cases[i].name, "divisions")) continue; /* weights are ignored */
            if (large && !strstr(cases[i].name, "filter") && !strstr(cases[i].name, "convolutions")) continue;
            world w;
            gpri_net *net;
            char what[80];
            world_new(&w, dense, weighted);
            if (large) w.ctx->large = 0;
            assert_ok(gpri_net_new(w.ctx, &net, w.ctx->job.device, &w.graph, 2, 5));
            assert_ok(gpri_net_plan(net, cases[i].build(net, gpri_input(net, &w.features)), true));
            gpri_net_reset(net);
            off_the_kink(net);
            enlarge(net, cases[i].name);
            *net->step = 3;
            snprintf(what, sizeof what, "%s (%s%s)", cases[i].name, dense ? "dense" : "sparse",
                     weighted ? ", weighted" : "");
            if (large) strcat(what, ", large");
            check(what, net, loss_of);
            gpri_net_free(net);
            world_free(&w);
        }
    }
}

static gpri_trainer *whole; /* for the test below: its callback cannot get it in another way */

static double whole_loss(gpri_net *net, bool backward) {
    gpri_net_forward(net, GPRI_BOTH_STREAMS);
    double loss = fixture_loss(whole);
    if (backward) gpri_net_backward(net);
    return loss;
}

/* How known labels are used; both may be. */
enum { NO_LABELS = 0, LABEL_INPUT = 1, LABEL_COUNTS = 2 };

/* Every model with its dropouts and its loss, each gamma_k included; also with steps over the graph computed
   beforehand. */
static void check_weighted(const char *model, bool dense, int64_t hops, const char *class_weight, int known) {
    world w;
    fixture f;
    int32_t labels[NODES];
    uint8_t part[NODES];
    int64_t src[2 * NODES], dst[2 * NODES];
    float table[NODES * FEATURES];
    char what[80];
    const char *options[32];
    world_new(&w, dense, false);
    for (int64_t i = 0; i < NODES; i++) {
        labels[i] = (int32_t)(i * 7 % CLASSES);
        part[i] = (uint8_t)(i % 3 == 0 ? GPR_TRAIN : i % 3);
    }
    for (int64_t e = 0; e < 2 * NODES; e++) {
        src[e] = e % NODES;
        dst[e] = (e * e + 3) % NODES;
    }
    for (int64_t i = 0; i < NODES * FEATURES; i++) table[i] = dense || i % 6 == 0 ? (float)draw((uint64_t)i + 300) : 0;
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .nodes = NODES,
                             .edges = 2 * NODES,
                             .src = src,
                             .dst = dst,
                             .features = FEATURES,
                             .dense = table,
                             .labels = labels,
                             .classes = CLASSES};
    options_for(options, model,
                OPTIONS("hidden", strcmp(model, "geomgcn") == 0 ? "3" : "10", "K", "6", "init", "random", "dropout",
                        "0.5", "dprate", "0.3", "alpha", "0.2", "heads", "2", "output-heads", "3", "jk-layers", "1",
                        "class-weight", class_weight, "label-input", known & LABEL_INPUT ? "yes" : "no", "label-counts",
                        known & LABEL_COUNTS ? "yes" : "no"));
    fixture_new_smooth(&f, w.ctx, &desc, part, 11, options, hops);
    whole = f.trainer;
    off_the_kink(f.trainer->net);
    enlarge(f.trainer->net, model);
    *f.trainer->net->step = 2;
    assert_int_equal(f.trainer->targets.factor != NULL, strcmp(class_weight, "none") != 0);
    snprintf(what, sizeof what, "%s (%s%s%s%s, class weights %s)", model, dense ? "dense" : "sparse",
             hops ? ", smoothed" : "", known & LABEL_INPUT ? ", labels" : "", known & LABEL_COUNTS ? ", counts" : "",
             class_weight);
    check(what, f.trainer->net, whole_loss);
    fixture_free(&f);
    world_free(&w);
}

/* Numbers: every loss through models that end in a filter, a step, a linear layer and blocks. No residual is near a
   kink. */
static void numbers(void **state) {
    static const char *const models[] = {"gprgnn", "sage", "mlp", "gprdeep"};
    static const char *const losses[] = {"squared", "absolute", "huber", "huber:0.3"};
    world w;
    uint8_t part[NODES];
    int64_t src[2 * NODES], dst[2 * NODES];
    float table[NODES * FEATURES], targets[NODES];
    char what[80];
    const char *options[32];
    (void)state;
    world_new(&w, true, false);
    for (int64_t i = 0; i < NODES; i++) {
        targets[i] = i % 5 == 4 ? NAN : (float)(1000 + 300 * draw((uint64_t)i + 77));
        part[i] = (uint8_t)(i % 5 == 4 ? GPR_UNUSED : i % 3 == 0 ? GPR_TRAIN : i % 3);
    }
    for (int64_t e = 0; e < 2 * NODES; e++) src[e] = e % NODES, dst[e] = (e * e + 3) % NODES;
    for (int64_t i = 0; i < NODES * FEATURES; i++) table[i] = (float)draw((uint64_t)i + 300);
    const gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                   .nodes = NODES,
                                   .edges = 2 * NODES,
                                   .src = src,
                                   .dst = dst,
                                   .features = FEATURES,
                                   .dense = table,
                                   .targets = targets};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (size_t l = 0; l < sizeof losses / sizeof *losses; l++) {
            fixture f;
            options_for(options, models[m],
                        OPTIONS("hidden", "10", "K", "3", "init", "random", "dropout", "0.5", "dprate", "0", "loss",
                                losses[l], "label-input", "no", "label-counts", "no"));
            fixture_new(&f, w.ctx, &desc, part, 11, options);
            whole = f.trainer;
            off_the_kink(f.trainer->net);
            *f.trainer->net->step = 2;
            snprintf(what, sizeof what, "%s, numbers, %s", models[m], losses[l]);
            check(what, f.trainer->net, whole_loss);
            fixture_free(&f);
        }
    world_free(&w);
}

static void check_model(const char *model, bool dense, int64_t hops, int known) {
    check_weighted(model, dense, hops, "none", known);
}

/* Every number of filters of several relations, directions, bases and columns, and of the networks before them. */
static void filters(void **state) {
    (void)state;
    for (int s = 0; s < FILTER_SETS; s++)
        for (int large = 0; large < 2; large++) {
            const filter_set *set = &filter_sets[s];
            const char *words[64];
            kinds_data *d = malloc(sizeof *d);
            uint8_t part[NODES];
            char what[96];
            fixture f;
            gpr_ctx *ctx = new_ctx(2);
            if (large) ctx->large = 0;
            kinds_fill(d, NODES, CLASSES, set->kinds, set->weighted);
            for (int64_t i = 0; i < NODES; i++) part[i] = (uint8_t)(i % 3 == 0 ? GPR_TRAIN : i % 3);
            const char *const *options = filter_options(
                words, set,
                OPTIONS("hidden", "7", "K", "3", "init", "random", "dropout", "0.5", "dprate", "0.3", "relations",
                        set->kinds ? "pay,device,address" : "all", "direction", "undirected"));
            fixture_new(&f, ctx, &d->desc, part, 11, options);
            whole = f.trainer;
            off_the_kink(f.trainer->net);
            *f.trainer->net->step = 2;
            snprintf(what, sizeof what, "%s%s", set->name, large ? ", large" : "");
            check(what, f.trainer->net, whole_loss);
            fixture_free(&f);
            free(d->dense);
            free(d);
            gpr_ctx_free(ctx);
        }
}

static void weighted_classes(void **state) {
    (void)state;
    check_weighted("gprgnn", true, 0, "balanced", NO_LABELS);
    check_weighted("gprgnn", true, 0, "balanced", LABEL_INPUT);
    check_weighted("mlp", false, 0, "balanced", NO_LABELS);
}

static void models(void **state) {
    (void)state;
    char words[MOST_MODELS][16];
    int count = model_words(words);
    for (int m = 0; m < count; m++)
        for (int dense = 0; dense < 2; dense++) check_model(words[m], dense, 0, NO_LABELS);
    for (int m = 0; m < count; m++)
        if (strcmp(words[m], "mlp") != 0) check_model(words[m], true, 0, LABEL_INPUT);
    check_model("gcn", true, 1, NO_LABELS);
    check_model("sgc", true, 6, NO_LABELS);
    check_model("sgc", false, 2, NO_LABELS);
    check_model("jknet", true, 1, NO_LABELS);
    check_model("gprgnn", true, 0, LABEL_COUNTS);
    check_model("mlp", false, 0, LABEL_COUNTS);
    check_model("gprgnn", false, 0, LABEL_INPUT | LABEL_COUNTS);
    check_model("gat", true, 0, LABEL_INPUT | LABEL_COUNTS);
    check_weighted("gcn", true, 0, "balanced", LABEL_INPUT | LABEL_COUNTS);
}

int main(void) {
    stream = gpri_random_of(3, GPRI_RANDOM_TEST, 0, 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(layers), cmocka_unit_test(models),
                                       cmocka_unit_test(weighted_classes), cmocka_unit_test(filters),
                                       cmocka_unit_test(numbers)};
    return cmocka_run_group_tests_name("gradient", tests, NULL, NULL);
}
