/* For the readers of raw files: files of any bytes, what they log, and the comparison with graphs/NAME.npz. */
#ifndef TEST_RAW_DATA_H
#define TEST_RAW_DATA_H

#include <sys/stat.h>

#include "data/dataset.h"
#include "npz_maker.h"

static inline void write_bytes(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    if (size) assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *path, const char *text) { write_bytes(path, text, strlen(text)); }

/* A context, a folder, and the warnings that were logged, one after the other. */
typedef struct raw_fixture {
    gpr_ctx *ctx;
    char folder[64], path[256], warnings[2048];
} raw_fixture;

static inline void keep_warning(void *user, gpr_log_level level, const char *line) {
    raw_fixture *f = user;
    size_t used = strlen(f->warnings);
    if (level == GPR_LOG_WARNING) snprintf(f->warnings + used, sizeof f->warnings - used, "%s\n", line);
}

static inline int raw_set_up(void **state) {
    raw_fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .log = keep_warning, .user = f};
    assert_ok(gpr_ctx_new(&f->ctx, &options));
    folder_make(f->folder);
    *state = f;
    return 0;
}

static inline int raw_tear_down(void **state) {
    raw_fixture *f = *state;
    folder_files(f->folder, true);
    gpr_ctx_free(f->ctx);
    free(f);
    return 0;
}

#define RAW_TEST(name) cmocka_unit_test_setup_teardown(name, raw_set_up, raw_tear_down)

/* FOLDER/name, in a buffer that the next call overwrites. */
static inline const char *raw_path(raw_fixture *f, const char *name) {
    assert_true(snprintf(f->path, sizeof f->path, "%s/%s", f->folder, name) < (int)sizeof f->path);
    return f->path;
}

/* Every element: nodes, edges, features, labels. */
static inline void assert_same_data(const gpr_dataset *a, const gpr_dataset *b) {
    const gpri_graph *ga = &a->graph, *gb = &b->graph;
    const gpri_feature_matrix *ta = &a->features, *tb = &b->features;
    assert_int_equal(ga->nodes, gb->nodes);
    assert_int_equal(ga->arcs, gb->arcs);
    assert_memory_equal(ga->rowptr, gb->rowptr, (size_t)(ga->nodes + 1) * sizeof *ga->rowptr);
    assert_memory_equal(ga->column, gb->column, (size_t)ga->arcs * sizeof *ga->column);
    assert_true(!ga->weight && !gb->weight);
    assert_int_equal(ta->cols, tb->cols);
    assert_int_equal(ta->nnz, tb->nnz);
    assert_true(!ta->dense && !tb->dense);
    assert_memory_equal(ta->rowptr, tb->rowptr, (size_t)(ta->rows + 1) * sizeof *ta->rowptr);
    assert_memory_equal(ta->column, tb->column, (size_t)ta->nnz * sizeof *ta->column);
    assert_memory_equal(ta->value, tb->value, (size_t)ta->nnz * sizeof *ta->value);
    assert_int_equal(a->target.classes, b->target.classes);
    assert_memory_equal(a->target.labels, b->target.labels, (size_t)ga->nodes * sizeof *a->target.labels);
}

static inline const char *real_data(void) {
    return getenv("GPRGNN_DATA") ? getenv("GPRGNN_DATA") : TEST_SOURCE_DIR "/../shared/data";
}

/* Compares the files at `raw` in the data folder with graphs/NAME.npz. The dataset's name is `title`. */
static inline void compare_with_npz(raw_fixture *f, const char *raw, const char *name, const char *title) {
    char path[512];
    gpr_dataset *data, *expected;
    snprintf(path, sizeof path, "%s/graphs/%s.npz", real_data(), name);
    if (access(path, R_OK) != 0) {
        print_message("skipped: no data (%s)\n", path);
        return;
    }
    assert_ok(gpr_dataset_open(f->ctx, &expected, path, NULL));
    snprintf(path, sizeof path, "%s/%s", real_data(), raw);
    gpr_status status = gpr_dataset_open(f->ctx, &data, path, NULL);
    if (status == GPR_ERROR_NOT_FOUND) {
        print_message("skipped: no data (%s)\n", path);
    } else {
        assert_ok(status);
        assert_same_data(data, expected);
        assert_string_equal(data->name, title);
    }
    gpr_dataset_free(data);
    gpr_dataset_free(expected);
}

#endif
