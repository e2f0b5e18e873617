/* GPR blocks: what no other model has. Running moments in files and states, predictions that go by them, options that
 * do not fit together, the limits of a network. What holds for every model is in test_models.c and others. */
#include <math.h>

#include "model_files.h"
#include "resuming.h"
#include "tensor/cpu/cpu.h"

#define DEEP(...) \
    OPTIONS("model", "gprdeep", "hidden", "6", "lr", "0.02", "split", "50/25/25", "norm", "batch", __VA_ARGS__)

/* Twelve paths of eight nodes: K hops from one reach no other. extra: nodes more, each a neighbour of node 0. */
enum { PATHS = 12, LONG = 8, HERE = PATHS * LONG, WIDE = 5 };

static gpr_dataset *new_paths(gpr_ctx *ctx, int extra, float size) {
    static int64_t src[HERE + 4], dst[HERE + 4];
    static int32_t labels[HERE + 4];
    static float x[(HERE + 4) * WIDE];
    gpr_dataset *data;
    int64_t edges = 0;
    for (int i = 0; i < HERE + extra; i++) {
        labels[i] = i < HERE ? i / LONG % 3 : -1;
        for (int f = 0; f < WIDE; f++)
            x[i * WIDE + f] = (float)((i * (3 * f + 2) + f * f) % 13) / 8 - 0.75f + (f == labels[i] ? 1 : 0);
        for (int f = 0; i >= HERE && f < WIDE; f++) x[i * WIDE + f] *= size;
        if (i % LONG == 0 && i < HERE) continue;
        src[edges] = i < HERE ? i - 1 : 0;
        dst[edges++] = i;
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "paths",
                             .nodes = HERE + extra,
                             .edges = edges,
                             .src = src,
                             .dst = dst,
                             .features = WIDE,
                             .dense = x,
                             .labels = labels,
                             .classes = 3};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true; /* nothing is chosen by the data: one plain training */
    return data;
}

/* New nodes beside the first path, with features far from all others, change the scores of that path alone: moments of
   the new data would change those of all. */
static void new_nodes(void **state) {
    (void)state;
    static const char *const norms[] = {"batch", "layer", "none"};
    gpr_ctx *ctx = new_ctx(2);
    for (int n = 0; n < 6; n++) {
        gpr_dataset *few = new_paths(ctx, 0, 1), *more = new_paths(ctx, 3, 40);
        float before[HERE * 3], after[(HERE + 3) * 3];
        training t = train(ctx, few,
                           DEEP("epochs", "30", "layers", "3", "norm", norms[n % 3], "residual", n < 3 ? "yes" : "no",
                                "normalize", "none"));
        assert_ok(gpr_predict(ctx, t.model, few, NULL, before));
        assert_ok(gpr_predict(ctx, t.model, more, NULL, after));
        assert_true(memcmp(before, after, 3 * sizeof *before) != 0); /* node 0 has new neighbours */
        assert_memory_equal(before + LONG * 3, after + LONG * 3, (HERE - LONG) * 3 * sizeof *before);
        training_free(&t);
        gpr_dataset_free(few);
        gpr_dataset_free(more);
    }
    gpr_ctx_free(ctx);
}

/* The running moments of the first norm, against those of the batches that made them: without dropout and with weights
   that do not move, every epoch has the same, and so have the running ones after the first step. */
