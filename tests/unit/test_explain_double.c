/* explain/: the parts of a score add up to it and agree with a dense computation; gradients against differences;
 * columns that are dealt out anew; threads and failing memory. In double precision, for the differences. */
#include <math.h>

#include "explain/importance.h"
#include "failing_memory.h"
#include "world.h"

static const char *const options_of[][5] = {
    {"model", "gprgnn", NULL},
    {"model", "appnp", NULL},
    {"model", "sgc", NULL},
    {"model", "gprgnn", "K", "0", NULL},
    {"model", "gprgnn", "K", "3", NULL},
};
enum { MODELS = sizeof options_of / sizeof *options_of };

static gpr_explanation_info info_of(const gpr_explanation *explanation, int64_t index) {
    gpr_explanation_info info = {.struct_size = sizeof info};
    assert_ok(gpr_explanation_describe(explanation, index, &info));
    return info;
}

static const double *series_of(const gpr_explanation *explanation, int64_t index, const char *what, int64_t wanted) {
    const double *values;
    int64_t count;
    assert_ok(gpr_explanation_series(explanation, index, what, &values, &count));
    assert_int_equal(count, wanted);
    return values;
}

static gpr_explained_node node_of(const gpr_explanation *explanation, int64_t index, int64_t rank) {
    gpr_explained_node node = {.struct_size = sizeof node};
    assert_ok(gpr_explanation_node(explanation, index, rank, &node));
    return node;
}

static gpr_explained_column column_of(const gpr_explanation *explanation, int64_t index, int64_t rank) {
    gpr_explained_column column = {.struct_size = sizeof column};
    assert_ok(gpr_explanation_column(explanation, index, rank, &column));
    return column;
}

static void near(const char *what, double got, double want, double most) {
    if (!(fabs(got - want) <= most)) fail_msg("%s: %.12g, not %.12g", what, got, want);
}

/* H (nodes x CLASSES) in double from the weights of the model. */
static void hidden_of(const world *w, const gpr_model *model, double *h) {
    const bool sgc = strcmp(gpr_model_name(model), "sgc") == 0;
    const gpri_tensor *first = tensor_of(model, sgc ? "conv1.lin.weight" : "lin1.weight");
    for (int64_t i = 0; i < w->nodes; i++) {
        double middle[HIDDEN];
        for (int64_t u = 0; u < first->cols; u++) {
            double sum = sgc ? 0 : (double)tensor_of(model, "lin1.bias")->values[u];
            for (int64_t f = 0; f < FEATURES; f++)
                sum += (double)w->x[i * FEATURES + f] * (double)first->values[f * first->cols + u];
            if (sgc) h[i * CLASSES + u] = sum;
            else middle[u] = fmax(sum, 0);
        }
        for (int64_t c = 0; !sgc && c < CLASSES; c++) {
            h[i * CLASSES + c] = (double)tensor_of(model, "lin2.bias")->values[c];
            for (int64_t u = 0; u < HIDDEN; u++)
                h[i * CLASSES + c] += middle[u] * (double)tensor_of(model, "lin2.weight")->values[u * CLASSES + c];
        }
    }
}

