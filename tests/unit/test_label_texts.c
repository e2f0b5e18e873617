/* io/text/label_texts.c: which texts are which class. */
#include "failing_memory.h"
#include "io/text/label_texts.h"
#include "last_warning.h"

static const char *column;
static bool is_known, is_numbered;
static gpri_data_value task;

/* cells: separated by '|'. */
static gpr_status finish(gpr_ctx *ctx, const char *cells, gpri_target *out) {
    gpr_status status = GPR_OK;
    gpri_label_texts texts = {.ctx = ctx, .path = "n.csv", .task = task, .known = is_known, .numbered = is_numbered};
    if (column) strcpy(texts.column, column);
    *out = (gpri_target){0};
    for (int64_t line = 2;; line++) {
        const size_t size = strcspn(cells, "|");
        TRY(gpri_label_texts_add(&texts, cells, (int64_t)size, line));
        if (!cells[size]) break;
        cells += size + 1;
    }
    TRY(gpri_label_texts_finish(&texts, out));
done:
    gpri_label_texts_free(&texts);
    return status;
}

/* labels: a digit per cell, '-' for none. names: "a,b," or NULL. */
static void gives(gpr_ctx *ctx, const char *cells, const char *labels, const char *names) {
    gpri_target classes;
    char text[256] = "";
    warning[0] = 0;
    assert_ok(finish(ctx, cells, &classes));
    for (size_t i = 0; labels[i]; i++)
        if (classes.labels[i] != (labels[i] == '-' ? -1 : labels[i] - '0'))
            fail_msg("%s: label %zu is %d, not %c", cells, i, classes.labels[i], labels[i]);
    for (int64_t c = 0; c < classes.names.count; c++) {
        strcat(text, gpri_name(&classes.names, c));
        strcat(text, ",");
    }
    assert_string_equal(text, names ? names : "");
    if (names) assert_int_equal(classes.classes, classes.names.count);
    gpri_target_free(ctx, &classes);
}

static void test_classes(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    gives(ctx, "b|a||b", "10-1", "a,b,");
    gives(ctx, "0|1|2|1", "0121", NULL);
    gives(ctx, "2|10|1", "120", "1,2,10,"); /* as numbers, not as texts */
    gives(ctx, "1.0|2.0||1", "01-0", "1,2,");
    gives(ctx, "0|1.0|nan|NaN|NA", "01---", NULL);
    gives(ctx, "+1|-1|1", "101", "-1,1,");
    gives(ctx, "-1||-1|1", "0-01", "-1,1,");
    assert_string_equal(warning, "");
    gives(ctx, "0|-1|1|-1.0", "0-1-", NULL);
    assert_string_equal(warning, "n.csv: the label -1 of 2 nodes is taken as none");
    gives(ctx, "-2|0", "01", "-2,0,");
    gives(ctx, "a|1|2.5", "201", "1,2.5,a,"); /* a word among them: all are names */
    assert_string_equal(warning, "");
    gives(ctx, "a|NA", "10", "NA,a,");
    assert_string_equal(warning, "n.csv: a class is called 'NA': where a node has no label, leave its cell empty");
    gives(ctx, "b|B|Zé|a", "3012", "B,Zé,a,b,");
    gpr_ctx_free(ctx);
}

static void test_many(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    gpri_target classes;
    char cells[512] = "a";
    for (int i = 0; i < 30; i++) sprintf(cells + strlen(cells), "|x%d", i);
    warning[0] = 0;
    assert_ok(finish(ctx, cells, &classes));
    assert_string_equal(warning, "n.csv: 31 different labels for 31 nodes: is it the right column?");
    gpri_target_free(ctx, &classes);
    gpr_ctx_free(ctx);
}

static void test_bad(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    gpri_target classes;
    task = GPRI_TASK_CLASSES;
    assert_fails(finish(ctx, "1|2|2.5", &classes), GPR_ERROR_FORMAT, "n.csv:4: the label '2.5' is not a whole number");
    column = "price";
    assert_fails(
        finish(ctx, "1.5|2.5|3.5|nan", &classes), GPR_ERROR_FORMAT,
        "n.csv:2: the label '1.5' is not a whole number, column 'price' (4 different values): for classes make "
        "a column with a few of them, such as low, middle and high");
    column = NULL;
    assert_fails(finish(ctx, "1|1e300", &classes), GPR_ERROR_FORMAT, "n.csv:3: the label '1e300'");
    task = GPRI_TASK_NUMBER;
    assert_fails(finish(ctx, "1|1e300", &classes), GPR_ERROR_FORMAT, "n.csv:3: the label '1e300' is not a finite");
    assert_fails(finish(ctx, "1|abc", &classes), GPR_ERROR_FORMAT, "n.csv:3: the label 'abc' is not a finite number");
    task = GPRI_TASK_AUTO;
    assert_fails(finish(ctx, "||", &classes), GPR_ERROR_FORMAT, "n.csv: no label in 3 rows");
    assert_fails(finish(ctx, "nan|NA", &classes), GPR_ERROR_FORMAT, "n.csv: no label in 2 rows");
    assert_null(classes.labels);
    gpr_ctx_free(ctx);
}

