/* The model file: a saved model loads equal, and other programs can read it. `test_model make FOLDER` writes the golden
 * files again (see `golden`). */
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "model_files.h"

/* ---- saving and loading ---- */

static void check_round_trip(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options) {
    training t = train(ctx, data, options);
    gpr_model *loaded;
    int64_t n = data->graph.nodes, c = gpr_model_classes(t.model), count, loaded_count;
    int32_t *classes = calloc((size_t)(2 * n), sizeof *classes);
    float *proba = calloc((size_t)(2 * n * c), sizeof *proba);
    assert_ok(gpr_model_save(ctx, t.model, in_folder("a")));
    assert_ok(gpr_model_load(ctx, &loaded, in_folder("a")));
    assert_same_model("loaded", t.model, loaded);
    assert_ok(gpr_predict(ctx, t.model, data, classes, proba));
    assert_ok(gpr_predict(ctx, loaded, data, classes + n, proba + n * c));
    assert_memory_equal(classes, classes + n, (size_t)n * sizeof *classes);
    assert_memory_equal(proba, proba + n * c, (size_t)(n * c) * sizeof *proba);

    assert_string_equal(gpr_model_name(loaded), "gprgnn");
    assert_int_equal(gpr_model_features(loaded), data->features.cols);
    assert_int_equal(gpr_model_classes(loaded), data->target.classes);
    assert_int_equal(loaded->normalize, t.model->normalize);
    assert_true(loaded->split_hash == t.model->split_hash && loaded->split_hash != 0);
    assert_string_equal(loaded->dataset, data->name);
    const float *gamma = gpr_model_gamma(t.model, &count), *loaded_gamma = gpr_model_gamma(loaded, &loaded_count);
    assert_int_equal(count, loaded_count);
    assert_memory_equal(gamma, loaded_gamma, (size_t)count * sizeof *gamma);
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        assert_string_equal(gpri_params_text(loaded->params, (gpri_param)i),
                            gpri_params_text(t.model->params, (gpri_param)i));

    assert_ok(gpr_model_save(ctx, loaded, in_folder("b")));
    blob a = read_blob(in_folder("a")), b = read_blob(in_folder("b"));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    assert_int_equal(files_in_folder(), 2);
    free(a.bytes);
    free(b.bytes);
    free(classes);
    free(proba);
    gpr_model_free(loaded);
    training_free(&t);
}

static void round_trip(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data[] = {small_data(ctx), new_words(ctx, 120, 40, 4), new_csbm(ctx, 90, 1, 0.5)};
    for (int i = 0; i < 3; i++) {
        check_round_trip(ctx, data[i], OPTIONS("epochs", "4"));
        check_round_trip(
            ctx, data[i],
            OPTIONS("epochs", "3", "hidden", "1", "K", "0", "seed", "9000000000000000000", "normalize", "none"));
        check_round_trip(
            ctx, data[i],
            OPTIONS("epochs", "2", "hidden", "33", "K", "120", "init", "random", "lr", "1e-3", "normalize", "row"));
        gpr_dataset_free(data[i]);
    }
    gpr_ctx_free(ctx);
}

/* ---- safetensors that other programs can read ---- */

static void check_entry(const safetensors *s, const char *name, const gpri_tensor *tensor, int64_t out, int64_t in,
                        size_t *end) {
    const json_t *entry = json_object_get(s->header, name), *shape = json_object_get(entry, "shape");
    const json_t *offsets = json_object_get(entry, "data_offsets");
    size_t axes = in ? 2 : 1;
    if (!entry) fail_msg("no entry %s", name);
    assert_int_equal(json_object_size(entry), 3);
    assert_string_equal(json_string_value(json_object_get(entry, "dtype")), "F32");
    if (json_array_size(shape) != axes) fail_msg("%s has %zu axes, not %zu", name, json_array_size(shape), axes);
    assert_int_equal(json_integer_value(json_array_get(shape, 0)), out);
    if (in) assert_int_equal(json_integer_value(json_array_get(shape, 1)), in);
    assert_int_equal(json_array_size(offsets), 2);
    size_t first = (size_t)json_integer_value(json_array_get(offsets, 0)),
           last = (size_t)json_integer_value(json_array_get(offsets, 1));
    if (first != *end) fail_msg("%s begins at %zu, but what is before it ends at %zu", name, first, *end);
    assert_int_equal(last - first, (size_t)(out * (in ? in : 1)) * 4);
    assert_true(last <= s->data_size);
    *end = last;
    for (int64_t o = 0; o < out; o++)
        for (int64_t i = 0; i < (in ? in : 1); i++) { /* (out x in) in the file, (in x out) in memory */
            float value;
            memcpy(&value, s->data + first + 4 * (o * (in ? in : 1) + i), 4);
            if (value != tensor->values[i * out + o]) fail_msg("%s[%d][%d] is not the model's", name, (int)o, (int)i);
        }
}