/* One explained node against powers of the dense A~. */
static void check_node(const world *w, const gpr_model *model, const gpr_explanation *explanation, int64_t index,
                       const double *a, const double *h) {
    int64_t count;
    const gpr_explanation_info info = info_of(explanation, index);
    const float *gamma = gpr_model_gamma(model, &count);
    const double *hops = series_of(explanation, index, "hops", count);
    const double *hops_lead = series_of(explanation, index, "hops_lead", count);
    double row[NODES] = {0}, next[NODES], weight[NODES] = {0};
    double score = info.bias_score + info.labels_score, lead = info.bias_lead + info.labels_lead;
    int64_t distance[NODES], reached = 0;
    for (int i = 0; i < NODES; i++) distance[i] = -1;
    row[info.node] = 1;
    for (int64_t k = 0; k < count; k++) {
        double hop = 0, hop_lead = 0;
        for (int64_t j = 0; j < w->nodes; j++) {
            const double part = (double)gamma[k] * row[j];
            if (row[j] != 0 && distance[j] < 0) distance[j] = k;
            weight[j] += part;
            hop += part * h[j * CLASSES + info.class_id];
            hop_lead += part * (h[j * CLASSES + info.class_id] - h[j * CLASSES + info.rival]);
        }
        near("a hop", hops[k], hop, 1e-12);
        near("the lead of a hop", hops_lead[k], hop_lead, 1e-12);
        score += hops[k];
        lead += hops_lead[k];
        for (int64_t j = 0; j < w->nodes; j++) {
            next[j] = 0;
            for (int64_t i = 0; i < w->nodes; i++) next[j] += row[i] * a[i * w->nodes + j];
        }
        memcpy(row, next, sizeof row);
    }
    near("the sum of all hops", score, info.score, 1e-12);
    near("the lead of all hops", lead, info.lead, 1e-12);
    for (int64_t j = 0; j < w->nodes; j++) reached += distance[j] > 0;
    assert_int_equal(info.reached, reached);
    near("its own weight", info.own_weight, weight[info.node], 1e-12);
    score = info.bias_score + info.labels_score + info.own_score + info.others_score;
    lead = info.bias_lead + info.labels_lead + info.own_lead + info.others_lead;
    double before = INFINITY;
    for (int64_t r = 0; r < info.listed; r++) {
        const gpr_explained_node node = node_of(explanation, index, r);
        near("a weight", node.weight, weight[node.node], 1e-12);
        near("a part", node.score, weight[node.node] * h[node.node * CLASSES + info.class_id], 1e-12);
        assert_int_equal(node.distance, distance[node.node]);
        assert_int_equal(node.label, node.node % CLASSES);
        assert_true(node.node != info.node && fabs(node.lead) <= before);
        before = fabs(node.lead);
        score += node.score;
        lead += node.lead;
    }
    near("the sum of all nodes", score, info.score, 1e-12);
    near("the lead of all nodes", lead, info.lead, 1e-12);
    const double *rings = series_of(explanation, index, "rings", count);
    const double *sizes = series_of(explanation, index, "ring_nodes", count);
    double ring = 0, members = 0;
    for (int64_t d = 0; d < count; d++) ring += rings[d], members += sizes[d];
    near("the sum of all rings", ring + info.bias_score + info.labels_score, info.score, 1e-12);
    assert_true(members == (double)(reached + 1) && sizes[0] == 1);
}

/* All models, dense and sparse features, weights of edges, nodes without edges, K = 0, long and short lists. */
static void test_parts(void **state) {
    gpr_ctx *ctx = *state;
    static double a[NODES * NODES], h[NODES * CLASSES];
    static const int kinds[] = {DENSE, SPARSE, WEIGHTED, WEIGHTED | SPARSE};
    const int64_t nodes[] = {0, 17, 50, NODES - 6, NODES - 1}; /* the last has no edge */
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        world w;
        world_new(&w, kinds[k], NODES, NODES - 5);
        gpr_dataset *data = dataset_of(ctx, &w, kinds[k]);
        dense_graph(&w, a);
        for (int m = 0; m < MODELS; m++)
            for (int64_t class_id = -1; class_id < CLASSES; class_id++) {
                gpr_explanation *explanation;
                gpr_model *model = model_of(ctx, &w, options_of[m]);
                double z[NODES * CLASSES];
                draw_biases(model);
                hidden_of(&w, model, h);
                scores_of(ctx, model, data, z);
                const gpr_explain_options options = {
                    .struct_size = sizeof options, .class_id = class_id, .top = class_id == 1 ? NODES : 0};
                assert_ok(gpr_explanation_new(ctx, &explanation, model, data, nodes, 5, &options));
                for (int64_t i = 0; i < 5; i++) {
                    const gpr_explanation_info info = info_of(explanation, i);
                    const double *row = z + nodes[i] * CLASSES;
                    assert_int_equal(info.node, nodes[i]);
                    assert_int_equal(info.label, nodes[i] % CLASSES);
                    for (int c = 0; c < CLASSES; c++) {
                        assert_true(row[c] <= row[info.predicted]);
                        assert_true(c == info.class_id || row[c] <= row[info.rival]);
                    }
                    assert_int_equal(info.class_id, class_id < 0 ? info.predicted : class_id);
                    near("the score", info.score, row[info.class_id], 1e-12);
                    near("the probability", info.probability,
                         exp(row[info.class_id]) / (exp(row[0]) + exp(row[1]) + exp(row[2])), 1e-12);
                    check_node(&w, model, explanation, i, a, h);
                }
                assert_int_equal(info_of(explanation, 4).reached, 0);
                gpr_explanation_free(explanation);
                gpr_model_free(model);
            }
        gpr_dataset_free(data);
    }
}

