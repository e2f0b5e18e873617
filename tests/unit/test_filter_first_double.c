/* `order` filter-first in double precision: the gradients of all weights against central differences and against sums
 * over batches, and the scores against Z = f(sum_k gamma_k A~^k X) computed with dense matrices. */
#include "world.h"

#include "train/filter_first/labelled.h"

enum { HOPS = 3 };

typedef struct {
    gpr_ctx *ctx;
    gpr_dataset *data;
    gpr_params *params;
    gpr_split *split, *own;
    gpri_labelled *rows;
    gpri_trainer *trainer;
} scene;

static void scene_new(scene *s, const world *w, int kind, const char *const *options) {
    uint8_t part[NODES];
    const gpri_scaling none = {.cols = 0};
    *s = (scene){.ctx = new_ctx(2)};
    s->data = dataset_of(s->ctx, w, kind);
    s->params = new_params(s->ctx, options);
    assert_ok(gpr_params_set(s->params, "order", "filter-first"));
    assert_ok(gpr_params_set(s->params, "K", "3"));
    assert_ok(gpr_params_set(s->params, "hidden", "10"));
    for (int64_t i = 0; i < NODES; i++) part[i] = (uint8_t)(i % 5 == 4 ? GPR_UNUSED : i % 5 == 3 ? GPR_VAL : GPR_TRAIN);
    assert_ok(gpri_split_of_parts(s->ctx, &s->split, s->data, part, NODES, false));
    const gpri_labelled_source source = {
        .data = s->data, .table = &s->data->features, .scaling = &none, .params = s->params};
    assert_ok(gpri_labelled_new(s->ctx, &s->rows, &source, (const gpr_split *const *)&s->split, 1));
    assert_int_equal(s->rows->count, NODES - NODES / 5);
    assert_ok(gpri_labelled_split(s->rows, &s->own, s->split));
    assert_ok(gpri_trainer_new(s->ctx, &s->trainer, &s->rows->data, &s->rows->features, s->own, s->params, 2, 7));
}

static void scene_free(scene *s) {
    gpri_trainer_free(s->trainer);
    gpri_labelled_free(s->rows);
    gpr_split_free(s->own);
    gpr_split_free(s->split);
    gpr_params_free(s->params);
    gpr_dataset_free(s->data);
    gpr_ctx_free(s->ctx);
}

static double loss_of(gpri_trainer *trainer, bool backward) {
    gpri_net_forward(trainer->net, GPRI_BOTH_STREAMS);
    const double loss = fixture_loss(trainer);
    if (backward) gpri_net_backward(trainer->net);
    return loss;
}

/* With both dropouts; each gamma_k is a weight. */
static void differences(void **state) {
    (void)state;
    const double step = 1e-6;
    for (int kind = 0; kind < 4; kind++) {
        world w;
        scene s;
        double worst = 0;
        world_new(&w, kind, NODES, NODES - 2);
        scene_new(&s, &w, kind, OPTIONS("dropout", "0.3", "dprate", "0.2"));
        gpri_net *net = s.trainer->net;
        *net->step = 3;
        loss_of(s.trainer, true);
        assert_int_equal(net->weight_count, 5);
        for (int k = 0; k < net->weight_count; k++) {
            gpri_weight *weight = &net->weights[k];
            double largest = 0;
            for (int64_t i = 0; i < weight->rows * weight->width; i++)
                largest = fmax(largest, fabs(weight->gradient[i]));
            assert_true(largest > 1e-4);
            for (int64_t i = 0; i < weight->rows; i++)
                for (int64_t c = 0; c < weight->cols; c++) {
                    gpri_real *at = &weight->value[i * weight->width + c], old = *at;
                    const double gradient = weight->gradient[i * weight->width + c];
                    *at = old + step;
                    const double above = loss_of(s.trainer, false);
                    *at = old - step;
                    const double below = loss_of(s.trainer, false);
                    *at = old;
                    const double apart = fabs((above - below) / (2 * step) - gradient) / largest;
                    worst = fmax(worst, apart);
                    if (!(apart < 1e-6))
                        fail_msg("kind %d, %s[%d][%d]: gradient %.9g, difference %.9g", kind, weight->name, (int)i,
                                 (int)c, gradient, (above - below) / (2 * step));
                }
        }
        printf("  kind %d: largest relative error %.1e\n", kind, worst);
        scene_free(&s);
    }
}

