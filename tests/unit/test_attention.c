/* Properties of attention and jumping knowledge for any weights, on every table of operations: the equations of GAT and
 * JKNet, computed here in double from the model's weights; attention is a mean and ignores the weights of edges; equal
 * heads give equal results. test_attention_double.c is the same for the library in double. */
#include "world.h"

enum { MOST_COLS = 256 };

/* out (n x cols) = x W + b of the model; bias may be NULL. */
static void product(double *out, const double *x, const gpr_model *model, const char *weight, const char *bias,
                    int64_t n) {
    const gpri_tensor *w = tensor_of(model, weight), *b = bias ? tensor_of(model, bias) : NULL;
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < w->cols; c++) {
            double sum = b ? (double)b->values[c] : 0;
            for (int64_t k = 0; k < w->rows; k++) sum += x[i * w->rows + k] * (double)w->values[k * w->cols + c];
            out[i * w->cols + c] = sum;
        }
}

/* y (n x cols) <- A~ y */
static void smooth(double *y, const double *a, int64_t n, int64_t cols) {
    static double from[NODES * MOST_COLS];
    memcpy(from, y, (size_t)(n * cols) * sizeof *y);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < cols; c++) {
            y[i * cols + c] = 0;
            for (int64_t j = 0; j < n; j++) y[i * cols + c] += a[i * n + j] * from[j * cols + c];
        }
}

static void add(double *y, const gpri_tensor *bias, int64_t n) {
    for (int64_t k = 0; k < n * bias->cols; k++) y[k] += (double)bias->values[k % bias->cols];
}

/* ---- the equations by hand ---- */

/* y (n x heads out) or their mean (n x out); a: not 0 where j is a neighbour of i, or i itself. */
static void attend(double *y, const double *x, const gpr_model *model, const char *layer, const double *a,
                   int64_t heads, bool mean, double slope, int64_t n) {
    static double h[NODES * MOST_COLS];
    char name[64];
    snprintf(name, sizeof name, "%s.lin.weight", layer);
    product(h, x, model, name, NULL, n);
    snprintf(name, sizeof name, "%s.att_src", layer);
    const gpri_tensor *src = tensor_of(model, name);
    snprintf(name, sizeof name, "%s.att_dst", layer);
    const gpri_tensor *dst = tensor_of(model, name);
    int64_t cols = src->cols, out = cols / heads, to = mean ? out : cols;
    memset(y, 0, (size_t)(n * to) * sizeof *y);
    for (int64_t i = 0; i < n; i++)
        for (int64_t head = 0; head < heads; head++) {
            double share[NODES], sum = 0;
            for (int64_t j = 0; j < n; j++) {
                double e = 0;
                for (int64_t c = head * out; c < (head + 1) * out; c++)
                    e += (double)src->values[c] * h[j * cols + c] + (double)dst->values[c] * h[i * cols + c];
                share[j] = a[i * n + j] != 0 ? exp(e > 0 ? e : slope * e) : 0;
                sum += share[j];
            }
            for (int64_t j = 0; j < n; j++)
                for (int64_t c = 0; c < out; c++)
                    y[i * to + (mean ? c : head * out + c)] +=
                        share[j] / sum * h[j * cols + head * out + c] / (mean ? (double)heads : 1);
        }
    snprintf(name, sizeof name, "%s.bias", layer);
    add(y, tensor_of(model, name), n);
}

