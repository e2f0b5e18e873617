/* What a model remembers of its training: on the data of the training, found by graph and features or by ids, it uses
 * the labels that it was trained with; elsewhere those of the data, and says so where there are none. */
#include <math.h>

#include "label_data.h"
#include "model/known.h"
#include "training.h"

enum { NODES = 240, MORE = 20 };

static char warning[4096]; /* all that came */

static void keep_warnings(void *user, gpr_log_level level, const char *line) {
    const size_t at = strlen(warning);
    (void)user;
    if (level == GPR_LOG_WARNING) snprintf(warning + at, sizeof warning - at, "%s\n", line);
}

static gpr_ctx *warning_ctx(void) {
    gpr_ctx *ctx = NULL;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .log = keep_warnings};
    assert_ok(gpr_ctx_new(&ctx, &options));
    return ctx;
}

static const char *const ways[][7] = {{"label-input", "yes", NULL},
                                      {"label-counts", "yes", NULL},
                                      {"smooth", "yes", NULL},
                                      {"label-input", "yes", "label-counts", "yes", "smooth", "yes", NULL}};
enum { WAYS = sizeof ways / sizeof *ways };

static training train_way(gpr_ctx *ctx, const gpr_dataset *data, const char *const *way) {
    gpr_params *params =
        new_params(ctx, OPTIONS("hidden", "8", "K", "4", "lr", "0.05", "epochs", "30", "split", "60/20/20"));
    training t;
    for (; way[0]; way += 2) assert_ok(gpr_params_set(params, way[0], way[1]));
    t.status = gpr_train(ctx, &t.model, &t.result, data, params);
    assert_ok(t.status);
    gpr_params_free(params);
    return t;
}

/* A graph by `of`, its nodes in another order: node i is now order[i]; NULL: the same. Of `first` nodes, the others are
   left out. id: what comes before the number of a node in its id, from 1 on; NULL: no ids. labels: NULL: none. */
typedef struct {
    const gpr_dataset *of;
    const int64_t *order;
    int64_t first;
    const char *id;
    const int32_t *labels;
} view;

static gpr_dataset *see(gpr_ctx *ctx, view v) {
    const int64_t nodes = v.first ? v.first : v.of->graph.nodes;
    static int64_t src[8 * (NODES + MORE)], dst[8 * (NODES + MORE)];
    static float table[(NODES + MORE) * FEATURES];
    static char names[NODES + MORE][24];
    static const char *ids[NODES + MORE];
    static int32_t labels[NODES + MORE];
    int64_t edges = 0;
    for (int64_t i = 0; i < nodes; i++) {
        const int64_t to = v.order ? v.order[i] : i;
        for (int64_t k = v.of->graph.rowptr[i]; k < v.of->graph.rowptr[i + 1]; k++) {
            const int64_t j = v.of->graph.column[k];
            if (j >= nodes || j < i) continue;
            src[edges] = to, dst[edges++] = v.order ? v.order[j] : j;
        }
        memcpy(table + to * FEATURES, v.of->features.dense + i * FEATURES, FEATURES * sizeof *table);
        if (v.id) snprintf(names[to], sizeof names[to], "%s%lld", v.id, (long long)i + 1);
        ids[to] = names[to];
        labels[to] = v.labels ? v.labels[i] : -1;
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "seen",
                             .nodes = nodes,
                             .edges = edges,
                             .src = src,
                             .dst = dst,
                             .features = FEATURES,
                             .dense = table,
                             .labels = v.labels ? labels : NULL,
                             .classes = v.labels ? CLASSES : 0,
                             .node_ids = v.id ? ids : NULL};
    gpr_dataset *data;
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true; /* what is not asked for is not chosen by the data */
    return data;
}

static void proba_of(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, float *proba) {
    int32_t classes[NODES + MORE];
    assert_ok(gpr_predict(ctx, model, data, classes, proba));
}

static gpr_model *again(gpr_ctx *ctx, const gpr_model *model) {
    void *bytes;
    size_t size;
    gpr_model *loaded;
    assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, model));
    assert_ok(gpr_model_from_bytes(ctx, &loaded, bytes, size));
    gpr_bytes_free(ctx, bytes);
    return loaded;
}

