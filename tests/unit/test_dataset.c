/* data/dataset.c, data/feature_matrix.c, io/open.c: checks, merging, and what DATA may be. */
#include <math.h>
#include <sys/stat.h>

#include "data/dataset.h"
#include "failing_memory.h"
#include "npz_maker.h"

/* 4 nodes, 2 edges, 3 features, all arrays valid; each test makes one of them wrong. */
typedef struct sample {
    int64_t src[2], dst[2], indptr[5];
    int32_t indices[6], labels[4];
    float weights[2], dense[12], values[6];
    gpr_dataset_desc desc;
} sample;

static void sample_init(sample *s, bool dense) {
    *s = (sample){.src = {0, 1},
                  .dst = {1, 2},
                  .indptr = {0, 2, 2, 3, 4},
                  .indices = {0, 2, 1, 0},
                  .labels = {0, 1, -1, 1},
                  .weights = {1, 1},
                  .dense = {1, 0, 2, 0, 0, 0, 0, 3, 0, 4, 0, 0},
                  .values = {1, 2, 3, 4}};
    s->desc = (gpr_dataset_desc){.struct_size = sizeof s->desc,
                                 .name = "sample",
                                 .nodes = 4,
                                 .edges = 2,
                                 .src = s->src,
                                 .dst = s->dst,
                                 .features = 3,
                                 .labels = s->labels};
    if (dense) {
        s->desc.dense = s->dense;
    } else {
        s->desc.indptr = s->indptr;
        s->desc.indices = s->indices;
        s->desc.values = s->values;
    }
}

static void test_describe(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    for (int dense = 0; dense < 2; dense++) {
        sample s;
        gpr_dataset *data;
        gpr_dataset_info info = {.struct_size = sizeof info};
        int64_t count;
        sample_init(&s, dense);
        assert_ok(gpr_dataset_new(ctx, &data, &s.desc));
        assert_ok(gpr_dataset_describe(ctx, data, &info));
        assert_string_equal(info.name, "sample");
        assert_int_equal(info.nodes, 4);
        assert_int_equal(info.edges, 2);
        assert_int_equal(info.features, 3);
        assert_int_equal(info.feature_nnz, 4);
        assert_int_equal(info.classes, 2);
        assert_int_equal(info.isolated, 1);
        assert_int_equal(info.labelled, 3);
        assert_int_equal(info.max_degree, 2);
        assert_true(info.mean_degree == 1);
        assert_true(info.node_homophily == 0);
        assert_int_equal(info.sparse_features, !dense); /* a third is non-zero: dense stays */
        assert_false(info.weighted);
        assert_memory_equal(gpr_dataset_labels(data, &count), s.labels, sizeof s.labels);
        assert_int_equal(count, 4);
        assert_true(isnan(data->phi));
        info.struct_size = 1;
        assert_fails(gpr_dataset_describe(ctx, data, &info), GPR_ERROR_ARGUMENT, "struct_size is 1");
        gpr_dataset_free(data);
    }
    gpr_dataset_free(NULL);
    assert_null(gpr_dataset_labels(NULL, NULL));
    gpr_ctx_free(ctx);
}

