/* file/file.c: files are written whole or not at all, whatever fails; files without a name. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "few_blocks.h"
#include "file/file.h"
#include "support.h"

/* The fixture: its own folder, and a context whose allocations can be made to fail. */
typedef struct {
    gpr_ctx *ctx;
    char folder[256], path[300];
} fixture;

static int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    gpr_ctx_options options = {
        .struct_size = sizeof options, .threads = 1, .allocator = {few_resize, few_release, NULL}};
    blocks_left = 1 << 30;
    assert_non_null(f);
    assert_ok(gpr_ctx_new(&f->ctx, &options));
    snprintf(f->folder, sizeof f->folder, "%s/file-XXXXXX", TEST_BINARY_DIR);
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/result.txt", f->folder);
    *state = f;
    return 0;
}

/* How many files the folder holds; removes them if asked. */
static int files_in(const fixture *f, bool remove_them) {
    int count = 0;
    DIR *folder = opendir(f->folder);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[600];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        count++;
        snprintf(name, sizeof name, "%s/%s", f->folder, entry->d_name);
        if (remove_them) assert_int_equal(remove(name), 0);
    }
    closedir(folder);
    return count;
}

static int teardown(void **state) {
    fixture *f = *state;
    files_in(f, true);
    assert_int_equal(rmdir(f->folder), 0);
    gpr_ctx_free(f->ctx);
    free(f);
    return 0;
}

static void assert_holds(const fixture *f, const char *text) {
    char *bytes;
    int64_t size;
    assert_ok(gpri_read_whole(f->ctx, &bytes, &size, f->path, 1 << 20));
    assert_int_equal(size, strlen(text));
    assert_string_equal(bytes, text);
    gpri_free(f->ctx, bytes);
}

static void writes_and_replaces(void **state) {
    fixture *f = *state;
    assert_ok(gpri_write_whole(f->path, "one", 3));
    assert_holds(f, "one");
    assert_ok(gpri_write_whole(f->path, "the second", 10));
    assert_holds(f, "the second");
    assert_ok(gpr_write_file(f->path, "", 0));
    assert_holds(f, "");
    assert_ok(gpr_write_file(f->path, NULL, 0));
    assert_int_equal(files_in(f, false), 1);
}

