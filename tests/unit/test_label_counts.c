/* Counts of neighbours' known labels: the matrix against plain loops, a node's own label, leaks in whole trainings,
 * predictions of nodes with and without a label, the model file. */
#include "tensor/label_counts.h"

#include <math.h>

#include "failing_memory.h"
#include "label_data.h"
#include "resuming.h"

/* ---- the matrix ---- */

enum { SMALL = 40, LINKS = 90, LONELY = 3 }; /* the last nodes have no edges */

typedef struct {
    double w[SMALL][SMALL]; /* 0: no edge */
    int32_t known[SMALL];
    gpri_graph graph;
} small_world;

static void small_new(small_world *s, gpr_ctx *ctx, bool weighted) {
    const gpri_random stream = gpri_random_of(41, GPRI_RANDOM_TEST, 0, weighted);
    int64_t src[LINKS], dst[LINKS];
    float weights[LINKS];
    memset(s, 0, sizeof *s);
    for (uint64_t e = 0; e < LINKS; e++) {
        const int64_t i = src[e] = (int64_t)gpri_uniform_below(stream, 3 * e, SMALL - LONELY);
        int64_t j = (int64_t)gpri_uniform_below(stream, 3 * e + 1, SMALL - LONELY);
        if (j == i) j = (i + 1) % (SMALL - LONELY);
        dst[e] = j;
        weights[e] = weighted ? (float)(0.1 + 3 * gpri_uniform(stream, 3 * e + 2)) : 1;
        s->w[i][j] = s->w[j][i] = fmax(s->w[i][j], (double)weights[e]); /* as the graph merges them */
    }
    for (uint64_t i = 0; i < SMALL; i++)
        s->known[i] = (int32_t)gpri_uniform_below(stream, 1000 + i, CLASSES + 1) - 1; /* a quarter is not known */
    assert_ok(gpri_graph_build(ctx, &s->graph, SMALL, LINKS, src, dst, weighted ? weights : NULL));
}

/* The columns of a node, by their definition. */
static void expected_row(const small_world *s, double factor, int i, double *row) {
    double degree[SMALL] = {0};
    for (int j = 0; j < SMALL; j++)
        for (int k = 0; k < SMALL; k++) degree[j] += s->w[j][k];
    for (int c = 0; c < CLASSES; c++) {
        double one = 0, mean = 0, sum = 0;
        for (int j = 0; j < SMALL; j++) {
            double beyond = 0; /* j's neighbours of the class, without i */
            one += s->known[j] == c ? factor * s->w[i][j] : 0;
            for (int k = 0; k < SMALL; k++) beyond += k != i && s->known[k] == c ? factor * s->w[j][k] : 0;
            mean += degree[j] > 0 ? s->w[i][j] / degree[j] * beyond : 0;
            sum += s->w[i][j] * beyond;
        }
        row[4 * c] = log(1 + one);
        row[4 * c + 1] = degree[i] > 0 ? one / degree[i] : 0;
        row[4 * c + 2] = log(1 + mean);
        row[4 * c + 3] = log(1 + sum);
    }
    row[4 * CLASSES] = log(1 + degree[i]);
}

static void plain_loops_agree(void **state) {
    (void)state;
    enum { COLUMNS = 4 * CLASSES + 1 };
    static const double factors[] = {1, 0.4, 2.5};
    gpr_ctx *ctx = new_ctx(2);
    small_world s;
    assert_int_equal(gpri_label_count_columns(CLASSES, 1), COLUMNS);
    const int64_t ld = gpri_padded(COLUMNS);
    for (int weighted = 0; weighted < 2; weighted++) {
        small_new(&s, ctx, weighted);
        for (int f = 0; f < 3; f++) {
            gpri_real *got;
            assert_ok(
                gpri_label_counts(ctx, &got, (const gpri_graph *[]){&s.graph}, 1, s.known, CLASSES, factors[f], 2));
            for (int i = 0; i < SMALL; i++) {
                double want[COLUMNS];
                expected_row(&s, factors[f], i, want);
                for (int c = 0; c < COLUMNS; c++)
                    if (!(fabs((double)got[i * ld + c] - want[c]) < 1e-6 * (1 + want[c])))
                        fail_msg("weighted %d, factor %g, node %d, column %d: %.9g, not %.9g", weighted, factors[f], i,
                                 c, (double)got[i * ld + c], want[c]);
                for (int64_t c = COLUMNS; c < ld; c++) assert_true(got[i * ld + c] == 0); /* the padding */
                for (int c = 0; i >= SMALL - LONELY && c < COLUMNS; c++) assert_true(got[i * ld + c] == 0);
            }
            gpri_free(ctx, got);
        }
        gpri_graph_free(ctx, &s.graph);
    }
    gpr_ctx_free(ctx);
}