/* A fifth of the nodes has no label. */
static void draw(int32_t *by, int32_t *labels) {
    draw_labels(by, NODES + MORE, 1);
    for (int64_t i = 0; i < NODES + MORE; i++) labels[i] = i % 5 == 0 ? -1 : by[i];
}

/* The same graph and features without a label: the same bits, with the model as it is, loaded, and that of a run; and
   the same explanations. */
static void same_data(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    int32_t by[NODES + MORE], labels[NODES + MORE];
    float with[NODES * CLASSES], without[NODES * CLASSES];
    draw(by, labels);
    gpr_dataset *data = make_labelled(ctx, NODES, 0.8, by, labels), *bare = see(ctx, (view){.of = data});
    for (int w = 0; w < WAYS; w++) {
        training t = train_way(ctx, data, ways[w]);
        gpr_model *loaded = again(ctx, t.model);
        const gpr_model *const models[] = {t.model, loaded, gpr_result_model(t.result, 0)};
        const int64_t nodes[] = {0, 1, 2, 3, 4, 5};
        gpr_explanation *made[2];
        gpr_explanation_info about[2] = {{.struct_size = sizeof about[0]}, {.struct_size = sizeof about[0]}};
        proba_of(ctx, t.model, data, with);
        warning[0] = 0;
        for (int m = 0; m < 3; m++) {
            memset(without, 0, sizeof without);
            proba_of(ctx, models[m], bare, without);
            assert_memory_equal(with, without, sizeof with);
        }
        assert_string_equal(warning, "");
        for (int k = 0; k < 2; k++)
            assert_ok(gpr_explanation_new(ctx, &made[k], loaded, k ? bare : data, nodes, 6, NULL));
        for (int64_t i = 0; i < 6; i++) {
            for (int k = 0; k < 2; k++) assert_ok(gpr_explanation_describe(made[k], i, &about[k]));
            assert_true(about[0].score == about[1].score);
        }
        gpr_explanation_free(made[0]), gpr_explanation_free(made[1]);
        gpr_model_free(loaded);
        training_free(&t);
    }
    gpr_dataset_free(data), gpr_dataset_free(bare);
    gpr_ctx_free(ctx);
}

/* A label that the data brings counts: of a node that had none, and in place of the one of the training. */
static void labels_of_the_data(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    int32_t by[NODES + MORE], labels[NODES + MORE], some[NODES], known[NODES];
    draw(by, labels);
    gpr_dataset *data = make_labelled(ctx, NODES, 0.8, by, labels);
    training t = train_way(ctx, data, ways[0]);
    const uint8_t *part = t.result->runs[0].split->part;
    int64_t first = 1;
    while (part[first] != GPR_TRAIN) first++;
    for (int64_t i = 0; i < NODES; i++) some[i] = -1;
    some[0] = by[0]; /* new */
    some[first] = (labels[first] + 1) % CLASSES;
    gpr_dataset *seen = see(ctx, (view){.of = data, .labels = some});
    assert_ok(gpr_model_known_labels(ctx, t.model, seen, known));
    for (int64_t i = 0; i < NODES; i++)
        assert_int_equal(known[i], i == 0 || i == first ? some[i] : part[i] == GPR_TRAIN ? labels[i] : -1);
    gpr_dataset_free(seen), gpr_dataset_free(data);
    training_free(&t);
    gpr_ctx_free(ctx);
}

/* The worst difference between rows of the same nodes. */
static double apart(const float *a, const float *b, const int64_t *order, int64_t nodes) {
    double worst = 0;
    for (int64_t i = 0; i < nodes; i++)
        for (int64_t c = 0; c < CLASSES; c++)
            worst = fmax(worst, fabs((double)(a[i * CLASSES + c] - b[(order ? order[i] : i) * CLASSES + c])));
    return worst;
}

