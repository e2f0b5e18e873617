/* gpr_compare: which runs belong together, what is refused, and what is said. */
#include <jansson.h>
#include <math.h>

#include "failing_memory.h"
#include "raw_data.h"

/* A training as JSON text, with the runs that `runs` lists. */
#define TRAINING(model, data, split, more, runs)                                                                 \
    "{\"model\": \"" model "\", \"dataset\": \"web\", \"fingerprint\": " data ", \"split\": {\"spec\": \"" split \
    "\"}" more ", \"per_run\": [" runs "]}"
#define RUN(seed, value) "{\"seed\": " #seed ", \"test_accuracy\": " #value ", \"val_loss\": 1." #seed "}"
#define ON(hash, seed, value) "{\"seed\": " #seed ", \"split_hash\": \"" hash "\", \"test_accuracy\": " #value "}"
#define FOUR RUN(1, 80) ", " RUN(2, 82) ", " RUN(3, 81) ", " RUN(4, 83)
#define LESS RUN(3, 79.5) ", " RUN(1, 78) ", " RUN(2, 80.5) ", " RUN(4, 81)

static const char *write_training(raw_fixture *f, char path[256], const char *name, const char *text) {
    snprintf(path, 256, "%s", raw_path(f, name));
    write_text(path, text);
    return path;
}

/* Compares two texts. */
static gpr_status compare_texts(raw_fixture *f, gpr_comparison **out, const char *first, const char *second,
                                const gpr_compare_options *options) {
    char a[256], b[256];
    const char *const paths[] = {write_training(f, a, "a.json", first), write_training(f, b, "b.json", second)};
    f->warnings[0] = 0;
    return gpr_compare(f->ctx, out, paths, 2, options);
}

static gpr_compared_pair_info pair_of(const gpr_comparison *all, int64_t index) {
    gpr_compared_pair_info pair = {.struct_size = sizeof pair};
    assert_ok(gpr_comparison_pair(all, index, &pair));
    return pair;
}

static void test_pairs_by_seed(void **state) {
    raw_fixture *f = *state;
    gpr_comparison *all;
    assert_ok(compare_texts(f, &all, TRAINING("gprgnn", "\"f\"", "dense", "", FOUR),
                            TRAINING("gcn", "\"f\"", "dense", "", LESS), NULL));
    assert_string_equal(f->warnings, "");
    assert_int_equal(gpr_comparison_count(all), 2);
    assert_int_equal(gpr_comparison_pairs(all), 1);
    const gpr_compared_pair_info pair = pair_of(all, 0); /* differences 2, 1.5, 1.5, 2: not in the order of the lists */
    assert_int_equal(pair.pairs, 4);
    assert_true(fabs(pair.difference - 1.75) < 1e-12);
    assert_true(fabs(pair.ci95[0] - (1.75 - 3.182446305284263 * 0.28867513459481287 / 2)) < 1e-9);
    assert_int_equal(pair.wins, 4);
    assert_int_equal(pair.losses + pair.ties, 0);
    assert_true(pair.visible && pair.p < 0.002 && pair.p == pair.p_corrected);
    assert_string_equal(pair.sentence,
                        "gprgnn is better than gcn by 1.75 points (1.29 to 2.21); it wins on 4 of 4 splits");
    gpr_compared_info training = {.struct_size = sizeof training};
    assert_ok(gpr_comparison_training(all, 1, &training));
    assert_string_equal(training.name, "b.json");
    assert_string_equal(training.model, "gcn");
    assert_int_equal(training.runs, 4);
    assert_true(fabs(training.mean - 79.75) < 1e-12);
    assert_fails(gpr_comparison_training(all, 2, &training), GPR_ERROR_ARGUMENT, "there are 2");
    json_t *json = json_loads(gpr_comparison_json(all), JSON_REJECT_DUPLICATES, NULL);
    const json_t *row = json_array_get(json_object_get(json, "comparisons"), 0);
    assert_true(fabs(json_number_value(json_object_get(row, "difference")) - 1.75) < 1e-12);
    assert_int_equal(json_integer_value(json_object_get(row, "wins")), 4);
    json_decref(json);
    gpr_comparison_free(all);
}

