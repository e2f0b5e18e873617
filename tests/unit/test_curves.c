/* data/scale/curves.h: skewed columns made normal; and models that keep the curves, through every door. */
#include <math.h>

#include "base/random.h"
#include "data/feature_matrix.h"
#include "data/scale/scaling.h"
#include "failing_memory.h"
#include "model_files.h"
#include "training.h"

enum { N = 600, COLS = 7 };

static double chance(int i, int j) {
    return gpri_uniform(gpri_random_of(7, GPRI_RANDOM_TEST, 0, (uint32_t)j), (uint64_t)i);
}

/* lognormal views; nearly normal; its mirror image skewed; money of whom one in ten has any; 0 and 1; few values;
   exponential and negative */
static float cell(int i, int j) {
    const double normal = chance(i, 10 + j) + chance(i, 20 + j) + chance(i, 30 + j) + chance(i, 40 + j) - 2;
    switch (j) {
    case 0: return (float)exp(5 * normal + 6);
    case 1: return (float)(normal + 3);
    case 2: return (float)-exp(4 * normal);
    case 3: return chance(i, j) < 0.1 ? (float)(1 + (int)(1000 * chance(i, 50))) : 0;
    case 4: return chance(i, j) < 0.1 ? 1 : 0;
    case 5: return (float)(chance(i, j) < 0.97 ? 0 : 1 + (int)(5 * chance(i, 51)));
    default: return (float)(5 + 40 * normal);
    }
}

static gpri_feature_matrix make(gpr_ctx *ctx, bool dense) {
    gpri_feature_matrix out = {.rows = N, .cols = COLS};
    static float values[N * COLS];
    static int64_t indptr[N + 1];
    static int32_t column[N * COLS];
    static float stored[N * COLS];
    int64_t end = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < COLS; j++) {
            values[i * COLS + j] = cell(i, j);
            if (values[i * COLS + j] == 0) continue;
            column[end] = j;
            stored[end++] = values[i * COLS + j];
        }
        indptr[i + 1] = end;
    }
    if (dense) out.dense = values;
    else assert_ok(gpri_feature_matrix_from_csr(ctx, &out, N, COLS, indptr, column, stored));
    return out;
}

static double at(const gpri_feature_matrix *x, int64_t i, int64_t j) {
    if (x->dense) return (double)x->dense[i * x->cols + j];
    for (int64_t k = x->rowptr[i]; k < x->rowptr[i + 1]; k++)
        if (x->column[k] == j) return (double)x->value[k];
    return 0;
}

