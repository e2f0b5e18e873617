/* Clusters of gpr_rank against brute force; the order of nodes, wrong calls, nodes by their ids, failing memory. */
#include "failing_memory.h"
#include "rank_samples.h"

/* cut / volume of the nodes in the set, from the matrix. */
static double conductance(const sample *s, const bool *inside, double *volume, double *cut) {
    *volume = *cut = 0;
    for (int64_t i = 0; i < s->nodes; i++) {
        if (!inside[i]) continue;
        *volume += s->degree[i];
        for (int64_t j = 0; j < s->nodes; j++) *cut += inside[j] ? 0 : s->a[i][j];
    }
    return *cut / *volume;
}

static void cluster_by_brute_force(void **state) {
    static sample s;
    (void)state;
    for (int which = 0; which < SAMPLES; which++) {
        gpr_ctx *ctx = new_ctx(1);
        make_sample(&s, which);
        gpr_dataset *data = dataset_of(ctx, &s);
        for (int i = 0; i < 2 * WEIGHTINGS; i++) {
            const weighting *used = &weightings[i / 2];
            const gpr_rank_options options = {.struct_size = sizeof options,
                                              .weights = used->text,
                                              .last_step = used->last,
                                              .cluster = 1,
                                              .cluster_max = i % 2 ? 6 : 0};
            gpr_ranking *ranking;
            gpr_ranking_info info = {.struct_size = sizeof info};
            int64_t count, size;
            bool inside[MOST] = {false};
            double density[MOST] = {0}, best = INFINITY, volume, cut;
            assert_ok(gpr_rank(ctx, &ranking, data, s.seeds, s.seed_count, &options));
            assert_ok(gpr_ranking_describe(ranking, &info));
            const int64_t *nodes = gpr_ranking_nodes(ranking, &count), *cluster = gpr_ranking_cluster(ranking, &size);
            for (int64_t k = 0; k < count; k++)
                if (s.degree[nodes[k]] > 0)
                    density[nodes[k]] = gpr_ranking_scores(ranking, NULL)[k] / s.degree[nodes[k]];
            for (int64_t k = 0; k < (i % 2 ? 6 : s.nodes);
                 k++) { /* all sets of nodes above a density, the largest first */
                int64_t next = -1;
                for (int64_t v = 0; v < s.nodes; v++)
                    if (!inside[v] && density[v] > 0 && (next < 0 || density[v] > density[next] * (1 + 1e-13)))
                        next = v;
                if (next < 0) break;
                inside[next] = true;
                const double phi = conductance(&s, inside, &volume, &cut);
                if (volume > s.mean * (double)s.nodes / 2 * (1 + 1e-12)) break;
                best = fmin(best, phi);
            }
            assert_int_equal(info.cluster_nodes, size);
            if (best == INFINITY) {
                assert_int_equal(size, 0);
                assert_true(isnan(info.conductance) && !cluster);
            } else {
                memset(inside, 0, sizeof inside);
                for (int64_t k = 0; k < size; k++) inside[cluster[k]] = true;
                const double phi = conductance(&s, inside, &volume, &cut);
                if (!(fabs(phi - info.conductance) < 1e-9 && fabs(volume - info.cluster_volume) < 1e-9 &&
                      fabs(cut - info.cluster_cut) < 1e-9))
                    fail_msg("%s, %s: conductance %g, volume %g, cut %g", s.name, used->text, phi, volume, cut);
                /* nodes of equal density may come in another order here: then a prefix may differ a little */
                if (!(fabs(best - info.conductance) < 1e-9))
                    fail_msg("%s, %s: conductance %g, not %g", s.name, used->text, info.conductance, best);
            }
            gpr_ranking_free(ranking);
        }
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

static void finds_the_clique(void **state) {
    static sample s;
    gpr_ctx *ctx = new_ctx(1);
    gpr_ranking *ranking;
    int64_t count;
    (void)state;
    memset(&s, 0, sizeof s);
    s.nodes = 24;
    for (int64_t i = 0; i < 8; i++)
        for (int64_t j = 0; j < i; j++)
            for (int64_t c = 0; c < 24; c += 8) edge(&s, c + i, c + j, 1);
    edge(&s, 0, 8, 1);
    edge(&s, 9, 16, 1);
    finish(&s);
    gpr_dataset *data = dataset_of(ctx, &s);
    const int64_t seed = 12;
    const gpr_rank_options options = {.struct_size = sizeof options, .cluster = 1};
    assert_ok(gpr_rank(ctx, &ranking, data, &seed, 1, &options));
    const int64_t *cluster = gpr_ranking_cluster(ranking, &count);
    assert_int_equal(count, 8);
    for (int64_t i = 0; i < 8; i++) assert_true(cluster[i] >= 8 && cluster[i] < 16);
    gpr_ranking_free(ranking);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- The call ------------------------------------------------------------------------------------------- */

static void the_first_of_all(void **state) {
    static sample s;
    gpr_ctx *ctx = new_ctx(1);
    gpr_ranking *all, *some;
    (void)state;
    make_sample(&s, 3); /* a star: many equal scores */
    gpr_dataset *data = dataset_of(ctx, &s);
    assert_ok(gpr_rank(ctx, &all, data, s.seeds, 1, NULL));
    for (int64_t top = 1; top < 100; top += 3) {
        const gpr_rank_options options = {.struct_size = sizeof options, .top = top};
        int64_t count;
        assert_ok(gpr_rank(ctx, &some, data, s.seeds, 1, &options));
        const int64_t *nodes = gpr_ranking_nodes(some, &count);
        assert_int_equal(count, top < 70 ? top : 70);
        assert_memory_equal(nodes, gpr_ranking_nodes(all, NULL), (size_t)count * sizeof *nodes);
        assert_memory_equal(gpr_ranking_scores(some, NULL), gpr_ranking_scores(all, NULL),
                            (size_t)count * sizeof(double));
        gpr_ranking_free(some);
    }
    gpr_ranking_free(all);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void wrong_calls(void **state) {
    static sample s;
    static const struct {
        const char *weights, *part;
    } wrong[] = {{"ppr:0", "[0.0001, 1]"},     {"ppr:1.5", "[0.0001, 1]"},  {"ppr:-1", "[0.0001, 1]"},
                 {"ppr:x", "ppr:ALPHA"},       {"ppr:0.1:2", "ppr:ALPHA"},  {"heat", "heat:T"},
                 {"heat:0", "(0, 500]"},       {"heat:501", "(0, 500]"},    {"ipr:1", "THETA"},
                 {"ipr:0.5:-1", "[0, 1000]"},  {"ipr:a", "ipr:THETA:STEP"}, {"", "empty"},
                 {"0.5,.", "weight 1 is '.'"}, {"1e999", "finite number"},  {"1e308,1e308", "sum is not finite"},
                 {", ,", "has no weights"}};
    const double nan = NAN, one = 1;
    const int64_t seed = 3, outside = 70, negative = -1;
    gpr_ctx *ctx = new_ctx(1);
    gpr_ranking *ranking;
    (void)state;
    make_sample(&s, 0);
    gpr_dataset *data = dataset_of(ctx, &s);
    gpr_rank_options o = {.struct_size = sizeof o};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        o.weights = wrong[i].weights;
        assert_fails(gpr_rank(ctx, &ranking, data, &seed, 1, &o), GPR_ERROR_ARGUMENT, wrong[i].part);
        assert_null(ranking);
    }
    o.weights = "pqr:0.1";
    assert_fails(gpr_rank(ctx, &ranking, data, &seed, 1, &o), GPR_ERROR_NOT_FOUND, "no such file");
    o = (gpr_rank_options){.struct_size = sizeof o, .weights = "1,2", .last_step = 3};
    assert_fails(gpr_rank(ctx, &ranking, data, &seed, 1, &o), GPR_ERROR_ARGUMENT, "K is only for");
    o = (gpr_rank_options){.struct_size = sizeof o, .last_step = -3};
    assert_fails(gpr_rank(ctx, &ranking, data, &seed, 1, &o), GPR_ERROR_ARGUMENT, "K is -3");
    o = (gpr_rank_options){.struct_size = sizeof o, .values = &nan, .value_count = 1};
    assert_fails(gpr_rank(ctx, &ranking, data, &seed, 1, &o), GPR_ERROR_ARGUMENT, "not finite");
    o.value_count = 0;
    assert_fails(gpr_rank(ctx, &ranking, data, &seed, 1, &o), GPR_ERROR_ARGUMENT, "0 weights");
    o = (gpr_rank_options){.struct_size = sizeof o, .values = &one, .value_count = 1, .weights = "ppr"};
    assert_fails(gpr_rank(ctx, &ranking, data, &seed, 1, &o), GPR_ERROR_ARGUMENT, "values are given");
    o = (gpr_rank_options){.struct_size = sizeof o, .tolerance = NAN};
    assert_fails(gpr_rank(ctx, &ranking, data, &seed, 1, &o), GPR_ERROR_ARGUMENT, "tolerance");
    o = (gpr_rank_options){.struct_size = sizeof o, .top = -1};
    assert_fails(gpr_rank(ctx, &ranking, data, &seed, 1, &o), GPR_ERROR_ARGUMENT, "top is -1");
    o = (gpr_rank_options){.struct_size = sizeof o, .cluster_max = -2};
    assert_fails(gpr_rank(ctx, &ranking, data, &seed, 1, &o), GPR_ERROR_ARGUMENT, "cluster_max is -2");
    assert_fails(gpr_rank(ctx, &ranking, data, &seed, 0, NULL), GPR_ERROR_ARGUMENT, "no seed");
    assert_fails(gpr_rank(ctx, &ranking, data, &outside, 1, NULL), GPR_ERROR_ARGUMENT, "the nodes are 0 to 69");
    assert_fails(gpr_rank(ctx, &ranking, data, &negative, 1, NULL), GPR_ERROR_ARGUMENT, "the nodes are 0 to 69");
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void nodes_by_their_ids(void **state) {
    const char *const ids[] = {"alice", "bob", "1", "carol"};
    const int64_t src[] = {0, 1}, dst[] = {1, 2};
    gpr_dataset_desc desc = {
        .struct_size = sizeof desc, .name = "people", .nodes = 4, .edges = 2, .src = src, .dst = dst, .node_ids = ids};
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *named, *numbered;
    int64_t node = -5;
    (void)state;
    assert_ok(gpr_dataset_new(ctx, &named, &desc));
    desc.node_ids = NULL;
    assert_ok(gpr_dataset_new(ctx, &numbered, &desc));
    assert_ok(gpr_dataset_find_node(ctx, &node, named, "carol"));
    assert_int_equal(node, 3);
    assert_ok(gpr_dataset_find_node(ctx, &node, named, "1")); /* an id, not a number */
    assert_int_equal(node, 2);
    assert_ok(gpr_dataset_find_node(ctx, &node, numbered, "1"));
    assert_int_equal(node, 1);
    assert_fails(gpr_dataset_find_node(ctx, &node, named, "alise"), GPR_ERROR_ARGUMENT, "did you mean 'alice'?");
    assert_fails(gpr_dataset_find_node(ctx, &node, named, "zzzzzzzz"), GPR_ERROR_ARGUMENT, "the first node is 'alice'");
    assert_fails(gpr_dataset_find_node(ctx, &node, numbered, "4"), GPR_ERROR_ARGUMENT, "0 to 3");
    assert_fails(gpr_dataset_find_node(ctx, &node, numbered, "-1"), GPR_ERROR_ARGUMENT, "0 to 3");
    assert_fails(gpr_dataset_find_node(ctx, &node, numbered, "bob"), GPR_ERROR_ARGUMENT, "0 to 3");
    assert_int_equal(node, 1);
    gpr_dataset_free(named);
    gpr_dataset_free(numbered);
    gpr_ctx_free(ctx);
}

static gpr_status rank_once(gpr_ctx *ctx, void *arg) {
    const gpr_dataset *data = arg;
    const int64_t seed = 3;
    const char *const words[] = {"ppr:0.2", "heat:2", "0.5,0.5"};
    gpr_status status = GPR_OK;
    for (int i = 0; i < 3 && status == GPR_OK; i++) {
        const gpr_rank_options options = {.struct_size = sizeof options, .weights = words[i], .cluster = 1};
        gpr_ranking *ranking = NULL;
        status = gpr_rank(ctx, &ranking, data, &seed, 1, &options);
        if (status != GPR_OK) assert_null(ranking);
        gpr_ranking_free(ranking);
    }
    return status;
}

static void without_memory(void **state) {
    static sample s;
    gpr_ctx *ctx = new_ctx(1);
    (void)state;
    make_sample(&s, 1);
    gpr_dataset *data = dataset_of(ctx, &s);
    fail_every_allocation(rank_once, data);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cluster_by_brute_force), cmocka_unit_test(finds_the_clique),
        cmocka_unit_test(the_first_of_all),       cmocka_unit_test(wrong_calls),
        cmocka_unit_test(nodes_by_their_ids),     cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
