/* GPR blocks with every option of their own, and with what a training does around them (labels, weights, a refit, runs,
 * another order): the same bits on 1, 2 and 7 threads, with every table of operations, in panels with some, on the mock
 * device, after stops; predictions of the model's file are those of the model. */
#include "filters.h"
#include "mock_device.h"
#include "resuming.h"
#include "tensor/cpu/cpu.h"

enum { NODES = 300, CLASSES = 3 };
#define DEEP "model", "gprdeep", "epochs", "9", "hidden", "20", "lr", "0.02", "layers", "2", "norm", "batch"

/* {name, kinds of edges, weights of edges, options} */
static const filter_set sets[] = {
    {"three relations", true, true, {NULL}},
    {"both ways, layer norm", true, false, {"direction", "both", "norm", "layer", "K", "3", NULL}},
    {"a direction for each", true, true, {"direction", "pay=both,device=against", "gamma", "shared", NULL}},
    {"no norm, legendre", true, false, {"norm", "none", "basis", "legendre", "loops", "yes", "K", "3", NULL}},
    {"jacobi, adam", false, true, {"basis", "jacobi:1,-0.5", "optimizer", "adam", "gamma", "shared", NULL}},
    {"no residuals", true, true, {"residual", "no", NULL}},
    {"no residuals, layer norm, labels",
     true,
     false,
     {"residual", "no", "norm", "layer", "direction", "both", "label-input", "yes", "dropout", "0", NULL}},
    {"one relation", true, false, {"relations", "device", "K", "1", "dropout", "0", NULL}},
    {"labels, layer norm",
     true,
     true,
     {"norm", "layer", "label-input", "yes", "label-counts", "yes", "smooth", "yes", NULL}},
    {"refit", false, true, {"refit", "yes", "class-weight", "balanced", "calibrate", "yes", NULL}},
    {"another order", true, true, {"reorder", "rcm", "runs", "2", "metric", "accuracy", NULL}},
};
enum { SETS = sizeof sets / sizeof *sets };

static void threads(void **state) {
    (void)state;
    static const int counts[] = {1, 2, 7};
    const gpri_ops *tables[MOST_TABLES];
    const int all = gpri_ops_all(tables, MOST_TABLES);
    for (int s = 0; s < SETS; s++)
        for (int t = 0; t < all; t++) {
            const char *words[64];
            const char *const *options = filter_options(words, &sets[s], OPTIONS(DEEP));
            training made[3];
            gpr_ctx *ctx[3];
            gpr_dataset *data = NULL;
            for (int i = 0; i < 3; i++) {
                ctx[i] = ctx_for(tables[t], counts[i]);
                if ((s + t) % 2) ctx[i]->large = 0;
                if (i == 0) data = new_kinds(ctx[0], 2 * NODES, CLASSES, &sets[s]);
                made[i] = train(ctx[i], data, options);
                assert_same_training(sets[s].name, ctx[0], &made[0], &made[i]);
            }
            gpr_dataset_free(data);
            for (int i = 0; i < 3; i++) training_free(&made[i]), gpr_ctx_free(ctx[i]);
        }
}

static const gpri_device *one_tile(void) {
    static gpri_device device;
    device = *gpri_cpu_device_with(&gpri_ops_ref);
    device.tile = 0;
    return &device;
}

static void on_the_mock(void **state) {
    (void)state;
    for (int s = 0; s < SETS; s++) {
        const char *words[64];
        const char *const *options = filter_options(words, &sets[s], OPTIONS(DEEP));
        gpr_ctx_options with = {.struct_size = sizeof with, .threads = 1, .cpu = "ref"};
        gpr_ctx *ref, *ctx = mock_ctx();
        assert_ok(gpr_ctx_new(&ref, &with));
        ref->job.device = one_tile();
        gpr_dataset *data = new_kinds(ref, NODES, CLASSES, &sets[s]), *again = new_kinds(ctx, NODES, CLASSES, &sets[s]);
        training a = train(ref, data, options), b = train(ctx, again, options);
        assert_same_training(sets[s].name, ref, &a, &b);
        float x[NODES * CLASSES], y[NODES * CLASSES];
        assert_ok(gpr_predict(ref, a.model, data, NULL, x));
        assert_ok(gpr_predict(ctx, a.model, again, NULL, y));
        assert_memory_equal(x, y, sizeof x);
        training_free(&a), training_free(&b);
        gpr_dataset_free(data), gpr_dataset_free(again);
        gpr_ctx_free(ref), gpr_ctx_free(ctx);
    }
}

static void stopped_and_kept(void **state) {
    (void)state;
    for (int s = 0; s < SETS; s++) {
        const char *words[64];
        const char *const *options = filter_options(words, &sets[s], OPTIONS(DEEP));
        float before[NODES * CLASSES], after[NODES * CLASSES];
        gpr_ctx *ctx = new_ctx(2);
        gpr_dataset *data = new_kinds(ctx, NODES, CLASSES, &sets[s]);
        training whole = train(ctx, data, options);
        training pieces = train_in_pieces(ctx, data, options, (const int64_t[]){2, 3, 0});
        assert_same_training(sets[s].name, ctx, &whole, &pieces);
        gpr_model *loaded;
        saved_state file;
        assert_ok(gpr_model_to_bytes(ctx, &file.bytes, &file.size, whole.model));
        assert_ok(gpr_model_from_bytes(ctx, &loaded, file.bytes, file.size));
        assert_same_bytes(sets[s].name, ctx, whole.model, loaded);
        assert_ok(gpr_predict(ctx, whole.model, data, NULL, before));
        assert_ok(gpr_predict(ctx, loaded, data, NULL, after));
        assert_memory_equal(before, after, sizeof before);
        gpr_bytes_free(ctx, file.bytes);
        gpr_model_free(loaded);
        training_free(&whole), training_free(&pieces);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads), cmocka_unit_test(on_the_mock),
                                       cmocka_unit_test(stopped_and_kept)};
    return cmocka_run_group_tests_name("gprdeep_bits", tests, NULL, NULL);
}
