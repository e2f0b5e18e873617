/* Numbers with marks between thousands, currencies and percent: the style of a column, the values of its cells, and a
 * table that is read by the plan of a model. */
#include <math.h>

#include "base/text.h"
#include "data/plan.h"
#include "io/text/amounts.h"
#include "table_files.h"

/* "kind; values" of a column x with these cells, separated by '|'. */
static void column_gives(tables *t, const char *cells, const char *expected) {
    char text[2000] = "id|x\n", found[1000];
    int row = 0;
    gpr_dataset *data;
    for (const char *at = cells; at; row++) {
        const char *end = strchr(at, '|');
        sprintf(text + strlen(text), "%d|%.*s\n", row, end ? (int)(end - at) : (int)strlen(at), at);
        at = end ? end + 1 : NULL;
    }
    for (char *c = text; *c; c++) *c = *c == '|' ? '\t' : *c;
    put_text(t->nodes, text);
    put_text(t->edges, "0,1\n");
    warnings[0] = 0;
    assert_ok(gpr_dataset_open_with(t->ctx, &data, &t->options));
    const gpri_column *x = &data->plan->columns[1];
    sprintf(found, "%s %s;", gpri_kind_word(x->kind), x->done);
    for (int i = 0; i < row && data->features.cols > 0; i++) {
        const gpri_feature_matrix *m = &data->features;
        assert_non_null(m->dense);
        sprintf(found + strlen(found), " %.12g", gpri_shortest_decimal(m->dense[i * m->cols]));
    }
    assert_string_equal(found, expected);
    gpr_dataset_free(data);
}

static void test_columns(void **state) {
    tables *t = *state;
    column_gives(t, "1,234,567|89|-1,000", "number number with , between thousands; 1234567 89 -1000");
    column_gives(t, "1,234.50|2,000|17", "number number with , between thousands; 1234.5 2000 17");
    column_gives(t, "12.75|2,000|17", "number number with , between thousands; 12.75 2000 17");
    column_gives(t, "1.234.567|89|1.000", "number number with . between thousands; 1234567 89 1000");
    column_gives(t, "1.234,5|0,25|1.000", "number number with . between thousands; 1234.5 0.25 1000");
    column_gives(t, "$1,200|$950.50|-$3|$-4", "number number in $ with , between thousands; 1200 950.5 -3 -4");
    column_gives(t, "1.200 EUR|950,5 EUR|3 EUR", "number number in EUR with . between thousands; 1200 950.5 3");
    column_gives(t, "1.200 EUR|3.400 EUR|1.000.000 EUR",
                 "number number in EUR with . between thousands; 1200 3400 1000000");
    column_gives(t, "$1,200|$3,400", "number number in $ with , between thousands; 1200 3400");
    column_gives(t, "$1.20|$3.40|7", "number number in $; 1.2 3.4 7");
    column_gives(t, "\xe2\x82\xac 1.200,50|\xe2\x82\xac 3",
                 "number number in \xe2\x82\xac with . between thousands; 1200.5 3");
    column_gives(t, "12.5%|3%|-0.5 %", "number number in %; 12.5 3 -0.5");
    column_gives(t, "12,5 %|3 %", "number number in %; 12.5 3");
    column_gives(t, "1'234'567|1'000|5", "number number with blanks or ' between thousands; 1234567 1000 5");
    column_gives(t,
                 "1\xc2\xa0"
                 "234|1\xe2\x80\xaf"
                 "000,5|5",
                 "number number with blanks or ' between thousands; 1234 1000.5 5");
    column_gives(t, "1 234 kr|999 kr", "number number in kr with blanks or ' between thousands; 1234 999");
    column_gives(t, "999|1,000|12,500",
                 "number number with , between thousands; 999 1000 12500"); /* none of 1000 and more lacks it */
    column_gives(t, "(1,200)|1,300,000|$(5)|($7.25)|-2|9", /* of accounts */
                 "number number in $ with , between thousands; -1200 1300000 -5 -7.25 -2 9");
    assert_string_equal(warnings, "");
    column_gives(t, "1,004.01|2,004.01|3,004.01|4,004.01|5,004.01|6,004.01|7,004.01|8,004.01|9,004.01|0,5",
                 "number number with , between thousands; 1 gap filled with 5004.01 (the median), a feature tells "
                 "where; 1004.01 2004.01 3004.01 4004.01 5004.01 6004.01 7004.01 8004.01 9004.01 5004.01");
    assert_non_null(strstr(warnings, "not a number: 1 such cell is taken as missing"));
    column_gives(t, "1.004,5|2.004,5|3.004,5|4.004,5|5.004,5|6.004,5|7.004,5|8.004,5|9.004,5|0.5",
                 "number number with . between thousands; 1 gap filled with 5004.5 (the median), a feature tells "
                 "where; 1004.5 2004.5 3004.5 4004.5 5004.5 6004.5 7004.5 8004.5 9004.5 5004.5");
}