/* Two kinds of edges: the numbers of each, side by side. */
static void graphs_side_by_side(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    const int64_t columns = gpri_label_count_columns(CLASSES, 1), ld = gpri_padded(columns),
                  wide = gpri_padded(2 * columns);
    gpri_real *first, *second, *both;
    small_world s, t;
    small_new(&s, ctx, false);
    small_new(&t, ctx, true);
    assert_int_equal(gpri_label_count_columns(CLASSES, 2), 2 * columns);
    assert_ok(gpri_label_counts(ctx, &first, (const gpri_graph *[]){&s.graph}, 1, s.known, CLASSES, 0.7, 1));
    assert_ok(gpri_label_counts(ctx, &second, (const gpri_graph *[]){&t.graph}, 1, s.known, CLASSES, 0.7, 1));
    assert_ok(gpri_label_counts(ctx, &both, (const gpri_graph *[]){&s.graph, &t.graph}, 2, s.known, CLASSES, 0.7, 2));
    assert_memory_not_equal(first, second, (size_t)(SMALL * ld) * sizeof *first);
    for (int i = 0; i < SMALL; i++) {
        assert_memory_equal(both + i * wide, first + i * ld, (size_t)columns * sizeof *both);
        assert_memory_equal(both + i * wide + columns, second + i * ld, (size_t)columns * sizeof *both);
        for (int64_t c = 2 * columns; c < wide; c++) assert_true(both[i * wide + c] == 0);
    }
    gpri_free_all(ctx, first, second, both);
    gpri_graph_free(ctx, &s.graph);
    gpri_graph_free(ctx, &t.graph);
    gpr_ctx_free(ctx);
}

/* Any other label of a node, or none: its own row is the same, rows of others are not. Whole numbers: bit for bit. */
static void own_label_never_counts(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const int64_t columns = gpri_label_count_columns(CLASSES, 1), ld = gpri_padded(columns);
    small_world s;
    for (int weighted = 0; weighted < 2; weighted++) {
        const double factor = weighted ? 0.7 : 1;
        int seen = 0;
        gpri_real *before, *after;
        small_new(&s, ctx, weighted);
        assert_ok(gpri_label_counts(ctx, &before, (const gpri_graph *[]){&s.graph}, 1, s.known, CLASSES, factor, 1));
        for (int i = 0; i < SMALL; i++) {
            const int32_t old = s.known[i];
            for (int32_t label = -1; label < CLASSES; label++) {
                s.known[i] = label;
                assert_ok(
                    gpri_label_counts(ctx, &after, (const gpri_graph *[]){&s.graph}, 1, s.known, CLASSES, factor, 1));
                const gpri_real *a = before + i * ld, *b = after + i * ld;
                for (int64_t c = 0; c < columns; c++)
                    if (weighted ? fabs((double)(a[c] - b[c])) > 1e-6 : a[c] != b[c])
                        fail_msg("node %d with label %d: column %d is %.9g, not %.9g", i, (int)label, (int)c,
                                 (double)b[c], (double)a[c]);
                seen += memcmp(before, after, (size_t)(SMALL * ld) * sizeof *before) != 0;
                gpri_free(ctx, after);
            }
            s.known[i] = old;
        }
        assert_true(seen == CLASSES * (SMALL - LONELY)); /* each label but the old one, of each node with a neighbour */
        gpri_free(ctx, before);
        gpri_graph_free(ctx, &s.graph);
    }
    gpr_ctx_free(ctx);
}

