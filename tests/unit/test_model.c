/* The model file: what is saved comes back, others can read it, and whatever else is in such a file gives an error that
 * says so. `test_model make FOLDER` writes the golden files anew (see `golden`). */
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "training.h"

static char folder[64];

/* ---- files ---- */

typedef struct {
    char *bytes;
    size_t size;
} blob;

static blob read_blob(const char *path) {
    blob b = {NULL, 0};
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("cannot read %s", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    b.size = (size_t)ftell(file);
    rewind(file);
    b.bytes = malloc(b.size + 1);
    assert_int_equal(fread(b.bytes, 1, b.size, file), b.size);
    b.bytes[b.size] = 0;
    fclose(file);
    return b;
}

static void write_bytes(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static const char *in_folder(const char *name) {
    static char paths[4][384];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int files_in_folder(void) {
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; (entry = readdir(dir));) count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static int empty_folder(void **state) {
    (void)state;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.') unlink(in_folder(entry->d_name));
    closedir(dir);
    return 0;
}

/* ---- safetensors, read and written by nothing of the library ---- */

typedef struct {
    json_t *header;
    blob file;
    const char *data; /* after the header */
    size_t data_size;
} safetensors;

static safetensors safetensors_read(const char *path) {
    safetensors s = {.file = read_blob(path)};
    uint64_t length = 0;
    json_error_t error;
    assert_true(s.file.size >= 8);
    for (int i = 7; i >= 0; i--) length = length << 8 | (unsigned char)s.file.bytes[i]; /* little-endian */
    assert_true(length <= s.file.size - 8);
    s.header = json_loadb(s.file.bytes + 8, (size_t)length, JSON_REJECT_DUPLICATES, &error);
    if (!s.header) fail_msg("%s: its header is not JSON: %s", path, error.text);
    s.data = s.file.bytes + 8 + length;
    s.data_size = s.file.size - 8 - (size_t)length;
    return s;
}

static void safetensors_free(safetensors *s) {
    json_decref(s->header);
    free(s->file.bytes);
}

static void safetensors_write(const safetensors *s, const char *path) {
    char *text = json_dumps(s->header, 0);
    uint64_t length = strlen(text);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < 8; i++) fputc((int)(length >> (8 * i) & 255), file);
    fwrite(text, 1, length, file);
    fwrite(s->data, 1, s->data_size, file);
    assert_int_equal(fclose(file), 0);
    free(text);
}

/* ---- a small model ---- */

/* A ring with chords; features from 0 on, so that rows are divided by their sums. Nothing of it may ever change: the
   golden file's predictions are of these. */
enum { NODES = 24, FEATURES = 7, CLASSES = 3 };

static gpr_dataset *small_data(gpr_ctx *ctx) {
    gpr_dataset *data;
    int64_t src[2 * NODES], dst[2 * NODES];
    int32_t labels[NODES];
    float x[NODES * FEATURES];
    for (int i = 0; i < NODES; i++) {
        src[2 * i] = src[2 * i + 1] = i;
        dst[2 * i] = (i + 1) % NODES;
        dst[2 * i + 1] = (5 * i + 2) % NODES;
        labels[i] = i / 8;
        for (int j = 0; j < FEATURES; j++)
            x[i * FEATURES + j] = (float)((i * (j + 3) + j * j) % 11) / 8.0f + (j == labels[i] ? 2.0f : 0.0f);
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "small",
                             .nodes = NODES,
                             .edges = 2 * NODES,
                             .src = src,
                             .dst = dst,
                             .features = FEATURES,
                             .dense = x,
                             .labels = labels,
                             .classes = CLASSES};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    return data;
}

static training small_training(gpr_ctx *ctx, const gpr_dataset *data) {
    return train(ctx, data,
                 OPTIONS("epochs", "40", "hidden", "5", "K", "4", "lr", "0.05", "dropout", "0.1", "dprate", "0",
                         "split", "50/25/25"));
}

/* A small model file at `path`. */
static void save_small(gpr_ctx *ctx, const char *path) {
    gpr_dataset *data = small_data(ctx);
    training t = small_training(ctx, data);
    assert_ok(gpr_model_save(ctx, t.model, path));
    training_free(&t);
    gpr_dataset_free(data);
}

/* Loading must fail so, say the file's name, and give no model. */
#define assert_refused(ctx, path, status, part)                                   \
    do {                                                                          \
        gpr_model *refused_ = (gpr_model *)(ctx);                                 \
        assert_fails(gpr_model_load(ctx, &refused_, path), status, part);         \
        assert_null(refused_);                                                    \
        if (!strstr(gpr_last_error(), strrchr(path, '/') + 1))                    \
            fail_msg("the message does not name the file: %s", gpr_last_error()); \
    } while (0)

/* ---- there and back ---- */

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
    assert_int_equal(gpr_model_classes(loaded), data->classes);
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

/* ---- safetensors that others can read ---- */

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
        assert_int_equal((s.data - s.file.bytes) % 8, 0); /* aligned, as the format advises */
        check_entry(&s, "lin1.weight", tensor_of(t.model, "lin1.weight"), hidden, features, &end);
        check_entry(&s, "lin1.bias", tensor_of(t.model, "lin1.bias"), hidden, 0, &end);
        check_entry(&s, "lin2.weight", tensor_of(t.model, "lin2.weight"), 2, hidden, &end);
        check_entry(&s, "lin2.bias", tensor_of(t.model, "lin2.bias"), 2, 0, &end);
        check_entry(&s, "prop1.temp", tensor_of(t.model, "prop1.temp"), K + 1, 0, &end);
        assert_int_equal(end, s.data_size); /* no byte of the file is without an owner */
        assert_int_equal(json_object_size(s.header), 6);
        const json_t *meta = json_object_get(s.header, "__metadata__");
        json_object_foreach(json_object_get(s.header, "__metadata__"), key, value) if (!json_is_string(value))
            fail_msg("metadata '%s' is no text", key); /* the format has only these */
        assert_string_equal(json_string_value(json_object_get(meta, "format")), "gprgnn");
        assert_string_equal(json_string_value(json_object_get(meta, "format_version")), "1");
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

static void random_damage(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    gpri_stream stream = gpri_stream_of(77, GPRI_RANDOM_TEST, 0, 0);
    uint64_t draw = 0;
    int loaded = 0, refused = 0;
    save_small(ctx, in_folder("whole"));
    blob whole = read_blob(in_folder("whole"));
    for (int trial = 0; trial < 3000; trial++) {
        char *bytes = malloc(whole.size);
        int32_t classes[NODES];
        gpr_model *model;
        memcpy(bytes, whole.bytes, whole.size);
        for (int flips = trial % 3; flips >= 0; flips--) {
            uint64_t reach = trial % 5 == 0 ? 16 : whole.size; /* the length and the beginning more often */
            bytes[gpri_uniform_below(stream, draw, reach)] = (char)gpri_uniform_below(stream, draw + 1, 256);
            draw += 2;
        }
        write_bytes(in_folder("flipped"), bytes, whole.size);
        gpr_status status = gpr_model_load(ctx, &model, in_folder("flipped"));
        assert_int_equal(status == GPR_OK, model != NULL);
        if (status == GPR_OK) {
            status = gpr_predict(ctx, model, data, classes, NULL); /* numbers may be any, features may be others */
            assert_true(status == GPR_OK || status == GPR_ERROR_MISMATCH);
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
    /* braces without end */
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
        {NULL, "format_version", "\"2\"", GPR_ERROR_FORMAT,
         "format version 2: this program reads version 1; a newer gprgnn may read it"},
        {NULL, "format_version", NULL, GPR_ERROR_FORMAT, "lacks 'format_version'"},
        {NULL, "format_version", "1", GPR_ERROR_FORMAT, "lacks 'format_version'"},
        {NULL, "features", "\"0\"", GPR_ERROR_FORMAT, "metadata 'features' is '0'"},
        {NULL, "features", "\"many\"", GPR_ERROR_FORMAT, "metadata 'features' is 'many'"},
        {NULL, "features", "\"8\"", GPR_ERROR_MISMATCH, "weight lin1.weight is 7 x 5: its options ask for 8 x 5"},
        {NULL, "features", "\"2147483647\"", GPR_ERROR_MISMATCH, "its options ask for 2147483647 x 5"},
        {NULL, "classes", "\"-1\"", GPR_ERROR_FORMAT, "metadata 'classes' is '-1'"},
        {NULL, "classes", "\"2\"", GPR_ERROR_MISMATCH, "weight lin2.weight is 5 x 3: its options ask for 5 x 2"},
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

    /* the same key twice: no reader could tell which counts */
    blob whole = read_blob(in_folder("whole"));
    char *found = strstr(whole.bytes + 8, "lin2.bias");
    assert_non_null(found);
    memcpy(found, "lin1.bias", 9);
    write_bytes(in_folder("twice"), whole.bytes, whole.size);
    assert_refused(ctx, in_folder("twice"), GPR_ERROR_FORMAT, "duplicate");
    free(whole.bytes);
    gpr_ctx_free(ctx);
}

/* A small file must not make the program ask for a large memory. */
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

/* ---- other data ---- */

static void other_data(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx), *other = new_csbm(ctx, 500, FEATURES, 0.5),
                *wrong = new_csbm(ctx, 30, FEATURES + 1, 0.5);
    training t = small_training(ctx, data);
    int32_t classes[500], again[500];
    float proba[500 * CLASSES];
    /* what differs is said: both numbers, both names */
    assert_fails(gpr_predict(ctx, t.model, wrong, classes, NULL), GPR_ERROR_MISMATCH,
                 "the model does not fit the data: it was trained on 7 features (small), and csbm(phi=0.5) has 8");
    assert_fails(gpr_predictions_save(ctx, t.model, wrong, in_folder("none.csv"), 1), GPR_ERROR_MISMATCH, "7 features");
    assert_int_equal(files_in_folder(), 0);

    /* any other graph with such features will do, with more nodes and fewer classes */
    assert_ok(gpr_predict(ctx, t.model, other, classes, proba));
    assert_ok(gpr_predict(ctx, t.model, other, again, NULL)); /* either may be left out */
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

    /* a disk that is full after the first bytes, or for want of one: the old file stays, and nothing beside it */
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

/* ---- the first version's file, for ever ---- */

/* tests/golden/model_v1.safetensors is small_training's model on small_data; model_v1_predictions.csv is what it
 * predicts there, checked when it was made against the equation worked out in Python from the file's own numbers. Both
 * were written by
 *
 *     test_model make tests/golden
 *
 * at version 0.1.0, format version 1. They are not to be made again: a program that cannot read this file, or predicts
 * something else with it, has broken its users' models. */
#define GOLDEN TEST_SOURCE_DIR "/tests/golden/model_v1"

static void golden(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    gpr_model *model;
    int32_t classes[NODES];
    float proba[NODES * CLASSES];
    assert_ok(gpr_model_load(ctx, &model, GOLDEN ".safetensors"));
    assert_string_equal(gpr_model_name(model), "gprgnn");
    assert_int_equal(gpr_model_features(model), FEATURES);
    assert_int_equal(gpr_model_classes(model), CLASSES);
    assert_ok(gpr_predict(ctx, model, data, classes, proba));
    blob text = read_blob(GOLDEN "_predictions.csv");
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

static int make_golden(const char *place) {
    char path[512];
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = small_data(ctx);
    training t = small_training(ctx, data);
    snprintf(path, sizeof path, "%s/model_v1.safetensors", place);
    gpr_status status = gpr_model_save(ctx, t.model, path);
    snprintf(path, sizeof path, "%s/model_v1_predictions.csv", place);
    if (status == GPR_OK) status = gpr_predictions_save(ctx, t.model, data, path, 1);
    if (status != GPR_OK) fprintf(stderr, "%s\n", gpr_last_error());
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return status != GPR_OK;
}

int main(int count, char **words) {
    if (count == 3 && strcmp(words[1], "make") == 0) return make_golden(words[2]);
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(round_trip, empty_folder),
                                       cmocka_unit_test_teardown(valid_safetensors, empty_folder),
                                       cmocka_unit_test_teardown(names_that_are_no_text, empty_folder),
                                       cmocka_unit_test_teardown(every_truncation, empty_folder),
                                       cmocka_unit_test_teardown(random_damage, empty_folder),
                                       cmocka_unit_test_teardown(other_files, empty_folder),
                                       cmocka_unit_test_teardown(wrong_headers, empty_folder),
                                       cmocka_unit_test_teardown(small_file_small_memory, empty_folder),
                                       cmocka_unit_test_teardown(other_data, empty_folder),
                                       cmocka_unit_test_teardown(unwritable, empty_folder),
                                       cmocka_unit_test(golden)};
    scratch_folder(folder);
    int failed = cmocka_run_group_tests_name("model", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
