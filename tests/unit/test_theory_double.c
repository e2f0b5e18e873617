/* The paper's theory, checked with numbers: its Theorem on low-pass and high-pass filters, the Lemma that A~^k H goes
 * to pi beta^T, and the Theorem on over-smoothing, whose gradients come from the program's own layers. In double
 * precision. Where a statement has a condition, a case without it shows that the check can fail. */
#include <math.h>

#include "fixture.h"
#include "some_graphs.h"
#include "spectral/density.h"
#include "spectral/inspection.h"
#include "spectral/lapack.h"

enum {
    PATH,
    RING,
    STAR,
    COMPLETE,
    BIPARTITE,
    RANDOM,
    WEIGHTED,
    CSBM_MINUS,
    CSBM_PLUS,
    CONNECTED,
    TWO_PARTS = CONNECTED
};
enum { COLUMNS = 3, FEATURES = 5, MOST_NODES = 120 };

static double uniform(int layer, int64_t i) {
    return gpri_uniform(gpri_random_of(11, GPRI_RANDOM_TEST, 0, (uint32_t)layer), (uint64_t)i);
}

static gpri_graph random_graph(gpr_ctx *ctx, bool weighted) {
    enum { NODES = 40, EDGES = 110 };
    int64_t src[EDGES], dst[EDGES];
    float weights[EDGES];
    gpri_graph graph;
    for (int e = 0; e < EDGES; e++) { /* a path through all nodes makes it connected */
        src[e] = e < NODES - 1 ? e : (int64_t)(NODES * uniform(1, e));
        dst[e] = e < NODES - 1 ? e + 1 : (int64_t)(NODES * uniform(2, e));
        weights[e] = (float)(0.1 + 3 * uniform(3, e));
    }
    assert_ok(gpri_graph_build(ctx, &graph, NODES, EDGES, src, dst, weighted ? weights : NULL));
    return graph;
}

/* The edges of a cSBM with many neighbours, so that it is connected. */
static gpri_graph csbm_graph(gpr_ctx *ctx, double phi) {
    gpr_csbm_options options;
    gpr_dataset *data;
    edge_maker m = {.nodes = MOST_NODES};
    gpr_csbm_options_init(&options, sizeof options);
    options.nodes = MOST_NODES;
    options.features = 4;
    options.degree = 14;
    options.phi = phi;
    assert_ok(gpr_dataset_csbm(ctx, &data, &options));
    for (int64_t i = 0; i < MOST_NODES; i++)
        for (int64_t at = data->graph.rowptr[i]; at < data->graph.rowptr[i + 1]; at++)
            join(&m, i, data->graph.column[at]);
    gpr_dataset_free(data);
    return graph_of(ctx, m);
}

static gpri_graph graph_number(gpr_ctx *ctx, int number) {
    edge_maker m = {0};
    switch (number) {
    case PATH: return path_graph(ctx, 12);
    case RING: return ring_graph(ctx, 15);
    case STAR: return tree_graph(ctx, 11, 10);
    case COMPLETE: return complete_graph(ctx, 8);
    case BIPARTITE:
        m.nodes = 12;
        for (int a = 0; a < 5; a++)
            for (int b = 5; b < 12; b++) join(&m, a, b);
        return graph_of(ctx, m);
    case RANDOM: return random_graph(ctx, false);
    case WEIGHTED: return random_graph(ctx, true);
    case CSBM_MINUS: return csbm_graph(ctx, -0.7);
    case CSBM_PLUS: return csbm_graph(ctx, 0.7);
    default: /* two rings and a node without edges */
        m.nodes = 17;
        for (int i = 0; i < 9; i++) join(&m, i, (i + 1) % 9);
        for (int i = 0; i < 7; i++) join(&m, 9 + i, 9 + (i + 1) % 7);
        return graph_of(ctx, m);
    }
}