static void threads_agree(void **state) {
    (void)state;
    enum { NODES = 2000 };
    gpr_ctx *ctx = new_ctx(5);
    int32_t *labels = malloc(NODES * sizeof *labels);
    draw_labels(labels, NODES, 3);
    gpr_dataset *data = make_data(ctx, NODES, 0.5, labels);
    const size_t size = (size_t)(NODES * gpri_padded(gpri_label_count_columns(CLASSES, 1))) * sizeof(gpri_real);
    gpri_real *one, *more;
    assert_ok(gpri_label_counts(ctx, &one, (const gpri_graph *[]){&data->graph}, 1, labels, CLASSES, 0.3, 1));
    for (int threads = 2; threads <= 5; threads++) {
        assert_ok(
            gpri_label_counts(ctx, &more, (const gpri_graph *[]){&data->graph}, 1, labels, CLASSES, 0.3, threads));
        assert_memory_equal(one, more, size);
        gpri_free(ctx, more);
    }
    gpri_free(ctx, one);
    gpr_dataset_free(data);
    free(labels);
    gpr_ctx_free(ctx);
}

static gpr_status count_once(gpr_ctx *ctx, void *arg) {
    const small_world *s = arg;
    gpri_real *counts = (gpri_real *)arg;
    const gpr_status status =
        gpri_label_counts(ctx, &counts, (const gpri_graph *[]){&s->graph}, 1, s->known, CLASSES, 1, 1);
    assert_int_equal(status == GPR_OK, counts != NULL);
    gpri_free(ctx, counts);
    return status;
}

static void failing_memory_is_told(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    small_world s;
    small_new(&s, ctx, true);
    fail_every_allocation(count_once, &s);
    gpri_graph_free(ctx, &s.graph);
    gpr_ctx_free(ctx);
}

/* ---- trainings ---- */

#define COMMON \
    "hidden", "16", "K", "4", "lr", "0.03", "weight-decay", "0", "epochs", "60", "split", "60/20/20", "seed", "3"

static training train_counts(gpr_ctx *ctx, const gpr_dataset *data, const char *model, const char *input) {
    const char *words[40];
    return train(ctx, data, options_for(words, model, OPTIONS(COMMON, "label-counts", "yes", "label-input", input)));
}

static void expect_chance(const char *what, const training *t, int64_t nodes, double most) {
    const gpr_run_info *at = &t->result->runs[t->result->best].info;
    const double chance = 100.0 / CLASSES, sd = 100 * sqrt(chance / 100 * (1 - chance / 100) / ((double)nodes / 5));
    printf("  %-24s random: validation %.1f test %.1f\n", what, at->val_accuracy, at->test_accuracy);
    if (fabs(at->val_accuracy - chance) > most * sd || fabs(at->test_accuracy - chance) > 4 * sd)
        fail_msg("%s: validation %.1f %%, test %.1f %%, chance is %.1f %%", what, at->val_accuracy, at->test_accuracy,
                 chance);
}

static void expect_skill(const char *what, const training *t) {
    const gpr_run_info *at = &t->result->runs[t->result->best].info;
    printf("  %-24s alike: validation %.1f test %.1f\n", what, at->val_accuracy, at->test_accuracy);
    if (!(at->test_accuracy > 100.0 / CLASSES + 25 && at->val_accuracy > 100.0 / CLASSES + 25))
        fail_msg("%s: neighbours' labels are not used: test %.1f %%", what, at->test_accuracy);
}

/* On a random graph with random labels and features there is nothing to learn. On one whose neighbours are alike there
   is, so a leak would be seen. */
static void nothing_leaks(void **state) {
    (void)state;
    enum { MANY = 1500 };
    static const struct {
        const char *model, *input;
    } cases[] = {{"gprgnn", "no"}, {"gprgnn", "yes"}, {"mlp", "no"}, {"gcn", "yes"}, {"sage", "no"}};
    gpr_ctx *ctx = new_ctx(2);
    int32_t *labels = malloc(MANY * sizeof *labels);
    draw_labels(labels, MANY, 5);
    gpr_dataset *random = make_data(ctx, MANY, 0, labels), *alike = make_data(ctx, MANY, 0.9, labels);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char what[64];
        snprintf(what, sizeof what, "%s, label-input %s", cases[k].model, cases[k].input);
        training t = train_counts(ctx, random, cases[k].model, cases[k].input),
                 u = train_counts(ctx, alike, cases[k].model, cases[k].input);
        expect_chance(what, &t, MANY, 4);
        expect_skill(what, &u);
        training_free(&t), training_free(&u);
    }
    /* all that data gets by itself: the validation nodes choose among many, so their own accuracy may be higher */
    random->generated = alike->generated = false;
    for (int seed = 0; seed < 3; seed++) {
        const char *const *options = OPTIONS("epochs", "60", "refit", "no", "seed",
                                             seed == 0   ? "3"
                                             : seed == 1 ? "4"
                                                         : "5");
        training t = train(ctx, random, options);
        assert_int_equal(t.result->choice.count, 3);
        expect_chance("by itself", &t, MANY, 5);
        training_free(&t);
        t = train(ctx, alike, options);
        expect_skill("by itself", &t);
        training_free(&t);
    }
    gpr_dataset_free(random), gpr_dataset_free(alike);
    free(labels);
    gpr_ctx_free(ctx);
}

