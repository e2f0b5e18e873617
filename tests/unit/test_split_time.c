/* Splits by the times of nodes: shares, ties, dates, bounds, what contradicts them, and what a dataset keeps. */
#include "data/split.h"
#include "table_files.h"

static gpr_dataset *opened(tables *t) {
    gpr_dataset *data;
    warnings[0] = 0;
    assert_ok(gpr_dataset_open_with(t->ctx, &data, &t->options));
    return data;
}

/* 't', 'v', 'e' (test) or '-' of each node. */
static void parts(tables *t, const gpr_dataset *data, const char *spec, const char *expected) {
    gpr_split *split;
    char text[40];
    assert_ok(gpr_split_new(t->ctx, &split, data, spec, 7, 0));
    for (int64_t i = 0; i < split->nodes; i++) text[i] = "-tve"[split->part[i]];
    text[split->nodes] = 0;
    assert_string_equal(text, expected);
    gpr_split_free(split);
}

/* times: separated by blanks; "-": none. The labels are u and v in turn, but for a time that ends in '?'. */
static gpr_dataset *table(tables *t, const char *times) {
    char text[2000] = "id,day,x,y\n", day[40];
    int i = 0, size;
    for (; sscanf(times, "%39s%n", day, &size) == 1; times += size, i++) {
        const bool hidden = day[strlen(day) - 1] == '?';
        if (hidden || strcmp(day, "-") == 0) day[strlen(day) - 1] = 0;
        sprintf(text + strlen(text), "%d,%s,%d,%s\n", i, day, i * i, hidden ? "" : i % 2 ? "u" : "v");
    }
    put_text(t->nodes, text);
    put_text(t->edges, "0,1\n");
    t->options.label = "y";
    t->options.time = "day";
    return opened(t);
}

static void test_shares(void **state) {
    tables *t = *state;
    gpr_dataset *data = table(t, "9 1 5 3 7 2 8 4 6 10");
    assert_string_equal(warnings, "");
    assert_int_equal(data->features.cols, 1); /* the time is none */
    parts(t, data, "auto", "etttvtvtte");
    parts(t, data, "time:60/20/20", "etttvtvtte");
    parts(t, data, "time:80/10/10", "vtttttttte");
    parts(t, data, "time:50/50/0", "vtttvtvtvv");
    parts(t, data, "time:20/20/20", "-tev-t-ve-");
    parts(t, data, "time:60/0/0", "-ttt-t-tt-");
    parts(t, data, "time:40/20/0", "-tvt-t-tv-");
    parts(t, data, "time:70/0/30",
          "etttt"
          "tette");
    gpr_split *split;
    assert_fails(gpr_split_new(t->ctx, &split, data, "time:sparse", 1, 0), GPR_ERROR_ARGUMENT,
                 "give shares of the nodes");
    gpr_dataset_free(data);
}

/* Nodes of one time are in one part. */
static void test_ties(void **state) {
    tables *t = *state;
    gpr_split *split;
    gpr_dataset *data = table(t, "1 1 1 1 1 2 2 3 3 3");
    parts(t, data, "auto", "tttttvveee"); /* 5 and not 6 train */
    parts(t, data, "time:20/20/60", "tttttvveee");
    parts(t, data, "time:90/5/5", "tttttvveee"); /* each part has a time */
    parts(t, data, "time:60/40/0", "tttttvvvvv");
    gpr_dataset_free(data);
    data = table(t, "1 1 1 2 2 2");
    assert_fails(gpr_split_new(t->ctx, &split, data, "auto", 1, 0), GPR_ERROR_ARGUMENT,
                 "have too few different times in column 'day'");
    parts(t, data, "time:50/50/0", "tttvvv");
    gpr_dataset_free(data);
}

static void test_cells(void **state) {
    tables *t = *state;
    gpr_dataset *data = table(t, "- 2024-02-01 2023-12-31 2024-01-01T10:00 2024-01-01T09:59:30 2024-03-01? 2025-01-01");
    assert_string_equal(warnings, "");
    parts(t, data, "time:40/40/20", "-vtvt-e"); /* without a time, or without a label: in no part */
    assert_non_null(strstr(warnings, "1 labelled nodes have no time in column 'day': they are in no part\n"));
    gpr_dataset_free(data);
    data = table(t, "NA nan 3 null 1 N/A 2");
    parts(t, data, "time:34/33/33", "--e-t-v");
    gpr_dataset_free(data);
    /* the clocks of other places: 09:30 and 08:00 of UTC, and 08:59:59 */
    data = table(t, "2024-01-01T08:59:59Z 2024-01-01T05:30-04:00 2024-01-01T10:00+02:00 2023-12-31");
    parts(t, data, "time:50/25/25", "vett");
    gpr_dataset_free(data);
    put_text(t->nodes, "id,day,y\n0,2024-01-01,u\n1,5,v\n");
    fails(t, GPR_ERROR_FORMAT,
          "n.csv:3: the time in column 'day' is '5': expected a date such as 2024-12-31, as in the rows");
    put_text(t->nodes, "id,day,y\n0,soon,u\n1,5,v\n");
    fails(t, GPR_ERROR_FORMAT, "n.csv:2: the time in column 'day' is 'soon': expected a number, or a date");
    t->options.val_from = "3";
    t->options.test_from = "5";
    data = table(t, "1 2 3 4 5 6"); /* bounds: the split is a column's */
    assert_null(data->own_split.time);
    parts(t, data, "auto", "ttvvee");
    gpr_dataset_free(data);
    data = table(t, "1 NA 3 nan 5 null");
    parts(t, data, "auto", "t-v-e-");
    gpr_dataset_free(data);
    t->options.val_from = "2024-01-01T09:00";
    t->options.test_from = "2024-01-01T10:00+01:00";
    fails(t, GPR_ERROR_ARGUMENT, "the first must be below the second");
}

