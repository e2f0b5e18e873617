/* Training: the same bits for any number of threads and runs. */
#include "tensor/cpu/cpu.h"
#include "training.h"

/* All results of a run, bit for bit, except its time. */
static void assert_same_run(const char *what, const gpri_run *a, const gpri_run *b) {
    if (a->info.epochs != b->info.epochs || a->info.best_epoch != b->info.best_epoch || a->info.seed != b->info.seed)
        fail_msg("%s: %d epochs, best %d, and %d, best %d", what, (int)a->info.epochs, (int)a->info.best_epoch,
                 (int)b->info.epochs, (int)b->info.best_epoch);
    for (int64_t t = 0; t <= a->info.epochs; t++)
        if (memcmp(&a->history[t], &b->history[t], sizeof *a->history) != 0)
            fail_msg("%s: history of epoch %d: train loss %.17g and %.17g, validation loss %.17g and %.17g", what,
                     (int)t, a->history[t].train_loss, b->history[t].train_loss, a->history[t].val_loss,
                     b->history[t].val_loss);
    assert_int_equal(a->info.gamma_count, b->info.gamma_count);
    assert_memory_equal(a->gamma, b->gamma, (size_t)a->info.gamma_count * sizeof *a->gamma);
    assert_memory_equal(a->gamma_initial, b->gamma_initial, (size_t)a->info.gamma_count * sizeof *a->gamma);
    assert_int_equal(a->split->nodes, b->split->nodes);
    assert_memory_equal(a->split->part, b->split->part, (size_t)a->split->nodes);
    assert_true(a->info.test_accuracy == b->info.test_accuracy && a->info.val_loss == b->info.val_loss &&
                a->info.train_loss == b->info.train_loss && a->info.initial_accuracy == b->info.initial_accuracy);
}

static void assert_same_training(const char *what, const training *a, const training *b) {
    assert_int_equal(gpr_result_runs(a->result), gpr_result_runs(b->result));
    assert_int_equal(gpr_result_best_run(a->result), gpr_result_best_run(b->result));
    for (int64_t r = 0; r < gpr_result_runs(a->result); r++)
        assert_same_run(what, &a->result->runs[r], &b->result->runs[r]);
    assert_same_model(what, a->model, b->model);
    assert_true(a->model->split_hash == b->model->split_hash);
}

static float *proba_of(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data) {
    float *proba = malloc((size_t)(data->graph.nodes * model->classes) * sizeof *proba);
    assert_non_null(proba);
    assert_ok(gpr_predict(ctx, model, data, NULL, proba));
    return proba;
}

/* ---- bits ---- */

static void same_bits_for(const gpri_ops *table, bool sparse, const char *runs, int64_t nodes) {
    static const int threads[] = {1, 2, 7};
    const char *const *options =
        OPTIONS("epochs", "3", "K", "3", "hidden", "8", "runs", runs, "seed", "5", "lr", "0.05");
    gpr_ctx *ctx[3];
    gpr_dataset *data[3];
    training t[3];
    float *proba[3];
    for (int i = 0; i < 3; i++) {
        char what[80];
        ctx[i] = ctx_for(table, threads[i]);
        data[i] = sparse ? new_words(ctx[i], nodes, 400, 3) : new_csbm(ctx[i], nodes, 10, 0.5);
        assert_int_equal(data[i]->features.dense == NULL, sparse);
        t[i] = train(ctx[i], data[i], options);
        proba[i] = proba_of(ctx[i], t[i].model, data[i]);
        snprintf(what, sizeof what, "%s, %s, %s runs, 1 and %d threads", table->name, sparse ? "sparse" : "dense", runs,
                 threads[i]);
        assert_same_training(what, &t[0], &t[i]);
        if (memcmp(proba[0], proba[i], (size_t)(nodes * t[i].model->classes) * sizeof(float)) != 0)
            fail_msg("%s: predictions differ", what);
    }
    for (int i = 0; i < 3; i++) {
        free(proba[i]);
        training_free(&t[i]);
        gpr_dataset_free(data[i]);
        gpr_ctx_free(ctx[i]);
    }
}

/* The same again; other bits with another seed. */
static void seeds(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    for (int sparse = 0; sparse < 2; sparse++) {
        gpr_dataset *data = sparse ? new_words(ctx, 150, 400, 3) : new_csbm(ctx, 150, 10, 0.5);
        training one = train(ctx, data, OPTIONS("epochs", "3", "hidden", "8", "seed", "5"));
        training again = train(ctx, data, OPTIONS("epochs", "3", "hidden", "8", "seed", "5"));
        training other = train(ctx, data, OPTIONS("epochs", "3", "hidden", "8", "seed", "6"));
        assert_same_training("again", &one, &again);
        assert_false(same_model(one.model, other.model));
        assert_true(tensor_of(one.model, "lin1.weight")->values[0] != tensor_of(other.model, "lin1.weight")->values[0]);
        assert_memory_not_equal(one.result->runs[0].split->part, other.result->runs[0].split->part, 150);
        assert_true(one.result->runs[0].history[0].train_loss != other.result->runs[0].history[0].train_loss);
        training_free(&one);
        training_free(&again);
        training_free(&other);
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

/* 4000 nodes: enough for seven threads to get work in every part of an epoch. */
static void same_bits(void **state) {
    (void)state;
    const gpri_ops *tables[MOST_TABLES];
    int count = gpri_ops_all(tables, MOST_TABLES);
    for (int i = 0; i < count; i++)
        for (int sparse = 0; sparse < 2; sparse++) same_bits_for(tables[i], sparse, "1", 4000);
}

static void same_bits_of_several_runs(void **state) {
    (void)state;
    const gpri_ops *tables[MOST_TABLES];
    int count = gpri_ops_all(tables, MOST_TABLES);
    for (int i = 0; i < count; i++)
        for (int sparse = 0; sparse < 2; sparse++) same_bits_for(tables[i], sparse, "5", 150);
}

/* Run r of several equals a single run with seed + r, and the model is that of the best run. */
static void runs_are_single_runs(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    for (int sparse = 0; sparse < 2; sparse++) {
        gpr_dataset *data = sparse ? new_words(ctx, 1000, 60, 3) : new_csbm(ctx, 1000, 10, -0.5);
        training many = train(
            ctx, data, OPTIONS("epochs", "10", "hidden", "8", "K", "4", "init", "random", "seed", "40", "runs", "4"));
        const gpri_run *best = &many.result->runs[gpr_result_best_run(many.result)];
        assert_int_equal(gpr_result_runs(many.result), 4);
        for (int r = 0; r < 4; r++) {
            char seed[16], what[32];
            snprintf(seed, sizeof seed, "%d", 40 + r);
            snprintf(what, sizeof what, "run %d", r);
            training one =
                train(ctx, data, OPTIONS("epochs", "10", "hidden", "8", "K", "4", "init", "random", "seed", seed));
            assert_int_equal(many.result->runs[r].info.seed, 40 + r);
            assert_same_run(what, &many.result->runs[r], &one.result->runs[0]);
            if (&many.result->runs[r] == best) assert_same_model(what, many.model, one.model);
            assert_true(best->info.val_loss <= one.result->runs[0].info.val_loss);
            training_free(&one);
        }
        training_free(&many);
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(same_bits_of_several_runs),
                                       cmocka_unit_test(seeds), cmocka_unit_test(runs_are_single_runs)};
    return cmocka_run_group_tests_name("train_bits", tests, NULL, NULL);
}
