/* data/split.c, io/split.c: the counts of every rule, and every way to be wrong. */
#include <math.h>

#include "failing_memory.h"
#include "io/split.h"
#include "npz_maker.h"

typedef struct fixture {
    gpr_ctx *ctx;
    char folder[64], path[80];
    char warning[1024]; /* the last one */
    int warnings;
    gpr_dataset *data;
} fixture;

static void take_warning(void *user, gpr_log_level level, const char *line) {
    fixture *f = user;
    if (level != GPR_LOG_WARNING) return;
    snprintf(f->warning, sizeof f->warning, "%s", line);
    f->warnings++;
}

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .log = take_warning, .user = f};
    assert_ok(gpr_ctx_new(&f->ctx, &options));
    folder_make(f->folder);
    snprintf(f->path, sizeof f->path, "%s/split.npz", f->folder);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    gpr_dataset_free(f->data);
    folder_files(f->folder, true);
    gpr_ctx_free(f->ctx);
    free(f);
    return 0;
}

/* Nodes without edges: members[c] of class c, in turn, and `unlabelled` ones at the end. */
static void use_classes(fixture *f, int classes, const int *members, int unlabelled) {
    enum { MOST = 5000 };
    static int32_t labels[MOST];
    static float features[MOST];
    int labelled = 0, node = 0;
    for (int c = 0; c < classes; c++) labelled += members[c];
    assert_true(labelled + unlabelled <= MOST);
    for (int round = 0; node < labelled; round++)
        for (int c = 0; c < classes; c++)
            if (round < members[c]) labels[node++] = c;
    for (; node < labelled + unlabelled; node++) labels[node] = -1;
    for (int i = 0; i < node; i++) features[i] = 1;
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "classes",
                             .nodes = node,
                             .features = 1,
                             .dense = features,
                             .labels = labels,
                             .classes = classes};
    gpr_dataset_free(f->data);
    assert_ok(gpr_dataset_new(f->ctx, &f->data, &desc));
}

static gpr_split *split_of(fixture *f, const char *spec, uint64_t seed, int64_t run) {
    gpr_split *split;
    f->warnings = 0;
    assert_ok(gpr_split_new(f->ctx, &split, f->data, spec, seed, run));
    /* the counts are those of the parts */
    int64_t count, *counts = calloc((size_t)f->data->target.classes * 4 + 1, sizeof *counts);
    const uint8_t *parts = gpr_split_parts(split, &count);
    assert_non_null(counts);
    assert_int_equal(count, f->data->graph.nodes);
    for (int64_t i = 0; i < count; i++) {
        assert_true(parts[i] <= GPR_TEST);
        if (f->data->target.labels[i] < 0) assert_int_equal(parts[i], GPR_UNUSED);
        else counts[parts[i] * f->data->target.classes + f->data->target.labels[i]]++;
    }
    for (int p = 0; p < 4; p++)
        for (int64_t c = 0; c < f->data->target.classes; c++)
            assert_int_equal(gpr_split_count(split, (gpr_part)p, c), counts[p * f->data->target.classes + c]);
    free(counts);
    return split;
}

static int64_t total(const gpr_split *split, gpr_part part) {
    int64_t sum = 0;
    for (int64_t c = 0; c < split->classes; c++) sum += gpr_split_count(split, part, c);
    return sum;
}

