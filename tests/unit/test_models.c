/* What holds for every model in a whole training: the same bits on any number of threads, the model file, predictions
 * equal to those of the training, the options that it has and has not, no allocation in an epoch. Models are found by
 * the option's range: a new one is tested here without a new line. */
#include <math.h>
#include <stdatomic.h>
#include <unistd.h>

#include "training.h"

static char models[MOST_MODELS][16];
static int model_count;
static char folder[64];

static const char *in_folder(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Each model takes those of them that it has. Running moments, by which blocks are evaluated, begin as 0 and 1 and go a
   tenth of the way in each epoch: they follow steps of their own size, and are there after some tens. */
static training train_model(gpr_ctx *ctx, const gpr_dataset *data, const char *model) {
    const char *chosen[32];
    const bool runs_after = strcmp(model, "gprdeep") == 0;
    return train(ctx, data,
                 options_for(chosen, model,
                             OPTIONS("epochs", runs_after ? "40" : "6", "K", "3", "hidden", "8", "seed", "5", "lr",
                                     runs_after ? "0.003" : "0.05", "dropout", "0.5")));
}

static gpr_dataset *data_of(gpr_ctx *ctx, bool sparse, int64_t nodes) {
    gpr_dataset *data = sparse ? new_words(ctx, nodes, 400, 3) : new_csbm(ctx, nodes, 10, 0.5);
    assert_int_equal(data->features.dense == NULL, sparse);
    return data;
}

/* The history and the model, bit for bit. */
static void assert_same_training(const char *what, const training *a, const training *b) {
    const gpri_run *x = &a->result->runs[0], *y = &b->result->runs[0];
    assert_int_equal(x->info.epochs, y->info.epochs);
    for (int64_t t = 0; t <= x->info.epochs; t++)
        if (memcmp(&x->history[t], &y->history[t], sizeof *x->history) != 0)
            fail_msg("%s: epoch %d: train loss %.17g and %.17g", what, (int)t, x->history[t].train_loss,
                     y->history[t].train_loss);
    assert_same_model(what, a->model, b->model);
}

/* 3000 nodes: enough for seven threads to get work in every part of an epoch. */
static void same_bits(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 7};
    for (int m = 0; m < model_count; m++)
        for (int sparse = 0; sparse < 2; sparse++) {
            training t[3];
            gpr_ctx *ctx[3];
            for (int i = 0; i < 3; i++) {
                char what[512];
                ctx[i] = new_ctx(threads[i]);
                gpr_dataset *data = data_of(ctx[i], sparse, 3000);
                t[i] = train_model(ctx[i], data, models[m]);
                snprintf(what, sizeof what, "%s, %s, 1 and %d threads", models[m], sparse ? "sparse" : "dense",
                         threads[i]);
                assert_same_training(what, &t[0], &t[i]);
                gpr_dataset_free(data);
            }
            const gpri_run *run = &t[0].result->runs[0];
            assert_true(run->info.epochs >= 6);
            assert_true(run->history[run->info.epochs].train_loss < run->history[0].train_loss);
            for (int i = 0; i < 3; i++) {
                training_free(&t[i]);
                gpr_ctx_free(ctx[i]);
            }
        }
}

/* A saved and loaded model is equal and predicts the same; the predictions agree with the training's results. */
static void files(void **state) {
    (void)state;
    enum { N = 300 };
    gpr_ctx *ctx = new_ctx(2);
    for (int m = 0; m < model_count; m++)
        for (int sparse = 0; sparse < 2; sparse++) {
            gpr_dataset *data = data_of(ctx, sparse, N);
            training t = train_model(ctx, data, models[m]);
            const gpri_run *run = &t.result->runs[0];
            const uint8_t *part = gpr_split_parts(gpr_result_split(t.result), NULL);
            const int32_t *labels = gpr_dataset_labels(data, NULL);
            gpr_model *loaded;
            int32_t classes[N];
            float proba[2][3 * N];
            double right = 0, nodes = 0, loss = 0;
            assert_ok(gpr_model_save(ctx, t.model, in_folder("model")));
            assert_ok(gpr_model_load(ctx, &loaded, in_folder("model")));
            assert_same_model(models[m], t.model, loaded);
            assert_string_equal(gpr_model_name(loaded), models[m]);
            for (int i = 0; i < GPRI_PARAM_COUNT; i++)
                assert_string_equal(gpri_params_text(loaded->params, (gpri_param)i),
                                    gpri_params_text(t.model->params, (gpri_param)i));
            assert_ok(gpr_params_check(loaded->params)); /* no option is stored that it does not have */
            assert_ok(gpr_predict(ctx, t.model, data, NULL, proba[0]));
            assert_ok(gpr_predict(ctx, loaded, data, classes, proba[1]));
            assert_memory_equal(proba[0], proba[1], (size_t)(N * loaded->classes) * sizeof(float));
            for (int i = 0; i < N; i++) {
                if (part[i] != GPR_TEST) continue;
                nodes++;
                right += classes[i] == labels[i];
                loss -= log((double)proba[1][i * loaded->classes + labels[i]]);
            }
            assert_true(run->info.test_accuracy == 100.0 * right / nodes);
            assert_true(fabs(run->history[run->info.best_epoch].test_loss - loss / nodes) < 1e-5 * (1 + loss / nodes));
            unlink(in_folder("model"));
            gpr_model_free(loaded);
            training_free(&t);
            gpr_dataset_free(data);
        }
    gpr_ctx_free(ctx);
}

