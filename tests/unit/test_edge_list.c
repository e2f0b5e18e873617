/* io/text/edge_list.c, io/text/edge_piece.c, io/text/graph_only.c, io/text/matrix_market.c: texts of edges. */
#include <math.h>
#include <sys/inotify.h>

#include "failing_memory.h"
#include "io/formats.h"
#include "io/text/graph_only.h"
#include "text_files.h"

/* "nodes: s-d s-d*weight ...; name name": the whole list as text. */
static void print_list(char *text, const gpri_edge_list *list) {
    text += sprintf(text, "%lld:", (long long)list->edges.nodes);
    for (int64_t e = 0; e < list->edges.count; e++) {
        text += sprintf(text, " %d-%d", list->edges.src[e], list->edges.dst[e]);
        if (list->edges.weights) text += sprintf(text, "*%g", (double)list->edges.weights[e]);
    }
    for (int64_t i = 0; i < list->names.count; i++)
        text += sprintf(text, "%s%s", i ? " " : "; ", gpri_name(&list->names, i));
}

/* The same for plain and packed files, 1, 2 and 7 threads, and pieces of many sizes. */
static void same_list(const text_fixture *f, const char *given, gpri_edge_options options, const char *expected) {
    static const int threads[] = {1, 2, 7};
    for (int k = 0; k < 6; k++) {
        gpr_ctx *ctx = new_ctx(threads[k / 2]);
        if (k % 2) write_gzip(f, given);
        else write_text(f, given);
        for (options.table.piece = 0; options.table.piece < 25; options.table.piece += 1 + k) {
            gpri_edge_list list;
            char text[2000];
            assert_ok(gpri_edge_list_read(ctx, &list, f->path, &options));
            print_list(text, &list);
            assert_string_equal(text, expected);
            gpri_edge_list_free(ctx, &list);
        }
        gpr_ctx_free(ctx);
    }
}

static const gpri_edge_options usual = {0};

static void test_numbers(void **state) {
    const text_fixture *f = *state;
    same_list(f, "0,1\n1,2\n", usual, "3: 0-1 1-2");
    same_list(f, "0 1\n1 2", usual, "3: 0-1 1-2");
    same_list(f, "src\tdst\r\n0\t1\r\n1\t2\r\n", usual, "3: 0-1 1-2");
    same_list(f, "# Directed graph\n# FromNodeId\tToNodeId\n0\t1\n\n# more\n5\t2\n", usual, "6: 0-1 5-2");
    same_list(f, " 0 , 1 \n007,3\n  \n% x\n\"2\",4\n", usual, "8: 0-1 7-3 2-4");
    same_list(f, "a;b\n0;1\n1;0\n", usual, "2: 0-1 1-0");
    same_list(f, "0 1\n2 2\n0 1\n1 0\n", usual, "3: 0-1 2-2 0-1 1-0"); /* merged by the graph, not here */
    same_list(f, "0,1\n1,12\n2,3\n", (gpri_edge_options){.nodes = 20}, "20: 0-1 1-12 2-3");
    same_list(f, "id,when,to,from\n1,x,2,3\n2,\"y\nz\",0,1\n", usual, "4: 3-2 1-0");
    same_list(f, "12345678 1\n2 3\n", (gpri_edge_options){.nodes = 12345679}, "12345679: 12345678-1 2-3");
    same_list(f, "1234567 1\n2 123456789\n", (gpri_edge_options){.nodes = 1234567890},
              "1234567890: 1234567-1 2-123456789");
}

static void test_weights(void **state) {
    const text_fixture *f = *state;
    same_list(f, "0 1 0.5\n1 2 3\n2 0 1e2\n", usual, "3: 0-1*0.5 1-2*3 2-0*100");
    same_list(f, "0,1,1\n1,2,1.0\n", usual, "3: 0-1 1-2"); /* all 1: none */
    same_list(f, "src,dst,Weight\n0,1,2\n1,0,4\n", usual, "2: 0-1*2 1-0*4");
    same_list(f, "src,dst,year\n0,1,2\n1,0,4\n", usual, "2: 0-1 1-0");
    same_list(f, "w,src,dst\n2.5,1,0\n7,0,1\n", usual, "2: 1-0*2.5 0-1*7");
    same_list(f, "0,1,friend\n1,0,foe\n", usual, "2: 0-1 1-0");
    same_list(f, "0 1 2 1289\n1 0 3 1290\n", usual, "2: 0-1*2 1-0*3");
}

