/* The list of datasets that can be fetched, and the calls about it that need no network. */
#include "failing_memory.h"
#include "raw_data.h"

#include "fetch/fetch.h"

static void the_list(void **state) {
    gpr_fetch_file_info file = {.struct_size = sizeof file};
    int index;
    int64_t present;
    raw_fixture *f = *state;
    assert_int_equal(gpr_fetch_count(), 11);
    for (int i = 0; i < gpr_fetch_count(); i++) {
        gpr_fetch_info info = {.struct_size = sizeof info};
        assert_ok(gpr_fetch_describe(i, &info));
        assert_ok(gpr_fetch_find(info.name, &index));
        assert_int_equal(index, i);
        assert_ok(gpr_fetch_present(f->ctx, i, f->folder, &present));
        assert_int_equal(present, 0);
        assert_true(strlen(info.source) > 10 && strlen(info.licence) > 2 && info.note);
        int64_t bytes = 0;
        for (int k = 0; k < info.files; k++) {
            assert_ok(gpr_fetch_file(i, k, &file));
            bytes += file.bytes;
            assert_true(strncmp(file.url, "https://", 8) == 0 && file.path[0] != '/' && !strstr(file.path, ".."));
            assert_true(!file.sha256 == !file.bytes);
            assert_true(!file.sha256 || strspn(file.sha256, "0123456789abcdef") == 64);
            assert_true(!file.sha256 == (file.fingerprint != NULL));
            assert_true(file.sha256 || (info.files == 1 && strspn(file.fingerprint, "0123456789abcdef") == 32));
        }
        assert_int_equal(info.bytes, bytes);
        assert_fails(gpr_fetch_file(i, (int)info.files, &file), GPR_ERROR_ARGUMENT, "it must be in [0, ");
    }
    assert_fails(gpr_fetch_find("cornel", &index), GPR_ERROR_ARGUMENT, "did you mean 'cornell'");
    assert_fails(gpr_fetch_find("xxxxxxxxxx", &index), GPR_ERROR_ARGUMENT, "there are cora, citeseer");
    assert_fails(gpr_fetch(f->ctx, NULL, "Cora", NULL), GPR_ERROR_ARGUMENT, "did you mean 'cora'");
    gpr_fetch_info info = {.struct_size = sizeof info};
    assert_fails(gpr_fetch_describe(11, &info), GPR_ERROR_ARGUMENT, "[0, 11)");
    info.struct_size = 1;
    assert_fails(gpr_fetch_describe(0, &info), GPR_ERROR_ARGUMENT, "struct_size");
    file.struct_size = 1;
    assert_fails(gpr_fetch_file(0, 0, &file), GPR_ERROR_ARGUMENT, "struct_size");
    assert_fails(gpr_fetch_present(f->ctx, -1, NULL, &present), GPR_ERROR_ARGUMENT, "index is -1");
    assert_fails(gpr_fetch_present(NULL, 0, NULL, &present), GPR_ERROR_ARGUMENT, "NULL");
}

/* How many files of the dataset are in the folder and correct. */
static int64_t count_present(raw_fixture *f, const char *name) {
    int index;
    int64_t present;
    assert_ok(gpr_fetch_find(name, &index));
    assert_ok(gpr_fetch_present(f->ctx, index, f->folder, &present));
    return present;
}

static void counts_what_is_there(void **state) {
    enum { CHAMELEON = 177840 }; /* bytes */
    char *zeros = calloc(1, CHAMELEON);
    raw_fixture *f = *state;
    write_text(raw_path(f, "computers.npz"), "no dataset");
    assert_int_equal(count_present(f, "computers"), 0);
    assert_non_null(strstr(f->warnings, "computers.npz is not correct: it is not a dataset"));
    assert_non_null(strstr(f->warnings, "`force`"));
    write_text(raw_path(f, "chameleon.npz"), "a few bytes");
    assert_int_equal(count_present(f, "chameleon"), 0);
    assert_non_null(strstr(f->warnings, "chameleon.npz is not correct: it has 11 bytes, not 177840"));
    write_bytes(raw_path(f, "chameleon.npz"), zeros, CHAMELEON);
    assert_int_equal(count_present(f, "chameleon"), 0);
    assert_non_null(strstr(f->warnings, "its SHA-256 is "));
    free(zeros);
}

static void assert_state(raw_fixture *f, const char *name, gpr_fetch_state expected, const char *part) {
    gpr_fetch_state state;
    char why[256];
    int index;
    assert_ok(gpr_fetch_find(name, &index));
    assert_ok(gpr_fetch_verify(f->ctx, index, 0, f->folder, &state, why, sizeof why));
    assert_int_equal(state, expected);
    if (part ? !strstr(why, part) : why[0] != 0) fail_msg("%s: '%s'", name, why);
    assert_ok(gpr_fetch_verify(f->ctx, index, 0, f->folder, &state, NULL, 0));
    assert_int_equal(state, expected);
}

