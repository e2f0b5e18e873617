/* Model files for tests: bytes, safetensors read and written without the library, and a small model. */
#ifndef TEST_MODEL_FILES_H
#define TEST_MODEL_FILES_H

#include <dirent.h>
#include <jansson.h>
#include <unistd.h>

#include "digest.h"
#include "training.h"

static char folder[64];

/* ---- files ---- */

typedef struct {
    char *bytes;
    size_t size;
} blob;

static inline blob read_blob(const char *path) {
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

static inline void write_bytes(const char *path, const void *bytes, size_t size) {
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

static inline int files_in_folder(void) {
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; (entry = readdir(dir));) count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static inline int empty_folder(void **state) {
    (void)state;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.') unlink(in_folder(entry->d_name));
    closedir(dir);
    return 0;
}

/* ---- safetensors, read and written without the library ---- */

typedef struct {
    json_t *header;
    blob file;
    const char *data; /* after the header */
    size_t data_size;
} safetensors;

static inline safetensors safetensors_read(const char *path) {
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

static inline void safetensors_free(safetensors *s) {
    json_decref(s->header);
    free(s->file.bytes);
}

/* With the right digest, where the metadata has one. */
static inline void safetensors_write(const safetensors *s, const char *path) {
    char *text = json_dumps(s->header, JSON_COMPACT);
    uint64_t length = strlen(text);
    blob file = {.size = 8 + length + s->data_size};
    file.bytes = malloc(file.size + 1);
    for (int i = 0; i < 8; i++) file.bytes[i] = (char)(length >> (8 * i) & 255);
    memcpy(file.bytes + 8, text, length);
    memcpy(file.bytes + 8 + length, s->data, s->data_size);
    file.bytes[file.size] = 0;
    make_digest_right(file.bytes, file.size);
    write_bytes(path, file.bytes, file.size);
    free(file.bytes);
    free(text);
}

/* The file as gprgnn 0.1.0 wrote it: format version 1, without a digest. */
static inline void make_version_1(const char *path) {
    safetensors s = safetensors_read(path);
    json_t *meta = json_object_get(s.header, "__metadata__");
    assert_int_equal(json_object_set_new(meta, "format_version", json_string("1")), 0);
    assert_int_equal(json_object_del(meta, "sha256"), 0);
    safetensors_write(&s, path);
    safetensors_free(&s);
}

/* ---- a small model ---- */

/* A ring with chords; features from 0 on, so that rows are divided by their sums. It must never change: the
   predictions of the golden file belong to it. */
enum { NODES = 24, FEATURES = 7, CLASSES = 3 };

static inline gpr_dataset *small_data(gpr_ctx *ctx) {
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
    data->generated = true; /* nothing is chosen by the data: one plain training */
    return data;
}

static inline training small_training(gpr_ctx *ctx, const gpr_dataset *data) {
    return train(ctx, data,
                 OPTIONS("epochs", "40", "hidden", "5", "K", "4", "lr", "0.05", "dropout", "0.1", "dprate", "0",
                         "split", "50/25/25"));
}

/* A small model file at `path`. */
static inline void save_small(gpr_ctx *ctx, const char *path) {
    gpr_dataset *data = small_data(ctx);
    training t = small_training(ctx, data);
    assert_ok(gpr_model_save(ctx, t.model, path));
    training_free(&t);
    gpr_dataset_free(data);
}

/* Loading must fail with this status, name the file, and give no model. */
#define assert_refused(ctx, path, status, part)                                   \
    do {                                                                          \
        gpr_model *refused_ = (gpr_model *)(ctx);                                 \
        assert_fails(gpr_model_load(ctx, &refused_, path), status, part);         \
        assert_null(refused_);                                                    \
        if (!strstr(gpr_last_error(), strrchr(path, '/') + 1))                    \
            fail_msg("the message does not name the file: %s", gpr_last_error()); \
    } while (0)

#endif
