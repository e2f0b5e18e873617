/* The device seam, proven on any machine: all models train and predict on the mock device (mock_device.h) with the bits
 * of the reference. So layers, net and trainer touch numbers through operations alone, nothing that changes between
 * epochs is passed by value, and a host that looks late finds what it would have found at once. */
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mock_device.h"
#include "tensor/cpu/cpu.h"
#include "train/result.h"
#include "training.h"

enum { SMALL = 300, LARGE = 1000 }; /* one block of rows on the CPU; several */

static gpr_ctx *reference_ctx(void) {
    gpr_ctx *ctx;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .cpu = "ref"};
    assert_ok(gpr_ctx_new(&ctx, &options));
    return ctx;
}

/* The reference with all rows as one tile, so that its sums have the order of the mock's: for several blocks, and for
   jknet, whose LSTM adds up step after step within a tile. */
static const gpri_device *one_tile(void) {
    static gpri_device device;
    device = *gpri_cpu_device_with(&gpri_ops_ref);
    device.tile = 0;
    return &device;
}

static gpr_dataset *data_of(gpr_ctx *ctx, int64_t nodes, bool sparse) {
    return sparse ? new_words(ctx, nodes, 40, 3) : new_csbm(ctx, nodes, 12, 0.4);
}

static void assert_same_training(const char *what, const training *a, const training *b) {
    assert_same_model(what, a->model, b->model);
    assert_int_equal(a->result->count, b->result->count);
    for (int64_t r = 0; r < a->result->count; r++) {
        const gpri_run *x = &a->result->runs[r], *y = &b->result->runs[r];
        if (x->info.epochs != y->info.epochs || x->info.best_epoch != y->info.best_epoch)
            fail_msg("%s, run %d: %d epochs, best %d; on the mock %d, best %d", what, (int)r, (int)x->info.epochs,
                     (int)x->info.best_epoch, (int)y->info.epochs, (int)y->info.best_epoch);
        assert_memory_equal(x->history, y->history, (size_t)(x->info.epochs + 1) * sizeof *x->history);
        assert_same_gamma_history(what, a->result, b->result, r);
    }
}

static void assert_same_predictions(const char *what, gpr_ctx *a, gpr_ctx *b, const gpr_model *model,
                                    const gpr_dataset *data_a, const gpr_dataset *data_b) {
    int64_t nodes = data_a->graph.nodes, classes = model->classes;
    float *x = malloc((size_t)(nodes * classes) * sizeof *x), *y = malloc((size_t)(nodes * classes) * sizeof *y);
    assert_ok(gpr_predict(a, model, data_a, NULL, x));
    assert_ok(gpr_predict(b, model, data_b, NULL, y));
    if (memcmp(x, y, (size_t)(nodes * classes) * sizeof *x) != 0) fail_msg("%s: predictions differ", what);
    free(x), free(y);
}

#define FEW_EPOCHS "epochs", "25", "patience", "4", "hidden", "8", "K", "3", "heads", "2", "lr", "0.05", "runs", "2"

static void check_options(const char *model, int64_t nodes, bool sparse, const char *const *given) {
    const char *words[64];
    const char *const *options = options_for(words, model, given);
    gpr_ctx *ref = reference_ctx(), *ctx = mock_ctx();
    if (nodes > SMALL || strcmp(model, "jknet") == 0) ref->job.device = one_tile();
    gpr_dataset *data = data_of(ref, nodes, sparse), *again = data_of(ctx, nodes, sparse);
    long replays = mock.replays, operations = mock.operations;
    training a = train(ref, data, options), b = train(ctx, again, options);
    char what[512];
    snprintf(what, sizeof what, "%s, %d nodes, %s", model, (int)nodes, sparse ? "sparse" : "dense");
    assert_same_training(what, &a, &b);
    assert_same_predictions(what, ref, ctx, a.model, data, again);
    assert_true(mock.replays - replays >= b.result->runs[0].info.epochs); /* it was the mock that computed */
    assert_true(mock.operations - operations > 10 * b.result->runs[0].info.epochs);
    training_free(&a), training_free(&b);
    gpr_dataset_free(data), gpr_dataset_free(again);
    gpr_ctx_free(ref), gpr_ctx_free(ctx);
    assert_int_equal(mock.live, 0);
}

static void check_model(const char *model, int64_t nodes, bool sparse, const char *label_input) {
    check_options(model, nodes, sparse, OPTIONS(FEW_EPOCHS, "label-input", label_input));
}