/* What shows nothing, or contradicts itself, is read as before. */
static void test_plain(void **state) {
    tables *t = *state;
    column_gives(t, "1,234|5,678", "number number with decimal comma; 1.234 5.678");
    assert_non_null(strstr(warnings, "the comma of '1,234' is read as a decimal point"));
    column_gives(t, "1,234|1000", "number number with decimal comma; 1.234 1000");
    column_gives(t, "1.234|5.678|999", "number as it is; 1.234 5.678 999");
    column_gives(t, "0,5|1,25", "number number with decimal comma; 0.5 1.25");
    column_gives(t, "0,5|1.25|3", "number number with decimal comma; 0.5 1.25 3");
    column_gives(t, "1e5|-2.5E-3|.5", "number as it is; 100000 -0.0025 0.5");
    column_gives(t, "1.2.3|1.2.4|2.0.1", "category a feature of 0 and 1 for each value; 1 0 0");
    column_gives(t, "12,34,567|1,2", "category a feature of 0 and 1 for each value; 0 1");
    column_gives(t, "0,123,456|0,1,2", "category a feature of 0 and 1 for each value; 0 1");
    column_gives(t, "555 123 456|555 999 111", "category a feature of 0 and 1 for each value; 1 0"); /* telephones */
    column_gives(t, "1,004.01|2,004.01|0,5|1,5", "category a feature of 0 and 1 for each value; 0 0 1 0");
    column_gives(t, "192.168.100.200|192.168.101.120|192.168.100.200",
                 "category a feature of 0 and 1 for each value; 1 0 1");
    column_gives(t, "1.000.000.000|2.000.000.000|2.500.000.000",
                 "number number with . between thousands; 1000000000 2000000000 2500000000");
    column_gives(t, "$|%", "category a feature of 0 and 1 for each value; 1 0");
    column_gives(t, "$5|EUR 7", "category a feature of 0 and 1 for each value; 1 0"); /* two currencies */
    column_gives(t, "(255,255,128)|(128,255,255)|(128,255,128)",
                 "words a feature of 0 and 1 for each of 2 words in brackets; of 2 different words, those in 2 cells "
                 "or more; 1 1 1");
    column_gives(t, "$5|$6|$7|EUR 7",
                 "number number in $; 1 gap filled with 6 (the median), a feature tells where; 5 6 7 6");
}

static void test_asked(void **state) {
    tables *t = *state;
    t->options.numeric = "x";
    column_gives(t, "$1,200|free|ask",
                 "number number in $ with , between thousands; 2 gaps filled with 1200 (the median), a "
                 "feature tells where; 1200 1200 1200");
    column_gives(t, "$1,200|$1"
                    "00000000000000000000"
                    "00000000000000000000|$1,300|$1,200", /* no infinity */
                 "number number in $ with , between thousands; 1 gap filled with 1200 (the median), a feature tells "
                 "where; 1200 1200 1300 1200");
    t->options.numeric = NULL;
    t->options.categorical = "x";
    column_gives(t, "12.5%|3%", "category a feature of 0 and 1 for each value; 1 0");
}

/* Beyond the cells that decide, and where text comes first. */
static void test_many(void **state) {
    tables *t = *state;
    for (int late = 0; late < 2; late++) {
        gpr_dataset *data;
        FILE *file = fopen(t->nodes, "w");
        assert_non_null(file);
        fputs("id\tx\n", file);
        for (int i = 0; i < 3000; i++)
            if (late && i < 200) fprintf(file, "%d\tunknown\n", i);
            else fprintf(file, "%d\t$%d,%03d.50\n", i, i % 9 + 1, i % 1000);
        assert_int_equal(fclose(file), 0);
        put_text(t->edges, "0,1\n");
        assert_ok(gpr_dataset_open_with(t->ctx, &data, &t->options));
        assert_int_equal(data->features.cols, late ? 2 : 1);
        for (int i = late ? 200 : 0; i < 3000; i++)
            assert_true(data->features.dense[i * data->features.cols] == (float)(1000 * (i % 9 + 1) + i % 1000) + 0.5f);
        gpr_dataset_free(data);
    }
}

