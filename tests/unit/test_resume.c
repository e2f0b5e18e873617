/* A training that is stopped and goes on ends with the bits of one that never was: all models, on any number of threads
 * and on a device whose memory the host cannot read, with several runs, and however often. */
#include "mock_device.h"
#include "resuming.h"

static void in_pieces(const char *what, gpr_ctx *ctx, const gpr_dataset *data, const char *const *options,
                      const int64_t *calls) {
    training whole = train(ctx, data, options), pieces = train_in_pieces(ctx, data, options, calls);
    assert_same_training(what, ctx, &whole, &pieces);
    training_free(&whole);
    training_free(&pieces);
}

#define CALLS(...) ((const int64_t[]){__VA_ARGS__, 0})

static void all_models(void **state) {
    (void)state;
    char words[MOST_MODELS][16];
    int count = model_words(words);
    assert_true(count >= 10);
    for (int m = 0; m < count; m++)
        for (int sparse = 0; sparse < 2; sparse++)
            for (int threads = 1; threads <= 2; threads++) {
                const char *room[32];
                const char *const *options = options_for(
                    room, words[m], OPTIONS("epochs", "9", "hidden", "4", "K", "2", "heads", "2", "lr", "0.05"));
                gpr_ctx *ctx = new_ctx(threads);
                gpr_dataset *data = sparse ? new_words(ctx, 90, 40, 3) : new_csbm(ctx, 100, 8, 0.4);
                char what[512];
                snprintf(what, sizeof what, "%s, %s, %d threads", words[m], sparse ? "sparse" : "dense", threads);
                in_pieces(what, ctx, data, options, CALLS(1));
                in_pieces(what, ctx, data, options, CALLS(4, 2, 1));
                in_pieces(what, ctx, data, options, CALLS(8));
                in_pieces(what, ctx, data, options, CALLS(9)); /* all is done: nothing goes on */
                gpr_dataset_free(data);
                gpr_ctx_free(ctx);
            }
}

/* The mean of the last losses, by which both rules decide, reaches back beyond the stop. */
static void early_stopping(void **state) {
    (void)state;
    const char *rules[] = {"program", "paper"};
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 120, 8, 0.4);
    for (int rule = 0; rule < 2; rule++) {
        const char *const *options =
            OPTIONS("epochs", "120", "patience", "6", "stopping", rules[rule], "lr", "0.1", "hidden", "8", "K", "2");
        training whole = train(ctx, data, options);
        int64_t steps = whole.result->runs[0].info.epochs;
        assert_true(steps < 120 && steps > 3);
        for (int64_t calls = 1; calls <= steps; calls++) {
            training pieces = train_in_pieces(ctx, data, options, CALLS(calls));
            assert_same_training(rules[rule], ctx, &whole, &pieces);
            training_free(&pieces);
        }
        training_free(&whole);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* One thread: with ten epochs, call 17 is in the second run, and the last two have not begun. */
static void several_runs(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1), *two = new_ctx(2);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    const char *const *options = OPTIONS("epochs", "10", "runs", "4", "hidden", "6", "split", "40/30/30");
    stopper stop = {.left = 17};
    ctx->job.progress = stop_at, ctx->job.user = &stop;
    training t = try_training(ctx, data, options);
    ctx->job.progress = NULL;
    assert_int_equal(t.result->count, 2);
    assert_null(t.result->runs[0].pause.numbers);
    assert_non_null(t.result->runs[1].pause.numbers);
    saved_state saved = state_of(ctx, &t);
    training whole = train(ctx, data, options);
    for (int64_t calls = 0; calls <= 23; calls++) { /* at each step of what is left */
        stop = (stopper){.left = calls};
        ctx->job.progress = stop_at, ctx->job.user = &stop;
        training again = try_resume(ctx, data, options, saved.bytes, saved.size);
        ctx->job.progress = NULL;
        assert_int_equal(stop.first_epoch, 8); /* no step is told twice */
        assert_int_equal(again.status, calls ? GPR_STOPPED : GPR_OK);
        if (calls) {
            assert_int_equal(again.result->count, calls <= 3 ? 2 : calls <= 13 ? 3 : 4);
            go_on(&again, calls % 2 ? ctx : two, data, options, 0);
        }
        assert_same_training("several runs", ctx, &whole, &again);
        training_free(&again);
    }
    gpr_bytes_free(ctx, saved.bytes);
    training_free(&t), training_free(&whole);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx), gpr_ctx_free(two);
}

/* Stops as soon as two runs are under way. */
static int stop_two(void *user, const gpr_progress *p) {
    bool *open = user; /* (runs) */
    int count = 0;
    open[p->run] = p->epoch + 1 < p->epochs; /* the other thread may be a step ahead of what it told */
    for (int64_t r = 0; r < p->runs; r++) count += open[r];
    return count >= 2;
}

/* With two threads two runs are under way. On one thread the second of them is not reached before the next stop: it
   must keep its place. */
