/* `model` auto: what is tried, what is taken, what a caller has set, data where labels say nothing, trainings that are
 * stopped within a candidate of another model. */
#include <jansson.h>
#include <unistd.h>

#include "label_data.h"
#include "mock_device.h"
#include "resuming.h"
#include "train/candidates/afford.h"
#include "train/candidates/choose.h"
#include "trees/booster.h"

enum { NODES = 300 };

static gpr_dataset *make_table(gpr_ctx *ctx, bool unlabelled) {
    int32_t by[NODES], labels[NODES];
    draw_labels(by, NODES, 1);
    for (int i = 0; i < NODES; i++) labels[i] = unlabelled && i % 6 == 0 ? -1 : by[i];
    gpr_dataset *data = make_labelled(ctx, NODES, 0.5, by, labels);
    data->generated = false;
    return data;
}

#define COMMON "hidden", "8", "seed", "3", "smooth", "no", "lr", "0.02"
#define AUTO "model", "auto"

/* The options of a candidate by its word, as somebody would name them. */
static training train_alone(gpr_ctx *ctx, const gpr_dataset *data, const char *word, const char *const *more) {
    gpr_params *params = new_params(ctx, OPTIONS("model", gpri_candidate_model(word)));
    training t;
    int found = -1;
    for (int k = 0; k < gpri_candidate_count; k++)
        if (gpri_candidates[k].word && strcmp(gpri_candidates[k].word, word) == 0) found = k;
    assert_true(found >= 0);
    const gpri_candidate *as = &gpri_candidates[found];
    for (int i = 0; i < GPRI_CANDIDATE_SETTINGS && as->settings[i].value; i++)
        assert_ok(gpr_params_set(params, gpri_param_word(as->settings[i].option), as->settings[i].value));
    for (; more[0]; more += 2) assert_ok(gpr_params_set(params, more[0], more[1])); /* they stay as they are */
    t.status = gpr_train(ctx, &t.model, &t.result, data, params);
    assert_ok(t.status);
    gpr_params_free(params);
    return t;
}

/* Each candidate has the score that its options have by themselves; the best of them is the result, and files and JSON
   name its model. */
