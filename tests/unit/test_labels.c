/* Known labels as an input, for every model that has the option: nothing leaks, a node's own label never counts, other
 * weights begin as without it; the model file, predictions, states. */
#include <math.h>

#include "label_data.h"
#include "resuming.h"
#include "tensor/prepare.h"
#include "train/trainer.h"
#include "training.h"

enum { NODES = 240 };

static char models[MOST_MODELS][16];
static int model_count;

/* Every model that takes labels. */
#define EACH_MODEL(m)                     \
    for (int m = 0; m < model_count; m++) \
        if (strcmp(models[m], "mlp") != 0)

/* A trainer that looks inside. part: every fourth node for validation, every fourth for the test. */
typedef struct {
    gpr_dataset *data;
    gpr_params *params;
    gpri_features features;
    gpr_split split;
    uint8_t part[NODES];
    gpri_trainer *trainer;
} inside;

static void inside_new(inside *f, gpr_ctx *ctx, const char *model, const char *input, const int32_t *labels,
                       const int32_t *graph_of) {
    const char *words[32];
    *f = (inside){.data = make_data(ctx, NODES, 0.7, graph_of)};
    for (int64_t i = 0; i < NODES; i++) {
        f->data->target.labels[i] = labels[i];
        f->part[i] = i % 4 == 2 ? GPR_VAL : i % 4 == 3 ? GPR_TEST : GPR_TRAIN;
    }
    f->params = new_params(
        ctx, options_for(words, model,
                         OPTIONS("hidden", "8", "K", "4", "lr", "0.05", "label-input", input, "epochs", "40")));
    f->split = (gpr_split){.ctx = ctx, .nodes = NODES, .classes = CLASSES, .part = f->part};
    assert_ok(gpri_features_prepare(ctx, &f->features, &f->data->features, false, true));
    assert_ok(gpri_model_prepare(ctx, &f->features, f->params, &f->data->graph, NULL));
    assert_ok(gpri_trainer_new(ctx, &f->trainer, f->data, &f->features, &f->split, f->params, 1, 11));
}

static void inside_free(inside *f, gpr_ctx *ctx) {
    gpri_trainer_free(f->trainer);
    gpri_features_free(ctx, &f->features);
    gpr_params_free(f->params);
    gpr_dataset_free(f->data);
}

/* Whether row i of a stream's output has the same bits in both. */
static bool same_row(const inside *a, const inside *b, int stream, int64_t i) {
    const gpri_matrix x = gpri_net_output(a->trainer->net, stream), y = gpri_net_output(b->trainer->net, stream);
    return memcmp(x.at + i * x.ld, y.at + i * y.ld, CLASSES * sizeof *x.at) == 0;
}

/* Other labels of the validation and test nodes: after every step all scores and all weights are the same, bit for
   bit. Other labels of training nodes change the scores. */
static void hidden_labels_change_nothing(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int32_t labels[NODES], other[NODES], graph_of[NODES], changed[NODES];
    draw_labels(graph_of, NODES, 1);
    memcpy(labels, graph_of, sizeof labels);
    draw_labels(changed, NODES, 2);
    for (int64_t i = 0; i < NODES; i++) other[i] = i % 4 >= 2 ? changed[i] : labels[i];
    assert_memory_not_equal(labels, other, sizeof labels);
    EACH_MODEL(m) {
        inside a, b, c;
        inside_new(&a, ctx, models[m], "yes", labels, graph_of);
        inside_new(&b, ctx, models[m], "yes", other, graph_of);
        for (int step = 0; step < 4; step++) {
            gpri_trainer_look(a.trainer);
            gpri_trainer_look(b.trainer);
            for (int64_t i = 0; i < NODES; i++)
                if (!same_row(&a, &b, GPRI_EVAL_STREAM, i) || !same_row(&a, &b, GPRI_TRAIN_STREAM, i))
                    fail_msg("%s, step %d: the scores of node %d depend on hidden labels", models[m], step, (int)i);
            gpri_trainer_learn(a.trainer);
            gpri_trainer_learn(b.trainer);
            assert_memory_equal(a.trainer->state.values, b.trainer->state.values,
                                (size_t)a.trainer->state.weights * sizeof(gpri_real));
        }
        inside_free(&b, ctx);
        /* the labels of training nodes are an input: those of others see them */
        for (int64_t i = 0; i < NODES; i++) other[i] = i % 4 < 2 ? (labels[i] + 1) % CLASSES : labels[i];
        inside_new(&c, ctx, models[m], "yes", other, graph_of);
        inside_free(&a, ctx);
        inside_new(&a, ctx, models[m], "yes", labels, graph_of);
        gpri_trainer_look(a.trainer);
        gpri_trainer_look(c.trainer);
        int64_t moved = 0;
        for (int64_t i = 2; i < NODES; i += 4) moved += !same_row(&a, &c, GPRI_EVAL_STREAM, i);
        if (moved < NODES / 8) fail_msg("%s: %d validation nodes see labels", models[m], (int)moved);
        inside_free(&a, ctx);
        inside_free(&c, ctx);
        for (int64_t i = 0; i < NODES; i++) other[i] = i % 4 >= 2 ? changed[i] : labels[i];
    }
    gpr_ctx_free(ctx);
}

