/* Filters of several relations, directions, bases and columns: the same bits on any number of threads and on the mock
 * device, in panels nearly the same, after a stop, in the model's file; what the C API says of them; what is refused.
 * test_golden_baselines has their values, test_gradient_double their gradients, test_filters_double what explains
 * them. */
#include <math.h>

#include "filters.h"
#include "last_warning.h"
#include "mock_device.h"
#include "resuming.h"
#include "tensor/cpu/cpu.h"

enum { NODES = 300, CLASSES = 3 };
#define SHORT "epochs", "12", "patience", "5", "hidden", "8", "K", "3", "lr", "0.05"

static const gpri_device *one_tile(void) {
    static gpri_device device;
    device = *gpri_cpu_device_with(&gpri_ops_ref);
    device.tile = 0;
    return &device;
}

/* ---- bits ---- */

static void threads(void **state) {
    (void)state;
    const gpri_ops *tables[MOST_TABLES];
    const int count = gpri_ops_all(tables, MOST_TABLES);
    for (int s = 0; s < FILTER_SETS; s++)
        for (int t = 0; t < count; t++)
            for (int large = 0; large < 2; large++) {
                const int64_t classes = large ? 21 : CLASSES; /* more columns than a panel has */
                const char *words[64];
                const char *const *options = filter_options(words, &filter_sets[s], OPTIONS(SHORT));
                training made[3];
                gpr_ctx *ctx[3];
                gpr_dataset *data = NULL;
                for (int i = 0; i < 3; i++) {
                    ctx[i] = ctx_for(tables[t], 1 << i);
                    if (large) ctx[i]->large = 0;
                    if (i == 0) data = new_kinds(ctx[0], 2 * NODES, classes, &filter_sets[s]);
                    made[i] = train(ctx[i], data, options);
                    assert_same_model(filter_sets[s].name, made[0].model, made[i].model);
                }
                gpr_dataset_free(data);
                for (int i = 0; i < 3; i++) training_free(&made[i]), gpr_ctx_free(ctx[i]);
            }
}

/* Panels: scores with the same bits; gradients of a gamma for all columns are sums in another order. */
static void panels(void **state) {
    (void)state;
    for (int s = 0; s < FILTER_SETS; s++) {
        enum { MANY = 21 };
        const char *words[64];
        const char *const *options = filter_options(words, &filter_sets[s], OPTIONS(SHORT));
        gpr_ctx *small = new_ctx(1), *large = new_ctx(2);
        large->large = 0;
        gpr_dataset *data = new_kinds(small, 2 * NODES, MANY, &filter_sets[s]);
        training a = train(small, data, options), b = train(large, data, options);
        const size_t size = (size_t)(2 * NODES * MANY) * sizeof(float);
        float *x = malloc(size), *y = malloc(size);
        assert_ok(gpr_predict_with(small, a.model, data, NULL, NULL, x, NULL));
        assert_ok(gpr_predict_with(large, a.model, data, NULL, NULL, y, NULL));
        if (memcmp(x, y, size) != 0) fail_msg("%s: other scores", filter_sets[s].name);
        for (int64_t e = 0; e <= 3; e++) {
            const double p = a.result->runs[0].history[e].train_loss, q = b.result->runs[0].history[e].train_loss;
            if (!(fabs(p - q) <= 2e-5 * fabs(p)))
                fail_msg("%s, epoch %d: %.9g, %.9g", filter_sets[s].name, (int)e, p, q);
        }
        free(x), free(y);
        training_free(&a), training_free(&b);
        gpr_dataset_free(data);
        gpr_ctx_free(small), gpr_ctx_free(large);
    }
}