static void test_columns(void **state) {
    static const bool bent[COLS] = {true, false, true, true, false, false, false};
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_feature_matrix tables[2] = {make(ctx, true), make(ctx, false)}, scaled[2];
    gpri_scaling scaling[2];
    for (int s = 0; s < 2; s++) {
        assert_ok(gpri_scaling_measure(ctx, &scaling[s], &tables[s], true));
        assert_ok(gpri_scaling_apply(ctx, &scaled[s], &tables[s], &scaling[s]));
    }
    assert_null(scaled[1].dense);
    const gpri_curves *curves = &scaling[0].curves, *other = &scaling[1].curves;
    assert_true(gpri_curves_are_right(curves));
    assert_memory_equal(curves->first, other->first, (COLS + 1) * sizeof *curves->first);
    assert_memory_equal(curves->from, other->from, (size_t)curves->first[COLS] * sizeof *curves->from);
    assert_memory_equal(curves->to, other->to, (size_t)curves->first[COLS] * sizeof *curves->to);
    for (int j = 0; j < COLS; j++) {
        double sum = 0, squares = 0, cubes = 0;
        assert_int_equal(gpri_has_curve(curves, j), bent[j]);
        for (int i = 0; i < N; i++) {
            const double x = at(&scaled[0], i, j);
            assert_float_equal(x, at(&scaled[1], i, j), 1e-5);
            for (int k = 0; bent[j] && k < i; k++) /* the order stays */
                assert_true((cell(k, j) < cell(i, j)) <= (at(&scaled[0], k, j) <= x));
            sum += x / N, squares += x * x / N, cubes += x * x * x / N;
        }
        if (j == 4) continue; /* 0 and 1 stay */
        assert_float_equal(sum, 0, 1e-5);
        assert_float_equal(squares, 1, 1e-4);
        if (j == 0 || j == 2) assert_float_equal(cubes, 0, 0.1); /* no skew is left */
    }
    assert_true(gpri_curve_value(curves, 0, 1e30F) == curves->to[curves->first[1] - 1]);
    assert_true(gpri_curve_value(curves, 0, -1e30F) == curves->to[0]);
    for (int64_t k = 0; k < curves->first[1]; k++)
        assert_float_equal(gpri_curve_origin(curves, 0, curves->to[k]), curves->from[k],
                           1e-6 * (double)curves->from[k]);
    assert_float_equal(curves->to[0], -3.14, 0.01); /* the quantile of 1 / 1200 */
    for (int s = 0; s < 2; s++) {
        gpri_feature_matrix_free(ctx, &scaled[s]);
        gpri_scaling_free(ctx, &scaling[s]);
    }
    gpri_feature_matrix_free(ctx, &tables[1]);
    gpr_ctx_free(ctx);
}

/* Of more rows than the sample has, and of nearly none. */
static void test_sizes(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    static float values[25000];
    for (int64_t rows = 1; rows <= 25000; rows = rows < 12 ? rows + 1 : rows * 3) {
        gpri_feature_matrix x = {.rows = rows, .cols = 1, .dense = values}, out;
        gpri_scaling scaling;
        for (int64_t i = 0; i < rows; i++) values[i] = expf(20 * (float)i / (float)rows);
        assert_ok(gpri_scaling_measure(ctx, &scaling, &x, true));
        assert_int_equal(scaling.curves.first != NULL, rows >= 10);
        assert_ok(gpri_scaling_apply(ctx, &out, &x, &scaling));
        for (int64_t i = 0; i < rows; i++) assert_true(isfinite(out.dense[i]));
        gpri_feature_matrix_free(ctx, &out);
        gpri_scaling_free(ctx, &scaling);
    }
    gpr_ctx_free(ctx);
}

static gpr_dataset *dataset(gpr_ctx *ctx) {
    static float x[2 * N];
    static int32_t labels[N];
    int64_t src[N], dst[N];
    gpr_dataset *data;
    for (int i = 0; i < N; i++) {
        x[2 * i] = cell(i, 0), x[2 * i + 1] = cell(i, 1);
        labels[i] = cell(i, 0) > 400;
        src[i] = i, dst[i] = (i + 7) % N;
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .nodes = N,
                             .edges = N,
                             .src = src,
                             .dst = dst,
                             .features = 2,
                             .dense = x,
                             .labels = labels,
                             .classes = 2};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    return data;
}

static void damaged(gpr_ctx *ctx, const char *path, const char *key, const char *value) {
    const char *other = in_folder("damaged");
    gpr_model *model;
    safetensors s = safetensors_read(path);
    json_t *meta = json_object_get(s.header, "__metadata__");
    if (value) json_object_set_new(meta, key, json_string(value));
    else json_object_del(meta, key);
    safetensors_write(&s, other);
    safetensors_free(&s);
    assert_fails(gpr_model_load(ctx, &model, other), GPR_ERROR_FORMAT, "metadata");
}