/* A~ (nodes x nodes) by its definition. */
static double *dense_of(const gpri_graph *graph) {
    const int64_t n = graph->nodes;
    double *a = calloc((size_t)(n * n), sizeof *a), degree[MOST_NODES];
    assert_non_null(a);
    for (int64_t i = 0; i < n; i++) {
        degree[i] = 1;
        a[i * n + i] = 1;
        for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++) {
            a[i * n + graph->column[at]] = graph->weight ? (double)graph->weight[at] : 1;
            degree[i] += a[i * n + graph->column[at]];
        }
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) a[i * n + j] /= sqrt(degree[i]) * sqrt(degree[j]);
    return a;
}

/* All eigenvalues of it, the largest first, without a thought of components. values: (MOST_NODES) */
static void eigenvalues_of(gpr_ctx *ctx, const gpri_graph *graph, double *values) {
    double *a = dense_of(graph), ascending[MOST_NODES];
    bool found;
    assert_ok(gpri_symmetric_eigenvalues(ctx, ascending, a, (int)graph->nodes, &found));
    if (!found) skip_because("there is no LAPACK (Debian: liblapack3)");
    for (int64_t i = 0; i < graph->nodes; i++) values[i] = ascending[graph->nodes - 1 - i];
    free(a);
}

/* ---- the Theorem on filters ---- */

/* lambda_1 = 1, all are above -1, and 1 is simple if and only if the graph is connected. */
static void test_eigenvalues(void **state) {
    gpr_ctx *ctx = *state;
    for (int number = 0; number <= TWO_PARTS; number++) {
        gpri_graph graph = graph_number(ctx, number);
        double values[MOST_NODES];
        int ones = 0;
        eigenvalues_of(ctx, &graph, values);
        for (int64_t i = 0; i < graph.nodes; i++) ones += fabs(values[i] - 1) < 1e-12;
        if (!(fabs(values[0] - 1) < 1e-12 && values[graph.nodes - 1] > -1 + 1e-6))
            fail_msg("graph %d: %.17g to %.17g", number, values[0], values[graph.nodes - 1]);
        assert_int_equal(ones, number == TWO_PARTS ? 3 : 1);
        gpri_graph_free(ctx, &graph);
    }
}

static gpr_filter_kind kind_of(const double *gamma, int64_t count, const double *values, int64_t nodes) {
    double damped;
    return gpri_filter_kind_of(&(gpri_curve){NULL, gamma, count}, values + 1, NULL, nodes - 1, &damped);
}

static void check_low_pass(const double *values, int64_t nodes, int number) {
    enum { WEIGHTS = 11, DRAWS = 30 };
    double gamma[WEIGHTS];
    for (int draw = 0; draw < DRAWS; draw++) {
        double sum = 0;
        for (int k = 0; k < WEIGHTS; k++) { /* also PPR, a single hop as in SGC, and even hops alone */
            gamma[k] = draw == 0   ? pow(0.9, k)
                       : draw == 1 ? k == WEIGHTS - 1
                       : draw == 2 ? k % 2 == 0
                                   : uniform(4, draw * WEIGHTS + k) * (uniform(5, draw * WEIGHTS + k) < 0.6);
            sum += gamma[k];
        }
        if (draw == 3) gamma[1] = sum += 1; /* nearly all of it at one hop */
        for (int k = 0; k < WEIGHTS; k++) gamma[k] /= sum;
        if (kind_of(gamma, WEIGHTS, values, nodes) != GPR_FILTER_LOW_PASS)
            fail_msg("graph %d: weights %d are not low-pass", number, draw);
        gamma[3] -= 3; /* a weight below 0 is enough to end it: now g(1) = -2 or so, and g(0) may be anything */
        gamma[0] += 4;
        if (kind_of(gamma, WEIGHTS, values, nodes) == GPR_FILTER_LOW_PASS)
            fail_msg("graph %d: weights %d with one below 0 are still low-pass", number, draw);
    }
    const double only_first[] = {1, 0, 0}; /* no hop at all: every ratio is 1 */
    assert_int_equal(kind_of(only_first, 3, values, nodes), GPR_FILTER_NEITHER);
}

