/* Statistics, CSV and JSON of results. */
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <unistd.h>

#include "report/report.h"
#include "support.h"

static double value_at(const void *values, int64_t i) { return ((const double *)values)[i]; }
static gpri_mean mean_of(const double *values, int64_t count) { return gpri_mean_by(value_at, values, count); }

static void test_mean(void **state) {
    (void)state;
    const double values[] = {90, NAN, 92, 94};
    gpri_mean mean = mean_of(values, 4);
    assert_true(fabs(mean.mean - 92) < 1e-12);
    assert_true(fabs(mean.sd - 2) < 1e-12);
    assert_true(fabs(mean.ci95 - 4.302653 * 2 / sqrt(3)) < 1e-5);
    mean = mean_of(values, 1);
    assert_true(mean.mean == 90 && mean.sd == 0 && mean.ci95 == 0);
    mean = mean_of(values + 1, 1);
    assert_true(isnan(mean.mean) && mean.sd == 0 && mean.ci95 == 0);
    mean = mean_of(values, 0);
    assert_true(isnan(mean.mean) && mean.sd == 0 && mean.ci95 == 0);
}

/* The half width of values with a known spread gives the quantile back. */
static void test_student_quantiles(void **state) {
    (void)state;
    static const struct {
        int freedom;
        double quantile; /* .975, from tables */
    } known[] = {{1, 12.7062}, {2, 4.3027},  {3, 3.1824},  {9, 2.2622},  {10, 2.2281},  {29, 2.0452}, {30, 2.0423},
                 {31, 2.0395}, {40, 2.0211}, {60, 2.0003}, {99, 1.9842}, {120, 1.9799}, {999, 1.9623}};
    double values[1000];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int count = known[i].freedom + 1;
        for (int j = 0; j < count; j++) values[j] = j % 7;
        gpri_mean mean = mean_of(values, count);
        assert_true(fabs(mean.ci95 / mean.sd * sqrt(count) - known[i].quantile) < 1e-3);
    }
}

static void test_shortest_decimal(void **state) {
    (void)state;
    assert_true(gpri_shortest_decimal(0.1f) == 0.1);
    assert_true(gpri_shortest_decimal(-0.30000001f) == -0.3);
    assert_true(isnan(gpri_shortest_decimal(NAN)));
    float value = 1.1754944e-38f;
    for (int i = 0; i < 2000; i++, value *= 1.0912f) {
        assert_true((float)gpri_shortest_decimal(value) == value);
        assert_true((float)gpri_shortest_decimal(-value) == -value);
    }
}

/* The text of a CSV file made by `fill`; free with gpri_free. */
static char *csv_text(gpr_ctx *ctx, void (*fill)(gpri_csv *)) {
    char path[] = "/tmp/gprgnn_csvXXXXXX", *text;
    int64_t size;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    fill(&csv);
    assert_ok(gpri_csv_close(&csv));
    assert_ok(gpri_read_whole(ctx, &text, &size, path, 1 << 24));
    unlink(path);
    return text;
}

static void fill_few(gpri_csv *csv) {
    gpri_csv_add(csv, "%d", 7);
    gpri_csv_real(csv, 0.5);
    gpri_csv_real(csv, -1.25e-20);
    gpri_csv_real(csv, NAN);
    gpri_csv_real(csv, -NAN);
    gpri_csv_add(csv, "\n");
}

static void fill_many(gpri_csv *csv) {
    for (int i = 0; i < 100000; i++) gpri_csv_add(csv, "%d\n", i);
}

static void test_csv(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char *text = csv_text(ctx, fill_few);
    assert_string_equal(text, "7,0.5,-1.25e-20,,\n");
    gpri_free(ctx, text);

    /* more than fits its buffer */
    text = csv_text(ctx, fill_many);
    char *at = text;
    for (int i = 0; i < 100000; i++, at++) assert_int_equal(strtol(at, &at, 10), i);
    assert_int_equal(*at, 0);
    gpri_free(ctx, text);

    /* a host with a decimal comma */
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        text = csv_text(ctx, fill_few);
        setlocale(LC_NUMERIC, "C");
        assert_string_equal(text, "7,0.5,-1.25e-20,,\n");
        gpri_free(ctx, text);
    }

    gpri_csv csv;
    gpri_csv_open(&csv, ctx, "/nonexistent/folder/file.csv");
    fill_many(&csv);
    assert_fails(gpri_csv_close(&csv), GPR_ERROR_IO, "/nonexistent/folder/file.csv");
    gpr_ctx_free(ctx);
}

/* A result of two runs, made by hand in arrays of the caller. */
static void make_result(gpr_ctx *ctx, gpr_result *result, gpri_run *runs, float *gamma, char *name) {
    for (int r = 0; r < 2; r++) {
        runs[r] = (gpri_run){.gamma = gamma, .gamma_initial = gamma};
        runs[r].info = (gpr_run_info){.struct_size = sizeof runs[r].info,
                                      .seed = r ? UINT64_MAX : 5,
                                      .epochs = 10 + r,
                                      .best_epoch = 4 + r,
                                      .train_accuracy = 99,
                                      .val_accuracy = NAN,
                                      .test_accuracy = 90 + 2 * r,
                                      .gamma = gamma,
                                      .gamma_count = 2};
    }
    *result = (gpr_result){.ctx = ctx, .dataset = name, .count = 2, .best = 1, .runs = runs, .threads = 3};
    assert_ok(gpr_params_new(ctx, &result->params));
    assert_ok(gpr_params_set(result->params, "lr", "0.002"));
    assert_ok(gpr_params_set(result->params, "K", "1"));
}