static void gat_by_hand(const gpr_model *model, const world *w, double *z) {
    static double a[NODES * NODES], x[NODES * FEATURES], h[NODES * MOST_COLS];
    double slope = gpri_params_real(model->params, GPRI_PARAM_SLOPE);
    int64_t n = w->nodes, heads = gpri_params_int(model->params, GPRI_PARAM_HEADS);
    for (int64_t k = 0; k < n * FEATURES; k++) x[k] = (double)w->x[k];
    dense_graph(w, a);
    attend(h, x, model, "conv1", a, heads, false, slope, n);
    for (int64_t k = 0; k < n * tensor_of(model, "conv1.bias")->cols; k++) h[k] = h[k] > 0 ? h[k] : expm1(h[k]);
    attend(z, h, model, "conv2", a, gpri_params_int(model->params, GPRI_PARAM_OUTPUT_HEADS), true, slope, n);
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* states[t][unit] of one node, the steps taken in the given order. */
static void lstm(double (*states)[MOST_COLS], const double *const *x, const gpr_model *model, const char *suffix,
                 bool backwards) {
    char name[64];
    const gpri_tensor *part[4];
    static const char *const parts[] = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"};
    for (int p = 0; p < 4; p++) {
        snprintf(name, sizeof name, "JK.lstm.%s_l0%s", parts[p], suffix);
        part[p] = tensor_of(model, name);
    }
    int64_t units = part[1]->rows;
    double h[MOST_COLS] = {0}, c[MOST_COLS] = {0}, gate[4 * MOST_COLS];
    for (int step = 0; step < 2; step++) {
        int t = backwards ? 1 - step : step;
        for (int64_t g = 0; g < 4 * units; g++) {
            gate[g] = (double)part[2]->values[g] + (double)part[3]->values[g];
            for (int64_t k = 0; k < part[0]->rows; k++) gate[g] += x[t][k] * (double)part[0]->values[k * 4 * units + g];
            for (int64_t k = 0; k < units; k++) gate[g] += h[k] * (double)part[1]->values[k * 4 * units + g];
        }
        for (int64_t u = 0; u < units; u++) {
            c[u] = sigmoid(gate[units + u]) * c[u] + sigmoid(gate[u]) * tanh(gate[2 * units + u]);
            h[u] = sigmoid(gate[3 * units + u]) * tanh(c[u]);
            states[t][u] = h[u];
        }
    }
}

static void jknet_by_hand(const gpr_model *model, const world *w, double *z) {
    static double a[NODES * NODES], x[NODES * FEATURES], h[2][NODES * HIDDEN], y[NODES * HIDDEN];
    static const char *const names[2][2] = {{"conv1.lin.weight", "conv1.bias"}, {"conv2.lin.weight", "conv2.bias"}};
    const gpri_tensor *att = tensor_of(model, "JK.att.weight");
    int64_t n = w->nodes, units = att->rows / 2;
    for (int64_t k = 0; k < n * FEATURES; k++) x[k] = (double)w->x[k];
    dense_graph(w, a);
    for (int layer = 0; layer < 2; layer++) {
        product(h[layer], layer ? h[0] : x, model, names[layer][0], NULL, n);
        smooth(h[layer], a, n, HIDDEN);
        add(h[layer], tensor_of(model, names[layer][1]), n);
        for (int64_t k = 0; k < n * HIDDEN; k++) h[layer][k] = fmax(h[layer][k], 0);
    }
    for (int64_t i = 0; i < n; i++) {
        double forth[2][MOST_COLS], back[2][MOST_COLS], share[2], sum = 0;
        const double *rows[2] = {h[0] + i * HIDDEN, h[1] + i * HIDDEN};
        lstm(forth, rows, model, "", false);
        lstm(back, rows, model, "_reverse", true);
        for (int t = 0; t < 2; t++) {
            double score = (double)tensor_of(model, "JK.att.bias")->values[0];
            for (int64_t u = 0; u < units; u++)
                score += (double)att->values[u] * forth[t][u] + (double)att->values[units + u] * back[t][u];
            sum += share[t] = exp(score);
        }
        for (int64_t c = 0; c < HIDDEN; c++) y[i * HIDDEN + c] = (share[0] * rows[0][c] + share[1] * rows[1][c]) / sum;
    }
    smooth(y, a, n, HIDDEN);
    product(z, y, model, "lin1.weight", "lin1.bias", n);
}

/* Weights with which attention and the LSTM distinguish neighbours and layers. */
static void sharpen(gpr_model *model) {
    for (int t = 0; t < model->tensor_count; t++)
        for (int64_t k = 0; k < model->tensors[t].rows * model->tensors[t].cols; k++)
            model->tensors[t].values[k] *= strstr(model->tensors[t].name, "lin") ? 1 : 3;
}

static void compare_by_hand(gpr_ctx *ctx, const char *what, const char *const *options,
                            void (*by_hand)(const gpr_model *, const world *, double *), int kind, int64_t nodes,
                            int64_t joined) {
    static world w;
    double z[NODES * CLASSES], want[NODES * CLASSES];
    world_new(&w, kind, nodes, joined);
    gpr_model *model = model_of(ctx, &w, options);
    gpr_dataset *data = dataset_of(ctx, &w, kind);
    draw_biases(model);
    sharpen(model);
    by_hand(model, &w, want);
    scores_of(ctx, model, data, z);
    compare(what, ctx, z, want, w.nodes, tolerance);
    gpr_dataset_free(data);
    gpr_model_free(model);
}

static void check_gat(gpr_ctx *ctx) {
    const char *const *cases[] = {
        OPTIONS("model", "gat", "hidden", "8"), OPTIONS("model", "gat", "heads", "3", "output-heads", "2"),
        OPTIONS("model", "gat", "heads", "1", "output-heads", "5", "slope", "0"),
        OPTIONS("model", "gat", "heads", "17", "hidden", "4", "output-heads", "8", "slope", "1")};
    for (int i = 0; i < 4; i++) {
        for (int kind = 0; kind < 4; kind++) compare_by_hand(ctx, "GAT", cases[i], gat_by_hand, kind, NODES, NODES - 2);
        compare_by_hand(ctx, "GAT of one node", cases[i], gat_by_hand, DENSE, 1, 0);
        compare_by_hand(ctx, "GAT without edges", cases[i], gat_by_hand, DENSE, NODES, 0);
    }
}

static void check_jknet(gpr_ctx *ctx) {
    const char *const *cases[] = {OPTIONS("model", "jknet"), OPTIONS("model", "jknet", "jk-layers", "1"),
                                  OPTIONS("model", "jknet", "jk-layers", "7")};
    for (int i = 0; i < 3; i++) {
        for (int kind = 0; kind < 4; kind++)
            compare_by_hand(ctx, "JKNet", cases[i], jknet_by_hand, kind, NODES, NODES - 2);
        compare_by_hand(ctx, "JKNet of one node", cases[i], jknet_by_hand, DENSE, 1, 0);
        compare_by_hand(ctx, "JKNet without edges", cases[i], jknet_by_hand, DENSE, NODES, 0);
    }
}

/* ---- attention alone ---- */

/* A net of attention on a linear of the features, with sharpened weights, run without dropout. */
static gpri_net *attention_net(gpr_ctx *ctx, const gpr_dataset *data, gpri_features *features, int64_t heads,
                               bool mean) {
    gpri_net *net;
    assert_ok(gpri_features_prepare(ctx, features, &data->features, false, false));
    assert_ok(gpri_net_new(ctx, &net, ctx->job.device, &data->graph, ctx->threads, 3));
    gpri_act *x = gpri_linear(net, gpri_input(net, features), 12, "a");
    assert_ok(gpri_net_plan(net, gpri_attend(net, x, heads, mean, 0.2, 0.5, "b"), false));
    gpri_net_reset(net);
    for (int64_t i = 0; i < net->weight_total; i++) net->values[i] *= 2;
    return net;
}

/* Coefficients add up to 1: if all rows are equal, attention gives that row; else each value lies between the smallest
   and the largest of the neighbours. */
static void check_mean(gpr_ctx *ctx) {
    for (int alike = 0; alike < 2; alike++) {
        static world w;
        gpri_features features;
        world_new(&w, DENSE, NODES, NODES - 2);
        for (int64_t i = 0; alike && i < NODES * FEATURES; i++) w.x[i] = w.x[i % FEATURES];
        gpr_dataset *data = dataset_of(ctx, &w, DENSE);
        gpri_net *net = attention_net(ctx, data, &features, 3, false);
        gpri_net_forward(net, GPRI_EVAL_STREAM);
        const gpri_act *h = net->layers[1]->in, *y = net->output;
        for (int64_t i = 0; i < NODES; i++)
            for (int64_t c = 0; c < y->cols; c++) {
                double least = (double)h->eval[i * h->ld + c], most = least, got = (double)y->eval[i * y->ld + c];
                for (int64_t at = data->graph.rowptr[i]; at < data->graph.rowptr[i + 1]; at++) {
                    double other = (double)h->eval[data->graph.column[at] * h->ld + c];
                    least = fmin(least, other);
                    most = fmax(most, other);
                }
                double room = tolerance * fmax(1, fabs(most) + fabs(least));
                if (!(got >= least - room && got <= most + room))
                    fail_msg("%s: node %d, column %d: %.9g is not within [%.9g, %.9g]", ctx->job.device->ops->name,
                             (int)i, (int)c, got, least, most);
            }
        gpri_net_free(net);
        gpri_features_free(ctx, &features);
        gpr_dataset_free(data);
    }
}

/* If all heads have the same weights, their mean equals each of them. */
static void check_heads(gpr_ctx *ctx) {
    static world w;
    gpri_features features, again;
    world_new(&w, SPARSE, NODES, NODES - 2);
    gpr_dataset *data = dataset_of(ctx, &w, SPARSE);
    gpri_net *joined = attention_net(ctx, data, &features, 3, false), *mean = attention_net(ctx, data, &again, 3, true);
    for (int i = 0; i < joined->weight_count; i++) {
        gpri_weight *weight = &joined->weights[i];
        for (int64_t r = 0; r < weight->rows; r++)
            for (int64_t c = 4; c < 12; c++)
                weight->value[r * weight->width + c] = weight->value[r * weight->width + c % 4];
    }
    memcpy(mean->values, joined->values, (size_t)joined->weight_total * sizeof(gpri_real));
    gpri_net_forward(joined, GPRI_EVAL_STREAM);
    gpri_net_forward(mean, GPRI_EVAL_STREAM);
    assert_int_equal(mean->output->cols, 4);
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t c = 0; c < 12; c++) {
            double a = (double)joined->output->eval[i * joined->output->ld + c];
            double b = (double)mean->output->eval[i * mean->output->ld + c % 4];
            if (!(fabs(a - b) <= tolerance * fmax(1, fabs(b)))) fail_msg("head %d: %.9g and %.9g", (int)c / 4, a, b);
        }
    gpri_net_free(joined);
    gpri_net_free(mean);
    gpri_features_free(ctx, &features);
    gpri_features_free(ctx, &again);
    gpr_dataset_free(data);
}