/* The rule of the paper's program, on the classes of cora, with 10 unlabelled nodes that must not count. */
static void test_sparse_and_dense(void **state) {
    fixture *f = *state;
    const int cora[] = {351, 217, 418, 818, 426, 298, 180};
    use_classes(f, 7, cora, 10);
    gpr_split *split = split_of(f, "sparse", 1, 0);
    for (int c = 0; c < 7; c++) assert_int_equal(gpr_split_count(split, GPR_TRAIN, c), 10); /* .025 * 2708 / 7 = 9.67 */
    assert_int_equal(total(split, GPR_VAL), 68);                                            /* 67.7 */
    assert_int_equal(total(split, GPR_TEST), 2708 - 70 - 68);
    assert_int_equal(total(split, GPR_UNUSED), 0);
    gpr_split_free(split);
    split = split_of(f, "dense", 1, 0); /* .6 * 2708 / 7 = 232.1: the classes of 217 and 180 train whole */
    const int training[] = {232, 217, 232, 232, 232, 232, 180};
    for (int c = 0; c < 7; c++) assert_int_equal(gpr_split_count(split, GPR_TRAIN, c), training[c]);
    assert_int_equal(total(split, GPR_VAL), 542); /* 541.6 */
    assert_int_equal(total(split, GPR_TEST), 2708 - 1557 - 542);
    assert_int_equal(f->warnings, 1);
    assert_non_null(
        strstr(f->warning, "class 1 has no node in validation, test; class 6 has no node in validation, test"));
    gpr_split_free(split);
    /* halves go to the even number, as in Python: .025 * 100 / 1 = 2.5, and .025 * 140 = 3.5 */
    const int hundred = 100, more = 140;
    use_classes(f, 1, &hundred, 0);
    split = split_of(f, "sparse", 1, 0);
    assert_int_equal(total(split, GPR_TRAIN), 2);
    assert_int_equal(total(split, GPR_VAL), 2);
    gpr_split_free(split);
    use_classes(f, 1, &more, 0);
    split = split_of(f, "sparse", 1, 0);
    assert_int_equal(total(split, GPR_TRAIN), 4);
    gpr_split_free(split);
}

static void test_same_seed_same_split(void **state) {
    fixture *f = *state;
    static const char *const specs[] = {"sparse", "dense", "60/20/20", "planetoid:5/50/100"};
    const int members[] = {120, 80, 100};
    use_classes(f, 3, members, 5);
    for (int k = 0; k < 4; k++) {
        gpr_split *a = split_of(f, specs[k], 7, 3), *b = split_of(f, specs[k], 10, 0),
                  *other = split_of(f, specs[k], 7, 4);
        assert_memory_equal(a->part, b->part, 305); /* run r is seed + r */
        assert_memory_not_equal(a->part, other->part, 305);
        gpr_split_free(a);
        gpr_split_free(b);
        gpr_split_free(other);
    }
}

/* All nodes of a class are equally likely to be training nodes. */
static void test_uniform(void **state) {
    fixture *f = *state;
    const int members[] = {10, 20};
    int64_t trained[30] = {0};
    use_classes(f, 2, members, 0);
    for (uint64_t seed = 0; seed < 4000; seed++) {
        gpr_split *split;
        assert_ok(gpr_split_new(f->ctx, &split, f->data, "planetoid:5/10/10", seed, 0));
        for (int i = 0; i < 30; i++) trained[i] += split->part[i] == GPR_TRAIN;
        gpr_split_free(split);
    }
    for (int i = 0; i < 30; i++) {
        double p = f->data->target.labels[i] == 0 ? .5 : .25;
        assert_true(fabs((double)trained[i] / 4000 - p) < 4.5 * sqrt(p * (1 - p) / 4000));
    }
}

