/* data/scaling.c: columns brought to the same scale, dense and sparse; the model keeps the scaling for other data. */
#include <math.h>

#include "data/feature_matrix.h"
#include "data/scaling.h"
#include "failing_memory.h"
#include "npz_maker.h"
#include "training.h"

enum { ROWS = 6, COLS = 5 };

/* year, 0 and 1, constant, counts with zeros, all 0 */
static const float cells[ROWS * COLS] = {2000, 1, 7, 0, 0, /**/ 2010, 0, 7, 4, 0, /**/ 2005, 1, 7, 0, 0,
                                         2015, 1, 7, 2, 0, /**/ 2020, 0, 7, 0, 0, /**/ 2010, 0, 7, 6, 0};

static gpri_feature_matrix dense_table(void) {
    return (gpri_feature_matrix){.rows = ROWS, .cols = COLS, .dense = (float *)(uintptr_t)cells};
}

static gpri_feature_matrix sparse_table(gpr_ctx *ctx) {
    gpri_feature_matrix table;
    int64_t indptr[ROWS + 1] = {0}, end = 0;
    int32_t indices[ROWS * COLS];
    float values[ROWS * COLS];
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLS; j++) {
            if (cells[i * COLS + j] == 0) continue;
            indices[end] = j;
            values[end++] = cells[i * COLS + j];
        }
        indptr[i + 1] = end;
    }
    assert_ok(gpri_feature_matrix_from_csr(ctx, &table, ROWS, COLS, indptr, indices, values));
    return table;
}

static float at(const gpri_feature_matrix *table, int64_t i, int64_t j) {
    if (table->dense) return table->dense[i * table->cols + j];
    for (int64_t k = table->rowptr[i]; k < table->rowptr[i + 1]; k++)
        if (table->column[k] == j) return table->value[k];
    return 0;
}

static void test_columns(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_feature_matrix dense = dense_table(), sparse = sparse_table(ctx), scaled[2];
    gpri_scaling scaling[2];
    assert_ok(gpri_scaling_measure(ctx, &scaling[0], &dense));
    assert_ok(gpri_scaling_measure(ctx, &scaling[1], &sparse));
    assert_memory_equal(scaling[0].mean, scaling[1].mean, COLS * sizeof(float));
    assert_memory_equal(scaling[0].factor, scaling[1].factor, COLS * sizeof(float));
    assert_true(scaling[0].mean[0] == 2010 && fabsf(scaling[0].factor[0] - 1 / sqrtf(250.0f / 6)) < 1e-6f);
    assert_true(scaling[0].mean[1] == 0 && scaling[0].factor[1] == 1); /* 0 and 1 stay */
    assert_true(scaling[0].mean[2] == 7 && scaling[0].factor[2] == 1); /* a constant becomes 0 */
    assert_true(scaling[0].mean[3] == 2);
    assert_true(scaling[0].mean[4] == 0 && scaling[0].factor[4] == 1);
    assert_ok(gpri_scaling_apply(ctx, &scaled[0], &dense, &scaling[0]));
    assert_ok(gpri_scaling_apply(ctx, &scaled[1], &sparse, &scaling[0]));
    assert_null(scaled[1].dense);
    int64_t stored = 0;
    for (int j = 0; j < COLS; j++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < ROWS; i++) {
            const float x = at(&scaled[0], i, j);
            assert_true(x == at(&scaled[1], i, j));
            sum += (double)x;
            squares += (double)x * (double)x;
            stored += x != 0;
            if (j == 1) assert_true(x == cells[i * COLS + j]);
        }
        if (j == 0 || j == 3) assert_true(fabs(sum) < 1e-5 && fabs(squares - ROWS) < 1e-5);
    }
    assert_true(scaled[0].nnz == stored && scaled[1].nnz == stored);
    for (int k = 0; k < 2; k++) {
        gpri_scaling_free(ctx, &scaling[k]);
        gpri_feature_matrix_free(ctx, &scaled[k]);
    }
    gpri_feature_matrix_free(ctx, &sparse);
    gpr_ctx_free(ctx);
}

