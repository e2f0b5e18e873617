/* Base rates: data with other shares of the classes than the training, whose nodes look the same. What is estimated,
 * what the correction is worth, and what it must leave alone; all ways to a prediction; warnings. */
#include <math.h>

#include "last_warning.h"
#include "training.h"

#include "model/model.h"

enum { NODES = 3000, WIDE = 2, CLASSES = 2 };

typedef struct {
    gpr_dataset *data;
    int32_t labels[NODES];
} sample;

/* A node is in the first class with chance `rate`; its features are normal around its class; edges join nodes of a
   class. labelled: which nodes tell their label, every `labelled`-th; 0: none. */
static sample *new_sample(gpr_ctx *ctx, double rate, uint32_t key, int labelled) {
    static int64_t src[2 * NODES], dst[2 * NODES];
    static float x[NODES * WIDE];
    const gpri_random stream = gpri_random_of(77, GPRI_RANDOM_TEST, 0, key);
    sample *made = calloc(1, sizeof *made);
    int32_t told[NODES];
    int64_t last[CLASSES] = {-1, -1}, edges = 0;
    assert_non_null(made);
    for (int64_t i = 0; i < NODES; i++) {
        double noise[WIDE];
        made->labels[i] = gpri_uniform(stream, (uint64_t)i) < rate ? 0 : 1;
        told[i] = labelled && i % labelled == 0 ? made->labels[i] : -1;
        gpri_normal_pair(stream, (uint64_t)(NODES + i), &noise[0], &noise[1]);
        for (int f = 0; f < WIDE; f++) x[i * WIDE + f] = (float)(noise[f] + 0.9 * (f == made->labels[i]));
        if (i % 5 == 0 && last[made->labels[i]] >= 0) src[edges] = i, dst[edges++] = last[made->labels[i]];
        last[made->labels[i]] = i;
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "rates",
                             .nodes = NODES,
                             .edges = edges,
                             .src = src,
                             .dst = dst,
                             .features = WIDE,
                             .dense = x,
                             .labels = labelled ? told : NULL,
                             .classes = labelled ? CLASSES : 0};
    assert_ok(gpr_dataset_new(ctx, &made->data, &desc));
    return made;
}

static void free_sample(sample *s) {
    gpr_dataset_free(s->data);
    free(s);
}

/* Percent that are right, and the mean log-loss. */
typedef struct {
    double accuracy, loss;
} worth;

static worth judge(const sample *s, const int32_t *classes, const float *proba) {
    worth w = {0, 0};
    for (int i = 0; i < NODES; i++) {
        w.accuracy += 100.0 * (classes[i] == s->labels[i]) / NODES;
        w.loss -= log((double)proba[i * CLASSES + s->labels[i]]) / NODES;
    }
    return w;
}

typedef struct {
    int32_t classes[NODES];
    float proba[NODES * CLASSES], logits[NODES * CLASSES];
} predicted;

static worth predict(gpr_ctx *ctx, const gpr_model *model, const sample *s, bool adapt, predicted *out) {
    const gpr_predict_options options = {.struct_size = sizeof options, .adapt_prior = adapt};
    assert_ok(gpr_predict_with(ctx, model, s->data, out->classes, out->proba, out->logits, &options));
    return judge(s, out->classes, out->proba);
}

/* What the doors give is the same: classes alone, some nodes at a time, scores. */
static void check_doors(gpr_ctx *ctx, const gpr_model *model, const sample *s, const predicted *all, bool scores,
                        double error) {
    static predicted other;
    const gpr_predict_options options = {.struct_size = sizeof options, .adapt_prior = 1};
    gpr_predictor *predictor;
    double before[CLASSES], after[CLASSES], truth = 0;
    assert_ok(gpr_predict_with(ctx, model, s->data, other.classes, NULL, NULL, &options));
    assert_memory_equal(other.classes, all->classes, sizeof all->classes);
    assert_ok(gpr_predictor_new(ctx, &predictor, model, s->data, &options));
    memset(&other, 0, sizeof other);
    for (int64_t first = 0; first < NODES; first += 700) {
        const int64_t count = NODES - first < 700 ? NODES - first : 700;
        assert_ok(gpr_predictor_rows(predictor, first, count, other.classes + first, other.proba + first * CLASSES));
    }
    assert_memory_equal(other.classes, all->classes, sizeof all->classes);
    assert_memory_equal(other.proba, all->proba, sizeof all->proba);
    assert_ok(gpr_predictor_rows(predictor, 10, 20, other.classes, NULL));
    assert_memory_equal(other.classes, all->classes + 10, 20 * sizeof *other.classes);
    assert_ok(gpr_predictor_rates(predictor, before, after));
    gpr_predictor_free(predictor);
    for (int i = 0; i < NODES; i++) truth += (s->labels[i] == 0) / (double)NODES;
    if (!(fabs(after[0] - truth) < error)) fail_msg("estimated %g, and it is %g", after[0], truth);
    assert_true(fabs(before[0] + before[1] - 1) < 1e-6 && fabs(after[0] + after[1] - 1) < 1e-6);
    assert_ok(gpr_predictor_new(ctx, &predictor, model, s->data, NULL));
    assert_fails(gpr_predictor_rates(predictor, before, after), GPR_ERROR_ARGUMENT, "without adapt_prior");
    gpr_predictor_free(predictor);
    const double T = model->temperature > 0 ? model->temperature : 1;
    for (int i = 0; scores && i < NODES; i++) {
        const double z = (double)all->logits[2 * i] - (double)all->logits[2 * i + 1];
        const double p = (double)all->proba[2 * i];
        assert_true(fabs(1 / (1 + exp(-z / T)) - p) < 1e-4);
    }
}

