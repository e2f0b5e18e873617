/* io/text/edge_kinds.c, and what io/edge_table.c and io/reading.c make of it: kinds of edges from the names of tables
 * and from a column. */
#include "io/text/edge_kinds.h"

#include "data/dataset.h"
#include "failing_memory.h"
#include "io/text/edge_list.h"
#include "text_files.h"

/* ---- a column ---- */

static gpr_status read_column(gpr_ctx *ctx, gpri_edge_list *list, const char *path, int64_t piece) {
    gpri_edge_kinds kinds = {.ctx = ctx, .names = {.ctx = ctx}, .values = {.ctx = ctx}};
    const gpri_edge_file file = {.path = path, .by_column = true};
    const gpri_edge_options options = {.relation = "3", .kinds = &kinds, .table = {.piece = piece}};
    const gpr_status status = gpri_edge_files_read(ctx, list, &file, 1, &options);
    gpri_edge_kinds_free(&kinds);
    return status;
}

/* "0-1 pay; 1-2*0.5 device": the whole list. */
static void print_kinds(char *text, const gpri_edge_list *list) {
    const gpri_edges *edges = &list->edges;
    *text = 0;
    for (int64_t e = 0; e < edges->count; e++) {
        text += sprintf(text, "%s%d-%d", e ? "; " : "", edges->src[e], edges->dst[e]);
        if (edges->weights) text += sprintf(text, "*%g", (double)edges->weights[e]);
        if (edges->relation) text += sprintf(text, " %s", edges->relations[edges->relation[e]].name);
    }
}

static void same_kinds(const text_fixture *f, const char *given, const char *expected) {
    static const int threads[] = {1, 2, 7};
    for (int k = 0; k < 6; k++) {
        gpr_ctx *ctx = new_ctx(threads[k / 2]);
        if (k % 2) write_gzip(f, given);
        else write_text(f, given);
        for (int64_t piece = 0; piece < 40; piece += 1 + k) {
            gpri_edge_list list;
            char text[2000];
            assert_ok(read_column(ctx, &list, f->path, piece));
            print_kinds(text, &list);
            assert_string_equal(text, expected);
            gpri_edge_list_free(ctx, &list);
        }
        gpr_ctx_free(ctx);
    }
}

static void test_column(void **state) {
    const text_fixture *f = *state;
    same_kinds(f, "src,dst,kind\n0,1,pay\n1,2,device\n2,0,pay\n", "0-1 pay; 1-2 device; 2-0 pay");
    same_kinds(f, "src,dst,kind,w\n0,1,pay,2\n\n1,2,device,1\n% x\n2,0,pay,1\n1,1,pay,4\n",
               "0-1*2 pay; 1-2*1 device; 2-0*1 pay; 1-1*4 pay");
    same_kinds(f, "0 1 7\n1 2 7\n2 0 8\n", "0-1 7; 1-2 7; 2-0 8"); /* numbers, and no weights then */
    same_kinds(f, "src,dst,kind\na,b, x \nb,c,\"x\"\nc,a,y\n", "0-1 x; 1-2 x; 2-0 y");
    same_kinds(f, "src\tdst\tkind\n0\t1\tbig pay\n1\t2\tgr\303\266\303\237e\n2\t0\tbig pay\n",
               "0-1 big_pay; 1-2 gr__e; 2-0 big_pay");
    same_kinds(f, "src,dst,kind\n0,1,abcdefghijklmnopqrstuvwxyz0123456789\n1,2,b\n",
               "0-1 abcdefghijklmnopqrstuvwxyz01234; 1-2 b");
    same_kinds(f, "src,dst,kind\n0,1,pay\n1,2,pay\n", "0-1; 1-2"); /* one kind needs no name */
}

static void test_column_errors(void **state) {
    text_fixture *f = *state;
    char many[2000] = "src,dst,kind\n";
    for (int k = 0; k < 65; k++) sprintf(many + strlen(many), "0,1,k%d\n", k);
    const struct {
        const char *text, *message;
        gpr_status status;
    } cases[] = {
        {"src,dst,kind\n0,1,pay\n1,2,\n", "file.txt:3: the cell of `relation` is empty", GPR_ERROR_FORMAT},
        {"src,dst,kind\n0,1,a b\n1,2,c\n2,3,a_b\n",
         "file.txt:4: the kinds of edges 'a b' and 'a_b' would both be called 'a_b'", GPR_ERROR_FORMAT},
        {many, "file.txt:66: 'k64' is one kind of edges more than 64", GPR_ERROR_FORMAT},
        {"src,dst\n0,1\n", "no column '3' (relation): the header has src, dst", GPR_ERROR_ARGUMENT},
        {"x,dst,src\n0,1,2\n", "column '3' (relation) holds the ids", GPR_ERROR_ARGUMENT},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int64_t piece = 0; piece < 40; piece += 13) {
            gpri_edge_list list;
            write_text(f, cases[k].text);
            assert_fails(read_column(f->ctx, &list, f->path, piece), cases[k].status, cases[k].message);
            assert_null(list.edges.src);
            assert_null(list.edges.relation);
        }
}

