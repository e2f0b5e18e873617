/* The run folder as one thing: a kill at any moment leaves the old results or the new ones, never files of both, and
 * the next program that opens the folder completes it. Here the moments are made by hand; tests/attack kills for real.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/run_folder.h"
#include "training.h"

static char folder[64];

static const char *at(const char *name) {
    static char path[4][256];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/run%s%s", folder, *name ? "/" : "", name);
    return path[next];
}

static void put(const char *name, const char *text) {
    FILE *file = fopen(at(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void make(const char *name) { assert_int_equal(mkdir(at(name), 0777), 0); }
static bool there(const char *name) { return access(at(name), F_OK) == 0; }

static void assert_text(const char *name, const char *expected) {
    char text[64] = "";
    FILE *file = fopen(at(name), "r");
    if (!file) fail_msg("%s is missing", name);
    (void)!fgets(text, sizeof text, file);
    fclose(file);
    assert_string_equal(text, expected);
}

static int names_in(const char *name) {
    char command[512];
    int count = -1;
    snprintf(command, sizeof command, "ls -A %s | wc -l", at(name));
    FILE *list = popen(command, "r");
    assert_non_null(list);
    assert_int_equal(fscanf(list, "%d", &count), 1);
    pclose(list);
    return count;
}

static int clear(void **state) {
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s/run", folder);
    return system(command);
}

/* An old run, a training that is not finished, and files that are not ours. */
static void old_run(void) {
    make("");
    for (const char *const *name = gpri_run_files; *name; name++) put(*name, "old");
    make("state");
    put("state/run-0.safetensors", "state");
    put("state/run-12.safetensors", "state");
    put("state/command", "words");
    put("notes.txt", "mine");
    make("plots");
}

/* `moved` files of the new run are at their places already. */
static void new_run(const char *stage, int moved) {
    make(stage);
    for (int i = 0; gpri_run_files[i]; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s/%s", stage, gpri_run_files[i]);
        if (strcmp(gpri_run_files[i], "gamma.csv") == 0) continue; /* the new run has none */
        put(i < moved ? gpri_run_files[i] : name, "new");
    }
}

static void assert_all(const char *text) {
    for (const char *const *name = gpri_run_files; *name; name++) {
        if (strcmp(text, "new") == 0 && strcmp(*name, "gamma.csv") == 0) assert_false(there(*name));
        else assert_text(*name, text);
    }
    assert_text("notes.txt", "mine");
    assert_true(there("plots"));
}

static void open_once(void) {
    gpri_locked_folder locked;
    assert_ok(gpri_locked_folder_open(&locked, at("")));
    assert_false(locked.made);
    gpri_locked_folder_close(&locked);
}

static void killed_while_writing(void **state) {
    (void)state;
    old_run();
    new_run(".run-writing", 0);
    open_once();
    assert_all("old");
    assert_false(there(".run-writing"));
    assert_true(there("state/run-12.safetensors"));
    assert_int_equal(names_in(""), 15);
}

static void killed_when_decided(void **state) {
    (void)state;
    old_run();
    new_run(".run-finished", 0);
    unlink(at(GPRI_RUN_MANIFEST)); /* the first of the old files was removed */
    open_once();
    assert_all("new");
    assert_false(there("state"));
    assert_int_equal(names_in(""), 13);
}

static void killed_when_stopped(void **state) {
    (void)state;
    old_run();
    new_run(".run-stopped", 0);
    open_once();
    assert_all("new");
    assert_true(there("state/run-0.safetensors") && there("state/run-12.safetensors") && there("state/command"));
    assert_int_equal(names_in(""), 14);
}

static void killed_while_moving(void **state) {
    for (int moved = 0; moved <= 9; moved++) {
        old_run();
        for (const char *const *name = gpri_run_files; *name; name++) unlink(at(*name));
        new_run(".run-moving", moved);
        put("state/mine", "x"); /* a file that is not ours keeps its folder */
        if (moved % 2) open_once();
        else assert_ok(gpr_run_folder_repair(at("")));
        assert_all("new");
        assert_true(there("state/mine"));
        assert_int_equal(names_in(""), 14);
        clear(state);
    }
}

