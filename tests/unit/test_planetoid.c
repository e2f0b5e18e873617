/* io/planetoid.c, open.c: several files make one dataset; files that do not fit together are refused. */
#include "failing_memory.h"
#include "io/readers.h"
#include "pickle_maker.h"

/* A graph of 6 nodes, 0 to 2 in allx; test.index names 5 and 3, in that order, and leaves out 4. */
typedef struct parts {
    int all, tests, columns, test_columns, classes; /* rows of allx and tx; ... */
    int ally_rows;
    const int32_t *hot; /* ally */
    const char *index, *graph;
} parts;

static const int32_t ally[] = {1, 0, 0, 1, 0, 1}, ty[] = {0, 1, 1, 0};
static const char graph_text[] =
    "ccollections\ndefaultdict\n(c__builtin__\nlist\ntR(I0\n(I1\nI2\nlI1\n(I0\nlI2\n(I0\nI4\nlI3\n"
    "(I5\nlI4\n(I2\nlI5\n(I5\nlu.";
static const parts good = {3, 2, 4, 4, 2, 3, ally, "5\n3\n", graph_text};

static const char *part_path(raw_fixture *f, const char *name, const char *part) {
    char file[64];
    snprintf(file, sizeof file, "ind.%s.%s", name, part);
    return raw_path(f, file);
}

static void make_files(raw_fixture *f, const char *name, const parts *from) {
    const int32_t all_ptr[] = {0, 2, 2, 3}, all_index[] = {3, 0, 1}, test_ptr[] = {0, 1, 2}, test_index[] = {2, 0};
    const float all_value[] = {1, .5f, 2}, test_value[] = {3, 4};
    pickle p = pickle_begin();
    op_csr(&p, from->all, from->columns, all_ptr, all_index, all_value);
    pickle_write(&p, part_path(f, name, "allx"));
    p = pickle_begin();
    op_csr(&p, from->tests, from->test_columns, test_ptr, test_index, test_value);
    pickle_write(&p, part_path(f, name, "tx"));
    p = pickle_begin();
    op_array(&p, "i4", from->ally_rows, from->classes, from->hot, (size_t)(from->ally_rows * from->classes) * 4);
    pickle_write(&p, part_path(f, name, "ally"));
    p = pickle_begin();
    op_array(&p, "i4", 2, 2, ty, sizeof ty);
    pickle_write(&p, part_path(f, name, "ty"));
    write_text(part_path(f, name, "graph"), from->graph);
    write_text(part_path(f, name, "test.index"), from->index);
}

static void check_small(const gpr_dataset *data, int missing_label) {
    const int32_t labels[] = {0, 1, 1, 0, missing_label, 1};
    const int64_t rowptr[] = {0, 2, 2, 3, 4, 4, 5};
    const int32_t column[] = {0, 3, 1, 0, 2};
    const float value[] = {.5f, 1, 2, 4, 3};
    assert_int_equal(data->graph.nodes, 6);
    assert_int_equal(data->graph.arcs, 8);
    assert_int_equal(data->graph.self_loops, 1);
    assert_int_equal(data->features.cols, 4);
    assert_memory_equal(data->features.rowptr, rowptr, sizeof rowptr);
    assert_memory_equal(data->features.column, column, sizeof column);
    assert_memory_equal(data->features.value, value, sizeof value);
    assert_int_equal(data->target.classes, 2);
    assert_memory_equal(data->target.labels, labels, sizeof labels);
}

/* The test rows go to their nodes; a node without a row has neither features nor label. */
static void test_small(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    make_files(f, "small", &good);
    assert_ok(gpri_read_planetoid(f->ctx, &data, raw_path(f, "ind.small")));
    assert_string_equal(data->name, "small");
    check_small(data, -1);
    assert_string_equal(f->warnings, "small: 1 nodes are not in test.index: they get no features and no label\n");
    gpr_dataset_free(data);
    /* Citeseer's have the last class, as published */
    make_files(f, "citeseer", &good);
    f->warnings[0] = 0;
    assert_ok(gpri_read_planetoid(f->ctx, &data, raw_path(f, "ind.citeseer")));
    check_small(data, 1);
    assert_non_null(strstr(f->warnings, "citeseer: 1 nodes are not in test.index: they get no features and class 1"));
    gpr_dataset_free(data);
}

