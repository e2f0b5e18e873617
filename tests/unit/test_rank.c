/* Scores of generalised PageRank against plain loops over a dense matrix and against networkx; their bounds, on small
 * and large graphs. */
#include "../golden/rank_golden.h"
#include "rank_samples.h"

enum { STEPS = 3000 };

/* sum_k w_k P^k s in plain loops. */
static void reference(const sample *s, const double *w, int64_t count, double *score) {
    static double start[MOST], x[MOST], y[MOST];
    double seeds = 0;
    memset(start, 0, sizeof start);
    for (int64_t i = 0; i < s->seed_count; i++) start[s->seeds[i]] = 1;
    for (int64_t i = 0; i < s->nodes; i++) seeds += start[i];
    for (int64_t i = 0; i < s->nodes; i++) x[i] = start[i] /= seeds;
    for (int64_t i = 0; i < s->nodes; i++) score[i] = w[0] * x[i];
    for (int64_t k = 1; k < count; k++) {
        memset(y, 0, sizeof y);
        for (int64_t j = 0; j < s->nodes; j++)
            for (int64_t i = 0; i < s->nodes && x[j] > 0; i++)
                y[i] += s->degree[j] > 0 ? x[j] * s->a[i][j] / s->degree[j] : x[j] * start[i];
        memcpy(x, y, sizeof x);
        for (int64_t i = 0; i < s->nodes; i++) score[i] += w[k] * x[i];
    }
}

/* The weights, written down again. */
static int64_t weights_of(const weighting *from, double *w) {
    const int64_t last = from->last;
    double x = 0, y = 10, total = 0;
    if (strncmp(from->text, "ppr", 3) == 0) {
        assert_int_equal(sscanf(from->text, "ppr:%lf", &x), 1);
        for (int64_t k = 0; k < STEPS; k++) w[k] = x * pow(1 - x, (double)k);
        if (last) w[last] = pow(1 - x, (double)last);
    } else if (strncmp(from->text, "heat", 4) == 0) {
        assert_int_equal(sscanf(from->text, "heat:%lf", &x), 1);
        for (int64_t k = 0; k < STEPS; k++)
            w[k] = exp(-x + (double)k * log(x) - lgamma((double)k + 1)); /* e^-x x^k / k! */
    } else if (strncmp(from->text, "ipr", 3) == 0) {
        if (sscanf(from->text, "ipr:%lf:%lf", &x, &y) < 1) x = 0.9;
        const int64_t count = last ? last + 1 : STEPS;
        for (int64_t k = 0; k < count; k++) {
            w[k] = pow(x, (double)k) / pow(pow(x, (double)k) + pow(x, y), 2);
            total += w[k];
        }
        for (int64_t k = 0; k < count; k++) w[k] /= total;
    } else {
        char copy[100], *rest;
        int64_t count = 0;
        snprintf(copy, sizeof copy, "%s", from->text);
        for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) w[count++] = atof(word);
        return count;
    }
    return last ? last + 1 : STEPS;
}

/* All scores by node; the ranking is freed. */
static gpr_ranking_info scores_of(gpr_ctx *ctx, const gpr_dataset *data, const sample *s,
                                  const gpr_rank_options *options, double *score) {
    gpr_ranking *ranking;
    gpr_ranking_info info = {.struct_size = sizeof info};
    int64_t count;
    assert_ok(gpr_rank(ctx, &ranking, data, s->seeds, s->seed_count, options));
    assert_ok(gpr_ranking_describe(ranking, &info));
    const int64_t *nodes = gpr_ranking_nodes(ranking, &count);
    const double *scores = gpr_ranking_scores(ranking, NULL), *degrees = gpr_ranking_degrees(ranking, NULL);
    memset(score, 0, (size_t)s->nodes * sizeof *score);
    assert_int_equal(info.scored, count);
    for (int64_t i = 0; i < count; i++) {
        assert_true(scores[i] != 0 && score[nodes[i]] == 0);
        assert_true(i == 0 || scores[i] < scores[i - 1] || (scores[i] == scores[i - 1] && nodes[i] > nodes[i - 1]));
        assert_true(fabs(degrees[i] - s->degree[nodes[i]]) <= 1e-12 * s->degree[nodes[i]]);
        score[nodes[i]] = scores[i];
    }
    gpr_ranking_free(ranking);
    return info;
}