/* What a table may be trained with: the host has a part in each of these. */
static void with_known_labels(void **state) {
    (void)state;
    static const char *const models[] = {"gprgnn", "gcn", "mlp"};
    for (int m = 0; m < 3; m++)
        check_options(models[m], SMALL, m == 1,
                      OPTIONS(FEW_EPOCHS, "label-counts", "yes", "smooth", "yes", "calibrate", "yes", "metric",
                              "average_precision", "class-weight", "balanced", "refit", "yes"));
}

static void all_models(void **state) {
    (void)state;
    char words[MOST_MODELS][16];
    int count = model_words(words);
    assert_true(count >= 10);
    for (int m = 0; m < count; m++)
        for (int sparse = 0; sparse < 2; sparse++) check_model(words[m], SMALL, sparse, "no");
    for (int m = 0; m < count; m++) check_model(words[m], LARGE, m % 2, "no");
    for (int m = 0; m < count; m++) check_model(words[m], SMALL, m % 2, "yes");
}

/* With a rule that stops early and a host that looks every third epoch only. */
static void stops_where_the_rule_says(void **state) {
    (void)state;
    const char *rules[] = {"program", "paper"};
    for (int rule = 0; rule < 2; rule++)
        for (int patience = 2; patience < 9; patience++) {
            char text[16];
            snprintf(text, sizeof text, "%d", patience);
            const char *const *options = OPTIONS("epochs", "120", "patience", text, "stopping", rules[rule], "lr",
                                                 "0.1", "hidden", "8", "K", "2");
            gpr_ctx *ref = reference_ctx(), *ctx = mock_ctx();
            gpr_dataset *data = data_of(ref, SMALL, false), *again = data_of(ctx, SMALL, false);
            training a = train(ref, data, options), b = train(ctx, again, options);
            assert_true(a.result->runs[0].info.epochs < 120); /* it does stop early */
            assert_same_training(rules[rule], &a, &b);
            training_free(&a), training_free(&b);
            gpr_dataset_free(data), gpr_dataset_free(again);
            gpr_ctx_free(ref), gpr_ctx_free(ctx);
        }
}

#define MANY_RUNS \
    "runs", "11", "epochs", "60", "patience", "4", "stopping", "program", "lr", "0.1", "hidden", "8", "K", "2"

/* More runs than lanes, which end at different times: each has the bits that it has alone. */
static void side_by_side(void **state) {
    (void)state;
    const char *const *options = OPTIONS(MANY_RUNS);
    gpr_ctx *ref = reference_ctx(), *ctx = mock_ctx();
    gpr_dataset *data = data_of(ref, SMALL, false), *again = data_of(ctx, SMALL, false);
    mock.most_lanes = 0;
    training a = train(ref, data, options), b = train(ctx, again, options);
    int64_t least = 60, most = 0;
    for (int64_t run = 0; run < 11; run++) {
        const int64_t epochs = a.result->runs[run].info.epochs;
        if (epochs < least) least = epochs;
        if (epochs > most) most = epochs;
    }
    assert_true(least + 2 * mock_device.lag < most);
    assert_same_training("side by side", &a, &b);
    assert_int_equal(mock.most_lanes, mock_device.lanes);
    training_free(&a), training_free(&b);
    gpr_dataset_free(data), gpr_dataset_free(again);
    gpr_ctx_free(ref), gpr_ctx_free(ctx);
    assert_int_equal(mock.live, 0);
}

/* With memory for two runs at a time, two run at a time. With too little for one, the training fails. */
static void as_many_as_fit(void **state) {
    (void)state;
    gpr_ctx *ctx = mock_ctx();
    gpr_dataset *data = data_of(ctx, SMALL, false);
    mock.most_live = 0;
    training one = train(ctx, data, OPTIONS(MANY_RUNS, "runs", "1"));
    const long alone = mock.most_live;
    training all = train(ctx, data, OPTIONS(MANY_RUNS));
    mock.room = 2 * alone;
    mock.most_lanes = 0;
    training some = train(ctx, data, OPTIONS(MANY_RUNS));
    assert_same_training("some at a time", &all, &some);
    assert_in_range(mock.most_lanes, 2, 3); /* they share the graph and the features */
    mock.room = alone - 1;
    training none = try_training(ctx, data, OPTIONS(MANY_RUNS));
    assert_fails(none.status, GPR_ERROR_MEMORY, "no room on the mock");
    mock.room = 0;
    training_free(&one), training_free(&all), training_free(&some);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    assert_int_equal(mock.live, 0);
}

static int64_t told_room;
static int64_t tell_room(const gpri_device *device) {
    (void)device;
    return told_room;
}