static void test_fractions(void **state) {
    fixture *f = *state;
    const int even[] = {50, 100};
    use_classes(f, 2, even, 3);
    static const char *const same[] = {"60/20/20", ".6/.2/.2", "0.60/0.20/0.20"};
    for (int k = 0; k < 3; k++) {
        gpr_split *split = split_of(f, same[k], 1, 0);
        assert_int_equal(gpr_split_count(split, GPR_TRAIN, 0), 30);
        assert_int_equal(gpr_split_count(split, GPR_VAL, 0), 10);
        assert_int_equal(gpr_split_count(split, GPR_TEST, 0), 10);
        assert_int_equal(gpr_split_count(split, GPR_TRAIN, 1), 60);
        assert_int_equal(f->warnings, 0);
        gpr_split_free(split);
    }
    gpr_split *split = split_of(f, "10/10/20", 1, 0); /* the rest is unused */
    assert_int_equal(gpr_split_count(split, GPR_TRAIN, 0), 5);
    assert_int_equal(gpr_split_count(split, GPR_TEST, 1), 20);
    assert_int_equal(total(split, GPR_UNUSED), 90);
    gpr_split_free(split);
    split = split_of(f, "80/0/20", 1, 0);
    assert_int_equal(total(split, GPR_VAL), 0);
    assert_non_null(strstr(f->warning, "validation is empty"));
    assert_null(strstr(f->warning, "class"));
    gpr_split_free(split);
    /* texas: a class of one, and none left out of three */
    const int texas[] = {33, 1, 18, 101, 30};
    use_classes(f, 5, texas, 0);
    split = split_of(f, "60/20/20", 1, 0);
    for (int c = 0; c < 5; c++)
        for (int p = GPR_TRAIN; c != 1 && p <= GPR_TEST; p++) {
            double wanted = texas[c] * (p == GPR_TRAIN ? .6 : .2);
            assert_true(fabs((double)gpr_split_count(split, (gpr_part)p, c) - wanted) <= 2);
        }
    assert_int_equal(gpr_split_count(split, GPR_TRAIN, 1), 1);
    assert_true(llabs(total(split, GPR_TRAIN) - 110) <= 1 && llabs(total(split, GPR_VAL) - 37) <= 1);
    assert_non_null(strstr(f->warning, "class 1 has no node in"));
    gpr_split_free(split);
    /* a class of three has one in each part, even at 98/1/1; totals hold where they can */
    const int small[] = {3, 3, 3, 1000};
    use_classes(f, 4, small, 0);
    split = split_of(f, "98/1/1", 1, 0);
    for (int c = 0; c < 4; c++)
        for (int p = GPR_TRAIN; p <= GPR_TEST; p++) assert_true(gpr_split_count(split, (gpr_part)p, c) >= 1);
    assert_true(llabs(total(split, GPR_VAL) - 10) <= 3);
    gpr_split_free(split);
}

/* Many classes of two nodes each: one is for training, and the shares of the others hold over all classes. */
static void test_many_small_classes(void **state) {
    fixture *f = *state;
    enum { CLASSES = 1000 };
    static int members[CLASSES];
    for (int size = 1; size <= 4; size++) {
        for (int c = 0; c < CLASSES; c++) members[c] = size;
        use_classes(f, CLASSES, members, 0);
        gpr_split *split = split_of(f, "50/20/20", 1, 0);
        for (int c = 0; c < CLASSES; c++) assert_true(gpr_split_count(split, GPR_TRAIN, c) >= 1);
        if (size == 2) {
            assert_int_equal(total(split, GPR_TRAIN), 1000);
            assert_true(llabs(total(split, GPR_VAL) - 400) <= 1);
            assert_true(llabs(total(split, GPR_TEST) - 400) <= 1);
        }
        gpr_split_free(split);
    }
}

static void test_planetoid(void **state) {
    fixture *f = *state;
    const int members[] = {600, 700, 800};
    use_classes(f, 3, members, 4);
    gpr_split *split = split_of(f, "planetoid", 1, 0);
    for (int c = 0; c < 3; c++) assert_int_equal(gpr_split_count(split, GPR_TRAIN, c), 20);
    assert_int_equal(total(split, GPR_VAL), 500);
    assert_int_equal(total(split, GPR_TEST), 1000);
    assert_int_equal(total(split, GPR_UNUSED), 540);
    gpr_split_free(split);
    split = split_of(f, "planetoid:600/0/300", 1, 0);
    assert_int_equal(total(split, GPR_TRAIN), 1800);
    assert_int_equal(total(split, GPR_TEST), 300);
    gpr_split_free(split);
    assert_fails(gpr_split_new(f->ctx, &split, f->data, "planetoid:601/1/1", 1, 0), GPR_ERROR_MISMATCH,
                 "class 0 has 600 labelled nodes: the planetoid split needs 601");
    assert_fails(gpr_split_new(f->ctx, &split, f->data, "planetoid:20/2000/1000", 1, 0), GPR_ERROR_MISMATCH,
                 "2040 labelled nodes are left");
    assert_null(split);
}

