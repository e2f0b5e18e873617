/* Names of classes, nodes and features: in files, and how a model uses them to match other data. */
#include <math.h>

#include "data/feature_matrix.h"
#include "digest.h"
#include "failing_memory.h"
#include "file/file.h"
#include "last_warning.h"
#include "model/match.h"
#include "npz_maker.h"
#include "training.h"

enum { N = 24, F = 3 };

static const char *const classes[] = {"cat, tame", "a \"dog\"", "fish"};
static const char *const shuffled[] = {"fish", "newt", "cat, tame"};
static const char *const features[] = {"size", "home=sea", "home=land"};
static const char *const ids[N] = {"n0", "n,1", "n2", "", "Zoë"};

/* A ring; class and features of node i by i mod 3. */
static gpr_dataset *make(gpr_ctx *ctx, const char *const *class_names, const char *const *feature_names,
                         const char *const *node_ids, int64_t columns) {
    static int64_t src[N], dst[N];
    static int32_t labels[N];
    static float dense[N * 8];
    static const char *all_ids[N];
    gpr_dataset *data;
    for (int i = 0; i < N; i++) {
        src[i] = i;
        dst[i] = (i + 3) % N;
        labels[i] = i == N - 1 ? -1 : i % 3;
        for (int64_t j = 0; j < columns; j++) dense[i * columns + j] = (float)(j == i % 3) + 0.125f * (float)(i % 2);
        if (node_ids) all_ids[i] = node_ids[i] ? node_ids[i] : "more";
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "zoo",
                             .nodes = N,
                             .edges = N,
                             .src = src,
                             .dst = dst,
                             .features = columns,
                             .dense = dense,
                             .labels = labels,
                             .classes = 3,
                             .class_names = class_names,
                             .feature_names = feature_names,
                             .node_ids = node_ids ? all_ids : NULL};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    return data;
}

static training train_on(gpr_ctx *ctx, const gpr_dataset *data) {
    return train(ctx, data, OPTIONS("epochs", "20", "hidden", "4", "K", "2", "split", "50/25/25"));
}

static void check_saved(gpr_ctx *ctx, const gpr_dataset *data, const char *path) {
    gpr_dataset *again;
    assert_ok(gpr_dataset_save(ctx, data, path));
    assert_ok(gpr_dataset_open(ctx, &again, path, NULL));
    assert_true(gpri_names_equal(&again->target.names, &data->target.names));
    assert_true(gpri_names_equal(&again->node_ids, &data->node_ids));
    assert_true(gpri_names_equal(&again->feature_names, &data->feature_names));
    gpr_dataset_free(again);
}

static void test_npz(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char folder[64], path[128];
    folder_make(folder);
    snprintf(path, sizeof path, "%s/zoo.npz", folder);
    gpr_dataset *data = make(ctx, classes, features, ids, F);
    check_saved(ctx, data, path);
    gpr_dataset_free(data);
    data = make(ctx, NULL, NULL, NULL, F);
    check_saved(ctx, data, path);
    gpr_dataset_free(data);
    folder_files(folder, true);
    gpr_ctx_free(ctx);
}