static void test_contradictions(void **state) {
    tables *t = *state;
    gpr_params *params;
    gpr_model *model;
    gpr_result *result;
    gpr_dataset *data = table(t, "1 2 3 4 5 6 7 8 9 10");
    assert_ok(gpr_params_new(t->ctx, &params));
    assert_ok(gpr_params_set(params, "split", "sparse"));
    assert_fails(gpr_train(t->ctx, &model, &result, data, params), GPR_ERROR_ARGUMENT,
                 "`split` is 'sparse', and the split is by the column `time` day");
    assert_ok(gpr_params_set(params, "split", "70/20/10"));
    assert_ok(gpr_params_set(params, "epochs", "2"));
    assert_ok(gpr_train(t->ctx, &model, &result, data, params));
    assert_string_equal(gpr_model_param(model, "split"), "time:70/20/10");
    gpr_model_free(model);
    gpr_result_free(result);
    gpr_params_free(params);
    gpr_dataset_free(data);
    t->options.val_from = "5";
    t->options.test_from = "8";
    data = opened(t);
    assert_ok(gpr_params_new(t->ctx, &params));
    assert_ok(gpr_params_set(params, "split", "60/20/20"));
    assert_fails(gpr_train(t->ctx, &model, &result, data, params), GPR_ERROR_ARGUMENT,
                 "`split` is '60/20/20', and `val-from` and `test-from` divide the column `time` day: leave one");
    static const int32_t labels[10] = {0, 1, 1, 0, 1, 0, 1, 0, 1, 0};
    gpr_dataset_desc desc = {.struct_size = sizeof desc, .nodes = 10, .labels = labels, .classes = 2};
    gpr_dataset *derived;
    assert_ok(gpr_dataset_derive(t->ctx, &derived, data, &desc, 1));
    assert_fails(gpr_train(t->ctx, &model, &result, derived, params), GPR_ERROR_ARGUMENT, "leave one of both out");
    gpr_dataset_free(derived);
    assert_ok(gpr_params_set(params, "split", "column"));
    assert_ok(gpr_params_set(params, "epochs", "2"));
    assert_ok(gpr_train(t->ctx, &model, &result, data, params));
    gpr_model_free(model);
    gpr_result_free(result);
    gpr_params_free(params);
    gpr_dataset_free(data);
    t->options.val_from = t->options.test_from = NULL;
    t->options.split_column = "x";
    fails(t, GPR_ERROR_ARGUMENT, "`time` and `split-column` both divide the nodes");
    t->options.split_column = NULL;
    t->options.time = "y";
    fails(t, GPR_ERROR_ARGUMENT, "column 'y' is both the label and the split");
    t->options.time = NULL;
    data = opened(t);
    gpr_split *split;
    assert_fails(gpr_split_new(t->ctx, &split, data, "time:60/20/20", 1, 0), GPR_ERROR_ARGUMENT, "has no times");
    gpr_dataset_free(data);
}

/* A dataset with other labels has the times, too. */
static void test_derived(void **state) {
    tables *t = *state;
    gpr_dataset *data = table(t, "9 1 5 3 7 2 8 4 6 10"), *derived;
    static const int32_t labels[10] = {0, 1, 1, 0, 1, 0, 1, 0, 1, 0};
    gpr_dataset_desc desc = {.struct_size = sizeof desc, .nodes = 10, .labels = labels, .classes = 2};
    assert_ok(gpr_dataset_derive(t->ctx, &derived, data, &desc, 1));
    parts(t, derived, "auto", "etttvtvtte");
    gpr_dataset_free(derived);
    char saved[300];
    snprintf(saved, sizeof saved, "%s.gpr", t->nodes);
    assert_ok(gpr_dataset_save(t->ctx, data, saved));
    assert_non_null(strstr(warnings, ".gpr: the split by column 'day' is not kept"));
    remove(saved);
    gpr_dataset_free(data);
    fail_every_allocation(trial, &t->options);
}

int main(void) {
    const struct CMUnitTest tests[] = {TABLE_TEST(test_shares), TABLE_TEST(test_ties), TABLE_TEST(test_cells),
                                       TABLE_TEST(test_contradictions), TABLE_TEST(test_derived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