/* A device that tells how much memory it has: what does not fit is refused before anything is taken. */
static void the_need_is_told(void **state) {
    (void)state;
    gpr_ctx *ctx = mock_ctx();
    gpri_device telling = mock_device;
    gpr_dataset *data = data_of(ctx, SMALL, false);
    int32_t classes[SMALL];
    const char *const *options = OPTIONS(MANY_RUNS, "runs", "5", "epochs", "20");
    const char *const *alone = OPTIONS(MANY_RUNS, "runs", "1", "epochs", "20");
    training all = train(ctx, data, options);
    mock.most_used = 0;
    training one = train(ctx, data, alone);
    const int64_t need = (int64_t)mock.most_used;
    telling.room = tell_room;
    ctx->job.device = &telling;
    const long operations = mock.operations;
    told_room = need - need / 50;
    training none = try_training(ctx, data, options);
    assert_fails(none.status, GPR_ERROR_MEMORY, "training gprgnn on");
    assert_int_equal(mock.operations, operations);
    assert_int_equal(mock.live, 0);
    told_room = need / 100;
    assert_fails(gpr_predict(ctx, all.model, data, classes, NULL), GPR_ERROR_MEMORY, "the prediction needs");
    assert_int_equal(mock.operations, operations);
    told_room = need + need / 3; /* blocks are counted with what their alignment takes, and some is kept back */
    mock.most_lanes = 0;
    training again = train(ctx, data, alone);
    assert_same_training("one that fits", &one, &again);
    assert_ok(gpr_predict(ctx, all.model, data, classes, NULL));
    told_room = 5 * need / 2;
    training some = train(ctx, data, options);
    assert_same_training("some at a time", &all, &some);
    assert_in_range(mock.most_lanes, 2, 3);
    told_room = INT64_MAX / 2;
    training many = train(ctx, data, options);
    assert_same_training("all that may be at a time", &all, &many);
    assert_int_equal(mock.most_lanes, mock_device.lanes);
    training_free(&all), training_free(&one), training_free(&again), training_free(&some), training_free(&many);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    assert_int_equal(mock.live, 0);
}

/* A device that fails ends a training and a prediction with its error, and nothing leaks. */
static void failures_are_seen(void **state) {
    (void)state;
    gpr_ctx *ctx = mock_ctx();
    gpr_dataset *data = data_of(ctx, SMALL, false);
    training good = train(ctx, data, OPTIONS("epochs", "5", "hidden", "8"));
    float *proba = malloc(SMALL * 2 * sizeof *proba);
    mock.fails_after = mock.operations + 200;
    training bad = try_training(ctx, data, OPTIONS("epochs", "50", "hidden", "8", "stopping", "none"));
    assert_int_equal(bad.status, GPR_ERROR_IO);
    assert_fails(gpr_predict(ctx, good.model, data, NULL, proba), GPR_ERROR_IO, "the mock device failed");
    mock.fails_after = 0;
    assert_ok(gpr_predict(ctx, good.model, data, NULL, proba));
    free(proba);
    training_free(&good);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    assert_int_equal(mock.live, 0);
}

/* That the mock can fail: its memory cannot be read from outside. */
static void memory_is_closed(void **state) {
    (void)state;
    gpr_ctx *ctx = mock_ctx();
    float *block;
    assert_ok(mock_alloc(&mock_device, ctx, &block, 100, sizeof *block, true, "test"));
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        volatile float number = block[0];
        _exit(number == 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) < 2) fail_msg("the mock's memory was read from outside");
    mock_free(&mock_device, ctx, block);
    gpr_ctx_free(ctx);
}

/* The check of the scores, and of what was the cause, reads no memory of the device. */
static void not_finite(void **state) {
    (void)state;
    gpr_ctx *ctx = mock_ctx();
    gpr_dataset *data = data_of(ctx, SMALL, false);
    training t = try_training(ctx, data, OPTIONS("K", "2", "init", "1e39,0,0", "epochs", "3"));
    assert_fails(t.status, GPR_ERROR_NUMERIC, "infinite or NaN before the first step (first at node 0): `init` gives");
    t = train(ctx, data, OPTIONS("K", "2", "epochs", "3"));
    t.model->tensors[0].values[0] = INFINITY;
    assert_fails(gpr_predict(ctx, t.model, data, NULL, NULL), GPR_ERROR_NUMERIC,
                 "scores are infinite or NaN (first at");
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_closed), cmocka_unit_test(failures_are_seen),
                                       cmocka_unit_test(all_models),       cmocka_unit_test(stops_where_the_rule_says),
                                       cmocka_unit_test(not_finite),       cmocka_unit_test(with_known_labels),
                                       cmocka_unit_test(side_by_side),     cmocka_unit_test(as_many_as_fit),
                                       cmocka_unit_test(the_need_is_told)};
    return cmocka_run_group_tests_name("mock_device", tests, NULL, NULL);
}