/* What numpy writes: letters of 4 bytes in either order, or bytes; and what is skipped. */
static void test_npz_texts(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char folder[64], path[128];
    gpr_dataset *data;
    maker m = {0};
    const int64_t indptr[] = {0, 1, 2}, indices[] = {1, 0}, shape[] = {2, 2}, labels[] = {0, 1};
    const float attr[] = {1, 2};
    const unsigned char big[] = {0, 0, 0, 'b', 0, 0, 0, 0xfc, 0, 1, 0xf4, 0x3a, 0, 0, 0xd8, 0};
    static const struct {
        const char *descr, *shape, *data;
        size_t size;
        const char *first, *second; /* NULL: skipped */
    } cases[] = {{"|S3", "(2,)", "ab\0xyz", 6, "ab", "xyz"},
                 {"<U2", "(2,)", "a\0\0\0\0\0\0\0\xfc\0\0\0\0\0\0\0", 16, "a", "ü"},
                 {">U2", "(2,)", NULL, 16, "bü", "\xf0\x9f\x90\xba?"},
                 {"|S3", "(1,)", "abc", 3, NULL, NULL},
                 {"|S3", "(2, 1)", "abcdef", 6, NULL, NULL},
                 {"<i4", "(2,)", "\0\0\0\0\0\0\0\0", 8, NULL, NULL},
                 {"|O", "(2,)", "\0\0\0\0\0\0\0\0", 8, NULL, NULL}};
    folder_make(folder);
    snprintf(path, sizeof path, "%s/two.npz", folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_array(&m, "adj_indptr", "<i8", "(3,)", indptr, sizeof indptr);
        make_array(&m, "adj_indices", "<i8", "(2,)", indices, sizeof indices);
        make_array(&m, "adj_shape", "<i8", "(2,)", shape, sizeof shape);
        make_array(&m, "attr_matrix", "<f4", "(2, 1)", attr, sizeof attr);
        make_array(&m, "labels", "<i8", "(2,)", labels, sizeof labels);
        make_array(&m, "class_names", cases[i].descr, cases[i].shape, cases[i].data ? cases[i].data : (const char *)big,
                   cases[i].size);
        make_file(&m, path, 0);
        assert_ok(gpr_dataset_open(ctx, &data, path, NULL));
        if (cases[i].first) assert_string_equal(gpr_dataset_class_name(data, 0), cases[i].first);
        else assert_null(gpr_dataset_class_name(data, 0));
        if (cases[i].second) assert_string_equal(gpr_dataset_class_name(data, 1), cases[i].second);
        gpr_dataset_free(data);
    }
    folder_files(folder, true);
    gpr_ctx_free(ctx);
}

/* A damaged member is an error, whatever it holds: names are skipped only where they are sound. */
static void test_damaged_names(void **state) {
    (void)state;
    static const char *const members[] = {"class_names", "node_names", "attr_names"};
    const int64_t indptr[] = {0, 1, 2}, indices[] = {1, 0}, shape[] = {2, 2}, labels[] = {0, 1};
    const float attr[] = {1, 2, 3, 4};
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data;
    char folder[64], path[128];
    folder_make(folder);
    snprintf(path, sizeof path, "%s/x.npz", folder);
    for (int i = 0; i < 6; i++) {
        maker m = {0};
        const bool object = i >= 3; /* of Python: skipped if sound */
        for (int wrong = 0; wrong < 2; wrong++) {
            make_array(&m, "adj_indptr", "<i8", "(3,)", indptr, sizeof indptr);
            make_array(&m, "adj_indices", "<i8", "(2,)", indices, sizeof indices);
            make_array(&m, "adj_shape", "<i8", "(2,)", shape, sizeof shape);
            make_array(&m, "attr_matrix", "<f4", "(2, 2)", attr, sizeof attr);
            make_array(&m, "labels", "<i8", "(2,)", labels, sizeof labels);
            m.wrong_checksum = wrong;
            make_array(&m, members[i % 3], object ? "|O" : "|S4", "(2,)", "abcdefgh", 8);
            make_file(&m, path, 0);
            if (wrong) {
                assert_fails(gpr_dataset_open(ctx, &data, path, NULL), GPR_ERROR_FORMAT, "CRC");
                assert_non_null(strstr(gpr_last_error(), members[i % 3]));
            } else {
                assert_ok(gpr_dataset_open(ctx, &data, path, NULL));
                const gpri_names *names[] = {&data->target.names, &data->node_ids, &data->feature_names};
                assert_int_equal(names[i % 3]->count, object ? 0 : 2);
            }
            gpr_dataset_free(data);
        }
    }
    folder_files(folder, true);
    gpr_ctx_free(ctx);
}