/* A column of years distinguishes two classes; a second column has large values and tells nothing. */
static gpr_dataset *make_data(gpr_ctx *ctx, bool mixed) {
    enum { N = 60 };
    static int64_t src[N], dst[N];
    static float x[N * 2];
    static int32_t labels[N];
    gpr_dataset *data;
    for (int i = 0; i < N; i++) {
        src[i] = i;
        dst[i] = (i + 2) % N;
        labels[i] = i % 2;
        x[2 * i] = 2000 + (float)(i % 7) + (float)(i % 2 * 12);
        x[2 * i + 1] = 90000 + (float)(i * 37 % 60) * 100;
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "years",
                             .nodes = N,
                             .edges = N,
                             .src = src,
                             .dst = dst,
                             .features = 2,
                             .dense = x,
                             .labels = labels};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->mixed_columns = mixed;
    return data;
}

/* The model and its file keep means and factors. */
static void test_model(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char folder[64], path[128];
    const char *const *options = OPTIONS("epochs", "100", "hidden", "8", "K", "2", "split", "50/25/25");
    gpr_dataset *data = make_data(ctx, true), *rows = make_data(ctx, false), *again;
    training t = train(ctx, data, options), r = train(ctx, rows, options);
    gpr_run_info info = {.struct_size = sizeof info};
    int32_t wanted[60], got[60];
    assert_int_equal(t.model->scaling.cols, 2);
    assert_false(t.model->normalize);
    assert_ok(gpr_result_run(t.result, 0, &info));
    assert_true(info.test_accuracy == 100);
    assert_int_equal(r.model->scaling.cols, 0);
    assert_true(r.model->normalize);
    training_free(&r);
    r = train(ctx, rows, OPTIONS("epochs", "100", "hidden", "8", "K", "2", "split", "50/25/25", "normalize", "column"));
    assert_same_model("asked for by name", t.model, r.model);
    training_free(&r);

    gpr_model *loaded;
    folder_make(folder);
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    assert_ok(gpr_model_save(ctx, t.model, path));
    assert_ok(gpr_model_load(ctx, &loaded, path));
    assert_memory_equal(loaded->scaling.mean, t.model->scaling.mean, 2 * sizeof(float));
    assert_memory_equal(loaded->scaling.factor, t.model->scaling.factor, 2 * sizeof(float));
    assert_ok(gpr_predict(ctx, t.model, data, wanted, NULL));
    assert_ok(gpr_predict(ctx, loaded, rows, got, NULL));
    assert_memory_equal(got, wanted, sizeof got);
    gpr_model_free(loaded);

    snprintf(path, sizeof path, "%s/years.npz", folder); /* an .npz file keeps what the columns are */
    assert_ok(gpr_dataset_save(ctx, data, path));
    assert_ok(gpr_dataset_open(ctx, &again, path, NULL));
    assert_true(again->mixed_columns);
    gpr_dataset_free(again);
    assert_ok(gpr_dataset_save(ctx, rows, path));
    assert_ok(gpr_dataset_open(ctx, &again, path, NULL));
    assert_false(again->mixed_columns);
    gpr_dataset_free(again);

    training_free(&t);
    gpr_dataset_free(data);
    gpr_dataset_free(rows);
    folder_files(folder, true);
    gpr_ctx_free(ctx);
}

static gpr_status trial(gpr_ctx *ctx, void *arg) {
    gpr_status status = GPR_OK;
    gpri_scaling scaling = {0}, copy = {0};
    gpri_feature_matrix out = {0};
    TRY(gpri_scaling_measure(ctx, &scaling, arg));
    TRY(gpri_scaling_clone(ctx, &copy, &scaling));
    TRY(gpri_scaling_apply(ctx, &out, arg, &copy));
done:
    gpri_scaling_free(ctx, &scaling);
    gpri_scaling_free(ctx, &copy);
    gpri_feature_matrix_free(ctx, &out);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_feature_matrix dense = dense_table(), sparse = sparse_table(ctx);
    fail_every_allocation(trial, &dense);
    fail_every_allocation(trial, &sparse);
    gpri_feature_matrix_free(ctx, &sparse);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns), cmocka_unit_test(test_model),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
