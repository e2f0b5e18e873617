/* Kinds and roles of columns of a table of nodes, the plan that says them, and tables read by the plan of a model. */
#include <math.h>

#include "base/json.h"
#include "io/text/columns.h"
#include "io/text/dates.h"
#include "table_files.h"

static gpr_dataset *opened(tables *t) {
    gpr_dataset *data;
    warnings[0] = 0;
    assert_ok(gpr_dataset_open_with(t->ctx, &data, &t->options));
    return data;
}

static gpr_column_info column(const gpr_dataset *data, int64_t number) {
    gpr_column_info info = {.struct_size = sizeof info};
    assert_ok(gpr_dataset_column(data, number, &info));
    return info;
}

/* "age feature number 3 1": name, role, kind, distinct, missing of each, one per line. */
static void planned(tables *t, const char *expected) {
    char text[4000], *at = text;
    gpr_dataset *data = opened(t);
    for (int64_t j = 0; j < gpr_dataset_column_count(data); j++) {
        const gpr_column_info info = column(data, j);
        at += sprintf(at, "%s %s %s %d %d\n", info.name, info.role, info.kind, (int)info.distinct, (int)info.missing);
    }
    assert_string_equal(text, expected);
    gpr_dataset_free(data);
}

/* A table whose column x has these cells, in turn: `count` rows. */
static void put_cells(const tables *t, int count, const char *(*cell)(int row)) {
    FILE *file = fopen(t->nodes, "w");
    assert_non_null(file);
    fputs("id,x\n", file);
    for (int i = 0; i < count; i++) fprintf(file, "%d,%s\n", i, cell(i));
    assert_int_equal(fclose(file), 0);
    put_text(t->edges, "0,1\n");
}

/* ---- numbers ---- */

static char cell_text[64];
static int odd_row;

static const char *one_odd(int row) {
    snprintf(cell_text, sizeof cell_text, row == odd_row ? "oops" : "%d.5", row);
    return cell_text;
}

/* Mostly numbers is numbers, wherever the odd cell stands: first, in the part that is looked at, behind it, last. */
static void test_odd_cell(void **state) {
    tables *t = *state;
    static const int rows[] = {0, 10, 999, 1000, 2500, 2999};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[200];
        odd_row = rows[i];
        put_cells(t, 3000, one_odd);
        gpr_dataset *data = opened(t);
        snprintf(expected, sizeof expected,
                 "n.csv:%d: column 'x' is 'oops', not a number: 1 such cell is taken as missing\n", odd_row + 2);
        assert_string_equal(warnings, expected);
        assert_int_equal(data->features.cols, 2);
        assert_string_equal(gpr_dataset_feature_name(data, 1), "x (missing)");
        assert_true(data->features.dense[2 * odd_row + 1] == 1);
        assert_int_equal(column(data, 1).odd, 1);
        assert_int_equal(column(data, 1).distinct, -1); /* more than 1000 */
        gpr_dataset_free(data);
    }
}

static const char *eighth_odd(int row) {
    snprintf(cell_text, sizeof cell_text, row % 8 == 3 ? "n.k." : "%d", row % 5);
    return cell_text;
}

static const char *late_text(int row) { return row < 1500 ? "5" : "five"; }
static const char *early_text(int row) { return row < 100 ? "five" : "5"; }

