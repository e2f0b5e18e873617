/* The option state, bfloat16 in 0.2.0: flags, models and states with it are accepted, with one warning, and computed in
 * float32. */
#include "file/checksum.h"
#include "model_files.h"
#include "resuming.h"

static char warning[512];
static int warnings;

/* Of this option only. */
static void count_warnings(void *user, gpr_log_level level, const char *line) {
    (void)user;
    if (level != GPR_LOG_WARNING || !strstr(line, "bfloat16")) return;
    snprintf(warning, sizeof warning, "%s", line);
    warnings++;
}

static gpr_ctx *counting_ctx(void) {
    gpr_ctx *ctx = NULL;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 2, .log = count_warnings};
    assert_ok(gpr_ctx_new(&ctx, &options));
    warnings = 0;
    return ctx;
}

/* Since the last call. */
static void assert_warned(int times, const char *part) {
    if (warnings != times || (times && !strstr(warning, part)))
        fail_msg("%d warnings, not %d: '%s' and '%s'", warnings, times, warning, part);
    warnings = 0;
}

#define RUNS "epochs", "12", "hidden", "8", "K", "3", "runs", "2"

/* Two classes and many, of small graphs and of what counts as large; all that a choice among candidates trains. */
static void trainings(void **state) {
    (void)state;
    static const char *const models[] = {"gprgnn", "appnp", "sgc"};
    for (int m = 0; m < 3; m++)
        for (int64_t classes = 2; classes < 40; classes += 35)
            for (int large = 0; large < 2; large++) {
                const char *own[32], *asked[34];
                int count = 0;
                options_for(own, models[m], OPTIONS(RUNS));
                while (own[count]) asked[count] = own[count], count++;
                asked[count] = "state", asked[count + 1] = "bfloat16", asked[count + 2] = NULL;
                gpr_ctx *ctx = counting_ctx();
                if (large) ctx->large = 0;
                gpr_dataset *data = new_words(ctx, 120, 40, classes);
                training a = train(ctx, data, own);
                assert_warned(0, "");
                training b = train(ctx, data, asked);
                assert_warned(1, "`state` bfloat16 is no more: the filter is computed in float32");
                assert_same_training(models[m], ctx, &a, &b);
                training_free(&a), training_free(&b);
                gpr_dataset_free(data);
                gpr_ctx_free(ctx);
            }
}

static void values(void **state) {
    (void)state;
    gpr_ctx *ctx = counting_ctx();
    gpr_params *params = new_params(ctx, OPTIONS("state", "bfloat16"));
    assert_string_equal(gpr_params_get(params, "state"), "float32");
    assert_string_equal(gpr_params_source(params, "state"), "flag");
    assert_ok(gpr_params_set(params, "state", "bfloat16"));
    assert_warned(1, "bfloat16");
    assert_ok(gpr_params_set(params, "state", "float32"));
    assert_fails(gpr_params_set(params, "state", "float16"), GPR_ERROR_ARGUMENT, "float32|bfloat16");
    assert_warned(0, "");
    gpr_params_free(params);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    assert_fails(try_training(ctx, data, OPTIONS("model", "gcn", "state", "bfloat16")).status, GPR_ERROR_ARGUMENT,
                 "gprgnn appnp sgc");
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The file as 0.2.0 wrote it where the option was bfloat16. */
static void ask_in_file(const char *path) {
    safetensors s = safetensors_read(path);
    json_t *meta = json_object_get(s.header, "__metadata__");
    assert_null(json_object_get(meta, "param.state"));
    assert_int_equal(json_object_set_new(meta, "param.state", json_string("bfloat16")), 0);
    safetensors_write(&s, path);
    safetensors_free(&s);
}

static void model_file(void **state) {
    (void)state;
    gpr_ctx *ctx = counting_ctx();
    gpr_dataset *data = small_data(ctx);
    gpr_model *model = NULL, *old = NULL;
    int32_t a[NODES], b[NODES];
    float x[NODES * CLASSES], y[NODES * CLASSES];
    const char *path = in_folder("model.safetensors");
    save_small(ctx, path);
    assert_ok(gpr_model_load(ctx, &model, path));
    ask_in_file(path);
    assert_warned(0, "");
    assert_ok(gpr_model_load(ctx, &old, path));
    assert_ok(gpr_predict_with(ctx, model, data, a, x, NULL, NULL));
    assert_ok(gpr_predict_with(ctx, old, data, b, y, NULL, NULL));
    assert_warned(1, "bfloat16");
    assert_memory_equal(a, b, sizeof a);
    assert_memory_equal(x, y, sizeof x);
    assert_same_bytes("written again", ctx, model, old);
    gpr_model_free(model), gpr_model_free(old);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Its steps so far would have been others: here they are those of float32, so that the end is known. */
static void stopped_training(void **state) {
    (void)state;
    gpr_ctx *ctx = counting_ctx();
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    training whole = train(ctx, data, OPTIONS(RUNS));
    stopper stop = {.left = 15};
    ctx->job.progress = stop_at, ctx->job.user = &stop;
    training t = try_training(ctx, data, OPTIONS(RUNS));
    ctx->job.progress = NULL;
    saved_state saved = state_of(ctx, &t);
    training_free(&t);
    const char *path = in_folder("state.safetensors");
    write_bytes(path, saved.bytes, saved.size);
    gpr_bytes_free(ctx, saved.bytes);
    ask_in_file(path);
    blob old = read_blob(path);
    const int64_t sum = gpri_checksum(0, old.bytes, (int64_t)(old.size - sizeof sum));
    memcpy(old.bytes + old.size - sizeof sum, &sum, sizeof sum);
    t = try_resume(ctx, data, OPTIONS(RUNS), old.bytes, old.size);
    assert_ok(t.status);
    assert_warned(1, "the training began with `state` bfloat16 and goes on in float32");
    assert_same_training("not asked again", ctx, &whole, &t);
    training_free(&t);
    t = try_resume(ctx, data, OPTIONS(RUNS, "state", "bfloat16"), old.bytes, old.size);
    assert_ok(t.status);
    assert_warned(2, "the training began with `state` bfloat16 and goes on in float32"); /* and that of the flag */
    assert_same_training("asked again", ctx, &whole, &t);
    training_free(&t), training_free(&whole);
    free(old.bytes);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    scratch_folder(folder);
    const struct CMUnitTest tests[] = {cmocka_unit_test(trainings), cmocka_unit_test(values),
                                       cmocka_unit_test_teardown(model_file, empty_folder),
                                       cmocka_unit_test_teardown(stopped_training, empty_folder)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
