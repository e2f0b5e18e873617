/* io/geomgcn.c, npz_nodes.c: texts in a folder, and the arrays of heterophilous-graphs. */
#include "failing_memory.h"
#include "io/numpy/npz.h"
#include "io/readers.h"
#include "raw_data.h"

#define NODES "node_id\tfeature\tlabel\n"
#define LINKS "node_id\tnode_id\n"
static const char dense_nodes[] = NODES "1\t0,1,0\t1\n0\t1,0,7\t0\n2\t0,0,0\t1\n";
static const char links[] = LINKS "0\t1\n1\t1\n2\t0\n";

static void write_folder(raw_fixture *f, const char *name, const char *nodes, const char *edges) {
    char file[128];
    mkdir(raw_path(f, name), 0777);
    snprintf(file, sizeof file, "%s/out1_node_feature_label.txt", name);
    if (nodes) write_text(raw_path(f, file), nodes);
    snprintf(file, sizeof file, "%s/out1_graph_edges.txt", name);
    if (edges) write_text(raw_path(f, file), edges);
    raw_path(f, name);
}

static void check_features(const gpr_dataset *data, int64_t cols, int64_t nnz, const int32_t *column,
                           const float *value) {
    assert_int_equal(data->features.cols, cols);
    assert_int_equal(data->features.nnz, nnz);
    assert_memory_equal(data->features.column, column, (size_t)nnz * sizeof *column);
    assert_memory_equal(data->features.value, value, (size_t)nnz * sizeof *value);
}

static void test_dense(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    const int32_t labels[] = {0, 1, 1}, column[] = {0, 2, 1};
    const float value[] = {1, 7, 1};
    write_folder(f, "texas", dense_nodes, links);
    assert_ok(gpr_dataset_open(f->ctx, &data, f->path, NULL));
    assert_string_equal(data->name, "texas");
    assert_int_equal(data->graph.nodes, 3);
    assert_int_equal(data->graph.arcs, 4);
    assert_int_equal(data->graph.self_loops, 1);
    assert_int_equal(data->target.classes, 2);
    assert_memory_equal(data->target.labels, labels, sizeof labels);
    check_features(data, 3, 3, column, value);
    gpr_dataset_free(data);
    strcat(f->path, "//"); /* as completed by a shell */
    assert_ok(gpr_dataset_open_as(f->ctx, &data, f->path, NULL, "geom-gcn"));
    assert_string_equal(data->name, "texas");
    gpr_dataset_free(data);
}

/* Columns in place of numbers; one named twice is still 1, and lines may end as on Windows. */
static void test_lists(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    const int32_t column[] = {4, 0, 9};
    const float value[] = {1, 1, 1};
    write_folder(f, "film", "node_id\tfeature(feature_amount:9)\tlabel\r\n1\t9,0,9\t1\r\n0\t4\t0\r\n2\t\t2\r\n",
                 "node_id\tnode_id\r\n0\t1\r\n1\t2");
    assert_ok(gpr_dataset_open(f->ctx, &data, f->path, NULL));
    assert_string_equal(data->name, "actor");
    assert_int_equal(data->graph.arcs, 4);
    check_features(data, 10, 3, column, value);
    gpr_dataset_free(data);
}

static void test_names(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    assert_int_equal(mkdir(raw_path(f, "geom-gcn"), 0777), 0);
    write_folder(f, "geom-gcn/film", dense_nodes, links);
    write_folder(f, "geom-gcn/chameleon", NULL, links);
    assert_ok(gpr_dataset_open(f->ctx, &data, "actor", f->folder));
    assert_string_equal(data->name, "actor");
    gpr_dataset_free(data);
    assert_fails(gpr_dataset_open(f->ctx, &data, "chameleon", f->folder), GPR_ERROR_NOT_FOUND,
                 "there is no out1_node_feature_label.txt");
    write_folder(f, "no_links", dense_nodes, NULL);
    assert_fails(gpr_dataset_open(f->ctx, &data, f->path, NULL), GPR_ERROR_NOT_FOUND,
                 "there is no out1_graph_edges.txt");
}

