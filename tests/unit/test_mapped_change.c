/* A .gpr file that changes while it is in use: no result is reported as good. And `no_map`, which makes it harmless. */
#include <fcntl.h>
#include <unistd.h>

#include "mapped_files.h"

/* ---- Changes -------------------------------------------------------------------------------------- */

static void overwrite(const char *path, int64_t offset, const void *bytes, size_t size) {
    const int fd = open(path, O_WRONLY);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, size, (off_t)offset), size);
    assert_int_equal(close(fd), 0);
}

/* The last byte of the file: padding counts too. */
static void change_byte(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    overwrite(path, info.st_size - 1, "x", 1);
}

static void set_times(const char *path, const struct stat *info) {
    const struct timespec times[] = {info->st_atim, info->st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

typedef struct {
    raw_fixture *f;
    gpr_dataset *data;
    char path[256];
} opened;

static opened open_new(raw_fixture *f, bool no_map) {
    opened it = {.f = f};
    gpr_dataset *made;
    snprintf(it.path, sizeof it.path, "%s", raw_path(f, "used.gpr"));
    assert_ok(gpr_dataset_open(f->ctx, &made, "csbm:n=200,f=30,phi=0.5", NULL));
    assert_ok(gpr_dataset_save(f->ctx, made, it.path));
    gpr_dataset_free(made);
    const gpr_open_options options = {.struct_size = sizeof options, .data = it.path, .no_map = no_map};
    assert_ok(gpr_dataset_open_with(f->ctx, &it.data, &options));
    return it;
}

static void unchanged(const opened *it) {
    assert_ok(gpri_dataset_unchanged(it->f->ctx, it->data, false));
    assert_ok(gpri_dataset_unchanged(it->f->ctx, it->data, true));
    assert_null(gpr_ctx_mapped_file(it->f->ctx, 1));
}

static void changed(opened *it, const char *part, bool shallow) {
    if (shallow) assert_fails(gpri_dataset_unchanged(it->f->ctx, it->data, false), GPR_ERROR_IO, part);
    assert_fails(gpri_dataset_unchanged(it->f->ctx, it->data, true), GPR_ERROR_IO, part);
    assert_non_null(strstr(gpr_last_error(), it->path));
    assert_non_null(strstr(gpr_last_error(), "`no-map`"));
    gpr_dataset_free(it->data);
    assert_null(gpr_ctx_mapped_file(it->f->ctx, 0));
}

static void test_kinds(void **state) {
    raw_fixture *f = *state;
    struct stat info;
    char other[256];
    opened it = open_new(f, false);
    unchanged(&it);
    assert_string_equal(gpr_ctx_mapped_file(f->ctx, 0), it.path);
    change_byte(it.path);
    assert_string_equal(gpr_ctx_mapped_file(f->ctx, 1), it.path);
    changed(&it, "changed while it was in use (it was written to)", true);

    it = open_new(f, false);
    assert_int_equal(truncate(it.path, 2000), 0);
    assert_string_equal(gpr_ctx_mapped_file(f->ctx, 1), it.path);
    changed(&it, "its size differs", true);

    it = open_new(f, false); /* with its time set back: only the bytes tell */
    assert_int_equal(stat(it.path, &info), 0);
    change_byte(it.path);
    set_times(it.path, &info);
    changed(&it, "its bytes differ", true);

    it = open_new(f, false); /* the header too */
    assert_int_equal(stat(it.path, &info), 0);
    overwrite(it.path, 100, "y", 1);
    set_times(it.path, &info);
    changed(&it, "its bytes differ", true);

    /* what does not touch the bytes is fine: another name, rights, another file in its place */
    it = open_new(f, false);
    snprintf(other, sizeof other, "%s", raw_path(f, "other.gpr"));
    assert_int_equal(link(it.path, other), 0);
    unchanged(&it);
    assert_int_equal(chmod(it.path, 0600), 0);
    unchanged(&it);
    write_text(raw_path(f, "text"), "not this one");
    assert_int_equal(rename(f->path, it.path), 0);
    unchanged(&it);
    assert_int_equal(unlink(it.path), 0);
    assert_int_equal(unlink(other), 0);
    unchanged(&it);
    gpr_dataset_free(it.data);
}

/* Several at once: the list of the context names the one that changed. */
static void test_list(void **state) {
    raw_fixture *f = *state;
    opened first = open_new(f, false);
    char away[256];
    snprintf(away, sizeof away, "%s", raw_path(f, "first.gpr"));
    assert_int_equal(rename(first.path, away), 0);
    opened second = open_new(f, false), third = open_new(f, true);
    change_byte(away);
    assert_string_equal(gpr_ctx_mapped_file(f->ctx, 1), first.path); /* its path at opening */
    gpr_dataset_free(first.data);
    assert_null(gpr_ctx_mapped_file(f->ctx, 1));
    assert_non_null(gpr_ctx_mapped_file(f->ctx, 0));
    gpr_dataset_free(third.data);
    gpr_dataset_free(second.data);
    assert_null(gpr_ctx_mapped_file(f->ctx, 0));
    assert_null(gpr_ctx_mapped_file(NULL, 0));
}

/* ---- Results -------------------------------------------------------------------------------------- */

typedef struct {
    const char *path;
    int64_t calls;
} meddler;

/* In the middle of a training somebody changes the last feature, and sets the time back. */
static int meddle(void *user, const gpr_progress *progress) {
    meddler *m = user;
    struct stat info;
    (void)progress;
    if (++m->calls != 3) return 0;
    assert_int_equal(stat(m->path, &info), 0);
    change_byte(m->path);
    set_times(m->path, &info);
    return 0;
}

static void test_training(void **state) {
    raw_fixture *f = *state;
    for (int no_map = 0; no_map < 2; no_map++) {
        opened it = open_new(f, no_map);
        meddler m = {.path = it.path};
        gpr_ctx *ctx;
        const gpr_ctx_options options = {.struct_size = sizeof options, .threads = 2, .progress = meddle, .user = &m};
        assert_ok(gpr_ctx_new(&ctx, &options));
        training t = try_training(ctx, it.data, OPTIONS("epochs", "8", "runs", "2", "hidden", "8"));
        assert_true(m.calls > 3);
        if (no_map) assert_ok(t.status);
        else assert_fails(t.status, GPR_ERROR_IO, "used.gpr changed while it was in use (its bytes differ)");
        if (no_map) training_free(&t);
        gpr_ctx_free(ctx);
        gpr_dataset_free(it.data);
    }
}

static void test_other_results(void **state) {
    raw_fixture *f = *state;
    char out[256];
    opened it = open_new(f, false);
    gpr_dataset_info info = {.struct_size = sizeof info};
    int64_t sizes[2], edges[4];
    int32_t classes[200];
    training t = train(f->ctx, it.data, OPTIONS("epochs", "3", "hidden", "4"));
    assert_ok(gpr_dataset_describe(f->ctx, it.data, &info));
    change_byte(it.path);
    assert_fails(gpr_dataset_describe(f->ctx, it.data, &info), GPR_ERROR_IO, "changed while");
    assert_fails(gpr_dataset_class_sizes(f->ctx, it.data, sizes), GPR_ERROR_IO, "changed while");
    assert_fails(gpr_dataset_class_edges(f->ctx, it.data, edges), GPR_ERROR_IO, "changed while");
    assert_fails(gpr_predict(f->ctx, t.model, it.data, classes, NULL), GPR_ERROR_IO, "changed while");
    const char *const names[] = {"saved.gpr", "saved.npz"};
    for (int i = 0; i < 2; i++) { /* nothing is left */
        snprintf(out, sizeof out, "%s", raw_path(f, names[i]));
        assert_fails(gpr_dataset_save(f->ctx, it.data, out), GPR_ERROR_IO, "changed while");
        assert_int_equal(access(out, F_OK), -1);
    }
    assert_int_equal(folder_files(f->folder, false), 1);
    training_free(&t);
    gpr_dataset_free(it.data);
}

static int meddle_with_conversion(void *user, const gpr_convert_progress *progress) {
    meddler *m = user;
    if (strcmp(progress->stage, "writing") == 0 && m->calls++ == 0) change_byte(m->path);
    return 0;
}

static void test_conversion(void **state) {
    raw_fixture *f = *state;
    char out[256];
    for (int npz = 0; npz < 2; npz++) {
        opened it = open_new(f, false);
        meddler m = {.path = it.path};
        snprintf(out, sizeof out, "%s", raw_path(f, npz ? "out.npz" : "out.gpr"));
        const gpr_open_options in = {.struct_size = sizeof in, .data = it.path};
        const gpr_convert_options how = {.struct_size = sizeof how, .progress = meddle_with_conversion, .user = &m};
        assert_fails(gpr_convert(f->ctx, NULL, &in, out, &how), GPR_ERROR_IO, "changed while");
        assert_true(m.calls > 0);
        assert_int_equal(access(out, F_OK), -1);
        gpr_dataset_free(it.data);
    }
}

/* ---- no_map --------------------------------------------------------------------------------------- */

static void test_no_map(void **state) {
    raw_fixture *f = *state;
    opened it = open_new(f, true);
    gpr_dataset *mapped;
    assert_ok(gpr_dataset_open(f->ctx, &mapped, it.path, NULL));
    assert_ok(gpri_dataset_ready(f->ctx, mapped));
    assert_ok(gpri_dataset_ready(f->ctx, it.data));
    assert_same_dataset(mapped, it.data);
    gpr_dataset_free(mapped);
    assert_null(gpr_ctx_mapped_file(f->ctx, 0));
    assert_int_equal(truncate(it.path, 0), 0);
    unchanged(&it);
    training t = train(f->ctx, it.data, OPTIONS("epochs", "3", "hidden", "4"));
    training_free(&t);
    gpr_dataset_free(it.data);

    /* the copy is what is checked */
    const gpr_open_options options = {.struct_size = sizeof options, .data = it.path, .no_map = 1};
    assert_fails(gpr_dataset_open_with(f->ctx, &it.data, &options), GPR_ERROR_FORMAT, "has 0 bytes");
    it = open_new(f, false);
    gpr_dataset_free(it.data);
    overwrite(it.path, 1024 + 8, "x", 1); /* behind the header */
    assert_ok(gpr_dataset_open_with(f->ctx, &it.data, &options));
    assert_fails(gpri_dataset_ready(f->ctx, it.data), GPR_ERROR_FORMAT, "is damaged: its checksum");
    gpr_dataset_free(it.data);
}

static gpr_status open_and_look(gpr_ctx *ctx, void *arg) {
    gpr_dataset *data;
    const gpr_open_options options = {.struct_size = sizeof options, .data = arg, .no_map = 1};
    gpr_status status = gpr_dataset_open_with(ctx, &data, &options);
    gpr_dataset_free(data);
    if (status == GPR_OK) status = gpr_dataset_open(ctx, &data, arg, NULL);
    if (status == GPR_OK) status = gpri_dataset_unchanged(ctx, data, true);
    gpr_dataset_free(data);
    return status;
}

static void test_memory(void **state) {
    opened it = open_new(*state, false);
    gpr_dataset_free(it.data);
    fail_every_allocation(open_and_look, it.path);
}

int main(void) {
    const struct CMUnitTest tests[] = {MAPPED_TEST(test_kinds),      MAPPED_TEST(test_list),
                                       MAPPED_TEST(test_training),   MAPPED_TEST(test_other_results),
                                       MAPPED_TEST(test_conversion), MAPPED_TEST(test_no_map),
                                       MAPPED_TEST(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