static void test_forms(void **state) {
    (void)state;
    static const char *const good[] = {"sparse",
                                       "dense",
                                       "60/20/20",
                                       ".6/.2/.2",
                                       "1/0/0",
                                       "48/32/20",
                                       "2.5/2.5/95",
                                       "planetoid",
                                       "planetoid:20/500/1000",
                                       TEST_SOURCE_DIR "/tests"};
    static const char *const bad[][2] = {{"", "is empty"},
                                         {"spars", "did you mean 'sparse'?"},
                                         {"Dense", "did you mean 'dense'?"},
                                         {"planetoid:20/500", "planetoid:20/500/1000"},
                                         {"planetoid:0/5/5", "1 or more"},
                                         {"planetoid:1.5/5/5", "planetoid:1.5/5/5"},
                                         {"planetoids", "did you mean 'planetoid'?"},
                                         {"60/20", "not three numbers"},
                                         {"60/20/20/1", "not three numbers"},
                                         {"60/x/20", "is not known"},
                                         {"60//40", "not three numbers"},
                                         {"60/30/20", "adds up to 110"},
                                         {"60/-20/20", "share -20"},
                                         {"-1/50/50", "share -1"},
                                         {"0/50/50", "TRAIN must be above 0"},
                                         {"0.9/0.9/0.9e99", "adds up to"},
                                         {"masks.dat", "ends in .npz"}};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) assert_ok(gpri_split_check(good[k]));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_fails(gpri_split_check(bad[k][0]), GPR_ERROR_ARGUMENT, bad[k][1]);
    assert_fails(gpri_split_check(NULL), GPR_ERROR_ARGUMENT, "is empty");
    assert_fails(gpri_split_check("/no/where/60.npz"), GPR_ERROR_NOT_FOUND, "no such file");
    assert_fails(gpri_split_check(TEST_SOURCE_DIR "/tests/split/time"), GPR_ERROR_NOT_FOUND, "no such folder");
    assert_fails(gpri_split_check(TEST_SOURCE_DIR "/README.md"), GPR_ERROR_NOT_FOUND, "is a file");
}

static void test_too_little_data(void **state) {
    fixture *f = *state;
    gpr_split *split;
    const int few[] = {5, 5}, none[] = {0, 0};
    use_classes(f, 2, few, 0);
    assert_fails(gpr_split_new(f->ctx, &split, f->data, "sparse", 1, 0), GPR_ERROR_MISMATCH,
                 "of 10 labelled nodes in 2 classes");
    assert_fails(gpr_split_new(f->ctx, &split, f->data, "0.001/0.5/0.4", 1, -1), GPR_ERROR_ARGUMENT, "run is -1");
    assert_int_equal(gpr_split_count(NULL, GPR_TRAIN, 0), -1);
    use_classes(f, 2, none, 6);
    assert_fails(gpr_split_new(f->ctx, &split, f->data, "dense", 1, 0), GPR_ERROR_MISMATCH, "no labelled node");
    assert_fails(gpr_split_new(f->ctx, &split, NULL, "dense", 1, 0), GPR_ERROR_ARGUMENT, "NULL");
    gpr_split_free(NULL);
    assert_null(gpr_split_parts(NULL, NULL));
}

/* ---- Files ---- */

