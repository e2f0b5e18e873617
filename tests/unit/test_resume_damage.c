/* The bytes of a stopped training are not trusted: whatever is wrong with them, or does not fit to them, is an error
 * that says so. */
#include <math.h>

#include "failing_memory.h"
#include "file/checksum.h"
#include "model/file/safetensors.h"
#include "resuming.h"

enum { NODES = 40, EPOCHS = 8 };

#define SMALL OPTIONS("epochs", "8", "hidden", "2", "K", "2", "runs", "3", "lr", "0.05")

typedef struct {
    gpr_ctx *ctx;
    gpr_dataset *data;
    training whole;    /* never stopped */
    saved_state state; /* run 0 finished, run 1 at step 3, run 2 not begun */
} scene;

static int set_up(void **state) {
    static scene s;
    stopper stop = {.left = EPOCHS + 3};
    s.ctx = new_ctx(1);
    s.data = new_words(s.ctx, NODES, 12, 3);
    s.whole = train(s.ctx, s.data, SMALL);
    s.ctx->job.progress = stop_at, s.ctx->job.user = &stop;
    training t = try_training(s.ctx, s.data, SMALL);
    s.ctx->job.progress = NULL;
    s.state = state_of(s.ctx, &t);
    training_free(&t);
    *state = &s;
    return 0;
}

static int tear_down(void **state) {
    scene *s = *state;
    gpr_bytes_free(s->ctx, s->state.bytes);
    training_free(&s->whole);
    gpr_dataset_free(s->data);
    gpr_ctx_free(s->ctx);
    return 0;
}

/* A block of just that size, so that reading beyond it shows. */
static char *copy_of(const void *bytes, size_t size) {
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    return copy;
}

/* The checksum as if the bytes had been written so. */
static void seal(char *bytes, size_t size) {
    int64_t sum = gpri_checksum(0, bytes, (int64_t)(size - sizeof sum));
    memcpy(bytes + size - sizeof sum, &sum, sizeof sum);
}

static void whole_state(void **state) {
    scene *s = *state;
    training t = try_resume(s->ctx, s->data, SMALL, s->state.bytes, s->state.size);
    assert_ok(t.status);
    assert_same_training("undamaged", s->ctx, &s->whole, &t);
    training_free(&t);
}

static void every_truncation(void **state) {
    scene *s = *state;
    for (size_t size = 0; size < s->state.size; size++) {
        char *cut = copy_of(s->state.bytes, size);
        training t = try_resume(s->ctx, s->data, SMALL, cut, size);
        if (t.status != GPR_ERROR_FORMAT) fail_msg("%zu bytes: %s", size, gpr_status_name(t.status));
        if (size > 16) {
            seal(cut, size);
            t = try_resume(s->ctx, s->data, SMALL, cut, size);
            if (t.status != GPR_ERROR_FORMAT) fail_msg("%zu bytes, sealed: %s", size, gpr_status_name(t.status));
        }
        free(cut);
    }
}

/* Unsealed, the checksum finds it. Sealed, weights may be any, and so may what comes of them. */
static void random_damage(void **state) {
    scene *s = *state;
    gpri_random stream = gpri_random_of(78, GPRI_RANDOM_TEST, 0, 0);
    uint64_t draw = 0;
    int went_on = 0, refused = 0;
    for (int trial = 0; trial < 3000; trial++) {
        char *bytes = copy_of(s->state.bytes, s->state.size);
        for (int flips = trial % 3; flips >= 0; flips--, draw += 2) {
            uint64_t reach = trial % 5 == 0 ? 16 : s->state.size;
            bytes[gpri_uniform_below(stream, draw, reach)] = (char)gpri_uniform_below(stream, draw + 1, 256);
        }
        if (memcmp(bytes, s->state.bytes, s->state.size) != 0) {
            training t = try_resume(s->ctx, s->data, SMALL, bytes, s->state.size);
            assert_int_equal(t.status, GPR_ERROR_FORMAT);
            assert_non_null(strstr(gpr_last_error(), "checksum"));
        }
        seal(bytes, s->state.size);
        training t = try_resume(s->ctx, s->data, SMALL, bytes, s->state.size);
        if (t.status == GPR_OK) went_on++;
        else if (t.status == GPR_ERROR_FORMAT || t.status == GPR_ERROR_MISMATCH || t.status == GPR_PARTIAL)
            refused++; /* GPR_PARTIAL: a run diverges with such weights */
        else fail_msg("trial %d: %s: %s", trial, gpr_status_name(t.status), gpr_last_error());
        training_free(&t);
        free(bytes);
    }
    assert_true(went_on > 100 && refused > 100);
}

