/* The caller's own splits: made from parts, and trained on. */
#include "last_warning.h"
#include "training.h"

enum { NODES = 90 };

/* Every third node trains, shifted by `shift`. */
static void fill(uint8_t parts[NODES], int shift) {
    for (int i = 0; i < NODES; i++) parts[i] = (uint8_t)(1 + (i + shift) % 3);
}

static void from_parts(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    gpr_dataset *data = new_words(ctx, NODES, 40, 3);
    uint8_t parts[NODES];
    gpr_split *split;
    int64_t count, sum = 0;
    fill(parts, 0);
    parts[0] = GPR_UNUSED;
    assert_ok(gpr_split_from_parts(ctx, &split, data, parts, NODES));
    assert_memory_equal(gpr_split_parts(split, &count), parts, NODES);
    assert_int_equal(count, NODES);
    for (int64_t c = 0; c < 3; c++) sum += gpr_split_count(split, GPR_TRAIN, c);
    assert_int_equal(sum, NODES / 3 - 1);
    parts[7] = GPR_UNUSED; /* a copy: the split does not change */
    assert_int_equal(gpr_split_parts(split, NULL)[7], 1 + 7 % 3);
    gpr_split_free(split);

    parts[7] = 4;
    split = (gpr_split *)ctx;
    assert_fails(gpr_split_from_parts(ctx, &split, data, parts, NODES), GPR_ERROR_ARGUMENT, "the part of node 7 is 4");
    assert_null(split);
    assert_fails(gpr_split_from_parts(ctx, &split, data, parts, NODES - 1), GPR_ERROR_MISMATCH,
                 "the given split has 89 nodes, and words has 90");
    memset(parts, GPR_TEST, sizeof parts);
    assert_fails(gpr_split_from_parts(ctx, &split, data, parts, NODES), GPR_ERROR_MISMATCH, "no labelled node");
    assert_fails(gpr_split_from_parts(ctx, NULL, data, parts, NODES), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_split_from_parts(ctx, &split, NULL, parts, NODES), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_split_from_parts(ctx, &split, data, NULL, NODES), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_split_from_parts(NULL, &split, data, parts, NODES), GPR_ERROR_ARGUMENT, "NULL");
    gpr_dataset_free(data);

    static const int32_t labels[3] = {0, -1, 1}; /* the one in the middle cannot train */
    static const float x[3] = {1, 2, 3};
    gpr_dataset_desc desc = {.struct_size = sizeof desc, .nodes = 3, .features = 1, .dense = x, .labels = labels};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true;
    const uint8_t all[3] = {GPR_TRAIN, GPR_TRAIN, GPR_TEST};
    warning[0] = 0;
    gpr_split *some;
    assert_ok(gpr_split_from_parts(ctx, &some, data, all, 3));
    assert_int_equal(gpr_split_parts(some, NULL)[1], GPR_UNUSED);
    assert_true(warning[0] != 0);
    gpr_split_free(some);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The runs of gpr_train on the splits that it draws itself are those of gpr_train_splits on the same splits. */
static void as_drawn(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, NODES, 40, 3);
    gpr_params *params = new_params(ctx, OPTIONS("epochs", "12", "hidden", "6", "seed", "7", "runs", "3"));
    gpr_model *drawn, *given;
    gpr_result *by_draw, *by_hand;
    gpr_split *splits[3];
    const char *json;
    assert_ok(gpr_train(ctx, &drawn, &by_draw, data, params));
    for (int r = 0; r < 3; r++) assert_ok(gpr_split_new(ctx, &splits[r], data, "auto", 7, r));
    assert_ok(gpr_params_set(params, "runs", "1")); /* neither plays a part */
    assert_ok(gpr_params_set(params, "split", "/no/such/split.npz"));
    assert_ok(gpr_train_splits(ctx, &given, &by_hand, data, params, (const gpr_split *const *)splits, 3));
    for (int r = 0; r < 3; r++) gpr_split_free(splits[r]); /* borrowed for the call */
    assert_int_equal(gpr_result_runs(by_hand), 3);
    assert_int_equal(gpr_result_best_run(by_hand), gpr_result_best_run(by_draw));
    for (int r = 0; r < 3; r++) {
        gpr_run_info a = {.struct_size = sizeof a}, b = a;
        assert_ok(gpr_result_run(by_draw, r, &a));
        assert_ok(gpr_result_run(by_hand, r, &b));
        assert_true(a.seed == b.seed && a.seed == 7 + (uint64_t)r && a.val_loss == b.val_loss);
        assert_same_model("given splits", gpr_result_model(by_draw, r), gpr_result_model(by_hand, r));
    }
    assert_same_model("given splits", drawn, given);
    assert_string_equal(gpr_model_param(given, "split"), "given");
    assert_string_equal(gpr_model_param(given, "runs"), "1");
    assert_string_equal(gpr_params_get(params, "split"), "/no/such/split.npz"); /* the caller's own are as they were */
    assert_ok(gpr_result_json(ctx, by_hand, &json));
    assert_non_null(strstr(json, "\"spec\": \"given\""));
    assert_non_null(strstr(json, "\"runs\": 3"));
    gpr_model_free(drawn);
    gpr_model_free(given);
    gpr_result_free(by_draw);
    gpr_result_free(by_hand);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void refused(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, NODES, 40, 3), *other = new_words(ctx, NODES - 3, 40, 3);
    gpr_params *params = new_params(ctx, OPTIONS("epochs", "2"));
    gpr_model *model;
    gpr_result *result;
    gpr_split *fits, *alien;
    assert_ok(gpr_split_new(ctx, &fits, data, "dense", 1, 0));
    assert_ok(gpr_split_new(ctx, &alien, other, "dense", 1, 0));
    const gpr_split *mixed[] = {fits, alien}, *hole[] = {fits, NULL};
    assert_fails(gpr_train_splits(ctx, &model, &result, data, params, mixed, 2), GPR_ERROR_MISMATCH,
                 "run 1: the given split has 87 nodes, and words has 90");
    assert_true(!model && !result);
    assert_fails(gpr_train_splits(ctx, &model, &result, data, params, hole, 2), GPR_ERROR_ARGUMENT,
                 "splits[1] is NULL");
    assert_fails(gpr_train_splits(ctx, &model, &result, data, params, mixed, 0), GPR_ERROR_ARGUMENT, "0 splits");
    assert_fails(gpr_train_splits(ctx, &model, &result, data, params, NULL, 1), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_train_splits(ctx, &model, &result, data, params, mixed, 1000001), GPR_ERROR_ARGUMENT, "runs is");
    gpr_split_free(fits);
    gpr_split_free(alien);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_dataset_free(other);
    gpr_ctx_free(ctx);
}