/* In the training stream about half of the training nodes show their labels, others in each step. The loss is the mean
   over the others, whose scores do not depend on their own labels. */
static void own_label_never_counts(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int32_t labels[NODES], other[NODES], before[NODES];
    draw_labels(labels, NODES, 1);
    EACH_MODEL(m) {
        inside a, b;
        inside_new(&a, ctx, models[m], "yes", labels, labels);
        for (int step = 0; step < 3; step++) {
            const gpri_real *factor;
            int64_t shows = 0, same = 0;
            gpri_trainer_look(a.trainer);
            const int32_t *shown = gpri_net_shown(a.trainer->net, &factor);
            for (int64_t i = 0; i < NODES; i++) {
                assert_true(shown[i] == -1 || (a.part[i] == GPR_TRAIN && shown[i] == labels[i]));
                shows += shown[i] >= 0;
                same += a.part[i] == GPR_TRAIN && step > 0 && (shown[i] >= 0) == (before[i] >= 0);
            }
            assert_true(shows > NODES / 6 && shows < NODES / 3);
            assert_true(same < NODES / 3);
            assert_float_equal((float)*factor, (float)(NODES / 2) / (float)(NODES / 2 - shows), 1e-6f);
            memcpy(before, shown, sizeof before);
            if (step == 0) { /* other labels of the nodes that hide theirs */
                for (int64_t i = 0; i < NODES; i++)
                    other[i] = a.part[i] == GPR_TRAIN && shown[i] < 0 ? (labels[i] + 1) % CLASSES : labels[i];
                inside_new(&b, ctx, models[m], "yes", other, labels);
                gpri_trainer_look(b.trainer);
                for (int64_t i = 0; i < NODES; i++) assert_true(same_row(&a, &b, GPRI_TRAIN_STREAM, i));
                inside_free(&b, ctx);
            }
            gpri_trainer_loss(a.trainer);
            const gpri_matrix dz = gpri_net_output(a.trainer->net, GPRI_TRAIN_STREAM);
            double sum = 0;
            for (int64_t i = 0; i < NODES; i++) {
                double row = 0;
                for (int64_t c = 0; c < CLASSES; c++) row += fabs((double)dz.at[i * dz.ld + c]);
                assert_true((row > 0) == (a.part[i] == GPR_TRAIN && shown[i] < 0));
                sum += row > 0;
            }
            assert_true(sum == (double)(NODES / 2 - shows));
            gpri_trainer_backward(a.trainer);
            gpri_trainer_update(a.trainer);
        }
        inside_free(&a, ctx);
    }
    gpr_ctx_free(ctx);
}

/* The same first weights with and without labels, and one weight more (eight for geomgcn). */
static void other_weights_begin_the_same(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int32_t labels[NODES];
    draw_labels(labels, NODES, 1);
    EACH_MODEL(m) {
        inside with, without;
        inside_new(&with, ctx, models[m], "yes", labels, labels);
        inside_new(&without, ctx, models[m], "no", labels, labels);
        const gpri_net *a = with.trainer->net, *b = without.trainer->net;
        int found = 0;
        for (int i = 0; i < a->weight_count; i++) {
            const gpri_weight *weight = &a->weights[i];
            if (strncmp(weight->name, "labels.", 7) == 0) {
                assert_int_equal(weight->rows, CLASSES);
                assert_true(weight->value[0] != 0 && weight->value[weight->width] != weight->value[0]);
                continue;
            }
            for (int k = 0; k < b->weight_count; k++) {
                if (strcmp(b->weights[k].name, weight->name) != 0) continue;
                found++;
                for (int64_t r = 0; r < weight->rows; r++)
                    assert_memory_equal(weight->value + r * weight->width, b->weights[k].value + r * weight->width,
                                        (size_t)weight->cols * sizeof *weight->value);
            }
        }
        assert_int_equal(found, b->weight_count);
        assert_int_equal(a->weight_count - b->weight_count, strcmp(models[m], "geomgcn") == 0 ? 8 : 1);
        inside_free(&with, ctx);
        inside_free(&without, ctx);
    }
    gpr_ctx_free(ctx);
}

