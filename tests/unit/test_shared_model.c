/* Handles that many threads share: one model, one dataset, one result, each thread with a context of its own. To be run
 * with ThreadSanitizer too (the preset tsan). */
#include <pthread.h>
#include <unistd.h>

#include "training.h"

enum { THREADS = 6, TIMES = 4, NODES = 300, CLASSES = 2 };

static char folder[64];

typedef struct {
    const gpr_model *model;
    const gpr_dataset *data;
    const gpr_result *result;
    const float *want; /* (NODES x CLASSES) */
    const char *json;
    int number;
    char failure[256];
} visitor;

#define MUST(condition)                                                                                            \
    do {                                                                                                           \
        if (!(condition)) {                                                                                        \
            snprintf(v->failure, sizeof v->failure, "thread %d: %s: %s", v->number, #condition, gpr_last_error()); \
            goto done;                                                                                             \
        }                                                                                                          \
    } while (0)

static void *visit(void *arg) {
    visitor *v = arg;
    gpr_ctx *ctx = NULL;
    gpr_model *copy = NULL;
    void *bytes = NULL;
    size_t size;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1 + v->number % 2};
    float *logits = malloc(NODES * CLASSES * sizeof *logits);
    MUST(logits && gpr_ctx_new(&ctx, &options) == GPR_OK);
    for (int t = 0; t < TIMES; t++) {
        const char *json;
        const double *curve;
        gpr_run_info run = {.struct_size = sizeof run};
        MUST(gpr_predict_logits(ctx, v->model, v->data, logits) == GPR_OK);
        MUST(memcmp(logits, v->want, NODES * CLASSES * sizeof *logits) == 0);
        MUST(gpr_dataset_labels(v->data, NULL) && gpr_dataset_nodes(v->data) == NODES);
        MUST(gpr_result_json(ctx, v->result, &json) == GPR_OK && (!v->json || strcmp(json, v->json) == 0));
        v->json = json;
        MUST(gpr_result_history(v->result, 0, "val_loss", &curve, NULL) == GPR_OK);
        MUST(gpr_result_run(v->result, 0, &run) == GPR_OK && curve[run.best_epoch] == run.val_loss);
        MUST(gpr_model_to_bytes(ctx, &bytes, &size, v->model) == GPR_OK);
        MUST(gpr_model_from_bytes(ctx, &copy, bytes, size) == GPR_OK);
        MUST(gpr_predict_logits(ctx, copy, v->data, logits) == GPR_OK);
        MUST(memcmp(logits, v->want, NODES * CLASSES * sizeof *logits) == 0);
        MUST(gpr_predict_logits(ctx, v->model, v->data, NULL) == GPR_ERROR_ARGUMENT); /* a message for each thread */
        gpr_bytes_free(ctx, bytes);
        gpr_model_free(copy);
        bytes = NULL;
        copy = NULL;
    }
done:
    gpr_bytes_free(ctx, bytes);
    gpr_model_free(copy);
    gpr_ctx_free(ctx);
    free(logits);
    return NULL;
}

/* mapped: a file that nobody has looked through before the threads all do. */
static void share(bool mapped) {
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, NODES, 20, -0.5), *shared = data;
    training t = train(ctx, data, OPTIONS("epochs", "10", "runs", "2"));
    static float want[NODES * CLASSES];
    visitor visitors[THREADS];
    pthread_t threads[THREADS];
    char path[96];
    assert_ok(gpr_predict_logits(ctx, t.model, data, want));
    snprintf(path, sizeof path, "%s/shared.gpr", folder);
    if (mapped) {
        assert_ok(gpr_dataset_save(ctx, data, path));
        assert_ok(gpr_dataset_open(ctx, &shared, path, NULL));
        gpr_dataset_free(data);
    }
    for (int i = 0; i < THREADS; i++) {
        visitors[i] = (visitor){t.model, shared, t.result, want, NULL, i, ""};
        assert_int_equal(pthread_create(&threads[i], NULL, visit, &visitors[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        if (visitors[i].failure[0]) fail_msg("%s", visitors[i].failure);
        assert_ptr_equal(visitors[i].json, visitors[0].json); /* made once, for all of them */
    }
    training_free(&t);
    gpr_dataset_free(shared);
    if (mapped) unlink(path);
    gpr_ctx_free(ctx);
}

static void in_memory(void **state) {
    (void)state;
    share(false);
}

static void in_a_file(void **state) {
    (void)state;
    share(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_memory), cmocka_unit_test(in_a_file)};
    scratch_folder(folder);
    int failed = cmocka_run_group_tests_name("shared_model", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
