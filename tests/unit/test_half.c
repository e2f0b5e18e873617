/* States of the graph filter in bfloat16: rounding, the steps of every table against ref, and trainings. */
#include "tables.h"
#include "training.h"

/* ---- rounding ---- */

static float of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Every half is itself; all that lies between two becomes the nearer one, the middle the even one. */
static void rounding(void **state) {
    (void)state;
    for (uint32_t half = 0; half < 0x10000; half++) {
        const float x = of_bits(half << 16);
        if (isnan(x)) {
            assert_true(isnan(gpri_half_value(gpri_half_of(x))));
            continue;
        }
        assert_int_equal(gpri_half_of(x), half);
        if ((half & 0x7fff) >= 0x7f80) continue;
        assert_int_equal(gpri_half_of(of_bits(half << 16 | 0x7fff)), half);
        assert_int_equal(gpri_half_of(of_bits(half << 16 | 0x8001)), half + 1);
        assert_int_equal(gpri_half_of(of_bits(half << 16 | 0x8000)), half + (half & 1));
    }
    assert_true(isinf(gpri_half_value(gpri_half_of(3.4e38f)))); /* beyond the largest */
    assert_true(isnan(gpri_half_value(gpri_half_of(of_bits(0x7f800001)))));
    assert_true(isnan(gpri_half_value(gpri_half_of(of_bits(0xffffffff)))));
}

/* ---- steps ---- */

/* A rounding may go the other way where sums are added in another order: one half of difference. */
static void same_halves(const char *what, const char *table, gpri_matrix got, gpri_matrix want) {
    double most = 1e-30;
    for (int64_t i = 0; i < got.rows; i++)
        for (int64_t c = 0; c < got.width; c++) most = fmax(most, fabs((double)gpri_half_get(want, i, c)));
    for (int64_t i = 0; i < got.rows; i++)
        for (int64_t c = 0; c < got.width; c++) {
            const double x = (double)gpri_half_get(got, i, c), y = (double)gpri_half_get(want, i, c);
            if (!(fabs(x - y) <= fabs(y) / 127 + 2e-5 * most))
                fail_msg("%s, %s, row %d, column %d: %g, ref %g", table, what, (int)i, (int)c, x, y);
        }
}

/* With and without: weights, left, right, scale, far. */
static void check_steps(gpr_ctx *ctx, int64_t nodes, int64_t width, int with) {
    const int64_t ld = width + 4, r0 = nodes > 4 ? 3 : 0, rows = nodes - r0, gap = gpri_half_numbers(width) + 1;
    gpri_graph graph = random_graph(ctx, nodes, with & 1);
    float *left = numbers(nodes), *right = numbers(nodes), *scale = numbers(nodes), *h = numbers(nodes * ld);
    float *in = numbers(nodes * gap), *z = numbers(rows * ld), *out = numbers(rows * gap), theta = -0.4f;
    for (int64_t i = 0; i < nodes; i++) scale[i] = 0.6f + 0.3f * scale[i];
    const gpri_step step = {.m = {.graph = &graph,
                                  .left = with & 2 ? left : NULL,
                                  .right = with & 4 ? right : NULL,
                                  .factor = 0.75f,
                                  .loop = 1},
                            .a = 1,
                            .scale = with & 8 ? scale : NULL,
                            .far = (with & 16) != 0};
    const gpri_matrix own = matrix_of(h, rows, width, ld), all = matrix_of(in, nodes, width, gap);
    gpri_ops_ref.half->begin(all, matrix_of(h, nodes, width, ld), step.scale, &theta, 0);
    EACH_TABLE(ops) {
        float *a = copy_of(out, rows * gap), *b = copy_of(out, rows * gap);
        float *got = copy_of(z, rows * ld), *want = copy_of(z, rows * ld);
        const gpri_matrix x = matrix_of(a, rows, width, gap), y = matrix_of(b, rows, width, gap);
        double dot = 5, ref = 6; /* to be overwritten */
        ops->half->begin(x, own, step.scale, &theta, r0);
        gpri_ops_ref.half->begin(y, own, step.scale, &theta, r0);
        same_halves("begin", ops->name, x, y);
        ops->half->propagate(x, all, own, &step, &theta, r0);
        gpri_ops_ref.half->propagate(y, all, own, &step, &theta, r0);
        same_halves("propagate", ops->name, x, y);
        ops->half->last(matrix_of(got, rows, width, ld), all, own, &step, &theta, r0);
        gpri_ops_ref.half->last(matrix_of(want, rows, width, ld), all, own, &step, &theta, r0);
        same("last", ops->name, got, want, rows * ld);
        got = copy_of(z, rows * ld), want = copy_of(z, rows * ld);
        gpri_matrix sum = matrix_of(got, rows, width, ld), ref_sum = matrix_of(want, rows, width, ld);
        ops->half->begin_dot(x, sum, &dot, sum, own, step.scale, &theta, r0); /* in place */
        gpri_ops_ref.half->begin_dot(y, ref_sum, &ref, matrix_of(z, rows, width, ld), own, step.scale, &theta, r0);
        same_halves("begin_dot", ops->name, x, y);
        same_number("begin_dot", ops->name, dot, ref);
        ops->half->propagate_dot(x, sum, &dot, all, own, &step, &theta, r0);
        gpri_ops_ref.half->propagate_dot(y, ref_sum, &ref, all, own, &step, &theta, r0);
        same_halves("propagate_dot", ops->name, x, y);
        same_number("propagate_dot", ops->name, dot, ref);
        same("propagate_dot, sum", ops->name, got, want, rows * ld);
        for (int64_t i = 0; i < rows; i++) /* nothing between the rows is written */
            assert_memory_equal(a + i * gap + gap - 1, out + i * gap + gap - 1, sizeof *a);
        assert_memory_equal(a + rows * gap, out + rows * gap, SENTINEL_COUNT * sizeof *a);
        free(a), free(b);
    }
    free(left), free(right), free(scale), free(h), free(in), free(z), free(out);
    gpri_graph_free(ctx, &graph);
}