/* The gradients of all batches, by their sizes, are those of the full batch; the last batch is smaller. */
static void batches(void **state) {
    (void)state;
    world w;
    scene all, some;
    double sum[NODES * FEATURES] = {0}; /* more than the model has */
    world_new(&w, DENSE, NODES, NODES);
    scene_new(&all, &w, DENSE, OPTIONS("dropout", "0", "dprate", "0", "class-weight", "balanced"));
    scene_new(&some, &w, DENSE, OPTIONS("dropout", "0", "dprate", "0", "class-weight", "balanced", "batch", "16"));
    gpri_net *net = all.trainer->net;
    gpri_batches *b = some.trainer->batches;
    assert_null(all.trainer->batches);
    assert_non_null(b);
    assert_int_equal(b->total, 54);
    assert_int_equal(b->count, 4);
    assert_true(net->weight_total <= NODES * FEATURES && net->weight_total == b->net->weight_total);
    assert_memory_equal(net->values, b->net->values, (size_t)net->weight_total * sizeof *net->values);
    loss_of(all.trainer, true);
    gpri_batches_shuffle(b, 0);
    for (int64_t i = 0; i < b->count; i++) {
        gpri_batches_fill(b, i);
        gpri_net_forward(b->net, GPRI_TRAIN_STREAM);
        const gpri_matrix z = gpri_net_output(b->net, GPRI_TRAIN_STREAM);
        b->net->ops->nll_backward(z, b->losses, &b->targets, 0);
        gpri_net_backward(b->net);
        const double share = (i < 3 ? 16.0 : 6.0) / 54;
        for (int64_t k = 0; k < net->weight_total; k++) sum[k] += share * b->net->gradients[k];
    }
    for (int64_t k = 0; k < net->weight_total; k++)
        if (!(fabs(sum[k] - net->gradients[k]) < 1e-13))
            fail_msg("%d: %.17g, %.17g", (int)k, sum[k], net->gradients[k]);
    scene_free(&all);
    scene_free(&some);
}

/* out = A~ x, from the edges: (NODES x FEATURES). */
static void dense_hop(double *out, const double *x, const world *w) {
    static double a[NODES][NODES];
    double degree[NODES];
    memset(a, 0, sizeof a);
    for (int64_t i = 0; i < NODES; i++) a[i][i] = 1;
    for (int64_t e = 0; e < w->edges; e++) {
        const int64_t i = w->src[e], j = w->dst[e];
        const double weight = w->weighted ? (double)w->weights[e] : 1;
        if (i != j && weight > a[i][j]) a[i][j] = a[j][i] = weight; /* the largest, of several */
    }
    for (int64_t i = 0; i < NODES; i++) {
        degree[i] = 0;
        for (int64_t j = 0; j < NODES; j++) degree[i] += a[i][j];
    }
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t c = 0; c < FEATURES; c++) {
            out[i * FEATURES + c] = 0;
            for (int64_t j = 0; j < NODES; j++)
                out[i * FEATURES + c] += a[i][j] / sqrt(degree[i] * degree[j]) * x[j * FEATURES + c];
        }
}

static double dense_score(const gpr_model *model, const double *x, int64_t class_id) {
    const gpri_tensor *w1 = tensor_of(model, "lin1.weight"), *b1 = tensor_of(model, "lin1.bias"),
                      *w2 = tensor_of(model, "lin2.weight"), *b2 = tensor_of(model, "lin2.bias");
    double z = (double)b2->values[class_id];
    for (int64_t h = 0; h < HIDDEN; h++) {
        double y = (double)b1->values[h];
        for (int64_t c = 0; c < FEATURES; c++) y += x[c] * (double)w1->values[c * HIDDEN + h];
        if (y > 0) z += y * (double)w2->values[h * CLASSES + class_id];
    }
    return z;
}

static void scores(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        static double x[NODES * FEATURES], next[NODES * FEATURES], s[NODES * FEATURES];
        static float logits[NODES * CLASSES];
        world w;
        gpr_ctx *ctx = new_ctx(2);
        world_new(&w, kind, NODES, NODES - 2);
        gpr_dataset *data = dataset_of(ctx, &w, kind);
        training t = train(ctx, data,
                           OPTIONS("order", "filter-first", "K", "3", "hidden", "10", "epochs", "5", "normalize",
                                   "none", "batch", "20", "init", "0.5,-0.3,0.8,0.2"));
        const float *gamma = gpr_model_gamma(t.model, NULL);
        assert_ok(gpr_predict_logits(ctx, t.model, data, logits));
        memset(s, 0, sizeof s);
        for (int64_t i = 0; i < NODES * FEATURES; i++) x[i] = (double)w.x[i];
        for (int64_t k = 0; k <= HOPS; k++) {
            for (int64_t i = 0; i < NODES * FEATURES; i++) s[i] += (double)gamma[k] * x[i];
            dense_hop(next, x, &w);
            memcpy(x, next, sizeof x);
        }
        for (int64_t i = 0; i < NODES * CLASSES; i++) {
            const double want = dense_score(t.model, s + i / CLASSES * FEATURES, i % CLASSES);
            if (!(fabs((double)logits[i] - want) < 1e-6))
                fail_msg("kind %d, node %d: %.9g, not %.9g", kind, (int)(i / CLASSES), (double)logits[i], want);
        }
        training_free(&t);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(differences), cmocka_unit_test(batches),
                                       cmocka_unit_test(scores)};
    return cmocka_run_group_tests_name("filter_first_double", tests, NULL, NULL);
}