static void test_names(void **state) {
    const text_fixture *f = *state;
    same_list(f, "alice,bob\nbob,carol\nalice,carol\n", usual, "3: 0-1 1-2 0-2; alice bob carol");
    same_list(f, "source,target\nb,\"a, b\"\n\"a, b\",b\n", usual, "2: 0-1 1-0; b a, b");
    same_list(f, "1,alice\nbob,1\n", usual, "3: 0-1 2-0; 1 alice bob");
    same_list(f, "alice bob 0.5\nbob 7 2\n", usual, "3: 0-1*0.5 1-2*2; alice bob 7");
    /* sparse numbers: more than 8 nodes per edge */
    same_list(f, "0,15\n1,2\n", usual, "16: 0-15 1-2");
    same_list(f, "0,16\n016,2\n", usual, "3: 0-1 1-2; 0 16 2");
    same_list(f, "100 200\n", usual, "2: 0-1; 100 200");
    /* numbers that are too large for nodes, from some line on */
    same_list(f, "5 3\n3 2147483646\n7 5\n", usual, "4: 0-1 1-2 3-0; 5 3 2147483646 7");
    same_list(f, "5 3\n3 03\n7 99999999999999999999999\n3 7\n", usual,
              "4: 0-1 1-1 2-3 1-2; 5 3 7 99999999999999999999999");
}

static void test_known(void **state) {
    const text_fixture *f = *state;
    gpri_ids ids = {.ctx = f->ctx};
    static const char *const names[] = {"carol", "bob", "alice", "a b", "42"};
    int64_t number;
    for (int i = 0; i < 5; i++) assert_ok(gpri_ids_add(&ids, &number, names[i], (int64_t)strlen(names[i])));
    gpri_edge_options options = {.known = &ids};
    same_list(f, "alice,bob\nbob, carol\n42,bob\n", options, "5: 2-1 1-0 4-1");
    same_list(f, "a b,bob\n\"a b\",carol\r\n", options, "5: 3-1 3-0");
    same_list(f, "42 bob 2\n# x\ncarol\t42 3\n", options, "5: 4-1*2 0-4*3");
    same_list(f, "src,dst\n", options, "5:");
    gpri_edge_list list;
    write_text(f, "alice,bob\n\nbob,dave\n");
    assert_fails(gpri_edge_list_read(f->ctx, &list, f->path, &options), GPR_ERROR_FORMAT,
                 "file.txt:3: node 'dave' is not among the nodes");
    gpri_ids_free(&ids);
}