/* A model keeps names and writes them to predictions. */
static void test_model(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char folder[64], path[128], *text;
    int64_t size;
    gpr_model *loaded;
    gpr_dataset *data = make(ctx, classes, features, ids, F);
    training t = train_on(ctx, data);
    folder_make(folder);
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    assert_ok(gpr_model_save(ctx, t.model, path));
    assert_ok(gpr_model_load(ctx, &loaded, path));
    for (int c = 0; c < 3; c++) {
        assert_string_equal(gpr_model_class_name(loaded, c), classes[c]);
        assert_string_equal(gpr_model_feature_name(loaded, c), features[c]);
    }
    assert_null(gpr_model_class_name(loaded, 3));
    gpr_dataset_info info = {.struct_size = sizeof info};
    assert_ok(gpr_dataset_describe(ctx, data, &info));
    assert_string_equal(gpr_model_fingerprint(loaded), info.fingerprint);

    snprintf(path, sizeof path, "%s/predictions.csv", folder);
    assert_ok(gpr_predictions_save(ctx, loaded, data, path, 1));
    assert_ok(gpri_read_whole(ctx, &text, &size, path, 1 << 20));
    const char *head = "node,class,\"p_cat, tame\",\"p_a \"\"dog\"\"\",p_fish,label,part\nn0,";
    assert_memory_equal(text, head, strlen(head));
    assert_non_null(strstr(text, "\n\"n,1\","));
    assert_non_null(strstr(text, "\n,")); /* the node whose id is empty */
    assert_non_null(strstr(text, ",\"a \"\"dog\"\"\","));
    gpri_free(ctx, text);

    const char *json;
    assert_ok(gpr_result_json(ctx, t.result, &json));
    assert_non_null(strstr(json, "\"a \\\"dog\\\"\""));
    gpr_model_free(loaded);
    training_free(&t);
    gpr_dataset_free(data);
    folder_files(folder, true);
    gpr_ctx_free(ctx);
}

/* The first `text` of the model's header becomes `other`, of the same length. */
static void change_file(gpr_ctx *ctx, const char *path, const char *text, const char *other) {
    char *bytes;
    int64_t size;
    assert_int_equal(strlen(text), strlen(other));
    assert_ok(gpri_read_whole(ctx, &bytes, &size, path, 1 << 20));
    char *at = strstr(bytes + 8, text);
    assert_non_null(at);
    memcpy(at, other, strlen(other));
    make_digest_right(bytes, (size_t)size);
    assert_ok(gpri_write_whole(path, bytes, (size_t)size));
    gpri_free(ctx, bytes);
}

static void test_bad_model(void **state) {
    (void)state;
    static const char *const plain[] = {"cat", "dog", "fish"};
    gpr_ctx *ctx = new_ctx(1);
    char folder[64], path[128];
    gpr_model *loaded;
    gpr_dataset *data = make(ctx, plain, NULL, NULL, F);
    training t = train_on(ctx, data);
    static const struct {
        const char *from, *to, *part;
    } cases[] = {{"[\\\"cat\\\",", "[        ", "class_names' is not a list of 3 entries"},
                 {"[\\\"cat\\\"", "[12345  ", "entry 0 is not a text"},
                 {"[\\\"cat", "{\\\"cat", "class_names' is not a list"},
                 {"\"[\\\"cat\\\",\\\"dog\\\",\\\"fish\\\"]\"", "17                          ", "class_names' is not"}};
    folder_make(folder);
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(gpr_model_save(ctx, t.model, path));
        change_file(ctx, path, cases[i].from, cases[i].to);
        assert_fails(gpr_model_load(ctx, &loaded, path), GPR_ERROR_FORMAT, cases[i].part);
    }
    training_free(&t);
    gpr_dataset_free(data);
    folder_files(folder, true);
    gpr_ctx_free(ctx);
}

/* data's class c is `wanted[c]` to the model. */
static void check_labels(gpr_ctx *ctx, const gpr_model *model, const char *const *names, const int32_t wanted[3]) {
    int32_t labels[N];
    gpr_dataset *data = make(ctx, names, NULL, NULL, F);
    warning[0] = 0;
    assert_ok(gpr_model_labels(ctx, model, data, labels));
    for (int i = 0; i < N - 1; i++) assert_int_equal(labels[i], wanted[i % 3]);
    assert_int_equal(labels[N - 1], -1);
    gpr_dataset_free(data);
}