/* With ids: nodes in another order; more nodes than in the training; ids of other nodes. */
static void by_ids(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    int32_t by[NODES + MORE], labels[NODES + MORE], known[NODES + MORE], expected[NODES + MORE];
    float with[(NODES + MORE) * CLASSES], without[(NODES + MORE) * CLASSES];
    int64_t order[NODES + MORE];
    draw(by, labels);
    gpr_dataset *grown = make_labelled(ctx, NODES + MORE, 0.8, by, labels);
    for (int64_t i = 0; i < NODES + MORE; i++) order[i] = i < NODES ? (i * 7) % NODES : i;
    for (int numbers = 0; numbers < 2; numbers++) { /* as words, and as numbers that count the rows of the training */
        const char *id = numbers ? "" : "user ";
        gpr_dataset *data = see(ctx, (view){.of = grown, .first = NODES, .id = id, .labels = labels});
        gpr_dataset *moved = see(ctx, (view){.of = grown, .order = order, .first = NODES, .id = id});
        gpr_dataset *more = see(ctx, (view){.of = grown, .order = order, .id = id});
        training t = train_way(ctx, data, ways[3]);
        gpr_model *loaded = again(ctx, t.model);
        const uint8_t *part = t.result->runs[0].split->part;
        proba_of(ctx, loaded, data, with);
        warning[0] = 0;
        proba_of(ctx, loaded, moved, without);
        assert_true(apart(with, without, order, NODES) < 1e-4);
        assert_ok(gpr_model_known_labels(ctx, loaded, more, known));
        for (int64_t i = 0; i < NODES + MORE; i++)
            expected[order[i]] = i < NODES && part[i] == GPR_TRAIN ? labels[i] : -1;
        assert_memory_equal(known, expected, sizeof known);
        uint8_t learned[NODES + MORE]; /* the same nodes: those of the training, by whose labels it is not judged */
        assert_ok(gpr_model_learned_nodes(ctx, loaded, more, learned));
        for (int64_t i = 0; i < NODES + MORE; i++) assert_int_equal(learned[i], known[i] >= 0);
        proba_of(ctx, loaded, more, without);
        assert_string_equal(warning, "");
        gpr_dataset_free(data), gpr_dataset_free(moved), gpr_dataset_free(more);
        gpr_model_free(loaded);
        training_free(&t);
    }
    gpr_dataset_free(grown);
    gpr_ctx_free(ctx);
}

/* Rows of the same number are not the same nodes: nothing is known of other data, with a warning that says what it
   costs. */
static void never_by_rows(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    int32_t by[NODES + MORE], labels[NODES + MORE], known[NODES];
    float proba[NODES * CLASSES];
    draw(by, labels);
    gpr_dataset *graph = make_labelled(ctx, NODES, 0.8, by, labels), *other = make_labelled(ctx, NODES, 0.7, by, NULL);
    static const char *const ids[][2] = {{NULL, NULL}, {"", ""}, {"a", "b"}, {"a", NULL}};
    for (int k = 0; k < 4; k++) {
        gpr_dataset *data = see(ctx, (view){.of = graph, .id = ids[k][0], .labels = labels});
        gpr_dataset *new = see(ctx, (view){.of = other, .id = ids[k][1]});
        training t = train_way(ctx, data, ways[3]);
        const gpri_worth *worth = &t.model->worth;
        assert_string_equal(worth->measure, "accuracy");
        assert_true(worth->with > worth->without + 0.2); /* the features say nothing */
        assert_ok(gpr_model_known_labels(ctx, t.model, new, known));
        uint8_t learned[NODES];
        assert_ok(gpr_model_learned_nodes(ctx, t.model, new, learned));
        for (int64_t i = 0; i < NODES; i++) {
            assert_int_equal(known[i], -1);
            assert_int_equal(learned[i], 0);
        }
        warning[0] = 0;
        proba_of(ctx, t.model, new, proba);
        char text[160];
        snprintf(text, sizeof text, "validation nodes accuracy was %.3g with them, and %.3g without any", worth->with,
                 worth->without);
        assert_non_null(strstr(warning, "uses known labels, and gets none here: its predictions may be as bad"));
        assert_non_null(strstr(warning, text));
        t.model->worth.without = worth->with - 0.01; /* nearly as good without them: no such fear */
        warning[0] = 0;
        proba_of(ctx, t.model, new, proba);
        assert_non_null(strstr(warning, "uses known labels, and gets none here. It was trained"));
        training_free(&t);
        gpr_dataset_free(data), gpr_dataset_free(new);
    }
    gpr_dataset_free(graph), gpr_dataset_free(other);
    gpr_ctx_free(ctx);
}