static void one_at_a_time(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_run_folder *first, *second;
    assert_ok(gpr_run_folder_open(ctx, &first, at("")));
    assert_fails(gpr_run_folder_open(ctx, &second, at("")), GPR_ERROR_IO, "is in use");
    assert_null(second);
    gpr_run_folder_close(first);
    assert_false(there("")); /* it was made here, and nothing is in it */
    assert_ok(gpr_run_folder_open(ctx, &second, at("")));
    put("notes.txt", "mine");
    gpr_run_folder_close(second);
    assert_true(there("notes.txt"));
    gpr_ctx_free(ctx);
}

/* Two programs that open and close a new folder in turn: it is removed and made again between. */
static void removed_meanwhile(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        gpri_locked_folder a, b;
        assert_ok(gpri_locked_folder_open(&a, at("")));
        assert_fails(gpri_locked_folder_open(&b, at("")), GPR_ERROR_IO, "is in use");
        gpri_locked_folder_close(&a);
        assert_ok(gpri_locked_folder_open(&b, at("")));
        gpri_locked_folder_close(&b);
        assert_false(there(""));
    }
}

/* From a training to a folder, whose hashes sha256sum(1) finds right; and a second one over it. */
static void saved(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 40, 12, 3);
    char command[256];
    for (int seed = 1; seed <= 2; seed++) {
        training t = train(ctx, data, OPTIONS("epochs", "4", "hidden", "2", "seed", seed == 1 ? "1" : "2"));
        gpr_run_folder *run;
        assert_ok(gpr_run_folder_open(ctx, &run, at("")));
        gpr_save_info info = {.struct_size = sizeof info, .run = 3, .bytes = "bytes", .size = 5};
        assert_int_equal(gpr_run_folder_keep(run, &info), 0);
        const gpr_state *states;
        int64_t count;
        put("state/run-x.safetensors", "not ours");
        assert_ok(gpr_run_folder_states(run, &states, &count));
        assert_int_equal(count, 1);
        assert_int_equal(states[0].size, 5);
        assert_memory_equal(states[0].bytes, "bytes", 5);
        assert_non_null(strstr(states[0].name, "run/state/run-3.safetensors"));
        assert_int_equal(unlink(at("state/run-x.safetensors")), 0);
        assert_ok(gpr_run_folder_save(run, t.result, t.model, data));
        assert_int_equal(names_in(""), 12); /* no state any more */
        assert_ok(gpr_run_folder_states(run, &states, &count));
        assert_int_equal(count, 0);
        gpr_run_folder_close(run);
        struct stat rights; /* the second run keeps the rights that the first one's file has */
        assert_int_equal(stat(at("model.safetensors"), &rights), 0);
        if (seed == 2) assert_int_equal(rights.st_mode & 0777, 0640);
        assert_int_equal(chmod(at("model.safetensors"), 0640), 0);
        snprintf(command, sizeof command,
                 "cd %s && sha256sum --quiet --strict -c run.sha256 && grep -q '\"seed\": %d' "
                 "result.json",
                 at(""), seed);
        assert_int_equal(system(command), 0);
        training_free(&t);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void discarded(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_run_folder *run;
    const gpr_state *states;
    int64_t count;
    old_run();
    assert_ok(gpr_run_folder_open(ctx, &run, at("")));
    assert_ok(gpr_run_folder_states(run, &states, &count));
    assert_int_equal(count, 2);
    assert_ok(gpr_run_folder_discard(run));
    assert_false(there("state"));
    assert_all("old");
    gpr_run_folder_close(run);
    gpr_ctx_free(ctx);
}

/* Names that only look like ours stay; temporary files of killed writers go. */
static void foreign_states(void **state) {
    (void)state;
    old_run();
    put("state/run-notes.txt", "mine");
    put("state/run-1.safetensors.old", "mine");
    put("state/run-01.safetensors", "mine");
    put("state/commands.log", "mine");
    put("state/.run-3.safetensors.1a2b3c4d.gprgnn-tmp", "half");
    put("state/.command.1a2b3c4d.gprgnn-tmp", "half");
    put("state/.notes.1a2b3c4d.gprgnn-tmp", "not ours");
    new_run(".run-finished", 0);
    open_once();
    assert_all("new");
    assert_int_equal(names_in("state"), 5);
    assert_true(there("state/run-notes.txt") && there("state/run-1.safetensors.old") && there("state/commands.log"));
    assert_true(there("state/run-01.safetensors") && there("state/.notes.1a2b3c4d.gprgnn-tmp"));
}

/* A state that cannot be read is an error, and the others stay. */
static void unreadable_state(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_run_folder *run;
    const gpr_state *states;
    int64_t count;
    old_run();
    make("state/run-9.safetensors");
    assert_ok(gpr_run_folder_open(ctx, &run, at("")));
    assert_fails(gpr_run_folder_states(run, &states, &count), GPR_ERROR_FORMAT, "run-9.safetensors");
    assert_true(!states && !count);
    gpr_run_folder_close(run);
    assert_true(there("state/run-0.safetensors") && there("state/run-12.safetensors") && there("state/command"));
    gpr_ctx_free(ctx);
}

/* The lock is of the folder, not of its name: nothing is written into another one that has taken the name. */
static void moved_away(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 40, 12, 3);
    training t = train(ctx, data, OPTIONS("epochs", "2", "hidden", "2"));
    gpr_run_folder *run;
    char away[128];
    const gpr_save_info info = {.struct_size = sizeof info, .bytes = "bytes", .size = 5};
    snprintf(away, sizeof away, "%s/away", folder);
    assert_ok(gpr_run_folder_open(ctx, &run, at("")));
    assert_int_equal(rename(at(""), away), 0);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(gpr_run_folder_keep(run, &info), GPR_ERROR_IO);
        assert_non_null(strstr(gpr_last_error(), "moved, removed or replaced"));
        assert_fails(gpr_run_folder_save(run, t.result, t.model, data), GPR_ERROR_IO, "moved, removed or replaced");
        if (!again) make(""); /* another one with that name */
    }
    assert_int_equal(names_in(""), 0);
    gpr_run_folder_close(run);
    assert_true(there("")); /* the other one, though it is empty */
    assert_int_equal(rmdir(away), 0);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void cannot_be_written(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_run_folder *run;
    char deep[5000];
    memset(deep, 'x', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    assert_fails(gpr_run_folder_open(ctx, &run, ""), GPR_ERROR_ARGUMENT, "no name");
    assert_fails(gpr_run_folder_open(ctx, &run, deep), GPR_ERROR_ARGUMENT, "too long");
    assert_fails(gpr_run_folder_open(ctx, &run, "/dev/null/x"), GPR_ERROR_IO, "/dev/null/x");
    make("");
    put("file", "x");
    assert_fails(gpr_run_folder_open(ctx, &run, at("file")), GPR_ERROR_IO, "run/file");
    assert_text("file", "x");
    gpr_ctx_free(ctx);
}

int main(void) {
#define TEST(function) cmocka_unit_test_teardown(function, clear)
    const struct CMUnitTest tests[] = {TEST(killed_while_writing),
                                       TEST(killed_when_decided),
                                       TEST(killed_when_stopped),
                                       TEST(killed_while_moving),
                                       TEST(one_at_a_time),
                                       TEST(removed_meanwhile),
                                       TEST(saved),
                                       TEST(discarded),
                                       TEST(foreign_states),
                                       TEST(unreadable_state),
                                       TEST(moved_away),
                                       TEST(cannot_be_written)};
    scratch_folder(folder);
    int failed = cmocka_run_group_tests_name("run_folder", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