static void test_model(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const char *path = in_folder("model");
    gpr_dataset *data = dataset(ctx);
    const char *const *options = OPTIONS("epochs", "60", "hidden", "8", "K", "2", "split", "50/25/25");
    training t = train(ctx, data, options),
             named =
                 train(ctx, data,
                       OPTIONS("epochs", "60", "hidden", "8", "K", "2", "split", "50/25/25", "normalize", "normal")),
             plain =
                 train(ctx, data,
                       OPTIONS("epochs", "60", "hidden", "8", "K", "2", "split", "50/25/25", "normalize", "column"));
    assert_same_model("asked for by name", t.model, named.model);
    assert_true(gpri_has_curve(&t.model->scaling.curves, 0) && !gpri_has_curve(&t.model->scaling.curves, 1));
    assert_null(plain.model->scaling.curves.first);
    assert_ok(gpr_model_save(ctx, plain.model, path));
    safetensors s = safetensors_read(path);
    const json_t *version = json_object_get(json_object_get(s.header, "__metadata__"), "format_version");
    assert_true(strcmp(json_string_value(version), "4") < 0); /* nothing that earlier programs do not know */
    safetensors_free(&s);

    gpr_model *loaded;
    int32_t wanted[N], got[N];
    assert_ok(gpr_model_save(ctx, t.model, path));
    assert_ok(gpr_model_load(ctx, &loaded, path));
    const gpri_curves *one = &t.model->scaling.curves, *two = &loaded->scaling.curves;
    assert_memory_equal(one->first, two->first, 3 * sizeof *one->first);
    assert_memory_equal(one->from, two->from, (size_t)one->first[2] * sizeof *one->from);
    assert_memory_equal(one->to, two->to, (size_t)one->first[2] * sizeof *one->to);
    assert_ok(gpr_predict(ctx, t.model, data, wanted, NULL));
    assert_ok(gpr_predict(ctx, loaded, data, got, NULL));
    assert_memory_equal(got, wanted, sizeof got);
    gpr_model_free(loaded);
    s = safetensors_read(path);
    version = json_object_get(json_object_get(s.header, "__metadata__"), "format_version");
    assert_string_equal(json_string_value(version), "4"); /* earlier programs would pass over the curves */
    safetensors_free(&s);
    damaged(ctx, path, "column_knots", NULL);
    damaged(ctx, path, "column_knots", "[1,0]");
    damaged(ctx, path, "column_knots", "[1e9,0]");
    damaged(ctx, path, "column_knots", "[2.5,0]");
    damaged(ctx, path, "column_knots", "[3,0]");
    damaged(ctx, path, "knots_from", NULL);
    damaged(ctx, path, "knots_to", "[1,2]");
    damaged(ctx, path, "column_means", NULL);
    training_free(&t);
    training_free(&named);
    training_free(&plain);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Filter-first reads columns where they lie, and resumes by a key of what was done to them. */
static void test_filter_first(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = dataset(ctx);
    training t = train(ctx, data, OPTIONS("epochs", "60", "order", "filter-first", "K", "2", "split", "50/25/25"));
    gpr_run_info info = {.struct_size = sizeof info};
    assert_ok(gpr_result_run(t.result, 0, &info));
    assert_true(gpri_has_curve(&t.model->scaling.curves, 0));
    assert_true(info.test_accuracy > 80);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static gpr_status trial(gpr_ctx *ctx, void *arg) {
    gpri_scaling scaling = {0}, copy = {0};
    gpr_status status = gpri_scaling_measure(ctx, &scaling, arg, true);
    if (status == GPR_OK) status = gpri_scaling_clone(ctx, &copy, &scaling);
    gpri_scaling_free(ctx, &scaling);
    gpri_scaling_free(ctx, &copy);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_feature_matrix dense = make(ctx, true), sparse = make(ctx, false);
    fail_every_allocation(trial, &dense);
    fail_every_allocation(trial, &sparse);
    gpri_feature_matrix_free(ctx, &sparse);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns), cmocka_unit_test(test_sizes),
                                       cmocka_unit_test_teardown(test_model, empty_folder),
                                       cmocka_unit_test(test_filter_first), cmocka_unit_test(test_memory)};
    scratch_folder(folder);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