/* A split of other data with as many nodes: its labels are not those of this data, where some nodes have none. */
static void other_labels(void **state) {
    (void)state;
    enum { FEW = 6 };
    gpr_ctx *ctx = new_ctx(1);
    static const float x[FEW] = {1, 2, 3, 4, 5, 6};
    static const int32_t full[FEW] = {0, 1, 0, 1, 0, 1}, holes[FEW] = {0, 1, -1, -1, 0, 1};
    static const uint8_t parts[FEW] = {1, 1, 1, 2, 3, 3};
    gpr_dataset_desc desc = {.struct_size = sizeof desc, .nodes = FEW, .features = 1, .dense = x, .labels = full};
    gpr_dataset *a, *b;
    gpr_split *split;
    assert_ok(gpr_dataset_new(ctx, &a, &desc));
    a->generated = true;
    desc.labels = holes;
    assert_ok(gpr_dataset_new(ctx, &b, &desc));
    b->generated = true;
    assert_ok(gpr_split_from_parts(ctx, &split, a, parts, FEW));
    gpr_params *params = new_params(ctx, OPTIONS("epochs", "2", "model", "mlp"));
    gpr_model *model;
    gpr_result *result;
    const gpr_split *splits[] = {split};
    assert_ok(gpr_train_splits(ctx, &model, &result, b, params, splits, 1));
    assert_int_equal(gpr_split_parts(gpr_result_split(result), NULL)[2], GPR_UNUSED);
    gpr_model_free(model);
    gpr_result_free(result);
    gpr_params_free(params);
    gpr_split_free(split);
    gpr_dataset_free(a);
    gpr_dataset_free(b);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(from_parts), cmocka_unit_test(as_drawn),
                                       cmocka_unit_test(refused), cmocka_unit_test(other_labels)};
    return cmocka_run_group_tests_name("train_splits", tests, NULL, NULL);
}
