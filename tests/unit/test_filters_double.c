/* What explains a filter of several relations, directions, bases and columns, against dense matrices: the parts of a
 * score add up to it, each part is what it says; what an inspection says that each part adds, and its response. In
 * double precision. */
#include <math.h>

#include "filters.h"

enum { NODES = 40, CLASSES = 3, MOST = 4 /* K + 1 */ };

static void multiply(double *y, const double *s, const double *x) {
    for (int i = 0; i < NODES; i++)
        for (int c = 0; c < CLASSES; c++) {
            y[i * CLASSES + c] = 0;
            for (int j = 0; j < NODES; j++) y[i * CLASSES + c] += s[i * NODES + j] * x[j * CLASSES + c];
        }
}

/* sum_k powers_k x^k = sum_k theta_k P_k(x). Both: (degree + 1); scratch: twice as many. */
static void to_powers(const gpri_basis *basis, double *powers, const double *theta, int64_t degree, double *scratch) {
    double *before = scratch, *now = scratch + degree + 1;
    memset(scratch, 0, (size_t)(2 * degree + 2) * sizeof *scratch);
    memset(powers, 0, (size_t)(degree + 1) * sizeof *powers);
    now[0] = 1;
    for (int64_t k = 0;; k++) {
        for (int64_t i = 0; i <= k; i++) powers[i] += theta[k] * now[i];
        if (k == degree) return;
        const gpri_recurrence rule = gpri_recurrence_of(basis, k);
        for (int64_t i = k + 1; i >= 0;
             i--) { /* the next one goes over the one before; its place i needs now_i, now_i-1 */
            const double shifted = i > 0 ? now[i - 1] : 0;
            before[i] = (double)rule.a * shifted + (double)rule.b * now[i] - (double)rule.c * before[i];
        }
        double *next = before;
        before = now;
        now = next;
    }
}

/* P_k(S) H, by the powers of the polynomial: independent of how the library walks. */
static void polynomial(double *y, const double *s, const double *h, const char *basis, int64_t K, int64_t k) {
    enum { N = NODES * CLASSES };
    double power[N], next[N], coefficients[MOST] = {0}, unit[MOST] = {0}, scratch[2 * MOST];
    gpri_basis by = gpri_monomials;
    if (strncmp(basis, "jacobi", 6) == 0) by = gpri_jacobi_basis(1, -0.5);
    else assert_true(gpri_basis_find(&by, strcmp(basis, "bernstein") == 0 ? "chebyshev" : basis));
    unit[k] = 1;
    if (strcmp(basis, "bernstein") == 0)
        gpri_chebyshev_of_bernstein(unit, (const double[MOST]){k == 0, k == 1, k == 2, k == 3}, K);
    to_powers(&by, coefficients, unit, K, scratch);
    memcpy(power, h, sizeof power);
    for (int i = 0; i < N; i++) y[i] = 0;
    for (int64_t p = 0; p <= K; p++) {
        for (int i = 0; i < N; i++) y[i] += coefficients[p] * power[i];
        multiply(next, s, power);
        memcpy(power, next, sizeof power);
    }
}

static void near(const char *set, const char *what, double got, double want, double size) {
    if (!(fabs(got - want) <= 2e-6 * (size + fabs(want)))) fail_msg("%s, %s: %.12g, not %.12g", set, what, got, want);
}

/* H: the model's network by hand, from its float weights. */
static void hidden_of(double *h, const kinds_data *d, const gpr_model *model, int64_t layers) {
    double now[NODES * 16], next[NODES * 16];
    int64_t width = d->desc.features;
    for (int64_t i = 0; i < NODES * width; i++) now[i] = (double)d->dense[i];
    for (int64_t layer = 1; layer <= layers; layer++) {
        char name[32];
        snprintf(name, sizeof name, "lin%d.weight", (int)layer);
        const gpri_tensor *w = tensor_of(model, name);
        snprintf(name, sizeof name, "lin%d.bias", (int)layer);
        const gpri_tensor *b = tensor_of(model, name);
        for (int64_t i = 0; i < NODES; i++)
            for (int64_t u = 0; u < w->cols; u++) {
                double sum = (double)b->values[u];
                for (int64_t f = 0; f < width; f++) sum += now[i * width + f] * (double)w->values[f * w->cols + u];
                next[i * w->cols + u] = layer < layers && sum < 0 ? 0 : sum;
            }
        width = w->cols;
        memcpy(now, next, sizeof now);
    }
    memcpy(h, now, NODES * CLASSES * sizeof *h);
}