static void steps(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const int64_t nodes[] = {1, 3, 50}, widths[] = {2, 4, 8, 16, 32};
    for (int n = 0; n < 3; n++)
        for (int w = 0; w < 5; w++)
            for (int with = 0; with < 32; with++) check_steps(ctx, nodes[n], widths[w], with);
    gpr_ctx_free(ctx);
}

/* ---- trainings ---- */

enum { NODES = 500 };

/* Near a training with floats, and the same bits for any number of threads, whether the graph counts as large or not.
 */
static void compare(int64_t classes, const char *model, const char *dropout) {
    for (int t = 0; t < table_count; t++) {
        const char *own[32], *half[34];
        int count = 0;
        options_for(own, model,
                    OPTIONS("epochs", "15", "hidden", "20", "K", "6", "dropout", dropout, "dprate", dropout));
        while (own[count]) half[count] = own[count], count++;
        half[count] = "state", half[count + 1] = "bfloat16", half[count + 2] = NULL;
        gpr_ctx *one = ctx_for(tables[t], 1), *many = ctx_for(tables[t], 4);
        gpr_dataset *data = new_words(one, NODES, 120, classes);
        training a = train(one, data, own), b = train(one, data, half);
        many->large = 0;
        training c = train(many, data, half);
        assert_same_model("four threads", b.model, c.model);
        assert_false(same_model(a.model, b.model));
        for (int64_t e = 0; e <= 15; e++) {
            const double x = a.result->runs[0].history[e].train_loss, y = b.result->runs[0].history[e].train_loss;
            if (!(fabs(x - y) <= 0.02 * fabs(x)))
                fail_msg("%s, %s, epoch %d: %g and %g", tables[t]->name, model, (int)e, x, y);
        }
        int32_t *classes_of = malloc(NODES * sizeof *classes_of);
        double right = 0;
        assert_ok(gpr_predict_with(many, b.model, data, classes_of, NULL, NULL, NULL));
        for (int64_t i = 0; i < NODES; i++) right += classes_of[i] == data->labels[i];
        assert_true(right > 0);
        free(classes_of);
        training_free(&a), training_free(&b), training_free(&c);
        gpr_dataset_free(data);
        gpr_ctx_free(one), gpr_ctx_free(many);
    }
}

static void trainings(void **state) {
    (void)state;
    compare(21, "gprgnn", "0.5");
    compare(45, "gprgnn", "0");
    compare(2, "gprgnn", "0.5");
    compare(2, "appnp", "0.5");
    compare(37, "appnp", "0");
}

/* ---- what does not fit ---- */

static void refused(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    const gpri_device other = *ctx->device;
    assert_fails(try_training(ctx, data, OPTIONS("model", "gcn", "state", "bfloat16")).status, GPR_ERROR_ARGUMENT,
                 "gprgnn appnp sgc");
    assert_fails(try_training(ctx, data, OPTIONS("order", "filter-first", "state", "bfloat16")).status,
                 GPR_ERROR_ARGUMENT, "filter-first");
    ctx->device = &other;
    assert_fails(try_training(ctx, data, OPTIONS("state", "bfloat16")).status, GPR_ERROR_ARGUMENT, "`device` cpu");
    ctx->device = ctx->cpu;
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    stream = gpri_random_of(3, GPRI_RANDOM_TEST, 0, 0);
    table_count = gpri_ops_all(tables, 8);
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounding), cmocka_unit_test(steps), cmocka_unit_test(trainings),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
