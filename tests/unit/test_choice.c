/* What a table is trained with where options are `auto`: the candidates, what is said of them, what a caller has set,
 * several runs, a stopped candidate; and the second training of tables with nodes to predict. */
#include <jansson.h>

#include "label_data.h"
#include "resuming.h"

enum { NODES = 300, UNLABELLED = NODES / 6 };

static gpr_dataset *make_table(gpr_ctx *ctx, bool unlabelled) {
    int32_t by[NODES], labels[NODES];
    draw_labels(by, NODES, 1);
    for (int i = 0; i < NODES; i++) labels[i] = unlabelled && i % 6 == 0 ? -1 : by[i];
    gpr_dataset *data = make_labelled(ctx, NODES, 0.5, by, labels);
    data->from_table = true;
    return data;
}

#define COMMON "epochs", "25", "hidden", "8", "K", "3", "seed", "3", "smooth", "no"
#define ALL_OF_THEM "label-input yes, label-counts yes, dropout 0.2, dprate 0"
#define COUNTS_ALONE "label-input no, label-counts yes, dropout 0.2, dprate 0"
#define NONE_OF_THEM "label-input no, label-counts no"

/* The candidates, each trained with its options alone: the same scores, and the best of them is the result. */
static void best_candidate_is_taken(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    const char *const *const alone[] = {
        OPTIONS(COMMON, "label-input", "yes", "label-counts", "yes", "dropout", "0.2", "dprate", "0"),
        OPTIONS(COMMON, "label-input", "no", "label-counts", "yes", "dropout", "0.2", "dprate", "0"),
        OPTIONS(COMMON, "label-input", "no", "label-counts", "no")};
    static const char *const names[] = {ALL_OF_THEM, COUNTS_ALONE, NONE_OF_THEM};
    training t = train(ctx, data, OPTIONS(COMMON));
    const gpri_choice *choice = &t.result->choice;
    assert_int_equal(choice->count, 3);
    assert_string_equal(choice->measure, "accuracy");
    for (int k = 0; k < 3; k++) {
        training one = train(ctx, data, alone[k]);
        assert_null(gpr_result_choice(one.result)); /* nothing was left to choose */
        assert_string_equal(choice->names[k], names[k]);
        assert_float_equal(100 * choice->scores[k], one.result->runs[0].info.val_accuracy, 1e-9);
        assert_true(choice->scores[choice->taken] >= choice->scores[k]);
        if (k == choice->taken) assert_same_model(names[k], t.model, one.model);
        else assert_false(t.model->tensor_count == one.model->tensor_count && same_model(t.model, one.model));
        training_free(&one);
    }
    assert_true(choice->taken < 2 && choice->scores[choice->taken] > choice->scores[2] + 0.1); /* labels tell most */
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The sentence and the JSON. */
static void choice_is_said(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    training t = train(ctx, data, OPTIONS(COMMON));
    const gpri_choice *choice = &t.result->choice;
    char want[512];
    const int first = choice->taken == 0, second = choice->taken == 2 ? 1 : 2;
    snprintf(want, sizeof want, "%s: validation accuracy %.4g (%s: %.4g, %s: %.4g)", choice->names[choice->taken],
             choice->scores[choice->taken], choice->names[first], choice->scores[first], choice->names[second],
             choice->scores[second]);
    assert_string_equal(gpr_result_choice(t.result), want);
    const char *text;
    assert_ok(gpr_result_json(ctx, t.result, &text));
    json_t *tree = json_loads(text, 0, NULL), *said = json_object_get(tree, "choice");
    assert_string_equal(json_string_value(json_object_get(said, "chosen")), choice->names[choice->taken]);
    assert_string_equal(json_string_value(json_object_get(said, "measure")), "accuracy");
    const json_t *list = json_object_get(said, "candidates");
    assert_int_equal(json_array_size(list), 3);
    for (int k = 0; k < 3; k++) {
        const json_t *one = json_array_get(list, (size_t)k);
        assert_string_equal(json_string_value(json_object_get(one, "candidate")), choice->names[k]);
        assert_float_equal(json_number_value(json_object_get(one, "validation")), choice->scores[k], 1e-12);
    }
    json_decref(tree);
    training_free(&t);
    t = train(ctx, data, OPTIONS(COMMON, "metric", "macro_f1")); /* what the caller asked to go by */
    assert_string_equal(t.result->choice.measure, "macro_f1");
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void expect_names(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options, int count,
                         const char *const *names) {
    training t = train(ctx, data, options);
    assert_int_equal(t.result->choice.count, count);
    assert_int_equal(gpr_result_choice(t.result) != NULL, count > 0);
    for (int k = 0; k < count; k++) assert_string_equal(t.result->choice.names[k], names[k]);
    for (; options[0]; options += 2) assert_string_equal(gpr_model_param(t.model, options[0]), options[1]);
    training_free(&t);
}

/* What the caller has set stays as it is, and makes fewer candidates. */
static void set_options_stay(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    static const char *const dropout[] = {"label-input yes, label-counts yes, dprate 0",
                                          "label-input no, label-counts yes, dprate 0", NONE_OF_THEM};
    static const char *const input[] = {"label-counts yes, dropout 0.2, dprate 0", "label-counts no"};
    static const char *const counts[] = {"label-input yes, dropout 0.2, dprate 0",
                                         "label-input no, dropout 0.2, dprate 0", "label-input no"};
    static const char *const mlp[] = {"label-counts yes, dropout 0.2", "label-counts no"};
    expect_names(ctx, data, OPTIONS("epochs", "15", "dropout", "0.4"), 3, dropout);
    expect_names(ctx, data, OPTIONS("epochs", "15", "label-input", "no"), 2, input);
    expect_names(ctx, data, OPTIONS("epochs", "15", "label-input", "yes"), 2, input);
    expect_names(ctx, data, OPTIONS("epochs", "15", "label-counts", "yes"), 3, counts);
    expect_names(ctx, data, OPTIONS("epochs", "15", "model", "mlp"), 2, mlp);
    expect_names(ctx, data, OPTIONS("epochs", "15", "label-input", "no", "label-counts", "no"), 0, NULL);
    expect_names(ctx, data, OPTIONS("epochs", "15", "label-input", "yes", "label-counts", "yes"), 0, NULL);
    data->from_table = false; /* other data: nothing is chosen, and labels are not used */
    expect_names(ctx, data, OPTIONS("epochs", "15"), 0, NULL);
    training t = train(ctx, data, OPTIONS(COMMON)),
             u = train(ctx, data, OPTIONS(COMMON, "label-input", "no", "label-counts", "no"));
    assert_same_model("no table", t.model, u.model);
    training_free(&t), training_free(&u);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Two runs: the first one chooses, both are trained so. */
static void several_runs(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    training one = train(ctx, data, OPTIONS(COMMON)), two = train(ctx, data, OPTIONS(COMMON, "runs", "2"));
    assert_int_equal(gpr_result_runs(two.result), 2);
    assert_string_equal(gpr_result_choice(two.result), gpr_result_choice(one.result));
    assert_same_model("the first run", one.model, two.result->runs[0].model);
    for (int r = 0; r < 2; r++)
        for (int k = 0; k < 2; k++) {
            static const char *const words[] = {"label-input", "label-counts"};
            assert_string_equal(gpr_model_param(two.result->runs[r].model, words[k]),
                                gpr_model_param(one.model, words[k]));
        }
    training_free(&one), training_free(&two);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Stopped within the first or the second candidate: that one is the result. It goes on to its end, with no choice. */
static void stopped_candidate(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    const char *const *const alone[] = {
        OPTIONS(COMMON, "label-input", "yes", "label-counts", "yes", "dropout", "0.2", "dprate", "0"),
        OPTIONS(COMMON, "label-input", "no", "label-counts", "yes", "dropout", "0.2", "dprate", "0")};
    for (int k = 0; k < 2; k++) {
        stopper stop = {.left = 25 * k + 9};
        ctx->progress = stop_at, ctx->user = &stop;
        training t = try_training(ctx, data, OPTIONS(COMMON));
        ctx->progress = NULL, ctx->user = NULL;
        assert_int_equal(t.status, GPR_STOPPED);
        assert_null(gpr_result_choice(t.result)); /* there was none yet */
        assert_string_equal(gpr_model_param(t.model, "label-input"), k == 0 ? "yes" : "no");
        assert_string_equal(gpr_model_param(t.model, "label-counts"), "yes");
        go_on(&t, ctx, data, OPTIONS(COMMON), 0);
        assert_ok(t.status);
        training whole = train(ctx, data, alone[k]);
        assert_same_training("gone on", ctx, &whole, &t);
        training_free(&t), training_free(&whole);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A table with nodes to predict gets a model of all its labels; one without keeps the model that was judged. */
static void refit_by_itself(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *some = make_table(ctx, true), *full = make_table(ctx, false);
    training t = train(ctx, some, OPTIONS(COMMON)), u = train(ctx, full, OPTIONS(COMMON)),
             no = train(ctx, some, OPTIONS(COMMON, "refit", "no")),
             yes = train(ctx, some, OPTIONS(COMMON, "refit", "yes"));
    assert_int_equal(gpr_result_refit_nodes(t.result), NODES - UNLABELLED);
    assert_int_equal(gpr_model_refit_nodes(t.model), NODES - UNLABELLED);
    assert_int_equal(gpr_model_refit_nodes(u.model), 0);
    assert_int_equal(gpr_model_refit_nodes(no.model), 0);
    assert_same_model("auto and yes", t.model, yes.model);
    assert_false(same_model(t.model, no.model));
    assert_same_model("the judged one", t.result->runs[0].model, no.model); /* the figures are its own */
    void *bytes;
    size_t size;
    gpr_model *loaded;
    assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, t.model));
    assert_ok(gpr_model_from_bytes(ctx, &loaded, bytes, size));
    assert_int_equal(gpr_model_refit_nodes(loaded), NODES - UNLABELLED);
    gpr_bytes_free(ctx, bytes);
    gpr_model_free(loaded);
    training_free(&t), training_free(&u), training_free(&no), training_free(&yes);
    some->from_table = false;
    t = train(ctx, some, OPTIONS(COMMON));
    assert_int_equal(gpr_model_refit_nodes(t.model), 0);
    training_free(&t);
    gpr_dataset_free(some), gpr_dataset_free(full);
    gpr_ctx_free(ctx);
}

/* If no candidate can be trained, the error is that of the last one. The third is left out here: as dropout is set, it
   is the second again. */
static void all_candidates_fail(void **state) {
    (void)state;
    int32_t labels[NODES];
    gpr_ctx *ctx = new_ctx(1);
    draw_labels(labels, NODES, 1);
    gpr_dataset *data = make_data(ctx, NODES, 0.5, labels);
    data->from_table = true;
    for (int64_t i = 0; i < NODES * FEATURES; i++) data->features.dense[i] *= 3e38F;
    training t = try_training(ctx, data,
                              OPTIONS("epochs", "5", "normalize", "none", "dropout", "0.5", "dprate", "0.5",
                                      "label-counts", "no", "smooth", "no"));
    assert_fails(t.status, GPR_ERROR_NUMERIC, "NaN");
    assert_null(t.model);
    assert_null(t.result);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_candidate_is_taken), cmocka_unit_test(choice_is_said),
                                       cmocka_unit_test(set_options_stay),        cmocka_unit_test(several_runs),
                                       cmocka_unit_test(stopped_candidate),       cmocka_unit_test(refit_by_itself),
                                       cmocka_unit_test(all_candidates_fail)};
    return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