static void check_high_pass(const double *values, int64_t nodes, int number) {
    enum { WEIGHTS = 401 };
    double gamma[WEIGHTS];
    for (double alpha = 0.1; alpha < 1; alpha += 0.2) {
        for (int k = 0; k < WEIGHTS; k++) gamma[k] = pow(-alpha, k);
        if (kind_of(gamma, WEIGHTS, values, nodes) != GPR_FILTER_HIGH_PASS)
            fail_msg("graph %d: alpha %g is not high-pass", number, alpha);
        for (int64_t i = 1; i < nodes; i++) { /* the limit of the proof */
            const gpri_curve g = {NULL, gamma, WEIGHTS};
            const double ratio = gpri_response(&g, values[i]) / gpri_response(&g, 1);
            assert_true(fabs(ratio - (1 + alpha) / (1 + alpha * values[i])) < 1e-9);
        }
        for (int k = 1; k < WEIGHTS; k += 2) gamma[k] = -gamma[k]; /* the other sign: low-pass */
        assert_int_equal(kind_of(gamma, WEIGHTS, values, nodes), GPR_FILTER_LOW_PASS);
    }
}

static void test_filters(void **state) {
    gpr_ctx *ctx = *state;
    for (int number = 0; number < CONNECTED; number++) {
        gpri_graph graph = graph_number(ctx, number);
        double values[MOST_NODES];
        eigenvalues_of(ctx, &graph, values);
        check_low_pass(values, graph.nodes, number);
        check_high_pass(values, graph.nodes, number);
        gpri_graph_free(ctx, &graph);
    }
}

/* Without the conditions: a K that is not large, and a graph that is not connected. */
static void test_filters_need_conditions(void **state) {
    gpr_ctx *ctx = *state;
    const double few[] = {1, -0.9, 0.81}, ppr[] = {0.5, 0.25, 0.125, 0.125};
    double values[MOST_NODES];
    gpri_graph star = graph_number(ctx, STAR), parts = graph_number(ctx, TWO_PARTS);
    eigenvalues_of(ctx, &star, values); /* 1/2 is one of them, nine times */
    assert_int_equal(kind_of(few, 3, values, star.nodes), GPR_FILTER_NEITHER);
    eigenvalues_of(ctx, &parts, values);
    values[1] = values[2] = 1; /* without rounding */
    assert_int_equal(kind_of(ppr, 4, values, parts.nodes), GPR_FILTER_NEITHER);
    gpri_graph_free(ctx, &star);
    gpri_graph_free(ctx, &parts);
}

/* ---- the Lemma on the limit ---- */

/* limit: (nodes x COLUMNS) pi beta^T by the paper's formulas, of the whole graph. */
static void whole_limit(const gpri_graph *graph, double *limit, const double *h, int64_t columns) {
    double pi[MOST_NODES], total = 0;
    for (int64_t i = 0; i < graph->nodes; i++) {
        double degree = 1;
        for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++)
            degree += graph->weight ? (double)graph->weight[at] : 1;
        pi[i] = sqrt(degree);
        total += degree;
    }
    for (int64_t c = 0; c < columns; c++) {
        double beta = 0;
        for (int64_t i = 0; i < graph->nodes; i++) beta += pi[i] / sqrt(total) * h[i * columns + c];
        for (int64_t i = 0; i < graph->nodes; i++) limit[i * columns + c] = pi[i] / sqrt(total) * beta;
    }
}