enum { NODES = 300 };

/* Other labels of the test nodes, the same split: training and all scores are the same, bit for bit. */
static void test_labels_change_nothing(void **state) {
    (void)state;
    const char *const *const cases[] = {
        OPTIONS(COMMON, "label-counts", "yes", "label-input", "no", "smooth", "no", "refit", "no"),
        OPTIONS(COMMON, "label-counts", "yes", "label-input", "yes", "smooth", "no", "refit", "no"),
        OPTIONS(COMMON, "refit", "no")};
    gpr_ctx *ctx = new_ctx(1);
    int32_t labels[NODES], other[NODES];
    static float before[NODES * CLASSES], after[NODES * CLASSES];
    draw_labels(labels, NODES, 1);
    for (int k = 0; k < 3; k++) {
        gpr_dataset *data = make_data(ctx, NODES, 0.8, labels);
        data->generated = false;
        training t = train(ctx, data, cases[k]), u = {.status = GPR_OK};
        const gpr_split *split = gpr_result_split(t.result);
        for (int i = 0; i < NODES; i++) other[i] = (labels[i] + (split->part[i] == GPR_TEST)) % CLASSES;
        gpr_dataset *changed = make_labelled(ctx, NODES, 0.8, labels, other);
        changed->generated = false;
        gpr_params *params = new_params(ctx, cases[k]);
        assert_ok(gpr_train_splits(ctx, &u.model, &u.result, changed, params, &split, 1));
        assert_same_model("other labels of the test nodes", t.model, u.model);
        assert_true(t.result->runs[0].info.test_accuracy != u.result->runs[0].info.test_accuracy);
        assert_ok(gpr_predict(ctx, t.model, data, NULL, before));
        assert_ok(gpr_predict(ctx, u.model, changed, NULL, after));
        assert_memory_equal(before, after, sizeof before);
        gpr_params_free(params);
        training_free(&t), training_free(&u);
        gpr_dataset_free(data), gpr_dataset_free(changed);
    }
    gpr_ctx_free(ctx);
}

