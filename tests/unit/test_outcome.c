/* Predictions are made once: a result keeps those of its best run, and the run folder computes none. They have the bits
 * of a prediction. The passes are counted: rows that linear layers read. */
#include <stdlib.h>

#include "training.h"

enum { NODES = 260, WORDS = 24, CLASSES = 3 };

#define PLAIN "epochs", "5", "hidden", "4", "K", "3", "smooth", "no", "label-input", "no", "label-counts", "no"

static char folder[64];

/* ---- a device that counts ---- */

static int64_t rows_read;
static void (*read_features)(gpri_matrix, gpri_matrix, const gpri_features *, const uint64_t *, gpri_real,
                             const gpri_real *, const gpri_real *, int64_t);

static void count_rows(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep,
                       gpri_real scale, const gpri_real *w, const gpri_real *b, int64_t first) {
    rows_read += eval.at ? eval.rows : train.rows;
    read_features(train, eval, x, keep, scale, w, b, first);
}

static void (*read_rows)(gpri_matrix, gpri_matrix, const gpri_real *, const gpri_real *);

static void count_other_rows(gpri_matrix y, gpri_matrix x, const gpri_real *w, const gpri_real *b) {
    rows_read += y.rows;
    read_rows(y, x, w, b);
}

typedef struct {
    gpri_ops ops;
    gpri_device device;
    const gpri_device *cpu;
} counting;

/* One thread: the count is no atomic. */
static gpr_ctx *counting_ctx(counting *c) {
    gpr_ctx *ctx = new_ctx(1);
    c->cpu = ctx->job.cpu;
    c->ops = *ctx->job.cpu->ops;
    read_features = c->ops.features_forward;
    c->ops.features_forward = count_rows;
    read_rows = c->ops.linear_forward;
    c->ops.linear_forward = count_other_rows;
    c->device = *ctx->job.cpu;
    c->device.ops = &c->ops;
    ctx->job.cpu = ctx->job.device = &c->device;
    return ctx;
}

static void counting_free(counting *c, gpr_ctx *ctx) {
    ctx->job.cpu = ctx->job.device = c->cpu;
    gpr_ctx_free(ctx);
}

/* ---- cases ---- */

/* Rows that are read while the folder is written. */
static int64_t save(gpr_ctx *ctx, const training *t, const gpr_model *model, const gpr_dataset *data) {
    char path[128];
    snprintf(path, sizeof path, "%s/run", folder);
    rows_read = 0;
    assert_ok(gpr_result_save(ctx, t->result, model, data, path));
    return rows_read;
}

/* The class of each node in the folder. */
static void read_classes(int32_t *classes) {
    char path[128], line[512];
    snprintf(path, sizeof path, "%s/run/predictions.csv", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    for (int i = 0; i < NODES; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        assert_non_null(strchr(line, ','));
        classes[i] = (int32_t)strtol(strchr(line, ',') + 1, NULL, 10);
    }
    fclose(file);
}

/* Every model, two runs: nothing is computed for the folder, and what it says are the bits of gpr_predict. */
static void kept(void **state) {
    (void)state;
    static int32_t classes[NODES], told[NODES];
    static float proba[NODES * CLASSES];
    char words[MOST_MODELS][16];
    const char *options[32];
    counting c;
    gpr_ctx *ctx = counting_ctx(&c);
    gpr_dataset *data = new_words(ctx, NODES, WORDS, CLASSES);
    const int models = model_words(words);
    for (int m = 0; m < models; m++) {
        training t = train(ctx, data, options_for(options, words[m], OPTIONS(PLAIN, "runs", "2")));
        const gpri_outcome *outcome = &t.result->outcome;
        rows_read = 0;
        assert_ok(gpr_predict(ctx, t.model, data, classes, proba));
        assert_true(rows_read >= NODES);
        assert_int_equal(t.result->outcome_run, t.result->runs[t.result->best].number);
        assert_memory_equal(outcome->classes, classes, sizeof classes);
        assert_memory_equal(outcome->proba, proba, sizeof proba);
        assert_int_equal(save(ctx, &t, t.model, data), 0);
        read_classes(told);
        assert_memory_equal(told, classes, sizeof classes);
        training_free(&t);
    }
    gpr_dataset_free(data);
    counting_free(&c, ctx);
}

/* After a refit nodes without a label have the predictions of the new model, all others those of the judged one. */
static void refitted(void **state) {
    (void)state;
    static int32_t old[NODES], new[NODES], told[NODES];
    counting c;
    gpr_ctx *ctx = counting_ctx(&c);
    gpr_dataset *data = new_words(ctx, NODES, WORDS, CLASSES);
    for (int64_t i = 0; i < NODES; i += 3) data->target.labels[i] = -1;
    training t = train(ctx, data, OPTIONS(PLAIN, "refit", "yes", "runs", "2", "epochs", "20", "split", "30/20/20"));
    assert_true(gpr_result_refit_nodes(t.result) > 0);
    assert_ok(gpr_predict(ctx, t.model, data, new, NULL));
    assert_ok(gpr_predict(ctx, gpr_result_model(t.result, t.result->best), data, old, NULL));
    assert_memory_not_equal(old, new, sizeof old);
    assert_int_equal(save(ctx, &t, t.model, data), 0);
    read_classes(told);
    for (int64_t i = 0; i < NODES; i++) assert_int_equal(told[i], data->target.labels[i] < 0 ? new[i] : old[i]);
    training_free(&t);
    gpr_dataset_free(data);
    counting_free(&c, ctx);
}

/* Where the trainer does not see what a prediction sees, or nobody wants it, nothing is kept. Another model than that
   of the training, or other data, is predicted. */
static void made_again(void **state) {
    (void)state;
    static int32_t classes[NODES], told[NODES];
    counting c;
    gpr_ctx *ctx = counting_ctx(&c);
    gpr_dataset *data = new_words(ctx, NODES, WORDS, CLASSES), *other = new_words(ctx, NODES, WORDS, CLASSES);
    const char *const *const cases[] = {OPTIONS("smooth", "yes"), OPTIONS("label-input", "yes"),
                                        OPTIONS("order", "filter-first"), OPTIONS("reorder", "rcm"),
                                        OPTIONS("predictions", "none")};
    for (int i = 0; i < 5; i++) {
        training t = train(ctx, data, OPTIONS(PLAIN, cases[i][0], cases[i][1]));
        assert_null(t.result->outcome.classes);
        const int64_t read = save(ctx, &t, t.model, data);
        if (i == 4) assert_int_equal(read, 0);
        else assert_true(read >= NODES);
        training_free(&t);
    }
    training t = train(ctx, data, OPTIONS(PLAIN, "runs", "2"));
    const gpr_model *second = gpr_result_model(t.result, 1 - t.result->best);
    assert_true(save(ctx, &t, second, data) >= NODES);
    assert_ok(gpr_predict(ctx, second, data, classes, NULL));
    read_classes(told);
    assert_memory_equal(told, classes, sizeof classes);
    other->target.labels[0] = (other->target.labels[0] + 1) % CLASSES;
    assert_true(save(ctx, &t, t.model, other) >= NODES);
    assert_int_equal(save(ctx, &t, t.model, data), 0);
    training_free(&t);
    gpr_dataset_free(other);
    gpr_dataset_free(data);
    counting_free(&c, ctx);
}

int main(void) {
    scratch_folder(folder);
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept), cmocka_unit_test(refitted),
                                       cmocka_unit_test(made_again)};
    const int failed = cmocka_run_group_tests_name("outcome", tests, NULL, NULL);
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? failed : 1;
}