static void has_usual_rights(void **state) {
    fixture *f = *state;
    struct stat info;
    mode_t mask = umask(027);
    assert_ok(gpr_write_file(f->path, "x", 1));
    umask(mask);
    assert_int_equal(stat(f->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

/* A name without a folder: in the current folder. */
static void writes_here(void **state) {
    fixture *f = *state;
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(f->folder), 0);
    gpr_status status = gpr_write_file("result.txt", "here", 4);
    assert_int_equal(chdir(before), 0);
    assert_ok(status);
    assert_holds(f, "here");
}

static void nothing_before_commit(void **state) {
    fixture *f = *state;
    gpri_output out;
    assert_ok(gpri_output_open(&out, f->path));
    assert_ok(gpri_output_write(&out, "half", 4));
    assert_int_equal(access(f->path, F_OK), -1);
    gpri_output_abandon(&out);
    assert_int_equal(files_in(f, false), 0);
    gpri_output_abandon(&out); /* again: harmless */
    gpri_output nothing = {0};
    gpri_output_abandon(&nothing);
    assert_ok(gpri_output_open(&out, f->path));
    assert_ok(gpri_output_write(&out, "who", 3));
    assert_ok(gpri_output_write(&out, "le", 2));
    assert_ok(gpri_output_commit(&out));
    gpri_output_abandon(&out);
    assert_holds(f, "whole");
}

/* A limit on the size of files simulates a disk that becomes full half way. */
static void old_file_survives_full_disk(void **state) {
    fixture *f = *state;
    enum { SIZE = 1 << 20 };
    char *bytes = calloc(1, SIZE);
    assert_non_null(bytes);
    assert_ok(gpri_write_whole(f->path, "old", 3));
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 10000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    gpr_status status = gpri_write_whole(f->path, bytes, SIZE);
    gpr_status simple = gpr_write_file(f->path, bytes, SIZE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, GPR_ERROR_IO);
    assert_fails(simple, GPR_ERROR_IO, f->path);
    assert_holds(f, "old");
    assert_int_equal(files_in(f, false), 1);
    free(bytes);
}

/* The temporary file is on a full device: the message has the system's text. */
static void full_device_is_reported(void **state) {
    fixture *f = *state;
    gpri_output out;
    int full = open("/dev/full", O_WRONLY);
    if (full < 0) skip_because("there is no /dev/full");
    assert_ok(gpri_write_whole(f->path, "old", 3));
    assert_ok(gpri_output_open(&out, f->path));
    assert_int_equal(dup2(full, out.fd), out.fd);
    close(full);
    assert_fails(gpri_output_write(&out, "new", 3), GPR_ERROR_IO, strerror(ENOSPC));
    gpri_output_abandon(&out);
    assert_holds(f, "old");
    assert_int_equal(files_in(f, false), 1);
}

/* The rename fails: the temporary file is gone, the status is an error. */
static void failed_commit_leaves_nothing(void **state) {
    fixture *f = *state;
    gpri_output out;
    assert_ok(gpri_output_open(&out, f->path));
    assert_ok(gpri_output_write(&out, "x", 1));
    assert_int_equal(mkdir(f->path, 0777), 0); /* someone was faster */
    assert_fails(gpri_output_commit(&out), GPR_ERROR_IO, f->path);
    assert_int_equal(files_in(f, false), 1);
}

/* Root may write everywhere, so this test does not use permissions. */
static void refuses_impossible_places(void **state) {
    fixture *f = *state;
    char inside[400];
    assert_ok(gpri_write_whole(f->path, "old", 3));
    snprintf(inside, sizeof inside, "%s/below.txt", f->path); /* through a file */
    assert_fails(gpr_write_file(inside, "x", 1), GPR_ERROR_IO, inside);
    snprintf(inside, sizeof inside, "%s/missing/below.txt", f->folder);
    assert_fails(gpr_write_file(inside, "x", 1), GPR_ERROR_IO, inside);
    assert_fails(gpr_write_file(f->folder, "x", 1), GPR_ERROR_IO, "folder");
    assert_fails(gpr_write_file("", "x", 1), GPR_ERROR_IO, "");
    assert_fails(gpr_write_file(NULL, "x", 1), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_write_file(f->path, NULL, 1), GPR_ERROR_ARGUMENT, "NULL");
    assert_holds(f, "old");
    assert_int_equal(files_in(f, false), 1);
}

/* /dev/null must not become a file. A named pipe is used instead of it here. */
static void never_replaces_a_device(void **state) {
    fixture *f = *state;
    struct stat info;
    assert_int_equal(mkfifo(f->path, 0666), 0);
    assert_fails(gpr_write_file(f->path, "x", 1), GPR_ERROR_IO, "not a regular file");
    assert_int_equal(stat(f->path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    assert_int_equal(files_in(f, false), 1);
}

static void reads(void **state) {
    fixture *f = *state;
    char *bytes = f->folder;
    int64_t size = 7;
    assert_fails(gpri_read_whole(f->ctx, &bytes, &size, f->path, 100), GPR_ERROR_NOT_FOUND, f->path);
    assert_null(bytes);
    assert_int_equal(size, 0);
    assert_ok(gpri_write_whole(f->path, "a\0b", 3));
    assert_ok(gpri_read_whole(f->ctx, &bytes, &size, f->path, 3));
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "a\0b", 4);
    gpri_free(f->ctx, bytes);
    assert_fails(gpri_read_whole(f->ctx, &bytes, &size, f->path, 2), GPR_ERROR_FORMAT, "3 bytes");
    assert_null(bytes);
    assert_fails(gpri_read_whole(f->ctx, &bytes, &size, f->folder, 2), GPR_ERROR_FORMAT, "folder");
    assert_int_equal(remove(f->path), 0);
    assert_int_equal(mkfifo(f->path, 0666), 0);
    alarm(20); /* a pipe without a writer must not block */
    assert_fails(gpri_read_whole(f->ctx, &bytes, &size, f->path, 100), GPR_ERROR_FORMAT, "not a regular file");
    alarm(0);
}

static void survives_lack_of_memory(void **state) {
    fixture *f = *state;
    char *bytes;
    int64_t size;
    blocks_left = 0;
    assert_ok(gpri_write_whole(f->path, "old", 3)); /* what is in memory can be saved without more of it */
    assert_fails(gpri_read_whole(f->ctx, &bytes, &size, f->path, 100), GPR_ERROR_MEMORY, "memory");
    assert_null(bytes);
    blocks_left = 1 << 30;
}

static void refuses_too_long_a_path(void **state) {
    fixture *f = *state;
    char path[5000];
    memset(path, 'x', sizeof path);
    memcpy(path, f->folder, strlen(f->folder));
    path[strlen(f->folder)] = '/';
    for (size_t size = 4070; size < sizeof path; size += 9) {
        path[size] = 0;
        assert_fails(gpri_write_whole(path, "x", 1), GPR_ERROR_IO, "cannot write");
        path[size] = 'x';
    }
    assert_int_equal(files_in(f, false), 0);
}

static void checks_output_folder(void **state) {
    fixture *f = *state;
    char path[400];
    assert_ok(gpr_check_output_dir(f->folder));
    assert_int_equal(files_in(f, false), 0);
    assert_ok(gpr_check_output_dir(f->path)); /* is created */
    char deep[400];
    snprintf(deep, sizeof deep, "%s/a/b", f->path);
    assert_ok(gpr_check_output_dir(deep)); /* with its parents */
    assert_int_equal(rmdir(deep), 0);
    snprintf(deep, sizeof deep, "%s/a", f->path);
    assert_int_equal(rmdir(deep), 0);
    struct stat info;
    assert_int_equal(stat(f->path, &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    assert_int_equal(rmdir(f->path), 0);
    assert_ok(gpri_write_whole(f->path, "old", 3));
    assert_fails(gpr_check_output_dir(f->path), GPR_ERROR_IO, f->path); /* a file */
    snprintf(path, sizeof path, "%s/below", f->path);
    assert_fails(gpr_check_output_dir(path), GPR_ERROR_IO, path);
    assert_fails(gpr_check_output_dir(""), GPR_ERROR_ARGUMENT, "name");
    assert_fails(gpr_check_output_dir(NULL), GPR_ERROR_ARGUMENT, "name");
    assert_holds(f, "old");
}

static void *write_many(void *arg) {
    const fixture *f = arg;
    intptr_t failures = 0;
    char bytes[5000];
    memset(bytes, 'x', sizeof bytes);
    for (int i = 0; i < 20; i++) failures += gpr_write_file(f->path, bytes, sizeof bytes) != GPR_OK;
    return (void *)failures;
}

/* Two writers of one file: a reader always sees a whole one. */
static void writers_do_not_mix(void **state) {
    fixture *f = *state;
    pthread_t writers[2];
    assert_ok(gpri_write_whole(f->path, "old", 3));
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&writers[i], NULL, write_many, f), 0);
    for (int i = 0; i < 100; i++) {
        char *bytes;
        int64_t size;
        assert_ok(gpri_read_whole(f->ctx, &bytes, &size, f->path, 5000));
        assert_true(size == 3 || size == 5000);
        gpri_free(f->ctx, bytes);
    }
    for (int i = 0; i < 2; i++) {
        void *failures;
        assert_int_equal(pthread_join(writers[i], &failures), 0);
        assert_null(failures);
    }
    assert_int_equal(files_in(f, false), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* Files without a name: what was written can be read, the folder stays empty, and reading more is an error. */
static void scratch_has_no_name(void **state) {
    fixture *f = *state;
    char bytes[8];
    gpri_scratch scratch;
    assert_ok(gpri_scratch_open(&scratch, f->path));
    assert_int_equal(files_in(f, false), 0);
    assert_ok(gpri_scratch_write(&scratch, "world", 5, 100));
    assert_ok(gpri_scratch_write(&scratch, "hello", 5, 0));
    assert_ok(gpri_scratch_read(&scratch, bytes, 5, 100));
    assert_memory_equal(bytes, "world", 5);
    assert_ok(gpri_scratch_read(&scratch, bytes, 5, 0));
    assert_memory_equal(bytes, "hello", 5);
    assert_ok(gpri_scratch_read(&scratch, bytes, 0, 500));
    assert_fails(gpri_scratch_read(&scratch, bytes, 6, 100), GPR_ERROR_IO, "cut short");
    gpri_scratch_close(&scratch);
    gpri_scratch_close(&scratch);
    assert_fails(gpri_scratch_open(&scratch, "/none/out"), GPR_ERROR_IO, "/none/out");
    gpri_scratch_close(&scratch);
}

/* Bytes written at given positions, and bytes appended; all can be read. */
static void writes_at_places(void **state) {
    fixture *f = *state;
    char bytes[4], *whole;
    int64_t size;
    gpri_output out;
    assert_ok(gpri_output_open(&out, f->path));
    assert_ok(gpri_output_write(&out, "ab", 2));
    assert_ok(gpri_output_write_at(&out, "yz", 2, 6));
    assert_ok(gpri_output_write(&out, "cd", 2));
    assert_ok(gpri_output_write_at(&out, "A", 1, 0));
    assert_ok(gpri_output_read(&out, bytes, 4, 0));
    assert_memory_equal(bytes, "Abcd", 4);
    assert_fails(gpri_output_read(&out, bytes, 4, 6), GPR_ERROR_IO, "cut short");
    assert_ok(gpri_output_commit(&out));
    assert_ok(gpri_read_whole(f->ctx, &whole, &size, f->path, 100));
    assert_int_equal(size, 8);
    assert_memory_equal(whole, "Abcd\0\0yz", 8);
    gpri_free(f->ctx, whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(writes_and_replaces),
        TEST(has_usual_rights),
        TEST(writes_here),
        TEST(nothing_before_commit),
        TEST(old_file_survives_full_disk),
        TEST(full_device_is_reported),
        TEST(failed_commit_leaves_nothing),
        TEST(refuses_impossible_places),
        TEST(never_replaces_a_device),
        TEST(reads),
        TEST(survives_lack_of_memory),
        TEST(refuses_too_long_a_path),
        TEST(checks_output_folder),
        TEST(writers_do_not_mix),
        TEST(scratch_has_no_name),
        TEST(writes_at_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
