/* All models on the card and on the CPU: losses of the first epochs, bits on repetition and without recording,
 * predictions, and a rule that stops early while the host looks late. */
#include <math.h>

#include "support.h"

#include "filters.h"
#include "tensor/device.h"

/* card.c, or the one of the emulated card, which is slow. */
gpr_ctx *card_open(void);
extern const bool card_is_slow;

static gpr_dataset *data_of(gpr_ctx *ctx, int64_t nodes, bool sparse) {
    return sparse ? new_words(ctx, nodes, 40, 3) : new_csbm(ctx, nodes, 12, 0.4);
}

static void near(const char *what, const char *of, int64_t epoch, double got, double want, double most) {
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= most * fabs(want)))
        fail_msg("%s, epoch %d, %s: %.9g, on the CPU %.9g: off by %.1e of itself", what, (int)epoch, of, got, want,
                 fabs(got / want - 1));
}

static void same_losses(const char *what, const gpr_result *a, const gpr_result *b, int64_t epochs) {
    assert_int_equal(a->count, b->count);
    for (int64_t r = 0; r < a->count; r++)
        for (int64_t e = 0; e <= epochs; e++) {
            const gpri_epoch *x = &a->runs[r].history[e], *y = &b->runs[r].history[e];
            near(what, "training loss", e, y->train_loss, x->train_loss, 1e-5);
            near(what, "validation loss", e, y->val_loss, x->val_loss, 1e-5);
            near(what, "test loss", e, y->test_loss, x->test_loss, 1e-5);
        }
}

static void same_history(const char *what, const gpr_result *a, const gpr_result *b) {
    for (int64_t r = 0; r < a->count; r++) {
        assert_int_equal(a->runs[r].info.epochs, b->runs[r].info.epochs);
        assert_int_equal(a->runs[r].info.best_epoch, b->runs[r].info.best_epoch);
        if (memcmp(a->runs[r].history, b->runs[r].history,
                   (size_t)(a->runs[r].info.epochs + 1) * sizeof *a->runs[r].history) != 0)
            fail_msg("%s, run %d: the histories differ", what, (int)r);
    }
}

/* The same device without recording. */
static gpri_device unrecorded_device(const gpri_device *device) {
    gpri_device plain = *device;
    plain.begin = NULL;
    plain.end = NULL;
    plain.replay = NULL;
    plain.forget = NULL;
    return plain;
}

/* Takes the data, once of each context. */
static void check_training(gpr_ctx *card, gpr_ctx *cpu, const char *what, gpr_dataset *data, gpr_dataset *again,
                           const char *const *options) {
    enum { EPOCHS = 10 };
    const int64_t nodes = gpr_dataset_nodes(data);
    training a = train(cpu, data, options), b = train(card, again, options), c = train(card, again, options);
    same_losses(what, a.result, b.result, EPOCHS);
    assert_same_model(what, b.model, c.model); /* bits on repetition */
    same_history(what, b.result, c.result);
    const gpri_device *device = card->job.device, plain = unrecorded_device(device);
    card->job.device = &plain;
    training d = train(card, again, options);
    card->job.device = device;
    assert_same_model(what, b.model, d.model); /* recorded or not */
    same_history(what, b.result, d.result);
    const int64_t classes = a.model->classes;
    float *x = malloc((size_t)(nodes * classes) * sizeof *x), *y = malloc((size_t)(nodes * classes) * sizeof *y);
    assert_ok(gpr_predict(cpu, a.model, data, NULL, x));
    assert_ok(gpr_predict(card, a.model, again, NULL, y));
    for (int64_t i = 0; i < nodes * classes; i++)
        if (!(fabs((double)x[i] - (double)y[i]) <= 1e-5))
            fail_msg("%s, prediction %d: %g, on the CPU %g", what, (int)i, (double)y[i], (double)x[i]);
    free(x), free(y);
    training_free(&a), training_free(&b), training_free(&c), training_free(&d);
    gpr_dataset_free(data), gpr_dataset_free(again);
    gpr_ctx_free(cpu);
}

static void check_model(gpr_ctx *card, const char *model, int64_t nodes, bool sparse, const char *label_input) {
    const char *words[48];
    const char *const *options =
        options_for(words, model,
                    OPTIONS("epochs", "10", "stopping", "none", "hidden", "12", "K", "3", "heads", "3", "lr", "0.01",
                            "runs", "2", "label-input", label_input, "norm", sparse ? "batch" : "layer", "residual",
                            strcmp(label_input, "no") == 0 ? "yes" : "no", "embedding",
                            "poincare")); /* it needs no other library */
    char what[512];
    snprintf(what, sizeof what, "%s, %d nodes, %s, labels %s", model, (int)nodes, sparse ? "sparse" : "dense",
             label_input);
    gpr_ctx *cpu = new_ctx(1);
    check_training(card, cpu, what, data_of(cpu, nodes, sparse), data_of(card, nodes, sparse), options);
}

