/* States that are saved while a training runs: whenever the program is killed, the training that goes on from the last
 * states ends with the bits of one that was never disturbed. */
#include <math.h>

#include "file/checksum.h"
#include "resuming.h"
#include "train/saved.h"

enum { MOST_RUNS = 8 };

/* Keeps the last state of each run, as files would, until the program is "killed". */
typedef struct {
    gpr_state states[MOST_RUNS]; /* (runs) bytes are owned; NULL: none yet */
    int64_t calls, killed_at;    /* calls of save; from this one on nothing is kept any more; 0: never */
    int64_t finished;
    int64_t fail;             /* what save returns */
    int64_t asked, due_every; /* save_due: calls; how often it says yes */
} keeper;

static int keep(void *user, const gpr_save_info *info) {
    keeper *kept = user;
    assert_true(info->struct_size == sizeof *info && info->run >= 0 && info->run < MOST_RUNS && info->epoch >= 1);
    kept->calls++;
    kept->finished += info->finished != 0;
    if (kept->fail) return (int)kept->fail;
    if (kept->killed_at && kept->calls >= kept->killed_at) return 0;
    gpr_state *state = &kept->states[info->run];
    free((void *)state->bytes);
    void *copy = malloc(info->size);
    assert_non_null(copy);
    memcpy(copy, info->bytes, info->size);
    *state = (gpr_state){.bytes = copy, .size = info->size};
    return 0;
}

static int is_due(void *user, const gpr_progress *progress) {
    keeper *kept = user;
    assert_true(strcmp(progress->stage, "training") == 0 && progress->epoch >= 1 && isfinite(progress->train_loss));
    return ++kept->asked % kept->due_every == 0;
}

static void drop(keeper *kept) {
    for (int i = 0; i < MOST_RUNS; i++) free((void *)kept->states[i].bytes);
    *kept = (keeper){.calls = 0};
}

/* from: what an earlier training kept; NULL: a new one. kept: gets the states; NULL: nobody. */
static training train_saved(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options, const keeper *from,
                            keeper *kept) {
    training t;
    gpr_state states[MOST_RUNS];
    gpr_train_options more = {.struct_size = sizeof more, .states = states, .user = kept};
    for (int i = 0; from && i < MOST_RUNS; i++)
        if (from->states[i].bytes) states[more.state_count++] = from->states[i];
    if (kept) more.save = keep;
    if (kept && kept->due_every) more.save_due = is_due;
    gpr_params *params = new_params(ctx, options);
    t.status = gpr_train_with(ctx, &t.model, &t.result, data, params, &more);
    gpr_params_free(params);
    return t;
}

/* Saves after every epoch, and kills after every save. */
static void all_models(void **state) {
    (void)state;
    char words[MOST_MODELS][16];
    int count = model_words(words);
    assert_true(count >= 10);
    for (int m = 0; m < count; m++)
        for (int threads = 1; threads <= 2; threads++) {
            const char *room[32];
            const char *const *options = options_for(
                room, words[m], OPTIONS("epochs", "7", "hidden", "4", "K", "2", "heads", "2", "lr", "0.05"));
            gpr_ctx *ctx = new_ctx(threads), *other = new_ctx(3 - threads);
            gpr_dataset *data = new_words(ctx, 90, 40, 3);
            training whole = train(ctx, data, options);
            for (int64_t kill = 1; kill <= 8; kill++) {
                keeper kept = {.killed_at = kill};
                training first = train_saved(ctx, data, options, NULL, &kept);
                assert_ok(first.status);
                assert_same_training(words[m], ctx, &whole, &first); /* saving changes nothing */
                assert_int_equal(kept.calls, 7);
                assert_int_equal(kept.finished, 1);
                training second = train_saved(kill % 2 ? ctx : other, data, options, &kept, NULL);
                assert_ok(second.status);
                assert_same_training(words[m], ctx, &whole, &second);
                training_free(&first), training_free(&second);
                drop(&kept);
            }
            training_free(&whole);
            gpr_dataset_free(data);
            gpr_ctx_free(ctx), gpr_ctx_free(other);
        }
}