/* Trained where 15 % are in the first class: data with 60 % of them, and data like the training. */
static void shifted(void **state) {
    (void)state;
    static predicted plain, adapted;
    static const struct {
        const char *options[11];
        double gained; /* points of accuracy, at least */
        int told;      /* every so many nodes of new data tell their label; 0: none */
        double error;  /* of the estimate, at most: it is as good as the probabilities, which dropout makes timid */
    } cases[] = {{{"model", "mlp", "label-counts", "no", "smooth", "no"}, 5, 0, 0.2},
                 {{"model", "gprgnn", "K", "2", "label-input", "no", "label-counts", "no", "smooth", "no"}, 5, 0, 0.2},
                 {{"model", "gprgnn", "K", "2", "label-input", "yes", "smooth", "yes"}, 1, 3, 0.2},
                 {{"order", "filter-first", "K", "2"}, 5, 0, 0.2},
                 {{"model", "mlp", "label-counts", "no", "smooth", "no", "calibrate", "yes"}, 5, 0, 0.08}};
    gpr_ctx *ctx = warning_ctx();
    sample *home = new_sample(ctx, 0.15, 1, 1);
    for (size_t m = 0; m < sizeof cases / sizeof *cases; m++) {
        sample *like = new_sample(ctx, 0.15, 2, cases[m].told), *other = new_sample(ctx, 0.6, 3, cases[m].told);
        gpr_params *params =
            new_params(ctx, OPTIONS("epochs", "150", "lr", "0.02", "split", "60/20/20", "refit", "no"));
        training t;
        for (int i = 0; cases[m].options[i]; i += 2)
            assert_ok(gpr_params_set(params, cases[m].options[i], cases[m].options[i + 1]));
        assert_ok(gpr_train(ctx, &t.model, &t.result, home->data, params));
        warning[0] = 0;
        worth before = predict(ctx, t.model, like, false, &plain), after = predict(ctx, t.model, like, true, &adapted);
        if (warning[0]) fail_msg("case %zu: a warning: %s", m, warning);
        if (!(fabs(before.accuracy - after.accuracy) < 1) || !(fabs(before.loss - after.loss) < 0.02))
            fail_msg("case %zu without shift: accuracy %g, then %g; loss %g, then %g", m, before.accuracy,
                     after.accuracy, before.loss, after.loss);
        before = predict(ctx, t.model, other, false, &plain);
        if (!strstr(warning, "adapt-prior"))
            fail_msg("case %zu: no warning of shares; accuracy %g, loss %g: %s", m, before.accuracy, before.loss,
                     warning);
        warning[0] = 0;
        after = predict(ctx, t.model, other, true, &adapted);
        if (warning[0]) fail_msg("case %zu: a warning of what is corrected: %s", m, warning);
        if (!(after.accuracy > before.accuracy + cases[m].gained) || !(after.loss < 0.9 * before.loss))
            fail_msg("case %zu: accuracy %g, then %g; loss %g, then %g", m, before.accuracy, after.accuracy,
                     before.loss, after.loss);
        check_doors(ctx, t.model, other, &adapted, m != 2 && m != 3, cases[m].error);
        training_free(&t);
        gpr_params_free(params);
        free_sample(like), free_sample(other);
    }
    free_sample(home);
    gpr_ctx_free(ctx);
}