/* ---- one wrong thing at a time, under a right checksum ---- */

/* Where the array begins in the bytes. */
static char *array_in(char *bytes, size_t size, const char *name) {
    gpri_safetensors file;
    gpri_stored_array array;
    const void *found = NULL;
    assert_ok(gpri_safetensors_open(&file, bytes, (int64_t)size, "state", "state", "array"));
    for (void *at = NULL;;) {
        assert_ok(gpri_safetensors_next(&file, &at, &array, NULL));
        if (!at) break;
        if (strcmp(array.name, name) == 0) found = array.values;
    }
    gpri_safetensors_close(&file);
    assert_non_null(found);
    return bytes + ((const char *)found - bytes);
}

static void wrong_progress(void **state) {
    scene *s = *state;
    static const char step[] = "is at step", lacks[] = "lacks numbers", more[] = "more numbers than its runs need";
    const struct {
        int64_t run, numbers[3]; /* kind, steps, best */
        const char *message;
    } cases[] = {{1, {3, 3, 1}, step},
                 {1, {-1, 3, 1}, step},
                 {1, {1, 0, 0}, step},
                 {1, {1, 3, 0}, step},
                 {1, {1, 3, 4}, step},
                 {1, {1, EPOCHS, 3}, step},
                 {1, {1, -3, -3}, step},
                 {1, {1, INT64_MAX, 1}, step},
                 {0, {2, EPOCHS + 1, 1}, step},
                 {1, {1, 4, 1}, lacks},
                 {0, {1, EPOCHS - 1, 1}, lacks},
                 {2, {2, 1, 1}, lacks},
                 {2, {1, 1, 1}, lacks},
                 {1, {2, 3, 3}, more},
                 {1, {0, 0, 0}, more},
                 {1, {1, 2, 1}, more},
                 {0, {0, 0, 0}, more}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *bytes = copy_of(s->state.bytes, s->state.size);
        char *runs = array_in(bytes, s->state.size, "runs");
        memcpy(runs + (size_t)(4 * cases[i].run + 1) * sizeof(int64_t), cases[i].numbers, sizeof cases[i].numbers);
        seal(bytes, s->state.size);
        training t = try_resume(s->ctx, s->data, SMALL, bytes, s->state.size);
        if (t.status != GPR_ERROR_FORMAT) fail_msg("case %zu: %s", i, gpr_status_name(t.status));
        if (!strstr(gpr_last_error(), cases[i].message)) fail_msg("case %zu: '%s'", i, gpr_last_error());
        free(bytes);
    }
}