/* If the model has a filter, learned or fixed, it is reported. */
static void gamma_is_told(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = data_of(ctx, false, 100);
    for (int m = 0; m < model_count; m++) {
        training t = train_model(ctx, data, models[m]);
        int64_t count;
        const gpri_run *run = &t.result->runs[0];
        const float *gamma = gpr_model_gamma(t.model, &count);
        bool learned = strcmp(models[m], "gprgnn") == 0;
        if (!learned && strcmp(models[m], "appnp") != 0 && strcmp(models[m], "sgc") != 0) {
            assert_null(gamma);
            assert_null(run->info.gamma);
            training_free(&t);
            continue;
        }
        assert_int_equal(count, 4);
        assert_int_equal(run->info.gamma_count, 4);
        assert_memory_equal(gamma, run->gamma, 4 * sizeof *gamma);
        assert_int_equal(memcmp(run->gamma, run->gamma_initial, 4 * sizeof *gamma) == 0, !learned);
        if (strcmp(models[m], "sgc") == 0) assert_true(gamma[0] == 0 && gamma[2] == 0 && gamma[3] == 1);
        if (strcmp(models[m], "appnp") == 0) assert_true(gamma[0] == 0.1f && gamma[3] == 0.729f);
        training_free(&t);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void options(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = data_of(ctx, false, 100);
    static const char *const refused[][3] = {
        {"gcn", "alpha", "0.2"}, {"gcn", "K", "2"},        {"sgc", "hidden", "8"},  {"sgc", "dropout", "0"},
        {"mlp", "init", "ppr"},  {"appnp", "dprate", "0"}, {"sage", "init", "ppr"}, {"cheby", "alpha", "0.1"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        training t = try_training(ctx, data, OPTIONS("model", refused[i][0], refused[i][1], refused[i][2]));
        assert_fails(t.status, GPR_ERROR_ARGUMENT, "has no option");
        if (!strstr(gpr_last_error(), refused[i][0]) || !strstr(gpr_last_error(), refused[i][1]))
            fail_msg("the message is: %s", gpr_last_error());
    }
    training t = try_training(ctx, data, OPTIONS("model", "appnp", "alpha", "-0.1"));
    assert_fails(t.status, GPR_ERROR_ARGUMENT, "the model appnp needs it in [0, 1]");
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A model without settings in the preset gets the split, with a warning. The paper has no Geom-GCN on a cSBM. */
static void log_line(void *user, gpr_log_level level, const char *line) {
    if (level == GPR_LOG_WARNING) snprintf(user, 200, "%s", line);
}

static void preset(void **state) {
    (void)state;
    char said[200] = "";
    gpr_ctx *ctx;
    gpr_ctx_options settings = {.struct_size = sizeof settings, .threads = 1, .log = log_line, .user = said};
    assert_ok(gpr_ctx_new(&ctx, &settings));
    gpr_dataset *data = new_csbm(ctx, 100, 5, 1);
    for (int m = 0; m < model_count; m++) {
        gpr_params *params = new_params(ctx, OPTIONS("model", models[m], "split", "sparse"));
        said[0] = 0;
        assert_ok(gpr_params_preset(params, "paper", data));
        const bool known = strcmp(gpr_params_source(params, "lr"), "preset") == 0;
        if (strcmp(models[m], "gprgnn") == 0) assert_true(known);
        if (strcmp(models[m], "geomgcn") == 0) assert_false(known);
        assert_int_equal(strstr(said, models[m]) != NULL, !known);
        assert_string_equal(gpr_params_source(params, "weight-decay"), known ? "preset" : "default");
        assert_string_equal(gpr_params_get(params, "split"), "sparse");
        assert_ok(gpr_params_check(params));
        gpr_params_free(params);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A graph with rows for two splits gets the main table's where none is asked for, else those of its split. */
static void preset_of_two_splits(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 100, 5, 1);
    strcpy(data->name, "cora"); /* shorter than the name of a cSBM */
    data->phi = NAN;
    gpr_params *any = new_params(ctx, OPTIONS("model", "sgc"));
    gpr_params *sparse = new_params(ctx, OPTIONS("model", "sgc", "split", "sparse"));
    gpr_params *dense = new_params(ctx, OPTIONS("model", "sgc", "split", "dense"));
    assert_ok(gpr_params_preset(any, "paper", data));
    assert_ok(gpr_params_preset(sparse, "paper", data));
    assert_ok(gpr_params_preset(dense, "paper", data));
    assert_string_equal(gpr_params_get(any, "split"), "sparse");
    assert_string_equal(gpr_params_get(any, "lr"), gpr_params_get(sparse, "lr"));
    assert_string_equal(gpr_params_get(dense, "split"), "dense");
    assert_string_not_equal(gpr_params_get(dense, "lr"), gpr_params_get(sparse, "lr"));
    gpr_params_free(any);
    gpr_params_free(sparse);
    gpr_params_free(dense);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Every row of the preset `filters` has options of gprgnn, for a dense split; other models get the split alone. */
static void preset_of_filters(void **state) {
    (void)state;
    static const char *const names[] = {"cora",  "citeseer", "pubmed", "chameleon",
                                        "actor", "squirrel", "texas",  "cornell"};
    char said[200] = "";
    gpr_ctx *ctx;
    gpr_ctx_options settings = {.struct_size = sizeof settings, .threads = 1, .log = log_line, .user = said};
    assert_ok(gpr_ctx_new(&ctx, &settings));
    for (int i = 0; i < 8; i++) {
        gpr_params *params = new_params(ctx, OPTIONS("split", "dense"));
        assert_ok(gpr_params_preset_named(params, "filters", names[i]));
        assert_string_equal(gpr_params_source(params, "lr"), "preset");
        assert_ok(gpr_params_check(params));
        gpr_params_free(params);
    }
    gpr_params *params = new_params(ctx, OPTIONS("model", "gcn"));
    assert_string_equal(said, "");
    assert_ok(gpr_params_preset_named(params, "filters", "squirrel"));
    assert_non_null(strstr(said, "preset 'filters' has no settings for gcn on this data: it gets the split (dense)"));
    gpr_params_free(params);
    params = new_params(ctx, OPTIONS("lr", "0.3"));
    assert_ok(gpr_params_preset_named(params, "filters", "squirrel"));
    assert_string_equal(gpr_params_get(params, "gamma"), "columns");
    assert_string_equal(gpr_params_get(params, "loops"), "no");
    assert_string_equal(gpr_params_get(params, "split"), "dense");
    assert_string_equal(gpr_params_get(params, "lr"), "0.3");
    assert_fails(gpr_params_preset_named(params, "filters", "photo"), GPR_ERROR_ARGUMENT, "it knows cora, citeseer");
    gpr_params_free(params);
    gpr_ctx_free(ctx);
}

/* ---- memory ---- */

typedef struct {
    atomic_llong count, live;
    long long until; /* the only allocation that fails; negative: none */
} tally;

static void *tally_resize(void *user, void *block, size_t size) {
    tally *t = user;
    if (t->count++ == t->until) return NULL;
    if (!block) t->live++;
    return realloc(block, size);
}

static void tally_release(void *user, void *block) {
    if (block) ((tally *)user)->live--;
    free(block);
}

/* One training; its status, and how many allocations it made in t->count. */
static gpr_status counted(tally *t, const char *model, bool sparse, const char *epochs, long long until) {
    gpr_ctx *ctx;
    const char *chosen[32];
    *t = (tally){.until = -1};
    gpr_ctx_options settings = {
        .struct_size = sizeof settings, .threads = 1, .allocator = {tally_resize, tally_release, t}};
    assert_ok(gpr_ctx_new(&ctx, &settings));
    gpr_dataset *data = sparse ? new_words(ctx, 60, 40, 3) : new_csbm(ctx, 60, 4, 0.5);
    gpr_params *params = new_params(
        ctx, options_for(chosen, model, OPTIONS("epochs", epochs, "hidden", "4", "K", "2", "stopping", "none")));
    long long before = t->count;
    gpr_model *made = NULL;
    gpr_result *result = NULL;
    t->until = until < 0 ? -1 : before + until;
    gpr_status status = gpr_train(ctx, &made, &result, data, params);
    before = t->count - before;
    t->until = -1;
    if (status == GPR_OK) assert_ok(gpr_predict(ctx, made, data, NULL, NULL));
    gpr_model_free(made);
    gpr_result_free(result);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    t->count = before;
    if (t->live != 0) fail_msg("%s: %lld blocks leaked", model, (long long)t->live);
    return status;
}

/* More epochs need no more allocations; and each allocation may fail. */
static void memory(void **state) {
    (void)state;
    for (int m = 0; m < model_count; m++)
        for (int sparse = 0; sparse < 2; sparse++) {
            tally few, many;
            assert_ok(counted(&few, models[m], sparse, "3", -1));
            assert_ok(counted(&many, models[m], sparse, "40", -1));
            if (few.count != many.count)
                fail_msg("%s: %lld allocations for 3 epochs, %lld for 40", models[m], (long long)few.count,
                         (long long)many.count);
            for (long long k = 0; k < few.count; k++) {
                tally t;
                if (counted(&t, models[m], sparse, "3", k) != GPR_ERROR_MEMORY)
                    fail_msg("%s: allocation %lld failed, but gpr_train did not", models[m], k);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),         cmocka_unit_test(files),  cmocka_unit_test(gamma_is_told),
        cmocka_unit_test(options),           cmocka_unit_test(preset), cmocka_unit_test(preset_of_two_splits),
        cmocka_unit_test(preset_of_filters), cmocka_unit_test(memory)};
    model_count = model_words(models);
    scratch_folder(folder);
    int failed = cmocka_run_group_tests_name("models", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