static void valid_safetensors(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const int64_t sizes[][3] = {{7, 5, 4}, {1, 5, 4}, {7, 1, 4},
                                {7, 5, 0}, {1, 1, 0}, {100, 64, 10}}; /* features, hidden, K */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int64_t features = sizes[i][0], hidden = sizes[i][1], K = sizes[i][2];
        char hidden_text[16], K_text[16];
        snprintf(hidden_text, sizeof hidden_text, "%d", (int)hidden);
        snprintf(K_text, sizeof K_text, "%d", (int)K);
        gpr_dataset *data = new_csbm(ctx, 50, features, 0.5);
        training t = train(ctx, data, OPTIONS("epochs", "1", "hidden", hidden_text, "K", K_text));
        const char *path = in_folder("model.safetensors");
        assert_ok(gpr_model_save(ctx, t.model, path));
        safetensors s = safetensors_read(path);
        size_t end = 0;
        const char *key;
        json_t *value;
        assert_int_equal((s.data - s.file.bytes) % 8, 0); /* aligned, as the format recommends */
        check_entry(&s, "lin1.weight", tensor_of(t.model, "lin1.weight"), hidden, features, &end);
        check_entry(&s, "lin1.bias", tensor_of(t.model, "lin1.bias"), hidden, 0, &end);
        check_entry(&s, "lin2.weight", tensor_of(t.model, "lin2.weight"), 2, hidden, &end);
        check_entry(&s, "lin2.bias", tensor_of(t.model, "lin2.bias"), 2, 0, &end);
        check_entry(&s, "prop1.temp", tensor_of(t.model, "prop1.temp"), K + 1, 0, &end);
        assert_int_equal(end, s.data_size); /* every byte of the file belongs to a tensor */
        assert_int_equal(json_object_size(s.header), 6);
        const json_t *meta = json_object_get(s.header, "__metadata__");
        json_object_foreach(json_object_get(s.header, "__metadata__"), key, value) if (!json_is_string(value))
            fail_msg("metadata '%s' is no text", key); /* the format has only these */
        assert_string_equal(json_string_value(json_object_get(meta, "format")), "gprgnn");
        assert_string_equal(json_string_value(json_object_get(meta, "format_version")), "2");
        assert_string_equal(json_string_value(json_object_get(meta, "param.hidden")), hidden_text);
        safetensors_free(&s);
        training_free(&t);
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

/* Names of files need not be UTF-8, and JSON must be. */
static void names_that_are_no_text(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    gpr_model *loaded;
    char gamma[512];
    gpri_free(ctx, data->name);
    assert_ok(gpri_strdup(ctx, &data->name, "caf\xe9 \"x\"\n\xff"));
    snprintf(gamma, sizeof gamma, "file:%s", in_folder("\xe9"));
    write_bytes(gamma + 5, "1 2", 3);
    training t = train(ctx, data, OPTIONS("epochs", "2", "K", "1", "init", gamma));
    assert_ok(gpr_model_save(ctx, t.model, in_folder("model")));
    safetensors s = safetensors_read(in_folder("model"));
    assert_string_equal(json_string_value(json_object_get(json_object_get(s.header, "__metadata__"), "dataset")),
                        "caf? \"x\"\n?");
    assert_ok(gpr_model_load(ctx, &loaded, in_folder("model")));
    assert_same_model("loaded", t.model, loaded);
    gpr_model_free(loaded);
    safetensors_free(&s);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- other data ---- */

static void other_data(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx), *other = new_csbm(ctx, 500, FEATURES, 0.5),
                *wrong = new_csbm(ctx, 30, FEATURES + 1, 0.5);
    training t = small_training(ctx, data);
    int32_t classes[500], again[500];
    float proba[500 * CLASSES];
    /* the message has both numbers and both names */
    assert_fails(gpr_predict(ctx, t.model, wrong, classes, NULL), GPR_ERROR_MISMATCH,
                 "the model does not fit the data: it was trained on 7 features (small), and csbm(phi=0.5) has 8");
    assert_fails(gpr_predictions_save(ctx, t.model, wrong, in_folder("none.csv"), 1), GPR_ERROR_MISMATCH, "7 features");
    assert_int_equal(files_in_folder(), 0);

    /* any other graph with the same number of features works, with more nodes and fewer classes */
    assert_ok(gpr_predict(ctx, t.model, other, classes, proba));
    assert_ok(gpr_predict(ctx, t.model, other, again, NULL)); /* either may be NULL */
    assert_memory_equal(classes, again, sizeof classes);
    assert_ok(gpr_predict(ctx, t.model, other, NULL, NULL));
    for (int i = 0; i < 500; i++) {
        double sum = 0;
        int best = 0;
        for (int c = 0; c < CLASSES; c++) {
            double p = (double)proba[i * CLASSES + c];
            assert_true(p >= 0 && p <= 1);
            if (proba[i * CLASSES + c] > proba[i * CLASSES + best]) best = c;
            sum += p;
        }
        assert_true(fabs(sum - 1) < 1e-5);
        assert_true(proba[i * CLASSES + classes[i]] == proba[i * CLASSES + best]);
    }
    assert_fails(gpr_predict(ctx, NULL, other, classes, NULL), GPR_ERROR_ARGUMENT, "NULL");
    training_free(&t);
    gpr_dataset_free(data);
    gpr_dataset_free(other);
    gpr_dataset_free(wrong);
    gpr_ctx_free(ctx);
}

/* ---- where it cannot be written ---- */

static void unwritable(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    training t = small_training(ctx, data);
    char under[512];
    assert_fails(gpr_model_save(ctx, t.model, in_folder("none/model")), GPR_ERROR_IO, "none/model");
    assert_fails(gpr_model_save(ctx, t.model, folder), GPR_ERROR_IO, "it is a folder");
    assert_fails(gpr_model_save(ctx, t.model, "/dev/full"), GPR_ERROR_IO, "not a regular file");
    assert_int_equal(files_in_folder(), 0);
    assert_ok(gpr_model_save(ctx, t.model, in_folder("file")));
    blob whole = read_blob(in_folder("file"));
    free(whole.bytes);
    write_bytes(in_folder("file"), "old", 3);
    snprintf(under, sizeof under, "%s/model", in_folder("file"));
    assert_fails(gpr_model_save(ctx, t.model, under), GPR_ERROR_IO, "file/model");

    /* a disk that is full after the first bytes, or lacks one byte: the old file stays, and there is no other file */
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 3; i++) {
        const rlim_t most[] = {4, 12, whole.size - 1};
        small = before;
        small.rlim_cur = most[i];
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        gpr_status status = gpr_model_save(ctx, t.model, in_folder("file"));
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_fails(status, GPR_ERROR_IO, "file");
        assert_int_equal(files_in_folder(), 1);
    }
    signal(SIGXFSZ, handler);
    blob old = read_blob(in_folder("file"));
    assert_int_equal(old.size, 3);
    assert_memory_equal(old.bytes, "old", 3);
    free(old.bytes);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- the files of every version must always be readable ---- */

/* tests/golden/model_v1.safetensors is small_training's model on small_data; model_v1_predictions.csv is what it
 * predicts there, checked when it was made against the equation worked out in Python from the file's own numbers. Both
 * were written by
 *
 *     test_model make tests/golden
 *
 * at version 0.1.0, format version 1; model_v2 the same way at version 0.2.0, format version 2. Never make them again:
 * a program that cannot read these files, or predicts something else with them, breaks the models of its users. */
static void check_golden(const char *name) {
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    gpr_model *model;
    int32_t classes[NODES];
    float proba[NODES * CLASSES];
    char path[512];
    snprintf(path, sizeof path, "%s/tests/golden/%s.safetensors", TEST_SOURCE_DIR, name);
    assert_ok(gpr_model_load(ctx, &model, path));
    assert_string_equal(gpr_model_name(model), "gprgnn");
    assert_int_equal(gpr_model_features(model), FEATURES);
    assert_int_equal(gpr_model_classes(model), CLASSES);
    assert_ok(gpr_predict(ctx, model, data, classes, proba));
    snprintf(path, sizeof path, "%s/tests/golden/%s_predictions.csv", TEST_SOURCE_DIR, name);
    blob text = read_blob(path);
    char *at = strchr(text.bytes, '\n') + 1;
    for (int i = 0; i < NODES; i++) {
        assert_int_equal(strtol(at, &at, 10), i);
        assert_int_equal(strtol(at + 1, &at, 10), classes[i]);
        for (int c = 0; c < CLASSES; c++) {
            double want = strtod(at + 1, &at);
            if (!(fabs((double)proba[i * CLASSES + c] - want) <= 1e-5))
                fail_msg("node %d, class %d: %.9g, not %.9g", i, c, (double)proba[i * CLASSES + c], want);
        }
        assert_int_equal(*at++, '\n');
    }
    assert_int_equal(*at, 0);
    free(text.bytes);
    gpr_model_free(model);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void golden(void **state) {
    (void)state;
    check_golden("model_v1");
    check_golden("model_v2");
}

/* The files of golden/, in a folder: for a new version of the format. */
static int make_golden(const char *place) {
    char path[512];
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    training t = small_training(ctx, data);
    snprintf(path, sizeof path, "%s/model_v2.safetensors", place);
    gpr_status status = gpr_model_save(ctx, t.model, path);
    snprintf(path, sizeof path, "%s/model_v2_predictions.csv", place);
    if (status == GPR_OK) status = gpr_predictions_save(ctx, t.model, data, path, 1);
    if (status != GPR_OK) fprintf(stderr, "%s\n", gpr_last_error());
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return status != GPR_OK;
}

int main(void) {
    if (getenv("MAKE_GOLDEN")) return make_golden(getenv("MAKE_GOLDEN"));
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(round_trip, empty_folder),
                                       cmocka_unit_test_teardown(valid_safetensors, empty_folder),
                                       cmocka_unit_test_teardown(names_that_are_no_text, empty_folder),
                                       cmocka_unit_test_teardown(other_data, empty_folder),
                                       cmocka_unit_test_teardown(unwritable, empty_folder),
                                       cmocka_unit_test(golden)};
    scratch_folder(folder);
    int failed = cmocka_run_group_tests_name("model", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