/* Words of the header, replaced by others of the same length. */
static void wrong_header(void **state) {
    scene *s = *state;
    static const struct {
        const char *from, *to;
        gpr_status status;
        const char *message;
    } cases[] = {
        {"\"gprgnn state\"", "\"gprgnn steak\"", GPR_ERROR_FORMAT, "not the bytes of a stopped training"},
        {"\"format_version\":\"5\"", "\"format_version\":\"2\"", GPR_ERROR_FORMAT,
         "version 2: this program reads versions 4 and 5"},
        {"\"runs\":\"3\"", "\"runs\":\"4\"", GPR_ERROR_FORMAT, "4 runs, and its options say another number"},
        {"\"runs\":\"3\"", "\"runs\":\"x\"", GPR_ERROR_FORMAT, "how many runs there are"},
        {"\"splits_hash\"", "\"splats_hash\"", GPR_ERROR_MISMATCH, "other splits"},
        {"\"splits\":\"drawn\"", "\"splits\":\"drown\"", GPR_ERROR_FORMAT, "whose the splits are"},
        {"\"param.epochs\":\"8\"", "\"param.epochs\":\"9\"", GPR_ERROR_MISMATCH, "epochs 9"},
        {"\"param.runs\":\"3\"", "\"param.runs\":\"2\"", GPR_ERROR_MISMATCH, "runs 2"},
        {"\"param.alpha\"", "\"param.alpho\"", GPR_ERROR_MISMATCH, "alpha unknown"},
        {"\"fingerprint\"", "\"fungerprint\"", GPR_ERROR_MISMATCH, "other data"},
        {"\"history\"", "\"histery\"", GPR_ERROR_FORMAT, "unknown array 'histery'"},
        {"\"shape\":[3,4]", "\"shape\":[6,2]", GPR_ERROR_FORMAT, "'runs' has another type or shape"},
        {"\"shape\":[3,2]", "\"shape\":[2,3]", GPR_ERROR_FORMAT, "different numbers of runs"},
        {"\"shape\":[13,3]", "\"shape\":[3,13]", GPR_ERROR_FORMAT, "'gamma' has another shape"},
        {"\"shape\":[4,1]", "\"shape\":[1,4]", GPR_ERROR_FORMAT, "'seconds' has another type or shape"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *bytes = copy_of(s->state.bytes, s->state.size);
        const size_t length = strlen(cases[i].from);
        size_t at = 0;
        assert_int_equal(length, strlen(cases[i].to));
        while (at + length <= s->state.size && memcmp(bytes + at, cases[i].from, length) != 0) at++;
        if (at + length > s->state.size) fail_msg("the header lacks %s", cases[i].from);
        memcpy(bytes + at, cases[i].to, length);
        seal(bytes, s->state.size);
        training t = try_resume(s->ctx, s->data, SMALL, bytes, s->state.size);
        if (t.status != cases[i].status) fail_msg("case %zu: %s", i, gpr_status_name(t.status));
        if (!strstr(gpr_last_error(), cases[i].message)) fail_msg("case %zu: '%s'", i, gpr_last_error());
        free(bytes);
    }
}

/* The state with another array `gamma`: so many rows of so many columns; 0 rows: without it. */
static saved_state with_gamma(gpr_ctx *ctx, const saved_state *from, int64_t rows, int64_t cols) {
    enum { MOST = 16 };
    static const float gamma[64];
    gpri_safetensors file;
    gpri_stored_array arrays[MOST], checksum = {.name = NULL};
    saved_state out;
    int64_t size;
    int count = 0;
    assert_ok(gpri_safetensors_open(&file, from->bytes, (int64_t)from->size, "state", "state", "array"));
    for (void *at = NULL;;) {
        gpri_stored_array array;
        assert_ok(gpri_safetensors_next(&file, &at, &array, NULL));
        if (!at) break;
        array.axes = 2;
        if (strcmp(array.name, "checksum") == 0) checksum = array;
        else if (strcmp(array.name, "gamma") != 0) arrays[count++] = array;
        assert_true(count < MOST - 2);
    }
    assert_true(rows * cols <= 64);
    if (rows)
        arrays[count++] = (gpri_stored_array){
            .name = "gamma", .dtype = "F32", .axes = 2, .shape = {rows, cols}, .values = (void *)(uintptr_t)gamma};
    arrays[count++] = checksum;
    json_t *meta = json_deep_copy(gpri_safetensors_metadata(&file));
    assert_ok(gpri_safetensors_bytes(ctx, (char **)&out.bytes, &size, meta, arrays, count));
    out.size = (size_t)size;
    gpri_safetensors_close(&file);
    seal(out.bytes, out.size);
    return out;
}

/* K is 2; runs of 8 and of 3 steps have 9 and 4 rows. */
static void wrong_gamma(void **state) {
    scene *s = *state;
    static const struct {
        int64_t rows, cols;
        const char *message; /* NULL: it goes on */
    } cases[] = {{13, 3, NULL},
                 {0, 3, "run 0 lacks numbers"},
                 {8, 3, "run 0 lacks numbers"},
                 {12, 3, "run 1 lacks numbers"},
                 {14, 3, "more numbers than its runs need"},
                 {13, 2, "'gamma' has another shape"},
                 {13, 4, "'gamma' has another shape"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        saved_state made = with_gamma(s->ctx, &s->state, cases[i].rows, cases[i].cols);
        training t = try_resume(s->ctx, s->data, SMALL, made.bytes, made.size);
        if (t.status != (cases[i].message ? GPR_ERROR_FORMAT : GPR_OK))
            fail_msg("case %zu: %s: %s", i, gpr_status_name(t.status), gpr_last_error());
        if (cases[i].message && !strstr(gpr_last_error(), cases[i].message))
            fail_msg("case %zu: '%s'", i, gpr_last_error());
        training_free(&t);
        gpr_bytes_free(s->ctx, made.bytes);
    }
    for (int k = 0; k < 13 * 3; k++) {
        const float numbers[] = {NAN, -INFINITY};
        char *bytes = copy_of(s->state.bytes, s->state.size);
        memcpy(array_in(bytes, s->state.size, "gamma") + (size_t)k * sizeof(float), &numbers[k % 2], sizeof(float));
        seal(bytes, s->state.size);
        training t = try_resume(s->ctx, s->data, SMALL, bytes, s->state.size);
        assert_int_equal(t.status, GPR_ERROR_FORMAT);
        assert_non_null(strstr(gpr_last_error(), "a gamma that is not finite"));
        free(bytes);
    }
}

/* A model that learns no filter has no such array. */
static void gamma_of_another_model(void **state) {
    scene *s = *state;
    const char *const *options = OPTIONS("model", "appnp", "epochs", "8", "hidden", "2", "K", "2");
    stopper stop = {.left = 3};
    s->ctx->job.progress = stop_at, s->ctx->job.user = &stop;
    training t = try_training(s->ctx, s->data, options);
    s->ctx->job.progress = NULL;
    saved_state plain = state_of(s->ctx, &t);
    training_free(&t);
    saved_state with = with_gamma(s->ctx, &plain, 4, 3), without = with_gamma(s->ctx, &plain, 0, 0);
    t = try_resume(s->ctx, s->data, options, without.bytes, without.size);
    assert_ok(t.status);
    training_free(&t);
    t = try_resume(s->ctx, s->data, options, with.bytes, with.size);
    assert_int_equal(t.status, GPR_ERROR_FORMAT);
    assert_non_null(strstr(gpr_last_error(), "'gamma' has another shape"));
    gpr_bytes_free(s->ctx, plain.bytes);
    gpr_bytes_free(s->ctx, with.bytes);
    gpr_bytes_free(s->ctx, without.bytes);
}

/* A wider model, said to be of the options: its first run finished, or under way. */
static void wrong_weights(void **state) {
    scene *s = *state;
    for (int64_t calls = 2; calls <= EPOCHS + 3; calls += EPOCHS + 1) {
        stopper stop = {.left = calls};
        s->ctx->job.progress = stop_at, s->ctx->job.user = &stop;
        training t =
            try_training(s->ctx, s->data, OPTIONS("epochs", "8", "hidden", "7", "K", "2", "runs", "3", "lr", "0.05"));
        s->ctx->job.progress = NULL;
        saved_state wide = state_of(s->ctx, &t);
        training_free(&t);
        char *at = wide.bytes;
        while (memcmp(at, "\"param.hidden\":\"7\"", 18) != 0) at++;
        at[16] = '2';
        seal(wide.bytes, wide.size);
        t = try_resume(s->ctx, s->data, SMALL, wide.bytes, wide.size);
        assert_int_equal(t.status, GPR_ERROR_FORMAT);
        assert_non_null(strstr(gpr_last_error(), calls == 2 ? "numbers of a run" : "weights: the model has"));
        gpr_bytes_free(s->ctx, wide.bytes);
    }
}

/* A model's file is a safetensors container too. */
static void other_bytes(void **state) {
    scene *s = *state;
    saved_state model;
    assert_ok(gpr_model_to_bytes(s->ctx, &model.bytes, &model.size, s->whole.model));
    training t = try_resume(s->ctx, s->data, SMALL, model.bytes, model.size);
    assert_int_equal(t.status, GPR_ERROR_FORMAT);
    seal(model.bytes, model.size);
    t = try_resume(s->ctx, s->data, SMALL, model.bytes, model.size);
    assert_int_equal(t.status, GPR_ERROR_FORMAT);
    assert_non_null(strstr(gpr_last_error(), "not the bytes of a stopped training"));
    gpr_bytes_free(s->ctx, model.bytes);
}

/* ---- what does not fit ---- */

static void other_options(void **state) {
    scene *s = *state;
    static const char *const changes[][2] = {{"metric", "auc"},      {"class-weight", "balanced"},
                                             {"sample-weight", "w"}, {"calibrate", "yes"},
                                             {"refit", "yes"},       {"model", "appnp"},
                                             {"hidden", "3"},        {"K", "3"},
                                             {"init", "nppr"},       {"alpha", "0.2"},
                                             {"dropout", "0.4"},     {"dprate", "0.4"},
                                             {"lr", "0.06"},         {"epochs", "9"},
                                             {"weight-decay", "0"},  {"patience", "100"},
                                             {"stopping", "none"},   {"split", "sparse"},
                                             {"runs", "4"},          {"seed", "2"},
                                             {"normalize", "none"},  {"label-input", "yes"},
                                             {"label-share", "0.3"}, {"label-counts", "yes"},
                                             {"smooth", "yes"},      {"order", "filter-first"},
                                             {"batch", "7"},         {"reorder", "rcm"},
                                             {"layers", "3"},        {"basis", "legendre"},
                                             {"gamma", "columns"},   {"loops", "no"},
                                             {"optimizer", "adamw"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        gpr_params *params = new_params(s->ctx, SMALL);
        gpr_model *model = s->whole.model;
        gpr_result *result = s->whole.result;
        assert_ok(gpr_params_set(params, changes[i][0], changes[i][1]));
        assert_fails(gpr_train_resume(s->ctx, &model, &result, s->data, params, s->state.bytes, s->state.size),
                     GPR_ERROR_MISMATCH, changes[i][0]);
        assert_true(!model && !result);
        gpr_params_free(params);
    }
    /* every option of the model and of the training is in the list above */
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        assert_ok(gpr_param_describe(i, &info));
        bool listed = strcmp(info.name, "threads") == 0 || strcmp(info.name, "device") == 0 ||
                      strcmp(info.name, "hops-file") == 0 || strcmp(info.name, "predictions") == 0 ||
                      strcmp(info.name, "state") == 0 || /* it has one value left */
                      strcmp(info.name, "loss") == 0 ||  /* that of classes is one */
                      strcmp(info.name, "relations") == 0 || strcmp(info.name, "direction") == 0; /* no such data */
        for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) listed |= strcmp(changes[k][0], info.name) == 0;
        if (gpr_param_applies(i, "gprgnn") && !listed) fail_msg("the option %s is not tested", info.name);
    }
    /* the same numbers in other words, and what does not matter */
    training t = try_resume(s->ctx, s->data,
                            OPTIONS("epochs", "8", "hidden", "2", "K", "2", "runs", "3", "lr", "5e-2", "threads", "7"),
                            s->state.bytes, s->state.size);
    assert_ok(t.status);
    assert_same_model("other words", t.model, s->whole.model);
    training_free(&t);
}

static void other_data(void **state) {
    scene *s = *state;
    gpr_dataset *others[] = {new_words(s->ctx, NODES, 16, 3), new_words(s->ctx, NODES + 1, 12, 3),
                             new_words(s->ctx, NODES, 12, 2)};
    for (int i = 0; i < 3; i++) {
        training t = try_resume(s->ctx, others[i], SMALL, s->state.bytes, s->state.size);
        assert_int_equal(t.status, GPR_ERROR_MISMATCH);
        assert_non_null(strstr(gpr_last_error(), "other data"));
        gpr_dataset_free(others[i]);
    }
    s->data->mixed_columns = true; /* the same numbers, from a table: `normalize` auto then scales the columns */
    training t = try_resume(s->ctx, s->data, SMALL, s->state.bytes, s->state.size);
    s->data->mixed_columns = false;
    assert_int_equal(t.status, GPR_ERROR_MISMATCH);
    assert_non_null(strstr(gpr_last_error(), "rows sum to 1, now columns scaled"));
}

/* ---- memory ---- */

/* The whole way with every allocation failing in turn; jansson's are in test_oom.c. */
static gpr_status stop_and_go(gpr_ctx *ctx, void *arg) {
    const scene *s = arg;
    gpr_status status = GPR_OK;
    gpr_params *params = NULL;
    training t = {.status = GPR_OK};
    saved_state saved = {NULL, 0};
    stopper stop = {.left = 2};
    TRY(gpr_params_new(ctx, &params));
    for (int i = 0; SMALL[i]; i += 2) TRY(gpr_params_set(params, SMALL[i], SMALL[i + 1]));
    ctx->job.progress = stop_at, ctx->job.user = &stop;
    TRY(gpr_train_resume(ctx, &t.model, &t.result, s->data, params, s->state.bytes, s->state.size));
    TRY(gpr_result_state(ctx, t.result, &saved.bytes, &saved.size));
    training_free(&t);
    TRY(gpr_train_resume(ctx, &t.model, &t.result, s->data, params, saved.bytes, saved.size));
    assert_same_training("little memory", s->ctx, &s->whole, &t);
done:
    training_free(&t);
    gpr_bytes_free(ctx, saved.bytes);
    gpr_params_free(params);
    return status;
}

static void little_memory(void **state) { fail_every_allocation(stop_and_go, *state); }

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_state),   cmocka_unit_test(every_truncation),
                                       cmocka_unit_test(random_damage), cmocka_unit_test(wrong_progress),
                                       cmocka_unit_test(wrong_header),  cmocka_unit_test(wrong_weights),
                                       cmocka_unit_test(wrong_gamma),   cmocka_unit_test(gamma_of_another_model),
                                       cmocka_unit_test(other_bytes),   cmocka_unit_test(other_options),
                                       cmocka_unit_test(other_data),    cmocka_unit_test(little_memory)};
    return cmocka_run_group_tests_name("resume_damage", tests, set_up, tear_down);
}
