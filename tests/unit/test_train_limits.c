/* Training: data that cannot be trained on, numbers that overflow, and memory. */
#include <math.h>
#include <stdatomic.h>
#include <unistd.h>

#include "fixture.h"
#include "tensor/cpu/cpu.h"
#include "training.h"

/* ---- what cannot be trained ---- */

enum { FEW = 40, FEW_FEATURES = 6 };

/* A ring; features uniform in +-scale. */
static gpr_dataset *ring(gpr_ctx *ctx, const int32_t *labels, int64_t classes, double scale) {
    gpr_dataset *data;
    int64_t src[FEW], dst[FEW];
    float x[FEW * FEW_FEATURES];
    gpri_random stream = gpri_random_of(8, GPRI_RANDOM_TEST, 0, 0);
    for (int i = 0; i < FEW; i++) {
        src[i] = i;
        dst[i] = (i + 1) % FEW;
    }
    for (uint64_t k = 0; k < FEW * FEW_FEATURES; k++) x[k] = (float)(scale * (2 * gpri_uniform(stream, k) - 1));
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "ring",
                             .nodes = FEW,
                             .edges = FEW,
                             .src = src,
                             .dst = dst,
                             .features = FEW_FEATURES,
                             .dense = x,
                             .labels = labels,
                             .classes = classes};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true;
    return data;
}

static void refuses(gpr_ctx *ctx, gpr_dataset *data, const char *const *options, gpr_status status,
                    const char *message) {
    training t = try_training(ctx, data, options);
    assert_fails(t.status, status, message);
    gpr_dataset_free(data);
}

