/* What data is trained with where options are `auto`: the candidates, what is said of them, what a caller has set,
 * several runs, a stopped candidate; and the second training of data with nodes to predict. */
#include <jansson.h>
#include <math.h>

#include "file/checksum.h"
#include "label_data.h"
#include "resuming.h"

enum { NODES = 300, UNLABELLED = NODES / 6 };

static gpr_dataset *make_table(gpr_ctx *ctx, bool unlabelled) {
    int32_t by[NODES], labels[NODES];
    draw_labels(by, NODES, 1);
    for (int i = 0; i < NODES; i++) labels[i] = unlabelled && i % 6 == 0 ? -1 : by[i];
    gpr_dataset *data = make_labelled(ctx, NODES, 0.5, by, labels);
    data->generated = false;
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
    snprintf(want, sizeof want, "%s: accuracy %.2f %% on the validation nodes (2 others: %.2f %%, %.2f %%)",
             choice->names[choice->taken], 100 * choice->scores[choice->taken], 100 * choice->scores[first],
             100 * choice->scores[second]);
    assert_string_equal(gpr_result_choice(t.result), want);
    char note[600];
    assert_string_equal(gpr_result_note(t.result, 0, note, sizeof note), "chosen");
    assert_string_equal(note, want);
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
    data->generated = true; /* published data: nothing is chosen, and labels are not used */
    expect_names(ctx, data, OPTIONS("epochs", "15"), 0, NULL);
    training t = train(ctx, data, OPTIONS(COMMON)),
             u = train(ctx, data, OPTIONS(COMMON, "label-input", "no", "label-counts", "no"));
    assert_same_model("published", t.model, u.model);
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
    assert_int_equal(two.result->choice.taken, one.result->choice.taken);
    assert_non_null(strstr(gpr_result_choice(two.result), " on the validation nodes of the first run ("));
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

/* ---- stopped, killed, and gone on ---- */

#define SHORT "epochs", "6", "hidden", "4", "K", "2", "seed", "3", "smooth", "auto", "lr", "0.05"

/* Stopped after any epoch of any candidate, of the other runs and of the refit, it goes on to the end of an undisturbed
   training. Stopped within a candidate, the best finished one is the result, else the one that was trained. */
static void stopped_anywhere(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, true);
    const char *const *const asked[] = {OPTIONS(SHORT), OPTIONS(SHORT, "runs", "3", "refit", "no"),
                                        OPTIONS("epochs", "6", "hidden", "4", "model", "mlp", "metric", "macro_f1")};
    for (int i = 0; i < 3; i++) {
        training whole = train(ctx, data, asked[i]);
        const gpri_choice *choice = &whole.result->choice;
        assert_int_equal(choice->count, i == 2 ? 2 : 3);
        assert_int_equal(whole.result->refit_nodes > 0, i != 1);
        int64_t calls = 1;
        for (;; calls++) {
            training t = stop_after(ctx, data, asked[i], calls);
            if (t.status == GPR_OK) {
                training_free(&t);
                break;
            }
            assert_int_equal(t.status, GPR_STOPPED);
            const int finished = (int)((calls - 1) / 6); /* candidates, if it was stopped in one */
            if (finished < choice->count) {
                int best = 0;
                for (int k = 1; k < finished; k++)
                    if (choice->scores[k] > choice->scores[best] ||
                        (choice->scores[k] == choice->scores[best] && choice->losses[k] < choice->losses[best]))
                        best = k;
                assert_null(gpr_result_choice(t.result)); /* there was none yet */
                assert_string_equal(gpr_model_param(t.model, "label-counts"),
                                    strstr(choice->names[best], "label-counts yes") ? "yes" : "no");
                assert_int_equal(t.result->runs[0].info.epochs, finished > 0 ? 6 : calls);
            }
            go_on(&t, ctx, data, asked[i], 0);
            assert_same_training("gone on", ctx, &whole, &t);
            assert_same_choice("gone on", &whole, &t);
            training_free(&t);
        }
        assert_true(calls > 6 * (choice->count + 1)); /* the refit, or other runs, were stopped too */
        training_free(&whole);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Stopped again and again. */
static void stopped_in_pieces(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = make_table(ctx, true);
    static const int64_t calls[] = {4, 4, 3, 1, 5, 0};
    training whole = train(ctx, data, OPTIONS(SHORT)), pieces = train_in_pieces(ctx, data, OPTIONS(SHORT), calls);
    assert_same_training("in pieces", ctx, &whole, &pieces);
    assert_same_choice("in pieces", &whole, &pieces);
    training_free(&whole), training_free(&pieces);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

enum { MOST_RUNS = 3 };

/* Keeps the last state of each run, until the program is "killed". */
typedef struct {
    gpr_state states[MOST_RUNS]; /* bytes are owned */
    int64_t calls, killed_at;
    int64_t finished;
} keeper;

static int keep(void *user, const gpr_save_info *info) {
    keeper *kept = user;
    assert_true(info->run >= 0 && info->run < info->runs && info->runs <= MOST_RUNS);
    kept->finished += info->finished;
    if (++kept->calls >= kept->killed_at) return 0;
    gpr_state *state = &kept->states[info->run];
    free((void *)state->bytes);
    void *copy = malloc(info->size);
    assert_non_null(copy);
    memcpy(copy, info->bytes, info->size);
    *state = (gpr_state){.bytes = copy, .size = info->size};
    return 0;
}

static training train_saved(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options, const keeper *from,
                            keeper *kept) {
    training t;
    gpr_state states[MOST_RUNS];
    gpr_train_options more = {.struct_size = sizeof more, .states = states, .save = keep, .user = kept};
    for (int i = 0; from && i < MOST_RUNS; i++)
        if (from->states[i].bytes) states[more.state_count++] = from->states[i];
    gpr_params *params = new_params(ctx, options);
    t.status = gpr_train_with(ctx, &t.model, &t.result, data, params, &more);
    gpr_params_free(params);
    return t;
}

static void drop(keeper *kept) {
    for (int i = 0; i < MOST_RUNS; i++) free((void *)kept->states[i].bytes);
    *kept = (keeper){.calls = 0};
}

/* Killed after any save, and once more at some later one. */
static void killed_anywhere(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, true);
    const char *const *const asked[] = {OPTIONS(SHORT), OPTIONS(SHORT, "runs", "3", "refit", "yes")};
    for (int i = 0; i < 2; i++) {
        keeper all = {.killed_at = INT64_MAX};
        training whole = train_saved(ctx, data, asked[i], NULL, &all);
        assert_ok(whole.status);
        assert_true(all.calls >= 6 * (i == 0 ? 3 : 5));
        assert_int_equal(all.finished, i == 0 ? 1 : 3); /* each run once, after the candidates */
        for (int64_t kill = 1; kill <= all.calls; kill++) {
            keeper first = {.killed_at = kill}, second = {.killed_at = 1 + kill % 9}, third = {.killed_at = INT64_MAX};
            training a = train_saved(ctx, data, asked[i], NULL, &first);
            training b = train_saved(ctx, data, asked[i], &first, &second);
            for (int r = 0; r < MOST_RUNS; r++) /* what the second call did not write is that of the first */
                if (!second.states[r].bytes) second.states[r] = first.states[r], first.states[r].bytes = NULL;
            training c = train_saved(ctx, data, asked[i], &second, &third);
            const training *const ended[] = {&a, &b, &c};
            for (int k = 0; k < 3; k++) {
                assert_ok(ended[k]->status);
                assert_same_training("killed", ctx, &whole, ended[k]);
                assert_same_choice("killed", &whole, ended[k]);
            }
            training_free(&a), training_free(&b), training_free(&c);
            drop(&first), drop(&second), drop(&third);
        }
        training_free(&whole);
        drop(&all);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Splits that were given are in the state. */
static void given_splits_go_on(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, false);
    gpr_params *params = new_params(ctx, OPTIONS(SHORT));
    gpr_split *splits[2];
    for (int i = 0; i < 2; i++) assert_ok(gpr_split_new(ctx, &splits[i], data, "40/30/30", (uint64_t)i + 1, 0));
    training whole, t;
    whole.status =
        gpr_train_splits(ctx, &whole.model, &whole.result, data, params, (const gpr_split *const *)splits, 2);
    assert_ok(whole.status);
    for (int64_t calls = 2; calls <= 22; calls += 6) {
        int64_t left = calls;
        ctx->job.progress = stop_anywhere, ctx->job.user = &left;
        t.status = gpr_train_splits(ctx, &t.model, &t.result, data, params, (const gpr_split *const *)splits, 2);
        ctx->job.progress = NULL, ctx->job.user = NULL;
        go_on(&t, ctx, data, OPTIONS(SHORT), 0); /* without them */
        assert_same_training("given splits", ctx, &whole, &t);
        assert_same_choice("given splits", &whole, &t);
        training_free(&t);
    }
    training_free(&whole);
    for (int i = 0; i < 2; i++) gpr_split_free(splits[i]);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* As 0.2.0 wrote it. */
static void make_old(saved_state *state) {
    char *bytes = state->bytes;
    static const char word[] = "\"format_version\":\"5\"";
    char *at = memmem(bytes, state->size, word, sizeof word - 1);
    assert_non_null(at);
    at[sizeof word - 3] = '4';
    const int64_t rest = (int64_t)state->size - 8, sum = gpri_checksum(0, bytes, rest);
    memcpy(bytes + rest, &sum, sizeof sum);
}

/* A state of 0.2.0 knows its own candidate alone. Of one run, the others are trained again; of several, it came after
   the choice. A state of a training without a choice is no part of one, and the other way round. */
static void states_without_choice(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, true);
    static const struct {
        const char *input, *counts, *dropout, *dprate;
    } as[] = {{"yes", "yes", "0.2", "0"}, {"no", "yes", "0.2", "0"}, {"no", "no", "0.5", "0.5"}};
    training whole = train(ctx, data, OPTIONS(SHORT));
    for (int k = 0; k < 3; k++) {
        const char *const *alone = OPTIONS(SHORT, "label-input", as[k].input, "label-counts", as[k].counts, "dropout",
                                           as[k].dropout, "dprate", as[k].dprate);
        training t = stop_after(ctx, data, alone, 4);
        saved_state kept = state_of(ctx, &t);
        training_free(&t);
        t = try_resume(ctx, data, OPTIONS(SHORT), kept.bytes, kept.size);
        assert_fails(t.status, GPR_ERROR_MISMATCH, "among none");
        make_old(&kept);
        t = try_resume(ctx, data, OPTIONS(SHORT), kept.bytes, kept.size);
        assert_ok(t.status);
        assert_same_training("an old state", ctx, &whole, &t);
        assert_same_choice("an old state", &whole, &t);
        training_free(&t);
        gpr_bytes_free(ctx, kept.bytes);
    }
    training t = stop_after(ctx, data, OPTIONS(SHORT), 8);
    saved_state kept = state_of(ctx, &t);
    training_free(&t);
    t = try_resume(ctx, data, OPTIONS(SHORT, "label-input", "no", "label-counts", "yes"), kept.bytes, kept.size);
    assert_fails(t.status, GPR_ERROR_MISMATCH, "chooses");
    t = try_resume(ctx, data, OPTIONS(SHORT, "dropout", "0.3"), kept.bytes, kept.size);
    assert_fails(t.status, GPR_ERROR_MISMATCH, "same options");
    gpr_bytes_free(ctx, kept.bytes);
    const char *const *several =
        OPTIONS(SHORT, "runs", "2", "label-input", "no", "label-counts", "yes", "dropout", "0.2", "dprate", "0");
    training two = train(ctx, data, several);
    t = stop_after(ctx, data, several, 4);
    kept = state_of(ctx, &t);
    make_old(&kept);
    training_free(&t);
    t = try_resume(ctx, data, OPTIONS(SHORT, "runs", "2"), kept.bytes, kept.size);
    assert_ok(t.status);
    assert_same_training("old states of several runs", ctx, &two, &t);
    gpr_bytes_free(ctx, kept.bytes);
    training_free(&whole), training_free(&two), training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* What a state says of the choice may be damaged, with a right checksum. */
static void damaged_choice(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = make_table(ctx, true);
    training t = stop_after(ctx, data, OPTIONS(SHORT), 14);
    const saved_state kept = state_of(ctx, &t);
    training_free(&t);
    static const struct {
        const char *word;
        int at; /* the letter after the word that changes */
        char to;
    } changes[] = {
        {"\"choice.count\":\"", 0, '9'},   {"\"choice.count\":\"", 0, '-'},   {"\"choice.now\":\"", 0, 'x'},
        {"\"choice.0.name\":\"", 0, 'x'},  {"\"choice.1.score\":\"", 3, 'x'}, {"\"choice.1.loss\":\"", 1, 'G'},
        {"\"choice.measure\":\"", 0, 'x'}, {"\"kept\":{\"d", 0, 'x'},         {"\"choice.now", 0, 'x'}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *bytes = malloc(kept.size);
        assert_non_null(bytes);
        memcpy(bytes, kept.bytes, kept.size);
        char *at = memmem(bytes, kept.size, changes[i].word, strlen(changes[i].word));
        if (!at) fail_msg("the state lacks %s", changes[i].word);
        at[strlen(changes[i].word) + (size_t)changes[i].at] = changes[i].to;
        const int64_t rest = (int64_t)kept.size - 8, sum = gpri_checksum(0, bytes, rest);
        memcpy(bytes + rest, &sum, sizeof sum);
        t = try_resume(ctx, data, OPTIONS(SHORT), bytes, kept.size);
        if (t.status != GPR_ERROR_FORMAT && t.status != GPR_ERROR_MISMATCH)
            fail_msg("%s: %s", changes[i].word, gpr_status_name(t.status));
        free(bytes);
    }
    gpr_bytes_free(ctx, kept.bytes);
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
    some->generated = true;
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
    data->generated = false;
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

/* Raw columns in an array, and one node of twenty is of the class that is looked for: every part has some of them, the
   columns get one scale, and what the classes are is seen. */
static void rare_class_in_an_array(void **state) {
    (void)state;
    enum { MANY = 2000, COLUMNS = 8, EVERY = 20 };
    const gpri_random stream = gpri_random_of(31, GPRI_RANDOM_TEST, 0, 0);
    gpr_ctx *ctx = new_ctx(1);
    int64_t *src = test_malloc(2 * MANY * sizeof *src), *dst = test_malloc(2 * MANY * sizeof *dst);
    float *x = test_malloc(MANY * COLUMNS * sizeof *x);
    int32_t *labels = test_malloc(MANY * sizeof *labels);
    for (int i = 0; i < MANY; i++) {
        labels[i] = i % EVERY == 0;
        for (int e = 0; e < 2; e++) {
            const int64_t other = (int64_t)gpri_uniform_below(stream, (uint64_t)(2 * i + e), MANY);
            src[2 * i + e] = i;
            dst[2 * i + e] = labels[i] ? other / EVERY * EVERY : other;
        }
        for (int j = 0; j < COLUMNS; j++) { /* such as an age, an income, a number of logins */
            const double u = gpri_uniform(stream, (uint64_t)(100000 + COLUMNS * i + j));
            x[COLUMNS * i + j] = (float)((u + (j < 3 && labels[i] ? 0.35 : 0)) * pow(10, 7 - j));
        }
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "array",
                             .nodes = MANY,
                             .edges = 2 * MANY,
                             .src = src,
                             .dst = dst,
                             .features = COLUMNS,
                             .dense = x,
                             .labels = labels};
    gpr_dataset *data;
    double auc[2];
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    for (int named = 0; named < 2; named++) {
        training t = train(ctx, data, OPTIONS("epochs", "40", "hidden", "16", "normalize", named ? "column" : "auto"));
        for (int part = GPR_TRAIN; part <= GPR_TEST; part++) {
            const int64_t all = MANY / EVERY;
            const int64_t rare = gpr_split_count(gpr_result_split(t.result), (gpr_part)part, 1);
            assert_int_equal(rare, part == GPR_TRAIN ? all * 3 / 5 : all / 5);
        }
        assert_string_equal(gpr_model_param(t.model, "split"), "60/20/20");
        assert_int_equal(t.model->scaling.cols, COLUMNS);
        assert_int_equal(t.result->choice.count, 3);
        auc[named] = t.result->runs[0].metrics[GPR_TEST]->values[GPRI_ROC_AUC];
        training_free(&t);
    }
    assert_true(auc[0] == auc[1] && auc[0] > 0.97);
    gpr_dataset_free(data);
    test_free(src), test_free(dst), test_free(x), test_free(labels);
    gpr_ctx_free(ctx);
}

/* What it costs is said once, and nothing where nothing is chosen. That the edges of the table are directed is said
   too: tests/cli/relations.sh. */
static char noticed[1024];

static void keep_notices(void *user, gpr_log_level level, const char *line) {
    (void)user;
    const size_t used = strlen(noticed);
    if (level == GPR_LOG_NOTICE && !strstr(line, "are directed"))
        snprintf(noticed + used, sizeof noticed - used, "%s\n", line);
}

static void cost_is_said(void **state) {
    (void)state;
    static const char features[] = "features: columns scaled to mean 0 and standard deviation 1 (`normalize` auto)\n";
    static const char chosen[] = "label use is chosen by the validation nodes: 3 trainings; `label-input` no "
                                 "`label-counts` no trains one\n";
    char want[1024];
    gpr_ctx *ctx;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .log = keep_notices};
    assert_ok(gpr_ctx_new(&ctx, &options));
    gpr_dataset *data = make_table(ctx, false);
    training t = train(ctx, data, OPTIONS("epochs", "2"));
    snprintf(want, sizeof want, "%s%s", chosen, features);
    assert_string_equal(noticed, want);
    training_free(&t);
    noticed[0] = 0;
    t = train(ctx, data, OPTIONS("epochs", "2", "model", "mlp", "runs", "2", "normalize", "none"));
    assert_string_equal(noticed, "label use is chosen by the validation nodes: 2 trainings before the 2 runs; "
                                 "`label-input` no `label-counts` no trains none of them\n");
    training_free(&t);
    noticed[0] = 0;
    t = train(ctx, data, OPTIONS("epochs", "2", "label-input", "no", "label-counts", "no", "runs", "2"));
    assert_string_equal(noticed, features);
    training_free(&t);
    noticed[0] = 0;
    data->generated = true;
    t = train(ctx, data, OPTIONS("epochs", "2"));
    assert_string_equal(noticed, "");
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_candidate_is_taken), cmocka_unit_test(choice_is_said),
                                       cmocka_unit_test(set_options_stay),        cmocka_unit_test(several_runs),
                                       cmocka_unit_test(stopped_anywhere),        cmocka_unit_test(stopped_in_pieces),
                                       cmocka_unit_test(killed_anywhere),         cmocka_unit_test(given_splits_go_on),
                                       cmocka_unit_test(states_without_choice),   cmocka_unit_test(damaged_choice),
                                       cmocka_unit_test(refit_by_itself),         cmocka_unit_test(all_candidates_fail),
                                       cmocka_unit_test(rare_class_in_an_array),  cmocka_unit_test(cost_is_said)};
    return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