static double norm(const double *x) {
    double sum = 0;
    for (int i = 0; i < NODES * CLASSES; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* All parts of a model and a node. */
static void check_model(const filter_set *set, gpr_ctx *ctx, const kinds_data *d, const gpr_dataset *data,
                        const gpr_model *model, int64_t node) {
    static double s[NODES * NODES], h[NODES * CLASSES], y[NODES * CLASSES], whole[NODES * CLASSES];
    double hops[MOST] = {0}, all = 0, lead = 0;
    gpr_explanation *explanation;
    gpr_inspection *inspection;
    gpr_explanation_info info = {.struct_size = sizeof info};
    const gpr_explain_options options = {.struct_size = sizeof options, .class_id = -1, .top = NODES};
    const double *series;
    int64_t count;
    const char *layers = gpr_model_param(model, "layers");
    hidden_of(h, d, model, atoi(layers));
    assert_ok(gpr_explanation_new(ctx, &explanation, model, data, &node, 1, &options));
    assert_ok(gpr_explanation_describe(explanation, 0, &info));
    assert_ok(gpr_inspection_new(ctx, &inspection, model, data, NULL));
    assert_int_equal(info.filters, gpr_model_filter_count(model));
    for (int64_t f = 0; f < info.filters; f++) {
        gpr_filter_info part = {.struct_size = sizeof part};
        gpr_explained_filter found = {.struct_size = sizeof found};
        gpr_inspected_filter looked = {.struct_size = sizeof looked};
        float gamma[MOST * CLASSES];
        double score = 0;
        assert_ok(gpr_model_filter(model, f, &part));
        assert_ok(gpr_model_filter_gamma(model, f, gamma));
        assert_ok(gpr_explanation_filter(explanation, 0, f, &found));
        assert_ok(gpr_inspection_filter(inspection, f, &looked));
        assert_string_equal(found.relation, part.relation);
        assert_string_equal(found.direction, part.direction);
        assert_string_equal(looked.relation, part.relation);
        const bool bernstein = strcmp(part.basis, "bernstein") == 0;
        const int64_t column = part.columns > 1 ? info.class_id : 0;
        kinds_matrix(s, NODES, d, &part);
        memset(whole, 0, sizeof whole);
        for (int64_t k = 0; k <= part.hops; k++) {
            polynomial(y, s, h, part.basis, part.hops, k);
            const double value = (double)gamma[k * part.columns + column] * y[node * CLASSES + info.class_id];
            const bool walked = k > 0 || bernstein;
            hops[k] += value;
            near(set->name, "gamma", found.gamma[k], (double)gamma[k * part.columns + column], 1);
            near(set->name, "a hop of a relation", found.hops[k], walked ? value : 0, 1);
            score += walked ? value : 0;
            for (int i = 0; i < NODES * CLASSES; i++) {
                y[i] *= (double)gamma[k * part.columns + (part.columns > 1 ? i % CLASSES : 0)];
                if (walked) whole[i] += y[i];
            }
            near(set->name, "a contribution", looked.contribution[k], norm(y), 1);
        }
        near(set->name, "a part", looked.part, norm(whole), 1);
        near(set->name, "the score of a relation", found.score, score, 1);
        all += found.score;
        lead += found.lead;
        assert_int_equal(looked.response == NULL, strcmp(part.direction, "undirected") != 0);
        for (int64_t c = 0; looked.response && c < part.columns; c++) { /* g(1) and g(-1): the sums of P_k there */
            double at[2] = {0};
            for (int64_t k = 0; k <= part.hops; k++) {
                double unit[NODES * CLASSES] = {[0] = 1}, one[NODES * NODES] = {[0] = 1}, to[NODES * CLASSES];
                for (int sign = 0; sign < 2; sign++) {
                    one[0] = sign ? -1 : 1;
                    polynomial(to, one, unit, part.basis, part.hops, k);
                    at[sign] += (double)gamma[k * part.columns + c] * to[0];
                }
            }
            near(set->name, "g(1)", looked.response[200 * part.columns + c], at[0], 1);
            near(set->name, "g(-1)", looked.response[c], at[1], 1);
        }
        assert_fails(gpr_explanation_filter(explanation, 0, info.filters, &found), GPR_ERROR_ARGUMENT, "not in [0, ");
    }
    assert_ok(gpr_explanation_series(explanation, 0, "hops", &series, &count));
    assert_true(count <= MOST);
    double sum = 0, nodes = info.own_score, rings = 0;
    for (int64_t k = 0; k < count; k++) {
        near(set->name, "a hop", series[k], hops[k], 1);
        sum += series[k];
    }
    if (fabs(sum - info.score) > 1e-10 * (1 + fabs(info.score)))
        fail_msg("%s: hops %g, score %g", set->name, sum, info.score);
    gpr_filter_info first = {.struct_size = sizeof first};
    assert_ok(gpr_model_filter(model, 0, &first));
    const double no_edge = strcmp(first.basis, "bernstein") == 0 ? 0 : series[0];
    if (fabs(all + no_edge - info.score) > 1e-10 * (1 + fabs(info.score)))
        fail_msg("%s: relations %g, without an edge %g, score %g", set->name, all, no_edge, info.score);
    assert_ok(gpr_explanation_series(explanation, 0, "hops_lead", &series, &count));
    const double lead_no_edge = strcmp(first.basis, "bernstein") == 0 ? 0 : series[0];
    if (fabs(lead + lead_no_edge - info.lead) > 1e-10 * (1 + fabs(info.lead))) fail_msg("%s: another lead", set->name);
    for (int64_t r = 0; r < info.listed; r++) {
        gpr_explained_node other = {.struct_size = sizeof other};
        assert_ok(gpr_explanation_node(explanation, 0, r, &other));
        nodes += other.score;
    }
    if (fabs(nodes + info.others_score - info.score) > 1e-10 * (1 + fabs(info.score)))
        fail_msg("%s: nodes %g, score %g", set->name, nodes + info.others_score, info.score);
    assert_ok(gpr_explanation_series(explanation, 0, "rings", &series, &count));
    for (int64_t k = 0; k < count; k++) rings += series[k];
    if (fabs(rings - info.score) > 1e-10 * (1 + fabs(info.score))) fail_msg("%s: another sum of rings", set->name);
    gpr_inspection_free(inspection);
    gpr_explanation_free(explanation);
}

static void parts(void **state) {
    (void)state;
    for (int i = 0; i < FILTER_SETS; i++) {
        const filter_set *set = &filter_sets[i];
        const char *words[64];
        gpr_ctx *ctx = new_ctx(1);
        kinds_data *d = malloc(sizeof *d);
        gpr_dataset *data;
        kinds_fill(d, NODES, CLASSES, set->kinds, set->weighted);
        assert_ok(gpr_dataset_new(ctx, &data, &d->desc));
        training t = train(ctx, data,
                           filter_options(words, set,
                                          OPTIONS("epochs", "20", "hidden", "8", "K", "3", "lr", "0.05", "normalize",
                                                  "none", "label-counts", "no", "label-input", "no")));
        if (gpr_model_filter_count(t.model) > 0) {
            check_model(set, ctx, d, data, t.model, 0);
            check_model(set, ctx, d, data, t.model, 1);         /* no arc leaves it */
            check_model(set, ctx, d, data, t.model, NODES - 1); /* alone */
        }
        training_free(&t);
        gpr_dataset_free(data);
        free(d->dense);
        free(d);
        gpr_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts)};
    return cmocka_run_group_tests_name("filters_double", tests, NULL, NULL);
}