static double distance(const double *a, const double *b, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* The largest |lambda_i| beside lambda_1. */
static double rate_of(const double *values, int64_t nodes) { return fmax(fabs(values[1]), fabs(values[nodes - 1])); }

/* |A~^k H - pi beta^T| <= rate^k |H - pi beta^T|, and in the end one step shrinks it by the rate. */
static void check_limit(gpr_ctx *ctx, int number) {
    enum { NUMBERS = MOST_NODES * COLUMNS };
    gpri_graph graph = graph_number(ctx, number);
    gpri_exact smoother;
    double values[MOST_NODES], h[NUMBERS], next[NUMBERS], limit[NUMBERS];
    const int64_t count = graph.nodes * COLUMNS;
    eigenvalues_of(ctx, &graph, values);
    const double rate = rate_of(values, graph.nodes);
    for (int64_t i = 0; i < count; i++) h[i] = 2 * uniform(6, i) - 1;
    whole_limit(&graph, limit, h, COLUMNS);
    assert_ok(gpri_exact_new(ctx, &smoother, &graph));
    const double first = distance(h, limit, count);
    double before = first, bound = first, low_bound = first;
    int k = 0;
    while (before > 1e-9 * first) {
        gpri_exact_step(&smoother, next, h, COLUMNS);
        memcpy(h, next, sizeof h);
        const double now = distance(h, limit, count);
        bound *= rate;
        low_bound *= 0.8 * rate; /* a rate that is too small must not do */
        if (!(now <= bound * (1 + 1e-9) + 1e-14)) fail_msg("graph %d, k %d: %g above %g", number, k, now, bound);
        if (now < 1e-9 * first && rate > 1e-6 && !(fabs(now / before - rate) < 0.02 * rate))
            fail_msg("graph %d, k %d: a step shrinks by %g, not %g", number, k, now / before, rate);
        before = now;
        if (++k > 100000) fail_msg("graph %d does not converge", number);
    }
    if (rate > 1e-6) assert_true(before > low_bound);
    gpri_exact_free(&smoother);
    gpri_graph_free(ctx, &graph);
}

static void test_limit(void **state) {
    for (int number = 0; number < CONNECTED; number++) check_limit(*state, number);
}

/* Where the graph is not connected, each part has its own pi beta^T. */
static void test_limit_of_parts(void **state) {
    gpr_ctx *ctx = *state;
    gpri_graph graph = graph_number(ctx, TWO_PARTS);
    gpri_components components;
    gpri_exact smoother;
    double h[17], next[17], wrong[17], right[17];
    for (int i = 0; i < 17; i++) h[i] = 2 * uniform(7, i) - 1;
    assert_ok(gpri_components_find(ctx, &components, &graph));
    assert_ok(gpri_exact_new(ctx, &smoother, &graph));
    assert_int_equal(components.count, 3);
    whole_limit(&graph, wrong, h, 1);
    gpri_exact_limit(&smoother, &components, right, h, 1);
    for (int k = 0; k < 2000; k++) {
        gpri_exact_step(&smoother, next, h, 1);
        memcpy(h, next, sizeof h);
    }
    assert_true(distance(h, right, 17) < 1e-12);
    assert_true(distance(h, wrong, 17) > 0.1);
    gpri_exact_free(&smoother);
    gpri_components_free(ctx, &components);
    gpri_graph_free(ctx, &graph);
}

/* ---- the Theorem on over-smoothing ---- */

/* GPR-GNN on one of the graphs, with initial weights and given gamma: Z, H, and dL/dgamma of its own layers. */
enum { HOPS = 300 };

typedef struct {
    gpri_graph graph;
    int64_t train; /* training nodes: two of three */
    int32_t labels[MOST_NODES];
    uint8_t part[MOST_NODES];
    double h[MOST_NODES * COLUMNS], z[MOST_NODES * COLUMNS], limit[MOST_NODES * COLUMNS];
    double beta[COLUMNS], pi[MOST_NODES];
    double gradient[HOPS + 1];
} smoothed;

static void copy_rows(double *to, gpri_matrix from) {
    for (int64_t i = 0; i < from.rows; i++)
        for (int64_t c = 0; c < COLUMNS; c++) to[i * COLUMNS + c] = (double)from.at[i * from.ld + c];
}

static void run_layers(gpr_ctx *ctx, smoothed *s, const double *gamma) {
    static const char *const options[] = {"hidden", "6", "K", "300", "dropout", "0", "dprate", "0", NULL};
    static float x[MOST_NODES * FEATURES], weights[4 * MOST_NODES * MOST_NODES];
    static int64_t src[4 * MOST_NODES * MOST_NODES];
    const gpri_graph *graph = &s->graph;
    int64_t *dst = malloc((size_t)(graph->arcs + 1) * sizeof *dst);
    gpri_weight *weight;
    fixture f;
    assert_non_null(dst);
    for (int64_t i = 0; i < graph->nodes; i++)
        for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++) {
            src[at] = i;
            dst[at] = graph->column[at];
            weights[at] = graph->weight ? graph->weight[at] : 1;
        }
    s->train = 0;
    for (int64_t i = 0; i < graph->nodes; i++) {
        s->labels[i] = (int32_t)(i % COLUMNS);
        s->part[i] = i % 4 == 3 ? GPR_VAL : GPR_TRAIN; /* all classes are among the training nodes */
        s->train += s->part[i] == GPR_TRAIN;
        for (int j = 0; j < FEATURES; j++) x[i * FEATURES + j] = (float)(4 * uniform(8, i * FEATURES + j) - 2);
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .nodes = graph->nodes,
                             .edges = graph->arcs,
                             .src = src,
                             .dst = dst,
                             .weights = graph->weight ? weights : NULL,
                             .features = FEATURES,
                             .dense = x,
                             .labels = s->labels,
                             .classes = COLUMNS};
    fixture_new(&f, ctx, &desc, s->part, 7, options);
    gpri_net *net = f.trainer->net;
    const gpri_act *h = gpri_filter_input(net, &weight);
    gpri_weight_put_doubles(net, weight, gamma);
    gpri_net_forward(net, GPRI_BOTH_STREAMS);
    copy_rows(s->z, gpri_net_output(net, GPRI_TRAIN_STREAM));
    copy_rows(s->h, (gpri_matrix){h->train, graph->nodes, h->cols, h->width, h->ld});
    gpri_trainer_loss(f.trainer);
    gpri_trainer_backward(f.trainer);
    for (int k = 0; k <= HOPS; k++) s->gradient[k] = (double)weight->gradient[k];
    whole_limit(graph, s->limit, s->h, COLUMNS);
    fixture_free(&f);
    free(dst);
}

