/* Properties of GPR-GNN for any weights, on every table of operations. The expected values are computed here, in
 * double, from the model's weights and a dense A~ of the given edges, without the library's graph or layers.
 * test_properties_double.c is the same for the library in double, to 1e-12. */
#include <math.h>

#include "world.h"

/* H = relu(X W1 + b1) W2 + b2. */
static void mlp_by_hand(const gpr_model *model, const world *w, double *h) {
    const float *w1 = tensor_of(model, "lin1.weight")->values, *b1 = tensor_of(model, "lin1.bias")->values;
    const float *w2 = tensor_of(model, "lin2.weight")->values, *b2 = tensor_of(model, "lin2.bias")->values;
    for (int64_t i = 0; i < w->nodes; i++) {
        double hidden[HIDDEN];
        for (int64_t k = 0; k < HIDDEN; k++) {
            hidden[k] = b1[k];
            for (int64_t j = 0; j < FEATURES; j++)
                hidden[k] += (double)w->x[i * FEATURES + j] * (double)w1[j * HIDDEN + k];
            if (hidden[k] < 0) hidden[k] = 0;
        }
        for (int64_t c = 0; c < CLASSES; c++) {
            h[i * CLASSES + c] = b2[c];
            for (int64_t k = 0; k < HIDDEN; k++) h[i * CLASSES + c] += hidden[k] * (double)w2[k * CLASSES + c];
        }
    }
}

/* z <- A~ z */
static void hop_by_hand(const double *a, double *z, int64_t n) {
    double out[NODES * CLASSES];
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < CLASSES; c++) {
            out[i * CLASSES + c] = 0;
            for (int64_t j = 0; j < n; j++) out[i * CLASSES + c] += a[i * n + j] * z[j * CLASSES + c];
        }
    memcpy(z, out, (size_t)(n * CLASSES) * sizeof *z);
}

/* ---- the properties ---- */

/* The result does not depend on how nodes are numbered. */
static void check_relabelling(gpr_ctx *ctx) {
    for (int kind = 0; kind < 4; kind++) {
        static world w, moved;
        double z[NODES * CLASSES], z_moved[NODES * CLASSES], back[NODES * CLASSES];
        int64_t place[NODES];
        world_new(&w, kind, NODES, NODES - 2);
        world_relabelled(&moved, &w, place);
        gpr_model *model = model_of(ctx, &w, OPTIONS("K", "10", "init", "random"));
        gpr_dataset *data = dataset_of(ctx, &w, kind), *other = dataset_of(ctx, &moved, kind);
        scores_of(ctx, model, data, z);
        scores_of(ctx, model, other, z_moved);
        for (int64_t i = 0; i < NODES; i++)
            memcpy(back + i * CLASSES, z_moved + place[i] * CLASSES, CLASSES * sizeof *back);
        compare("relabelled nodes", ctx, back, z, NODES, tolerance);
        gpr_dataset_free(data);
        gpr_dataset_free(other);
        gpr_model_free(model);
    }
}

/* Without hops only the network remains: the edges do not matter. */
static void check_no_hops(gpr_ctx *ctx) {
    for (int kind = 0; kind < 4; kind++)
        for (int scaled = 0; scaled < 2; scaled++) {
            static world w;
            double z[NODES * CLASSES], h[NODES * CLASSES];
            world_new(&w, kind, NODES, NODES - 2);
            gpr_model *model = model_of(ctx, &w, OPTIONS("K", "0", "init", scaled ? "-2.5" : "ppr"));
            gpr_dataset *data = dataset_of(ctx, &w, kind);
            scores_of(ctx, model, data, z);
            mlp_by_hand(model, &w, h);
            for (int64_t k = 0; scaled && k < NODES * CLASSES; k++) h[k] *= -2.5;
            compare(scaled ? "K = 0, gamma_0 = -2.5" : "K = 0", ctx, z, h, NODES, tolerance);
            gpr_dataset_free(data);
            gpr_model_free(model);
        }
}

/* Fixed weights of PPR: the recursion of APPNP, Z <- (1 - alpha) A~ Z + alpha H from Z = H. */
static void check_appnp(gpr_ctx *ctx) {
    static const char *const alphas[] = {"0", "0.1", "0.2", "0.5", "0.9", "1"};
    for (int kind = 0; kind < 4; kind++)
        for (int which = 0; which < 6; which++) {
            static world w;
            static double a[NODES * NODES];
            double z[NODES * CLASSES], h[NODES * CLASSES], want[NODES * CLASSES], alpha = strtod(alphas[which], NULL);
            char what[64];
            world_new(&w, kind, NODES, NODES - 2);
            dense_graph(&w, a);
            gpr_model *model = model_of(ctx, &w, OPTIONS("K", "10", "init", "ppr", "alpha", alphas[which]));
            gpr_dataset *data = dataset_of(ctx, &w, kind);
            scores_of(ctx, model, data, z);
            mlp_by_hand(model, &w, h);
            memcpy(want, h, sizeof want);
            for (int step = 0; step < 10; step++) {
                hop_by_hand(a, want, NODES);
                for (int64_t k = 0; k < NODES * CLASSES; k++) want[k] = (1 - alpha) * want[k] + alpha * h[k];
            }
            snprintf(what, sizeof what, "APPNP, alpha %s, kind %d", alphas[which], kind);
            /* the model's gamma is float32 in either library */
            compare(what, ctx, z, want, NODES, tolerance < 1e-7 ? 1e-7 : tolerance);
            gpr_dataset_free(data);
            gpr_model_free(model);
        }
}