static void test_save_and_load(void **state) {
    fixture *f = *state;
    const int members[] = {40, 60};
    use_classes(f, 2, members, 3);
    gpr_split *split = split_of(f, "50/20/20", 3, 0);
    assert_ok(gpr_split_save(f->ctx, split, f->path));
    gpr_split *back = split_of(f, f->path, 99, 5);
    assert_memory_equal(split->part, back->part, 103);
    assert_int_equal(gpr_split_count(back, GPR_TRAIN, 2), -1);
    assert_int_equal(gpr_split_count(back, (gpr_part)4, 0), -1);
    assert_fails(gpr_split_save(f->ctx, split, "/nonexistent/split.npz"), GPR_ERROR_IO, "/nonexistent/split.npz");
    gpr_split_free(split);
    gpr_split_free(back);
}

/* masks: train, val, test; shape "(4,)" or "(2, 4)". */
static void make_masks(fixture *f, const char *plural, const char *descr, const char *shape, const void *train,
                       const void *val, const void *test, size_t size) {
    maker m = {0};
    const void *masks[] = {train, val, test};
    static const char *const names[] = {"train_mask", "val_mask", "test_mask"};
    for (int p = 0; p < 3; p++) {
        char name[32];
        snprintf(name, sizeof name, "%s%s", names[p], plural);
        if (masks[p]) make_array(&m, name, descr, shape, masks[p], size);
    }
    make_file(&m, f->path, 0);
}

static void test_masks(void **state) {
    fixture *f = *state;
    const int members[] = {2, 2};
    const uint8_t a[] = {1, 0, 0, 0, 0, 1, 0, 0}, b[] = {0, 1, 0, 0, 1, 0, 0, 0}, c[] = {0, 0, 1, 0, 0, 0, 1, 1},
                  none[8] = {0};
    const int64_t wide[] = {1, 0, 0, 0}, wide_b[] = {0, 1, 0, 0}, wide_c[] = {0, 0, 1, 0}, wide_two[] = {0, 0, 2, 0};
    gpr_split *split;
    use_classes(f, 2, members, 0); /* labels 0 1 0 1 */
    make_masks(f, "s", "|b1", "(2, 4)", a, b, c, 8);
    for (int run = 0; run < 4; run++) { /* row run % 2 */
        split = split_of(f, f->path, 1, run);
        assert_int_equal(split->part[0], run % 2 ? GPR_VAL : GPR_TRAIN);
        assert_int_equal(split->part[3], run % 2 ? GPR_TEST : GPR_UNUSED);
        gpr_split_free(split);
    }
    make_masks(f, "", "<i8", "(4,)", wide, wide_b, wide_c, 32);
    split = split_of(f, f->path, 1, 0);
    const uint8_t expected[] = {GPR_TRAIN, GPR_VAL, GPR_TEST, GPR_UNUSED};
    assert_memory_equal(split->part, expected, 4);
    gpr_split_free(split);
    make_masks(f, "", "<i8", "(4,)", wide, wide_b, wide_two, 32);
    assert_fails(gpr_split_new(f->ctx, &split, f->data, f->path, 1, 0), GPR_ERROR_FORMAT,
                 "element 2 is 2: expected 0 or 1");
    make_masks(f, "", "|b1", "(4,)", a, b, c, 4);
    split = split_of(f, f->path, 1, 0);
    assert_int_equal(f->warnings, 1);
    assert_non_null(strstr(f->warning, "class 0 has no node in validation; class 1 has no node in training, test"));
    gpr_split_free(split);
    make_masks(f, "", "|b1", "(4,)", a, a, c, 4);
    assert_fails(gpr_split_new(f->ctx, &split, f->data, f->path, 1, 0), GPR_ERROR_FORMAT,
                 "node 0 is in both train_mask and val_mask");
    make_masks(f, "", "|b1", "(4,)", none, b, c, 4);
    assert_fails(gpr_split_new(f->ctx, &split, f->data, f->path, 1, 0), GPR_ERROR_FORMAT, "train_mask is empty");
    make_masks(f, "", "|b1", "(5,)", a, b, c, 5);
    assert_fails(gpr_split_new(f->ctx, &split, f->data, f->path, 1, 0), GPR_ERROR_MISMATCH,
                 "train_mask has 5 entries, but the graph has 4 nodes");
    make_masks(f, "", "|b1", "(4, 2)", a, b, c, 8);
    assert_fails(gpr_split_new(f->ctx, &split, f->data, f->path, 1, 0), GPR_ERROR_MISMATCH,
                 "shape (4, 2), but the graph has 4 nodes: expected runs x nodes; transpose");
    make_masks(f, "", "|b1", "(0, 4)", a, b, c, 0);
    assert_fails(gpr_split_new(f->ctx, &split, f->data, f->path, 1, 0), GPR_ERROR_FORMAT, "train_mask is empty or");
    make_masks(f, "", "|b1", "()", a, b, c, 1);
    assert_fails(gpr_split_new(f->ctx, &split, f->data, f->path, 1, 0), GPR_ERROR_FORMAT, "train_mask is empty or");
    make_masks(f, "", "|b1", "(4,)", a, NULL, c, 4);
    assert_fails(gpr_split_new(f->ctx, &split, f->data, f->path, 1, 0), GPR_ERROR_FORMAT,
                 "member 'val_mask': not in the file");
    assert_fails(gpr_split_new(f->ctx, &split, f->data, "/nonexistent/x.npz", 1, 0), GPR_ERROR_NOT_FOUND,
                 "/nonexistent/x.npz");
    /* nodes of the masks that have no label */
    const int one = 1;
    use_classes(f, 1, &one, 3);
    make_masks(f, "", "|b1", "(4,)", a, b, c, 4);
    split = split_of(f, f->path, 1, 0);
    assert_int_equal(split->part[1], GPR_UNUSED);
    assert_int_equal(f->warnings, 2);
    gpr_split_free(split);
}