static void nothing_to_train(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int32_t labels[FEW];
    for (int i = 0; i < FEW; i++) labels[i] = -1;
    refuses(ctx, ring(ctx, labels, 2, 1), NULL, GPR_ERROR_ARGUMENT, "ring has no labelled node");
    refuses(ctx, ring(ctx, labels, 0, 1), NULL, GPR_ERROR_ARGUMENT, "ring has no labelled node");
    const gpr_dataset_desc bare = {.struct_size = sizeof bare, .name = "bare", .nodes = FEW};
    gpr_dataset_desc labelled = bare;
    gpr_dataset *data;
    assert_ok(gpr_dataset_new(ctx, &data, &bare)); /* that it has no features either can be mended from the graph */
    data->generated = true;
    refuses(ctx, data, NULL, GPR_ERROR_ARGUMENT, "bare has no labelled node");
    for (int i = 0; i < FEW; i++) labels[i] = i % 2;
    labelled.labels = labels;
    assert_ok(gpr_dataset_new(ctx, &data, &labelled));
    data->generated = true;
    refuses(ctx, data, NULL, GPR_ERROR_ARGUMENT, "bare has no features");
    for (int i = 0; i < FEW; i++) labels[i] = 0;
    refuses(ctx, ring(ctx, labels, 0, 1), NULL, GPR_ERROR_ARGUMENT, "ring has only one class");
    for (int i = 0; i < FEW; i++) labels[i] = i < 4 ? i % 2 : -1;
    refuses(ctx, ring(ctx, labels, 2, 1), OPTIONS("split", "sparse"), GPR_ERROR_MISMATCH, "that is none; give shares");
    refuses(ctx, ring(ctx, labels, 2, 1), OPTIONS("split", "planetoid:20/1/1"), GPR_ERROR_MISMATCH,
            "class 0 has 2 labelled nodes");
    refuses(ctx, ring(ctx, labels, 2, 1), OPTIONS("split", "0/50/50"), GPR_ERROR_ARGUMENT,
            "leaves no node for training");
    refuses(ctx, ring(ctx, labels, 2, 1), OPTIONS("split", "/nonexistent/split.npz"), GPR_ERROR_NOT_FOUND,
            "/nonexistent/split.npz");

    /* a class without any node, and few labelled nodes, are allowed */
    data = ring(ctx, labels, 5, 1);
    training t = train(ctx, data, OPTIONS("epochs", "3", "split", "50/25/25"));
    assert_int_equal(gpr_model_classes(t.model), 5);
    training_free(&t);
    gpr_model *model = (gpr_model *)ctx;
    gpr_result *result = (gpr_result *)ctx;
    assert_fails(gpr_train(ctx, &model, &result, NULL, NULL), GPR_ERROR_ARGUMENT, "NULL");
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static bool all_finite(const gpr_model *model) {
    for (int i = 0; i < model->tensor_count; i++)
        for (int64_t k = 0; k < model->tensors[i].rows * model->tensors[i].cols; k++)
            if (!isfinite(model->tensors[i].values[k])) return false;
    return true;
}

/* Features up to the largest float: an error that says so, or a model of finite numbers, never any other model. */
static void leaves_the_finite_numbers(void **state) {
    (void)state;
    const gpri_ops *tables[MOST_TABLES];
    int count = gpri_ops_all(tables, MOST_TABLES);
    int32_t labels[FEW];
    for (int i = 0; i < FEW; i++) labels[i] = i % 2;
    for (int i = 0; i < count; i++) {
        gpr_ctx *ctx = ctx_for(tables[i], 1);
        refuses(ctx, ring(ctx, labels, 2, 3e38), OPTIONS("normalize", "none", "epochs", "5"), GPR_ERROR_NUMERIC,
                "training loss");
        refuses(ctx, ring(ctx, labels, 2, 3e38), OPTIONS("normalize", "none", "epochs", "5", "runs", "3"),
                GPR_ERROR_NUMERIC, "run ");
        refuses(ctx, ring(ctx, labels, 2, 3e38), OPTIONS("normalize", "none", "epochs", "5", "split", "50/0/50"),
                GPR_ERROR_NUMERIC, "training loss"); /* nothing to validate on */
        refuses(ctx, ring(ctx, labels, 2, 1e37), OPTIONS("normalize", "none", "epochs", "20", "lr", "1000"),
                GPR_ERROR_NUMERIC, "lower `lr` (it is 1000)");
        int trained = 0;
        for (double scale = 1e6; scale < 3e38; scale *= 100) {
            gpr_dataset *data = ring(ctx, labels, 2, scale);
            for (int dropout = 0; dropout < 2; dropout++) {
                training t = try_training(ctx, data,
                                          OPTIONS("normalize", "none", "epochs", "20", "lr", "1", "hidden", "8", "K",
                                                  "2", "dropout", dropout ? "0.5" : "0"));
                if (t.status == GPR_OK && !all_finite(t.model))
                    fail_msg("%s, features of %g: a model with a weight that is not finite", tables[i]->name, scale);
                if (t.status != GPR_OK) assert_int_equal(t.status, GPR_ERROR_NUMERIC);
                trained += t.status == GPR_OK;
                training_free(&t);
            }
            gpr_dataset_free(data);
        }
        assert_true(trained > 0);
        gpr_ctx_free(ctx);
    }
}

/* Two rings. The first, with features of normal size, is for training. The second is for validation, and its scores
   overflow. Then no epoch has the lowest validation loss, and there is no best model. */
static void validation_leaves_the_finite_numbers(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int64_t src[FEW], dst[FEW];
    int32_t labels[FEW];
    float x[FEW * FEW_FEATURES];
    char folder[64], path[96];
    for (int i = 0; i < FEW; i++) {
        src[i] = i;
        dst[i] = i / 20 * 20 + (i + 1) % 20;
        labels[i] = i % 2;
        for (int j = 0; j < FEW_FEATURES; j++)
            x[i * FEW_FEATURES + j] = (i < 20 ? 1.0f : 1e37f) * (float)((i + j) % 3 - 1);
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .nodes = FEW,
                             .edges = FEW,
                             .src = src,
                             .dst = dst,
                             .features = FEW_FEATURES,
                             .dense = x,
                             .labels = labels,
                             .classes = 2};
    gpr_dataset *data;
    gpr_split *split;
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true;
    assert_ok(gpr_split_new(ctx, &split, data, "50/25/25", 1, 0));
    for (int i = 0; i < FEW; i++) split->part[i] = i < 20 ? GPR_TRAIN : GPR_VAL;
    scratch_folder(folder);
    snprintf(path, sizeof path, "%s/split.npz", folder);
    assert_ok(gpr_split_save(ctx, split, path));
    refuses(ctx, data,
            OPTIONS("normalize", "none", "epochs", "5", "split", path, "K", "0", "init", "1000", "dropout", "0"),
            GPR_ERROR_NUMERIC,
            "the validation loss is infinite or NaN before the first step (first at node 20): feature 0 of node 20 is "
            "1e+37");
    unlink(path);
    rmdir(folder);
    gpr_split_free(split);
    gpr_ctx_free(ctx);
}

/* ---- memory ---- */

typedef struct {
    atomic_llong count, bytes, live;
} tally;

static void *tally_resize(void *user, void *block, size_t size) {
    tally *t = user;
    t->count++;
    t->bytes += (long long)size;
    if (!block) t->live++;
    return realloc(block, size);
}

static void tally_release(void *user, void *block) {
    if (block) ((tally *)user)->live--;
    free(block);
}

/* What a training allocates in total. */
static void measure(long long *count, long long *bytes, int64_t nodes, int threads, bool sparse,
                    const char *const *options) {
    tally all = {0};
    gpr_ctx *ctx;
    gpr_ctx_options settings = {
        .struct_size = sizeof settings, .threads = threads, .allocator = {tally_resize, tally_release, &all}};
    assert_ok(gpr_ctx_new(&ctx, &settings));
    gpr_dataset_free(new_csbm(ctx, 1000, 1, 0)); /* starts the threads, which the context keeps */
    gpr_dataset *data = sparse ? new_words(ctx, nodes, 80, 3) : new_csbm(ctx, nodes, 10, 0.5);
    gpr_params *params = new_params(ctx, options);
    long long count_before = all.count, bytes_before = all.bytes, live_before = all.live;
    gpr_model *model;
    gpr_result *result;
    assert_ok(gpr_train(ctx, &model, &result, data, params));
    *count = all.count - count_before;
    *bytes = all.bytes - bytes_before;
    gpr_model_free(model);
    gpr_result_free(result);
    assert_int_equal(all.live, live_before);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    assert_int_equal(all.live, 0);
}

/* Ten times as many epochs need no more allocations. */
static void no_allocation_in_an_epoch(void **state) {
    (void)state;
    for (int threads = 1; threads <= 2; threads++)
        for (int sparse = 0; sparse < 2; sparse++)
            for (int several = 0; several < 2; several++) {
                long long few, many, bytes_few, bytes_many;
                int64_t nodes =
                    threads > 1 && !several ? 1000 : 300; /* enough nodes, or runs, to use several threads */
                const char *runs = several ? "3" : "1";
                measure(&few, &bytes_few, nodes, threads, sparse,
                        OPTIONS("epochs", "05", "hidden", "8", "K", "2", "stopping", "none", "runs", runs));
                measure(&many, &bytes_many, nodes, threads, sparse,
                        OPTIONS("epochs", "50", "hidden", "8", "K", "2", "stopping", "none", "runs", runs));
                if (few != many)
                    fail_msg("%d threads, %s features, %s runs: %lld allocations for 5 epochs, %lld for 50", threads,
                             sparse ? "sparse" : "dense", runs, few, many);
                /* but for the history: the device and the host have it, and the result its curves; gamma's: the first
                   two alone, 3 numbers per epoch */
                const long long more = 45 * (3 * (long long)sizeof(gpri_epoch) + 2 * 3 * (long long)sizeof(float));
                assert_int_equal(bytes_many - bytes_few, more * (several ? 3 : 1));
            }
}

/* Hops are not stored: K = 100 takes only the few more bytes of gamma itself than K = 10, and of its history: 3 rows on
   the device and in the result. */
static void memory_without_hops(void **state) {
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        long long count10, count100, bytes10, bytes100;
        measure(&count10, &bytes10, 400, 1, sparse, OPTIONS("epochs", "2", "hidden", "8", "K", "10"));
        measure(&count100, &bytes100, 400, 1, sparse, OPTIONS("epochs", "2", "hidden", "8", "K", "100"));
        assert_int_equal(count10, count100);
        const long long rows = 2 * 3 * 90 * (long long)sizeof(float);
        if (!(bytes100 - bytes10 - rows < 90 * 64)) fail_msg("K = 10: %lld bytes, K = 100: %lld", bytes10, bytes100);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_to_train), cmocka_unit_test(leaves_the_finite_numbers),
                                       cmocka_unit_test(validation_leaves_the_finite_numbers),
                                       cmocka_unit_test(no_allocation_in_an_epoch),
                                       cmocka_unit_test(memory_without_hops)};
    return cmocka_run_group_tests_name("train_limits", tests, NULL, NULL);
}