static void two_under_way(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1), *two = new_ctx(2);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    const char *const *options = OPTIONS("epochs", "300", "runs", "6", "hidden", "4", "stopping", "none");
    training whole = train(two, data, options);
    bool open[6] = {false};
    two->job.progress = stop_two, two->job.user = open;
    training t = try_training(two, data, options);
    two->job.progress = NULL;
    int64_t steps[2][6] = {{0}};
    int under_way = 0;
    for (int64_t r = 0; r < t.result->count; r++) {
        steps[0][t.result->runs[r].number] = t.result->runs[r].info.epochs;
        under_way += t.result->runs[r].pause.numbers != NULL;
    }
    assert_int_equal(under_way, 2);
    const int64_t begun = t.result->count;
    go_on(&t, ctx, data, options, 1);
    assert_int_equal(t.result->count, begun);
    for (int64_t r = 0; r < begun; r++) steps[1][t.result->runs[r].number] = t.result->runs[r].info.epochs;
    int64_t sum = 0;
    for (int r = 0; r < 6; r++) sum += steps[1][r] - steps[0][r];
    assert_int_equal(sum, 1);
    go_on(&t, two, data, options, 50);
    if (t.status == GPR_STOPPED) go_on(&t, two, data, options, 0);
    assert_same_training("two under way", ctx, &whole, &t);
    training_free(&t), training_free(&whole);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx), gpr_ctx_free(two);
}

/* The splits are in the state: they are not given again, and the options `split` and `runs` still play no part. */
static void given_splits(void **state) {
    (void)state;
    enum { NODES = 90 };
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, NODES, 40, 3);
    const char *const *options = OPTIONS("epochs", "10", "hidden", "6", "seed", "3", "runs", "7", "split", "sparse");
    gpr_params *params = new_params(ctx, options);
    gpr_split *splits[3];
    uint8_t parts[NODES];
    training whole, t;
    for (int r = 0; r < 3; r++) {
        for (int i = 0; i < NODES; i++) parts[i] = (uint8_t)((i * 7 + i / 11 + r) % 4);
        assert_ok(gpr_split_from_parts(ctx, &splits[r], data, parts, NODES));
    }
    const gpr_split *const *given = (const gpr_split *const *)splits;
    whole.status = gpr_train_splits(ctx, &whole.model, &whole.result, data, params, given, 3);
    assert_ok(whole.status);
    for (int64_t calls = 1; calls <= 30; calls += 4) {
        stopper stop = {.left = calls};
        ctx->job.progress = stop_at, ctx->job.user = &stop;
        t.status = gpr_train_splits(ctx, &t.model, &t.result, data, params, given, 3);
        ctx->job.progress = NULL;
        if (calls < 20) go_on(&t, ctx, data, options, 6);
        go_on(&t, ctx, data, OPTIONS("epochs", "10", "hidden", "6", "seed", "3"), 0);
        assert_same_training("given splits", ctx, &whole, &t);
        assert_string_equal(gpr_model_param(t.model, "split"), "given");
        training_free(&t);
    }
    for (int r = 0; r < 3; r++) gpr_split_free(splits[r]);
    training_free(&whole);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Without validation nodes the last step is the best; and initial filter weights that are drawn. */
static void no_validation(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    in_pieces("no validation", ctx, data,
              OPTIONS("epochs", "10", "hidden", "6", "split", "60/0/40", "runs", "2", "init", "random"), CALLS(5, 4));
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The host looks at every third epoch only: so the training stops at the third, sixth, ... */
static void on_the_mock_device(void **state) {
    (void)state;
    const char *const models[] = {"gprgnn", "gat"};
    for (int m = 0; m < 2; m++) {
        const char *room[32];
        const char *const *options =
            options_for(room, models[m], OPTIONS("epochs", "14", "hidden", "4", "K", "2", "heads", "2", "runs", "2"));
        gpr_ctx *ctx = mock_ctx();
        gpr_dataset *data = new_words(ctx, 90, 40, 3);
        for (int64_t calls = 1; calls <= 22; calls += 3) in_pieces(models[m], ctx, data, options, CALLS(calls, 2));
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
        assert_int_equal(mock.live, 0);
    }
}

/* Seconds add up, and what was not stopped has no state. */
static void times_and_ends(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    const char *const *options = OPTIONS("epochs", "10", "hidden", "6", "runs", "2");
    stopper stop = {.left = 15};
    ctx->job.progress = stop_at, ctx->job.user = &stop;
    training t = try_training(ctx, data, options);
    ctx->job.progress = NULL;
    t.result->runs[0].info.seconds = 100; /* as if it had taken so long */
    t.result->runs[1].info.seconds = 200;
    t.result->seconds = 300;
    go_on(&t, ctx, data, options, 0);
    const double first = t.result->runs[0].info.seconds, second = t.result->runs[1].info.seconds;
    assert_true(first >= 100 && first < 130 && second > 200 && second < 230);
    assert_true(t.result->runs[1].info.ms_per_epoch == 1e3 * second / 10);
    assert_true(gpr_result_seconds(t.result) > 300 && gpr_result_seconds(t.result) < 360);
    saved_state saved = {.bytes = ctx, .size = 1};
    assert_fails(gpr_result_state(ctx, t.result, &saved.bytes, &saved.size), GPR_ERROR_ARGUMENT, "was not stopped");
    assert_true(!saved.bytes && saved.size == 0);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_models),         cmocka_unit_test(early_stopping),
                                       cmocka_unit_test(several_runs),       cmocka_unit_test(two_under_way),
                                       cmocka_unit_test(given_splits),       cmocka_unit_test(no_validation),
                                       cmocka_unit_test(on_the_mock_device), cmocka_unit_test(times_and_ends)};
    return cmocka_run_group_tests_name("resume", tests, NULL, NULL);
}