static void test_open(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    char planetoid[96], moved[160];
    make_files(f, "cora", &good);
    assert_ok(gpr_dataset_open(f->ctx, &data, raw_path(f, "ind.cora"), NULL));
    check_small(data, -1);
    gpr_dataset_free(data);
    assert_ok(gpr_dataset_open(f->ctx, &data, raw_path(f, "ind.cora.test.index"), NULL)); /* one of them is enough */
    assert_string_equal(data->name, "cora");
    gpr_dataset_free(data);
    assert_ok(gpr_dataset_open_as(f->ctx, &data, raw_path(f, "ind.cora"), NULL, "planetoid"));
    gpr_dataset_free(data);
    assert_fails(gpr_dataset_open_as(f->ctx, &data, f->path, NULL, "npz"), GPR_ERROR_NOT_FOUND, "No such file");
    assert_fails(gpr_dataset_open_as(f->ctx, &data, raw_path(f, "ind.cora.graph"), NULL, "npz"), GPR_ERROR_FORMAT,
                 "is not an .npz file");
    assert_fails(gpr_dataset_open_as(f->ctx, &data, f->path, NULL, "planetoit"), GPR_ERROR_ARGUMENT,
                 "did you mean 'planetoid'?");
    assert_fails(gpr_dataset_open_as(f->ctx, &data, "csbm", NULL, "npz"), GPR_ERROR_ARGUMENT, "made, not read");
    assert_ok(gpr_dataset_open_as(f->ctx, &data, "csbm:n=10,f=2", NULL, "auto"));
    gpr_dataset_free(data);
    assert_fails(gpr_dataset_open(f->ctx, &data, f->folder, NULL), GPR_ERROR_FORMAT, "/ind.cora");
    /* by name, in a folder of data */
    snprintf(planetoid, sizeof planetoid, "%s/planetoid", f->folder);
    assert_int_equal(mkdir(planetoid, 0777), 0);
    static const char *const all[] = {"allx", "tx", "ally", "ty", "graph", "test.index"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        snprintf(moved, sizeof moved, "%s/ind.cora.%s", planetoid, all[k]);
        assert_int_equal(rename(part_path(f, "cora", all[k]), moved), 0);
    }
    assert_ok(gpr_dataset_open(f->ctx, &data, "cora", f->folder));
    check_small(data, -1);
    gpr_dataset_free(data);
    assert_fails(gpr_dataset_open_as(f->ctx, &data, "cora", f->folder, "geom-gcn"), GPR_ERROR_NOT_FOUND,
                 "looked for geom-gcn/cora in");
    assert_int_equal(remove(moved), 0);
    assert_fails(gpr_dataset_open(f->ctx, &data, "cora", f->folder), GPR_ERROR_NOT_FOUND, "ind.cora.test.index");
}

static void test_broken(void **state) {
    raw_fixture *f = *state;
    static const int32_t two_ones[] = {1, 0, 1, 1, 0, 1}, a_two[] = {1, 0, 0, 2, 0, 1},
                         four[] = {1, 0, 0, 1, 0, 1, 1, 0};
    static const char wild[] = "}(I0\n(I9\nlu.";
    parts cases[] = {good, good, good, good, good, good, good, good, good, good, good};
    static const char *const messages[] = {
        "allx has 3 rows, ally 4",
        "row 1 is not one-hot",
        "row 1 is not one-hot",
        "tx has 2 rows, ty 2, test.index 1",
        "allx has 4 features and tx 5",
        "test.index:2: '4x' is not a node",
        "node 2: expected one from 3 on",
        "node 99999999999: expected",
        "node 3 appears twice",
        "node 0 has the neighbour 9",
        "instruction 0x7b",
    };
    cases[0].ally_rows = 4;
    cases[0].hot = four;
    cases[1].hot = two_ones;
    cases[2].hot = a_two;
    cases[3].index = "3\n";
    cases[4].test_columns = 5;
    cases[5].index = "3\n4x\n";
    cases[6].index = "3\n2\n";
    cases[7].index = "3\n99999999999\n";
    cases[8].index = "3\n3\n";
    cases[9].graph = wild;
    cases[10].graph = "{}";
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gpr_dataset *data;
        make_files(f, "bad", &cases[k]);
        assert_fails(gpri_read_planetoid(f->ctx, &data, raw_path(f, "ind.bad")), GPR_ERROR_FORMAT, messages[k]);
        assert_non_null(strstr(gpr_last_error(), f->path));
        assert_null(data);
    }
}

static gpr_status read_small(gpr_ctx *ctx, void *prefix) {
    gpr_dataset *data;
    gpr_status status = gpr_dataset_open(ctx, &data, prefix, NULL);
    gpr_dataset_free(data);
    return status;
}

static void test_memory(void **state) {
    raw_fixture *f = *state;
    make_files(f, "small", &good);
    raw_path(f, "ind.small");
    fail_every_allocation(read_small, f->path);
}

/* The published files give what graphs/NAME.npz holds. */
static void test_published(void **state) {
    raw_fixture *f = *state;
    compare_with_npz(f, "planetoid/ind.cora", "cora", "cora");
    compare_with_npz(f, "planetoid/ind.citeseer", "citeseer", "citeseer");
    compare_with_npz(f, "planetoid/ind.pubmed", "pubmed", "pubmed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RAW_TEST(test_small),  RAW_TEST(test_open),      RAW_TEST(test_broken),
        RAW_TEST(test_memory), RAW_TEST(test_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