/* GAT drops about half of the coefficients, others each time. Scores with dropout differ from those without, but their
   mean over many epochs does not. */
static void check_dropout(gpr_ctx *ctx) {
    enum { EPOCHS = 400 };
    static world w;
    static double sum[NODES * 12];
    gpri_features features;
    gpri_net *net;
    double apart = 0, off = 0, size = 0;
    world_new(&w, DENSE, NODES, NODES - 2);
    memset(sum, 0, sizeof sum);
    gpr_dataset *data = dataset_of(ctx, &w, DENSE);
    assert_ok(gpri_features_prepare(ctx, &features, &data->features, false, true));
    assert_ok(gpri_net_new(ctx, &net, ctx->job.device, &data->graph, ctx->threads, 3));
    gpri_act *x = gpri_linear(net, gpri_input(net, &features), 12, "a");
    assert_ok(gpri_net_plan(net, gpri_attend(net, x, 4, false, 0.2, 0.5, "b"), true));
    gpri_net_reset(net);
    const gpri_act *y = net->output;
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        *net->step = (uint32_t)epoch;
        gpri_net_forward(net, GPRI_BOTH_STREAMS);
        for (int64_t k = 0; k < NODES * 12; k++) {
            double train = (double)y->train[k / 12 * y->ld + k % 12], eval = (double)y->eval[k / 12 * y->ld + k % 12];
            sum[k] += train;
            apart += fabs(train - eval) / EPOCHS;
        }
    }
    for (int64_t k = 0; k < NODES * 12; k++) {
        double eval = (double)y->eval[k / 12 * y->ld + k % 12];
        off += fabs(sum[k] / EPOCHS - eval);
        size += fabs(eval);
    }
    assert_true(apart > 0.3 * size && apart < size);
    assert_true(off < 0.1 * apart); /* 1 / sqrt(400) of it on average */
    gpri_net_free(net);
    gpri_features_free(ctx, &features);
    gpr_dataset_free(data);
}