/* Counts of known labels come after the filter: a part of their own. */
static void test_label_counts(void **state) {
    gpr_ctx *ctx = *state;
    static const char *const with_counts[] = {"model", "gprgnn", "label-counts", "yes", NULL};
    static double a[NODES * NODES], h[NODES * CLASSES];
    const int64_t nodes[] = {0, 17, 50};
    const gpr_explain_options options = {.struct_size = sizeof options, .class_id = -1};
    gpr_explanation *explanation;
    world w;
    world_new(&w, WEIGHTED, NODES, NODES - 5);
    gpr_dataset *data = dataset_of(ctx, &w, WEIGHTED);
    gpr_model *model = model_of(ctx, &w, with_counts);
    const gpri_tensor *counts = tensor_of(model, "counts.weight");
    for (int64_t i = 0; i < counts->rows * counts->cols; i++) counts->values[i] = (float)(i % 7) - 2.5F;
    dense_graph(&w, a);
    hidden_of(&w, model, h);
    assert_ok(gpr_explanation_new(ctx, &explanation, model, data, nodes, 3, &options));
    for (int64_t i = 0; i < 3; i++) {
        assert_true(fabs(info_of(explanation, i).labels_lead) > 0.1);
        check_node(&w, model, explanation, i, a, h);
    }
    gpr_explanation_free(explanation);
    gpr_model_free(model);
    gpr_dataset_free(data);
}

/* The score of a node if one of its features is changed. */
static double score_with(gpr_ctx *ctx, const gpr_model *model, world *w, int kind, int64_t node, int64_t feature,
                         float change, int64_t class_id) {
    gpr_explanation *explanation;
    float *x = &w->x[node * FEATURES + feature], before = *x;
    *x += change;
    gpr_dataset *data = dataset_of(ctx, w, kind);
    *x = before;
    const gpr_explain_options options = {.struct_size = sizeof options, .class_id = class_id};
    assert_ok(gpr_explanation_new(ctx, &explanation, model, data, &node, 1, &options));
    const double score = info_of(explanation, 0).score;
    gpr_explanation_free(explanation);
    gpr_dataset_free(data);
    return score;
}

