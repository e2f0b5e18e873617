/* Gamma after each epoch: it is the gamma of a training that ends there, whatever the device, the threads, the number
 * of runs and the stops on the way; and it is bounded. */
#include "failing_memory.h"
#include "mock_device.h"
#include "resuming.h"
#include "train/gamma_history.h"

enum { EPOCHS = 12, COUNT = 4 };

/* Without validation nodes the model is that of the last step. */
#define SMALL "hidden", "4", "K", "3", "lr", "0.05", "stopping", "none", "split", "50/0/50"

typedef struct {
    const float *values;
    int64_t rows, count, stride;
} history;

static history history_of(const gpr_result *result, int64_t run) {
    history h;
    assert_ok(gpr_result_gamma_history(result, run, &h.values, &h.rows, &h.count, &h.stride));
    return h;
}

static void assert_row(const history *h, int64_t row, const float *gamma) {
    assert_true(row < h->rows);
    assert_memory_equal(h->values + row * h->count, gamma, (size_t)h->count * sizeof *gamma);
}

/* Row e is what a training of e epochs ends with. */
static void check_rows(gpr_ctx *ctx, const gpr_dataset *data, const training *whole) {
    const history h = history_of(whole->result, 0);
    assert_int_equal(h.rows, EPOCHS + 1);
    assert_int_equal(h.count, COUNT);
    assert_int_equal(h.stride, 1);
    assert_row(&h, 0, whole->result->runs[0].gamma_initial);
    for (int e = 1; e <= EPOCHS; e++) {
        char text[16];
        snprintf(text, sizeof text, "%d", e);
        training part = train(ctx, data, OPTIONS(SMALL, "epochs", text));
        assert_int_equal(part.result->runs[0].info.best_epoch, e);
        assert_row(&h, e, part.result->runs[0].gamma);
        assert_int_equal(history_of(part.result, 0).rows, e + 1);
        training_free(&part);
    }
    for (int64_t e = 1; e <= EPOCHS; e++) /* it does move */
        assert_true(memcmp(h.values + e * COUNT, h.values + (e - 1) * COUNT, COUNT * sizeof *h.values) != 0);
}