static training train_labels(gpr_ctx *ctx, const gpr_dataset *data, const char *model, const char *input,
                             const char *epochs) {
    const char *words[32];
    return train(ctx, data,
                 options_for(words, model,
                             OPTIONS("hidden", "16", "K", "4", "lr", "0.03", "weight-decay", "0", "epochs", epochs,
                                     "label-input", input, "split", "60/20/20", "seed", "3")));
}

/* On a random graph with random labels and features there is nothing to learn: validation and test stay at chance. The
   same on a graph whose neighbours are alike is far above it, and without labels as an input it is not: so a leak would
   be seen. */
static void nothing_leaks(void **state) {
    (void)state;
    enum { MANY = 1500 };
    const double chance = 100.0 / CLASSES, spread = 100 * sqrt(chance / 100 * (1 - chance / 100) / (MANY / 5));
    gpr_ctx *ctx = new_ctx(2);
    int32_t *labels = malloc(MANY * sizeof *labels);
    draw_labels(labels, MANY, 5);
    gpr_dataset *random = make_data(ctx, MANY, 0, labels), *alike = make_data(ctx, MANY, 0.9, labels);
    EACH_MODEL(m) {
        training t = train_labels(ctx, random, models[m], "yes", "60"),
                 u = train_labels(ctx, alike, models[m], "yes", "60");
        const gpr_run_info *at = &t.result->runs[0].info, *there = &u.result->runs[0].info;
        printf("  %-8s random: validation %.1f test %.1f; alike: %.1f %.1f\n", models[m], at->val_accuracy,
               at->test_accuracy, there->val_accuracy, there->test_accuracy);
        if (fabs(at->val_accuracy - chance) > 4 * spread || fabs(at->test_accuracy - chance) > 4 * spread)
            fail_msg("%s: validation %.1f %%, test %.1f %%, chance is %.1f %%", models[m], at->val_accuracy,
                     at->test_accuracy, chance);
        if (!(there->test_accuracy > chance + 25) || !(there->val_accuracy > chance + 25))
            fail_msg("%s: labels of neighbours are not used: test %.1f %%", models[m], there->test_accuracy);
        training_free(&t), training_free(&u);
    }
    gpr_dataset_free(random), gpr_dataset_free(alike);
    free(labels);
    gpr_ctx_free(ctx);
}

/* Right ones among the nodes of a part, in percent. */
static double accuracy_of(const gpr_dataset *data, const gpr_split *split, uint8_t part, const int32_t *classes) {
    int64_t right = 0, all = 0;
    for (int64_t i = 0; i < data->graph.nodes; i++) {
        if (split->part[i] != part) continue;
        all++;
        right += classes[i] == data->target.labels[i];
    }
    return 100.0 * (double)right / (double)all;
}

/* A prediction on the data of the training shows the training nodes' labels alone, also after a load; on other data all
   labels; the caller may say which. */