/* The arrays are those of the dataset itself. */
static void test_arrays(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    for (int dense = 0; dense < 2; dense++) {
        sample s;
        gpr_dataset *data;
        gpr_arrays_info arrays = {.struct_size = sizeof arrays};
        sample_init(&s, dense);
        assert_ok(gpr_dataset_new(ctx, &data, &s.desc));
        assert_ok(gpr_dataset_arrays(ctx, data, &arrays));
        assert_string_equal(arrays.name, "sample");
        assert_int_equal(arrays.nodes, 4);
        assert_int_equal(arrays.features, 3);
        assert_ptr_equal(arrays.adj_indptr, data->graph.rowptr);
        assert_ptr_equal(arrays.adj_indices, data->graph.column);
        assert_null(arrays.adj_values);
        assert_int_equal(arrays.adj_indptr[4], 2 * gpr_dataset_edges(data));
        assert_ptr_equal(arrays.dense, data->features.dense);
        assert_int_equal(arrays.dense != NULL, dense);
        assert_int_equal(arrays.feature_indptr == NULL, dense);
        assert_int_equal(arrays.feature_indices == NULL, dense);
        assert_int_equal(arrays.feature_values == NULL, dense);
        if (!dense) assert_int_equal(arrays.feature_indptr[4], data->features.nnz);
        assert_memory_equal(arrays.labels, s.labels, sizeof s.labels);
        assert_null(arrays.node_weights);
        arrays.struct_size = 1;
        assert_fails(gpr_dataset_arrays(ctx, data, &arrays), GPR_ERROR_ARGUMENT, "struct_size is 1");
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

static void test_sparse_from_dense(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    sample s;
    gpr_dataset *data;
    sample_init(&s, true);
    s.dense[0] = s.dense[2] = 0; /* two of twelve */
    assert_ok(gpr_dataset_new(ctx, &data, &s.desc));
    const int64_t rowptr[] = {0, 0, 0, 1, 2};
    assert_null(data->features.dense);
    assert_int_equal(data->features.nnz, 2);
    assert_memory_equal(data->features.rowptr, rowptr, sizeof rowptr);
    assert_int_equal(data->features.column[0], 1);
    assert_int_equal(data->features.column[1], 0);
    assert_true(data->features.value[0] == 3 && data->features.value[1] == 4);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Unsorted columns, the same place twice, zeros, a sum that is zero; and values left out. */
static void test_untidy_csr(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    sample s;
    gpr_dataset *data;
    sample_init(&s, false);
    const int64_t indptr[] = {0, 3, 5, 5, 6}, expected[] = {0, 2, 2, 2, 2};
    const int32_t indices[] = {2, 0, 2, 1, 1, 0};
    const float values[] = {1, 5, 2, 3, -3, 0};
    s.desc.indptr = indptr;
    s.desc.indices = indices;
    s.desc.values = values;
    assert_ok(gpr_dataset_new(ctx, &data, &s.desc));
    assert_int_equal(data->features.nnz, 2);
    assert_memory_equal(data->features.rowptr, expected, sizeof expected);
    assert_int_equal(data->features.column[0], 0);
    assert_int_equal(data->features.column[1], 2);
    assert_true(data->features.value[0] == 5 && data->features.value[1] == 3);
    gpr_dataset_free(data);
    sample_init(&s, false);
    s.desc.values = NULL;
    s.desc.labels = NULL;
    s.desc.name = NULL;
    s.desc.classes = 7;
    assert_ok(gpr_dataset_new(ctx, &data, &s.desc));
    assert_true(data->features.value[3] == 1);
    assert_int_equal(data->target.labels[0], -1);
    assert_int_equal(data->target.classes, 7);
    assert_string_equal(data->name, "unnamed");
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void test_errors(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    sample s;
    gpr_dataset *data;
#define FAILS(dense, change, part)                                                    \
    do {                                                                              \
        sample_init(&s, dense);                                                       \
        change;                                                                       \
        assert_fails(gpr_dataset_new(ctx, &data, &s.desc), GPR_ERROR_ARGUMENT, part); \
        assert_null(data);                                                            \
    } while (0)
    FAILS(true, s.desc.struct_size = 8, "struct_size is 8");
    FAILS(true, s.desc.nodes = 0, "0 nodes");
    FAILS(true, s.src[1] = 4, "edge 1 goes from node 4 to node 2");
    FAILS(true, s.dst[0] = -1, "edge 0 goes from node 0 to node -1");
    FAILS(true, (s.weights[1] = -1, s.desc.weights = s.weights), "edge 1 (1 to 2) has weight -1");
    FAILS(true, s.desc.dense = NULL, "3 features are announced");
    FAILS(true, s.desc.indptr = s.indptr, "both dense and as CSR");
    FAILS(true, s.desc.features = 0, "0 columns");
    FAILS(true, s.desc.features = INT64_MAX, "columns");
    FAILS(true, s.dense[7] = NAN, "row 2, column 1 is nan");
    FAILS(true, s.dense[11] = -INFINITY, "row 3, column 2 is -inf");
    FAILS(false, s.values[2] = INFINITY, "row 2, column 1 is inf");
    FAILS(false, s.indices[3] = 3, "indices[3] (row 3) is 3: columns must be in [0, 3)");
    FAILS(false, s.indices[0] = -1, "is -1");
    FAILS(false, s.indptr[0] = 1, "indptr begins with 1");
    FAILS(false, s.indptr[2] = 1, "indptr[2] is 1, less than the 2 before it");
    FAILS(false, s.desc.indices = NULL, "indices is NULL");
    FAILS(false, (s.values[0] = s.values[1] = 3e38f, s.indices[1] = 0), "row 0, column 0 is inf"); /* the sum */
    FAILS(true, s.labels[2] = -2, "node 2 has label -2");
    FAILS(true, s.labels[1] = 2000000000, "label 2000000000: labels must be below");
    FAILS(true, s.desc.classes = 1, "node 1 has label 1: with 1 classes");
    FAILS(true, s.desc.classes = -1, "-1 classes");
    assert_fails(gpr_dataset_new(ctx, &data, NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_dataset_new(ctx, NULL, &s.desc), GPR_ERROR_ARGUMENT, "NULL");
#undef FAILS
    gpr_ctx_free(ctx);
}

static gpr_status build(gpr_ctx *ctx, void *desc) {
    gpr_dataset *data;
    gpr_status status = gpr_dataset_new(ctx, &data, desc);
    gpr_dataset_free(data);
    return status;
}

static void test_names(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data;
    sample s;
    static const char *const classes[] = {"cat", "a dog"}, *const ids[] = {"p", "q", "", "r"};
    static const char *const hole[] = {"cat", NULL};
    sample_init(&s, true);
    assert_ok(gpr_dataset_new(ctx, &data, &s.desc));
    assert_null(gpr_dataset_class_name(data, 0));
    assert_null(gpr_dataset_node_id(data, 0));
    gpr_dataset_free(data);
    s.desc.class_names = classes;
    s.desc.node_ids = ids;
    assert_ok(gpr_dataset_new(ctx, &data, &s.desc));
    assert_int_equal(data->target.classes, 2);
    assert_string_equal(gpr_dataset_class_name(data, 1), "a dog");
    assert_null(gpr_dataset_class_name(data, 2));
    assert_null(gpr_dataset_class_name(data, -1));
    assert_string_equal(gpr_dataset_node_id(data, 3), "r");
    assert_string_equal(gpr_dataset_node_id(data, 2), "");
    gpr_dataset_free(data);
    fail_every_allocation(build, &s.desc);
    s.desc.class_names = hole;
    assert_fails(gpr_dataset_new(ctx, &data, &s.desc), GPR_ERROR_ARGUMENT, "class name 1 is NULL");
    gpr_ctx_free(ctx);
}

/* The labels of 200 nodes: `step` apart, `values` of them. */
static gpr_status open_labels(gpr_ctx *ctx, gpr_dataset **out, int values, int step, int64_t classes) {
    enum { NODES = 200 };
    static int32_t labels[NODES];
    static const int64_t ends[] = {0, 1};
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .nodes = NODES,
                             .edges = 1,
                             .src = ends,
                             .dst = ends + 1,
                             .labels = labels,
                             .classes = classes};
    for (int i = 0; i < NODES; i++) labels[i] = i < 50 ? -1 : i % values * step;
    return gpr_dataset_new(ctx, out, &desc);
}

/* Prices would be thousands of classes; codes without gaps, few numbers, and a number of classes that is given, are
   taken at their word. A file keeps that. */
static void test_quantities(void **state) {
    static const struct {
        int values, step, classes;
    } good[] = {{100, 1, 0}, {25, 900, 0}, {100, 7, 800}};
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data, *again;
    char folder[64], path[128];
    folder_make(folder);
    snprintf(path, sizeof path, "%s/labels.npz", folder);
    assert_fails(open_labels(ctx, &data, 200, 4000, 0), GPR_ERROR_ARGUMENT,
                 "150 different numbers, up to 796000, are the labels of 150 nodes: a number to predict is "
                 "given as `targets`");
    assert_null(data);
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        assert_ok(open_labels(ctx, &data, good[k].values, good[k].step, good[k].classes));
        assert_ok(gpr_dataset_save(ctx, data, path));
        assert_ok(gpr_dataset_open(ctx, &again, path, NULL));
        assert_int_equal(data->target.classes, again->target.classes);
        gpr_dataset_free(data);
        gpr_dataset_free(again);
    }
    folder_files(folder, true);
    gpr_ctx_free(ctx);
}

static void test_memory(void **state) {
    (void)state;
    sample s;
    sample_init(&s, true);
    fail_every_allocation(build, &s.desc);
    sample_init(&s, false);
    s.indices[0] = 2; /* the same place twice: sorted and merged */
    fail_every_allocation(build, &s.desc);
}

/* ---- gpr_dataset_open ---- */

static void test_csbm_specs(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data, *same;
    assert_ok(gpr_dataset_open(ctx, &data, "csbm:phi=-0.5,n=300,f=4,d=6,eps=2,seed=9", NULL));
    assert_string_equal(data->name, "csbm(phi=-0.5)");
    assert_int_equal(data->graph.nodes, 300);
    assert_int_equal(data->features.cols, 4);
    gpr_csbm_options options;
    gpr_csbm_options_init(&options, sizeof options);
    options = (gpr_csbm_options){options.struct_size, 300, 4, 6, 2, -0.5, 9};
    assert_ok(gpr_dataset_csbm(ctx, &same, &options));
    assert_int_equal(same->graph.arcs, data->graph.arcs);
    assert_memory_equal(same->features.dense, data->features.dense, 1200 * sizeof(float));
    gpr_dataset_free(same);
    gpr_dataset_free(data);
    assert_ok(gpr_dataset_open(ctx, &data, "csbm:n=1e3,f=2", NULL));
    assert_int_equal(data->graph.nodes, 1000);
    assert_true(data->phi == 0.5);
    gpr_dataset_free(data);
    assert_fails(gpr_dataset_open(ctx, &data, "csbm:ph=1", NULL), GPR_ERROR_ARGUMENT,
                 "unknown key 'ph': did you mean 'phi'?");
    assert_fails(gpr_dataset_open(ctx, &data, "csbm:", NULL), GPR_ERROR_ARGUMENT, "key=value");
    assert_fails(gpr_dataset_open(ctx, &data, "csbm:phi", NULL), GPR_ERROR_ARGUMENT, "'phi' is not a setting");
    assert_fails(gpr_dataset_open(ctx, &data, "csbm:phi=x", NULL), GPR_ERROR_ARGUMENT, "phi is 'x'");
    assert_fails(gpr_dataset_open(ctx, &data, "csbm:n=2.5", NULL), GPR_ERROR_ARGUMENT, "n is '2.5'");
    assert_fails(gpr_dataset_open(ctx, &data, "csbm:n=0", NULL), GPR_ERROR_ARGUMENT, "n is 0 nodes");
    assert_fails(gpr_dataset_open(ctx, &data, "csbm:seed=-1", NULL), GPR_ERROR_ARGUMENT, "seed is -1");
    assert_fails(gpr_dataset_open(ctx, &data, "csbm:n=9,n=8", NULL), GPR_ERROR_ARGUMENT, "n is given twice");
    assert_fails(gpr_dataset_open(ctx, &data, "csbm:phi=2", NULL), GPR_ERROR_ARGUMENT, "phi is 2");
    assert_fails(gpr_dataset_open(ctx, &data, "", NULL), GPR_ERROR_ARGUMENT, "no name");
    assert_fails(gpr_dataset_open(ctx, &data, NULL, NULL), GPR_ERROR_ARGUMENT, "NULL");
    gpr_ctx_free(ctx);
}

static void test_names_and_paths(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data;
    sample s;
    char folder[64], path[256], graphs[128], cache[128];
    folder_make(folder);
    sample_init(&s, true);
    snprintf(graphs, sizeof graphs, "%s/graphs", folder);
    snprintf(cache, sizeof cache, "%s/gprgnn", folder);
    assert_int_equal(mkdir(graphs, 0700), 0);
    assert_int_equal(mkdir(cache, 0700), 0);
    setenv("GPRGNN_DATA", "/nonexistent/data", 1);
    setenv("XDG_CACHE_HOME", folder, 1);

    assert_fails(gpr_dataset_open(ctx, &data, "cora", "/nonexistent/dir"), GPR_ERROR_NOT_FOUND, "`fetch cora`");
    assert_non_null(strstr(gpr_last_error(), "in /nonexistent/dir, /nonexistent/data, /tmp/"));
    assert_fails(gpr_dataset_open(ctx, &data, "citeser", NULL), GPR_ERROR_NOT_FOUND, "did you mean 'citeseer'?");
    assert_null(strstr(gpr_last_error(), "fetch"));
    assert_fails(gpr_dataset_open(ctx, &data, "./no.npz", NULL), GPR_ERROR_NOT_FOUND, "no file ./no.npz");
    assert_fails(gpr_dataset_open(ctx, &data, "no.npz", NULL), GPR_ERROR_NOT_FOUND, "no file no.npz");

    assert_ok(gpr_dataset_new(ctx, &data, &s.desc));
    snprintf(path, sizeof path, "%s/mine.npz", cache); /* the cache, by name */
    assert_ok(gpr_dataset_save(ctx, data, path));
    gpr_dataset_free(data);
    assert_ok(gpr_dataset_open(ctx, &data, "mine", NULL));
    assert_string_equal(data->name, "mine");
    snprintf(path, sizeof path, "%s/texas.npz", graphs); /* graphs/ of the data folder, by name and by path */
    assert_ok(gpr_dataset_save(ctx, data, path));
    gpr_dataset_free(data);
    assert_ok(gpr_dataset_open(ctx, &data, "texas", folder));
    assert_string_equal(data->name, "texas");
    gpr_dataset_free(data);
    setenv("GPRGNN_DATA", folder, 1);
    assert_ok(gpr_dataset_open(ctx, &data, "texas", NULL));
    gpr_dataset_free(data);
    assert_ok(gpr_dataset_open(ctx, &data, path, NULL));
    assert_string_equal(data->name, "texas");

    assert_fails(gpr_dataset_save(ctx, data, "x.csv"), GPR_ERROR_ARGUMENT,
                 "'x.csv': its name must end in .npz or .gpr");
    assert_fails(gpr_dataset_save(ctx, data, "/nonexistent/x.npz"), GPR_ERROR_IO, "/nonexistent/x.npz");
    gpr_dataset_free(data);
    assert_fails(gpr_dataset_open(ctx, &data, graphs, NULL), GPR_ERROR_FORMAT, "is a folder");
    snprintf(path, sizeof path, "%s/notes.txt", folder);
    FILE *file = fopen(path, "w");
    fputs("to buy\nbread\n", file);
    fclose(file);
    assert_fails(gpr_dataset_open(ctx, &data, path, NULL), GPR_ERROR_FORMAT, "notes.txt is a file of no known format");
    unsetenv("GPRGNN_DATA");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_fails(gpr_dataset_open(ctx, &data, "photo", NULL), GPR_ERROR_NOT_FOUND, "in no folder");
    folder_files(folder, true);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_describe),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_sparse_from_dense),
        cmocka_unit_test(test_untidy_csr),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_quantities),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_csbm_specs),
        cmocka_unit_test(test_names_and_paths),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
