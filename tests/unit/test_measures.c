/* graph/structure.c, homophily.c, divergence.c: small graphs by hand, the paper's two example graphs, and random graphs
   against plain loops over a matrix. */
#include <math.h>

#include "failing_memory.h"
#include "graph/components.h"
#include "graph/graph.h"
#include "homophily.h"

#define assert_near(a, b)                                                                                \
    do {                                                                                                 \
        double near_a_ = (a), near_b_ = (b);                                                             \
        if (!(fabs(near_a_ - near_b_) < 1e-9)) fail_msg("%s is %.12g, not %.12g", #a, near_a_, near_b_); \
    } while (0)

/* Both NaN, or near. */
#define assert_like(a, b)                               \
    do {                                                \
        if (!(isnan(a) && isnan(b))) assert_near(a, b); \
    } while (0)

enum { MOST_NODES = 40, MOST_CLASSES = 6 };

/* A graph with labels; edges in a plain matrix. */
typedef struct sample {
    int nodes, classes;
    bool linked[MOST_NODES][MOST_NODES];
    int32_t labels[MOST_NODES];
} sample;

static void join(sample *s, int i, int j) { s->linked[i][j] = s->linked[j][i] = true; }

static void build(gpr_ctx *ctx, gpri_graph *graph, const sample *s) {
    int64_t src[MOST_NODES * MOST_NODES], dst[MOST_NODES * MOST_NODES], edges = 0;
    for (int i = 0; i < s->nodes; i++)
        for (int j = i + 1; j < s->nodes; j++)
            if (s->linked[i][j]) {
                src[edges] = i;
                dst[edges++] = j;
            }
    assert_ok(gpri_graph_build(ctx, graph, s->nodes, edges, src, dst, NULL));
}

/* All measures at once. */
typedef struct measured {
    gpri_degrees degrees;
    int64_t components, largest;
    double node, edge;
    gpri_mixing mixing;
    gpri_divergence divergence;
} measured;

static gpr_status measure_graph(gpr_ctx *ctx, measured *m, const gpri_graph *graph, const sample *s) {
    gpr_status status = GPR_OK;
    m->node = node_homophily(graph, s->labels);
    m->edge = edge_homophily(graph, s->labels);
    TRY(gpri_graph_degrees(ctx, &m->degrees, graph));
    TRY(gpri_components_count(ctx, NULL, &m->components, &m->largest, graph, (gpri_range){0, graph->nodes}));
    TRY(gpri_class_mixing(ctx, &m->mixing, graph, s->labels, s->classes));
    TRY(gpri_class_divergence(ctx, &m->divergence, graph, s->labels, s->classes));
done:
    return status;
}

static measured measure(const sample *s) {
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph;
    measured m;
    build(ctx, &graph, s);
    assert_ok(measure_graph(ctx, &m, &graph, s));
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
    return m;
}

/* ---- by hand ---- */

/* Triangle 0 1 2, path 3 - 4, node 5 alone. Classes 0: {0, 1}, 1: {2, 3, 4}, node 5 without a label. */
static void test_by_hand(void **state) {
    (void)state;
    sample s = {.nodes = 6, .classes = 2, .labels = {0, 0, 1, 1, 1, -1}};
    join(&s, 0, 1);
    join(&s, 1, 2);
    join(&s, 2, 0);
    join(&s, 3, 4);
    measured m = measure(&s);
    assert_int_equal(m.degrees.min, 0);
    assert_int_equal(m.degrees.max, 2);
    assert_near(m.degrees.median, 1.5); /* 0 1 1 2 2 2 */
    assert_near(m.degrees.mean, 8.0 / 6);
    assert_int_equal(m.components, 3);
    assert_int_equal(m.largest, 3);
    assert_near(m.node, (0.5 + 0.5 + 0 + 1 + 1) / 5);
    assert_near(m.edge, 0.5);
    /* arcs: 0 to 0: 2, 0 to 1: 2, 1 to 0: 2, 1 to 1: 2; so each class has 4 of 8 */
    assert_near(m.mixing.class_homophily, fmax(0, 0.5 - 0.4) + fmax(0, 0.5 - 0.6));
    assert_near(m.mixing.adjusted_homophily, 0);
    assert_near(m.mixing.label_informativeness, 0);
    /* profiles (1, 1) and (2/3, 2/3), twice the maximum of 2/3 + t/3 - (2/3)^(1 - t), over log 5 */
    double t = (log((1.0 / 3) / log(1.5)) - log(2.0 / 3)) / log(1.5);
    assert_near(m.divergence.value, 2 * (2.0 / 3 + t / 3 - pow(2.0 / 3, 1 - t)) / log(5));
    assert_int_equal(m.divergence.first, 0);
    assert_int_equal(m.divergence.second, 1);
}

/* Two classes, every edge within (h = 1) or every edge across (h = 0, but still LI = 1). */
static void test_extremes(void **state) {
    (void)state;
    sample within = {.nodes = 4, .classes = 2, .labels = {0, 0, 1, 1}}, across = within;
    join(&within, 0, 1);
    join(&within, 2, 3);
    join(&across, 0, 2);
    join(&across, 1, 3);
    measured m = measure(&within);
    assert_near(m.edge, 1);
    assert_near(m.mixing.class_homophily, 1);
    assert_near(m.mixing.adjusted_homophily, 1);
    assert_near(m.mixing.label_informativeness, 1);
    assert_near(m.divergence.value, 1 / log(4));
    m = measure(&across);
    assert_near(m.node, 0);
    assert_near(m.edge, 0);
    assert_near(m.mixing.class_homophily, 0);
    assert_near(m.mixing.adjusted_homophily, -1);
    assert_near(m.mixing.label_informativeness, 1);
    assert_near(m.divergence.value, 1 / log(4));
}

static void test_nothing_to_measure(void **state) {
    (void)state;
    sample s = {.nodes = 3, .classes = 0, .labels = {-1, -1, -1}};
    measured m = measure(&s); /* no class, no edge */
    assert_int_equal(m.components, 3);
    assert_int_equal(m.largest, 1);
    assert_near(m.degrees.median, 0);
    assert_true(isnan(m.node) && isnan(m.edge) && isnan(m.mixing.class_homophily));
    assert_true(isnan(m.mixing.adjusted_homophily) && isnan(m.mixing.label_informativeness));
    assert_true(isnan(m.divergence.value));
    assert_int_equal(m.divergence.first, -1);
    s.classes = 5;
    for (int i = 0; i < 3; i++) s.labels[i] = 2;
    join(&s, 0, 1);
    m = measure(&s); /* one class that has nodes */
    assert_near(m.edge, 1);
    assert_true(isnan(m.mixing.class_homophily) && isnan(m.mixing.adjusted_homophily));
    assert_true(isnan(m.mixing.label_informativeness) && isnan(m.divergence.value));
    s.labels[2] = 4;
    m = measure(&s); /* a second one, without edges */
    assert_near(m.mixing.class_homophily, 1 - 2.0 / 3);
    assert_true(isnan(m.mixing.adjusted_homophily) && isnan(m.mixing.label_informativeness));
    assert_near(m.divergence.value, 1 / log(3));
    assert_int_equal(m.divergence.first, 2);
    assert_int_equal(m.divergence.second, 4);
}

/* ---- the paper's two graphs (appendix on H(G)): blue 0, green 1, orange 2, purple 3 ---- */

static void test_paper_examples(void **state) {
    (void)state;
    enum { PER_CLASS = 3 };
    sample all = {.nodes = 4 * PER_CLASS, .classes = 4}, pairs;
    for (int i = 0; i < all.nodes; i++) all.labels[i] = i / PER_CLASS;
    pairs = all;
    for (int i = 0; i < all.nodes; i++)
        for (int j = 0; j < all.nodes; j++) {
            if (all.labels[i] < 2 && all.labels[j] >= 2) join(&all, i, j); /* blue, green to all orange, purple */
            if (all.labels[i] < 2 && all.labels[j] == all.labels[i] + 2) join(&pairs, i, j);
        }
    measured first = measure(&all), second = measure(&pairs);
    assert_true(first.node == 0 && second.node == 0);
    assert_true(first.divergence.value == 0); /* blue and green have the same neighbours */
    assert_int_equal(first.divergence.first, 0);
    assert_int_equal(first.divergence.second, 1);
    assert_near(second.divergence.value, PER_CLASS / log(12)); /* profiles with 3 neighbours each, disjoint */
    assert_near(first.mixing.label_informativeness, 0.5);      /* one of two bits */
    assert_near(second.mixing.label_informativeness, 1);
}

/* ---- random graphs against plain loops ---- */

static bool counted(const sample *s, int i, int j) { return s->linked[i][j] && s->labels[i] >= 0 && s->labels[j] >= 0; }

static double naive_ends(const sample *s, int a, int b) {
    double sum = 0;
    for (int i = 0; i < s->nodes; i++)
        for (int j = 0; j < s->nodes; j++) sum += counted(s, i, j) && s->labels[i] == a && s->labels[j] == b;
    return sum;
}

static double naive_size(const sample *s, int c) {
    double sum = 0;
    for (int i = 0; i < s->nodes; i++) sum += s->labels[i] == c;
    return sum;
}

static gpri_mixing naive_mixing(const sample *s) {
    double ends[MOST_CLASSES] = {0}, total = 0, n = 0, chance = 0, h = 0, joint = 0, single = 0, excess = 0;
    int present = 0, linked = 0;
    gpri_mixing m = {NAN, NAN, NAN};
    for (int a = 0; a < s->classes; a++) {
        for (int b = 0; b < s->classes; b++) ends[a] += naive_ends(s, a, b);
        total += ends[a];
        n += naive_size(s, a);
        present += naive_size(s, a) > 0;
        linked += ends[a] > 0;
    }
    for (int a = 0; a < s->classes; a++) {
        if (ends[a] == 0) continue;
        double p = ends[a] / total;
        chance += p * p;
        single -= p * log(p);
        h += naive_ends(s, a, a) / total;
        excess += fmax(0, naive_ends(s, a, a) / ends[a] - naive_size(s, a) / n);
        for (int b = 0; b < s->classes; b++) {
            double q = naive_ends(s, a, b) / total;
            if (q > 0) joint -= q * log(q);
        }
    }
    if (total > 0 && present > 1) m.class_homophily = excess / (present - 1);
    if (linked > 1) m.adjusted_homophily = (h - chance) / (1 - chance);
    if (linked > 1) m.label_informativeness = 2 - joint / single;
    return m;
}

/* n p_k B_k as in Abbe's definition. */
static double naive_profile(const sample *s, int c, int k, double n) {
    double p = naive_size(s, k) / n;
    return naive_size(s, k) > 0 ? n * p * (naive_ends(s, c, k) / (naive_size(s, c) * naive_size(s, k))) : 0;
}

static double naive_at(const double *a, const double *b, int classes, double t) {
    double sum = 0;
    for (int k = 0; k < classes; k++) sum += t * a[k] + (1 - t) * b[k] - pow(a[k], t) * pow(b[k], 1 - t);
    return sum;
}

static double naive_divergence(const sample *s) {
    double n = 0, least = NAN;
    for (int c = 0; c < s->classes; c++) n += naive_size(s, c);
    for (int i = 0; i < s->classes; i++)
        for (int j = i + 1; j < s->classes; j++) {
            if (naive_size(s, i) == 0 || naive_size(s, j) == 0) continue;
            double a[MOST_CLASSES], b[MOST_CLASSES], low = 1e-14, high = 1 - 1e-14;
            for (int k = 0; k < s->classes; k++) {
                a[k] = naive_profile(s, i, k, n);
                b[k] = naive_profile(s, j, k, n);
            }
            for (int step = 0; step < 200; step++) { /* a third at a time: the function is concave */
                double left = low + (high - low) / 3, right = high - (high - low) / 3;
                if (naive_at(a, b, s->classes, left) < naive_at(a, b, s->classes, right)) low = left;
                else high = right;
            }
            double value = naive_at(a, b, s->classes, low) / log(n);
            if (!(value >= least)) least = value;
        }
    return least;
}

static void naive_components(const sample *s, int64_t *count, int64_t *largest) {
    int id[MOST_NODES], size[MOST_NODES] = {0};
    *count = *largest = 0;
    for (int i = 0; i < s->nodes; i++) id[i] = i;
    for (int round = 0; round < s->nodes; round++)
        for (int i = 0; i < s->nodes; i++)
            for (int j = 0; j < s->nodes; j++)
                if (s->linked[i][j] && id[j] < id[i]) id[i] = id[j];
    for (int i = 0; i < s->nodes; i++) {
        if (++size[id[i]] > *largest) *largest = size[id[i]];
        *count += id[i] == i;
    }
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static double naive_median(const sample *s) {
    int degree[MOST_NODES] = {0};
    for (int i = 0; i < s->nodes; i++)
        for (int j = 0; j < s->nodes; j++) degree[i] += s->linked[i][j];
    qsort(degree, (size_t)s->nodes, sizeof *degree, ascending);
    return s->nodes % 2 ? degree[s->nodes / 2] : 0.5 * (degree[s->nodes / 2 - 1] + degree[s->nodes / 2]);
}

static void check_edges(const sample *s) {
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph;
    int64_t matrix[MOST_CLASSES * MOST_CLASSES], sizes[MOST_CLASSES];
    build(ctx, &graph, s);
    gpri_class_edges(matrix, &graph, s->labels, s->classes);
    gpri_class_sizes(sizes, s->labels, s->nodes, s->classes);
    for (int a = 0; a < s->classes; a++) {
        assert_true((double)sizes[a] == naive_size(s, a));
        for (int b = 0; b < s->classes; b++) assert_true((double)matrix[a * s->classes + b] == naive_ends(s, a, b));
    }
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

static void test_random_graphs(void **state) {
    (void)state;
    srand(11);
    for (int trial = 0; trial < 120; trial++) {
        sample s = {.nodes = 1 + rand() % MOST_NODES, .classes = 1 + rand() % MOST_CLASSES};
        for (int i = 0; i < s.nodes; i++) s.labels[i] = rand() % (s.classes + 1) - 1;
        for (int e = rand() % 60; e > 0; e--) {
            int i = rand() % s.nodes, j = rand() % s.nodes;
            if (i != j) join(&s, i, j);
        }
        measured m = measure(&s);
        int64_t components, largest;
        naive_components(&s, &components, &largest);
        assert_int_equal(m.components, components);
        assert_int_equal(m.largest, largest);
        assert_near(m.degrees.median, naive_median(&s));
        gpri_mixing mixing = naive_mixing(&s);
        assert_like(m.mixing.class_homophily, mixing.class_homophily);
        assert_like(m.mixing.adjusted_homophily, mixing.adjusted_homophily);
        assert_like(m.mixing.label_informativeness, mixing.label_informativeness);
        assert_like(m.divergence.value, naive_divergence(&s));
        check_edges(&s);
    }
}

/* Many classes: more than the divergence accepts; the other measures are still fast. */
static void test_many_classes(void **state) {
    (void)state;
    enum { N = 5000, E = 20000 };
    static int64_t src[E], dst[E];
    static int32_t labels[N];
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph;
    gpri_divergence divergence;
    gpri_mixing mixing;
    srand(5);
    for (int e = 0; e < E; e++) {
        src[e] = rand() % N;
        dst[e] = rand() % N;
    }
    assert_ok(gpri_graph_build(ctx, &graph, N, E, src, dst, NULL));
    for (int i = 0; i < N; i++) labels[i] = i % GPRI_DIVERGENCE_CLASSES;
    assert_ok(gpri_class_divergence(ctx, &divergence, &graph, labels, 1000000));
    assert_true(divergence.value > 0);
    for (int i = 0; i < N; i++) labels[i] = i % (GPRI_DIVERGENCE_CLASSES + 1);
    assert_ok(gpri_class_divergence(ctx, &divergence, &graph, labels, 1000000));
    assert_true(isnan(divergence.value));
    labels[0] = 999999;
    assert_ok(gpri_class_mixing(ctx, &mixing, &graph, labels, 1000000));
    assert_true(fabs(mixing.adjusted_homophily) < 0.01);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

static gpr_status measure_once(gpr_ctx *ctx, void *arg) {
    const int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 0};
    measured m;
    gpri_graph graph;
    gpr_status status = gpri_graph_build(ctx, &graph, 3, 3, src, dst, NULL);
    if (status == GPR_OK) status = measure_graph(ctx, &m, &graph, arg);
    gpri_graph_free(ctx, &graph);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    sample s = {.nodes = 3, .classes = 2, .labels = {0, 1, 1}};
    fail_every_allocation(measure_once, &s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_nothing_to_measure),
        cmocka_unit_test(test_paper_examples),
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_many_classes),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
