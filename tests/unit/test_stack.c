/* The model stack: its scores and its file; that a training goes on inside a fold; that no label reaches the trees by
 * way of the network; a fork after its trainings. What trains is skipped where there is no libxgboost. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resuming.h"
#include "train/stack.h"
#include "trees/booster.h"

#define NEEDS_XGBOOST() \
    if (gpri_booster_there() != GPR_OK) skip_because("no libxgboost.so.0 (Debian: libxgboost0)")
/* 6 rounds: networks of 10 epochs. */
#define STACK(...) OPTIONS("model", "stack", "split", "50/25/25", "epochs", "6", __VA_ARGS__)

enum { NODES = 60 };

/* ---- predictions ---- */

/* What a training says is what a prediction gives, and so is what its file gives, for any number of threads. */
static void trained(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    for (int64_t classes = 2; classes <= 3; classes++) {
        gpr_ctx *ctx = new_ctx(1), *more = new_ctx(5);
        gpr_dataset *data = new_words(ctx, NODES, 30, classes), *other = new_words(ctx, NODES + 7, 30, classes);
        const char *const *options = STACK("calibrate", "yes", "label-input", classes == 2 ? "no" : "yes");
        training t = train(ctx, data, options), same = train(more, data, options);
        float proba[NODES * 3], again[NODES * 3], others[(NODES + 7) * 3], others_again[(NODES + 7) * 3];
        int32_t predicted[NODES];
        gpr_model *loaded;
        void *bytes;
        size_t size;
        assert_same_training("threads", ctx, &t, &same);
        assert_ok(gpr_predict(ctx, t.model, data, predicted, proba));
        assert_ok(gpr_predict(ctx, t.model, other, NULL, others));
        assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, t.model));
        assert_ok(gpr_model_from_bytes(ctx, &loaded, bytes, size));
        assert_ok(gpr_predict(more, loaded, data, NULL, again));
        assert_ok(gpr_predict(more, loaded, other, NULL, others_again));
        assert_memory_equal(proba, again, (size_t)(NODES * classes) * sizeof *proba);
        assert_memory_equal(others, others_again, (size_t)((NODES + 7) * classes) * sizeof *others);
        assert_non_null(tensor_of(loaded, "network.lin1.weight"));
        const gpri_run *run = &t.result->runs[0];
        const gpri_epoch *best = &run->history[run->info.best_epoch];
        double right = 0, all = 0;
        for (int i = 0; i < NODES; i++) {
            right += run->split->part[i] == GPR_TEST && predicted[i] == data->target.labels[i];
            all += run->split->part[i] == GPR_TEST;
        }
        assert_true(fabs(100 * right / all - best->test_accuracy) < 1e-6);
        gpr_model_free(loaded);
        gpr_bytes_free(ctx, bytes);
        training_free(&t);
        training_free(&same);
        gpr_dataset_free(data);
        gpr_dataset_free(other);
        gpr_ctx_free(ctx);
        gpr_ctx_free(more);
    }
}

