/* gpr_dataset_open_with: tables of edges and nodes, and graphs completed by features and labels. */
#include <math.h>

#include "table_files.h"

static void test_two_tables(void **state) {
    tables *t = *state;
    put_text(t->edges, "from,to\nann,bob\nbob,cid\nann,bob\n");
    put_text(t->nodes, "who,age,height,team\nbob,30,1.8,red\nann,20,1.6,\ncid,40,1.7,blue\n\"d, e\",50,1.5,red\n");
    t->options.label = "team";
    gives(t, "bob ann cid d, e; 0-1 0-2; age height: 30,1.8 20,1.6 40,1.7 50,1.5; red - blue red");
    assert_string_equal(warnings, "");
    t->options.label = "4"; /* by its number, and then the header is guessed */
    gives(t, "bob ann cid d, e; 0-1 0-2; age height: 30,1.8 20,1.6 40,1.7 50,1.5; red - blue red");
    t->options.label = "TEAM";
    t->options.drop = "height,2";
    gives(t, "bob ann cid d, e; 0-1 0-2;; red - blue red");
    t->options.drop = "age";
    t->options.id = "who";
    gives(t, "bob ann cid d, e; 0-1 0-2; height: 1.8 1.6 1.7 1.5; red - blue red");
    t->options.id = t->options.drop = t->options.label = NULL; /* without a label it is one more column of text */
    gives(t, "bob ann cid d, e; 0-1 0-2; age height team=blue team=red: 30,1.8,0,1 20,1.6,0,0 40,1.7,1,0 50,1.5,0,1;");
    assert_string_equal(warnings, ""); /* the plan tells */
}

static void test_forms(void **state) {
    tables *t = *state;
    put_text(t->edges, "1 2\n2 3\n"); /* blanks, no headers, numbers */
    put_text(t->nodes, "3\t0.5\t7\n1\t1.5\t7\n2\t2.5\t9\n");
    t->options.label = "3";
    gives(t, "3 1 2; 0-2 1-2; 0.5 1.5 2.5; 7 7 9");
    put_text(t->nodes, "0;0,5\n");
    put_text(t->edges, "0,0\n");
    t->options.label = NULL;
    t->options.delimiter = "semicolon";
    fails(t, GPR_ERROR_FORMAT, "e.csv");
    t->options.delimiter = NULL;
    put_text(t->edges, "a,b,2\nb,c,0.5\n"); /* weights without a header */
    put_text(t->nodes, "a\nb\nc\n");
    t->options.header = "no";
    gives(t, "a b c; 0-1:2 1-2:0.5;;");
    t->options.weight = "none";
    gives(t, "a b c; 0-1 1-2;;");
    t->options.weight = "w";
    t->options.header = NULL;
    put_text(t->edges, "x,y,z,w\na,b,1,3\nb,c,1,4\n");
    gives(t, "a b c; 0-1:3 1-2:4;;");
    t->options.weight = "3";
    gives(t, "a b c; 0-1 1-2;;"); /* all 1: none */
    t->options.weight = "y";
    fails(t, GPR_ERROR_ARGUMENT, "e.csv: column 'y' holds the ids, not the weights");
    t->options.weight = "strength";
    fails(t, GPR_ERROR_ARGUMENT, "e.csv: no column 'strength' (weight): the header has x, y, z, w");
    t->options.weight = NULL;
    put_text(t->edges, "src,dst,weight\na,b,3\nb,c,4\n");
    gives(t, "a b c; 0-1:3 1-2:4;;");
    put_text(t->edges, "citing,cited\na,b\n"); /* words that are no nodes: a header */
    gives(t, "a b c; 0-1;;");
    put_text(t->edges, "b,a\na,b\nc,c\n");
    gives(t, "a b c; 0-1;;");
    put_text(t->edges, "src,dst\n"); /* no edge at all */
    gives(t, "a b c;;;");
    put_text(t->nodes, "id,x\n0,1\n1,2\n2,3\n"); /* ids 0, 1, 2 need no names */
    put_text(t->edges, "0,2\n");
    gives(t, "0 1 2; 0-2; x: 1 2 3;");
}