static void test_paths(void **state) {
    text_fixture *f = *state;
    const char *const cases[] = {"pay=a.csv", "pay", "p-a.y_2=a=b.csv", "=a.csv", "x y=a.csv", "x/y=a.csv", "pay="};
    const int64_t names[] = {3, 0, 7, 0, 0, 0, 3};
    int64_t name;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *path = gpri_edge_path(cases[k], &name);
        assert_int_equal(name, names[k]);
        assert_ptr_equal(path, cases[k] + (name > 0 ? name + 1 : 0));
    }
    char before[200];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(f->folder), 0);
    fclose(fopen("pay=a.csv", "w")); /* a file of the whole name is that file */
    assert_ptr_equal(gpri_edge_path(cases[0], &name), cases[0]);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(name, 0);
}

/* ---- tables with names ---- */

typedef struct named {
    char given[4][200];
    const char *more[3];
    double factors[4];
    gpr_open_options options;
} named;

static void put_file(const text_fixture *f, const char *file, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", f->folder, file);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* Tables "NAME=FILE", or "=FILE" for one without a name; NULL ends them. */
static void give(named *n, const text_fixture *f, const char *const *tables) {
    int count = 0;
    *n = (named){.options = {.struct_size = sizeof n->options}};
    for (; tables[count]; count++) {
        const char *file = strchr(tables[count], '=');
        snprintf(n->given[count], sizeof n->given[count], "%.*s%s/%s",
                 (int)(file - tables[count] + (*tables[count] != '=')), tables[count], f->folder, file + 1);
        if (count > 0) n->more[count - 1] = n->given[count];
    }
    n->options.edges = n->given[0];
    n->options.more_edges = n->more;
    n->options.more_count = count - 1;
}

static char *print_graph(char *text, const gpri_graph *g) {
    for (int64_t i = 0; i < g->nodes; i++)
        for (int64_t k = g->rowptr[i]; k < g->rowptr[i + 1]; k++) {
            if (g->column[k] < i) continue;
            text += sprintf(text, " %d-%d", (int)i, g->column[k]);
            if (g->weight) text += sprintf(text, "*%g", (double)g->weight[k]);
            if (g->sides) text += sprintf(text, "%s", g->sides[k] == 3 ? "<>" : g->sides[k] == 1 ? ">" : "<");
        }
    return text;
}

/* "all: edges; device: edges; pay: edges". */
static void expect_tables(gpr_ctx *ctx, const gpr_open_options *options, const char *expected) {
    gpr_dataset *data;
    char text[2000], *at = text;
    assert_ok(gpr_dataset_open_with(ctx, &data, options));
    at = print_graph(at + sprintf(at, "all:"), &data->graph);
    for (int64_t r = 0; r < data->graph.relation_count; r++)
        at = print_graph(at + sprintf(at, "; %s:", data->graph.relations[r].name), &data->graph.relations[r].graph);
    assert_string_equal(text, expected);
    gpr_dataset_free(data);
}

static void put_tables(const text_fixture *f) {
    put_file(f, "pay.csv", "src,dst\na,b\nb,c\nb,a\n");
    put_file(f, "device.csv", "user,other,weight\na,b,0.5\nc,a,3\nc,a,3\n");
    put_file(f, "more.csv", "src,dst\nc,b\n");
    put_file(f, "all.csv", "src,dst,type\na,b,pay\nb,c,device\n");
}

static void test_named(void **state) {
    const text_fixture *f = *state;
    named n;
    put_tables(f);
    give(&n, f, (const char *[]){"pay=pay.csv", "device=device.csv", NULL});
    expect_tables(f->ctx, &n.options, "all: 0-1*1 0-2*3 1-2*1; device: 0-1*0.5> 0-2*3<; pay: 0-1<> 1-2>");
    n.factors[0] = 2, n.options.edge_weights = n.factors;
    expect_tables(f->ctx, &n.options, "all: 0-1*2 0-2*3 1-2*2; device: 0-1*0.5> 0-2*3<; pay: 0-1*2<> 1-2*2>");
    n.options.edge_weights = NULL, n.options.duplicates = "count"; /* within each kind */
    expect_tables(f->ctx, &n.options, "all: 0-1*2 0-2*2 1-2*1; device: 0-1*1> 0-2*2<; pay: 0-1*2<> 1-2*1>");
    give(&n, f, (const char *[]){"pay=pay.csv", "device=device.csv", "pay=more.csv", NULL}); /* of one name: united */
    expect_tables(f->ctx, &n.options, "all: 0-1*1 0-2*3 1-2*1; device: 0-1*0.5> 0-2*3<; pay: 0-1 1-2");
    give(&n, f, (const char *[]){"=pay.csv", "device=device.csv", "=more.csv", NULL});
    expect_tables(f->ctx, &n.options, "all: 0-1*1 0-2*3 1-2*1; device: 0-1*0.5> 0-2*3<; edges: 0-1 1-2");
    give(&n, f, (const char *[]){"pay=pay.csv", NULL}); /* one kind has no name */
    expect_tables(f->ctx, &n.options, "all: 0-1<> 1-2>");
    give(&n, f, (const char *[]){"=all.csv", "device=device.csv", NULL}); /* a value may be the name of a table */
    n.options.relation = "type";
    expect_tables(f->ctx, &n.options, "all: 0-1*1 0-2*3 1-2*1; device: 0-1*0.5> 0-2*3< 1-2*1>; pay: 0-1>");
}

static void test_named_errors(void **state) {
    const text_fixture *f = *state;
    gpr_dataset *data;
    named n;
    put_tables(f);
    put_file(f, "m.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n");
    const struct {
        const char *tables[4], *relation, *message;
        gpr_status status;
    } cases[] = {
        {{"=pay.csv", "edges=device.csv"}, NULL, "is the kind 'edges' beside tables that have one", GPR_ERROR_ARGUMENT},
        {{"a=pay.csv", "b=device.csv"}, "type", "every table of `edges` is given with the name", GPR_ERROR_ARGUMENT},
        {{"a=pay.csv", "b=gone.csv"}, NULL, "gone.csv: No such file", GPR_ERROR_NOT_FOUND},
        {{"=pay.csv"}, "type", "no column 'type' (relation): the header has src, dst", GPR_ERROR_ARGUMENT},
        {{"a=pay.csv", "b=m.mtx"},
         NULL,
         "m.mtx is a Matrix Market file: it cannot be one of several",
         GPR_ERROR_ARGUMENT},
        {{"a=m.mtx", "b=pay.csv"},
         NULL,
         "m.mtx is a Matrix Market file: it cannot be one of several",
         GPR_ERROR_ARGUMENT},
        {{"=m.mtx"}, "3", "`relation` is for tables, and", GPR_ERROR_ARGUMENT},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        give(&n, f, cases[k].tables);
        n.options.relation = cases[k].relation;
        assert_fails(gpr_dataset_open_with(f->ctx, &data, &n.options), cases[k].status, cases[k].message);
        assert_null(data);
    }
    gpr_open_options options = {.struct_size = sizeof options, .edges = "pay="};
    assert_fails(gpr_dataset_open_with(f->ctx, &data, &options), GPR_ERROR_ARGUMENT, "`edges` is 'pay='");
    options = (gpr_open_options){.struct_size = sizeof options, .data = "csbm", .relation = "type"};
    assert_fails(gpr_dataset_open_with(f->ctx, &data, &options), GPR_ERROR_ARGUMENT, "`relation` is 'type'");
}

/* Factors go by the names of the tables, and within a name by their order. */
static void test_plan(void **state) {
    const text_fixture *f = *state;
    gpr_dataset *data, *other;
    named n;
    put_tables(f);
    give(&n, f, (const char *[]){"pay=pay.csv", "device=device.csv", "pay=more.csv", NULL});
    n.factors[0] = 2, n.factors[2] = 5, n.options.edge_weights = n.factors;
    const char *expected = "all: 0-1*2 0-2*3 1-2*5; device: 0-1*0.5> 0-2*3<; pay: 0-1*2<> 1-2*5<>";
    expect_tables(f->ctx, &n.options, expected);
    assert_ok(gpr_dataset_open_with(f->ctx, &data, &n.options));
    give(&n, f, (const char *[]){"device=device.csv", "pay=pay.csv", "pay=more.csv", NULL});
    n.options.plan = data->plan;
    assert_ok(gpr_dataset_open_with(f->ctx, &other, &n.options));
    for (int64_t r = 0; r < 2; r++) { /* nodes have other numbers */
        const gpri_graph *a = &data->graph.relations[r].graph, *b = &other->graph.relations[r].graph;
        double sums[2] = {0, 0};
        for (int64_t k = 0; k < a->arcs; k++) sums[0] += (double)a->weight[k];
        for (int64_t k = 0; k < b->arcs; k++) sums[1] += (double)b->weight[k];
        assert_float_equal(sums[0], sums[1], 0);
    }
    gpr_dataset_free(other);
    give(&n, f, (const char *[]){"device=device.csv", "pay=pay.csv", "device=more.csv", NULL});
    n.options.plan = data->plan;
    assert_fails(gpr_dataset_open_with(f->ctx, &other, &n.options), GPR_ERROR_MISMATCH,
                 "none of them has the name and place of this one");
    gpr_dataset_free(data);
    give(&n, f, (const char *[]){"=all.csv", NULL}); /* the column */
    n.options.relation = "type";
    assert_ok(gpr_dataset_open_with(f->ctx, &data, &n.options));
    n.options.relation = NULL;
    n.options.plan = data->plan;
    expect_tables(f->ctx, &n.options, "all: 0-1 1-2; device: 1-2>; pay: 0-1>");
    give(&n, f, (const char *[]){"pay=pay.csv", "device=device.csv", NULL}); /* names do as well */
    n.options.plan = data->plan;
    assert_ok(gpr_dataset_open_with(f->ctx, &other, &n.options));
    assert_int_equal(other->graph.relation_count, 2);
    gpr_dataset_free(other);
    gpr_dataset_free(data);
}

static void test_measures(void **state) {
    const text_fixture *f = *state;
    gpr_relation_measures found = {.struct_size = sizeof found};
    gpr_dataset *data;
    named n;
    char nodes[200];
    put_tables(f);
    put_file(f, "n.csv", "id,x,y\na,1,u\nb,2,u\nc,3,v\nd,4,v\n");
    snprintf(nodes, sizeof nodes, "%s/n.csv", f->folder);
    give(&n, f, (const char *[]){"pay=pay.csv", "device=device.csv", NULL});
    n.options.nodes = nodes, n.options.label = "y";
    assert_ok(gpr_dataset_open_with(f->ctx, &data, &n.options));
    assert_ok(gpr_dataset_describe_relation(f->ctx, data, 0, &found));
    assert_string_equal(found.name, "device");
    assert_int_equal(found.edges, 2);
    assert_int_equal(found.duplicates, 1);
    assert_int_equal(found.isolated, 1);
    assert_true(found.weighted && found.has_directions && found.mutual_edges == 0);
    assert_float_equal(found.edge_homophily, 0.5, 0);
    assert_ok(gpr_dataset_describe_relation(f->ctx, data, 1, &found));
    assert_string_equal(found.name, "pay");
    assert_true(!found.weighted && found.mutual_edges == 1 && found.self_loops == 0);
    assert_float_equal(found.node_homophily, 0.5, 0); /* a: 1, b: 1/2, c: 0 */
    assert_ok(gpr_dataset_describe_relation(f->ctx, data, 2, &found));
    assert_null(found.name);
    assert_fails(gpr_dataset_describe_relation(f->ctx, data, -1, &found), GPR_ERROR_ARGUMENT, "index is -1");
    gpr_dataset_free(data);
}

/* ---- memory ---- */

static gpr_status column_trial(gpr_ctx *ctx, void *path) {
    gpri_edge_list list;
    gpri_graph graph = {0};
    gpr_status status = read_column(ctx, &list, path, 0);
    if (status == GPR_OK) status = gpri_graph_take(ctx, &graph, &list.edges);
    gpri_edge_list_free(ctx, &list);
    gpri_graph_free(ctx, &graph);
    return status;
}

static gpr_status named_trial(gpr_ctx *ctx, void *arg) {
    gpr_dataset *data;
    const gpr_status status = gpr_dataset_open_with(ctx, &data, arg);
    gpr_dataset_free(data);
    return status;
}

static void test_memory(void **state) {
    text_fixture *f = *state;
    named n;
    write_text(f, "src,dst,kind\na,b,x y\nb,c,z\n");
    fail_every_allocation(column_trial, f->path);
    put_tables(f);
    give(&n, f, (const char *[]){"=all.csv", "device=device.csv", NULL});
    n.options.relation = "type";
    fail_every_allocation(named_trial, &n.options);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEXT_TEST(test_column),   TEXT_TEST(test_column_errors), TEXT_TEST(test_paths),
                                       TEXT_TEST(test_named),    TEXT_TEST(test_named_errors),  TEXT_TEST(test_plan),
                                       TEXT_TEST(test_measures), TEXT_TEST(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