/* The expected score and the shares of all columns are the score; the network's is one of them. */
static void explained(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    gpr_ctx *ctx = new_ctx(1);
    for (int64_t classes = 2; classes <= 3; classes++) {
        gpr_dataset *data = new_words(ctx, NODES, 30, classes);
        training t = train(ctx, data, STACK("stopping", "none"));
        float z[NODES * 3];
        const int64_t nodes[] = {0, 7, 39};
        const gpr_explain_options all = {.struct_size = sizeof all, .class_id = -1, .top = 1000};
        gpr_explanation *why;
        assert_ok(gpr_predict_logits(ctx, t.model, data, z));
        assert_ok(gpr_explanation_new(ctx, &why, t.model, data, nodes, 3, &all));
        for (int k = 0; k < 3; k++) {
            gpr_explanation_info info = {.struct_size = sizeof info};
            assert_ok(gpr_explanation_describe(why, k, &info));
            double score = info.bias_score, lead = info.bias_lead;
            bool network = false;
            for (int64_t r = 0; r < info.listed_columns; r++) {
                gpr_explained_column column = {.struct_size = sizeof column};
                assert_ok(gpr_explanation_column(why, k, r, &column));
                network |= strstr(column.name, "the network's score of ") == column.name && column.lead != 0;
                score += column.score, lead += column.lead;
            }
            const double own = (double)z[nodes[k] * classes + info.class_id],
                         rival = (double)z[nodes[k] * classes + info.rival];
            assert_true(network);
            if (fabs(score - own) > 1e-4 * (1 + fabs(own)) || fabs(lead - own + rival) > 1e-4 * (1 + fabs(own)))
                fail_msg("node %d: shares add up to %g, and its score is %g; lead %g and %g", (int)nodes[k], score, own,
                         lead, own - rival);
        }
        gpr_explanation_free(why);
        training_free(&t);
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

/* ---- trainings that go on ---- */

/* Stops after so many epochs of networks; keeps the last state of each run. */
typedef struct {
    int64_t left;
    void *bytes[2];
    size_t size[2];
} keeper;

static int stop_in_networks(void *user, const gpr_progress *p) {
    keeper *k = user;
    return strcmp(p->stage, "networks") == 0 && k->left > 0 && --k->left == 0;
}

static int keep(void *user, const gpr_save_info *info) {
    keeper *k = user;
    assert_true(info->epoch > 0 || !info->finished);
    free(k->bytes[info->run]);
    k->bytes[info->run] = malloc(info->size);
    memcpy(k->bytes[info->run], info->bytes, info->size);
    k->size[info->run] = info->size;
    return 0;
}

static training go_on_saved(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options, keeper *k,
                            int64_t calls) {
    gpr_state states[2];
    gpr_train_options how = {.struct_size = sizeof how, .states = states, .save = keep, .user = k};
    keeper before = *k;
    training t;
    *k = (keeper){.left = calls};
    for (int r = 0; r < 2; r++)
        if (before.bytes[r]) states[how.state_count++] = (gpr_state){before.bytes[r], before.size[r], NULL};
    gpr_params *params = new_params(ctx, options);
    ctx->job.progress = stop_in_networks, ctx->job.user = k;
    t.status = gpr_train_with(ctx, &t.model, &t.result, data, params, &how);
    ctx->job.progress = NULL, ctx->job.user = NULL;
    gpr_params_free(params);
    for (int r = 0; r < 2; r++) { /* a run that did nothing has no new state */
        if (k->bytes[r]) free(before.bytes[r]);
        else k->bytes[r] = before.bytes[r], k->size[r] = before.size[r];
    }
    return t;
}

/* In the first network, where one ends and the next begins, and in the last one. */
static void resumed_in_a_fold(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, NODES, 30, 3);
    const char *const *cases[] = {STACK("stopping", "none"), STACK("runs", "2", "stopping", "none"),
                                  STACK("refit", "yes")};
    for (int c = 0; c < 3; c++) {
        training whole = train(ctx, data, cases[c]);
        for (int64_t calls = 1; calls < 12; calls += 5) {
            keeper k = {0};
            training t = {.status = GPR_STOPPED};
            int pieces = 0;
            while (t.status == GPR_STOPPED || t.status == GPR_ERROR_STOPPED) {
                training_free(&t);
                t = go_on_saved(ctx, data, cases[c], &k, pieces < 12 ? calls : 0);
                pieces++;
            }
            assert_ok(t.status);
            assert_true(pieces > 3);
            assert_same_training("stack", ctx, &whole, &t);
            training_free(&t);
            for (int r = 0; r < 2; r++) free(k.bytes[r]);
        }
        training_free(&whole);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Among the trees: the networks are there, and are not trained again. */
static void resumed(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, NODES, 30, 2);
    const char *const *cases[] = {STACK("stopping", "none"), STACK("runs", "2"), STACK("refit", "yes")};
    for (int c = 0; c < 3; c++) {
        training whole = train(ctx, data, cases[c]);
        for (int64_t calls = 1; calls < 6; calls += 2) {
            training pieces = train_in_pieces(ctx, data, cases[c], ((const int64_t[]){calls, 1, 0}));
            assert_same_training("stack", ctx, &whole, &pieces);
            training_free(&pieces);
        }
        training_free(&whole);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Of the bytes of the networks nothing is believed. */
static void damaged(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, NODES, 30, 3);
    gpr_params *params = new_params(ctx, STACK("seed", "1"));
    const gpri_preparation from = {.ctx = ctx, .data = data};
    const gpri_stacking given = {.ctx = ctx, .from = &from, .params = params};
    const int64_t size = (4 + GPRI_STACK_NETWORKS + 2 * NODES * 3) * (int64_t)sizeof(int64_t);
    int64_t *bytes = calloc((size_t)size, 1);
    const int64_t right =
        (4 + GPRI_STACK_NETWORKS) * (int64_t)sizeof *bytes + 2 * NODES * 3 * (int64_t)sizeof(gpri_real);
    const int64_t whole[] = {NODES, 3, GPRI_STACK_NETWORKS, 0};
    const struct {
        int place;
        int64_t value, size;
    } wrong[] = {{0, NODES + 1, right}, {0, -1, right}, {1, 2, right},         {1, INT64_MAX / 2, right},
                 {2, 6, right},         {2, -1, right}, {2, 1, right},         {3, 8, right},
                 {3, -8, right},        {4, -1, right}, {4, INT64_MAX, right}, {0, NODES, right - 8},
                 {0, NODES, 16}};
    for (size_t i = 0; i <= sizeof wrong / sizeof *wrong; i++) {
        const bool good = i == sizeof wrong / sizeof *wrong;
        gpri_stacking stack = given;
        memcpy(bytes, whole, sizeof whole);
        bytes[4] = 1;
        if (!good) bytes[wrong[i].place] = wrong[i].value;
        const gpr_status status = gpri_stacking_begin(&stack, (const char *)bytes, good ? right : wrong[i].size);
        if (good) assert_ok(status);
        else assert_fails(status, GPR_ERROR_FORMAT, "the networks of a stack");
        gpri_stacking_free(&stack);
    }
    free(bytes);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- leaks ---- */

/* Labels that nothing tells: what the trees see of the training nodes is at chance before the first round, though the
   network has learned them by heart; and so are the other nodes, to the end. */
static void no_leak(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    enum { MANY = 2000 };
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_csbm(ctx, MANY, 200, 0.5);
    const gpri_random draw = gpri_random_of(8, GPRI_RANDOM_TEST, 0, 0);
    for (int i = 0; i < MANY; i++) data->target.labels[i] = (int32_t)gpri_uniform_below(draw, (uint64_t)i, 2);
    for (int takes = 0; takes < 2; takes++) {
        training t = train(ctx, data,
                           STACK("epochs", "60", "stopping", "none", "dropout", "0", "K", "0", "split",
                                 "50/0/50", /* no best epoch: the last one */
                                 "label-input", takes ? "yes" : "no"));
        const gpri_run *run = &t.result->runs[0];
        const gpri_epoch *first = &run->history[0], *last = &run->history[run->info.epochs];
        const double error = 100 * sqrt(0.25 / (MANY / 2.0));
        assert_true(fabs(first->train_accuracy - 50) < 4 * error);
        assert_true(fabs(first->test_accuracy - 50) < 4 * error);
        assert_true(fabs(last->test_accuracy - 50) < 4 * error);
        if (!takes) { /* the model's own network knows the training nodes */
            const gpr_metrics *learned = run->metrics[GPR_TRAIN];
            assert_non_null(learned);
            if (learned->values[gpri_measure_find("accuracy")] < 0.7)
                fail_msg("the network has not learned: %g", learned->values[gpri_measure_find("accuracy")]);
        }
        training_free(&t);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- processes ---- */

/* libxgboost has run in the parent: a child trains the same model, and ends. */
static void forked(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, NODES, 30, 3);
    training t = train(ctx, data, STACK("seed", "4"));
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        gpr_ctx *own;
        const gpr_ctx_options one = {.struct_size = sizeof one, .threads = 1};
        if (gpr_ctx_new(&own, &one) != GPR_OK) _exit(2);
        gpr_dataset *again = new_words(own, NODES, 30, 3);
        training same = try_training(own, again, STACK("seed", "4"));
        _exit(same.status != GPR_OK ? 3 : same_model(t.model, same.model) ? 0 : 4);
    }
    int status = -1;
    for (int waited = 0; waited < 1200 && waitpid(child, &status, WNOHANG) == 0; waited++) usleep(100000);
    if (status == -1) kill(child, SIGKILL);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trained), cmocka_unit_test(explained), cmocka_unit_test(resumed_in_a_fold),
        cmocka_unit_test(resumed), cmocka_unit_test(damaged),   cmocka_unit_test(no_leak),
        cmocka_unit_test(forked)};
    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
