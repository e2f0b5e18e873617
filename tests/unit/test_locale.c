/* Under a locale with a comma in numbers, names, files, options and messages are those of the C locale. */
#include <locale.h>
#include <unistd.h>

#include "support.h"

static bool skipped = false;
static char folder[] = "/tmp/gprgnn_locale_XXXXXX";

static const char *in_folder(const char *which, const char *name) {
    static char paths[2][300];
    static int next = 0;
    char *path = paths[next ^= 1];
    snprintf(path, sizeof paths[0], "%s/%s/%s", folder, which, name);
    return path;
}

/* de_DE of the system, or made here from its sources. */
static bool german(void) {
    char command[400];
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1", folder);
        if (system(command) != 0 || setenv("LOCPATH", folder, 1) != 0) return false;
        if (!setlocale(LC_ALL, "de_DE.UTF-8")) return false;
    }
    char number[16];
    snprintf(number, sizeof number, "%g", 0.5);
    return strcmp(number, "0,5") == 0;
}

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int tear_down(void **state) {
    (void)state;
    char command[300];
    setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* Files of all kinds, in the folder `which`. */
static void write_all(const char *which) {
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data, *again;
    gpr_params *params;
    gpr_model *model;
    gpr_result *result;
    gpr_dataset_info info = {.struct_size = sizeof info};
    assert_ok(gpr_check_output_dir(in_folder(which, "")));
    assert_ok(gpr_dataset_open(ctx, &data, "csbm:n=60,f=10,phi=-0.25,eps=3.5", NULL));
    assert_ok(gpr_dataset_describe(ctx, data, &info));
    assert_string_equal(info.name, "csbm(phi=-0.25)");
    assert_ok(gpr_dataset_save(ctx, data, in_folder(which, "data.npz")));
    assert_ok(gpr_dataset_save(ctx, data, in_folder(which, "data.gpr")));
    assert_ok(gpr_dataset_open(ctx, &again, in_folder(which, "data.npz"), NULL));
    assert_ok(gpr_dataset_describe(ctx, again, &info));
    assert_string_equal(info.name, "csbm(phi=-0.25)");
    gpr_dataset_free(again);
    assert_ok(gpr_params_new(ctx, &params));
    assert_ok(gpr_params_set(params, "lr", "0.025"));
    assert_ok(gpr_params_set(params, "split", ".5/.25/.25"));
    assert_ok(gpr_params_set(params, "init", "0.5,0.25,0.125,0,0,0,0,0,0,0,0.125"));
    assert_ok(gpr_params_set(params, "epochs", "3"));
    assert_fails(gpr_params_set(params, "dropout", "0,5"), GPR_ERROR_ARGUMENT, "dropout is '0,5'");
    assert_fails(gpr_params_set(params, "dropout", "1.5"), GPR_ERROR_ARGUMENT, "[0, 1)");
    assert_fails(gpr_dataset_open(ctx, &again, "csbm:phi=0.25,eps=2000.5", NULL), GPR_ERROR_ARGUMENT, "phi=0.25");
    assert_ok(gpr_train(ctx, &model, &result, data, params));
    assert_ok(gpr_result_save(ctx, result, model, data, in_folder(which, "run")));
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_params_free(params);
    gpr_dataset_free(data);
    const char table[] = "id,x,y\n0,0.5,1e-1\n1,-0.25,3\n2,1,2.5\n", edges[] = "a,b,w\n0,1,0.5\n1,2,1.5\n";
    assert_ok(gpr_write_file(in_folder(which, "shop.csv"), table, sizeof table - 1));
    assert_ok(gpr_write_file(in_folder(which, "edges.csv"), edges, sizeof edges - 1));
    char nodes[300];
    snprintf(nodes, sizeof nodes, "%s", in_folder(which, "shop.csv"));
    gpr_open_options options = {
        .struct_size = sizeof options, .edges = in_folder(which, "edges.csv"), .nodes = nodes, .weight = "w"};
    assert_ok(gpr_dataset_open_with(ctx, &data, &options));
    assert_ok(gpr_dataset_save(ctx, data, in_folder(which, "tables.gpr")));
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void same_files(void **state) {
    (void)state;
    static const char *const files[] = {"data.npz",
                                        "data.gpr",
                                        "tables.gpr",
                                        "run/config.json",
                                        "run/model.safetensors",
                                        "run/history.csv",
                                        "run/gamma.csv",
                                        "run/gamma_history.csv",
                                        "run/predictions.csv"};
    write_all("plain");
    if (!german()) {
        skipped = true;
        skip_because("there is no German locale, and localedef cannot make one (Debian: locales)");
    }
    write_all("german");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char command[700];
        snprintf(command, sizeof command, "cmp '%s' '%s'", in_folder("plain", files[i]), in_folder("german", files[i]));
        if (system(command) != 0) fail_msg("%s differs under a German locale", files[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_files)};
    int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    return failed ? failed : skipped ? 77 : 0;
}