static void predictions(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int32_t labels[NODES], classes[NODES], known[NODES], again[NODES];
    draw_labels(labels, NODES, 1);
    gpr_dataset *data = make_data(ctx, NODES, 0.9, labels);
    int32_t fewer[NODES];
    for (int64_t i = 0; i < NODES; i++) fewer[i] = i % 5 == 0 ? -1 : labels[i];
    gpr_dataset *new_data = make_data(ctx, NODES, 0.8, labels);
    memcpy(new_data->target.labels, fewer, sizeof fewer); /* before anybody asked for its fingerprint */
    EACH_MODEL(m) {
        training t = train_labels(ctx, data, models[m], "yes", "20");
        const gpr_run_info *info = &t.result->runs[0].info;
        const gpr_split *split = t.result->runs[0].split;
        gpr_model *loaded;
        void *bytes;
        size_t size;
        assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, t.model));
        assert_ok(gpr_model_from_bytes(ctx, &loaded, bytes, size));
        gpr_bytes_free(ctx, bytes);
        assert_ok(gpr_predict(ctx, loaded, data, classes, NULL));
        assert_float_equal(accuracy_of(data, split, GPR_VAL, classes), info->val_accuracy, 1e-9);
        assert_float_equal(accuracy_of(data, split, GPR_TEST, classes), info->test_accuracy, 1e-9);
        assert_ok(gpr_model_known_labels(ctx, loaded, data, known));
        for (int64_t i = 0; i < NODES; i++) assert_int_equal(known[i], split->part[i] == GPR_TRAIN ? labels[i] : -1);
        /* the same labels, named by the caller; and none at all, which is another input */
        gpr_predict_options options = {.struct_size = sizeof options, .known_labels = known};
        assert_ok(gpr_predict_with(ctx, loaded, data, again, NULL, NULL, &options));
        assert_memory_equal(classes, again, sizeof classes);
        for (int64_t i = 0; i < NODES; i++) known[i] = -1;
        assert_ok(gpr_predict_with(ctx, loaded, data, again, NULL, NULL, &options));
        assert_memory_not_equal(classes, again, sizeof classes);
        known[7] = CLASSES;
        assert_fails(gpr_predict_with(ctx, loaded, data, again, NULL, NULL, &options), GPR_ERROR_ARGUMENT,
                     "known_labels[7] is 3");
        assert_ok(gpr_model_known_labels(ctx, loaded, new_data, known));
        assert_memory_equal(known, fewer, sizeof fewer);
        gpr_model_free(loaded);
        training_free(&t);
    }
    training plain = train_labels(ctx, data, "gcn", "no", "5");
    assert_ok(gpr_model_known_labels(ctx, plain.model, data, known));
    for (int64_t i = 0; i < NODES; i++) assert_int_equal(known[i], -1);
    gpr_predict_options options = {.struct_size = sizeof options, .known_labels = known};
    assert_fails(gpr_predict_with(ctx, plain.model, data, again, NULL, NULL, &options), GPR_ERROR_ARGUMENT,
                 "a model that uses no labels");
    training_free(&plain);
    gpr_params *params = new_params(ctx, OPTIONS("model", "mlp", "label-input", "yes"));
    assert_fails(gpr_params_check(params), GPR_ERROR_ARGUMENT, "mlp has no option 'label-input'");
    gpr_params_free(params);
    gpr_dataset_free(data), gpr_dataset_free(new_data);
    gpr_ctx_free(ctx);
}

/* The same bits on any number of threads, and for a training that was stopped and went on. */
static void bits_repeat(void **state) {
    (void)state;
    gpr_ctx *one = new_ctx(1), *three = new_ctx(3);
    int32_t *labels = malloc(3000 * sizeof *labels);
    draw_labels(labels, 3000, 4);
    gpr_dataset *data = make_data(one, 3000, 0.8, labels), *same = make_data(three, 3000, 0.8, labels);
    EACH_MODEL(m) {
        training a = train_labels(one, data, models[m], "yes", "8"),
                 b = train_labels(three, same, models[m], "yes", "8");
        assert_same_model(models[m], a.model, b.model);
        assert_memory_equal(a.result->runs[0].history, b.result->runs[0].history, 9 * sizeof(gpri_epoch));
        training_free(&b);
        stopper stop = {.left = 3};
        one->job.progress = stop_at, one->job.user = &stop;
        const char *words[32];
        const char *const *options =
            options_for(words, models[m],
                        OPTIONS("hidden", "16", "K", "4", "lr", "0.03", "weight-decay", "0", "epochs", "8",
                                "label-input", "yes", "split", "60/20/20", "seed", "3"));
        b = try_training(one, data, options);
        one->job.progress = NULL, one->job.user = NULL;
        assert_int_equal(b.status, GPR_STOPPED);
        go_on(&b, one, data, options, 0);
        assert_same_model(models[m], a.model, b.model);
        assert_memory_equal(a.result->runs[0].history, b.result->runs[0].history, 9 * sizeof(gpri_epoch));
        training_free(&a), training_free(&b);
    }
    gpr_dataset_free(data), gpr_dataset_free(same);
    free(labels);
    gpr_ctx_free(one), gpr_ctx_free(three);
}

int main(void) {
    model_count = model_words(models);
    const struct CMUnitTest tests[] = {cmocka_unit_test(hidden_labels_change_nothing),
                                       cmocka_unit_test(own_label_never_counts),
                                       cmocka_unit_test(other_weights_begin_the_same),
                                       cmocka_unit_test(nothing_leaks),
                                       cmocka_unit_test(predictions),
                                       cmocka_unit_test(bits_repeat)};
    return cmocka_run_group_tests_name("labels", tests, NULL, NULL);
}