static void rows_are_of_the_epochs(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        gpr_ctx *ctx = new_ctx(threads);
        gpr_dataset *data = new_words(ctx, 90, 40, 3);
        training whole = train(ctx, data, OPTIONS(SMALL, "epochs", "12"));
        check_rows(ctx, data, &whole);
        training_free(&whole);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

/* The host looks every third epoch. */
static void on_a_late_host(void **state) {
    (void)state;
    gpr_ctx *ctx = mock_ctx();
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    training whole = train(ctx, data, OPTIONS(SMALL, "epochs", "12"));
    check_rows(ctx, data, &whole);
    training_free(&whole);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    assert_int_equal(mock.live, 0);
}

/* Where the rule stops, the history ends; the row of the best epoch is the model's gamma. */
static void ends_where_training_ends(void **state) {
    (void)state;
    gpr_ctx *contexts[] = {new_ctx(1), mock_ctx()};
    for (int i = 0; i < 2; i++) {
        gpr_ctx *ctx = contexts[i];
        gpr_dataset *data = new_words(ctx, 90, 40, 3);
        training t = train(ctx, data, OPTIONS("epochs", "300", "patience", "5", "lr", "0.1", "K", "3", "hidden", "4"));
        const gpri_run *run = &t.result->runs[0];
        const history h = history_of(t.result, 0);
        assert_true(run->info.epochs < 300);
        assert_int_equal(h.rows, run->info.epochs + 1);
        assert_row(&h, run->info.best_epoch, run->gamma);
        training_free(&t);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

/* Run r of many is the run with that seed. */
static void many_runs(void **state) {
    (void)state;
    enum { RUNS = 5 };
    gpr_ctx *ctx = new_ctx(3);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    training many = train(ctx, data, OPTIONS("epochs", "9", "K", "3", "hidden", "4", "runs", "5", "seed", "7"));
    for (int64_t r = 0; r < RUNS; r++) {
        char seed[16];
        snprintf(seed, sizeof seed, "%d", (int)(7 + r));
        training one = train(ctx, data, OPTIONS("epochs", "9", "K", "3", "hidden", "4", "seed", seed));
        const history x = history_of(many.result, r), y = history_of(one.result, 0);
        assert_int_equal(x.rows, y.rows);
        assert_memory_equal(x.values, y.values, (size_t)(x.rows * x.count) * sizeof *x.values);
        training_free(&one);
    }
    training_free(&many);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void other_models_have_none(void **state) {
    (void)state;
    char words[MOST_MODELS][16];
    const char *room[32];
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    int learned = 0;
    for (int m = model_words(words) - 1; m >= 0; m--) {
        training t = train(ctx, data, options_for(room, words[m], OPTIONS("epochs", "3", "hidden", "4", "heads", "2")));
        const history h = history_of(t.result, 0);
        if (h.values) learned++;
        if (!h.values && (h.rows || h.count || h.stride)) fail_msg("%s: %d rows of nothing", words[m], (int)h.rows);
        assert_true(!h.values == (strcmp(words[m], "gprgnn") != 0));
        training_free(&t);
    }
    assert_int_equal(learned, 1);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- what is left out ---- */

static void strides(void **state) {
    (void)state;
    static const struct {
        const char *epochs, *K;
        int64_t stride;
    } cases[] = {{"1000", "10", 1},   {"95324", "10", 1},  {"95325", "10", 2}, {"1000000", "10", 16},
                 {"1000000", "0", 1}, {"1048", "999", 2},  {"1047", "999", 1}, {"1000000", "10000", 16384},
                 {"1", "10000", 1},   {"103", "10000", 1}, {"104", "10000", 2}};
    gpr_ctx *ctx = new_ctx(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpr_params *params = new_params(ctx, OPTIONS("epochs", cases[i].epochs, "K", cases[i].K));
        const gpri_gamma_plan plan = gpri_gamma_plan_of(params);
        const int64_t epochs = gpri_params_int(params, GPRI_PARAM_EPOCHS);
        if (plan.stride != cases[i].stride) fail_msg("case %zu: the stride is %d", i, (int)plan.stride);
        assert_int_equal(plan.count, gpri_params_int(params, GPRI_PARAM_K) + 1);
        assert_true(gpri_gamma_rows(plan, epochs) * plan.count <= GPRI_GAMMA_MOST);
        if (plan.stride > 1) { /* no smaller one would do */
            const gpri_gamma_plan finer = {plan.count, plan.stride / 2};
            assert_true(gpri_gamma_rows(finer, epochs) * finer.count > GPRI_GAMMA_MOST);
        }
        gpr_params_free(params);
    }
    gpr_ctx_free(ctx);
}

/* Every fourth row of the history that has all; in one piece or in several, on the CPU and on a late host. */
static void thinned(void **state) {
    (void)state;
    enum { STEPS = 30 };
#define LONG OPTIONS("hidden", "4", "K", "3", "lr", "0.05", "stopping", "none", "epochs", "1000000")
    for (int mocked = 0; mocked < 2; mocked++)
        for (int64_t first = mocked ? 16 : STEPS; first > 0; first -= mocked ? 16 : 7) { /* the mock is slow */
            gpr_ctx *ctx = mocked ? mock_ctx() : new_ctx(1);
            gpr_dataset *data = new_words(ctx, 90, 40, 3);
            training all =
                train(ctx, data, OPTIONS("hidden", "4", "K", "3", "lr", "0.05", "stopping", "none", "epochs", "40"));
            const history full = history_of(all.result, 0);
            stopper stop = {.left = first};
            ctx->job.progress = stop_at, ctx->job.user = &stop;
            training t = try_training(ctx, data, LONG);
            ctx->job.progress = NULL;
            int64_t steps = t.result->runs[0].info.epochs;
            if (steps < STEPS) {
                go_on(&t, ctx, data, LONG, STEPS - steps);
                steps = t.result->runs[0].info.epochs;
            }
            assert_true(steps >= STEPS && steps < 40);
            const history h = history_of(t.result, 0);
            assert_int_equal(h.stride, 4);
            assert_int_equal(h.rows, steps / 4 + 1);
            for (int64_t row = 0; row < h.rows; row++) assert_row(&h, row, full.values + 4 * row * COUNT);
            training_free(&t), training_free(&all);
            gpr_dataset_free(data);
            gpr_ctx_free(ctx);
        }
#undef LONG
}

/* ---- memory ---- */

static int keep_nothing(void *user, const gpr_save_info *info) {
    (void)user;
    return info->size == 0;
}

static gpr_status train_and_save(gpr_ctx *ctx, void *arg) {
    const char *const *options = OPTIONS("epochs", "3", "hidden", "2", "K", "2");
    const gpr_train_options more = {.struct_size = sizeof more, .save = keep_nothing};
    gpr_status status = GPR_OK;
    gpr_params *params = NULL;
    training t = {.status = GPR_OK};
    TRY(gpr_params_new(ctx, &params));
    for (int i = 0; options[i]; i += 2) TRY(gpr_params_set(params, options[i], options[i + 1]));
    TRY(gpr_train_with(ctx, &t.model, &t.result, arg, params, &more));
    assert_int_equal(history_of(t.result, 0).rows, 4);
done:
    training_free(&t);
    gpr_params_free(params);
    return status;
}

static void little_memory(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 30, 12, 3);
    fail_every_allocation(train_and_save, data);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_of_the_epochs),
                                       cmocka_unit_test(on_a_late_host),
                                       cmocka_unit_test(ends_where_training_ends),
                                       cmocka_unit_test(many_runs),
                                       cmocka_unit_test(other_models_have_none),
                                       cmocka_unit_test(strides),
                                       cmocka_unit_test(thinned),
                                       cmocka_unit_test(little_memory)};
    return cmocka_run_group_tests_name("gamma_history", tests, NULL, NULL);
}
