/* What a caller can ask a result: means over the runs, curves, every run's model, the embedding. */
#include <jansson.h>
#include <math.h>

#include "last_warning.h"
#include "training.h"

static const char *const numbers[] = {"seed",         "epochs",        "best_epoch",       "train_accuracy",
                                      "val_accuracy", "test_accuracy", "initial_accuracy", "train_loss",
                                      "val_loss",     "ms_per_epoch",  "seconds"};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* Every number that a run has in the JSON, and no other; the mean is the JSON's own, worked out from its runs. */
static void means(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    training t = train(ctx, data, OPTIONS("epochs", "15", "runs", "4", "hidden", "6", "split", "dense"));
    const char *text;
    assert_ok(gpr_result_json(ctx, t.result, &text));
    json_t *tree = json_loads(text, 0, NULL), *runs = json_object_get(tree, "per_run"), *value;
    const char *key;
    int found = 0;
    json_object_foreach(json_array_get(runs, 0), key, value) if (json_is_number(value)) {
        double mean, sd, ci95, sum = 0, squares = 0;
        assert_ok(gpr_result_mean(t.result, key, &mean, &sd, &ci95));
        for (size_t r = 0; r < 4; r++) sum += json_number_value(json_object_get(json_array_get(runs, r), key)) / 4;
        for (size_t r = 0; r < 4; r++)
            squares += pow(json_number_value(json_object_get(json_array_get(runs, r), key)) - sum, 2);
        assert_true(fabs(mean - sum) <= 1e-6 * (1 + fabs(sum))); /* times are rounded in the JSON */
        assert_true(fabs(sd - sqrt(squares / 3)) <= 1e-5 * (1 + sd));
        assert_true(fabs(ci95 - 3.182446 * sd / 2) <= 1e-6 * (1 + ci95)); /* Student's t, 3 degrees of freedom */
        found++;
    }
    assert_int_equal(found, NUMBERS + 3 * 7); /* and seven metrics on each part */
    for (int i = 0; i < NUMBERS; i++) assert_ok(gpr_result_mean(t.result, numbers[i], NULL, NULL, NULL));
    double sd, ci95;
    assert_ok(gpr_result_mean(t.result, "test_accuracy", NULL, &sd, &ci95));
    assert_true(sd == json_number_value(json_object_get(tree, "sd")));
    assert_true(fabs(ci95 - json_number_value(json_object_get(tree, "ci95"))) < 1e-12);
    assert_true(gpr_result_seconds(t.result) > 0);
    assert_true(isnan(gpr_result_seconds(NULL)));
    assert_fails(gpr_result_mean(t.result, "test_acuracy", &sd, NULL, NULL), GPR_ERROR_ARGUMENT,
                 "did you mean 'test_accuracy'?");
    assert_fails(gpr_result_mean(t.result, "gamma", NULL, NULL, NULL), GPR_ERROR_ARGUMENT, "no number 'gamma'");
    assert_fails(gpr_result_mean(NULL, "epochs", NULL, NULL, NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_result_mean(t.result, NULL, NULL, NULL, NULL), GPR_ERROR_ARGUMENT, "NULL");
    json_decref(tree);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void curves(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    training t = train(ctx, data, OPTIONS("epochs", "15", "runs", "2", "hidden", "6"));
    static const char *const names[] = {"train_loss",     "val_loss",     "test_loss",
                                        "train_accuracy", "val_accuracy", "test_accuracy"};
    const double *values;
    int64_t count;
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < 6; i++) {
            assert_ok(gpr_result_history(t.result, r, names[i], &values, &count));
            assert_int_equal(count, t.result->runs[r].info.epochs + 1);
            for (int64_t e = 0; e < count; e++) { /* gpri_epoch is six doubles in this order */
                double want;
                memcpy(&want, (const char *)&t.result->runs[r].history[e] + i * (int)sizeof want, sizeof want);
                assert_true(values[e] == want);
            }
        }
    gpr_run_info info = {.struct_size = sizeof info};
    assert_ok(gpr_result_run(t.result, 1, &info));
    assert_ok(gpr_result_history(t.result, 1, "val_loss", &values, NULL));
    assert_true(values[info.best_epoch] == info.val_loss);
    assert_ok(gpr_result_history(t.result, 1, "test_accuracy", &values, NULL));
    assert_true(values[0] == info.initial_accuracy && values[info.best_epoch] == info.test_accuracy);
    assert_fails(gpr_result_history(t.result, 0, "val_los", &values, &count), GPR_ERROR_ARGUMENT,
                 "did you mean 'val_loss'?");
    assert_true(!values && count == 0);
    assert_fails(gpr_result_history(t.result, 2, "val_loss", &values, &count), GPR_ERROR_ARGUMENT, "not in [0, 2)");
    assert_fails(gpr_result_history(t.result, -1, "val_loss", &values, &count), GPR_ERROR_ARGUMENT, "run -1");
    assert_fails(gpr_result_history(NULL, 0, "val_loss", &values, &count), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_result_history(t.result, 0, "val_loss", NULL, &count), GPR_ERROR_ARGUMENT, "NULL");
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Run r of seed s is run 0 of seed s + r: so is its model. */
static void models(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    training t = train(ctx, data, OPTIONS("epochs", "15", "runs", "3", "hidden", "6", "seed", "4"));
    static int32_t first[90], second[90];
    assert_null(gpr_result_model(t.result, -1));
    assert_null(gpr_result_model(t.result, 3));
    assert_null(gpr_result_model(NULL, 0));
    for (int r = 0; r < 3; r++) {
        char seed[16];
        snprintf(seed, sizeof seed, "%d", 4 + r);
        training alone = train(ctx, data, OPTIONS("epochs", "15", "hidden", "6", "seed", seed));
        const gpr_model *kept = gpr_result_model(t.result, r);
        assert_same_model("run", kept, alone.model);
        assert_string_equal(gpr_model_param(kept, "seed"), seed);
        assert_ok(gpr_predict(ctx, kept, data, first, NULL));
        assert_ok(gpr_predict(ctx, alone.model, data, second, NULL));
        assert_memory_equal(first, second, sizeof first);
        training_free(&alone);
    }
    /* the returned one is the caller's own copy: it outlives the result, and the other way round */
    const gpr_model *best = gpr_result_model(t.result, gpr_result_best_run(t.result));
    assert_true(best != t.model);
    assert_same_model("best", best, t.model);
    assert_string_equal(gpr_model_fingerprint(best), gpr_model_fingerprint(t.model));
    assert_int_equal(best->split_hash, t.model->split_hash);
    gpr_model_free(t.model);
    assert_ok(gpr_predict(ctx, best, data, first, NULL));
    t.model = NULL;
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Of a stopped training: those runs only that began. */
static int stop_in_the_second(void *user, const gpr_progress *p) {
    (void)user;
    return p->run == 1 && p->epoch == 3;
}

static void stopped(void **state) {
    (void)state;
    gpr_ctx *ctx;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .progress = stop_in_the_second};
    assert_ok(gpr_ctx_new(&ctx, &options));
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    training t = try_training(ctx, data, OPTIONS("epochs", "15", "runs", "4", "hidden", "6"));
    const double *values;
    int64_t count;
    assert_int_equal(t.status, GPR_STOPPED);
    assert_int_equal(gpr_result_runs(t.result), 2);
    assert_ok(gpr_result_history(t.result, 1, "val_loss", &values, &count));
    assert_int_equal(count, 4);
    assert_non_null(gpr_result_model(t.result, 1));
    assert_null(gpr_result_model(t.result, 2));
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void embedding(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 120, 8, 0.5);
    gpr_embedding_info info = {.struct_size = sizeof info, .rho = 5};
    training plain = train(ctx, data, OPTIONS("model", "mlp", "epochs", "2")),
             geom = train(ctx, data, OPTIONS("model", "geomgcn", "epochs", "2", "embedding", "isomap"));
    assert_ok(gpr_result_embedding(plain.result, &info));
    assert_true(!info.name && info.rho == 0);
    assert_ok(gpr_result_embedding(geom.result, &info));
    assert_string_equal(info.name, "isomap");
    assert_true(info.seconds > 0 && info.rho > 0 && info.latent_neighbours > 0 && info.graph_neighbours > 0);
    assert_fails(gpr_result_embedding(NULL, &info), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_result_embedding(geom.result, NULL), GPR_ERROR_ARGUMENT, "struct_size");
    training_free(&plain);
    training_free(&geom);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The warning goes to the context of the parameters, not to that of the data. */
static void log_of_a_preset(void **state) {
    (void)state;
    gpr_ctx *quiet = new_ctx(1), *loud = warning_ctx();
    gpr_dataset *by_quiet = new_csbm(quiet, 100, 8, 0.5), *by_loud = new_csbm(loud, 100, 8, 0.5);
    gpr_params *params = new_params(loud, OPTIONS("model", "geomgcn"));
    warning[0] = 0;
    assert_ok(gpr_params_preset(params, "paper", by_quiet));
    assert_non_null(strstr(warning, "preset 'paper' has no settings for geomgcn on this data"));
    gpr_params_free(params);
    params = new_params(quiet, OPTIONS("model", "geomgcn"));
    warning[0] = 0;
    assert_ok(gpr_params_preset(params, "paper", by_loud));
    assert_string_equal(warning, "");
    gpr_params_free(params);
    gpr_dataset_free(by_quiet);
    gpr_dataset_free(by_loud);
    gpr_ctx_free(quiet);
    gpr_ctx_free(loud);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(means),     cmocka_unit_test(curves),
                                       cmocka_unit_test(models),    cmocka_unit_test(stopped),
                                       cmocka_unit_test(embedding), cmocka_unit_test(log_of_a_preset)};
    return cmocka_run_group_tests_name("result_access", tests, NULL, NULL);
}