static void test_columns(void **state) {
    tables *t = *state;
    char text[20000] = "id,n,title,city,none\n";
    put_text(t->edges, "0,1\n");
    for (int i = 0; i < 150; i++)
        sprintf(text + strlen(text), "%d,%d,title %d,%s,\n", i, i % 3, i, i % 2 ? i == 1 ? "" : "Rome" : "Oslo");
    put_text(t->nodes, text);
    gpr_dataset *data;
    warnings[0] = 0;
    assert_ok(gpr_dataset_open_with(t->ctx, &data, &t->options));
    assert_int_equal(data->features.cols, 3);
    assert_string_equal(gpr_dataset_feature_name(data, 1), "city=Oslo");
    assert_string_equal(
        warnings,
        "n.csv: column 'title' is text with nearly as many values as rows (line 2: 'title 0'): it is left out; "
        "`words` title makes features of its words, `drop` title ends this warning\n"
        "n.csv: column 'none' is empty: it is left out\n");
    assert_true(data->mixed_columns);
    assert_true(data->from_table);
    gpr_dataset_free(data);

    /* text after numbers: all values are texts, from the first row on */
    put_text(t->nodes, "id,code\n0,007\n1,7\n2,x\n");
    gives(t, "0 1 2; 0-1; code=007 code=7 code=x: 1,0,0 0,1,0 0,0,1;");
    put_text(t->nodes, "0,b\n1,a\n"); /* no header: columns by number */
    gives(t, "0 1; 0-1; 2=a 2=b: 0,1 1,0;");
    put_text(t->nodes, "id,x\n0,0\n1,1\n"); /* 0 and 1 alone: as any other features */
    assert_ok(gpr_dataset_open_with(t->ctx, &data, &t->options));
    assert_false(data->mixed_columns);
    gpr_dataset_free(data);

    strcpy(text, "id,x\n"); /* after many numbers a column stays a column of numbers */
    for (int i = 0; i < 1200; i++) sprintf(text + strlen(text), "%d,%s\n", i, i == 1100 ? "x" : "5");
    put_text(t->nodes, text);
    warnings[0] = 0;
    assert_ok(gpr_dataset_open_with(t->ctx, &data, &t->options));
    assert_int_equal(data->features.cols, 2);
    assert_string_equal(warnings, "n.csv:1102: column 'x' is 'x', not a number: 1 such cell is taken as missing\n");
    gpr_dataset_free(data);
}

/* For a model, columns are read as they were in its training. */
static void test_for_model(void **state) {
    tables *t = *state;
    static const char *const names[] = {"n", "city=Oslo", "city=Rome", "zip=1", "zip=2"};
    t->options.model_names = names;
    t->options.model_features = 5;
    put_text(t->edges, "a,b\n");
    put_text(t->nodes, "id,zip,title,n,city\na,2,x,7,Rome\nb,3,y,8,\nc,,z,9,Bonn\n");
    gives(t, "a b c; 0-1; zip=1 zip=2 n city=Oslo city=Rome: 0,1,7,0,1 0,0,8,0,0 0,0,9,0,0;");
    assert_string_equal(
        warnings,
        "n.csv: a column that the model does not know is left out: 'title'\n"
        "n.csv: column 'zip' has 1 cell with a text that the model does not know (line 3: '3'): taken as none "
        "of its values\n"
        "n.csv: column 'city' has 1 cell with a text that the model does not know (line 4: 'Bonn'): taken as "
        "none of its values\n");
    put_text(t->nodes, "id,u,v\na,2,x\nb,3,y\n");
    gives(t, "a b; 0-1;;");
    assert_string_equal(warnings, "n.csv: columns that the model does not know are left out: 'u', 'v'\n");
    put_text(t->nodes, "id,n\na,2\nb,x\n");
    fails(t, GPR_ERROR_FORMAT, "n.csv:3: column 'n' is 'x': expected a number, as for the model");
    put_text(t->nodes, "id,n,city\na,2,Rome\nb,3,Oslo\n");
    fail_every_allocation(trial, &t->options);
}