/* The second is the better one; all numbers of the sentence are about it. A lower loss is better. */
static void test_direction(void **state) {
    raw_fixture *f = *state;
    gpr_comparison *all;
    const gpr_compare_options loss = {.struct_size = sizeof loss, .metric = "val_loss"};
    assert_ok(compare_texts(f, &all, TRAINING("gcn", "\"f\"", "dense", "", LESS),
                            TRAINING("gprgnn", "\"f\"", "dense", "", FOUR), NULL));
    gpr_compared_pair_info pair = pair_of(all, 0);
    assert_true(pair.difference < 0 && pair.losses == 4 && pair.wins == 0);
    assert_string_equal(pair.sentence,
                        "gprgnn is better than gcn by 1.75 points (1.29 to 2.21); it wins on 4 of 4 splits");
    gpr_comparison_free(all);
    assert_ok(compare_texts(f, &all, TRAINING("gcn", "\"f\"", "dense", "", LESS),
                            TRAINING("gprgnn", "\"f\"", "dense", "", FOUR), &loss));
    assert_string_equal(pair_of(all, 0).sentence, "gcn and gprgnn have the same val_loss on all 4 splits");
    assert_int_equal(pair_of(all, 0).ties, 4);
    gpr_comparison_free(all);
#define LOSS(seed, value) "{\"seed\": " #seed ", \"val_loss\": " #value "}"
    assert_ok(compare_texts(f, &all, TRAINING("gcn", "\"f\"", "dense", "", LOSS(1, 0.5) ", " LOSS(2, 0.52)),
                            TRAINING("mlp", "\"f\"", "dense", "", LOSS(1, 0.8) ", " LOSS(2, 0.82)), &loss));
    pair = pair_of(all, 0);
    assert_true(pair.difference < 0 && pair.wins == 2 && pair.losses == 0); /* less is better */
    assert_non_null(
        strstr(pair.sentence, "gcn has a lower val_loss than mlp by 0.30 (0.30 to 0.30); it wins on 2 of 2"));
    gpr_comparison_free(all);
}

/* Hashes of splits count, not seeds; the same split twice is paired in the order of the seeds. */
static void test_pairs_by_hash(void **state) {
    raw_fixture *f = *state;
    gpr_comparison *all;
    assert_ok(compare_texts(
        f, &all,
        TRAINING("gprgnn", "\"f\"", "dense", "",
                 ON("x", 1, 80) ", " ON("y", 2, 70) ", " ON("y", 3, 71) ", " ON("z", 4, 9)),
        TRAINING("gcn", "\"f\"", "60/20/20", "", ON("y", 8, 69) ", " ON("x", 9, 79) ", " ON("y", 7, 68)), NULL));
    const gpr_compared_pair_info pair = pair_of(all, 0); /* 80 - 79, 70 - 68, 71 - 69 */
    assert_int_equal(pair.pairs, 3);
    assert_true(fabs(pair.difference - 5.0 / 3) < 1e-12);
    assert_non_null(strstr(f->warnings, "have 4 and 3 runs, 3 of them on splits of both"));
    gpr_comparison_free(all);
    /* One training without hashes: seeds decide for both. */
    assert_ok(compare_texts(f, &all, TRAINING("gprgnn", "\"f\"", "dense", "", ON("x", 2, 80) ", " ON("y", 1, 70)),
                            TRAINING("gcn", "\"f\"", "dense", "", RUN(1, 69) ", " RUN(2, 77)), NULL));
    assert_true(fabs(pair_of(all, 0).difference - 2) < 1e-12 && pair_of(all, 0).wins == 2);
    gpr_comparison_free(all);
    /* One split for all runs. */
    assert_ok(compare_texts(f, &all, TRAINING("gprgnn", "\"f\"", "public", "", ON("x", 1, 80) ", " ON("x", 2, 80)),
                            TRAINING("gcn", "\"f\"", "public", "", ON("x", 1, 80) ", " ON("x", 2, 80)), NULL));
    assert_non_null(strstr(f->warnings, "all its runs are on one split"));
    assert_string_equal(pair_of(all, 0).sentence, "gprgnn and gcn have the same test_accuracy on all 2 pairs of runs");
    gpr_comparison_free(all);
}