static void running(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_paths(ctx, 0, 1);
    training t = train(ctx, data,
                       DEEP("epochs", "12", "layers", "2", "dropout", "0", "lr", "1e-30", "weight-decay", "0",
                            "normalize", "none", "stopping", "none"));
    const gpri_tensor *w = tensor_of(t.model, "in.weight"), *b = tensor_of(t.model, "in.bias"),
                      *moments = tensor_of(t.model, "block1.running");
    const float *x = data->features.dense;
    const int64_t kept = t.result->runs[0].info.best_epoch;
    assert_true(kept > 0);
    assert_true(moments->rows == 2 && moments->cols == 6);
    for (int c = 0; c < 6; c++) {
        double sum = 0, squares = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < HERE; i++) {
                double value = (double)b->values[c];
                for (int f = 0; f < WIDE; f++) value += (double)x[i * WIDE + f] * (double)w->values[f * 6 + c];
                value = value > 0 ? value : 0;
                if (pass == 0) sum += value;
                else squares += (value - sum / HERE) * (value - sum / HERE);
            }
        assert_true(fabs((double)moments->values[c] - sum / HERE) < 1e-5);
        assert_true(fabs((double)moments->values[6 + c] - squares / (HERE - 1)) < 1e-5);
    }
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Steps whose means are 1, 2, 3, ...: of the first ten the plain mean, then a tenth of the new one. */
static void remembered(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const gpri_ops *tables[MOST_TABLES];
    for (int t = gpri_ops_all(tables, MOST_TABLES) - 1; t >= 0; t--) {
        gpri_real running[2] = {0, 1}, now[2];
        double wanted = 0;
        for (uint32_t step = 0; step < 25; step++) {
            now[0] = (gpri_real)(step + 1), now[1] = 2 * now[0];
            tables[t]->norm_remember(running, now, (gpri_real)0.5, (gpri_real)0.1, &step, 2);
            wanted = step < 10 ? ((double)step + 2) / 4 : 0.9 * wanted + 0.1 * ((double)step + 1) / 2;
            assert_true(fabs((double)running[0] - wanted) < 1e-5);
            assert_true(fabs((double)running[1] - 2 * wanted) < 1e-5);
        }
    }
    gpr_ctx_free(ctx);
}