static void verifies_a_file(void **state) {
    raw_fixture *f = *state;
    gpr_csbm_options csbm;
    gpr_dataset *data;
    gpr_fetch_state found;
    char why[8];
    assert_state(f, "photo", GPR_FETCH_MISSING, NULL);
    write_text(raw_path(f, "photo.npz"), "");
    assert_state(f, "photo", GPR_FETCH_DAMAGED, "it is empty");
    write_text(raw_path(f, "photo.npz"), "no dataset");
    assert_state(f, "photo", GPR_FETCH_DAMAGED, "it is not a dataset");
    gpr_csbm_options_init(&csbm, sizeof csbm);
    csbm.nodes = 50, csbm.features = 5;
    assert_ok(gpr_dataset_csbm(f->ctx, &data, &csbm));
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "photo.npz")));
    gpr_dataset_free(data);
    assert_state(f, "photo", GPR_FETCH_OTHER, "not d6be37681f0fd48cce41b3b8da7ba491");
    assert_int_equal(mkdir(raw_path(f, "chameleon.npz"), 0777), 0);
    assert_state(f, "chameleon", GPR_FETCH_DAMAGED, "it is not a regular file");
    assert_ok(gpr_fetch_verify(f->ctx, 4, 0, f->folder, &found, why, sizeof why)); /* cut */
    assert_string_equal(why, "its fin");
    assert_fails(gpr_fetch_verify(f->ctx, 4, 1, f->folder, &found, NULL, 0), GPR_ERROR_ARGUMENT, "file is 1");
    assert_fails(gpr_fetch_verify(f->ctx, 11, 0, f->folder, &found, NULL, 0), GPR_ERROR_ARGUMENT, "index is 11");
    assert_fails(gpr_fetch_verify(f->ctx, 4, 0, f->folder, NULL, NULL, 0), GPR_ERROR_ARGUMENT, "NULL");
}

static void wrong_options(void **state) {
    static const struct {
        int retries, timeout;
        double pause;
        const char *mirror, *part;
    } cases[] = {{-1, 1, 1, NULL, "retries is -1"},
                 {101, 1, 1, NULL, "[0, 100]"},
                 {0, 0, 1, NULL, "timeout is 0"},
                 {0, 1, -1, NULL, "pause is -1"},
                 {0, 1, 1, "ftp://host/", "mirror is 'ftp://host/'"},
                 {0, 1, 1, "", "http:// or https://"}};
    gpr_fetch_result result = {.struct_size = 3};
    raw_fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpr_fetch_options options = {.struct_size = sizeof options,
                                     .data_dir = f->folder,
                                     .retries = cases[i].retries,
                                     .timeout = cases[i].timeout,
                                     .pause = cases[i].pause,
                                     .mirror = cases[i].mirror};
        assert_fails(gpr_fetch(f->ctx, NULL, "cora", &options), GPR_ERROR_ARGUMENT, cases[i].part);
    }
    gpr_fetch_options options;
    gpr_fetch_options_init(&options, sizeof options);
    options.max_time = -1;
    assert_fails(gpr_fetch(f->ctx, NULL, "cora", &options), GPR_ERROR_ARGUMENT, "max-time is -1");
    options.struct_size = 8;
    assert_fails(gpr_fetch(f->ctx, NULL, "cora", &options), GPR_ERROR_ARGUMENT, "struct_size");
    assert_fails(gpr_fetch(f->ctx, &result, "cora", NULL), GPR_ERROR_ARGUMENT, "struct_size");
    assert_fails(gpr_fetch(NULL, NULL, "cora", NULL), GPR_ERROR_ARGUMENT, "NULL");
}

static void folders(void **state) {
    char folder[64];
    raw_fixture *f = *state;
    setenv("XDG_CACHE_HOME", "/x", 1);
    assert_ok(gpr_fetch_folder(f->ctx, folder, sizeof folder, NULL));
    assert_string_equal(folder, "/x/gprgnn");
    assert_ok(gpr_fetch_folder(f->ctx, folder, sizeof folder, "own"));
    assert_string_equal(folder, "own");
    assert_fails(gpr_fetch_folder(f->ctx, folder, 9, NULL), GPR_ERROR_ARGUMENT, "no more than 8 fit");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "/h", 1);
    assert_ok(gpr_fetch_folder(f->ctx, folder, sizeof folder, NULL));
    assert_string_equal(folder, "/h/.cache/gprgnn");
    unsetenv("HOME");
    assert_fails(gpr_fetch_folder(f->ctx, folder, sizeof folder, NULL), GPR_ERROR_ARGUMENT, "`data-dir`");
    assert_fails(gpr_fetch(f->ctx, NULL, "cora", NULL), GPR_ERROR_ARGUMENT, "`data-dir`");
    setenv("HOME", "/nonexistent", 1);
}

static gpr_status present_trial(gpr_ctx *ctx, void *arg) {
    char folder[256];
    int64_t present;
    (void)arg;
    gpr_status status = gpr_fetch_present(ctx, 0, NULL, &present);
    return status == GPR_OK ? gpr_fetch_folder(ctx, folder, sizeof folder, NULL) : status;
}

static void memory_fails(void **state) {
    (void)state;
    fail_every_allocation(present_trial, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {RAW_TEST(the_list),        RAW_TEST(counts_what_is_there),
                                       RAW_TEST(verifies_a_file), RAW_TEST(wrong_options),
                                       RAW_TEST(folders),         RAW_TEST(memory_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