/* Finished runs, runs under way and runs that never began, at each moment; and killed once more while it goes on. */
static void several_runs(void **state) {
    (void)state;
    const char *const *options = OPTIONS("epochs", "5", "runs", "4", "hidden", "6", "split", "40/30/30");
    for (int threads = 1; threads <= 3; threads++) {
        gpr_ctx *ctx = new_ctx(threads);
        gpr_dataset *data = new_words(ctx, 90, 40, 3);
        training whole = train(ctx, data, options);
        for (int64_t kill = 1; kill <= 21; kill++) {
            keeper kept = {.killed_at = kill}, again = {.killed_at = 3};
            training first = train_saved(ctx, data, options, NULL, &kept);
            assert_int_equal(kept.calls, 20);
            assert_int_equal(kept.finished, 4);
            training second = train_saved(ctx, data, options, &kept, &again);
            assert_same_training("several runs", ctx, &whole, &second);
            for (int r = 0; r < MOST_RUNS; r++) /* as in a folder: what was not saved again is still there */
                if (!again.states[r].bytes) {
                    again.states[r] = kept.states[r];
                    kept.states[r].bytes = NULL;
                }
            training third = train_saved(ctx, data, options, &again, NULL);
            assert_same_training("killed twice", ctx, &whole, &third);
            training_free(&first), training_free(&second), training_free(&third);
            drop(&kept), drop(&again);
        }
        training_free(&whole);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

/* A run that was finished before is not saved again. */
static void nothing_is_left(void **state) {
    (void)state;
    const char *const *options = OPTIONS("epochs", "5", "runs", "2", "hidden", "6");
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    keeper kept = {.calls = 0}, again = {.calls = 0};
    training first = train_saved(ctx, data, options, NULL, &kept),
             second = train_saved(ctx, data, options, &kept, &again);
    assert_same_training("all finished", ctx, &first, &second);
    assert_int_equal(again.calls, 0);
    training_free(&first), training_free(&second);
    drop(&kept);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void when_to_save(void **state) {
    (void)state;
    const char *const *options = OPTIONS("epochs", "12", "hidden", "6", "stopping", "none");
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    keeper kept = {.due_every = 4};
    training t = train_saved(ctx, data, options, NULL, &kept);
    assert_int_equal(kept.asked, 11); /* after the last epoch nobody is asked: a finished run is always saved */
    assert_int_equal(kept.calls, 3);
    training_free(&t), drop(&kept);
    gpr_params *params = new_params(ctx, options);
    gpr_train_options seldom = {.struct_size = sizeof seldom, .save = keep, .user = &kept, .save_every = 3600};
    assert_ok(gpr_train_with(ctx, &t.model, &t.result, data, params, &seldom));
    assert_int_equal(kept.calls, 1);
    training_free(&t);
    seldom.save_every = -1;
    assert_fails(gpr_train_with(ctx, &t.model, &t.result, data, params, &seldom), GPR_ERROR_ARGUMENT, "save_every");
    seldom.save_every = NAN;
    assert_fails(gpr_train_with(ctx, &t.model, &t.result, data, params, &seldom), GPR_ERROR_ARGUMENT, "save_every");
    gpr_params_free(params);
    drop(&kept);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static int warnings;
static void count_warnings(void *user, gpr_log_level level, const char *line) {
    (void)user;
    warnings += level == GPR_LOG_WARNING && strstr(line, "could not be saved; the training goes on") != NULL;
}

static void save_fails(void **state) {
    (void)state;
    const char *const *options = OPTIONS("epochs", "6", "hidden", "6", "stopping", "none");
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    keeper kept = {.fail = GPR_ERROR_IO};
    training whole = train(ctx, data, options);
    ctx->job.log = count_warnings;
    warnings = 0;
    training t = train_saved(ctx, data, options, NULL, &kept);
    assert_ok(t.status);
    assert_same_training("without saving", ctx, &whole, &t);
    assert_int_equal(warnings, 6);
    training_free(&t), training_free(&whole);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The splits of runs that never began are not in the states. */
static void given_splits(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    gpr_split *splits[3], *others[3];
    for (int i = 0; i < 3; i++) {
        assert_ok(gpr_split_new(ctx, &splits[i], data, "50/25/25", 7, i));
        assert_ok(gpr_split_new(ctx, &others[i], data, "50/25/25", 8, i));
    }
    gpr_params *params = new_params(ctx, OPTIONS("epochs", "5", "hidden", "6"));
    keeper kept = {.killed_at = 7}; /* in the second run */
    gpr_train_options options = {.struct_size = sizeof options,
                                 .splits = (const gpr_split *const *)splits,
                                 .split_count = 3,
                                 .save = keep,
                                 .user = &kept};
    training whole, t;
    whole.status = gpr_train_with(ctx, &whole.model, &whole.result, data, params, &options);
    assert_ok(whole.status);
    gpr_state states[2] = {kept.states[0], kept.states[1]};
    options.states = states;
    options.state_count = 2;
    options.save = NULL;
    t.status = gpr_train_with(ctx, &t.model, &t.result, data, params, &options);
    assert_ok(t.status);
    assert_same_training("given splits", ctx, &whole, &t);
    training_free(&t);
    options.splits = (const gpr_split *const *)others;
    assert_fails(gpr_train_with(ctx, &t.model, &t.result, data, params, &options), GPR_ERROR_MISMATCH, "other splits");
    options.split_count = 2;
    assert_fails(gpr_train_with(ctx, &t.model, &t.result, data, params, &options), GPR_ERROR_MISMATCH, "3 runs");
    options.splits = NULL;
    assert_fails(gpr_train_with(ctx, &t.model, &t.result, data, params, &options), GPR_ERROR_MISMATCH,
                 "give the splits again");
    training_free(&whole);
    drop(&kept);
    gpr_params_free(params);
    for (int i = 0; i < 3; i++) gpr_split_free(splits[i]), gpr_split_free(others[i]);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void wrong_states(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    keeper kept = {.killed_at = 7}, wider = {.killed_at = 7};
    training t = train_saved(ctx, data, OPTIONS("epochs", "5", "runs", "2"), NULL, &kept);
    training_free(&t);
    gpr_params *params = new_params(ctx, OPTIONS("epochs", "5", "runs", "2"));
    gpr_state twice[2] = {kept.states[0], kept.states[0]};
    gpr_train_options options = {.struct_size = sizeof options, .states = twice, .state_count = 2};
    assert_fails(gpr_train_with(ctx, &t.model, &t.result, data, params, &options), GPR_ERROR_FORMAT,
                 "run 0 is there twice");
    options.state_count = -1;
    assert_fails(gpr_train_with(ctx, &t.model, &t.result, data, params, &options), GPR_ERROR_ARGUMENT, "states");
    twice[1] = (gpr_state){.bytes = NULL, .name = "second"};
    options.state_count = 2;
    assert_fails(gpr_train_with(ctx, &t.model, &t.result, data, params, &options), GPR_ERROR_ARGUMENT, "second");
    t = train_saved(ctx, data, OPTIONS("epochs", "5", "runs", "3"), NULL, &wider);
    training_free(&t);
    twice[1] = wider.states[1];
    twice[1].name = "wider.safetensors";
    assert_fails(gpr_train_with(ctx, &t.model, &t.result, data, params, &options), GPR_ERROR_MISMATCH,
                 "wider.safetensors is of a training with runs 3");
    gpr_params_free(params);
    drop(&kept), drop(&wider);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A run whose weights are damaged in a way that its checksum agrees with diverges; the others do not depend on it. */
static void one_run_diverges(void **state) {
    (void)state;
    const char *const *options = OPTIONS("epochs", "5", "runs", "3", "hidden", "6");
    for (int threads = 1; threads <= 2; threads++) {
        gpr_ctx *ctx = new_ctx(threads);
        gpr_dataset *data = new_words(ctx, 90, 40, 3);
        training whole = train(ctx, data, options);
        gpr_ctx *one = new_ctx(1);
        keeper kept = {.killed_at = 9}; /* run 0 is finished, run 1 under way, run 2 never began */
        training t = train_saved(one, data, options, NULL, &kept);
        training_free(&t);
        gpr_ctx_free(one);
        char *bytes = (char *)kept.states[1].bytes;
        gpri_safetensors file;
        gpri_stored_array array;
        const void *numbers = NULL;
        int64_t count = 0;
        assert_ok(gpri_safetensors_open(&file, bytes, (int64_t)kept.states[1].size, "state", "state", "array"));
        for (void *at = NULL;;) {
            assert_ok(gpri_safetensors_next(&file, &at, &array, NULL));
            if (!at) break;
            if (strcmp(array.name, "numbers") == 0) numbers = array.values, count = array.shape[1];
        }
        assert_non_null(numbers);
        const gpri_real nan_value = NAN;
        for (int64_t i = 0; i < count; i++)
            memcpy(bytes + ((const char *)numbers - bytes) + i * (int64_t)sizeof nan_value, &nan_value,
                   sizeof nan_value);
        gpri_safetensors_close(&file);
        int64_t sum = gpri_checksum(0, bytes, (int64_t)(kept.states[1].size - sizeof sum));
        memcpy(bytes + kept.states[1].size - sizeof sum, &sum, sizeof sum);

        t = train_saved(ctx, data, options, &kept, NULL);
        assert_int_equal(t.status, GPR_PARTIAL);
        assert_non_null(strstr(gpr_last_error(), "1 of 3 runs failed; the first, run 1: "));
        assert_int_equal(gpr_result_runs(t.result), 2);
        assert_int_equal(gpr_result_failures(t.result), 1);
        gpr_failure_info failure = {.struct_size = sizeof failure};
        assert_ok(gpr_result_failure(t.result, 0, &failure));
        assert_int_equal(failure.run, 1);
        assert_int_equal(failure.seed, whole.result->runs[1].info.seed);
        assert_non_null(strstr(failure.message, "loss"));
        assert_fails(gpr_result_failure(t.result, 1, &failure), GPR_ERROR_ARGUMENT, "no failure 1");
        assert_same_bytes("run 0", ctx, gpr_result_model(t.result, 0), gpr_result_model(whole.result, 0));
        assert_same_bytes("run 2", ctx, gpr_result_model(t.result, 1), gpr_result_model(whole.result, 2));
        const char *json;
        assert_ok(gpr_result_json(ctx, t.result, &json));
        assert_non_null(strstr(json, "\"failures\": ["));
        assert_non_null(strstr(json, "\"run\": 1"));
        training_free(&t), training_free(&whole);
        drop(&kept);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

/* One allocation fails, each in its turn. If it was one of those for saving, the training is as good as ever. */
typedef struct {
    int64_t until, live;
} once;

static void *once_resize(void *user, void *block, size_t size) {
    once *memory = user;
    if (memory->until-- == 0) return NULL;
    memory->live += !block;
    return realloc(block, size);
}

static void once_release(void *user, void *block) {
    ((once *)user)->live -= block != NULL;
    free(block);
}

static void little_memory(void **state) {
    (void)state;
    const char *const *options = OPTIONS("epochs", "3", "hidden", "2", "K", "1");
    gpr_ctx *plenty = new_ctx(1);
    gpr_dataset *data = new_words(plenty, 40, 12, 3);
    training whole = train(plenty, data, options);
    int went_on = 0;
    for (int64_t allowed = 0;; allowed++) {
        once memory = {.until = 1 << 20};
        gpr_ctx *ctx;
        gpr_ctx_options with = {
            .struct_size = sizeof with, .threads = 1, .allocator = {once_resize, once_release, &memory}};
        assert_ok(gpr_ctx_new(&ctx, &with));
        gpr_params *params = new_params(ctx, options);
        const int64_t live = memory.live;
        keeper kept = {.calls = 0};
        gpr_train_options more = {.struct_size = sizeof more, .save = keep, .user = &kept};
        training t;
        memory.until = allowed;
        t.status = gpr_train_with(ctx, &t.model, &t.result, data, params, &more);
        const bool failed = memory.until < 0;
        if (t.status == GPR_OK) {
            assert_same_training("little memory", plenty, &whole, &t);
            went_on += failed;
            if (failed) assert_int_equal(kept.calls, 2); /* one of three could not be saved */
        } else {
            assert_int_equal(t.status, GPR_ERROR_MEMORY);
        }
        training_free(&t);
        assert_int_equal(memory.live, live);
        gpr_params_free(params);
        gpr_ctx_free(ctx);
        drop(&kept);
        if (!failed) break;
    }
    assert_true(went_on > 20);
    training_free(&whole);
    gpr_dataset_free(data);
    gpr_ctx_free(plenty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_models),   cmocka_unit_test(several_runs),     cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(when_to_save), cmocka_unit_test(save_fails),       cmocka_unit_test(given_splits),
        cmocka_unit_test(wrong_states), cmocka_unit_test(one_run_diverges), cmocka_unit_test(little_memory)};
    return cmocka_run_group_tests_name("saving", tests, NULL, NULL);
}