static void exact_is_the_dense_sum(void **state) {
    static sample s;
    static double want[MOST], got[MOST], w[STEPS];
    (void)state;
    for (int which = 0; which < SAMPLES; which++) {
        gpr_ctx *ctx = new_ctx(2);
        make_sample(&s, which);
        gpr_dataset *data = dataset_of(ctx, &s);
        for (int i = 0; i < WEIGHTINGS; i++) {
            const int64_t count = weights_of(&weightings[i], w);
            const gpr_rank_options options = {.struct_size = sizeof options,
                                              .weights = weightings[i].text,
                                              .last_step = weightings[i].last,
                                              .exact = 1};
            const gpr_ranking_info info = scores_of(ctx, data, &s, &options, got);
            double error = 0;
            reference(&s, w, count < 500 || s.nodes < 100 ? count : 500, want);
            for (int64_t v = 0; v < s.nodes; v++) error += fabs(got[v] - want[v]);
            if (!(error < 1e-10) || !(info.error <= 1e-10))
                fail_msg("%s, %s: the errors add up to %g, by its own account to %g", s.name, weightings[i].text, error,
                         info.error);
        }
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

static void values_of_the_caller(void **state) {
    static sample s;
    static double one[MOST], other[MOST];
    const double values[] = {0.5, 0, -0.25, 0.125};
    gpr_ctx *ctx = new_ctx(1);
    (void)state;
    make_sample(&s, 0);
    gpr_dataset *data = dataset_of(ctx, &s);
    const gpr_rank_options numbers = {.struct_size = sizeof numbers, .values = values, .value_count = 4},
                           text = {.struct_size = sizeof text, .weights = "0.5 0,-0.25\n0.125"};
    scores_of(ctx, data, &s, &numbers, one);
    scores_of(ctx, data, &s, &text, other);
    assert_memory_equal(one, other, (size_t)s.nodes * sizeof *one);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* |error| <= tolerance x degree / mean degree at each node, and all together at most what is reported. */
static void keeps_the_tolerance(void **state) {
    static sample s;
    static double want[MOST], got[MOST];
    (void)state;
    for (int which = 0; which < SAMPLES; which++) {
        gpr_ctx *ctx = new_ctx(2);
        make_sample(&s, which);
        gpr_dataset *data = dataset_of(ctx, &s);
        for (int i = 0; i < WEIGHTINGS; i++) {
            gpr_rank_options options = {.struct_size = sizeof options,
                                        .weights = weightings[i].text,
                                        .last_step = weightings[i].last,
                                        .exact = 1};
            scores_of(ctx, data, &s, &options, want);
            options.exact = 0;
            for (options.tolerance = 0.1; options.tolerance > 1e-9; options.tolerance /= 4) {
                const gpr_ranking_info info = scores_of(ctx, data, &s, &options, got);
                double error = 0;
                for (int64_t v = 0; v < s.nodes; v++) {
                    const double wrong = fabs(got[v] - want[v]);
                    error += wrong;
                    if (!(wrong <= options.tolerance * s.degree[v] / s.mean + 1e-11))
                        fail_msg("%s, %s, tolerance %g: node %d of degree %g is wrong by %g", s.name,
                                 weightings[i].text, options.tolerance, (int)v, s.degree[v], wrong);
                }
                if (!options.last_step && strncmp(options.weights, "ppr", 3) == 0 && !(fabs(info.total - 1) < 1e-10))
                    fail_msg("%s, %s, tolerance %g: the scores add up to %.12g", s.name, options.weights,
                             options.tolerance, info.total);
                if (!(error <= info.error + 1e-10))
                    fail_msg("%s, %s, tolerance %g: all errors are %g, not %g", s.name, weightings[i].text,
                             options.tolerance, error, info.error);
            }
        }
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

/* ---- networkx ----------------------------------------------------------------------------------------- */

static void is_that_of_networkx(void **state) {
    static const struct {
        const int64_t *seeds;
        int64_t count;
        const double *plain, *weighted;
    } cases[RANK_CASES] = {{rank_seeds_0, sizeof rank_seeds_0 / sizeof *rank_seeds_0, rank_plain_0, rank_weighted_0},
                           {rank_seeds_1, sizeof rank_seeds_1 / sizeof *rank_seeds_1, rank_plain_1, rank_weighted_1},
                           {rank_seeds_2, sizeof rank_seeds_2 / sizeof *rank_seeds_2, rank_plain_2, rank_weighted_2}};
    gpr_ctx *ctx = new_ctx(1);
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        gpr_dataset *data;
        const gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                       .nodes = RANK_NODES,
                                       .edges = RANK_EDGES,
                                       .src = rank_src,
                                       .dst = rank_dst,
                                       .weights = weighted ? rank_weights : NULL};
        assert_ok(gpr_dataset_new(ctx, &data, &desc));
        for (int c = 0; c < RANK_CASES; c++) {
            const gpr_rank_options options = {
                .struct_size = sizeof options, .weights = weighted ? "ppr:0.15" : NULL, .exact = 1};
            const double *want = weighted ? cases[c].weighted : cases[c].plain;
            gpr_ranking *ranking;
            int64_t count;
            double sum = 0;
            assert_ok(gpr_rank(ctx, &ranking, data, cases[c].seeds, cases[c].count, &options));
            const int64_t *nodes = gpr_ranking_nodes(ranking, &count);
            for (int64_t i = 0; i < count; i++) {
                sum += want[nodes[i]];
                assert_true(fabs(gpr_ranking_scores(ranking, NULL)[i] - want[nodes[i]]) < 1e-10);
            }
            assert_true(fabs(sum - 1) < 1e-10); /* no node that networkx has is missing */
            gpr_ranking_free(ranking);
        }
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

static void cora_as_in_networkx(void **state) {
    const char *folder = getenv("GPRGNN_DATA") ? getenv("GPRGNN_DATA") : TEST_SOURCE_DIR "/../shared/data";
    enum { TOP = sizeof rank_cora_nodes / sizeof *rank_cora_nodes };
    const gpr_rank_options options = {.struct_size = sizeof options, .exact = 1, .top = TOP};
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data;
    gpr_ranking *ranking;
    int64_t count;
    (void)state;
    const gpr_status status = gpr_dataset_open(ctx, &data, "cora", folder);
    if (status == GPR_ERROR_NOT_FOUND) {
        gpr_ctx_free(ctx);
        skip_because("no data (graphs/cora.npz is neither in $GPRGNN_DATA nor in %s)", folder);
    }
    assert_ok(status);
    assert_ok(gpr_rank(ctx, &ranking, data, rank_cora_seeds, 2, &options));
    const int64_t *nodes = gpr_ranking_nodes(ranking, &count);
    assert_int_equal(count, TOP);
    for (int64_t i = 0; i < TOP; i++) {
        const double score = gpr_ranking_scores(ranking, NULL)[i];
        int64_t at = 0;
        while (at < TOP && rank_cora_nodes[at] != nodes[i]) at++; /* two nodes with equal scores may change places */
        assert_true(at < TOP);
        assert_true(fabs(score - rank_cora_scores[i]) < 1e-10 && fabs(score - rank_cora_scores[at]) < 1e-10);
    }
    gpr_ranking_free(ranking);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- Large graphs --------------------------------------------------------------------------------------- */

/* A ring with chords of random length for every `chord`-th node; 0: none. */
static gpr_dataset *ring(gpr_ctx *ctx, int64_t nodes, int64_t chord, bool weighted) {
    gpri_random stream = gpri_random_of(9, GPRI_RANDOM_TEST, 0, 0);
    int64_t *src = calloc((size_t)nodes * 2, sizeof *src), *dst = calloc((size_t)nodes * 2, sizeof *dst), edges = 0;
    float *weights = calloc((size_t)nodes * 2, sizeof *weights);
    gpr_dataset *data;
    assert_true(src && dst && weights);
    for (int64_t i = 0; i < nodes; i++) {
        src[edges] = i;
        dst[edges] = (i + 1) % nodes;
        weights[edges++] = (float)(0.5 + gpri_uniform(stream, (uint64_t)(2 * i)));
        if (!chord || i % chord) continue;
        src[edges] = i;
        dst[edges] = (int64_t)gpri_uniform_below(stream, (uint64_t)(2 * i + 1), (uint64_t)nodes);
        weights[edges++] = 1;
    }
    const gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                   .nodes = nodes,
                                   .edges = edges,
                                   .src = src,
                                   .dst = dst,
                                   .weights = weighted ? weights : NULL};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    free(src);
    free(dst);
    free(weights);
    return data;
}

static void looks_at_the_neighbourhood_only(void **state) {
    static const char *const words[] = {"ppr:0.1", "heat:5", "ipr"};
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = ring(ctx, 50000, 0, false);
    (void)state;
    for (int i = 0; i < 3; i++) {
        const int64_t seed = 1234;
        const gpr_rank_options options = {.struct_size = sizeof options, .weights = words[i]};
        gpr_ranking *ranking;
        gpr_ranking_info info = {.struct_size = sizeof info};
        assert_ok(gpr_rank(ctx, &ranking, data, &seed, 1, &options));
        assert_ok(gpr_ranking_describe(ranking, &info));
        assert_true(info.scored < 500 && info.scored > 5);
        assert_true(info.arcs_visited < 100000); /* of 100000 for one step over all */
        assert_true(fabs(info.total - 1) < 1e-3 && info.error < 1e-3);
        gpr_ranking_free(ranking);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* On a graph where a walk mixes, the rest of the sum is known early. */
static void stops_when_the_walk_has_mixed(void **state) {
    gpr_ctx *ctx = new_ctx(2);
    static sample s;
    gpr_ranking *ranking;
    gpr_ranking_info info = {.struct_size = sizeof info};
    (void)state;
    make_sample(&s, 7);
    for (int64_t i = 0; i < s.nodes; i++) edge(&s, i, (i + 7) % s.nodes, 1); /* no node is apart */
    gpr_dataset *data = dataset_of(ctx, &s);
    const gpr_rank_options options = {.struct_size = sizeof options, .weights = "ppr:0.01", .exact = 1};
    assert_ok(gpr_rank(ctx, &ranking, data, s.seeds, 1, &options));
    assert_ok(gpr_ranking_describe(ranking, &info));
    assert_true(info.steps < 300); /* 2520 without it */
    assert_true(fabs(info.total - 1) < 1e-10);
    gpr_ranking_free(ranking);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void same_bits_on_any_number_of_threads(void **state) {
    static const char *const words[] = {"ppr:0.05", "heat:8", "ipr", "ppr:0.05"};
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++)
        for (int i = 0; i < 4; i++) {
            gpr_ranking *first = NULL;
            gpr_ctx *first_ctx = NULL;
            for (int threads = 1; threads <= 5; threads += 2) {
                gpr_ctx *ctx = new_ctx(threads);
                gpr_dataset *data = ring(ctx, 20000, 1, weighted);
                const int64_t seeds[] = {5, 19000};
                const gpr_rank_options options = {.struct_size = sizeof options,
                                                  .weights = words[i],
                                                  .tolerance = 1e-7,
                                                  .exact = i == 3,
                                                  .cluster = 1};
                gpr_ranking *ranking;
                gpr_ranking_info info = {.struct_size = sizeof info};
                assert_ok(gpr_rank(ctx, &ranking, data, seeds, 2, &options));
                assert_ok(gpr_ranking_describe(ranking, &info));
                assert_true(info.arcs_visited > 2 * 80000); /* dense steps took part, which run on all threads */
                if (first) {
                    int64_t a, b;
                    const int64_t *one = gpr_ranking_nodes(first, &a), *other = gpr_ranking_nodes(ranking, &b);
                    assert_int_equal(a, b);
                    assert_memory_equal(one, other, (size_t)a * sizeof *one);
                    assert_memory_equal(gpr_ranking_scores(first, NULL), gpr_ranking_scores(ranking, NULL),
                                        (size_t)a * sizeof(double));
                    one = gpr_ranking_cluster(first, &a);
                    other = gpr_ranking_cluster(ranking, &b);
                    assert_int_equal(a, b);
                    assert_memory_equal(one, other, (size_t)a * sizeof *one);
                    gpr_ranking_free(ranking);
                } else {
                    first = ranking;
                    first_ctx = ctx;
                }
                gpr_dataset_free(data);
                if (ctx != first_ctx) gpr_ctx_free(ctx);
            }
            gpr_ranking_free(first);
            gpr_ctx_free(first_ctx);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_is_the_dense_sum),        cmocka_unit_test(values_of_the_caller),
        cmocka_unit_test(keeps_the_tolerance),           cmocka_unit_test(is_that_of_networkx),
        cmocka_unit_test(cora_as_in_networkx),           cmocka_unit_test(looks_at_the_neighbourhood_only),
        cmocka_unit_test(stops_when_the_walk_has_mixed), cmocka_unit_test(same_bits_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
