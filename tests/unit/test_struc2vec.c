/* embed/degree_rings.c, similarity.c, layer_walk.c, skipgram.c, struc2vec.c: each part by hand or against plain loops,
   and nodes that are alike by symmetry. */
#include <math.h>

#include "embed/struc2vec.h"
#include "failing_memory.h"
#include "some_graphs.h"

static double uniform(int layer, uint64_t i) {
    return gpri_uniform(gpri_random_of(0, GPRI_RANDOM_TEST, 0, (uint32_t)layer), i);
}

static void assert_near(double a, double b) {
    if (!(fabs(a - b) <= 1e-5 * (1 + fabs(b)))) fail_msg("%.9g, not %.9g", a, b);
}

/* ---- Rings ---------------------------------------------------------------------------------------- */

static void assert_ring(const gpri_degree_tally *ring, int32_t length, int32_t want_length,
                        const gpri_degree_tally *want) {
    assert_int_equal(length, want_length);
    for (int32_t i = 0; i < length; i++)
        assert_true(ring[i].degree == want[i].degree && ring[i].count == want[i].count);
}

/* A star of 5 leaves, one of which has two more nodes in a row; and a node alone. Degrees count one more. */
static void test_rings(void **state) {
    (void)state;
    enum { RINGS = 6 };
    gpr_ctx *ctx = new_ctx(1);
    edge_maker m = {.nodes = 9};
    for (int64_t i = 1; i <= 5; i++) join(&m, 0, i);
    join(&m, 5, 6), join(&m, 6, 7);
    gpri_graph graph = graph_of(ctx, m);
    gpri_degree_classes classes;
    gpri_degree_ring_search search;
    assert_ok(gpri_degree_classes_new(ctx, &classes, &graph));
    assert_int_equal(classes.count, 4);
    assert_ok(gpri_degree_ring_search_new(ctx, &search, &graph, &classes));
    gpri_degree_tally t[RINGS * 4];
    int32_t lengths[RINGS];
    for (int again = 0; again < 2; again++) {
        gpri_degree_rings_around(&search, t, lengths, 0, RINGS);
        assert_ring(t, lengths[0], 1, (gpri_degree_tally[]){{6, 1}});
        assert_ring(t + 4, lengths[1], 2, (gpri_degree_tally[]){{2, 4}, {3, 1}});
        assert_ring(t + 8, lengths[2], 1, (gpri_degree_tally[]){{3, 1}});
        assert_ring(t + 12, lengths[3], 1, (gpri_degree_tally[]){{2, 1}});
        assert_true(lengths[4] == 0 && lengths[5] == 0);
        gpri_degree_rings_around(&search, t, lengths, 7, RINGS);
        assert_ring(t + 12, lengths[3], 1, (gpri_degree_tally[]){{6, 1}});
        assert_ring(t + 16, lengths[4], 1, (gpri_degree_tally[]){{2, 4}});
        assert_int_equal(lengths[5], 0);
        gpri_degree_rings_around(&search, t, lengths, 8, 2);
        assert_ring(t, lengths[0], 1, (gpri_degree_tally[]){{1, 1}});
        assert_int_equal(lengths[1], 0);
    }
    gpri_degree_ring_search_free(ctx, &search);
    gpri_degree_classes_free(ctx, &classes);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

/* Stars of 1, 2, ..., 40 leaves: degrees below 16 are apart, above they share classes of 1/16. */
static void test_classes(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    edge_maker m = {0};
    int64_t centre[41];
    for (int64_t leaves = 1; leaves <= 40; leaves++) {
        centre[leaves] = m.nodes++;
        for (int64_t i = 0; i < leaves; i++) join(&m, centre[leaves], m.nodes++);
    }
    gpri_graph graph = graph_of(ctx, m);
    gpri_degree_classes classes;
    assert_ok(gpri_degree_classes_new(ctx, &classes, &graph));
    int32_t before = classes.of[centre[1]];
    int64_t first = 2;
    assert_int_equal(before, 0);
    for (int64_t leaves = 2; leaves <= 40; leaves++) {
        int32_t class = classes.of[centre[leaves]];
        bool begins = 16 * (leaves + 1) > 17 * first;
        assert_int_equal(class, before + begins);
        if (begins) first = leaves + 1;
        assert_true(classes.degree[class] >= (float)first && classes.degree[class] <= 1.0625F * (float)first);
        if (leaves < 16) assert_true(begins);
        if (leaves < 15) assert_true(classes.degree[class] == (float)(leaves + 1));
        before = class;
    }
    assert_int_equal(classes.count, before + 1);
    assert_true(classes.count < 40);
    gpri_degree_classes_free(ctx, &classes);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

/* ---- Distances of rings --------------------------------------------------------------------------- */

enum { MOST = 12 };

static double cost(double a, double b) { return fmax(a, b) / fmin(a, b) - 1; }

/* The least cost from cell (i, j) of two sequences of degrees to the end, by the definition. */
static double warp(const double *a, int na, const double *b, int nb) {
    static double table[MOST * MOST][MOST * MOST];
    for (int i = na - 1; i >= 0; i--)
        for (int j = nb - 1; j >= 0; j--) {
            double rest = i + 1 < na || j + 1 < nb ? INFINITY : 0;
            if (i + 1 < na) rest = fmin(rest, table[i + 1][j]);
            if (j + 1 < nb) rest = fmin(rest, table[i][j + 1]);
            if (i + 1 < na && j + 1 < nb) rest = fmin(rest, table[i + 1][j + 1]);
            table[i][j] = cost(a[i], b[j]) + rest;
        }
    return table[0][0];
}

static double warp_tallies(const gpri_degree_tally *a, int na, const gpri_degree_tally *b, int nb) {
    double x[MOST * MOST], y[MOST * MOST];
    int nx = 0, ny = 0;
    for (int i = 0; i < na; i++)
        for (float c = 0; c < a[i].count; c++) x[nx++] = a[i].degree;
    for (int i = 0; i < nb; i++)
        for (float c = 0; c < b[i].count; c++) y[ny++] = b[i].degree;
    return warp(x, nx, y, ny);
}

static void test_distance_by_hand(void **state) {
    (void)state;
    float row[4];
    const gpri_degree_tally a[] = {{1, 1}, {4, 1}, {6, 1}}, b[] = {{2, 1}, {4, 1}}, many[] = {{2, 5}}, few[] = {{3, 2}};
    const gpri_degree_tally c[] = {{2, 3}, {8, 1}}, d[] = {{2, 2}, {4, 4}, {8, 1}};
    assert_near(gpri_degree_ring_distance(a, 1, b, 1, row), 1);        /* 2 / 1 - 1 */
    assert_near(gpri_degree_ring_distance(many, 1, few, 1, row), 2.5); /* 5 (3 / 2 - 1) */
    assert_near(gpri_degree_ring_distance(a, 2, b, 1, row), 2);        /* 1 and 2, 4 and 2 */
    assert_near(gpri_degree_ring_distance(a, 2, b, 2, row), 1);        /* 1 and 2, 4 and 4 */
    assert_near(gpri_degree_ring_distance(a, 3, b, 2, row), 1.5);      /* and 6 and 4 */
    assert_near(gpri_degree_ring_distance(c, 2, d, 3, row), 4);        /* 4 and 2, or 4 and 8: both 4 */
    assert_near(gpri_degree_ring_distance(c, 2, d, 2, row), 4);        /* 2 and 2, 8 and 4 */
    assert_true(gpri_degree_ring_distance(d, 3, d, 3, row) == 0);
}

/* Short of counts the tallies are the sequences themselves, and so is a ring of one degree; else a tally that is used
   twice counts twice, and the distance is not below that of the sequences. */
static void test_distance_random(void **state) {
    (void)state;
    float row[MOST];
    double larger = 0;
    for (uint64_t trial = 0; trial < 300; trial++) {
        gpri_degree_tally ring[2][MOST], once[2][MOST];
        int length[2];
        for (int s = 0; s < 2; s++) {
            uint64_t at = trial * 100 + (uint64_t)s * 50;
            float degree = 1;
            length[s] = 1 + (int)(uniform(0, at) * (MOST - 1));
            for (int i = 0; i < length[s]; i++) {
                degree += 1 + floorf((float)uniform(1, at + (uint64_t)i) * 4);
                ring[s][i] = (gpri_degree_tally){degree, 1 + floorf((float)uniform(2, at + (uint64_t)i) * 9)};
                once[s][i] = (gpri_degree_tally){degree, 1};
            }
        }
        float found = gpri_degree_ring_distance(ring[0], length[0], ring[1], length[1], row);
        assert_true(found == gpri_degree_ring_distance(ring[1], length[1], ring[0], length[0], row));
        double plain = warp_tallies(ring[0], length[0], ring[1], length[1]);
        assert_true(found >= plain * (1 - 1e-5));
        larger += found > plain * (1 + 1e-5);
        assert_near(gpri_degree_ring_distance(once[0], length[0], once[1], length[1], row),
                    warp_tallies(once[0], length[0], once[1], length[1]));
        assert_near(gpri_degree_ring_distance(ring[0], 1, ring[1], 1, row), warp_tallies(ring[0], 1, ring[1], 1));
        assert_true(gpri_degree_ring_distance(ring[0], length[0], ring[0], length[0], row) == 0);
    }
    assert_true(larger > 100);
}

/* ---- Layers --------------------------------------------------------------------------------------- */

/* 700 nodes in random trees of all sizes, with some edges across, and some nodes alone. */
static gpri_graph some_graph(gpr_ctx *ctx) {
    edge_maker m = {.nodes = 700};
    for (int64_t i = 1; i < 680; i++)
        if (i % 50) join(&m, i, i - 1 - (int64_t)(uniform(3, (uint64_t)i) * (double)(i % 50)));
    for (uint64_t i = 0; i < 200; i++)
        join(&m, (int64_t)(uniform(4, i) * uniform(5, i) * 680), (int64_t)(uniform(6, i) * 680));
    return graph_of(ctx, m);
}

static int64_t degree_of(const gpri_graph *graph, int64_t i) { return graph->rowptr[i + 1] - graph->rowptr[i]; }

/* Every distance, also those across the ends of stretches, from rings that are searched again. */
static void test_layers(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpri_graph graph = some_graph(ctx);
    gpri_similarity similarity;
    gpri_degree_classes classes;
    gpri_degree_ring_search search;
    assert_ok(gpri_similarity_new(ctx, &similarity, &graph, 1e10));
    assert_ok(gpri_degree_classes_new(ctx, &classes, &graph));
    assert_ok(gpri_degree_ring_search_new(ctx, &search, &graph, &classes));
    assert_int_equal(similarity.band, 10);
    assert_int_equal(similarity.layers, 6);
    gpri_degree_tally *tallies;
    int32_t *lengths;
    float *row;
    const int64_t size = 6 * classes.count;
    assert_ok(gpri_alloc(ctx, &tallies, graph.nodes * size, sizeof *tallies, "test"));
    assert_ok(gpri_alloc(ctx, &lengths, graph.nodes * 6, sizeof *lengths, "test"));
    assert_ok(gpri_alloc(ctx, &row, classes.count, sizeof *row, "test"));
    for (int32_t i = 0; i < graph.nodes; i++)
        gpri_degree_rings_around(&search, tallies + i * size, lengths + (int64_t)i * 6, i, 6);
    int64_t none = 0, zero = 0;
    double ranks = 0;
    for (int64_t p = 0; p < graph.nodes; p++) {
        int64_t u = similarity.order[p];
        if (p > 0) assert_true(degree_of(&graph, similarity.order[p - 1]) <= degree_of(&graph, u));
        if (p > 0) assert_true(similarity.rank[p - 1] <= similarity.rank[p]);
        ranks += similarity.rank[p];
        for (int64_t j = 0; j < similarity.band; j++) {
            int64_t v = p + 1 + j < graph.nodes ? similarity.order[p + 1 + j] : -1;
            float sum = v < 0 ? INFINITY : 0;
            for (int k = 0; k < 6; k++) {
                int32_t a = lengths[u * 6 + k], b = v < 0 ? 0 : lengths[v * 6 + k];
                if (a == 0 || b == 0) sum = INFINITY;
                else
                    sum += gpri_degree_ring_distance(tallies + u * size + k * classes.count, a,
                                                     tallies + v * size + k * classes.count, b, row);
                float found = similarity.distance[(p * 6 + k) * similarity.band + j];
                assert_true(found == sum);
                none += isinf(found) != 0;
                zero += found == 0;
            }
        }
    }
    assert_true(ranks == 700 * 699 / 2 && similarity.rank[0] == 0.5 * (double)(graph.isolated - 1));
    assert_true(none > 700 && zero > 700 && none + zero < 20000);
    gpri_free(ctx, tallies);
    gpri_free(ctx, lengths);
    gpri_free(ctx, row);
    gpri_degree_ring_search_free(ctx, &search);
    gpri_degree_classes_free(ctx, &classes);
    gpri_similarity_free(ctx, &similarity);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

/* Less work, fewer layers, but never fewer than two; the same distances in those that remain. */
static void test_work(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph = some_graph(ctx);
    gpri_similarity all;
    int seen = 1, before = 6;
    assert_ok(gpri_similarity_new(ctx, &all, &graph, 1e10));
    for (double work = 1e7; work > 1e3; work /= 2) {
        gpri_similarity similarity;
        assert_ok(gpri_similarity_new(ctx, &similarity, &graph, work));
        assert_true(similarity.layers <= before && similarity.layers >= 2);
        seen += similarity.layers < before;
        before = similarity.layers;
        for (int64_t p = 0; p < graph.nodes; p += 97)
            assert_memory_equal(similarity.distance + p * similarity.layers * similarity.band,
                                all.distance + p * 6 * all.band,
                                (size_t)(similarity.layers * similarity.band) * sizeof(float));
        gpri_similarity_free(ctx, &similarity);
    }
    assert_int_equal(before, 2);
    assert_true(seen > 3);
    gpri_similarity_free(ctx, &all);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

/* ---- Walks ---------------------------------------------------------------------------------------- */

/* Three layers of four places in a row, place 3 in the lowest only. Weights 1, 1/3, 1/2; 1, 1; e^-1000, e^-1001. */
static void test_chances(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    float distance[] = {0, 0, 1000, logf(3), 0, 1001, logf(2), INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    const gpri_similarity similarity = {.nodes = 4, .band = 1, .layers = 3, .distance = distance};
    const float share[4][3][2] = {{{0, 1}, {0, 1}, {0, 1}},
                                  {{0.75F, 1}, {0.5F, 1}, {(float)(1 / (1 + exp(-1))), 1}},
                                  {{0.4F, 1}, {1, 1}, {1, 1}},
                                  {{1, 1}}};
    /* edges above the mean: in layer 0, of 11/18, the first; in layer 1 none */
    const float up[4][3] = {{1, 0.5F, 0}, {1, 0.5F, 0}, {1, 0.5F, 0}, {0, 0, 0}};
    gpri_layer_walker walker;
    assert_ok(gpri_layer_walker_new(ctx, &walker, &similarity));
    for (int p = 0; p < 4; p++)
        for (int k = 0; k < (p == 3 ? 1 : 3); k++) {
            for (int i = 0; i < 2; i++) assert_near(walker.share[(p * 3 + k) * 2 + i], share[p][k][i]);
            assert_near(walker.up[p * 3 + k], up[p][k]);
        }
    gpri_layer_walker_free(ctx, &walker);
    /* layer 1 again with weights 1 and e^-1, and a layer above it: now place 0 and 1 have an edge above the mean */
    distance[4] = 1;
    assert_ok(gpri_layer_walker_new(ctx, &walker, &similarity));
    double weight = log(exp(1) + 1);
    assert_near(walker.up[0 * 3 + 1], weight / (weight + 1));
    assert_near(walker.up[1 * 3 + 1], weight / (weight + 1));
    assert_near(walker.up[2 * 3 + 1], 0.5);
    gpri_layer_walker_free(ctx, &walker);
    gpr_ctx_free(ctx);
}

/* A walk from every place; steps as often as their chances are, in one layer and between two. */
static void test_walks(void **state) {
    (void)state;
    enum { LENGTH = 5000 };
    gpr_ctx *ctx = new_ctx(2);
    float distance[] = {0, logf(3), INFINITY};
    gpri_similarity similarity = {.nodes = 3, .band = 1, .layers = 1, .distance = distance};
    gpri_layer_walker walker;
    int32_t walks[3 * LENGTH], other[3 * LENGTH];
    assert_ok(gpri_layer_walker_new(ctx, &walker, &similarity));
    gpri_walk_round(ctx, &walker, walks, LENGTH, 0);
    gpri_walk_round(ctx, &walker, other, LENGTH, 1);
    assert_memory_not_equal(walks, other, sizeof walks);
    double steps = 0, down = 0, started = 0;
    for (int w = 0; w < 3; w++) {
        started += pow(10, walks[(size_t)w * LENGTH]);
        for (int s = 1; s < LENGTH; s++) {
            int from = walks[w * LENGTH + s - 1], to = walks[w * LENGTH + s];
            assert_int_equal(abs(from - to), 1);
            if (from == 1) steps++, down += to == 0;
        }
    }
    assert_true(started == 111);
    assert_true(steps > 7000 && fabs(down / steps - 0.75) < 0.02);
    gpri_layer_walker_free(ctx, &walker);
    /* place 1: with layer 0 only to place 0, with layer 1 only to place 2, and half of the time in each: from layer 0
       every change is up, from layer 1 every one is down */
    float two[] = {0, 50, 50, 0, INFINITY, INFINITY};
    similarity = (gpri_similarity){.nodes = 3, .band = 1, .layers = 2, .distance = two};
    assert_ok(gpri_layer_walker_new(ctx, &walker, &similarity));
    gpri_walk_round(ctx, &walker, walks, LENGTH, 0);
    steps = down = 0;
    for (int s = 1; s < 3 * LENGTH; s++)
        if (s % LENGTH && walks[s - 1] == 1) steps++, down += walks[s] == 0;
    assert_true(fabs(down / steps - 0.5) < 0.03);
    gpri_layer_walker_free(ctx, &walker);
    gpr_ctx_free(ctx);
}

/* ---- Places --------------------------------------------------------------------------------------- */

/* Walks that stay among the first five or the last five: these come together, the two apart. */
static void test_skipgram(void **state) {
    (void)state;
    enum { WALKS = 200, LENGTH = 20 };
    gpri_point own[10], context[10] = {{0, 0}};
    int32_t walks[WALKS * LENGTH];
    for (int i = 0; i < 10; i++)
        own[i] = (gpri_point){uniform(7, 2 * (uint64_t)i) - 0.5, uniform(7, 2 * (uint64_t)i + 1) - 0.5};
    for (int i = 0; i < WALKS * LENGTH; i++) walks[i] = (int32_t)(uniform(8, (uint64_t)i) * 5) + 5 * (i / LENGTH % 2);
    gpri_skipgram model = {own, context};
    for (uint32_t round = 0; round < 5; round++) gpri_skipgram_round(&model, walks, WALKS, LENGTH, round, 0.02, 0.02);
    double within = 0, between = 0;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < i; j++) {
            double d = gpri_distance(GPRI_METRIC_EUCLIDEAN, own[i], own[j]);
            if (i / 5 == j / 5) within += d / 20;
            else between += d / 25;
        }
    assert_true(within < 0.3 * between);
    const gpri_point before = own[3];
    gpri_skipgram_round(&model, walks, WALKS, LENGTH, 5, 0, 0);
    assert_true(own[3].x == before.x && own[3].y == before.y);
}

static double apart(const gpri_embedding *e, int64_t a, int64_t b) {
    return gpri_distance(e->metric, e->points[a], e->points[b]);
}

/* Two complete graphs of 10 nodes, and a path of 10 between them; all of it twice. Node i of the first half is
   equivalent to node 29 - i, and to both in the second copy. */
static void test_barbells(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    edge_maker m = {.nodes = 60};
    for (int64_t copy = 0; copy < 60; copy += 30) {
        for (int64_t i = 0; i < 10; i++)
            for (int64_t j = 0; j < i; j++) join(&m, copy + i, copy + j), join(&m, copy + 29 - i, copy + 29 - j);
        for (int64_t i = 9; i < 20; i++) join(&m, copy + i, copy + i + 1);
    }
    gpri_graph graph = graph_of(ctx, m);
    gpri_embedding e;
    assert_ok(gpri_embed_struc2vec(ctx, &e, &graph));
    assert_int_equal(e.nodes, 60);
    assert_int_equal(e.metric, GPRI_METRIC_EUCLIDEAN);
    double alike = 0, other = 0, nearer = 0;
    for (int64_t i = 0; i < 15; i++) {
        const int64_t same[] = {29 - i, 30 + i, 59 - i};
        for (int k = 0; k < 3; k++) {
            double d = apart(&e, i, same[k]);
            alike += d / 45;
            for (int64_t j = 0; j < 60; j++) /* 0 to 8 are all equivalent */
                if (j % 30 != i && 29 - j % 30 != i && !(i < 9 && (j % 30 < 9 || j % 30 > 20))) {
                    other += apart(&e, i, j) / (9 * (60 - 36) + 6 * 56) / 3;
                    nearer += apart(&e, i, j) < d;
                }
        }
    }
    assert_true(alike < 0.35 * other);
    assert_true(nearer / 3 < 0.12 * (9 * 24 + 6 * 56));
    gpri_embedding_free(ctx, &e);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

/* A graph with hardly any structure still gets finite places, all of them different. */
static void test_odd_graphs(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph odd[] = {edgeless_graph(ctx, 1),    edgeless_graph(ctx, 2), edgeless_graph(ctx, 3),
                        edgeless_graph(ctx, 40),   path_graph(ctx, 2),     path_graph(ctx, 3),
                        complete_graph(ctx, 25),   ring_graph(ctx, 30),    tree_graph(ctx, 600, 599),
                        tree_graph(ctx, 257, 300), some_graph(ctx)};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
        gpri_embedding e;
        assert_ok(gpri_embed_struc2vec(ctx, &e, &odd[k]));
        for (int64_t i = 0; i < e.nodes; i++) {
            assert_true(isfinite(e.points[i].x) && isfinite(e.points[i].y));
            for (int64_t j = 0; j < i; j++) assert_true(apart(&e, i, j) > 0);
        }
        if (e.nodes == 1) assert_true(e.points[0].x == 0 && e.points[0].y == 0);
        gpri_embedding_free(ctx, &e);
        gpri_graph_free(ctx, &odd[k]);
    }
    gpr_ctx_free(ctx);
}

static void test_threads(void **state) {
    (void)state;
    const int threads[] = {1, 2, 7};
    gpri_point first[700];
    for (int t = 0; t < 3; t++) {
        gpr_ctx *ctx = new_ctx(threads[t]);
        gpri_graph graph = some_graph(ctx);
        gpri_embedding e;
        assert_ok(gpri_embed_struc2vec(ctx, &e, &graph));
        if (t == 0) memcpy(first, e.points, sizeof first);
        else assert_memory_equal(first, e.points, sizeof first);
        gpri_embedding_free(ctx, &e);
        gpri_graph_free(ctx, &graph);
        gpr_ctx_free(ctx);
    }
}

static gpr_status embed_once(gpr_ctx *ctx, void *arg) {
    (void)arg;
    gpr_ctx *own = new_ctx(1);
    gpri_graph graph = path_graph(own, 10);
    gpri_embedding e;
    gpr_status status = gpri_embed_struc2vec(ctx, &e, &graph);
    if (status < 0) assert_null(e.points);
    gpri_embedding_free(ctx, &e);
    gpri_graph_free(own, &graph);
    gpr_ctx_free(own);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    fail_every_allocation(embed_once, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_distance_by_hand),
        cmocka_unit_test(test_distance_random),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_chances),
        cmocka_unit_test(test_walks),
        cmocka_unit_test(test_skipgram),
        cmocka_unit_test(test_barbells),
        cmocka_unit_test(test_odd_graphs),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