/* Numbers from `from` on, each so many times, and a last cell without a label. */
static char *quantities(int from, int values, int times, const char *before, const char *after) {
    char *cells = malloc((size_t)(values * times) * 16 + 1), *at = cells;
    for (int i = 0; i < values * times; i++) at += sprintf(at, "%s%d%s|", before, from + 7 * (i % values), after);
    return cells;
}

/* A quantity is no label: more than 50 numbers, and more than 5 % of the labelled rows. */
static void test_quantity(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    static const struct {
        int values, times;
        bool number;
    } cases[] = {{50, 1, false}, {51, 1, true}, {51, 19, true}, {51, 20, false}, {400, 2, true}};
    gpri_target classes;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int form = 0; form < 3; form++) { /* as whole numbers, as 1.0, and as names */
            char *cells = quantities(90, cases[i].values, cases[i].times, form == 2 ? "z" : "", form == 1 ? ".0" : "");
            const bool number = cases[i].number && form < 2;
            column = "price";
            assert_ok(finish(ctx, cells, &classes));
            assert_int_equal(gpri_target_is_number(&classes), number);
            if (number) assert_true(classes.numbers[1] == 97 && classes.classes == 1 && classes.names.count == 0);
            gpri_target_free(ctx, &classes);
            task = GPRI_TASK_CLASSES; /* each is one */
            assert_ok(finish(ctx, cells, &classes));
            assert_int_equal(classes.classes, cases[i].values);
            task = GPRI_TASK_AUTO;
            column = NULL;
            gpri_target_free(ctx, &classes);
            is_known = true; /* by a model that will predict */
            assert_ok(finish(ctx, cells, &classes));
            assert_int_equal(classes.classes, cases[i].values);
            gpri_target_free(ctx, &classes);
            is_known = false;
            free(cells);
        }
    char cells[1024] = ""; /* of an array: the numbers of classes, unless every node has its own */
    for (int i = 0; i < 160; i++) sprintf(cells + strlen(cells), "%d|", i % 80);
    assert_ok(finish(ctx, cells, &classes));
    assert_true(gpri_target_is_number(&classes));
    gpri_target_free(ctx, &classes);
    is_numbered = true;
    assert_ok(finish(ctx, cells, &classes));
    gpri_target_free(ctx, &classes);
    cells[230] = 0; /* 0 to 79, once each */
    assert_fails(finish(ctx, cells, &classes), GPR_ERROR_FORMAT,
                 "n.csv: the labels are the numbers from 0 to 79, each once: they look like ids of the nodes");
    is_numbered = false;
    gpr_ctx_free(ctx);
}

/* Cells as people write numbers; what is missing is not known. */
static void test_numbers(void **state) {
    (void)state;
    static const struct {
        const char *cells;
        float numbers[4]; /* NaN: not known */
    } cases[] = {{"1.5|-2||4", {1.5F, -2, NAN, 4}},
                 {"3|1|NA|3", {3, 1, NAN, 3}},
                 {"1,234,567|56,789|-1|nan", {1234567, 56789, -1, NAN}},
                 {"$1,200|$950.5||$7", {1200, 950.5F, NAN, 7}},
                 {"0,5|1,25|2|3", {0.5F, 1.25F, 2, 3}}};
    gpr_ctx *ctx = warning_ctx();
    gpri_target target;
    task = GPRI_TASK_NUMBER;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(finish(ctx, cases[i].cells, &target));
        assert_true(gpri_target_is_number(&target) && gpri_target_classes(&target) == 0);
        for (int k = 0; k < 4; k++) {
            const float got = target.numbers[k], want = cases[i].numbers[k];
            assert_int_equal(target.labels[k], isnan(want) ? -1 : 0);
            if (isnan(want) ? !isnan(got) : got != want)
                fail_msg("%s: cell %d is %g, not %g", cases[i].cells, k, (double)got, (double)want);
        }
        gpri_target_free(ctx, &target);
    }
    task = GPRI_TASK_AUTO;
    assert_ok(finish(ctx, "1.5|2|3", &target)); /* one is not whole */
    assert_true(gpri_target_is_number(&target));
    gpri_target_free(ctx, &target);
    gpr_ctx_free(ctx);
}

static gpr_status trial(gpr_ctx *ctx, void *arg) {
    gpri_target classes;
    gpr_status status = finish(ctx, arg, &classes);
    gpri_target_free(ctx, &classes);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    char words[] = "b|a||b", numbers[] = "3|2|nan|0";
    fail_every_allocation(trial, words);
    fail_every_allocation(trial, numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_classes), cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_bad),     cmocka_unit_test(test_quantity),
                                       cmocka_unit_test(test_numbers), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
