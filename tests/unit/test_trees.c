/* The model trees: its columns, compared with the same made by hand; its scores, with those of XGBoost; files, states,
 * threads, and labels that must not be seen. What trains is skipped where there is no libxgboost. */
#include <math.h>

#include "resuming.h"
#include "tensor/label_counts.h"
#include "tensor/prepare.h"
#include "train/preparation/preparation.h"
#include "train/trainer.h"
#include "trees/booster.h"
#include "trees/columns.h"
#include "trees/forest.h"
#include "trees/shap.h"
#include "trees/structure.h"

#define TREES(...) OPTIONS("model", "trees", "split", "50/25/25", __VA_ARGS__)

static bool lacks_xgboost(void) { return gpri_booster_there() != GPR_OK; }
#define NEEDS_XGBOOST() \
    if (lacks_xgboost()) skip_because("no libxgboost.so.0 (Debian: libxgboost0)")

/* ---- forests ---- */

/* One tree of depth 2: x0 < 1 ? (x1 < 2 ? 10 : 20) : 30; without x0 it goes right, without x1 left. */
static void walked(void **state) {
    (void)state;
    const gpri_real split[7] = {-1, 2, 0, 0, 0, 0, 0}, value[7] = {1, 2, 30, 10, 20, 0, 0};
    const gpri_forest forest = {.trees = 1, .groups = 1, .depth = 2, .stride = 7, .split = split, .value = value};
    const struct {
        double x0, x1, score;
    } cases[] = {{0, 0, 10}, {0, 2, 20}, {1, 0, 30}, {2, 9, 30}, {NAN, 0, 30}, {0, NAN, 10}, {0, 1.9999, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gpri_real x0[1] = {(gpri_real)cases[i].x0}, x1[1] = {(gpri_real)cases[i].x1};
        const gpri_forest_row row = {x0, x1, 1};
        gpri_real z[2] = {0, 0};
        gpri_forest_add(&forest, 0, 1, &row, z);
        assert_true((double)z[1] == cases[i].score && z[0] == 0);
    }
}

static void checked(void **state) {
    (void)state;
    float split[7] = {-1, 2, 0, 0, 0, 0, 0};
    assert_ok(gpri_tree_check(split, 2, 2, 0));
    assert_fails(gpri_tree_check(split, 2, 1, 3), GPR_ERROR_FORMAT, "tree 3, node 1: it asks about column 2");
    split[1] = 1.5f;
    assert_fails(gpri_tree_check(split, 2, 2, 0), GPR_ERROR_FORMAT, "about column 1.5");
    split[1] = 2, split[6] = 1;
    assert_fails(gpri_tree_check(split, 2, 2, 0), GPR_ERROR_FORMAT, "node 6: it has children below the depth");
    split[6] = NAN;
    assert_fails(gpri_tree_check(split, 2, 2, 0), GPR_ERROR_FORMAT, "node 6");
}

/* ---- columns ---- */

enum { NODES = 40, WIDE = 3 };

/* Node 39 has no neighbour; edges have weights. classes: labels are in the features, a little. */
static gpr_dataset *new_data(gpr_ctx *ctx, int64_t classes, bool random_labels) {
    static int64_t src[100], dst[100];
    static float weights[100], x[NODES * WIDE];
    static int32_t labels[NODES];
    gpri_random draw = gpri_random_of(5, GPRI_RANDOM_TEST, 0, 0);
    gpr_dataset *data;
    for (int i = 0; i < NODES; i++) {
        labels[i] = (int32_t)(random_labels ? (int64_t)gpri_uniform_below(draw, (uint64_t)i + 900, (uint64_t)classes)
                                            : i % classes);
        for (int f = 0; f < WIDE; f++)
            x[i * WIDE + f] = (float)(gpri_uniform(draw, (uint64_t)(i * WIDE + f)) + (f == labels[i] ? 0.3 : 0));
    }
    for (int e = 0; e < 100; e++) {
        src[e] = (int64_t)gpri_uniform_below(draw, (uint64_t)e + 300, NODES - 1);
        dst[e] = (int64_t)gpri_uniform_below(draw, (uint64_t)e + 500, NODES - 1);
        weights[e] = (float)(0.5 + gpri_uniform(draw, (uint64_t)e + 700));
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "small",
                             .nodes = NODES,
                             .edges = 100,
                             .src = src,
                             .dst = dst,
                             .weights = weights,
                             .features = WIDE,
                             .dense = x,
                             .labels = labels,
                             .classes = classes};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true; /* nothing is chosen by the data: one plain training */
    return data;
}

static double weight_between(const gpri_graph *g, int64_t i, int64_t j) {
    for (int64_t a = g->rowptr[i]; a < g->rowptr[i + 1]; a++)
        if (g->column[a] == j) return g->weight ? (double)g->weight[a] : 1;
    return 0;
}

/* By their definition: nodes of fewer than k neighbours are taken away until none is left. */
static int core_by_hand(const gpri_graph *g, int64_t node) {
    for (int k = 1;; k++) {
        bool gone[NODES] = {false}, more = true;
        while (more) {
            more = false;
            for (int64_t i = 0; i < g->nodes; i++) {
                int left = 0;
                for (int64_t j = 0; j < g->nodes; j++) left += !gone[j] && weight_between(g, i, j) > 0;
                if (!gone[i] && left < k) gone[i] = more = true;
            }
        }
        if (gone[node]) return k - 1;
    }
}

static void assert_near(const char *what, int64_t node, double found, double wanted) {
    if (isnan(wanted) ? !isnan(found) : !(fabs(found - wanted) <= 1e-5 * (1 + fabs(wanted))))
        fail_msg("%s of node %lld: %g, not %g", what, (long long)node, found, wanted);
}

static void columns(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_data(ctx, 2, false);
    const gpri_graph *g = &data->graph;
    const float *x = data->features.dense;
    double rank[NODES], handed[NODES];
    for (int i = 0; i < NODES; i++) rank[i] = 1;
    for (int step = 0; step < 30; step++) { /* (nodes) with the chance of 0.15 from anywhere */
        double lost = 0;
        for (int i = 0; i < NODES; i++) {
            handed[i] = gpri_degree(g, i) ? rank[i] / (double)gpri_degree(g, i) : 0;
            if (gpri_degree(g, i) == 0) lost += rank[i];
        }
        for (int i = 0; i < NODES; i++) {
            rank[i] = 0.15 + 0.85 * lost / NODES;
            for (int j = 0; j < NODES; j++) rank[i] += weight_between(g, i, j) > 0 ? 0.85 * handed[j] : 0;
        }
    }
    for (int64_t most = 2; most <= 3; most++) { /* all columns; the first two of them, as no number is 0 */
        const gpri_tree_plan plan = gpri_tree_plan_of(WIDE, most, 1);
        gpri_features made = {.rows = NODES, .cols = WIDE, .dense = NULL, .ld = 4};
        assert_int_equal(plan.kinds, most == 3 ? 3 : 1);
        assert_ok(gpri_calloc(ctx, &made.dense, NODES * 4, sizeof *made.dense, "test"));
        for (int i = 0; i < NODES; i++)
            for (int f = 0; f < WIDE; f++) made.dense[i * 4 + f] = (gpri_real)x[i * WIDE + f];
        const gpri_features given = made;
        assert_ok(gpri_tree_columns(ctx, &made, &given, &plan, &g, g, NULL));
        gpri_free(ctx, given.dense);
        assert_int_equal(made.cols, gpri_tree_plan_columns(&plan));
        assert_int_equal(made.given, WIDE);
        for (int64_t i = 0; i < NODES; i++)
            for (int64_t c = 0; c < made.cols; c++) {
                const gpri_tree_column column = gpri_tree_column_of(&plan, c);
                double sum = 0, weights = 0, most_of = -INFINITY, least = INFINITY, wanted = 0;
                for (int64_t j = 0; column.own >= 0 && j < NODES; j++) {
                    const double w = weight_between(g, i, j), value = (double)x[j * WIDE + made.kept[column.own]];
                    if (w <= 0) continue;
                    sum += w * value, weights += w;
                    most_of = fmax(most_of, value), least = fmin(least, value);
                }
                const bool alone = gpri_degree(g, i) == 0;
                if (strcmp(column.kind, "own") == 0) wanted = (double)x[i * WIDE + made.kept[column.own]];
                else if (strcmp(column.kind, "mean") == 0) wanted = alone ? (double)NAN : sum / weights;
                else if (strcmp(column.kind, "maximum") == 0) wanted = alone ? (double)NAN : most_of;
                else if (strcmp(column.kind, "minimum") == 0) wanted = alone ? (double)NAN : least;
                else if (strcmp(column.kind, "degree") == 0) wanted = log1p((double)gpri_degree(g, i));
                else if (strcmp(column.kind, "PageRank") == 0) wanted = log(rank[i]);
                else wanted = log1p(core_by_hand(g, i));
                assert_near(column.kind, i, (double)made.dense[i * made.ld + c], wanted);
            }
        gpri_features_free(ctx, &made);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Of sparse features the most frequent columns, and the same numbers as of dense ones; a given list is obeyed. */
static void sparse(void **state) {
    (void)state;
    enum { WORDS = 6 };
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_data(ctx, 2, false);
    const gpri_graph *g = &data->graph;
    const gpri_tree_plan plan = gpri_tree_plan_of(WORDS, 3, 1);
    const int32_t others[3] = {0, 1, 5};
    for (int way = 0; way < 2; way++) {
        gpri_features dense = {.rows = NODES, .cols = WORDS, .ld = 8}, few = {.rows = NODES, .cols = WORDS}, a, b;
        int64_t rowptr[NODES + 1] = {0};
        int32_t column[NODES * WORDS];
        assert_ok(gpri_calloc(ctx, &dense.dense, NODES * 8, sizeof *dense.dense, "test"));
        assert_ok(gpri_calloc(ctx, &few.value, NODES * WORDS, sizeof *few.value, "test"));
        for (int i = 0; i < NODES; i++) {
            rowptr[i + 1] = rowptr[i];
            for (int w = 0; w < WORDS; w++) {
                const int rare[WORDS] = {7, 2, 3, 9, 2, 5}; /* the most frequent: 1, 4, and 2 */
                if (i % rare[w]) continue;
                dense.dense[i * 8 + w] = (gpri_real)(1 + w);
                few.value[rowptr[i + 1]] = (gpri_real)(1 + w);
                column[rowptr[i + 1]++] = w;
            }
        }
        few.rowptr = rowptr, few.column = column;
        assert_ok(gpri_tree_columns(ctx, &a, &dense, &plan, &g, g, way ? others : NULL));
        assert_ok(gpri_tree_columns(ctx, &b, &few, &plan, &g, g, way ? others : NULL));
        const int32_t wanted[2][3] = {{1, 2, 4}, {0, 1, 5}};
        assert_memory_equal(b.kept, wanted[way], sizeof wanted[way]);
        assert_memory_equal(a.kept, wanted[way], sizeof wanted[way]);
        assert_memory_equal(a.dense, b.dense, (size_t)(NODES * a.ld) * sizeof *a.dense);
        gpri_features_free(ctx, &a);
        gpri_features_free(ctx, &b);
        gpri_free_all(ctx, dense.dense, few.value);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- XGBoost ---- */

/* Our trees give XGBoost's own scores, to the rounding of a sum of floats; missing numbers are there too. */
static void as_xgboost(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    enum { ROWS = 300, COLUMNS = 7, ROUNDS = 20, DEPTH = 5, MOST = 4 };
    static float table[ROWS * COLUMNS], labels[ROWS], weights[ROWS];
    static gpri_real arrays[4][ROUNDS * MOST][63], row[ROWS][COLUMNS];
    gpri_random draw = gpri_random_of(6, GPRI_RANDOM_TEST, 0, 0);
    gpr_ctx *ctx = new_ctx(1);
    for (int64_t classes = 2; classes <= MOST; classes++) {
        const int64_t groups = gpri_forest_groups(classes);
        gpri_booster_data data = {table, ROWS, COLUMNS, labels, weights, classes, NULL};
        const gpri_booster_options options = {
            .depth = DEPTH, .rate = 0.3, .rows = 0.7, .columns = 0.8, .least = 0.5, .penalty = 1, .seed = 3};
        gpri_booster *booster, *again;
        const float *theirs;
        memset(arrays, 0, sizeof arrays);
        for (int i = 0; i < ROWS; i++) {
            labels[i] = (float)(i % classes);
            weights[i] = (float)(0.5 + gpri_uniform(draw, (uint64_t)(i + 90000)));
            for (int c = 0; c < COLUMNS; c++) {
                const uint64_t at = (uint64_t)(i * COLUMNS + c);
                const bool missing = gpri_uniform(draw, at + 50000) < 0.1;
                table[at] = missing ? NAN : (float)(gpri_uniform(draw, at) + (c == i % classes ? 0.4 : 0));
                row[i][c] = (gpri_real)table[at];
            }
        }
        assert_ok(gpri_booster_new(ctx, &booster, &data, &options));
        assert_ok(gpri_booster_new(ctx, &again, &data, &options));
        for (int r = 0; r < ROUNDS; r++) {
            gpri_tree_arrays trees[MOST];
            for (int64_t g = 0; g < groups; g++)
                trees[g] = (gpri_tree_arrays){arrays[0][r * groups + g], arrays[1][r * groups + g],
                                              arrays[2][r * groups + g], arrays[3][r * groups + g]};
            assert_ok(gpri_booster_round(booster, r, trees));
            assert_ok(gpri_booster_round(again, r, NULL));
        }
        const gpri_forest forest = {.trees = ROUNDS * groups,
                                    .groups = groups,
                                    .depth = DEPTH,
                                    .stride = 63,
                                    .split = arrays[0][0],
                                    .value = arrays[1][0]};
        assert_ok(gpri_booster_scores(booster, &data, &theirs));
        for (int i = 0; i < ROWS; i++) {
            const gpri_forest_row columns_of = {row[i], NULL, COLUMNS};
            gpri_real z[MOST] = {0};
            gpri_forest_add(&forest, 0, forest.trees, &columns_of, z);
            for (int64_t g = 0; g < groups; g++) {
                const double ours = (double)z[groups == 1 ? 1 : g] + (groups == 1 ? 0 : 0.5);
                const double other = (double)theirs[i * groups + g];
                if (!(fabs(ours - other) <= 2e-6 * (1 + fabs(other))))
                    fail_msg("row %d, group %d of %d classes: %.9g, and XGBoost %.9g", i, (int)g, (int)classes, ours,
                             other);
            }
        }
        /* shares of columns are XGBoost's, to its rounding; with the expected score they add up to the score */
        assert_ok(gpri_booster_shares(booster, &data, &theirs));
        for (int i = 0; i < ROWS; i++)
            for (int64_t g = 0; g < groups; g++) {
                const gpri_forest_row columns_of = {row[i], NULL, COLUMNS};
                double shares[COLUMNS + 1] = {0}, sum = 0;
                gpri_real z[MOST] = {0};
                gpri_forest_shares(&forest, arrays[2][0], g, &columns_of, COLUMNS, shares);
                gpri_forest_add(&forest, 0, forest.trees, &columns_of, z);
                for (int c = 0; c <= COLUMNS; c++) {
                    const double other = (double)theirs[(i * groups + g) * (COLUMNS + 1) + c];
                    const double base = c == COLUMNS && groups > 1 ? 0.5 : 0;
                    if (!(fabs(shares[c] + base - other) <= 1e-4))
                        fail_msg("row %d, group %d, column %d: a share of %g, and XGBoost %g", i, (int)g, c,
                                 shares[c] + base, other);
                    sum += shares[c];
                }
                assert_true(fabs(sum - (double)z[groups == 1 ? 1 : g]) < 1e-5);
            }
        /* a booster whose trees were not asked for goes the same way */
        static gpri_real last[4][MOST][63], same[4][MOST][63];
        gpri_tree_arrays trees[MOST], others[MOST];
        memset(last, 0, sizeof last), memset(same, 0, sizeof same);
        for (int64_t g = 0; g < groups; g++) {
            trees[g] = (gpri_tree_arrays){last[0][g], last[1][g], last[2][g], last[3][g]};
            others[g] = (gpri_tree_arrays){same[0][g], same[1][g], same[2][g], same[3][g]};
        }
        assert_ok(gpri_booster_round(booster, ROUNDS, trees));
        assert_ok(gpri_booster_round(again, ROUNDS, others));
        assert_memory_equal(last, same, sizeof last);
        gpri_booster_free(booster);
        gpri_booster_free(again);
    }
    gpr_ctx_free(ctx);
}

/* ---- whole trainings ---- */

/* The scores that a training judges are those of a prediction; a file gives them again, bit for bit; threads change
   nothing. */
static void trained(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    for (int64_t classes = 2; classes <= 3; classes++) {
        gpr_ctx *ctx = new_ctx(1), *more = new_ctx(5);
        gpr_dataset *data = new_data(ctx, classes, false);
        training t = train(ctx, data, TREES("epochs", "40", "calibrate", "yes"));
        training other = train(more, data, TREES("epochs", "40", "calibrate", "yes"));
        float proba[NODES * 3], again[NODES * 3];
        int32_t predicted[NODES];
        gpr_model *loaded;
        void *bytes;
        size_t size;
        assert_same_model("threads", t.model, other.model);
        assert_ok(gpr_predict(ctx, t.model, data, predicted, proba));
        assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, t.model));
        assert_ok(gpr_model_from_bytes(ctx, &loaded, bytes, size));
        assert_ok(gpr_predict(more, loaded, data, NULL, again));
        assert_memory_equal(proba, again, (size_t)(NODES * classes) * sizeof *proba);
        const gpr_split *split = t.result->runs[0].split;
        const gpri_epoch *best = &t.result->runs[0].history[t.result->runs[0].info.best_epoch];
        double right[4] = {0}, all[4] = {0};
        for (int i = 0; i < NODES; i++) {
            right[split->part[i]] += predicted[i] == data->target.labels[i];
            all[split->part[i]]++;
        }
        assert_near("accuracy", -1, 100 * right[GPR_TRAIN] / all[GPR_TRAIN], best->train_accuracy);
        assert_near("accuracy", -1, 100 * right[GPR_TEST] / all[GPR_TEST], best->test_accuracy);
        assert_true(best->train_loss < t.result->runs[0].history[0].train_loss);
        gpr_model_free(loaded);
        gpr_bytes_free(ctx, bytes);
        training_free(&t);
        training_free(&other);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
        gpr_ctx_free(more);
    }
}

/* Stopped and resumed at every round: XGBoost makes its rounds again, and goes on. */
static void resumed(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_data(ctx, 3, false);
    const char *const *cases[] = {TREES("epochs", "8", "stopping", "none"), TREES("epochs", "8", "runs", "2"),
                                  TREES("epochs", "8", "refit", "yes")};
    for (int k = 0; k < 3; k++) {
        training whole = train(ctx, data, cases[k]);
        for (int64_t calls = 1; calls < 8; calls++) {
            training pieces = train_in_pieces(ctx, data, cases[k], ((const int64_t[]){calls, 1, 0}));
            assert_same_training("trees", ctx, &whole, &pieces);
            training_free(&pieces);
        }
        training_free(&whole);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The own columns in a state must be those of the data: they lie in `best` and in `numbers`, before the padding. */
static void columns_of_state(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_data(ctx, 2, false);
    const gpr_params *params = new_params(ctx, TREES("epochs", "4"));
    training t = train(ctx, data, TREES("epochs", "4"));
    gpri_preparation prepared = {.ctx = ctx, .data = data};
    gpri_trainer *trainer;
    assert_ok(gpri_preparation_suit(&prepared, params, 1, (gpri_dealt){0}));
    assert_ok(gpri_preparation_make(&prepared));
    assert_ok(gpri_trainer_new(ctx, &trainer, data, &prepared.features, t.result->runs[0].split, params, 1, 1));
    const gpri_net *net = trainer->net;
    for (int i = 0; i < net->weight_count; i++) {
        if (strcmp(net->weights[i].name, GPRI_TREES_COLUMNS) != 0) continue;
        assert_ok(gpri_forest_check(net, net->values));
        for (int64_t k = 0; k < WIDE; k++) {
            const gpri_real kept = net->weights[i].value[k];
            assert_true((double)kept == (double)k);
            net->weights[i].value[k] += 1;
            assert_fails(gpri_forest_check(net, net->values), GPR_ERROR_FORMAT, "weight trees.columns: number");
            net->weights[i].value[k] = kept;
        }
    }
    assert_ok(gpri_forest_check(net, net->values));
    gpri_trainer_free(trainer);
    gpri_preparation_forget(&prepared);
    training_free(&t);
    gpr_params_free((gpr_params *)(uintptr_t)params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A refit has as many rounds as the best run, and its model is read again. */
static void refitted(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_data(ctx, 3, false);
    training t = train(ctx, data, TREES("epochs", "30", "refit", "yes"));
    const int64_t rounds = t.result->runs[0].info.best_epoch;
    float proba[NODES * 3], again[NODES * 3];
    gpr_model *loaded;
    void *bytes;
    size_t size;
    assert_int_equal(tensor_of(t.model, "trees.split")->rows, 3 * rounds);
    assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, t.model));
    assert_ok(gpr_model_from_bytes(ctx, &loaded, bytes, size));
    assert_ok(gpr_predict(ctx, t.model, data, NULL, proba));
    assert_ok(gpr_predict(ctx, loaded, data, NULL, again));
    assert_memory_equal(proba, again, sizeof proba);
    gpr_model_free(loaded);
    gpr_bytes_free(ctx, bytes);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* What a file says is believed only where it can be walked. */
static void damaged(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_data(ctx, 2, false);
    training t = train(ctx, data, TREES("epochs", "3", "depth", "2"));
    const int64_t columns = 3 * 4 + 3 + gpri_label_count_columns(2, 1);
    const struct {
        const char *tensor;
        int64_t number;
        float value;
        const char *message; /* NULL: it is none the worse */
    } cases[] = {{"trees.split", 0, (float)(columns + 1), "tree 0, node 0: it asks about column"},
                 {"trees.split", 0, (float)-(columns + 1), "tree 0, node 0: it asks about column"},
                 {"trees.split", 0, 0.5f, "column 0.5"},
                 {"trees.split", 6, 1, "node 6: it has children below the depth of 2"},
                 {"trees.split", 2 * 7 + 3, 1, "tree 2, node 3"},
                 {"trees.split", 1, (float)columns, NULL},
                 {"trees.value", 0, 1e30f, NULL},
                 {"trees.columns", 1, 0, "trees.columns: number 1 is 0"},
                 {"trees.columns", 2, 3, "trees.columns: number 2 is 3"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpri_tensor *tensor = (gpri_tensor *)(uintptr_t)tensor_of(t.model, cases[i].tensor);
        const float kept = tensor->values[cases[i].number];
        float proba[NODES * 2];
        gpr_model *loaded = NULL;
        void *bytes;
        size_t size;
        tensor->values[cases[i].number] = cases[i].value;
        assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, t.model));
        if (cases[i].message) {
            assert_fails(gpr_model_from_bytes(ctx, &loaded, bytes, size), GPR_ERROR_FORMAT, cases[i].message);
        } else {
            assert_ok(gpr_model_from_bytes(ctx, &loaded, bytes, size));
            assert_ok(gpr_predict(ctx, loaded, data, NULL, proba));
        }
        gpr_model_free(loaded);
        gpr_bytes_free(ctx, bytes);
        tensor->values[cases[i].number] = kept;
    }
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Labels that nothing tells: the test nodes stay at chance, though known labels are columns, and the training nodes are
   learned by heart. */
static void no_leak(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    enum { MANY = 3000 };
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_csbm(ctx, MANY, 8, 0.5);
    gpri_random draw = gpri_random_of(8, GPRI_RANDOM_TEST, 0, 0);
    for (int i = 0; i < MANY; i++) data->target.labels[i] = (int32_t)gpri_uniform_below(draw, (uint64_t)i, 2);
    training t = train(ctx, data, TREES("epochs", "30", "stopping", "none", "lr", "0.3", "depth", "4"));
    const gpr_run_info *info = &t.result->runs[0].info;
    const gpri_epoch *last = &t.result->runs[0].history[info->epochs];
    const double error = 100 * sqrt(0.25 / (MANY / 4.0)); /* of an accuracy of 750 nodes: 1.8 */
    assert_true(last->train_accuracy > 80);
    assert_true(fabs(last->val_accuracy - 50) < 4 * error);
    assert_true(fabs(last->test_accuracy - 50) < 4 * error);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Weights of classes reach XGBoost: a class of great weight is predicted more often. */
static void weighted(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_data(ctx, 2, true);
    const char path[] = "trees_weights.csv";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("0,1\n1,20\n", file);
    fclose(file);
    int64_t ones[2] = {0, 0};
    for (int w = 0; w < 2; w++) {
        training t = train(ctx, data, TREES("epochs", "10", "stopping", "none", "class-weight", w ? path : "none"));
        int32_t predicted[NODES];
        assert_ok(gpr_predict(ctx, t.model, data, predicted, NULL));
        for (int i = 0; i < NODES; i++) ones[w] += predicted[i] == 1;
        training_free(&t);
    }
    remove(path);
    assert_true(ones[1] > ones[0]);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The expected score and the shares of all columns are the score, and the lead; a prediction agrees. */
static void explained(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    gpr_ctx *ctx = new_ctx(1);
    for (int64_t classes = 2; classes <= 3; classes++) {
        gpr_dataset *data = new_data(ctx, classes, false);
        training t = train(ctx, data, TREES("epochs", "20", "stopping", "none"));
        float z[NODES * 3];
        const int64_t nodes[] = {0, 7, 39};
        const gpr_explain_options all = {.struct_size = sizeof all, .class_id = -1, .top = 1000};
        gpr_explanation *why;
        assert_ok(gpr_predict_logits(ctx, t.model, data, z));
        assert_ok(gpr_explanation_new(ctx, &why, t.model, data, nodes, 3, &all));
        for (int k = 0; k < 3; k++) {
            gpr_explanation_info info = {.struct_size = sizeof info};
            assert_ok(gpr_explanation_describe(why, k, &info));
            assert_int_equal(info.exact, 2);
            double score = info.bias_score, lead = info.bias_lead;
            for (int64_t r = 0; r < info.listed_columns; r++) {
                gpr_explained_column column = {.struct_size = sizeof column};
                assert_ok(gpr_explanation_column(why, k, r, &column));
                assert_non_null(column.name);
                score += column.score, lead += column.lead;
            }
            const float *own = z + nodes[k] * classes;
            assert_near("score", nodes[k], score, (double)own[info.class_id]);
            assert_near("lead", nodes[k], lead, (double)own[info.class_id] - (double)own[info.rival]);
            assert_true(info.listed_columns == info.columns && info.columns > 0);
        }
        gpr_explanation_free(why);
        training_free(&t);
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

static void refusals(void **state) {
    (void)state;
    NEEDS_XGBOOST();
    static const struct {
        const char *name, *value, *message;
    } cases[] = {{"hidden", "8", "the model trees has no option 'hidden'"},
                 {"label-input", "yes", "the model trees has no option 'label-input'"},
                 {"optimizer", "adam", "the model trees has no option 'optimizer'"},
                 {"depth", "13", "[1, 12]"},
                 {"row-share", "0", "(0, 1]"}};
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_data(ctx, 2, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpr_params *params = new_params(ctx, OPTIONS("model", "trees"));
        gpr_status status = gpr_params_set(params, cases[i].name, cases[i].value);
        if (status == GPR_OK) status = gpr_train(ctx, &(gpr_model *){NULL}, &(gpr_result *){NULL}, data, params);
        assert_fails(status, GPR_ERROR_ARGUMENT, cases[i].message);
        gpr_params_free(params);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walked),   cmocka_unit_test(checked),         cmocka_unit_test(columns),
        cmocka_unit_test(sparse),   cmocka_unit_test(as_xgboost),      cmocka_unit_test(trained),
        cmocka_unit_test(resumed),  cmocka_unit_test(refitted),        cmocka_unit_test(damaged),
        cmocka_unit_test(no_leak),  cmocka_unit_test(weighted),        cmocka_unit_test(explained),
        cmocka_unit_test(refusals), cmocka_unit_test(columns_of_state)};
    return cmocka_run_group_tests_name("trees", tests, NULL, NULL);
}