static void on_the_mock(void **state) {
    (void)state;
    for (int s = 0; s < FILTER_SETS; s++) {
        const char *words[64];
        const char *const *options =
            filter_options(words, &filter_sets[s], OPTIONS(SHORT, "runs", "2", "label-counts", "yes"));
        gpr_ctx_options with = {.struct_size = sizeof with, .threads = 1, .cpu = "ref"};
        gpr_ctx *ref, *ctx = mock_ctx();
        assert_ok(gpr_ctx_new(&ref, &with));
        ref->job.device = one_tile();
        gpr_dataset *data = new_kinds(ref, NODES, CLASSES, &filter_sets[s]),
                    *again = new_kinds(ctx, NODES, CLASSES, &filter_sets[s]);
        training a = train(ref, data, options), b = train(ctx, again, options);
        assert_same_training(filter_sets[s].name, ref, &a, &b);
        float x[NODES * CLASSES], y[NODES * CLASSES];
        assert_ok(gpr_predict(ref, a.model, data, NULL, x));
        assert_ok(gpr_predict(ctx, a.model, again, NULL, y));
        assert_memory_equal(x, y, sizeof x);
        training_free(&a), training_free(&b);
        gpr_dataset_free(data), gpr_dataset_free(again);
        gpr_ctx_free(ref), gpr_ctx_free(ctx);
    }
}

/* ---- a stop, a file ---- */

static void stopped(void **state) {
    (void)state;
    for (int s = 0; s < FILTER_SETS; s++) {
        const char *words[64];
        const char *const *options = filter_options(words, &filter_sets[s], OPTIONS(SHORT));
        gpr_ctx *ctx = new_ctx(2);
        gpr_dataset *data = new_kinds(ctx, NODES, CLASSES, &filter_sets[s]);
        training whole = train(ctx, data, options);
        training pieces = train_in_pieces(ctx, data, options, (const int64_t[]){2, 3, 0});
        assert_same_training(filter_sets[s].name, ctx, &whole, &pieces);
        training_free(&whole), training_free(&pieces);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

static bool has(const char *bytes, size_t size, const char *text) {
    const size_t length = strlen(text);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, text, length) == 0) return true;
    return false;
}

static void file(void **state) {
    (void)state;
    for (int s = 0; s < FILTER_SETS; s++) {
        const char *words[64];
        gpr_ctx *ctx = new_ctx(1);
        gpr_dataset *data = new_kinds(ctx, NODES, CLASSES, &filter_sets[s]);
        training t = train(ctx, data, filter_options(words, &filter_sets[s], OPTIONS(SHORT)));
        gpr_model *model;
        void *bytes;
        size_t size;
        float x[NODES * CLASSES], y[NODES * CLASSES];
        assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, t.model));
        assert_true(has(bytes, size < 4000 ? size : 4000, "\"format_version\":\"4\"")); /* older programs refuse it */
        assert_ok(gpr_model_from_bytes(ctx, &model, bytes, size));
        assert_same_bytes(filter_sets[s].name, ctx, t.model, model);
        assert_ok(gpr_predict(ctx, t.model, data, NULL, x));
        assert_ok(gpr_predict(ctx, model, data, NULL, y));
        assert_memory_equal(x, y, sizeof x);
        gpr_bytes_free(ctx, bytes);
        gpr_model_free(model);
        training_free(&t);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

/* ---- the C API: the parts, in their order, are the weight ---- */