static void test_refused(void **state) {
    raw_fixture *f = *state;
    const char *good = TRAINING("gprgnn", "\"f\"", "dense", "", FOUR);
    static const struct {
        const char *text;
        gpr_status status;
        const char *message;
    } cases[] = {
        {TRAINING("gcn", "\"other\"", "dense", "", LESS), GPR_ERROR_MISMATCH, "different data"},
        {TRAINING("gcn", "null", "dense", "", LESS), GPR_ERROR_MISMATCH, "does not say which data"},
        {TRAINING("gcn", "\"f\"", "sparse", "", LESS), GPR_ERROR_MISMATCH, "different splits, 'dense' and 'sparse'"},
        {TRAINING("gcn", "\"f\"", "dense", "", RUN(5, 80) ", " RUN(6, 80)), GPR_ERROR_MISMATCH,
         "no split in common (seeds 1 to 4, and 5 to 6)"},
        {TRAINING("gcn", "\"f\"", "dense", "", RUN(4, 80) ", " RUN(5, 80)), GPR_ERROR_MISMATCH, "only one split"},
        {TRAINING("gcn", "\"f\"", "dense", "", RUN(1, 80)), GPR_ERROR_MISMATCH,
         "one run only: there is nothing to pair"},
        {TRAINING("gcn", "\"f\"", "dense", "", ""), GPR_ERROR_MISMATCH, "no run"},
        {TRAINING("gcn", "\"f\"", "dense", "", RUN(1, null) ", " RUN(2, 80)), GPR_ERROR_MISMATCH,
         "run 1 (seed 1) has no test_accuracy"},
        {TRAINING("gcn", "\"f\"", "dense", ", \"stopped\": true", LESS), GPR_ERROR_MISMATCH, "stopped before its end"},
        {TRAINING("gcn", "\"f\"", "dense", "", "3, 4"), GPR_ERROR_FORMAT, "run 1 in per_run has no number 'seed'"},
        {TRAINING("gcn", "\"f\"", "dense", "", RUN(1, NaN) ", " RUN(2, 80)), GPR_ERROR_FORMAT,
         "b.json:1: this is not JSON"},
        {TRAINING("gcn", "\"f\"", "dense", ", \"model\": \"x\"", LESS), GPR_ERROR_FORMAT, "not JSON, or it is damaged"},
        {"{\"model\": \"gcn\", \"dataset\": \"web\", \"split\": {\"spec\": \"x\"}}", GPR_ERROR_FORMAT,
         "no list 'per_run'"},
        {"{\"model\": \"gcn\"}", GPR_ERROR_FORMAT, "no text 'dataset'"},
        {"{\"model\": \"gcn\", \"dataset\": \"web\", \"split\": 5}", GPR_ERROR_FORMAT, "no text 'spec'"},
        {"[1, 2]", GPR_ERROR_FORMAT, "not the JSON of a training"},
        {"", GPR_ERROR_FORMAT, "not JSON"},
        {"{\"model\": \"gcn\", \"per_run\": [", GPR_ERROR_FORMAT, "not JSON"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gpr_comparison *all;
        assert_fails(compare_texts(f, &all, good, cases[k].text, NULL), cases[k].status, cases[k].message);
        assert_null(all);
    }
    /* Splits that a program gave, without their hashes. */
    gpr_comparison *all;
    const char *given = TRAINING("gcn", "\"f\"", "given", "", LESS);
    assert_fails(compare_texts(f, &all, given, given, NULL), GPR_ERROR_MISMATCH, "given by the program that trained");
}

static void test_calls(void **state) {
    raw_fixture *f = *state;
    gpr_comparison *all;
    char a[256], b[256], folder[256];
    const char *good = TRAINING("gprgnn", "\"f\"", "dense", "", FOUR);
    const char *const same[] = {write_training(f, a, "a.json", good), a};
    const char *const missing[] = {a, "/nonexistent/run"};
    const gpr_compare_options typo = {.struct_size = sizeof typo, .metric = "test_acuracy"};
    const gpr_compare_options seeds = {.struct_size = sizeof seeds, .metric = "seed"};
    assert_fails(gpr_compare(f->ctx, &all, same, 2, NULL), GPR_ERROR_ARGUMENT, "given twice");
    assert_fails(gpr_compare(f->ctx, &all, same, 1, NULL), GPR_ERROR_ARGUMENT, "needs two or more");
    assert_fails(gpr_compare(f->ctx, &all, missing, 2, NULL), GPR_ERROR_NOT_FOUND, "there is no run folder");
    const char *const two[] = {a, write_training(f, b, "b.json", good)};
    assert_fails(gpr_compare(f->ctx, &all, two, 2, &typo), GPR_ERROR_ARGUMENT, "did you mean 'test_accuracy'?");
    assert_fails(gpr_compare(f->ctx, &all, two, 2, &seeds), GPR_ERROR_ARGUMENT, "no number of a run has that name");
    snprintf(folder, sizeof folder, "%s", raw_path(f, "empty"));
    assert_int_equal(mkdir(folder, 0777), 0);
    const char *const empty[] = {a, folder};
    assert_fails(gpr_compare(f->ctx, &all, empty, 2, NULL), GPR_ERROR_FORMAT,
                 "is not a run folder: it has no result.json");
    /* A folder, and the same training again. */
    write_training(f, b, "empty/result.json", good);
    assert_ok(gpr_compare(f->ctx, &all, empty, 2, NULL));
    assert_string_equal(pair_of(all, 0).sentence, "a.json and empty have the same test_accuracy on all 4 splits");
    gpr_comparison_free(all);
}

/* Three trainings: all pairs, or each against one; corrected p; names. */
static void test_several(void **state) {
    raw_fixture *f = *state;
    gpr_comparison *all;
    char a[256], b[256], c[256];
    const char *const paths[] = {
        write_training(f, a, "a.json", TRAINING("gprgnn", "\"f\"", "dense", "", FOUR)),
        write_training(f, b, "b.json", TRAINING("gcn", "\"f\"", "dense", "", LESS)),
        write_training(
            f, c, "c.json",
            TRAINING("gcn", "\"f\"", "dense", "", RUN(1, 80.1) ", " RUN(2, 81.7) ", " RUN(3, 81.4) ", " RUN(4, 82.9))),
    };
    assert_ok(gpr_compare(f->ctx, &all, paths, 3, NULL));
    assert_int_equal(gpr_comparison_pairs(all), 3);
    for (int k = 0; k < 3; k++) assert_true(pair_of(all, k).p_corrected >= pair_of(all, k).p);
    assert_true(fabs(pair_of(all, 0).p_corrected - 3 * pair_of(all, 0).p) < 1e-12); /* the smallest */
    assert_int_equal(pair_of(all, 1).first, 0);
    assert_int_equal(pair_of(all, 1).second, 2);
    assert_non_null(
        strstr(pair_of(all, 1).sentence, "no difference between a.json and c.json can be seen: it is -0.0"));
    gpr_comparison_free(all);
    gpr_compare_options against = {.struct_size = sizeof against, .against = b};
    assert_ok(gpr_compare(f->ctx, &all, paths, 3, &against)); /* one of the three */
    assert_int_equal(gpr_comparison_count(all), 3);
    assert_int_equal(gpr_comparison_pairs(all), 2);
    assert_int_equal(pair_of(all, 0).first, 0);
    assert_int_equal(pair_of(all, 0).second, 1);
    assert_int_equal(pair_of(all, 1).first, 2);
    gpr_comparison_free(all);
    const char *const one[] = {a};
    assert_ok(gpr_compare(f->ctx, &all, one, 1, &against)); /* another one: it is the first */
    gpr_compared_info training = {.struct_size = sizeof training};
    assert_ok(gpr_comparison_training(all, 0, &training));
    assert_string_equal(training.path, b);
    assert_int_equal(pair_of(all, 0).first, 1);
    assert_int_equal(pair_of(all, 0).second, 0);
    assert_true(pair_of(all, 0).difference > 0);
    gpr_comparison_free(all);
}

static void test_unpaired(void **state) {
    raw_fixture *f = *state;
    gpr_comparison *all;
    const gpr_compare_options unpaired = {.struct_size = sizeof unpaired, .unpaired = 1};
    assert_ok(compare_texts(f, &all, TRAINING("gprgnn", "\"f\"", "dense", "", FOUR),
                            TRAINING("gcn", "\"other\"", "sparse", "", RUN(7, 60) ", " RUN(8, 61)), &unpaired));
    const gpr_compared_pair_info pair = pair_of(all, 0);
    assert_true(pair.pairs == 0 && pair.wins == 0 && isnan(pair.p_wilcoxon) && pair.visible);
    assert_true(fabs(pair.difference - 21) < 1e-12);
    assert_null(strstr(pair.sentence, "wins"));
    gpr_comparison_free(all);
    /* Pairs show what the means hide: the spread of the splits is far larger than the difference. */
    const char *spread =
        TRAINING("a", "\"f\"", "dense", "", RUN(1, 50) ", " RUN(2, 70) ", " RUN(3, 90) ", " RUN(4, 60));
    const char *above =
        TRAINING("b", "\"f\"", "dense", "", RUN(1, 51) ", " RUN(2, 70.8) ", " RUN(3, 91.2) ", " RUN(4, 61));
    assert_ok(compare_texts(f, &all, spread, above, NULL));
    assert_true(pair_of(all, 0).visible);
    gpr_comparison_free(all);
    assert_ok(compare_texts(f, &all, spread, above, &unpaired));
    assert_false(pair_of(all, 0).visible);
    gpr_comparison_free(all);
}

static void test_failures(void **state) {
    raw_fixture *f = *state;
    gpr_comparison *all;
    assert_ok(compare_texts(f, &all, TRAINING("gprgnn", "\"f\"", "dense", ", \"failures\": [{}, {}]", FOUR),
                            TRAINING("gcn", "\"f\"", "dense", "", LESS), NULL));
    assert_non_null(strstr(f->warnings, "2 of its 6 runs failed and are left out"));
    gpr_comparison_free(all);
}

static gpr_status compare_once(gpr_ctx *ctx, void *paths) {
    gpr_comparison *all;
    gpr_status status = gpr_compare(ctx, &all, paths, 3, NULL);
    gpr_comparison_free(all);
    return status;
}

static void test_memory(void **state) {
    raw_fixture *f = *state;
    char a[256], b[256], c[256];
    const char *paths[] = {write_training(f, a, "a.json", TRAINING("gprgnn", "\"f\"", "dense", "", FOUR)),
                           write_training(f, b, "b.json", TRAINING("gcn", "\"f\"", "dense", "", LESS)),
                           write_training(f, c, "c.json", TRAINING("gcn", "\"f\"", "dense", "", FOUR))};
    fail_every_allocation(compare_once, paths);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RAW_TEST(test_pairs_by_seed), RAW_TEST(test_direction), RAW_TEST(test_pairs_by_hash),
        RAW_TEST(test_refused),       RAW_TEST(test_calls),     RAW_TEST(test_several),
        RAW_TEST(test_unpaired),      RAW_TEST(test_failures),  RAW_TEST(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