static void test_gaps(void **state) {
    tables *t = *state;
    put_text(t->edges, "0,1\n");
    put_text(t->nodes, "id,x,y\n0,1,5\n1,,6\n2,NA,7\n3,4,8\n");
    gives(t, "0 1 2 3; 0-1; x x (missing) y: 1,0,5 2.5,1,6 2.5,1,7 4,0,8;");
    assert_string_equal(warnings, "");
    t->options.fill = "-1.5";
    gives(t, "0 1 2 3; 0-1; x x (missing) y: 1,0,5 -1.5,1,6 -1.5,1,7 4,0,8;");
    t->options.fill = "zero";
    gives(t, "0 1 2 3; 0-1; x x (missing) y: 1,0,5 0,1,6 0,1,7 4,0,8;");
    put_text(t->nodes, "id,x\n0,1\n1,\n2,7\n3,1\n");
    t->options.fill = "mean";
    gives(t, "0 1 2 3; 0-1; x x (missing): 1,0 3,1 7,0 1,0;");
    t->options.fill = "median"; /* of an odd number of values */
    gives(t, "0 1 2 3; 0-1; x x (missing): 1,0 1,1 7,0 1,0;");
    t->options.fill = "most";
    fails(t, GPR_ERROR_ARGUMENT, "fill is 'most': it must be median, mean, zero or a finite number");
    t->options.fill = NULL;
    put_text(t->nodes, "id,x\n0,1\n1,inf\n");
    fails(t, GPR_ERROR_FORMAT, "n.csv:3: column 'x' is 'inf': expected a finite number (`drop` leaves the column out)");
    put_text(t->nodes, "id,x\n0,1\n1,1e40\n");
    fails(t, GPR_ERROR_FORMAT, "n.csv:3: column 'x' is '1e40'");
}