static void probabilities(double *p, const double *z) {
    double most = z[0], sum = 0;
    for (int c = 1; c < COLUMNS; c++) most = fmax(most, z[c]);
    for (int c = 0; c < COLUMNS; c++) sum += p[c] = exp(z[c] - most);
    for (int c = 0; c < COLUMNS; c++) p[c] /= sum;
}

/* sum_i pi_i <P_i - Y_i, beta>, over training nodes and divided by their number, as the program's loss is their mean.
   pi_i beta is row i of the limit. Scores of the program are the paper's times eta. */
static double lemma(const smoothed *s) {
    double sum = 0, p[COLUMNS];
    for (int64_t i = 0; i < s->graph.nodes; i++) {
        if (s->part[i] != GPR_TRAIN) continue;
        probabilities(p, s->z + i * COLUMNS);
        for (int c = 0; c < COLUMNS; c++) sum += (p[c] - (c == s->labels[i])) * s->limit[i * COLUMNS + c];
    }
    return sum / (double)s->train;
}

/* The Lemma for k large: the gradient is off by at most sqrt(2 / T) |R_k|, as |P_i - Y_i|^2 <= 2. */
static void test_gradient(void **state) {
    gpr_ctx *ctx = *state;
    for (int number = 0; number < CONNECTED; number++) {
        smoothed s = {.graph = graph_number(ctx, number)};
        double gamma[HOPS + 1], values[MOST_NODES];
        for (int k = 0; k <= HOPS; k++) gamma[k] = 2 * uniform(9, k) - 1;
        eigenvalues_of(ctx, &s.graph, values);
        run_layers(ctx, &s, gamma);
        const double rate = rate_of(values, s.graph.nodes), formula = lemma(&s);
        const double first = distance(s.h, s.limit, s.graph.nodes * COLUMNS);
        assert_true(fabs(formula) > 1e-4); /* else the wrong sign would pass */
        for (int k = 0; k <= HOPS; k++) {
            const double bound = sqrt(2 / (double)s.train) * pow(rate, k) * first + 1e-13;
            if (!(fabs(s.gradient[k] - formula) <= bound))
                fail_msg("graph %d, k %d: %.12g, not %.12g +- %g", number, k, s.gradient[k], formula, bound);
        }
        if (!(fabs(s.gradient[HOPS] + formula) > fabs(formula))) fail_msg("graph %d: the sign is open", number);
        assert_true(fabs(s.gradient[0] - formula) > 1e-3 * fabs(formula)); /* k = 0 is not large */
        gpri_graph_free(ctx, &s.graph);
    }
}