/* Gradient times input against differences of the score and of the rival's. */
static void test_columns(void **state) {
    gpr_ctx *ctx = *state;
    for (int kind = DENSE; kind <= SPARSE; kind++)
        for (int m = 0; m < 3; m++) {
            world w;
            const int64_t node = 23;
            int64_t filled = 0;
            double score = 0, lead = 0;
            world_new(&w, kind, NODES, NODES - 5);
            gpr_dataset *data = dataset_of(ctx, &w, kind);
            gpr_model *model = model_of(ctx, &w, options_of[m]);
            gpr_explanation *explanation;
            const gpr_explain_options options = {.struct_size = sizeof options, .class_id = -1, .top = FEATURES};
            assert_ok(gpr_explanation_new(ctx, &explanation, model, data, &node, 1, &options));
            const gpr_explanation_info info = info_of(explanation, 0);
            for (int64_t f = 0; f < FEATURES; f++) filled += w.x[node * FEATURES + f] != 0;
            assert_int_equal(info.columns, filled);
            assert_int_equal(info.listed_columns, filled);
            for (int64_t r = 0; r < filled; r++) {
                const gpr_explained_column column = column_of(explanation, 0, r);
                const float step = 0x1p-12f;
                double slope[2];
                for (int who = 0; who < 2; who++) {
                    const int64_t c = who ? info.rival : info.class_id;
                    const float x = w.x[node * FEATURES + column.feature];
                    const double up = (double)(x + step) - (double)x, down = (double)x - (double)(x - step);
                    slope[who] = (score_with(ctx, model, &w, kind, node, column.feature, step, c) -
                                  score_with(ctx, model, &w, kind, node, column.feature, -step, c)) /
                                 (up + down);
                }
                near("an input", column.input, (double)w.x[node * FEATURES + column.feature], 0);
                near("a value", column.value, column.input, 0);
                near("gradient times input", column.score, column.input * slope[0], 1e-7);
                near("that of the lead", column.lead, column.input * (slope[0] - slope[1]), 1e-7);
                score += column.score;
                lead += column.lead;
            }
            near("the sum of the columns", info.columns_score, score, 1e-12);
            near("the lead of the columns", info.columns_lead, lead, 1e-12);
            if (m == 2) /* sgc is linear: all that the node itself gave */
                near("the sum of the columns", info.columns_score, info.own_score, 1e-12);
            gpr_explanation_free(explanation);
            gpr_model_free(model);
            gpr_dataset_free(data);
        }
}

static void test_wrong(void **state) {
    gpr_ctx *ctx = *state;
    world w;
    gpr_explanation *explanation;
    gpr_explained_node node = {.struct_size = sizeof node};
    gpr_explained_column column = {.struct_size = sizeof column};
    gpr_explanation_info info = {.struct_size = sizeof info};
    const double *values;
    const int64_t nodes[] = {3, NODES};
    world_new(&w, DENSE, NODES, NODES - 5);
    gpr_dataset *data = dataset_of(ctx, &w, DENSE);
    gpr_model *other = model_of(ctx, &w, (const char *const[]){"model", "gcn", NULL});
    gpr_model *model = model_of(ctx, &w, options_of[0]);
    gpr_explain_options options = {.struct_size = sizeof options, .class_id = CLASSES};
    assert_fails(gpr_explanation_new(ctx, &explanation, other, data, nodes, 1, NULL), GPR_ERROR_ARGUMENT,
                 "the scores of gcn are no sum over nodes and hops");
    assert_fails(gpr_explanation_new(ctx, &explanation, model, data, nodes, 2, NULL), GPR_ERROR_ARGUMENT,
                 "node 90 is not in [0, 90)");
    assert_fails(gpr_explanation_new(ctx, &explanation, model, data, nodes, 0, NULL), GPR_ERROR_ARGUMENT, "no node");
    assert_fails(gpr_explanation_new(ctx, &explanation, model, data, nodes, 1, &options), GPR_ERROR_ARGUMENT,
                 "class_id is 3");
    assert_null(explanation);
    assert_ok(gpr_explanation_new(ctx, &explanation, model, data, nodes, 1, NULL));
    assert_fails(gpr_explanation_describe(explanation, 1, &info), GPR_ERROR_ARGUMENT, "index 1 is not in [0, 1)");
    assert_fails(gpr_explanation_node(explanation, 0, 10, &node), GPR_ERROR_ARGUMENT, "rank 10 is not in [0, 10)");
    assert_fails(gpr_explanation_column(explanation, 0, -1, &column), GPR_ERROR_ARGUMENT, "rank -1");
    assert_fails(gpr_explanation_series(explanation, 0, "hop", &values, NULL), GPR_ERROR_ARGUMENT, "'hops'");
    gpr_explanation_free(explanation);
    gpr_model_free(model);
    gpr_model_free(other);
    gpr_dataset_free(data);
}