static void test_bad_nodes(void **state) {
    tables *t = *state;
    put_text(t->edges, "a,b\n");
    t->options.label = "y";
    static const struct {
        const char *nodes;
        gpr_status status;
        const char *part;
    } cases[] = {{"", GPR_ERROR_FORMAT, "n.csv: no row"},
                 {"id,y\n", GPR_ERROR_FORMAT, "n.csv: a header and no row"},
                 {"id,y\na,1\nb,2,3\n", GPR_ERROR_FORMAT, "n.csv:3: 3 fields"},
                 {"id,y\na,1\n,2\n", GPR_ERROR_FORMAT, "n.csv:3: the id is empty"},
                 {"id,y\na,1\nb,2\na,2\n", GPR_ERROR_FORMAT, "n.csv:4: the id 'a' appears twice: row 1 has it too"},
                 {"id,y\na,\nb,\n", GPR_ERROR_FORMAT, "n.csv: no label in 2 rows"},
                 {"id,y\na,1.5\nb,inf\n", GPR_ERROR_FORMAT, "n.csv:3: the label 'inf'"},
                 {"id,z\na,1\nb,2\n", GPR_ERROR_ARGUMENT, "n.csv: no column 'y' (label): the header has id, z"},
                 {"y,id\na,1\nb,2\n", GPR_ERROR_ARGUMENT, "n.csv: column 1 is both the id and the label"},
                 {"id,y\na,1\n\"a\nb\",2\n\"a\nb\",3\n", GPR_ERROR_FORMAT, "the id 'a\\x0ab' appears twice"},
                 {"id,y\n\"a,1\n", GPR_ERROR_FORMAT, "n.csv:2: a quote is opened"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_text(t->nodes, cases[i].nodes);
        fails(t, cases[i].status, cases[i].part);
    }
    t->options.label = "3";
    put_text(t->nodes, "a,1\nb,2\n");
    fails(t, GPR_ERROR_ARGUMENT, "n.csv: no column '3' (label): the file has no header: give a number from 1 to 2");
    t->options.label = NULL;
    t->options.drop = "zip";
    fails(t, GPR_ERROR_ARGUMENT, "no column 'zip' (to drop)");
}

static void test_bad_edges(void **state) {
    tables *t = *state;
    put_text(t->nodes, "id,x\na,1\nb,2\n");
    static const struct {
        const char *edges, *part;
    } cases[] = {{"a,b\nb,c\n", "e.csv:2: "},
                 {"a,b\nb\n", "e.csv:2: "},
                 {"a\nb\n", "e.csv"},
                 {"src,dst,weight\na,b,-1\n", "e.csv:2: "},
                 {"src,dst,weight\na,b,0\n", "e.csv:2: "},
                 {"src,dst,weight\na,b,x\n", "e.csv:2: "},
                 {"src,dst,weight\na,b,\n", "e.csv:2: "},
                 {"src,dst,weight\na,b,1e60\n", "e.csv:2: "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_text(t->edges, cases[i].edges);
        fails(t, GPR_ERROR_FORMAT, cases[i].part);
    }
    put_text(t->edges, "a,b\nb,\"c, d\"\n");
    fails(t, GPR_ERROR_FORMAT, "'c, d' is not among the nodes of ");
    fails(t, GPR_ERROR_FORMAT, "n.csv");
    unlink(t->edges);
    fails(t, GPR_ERROR_NOT_FOUND, "e.csv");
    put_text(t->edges, "a,b\n");
    unlink(t->nodes);
    fails(t, GPR_ERROR_NOT_FOUND, "n.csv");
}

static void test_wrong_calls(void **state) {
    tables *t = *state;
    gpr_dataset *data;
    const gpr_open_options good = t->options;
#define WRONG(change, part)                 \
    do {                                    \
        t->options = good;                  \
        change;                             \
        fails(t, GPR_ERROR_ARGUMENT, part); \
    } while (0)
    WRONG(t->options.data = "csbm", "data and `edges` are both given");
    WRONG((t->options.edges = NULL), "`nodes` without `edges`");
    WRONG((t->options.edges = t->options.nodes = NULL), "no data");
    WRONG((t->options.edges = NULL, t->options.data = "csbm"), "`nodes` is for a table of edges");
    WRONG((t->options.nodes = NULL, t->options.label = "y"),
          "`label` is 'y', the column of a table: give `nodes` or `labels`");
    WRONG((t->options.nodes = NULL, t->options.id = "y"), "`id` is 'y'");
    WRONG((t->options.nodes = NULL, t->options.drop = "y"), "`drop` is 'y', the column of a table: give `nodes`");
    WRONG((t->options.edges = t->options.nodes = NULL, t->options.data = "csbm", t->options.weight = "w"),
          "`weight` is 'w', the column of a table: give `edges`");
    put_text(t->edges, "a,b\n");
    put_text(t->nodes, "a,1\nb,2\n");
    WRONG(t->options.delimiter = "dot", "delimiter 'dot' is not known");
    WRONG(t->options.header = "perhaps", "header 'perhaps' is not known");
#undef WRONG
    assert_fails(gpr_dataset_open_with(t->ctx, NULL, &good), GPR_ERROR_ARGUMENT, "out is NULL");
    assert_fails(gpr_dataset_open_with(t->ctx, &data, NULL), GPR_ERROR_ARGUMENT, "NULL");
    t->options = good;
    t->options.struct_size = offsetof(gpr_open_options, memory) - 1; /* less than 0.1.0 had */
    assert_fails(gpr_dataset_open_with(t->ctx, &data, &t->options), GPR_ERROR_ARGUMENT, "struct_size");
}

/* ---- a graph alone, completed ---- */

/* A dataset of three nodes, 0-1 and 1-2, saved as .npz, to be completed. */
static void put_graph(tables *t, const char *const *ids) {
    const int64_t src[] = {0, 1}, dst[] = {1, 2};
    gpr_dataset_desc desc = {
        .struct_size = sizeof desc, .nodes = 3, .edges = 2, .src = src, .dst = dst, .node_ids = ids};
    gpr_dataset *data;
    assert_ok(gpr_dataset_new(t->ctx, &data, &desc));
    snprintf(t->edges, sizeof t->edges, "%s/graph.npz", t->folder);
    assert_ok(gpr_dataset_save(t->ctx, data, t->edges));
    gpr_dataset_free(data);
    t->options = (gpr_open_options){.struct_size = sizeof t->options, .data = t->edges};
}

static void test_completed(void **state) {
    tables *t = *state;
    static const char *const ids[] = {"p", "q", "r"};
    put_graph(t, ids);
    snprintf(t->nodes, sizeof t->nodes, "%s/x.svm", t->folder);
    t->options.features = t->nodes;
    put_text(t->nodes, "1 1:5\n2 2:6\n1 1:7\n");
    gives(t, "p q r; 0-1 1-2; 5,0 0,6 7,0; 1 2 1");
    t->options.model_features = 3;
    t->options.labels = t->other;
    put_text(t->other, "b\na\nb\n"); /* in the order of the nodes, before svmlight's */
    gives(t, "p q r; 0-1 1-2; 5,0,0 0,6,0 7,0,0; b a b");
    put_text(t->other, "node,class\nr,y\np,x\n"); /* by id */
    gives(t, "p q r; 0-1 1-2; 5,0,0 0,6,0 7,0,0; x - y");
    put_text(t->other, "who,age,class\nr,7,y\np,8,x\n");
    t->options.label = "class";
    gives(t, "p q r; 0-1 1-2; 5,0,0 0,6,0 7,0,0; x - y");
    t->options.label = NULL;
    fails(t, GPR_ERROR_ARGUMENT, "o.csv has 3 columns: expected one, the label, or two, id and label");
    t->options.label = "who";
    fails(t, GPR_ERROR_ARGUMENT, "column 1 is both the id and the label");
    t->options.label = NULL;
    put_text(t->other, "a\nb\n");
    fails(t, GPR_ERROR_MISMATCH, "o.csv: 2 labels, but graph has 3 nodes: expected one per node");
    put_text(t->other, "p,a\nz,b\n");
    fails(t, GPR_ERROR_FORMAT, "o.csv:2: no node 'z' in graph");
    put_text(t->other, "p,a\np,b\n");
    fails(t, GPR_ERROR_FORMAT, "o.csv:2: node 'p' appears twice");
    put_text(t->nodes, "1 1:5\n2 2:6\n");
    fails(t, GPR_ERROR_MISMATCH, "x.svm: 2 rows of features, but graph has 3 nodes: expected one per node");

    put_graph(t, NULL); /* nodes are numbers */
    t->options.labels = t->other;
    put_text(t->other, "2,x\n0,y\n");
    gives(t, "0 1 2; 0-1 1-2;; y - x");
    static const struct {
        const char *labels, *part;
    } cases[] = {{"0,x\n3,y\n", "o.csv:2: the node is '3': nodes of graph are whole numbers from 0 to 2"},
                 {"0,x\n-1,y\n", "o.csv:2: the node is '-1'"},
                 {"0,x\n0.5,y\n", "o.csv:2: the node is '0.5'"},
                 {"0,x\nq,y\n", "o.csv:2: the node is 'q'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_text(t->other, cases[i].labels);
        fails(t, GPR_ERROR_FORMAT, cases[i].part);
    }
}

/* The number of rows of the features is the number of nodes. */
static void test_rows(void **state) {
    tables *t = *state;
    put_text(t->edges, "0,1\n");
    put_text(t->other, "5\n6\n7\n");
    t->options = (gpr_open_options){.struct_size = sizeof t->options, .edges = t->edges, .features = t->other};
    gives(t, "0 1 2; 0-1; 5 6 7;");
    t->options.edges = NULL;
    t->options.data = t->edges;
    gives(t, "0 1 2; 0-1; 5 6 7;");
    put_text(t->edges, "0,3\n");
    fails(t, GPR_ERROR_FORMAT,
          "e.csv:1: node 3: ids must be from 0 to 2 (without a table of nodes, ids are the 3 rows of");
    put_text(t->edges, "0,1\n1,1.5\n");
    fails(t, GPR_ERROR_FORMAT, "e.csv:2: '1.5' is not a whole number");
    put_text(t->edges, "0,1\n1,-1\n");
    fails(t, GPR_ERROR_FORMAT, "e.csv:2: node -1");
    put_text(t->edges, "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n"); /* no table of edges */
    t->options.data = NULL;
    t->options.edges = t->edges;
    gives(t, "0 1 2; 0-1; 5 6 7;");
    put_text(t->nodes, "a\nb\nc\n");
    t->options.nodes = t->nodes;
    fails(t, GPR_ERROR_ARGUMENT, "e.csv is a Matrix Market file");
}

static void put_npy(const char *path, const char *descr, const char *shape, const void *data, size_t size) {
    char head[256];
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    const int length =
        snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape);
    const unsigned char preamble[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)length, 0};
    fwrite(preamble, 1, 10, file);
    fwrite(head, 1, (size_t)length, file);
    fwrite(data, 1, size, file);
    assert_int_equal(fclose(file), 0);
}

static void test_npy_labels(void **state) {
    tables *t = *state;
    put_graph(t, NULL);
    snprintf(t->other, sizeof t->other, "%s/y.npy", t->folder);
    t->options.labels = t->other;
    put_npy(t->other, "<i8", "(3,)", (const int64_t[]){0, 1, 1}, 24);
    gives(t, "0 1 2; 0-1 1-2;; 0 1 1");
    put_npy(t->other, "<i8", "(3, 1)", (const int64_t[]){5, -1, 9}, 24);
    gives(t, "0 1 2; 0-1 1-2;; 5 - 9");
    put_npy(t->other, "<f8", "(3,)", (const double[]){NAN, 1, 0}, 24);
    gives(t, "0 1 2; 0-1 1-2;; - 1 0");
    put_npy(t->other, "<f8", "(3,)", (const double[]){0.5, 1, 0}, 24);
    t->options.task = "classes";
    fails(t, GPR_ERROR_FORMAT, "y.npy:0: the label '0.5' is not a whole number");
    t->options.task = NULL;
    put_npy(t->other, "<f8", "(3,)", (const double[]){INFINITY, 1, 0}, 24);
    fails(t, GPR_ERROR_FORMAT, "y.npy: element 0 is inf: expected a finite number");
    put_npy(t->other, "|S2", "(3,)", "xx\0\0yy", 6);
    gives(t, "0 1 2; 0-1 1-2;; xx - yy");
    put_npy(t->other, "<i8", "(2,)", (const int64_t[]){0, 1}, 16);
    fails(t, GPR_ERROR_MISMATCH, "y.npy: 2 labels, but graph has 3 nodes");
    put_npy(t->other, "<i8", "(3, 2)", (const int64_t[6]){0}, 48);
    fails(t, GPR_ERROR_FORMAT, "y.npy: the array has the shape (3, 2)");
    put_npy(t->other, "<i8", "(3,)", (const int64_t[]){0, 1}, 16);
    fails(t, GPR_ERROR_FORMAT, "y.npy: the header announces 3 numbers of 8 bytes, but 16 bytes follow it");
    put_npy(t->other, "<i8", "(3,)", (const int64_t[]){-1, -1, -1}, 24);
    gives(t, "0 1 2; 0-1 1-2;; -1 -1 -1");
    put_text(t->other, "PK\3\4");
    fails(t, GPR_ERROR_FORMAT, "y.npy is an .npz file");
}

/* ---- memory ---- */

static void test_memory(void **state) {
    tables *t = *state;
    put_text(t->edges, "src,dst,weight\na,b,2\nb,c,3\n");
    put_text(t->nodes, "id,x,city,y\na,1.5,Rome,u\nb,,Oslo,\nc,3,Rome,v\n");
    t->options.label = "y";
    fail_every_allocation(trial, &t->options);
    t->options.fill = "0";
    fail_every_allocation(trial, &t->options);
    static const char *const ids[] = {"p", "q", "r"};
    put_graph(t, ids);
    snprintf(t->nodes, sizeof t->nodes, "%s/x.svm", t->folder);
    put_text(t->nodes, "1 1:5\n2 2:6\n1 1:7\n");
    put_text(t->other, "node,class\nr,y\np,x\n");
    t->options.features = t->nodes;
    t->options.labels = t->other;
    fail_every_allocation(trial, &t->options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TABLE_TEST(test_two_tables), TABLE_TEST(test_forms),       TABLE_TEST(test_columns),
        TABLE_TEST(test_gaps),       TABLE_TEST(test_for_model),   TABLE_TEST(test_bad_nodes),
        TABLE_TEST(test_bad_edges),  TABLE_TEST(test_wrong_calls), TABLE_TEST(test_completed),
        TABLE_TEST(test_npy_labels), TABLE_TEST(test_rows),        TABLE_TEST(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