/* Stopped after every epoch in turn, once and in pieces: the moments of a state are those of the moment. */
static void resumed(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_paths(ctx, 0, 1);
    const char *const *cases[] = {DEEP("epochs", "10", "layers", "2", "stopping", "none"),
                                  DEEP("epochs", "10", "layers", "1", "K", "1", "norm", "layer", "optimizer", "adam"),
                                  DEEP("epochs", "10", "layers", "2", "runs", "2", "label-input", "yes")};
    for (int k = 0; k < 3; k++) {
        training whole = train(ctx, data, cases[k]);
        for (int64_t calls = 1; calls < 10; calls++) {
            training pieces = train_in_pieces(ctx, data, cases[k], ((const int64_t[]){calls, 1, 0}));
            assert_same_training("gprdeep", ctx, &whole, &pieces);
            training_free(&pieces);
        }
        training_free(&whole);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A variance below 0 is found when the file is loaded, and so is a number that is none. */
static void damaged(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_paths(ctx, 0, 1);
    training t = train(ctx, data, DEEP("epochs", "3", "layers", "2"));
    static const struct {
        int number;
        float value;
        const char *message;
    } cases[] = {{7, -0.5f, "weight block2.running: the variance of column 1, counted from 0, is -0.5"},
                 {7, NAN, "not finite"},
                 {1, -0.5f, NULL}, /* a mean may be anything */
                 {7, 0, NULL}};    /* a column that never changed */
    gpri_tensor *moments = (gpri_tensor *)(uintptr_t)tensor_of(t.model, "block2.running");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const float kept = moments->values[cases[i].number];
        void *bytes;
        size_t size;
        gpr_model *loaded;
        moments->values[cases[i].number] = cases[i].value;
        assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, t.model));
        if (cases[i].message)
            assert_fails(gpr_model_from_bytes(ctx, &loaded, bytes, size), GPR_ERROR_FORMAT, cases[i].message);
        else {
            float proba[HERE * 3];
            assert_ok(gpr_model_from_bytes(ctx, &loaded, bytes, size));
            assert_ok(gpr_predict(ctx, loaded, data, NULL, proba));
            for (int k = 0; k < HERE * 3; k++) assert_true(isfinite(proba[k]));
        }
        gpr_model_free(loaded);
        gpr_bytes_free(ctx, bytes);
        moments->values[cases[i].number] = kept;
    }
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Each before any work: no progress is told. */
static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *options[6], *message;
    } cases[] = {{{"basis", "bernstein", NULL}, "`basis` bernstein has K + 1 polynomials"},
                 {{"K", "0", NULL}, "`K` is 0, and a block of the model gprdeep is made of hops"},
                 {{"init", "ppr", NULL}, "the model gprdeep has no option 'init'"},
                 {{"layers", "65", NULL}, "[1, 64]"},
                 {{"direction", "along", "basis", "chebyshev", NULL}, "needs an undirected graph"}};
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_paths(ctx, 0, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stopper seen = {0};
        gpr_params *params = new_params(ctx, OPTIONS("model", "gprdeep"));
        gpr_status status = GPR_OK;
        for (const char *const *at = cases[i].options; *at && status == GPR_OK; at += 2)
            status = gpr_params_set(params, at[0], at[1]);
        ctx->job.progress = stop_at, ctx->job.user = &seen;
        if (status == GPR_OK) status = gpr_train(ctx, &(gpr_model *){NULL}, &(gpr_result *){NULL}, data, params);
        ctx->job.progress = NULL, ctx->job.user = NULL;
        assert_fails(status, GPR_ERROR_ARGUMENT, cases[i].message);
        assert_int_equal(seen.first_epoch, 0);
        gpr_params_free(params);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* 64 blocks train; 64 blocks over 16 kinds of edges would have more weights than a network may, and that is said. */
static void limits(void **state) {
    (void)state;
    enum { KINDS = 16 };
    static char names[KINDS][8];
    const char *words[KINDS];
    static int32_t relation[HERE];
    int64_t src[HERE], dst[HERE];
    float x[HERE * 2];
    int32_t labels[HERE];
    gpr_ctx *ctx = new_ctx(2);
    for (int k = 0; k < KINDS; k++) snprintf(names[k], sizeof names[k], "kind%d", k), words[k] = names[k];
    for (int i = 0; i < HERE; i++) {
        src[i] = i, dst[i] = (i * 5 + 1) % HERE, relation[i] = i % KINDS;
        labels[i] = i % 2, x[2 * i] = (float)labels[i], x[2 * i + 1] = (float)(i % 7);
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .nodes = HERE,
                             .edges = HERE,
                             .src = src,
                             .dst = dst,
                             .features = 2,
                             .dense = x,
                             .labels = labels,
                             .classes = 2};
    gpr_dataset *one, *many;
    assert_ok(gpr_dataset_new(ctx, &one, &desc));
    desc.relation_count = KINDS, desc.relation_names = words, desc.edge_relation = relation;
    assert_ok(gpr_dataset_new(ctx, &many, &desc));
    one->generated = many->generated = true; /* nothing is chosen by the data: one plain training */
    training t;
    for (int plain = 0; plain < 2; plain++) {
        t = train(ctx, one, DEEP("epochs", "3", "layers", "64", "residual", plain ? "no" : "yes"));
        assert_int_equal(t.model->tensor_count, 2 + 64 * 5 + 3);
        training_free(&t);
    }
    t = train(ctx, many, DEEP("epochs", "3", "layers", "4"));
    assert_int_equal(t.model->tensor_count, 2 + 4 * (4 + KINDS) + 3);
    training_free(&t);
    t = try_training(ctx, many, DEEP("epochs", "3", "layers", "64"));
    assert_fails(t.status, GPR_ERROR_ARGUMENT, "more than 1024 weights: ask for fewer `layers`, or name fewer");
    gpr_dataset_free(one);
    gpr_dataset_free(many);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(new_nodes),  cmocka_unit_test(running),
                                       cmocka_unit_test(remembered), cmocka_unit_test(resumed),
                                       cmocka_unit_test(damaged),    cmocka_unit_test(refusals),
                                       cmocka_unit_test(limits)};
    return cmocka_run_group_tests_name("gprdeep", tests, NULL, NULL);
}