static gpr_status split_and_save(gpr_ctx *ctx, void *path) {
    gpr_dataset *data = NULL;
    gpr_split *split = NULL, *back = NULL;
    gpr_status status = gpr_dataset_open(ctx, &data, "csbm:n=40,f=1", NULL);
    if (status == GPR_OK) status = gpr_split_new(ctx, &split, data, "50/25/25", 1, 0);
    if (status == GPR_OK) status = gpr_split_save(ctx, split, path);
    if (status == GPR_OK) status = gpr_split_new(ctx, &back, data, path, 1, 0);
    gpr_split_free(split);
    gpr_split_free(back);
    gpr_dataset_free(data);
    return status;
}

static void test_memory(void **state) {
    fixture *f = *state;
    fail_every_allocation(split_and_save, f->path);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* Validation nodes are drawn from all that remain: large classes, whose training nodes are found first, are not
   favoured. */
static void validation_is_like_the_test(void **state) {
    fixture *f = *state;
    const int members[] = {300, 900, 1800};
    use_classes(f, 3, members, 0);
    const char *specs[] = {"dense", "planetoid:300/600/600"};
    const double rest[][3] = {{0, 300, 1200}, {0, 600, 1500}}; /* after training took its nodes */
    for (int i = 0; i < 2; i++)
        for (uint64_t seed = 1; seed < 6; seed++) {
            gpr_split *split;
            assert_ok(gpr_split_new(f->ctx, &split, f->data, specs[i], seed, 0));
            double all = rest[i][1] + rest[i][2], share = rest[i][1] / all, expected = 600 * share;
            double sd = sqrt(600 * share * (1 - share) * (1 - 600 / all));
            double got = (double)gpr_split_count(split, GPR_VAL, 1);
            if (fabs(got - expected) > 5 * sd)
                fail_msg("%s: %g nodes of class 1 validate, not about %g", specs[i], got, expected);
            gpr_split_free(split);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(validation_is_like_the_test),
        TEST(test_sparse_and_dense),
        TEST(test_same_seed_same_split),
        TEST(test_uniform),
        TEST(test_fractions),
        TEST(test_many_small_classes),
        TEST(test_planetoid),
        TEST(test_forms),
        TEST(test_too_little_data),
        TEST(test_save_and_load),
        TEST(test_masks),
        TEST(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