static void parts(void **state) {
    (void)state;
    for (int s = 0; s < FILTER_SETS; s++) {
        const char *words[64];
        gpr_ctx *ctx = new_ctx(1);
        gpr_dataset *data = new_kinds(ctx, NODES, CLASSES, &filter_sets[s]);
        training t = train(ctx, data, filter_options(words, &filter_sets[s], OPTIONS(SHORT)));
        const int64_t count = gpr_model_filter_count(t.model);
        int64_t known;
        const float *gamma = gpr_model_gamma(t.model, &known);
        gpr_filter_info info = {.struct_size = sizeof info};
        assert_true(count >= 1);
        assert_ok(gpr_model_filter(t.model, 0, &info));
        const bool single = count == 1 && info.columns == 1 && strcmp(info.direction, "undirected") == 0;
        const gpri_tensor *tensor = tensor_of(t.model, single ? GPRI_FILTER_WEIGHT : GPRI_FILTERS_WEIGHT);
        const bool bernstein = strcmp(info.basis, "bernstein") == 0;
        assert_int_equal(gamma != NULL, single);
        assert_int_equal(known, single ? info.hops + 1 : 0);
        int64_t row = 0;
        for (int64_t i = 0; i < count; i++) {
            assert_ok(gpr_model_filter(t.model, i, &info));
            float *own = malloc((size_t)((info.hops + 1) * info.columns) * sizeof *own);
            assert_ok(gpr_model_filter_gamma(t.model, i, own));
            for (int64_t k = 0; k <= info.hops; k++) {
                const bool absent = k == 0 && i > 0 && !bernstein;
                for (int64_t c = 0; c < info.columns; c++)
                    assert_true(own[k * info.columns + c] == (absent ? 0 : tensor->values[row * info.columns + c]));
                row += !absent;
            }
            assert_int_equal(strlen(info.relation) > 0, filter_sets[s].kinds);
            free(own);
        }
        assert_int_equal(row * info.columns, tensor->rows * tensor->cols);
        assert_fails(gpr_model_filter(t.model, count, &info), GPR_ERROR_ARGUMENT, "is not in [0, ");
        assert_fails(gpr_model_filter_gamma(t.model, -1, (float[1]){0}), GPR_ERROR_ARGUMENT, "is not in [0, ");
        training_free(&t);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
    assert_int_equal(gpr_model_filter_count(NULL), 0);
}

/* Relations in another order, and by their names, are the same filter. */
static void another_order(void **state) {
    (void)state;
    const filter_set *set = &filter_sets[10];
    const char *words[64];
    gpr_ctx *ctx = new_ctx(1);
    kinds_data *d = malloc(sizeof *d);
    gpr_dataset *data, *turned;
    float x[NODES * CLASSES], y[NODES * CLASSES];
    kinds_fill(d, NODES, CLASSES, true, true);
    assert_ok(gpr_dataset_new(ctx, &data, &d->desc));
    for (int64_t e = 0; e < d->desc.edges; e++) d->relation[e] = 2 - d->relation[e];
    d->names[0] = "address", d->names[2] = "pay";
    assert_ok(gpr_dataset_new(ctx, &turned, &d->desc));
    training t = train(ctx, data, filter_options(words, set, OPTIONS(SHORT)));
    assert_ok(gpr_predict(ctx, t.model, data, NULL, x));
    assert_ok(gpr_predict(ctx, t.model, turned, NULL, y));
    assert_memory_equal(x, y, sizeof x);
    d->names[0] = "other"; /* what was "address" */
    gpr_dataset_free(turned);
    assert_ok(gpr_dataset_new(ctx, &turned, &d->desc));
    assert_fails(gpr_predict(ctx, t.model, turned, NULL, y), GPR_ERROR_MISMATCH, "'address' is missing");
    training_free(&t);
    gpr_dataset_free(turned);
    gpr_dataset_free(data);
    free(d->dense);
    free(d);
    gpr_ctx_free(ctx);
}

/* ---- small and odd graphs ---- */

/* One node, one class, a relation whose edges are all loops, no edges at all. */
static void odd_graphs(void **state) {
    (void)state;
    static const int64_t src[] = {0, 1, 2, 2, 3}, dst[] = {1, 2, 0, 2, 3};
    static const int32_t kind[] = {0, 0, 0, 1, 1}, labels[] = {0, 1, 0, 1, 0, 1}, one_class[6] = {0};
    static const char *const names[] = {"pay", "device"};
    static const float x[] = {1, 2, 3, 4, 5, 6};
    for (int s = 0; s < FILTER_SETS; s++)
        for (int which = 0; which < 4; which++) {
            const filter_set *set = &filter_sets[s];
            const char *words[64];
            gpr_ctx *ctx = new_ctx(1);
            gpr_dataset *data;
            gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                     .nodes = which == 0 ? 1 : 6,
                                     .edges = which == 0   ? 0
                                              : which == 3 ? 0
                                                           : 5,
                                     .src = src,
                                     .dst = dst,
                                     .features = 1,
                                     .dense = x,
                                     .labels = which == 1 ? one_class : labels,
                                     .classes = which == 1 ? 1 : 2};
            if (set->kinds) desc.relation_count = 2, desc.relation_names = names, desc.edge_relation = kind;
            assert_ok(gpr_dataset_new(ctx, &data, &desc));
            training t = try_training(ctx, data, filter_options(words, set, OPTIONS(SHORT, "split", "50/25/25")));
            if (t.status < 0 && !strstr(gpr_last_error(), "direction") && !strstr(gpr_last_error(), "relation") &&
                !strstr(gpr_last_error(), "class") && !strstr(gpr_last_error(), "train"))
                fail_msg("%s, graph %d: %s", set->name, which, gpr_last_error());
            if (t.status >= 0) {
                float proba[12];
                gpr_explanation *explanation;
                assert_ok(gpr_predict(ctx, t.model, data, NULL, proba));
                for (int64_t i = 0; i < desc.nodes * desc.classes; i++) assert_true(isfinite(proba[i]));
                assert_ok(gpr_explanation_new(ctx, &explanation, t.model, data, (const int64_t[]){0}, 1, NULL));
                gpr_explanation_free(explanation);
            }
            training_free(&t);
            gpr_dataset_free(data);
            gpr_ctx_free(ctx);
        }
}