static void test_errors(void **state) {
    const text_fixture *f = *state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "file.txt: no edges"},
        {"# nothing\n", "file.txt: no edges"},
        {"src,dst\n", "file.txt: no edges"},
        {"0\n1\n", "file.txt:1: one column"},
        {"0,1\n1,2\n3\n", "file.txt:3: 1 field: the first row has 2"},
        {"0,1\n1,2,3\n", "file.txt:2: 3 fields: the first row has 2"},
        {"0,1\n-3,2\n", "file.txt:2: node -3: ids of nodes are whole numbers from 0"},
        {"-1,1\n3,2\n", "file.txt:1: node -1"},
        {"0,1\n1.5,2\n", "file.txt:2: '1.5' is not a whole number"},
        {"1.5,1\n1,2\n", "file.txt:1: '1.5' is not a whole number"},
        {"0,1\nbob,2\n", "file.txt:2: 'bob' is not a whole number: the ids of the nodes before it are"},
        {"0,1\n,2\n", "file.txt:2: a node's id is empty"},
        {"0 1 1\n1 2 0\n", "file.txt:2: weight 0: weights must be above 0"},
        {"0 1 1\n1 2 -2\n", "file.txt:2: weight -2"},
        {"0 1 1\n1 2 nan\n", "file.txt:2: 'nan' is not a number: a weight"},
        {"0 1 1\n1 2 1e60\n", "file.txt:2: weight 1e60"},
        {"0 1 1\n1 2\n", "file.txt:2: 2 fields"},
        {"6 4 a\n1 0 a\n6 6 \n9 2 b\n", "file.txt:3: 2 fields"}, /* a blank at the end begins no field */
        {"src,dst,weight\n0,1,\n", "file.txt:2: '' is not a number: a weight"},
        {"0,1\n\"2,3\n", "file.txt:2: a quote"},
        {"5 3\n3 9999999999\n7 x\n", "file.txt:3: 'x' is not a whole number"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int64_t piece = 0; piece < 25; piece++) {
            gpri_edge_list list;
            const gpri_edge_options options = {.table = {.piece = piece}};
            write_text(f, cases[k].text);
            assert_fails(gpri_edge_list_read(f->ctx, &list, f->path, &options), GPR_ERROR_FORMAT, cases[k].message);
            assert_null(list.edges.src);
            assert_int_equal(list.names.count, 0);
        }
    gpri_edge_list list;
    const gpri_edge_options limited = {.nodes = 10};
    write_text(f, "0,1\n3,10\n");
    assert_fails(gpri_edge_list_read(f->ctx, &list, f->path, &limited), GPR_ERROR_FORMAT,
                 "file.txt:2: node 10: ids must be from 0 to 9");
}

/* Many lines: several pieces a piece, several pieces, and a few comments between them. */
static void test_many(void **state) {
    const text_fixture *f = *state;
    enum { EDGES = 60000 };
    static const int threads[] = {1, 2, 7};
    char *text = malloc((size_t)EDGES * 40), *to = text;
    assert_non_null(text);
    srand(5);
    for (int e = 0; e < EDGES; e++) {
        const int s = rand() % 20000, d = rand() % 20000;
        if (e % 1000 == 7) to += sprintf(to, "# comment\n\n");
        to += sprintf(to, e % 3 ? "%d %d %d.25\n" : "%d\t%d  %d.25\r\n", s, d, e + 1);
    }
    write_text(f, text);
    for (int t = 0; t < 3; t++)
        for (int64_t piece = 0; piece < 200000; piece = piece * 3 + 7000) {
            gpr_ctx *ctx = new_ctx(threads[t]);
            gpri_edge_list list;
            const gpri_edge_options options = {.table = {.delimiter = ' ', .piece = piece}};
            assert_ok(gpri_edge_list_read(ctx, &list, f->path, &options));
            assert_int_equal(list.edges.count, EDGES);
            srand(5);
            for (int e = 0; e < EDGES; e++) {
                assert_int_equal(list.edges.src[e], rand() % 20000);
                assert_int_equal(list.edges.dst[e], rand() % 20000);
                assert_true(list.edges.weights[e] == (float)e + 1.25f);
            }
            gpri_edge_list_free(ctx, &list);
            gpr_ctx_free(ctx);
        }
    free(text);
}

static gpr_status read_trial(gpr_ctx *ctx, void *path) {
    gpr_dataset *data;
    gpr_status status = gpri_read_path(ctx, &data, path, NULL, false, NULL);
    gpr_dataset_free(data);
    return status;
}

static void test_memory(void **state) {
    text_fixture *f = *state;
    write_text(f, "src,dst,w\n0,1,2\n1,2,3\n2,0,1\n");
    fail_every_allocation(read_trial, f->path);
    write_gzip(f, "src,dst\nalice,bob\nbob,carol\n");
    fail_every_allocation(read_trial, f->path);
    write_text(f, "100,200\n5,9999999999\n");
    fail_every_allocation(read_trial, f->path);
    write_text(f, "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 2\n");
    fail_every_allocation(read_trial, f->path);
}

/* ---- As data ---- */