/* Filters of several relations, directions, bases and columns. */
static void all_filters(void **state) {
    gpr_ctx *card = *state;
    const bool few = getenv("GPRGNN_SMALL") != NULL;
    const int64_t nodes = card_is_slow || few ? 40 : 700;
    for (int s = 0; s < FILTER_SETS; s += few ? 5 : 1) {
        const char *words[64];
        const char *const *options =
            filter_options(words, &filter_sets[s],
                           OPTIONS("epochs", "10", "stopping", "none", "hidden", "12", "K", "3", "lr", "0.01", "runs",
                                   "2", "label-input", "no", "label-counts", "yes"));
        gpr_ctx *cpu = new_ctx(1);
        check_training(card, cpu, filter_sets[s].name, new_kinds(cpu, nodes, 3, &filter_sets[s]),
                       new_kinds(card, nodes, 3, &filter_sets[s]), options);
    }
}

static void all_models(void **state) {
    gpr_ctx *card = *state;
    const bool few = getenv("GPRGNN_SMALL") != NULL; /* for tools that look at every access */
    const int64_t small = card_is_slow || few ? 40 : 300, large = 2500;
    char words[MOST_MODELS][16];
    const int count = model_words(words);
    assert_true(count >= 10);
    for (int m = 0; m < count; m++) {
        check_model(card, words[m], small, m % 2, "yes");
        if (few) continue;
        for (int sparse = 0; sparse < 2; sparse++) check_model(card, words[m], small, sparse, "no");
        if (!card_is_slow) check_model(card, words[m], large, m % 2, "no");
    }
}

/* A training that is stopped by the rule: it ends where its own history says, and the best weights are those of the
   best epoch. The host looks every `lag` epochs only. */
static void stops_where_the_rule_says(void **state) {
    gpr_ctx *card = *state;
    const gpri_device *device = card->job.device;
    const bool small = card_is_slow || getenv("GPRGNN_SMALL") != NULL;
    gpr_dataset *data = data_of(card, small ? 40 : 300, false);
    const char *rules[] = {"program", "paper"};
    for (int rule = 0; rule < 2; rule++)
        for (int patience = 2; patience < 9; patience += 3) {
            char text[16];
            snprintf(text, sizeof text, "%d", patience);
            const char *const *options = OPTIONS("epochs", "120", "patience", text, "stopping", rules[rule], "lr",
                                                 "0.1", "hidden", "8", "K", "2");
            gpri_device at_once = *device;
            at_once.lag = 1;
            training a = train(card, data, options);
            card->job.device = &at_once;
            training b = train(card, data, options);
            card->job.device = device;
            assert_true(a.result->runs[0].info.epochs < 120); /* it does stop early */
            assert_same_model(rules[rule], a.model, b.model);
            same_history(rules[rule], a.result, b.result);
            training_free(&a), training_free(&b);
        }
    gpr_dataset_free(data);
}

/* Runs side by side, more than there are lanes in an emulated card: each has the bits that it has alone. */
static void side_by_side(void **state) {
    gpr_ctx *card = *state;
    const gpri_device *device = card->job.device;
    const bool small = card_is_slow || getenv("GPRGNN_SMALL") != NULL;
    char words[MOST_MODELS][16];
    const int count = model_words(words);
    assert_true(device->lanes > 1);
    for (int m = 0; m < count; m += small ? 3 : 1) {
        gpr_dataset *data = data_of(card, small ? 40 : 300, m % 2);
        const char *list[48];
        const char *const *options =
            options_for(list, words[m],
                        OPTIONS("epochs", small ? "12" : "60", "patience", "3", "lr", "0.1", "hidden", "8", "K", "2",
                                "heads", "2", "runs", small ? "4" : "40", "embedding", "poincare"));
        gpri_device one_lane = *device;
        one_lane.lanes = 1;
        training a = train(card, data, options);
        card->job.device = &one_lane;
        training b = train(card, data, options);
        card->job.device = device;
        assert_same_model(words[m], a.model, b.model);
        same_history(words[m], a.result, b.result);
        training_free(&a), training_free(&b);
        gpr_dataset_free(data);
    }
}

static int open_card(void **state) {
    *state = card_open();
    return 0;
}

static int close_card(void **state) {
    gpr_ctx_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_models), cmocka_unit_test(stops_where_the_rule_says),
                                       cmocka_unit_test(side_by_side), cmocka_unit_test(all_filters)};
    return cmocka_run_group_tests_name("cuda_models", tests, open_card, close_card);
}