/* ---- importance ---- */

/* Features of one column move between rows, all others stay; dense and sparse features agree. */
static void test_permuted(void **state) {
    gpr_ctx *ctx = *state;
    static const char *const texts[] = {"age", "job=clerk", "job=none", "job", "town=a", "pay"};
    enum { ROWS = 4, COLS = 6 };
    const float x[ROWS * COLS] = {1, 2, 0, 3, 0, 4, 0, 0, 5, 0, 6, 0, 7, 8, 9, 0, 0, 1, 0, 2, 0, 0, 3, 0};
    const int32_t order[ROWS] = {2, 0, 3, 1};
    gpri_names names;
    gpri_columns columns;
    assert_ok(gpri_names_copy(ctx, &names, texts, COLS));
    assert_ok(gpri_columns_find(ctx, &columns, &names, COLS));
    assert_int_equal(columns.count, 5);
    assert_int_equal(columns.size[1], 2);
    for (int64_t c = 0; c < columns.count; c++) {
        static const char *const wanted[] = {"age", "job", "job", "town=a", "pay"};
        gpri_real dense[ROWS * COLS], moved[ROWS * COLS];
        int64_t rowptr[ROWS + 1] = {0}, moved_rowptr[ROWS + 1];
        int32_t column[ROWS * COLS], moved_column[ROWS * COLS];
        gpri_real value[ROWS * COLS], moved_value[ROWS * COLS];
        char *name;
        int64_t count = 0;
        assert_ok(gpri_columns_name(ctx, &name, &columns, &names, c));
        assert_string_equal(name, wanted[c]);
        gpri_free(ctx, name);
        for (int k = 0; k < ROWS * COLS; k++) {
            dense[k] = moved[k] = (gpri_real)x[k];
            if (x[k] != 0) column[count] = k % COLS, value[count++] = (gpri_real)x[k];
            if (k % COLS == COLS - 1) rowptr[k / COLS + 1] = count;
        }
        gpri_features from = {.rows = ROWS, .cols = COLS, .dense = dense, .ld = COLS}, to = from;
        to.dense = moved;
        gpri_permute_column(&to, &from, &columns, c, order);
        gpri_features sparse = {.rows = ROWS, .cols = COLS, .rowptr = rowptr, .column = column, .value = value};
        gpri_features other = {
            .rows = ROWS, .cols = COLS, .rowptr = moved_rowptr, .column = moved_column, .value = moved_value};
        gpri_permute_column(&other, &sparse, &columns, c, order);
        assert_int_equal(moved_rowptr[ROWS], count);
        for (int i = 0; i < ROWS; i++) {
            gpri_real row[COLS] = {0};
            for (int64_t k = moved_rowptr[i]; k < moved_rowptr[i + 1]; k++) {
                assert_true(k == moved_rowptr[i] || moved_column[k - 1] < moved_column[k]);
                row[moved_column[k]] = moved_value[k];
            }
            for (int f = 0; f < COLS; f++) {
                const int source = columns.column_of[f] == c ? order[i] : i;
                assert_true(moved[i * COLS + f] == (gpri_real)x[source * COLS + f]);
                assert_true(row[f] == moved[i * COLS + f]);
            }
        }
    }
    gpri_columns_free(ctx, &columns);
    gpri_names_free(ctx, &names);
}

static gpr_importance_info summary_of(const gpr_importance *importance) {
    gpr_importance_info info = {.struct_size = sizeof info};
    assert_ok(gpr_importance_describe(importance, &info));
    return info;
}

static gpr_important_column important(const gpr_importance *importance, int64_t rank) {
    gpr_important_column column = {.struct_size = sizeof column};
    assert_ok(gpr_importance_column(importance, rank, &column));
    return column;
}