static void test_graph_only(void **state) {
    text_fixture *f = *state;
    gpr_dataset *data, *again;
    gpr_dataset_info info = {.struct_size = sizeof info}, other = info;
    write_text(f, "src,dst\nalice,bob\nbob,carol\ncarol,bob\nbob,bob\n");
    assert_ok(gpr_dataset_open(f->ctx, &data, f->path, NULL));
    assert_ok(gpr_dataset_describe(f->ctx, data, &info));
    assert_string_equal(info.name, "file");
    assert_int_equal(info.nodes, 3);
    assert_int_equal(info.edges, 2);
    assert_int_equal(info.self_loops, 1);
    assert_int_equal(info.features, 0);
    assert_int_equal(info.labelled, 0);
    assert_string_equal(gpr_dataset_node_id(data, 2), "carol");
    write_gzip(f, "0\t1\n1\t2\n"); /* the same graph */
    assert_ok(gpr_dataset_open_as(f->ctx, &again, f->path, NULL, "edges"));
    assert_ok(gpr_dataset_describe(f->ctx, again, &other));
    assert_string_equal(info.fingerprint, other.fingerprint);
    assert_null(gpr_dataset_node_id(again, 2));
    gpr_params *params;
    gpr_model *model;
    gpr_result *result;
    assert_ok(gpr_params_new(f->ctx, &params));
    assert_fails(gpr_train(f->ctx, &model, &result, data, params), GPR_ERROR_ARGUMENT, "file has no labelled node");
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_dataset_free(again);
}

/* How often a file was opened since inotify began to watch it. */
static int opened(int watch) {
    char events[4096];
    int count = 0;
    const ssize_t size = read(watch, events, sizeof events);
    for (ssize_t at = 0; at < size;) {
        struct inotify_event event;
        memcpy(&event, events + at, sizeof event);
        count += (event.mask & IN_OPEN) != 0;
        at += (ssize_t)sizeof event + (ssize_t)event.len;
    }
    return count;
}

/* Once to see what it is, once to read it. */
static void test_opened_twice(void **state) {
    text_fixture *f = *state;
    gpr_dataset *data;
    for (int packed = 0; packed < 2; packed++) {
        const int watch = inotify_init1(IN_NONBLOCK);
        if (packed) write_gzip(f, "src,dst\nalice,bob\nbob,carol\n");
        else write_text(f, "src,dst\nalice,bob\nbob,carol\n");
        assert_true(inotify_add_watch(watch, f->path, IN_OPEN | IN_CLOSE) >= 0); /* CLOSE keeps two OPENs apart */
        assert_ok(gpr_dataset_open(f->ctx, &data, f->path, NULL));
        assert_int_equal(opened(watch), 2);
        gpr_dataset_free(data);
        close(watch);
    }
}

static const char *format_of(const text_fixture *f, const char *text) {
    write_text(f, text);
    const gpri_format *plain, *packed;
    assert_ok(gpri_format_of(f->ctx, &plain, f->path));
    write_gzip(f, text);
    assert_ok(gpri_format_of(f->ctx, &packed, f->path));
    assert_ptr_equal(packed, plain);
    const char *words[GPRI_MOST_WORDS];
    gpri_data_words(words, GPRI_OPEN_FORMAT);
    return plain ? words[plain->id] : "none";
}

static void test_recognised(void **state) {
    text_fixture *f = *state;
    assert_string_equal(format_of(f, "0 1\n"), "edges");
    assert_string_equal(format_of(f, "# x\n0,1,0.5\n"), "edges");
    assert_string_equal(format_of(f, "a,b\n0,1\n"), "edges");
    assert_string_equal(format_of(f, "Source;Target;Type\na;b;c\n"), "edges");
    assert_string_equal(format_of(f, "alice,bob\n"), "none");
    assert_string_equal(format_of(f, "0.5,1\n"), "none");
    assert_string_equal(format_of(f, "1,0,0,1\n"), "none");
    assert_string_equal(format_of(f, "0,1,x\n"), "none");
    assert_string_equal(format_of(f, ""), "none");
    assert_string_equal(format_of(f, "%%MatrixMarket matrix coordinate real general\n"), "mtx");
    assert_string_equal(format_of(f, "%%MatrixMark\n"), "none");
    remove(f->path);
    snprintf(f->path, sizeof f->path, "%s/people.edgelist", f->folder);
    assert_string_equal(format_of(f, "alice bob\n"), "edges");
}