static void test_share_of_numbers(void **state) {
    tables *t = *state;
    put_cells(t, 320, eighth_odd); /* 87.5 % are numbers */
    planned(t, "id id text 320 0\nx feature category 6 0\n");
    assert_non_null(strstr(warnings, "column 'x' is 'n.k.', and 280 of its 320 cells are numbers: it is taken as a "
                                     "category; `numeric` x makes it numbers"));
    t->options.numeric = "x";
    planned(t, "id id text 320 0\nx feature number 5 0\n");
    assert_non_null(
        strstr(warnings, "n.csv:5: column 'x' is 'n.k.', not a number: 40 such cells are taken as missing"));
    t->options.numeric = NULL;
    put_cells(t, 3000, early_text); /* text at first, and yet 96.7 % are numbers */
    planned(t, "id id text 3000 0\nx feature number 1 0\n");
    put_cells(t, 3000, late_text);
    fails(t, GPR_ERROR_FORMAT,
          "n.csv:1502: column 'x' is 'five', but the first 1000 cells are numbers; in all 1500 of 3000 are not: say "
          "what "
          "it is with `numeric`, `date` or `categorical`, or leave it out with `drop`");
    t->options.categorical = "2";
    planned(t, "id id text 3000 0\nx feature category 2 0\n");
    t->options.categorical = NULL;
    t->options.numeric = "x";
    planned(t, "id id text 3000 0\nx feature number 1 0\n");
    t->options.numeric = NULL;
    odd_row = 1;
    put_cells(t, 4, one_odd); /* of few cells all but one are enough */
    planned(t, "id id text 4 0\nx feature number 3 0\n");
    put_cells(t, 3, one_odd);
    planned(t, "id id text 3 0\nx feature category 3 0\n");
    t->options.numeric = "x";
    put_text(t->nodes, "id,x\n0,a\n1,b\n");
    fails(t, GPR_ERROR_FORMAT, "n.csv:2: column 'x' is 'a': no cell is a number");
}