/* Over-smoothing: all weight is at the last hop, and eta is large. Then the gradient of every large k has the sign of
   that weight, and the value of the Theorem. */
static void test_signs(void **state) {
    gpr_ctx *ctx = *state;
    const double eta = 1e6;
    for (int number = 0; number < CONNECTED; number++)
        for (int sign = -1; sign <= 1; sign += 2) {
            smoothed s = {.graph = graph_number(ctx, number)};
            double gamma[HOPS + 1] = {0}, values[MOST_NODES], want = 0;
            gamma[HOPS] = sign * eta;
            eigenvalues_of(ctx, &s.graph, values);
            run_layers(ctx, &s, gamma);
            for (int64_t i = 0; i < s.graph.nodes; i++) { /* pi_i (max_j beta_j - beta_y), or min */
                const double *row = s.limit + i * COLUMNS;
                double end = row[0];
                for (int c = 1; c < COLUMNS; c++) end = sign > 0 ? fmax(end, row[c]) : fmin(end, row[c]);
                if (s.part[i] == GPR_TRAIN) want += (end - row[s.labels[i]]) / (double)s.train;
            }
            assert_true(sign * want > 1e-3);
            const double rate = rate_of(values, s.graph.nodes), first = distance(s.h, s.limit, s.graph.nodes * COLUMNS);
            if (pow(rate, HOPS) * first > 1e-3) fail_msg("graph %d mixes too slowly: %g", number, rate);
            for (int k = HOPS / 2; k <= HOPS; k++) {
                const double bound = sqrt(2 / (double)s.train) * pow(rate, k) * first + 1e-9;
                if (!(sign * s.gradient[k] > 0))
                    fail_msg("graph %d, k %d: %g has the wrong sign", number, k, s.gradient[k]);
                if (!(fabs(s.gradient[k] - want) <= bound))
                    fail_msg("graph %d, k %d: %.12g, not %.12g", number, k, s.gradient[k], want);
            }
            gpri_graph_free(ctx, &s.graph);
        }
}

/* Without over-smoothing the signs may differ: scores that lean against what the hops say. */
static void test_signs_need_condition(void **state) {
    gpr_ctx *ctx = *state;
    smoothed s = {.graph = graph_number(ctx, RANDOM)};
    double gamma[HOPS + 1] = {0};
    gamma[HOPS] = 1e6;
    run_layers(ctx, &s, gamma);
    const double smooth = s.gradient[HOPS];
    gamma[0] = -1e8; /* hop 0 dominates, and its scores are those of the other sign */
    gamma[HOPS] = 1e-3;
    run_layers(ctx, &s, gamma);
    assert_true(smooth > 0);
    assert_true(s.gradient[HOPS] < 0);
    gpri_graph_free(ctx, &s.graph);
}

/* Parts that are not connected: the Lemma holds with the limit of each part, not with one pi and beta for all. */
static void test_gradient_of_parts(void **state) {
    gpr_ctx *ctx = *state;
    smoothed s = {.graph = graph_number(ctx, TWO_PARTS)};
    gpri_components components;
    gpri_exact smoother;
    double gamma[HOPS + 1];
    for (int k = 0; k <= HOPS; k++) gamma[k] = 2 * uniform(9, k) - 1;
    run_layers(ctx, &s, gamma);
    assert_true(fabs(s.gradient[HOPS] - lemma(&s)) > 1e-3);
    assert_ok(gpri_components_find(ctx, &components, &s.graph));
    assert_ok(gpri_exact_new(ctx, &smoother, &s.graph));
    gpri_exact_limit(&smoother, &components, s.limit, s.h, COLUMNS);
    assert_true(fabs(s.gradient[HOPS] - lemma(&s)) < 1e-5);
    gpri_exact_free(&smoother);
    gpri_components_free(ctx, &components);
    gpri_graph_free(ctx, &s.graph);
}

static int set_up(void **state) {
    *state = new_ctx(1);
    return 0;
}

static int tear_down(void **state) {
    gpr_ctx_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigenvalues),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_filters_need_conditions),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_limit_of_parts),
        cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_signs_need_condition),
        cmocka_unit_test(test_gradient_of_parts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