/* A single weight of 1 at k gives A~^k H; any weights give their sum over k. */
static void check_powers(gpr_ctx *ctx) {
    static const double given[7] = {0.5, -0.25, 1, 0, -2, 0.125, 0.75};
    for (int kind = 0; kind < 4; kind++) {
        static world w;
        static double a[NODES * NODES];
        double z[NODES * CLASSES], power[NODES * CLASSES], sum[NODES * CLASSES] = {0};
        world_new(&w, kind, NODES, NODES - 2);
        dense_graph(&w, a);
        gpr_dataset *data = dataset_of(ctx, &w, kind);
        for (int k = 0; k <= 7; k++) {
            char init[64];
            snprintf(init, sizeof init, k < 7 ? "delta:%d" : "0.5,-0.25,1,0,-2,0.125,0.75", k);
            gpr_model *model = model_of(ctx, &w, OPTIONS("K", "6", "init", init));
            scores_of(ctx, model, data, z);
            if (k == 0) mlp_by_hand(model, &w, power);
            else if (k < 7) hop_by_hand(a, power, NODES);
            for (int64_t i = 0; k < 7 && i < NODES * CLASSES; i++) sum[i] += given[k] * power[i];
            compare(init, ctx, z, k < 7 ? power : sum, NODES, tolerance);
            gpr_model_free(model);
        }
        gpr_dataset_free(data);
    }
}

/* A~^K tends to pi pi' on a connected graph, pi_i ~ sqrt(d_i + 1) (sqrt(1 + sum of weights) on a weighted one). */
static void check_limit(gpr_ctx *ctx) {
    enum { SMALL = 24 };
    for (int weighted = 0; weighted < 2; weighted++) {
        static world w;
        double z[NODES * CLASSES], h[NODES * CLASSES], want[NODES * CLASSES], pi[SMALL], norm = 0;
        bool joined[SMALL][SMALL] = {{false}};
        float heaviest[SMALL][SMALL] = {{0}};
        world_new(&w, weighted ? WEIGHTED : DENSE, SMALL, SMALL);
        w.edges = SMALL + 20;
        for (int64_t e = 0; e < w.edges; e++) {
            int64_t s = w.src[e], d = w.dst[e];
            joined[s][d] = joined[d][s] = true;
            heaviest[s][d] = heaviest[d][s] = fmaxf(w.weights[e], heaviest[s][d]);
        }
        for (int64_t i = 0; i < SMALL; i++) {
            pi[i] = 1;
            for (int64_t j = 0; j < SMALL; j++)
                if (i != j && joined[i][j]) pi[i] += weighted ? (double)heaviest[i][j] : 1;
            norm += pi[i];
        }
        for (int64_t i = 0; i < SMALL; i++) pi[i] = sqrt(pi[i] / norm);
        gpr_model *model = model_of(ctx, &w, OPTIONS("K", "2000", "init", "delta:2000"));
        gpr_dataset *data = dataset_of(ctx, &w, DENSE);
        scores_of(ctx, model, data, z);
        mlp_by_hand(model, &w, h);
        for (int64_t c = 0; c < CLASSES; c++) {
            double along = 0;
            for (int64_t i = 0; i < SMALL; i++) along += pi[i] * h[i * CLASSES + c];
            for (int64_t i = 0; i < SMALL; i++) want[i * CLASSES + c] = pi[i] * along;
        }
        /* 2000 roundings, in the worst case all of the same sign */
        compare(weighted ? "2000 hops, weighted" : "2000 hops", ctx, z, want, SMALL,
                sizeof(gpri_real) == 8 ? 1e-11 : 3e-4);
        gpr_dataset_free(data);
        gpr_model_free(model);

        /* as many hops as the option allows */
        model = model_of(ctx, &w, OPTIONS("K", "10000", "init", "delta:10000"));
        data = dataset_of(ctx, &w, DENSE);
        scores_of(ctx, model, data, z);
        compare("10000 hops", ctx, z, want, SMALL, sizeof(gpri_real) == 8 ? 1e-11 : 1.5e-3);
        gpr_dataset_free(data);
        gpr_model_free(model);
    }
}

/* A node without neighbours keeps its own scores: A~ is 1 there, so Z_i = (sum of gamma) H_i. A graph of one node is
 * the same case. */