static int stop_at(void *user, int64_t done, int64_t passes) {
    assert_true(done <= passes);
    return done == *(int64_t *)user;
}

/* A dataset whose classes are column 1, and nothing else. */
static gpr_dataset *told_by_one(gpr_ctx *ctx, world *w) {
    gpr_dataset *data;
    int32_t labels[NODES];
    world_new(w, DENSE, NODES, NODES);
    for (int64_t i = 0; i < NODES; i++) {
        labels[i] = (int32_t)(i * 7 % CLASSES);
        w->x[i * FEATURES + 1] = (float)(4 * labels[i]);
    }
    gpr_dataset_desc desc = world_desc(w, labels);
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true;
    return data;
}

/* All models run; for mlp the column that tells the class is first, also by its gradient alone; the model is judged as
   a prediction is; columns that were finished before a stop are there. */
static void test_importance(void **state) {
    gpr_ctx *ctx = *state;
    char words[MOST_MODELS][16];
    const int count = model_words(words);
    world w;
    gpr_dataset *data = told_by_one(ctx, &w);
    for (int m = 0; m < count; m++) {
        const char *all[20];
        gpr_importance *importance, *few;
        const char *json;
        int32_t classes[NODES];
        int64_t right = 0, nodes = 0, at = 12;
        training t = train(ctx, data, options_for(all, words[m], OPTIONS("epochs", "60", "dropout", "0", "K", "1")));
        const gpr_split *split = gpr_result_split(t.result);
        assert_ok(gpr_importance_new(ctx, &importance, t.model, data, split, NULL));
        const gpr_importance_info info = summary_of(importance);
        assert_ok(gpr_predict(ctx, t.model, data, classes, NULL));
        for (int64_t i = 0; i < NODES; i++) {
            if (split->part[i] != GPR_TEST) continue;
            right += classes[i] == data->target.labels[i];
            nodes++;
        }
        assert_int_equal(info.nodes, nodes);
        assert_int_equal(info.tried, FEATURES);
        near("the accuracy", info.accuracy, 100.0 * (double)right / (double)nodes, 1e-9);
        int64_t place = -1;
        for (int64_t r = 0; r < info.tried; r++) {
            if (important(importance, r).feature == 1) place = r;
            if (r > 0)
                assert_true(important(importance, r - 1).accuracy_drop >= important(importance, r).accuracy_drop);
        }
        if (strcmp(words[m], "mlp") == 0) assert_int_equal(place, 0);
        const gpr_importance_options options = {.struct_size = sizeof options, .most = 3, .repeats = 2};
        assert_ok(gpr_importance_new(ctx, &few, t.model, data, NULL, &options));
        assert_int_equal(summary_of(few).tried, 3);
        assert_int_equal(summary_of(few).nodes, NODES);
        if (strcmp(words[m], "mlp") == 0) assert_int_equal(important(few, 0).feature, 1);
        assert_ok(gpr_importance_json(ctx, few, &json));
        assert_non_null(strstr(json, "\"tried\": 3"));
        gpr_importance_free(few);
        gpr_importance_options stopped = {.struct_size = sizeof stopped, .progress = stop_at, .user = &at};
        assert_int_equal(gpr_importance_new(ctx, &few, t.model, data, split, &stopped), GPR_STOPPED);
        assert_int_equal(summary_of(few).tried, 2); /* of 5 repeats each */
        for (int64_t r = 0; r < 2; r++)
            for (int64_t o = 0; o < FEATURES; o++)
                if (important(few, r).feature == important(importance, o).feature)
                    near("the same column", important(few, r).loss_rise, important(importance, o).loss_rise, 0);
        gpr_importance_free(few);
        at = 4;
        assert_fails(gpr_importance_new(ctx, &few, t.model, data, split, &stopped), GPR_ERROR_STOPPED, "stopped");
        gpr_importance_free(importance);
        training_free(&t);
    }
    gpr_dataset_free(data);
}