/* With all labels known, as on other data, a node's own label still says nothing about it. */
static void own_label_on_other_data(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int32_t labels[NODES];
    static float before[NODES * CLASSES], after[NODES * CLASSES];
    draw_labels(labels, NODES, 1);
    gpr_dataset *data = make_data(ctx, NODES, 0.8, labels);
    training t = train_counts(ctx, data, "gprgnn", "no");
    const gpr_predict_options options = {.struct_size = sizeof options, .known_labels = labels};
    assert_ok(gpr_predict_with(ctx, t.model, data, NULL, before, NULL, &options));
    for (int i = 0; i < NODES; i += 7) {
        const int32_t old = labels[i];
        labels[i] = (old + 1) % CLASSES;
        assert_ok(gpr_predict_with(ctx, t.model, data, NULL, after, NULL, &options));
        labels[i] = old;
        for (int c = 0; c < CLASSES; c++)
            if (fabsf(before[i * CLASSES + c] - after[i * CLASSES + c]) > 1e-5F)
                fail_msg("node %d: the probability of class %d depends on its own label: %g and %g", i, c,
                         (double)before[i * CLASSES + c], (double)after[i * CLASSES + c]);
        assert_memory_not_equal(before, after, sizeof before); /* its neighbours' scores do */
    }
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* On the data of the training, nodes with a label see those of the training nodes alone, as in the figures of the
   training; nodes without one see all. A model that was saved and read gives the same bits. */
static void predictions(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int32_t labels[NODES], shown[NODES], trained[NODES], classes[NODES];
    static float got[NODES * CLASSES], want[NODES * CLASSES], all[NODES * CLASSES];
    draw_labels(labels, NODES, 1);
    for (int i = 0; i < NODES; i++) shown[i] = i % 5 == 0 ? -1 : labels[i];
    for (int both = 0; both < 2; both++) {
        gpr_dataset *data = make_labelled(ctx, NODES, 0.8, labels, shown);
        training t = train_counts(ctx, data, "gprgnn", both ? "yes" : "no");
        const gpr_split *split = gpr_result_split(t.result);
        gpr_predict_options options = {.struct_size = sizeof options, .known_labels = trained};
        int right = 0, tested = 0, differ = 0;
        for (int i = 0; i < NODES; i++) trained[i] = split->part[i] == GPR_TRAIN ? labels[i] : -1;
        assert_ok(gpr_predict(ctx, t.model, data, classes, got));
        for (int i = 0; i < NODES; i++)
            if (split->part[i] == GPR_TEST) tested++, right += classes[i] == labels[i];
        assert_true(fabs(t.result->runs[0].info.test_accuracy - 100.0 * right / tested) < 1e-9);
        assert_ok(gpr_predict_with(ctx, t.model, data, NULL, want, NULL, &options));
        options.known_labels = shown;
        assert_ok(gpr_predict_with(ctx, t.model, data, NULL, all, NULL, &options));
        for (int i = 0; i < NODES; i++) {
            const size_t row = CLASSES * sizeof *got;
            const float *at = got + i * CLASSES;
            if (memcmp(at, (shown[i] < 0 ? all : want) + i * CLASSES, row) != 0)
                fail_msg("node %d, %s label, is not predicted by the labels it may see", i,
                         shown[i] < 0 ? "without a" : "with its");
            differ += shown[i] < 0 && memcmp(at, want + i * CLASSES, row) != 0;
        }
        assert_true(differ > NODES / 5 / 2);
        void *bytes;
        size_t size;
        gpr_model *loaded;
        assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, t.model));
        assert_ok(gpr_model_from_bytes(ctx, &loaded, bytes, size));
        gpr_bytes_free(ctx, bytes);
        assert_string_equal(gpr_model_param(loaded, "label-counts"), "yes");
        assert_same_bytes("read again", ctx, t.model, loaded);
        assert_ok(gpr_predict(ctx, loaded, data, NULL, all));
        assert_memory_equal(got, all, sizeof got);
        gpr_model_free(loaded);
        training_free(&t);
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

/* The same bits on any number of threads, and for a training that was stopped and went on. */
static void bits_repeat(void **state) {
    (void)state;
    static const int64_t calls[] = {7, 11, 0};
    enum { MANY = 1500 };
    const char *const *options = OPTIONS(COMMON, "label-counts", "yes", "label-input", "yes");
    gpr_ctx *one = new_ctx(1), *three = new_ctx(3);
    int32_t *labels = malloc(MANY * sizeof *labels);
    draw_labels(labels, MANY, 4);
    gpr_dataset *data = make_data(one, MANY, 0.8, labels), *same = make_data(three, MANY, 0.8, labels);
    training t = train(one, data, options), u = train(three, same, options),
             pieces = train_in_pieces(one, data, options, calls);
    assert_same_training("threads", one, &t, &u);
    assert_same_training("pieces", one, &t, &pieces);
    training_free(&t), training_free(&u), training_free(&pieces);
    gpr_dataset_free(data), gpr_dataset_free(same);
    free(labels);
    gpr_ctx_free(one), gpr_ctx_free(three);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain_loops_agree),
                                       cmocka_unit_test(graphs_side_by_side),
                                       cmocka_unit_test(own_label_never_counts),
                                       cmocka_unit_test(threads_agree),
                                       cmocka_unit_test(failing_memory_is_told),
                                       cmocka_unit_test(nothing_leaks),
                                       cmocka_unit_test(test_labels_change_nothing),
                                       cmocka_unit_test(own_label_on_other_data),
                                       cmocka_unit_test(predictions),
                                       cmocka_unit_test(bits_repeat)};
    return cmocka_run_group_tests_name("label_counts", tests, NULL, NULL);
}