static void test_broken(void **state) {
    raw_fixture *f = *state;
    static const struct {
        const char *nodes, *links, *message;
    } cases[] = {
        {"", links, "txt:1: found 'the end of the file', expected a header line"},
        {"node_id\tfeature", links, "txt:1: found 'node_id'"},
        {"0\t1\t0\n", links, "expected a header line"},
        {NODES, links, "no nodes follow"},
        {NODES "x\t1\t0\n", links, "txt:2: found 'x', expected a node"},
        {NODES "-1\t1\t0\n", links, "found '-1', expected a node"},
        {NODES "0 1 0\n", links, "found 'an unprintable character', expected a tab"},
        {NODES "0\t1,\t0\n", links, "found 'a tab', expected a feature"},
        {NODES "0\t\t0\n", links, "found 'a tab', expected a feature"},
        {NODES "0\t256\t0\n", links, "found '256', expected a feature from 0 to 255"},
        {NODES "0\t0.5\t0\n", links, "found '.5', expected a tab"},
        {NODES "0\t1,1\n", links, "found 'the end of the line', expected a tab"},
        {NODES "0\t1\t\n", links, "found 'the end of the line', expected a label"},
        {NODES "0\t1\t0 \n", links, "expected the end of the line"},
        {NODES "0\t1\t99999999999999999999\n", links, "expected a label"},
        {NODES "0\t1\t0\n1\t1,0\t0\n", links, "txt:3: 2 features: the lines before it have 1"},
        {NODES "0\t1\t0\n0\t1\t0\n", links, "txt:3: node 0 appears twice"},
        {NODES "0\t1\t0\n7\t1\t0\n", links, "txt:3: node 7 in a file of fewer nodes"},
        {NODES "0\t1\t5000000\n", LINKS, "labels must be below"},
        {"node_id\tfeature(feature_amount:9)\tlabel\n0\t10\t0\n", links, "found '10', expected a column"},
        {"node_id\tfeature(feature_amount:9)\tlabel\n0\t1;2\t0\n", links, "found ';2', expected a comma"},
        {"node_id\tfeature(feature_amount:9)\tlabel\n0\t1", links, "found 'the end of the file', expected a comma"},
        {"node_id\tfeature(feature_amount:99999999999999)\tlabel\n0\t1\t0\n", links, "txt:1: feature_amount is"},
        {dense_nodes, "", "edges.txt:1: found 'the end of the file', expected a header"},
        {dense_nodes, LINKS "0\t3\n", "edges.txt:2: found '3', expected a node that has features"},
        {dense_nodes, LINKS "0\t1\n0\n", "edges.txt:3: found 'the end of the line', expected a tab"},
        {dense_nodes, LINKS "0\t1\t1\n", "edges.txt:2: found 'a tab', expected the end of the line"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gpr_dataset *data;
        write_folder(f, "bad", cases[k].nodes, cases[k].links);
        assert_fails(gpri_read_geomgcn(f->ctx, &data, f->path), GPR_ERROR_FORMAT, cases[k].message);
        assert_non_null(strstr(gpr_last_error(), f->path));
        assert_null(data);
    }
}

/* Of all prefixes of the text, only those that are complete are accepted. */
static void test_cut(void **state) {
    raw_fixture *f = *state;
    char part[sizeof dense_nodes];
    int accepted = 0;
    for (size_t size = 0; size < sizeof dense_nodes - 1; size++) {
        gpr_dataset *data;
        memcpy(part, dense_nodes, size);
        part[size] = 0;
        write_folder(f, "cut", part, LINKS);
        gpr_status status = gpri_read_geomgcn(f->ctx, &data, f->path);
        assert_int_equal(status == GPR_OK, data != NULL);
        accepted += status == GPR_OK;
        gpr_dataset_free(data);
    }
    assert_int_equal(accepted, 3); /* nodes 1 and 0, without and with the line's end; all without the last line's end */
}

static gpr_status read_folder(gpr_ctx *ctx, void *path) {
    gpr_dataset *data;
    gpr_status status = gpr_dataset_open(ctx, &data, path, NULL);
    gpr_dataset_free(data);
    return status;
}

static void test_memory(void **state) {
    raw_fixture *f = *state;
    write_folder(f, "texas", dense_nodes, links);
    write_folder(f, "cornell", dense_nodes, links);
    fail_every_allocation(read_folder, f->path);
    write_folder(f, "film", "node_id\tfeature(feature_amount:9)\tlabel\n1\t9,0,9\t1\n0\t4\t0\n", LINKS "0\t1\n");
    fail_every_allocation(read_folder, f->path);
}

/* ---- .npz with node_features, node_labels and edges ---- */

static void make_nodes(raw_fixture *f, const char *labels_shape, const char *edges_shape) {
    static const float features[] = {1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const int64_t labels[] = {1, 0, -1}, edges[] = {0, 1, 1, 0, 1, 2, 2, 2};
    maker m = {0};
    make_array(&m, "node_features", "<f4", "(3, 6)", features, sizeof features);
    make_array(&m, "node_labels", "<i8", labels_shape, labels, labels_shape[1] == '3' ? 24 : 16);
    make_array(&m, "edges", "<i8", edges_shape, edges, sizeof edges);
    make_array(&m, "train_masks", "|b1", "(1, 3)", "\1\0\0", 3);
    make_array(&m, "val_masks", "|b1", "(1, 3)", "\0\1\0", 3);
    make_array(&m, "test_masks", "|b1", "(1, 3)", "\0\0\1", 3);
    make_file(&m, raw_path(f, "nodes.npz"), 0);
}

static void test_npz_nodes(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    gpr_split *split;
    const int32_t labels[] = {1, 0, -1}, column[] = {0, 5};
    const float value[] = {1, 2};
    make_nodes(f, "(3,)", "(4, 2)");
    assert_ok(gpr_dataset_open(f->ctx, &data, f->path, NULL));
    assert_string_equal(data->name, "nodes");
    assert_int_equal(data->graph.arcs, 4);
    assert_int_equal(data->graph.self_loops, 1);
    assert_memory_equal(data->target.labels, labels, sizeof labels);
    check_features(data, 6, 2, column, value);
    assert_ok(gpr_split_new(f->ctx, &split, data, f->path, 1, 0)); /* its masks, from the same file */
    assert_int_equal(gpr_split_parts(split, NULL)[1], GPR_VAL);
    gpr_split_free(split);
    gpr_dataset_free(data);
    fail_every_allocation(read_folder, f->path);
    make_nodes(f, "(2,)", "(4, 2)");
    assert_fails(gpr_dataset_open(f->ctx, &data, f->path, NULL), GPR_ERROR_FORMAT, "node_labels has 2 entries");
    assert_non_null(strstr(gpr_last_error(), f->path));
    make_nodes(f, "(3,)", "(2, 4)");
    assert_fails(gpr_dataset_open(f->ctx, &data, f->path, NULL), GPR_ERROR_FORMAT,
                 "(2, 4): expected a row of two nodes per "
                 "edge; transpose it");
}

/* A file of scipy's save_npz is a graph, never a whole dataset. */
static void test_npz_matrix(void **state) {
    raw_fixture *f = *state;
    static const int32_t indptr[] = {0, 1, 2}, indices[] = {1, 0};
    static const int64_t shape[] = {2, 2};
    maker m = {0};
    gpr_dataset *data;
    make_array(&m, "indices", "<i4", "(2,)", indices, sizeof indices);
    make_array(&m, "indptr", "<i4", "(3,)", indptr, sizeof indptr);
    make_array(&m, "format", "|S3", "()", "csr", 3);
    make_array(&m, "shape", "<i8", "(2,)", shape, sizeof shape);
    make_array(&m, "data", "<i4", "(2,)", indices, sizeof indices);
    make_file(&m, raw_path(f, "matrix.npz"), 0);
    assert_fails(gpr_dataset_open(f->ctx, &data, f->path, NULL), GPR_ERROR_FORMAT,
                 "matrix.npz: edge 1 (1 to 0) has weight 0");

    static const float ones[] = {1, 1};
    m = (maker){0};
    make_array(&m, "row", "<i4", "(2,)", indices, sizeof indices);
    make_array(&m, "col", "<i4", "(2,)", indptr, sizeof indices);
    make_array(&m, "shape", "<i8", "(2,)", shape, sizeof shape);
    make_array(&m, "data", "<f4", "(2,)", ones, sizeof ones);
    make_file(&m, raw_path(f, "pairs.npz"), 0);
    assert_ok(gpr_dataset_open(f->ctx, &data, f->path, NULL));
    gpr_dataset_info info = {.struct_size = sizeof info};
    assert_ok(gpr_dataset_describe(f->ctx, data, &info));
    assert_int_equal(info.edges, 1);
    assert_int_equal(info.features, 0);
    gpr_dataset_free(data);
}

/* The published files give what graphs/NAME.npz holds. */
static void test_published(void **state) {
    raw_fixture *f = *state;
    compare_with_npz(f, "geom-gcn/film", "actor", "actor");
    compare_with_npz(f, "geom-gcn/texas", "texas", "texas");
    compare_with_npz(f, "geom-gcn/cornell", "cornell", "cornell");
    compare_with_npz(f, "npz/yandex/actor.npz", "actor", "actor");
    compare_with_npz(f, "npz/yandex/texas.npz", "texas", "texas");
    compare_with_npz(f, "npz/yandex/cornell.npz", "cornell_corrected", "cornell");
    compare_with_npz(f, "npz/yandex/chameleon.npz", "chameleon", "chameleon");
    compare_with_npz(f, "npz/yandex/squirrel.npz", "squirrel", "squirrel");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RAW_TEST(test_dense),     RAW_TEST(test_lists),      RAW_TEST(test_names),
        RAW_TEST(test_broken),    RAW_TEST(test_cut),        RAW_TEST(test_memory),
        RAW_TEST(test_npz_nodes), RAW_TEST(test_npz_matrix), RAW_TEST(test_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
