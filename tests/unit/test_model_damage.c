/* The model file: everything wrong in it gives an error that says so, and takes little memory. */
#include "model_files.h"

/* ---- damaged files ---- */

static void every_truncation(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    save_small(ctx, in_folder("whole"));
    blob whole = read_blob(in_folder("whole"));
    for (size_t size = 0; size < whole.size; size++) {
        write_bytes(in_folder("cut"), whole.bytes, size);
        assert_refused(ctx, in_folder("cut"), GPR_ERROR_FORMAT, "");
    }
    write_bytes(in_folder("cut"), whole.bytes, whole.size); /* the whole one is fine */
    gpr_model *model;
    assert_ok(gpr_model_load(ctx, &model, in_folder("cut")));
    gpr_model_free(model);
    free(whole.bytes);
    gpr_ctx_free(ctx);
}

/* Of a file without a digest: what follows it must find what it can, and never crash. */
static void random_damage(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    gpri_random stream = gpri_random_of(77, GPRI_RANDOM_TEST, 0, 0);
    uint64_t draw = 0;
    int loaded = 0, refused = 0;
    save_small(ctx, in_folder("whole"));
    make_version_1(in_folder("whole"));
    blob whole = read_blob(in_folder("whole"));
    for (int trial = 0; trial < 3000; trial++) {
        char *bytes = malloc(whole.size);
        int32_t classes[NODES];
        gpr_model *model;
        memcpy(bytes, whole.bytes, whole.size);
        for (int flips = trial % 3; flips >= 0; flips--) {
            uint64_t reach = trial % 5 == 0 ? 16 : whole.size; /* more often near the beginning, where the length is */
            bytes[gpri_uniform_below(stream, draw, reach)] = (char)gpri_uniform_below(stream, draw + 1, 256);
            draw += 2;
        }
        write_bytes(in_folder("flipped"), bytes, whole.size);
        gpr_status status = gpr_model_load(ctx, &model, in_folder("flipped"));
        assert_int_equal(status == GPR_OK, model != NULL);
        if (status == GPR_OK) {
            status = gpr_predict(ctx, model, data, classes, NULL); /* weights may be any, features may differ */
            assert_true(status == GPR_OK || status == GPR_ERROR_MISMATCH || status == GPR_ERROR_NUMERIC);
            loaded++;
        } else {
            if (status != GPR_ERROR_FORMAT && status != GPR_ERROR_MISMATCH)
                fail_msg("trial %d: %s: %s", trial, gpr_status_name(status), gpr_last_error());
            assert_non_null(strstr(gpr_last_error(), "flipped"));
            refused++;
        }
        gpr_model_free(model);
        free(bytes);
    }
    assert_true(loaded > 100 && refused > 100);
    free(whole.bytes);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void other_files(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const char *path = in_folder("other");
    static const char text[] = "node,class\n0,1\n", png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", zeros[64],
                      zip[] = "PK\3\4\24\0\0\0\10\0";
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } cases[] = {
        {text, sizeof text - 1, "does not begin like safetensors"},
        {png, sizeof png - 1, "does not begin like safetensors"},
        {zip, sizeof zip - 1, "does not begin like safetensors"},
        {zeros, sizeof zeros, "does not begin like safetensors"},
        {text, 0, "has 0 bytes"},
        {text, 7, "has 7 bytes"},
        {"\2\0\0\0\0\0\0\0{}", 10, "not a model of gprgnn"},
        {"\3\0\0\0\0\0\0\0{}", 10, "goes beyond the end"},
        {"\1\0\0\0\0\0\0\0{}", 10, "not JSON"},
        {"\377\377\377\377\377\377\377\377{}", 10, "does not begin like safetensors"},
        {"\377\377\377\377\377\377\377\177{}", 10, "does not begin like safetensors"},
        {"\12\0\0\0\0\0\0\0{\"a\":null}", 18, "not a model of gprgnn"},
        {"\22\0\0\0\0\0\0\0{\"__metadata__\":1}", 26, "not a model of gprgnn"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_bytes(path, cases[i].bytes, cases[i].size);
        assert_refused(ctx, path, GPR_ERROR_FORMAT, cases[i].message);
    }
    /* many open braces */
    char *deep = malloc(100008);
    memcpy(deep, "\240\206\1\0\0\0\0\0", 8); /* 100000 */
    for (int i = 0; i < 100000; i++) deep[8 + i] = "{\"a\":"[i % 5];
    write_bytes(path, deep, 100008);
    assert_refused(ctx, path, GPR_ERROR_FORMAT, "not JSON");
    free(deep);
    unlink(path);
    assert_refused(ctx, path, GPR_ERROR_NOT_FOUND, "No such file");
    gpr_model *model;
    assert_fails(gpr_model_load(ctx, &model, folder), GPR_ERROR_FORMAT, "is a folder");
    assert_fails(gpr_model_load(ctx, NULL, path), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_model_load(ctx, &model, NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_model_save(ctx, NULL, path), GPR_ERROR_ARGUMENT, "NULL");
    gpr_ctx_free(ctx);
}

/* ---- whole files with something wrong in their header ---- */

/* The file that save_small wrote with its header changed: `key` of the metadata (weight NULL), of that weight, or of
   the header itself ("+") is set to `value`, JSON text; value NULL removes it, key NULL the whole weight. */
static const char *altered(const char *weight, const char *key, const char *value) {
    safetensors s = safetensors_read(in_folder("whole"));
    json_t *at = key && (!weight || strcmp(weight, "+") != 0)
                     ? json_object_get(s.header, weight ? weight : "__metadata__")
                     : s.header;
    json_t *made = value ? json_loads(value, JSON_DECODE_ANY, NULL) : NULL;
    const char *path = in_folder("altered");
    assert_true(!value || made);
    assert_non_null(at);
    if (value) assert_int_equal(json_object_set_new(at, key, made), 0);
    else assert_int_equal(json_object_del(at, key ? key : weight), 0);
    safetensors_write(&s, path);
    safetensors_free(&s);
    return path;
}

static void wrong_headers(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_model *model;
    save_small(ctx, in_folder("whole"));
    static const struct {
        const char *weight, *key, *value; /* weight "+": a new member of the header */
        gpr_status status;
        const char *message;
    } cases[] = {
        {NULL, "format", "\"pt\"", GPR_ERROR_FORMAT, "not a model of gprgnn"},
        {NULL, "format", NULL, GPR_ERROR_FORMAT, "not a model of gprgnn"},
        {"__metadata__", NULL, NULL, GPR_ERROR_FORMAT, "not a model of gprgnn"},
        {NULL, "format_version", "\"5\"", GPR_ERROR_FORMAT,
         "format version 5: this program reads versions 1 to 4; a newer gprgnn may read it"},
        {NULL, "sha256", NULL, GPR_ERROR_FORMAT, "format version 2 without a digest (sha256)"},
        {NULL, "sha256", "\"\"", GPR_ERROR_FORMAT, "its digest (sha256) does not fit its content"},
        {NULL, "sha256", "7", GPR_ERROR_FORMAT, "its digest (sha256) does not fit its content"},
        {NULL, "format_version", NULL, GPR_ERROR_FORMAT, "lacks 'format_version'"},
        {NULL, "format_version", "1", GPR_ERROR_FORMAT, "lacks 'format_version'"},
        {NULL, "features", "\"0\"", GPR_ERROR_FORMAT, "metadata 'features' is '0'"},
        {NULL, "features", "\"many\"", GPR_ERROR_FORMAT, "metadata 'features' is 'many'"},
        {NULL, "features", "\"8\"", GPR_ERROR_MISMATCH, "weight lin1.weight is 7 x 5: its options ask for 8 x 5"},
        {NULL, "features", "\"2147483647\"", GPR_ERROR_MISMATCH, "its options ask for 2147483647 x 5"},
        {NULL, "classes", "\"-1\"", GPR_ERROR_FORMAT, "metadata 'classes' is '-1'"},
        {NULL, "classes", "\"2\"", GPR_ERROR_FORMAT, "metadata 'class_nodes' is not a list of 2 entries"},
        {NULL, "param.K", "\"x\"", GPR_ERROR_FORMAT, "metadata: K is 'x'"},
        {NULL, "param.K", "\"5\"", GPR_ERROR_MISMATCH, "weight prop1.temp is 1 x 5: its options ask for 1 x 6"},
        {NULL, "param.K", "\"9999\"", GPR_ERROR_MISMATCH, "weight prop1.temp is 1 x 5: its options ask for 1 x 10000"},
        {NULL, "param.hidden", "\"65536\"", GPR_ERROR_MISMATCH, "its options ask for 7 x 65536"},
        {NULL, "param.hidden", "\"65537\"", GPR_ERROR_FORMAT, "hidden is 65537"},
        {NULL, "param.model", "\"unheard-of\"", GPR_ERROR_FORMAT, "model 'unheard-of' is not known"},
        {"prop1.temp", NULL, NULL, GPR_ERROR_FORMAT, "lacks the weight prop1.temp"},
        {"lin1.weight", NULL, NULL, GPR_ERROR_FORMAT, "lacks the weight lin1.weight"},
        {"+", "lin3.bias", "{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}", GPR_ERROR_MISMATCH,
         "it has 6 weights: its options ask for 5"},
        {"+", "a.weight.with.a.name.that.is.far.too.long", "{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}",
         GPR_ERROR_FORMAT, "too long a name"},
        {"+", "lin3.bias", "7", GPR_ERROR_FORMAT, "weight lin3.bias has type none"},
        {"lin1.weight", "shape", "[7, 5]", GPR_ERROR_MISMATCH,
         "weight lin1.weight is 5 x 7: its options ask for 7 x 5"},
        {"lin1.weight", "shape", "[35]", GPR_ERROR_MISMATCH, "weight lin1.weight is 1 x 35"},
        {"lin1.bias", "shape", "[1, 5]", GPR_ERROR_MISMATCH, "weight lin1.bias is 5 x 1: its options ask for 1 x 5"},
        {"lin1.weight", "shape", "[5, 7, 1]", GPR_ERROR_FORMAT, "a shape of one or two axes"},
        {"lin1.weight", "shape", "[]", GPR_ERROR_FORMAT, "a shape of one or two axes"},
        {"lin1.weight", "shape", "\"5x7\"", GPR_ERROR_FORMAT, "a shape of one or two axes"},
        {"lin1.weight", "shape", NULL, GPR_ERROR_FORMAT, "a shape of one or two axes"},
        {"lin1.weight", "shape", "[5, -7]", GPR_ERROR_FORMAT, "axis 1 of its shape"},
        {"lin1.weight", "shape", "[0, 7]", GPR_ERROR_FORMAT, "axis 0 of its shape"},
        {"lin1.weight", "shape", "[5.0, 7]", GPR_ERROR_FORMAT, "axis 0 of its shape"},
        {"lin1.weight", "shape", "[4611686018427387904, 4]", GPR_ERROR_FORMAT, "lies at bytes"},
        {"lin1.weight", "shape", "[3037000500, 3037000500]", GPR_ERROR_FORMAT, "lies at bytes"},
        {"lin1.weight", "shape", "[2305843009213693952, 1]", GPR_ERROR_FORMAT, "lies at bytes"},
        {"lin1.weight", "dtype", "\"F16\"", GPR_ERROR_FORMAT, "weight lin1.weight has type F16: F32 was expected"},
        {"lin1.weight", "dtype", "32", GPR_ERROR_FORMAT, "weight lin1.weight has type none: F32 was expected"},
        {"lin1.weight", "data_offsets", "[-4, 136]", GPR_ERROR_FORMAT, "lies at bytes -4 to 136"},
        {"lin1.weight", "data_offsets", "[140, 0]", GPR_ERROR_FORMAT, "lies at bytes 140 to 0"},
        {"lin1.weight", "data_offsets", "[0, 136]", GPR_ERROR_FORMAT, "lies at bytes 0 to 136"},
        {"lin1.weight", "data_offsets", "[9223372036854775667, 9223372036854775807]", GPR_ERROR_FORMAT,
         "lies at bytes"},
        {"lin1.weight", "data_offsets", "[-9223372036854775808, 9223372036854775807]", GPR_ERROR_FORMAT,
         "lies at bytes"},
        {"lin1.weight", "data_offsets", "[0]", GPR_ERROR_FORMAT, "two data_offsets"},
        {"lin1.weight", "data_offsets", "[0, \"140\"]", GPR_ERROR_FORMAT, "lies at bytes"},
        {"lin1.weight", "data_offsets", NULL, GPR_ERROR_FORMAT, "two data_offsets"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = altered(cases[i].weight, cases[i].key, cases[i].value);
        assert_refused(ctx, path, cases[i].status, cases[i].message);
    }

    /* what must not disturb: words of versions to come, an option that this file's version did not have, another
     * program's keys */
    static const char *const harmless[][2] = {
        {"param.unheard-of", "\"7\""}, {"param.patience", NULL}, {"note", "\"mine\""}};
    for (int i = 0; i < 3; i++) {
        assert_ok(gpr_model_load(ctx, &model, altered(NULL, harmless[i][0], harmless[i][1])));
        assert_string_equal(gpri_params_text(model->params, GPRI_PARAM_PATIENCE), "200");
        gpr_model_free(model);
    }

    /* the same key twice: it is unclear which one counts */
    blob whole = read_blob(in_folder("whole"));
    char *found = strstr(whole.bytes + 8, "lin2.bias");
    assert_non_null(found);
    memcpy(found, "lin1.bias", 9);
    write_bytes(in_folder("twice"), whole.bytes, whole.size);
    assert_refused(ctx, in_folder("twice"), GPR_ERROR_FORMAT, "duplicate");
    free(whole.bytes);
    gpr_ctx_free(ctx);
}

/* What a model whose predictions use labels has beside the others: its training nodes, and how it smooths. */
static void wrong_known_labels(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    gpr_model *model;
    int32_t classes[NODES];
    training t = train(
        ctx, data,
        OPTIONS("epochs", "20", "hidden", "5", "K", "4", "split", "50/25/25", "label-counts", "yes", "smooth", "yes"));
    assert_ok(gpr_model_save(ctx, t.model, in_folder("whole")));
    assert_int_equal(strlen(t.model->known_nodes), NODES / 4); /* a digit for four nodes */
    static const struct {
        const char *key, *value, *message;
    } cases[] = {
        {"known_nodes", NULL, "lacks 'known_nodes', or it is not in hexadecimal digits"},
        {"known_nodes", "7", "lacks 'known_nodes', or it is not in hexadecimal digits"},
        {"known_nodes", "\"01234g\"", "lacks 'known_nodes', or it is not in hexadecimal digits"},
        {"known_nodes", "\"ABCDEF\"", "lacks 'known_nodes', or it is not in hexadecimal digits"},
        {"smoothing", "\"[0.5, 1]\"", "metadata 'smoothing' is not a list of 3 entries"},
        {"smoothing", "\"[0.5, 1, 0.5, 1]\"", "metadata 'smoothing' is not a list of 3 entries"},
        {"smoothing", "\"0.5 1 0.5\"", "metadata 'smoothing' is not a list of 3 entries"},
        {"smoothing", "\"[0.5, \\\"x\\\", 0.5]\"", "metadata 'smoothing': entry 1 is not a finite number"},
        {"smoothing", "\"[0.5, 1, 1e300]\"", "metadata 'smoothing': entry 2 is not a finite number"},
        {"smoothing", "7", "metadata 'smoothing' is not a list of 3 entries"},
        {"smoothing", "\"[1.5, 1, 0.5]\"", "metadata 'smoothing' is out of bounds"},
        {"smoothing", "\"[-0.1, 1, 0.5]\"", "metadata 'smoothing' is out of bounds"},
        {"smoothing", "\"[0.5, -1, 0.5]\"", "metadata 'smoothing' is out of bounds"},
        {"smoothing", "\"[0.5, 1, 2]\"", "metadata 'smoothing' is out of bounds"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(ctx, altered(NULL, cases[i].key, cases[i].value), GPR_ERROR_FORMAT, cases[i].message);
    static const char *const lengths[] = {"\"\"", "\"01234\"", "\"0123456\""};
    for (int i = 0; i < 3; i++)
        assert_refused(ctx, altered(NULL, "known_nodes", lengths[i]), GPR_ERROR_FORMAT,
                       "known.labels and metadata 'known_nodes' are not of the same number of nodes");
    /* a file of 0.2.0 has no labels: that the number of nodes is another, only a prediction can see */
    gpri_past_free(t.model->past);
    t.model->past = NULL;
    assert_ok(gpr_model_save(ctx, t.model, in_folder("whole")));
    training_free(&t);
    for (int i = 0; i < 3; i++) {
        assert_ok(gpr_model_load(ctx, &model, altered(NULL, "known_nodes", lengths[i])));
        assert_fails(gpr_predict(ctx, model, data, classes, NULL), GPR_ERROR_MISMATCH,
                     "list of training nodes is not of 24 nodes: it is damaged");
        gpr_model_free(model);
    }
    assert_ok(gpr_model_load(ctx, &model, altered(NULL, "known_nodes", "\"012345\""))); /* right, so no error */
    assert_ok(gpr_predict(ctx, model, data, classes, NULL));
    gpr_model_free(model);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The labels and ids of the training, where predictions use them. */
static void wrong_past(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    char names[NODES][16];
    const char *ids[NODES];
    for (int i = 0; i < NODES; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i);
        ids[i] = names[i];
    }
    assert_ok(gpri_names_copy(ctx, &data->node_ids, ids, NODES));
    training t =
        train(ctx, data, OPTIONS("epochs", "20", "hidden", "5", "K", "4", "split", "50/25/25", "label-counts", "yes"));
    const char *whole = in_folder("whole");
    assert_ok(gpr_model_save(ctx, t.model, whole));
    static const struct {
        const char *array, *key, *value, *message;
    } cases[] = {
        {NULL, "known_data", NULL, "'known_data' is missing or too long"},
        {NULL, "known_data", "\"0123456789012345678901234567890123456789\"", "'known_data' is missing or too long"},
        {NULL, "known_data", "7", "'known_data' is missing or too long"},
        {NULL, "param.label-counts", "\"no\"", "it has labels of its training, and uses none"},
        {NULL, "known_measure", "\"luck\"", "'known_worth' and 'known_measure' are not both"},
        {NULL, "known_measure", NULL, "'known_worth' and 'known_measure' are not both"},
        {NULL, "known_worth", NULL, "'known_worth' and 'known_measure' are not both"},
        {NULL, "known_worth", "\"[1]\"", "'known_worth' is not a list of 2 entries"},
        {NULL, "class_nodes", "\"[1,2]\"", "'class_nodes' is not a list of 3 entries"},
        {NULL, "class_nodes", "\"[1,-2,3]\"", "'class_nodes' has a number below 0"},
        {"known.labels", "dtype", "\"F32\"", "known.labels has type F32: I32 was expected"},
        {"known.ids", "dtype", "\"I64\"", "known.ids has type I64: U8 was expected"},
        {"known.labels", "shape", "[12, 2]", "known.labels has two axes"},
        {"known.labels", "shape", "[23]", "truncated or damaged"},
        {"known.labels", NULL, NULL, "known.labels and metadata 'known_nodes' are not of the same number"},
        {"known.ids", NULL, NULL, "the model file is damaged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(ctx, altered(cases[i].array, cases[i].key, cases[i].value), GPR_ERROR_FORMAT, cases[i].message);
    gpri_past *past = t.model->past;
    char *end = past->ids.bytes + past->ids.start[NODES] - 1;
    past->labels[3] = CLASSES;
    assert_ok(gpr_model_save(ctx, t.model, whole));
    assert_refused(ctx, whole, GPR_ERROR_FORMAT, "label 3 of node 3, and there are 3 classes");
    past->labels[3] = -2;
    assert_ok(gpr_model_save(ctx, t.model, whole));
    assert_refused(ctx, whole, GPR_ERROR_FORMAT, "label -2 of node 3");
    past->labels[3] = 0;
    *end = 'x';
    assert_ok(gpr_model_save(ctx, t.model, whole));
    assert_refused(ctx, whole, GPR_ERROR_FORMAT, "known.ids does not end with a NUL");
    end[0] = end[-1] = 0;
    assert_ok(gpr_model_save(ctx, t.model, whole));
    assert_refused(ctx, whole, GPR_ERROR_FORMAT, "known.ids has 25 ids, and the training 24 nodes");
    /* one node less, which the digits of known_nodes do not tell: only a prediction can see it */
    gpr_model *model;
    int32_t classes[NODES];
    gpri_names_free(ctx, &past->ids);
    past->nodes--;
    assert_ok(gpr_model_save(ctx, t.model, whole));
    assert_ok(gpr_model_load(ctx, &model, whole));
    assert_fails(gpr_predict(ctx, model, data, classes, NULL), GPR_ERROR_MISMATCH, "is not of 24 nodes: it is damaged");
    gpr_model_free(model);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A small file must not make the program allocate much memory. */
static void *modest_resize(void *user, void *block, size_t size) {
    size_t *largest = user;
    if (size > *largest) *largest = size;
    return size > (size_t)1 << 28 ? NULL : realloc(block, size);
}

static void modest_release(void *user, void *block) {
    (void)user;
    free(block);
}

static void small_file_small_memory(void **state) {
    (void)state;
    size_t largest = 0;
    gpr_ctx *ctx;
    gpr_ctx_options options = {
        .struct_size = sizeof options, .threads = 1, .allocator = {modest_resize, modest_release, &largest}};
    assert_ok(gpr_ctx_new(&ctx, &options));
    save_small(ctx, in_folder("whole"));
    safetensors s = safetensors_read(in_folder("whole"));
    enum { MANY = 70000 };
    char *data = calloc(4, MANY);
    json_t *meta = json_object_get(s.header, "__metadata__");
    json_object_set_new(meta, "features", json_string("70000"));
    json_object_set_new(meta, "param.hidden", json_string("65536"));
    json_object_set_new(s.header, "prop1.temp",
                        json_pack("{s:s, s:[i], s:[ii]}", "dtype", "F32", "shape", MANY, "data_offsets", 0, 4 * MANY));
    s.data = data;
    s.data_size = 4 * MANY;
    safetensors_write(&s, in_folder("greedy"));
    largest = 0;
    assert_refused(ctx, in_folder("greedy"), GPR_ERROR_MISMATCH, "its options ask for 70000 x 65536");
    if (largest > 4000000) fail_msg("a file of 280 kB asked for %zu bytes", largest);
    free(data);
    safetensors_free(&s);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(every_truncation, empty_folder),
                                       cmocka_unit_test_teardown(random_damage, empty_folder),
                                       cmocka_unit_test_teardown(other_files, empty_folder),
                                       cmocka_unit_test_teardown(wrong_headers, empty_folder),
                                       cmocka_unit_test_teardown(wrong_known_labels, empty_folder),
                                       cmocka_unit_test_teardown(wrong_past, empty_folder),
                                       cmocka_unit_test_teardown(small_file_small_memory, empty_folder)};
    scratch_folder(folder);
    int failed = cmocka_run_group_tests_name("model_damage", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