/* Weights of classes make probabilities that are far from the rates; they are taken out. */
static void weighted(void **state) {
    (void)state;
    static predicted plain, adapted;
    static const double rates[] = {0.15, 0.6};
    gpr_ctx *ctx = warning_ctx();
    sample *home = new_sample(ctx, 0.15, 1, 1);
    gpr_params *params =
        new_params(ctx, OPTIONS("model", "mlp", "epochs", "150", "lr", "0.02", "split", "60/20/20", "smooth", "no",
                                "label-counts", "no", "class-weight", "balanced", "calibrate", "yes"));
    training t;
    assert_ok(gpr_train(ctx, &t.model, &t.result, home->data, params));
    assert_true(fabs((double)t.model->rates[0] - 0.15) < 0.03 && fabs((double)t.model->rates[2] - 0.5) < 1e-6);
    for (int i = 0; i < 2; i++) {
        sample *s = new_sample(ctx, rates[i], 2 + (uint32_t)i, 0);
        warning[0] = 0;
        const worth before = predict(ctx, t.model, s, false, &plain), after = predict(ctx, t.model, s, true, &adapted);
        if ((warning[0] != 0) != (i == 1)) fail_msg("rate %g: %s", rates[i], warning);
        if (!(after.accuracy > before.accuracy - 1) || !(after.loss < before.loss + 0.01))
            fail_msg("rate %g: accuracy %g, then %g; loss %g, then %g", rates[i], before.accuracy, after.accuracy,
                     before.loss, after.loss);
        check_doors(ctx, t.model, s, &adapted, true, 0.12);
        free_sample(s);
    }
    training_free(&t);
    gpr_params_free(params);
    free_sample(home);
    gpr_ctx_free(ctx);
}

/* The first class's rate, as it is estimated. */
static double found_rate(gpr_ctx *ctx, const gpr_model *model, const sample *s, const int32_t *known) {
    const gpr_predict_options options = {.struct_size = sizeof options, .adapt_prior = 1, .known_labels = known};
    double before[CLASSES], after[CLASSES];
    gpr_predictor *predictor;
    assert_ok(gpr_predictor_new(ctx, &predictor, model, s->data, &options));
    assert_ok(gpr_predictor_rates(predictor, before, after));
    gpr_predictor_free(predictor);
    return after[0];
}

/* Nodes whose label the model is told do not count, as long as enough others are left. Here all of the first class tell
   theirs, so the others are all of the second; and then all but 20 nodes are told. */
static void told(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    sample *home = new_sample(ctx, 0.15, 1, 1), *other = new_sample(ctx, 0.6, 3, 0);
    gpr_params *params = new_params(ctx, OPTIONS("model", "gprgnn", "epochs", "150", "lr", "0.02", "K", "2", "split",
                                                 "60/20/20", "label-input", "yes", "smooth", "no", "refit", "no"));
    static int32_t known[NODES];
    training t;
    assert_ok(gpr_train(ctx, &t.model, &t.result, home->data, params));
    for (int i = 0; i < NODES; i++) known[i] = other->labels[i] == 0 ? 0 : -1;
    const double rest = found_rate(ctx, t.model, other, known);
    for (int i = 0; i < NODES; i++) known[i] = i < NODES - 20 ? other->labels[i] : -1;
    const double all = found_rate(ctx, t.model, other, known);
    if (!(rest < 0.1) || !(all > 0.4)) fail_msg("of those that do not tell %g, of all %g", rest, all);
    training_free(&t);
    gpr_params_free(params);
    free_sample(home), free_sample(other);
    gpr_ctx_free(ctx);
}

/* A file of 0.1.0 does not have the rates. */
static void old_file(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    sample *home = new_sample(ctx, 0.15, 1, 1);
    const gpr_predict_options options = {.struct_size = sizeof options, .adapt_prior = 1};
    char path[512];
    int32_t classes[NODES];
    gpr_model *model;
    snprintf(path, sizeof path, "%s/tests/golden/model_v1.safetensors", TEST_SOURCE_DIR);
    assert_ok(gpr_model_load(ctx, &model, path));
    assert_fails(gpr_predict_with(ctx, model, home->data, classes, NULL, NULL, &options), GPR_ERROR_ARGUMENT,
                 "train it again");
    gpr_model_free(model);
    free_sample(home);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shifted), cmocka_unit_test(weighted), cmocka_unit_test(told),
                                       cmocka_unit_test(old_file)};
    return cmocka_run_group_tests_name("rates", tests, NULL, NULL);
}
