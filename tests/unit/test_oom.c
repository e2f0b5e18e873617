/* Memory that runs out at any moment of a small training: a status of GPR_ERROR_MEMORY with a message, no leak, no
 * crash, no half-written file. The library's own allocations and jansson's fail in turn, each for ever and each just
 * once (a failure that is skipped shows when all that follows succeeds). */
#include <dirent.h>
#include <jansson.h>
#include <stdatomic.h>
#include <unistd.h>

#include "training.h"

typedef struct {
    int64_t until;                    /* allocations that succeed before one fails; negative: none fails */
    bool once;                        /* those after it succeed again */
    bool stop;                        /* the training that is under way */
    atomic_llong taken, live, failed; /* runs of a training allocate at the same time */
} memory;

static bool refuse(memory *m) {
    int64_t number = m->taken++;
    if (m->until < 0 || number < m->until || (m->once && number > m->until)) return false;
    m->failed++;
    return true;
}

static void *resize(void *user, void *block, size_t size) {
    memory *m = user;
    if (refuse(m)) return NULL;
    if (!block) m->live++;
    return realloc(block, size);
}

static void release(void *user, void *block) {
    if (block) ((memory *)user)->live--;
    free(block);
}

static memory json_memory; /* jansson's functions have no argument for it */

static void *json_take(size_t size) { return resize(&json_memory, NULL, size); }
static void json_give(void *block) { release(&json_memory, block); }

/* ---- what is tried ---- */

static char folder[64];

static const char *in_folder(const char *name) {
    static char path[2][400];
    static int turn;
    char *made = path[turn++ % 2];
    snprintf(made, sizeof path[0], "%s/%s", folder, name);
    return made;
}

/* Sparse features, edge weights, a node without label, names. */
static gpr_status make_data(gpr_ctx *ctx, gpr_dataset **data) {
    enum { N = 30, F = 8 };
    static int64_t src[N], dst[N], indptr[N + 1];
    static int32_t indices[N], labels[N];
    static float weights[N];
    static const char *const classes[] = {"cat", "dog", "fish"};
    static const char *const features[F] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    for (int i = 0; i < N; i++) {
        src[i] = i;
        dst[i] = (i * 7 + 1) % N;
        weights[i] = 1.0f + (float)(i % 3);
        indptr[i] = i;
        indices[i] = (i * 3) % F;
        labels[i] = i % 3 - (i == 2) * 3;
    }
    indptr[N] = N;
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "few",
                             .nodes = N,
                             .edges = N,
                             .src = src,
                             .dst = dst,
                             .weights = weights,
                             .features = F,
                             .indptr = indptr,
                             .indices = indices,
                             .labels = labels,
                             .class_names = classes,
                             .feature_names = features};
    return gpr_dataset_new(ctx, data, &desc);
}

static void say_nothing(void *user, gpr_log_level level, const char *line) { (void)user, (void)level, (void)line; }

static int on_progress(void *user, const gpr_progress *p) {
    (void)p;
    return ((memory *)user)->stop;
}

/* jansson 2.14 goes on reading after it could not keep a character, and overruns its buffer if what it asks for next
   succeeds: so where it reads, it is not tested with a single failure. */
static bool json_fails_once(void) { return json_memory.once && json_memory.until >= 0; }

/* The whole way from nothing to predictions. */
static gpr_status whole_way(memory *m, int threads) {
    gpr_status status = GPR_OK;
    gpr_ctx *ctx = NULL;
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_model *model = NULL, *loaded = NULL, *own = NULL, *copied = NULL, *partial = NULL, *resumed = NULL;
    gpr_result *result = NULL, *own_result = NULL, *partial_result = NULL, *resumed_result = NULL;
    gpr_split *split = NULL;
    void *bytes = NULL, *saved = NULL;
    size_t size, saved_size;
    const char *json;
    int32_t classes[30];
    uint8_t parts[30];
    float logits[30 * 3];
    gpr_ctx_options options = {.struct_size = sizeof options,
                               .threads = threads,
                               .log = say_nothing,
                               .progress = on_progress,
                               .user = m,
                               .allocator = {resize, release, m}};
    static const char *const words[] = {"epochs", "2",          "hidden", "4", "K",     "2",
                                        "init",   "1,0.5,0.25", "runs",   "2", "split", "50/25/25"};
    TRY(gpr_ctx_new(&ctx, &options));
    TRY(make_data(ctx, &data));
    TRY(gpr_params_new(ctx, &params));
    for (int i = 0; i < 12; i += 2) TRY(gpr_params_set(params, words[i], words[i + 1]));
    if (json_fails_once()) { /* a choice among candidates reads states */
        TRY(gpr_params_set(params, "label-input", "no"));
        TRY(gpr_params_set(params, "label-counts", "no"));
    }
    TRY(gpr_train(ctx, &model, &result, data, params));
    for (int i = 0; i < 30; i++) parts[i] = (uint8_t)(1 + i % 3);
    TRY(gpr_split_from_parts(ctx, &split, data, parts, 30));
    TRY(gpr_train_splits(ctx, &own, &own_result, data, params, (const gpr_split *const[]){split}, 1));
    TRY(gpr_model_to_bytes(ctx, &bytes, &size, own));
    m->stop = true;
    TRY(gpr_train(ctx, &partial, &partial_result, data, params));
    m->stop = false;
    TRY(gpr_result_state(ctx, partial_result, &saved, &saved_size));
    TRY(gpr_result_save(ctx, result, model, data, folder));
    if (json_fails_once()) json_memory.until = -1;
    TRY(gpr_model_load(ctx, &loaded, in_folder("model.safetensors")));
    TRY(gpr_model_from_bytes(ctx, &copied, bytes, size));
    TRY(gpr_train_resume(ctx, &resumed, &resumed_result, data, params, saved, saved_size));
    assert_same_model("resumed", model, resumed);
    TRY(gpr_predict_logits(ctx, copied, data, logits));
    TRY(gpr_predict_with(ctx, loaded, data, classes, NULL, NULL, NULL));
    TRY(gpr_predictions_save(ctx, loaded, data, in_folder("predictions.csv"), 0));
    TRY(gpr_result_json(ctx, result, &json));
done:
    gpr_bytes_free(ctx, bytes);
    gpr_bytes_free(ctx, saved);
    gpr_result_free(resumed_result);
    gpr_result_free(partial_result);
    gpr_model_free(resumed);
    gpr_model_free(partial);
    gpr_split_free(split);
    gpr_result_free(own_result);
    gpr_result_free(result);
    gpr_model_free(own);
    gpr_model_free(copied);
    gpr_model_free(loaded);
    gpr_model_free(model);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return status;
}

