/* verify/verify*.c: statuses, the callback, and a lack of memory; tests/cli/verify.sh has all kinds of files. */
#include <sys/stat.h>
#include <unistd.h>

#include "failing_memory.h"
#include "file/file.h"

static char folder[256];

static const char *in(const char *name) {
    static char joined[4][600];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(joined[turn], sizeof joined[turn], "%s/%s", folder, name);
    return joined[turn];
}

/* A run folder with a state, a graph in both formats and a text. */
static int setup(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_model *model = NULL;
    gpr_result *result = NULL;
    gpr_run_folder *run = NULL;
    gpr_csbm_options options;
    snprintf(folder, sizeof folder, "%s/verify-XXXXXX", TEST_BINARY_DIR);
    assert_non_null(mkdtemp(folder));
    gpr_csbm_options_init(&options, sizeof options);
    options.nodes = 60;
    options.features = 5;
    assert_ok(gpr_dataset_csbm(ctx, &data, &options));
    assert_ok(gpr_dataset_save(ctx, data, in("graph.npz")));
    assert_ok(gpr_dataset_save(ctx, data, in("graph.gpr")));
    assert_ok(gpr_write_file(in("edges.txt"), "0 1\n1 2\n", 8));
    assert_ok(gpr_params_new(ctx, &params));
    assert_ok(gpr_params_set(params, "epochs", "4"));
    assert_ok(gpr_run_folder_open(ctx, &run, in("run")));
    gpr_train_options more = {.struct_size = sizeof more, .save = gpr_run_folder_keep, .user = run};
    assert_ok(gpr_train_with(ctx, &model, &result, data, params, &more));
    assert_ok(gpr_run_folder_save(run, result, model, data));
    assert_int_equal(mkdir(in("run/state"), 0777), 0);
    gpr_run_folder_close(run);
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    char command[400];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

typedef struct {
    int files, bad, stop_at;
    char first[600]; /* that is not right */
} seen;

static int look(void *user, const gpr_verify_info *info) {
    seen *s = user;
    assert_int_equal(info->struct_size, sizeof *info);
    assert_true(info->path && info->kind && info->detail && *info->detail);
    if (info->verdict != GPR_VERDICT_OK && s->bad++ == 0) snprintf(s->first, sizeof s->first, "%s", info->path);
    return ++s->files == s->stop_at;
}

static void statuses(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const char *const whole[] = {"run",          "graph.npz", "graph.gpr", "edges.txt", "run/model.safetensors",
                                 "run/split.npz"};
    for (int i = 0; i < 6; i++) {
        seen s = {0};
        assert_ok(gpr_verify(ctx, in(whole[i]), look, &s));
        assert_int_equal(s.files, i == 0 ? 12 : 1);
        assert_int_equal(s.bad, 0);
        assert_ok(gpr_verify(ctx, in(whole[i]), NULL, NULL));
    }
    seen none = {0}, stopped = {.stop_at = 3}, broken = {0};
    assert_fails(gpr_verify(ctx, in("nothing"), look, &none), GPR_ERROR_NOT_FOUND, "nothing");
    assert_int_equal(none.bad, 1);
    assert_fails(gpr_verify(ctx, in("run"), look, &stopped), GPR_ERROR_STOPPED, "stopped");
    assert_int_equal(stopped.files, 3);
    assert_fails(gpr_verify(ctx, folder, NULL, NULL), GPR_ERROR_FORMAT, "nothing says");
    assert_ok(gpr_write_file(in("run/gamma.csv"), "x\n", 2));
    assert_fails(gpr_verify(ctx, in("run"), look, &broken), GPR_ERROR_FORMAT, "1 of 12 files is damaged or missing");
    assert_string_equal(broken.first, in("run/gamma.csv"));
    gpr_ctx_free(ctx);
}

static gpr_status verify_trial(gpr_ctx *ctx, void *path) {
    seen s = {0};
    gpr_status status = gpr_verify(ctx, path, look, &s);
    assert_int_equal(s.bad, 0); /* a lack of memory is no damage */
    return status;
}

static void lack_of_memory(void **state) {
    (void)state;
    const char *const names[] = {"run", "graph.npz", "graph.gpr", "edges.txt", "run/model.safetensors"};
    for (int i = 0; i < 5; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s", in(names[i]));
        fail_every_allocation(verify_trial, path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(statuses, setup, teardown),
        cmocka_unit_test_setup_teardown(lack_of_memory, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