/* Attention ignores the weights of edges. */
static void check_weights(gpr_ctx *ctx) {
    static world w, plain;
    double z[NODES * CLASSES], without[NODES * CLASSES];
    world_new(&w, DENSE | WEIGHTED, NODES, NODES - 2);
    plain = w;
    plain.weighted = false;
    gpr_model *model = model_of(ctx, &w, OPTIONS("model", "gat"));
    gpr_dataset *data = dataset_of(ctx, &w, DENSE), *other = dataset_of(ctx, &plain, DENSE);
    scores_of(ctx, model, data, z);
    scores_of(ctx, model, other, without);
    assert_memory_equal(z, without, sizeof z);
    gpr_dataset_free(data);
    gpr_dataset_free(other);
    gpr_model_free(model);
}

/* An LSTM needs a unit. */
static void check_units(gpr_ctx *ctx) {
    static world w;
    gpr_params *params;
    gpr_model *model;
    gpr_result *result;
    world_new(&w, DENSE, NODES, NODES - 2);
    gpr_dataset *data = dataset_of(ctx, &w, DENSE);
    params = new_params(ctx, OPTIONS("model", "jknet", "hidden", "1", "jk-layers", "1"));
    assert_fails(gpr_train(ctx, &model, &result, data, params), GPR_ERROR_ARGUMENT, "the LSTM would have 0 units");
    gpr_params_free(params);
    gpr_dataset_free(data);
}

#define PROPERTY(name)                \
    static void name(void **state) {  \
        (void)state;                  \
        on_every_table(check_##name); \
    }

PROPERTY(gat)
PROPERTY(jknet)
PROPERTY(mean)
PROPERTY(heads)
PROPERTY(dropout)
PROPERTY(weights)
PROPERTY(units)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gat),   cmocka_unit_test(jknet),   cmocka_unit_test(mean),
                                       cmocka_unit_test(heads), cmocka_unit_test(dropout), cmocka_unit_test(weights),
                                       cmocka_unit_test(units)};
    return cmocka_run_group_tests_name("attention", tests, NULL, NULL);
}