static uint64_t hash_of(const char *path) {
    uint64_t hash = 0xcbf29ce484222325u;
    FILE *file = fopen(path, "rb");
    for (int c; file && (c = fgetc(file)) != EOF;) hash = (hash ^ (uint64_t)c) * 0x100000001b3u;
    if (file) fclose(file);
    return hash;
}

/* The folder holds no half-written file; then it is emptied. hash: of the files that are equal each time. */
static int clean_folder(const char *when, uint64_t *hash) {
    int count = 0;
    *hash = hash_of(in_folder("model.safetensors")) ^ 3 * hash_of(in_folder("config.json"));
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (strstr(entry->d_name, ".tmp") || entry->d_name[0] == '.') fail_msg("%s: %s is left", when, entry->d_name);
        unlink(in_folder(entry->d_name));
        count++;
    }
    closedir(dir);
    return count;
}

/* Beyond the first ones jansson's are of lists and texts of report.html, one like the other: some of them are enough.
 */
enum { ALL_OF_JANSSON = 1000, STEP = 31 };
/* The library's are those of several trainings with several candidates, one like the other. With threads, they are
   those of one thread and a few more. */
enum { ALL_OF_LIBRARY = 500, STEP_OF_LIBRARY = 7, STEP_OF_THREADS = 3 };

static int64_t step_of(bool json, int threads, int64_t allowed) {
    if (json) return allowed >= ALL_OF_JANSSON ? STEP : 1;
    return (threads > 1 ? STEP_OF_THREADS : 1) * (allowed >= ALL_OF_LIBRARY ? STEP_OF_LIBRARY : 1);
}

/* With 0, 1, 2, ... allocations before the failure, until none is left to fail. Returns how many there were. */
static int64_t fail_each(const char *whose, bool once, int threads) {
    static uint64_t usual, without_choice;
    const bool json = strcmp(whose, "jansson") == 0;
    uint64_t *undisturbed = json && once ? &without_choice : &usual;
    for (int64_t allowed = 0;; allowed += step_of(json, threads, allowed)) {
        uint64_t hash;
        memory own = {.until = json ? -1 : allowed, .once = once};
        json_memory.until = json ? allowed : -1;
        json_memory.once = once;
        json_memory.taken = json_memory.live = json_memory.failed = 0;
        json_set_alloc_funcs(json_take, json_give);
        gpr_status status = whole_way(&own, threads);
        json_set_alloc_funcs(malloc, free);
        char when[64];
        snprintf(when, sizeof when, "%s's allocation %lld%s", whose, (long long)allowed, once ? ", once" : "");
        int64_t failed = json ? json_memory.failed : own.failed;
        if (own.live) fail_msg("%s: %lld blocks leaked", when, (long long)own.live);
        if (json_memory.live) fail_msg("%s: %lld blocks of jansson leaked", when, (long long)json_memory.live);
        if (status != GPR_OK && status != GPR_ERROR_MEMORY)
            fail_msg("%s: %s: %s", when, gpr_status_name(status), gpr_last_error());
        if (status == GPR_ERROR_MEMORY && !strstr(gpr_last_error(), "memory"))
            fail_msg("%s: the message is '%s'", when, gpr_last_error());
        int files = clean_folder(when, &hash);
        if (status == GPR_OK) {
            assert_int_equal(files, 12);
            if (!*undisturbed) *undisturbed = hash;
            if (hash != *undisturbed) fail_msg("%s: all is well, it says, but the files are not the same", when);
        }
        if (!failed) {
            assert_int_equal(status, GPR_OK);
            return allowed;
        }
        /* a failure that may be harmless: a context without its own threads; a text that jansson reads at the second
         * attempt */
        bool excused = once && (threads > 1 || json);
        if (status == GPR_OK && !excused) fail_msg("%s: it failed, and all went on as if it had not", when);
    }
}

static void library(void **state) {
    (void)state;
    int64_t ever = fail_each("the library", false, 1), once = fail_each("the library", true, 1);
    assert_int_equal(ever, once);
    assert_true(ever > 100);
}

/* With its own threads the context allocates for them; it may continue without (a single failure there is no error). */
static void library_with_threads(void **state) {
    (void)state;
    assert_true(fail_each("the library", false, 2) > 100);
    assert_true(fail_each("the library", true, 2) > 100);
}

static void jansson(void **state) {
    (void)state;
    assert_true(fail_each("jansson", false, 1) > 100);
    assert_true(fail_each("jansson", true, 1) > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(library), cmocka_unit_test(library_with_threads),
                                       cmocka_unit_test(jansson)};
    scratch_folder(folder);
    int failed = cmocka_run_group_tests_name("oom", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