static void test_decimal_comma(void **state) {
    tables *t = *state;
    put_text(t->edges, "0,1\n");
    put_text(t->nodes, "id;x;y\n0;0,5;1\n1;-12,25;2\n2;3;3\n");
    gives(t, "0 1 2; 0-1; x y: 0.5,1 -12.25,2 3,3;");
    assert_string_equal(warnings, "");
    put_text(t->nodes, "id,x\n0,\"0,5\"\n1,\"1e1\"\n");
    gives(t, "0 1; 0-1; x: 0.5 10;");
    put_text(t->nodes, "id\tx\n0\t1,234\n1\t5,678\n"); /* thousands? Said, not guessed in silence */
    gives(t, "0 1; 0-1; x: 1.234 5.678;");
    assert_string_equal(warnings,
                        "n.csv:2: column 'x': the comma of '1,234' is read as a decimal point; if it separates "
                        "thousands, remove it\n");
    double value;
    static const char *const none[] = {"", ",", "1,", "1,2,3", "1,234.5", "a,5", "1, 5", "1,-5"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(gpri_comma_real((gpri_field){none[i], (int64_t)strlen(none[i])}, &value));
}

/* ---- categories ---- */

static const char *brand(int row) { /* brand 0 is in half of the rows */
    snprintf(cell_text, sizeof cell_text, "brand %03d", row % 2 ? 0 : row / 2 % 400);
    return cell_text;
}

static const char *title(int row) {
    snprintf(cell_text, sizeof cell_text, "title %d", row / 4 * 4);
    return row % 4 == 0 ? cell_text : "common";
}

static const char *name(int row) {
    snprintf(cell_text, sizeof cell_text, "name %d", row);
    return cell_text;
}

static void test_many_values(void **state) {
    tables *t = *state;
    put_cells(t, 5000, brand);
    planned(t, "id id text 5000 0\nx feature category 400 0\n");
    assert_string_equal(warnings, "");
    t->options.max_values = 3;
    gpr_dataset *data = opened(t);
    assert_int_equal(data->features.cols, 4);
    assert_string_equal(gpr_dataset_feature_name(data, 0), "x=brand 000");
    assert_string_equal(gpr_dataset_feature_name(data, 1), "x=brand 001"); /* equally frequent: by their bytes */
    assert_string_equal(gpr_dataset_feature_name(data, 3), "x (other)");
    assert_int_equal(data->features.nnz, 5000); /* every row has one */
    assert_string_equal(column(data, 1).done, "the 3 most frequent of 400 values; the others (2479 cells) are one");
    gpr_dataset_free(data);
    t->options.max_values = -1;
    fails(t, GPR_ERROR_ARGUMENT, "max-values is -1: it must be from 1 to 1000000");
    t->options.max_values = 0;
    put_cells(t, 5000, title); /* a quarter as many values as rows is no free text */
    planned(t, "id id text 5000 0\nx feature category 1251 0\n");
    put_cells(t, 90, name); /* few values are never free text */
    planned(t, "id id text 90 0\nx feature category 90 0\n");
    put_cells(t, 5000, name);
    planned(t, "id id text 5000 0\nx dropped text 5000 0\n");
    assert_non_null(strstr(warnings, "column 'x' is text with nearly as many values as rows"));
    put_cells(t, 50000, name); /* given up while reading */
    planned(t, "id id text 50000 0\nx dropped text -1 0\n");
    t->options.categorical = "x";
    data = opened(t);
    assert_int_equal(data->features.cols, 1001);
    gpr_dataset_free(data);
}

/* ---- dates ---- */

static int64_t minutes_of(const char *text, gpri_date_order order) {
    int32_t minutes;
    return gpri_parse_date((gpri_field){text, (int64_t)strlen(text)}, order, &minutes) ? minutes : INT64_MAX;
}

static void test_parse_dates(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t days, minutes;
    } good[] = {{"1970-01-01", 0, 0},
                {"1969-12-31", -1, 0},
                {"2000-02-29", 11016, 0},
                {"2024-03-01", 19783, 0},
                {"1900-03-01", -25508, 0},
                {"0001-01-01", -719162, 0},
                {"2024-03-01 09:30", 19783, 570},
                {"2024-03-01T23:59:59", 19783, 1439},
                {"2024-03-01T09:30:15.250Z", 19783, 570},
                {"2024-03-01T09:30+02:00", 19783, 570},
                {"2024-03-01 09:30:15 +0200", 19783, 570},
                {"01.03.2024", 19783, 0},
                {"1.3.2024 9:30", 19783, 570}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(minutes_of(good[i].text, GPRI_DATE_NO_ORDER), good[i].days * 1440 + good[i].minutes);
    static const char *const none[] = {
        "",           "2024",        "2023-02-29",        "2024-13-01",          "2024-1-1",
        "2024-01-32", "0000-01-01",  "9999-12-31",        "2024-01-01x",         "2024-01-01T24:00",
        "3/4/2024",   "2024-01-01T", "31.4.2024",         "2024-01-01 9",        "20240101",
        "1.2.34",     "12.34.56",    "2024-01-01T09:30+", "2024-01-01T09:30+02:"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (minutes_of(none[i], GPRI_DATE_NO_ORDER) != INT64_MAX) fail_msg("'%s' is taken as a date", none[i]);
    assert_int_equal(minutes_of("3/1/2024", GPRI_DATE_MONTH_FIRST), 19783 * 1440);
    assert_int_equal(minutes_of("01/03/2024 09:30", GPRI_DATE_DAY_FIRST), 19783 * 1440 + 570);
    assert_int_equal(minutes_of("31/03/2024", GPRI_DATE_MONTH_FIRST), INT64_MAX);
    int number, days;
    gpri_day_of_year(19783, &number, &days); /* 2024-03-01 */
    assert_int_equal(number, 60);
    assert_int_equal(days, 366);
    gpri_day_of_year(-1, &number, &days);
    assert_int_equal(number, 364);
    assert_int_equal(days, 365);
}

static void test_dates(void **state) {
    tables *t = *state;
    put_text(t->edges, "0,1\n");
    put_text(t->nodes, "id,d\n0,1970-01-01\n1,1970-01-05\n2,\n");
    gpr_dataset *data = opened(t);
    static const char *const names[] = {"d",          "d (year sin)", "d (year cos)", "d (week sin)", "d (week cos)",
                                        "d (missing)"};
    assert_int_equal(data->features.cols, 6);
    for (int j = 0; j < 6; j++) assert_string_equal(gpr_dataset_feature_name(data, j), names[j]);
    const float *x = data->features.dense;
    assert_non_null(x);
    assert_float_equal(x[0], 0, 0);                        /* 1970 */
    assert_float_equal(x[2], 1, 1e-7);                     /* January 1st: cos 0 */
    assert_float_equal(x[3], sin(2 * M_PI * 3 / 7), 1e-6); /* a Thursday */
    assert_float_equal(x[6], 4, 0);
    assert_float_equal(x[6 + 1], sin(2 * M_PI * 4 / 365), 1e-6);
    assert_float_equal(x[6 + 4], 1, 1e-7); /* a Monday */
    assert_float_equal(x[12], 2, 0);       /* the median */
    assert_float_equal(x[12 + 2], 0, 0);   /* no cycle is known */
    assert_float_equal(x[12 + 5], 1, 0);
    assert_true(data->mixed_columns);
    gpr_dataset_free(data);
    put_text(t->nodes, "id,d\n0,1970-01-01 06:00\n1,1970-01-01\n"); /* with times */
    data = opened(t);
    assert_int_equal(data->features.cols, 7);
    assert_string_equal(gpr_dataset_feature_name(data, 5), "d (day sin)");
    assert_float_equal(data->features.dense[0], 0.25, 0);
    assert_float_equal(data->features.dense[5], 1, 1e-7);
    gpr_dataset_free(data);
    put_text(t->nodes, "id,d\n0,13/01/1970\n1,02/01/1970\n"); /* one tells the order of all */
    data = opened(t);
    assert_float_equal(data->features.dense[0], 12, 0);
    assert_float_equal(data->features.dense[5], 1, 0);
    gpr_dataset_free(data);
    put_text(t->nodes, "id,d\n0,03/01/1970\n1,02/01/1970\n"); /* none does */
    planned(t, "id id text 2 0\nd feature category 2 0\n");
    assert_non_null(strstr(warnings, "column 'd' is '03/01/1970': day or month first?"));
    t->options.date = "d";
    data = opened(t);
    assert_non_null(strstr(warnings, "are read as month/day/year: nothing shows the order"));
    assert_float_equal(data->features.dense[0], 59, 0); /* March 1st */
    gpr_dataset_free(data);
    put_text(t->nodes, "id,d\n0,1970-01-01\n1,soon\n2,1970-01-03\n"); /* asked: odd cells are missing */
    planned(t, "id id text 3 0\nd feature date 2 0\n");
    assert_string_equal(warnings, "n.csv:3: column 'd' is 'soon', not a date: 1 such cell is taken as missing\n");
    put_text(t->nodes, "id,d\n0,x\n1,y\n");
    fails(t, GPR_ERROR_FORMAT, "n.csv:2: column 'd' is 'x': no cell is a date");
}

/* ---- roles ---- */

static void test_roles(void **state) {
    tables *t = *state;
    put_text(t->edges, "a,b\n");
    put_text(t->nodes, ",customer_id,x,y\n0,a,1,u\n1,b,2,v\n2,c,3,u\n"); /* as pandas writes it */
    t->options.label = "y";
    planned(t, "1 dropped unknown -1 -1\ncustomer_id id text 3 0\nx feature number 3 0\ny label category 2 0\n");
    gives(t, "a b c; 0-1; x: 1 2 3; u v u");
    put_text(t->nodes, "Unnamed: 0,customer_id,x,y\n5,a,1,u\n7,b,2,v\n");
    gives(t, "a b; 0-1; x: 1 2; u v");
    put_text(t->edges, "0,1\n");
    put_text(t->nodes, ",x,y\n0,1,u\n1,2,v\n"); /* no other column can be it */
    gives(t, "0 1; 0-1; x: 1 2; u v");
    put_text(t->edges, "a,b\n");
    put_text(t->nodes, ",node,x,y\na,1,1,u\nb,2,2,v\n"); /* names of rows, as R writes them: no index */
    gives(t, "a b; 0-1; node x: 1,1 2,2; u v");
    put_text(t->nodes, ",x,k,y\n0,1,a,u\n1,2,b,v\n"); /* with an id that is given, the index is no feature */
    t->options.id = "k";
    gives(t, "a b; 0-1; x: 1 2; u v");
    t->options.numeric = "1";
    gives(t, "a b; 0-1; 1 x: 0,1 1,2; u v");
    t->options.numeric = "y";
    fails(t, GPR_ERROR_ARGUMENT, "n.csv: column 'y' is said to be a number, but its role is label");
    t->options.numeric = t->options.date = "x";
    fails(t, GPR_ERROR_ARGUMENT, "n.csv: column 'x' is said to be a number and a date");
    t->options.date = NULL;
    t->options.drop = "k";
    fails(t, GPR_ERROR_ARGUMENT, "n.csv: column 'k' has the ids: `drop` cannot leave it out");
    t->options.drop = "x";
    fails(t, GPR_ERROR_ARGUMENT, "n.csv: column 'x' is said to be a number, but its role is dropped");
    t->options.numeric = "nowhere";
    fails(t, GPR_ERROR_ARGUMENT, "n.csv: no column 'nowhere' (numeric): the header has");
}

static void test_no_plan(void **state) {
    tables *t = *state;
    gpr_dataset *data;
    gpr_column_info info = {.struct_size = sizeof info};
    assert_ok(gpr_dataset_open(t->ctx, &data, "csbm:n=20,f=3", NULL));
    assert_int_equal(gpr_dataset_column_count(data), 0);
    assert_fails(gpr_dataset_column(data, 0, &info), GPR_ERROR_ARGUMENT, "there are 0 columns");
    gpr_dataset_free(data);
}

/* ---- the plan of a model ---- */

/* Trains a little, and gives the model as it comes out of its bytes. */
/* 40 nodes with a number that has a gap, a category, a date, a number without a gap, and a class. */
static void put_training(const tables *t) {
    FILE *nodes = fopen(t->nodes, "w"), *edges = fopen(t->edges, "w");
    assert_true(nodes && edges);
    fputs("who,age,city,joined,height,team\n", nodes);
    fputs("from,to,weight\n", edges);
    for (int i = 0; i < 40; i++) {
        fprintf(nodes, "p%d,%s,%s,2024-01-%02d,%d.5,%s\n", i,
                i == 7  ? ""
                : i % 2 ? "30"
                        : "40",
                i % 3 ? "Oslo" : "Rome", i % 28 + 1, i, i % 2 ? "red" : "blue");
        fprintf(edges, "p%d,p%d,%d\n", i, (i + 2) % 40, i % 3 + 1);
    }
    assert_int_equal(fclose(nodes) | fclose(edges), 0);
}

static const char *const model_features =
    "age age (missing) city=Oslo city=Rome joined joined (year sin) joined (year cos) joined (week sin) "
    "joined (week cos) height";

static void names_of(const gpr_dataset *data, char *text) {
    *text = 0;
    for (int64_t j = 0; j < gpr_dataset_features(data); j++)
        sprintf(text + strlen(text), "%s%s", j ? " " : "", gpr_dataset_feature_name(data, j));
}

/* Features of a file, and those from the graph, stand behind the columns of the nodes. */
static void test_added_features(void **state) {
    tables *t = *state;
    put_text(t->edges, "a,b\nb,c\n");
    put_text(t->nodes, "id,x,city,y\na,1,Rome,u\nb,2,Oslo,v\nc,3,Rome,u\n");
    put_text(t->other, "7,0\n0,8\n9,1\n");
    t->options.label = "y";
    t->options.features = t->other;
    gives(t, "a b c; 0-1 1-2; x city=Oslo city=Rome features 1 features 2: 1,0,1,7,0 2,1,0,0,8 3,0,1,9,1; u v u");
    assert_string_equal(warnings, "");
    put_text(t->other, "p,q\n7,0\n0,8\n9,1\n"); /* with names */
    t->options.drop = "city";
    gives(t, "a b c; 0-1 1-2; x p q: 1,7,0 2,0,8 3,9,1; u v u");
    put_text(t->other, "p,x\n7,0\n0,8\n9,1\n");
    fails(t, GPR_ERROR_MISMATCH, "the feature 'x' is a column of `nodes`, too: rename it there or here");
    put_text(t->other, "p,q\n7,0\n0,8\n");
    fails(t, GPR_ERROR_MISMATCH, "2 rows of features, but");
    t->options.drop = "x,city"; /* nothing to add to */
    put_text(t->other, "7,0\n0,8\n9,1\n");
    gives(t, "a b c; 0-1 1-2; 7,0 0,8 9,1; u v u");
    t->options.drop = "x";
    t->options.features = "degree";
    gpr_dataset *data = opened(t);
    assert_int_equal(data->features.cols, 2 + 17);
    assert_string_equal(gpr_dataset_feature_name(data, 2), "degree (log)");
    assert_true(data->mixed_columns);
    fail_every_allocation(trial, &t->options);
    gpr_dataset_free(data);
    t->options.drop = NULL; /* sparse beside dense */
    t->options.features = "identity";
    gives(t, "a b c; 0-1 1-2; x city=Oslo city=Rome features 1 features 2 features 3: 1,0,1,1,0,0 2,1,0,0,1,0 "
             "3,0,1,0,0,1; u v u");
}

/* A model makes those from the graph by itself, and asks for those of a file. */
static void test_added_to_model(void **state) {
    tables *t = *state;
    char text[1000];
    put_training(t);
    t->options.label = "team";
    t->options.features = "degree";
    gpr_model *model = trained(t);
    const gpr_open_options plain = {.struct_size = sizeof plain, .edges = t->edges, .nodes = t->nodes};
    t->options = plain;
    t->options.plan = gpr_model_plan(model);
    t->options.default_features = gpr_model_made_features(model);
    t->options.model_features = gpr_model_features(model);
    gpr_dataset *data = opened(t);
    names_of(data, text);
    assert_memory_equal(text, model_features, strlen(model_features));
    assert_int_equal(data->features.cols, gpr_model_features(model));
    int32_t classes[40];
    assert_ok(gpr_predict(t->ctx, model, data, classes, NULL));
    gpr_dataset_free(data);
    gpr_model_free(model);

    FILE *file = fopen(t->other, "w");
    assert_non_null(file);
    for (int i = 0; i < 40; i++) fprintf(file, "%d,%d\n", i, i % 3);
    assert_int_equal(fclose(file), 0);
    t->options = plain;
    t->options.label = "team";
    t->options.features = t->other;
    model = trained(t);
    t->options = plain;
    t->options.plan = gpr_model_plan(model);
    data = opened(t);
    assert_fails(gpr_predict(t->ctx, model, data, classes, NULL), GPR_ERROR_MISMATCH, "lacks 2 of its 12 features");
    gpr_dataset_free(data);
    t->options.features = t->other;
    data = opened(t);
    assert_ok(gpr_predict(t->ctx, model, data, classes, NULL));
    gpr_dataset_free(data);
    gpr_model_free(model);
}

static void test_model_plan(void **state) {
    tables *t = *state;
    char text[1000];
    put_training(t);
    t->options.label = "team";
    gpr_model *model = trained(t);
    assert_non_null(gpr_model_plan(model));
    const gpr_open_options plain = {.struct_size = sizeof plain, .edges = t->edges, .nodes = t->nodes};
    t->options = plain;
    t->options.plan = gpr_model_plan(model);

    /* the same table: nothing has to be said again */
    gpr_dataset *data = opened(t);
    names_of(data, text);
    assert_string_equal(text, model_features);
    assert_int_equal(gpr_dataset_classes(data), 2);
    assert_string_equal(warnings, "");
    gpr_dataset_free(data);

    /* columns in another order, a new one, a new city, gaps, no label, no weights */
    put_text(t->edges, "from,to\na,b\n");
    put_text(t->nodes, "height,extra,joined,city,age,who\n1,x,2024-02-01,Rome,,a\n,y,2024-02-02,Bonn,50,b\n");
    data = opened(t);
    names_of(data, text);
    assert_string_equal(text, model_features);
    assert_int_equal(gpr_dataset_classes(data), 0);
    const float *x = data->features.dense;
    assert_non_null(x);
    assert_float_equal(x[0], 40, 0); /* the median of the training */
    assert_float_equal(x[1], 1, 0);
    assert_float_equal(x[3], 1, 0);                  /* Rome */
    assert_float_equal(x[10 + 2] + x[10 + 3], 0, 0); /* Bonn */
    assert_float_equal(x[10 + 9], 20, 0);            /* the median of the training, without an indicator */
    assert_non_null(strstr(warnings, "a column that the model does not know is left out: 'extra'\n"));
    assert_non_null(
        strstr(warnings, "column 'city' has 1 cell with a text that the model does not know (line 3: 'Bonn')"));
    assert_non_null(strstr(warnings, "column 'height' has 1 gap, and had none in training: filled with 20"));
    assert_non_null(strstr(warnings, "has no weights, but the edges that the model was trained on had them"));
    gpr_dataset_free(data);

    /* a header of words over words is recognised by the model's names */
    put_text(t->nodes, "city,joined,age,height,who\nRome,none,nan,nan,a\nOslo,none,nan,nan,b\n");
    data = opened(t);
    assert_string_equal(gpr_dataset_node_id(data, 0), "a");
    gpr_dataset_free(data);

    put_text(t->nodes, "who,age,joined\na,1,2024-01-01\nb,2,2024-01-01\n");
    fails(t, GPR_ERROR_MISMATCH, "n.csv lacks columns that the model was trained on: 'city', 'height'");
    put_text(t->nodes, "age,city,joined,height\n1,Rome,2024-01-01,1\n");
    fails(t, GPR_ERROR_MISMATCH, "n.csv lacks the column 'who' with the ids of the nodes");
    put_text(t->nodes, "a,1,Rome,2024-01-01,3,red\nb,1,Rome,2024-01-01,3,red\n");
    fails(t, GPR_ERROR_MISMATCH, "n.csv lacks the column 'who'");
    put_text(t->nodes, "who,age,city,joined,height\na,old,Rome,2024-01-01,3\nb,1,Rome,2024-01-01,3\n");
    fails(t, GPR_ERROR_FORMAT,
          "n.csv:2: column 'age' is 'old': expected a number, as for the model (1 of 2 cells are not)");
    put_text(t->nodes, "who,age,city,joined,height,team\na,1,Rome,2024-01-01,3,\nb,1,Oslo,2024-01-01,3,\n");
    data = opened(t); /* the column of labels is there, and empty */
    assert_int_equal(gpr_dataset_classes(data), 0);
    gpr_dataset_free(data);
    fail_every_allocation(trial, &t->options);
    gpr_model_free(model);
}

/* Without weights in training, those of the new table are not used. */
static void test_model_weights(void **state) {
    tables *t = *state;
    put_training(t);
    t->options.label = "team";
    t->options.weight = "none";
    gpr_model *model = trained(t);
    t->options.weight = NULL;
    t->options.plan = gpr_model_plan(model);
    gpr_dataset *data = opened(t);
    assert_null(data->graph.weight);
    gpr_dataset_free(data);
    t->options.plan = NULL;
    data = opened(t);
    assert_non_null(data->graph.weight);
    gpr_dataset_free(data);
    gpr_model_free(model);
}

/* ---- plans as text ---- */

static const char good_plan[] =
    "{\"header\":true,\"weighted\":true,\"weight\":\"w\",\"columns\":[{\"name\":\"x\",\"role\":\"feature\","
    "\"kind\":\"number\",\"distinct\":null,\"missing\":1,\"odd\":0,\"features\":2,\"fill\":1.5,\"indicator\":true},"
    "{\"name\":\"c\",\"role\":\"feature\",\"kind\":\"category\",\"distinct\":3,\"missing\":0,\"odd\":0,\"features\":3,"
    "\"other\":true,\"values\":[\"a\",\"b\"]}]}";

static gpr_status read_plan_trial(gpr_ctx *ctx, void *arg) {
    gpri_plan *plan, *copy = NULL;
    gpr_status status = gpri_plan_read(ctx, &plan, arg, "m");
    if (status == GPR_OK) status = gpri_plan_clone(ctx, &copy, plan);
    gpri_plan_free(copy);
    gpri_plan_free(plan);
    return status;
}

static void test_plan_text(void **state) {
    tables *t = *state;
    gpri_plan *plan;
    gpri_text text = {.ctx = t->ctx};
    assert_ok(gpri_plan_read(t->ctx, &plan, good_plan, "m"));
    assert_int_equal(gpri_plan_features(plan), 5);
    assert_ok(gpri_json_write(&text, gpri_plan_json(plan, true), JSON_COMPACT | JSON_REAL_PRECISION(9)));
    assert_string_equal(text.bytes, good_plan);
    gpri_text_free(&text);
    gpri_plan_free(plan);
    fail_every_allocation(read_plan_trial, (void *)(uintptr_t)good_plan);

    static const struct {
        const char *from, *to;
    } changes[] = {{"\"columns\":[", "\"columns\":7,\"other\":["},
                   {"\"name\":\"x\"", "\"name\":5"},
                   {"\"role\":\"feature\"", "\"role\":\"king\""},
                   {"\"kind\":\"number\"", "\"kind\":\"song\""},
                   {"\"features\":2", "\"features\":3"},
                   {"\"features\":2", "\"features\":-2"},
                   {"\"fill\":1.5", "\"fill\":1e300"},
                   {"\"fill\":1.5", "\"fill\":\"x\""},
                   {"\"missing\":1", "\"missing\":-5"},
                   {"\"odd\":0", "\"odd\":null"},
                   {"\"values\":[\"a\",\"b\"]", "\"values\":[\"a\",2]"},
                   {"\"values\":[\"a\",\"b\"]", "\"values\":\"a\""},
                   {"\"other\":true", "\"order\":9"},
                   {"{\"header\"", "[\"header\""}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char changed[2000];
        const char *at = strstr(good_plan, changes[i].from);
        assert_non_null(at);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - good_plan), good_plan, changes[i].to,
                 at + strlen(changes[i].from));
        assert_fails(gpri_plan_read(t->ctx, &plan, changed, "m"), GPR_ERROR_FORMAT, "m: metadata 'columns'");
        assert_null(plan);
    }
}

/* ---- memory ---- */

static void test_memory(void **state) {
    tables *t = *state;
    put_training(t);
    t->options.label = "team";
    t->options.max_values = 1;
    fail_every_allocation(trial, &t->options);
    put_cells(t, 200, name);
    t->options.label = NULL;
    fail_every_allocation(trial, &t->options);
}

int main(void) {
    const struct CMUnitTest tests[] = {TABLE_TEST(test_odd_cell),       TABLE_TEST(test_share_of_numbers),
                                       TABLE_TEST(test_decimal_comma),  TABLE_TEST(test_many_values),
                                       TABLE_TEST(test_parse_dates),    TABLE_TEST(test_dates),
                                       TABLE_TEST(test_roles),          TABLE_TEST(test_no_plan),
                                       TABLE_TEST(test_model_plan),     TABLE_TEST(test_added_features),
                                       TABLE_TEST(test_added_to_model), TABLE_TEST(test_model_weights),
                                       TABLE_TEST(test_plan_text),      TABLE_TEST(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