/* ---- threads and memory ---- */

static void test_threads(void **state) {
    (void)state;
    char *first[2] = {NULL};
    for (int step = 0; step < 6; step++) {
        const int deep = step % 2, threads = 1 + step / 2 * 2;
        gpr_ctx *ctx = new_ctx(threads);
        gpr_explanation *explanation;
        gpr_importance *importance;
        const char *json, *columns;
        const int64_t nodes[] = {5, 9999};
        char *both;
        gpr_dataset *data = new_csbm(ctx, 10000, 8, 0.5);
        training t = train(ctx, data,
                           deep ? OPTIONS("model", "gprdeep", "epochs", "2", "K", "2", "hidden", "8")
                                : OPTIONS("epochs", "2", "K", "6"));
        assert_ok(gpr_explanation_new(ctx, &explanation, t.model, data, nodes, 2, NULL));
        assert_ok(gpr_explanation_json(ctx, explanation, &json));
        const gpr_importance_options options = {.struct_size = sizeof options, .most = 2, .repeats = 2};
        assert_ok(gpr_importance_new(ctx, &importance, t.model, data, NULL, &options));
        assert_ok(gpr_importance_json(ctx, importance, &columns));
        both = malloc(strlen(json) + strlen(columns) + 1);
        assert_non_null(both);
        strcat(strcpy(both, json), columns);
        if (!first[deep]) first[deep] = strdup(both);
        assert_string_equal(first[deep], both);
        free(both);
        gpr_explanation_free(explanation);
        gpr_importance_free(importance);
        training_free(&t);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
    free(first[0]);
    free(first[1]);
}

typedef struct {
    const gpr_model *model;
    const gpr_dataset *data;
} material;

static gpr_status trial(gpr_ctx *ctx, void *arg) {
    const material *m = arg;
    gpr_explanation *explanation = NULL;
    gpr_importance *importance = NULL;
    const char *json;
    const int64_t nodes[] = {1, 2};
    const gpr_importance_options options = {.struct_size = sizeof options, .most = 2, .repeats = 1};
    gpr_status status = gpr_explanation_new(ctx, &explanation, m->model, m->data, nodes, 2, NULL);
    if (status == GPR_OK) status = gpr_explanation_json(ctx, explanation, &json);
    if (status == GPR_OK) status = gpr_importance_new(ctx, &importance, m->model, m->data, NULL, &options);
    if (status == GPR_OK) status = gpr_importance_json(ctx, importance, &json);
    gpr_explanation_free(explanation);
    gpr_importance_free(importance);
    return status;
}

static void test_memory(void **state) {
    gpr_ctx *ctx = *state;
    for (int step = 0; step < 3; step++) {
        const int kind = step == 1 ? SPARSE : DENSE;
        world w;
        gpr_model *model;
        static const char *const ids[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
        const char *names[FEATURES];
        int32_t labels[10] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
        for (int f = 0; f < FEATURES; f++) names[f] = f % 2 ? "x" : "y=1";
        world_new(&w, kind, NODES, 10);
        gpr_dataset_desc desc = world_desc(&w, labels);
        desc.nodes = 10;
        desc.node_ids = ids;
        desc.feature_names = names;
        gpr_dataset *data;
        assert_ok(gpr_dataset_new(ctx, &data, &desc));
        data->generated = true;
        training t = train(ctx, data, OPTIONS("epochs", "2", "K", "2", "model", step == 2 ? "gprdeep" : "gprgnn"));
        model = t.model;
        fail_every_allocation(trial, &(material){model, data});
        training_free(&t);
        gpr_dataset_free(data);
    }
}

static int set_up(void **state) {
    *state = new_ctx(2);
    return 0;
}

static int tear_down(void **state) {
    gpr_ctx_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),   cmocka_unit_test(test_label_counts), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_wrong),   cmocka_unit_test(test_permuted),     cmocka_unit_test(test_importance),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