/* A mark between thousands behind the cells that decide, and in a table for a model: no decimal comma. */
static void test_late_comma(void **state) {
    tables *t = *state;
    gpr_dataset *data;
    FILE *file = fopen(t->nodes, "w");
    assert_non_null(file);
    fputs("id\tx\ty\n", file);
    for (int i = 0; i < 1200; i++) fprintf(file, "%d\t%s\t%s\n", i, i == 1100 ? "1,000" : "7", i % 2 ? "u" : "v");
    assert_int_equal(fclose(file), 0);
    put_text(t->edges, "0,1\n");
    t->options.label = "y";
    warnings[0] = 0;
    assert_ok(gpr_dataset_open_with(t->ctx, &data, &t->options));
    assert_non_null(strstr(warnings, "n.csv:1102: column 'x' is '1,000', not a number: 1 such cell is taken"));
    assert_int_equal(data->features.cols, 2);
    assert_true(data->features.dense[2 * 1100] == 7);
    gpr_dataset_free(data);
    gpr_model *model = trained(t);
    t->options.label = NULL;
    t->options.plan = gpr_model_plan(model);
    put_text(t->nodes, "id\tx\n0\t1,000\n1\t-2,500\n");
    fails(t, GPR_ERROR_FORMAT, "n.csv:2: column 'x' is '1,000': expected a number, as for the model");
    put_text(t->nodes, "id\tx\n0\t0,125\n1\t2,5\n2\t1,500\n3\t1234,125\n"); /* commas that are decimal ones */
    gives(t, "0 1 2 3; 0-1; x x (missing): 0.125,0 2.5,0 1.5,0 1234.12,0;");
    gpr_model_free(model);
}

static void test_model(void **state) {
    tables *t = *state;
    FILE *file = fopen(t->nodes, "w");
    assert_non_null(file);
    fputs("id\tx\ty\n", file);
    for (int i = 0; i < 60; i++) fprintf(file, "%d\t%d.%03d EUR\t%s\n", i, i % 9 + 1, i, i % 2 ? "u" : "v");
    assert_int_equal(fclose(file), 0);
    put_text(t->edges, "0,1\n");
    t->options.label = "y";
    gpr_model *model = trained(t);
    t->options.label = NULL;
    t->options.plan = gpr_model_plan(model);
    put_text(t->nodes,
             "id\tx\n0\t1.500 EUR\n1\t2,5 EUR\n2\t7\n3\t8.000\n"); /* as in the training, whatever these show */
    gives(t, "0 1 2 3; 0-1; x: 1500 2.5 7 8000;");
    put_text(t->nodes, "id\tx\n0\t1.5 EUR\n1\t$7\n2\t8\n");
    fails(t, GPR_ERROR_FORMAT, "n.csv:2: column 'x' is '1.5 EUR': expected a number, as for the model");
    gpr_model_free(model);
}

static void read_plan(gpr_ctx *ctx, const char *rest, bool right) {
    char plan[400];
    gpri_plan *read;
    snprintf(plan, sizeof plan,
             "{\"columns\":[{\"name\":\"x\",\"role\":\"feature\",\"kind\":\"number\",\"distinct\":2,\"missing\":0,"
             "\"odd\":0,\"features\":1%s}]}",
             rest);
    if (!right)
        assert_fails(gpri_plan_read(ctx, &read, plan, "m"), GPR_ERROR_FORMAT, "its marks or its unit are wrong");
    else assert_ok(gpri_plan_read(ctx, &read, plan, "m"));
    gpri_plan_free(read);
}

static void test_plan_text(void **state) {
    gpr_ctx *ctx = ((tables *)*state)->ctx;
    read_plan(ctx, "", true); /* of an earlier program */
    read_plan(ctx, ",\"marks\":\".,\",\"unit\":\"$\"", true);
    read_plan(ctx, ",\"marks\":\",\",\"unit\":\"%\"", true);
    read_plan(ctx, ",\"marks\":\"..\",\"unit\":\"\"", false);
    read_plan(ctx, ",\"marks\":\"x\",\"unit\":\"\"", false);
    read_plan(ctx, ",\"marks\":\"\",\"unit\":\"$\"", false);
    read_plan(ctx, ",\"marks\":\".,'\",\"unit\":\"\"", false);
    read_plan(ctx, ",\"marks\":\".,\"", false);
    read_plan(ctx, ",\"marks\":\".,\",\"unit\":\"a long one\"", false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TABLE_TEST(test_columns), TABLE_TEST(test_plain), TABLE_TEST(test_asked),
        TABLE_TEST(test_many),    TABLE_TEST(test_model), TABLE_TEST(test_plan_text),
        TABLE_TEST(test_late_comma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