static void matrix(const text_fixture *f, const char *text, int64_t nodes, int64_t edges, bool weighted) {
    for (int packed = 0; packed < 2; packed++) {
        gpr_dataset *data;
        gpr_dataset_info info = {.struct_size = sizeof info};
        if (packed) write_gzip(f, text);
        else write_text(f, text);
        assert_ok(gpr_dataset_open(f->ctx, &data, f->path, NULL));
        assert_ok(gpr_dataset_describe(f->ctx, data, &info));
        assert_int_equal(info.nodes, nodes);
        assert_int_equal(info.edges, edges);
        assert_int_equal(info.weighted, weighted);
        gpr_dataset_free(data);
    }
}

#define MM "%%MatrixMarket matrix coordinate "

static void test_matrix_market(void **state) {
    const text_fixture *f = *state;
    matrix(f, MM "pattern symmetric\n% comment\n%\n4 4 2\n2 1\n4 2\n", 4, 2, false);
    matrix(f, "%%MatrixMarket MATRIX Coordinate Real General\r\n3 3 3\r\n1 2 0.5\r\n2 1 .5\r\n1 1 2\r\n", 3, 1, true);
    matrix(f, MM "integer general\n 3  3  1 \n\n 1   3  1\n", 3, 1, false);
    matrix(f, MM "pattern general\n2 2 0\n", 2, 0, false);
    static const struct {
        const char *text, *message;
    } cases[] = {
        {MM "complex general\n1 1 0\n", "file.txt:1: 'complex' entries"},
        {MM "real skew-symmetric\n1 1 0\n", "file.txt:1: a 'skew-symmetric' matrix"},
        {"%%MatrixMarket matrix array real general\n1 1\n", "file.txt:1: 'matrix array': only a sparse one"},
        {"%%MatrixMarket matrix\n", "file.txt:1: expected '%%MatrixMarket matrix coordinate'"},
        {MM "real general\n", "expected three counts"},
        {MM "real general\n3 3\n", "file.txt:2: expected three counts"},
        {MM "real general\n3 3 -1\n", "file.txt:2: expected three counts"},
        {MM "real general\n3 4 1\n1 1 1\n", "file.txt:2: 3 rows, 4 columns"},
        {MM "real general\n0 0 0\n", "file.txt:2: 0 rows, 0 columns"},
        {MM "pattern general\n2147483646 2147483646 1\n1 2\n", "file.txt: 2147483646 nodes in 77 bytes"},
        {MM "pattern general\n3 3 2\n1 2\n", "file.txt: 1 entries: its sizes announce 2"},
        {MM "pattern general\n3 3 1\n1 2\n2 3\n", "file.txt: 2 entries: its sizes announce 1"},
        {MM "pattern general\n3 3 1\n0 2\n", "file.txt:3: node 0: ids must be from 1 to 3"},
        {MM "pattern general\n3 3 1\n1 4\n", "file.txt:3: node 4: ids must be from 1 to 3"},
        {MM "pattern general\n3 3 1\n1 2 5\n", "file.txt:3: 3 fields: expected 2"},
        {MM "real general\n3 3 1\n1 2\n", "file.txt:3: 2 fields: expected 3"},
        {MM "real general\n3 3 1\n1 2 -1\n", "file.txt:3: weight -1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gpr_dataset *data;
        write_text(f, cases[k].text);
        assert_fails(gpr_dataset_open_as(f->ctx, &data, f->path, NULL, "mtx"), GPR_ERROR_FORMAT, cases[k].message);
        assert_null(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEXT_TEST(test_numbers),    TEXT_TEST(test_weights),       TEXT_TEST(test_names),
        TEXT_TEST(test_known),      TEXT_TEST(test_errors),        TEXT_TEST(test_many),
        TEXT_TEST(test_memory),     TEXT_TEST(test_graph_only),    TEXT_TEST(test_opened_twice),
        TEXT_TEST(test_recognised), TEXT_TEST(test_matrix_market),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