/* Predictions of other data whose classes have the shares of the training, and others. Features tell the class. */
static gpr_dataset *shared_out(gpr_ctx *ctx, int64_t nodes, int64_t first, uint32_t key, bool labelled) {
    const gpri_random stream = gpri_random_of(31, GPRI_RANDOM_TEST, 0, key);
    int64_t src[400], dst[400];
    float table[800];
    int32_t labels[400];
    for (int64_t i = 0; i < nodes; i++) {
        labels[i] = (int64_t)gpri_uniform_below(stream, (uint64_t)i, 10) < first ? 0 : 1;
        src[i] = i, dst[i] = (i + 1) % nodes;
        table[2 * i] = labels[i] == 0, table[2 * i + 1] = labels[i] == 1;
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "shares",
                             .nodes = nodes,
                             .edges = nodes,
                             .src = src,
                             .dst = dst,
                             .features = 2,
                             .dense = table,
                             .labels = labelled ? labels : NULL,
                             .class_names = labelled ? (const char *const[]){"few", "many"} : NULL,
                             .classes = labelled ? 2 : 0};
    gpr_dataset *data;
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true;
    return data;
}

static void shares(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    static const char *const models[][4] = {{"model", "mlp", NULL}, {"order", "filter-first", "K", "2"}};
    gpr_dataset *data = shared_out(ctx, 400, 2, 1, true), *like = shared_out(ctx, 400, 2, 2, false),
                *unlike = shared_out(ctx, 400, 9, 3, false), *small = shared_out(ctx, 20, 9, 4, false);
    for (int m = 0; m < 2; m++) {
        gpr_params *params = new_params(ctx, OPTIONS("epochs", "60", "split", "60/20/20", "lr", "0.05"));
        training t;
        int32_t classes[400];
        gpr_predictor *predictor;
        for (int i = 0; i < 4 && models[m][i]; i += 2)
            assert_ok(gpr_params_set(params, models[m][i], models[m][i + 1]));
        assert_ok(gpr_train(ctx, &t.model, &t.result, data, params));
        gpr_model *loaded = again(ctx, t.model);
        gpr_dataset *const quiet[] = {data, like, small};
        for (int k = 0; k < 3; k++) {
            warning[0] = 0;
            assert_ok(gpr_predict(ctx, loaded, quiet[k], classes, NULL));
            assert_string_equal(warning, "");
        }
        assert_ok(gpr_predict(ctx, loaded, unlike, classes, NULL));
        if (!strstr(warning, "'few' is 8")) fail_msg("%s", warning);
        assert_non_null(strstr(warning, "of the predictions, and in the training 17.8 %"));
        warning[0] = 0;
        assert_ok(gpr_predictor_new(ctx, &predictor, loaded, unlike, NULL));
        for (int64_t first = 0; first < 400; first += 100)
            assert_ok(gpr_predictor_rows(predictor, first, 100, classes, NULL));
        assert_non_null(strstr(warning, "'few' is 8"));
        gpr_predictor_free(predictor);
        gpr_model_free(loaded);
        training_free(&t);
        gpr_params_free(params);
    }
    gpr_dataset_free(data), gpr_dataset_free(like), gpr_dataset_free(unlike), gpr_dataset_free(small);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_data), cmocka_unit_test(labels_of_the_data),
                                       cmocka_unit_test(by_ids), cmocka_unit_test(never_by_rows),
                                       cmocka_unit_test(shares)};
    return cmocka_run_group_tests_name("past", tests, NULL, NULL);
}
