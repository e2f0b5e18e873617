/* Filters in other bases than the monomials (walk/basis.h): their values are those of the recurrence written out, in
 * double precision, whichever way the columns go. test_gradient_double has their gradients. What a basis cannot do is
 * refused. */
#include <math.h>

#include "bases.h"
#include "training.h"

#include "tensor/prepare.h"

enum { NODES = 150 };

/* y = A~ x, arc by arc. x, y: (NODES x cols). */
static void step(const gpri_graph *graph, double *y, const double *x, int64_t cols) {
    double scale[NODES];
    gpri_graph_scale(graph, GPRI_SCALE_LOOPED, scale);
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t c = 0; c < cols; c++) {
            double sum = scale[i] * x[i * cols + c];
            for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++)
                sum += scale[graph->column[at]] * x[graph->column[at] * cols + c];
            y[i * cols + c] = scale[i] * sum;
        }
}

/* sum_k gamma_k P_k(A~) h. */
static void by_hand(const gpri_graph *graph, const gpri_basis *basis, int64_t K, double *sum, const double *h,
                    int64_t cols) {
    const size_t size = (size_t)(NODES * cols) * sizeof(double);
    double *before = calloc(1, size), *now = malloc(size), *next = malloc(size);
    memcpy(now, h, size);
    for (int64_t i = 0; i < NODES * cols; i++) sum[i] = bases_gamma[0] * h[i];
    for (int64_t k = 0; k < K; k++) {
        const gpri_recurrence rule = gpri_recurrence_of(basis, k);
        step(graph, next, now, cols);
        for (int64_t i = 0; i < NODES * cols; i++) {
            next[i] = rule.a * next[i] + rule.b * now[i] - rule.c * before[i];
            sum[i] += bases_gamma[k + 1] * next[i];
        }
        double *old = before;
        before = now, now = next, next = old;
    }
    free(before), free(now), free(next);
}

static void check_values(const gpri_basis *basis, int64_t K, int64_t cols, bool large, double dropout) {
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, NODES, 40, 3);
    gpri_features features;
    gpri_net *net;
    if (large) ctx->large = 0;
    assert_ok(gpri_features_prepare(ctx, &features, &data->features, false, true));
    assert_ok(gpri_net_new(ctx, &net, ctx->job.device, &data->graph, 2, 5));
    gpri_act *h = gpri_dropout(net, gpri_linear(net, gpri_input(net, &features), cols, "a"), dropout);
    gpri_act *z = gpri_gpr_in(net, h, basis, K, bases_gamma, false, "g");
    assert_ok(gpri_net_plan(net, z, true));
    gpri_net_reset(net);
    gpri_net_forward(net, GPRI_BOTH_STREAMS);
    double *in = malloc((size_t)(NODES * cols) * sizeof *in), *want = malloc((size_t)(NODES * cols) * sizeof *want);
    double largest = 0, apart = 0;
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t c = 0; c < cols; c++) in[i * cols + c] = h->train[i * h->ld + c];
    by_hand(&data->graph, basis, K, want, in, cols);
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t c = 0; c < cols; c++) {
            largest = fmax(largest, fabs(want[i * cols + c]));
            apart = fmax(apart, fabs(want[i * cols + c] - z->train[i * z->ld + c]));
        }
    if (!(apart <= 1e-13 * largest))
        fail_msg("%s, degree %d, %d columns%s: apart by %g of %g", basis->name, (int)K, (int)cols,
                 large ? ", large" : "", apart, largest);
    free(in), free(want);
    gpri_net_free(net);
    gpri_features_free(ctx, &features);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void values(void **state) {
    (void)state;
    const int64_t cols[] = {2, 3, 17, 40};
    for (int b = 0; b < BASES; b++)
        for (int64_t K = 0; K <= BASES_DEGREE; K++)
            for (int c = 0; c < 4; c++)
                for (int way = 0; way < 4; way++) check_values(bases_all[b], K, cols[c], way % 2, way / 2 ? 0.5 : 0);
}

/* P_k of Legendre and Chebyshev at a number: the table of this test is right. */
static void tables(void **state) {
    (void)state;
    for (int at = -4; at <= 4; at++) {
        const double x = at / 4.0;
        double p[3] = {1, x}, t[3] = {1, x};
        for (int k = 1; k < BASES_DEGREE; k++) {
            p[2] = legendre_table[k].a * x * p[1] - legendre_table[k].c * p[0];
            t[2] = chebyshev_table[k].a * x * t[1] - chebyshev_table[k].c * t[0];
            memmove(p, p + 1, 2 * sizeof *p);
            memmove(t, t + 1, 2 * sizeof *t);
            assert_true(fabs(t[1] - cos((k + 1) * acos(x))) < 1e-14);
        }
        assert_true(fabs(p[1] - (63 * pow(x, 5) - 70 * pow(x, 3) + 15 * x) / 8) < 1e-14);
    }
}

/* Too high a degree; hops that the features hold. */
static void refusals(void **state) {
    (void)state;
    for (int which = 0; which < 2; which++) {
        gpr_ctx *ctx = new_ctx(1);
        gpr_dataset *data = new_words(ctx, NODES, 40, 3);
        gpri_features features;
        gpri_net *net;
        assert_ok(gpri_features_prepare(ctx, &features, &data->features, false, true));
        if (which == 1) features.hops = 1;
        assert_ok(gpri_net_new(ctx, &net, ctx->job.device, &data->graph, 1, 5));
        gpri_act *h = gpri_linear(net, gpri_input(net, &features), 3, "a");
        gpri_act *z = gpri_gpr_in(net, h, &legendre, BASES_DEGREE + (which == 0), bases_gamma, false, "g");
        assert_fails(gpri_net_plan(net, z, true), GPR_ERROR_ARGUMENT, "Legendre");
        gpri_net_free(net);
        gpri_features_free(ctx, &features);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables), cmocka_unit_test(values), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests_name("basis", tests, NULL, NULL);
}