/* ---- refusals ---- */

static void refusals(void **state) {
    (void)state;
    const struct {
        bool kinds;
        const char *options[8], *message;
    } cases[] = {
        {true, {"order", "filter-first", NULL}, "has one filter in powers of the undirected graph"},
        {true, {"relations", "pay,pay", NULL}, "`relations` names 'pay' twice"},
        {true, {"relations", "pay,,device", NULL}, "expected names with commas between them"},
        {true, {"relations", "pay,phone", NULL}, "the relation 'phone' is missing"},
        {true, {"direction", "phone=along", NULL}, "`direction` names the relation 'phone'"},
        {true, {"relations", "pay", "direction", "device=along", NULL}, "`direction` names the relation 'device'"},
        {true, {"direction", "pay=up", NULL}, "`direction` of pay is 'up'"},
        {false, {"direction", "pay=along", NULL}, "one kind of edges, without a name"},
        {false, {"direction", "along", "basis", "chebyshev", NULL}, "needs an undirected graph"},
        {false, {"basis", "jacobi:-1,0", NULL}, "numbers above -1"},
        {false, {"basis", "bernstein", "K", "61", NULL}, "up to `K` 60"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpr_ctx *ctx = new_ctx(1);
        const filter_set set = {"", cases[i].kinds, false, {NULL}};
        gpr_dataset *data = new_kinds(ctx, NODES, CLASSES, &set);
        training t = try_training(ctx, data, cases[i].options);
        if (t.status >= 0 || !strstr(gpr_last_error(), cases[i].message))
            fail_msg("%s %s: '%s', not '%s'", cases[i].options[0], cases[i].options[1], gpr_last_error(),
                     cases[i].message);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

/* One matrix more than a filter may have. */
static void too_many(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_filter_form form;
    char names[GPRI_MOST_TERMS * 8] = "r0";
    for (int r = 1; r < GPRI_MOST_TERMS; r++) sprintf(names + strlen(names), ",r%d", r);
    gpr_params *params = new_params(ctx, OPTIONS("relations", names));
    assert_ok(gpri_filter_form_of(&form, params));
    assert_int_equal(form.count, GPRI_MOST_TERMS);
    assert_ok(gpr_params_set(params, "direction", "r7=both"));
    assert_fails(gpri_filter_form_of(&form, params), GPR_ERROR_ARGUMENT, "more than 32 matrices");
    gpr_params_free(params);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads),     cmocka_unit_test(panels),
                                       cmocka_unit_test(on_the_mock), cmocka_unit_test(stopped),
                                       cmocka_unit_test(file),        cmocka_unit_test(parts),
                                       cmocka_unit_test(refusals),    cmocka_unit_test(another_order),
                                       cmocka_unit_test(odd_graphs),  cmocka_unit_test(too_many)};
    return cmocka_run_group_tests_name("filters", tests, NULL, NULL);
}
