/* What a caller can see of a model: options, weights, bytes; and predictions with options. */
#include <math.h>

#include "failing_memory.h"
#include "model_files.h"

static void options(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    training t = small_training(ctx, data);
    assert_string_equal(gpr_model_param(t.model, "hidden"), "5");
    assert_string_equal(gpr_model_param(t.model, "weight_decay"), "0.0005");
    assert_string_equal(gpr_model_param(t.model, "seed"), "1");
    assert_null(gpr_model_param(t.model, "hiden"));
    assert_null(gpr_model_param(t.model, "heads")); /* of gat */
    assert_null(gpr_model_param(t.model, "threads"));
    assert_null(gpr_model_param(t.model, "device"));
    assert_null(gpr_model_param(t.model, NULL));
    assert_null(gpr_model_param(NULL, "hidden"));
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Z from the weights that the caller sees, for a model without a graph: relu(X W_1 + b_1) W_2 + b_2. */
static void weights(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    training t = train(ctx, data, OPTIONS("model", "mlp", "epochs", "5", "hidden", "5", "normalize", "none"));
    static const char *const names[] = {"lin1.weight", "lin1.bias", "lin2.weight", "lin2.bias"};
    static const int64_t rows[] = {FEATURES, 1, 5, 1}, cols[] = {5, 5, CLASSES, CLASSES};
    const float *w[4];
    float logits[NODES * CLASSES], proba[NODES * CLASSES], same[NODES * CLASSES];
    int32_t classes[NODES];
    assert_int_equal(gpr_model_weight_count(t.model), 4);
    assert_int_equal(gpr_model_weight_count(NULL), 0);
    gpr_weight_info info = {.struct_size = sizeof info};
    for (int i = 0; i < 4; i++) {
        assert_ok(gpr_model_weight(t.model, i, &info));
        assert_string_equal(info.name, names[i]);
        assert_true(info.rows == rows[i] && info.cols == cols[i] && info.axes == 2 - i % 2);
        w[i] = info.values;
    }
    assert_fails(gpr_model_weight(t.model, 4, &info), GPR_ERROR_ARGUMENT, "index 4 is not in [0, 4)");
    assert_fails(gpr_model_weight(t.model, -1, &info), GPR_ERROR_ARGUMENT, "index -1");
    assert_fails(gpr_model_weight(NULL, 0, &info), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_model_weight(t.model, 0, NULL), GPR_ERROR_ARGUMENT, "struct_size");
    assert_ok(gpr_predict_logits(ctx, t.model, data, logits));
    for (int i = 0; i < NODES; i++) {
        double hidden[5];
        for (int h = 0; h < 5; h++) {
            hidden[h] = (double)w[1][h];
            for (int j = 0; j < FEATURES; j++) {
                const double x = (double)((i * (j + 3) + j * j) % 11) / 8 + (j == i / 8 ? 2 : 0); /* as small_data */
                hidden[h] += x * (double)w[0][j * 5 + h];
            }
            hidden[h] = fmax(hidden[h], 0);
        }
        for (int c = 0; c < CLASSES; c++) {
            double z = (double)w[3][c];
            for (int h = 0; h < 5; h++) z += hidden[h] * (double)w[2][h * CLASSES + c];
            if (!(fabs(z - (double)logits[i * CLASSES + c]) < 1e-4 * (1 + fabs(z))))
                fail_msg("node %d, class %d: %g, not %g", i, c, (double)logits[i * CLASSES + c], z);
        }
    }
    /* one pass gives all three, each of them as when it is asked for alone */
    assert_ok(gpr_predict_with(ctx, t.model, data, classes, proba, same, NULL));
    assert_memory_equal(logits, same, sizeof logits);
    assert_ok(gpr_predict(ctx, t.model, data, NULL, same));
    assert_memory_equal(proba, same, sizeof proba);
    for (int i = 0; i < NODES; i++) {
        double sum = 0;
        for (int c = 0; c < CLASSES; c++) sum += exp((double)logits[i * CLASSES + c]);
        for (int c = 0; c < CLASSES; c++) {
            assert_true(fabs(exp((double)logits[i * CLASSES + c]) / sum - (double)proba[i * CLASSES + c]) < 1e-6);
            assert_true(logits[i * CLASSES + c] <= logits[i * CLASSES + classes[i]]);
        }
    }
    assert_fails(gpr_predict_logits(ctx, t.model, data, NULL), GPR_ERROR_ARGUMENT, "NULL");
    const gpr_predict_options wrong = {.struct_size = sizeof wrong, .embedding = "isomap"}, small = {.struct_size = 3};
    assert_fails(gpr_predict_with(ctx, t.model, data, classes, NULL, NULL, &wrong), GPR_ERROR_ARGUMENT,
                 "the model mlp has no option 'embedding'");
    assert_fails(gpr_predict_with(ctx, t.model, data, classes, NULL, NULL, &small), GPR_ERROR_ARGUMENT, "struct_size");
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The same model, the same bytes: on any number of threads, to a file or to memory, whatever the option says. */
static void bytes_of_a_model(void **state) {
    (void)state;
    void *first = NULL, *bytes;
    size_t size, again;
    gpr_ctx *keeper = new_ctx(1);
    for (int threads = 1; threads <= 3; threads++) {
        gpr_ctx *ctx = new_ctx(threads);
        gpr_dataset *data = small_data(ctx);
        char number[16];
        snprintf(number, sizeof number, "%d", threads);
        training t = train(ctx, data, OPTIONS("epochs", "9", "hidden", "5", "threads", number));
        assert_ok(gpr_model_to_bytes(ctx, &bytes, &again, t.model));
        assert_ok(gpr_model_save(ctx, t.model, in_folder("m")));
        blob saved = read_blob(in_folder("m"));
        assert_int_equal(saved.size, again);
        assert_memory_equal(saved.bytes, bytes, again);
        free(saved.bytes);
        if (first) {
            assert_int_equal(again, size);
            assert_memory_equal(first, bytes, size);
        } else {
            first = malloc(size = again);
            memcpy(first, bytes, size);
        }
        gpr_model *back;
        assert_ok(gpr_model_from_bytes(keeper, &back, bytes, again));
        gpr_bytes_free(ctx, bytes);
        assert_same_model("bytes", back, t.model);
        training_free(&t);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx); /* the model's own context is another */
        assert_string_equal(gpr_model_param(back, "hidden"), "5");
        gpr_model_free(back);
    }
    for (size_t cut = 0; cut < size; cut += 7) {
        gpr_model *none = (gpr_model *)keeper;
        char *part = malloc(cut ? cut : 1);
        memcpy(part, first, cut);
        assert_fails(gpr_model_from_bytes(keeper, &none, part, cut), GPR_ERROR_FORMAT, "the model");
        assert_null(none);
        free(part);
    }
    gpr_model *none;
    assert_fails(gpr_model_from_bytes(keeper, &none, NULL, 8), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_model_to_bytes(keeper, &bytes, NULL, NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_null(bytes);
    gpr_bytes_free(keeper, NULL);
    gpr_bytes_free(NULL, NULL);
    free(first);
    gpr_ctx_free(keeper);
}

/* A file of 0.1.0 has param.threads and param.device: it loads, and is saved without them. */
static void older_file(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_model *model;
    void *bytes;
    size_t size;
    blob old = read_blob(TEST_SOURCE_DIR "/tests/golden/model_v1.safetensors");
    assert_non_null(strstr(old.bytes + 8, "param.threads"));
    assert_ok(gpr_model_from_bytes(ctx, &model, old.bytes, old.size));
    assert_null(gpr_model_param(model, "threads"));
    assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, model));
    char *text = malloc(size + 1);
    memcpy(text, bytes, size);
    text[size] = 0;
    assert_non_null(strstr(text + 8, "param.runs"));
    assert_null(strstr(text + 8, "param.threads"));
    assert_null(strstr(text + 8, "param.device"));
    free(text);
    free(old.bytes);
    gpr_bytes_free(ctx, bytes);
    gpr_model_free(model);
    gpr_ctx_free(ctx);
}

/* Another embedding for one prediction: the model stays as it is. */
static void embedding_of_a_prediction(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 120, 8, 0.5);
    training t = train(ctx, data, OPTIONS("model", "geomgcn", "epochs", "5", "embedding", "isomap"));
    static float own[240], other[240], set[240];
    const gpr_predict_options poincare = {.struct_size = sizeof poincare, .embedding = "poincare"};
    assert_ok(gpr_predict_logits(ctx, t.model, data, own));
    assert_ok(gpr_predict_with(ctx, t.model, data, NULL, NULL, other, &poincare));
    assert_true(memcmp(own, other, sizeof own) != 0);
    assert_string_equal(gpr_model_param(t.model, "embedding"), "isomap");
    assert_ok(gpr_predict_logits(ctx, t.model, data, set));
    assert_memory_equal(own, set, sizeof own);
    assert_ok(gpr_model_set_embedding(t.model, "poincare")); /* as programs of 0.1.0 do it */
    assert_ok(gpr_predict_logits(ctx, t.model, data, set));
    assert_memory_equal(other, set, sizeof other);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Paths in the options of a model that was loaded: none is opened. Those here do not exist, and a pipe would wait. */
static void names_of_files(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    gpr_model *model;
    float want[NODES * CLASSES], got[NODES * CLASSES];
    save_small(ctx, in_folder("plain"));
    assert_ok(gpr_model_load(ctx, &model, in_folder("plain")));
    assert_ok(gpr_predict(ctx, model, data, NULL, want));
    gpr_model_free(model);
    safetensors s = safetensors_read(in_folder("plain"));
    json_t *meta = json_object_get(s.header, "__metadata__");
    json_object_set_new(meta, "param.split", json_string("/nonexistent/split.npz"));
    json_object_set_new(meta, "param.init", json_string("file:/nonexistent/gamma"));
    json_object_set_new(meta, "param.embedding", json_string("/nonexistent/places"));
    json_object_set_new(meta, "dataset", json_string("/nonexistent/data"));
    safetensors_write(&s, in_folder("named"));
    assert_ok(gpr_model_load(ctx, &model, in_folder("named")));
    assert_ok(gpr_predict(ctx, model, data, NULL, got));
    assert_memory_equal(want, got, sizeof want);
    gpr_model_free(model);
    safetensors_free(&s);

    training t = train(ctx, data, OPTIONS("model", "geomgcn", "epochs", "2", "embedding", "poincare", "hidden", "4"));
    assert_ok(gpr_model_save(ctx, t.model, in_folder("plain")));
    training_free(&t);
    s = safetensors_read(in_folder("plain"));
    meta = json_object_get(s.header, "__metadata__");
    json_object_set_new(meta, "param.embedding", json_string(in_folder("plain"))); /* a file that is there */
    safetensors_write(&s, in_folder("named"));
    assert_ok(gpr_model_load(ctx, &model, in_folder("named")));
    assert_fails(gpr_predict(ctx, model, data, NULL, got), GPR_ERROR_ARGUMENT,
                 "opens no file that only the model names");
    gpr_model_free(model);
    safetensors_free(&s);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static gpr_status predict_elsewhere(gpr_ctx *ctx, void *arg) {
    const training *t = arg;
    static float logits[2 * 120];
    const gpr_predict_options options = {.struct_size = sizeof options, .embedding = "poincare"};
    gpr_dataset *data = NULL;
    gpr_csbm_options csbm;
    gpr_csbm_options_init(&csbm, sizeof csbm);
    csbm.nodes = 40;
    csbm.features = 8;
    gpr_status status = gpr_dataset_csbm(ctx, &data, &csbm);
    if (status == GPR_OK) status = gpr_predict_with(ctx, t->model, data, NULL, NULL, logits, &options);
    gpr_dataset_free(data);
    return status;
}

static void memory(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 40, 8, 0.5);
    training t = train(ctx, data, OPTIONS("model", "geomgcn", "epochs", "2", "embedding", "isomap", "hidden", "4"));
    fail_every_allocation(predict_elsewhere, &t);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(options),
                                       cmocka_unit_test(weights),
                                       cmocka_unit_test_teardown(bytes_of_a_model, empty_folder),
                                       cmocka_unit_test(older_file),
                                       cmocka_unit_test(embedding_of_a_prediction),
                                       cmocka_unit_test_teardown(names_of_files, empty_folder),
                                       cmocka_unit_test(memory)};
    scratch_folder(folder);
    int failed = cmocka_run_group_tests_name("model_access", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
