/* Panels of columns, for graphs that no cache holds: the cut itself, and trainings that use it. A context may be told
 * that every state is large. */
#include <math.h>

#include "training.h"

#include "tensor/cpu/cpu.h"
#include "tensor/prepare.h"
#include "walk/way.h"

/* ---- the cut ---- */

/* Every real column is in one panel, no panel has columns of two streams, and what no panel has is padding. */
static void the_cut(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_walker walker = {.ctx = ctx, .device = ctx->job.device};
    int64_t cut = 0;
    ctx->large = 0;
    for (int64_t cols = 1; cols <= 130; cols++)
        for (int64_t streams = 1; streams <= 2; streams++) {
            const int64_t width = gpri_padded(cols);
            const gpri_matrix x = {.rows = 1, .cols = streams * width, .width = streams * width, .ld = streams * width};
            int covered[2 * 144] = {0};
            walker.rows.nodes = 1;
            const gpri_panels panels = gpri_way_of(&walker, cols, width, streams, true, true).panels;
            assert_int_equal(panels.each > 0, streams * width > GPRI_PANEL);
            if (!panels.each) continue;
            cut++;
            assert_int_equal(gpri_panel_count(&panels, x), streams * panels.each);
            for (int64_t i = 0; i < gpri_panel_count(&panels, x); i++) {
                const gpri_matrix part = gpri_panel(&panels, x, i);
                const int64_t first = (int64_t)(part.at - x.at);
                assert_int_equal(part.width, gpri_padded(part.width));
                assert_in_range(part.width, 1, GPRI_PANEL);
                assert_int_equal(first / width, (first + part.width - 1) / width);
                for (int64_t c = first; c < first + part.width; c++) covered[c]++;
            }
            for (int64_t c = 0; c < streams * width; c++) {
                assert_in_range(covered[c], 0, 1);
                if (c % width < cols) assert_int_equal(covered[c], 1);
            }
        }
    assert_true(cut > 200);
    walker.rows.nodes = 1000;
    ctx->large = 1000 * 32 * (int64_t)sizeof(gpri_real);
    assert_int_equal(gpri_way_of(&walker, 17, 32, 1, true, true).panels.each, 0); /* it just fits */
    assert_int_equal(gpri_way_of(&walker, 17, 32, 2, true, true).panels.each, 2);
    assert_false(gpri_way_far(&walker, 32));
    assert_true(gpri_way_far(&walker, 33));
    gpr_ctx_free(ctx);
}

/* ---- trainings ---- */

enum { NODES = 700, CLASSES = 21 }; /* panels of 16 and 8 columns, and padding that none has */

static gpr_ctx *ctx_of(const gpri_ops *table, int threads, bool large) {
    gpr_ctx *ctx = ctx_for(table, threads);
    if (large) ctx->large = 0;
    return ctx;
}

/* As scores are sums over the same neighbours in the same order, they have the same bits. */
static void compare_scores(const gpri_ops *table, int64_t classes) {
    gpr_ctx *small = ctx_of(table, 1, false), *large = ctx_of(table, 3, true);
    gpr_dataset *data = new_words(small, NODES, 120, classes);
    char words[MOST_MODELS][16];
    const int models = model_words(words);
    const size_t size = (size_t)(NODES * classes) * sizeof(float);
    float *a = malloc(size), *b = malloc(size);
    for (int m = 0; m < models; m++) {
        const char *own[32];
        if (strcmp(words[m], "geomgcn") == 0) continue; /* it has no steps over the graph */
        training one = train(small, data, options_for(own, words[m], OPTIONS("epochs", "3", "hidden", "20", "K", "5")));
        assert_ok(gpr_predict_with(small, one.model, data, NULL, NULL, a, NULL));
        assert_ok(gpr_predict_with(large, one.model, data, NULL, NULL, b, NULL));
        if (memcmp(a, b, size) != 0) fail_msg("%s, %s: other scores", table->name, words[m]);
        training_free(&one);
    }
    free(a), free(b);
    gpr_dataset_free(data);
    gpr_ctx_free(small), gpr_ctx_free(large);
}

static void same_scores(void **state) {
    (void)state;
    const gpri_ops *tables[MOST_TABLES];
    const int count = gpri_ops_all(tables, MOST_TABLES);
    for (int t = 0; t < count; t++) compare_scores(tables[t], CLASSES), compare_scores(tables[t], 2);
}

/* The gradient of gamma is added up in another order: nearly the same training, and the same bits for any number of
   threads. */
static int compare_trainings(int64_t classes, const char *const *options) {
    const gpri_ops *tables[MOST_TABLES];
    const int count = gpri_ops_all(tables, MOST_TABLES);
    int differ = 0;
    for (int t = 0; t < count; t++) {
        gpr_ctx *small = ctx_of(tables[t], 2, false), *one = ctx_of(tables[t], 1, true),
                *four = ctx_of(tables[t], 4, true);
        gpr_dataset *data = new_words(small, NODES, 120, classes);
        training a = train(small, data, options), b = train(one, data, options), c = train(four, data, options);
        assert_same_model("four threads", b.model, c.model);
        differ += !same_model(a.model, b.model);
        for (int64_t e = 0; e <= 12; e++) {
            const double x = a.result->runs[0].history[e].train_loss, y = b.result->runs[0].history[e].train_loss;
            if (!(fabs(x - y) <= 2e-5 * fabs(x)))
                fail_msg("%s, epoch %d: %.9g and %.9g", tables[t]->name, (int)e, x, y);
        }
        training_free(&a), training_free(&b), training_free(&c);
        gpr_dataset_free(data);
        gpr_ctx_free(small), gpr_ctx_free(one), gpr_ctx_free(four);
    }
    return differ;
}

