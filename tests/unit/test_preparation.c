/* What a training prepares: once for all candidates of a choice, the runs with the chosen one and the refit; anew where
 * an option that it depends on is another. */
#include "label_data.h"
#include "resuming.h"
#include "train/preparation/preparation.h"

enum { NODES = 240 };

#define SHORT "epochs", "6", "K", "2", "seed", "3", "smooth", "no", "reorder", "rcm"
#define COMMON SHORT, "hidden", "4"
#define PLAIN "label-input", "no", "label-counts", "no"

static int prepared, next, orders; /* of a training, of another model in it, orders of nodes */

static void count_lines(void *user, gpr_log_level level, const char *line) {
    (void)user, (void)level;
    prepared += strstr(line, ": prepared for training") != NULL;
    next += strstr(line, ": prepared for the next model") != NULL;
    orders += strncmp(line, "order of nodes", 14) == 0;
}

static gpr_ctx *counting_ctx(void) {
    gpr_ctx *ctx;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 2, .log = count_lines};
    assert_ok(gpr_ctx_new(&ctx, &options));
    prepared = next = orders = 0;
    return ctx;
}

static gpr_dataset *make_table(gpr_ctx *ctx) {
    int32_t by[NODES], labels[NODES];
    draw_labels(by, NODES, 1);
    for (int i = 0; i < NODES; i++) labels[i] = i % 6 == 0 ? -1 : by[i]; /* there is something to predict: a refit */
    gpr_dataset *data = make_labelled(ctx, NODES, 0.5, by, labels);
    data->generated = false;
    return data;
}

static void expect_counts(const char *what, int wanted) {
    if (prepared != wanted || orders != wanted)
        fail_msg("%s: prepared %d times, ordered %d times, not %d", what, prepared, orders, wanted);
    prepared = next = orders = 0;
}

static void candidates_share_one(void **state) {
    (void)state;
    gpr_ctx *ctx = counting_ctx();
    gpr_dataset *data = make_table(ctx);
    training one = train(ctx, data, OPTIONS(COMMON)), runs = train(ctx, data, OPTIONS(COMMON, "runs", "3"));
    assert_int_equal(one.result->choice.count, 3);
    assert_true(one.result->refit_nodes > 0 && runs.result->refit_nodes > 0);
    expect_counts("a choice with a refit, and one with three runs", 2);
    training t = train(ctx, data, OPTIONS(COMMON, PLAIN, "runs", "2"));
    expect_counts("nothing to choose", 1);
    training_free(&one), training_free(&runs), training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A model that smooths its features beforehand cannot do so where labels are among them. */
static void label_input_changes_features(void **state) {
    (void)state;
    gpr_ctx *ctx = counting_ctx();
    gpr_dataset *data = make_table(ctx);
    training t = train(ctx, data, OPTIONS(SHORT, "model", "sgc"));
    const bool with_labels = strstr(t.result->choice.names[t.result->choice.taken], "label-input yes") != NULL;
    assert_int_equal(next, with_labels ? 2 : 1); /* features without labels, and with them again */
    expect_counts("sgc", 1);
    training alone = train(ctx, data, OPTIONS(SHORT, "model", "sgc", PLAIN));
    assert_float_equal(100 * t.result->choice.scores[2], alone.result->runs[0].info.val_accuracy, 1e-9);
    assert_float_equal(t.result->choice.losses[2], alone.result->runs[0].info.val_loss, 0);
    training_free(&t), training_free(&alone);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A call that goes on prepares once, wherever the one before was stopped. */
static void going_on_prepares_once(void **state) {
    (void)state;
    gpr_ctx *ctx = counting_ctx();
    gpr_dataset *data = make_table(ctx);
    for (int64_t calls = 1; calls < 24; calls += 5) {
        stopper stop = {.left = calls};
        ctx->job.progress = stop_at, ctx->job.user = &stop;
        training t = try_training(ctx, data, OPTIONS(COMMON, "runs", "2"));
        ctx->job.progress = NULL, ctx->job.user = NULL;
        expect_counts("stopped", 1);
        go_on(&t, ctx, data, OPTIONS(COMMON, "runs", "2"), 0);
        expect_counts("gone on", 1);
        training_free(&t);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Prepares for these options; true: what was there served. */
static bool serves(gpri_preparation *from, gpr_ctx *ctx, int64_t runs, const char *const *options) {
    const gpri_dealt all = {.rows = {0, NODES}};
    gpr_params *params = new_params(ctx, options);
    prepared = next = 0;
    assert_ok(gpri_preparation_suit(from, params, runs, all));
    assert_ok(gpri_preparation_make(from));
    gpr_params_free(params);
    return prepared == 0;
}

/* Options of the data make it anew; others do not, nor another model, unless it adds to the features. */
static void other_options_prepare_anew(void **state) {
    (void)state;
    static const char *const later[][2] = {
        {"label-input", "yes"}, {"label-counts", "yes"}, {"dropout", "0.3"}, {"dprate", "0.1"}, {"K", "3"},
        {"hidden", "5"},        {"model", "gprdeep"},    {"model", "sage"},  {"epochs", "7"}};
    static const char *const others[][2] = {
        {"normalize", "row"}, {"reorder", "none"}, {"seed", "4"}, {"split", "sparse"}};
    static const char *const own[][2] = {{"model", "trees"}, {"model", "geomgcn"}};
    gpr_ctx *ctx = counting_ctx();
    gpr_dataset *data = make_table(ctx);
    gpri_preparation from = {.ctx = ctx, .data = data};
    assert_false(serves(&from, ctx, 2, OPTIONS("reorder", "rcm")));
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        assert_true(serves(&from, ctx, 2, OPTIONS("reorder", "rcm", later[i][0], later[i][1])) && next == 0);
    assert_non_null(from.ordered);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) { /* the order and the scaled features stay */
        assert_true(serves(&from, ctx, 2, OPTIONS("reorder", "rcm", own[i][0], own[i][1])) && next == 1);
        assert_true(serves(&from, ctx, 2, OPTIONS("reorder", "rcm")) && next == 1);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(serves(&from, ctx, 2, OPTIONS("reorder", "rcm", others[i][0], others[i][1])));
        if (i == 0) assert_true(from.normalize && from.scaling.cols == 0);
        if (i == 1) assert_null(from.ordered);
        assert_false(serves(&from, ctx, 2, OPTIONS("reorder", "rcm")));
        assert_true(!from.normalize && from.scaling.cols == FEATURES && from.ordered);
    }
    assert_false(serves(&from, ctx, 3, OPTIONS("reorder", "rcm"))); /* more splits */
    gpri_preparation_forget(&from);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_share_one), cmocka_unit_test(label_input_changes_features),
        cmocka_unit_test(going_on_prepares_once), cmocka_unit_test(other_options_prepare_anew)};
    return cmocka_run_group_tests_name("preparation", tests, NULL, NULL);
}
