/* data/scale/scaling.c: columns brought to the same scale, dense and sparse; the model keeps the scaling for other
 * data. And data/defaults.c: what `normalize` auto means, by the columns. */
#include <math.h>

#include "data/defaults.h"
#include "data/feature_matrix.h"
#include "data/scale/scaling.h"
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
    assert_ok(gpri_scaling_measure(ctx, &scaling[0], &dense, false));
    assert_ok(gpri_scaling_measure(ctx, &scaling[1], &sparse, false));
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
    assert_same_model("the same numbers in an array", t.model, r.model);
    training_free(&r);
    rows->generated = true; /* published: as in the paper */
    r = train(ctx, rows, options);
    gpr_run_info info = {.struct_size = sizeof info};
    int32_t wanted[60], got[60];
    assert_int_equal(t.model->scaling.cols, 2);
    assert_false(t.model->normalize);
    assert_ok(gpr_result_run(t.result, 0, &info));
    assert_true(info.test_accuracy == 100);
    assert_int_equal(r.model->scaling.cols, 0);
    assert_true(r.model->normalize);
    training_free(&r);
    rows->generated = false;
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
    TRY(gpri_scaling_measure(ctx, &scaling, arg, true));
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

/* ---- what auto means ---- */

static double chance(int i, int j) {
    return gpri_uniform(gpri_random_of(5, GPRI_RANDOM_TEST, 0, (uint32_t)j), (uint64_t)i);
}
/* 1 in `percent` of the rows of a column, else 0. */
static float one_in(int i, int j, double percent) { return chance(i, j) * 100 < percent ? 1 : 0; }

static float raw_columns(int i, int j) { return (float)(chance(i, j) * pow(10, j)); }
static float words(int i, int j) { return one_in(i, j, 2); }
static float many_words(int i, int j) { return one_in(i, j, j % 3 ? 10 : 90); }
static float tf_idf(int i, int j) { return one_in(i, j, 10) * (float)(0.01 + 0.1 * chance(i, 1000 + j)); }
static float counts(int i, int j) { /* the first three are words that nearly all texts have */
    return one_in(i, j, j < 3 ? 95 : 3) * (float)(1 + (int)(chance(i, 1000 + j) * (j < 3 ? 30 : 3)));
}
static float embedding(int i, int j) { return (float)chance(i, j) - 0.5F; }
static float shares(int i, int j) { return (float)chance(i, j); }
static float categories_and_age(int i, int j) { return j == 0 ? (float)(20 + (int)(60 * chance(i, j))) : words(i, j); }
static float categories_and_amounts(int i, int j) {
    return j < 4 ? one_in(i, j, 10) * (float)(5000 * chance(i, 1000 + j)) : words(i, j);
}
static float sparse_signs(int i, int j) { return one_in(i, j, 2) * ((float)chance(i, 1000 + j) - 0.5F); }

static void test_auto(void **state) {
    (void)state;
    static const struct {
        const char *name;
        float (*cell)(int i, int j);
        int cols;
        gpri_feature_scale wanted;
    } cases[] = {{"raw columns", raw_columns, 8, GPRI_SCALE_NORMAL},
                 {"one column", words, 1, GPRI_SCALE_NORMAL},
                 {"a few yes and no", words, 49, GPRI_SCALE_NORMAL},
                 {"words", words, 50, GPRI_SCALE_ROWS},
                 {"many words", many_words, 90, GPRI_SCALE_ROWS},
                 {"TF-IDF", tf_idf, 80, GPRI_SCALE_ROWS},
                 {"counts", counts, 90, GPRI_SCALE_ROWS},
                 {"an embedding", embedding, 64, GPRI_SCALE_NORMAL},
                 {"numbers of one scale", shares, 64, GPRI_SCALE_NORMAL},
                 {"categories and a number", categories_and_age, 100, GPRI_SCALE_NORMAL},
                 {"categories and amounts", categories_and_amounts, 100, GPRI_SCALE_NORMAL},
                 {"sparse, with negative values", sparse_signs, 80, GPRI_SCALE_NONE}};
    enum { N = 300, MOST = 100 };
    static float x[N * MOST];
    static int32_t labels[N];
    const int64_t src = 0, dst = 1;
    gpr_ctx *ctx = new_ctx(1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int turned = 0; turned < 2; turned++) { /* rows and columns the other way round make no difference */
            const int cols = cases[k].cols;
            for (int i = 0; i < N; i++)
                for (int j = 0; j < cols; j++)
                    x[i * cols + j] = turned ? cases[k].cell(N - 1 - i, cols - 1 - j) : cases[k].cell(i, j);
            gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                     .nodes = N,
                                     .edges = 1,
                                     .src = &src,
                                     .dst = &dst,
                                     .features = cols,
                                     .dense = x,
                                     .labels = labels};
            gpr_dataset *data;
            gpri_feature_scale got;
            assert_ok(gpr_dataset_new(ctx, &data, &desc));
            for (int again = 0; again < 2; again++) {
                assert_ok(gpri_scale_of(ctx, &got, data, GPRI_NORMALIZE_AUTO, (gpri_range){0, N}, NULL));
                if (got != cases[k].wanted) fail_msg("%s: %s", cases[k].name, gpri_scale_text(got));
            }
            assert_ok(gpri_scale_of(ctx, &got, data, GPRI_NORMALIZE_NONE, (gpri_range){0, N}, NULL));
            assert_int_equal(got, GPRI_SCALE_NONE);
            data->mixed_columns = true;
            assert_ok(gpri_scale_of(ctx, &got, data, GPRI_NORMALIZE_AUTO, (gpri_range){0, N}, NULL));
            assert_int_equal(got, GPRI_SCALE_NORMAL);
            assert_ok(gpri_scale_of(ctx, &got, data, GPRI_NORMALIZE_COLUMN, (gpri_range){0, N}, NULL));
            assert_int_equal(got, GPRI_SCALE_COLUMNS);
            data->mixed_columns = false;
            data->generated = true;
            assert_ok(gpri_scale_of(ctx, &got, data, GPRI_NORMALIZE_AUTO, (gpri_range){0, N}, NULL));
            const bool negative = cases[k].cell == embedding || cases[k].cell == sparse_signs;
            assert_int_equal(got, negative ? GPRI_SCALE_NONE : GPRI_SCALE_ROWS);
            gpr_dataset_free(data);
        }
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns), cmocka_unit_test(test_model),
                                       cmocka_unit_test(test_memory), cmocka_unit_test(test_auto)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