static void trainings(void **state) {
    (void)state;
#define SHORT "epochs", "12", "hidden", "20", "K", "5"
    assert_true(compare_trainings(CLASSES, OPTIONS(SHORT)) > 0); /* where none differs, panels were not used */
    compare_trainings(CLASSES, OPTIONS(SHORT, "dropout", "0", "dprate", "0"));
    /* without a gradient of gamma all sums are the same */
    assert_int_equal(compare_trainings(CLASSES, OPTIONS("model", "appnp", SHORT)), 0);
    assert_int_equal(compare_trainings(CLASSES, OPTIONS("model", "appnp", SHORT, "dropout", "0")), 0);
    assert_int_equal(compare_trainings(CLASSES, OPTIONS("model", "sgc", "epochs", "12", "K", "3")), 0);
    /* two classes: the same columns go together, without their padding */
    assert_int_equal(compare_trainings(2, OPTIONS(SHORT)), 0);
    assert_int_equal(compare_trainings(2, OPTIONS(SHORT, "dropout", "0", "dprate", "0")), 0);
    assert_int_equal(compare_trainings(2, OPTIONS("model", "appnp", SHORT)), 0);
    assert_int_equal(compare_trainings(2, OPTIONS("model", "sgc", "epochs", "12", "K", "3")), 0);
}

/* The gradient of gamma at the end of a training, also of a model whose gamma is fixed. */
static void gradients(void **state) {
    (void)state;
    const char *const models[] = {"gprgnn", "appnp"};
    for (int m = 0; m < 2; m++)
        for (int64_t classes = 2; classes <= CLASSES; classes += CLASSES - 2) {
            gpr_ctx *contexts[2] = {ctx_of(&gpri_ops_ref, 1, false), ctx_of(&gpri_ops_ref, 2, true)};
            gpr_dataset *data = new_words(contexts[0], NODES, 120, classes);
            training t = train(contexts[0], data, OPTIONS("model", models[m], "epochs", "2", "hidden", "20", "K", "5"));
            const double *found[2];
            gpr_inspection *inspection[2];
            int64_t count = 0;
            double largest = 0;
            for (int c = 0; c < 2; c++) {
                assert_ok(gpr_inspection_new(contexts[c], &inspection[c], t.model, data, NULL));
                assert_ok(gpr_inspection_series(inspection[c], "gradient", &found[c], &count));
                assert_int_equal(count, 6);
            }
            for (int64_t k = 0; k < count; k++) largest = fmax(largest, fabs(found[0][k]));
            assert_true(largest > 0);
            for (int64_t k = 0; k < count; k++)
                if (!(fabs(found[0][k] - found[1][k]) <= 1e-4 * largest))
                    fail_msg("%s, %d classes, hop %d: %g and %g", models[m], (int)classes, (int)k, found[0][k],
                             found[1][k]);
            for (int c = 0; c < 2; c++) gpr_inspection_free(inspection[c]);
            training_free(&t);
            gpr_dataset_free(data);
            gpr_ctx_free(contexts[0]), gpr_ctx_free(contexts[1]);
        }
}

/* ---- memory ---- */

/* Bytes of a net of X W and the filter, X a feature per node. */
static int64_t bytes_of(bool large, double dropout, bool trains) {
    gpr_ctx *ctx = ctx_of(&gpri_ops_ref, 1, large);
    gpr_dataset *data = new_words(ctx, NODES, 120, CLASSES);
    gpri_features features;
    const double gamma[] = {0.5, 0.3, 0.2};
    gpri_net *net;
    assert_ok(gpri_features_prepare(ctx, &features, &data->features, false, trains));
    const int64_t before = atomic_load(&ctx->held);
    assert_ok(gpri_net_new(ctx, &net, ctx->job.device, &data->graph, 1, 5));
    gpri_act *h = gpri_linear(net, gpri_dropout(net, gpri_input(net, &features), dropout), CLASSES, "lin");
    assert_ok(gpri_net_plan(net, gpri_gpr(net, h, 2, gamma, false, "prop"), trains));
    const int64_t bytes = atomic_load(&ctx->held) - before;
    gpri_net_free(net);
    assert_int_equal(atomic_load(&ctx->held), before);
    gpri_features_free(ctx, &features);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return bytes;
}

/* H and Z of both streams, dH, and two buffers of the filter; against H of both, Z of the training, and a panel. */
static void memory(void **state) {
    (void)state;
    const int64_t width = gpri_padded(CLASSES), column = NODES * (int64_t)sizeof(gpri_real), slack = 4096;
    const int64_t two = bytes_of(false, 0.5, true) - bytes_of(true, 0.5, true);
    const int64_t one = bytes_of(false, 0, true) - bytes_of(true, 0, true);
    const int64_t predicts = bytes_of(false, 0.5, false) - bytes_of(true, 0.5, false);
    assert_in_range(two + slack, (7 * width - 3 * width - GPRI_PANEL) * column,
                    (4 * width - GPRI_PANEL) * column + slack);
    assert_true(one + slack >= (width - 2 * GPRI_PANEL) * column);
    assert_true(predicts + slack >= (width - GPRI_PANEL) * column);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_cut), cmocka_unit_test(same_scores),
                                       cmocka_unit_test(trainings), cmocka_unit_test(gradients),
                                       cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