static void best_model_is_taken(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    training t = train(ctx, data, OPTIONS(AUTO, COMMON, "epochs", "25"));
    const gpri_choice *choice = &t.result->choice;
    const char *text;
    char models[16][16];
    int different = 0;
    assert_true(choice->count >= 4);
    assert_string_equal(choice->measure, "accuracy");
    for (int k = 0; k < choice->count; k++) {
        training one = train_alone(ctx, data, choice->names[k], OPTIONS(COMMON, "epochs", "25"));
        assert_float_equal(100 * choice->scores[k], one.result->runs[0].info.val_accuracy, 1e-9);
        assert_true(choice->scores[choice->taken] >= choice->scores[k]);
        snprintf(models[k], sizeof models[k], "%s", gpr_model_name(one.model));
        different += strcmp(models[k], models[0]) != 0;
        if (k == choice->taken) assert_same_model(choice->names[k], t.model, one.model);
        training_free(&one);
    }
    assert_true(different > 0);
    assert_string_equal(gpr_model_name(t.model), models[choice->taken]);
    assert_ok(gpr_result_json(ctx, t.result, &text));
    json_t *tree = json_loads(text, 0, NULL), *said = json_object_get(tree, "choice");
    const json_t *list = json_object_get(said, "candidates");
    assert_string_equal(json_string_value(json_object_get(tree, "model")), models[choice->taken]);
    assert_int_equal(json_array_size(list), choice->count);
    for (int k = 0; k < choice->count; k++) {
        const json_t *one = json_array_get(list, (size_t)k);
        assert_string_equal(json_string_value(json_object_get(one, "candidate")), choice->names[k]);
        assert_string_equal(json_string_value(json_object_get(one, "model")), models[k]);
    }
    assert_string_equal(json_string_value(json_object_get(json_object_get(tree, "config"), "model")),
                        models[choice->taken]);
    assert_null(json_object_get(json_object_get(tree, "config"), "candidates"));
    json_decref(tree);
    assert_non_null(strstr(gpr_result_choice(t.result), choice->names[choice->taken]));
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static bool tries(const training *t, const char *model) {
    for (int k = 0; k < t->result->choice.count; k++)
        if (strcmp(gpri_candidate_model(t->result->choice.names[k]), model) == 0) return true;
    return false;
}

/* What was set stays so in all that is tried, and leaves out models without the option. */
static void set_options_stay(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    training t = train(ctx, data, OPTIONS(AUTO, COMMON, "epochs", "4", "norm", "batch")); /* of gprdeep alone */
    assert_false(tries(&t, "gprgnn"));
    assert_true(tries(&t, "gprdeep"));
    assert_string_equal(gpr_model_param(t.model, "norm"), "batch");
    training_free(&t);
    t = train(ctx, data, OPTIONS(AUTO, COMMON, "epochs", "4", "dropout", "0.3", "K", "1"));
    assert_true(tries(&t, "gprgnn") && tries(&t, "gprdeep"));
    assert_string_equal(gpr_model_param(t.model, "dropout"), "0.3");
    assert_string_equal(gpr_model_param(t.model, "K"), "1");
    training_free(&t);
    t = train(ctx, data, OPTIONS(AUTO, COMMON, "epochs", "4", "label-input", "no", "label-counts", "no"));
    for (int k = 0; k < t.result->choice.count; k++) { /* nothing that is about labels is left */
        assert_null(strstr(t.result->choice.names[k], "labels"));
        assert_null(strstr(t.result->choice.names[k], "counts"));
    }
    assert_string_equal(gpr_model_param(t.model, "label-input"), "no");
    training_free(&t);
    t = train(ctx, data, OPTIONS(AUTO, COMMON, "epochs", "4", "candidates", "gprdeep,gprgnn"));
    assert_int_equal(t.result->choice.count, 2);
    assert_string_equal(t.result->choice.names[0], "gprgnn"); /* the order is that of the table */
    assert_string_equal(t.result->choice.names[1], "gprdeep");
    training_free(&t);
    data->generated = true; /* published data: models are tried as they were asked for, and no labels */
    t = train(ctx, data, OPTIONS(AUTO, COMMON, "epochs", "4"));
    for (int k = 0; k < t.result->choice.count; k++) assert_null(strstr(t.result->choice.names[k], "-labels"));
    assert_true(tries(&t, "gprgnn") && tries(&t, "gprdeep") && tries(&t, "sage"));
    assert_string_equal(gpr_model_param(t.model, "label-input"), "no");
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Boosted trees, where there is libxgboost. */
static void trees_are_tried(void **state) {
    (void)state;
    if (gpri_booster_there() != GPR_OK) skip_because("there is no libxgboost");
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, true);
    const char *const *options =
        OPTIONS(AUTO, "epochs", "6", "seed", "3", "candidates", "gprgnn-counts,trees", "refit", "yes");
    training whole = train(ctx, data, options);
    assert_true(tries(&whole, "trees") && tries(&whole, "gprgnn"));
    for (int64_t calls = 3; calls < 14; calls += 2) { /* also within the trees */
        training t = stop_after(ctx, data, options, calls);
        if (t.status == GPR_STOPPED) go_on(&t, ctx, data, options, 0);
        assert_same_training("gone on", ctx, &whole, &t);
        assert_same_choice("gone on", &whole, &t);
        training_free(&t);
    }
    training_free(&whole);
    training one = train(ctx, data, OPTIONS(AUTO, "candidates", "trees", "epochs", "6", "depth", "2"));
    assert_string_equal(gpr_model_name(one.model), "trees");
    assert_string_equal(gpr_model_param(one.model, "depth"), "2");
    assert_string_equal(gpr_model_param(one.model, "label-counts"), "yes");
    training_free(&one);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void nothing_left(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    gpr_params *params = new_params(ctx, OPTIONS(AUTO));
    assert_fails(gpr_params_set(params, "candidates", "gprnn"), GPR_ERROR_ARGUMENT, "did you mean 'gprgnn'");
    assert_fails(gpr_params_set(params, "candidates", " , "), GPR_ERROR_ARGUMENT, "names none");
    assert_ok(gpr_params_set(params, "heads", "4")); /* of gat, which is not tried */
    assert_fails(gpr_params_check(params), GPR_ERROR_ARGUMENT, "no option 'heads'");
    gpr_params_free(params);
    training t = try_training(ctx, data, OPTIONS(AUTO, "candidates", "gprgnn", "norm", "batch"));
    assert_fails(t.status, GPR_ERROR_ARGUMENT, "no candidate has the option `norm`");
    t = try_training(ctx, data, OPTIONS(AUTO, "norm", "batch", "order", "network-first"));
    assert_fails(t.status, GPR_ERROR_ARGUMENT, "with what was set (`norm`, `order`)");
    params = new_params(ctx, OPTIONS("candidates", "gprgnn"));
    assert_fails(gpr_params_check(params), GPR_ERROR_ARGUMENT, "no option 'candidates'");
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The validation nodes choose, and no label reaches where it is judged: on random labels the test nodes stay at chance,
   though the best of several is taken. */
static void random_labels_stay_at_chance(void **state) {
    (void)state;
    enum { MANY = 1500 };
    int32_t *labels = test_malloc(MANY * sizeof *labels), *by = test_malloc(MANY * sizeof *by);
    gpr_ctx *ctx = new_ctx(2);
    draw_labels(by, MANY, 1);
    draw_labels(labels, MANY, 2);
    gpr_dataset *data = make_labelled(ctx, MANY, 0.5, by, labels);
    data->generated = false;
    training t = train(ctx, data, OPTIONS(AUTO, "hidden", "8", "seed", "3", "epochs", "40"));
    const gpr_run_info *run = &t.result->runs[0].info;
    assert_true(t.result->choice.count >= 4);
    if (run->test_accuracy > 100.0 / CLASSES + 8) fail_msg("%.2f %% of the test nodes", run->test_accuracy);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    test_free(labels), test_free(by);
}

#define SHORT "epochs", "5", "hidden", "4", "K", "1", "layers", "2", "seed", "3", "lr", "0.05"
#define THREE "candidates", "gprgnn-counts,gprgnn,gprdeep"

/* Stopped after any epoch of any candidate, of the other runs and of the refit. */
static void stopped_anywhere(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, true);
    const char *const *const asked[] = {OPTIONS(AUTO, THREE, SHORT),
                                        OPTIONS(AUTO, THREE, SHORT, "runs", "2", "refit", "no")};
    for (int i = 0; i < 2; i++) {
        training whole = train(ctx, data, asked[i]);
        assert_int_equal(whole.result->choice.count, 3);
        int64_t calls = 1;
        for (;; calls++) {
            training t = stop_after(ctx, data, asked[i], calls);
            const bool ended = t.status == GPR_OK;
            if (!ended) {
                go_on(&t, ctx, data, asked[i], 0);
                assert_same_training("gone on", ctx, &whole, &t);
                assert_same_choice("gone on", &whole, &t);
            }
            training_free(&t);
            if (ended) break;
        }
        assert_true(calls > 5 * 3 + 1); /* the refit, or the other run, was stopped too */
        training_free(&whole);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

#define RUNGS "epochs", "230", "hidden", "4", "K", "1", "seed", "3", "stopping", "none"
#define FIVE "candidates", "gprgnn-labels,gprgnn-counts,gprgnn,gprgnn-sharp,gprdeep"

/* Stops within each rung, at its ends, and in the refit; at one of `every` such moments. */
static void stop_each(training *whole, gpr_ctx *ctx, const gpr_dataset *data, const char *const *options,
                      size_t every) {
    static const int64_t some[] = {1,   99,  100, 101, 150, 499, 500, 501, 560, 640,
                                   799, 800, 801, 815, 829, 830, 831, 855, 861};
    for (size_t i = 0; i < sizeof some / sizeof *some; i += every) {
        training t = stop_after(ctx, data, options, some[i]);
        assert_int_equal(t.status, GPR_STOPPED);
        go_on(&t, ctx, data, options, 0);
        assert_same_training("gone on", ctx, whole, &t);
        assert_same_choice("gone on", whole, &t);
        training_free(&t);
    }
}

/* All candidates have some epochs, the better ones more, two of them all; who goes on has the bits of one that was
   never disturbed, also where the training is stopped within a rung or between two. */
static void weak_ones_stop_early(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, true);
    const char *const *const options = OPTIONS(AUTO, FIVE, RUNGS);
    training whole = train(ctx, data, options);
    const gpri_choice *choice = &whole.result->choice;
    int ended[3] = {0};
    assert_int_equal(choice->count, 5);
    for (int k = 0; k < 5; k++) {
        const int64_t epochs = choice->epochs[k];
        assert_true(epochs == 100 || epochs == 200 || epochs == 230);
        ended[epochs == 100 ? 0 : epochs == 200 ? 1 : 2]++;
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)epochs);
        training one = train_alone(
            ctx, data, choice->names[k],
            OPTIONS("hidden", "4", "K", "1", "seed", "3", "stopping", "none", "refit", "no", "epochs", text));
        assert_float_equal(100 * choice->scores[k], one.result->runs[0].info.val_accuracy, 1e-9);
        if (k == choice->taken) assert_int_equal(epochs, 230);
        training_free(&one);
    }
    assert_int_equal(ended[0], 2);
    assert_int_equal(ended[1], 1);
    assert_int_equal(ended[2], 2);
    stop_each(&whole, ctx, data, options, 1);
    training_free(&whole);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A device that goes ahead of the host gives the same rungs. */
static void rungs_on_a_device(void **state) {
    (void)state;
    gpr_ctx *ctx = mock_ctx();
    gpr_dataset *data = make_table(ctx, true);
    const char *const *const options = OPTIONS(AUTO, FIVE, RUNGS);
    training whole = train(ctx, data, options);
    const gpri_choice *choice = &whole.result->choice;
    assert_int_equal(choice->epochs[choice->taken], 230);
    stop_each(&whole, ctx, data, options, 6);
    training_free(&whole);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    assert_int_equal(mock.live, 0);
}

/* A state goes on with the same candidates only. */
static void other_candidates(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    training t = stop_after(ctx, data, OPTIONS(AUTO, THREE, SHORT), 12);
    const saved_state kept = state_of(ctx, &t);
    training_free(&t);
    t = try_resume(ctx, data, OPTIONS(SHORT), kept.bytes, kept.size);
    assert_fails(t.status, GPR_ERROR_MISMATCH, "other candidates");
    t = try_resume(ctx, data, OPTIONS(AUTO, "candidates", "gprgnn,gprgnn-counts", SHORT), kept.bytes, kept.size);
    assert_fails(t.status, GPR_ERROR_MISMATCH, "other candidates");
    gpr_bytes_free(ctx, kept.bytes);
    const gpri_run_hook hook = {NULL, NULL};
    gpr_params *params = new_params(ctx, OPTIONS(AUTO)); /* a study trains what it was told */
    assert_fails(gpri_train_watched(ctx, &t.model, &t.result, data, params, 0, &hook), GPR_ERROR_ARGUMENT, "name them");
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void same_bits(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 7};
    training first = {0};
    gpr_ctx *ctx[3];
    gpr_dataset *data[3];
    for (int i = 0; i < 3; i++) {
        ctx[i] = new_ctx(threads[i]);
        data[i] = make_table(ctx[i], true);
        training t = train(ctx[i], data[i], OPTIONS(AUTO, SHORT));
        if (i > 0) {
            assert_same_choice("threads", &first, &t);
            assert_same_model("threads", first.model, t.model);
            training_free(&t);
        } else {
            first = t;
        }
    }
    training_free(&first);
    for (int i = 0; i < 3; i++) {
        gpr_dataset_free(data[i]);
        gpr_ctx_free(ctx[i]);
    }
}

/* Sizes alone make the plan: fewer epochs, then fewer candidates, the most expensive ones first. */
static void budget_limits(void **state) {
    (void)state;
    static const struct {
        const char *budget;
        int candidates; /* 0: all */
        bool all_epochs;
    } cases[] = {{"none", 0, true}, {"10m", 0, true}, {"0.12", 0, false}, {"0.06s", 4, false}, {"0.001s", 1, false}};
    const int all = 6; /* trees have no option `hidden` */
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpr_params *params = new_params(ctx, OPTIONS(AUTO, "hidden", "8", "epochs", "600", "budget", cases[i].budget));
        gpri_candidate_list list;
        gpri_choice_plan plan;
        assert_ok(gpri_candidates_list(ctx, &list, params));
        assert_ok(gpri_choice_make_plan(ctx, &plan, &list, data, params));
        const int64_t epochs = plan.until[plan.rungs - 1];
        if (list.count != (cases[i].candidates ? cases[i].candidates : all) || (epochs == 600) != cases[i].all_epochs)
            fail_msg("budget %s: %d candidates of %d epochs", cases[i].budget, list.count, (int)epochs);
        assert_int_equal(list.count + plan.left_out_count, all);
        assert_true(plan.budget == 0 || list.count == 1 || plan.seconds <= plan.budget);
        assert_true(epochs >= (list.count > 1 ? GPRI_LEAST_EPOCHS : GPRI_FEWEST_EPOCHS));
        assert_true(list.count == all || plan.left_out_count > 0);
        gpr_params_free(params);
    }
    /* what was planned holds, also when a training goes on */
    const char *const *options =
        OPTIONS(AUTO, COMMON, "budget", "100s", "epochs", "1000000", "patience", "3", "stopping", "program");
    training whole = train(ctx, data, options), t = stop_after(ctx, data, options, 12);
    const gpri_choice *choice = &whole.result->choice;
    const int64_t epochs = choice->until[choice->taken];
    const int64_t sure = choice->plan.until[choice->plan.rungs - 1];
    assert_true(sure < 1000000 && sure > 10000);
    assert_int_equal(atoll(gpr_model_param(whole.model, "epochs")), epochs);
    go_on(&t, ctx, data, options, 0);
    assert_same_training("gone on", ctx, &whole, &t);
    assert_same_choice("gone on", &whole, &t);
    training_free(&whole), training_free(&t);
    gpr_params *params = new_params(ctx, OPTIONS(AUTO));
    static const char *const wrong[] = {"5x", "s", "0", "-1m", "1e9h"};
    for (int i = 0; i < 5; i++)
        assert_fails(gpr_params_set(params, "budget", wrong[i]), GPR_ERROR_ARGUMENT, "it must be a time such as 90s");
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* An epoch that takes much longer than its sizes say; stops after so many calls, if there are. */
static int dawdle(void *user, const gpr_progress *p) {
    int64_t *left = user;
    (void)p;
    (void)usleep(20000);
    return *left > 0 && --*left == 0;
}

/* The clock is the last means: it is told, and a training that goes on keeps to it, however fast it is then. */
static void clock_cuts(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    const char *const *options = OPTIONS(AUTO, THREE, SHORT, "budget", "0.06s", "runs", "2", "refit", "no");
    const char *text;
    int64_t calls = 8; /* in the second run of what was chosen */
    ctx->job.progress = dawdle, ctx->job.user = &calls;
    training t = try_training(ctx, data, options);
    ctx->job.progress = NULL, ctx->job.user = NULL;
    assert_int_equal(t.status, GPR_STOPPED);
    go_on(&t, ctx, data, options, 0);
    const gpri_choice *choice = &t.result->choice;
    assert_true(choice->cut);
    assert_int_equal(choice->count, 1);
    assert_string_equal(choice->names[0], "gprgnn-counts");
    assert_int_equal(gpr_result_runs(t.result), 2);
    assert_ok(gpr_result_json(ctx, t.result, &text));
    assert_non_null(strstr(text, "\"budget_cut\": true"));
    training_free(&t);
    t = train(ctx, data, OPTIONS(AUTO, THREE, SHORT, "budget", "1h"));
    assert_int_equal(t.result->choice.count, 3);
    assert_ok(gpr_result_json(ctx, t.result, &text));
    assert_non_null(strstr(text, "\"budget_cut\": false"));
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Stops within the second candidate, after the clock would have cut it. */
static int linger(void *user, const gpr_progress *p) {
    (void)user;
    if (p->candidate_index != 1) return 0;
    (void)usleep(1300000);
    return 1;
}

/* A candidate that had begun in time is finished, with or without a stop. */
static void begun_in_time(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    const char *const *options = OPTIONS(AUTO, THREE, SHORT, "budget", "1s", "refit", "no");
    ctx->job.progress = linger;
    training t = try_training(ctx, data, options);
    ctx->job.progress = NULL;
    assert_int_equal(t.status, GPR_STOPPED);
    go_on(&t, ctx, data, options, 0);
    assert_true(t.result->choice.cut);
    assert_int_equal(t.result->choice.count, 2);
    assert_string_equal(t.result->choice.names[1], "gprgnn");
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_model_is_taken),
                                       cmocka_unit_test(set_options_stay),
                                       cmocka_unit_test(trees_are_tried),
                                       cmocka_unit_test(nothing_left),
                                       cmocka_unit_test(random_labels_stay_at_chance),
                                       cmocka_unit_test(stopped_anywhere),
                                       cmocka_unit_test(weak_ones_stop_early),
                                       cmocka_unit_test(rungs_on_a_device),
                                       cmocka_unit_test(other_candidates),
                                       cmocka_unit_test(same_bits),
                                       cmocka_unit_test(budget_limits),
                                       cmocka_unit_test(clock_cuts),
                                       cmocka_unit_test(begun_in_time)};
    return cmocka_run_group_tests_name("auto", tests, NULL, NULL);
}