static void check_alone(gpr_ctx *ctx) {
    for (int kind = 0; kind < 4; kind++)
        for (int single = 0; single < 2; single++) {
            static world w;
            double z[NODES * CLASSES], h[NODES * CLASSES];
            int64_t nodes = single ? 1 : NODES, first = single ? 0 : NODES - 20;
            world_new(&w, kind, nodes, first);
            if (single) { /* loops are not neighbours */
                w.edges = 2;
                w.weights[0] = w.weights[1] = 3;
                w.x[0] = 0.5f;
            }
            gpr_model *model = model_of(ctx, &w, OPTIONS("K", "4", "init", "0.5,-0.25,1,0.125,-2"));
            gpr_dataset *data = dataset_of(ctx, &w, kind);
            assert_int_equal(data->graph.isolated, nodes - first);
            scores_of(ctx, model, data, z);
            mlp_by_hand(model, &w, h);
            for (int64_t k = 0; k < nodes * CLASSES; k++) h[k] *= -0.625;
            compare(single ? "a single node" : "isolated nodes", ctx, z + first * CLASSES, h + first * CLASSES,
                    nodes - first, tolerance);
            gpr_dataset_free(data);
            gpr_model_free(model);
        }
    /* no edges at all */
    static world w;
    double z[NODES * CLASSES], h[NODES * CLASSES];
    world_new(&w, DENSE, NODES, 0);
    gpr_model *model = model_of(ctx, &w, OPTIONS("K", "4"));
    gpr_dataset *data = dataset_of(ctx, &w, DENSE);
    scores_of(ctx, model, data, z);
    mlp_by_hand(model, &w, h);
    compare("a graph without edges", ctx, z, h, NODES,
            tolerance < 1e-7 ? 1e-7 : tolerance); /* gamma adds up to 1 in float32 */
    gpr_dataset_free(data);
    gpr_model_free(model);
}

/* Bit for bit: edges given twice, reversed or as loops change nothing; nor do weights that are all 1. */
static void check_untidy_input(gpr_ctx *ctx) {
    for (int kind = 0; kind < 4; kind++) {
        static world w, untidy;
        double z[NODES * CLASSES], z_untidy[NODES * CLASSES];
        world_new(&w, kind, NODES, NODES - 2);
        untidy = w;
        for (int64_t e = 0; e < EDGES; e++) {
            int64_t at = untidy.edges++;
            untidy.src[at] = e % 3 == 0 ? w.src[e] : w.dst[e]; /* again, reversed, or a loop at one end */
            untidy.dst[at] = e % 3 == 1 ? w.src[e] : w.dst[e];
            untidy.weights[at] = w.weights[e] / 2;
        }
        gpr_model *model = model_of(ctx, &w, OPTIONS("K", "10", "init", "random"));
        gpr_dataset *data = dataset_of(ctx, &w, kind), *other = dataset_of(ctx, &untidy, kind);
        assert_true(other->graph.self_loops > data->graph.self_loops &&
                    other->graph.duplicates > data->graph.duplicates);
        scores_of(ctx, model, data, z);
        scores_of(ctx, model, other, z_untidy);
        assert_memory_equal(z, z_untidy, sizeof z);
        gpr_dataset_free(other);
        if (!(kind & WEIGHTED)) {
            world ones = w;
            ones.weighted = true;
            for (int64_t e = 0; e < ones.edges; e++) ones.weights[e] = 1;
            other = dataset_of(ctx, &ones, kind);
            scores_of(ctx, model, other, z_untidy);
            compare("weights of 1", ctx, z_untidy, z, NODES, tolerance);
            gpr_dataset_free(other);
        }
        gpr_dataset_free(data);
        gpr_model_free(model);
    }
}

/* Sparse and dense features give the same result. */
static void check_sparse_and_dense(gpr_ctx *ctx) {
    static world w;
    double z[NODES * CLASSES], z_dense[NODES * CLASSES];
    world_new(&w, SPARSE, NODES, NODES - 2);
    gpr_model *model = model_of(ctx, &w, OPTIONS("K", "10", "init", "random"));
    gpr_dataset *data = dataset_of(ctx, &w, SPARSE);
    scores_of(ctx, model, data, z);
    data->features.dense = w.x; /* the library would choose CSR */
    scores_of(ctx, model, data, z_dense);
    data->features.dense = NULL;
    compare("the same features, dense", ctx, z_dense, z, NODES, tolerance);
    gpr_dataset_free(data);
    gpr_model_free(model);
}

#define PROPERTY(name)                \
    static void name(void **state) {  \
        (void)state;                  \
        on_every_table(check_##name); \
    }

PROPERTY(relabelling)
PROPERTY(no_hops)
PROPERTY(appnp)
PROPERTY(powers)
PROPERTY(limit)
PROPERTY(alone)
PROPERTY(untidy_input)
PROPERTY(sparse_and_dense)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(relabelling),  cmocka_unit_test(no_hops),
                                       cmocka_unit_test(appnp),        cmocka_unit_test(powers),
                                       cmocka_unit_test(limit),        cmocka_unit_test(alone),
                                       cmocka_unit_test(untidy_input), cmocka_unit_test(sparse_and_dense)};
    return cmocka_run_group_tests_name("properties", tests, NULL, NULL);
}