static double number(const json_t *tree, const char *key) { return json_number_value(json_object_get(tree, key)); }

static void test_json(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_result result;
    gpri_run runs[2];
    float gamma[2] = {0.1f, NAN};
    char name[] = "caf\xe9 \"x\""; /* Latin-1: not UTF-8 */
    const char *text, *again;
    make_result(ctx, &result, runs, gamma, name);
    assert_ok(gpr_result_json(ctx, &result, &text));
    assert_ok(gpr_result_json(ctx, &result, &again));
    assert_ptr_equal(text, again);
    json_error_t error;
    json_t *tree = json_loads(text, 0, &error);
    if (!tree) fail_msg("line %d: %s", error.line, error.text);

    assert_string_equal(json_string_value(json_object_get(tree, "dataset")), "caf? \"x\"");
    assert_true(number(tree, "epochs") == 10.5 && number(tree, "best_epoch") == 4.5);
    assert_true(number(tree, "test_accuracy") == 91);
    assert_true(fabs(number(tree, "ci95") - 12.706205) < 1e-5);
    assert_true(json_is_null(json_object_get(tree, "val_accuracy")));
    assert_true(json_is_false(json_object_get(tree, "stopped")));
    const json_t *config = json_object_get(tree, "config");
    size_t options = 0; /* of gprgnn */
    for (int i = 0; i < gpr_param_count(); i++) options += (size_t)gpr_param_applies(i, "gprgnn");
    assert_int_equal(json_object_size(config), options);
    assert_true(json_is_null(json_object_get(tree, "embedding")));
    assert_true(json_is_integer(json_object_get(config, "K")) && json_is_real(json_object_get(config, "lr")));
    assert_true(number(config, "lr") == 0.002);
    const json_t *list = json_object_get(tree, "gamma");
    assert_true(json_real_value(json_array_get(list, 0)) == 0.1 && json_is_null(json_array_get(list, 1)));
    const json_t *single = json_object_get(tree, "per_run");
    assert_int_equal(json_array_size(single), 2);
    assert_true(number(json_array_get(single, 0), "seed") == 5);
    assert_true(number(json_array_get(single, 1), "seed") > 1.8e19);
    json_decref(tree);

    /* No run, no filter. */
    gpri_free(ctx, result.json);
    result.json = NULL;
    result.count = 0;
    assert_ok(gpr_result_json(ctx, &result, &text));
    assert_non_null(strstr(text, "\"gamma\": null"));
    assert_non_null(strstr(text, "\"test_accuracy\": null"));
    gpri_free(ctx, result.json);
    gpr_params_free(result.params);

    assert_fails(gpr_result_json(ctx, NULL, &text), GPR_ERROR_ARGUMENT, "NULL");
    assert_null(text);
    assert_fails(gpr_result_save(ctx, NULL, NULL, NULL, "x"), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_predictions_save(ctx, NULL, NULL, "x", 1), GPR_ERROR_ARGUMENT, "NULL");
    gpr_ctx_free(ctx);
}

/* Fails the allocation after `left` more; negative: never. */
typedef struct {
    int left;
} rationed;

static void *rationed_resize(void *user, void *block, size_t size) {
    rationed *ration = user;
    if (ration->left == 0) return NULL;
    if (ration->left > 0) ration->left--;
    return realloc(block, size);
}

static void rationed_release(void *user, void *block) {
    (void)user;
    free(block);
}

/* Whichever allocation fails while a run folder is written: an error, no leak (the sanitizer checks), no leftover. */
static void test_save_without_memory(void **state) {
    (void)state;
    rationed ration = {-1};
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    options.allocator = (gpr_allocator){rationed_resize, rationed_release, &ration};
    gpr_ctx *ctx;
    gpr_dataset *data;
    gpr_params *params;
    gpr_model *model;
    gpr_result *result;
    char dir[64], command[256];
    const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; /* in memory: many files are synced */
    snprintf(dir, sizeof dir, "%s/gprgnn_runXXXXXX", place);
    assert_non_null(mkdtemp(dir));
    assert_ok(gpr_ctx_new(&ctx, &options));
    assert_ok(gpr_dataset_open(ctx, &data, "csbm:n=20,f=3", NULL));
    assert_ok(gpr_params_new(ctx, &params));
    assert_ok(gpr_params_set(params, "epochs", "2"));
    assert_ok(gpr_train(ctx, &model, &result, data, params));
    gpr_status status = GPR_ERROR_MEMORY;
    int allowed = 0;
    for (; status != GPR_OK && allowed < 2000; allowed++) {
        ration.left = allowed;
        status = gpr_result_save(ctx, result, model, data, dir);
        if (status != GPR_OK) assert_int_equal(status, GPR_ERROR_MEMORY);
    }
    ration.left = -1;
    assert_int_equal(status, GPR_OK);
    assert_true(allowed > 10);
    snprintf(command, sizeof command, "test $(ls -A %s | wc -l) -eq 12 && rm -r %s", dir, dir);
    assert_int_equal(system(command), 0);
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean),
        cmocka_unit_test(test_student_quantiles),
        cmocka_unit_test(test_shortest_decimal),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_save_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