static void test_classes(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    static const char *const years[] = {"1", "2", "1990"}, *const numbers[] = {"2", "0", "x"};
    gpr_dataset *data = make(ctx, classes, NULL, NULL, F);
    training t = train_on(ctx, data);
    check_labels(ctx, t.model, classes, (const int32_t[]){0, 1, 2});
    assert_string_equal(warning, "");
    check_labels(ctx, t.model, shuffled, (const int32_t[]){2, GPR_UNKNOWN_CLASS, 0});
    assert_string_equal(warning, "zoo: the model does not know the class 'newt' of 8 nodes");
    check_labels(ctx, t.model, NULL, (const int32_t[]){0, 1, 2}); /* words against numbers: by number */
    training_free(&t);
    gpr_dataset_free(data);

    data = make(ctx, years, NULL, NULL, F); /* names that are numbers */
    t = train_on(ctx, data);
    check_labels(ctx, t.model, NULL, (const int32_t[]){GPR_UNKNOWN_CLASS, 0, 1});
    training_free(&t);
    gpr_dataset_free(data);

    data = make(ctx, NULL, NULL, NULL, F); /* a model without names knows the numbers */
    t = train_on(ctx, data);
    check_labels(ctx, t.model, NULL, (const int32_t[]){0, 1, 2});
    check_labels(ctx, t.model, numbers, (const int32_t[]){2, 0, GPR_UNKNOWN_CLASS});
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The same nodes with their columns in another order, and more of them, get the same classes. */
static void test_features(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    static const char *const moved[] = {"home=sea", "home=land", "size"}, *const more[] = {"home=air", "home=sea",
                                                                                           "size"};
    static const char *const lacking[] = {"home=sea", "home=land", "weight"}, *const numeric[] = {"home", "size", "x"};
    gpr_dataset *data = make(ctx, classes, features, NULL, F), *other;
    training t = train_on(ctx, data);
    gpri_feature_matrix table;
    int32_t wanted[N], got[N];
    assert_ok(gpr_predict(ctx, t.model, data, wanted, NULL));
    warning[0] = 0;

    other = make(ctx, classes, moved, NULL, F);
    assert_ok(gpri_match_features(ctx, &table, t.model, other));
    for (int i = 0; i < N; i++) {
        const float *row = other->features.dense + i * F, *place = table.dense + i * F;
        assert_true(place[0] == row[2] && place[1] == row[0] && place[2] == row[1]);
    }
    assert_string_equal(warning, "");
    gpri_feature_matrix_free(ctx, &table);
    for (int i = 0; i < N; i++) { /* the same data in another order */
        float *row = other->features.dense + i * F, *from = data->features.dense + i * F;
        row[2] = from[0], row[0] = from[1], row[1] = from[2];
    }
    assert_ok(gpr_predict(ctx, t.model, other, got, NULL));
    assert_memory_equal(got, wanted, sizeof got);
    gpr_dataset_free(other);

    other = make(ctx, classes, more, NULL, F); /* no node has the value land */
    assert_ok(gpri_match_features(ctx, &table, t.model, other));
    assert_string_equal(warning, "zoo: 1 feature that the model does not know is left out: 'home=air'");
    assert_true(table.cols == F && table.dense[2] == 0 && table.dense[1] == other->features.dense[1]);
    gpri_feature_matrix_free(ctx, &table);
    gpr_dataset_free(other);

    other = make(ctx, classes, lacking, NULL, F);
    assert_fails(gpr_predict(ctx, t.model, other, got, NULL), GPR_ERROR_MISMATCH,
                 "zoo lacks 1 of its 3 features: 'size'");
    gpr_dataset_free(other);
    other = make(ctx, classes, numeric, NULL, F);
    assert_fails(gpr_predict(ctx, t.model, other, got, NULL), GPR_ERROR_MISMATCH,
                 "lacks 2 of its 3 features: 'home=sea', 'home=land'");
    gpr_dataset_free(other);
    other = make(ctx, classes, NULL, NULL, F); /* without names: by number */
    assert_ok(gpr_predict(ctx, t.model, other, got, NULL));
    gpr_dataset_free(other);
    other = make(ctx, classes, NULL, NULL, F + 1);
    assert_fails(gpr_predict(ctx, t.model, other, got, NULL), GPR_ERROR_MISMATCH, "trained on 3 features");
    gpr_dataset_free(other);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Sparse columns are moved to their places too. */
static void test_sparse_features(void **state) {
    (void)state;
    enum { COLUMNS = 8 };
    gpr_ctx *ctx = new_ctx(1);
    static const char *const from[COLUMNS] = {"h", "g", "f", "e", "d", "c", "x", "a"};
    static const char *const to[COLUMNS] = {"a", "b=0", "c", "d", "e", "f", "g", "h"};
    int64_t src[1] = {0}, dst[1] = {1}, indptr[] = {0, 3, 4};
    int32_t indices[] = {0, 6, 7, 5}, labels[] = {0, 1};
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .nodes = 2,
                             .edges = 1,
                             .src = src,
                             .dst = dst,
                             .features = COLUMNS,
                             .indptr = indptr,
                             .indices = indices,
                             .labels = labels};
    gpr_dataset *data;
    gpri_feature_matrix table;
    gpr_model model = {.ctx = ctx, .features = COLUMNS};
    desc.feature_names = from;
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    assert_ok(gpri_names_copy(ctx, &model.feature_names, to, COLUMNS));
    assert_fails(gpri_match_features(ctx, &table, &model, data), GPR_ERROR_MISMATCH,
                 "lacks 1 of its 8 features: 'b=0'");
    data->feature_names.bytes[12] = 'b'; /* "x" to "b": as a column that is text in the model */
    gpri_names_free(ctx, &model.feature_names);
    static const char *const plain[COLUMNS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    assert_ok(gpri_names_copy(ctx, &model.feature_names, plain, COLUMNS));
    assert_ok(gpri_match_features(ctx, &table, &model, data));
    assert_int_equal(table.nnz, 4);
    static const int32_t wanted[] = {0, 1, 7, 2};
    assert_memory_equal(table.column, wanted, sizeof wanted);
    gpri_feature_matrix_free(ctx, &table);
    gpri_names_free(ctx, &model.feature_names);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- memory ---- */

typedef struct trial {
    const gpr_model *model;
    const gpr_dataset *data;
    const char *path;
} trial;

static gpr_status try_matching(gpr_ctx *ctx, void *arg) {
    const trial *t = arg;
    int32_t labels[N];
    gpr_status status = gpr_predict(ctx, t->model, t->data, labels, NULL);
    return status == GPR_OK ? gpr_model_labels(ctx, t->model, t->data, labels) : status;
}

static gpr_status try_npz(gpr_ctx *ctx, void *arg) {
    const trial *t = arg;
    gpr_dataset *data;
    gpr_status status = gpr_dataset_save(ctx, t->data, t->path);
    if (status == GPR_OK) status = gpr_dataset_open(ctx, &data, t->path, NULL);
    if (status == GPR_OK) gpr_dataset_free(data);
    return status;
}

static gpr_status try_model(gpr_ctx *ctx, void *arg) {
    const trial *t = arg;
    gpr_model *model;
    gpr_status status = gpr_model_save(ctx, t->model, t->path);
    if (status == GPR_OK) status = gpr_model_load(ctx, &model, t->path);
    if (status == GPR_OK) gpr_model_free(model);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    static const char *const moved[] = {"home=sea", "home=land", "size"};
    char folder[64], path[128];
    gpr_dataset *data = make(ctx, classes, features, ids, F), *other = make(ctx, shuffled, moved, NULL, F);
    training t = train_on(ctx, data);
    folder_make(folder);
    snprintf(path, sizeof path, "%s/zoo.npz", folder);
    fail_every_allocation(try_matching, &(trial){t.model, other, NULL});
    fail_every_allocation(try_npz, &(trial){NULL, data, path});
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    fail_every_allocation(try_model, &(trial){t.model, NULL, path});
    training_free(&t);
    gpr_dataset_free(data);
    gpr_dataset_free(other);
    folder_files(folder, true);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_npz),      cmocka_unit_test(test_npz_texts),       cmocka_unit_test(test_damaged_names),
        cmocka_unit_test(test_model),    cmocka_unit_test(test_bad_model),       cmocka_unit_test(test_classes),
        cmocka_unit_test(test_features), cmocka_unit_test(test_sparse_features), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
