/* io/numpy/npy.c, npz.c, npz_write.c, npz_dataset.c: what is written is read back equal; broken files are refused. */
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "failing_memory.h"
#include "io/numpy/npz.h"
#include "io/numpy/npz_dataset.h"
#include "io/readers.h"
#include "npz_maker.h"

typedef struct fixture {
    gpr_ctx *ctx;
    char folder[64], path[80];
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    f->ctx = new_ctx(1);
    folder_make(f->folder);
    snprintf(f->path, sizeof f->path, "%s/file.npz", f->folder);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    folder_files(f->folder, true);
    gpr_ctx_free(f->ctx);
    free(f);
    return 0;
}

/* ---- Arrays ---- */

static gpr_status read_one(fixture *f, gpri_array *array, const char *name, gpri_number type, int dims) {
    gpri_npz *npz;
    gpr_status status = gpri_npz_open(f->ctx, &npz, f->path);
    if (status != GPR_OK) return status;
    status = gpri_npz_read(npz, array, name, type, dims);
    gpri_npz_close(npz);
    return status;
}

static void test_array_round_trip(void **state) {
    fixture *f = *state;
    gpri_npz_writer *writer;
    gpri_array array;
    const int64_t three = 3, shape[] = {2, 2}, whole[] = {-1, 0, INT64_MAX}, none = 0;
    const int32_t small[] = {INT32_MIN, 0, INT32_MAX};
    const float matrix[] = {1.5f, -2, 3e38f, 1e-40f};
    const double scalar = 0.1;
    const uint8_t flags[] = {0, 1, 1};
    assert_ok(gpri_npz_create(f->ctx, &writer, f->path));
    assert_ok(gpri_npz_add(writer, "whole", GPRI_AS_INT64, 1, &three, whole, true));
    assert_ok(gpri_npz_add(writer, "small", GPRI_AS_INT32, 1, &three, small, true));
    assert_ok(gpri_npz_add(writer, "matrix", GPRI_AS_FLOAT, 2, shape, matrix, false));
    assert_ok(gpri_npz_add(writer, "scalar", GPRI_AS_DOUBLE, 0, NULL, &scalar, false));
    assert_ok(gpri_npz_add(writer, "flags", GPRI_AS_BOOL, 1, &three, flags, true));
    assert_ok(gpri_npz_add(writer, "empty", GPRI_AS_INT64, 1, &none, whole, true));
    assert_ok(gpri_npz_commit(&writer));
    assert_null(writer);
    assert_int_equal(folder_files(f->folder, false), 1);

    assert_ok(read_one(f, &array, "whole", GPRI_AS_INT64, 1));
    assert_memory_equal(array.data, whole, sizeof whole);
    gpri_free(f->ctx, array.data);
    assert_ok(read_one(f, &array, "small", GPRI_AS_INT32, -1));
    assert_memory_equal(array.data, small, sizeof small);
    gpri_free(f->ctx, array.data);
    assert_ok(read_one(f, &array, "matrix", GPRI_AS_FLOAT, 2));
    assert_memory_equal(array.data, matrix, sizeof matrix);
    assert_int_equal(array.shape[1], 2);
    gpri_free(f->ctx, array.data);
    assert_ok(read_one(f, &array, "scalar", GPRI_AS_DOUBLE, 0));
    assert_memory_equal(array.data, &scalar, sizeof scalar);
    gpri_free(f->ctx, array.data);
    assert_ok(read_one(f, &array, "flags", GPRI_AS_UINT8, 1));
    assert_memory_equal(array.data, flags, sizeof flags);
    gpri_free(f->ctx, array.data);
    assert_ok(read_one(f, &array, "empty", GPRI_AS_FLOAT, 1));
    assert_int_equal(array.count, 0);
    gpri_free(f->ctx, array.data);
    assert_fails(read_one(f, &array, "whole", GPRI_AS_INT32, 1), GPR_ERROR_FORMAT,
                 "element 2 is 9.2233720368547758e+18");
    assert_fails(read_one(f, &array, "matrix", GPRI_AS_FLOAT, 1), GPR_ERROR_FORMAT, "2 dimensions: expected 1");
    assert_fails(read_one(f, &array, "missing", GPRI_AS_FLOAT, 1), GPR_ERROR_FORMAT,
                 "member 'missing': not in the file, which holds whole.npy, small.npy");
    assert_null(array.data);
}

/* The file does not depend on the time of writing. */
static void test_writing_repeats(void **state) {
    fixture *f = *state;
    unsigned char bytes[2][4096];
    size_t size[2];
    const int64_t count = 3, numbers[] = {1, 2, 3};
    for (int k = 0; k < 2; k++) {
        gpri_npz_writer *writer;
        assert_ok(gpri_npz_create(f->ctx, &writer, f->path));
        assert_ok(gpri_npz_add(writer, "x", GPRI_AS_INT64, 1, &count, numbers, true));
        assert_ok(gpri_npz_commit(&writer));
        FILE *file = fopen(f->path, "rb");
        size[k] = fread(bytes[k], 1, sizeof bytes[k], file);
        fclose(file);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
}

/* Every type and byte order that numpy writes, as doubles. */
static void test_types(void **state) {
    fixture *f = *state;
    static const struct {
        const char *descr;
        unsigned char bytes[8];
        size_t size;
        double value;
    } cases[] = {
        {"|b1", {1}, 1, 1},
        {"|i1", {0xfe}, 1, -2},
        {"|u1", {0xfe}, 1, 254},
        {"<i2", {0xfe, 0xff}, 2, -2},
        {">i2", {0x01, 0x02}, 2, 258},
        {"<u2", {0xff, 0xff}, 2, 65535},
        {"<i4", {0xfe, 0xff, 0xff, 0xff}, 4, -2},
        {">u4", {0xff, 0, 0, 0}, 4, 4278190080.0},
        {"<i8", {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 8, -2},
        {">i8", {0, 0, 0, 0, 0, 0, 1, 0}, 8, 256},
        {"<u8", {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 8, 18446744073709551615.0},
        {"<f2", {0, 0x3e}, 2, 1.5},
        {"<f2", {1, 0}, 2, 0x1p-24},
        {">f2", {0xfb, 0xff}, 2, -65504},
        {"<f4", {0, 0, 0xc0, 0x3f}, 4, 1.5},
        {">f4", {0x3f, 0xc0, 0, 0}, 4, 1.5},
        {"<f8", {0, 0, 0, 0, 0, 0, 0xf8, 0x3f}, 8, 1.5},
        {">f8", {0x3f, 0xf8, 0, 0, 0, 0, 0, 0}, 8, 1.5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        maker m = {0};
        gpri_array array;
        make_array(&m, "x", cases[k].descr, "(1,)", cases[k].bytes, cases[k].size);
        make_file(&m, f->path, 0);
        assert_ok(read_one(f, &array, "x", GPRI_AS_DOUBLE, 1));
        if (*(double *)array.data != cases[k].value) fail_msg("%s: %g", cases[k].descr, *(double *)array.data);
        gpri_free(f->ctx, array.data);
    }
}

static void test_orders_and_versions(void **state) {
    fixture *f = *state;
    const int32_t by_column[] = {1, 4, 2, 5, 3, 6}, by_row[] = {1, 2, 3, 4, 5, 6};
    for (int version = 1; version <= 3; version++) {
        maker m = {0};
        gpri_array array;
        make_npy(&m, "f", version, "{\"shape\": (2L, 3L), 'fortran_order': True,\n 'descr': '<i4'}", by_column,
                 sizeof by_column);
        make_file(&m, f->path, 0);
        assert_ok(read_one(f, &array, "f", GPRI_AS_INT32, 2));
        assert_memory_equal(array.data, by_row, sizeof by_row);
        gpri_free(f->ctx, array.data);
    }
}

static void test_broken_arrays(void **state) {
    fixture *f = *state;
    static const struct {
        const char *dict, *message;
        int version;
    } cases[] = {
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "Python objects", 1},
        {"{'descr': '<U2', 'fortran_order': False, 'shape': (1,), }", "dtype '<U2'", 1},
        {"{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }", "dtype '<f16'", 1},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "dtype '<c8'", 1},
        {"{'descr': '', 'fortran_order': False, 'shape': (1,), }", "dtype ''", 1},
        {"{'descr': [('a', '<i4'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,), }", "dtype '[...]'", 1},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }",
         "announces 2 numbers of 8 bytes, but 8 bytes follow", 1},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (), 'x': 1}", "not as numpy writes it", 1},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (-1,), }", "not as numpy writes it", 1},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999999999999,), }", "does not fit in memory", 1},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "does not fit in memory", 1},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (2305843009213693953,), }", "does not fit in memory", 1},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1, 1), }", "3 dimensions", 1},
        {"{'descr': '<i8', 'fortran_order': Maybe, 'shape': (1,), }", "not as numpy writes it", 1},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (1", "not as numpy writes it", 1},
        {"{'descr': '<i8', 'fortran_order': False}", "not as numpy writes it", 1},
        {"{'descr': '<i8", "not as numpy writes it", 1},
        {"nonsense", "not as numpy writes it", 1},
        {"{}{}{}", "not as numpy writes it", 1},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }", "version 9.0", 9},
    };
    const int64_t number = 5;
    gpri_array array;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        maker m = {0};
        make_npy(&m, "x", cases[k].version, cases[k].dict, &number, sizeof number);
        make_file(&m, f->path, 0);
        assert_fails(read_one(f, &array, "x", GPRI_AS_INT64, -1), GPR_ERROR_FORMAT, cases[k].message);
        assert_non_null(strstr(gpr_last_error(), "file.npz: member 'x': "));
    }
    maker m = {0};
    make_member(&m, "short.npy", "\x93NUMPY", 6);
    make_member(&m, "text.npy", "hello, this is text", 19);
    make_member(&m, "long.npy", "\x93NUMPY\x01\x00\xff\xff{'descr'", 18);
    make_member(&m, "huge.npy", "\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'", 20);
    make_member(&m, "nul.npy", "\x93NUMPY\x01\x00\x06\x00{'de\0}", 16);
    m.announced = 0xf0000000u;
    make_array(&m, "bomb", "<i8", "(1,)", &number, sizeof number);
    m.announced = 1000;
    make_array(&m, "liar", "<i8", "(1,)", &number, sizeof number);
    m.wrong_checksum = true;
    make_array(&m, "changed", "<i8", "(1,)", &number, sizeof number);
    make_file(&m, f->path, 0);
    assert_fails(read_one(f, &array, "short", GPRI_AS_INT64, -1), GPR_ERROR_FORMAT, "6 bytes: too few");
    assert_fails(read_one(f, &array, "text", GPRI_AS_INT64, -1), GPR_ERROR_FORMAT, "not an npy array");
    assert_fails(read_one(f, &array, "long", GPRI_AS_INT64, -1), GPR_ERROR_FORMAT, "announces 65535 bytes of text");
    assert_fails(read_one(f, &array, "huge", GPRI_AS_INT64, -1), GPR_ERROR_FORMAT, "4294967295 bytes of text: at most");
    assert_fails(read_one(f, &array, "nul", GPRI_AS_INT64, -1), GPR_ERROR_FORMAT, "NUL byte");
    assert_fails(read_one(f, &array, "bomb", GPRI_AS_INT64, -1), GPR_ERROR_FORMAT,
                 "announces 4026531840 bytes in a file of");
    assert_fails(read_one(f, &array, "liar", GPRI_AS_INT64, -1), GPR_ERROR_FORMAT, "member 'liar'");
    assert_fails(read_one(f, &array, "changed", GPRI_AS_INT64, -1), GPR_ERROR_FORMAT, "CRC");
}

static void test_conversions(void **state) {
    fixture *f = *state;
    const double reals[] = {3, 2.5};
    const uint64_t huge = UINT64_MAX;
    const int16_t two = 2, minus = -1;
    gpri_array array;
    maker m = {0};
    make_array(&m, "whole", "<f8", "(1,)", reals, 8);
    make_array(&m, "half", "<f8", "(2,)", reals, 16);
    make_array(&m, "huge", "<u8", "()", &huge, 8);
    make_array(&m, "two", "<i2", "()", &two, 2);
    make_array(&m, "minus", "<i2", "()", &minus, 2);
    make_file(&m, f->path, 0);
    assert_ok(read_one(f, &array, "whole", GPRI_AS_INT32, 1));
    assert_int_equal(*(int32_t *)array.data, 3);
    gpri_free(f->ctx, array.data);
    assert_fails(read_one(f, &array, "half", GPRI_AS_INT64, 1), GPR_ERROR_FORMAT,
                 "element 1 is 2.5: expected a whole number");
    assert_fails(read_one(f, &array, "huge", GPRI_AS_INT64, 0), GPR_ERROR_FORMAT,
                 "element 0 is 1.8446744073709552e+19");
    assert_fails(read_one(f, &array, "two", GPRI_AS_BOOL, 0), GPR_ERROR_FORMAT, "element 0 is 2: expected 0 or 1");
    assert_fails(read_one(f, &array, "minus", GPRI_AS_UINT8, 0), GPR_ERROR_FORMAT, "expected from 0 to 255");
}

static void test_no_archives(void **state) {
    fixture *f = *state;
    gpri_npz *npz;
    assert_fails(gpri_npz_open(f->ctx, &npz, f->path), GPR_ERROR_NOT_FOUND, f->path);
    assert_fails(gpri_npz_open(f->ctx, &npz, f->folder), GPR_ERROR_FORMAT, "is a folder");
    assert_fails(gpri_npz_open(f->ctx, &npz, "/dev/null"), GPR_ERROR_FORMAT, "not a regular file");
    FILE *file = fopen(f->path, "wb");
    fclose(file);
    assert_fails(gpri_npz_open(f->ctx, &npz, f->path), GPR_ERROR_FORMAT, "is empty: expected an .npz file");
    file = fopen(f->path, "wb");
    fputs("\x89HDF\r\n", file);
    fclose(file);
    assert_fails(gpri_npz_open(f->ctx, &npz, f->path), GPR_ERROR_FORMAT, "begins with '\\x89HDF\\x0d\\x0a'");
    const int64_t number = 5;
    for (size_t keep = 4; keep < 190; keep += 31) {
        maker m = {0};
        make_array(&m, "x", "<i8", "(1,)", &number, sizeof number);
        make_file(&m, f->path, keep);
        assert_fails(gpri_npz_open(f->ctx, &npz, f->path), GPR_ERROR_FORMAT, "damaged or cut off");
    }
}

/* A full disk, simulated by a limit on the size of files. */
static void test_full_disk(void **state) {
    fixture *f = *state;
    struct rlimit old, small;
    gpri_npz_writer *writer;
    static float numbers[100000];
    const int64_t count = 100000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 100000;
    assert_ok(gpri_npz_create(f->ctx, &writer, f->path));
    assert_ok(gpri_npz_add(writer, "x", GPRI_AS_FLOAT, 1, &count, numbers, false));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    gpr_status status = gpri_npz_commit(&writer);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, GPR_ERROR_IO);
    assert_non_null(strstr(gpr_last_error(), f->path));
    assert_non_null(strstr(gpr_last_error(), "File too large"));
    assert_int_equal(folder_files(f->folder, false), 0);
    assert_ok(gpri_npz_create(f->ctx, &writer, f->path));
    gpri_npz_discard(writer);
    assert_int_equal(folder_files(f->folder, false), 0);
}

/* ---- Datasets ---- */

static void assert_same(const gpr_dataset *a, const gpr_dataset *b) {
    assert_int_equal(a->graph.nodes, b->graph.nodes);
    assert_int_equal(a->graph.arcs, b->graph.arcs);
    assert_memory_equal(a->graph.rowptr, b->graph.rowptr, (size_t)(a->graph.nodes + 1) * 8);
    assert_memory_equal(a->graph.column, b->graph.column, (size_t)a->graph.arcs * 4);
    assert_int_equal(!a->graph.weight, !b->graph.weight);
    if (a->graph.weight) assert_memory_equal(a->graph.weight, b->graph.weight, (size_t)a->graph.arcs * 4);
    assert_int_equal(a->features.cols, b->features.cols);
    assert_int_equal(a->features.nnz, b->features.nnz);
    assert_int_equal(!a->features.dense, !b->features.dense);
    if (a->features.dense) {
        assert_memory_equal(a->features.dense, b->features.dense, (size_t)(a->features.rows * a->features.cols) * 4);
    } else {
        assert_memory_equal(a->features.rowptr, b->features.rowptr, (size_t)(a->features.rows + 1) * 8);
        assert_memory_equal(a->features.column, b->features.column, (size_t)a->features.nnz * 4);
        assert_memory_equal(a->features.value, b->features.value, (size_t)a->features.nnz * 4);
    }
    assert_memory_equal(a->target.labels, b->target.labels, (size_t)a->graph.nodes * 4);
    assert_int_equal(a->target.classes, b->target.classes);
}

static void test_dataset_round_trip(void **state) {
    fixture *f = *state;
    const int64_t src[] = {0, 1, 2, 2}, dst[] = {1, 2, 0, 2}, indptr[] = {0, 2, 2, 3, 3};
    const int32_t indices[] = {1, 0, 2}, labels[] = {0, 2, -1, 2};
    const float weights[] = {0.5f, 1, 3, 1}, values[] = {0.1f, 7, 1e-40f};
    for (int k = 0; k < 8; k++) { /* weights or not, values or all 1, more classes than labels or not */
        gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                 .nodes = 4,
                                 .edges = 4,
                                 .src = src,
                                 .dst = dst,
                                 .weights = k & 1 ? weights : NULL,
                                 .features = 3,
                                 .indptr = indptr,
                                 .indices = indices,
                                 .values = k & 2 ? values : NULL,
                                 .labels = labels,
                                 .classes = k & 4 ? 9 : 0};
        gpr_dataset *data, *back;
        assert_ok(gpr_dataset_new(f->ctx, &data, &desc));
        assert_ok(gpr_dataset_save(f->ctx, data, f->path));
        assert_ok(gpri_read_npz(f->ctx, &back, f->path));
        assert_same(data, back);
        assert_string_equal(back->name, "file");
        assert_true(isnan(back->phi));
        gpr_dataset_free(data);
        gpr_dataset_free(back);
    }
    gpr_dataset *data, *back;
    assert_ok(gpr_dataset_open(f->ctx, &data, "csbm:phi=-0.3,n=500,f=20", NULL));
    assert_ok(gpr_dataset_save(f->ctx, data, f->path));
    assert_ok(gpri_read_npz(f->ctx, &back, f->path));
    assert_same(data, back);
    assert_true(back->phi == data->phi);
    assert_string_equal(back->name, "csbm(phi=-0.3)");
    gpr_dataset_free(data);
    gpr_dataset_free(back);
}

/* A graph without features and labels. */
static void test_graph_only_round_trip(void **state) {
    fixture *f = *state;
    const int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 3};
    gpr_dataset_desc desc = {.struct_size = sizeof desc, .nodes = 5, .edges = 3, .src = src, .dst = dst};
    gpr_dataset *data, *back;
    gpr_dataset_info info = {.struct_size = sizeof info}, again = info;
    assert_ok(gpr_dataset_new(f->ctx, &data, &desc));
    assert_ok(gpr_dataset_save(f->ctx, data, f->path));
    assert_ok(gpri_read_npz(f->ctx, &back, f->path));
    assert_same(data, back);
    assert_ok(gpr_dataset_describe(f->ctx, data, &info));
    assert_ok(gpr_dataset_describe(f->ctx, back, &again));
    assert_string_equal(info.fingerprint, again.fingerprint);
    assert_int_equal(info.features, 0);
    assert_int_equal(info.feature_nnz, 0);
    assert_int_equal(info.classes, 0);
    assert_true(isnan(info.feature_density));
    assert_ok(gpr_dataset_check(f->ctx, back));
    gpr_dataset_free(data);
    gpr_dataset_free(back);
}

/* The members of a good file of 3 nodes; `skip` is left out, `name` replaced by what follows. */
static void make_dataset(maker *m, const char *name, const char *descr, const char *shape, const void *data,
                         size_t size) {
    static const int32_t adj_indptr[] = {0, 1, 2, 2}, adj_indices[] = {1, 0}, attr_indptr[] = {0, 1, 1, 2},
                         attr_indices[] = {0, 1};
    static const float ones[] = {1, 1};
    static const int64_t adj_shape[] = {3, 3}, attr_shape[] = {3, 2}, labels[] = {0, 1, -1};
    static const struct {
        const char *name, *descr, *shape;
        const void *data;
        size_t size;
    } good[] = {
        {"adj_indptr", "<i4", "(4,)", adj_indptr, sizeof adj_indptr},
        {"adj_indices", "<i4", "(2,)", adj_indices, sizeof adj_indices},
        {"adj_data", "<f4", "(2,)", ones, sizeof ones},
        {"adj_shape", "<i8", "(2,)", adj_shape, sizeof adj_shape},
        {"attr_indptr", "<i4", "(4,)", attr_indptr, sizeof attr_indptr},
        {"attr_indices", "<i4", "(2,)", attr_indices, sizeof attr_indices},
        {"attr_data", "<f4", "(2,)", ones, sizeof ones},
        {"attr_shape", "<i8", "(2,)", attr_shape, sizeof attr_shape},
        {"labels", "<i8", "(3,)", labels, sizeof labels},
    };
    bool known = false;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        bool same = strcmp(good[k].name, name) == 0;
        known = known || same;
        if (!same) make_array(m, good[k].name, good[k].descr, good[k].shape, good[k].data, good[k].size);
        else if (descr) make_array(m, name, descr, shape, data, size);
    }
    if (!known && descr) make_array(m, name, descr, shape, data, size);
}

static void test_dataset_members(void **state) {
    fixture *f = *state;
    gpr_dataset *data;
    maker m = {0};
    static const char *const optional[] = {"none", "adj_data", "attr_data", "labels"};
    for (int k = 0; k < 4; k++) {
        make_dataset(&m, optional[k], NULL, NULL, NULL, 0);
        make_file(&m, f->path, 0);
        assert_ok(gpri_read_npz(f->ctx, &data, f->path));
        assert_int_equal(data->graph.arcs, 2);
        assert_null(data->graph.weight);
        assert_int_equal(data->target.classes, k == 3 ? 0 : 2);
        assert_int_equal(data->features.nnz, 2);
        gpr_dataset_free(data);
    }
    const float matrix[] = {1, 2, 3, 4, 5, 6}; /* dense features win */
    make_dataset(&m, "attr_matrix", "<f4", "(3, 2)", matrix, sizeof matrix);
    make_file(&m, f->path, 0);
    assert_ok(gpri_read_npz(f->ctx, &data, f->path));
    assert_memory_equal(data->features.dense, matrix, sizeof matrix);
    gpr_dataset_free(data);
    static const char *const needed[] = {"adj_indptr", "adj_indices", "adj_shape", "attr_indptr", "attr_indices"};
    for (int k = 0; k < 5; k++) {
        char part[64];
        snprintf(part, sizeof part, "file.npz: member '%s': not in the file", needed[k]);
        make_dataset(&m, needed[k], NULL, NULL, NULL, 0);
        make_file(&m, f->path, 0);
        assert_fails(gpri_read_npz(f->ctx, &data, f->path), GPR_ERROR_FORMAT, part);
    }
    make_dataset(&m, "attr_shape", NULL, NULL, NULL, 0);
    make_file(&m, f->path, 0);
    assert_fails(gpri_read_npz(f->ctx, &data, f->path), GPR_ERROR_FORMAT,
                 "file.npz: member 'attr_shape': not in the file");
}

static void test_broken_datasets(void **state) {
    fixture *f = *state;
    static const int64_t numbers[][5] = {{3, 4},
                                         {0, 0},
                                         {3000000000, 3000000000},
                                         {4, 2},
                                         {3, 3, 3}, /* shapes */
                                         {1, 1, 2, 2},
                                         {0, 2, 1, 2},
                                         {0, 1, 2, 3},
                                         {0, 1, 1, 1},
                                         {0, 1}, /* indptr */
                                         {1, 3},
                                         {-1, 0},
                                         {5, 5}, /* indices */
                                         {0, 1},
                                         {0, 1, -2},
                                         {0, 1, 1000000},
                                         {0, 1, 3000000000}}; /* labels */
    static const float reals[][3] = {{1, 0}, {1, -1}, {1, NAN}, {1, 2, 3}};
    static const double phi = 1.5, classes = 1;
    static const struct {
        const char *name, *descr, *shape;
        const void *data;
        size_t size;
        const char *message;
    } cases[] = {
        {"adj_shape", "<i8", "(2,)", numbers[0], 16, "adj_shape is (3, 4): an adjacency matrix must be square"},
        {"adj_shape", "<i8", "(2,)", numbers[1], 16, "adj_shape is (0, 0)"},
        {"adj_shape", "<i8", "(2,)", numbers[2], 16, "adj_shape is (3000000000, 3000000000)"},
        {"adj_shape", "<i8", "(3,)", numbers[4], 24, "adj_shape has 3 numbers"},
        {"attr_shape", "<i8", "(2,)", numbers[3], 16, "attr_indptr has 4 numbers: expected 5"},
        {"adj_indptr", "<i8", "(4,)", numbers[5], 32, "adj_indptr begins with 1"},
        {"adj_indptr", "<i8", "(4,)", numbers[6], 32, "adj_indptr[2] is 1, less than the 2"},
        {"adj_indptr", "<i8", "(4,)", numbers[7], 32, "adj_indptr ends with 3: it must end with 2"},
        {"attr_indptr", "<i8", "(4,)", numbers[8], 32, "attr_indptr ends with 1: it must end with 2"},
        {"attr_indptr", "<i8", "(2,)", numbers[9], 16, "attr_indptr has 2 numbers: expected 4"},
        {"adj_indices", "<i8", "(2,)", numbers[10], 16, "adj_indices[1] is 3: columns must be in [0, 3)"},
        {"adj_indices", "<i8", "(2,)", numbers[11], 16, "adj_indices[0] is -1"},
        {"attr_indices", "<i8", "(2,)", numbers[12], 16, "attr_indices[0] is 5: columns must be in [0, 2)"},
        {"labels", "<i8", "(2,)", numbers[13], 16, "labels has 2 rows, adj_shape 3 nodes"},
        {"labels", "<i8", "(3,)", numbers[14], 24, "node 2 has label -2"},
        {"labels", "<i8", "(3,)", numbers[15], 24, "label 1000000: labels must be below"},
        {"labels", "<i8", "(3,)", numbers[16], 24, "member 'labels': element 2 is 3000000000"},
        {"adj_data", "<f4", "(2,)", reals[0], 8, "edge 1 (1 to 0) has weight 0"},
        {"adj_data", "<f4", "(2,)", reals[1], 8, "has weight -1"},
        {"adj_data", "<f4", "(3,)", reals[3], 12, "adj_data has 3 numbers, adj_indices 2"},
        {"attr_data", "<f4", "(2,)", reals[2], 8, "row 2, column 1 is nan"},
        {"attr_matrix", "<f4", "(1, 2)", reals[0], 8, "attr_matrix has 1 rows"},
        {"attr_matrix", "<f4", "(2,)", reals[0], 8, "member 'attr_matrix': the array has 1 dimensions: expected 2"},
        {"csbm_phi", "<f8", "()", &phi, 8, "csbm_phi is 1.5"},
        {"num_classes", "<f8", "()", &classes, 8, "with 1 classes"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        maker m = {0};
        gpr_dataset *data;
        make_dataset(&m, cases[k].name, cases[k].descr, cases[k].shape, cases[k].data, cases[k].size);
        make_file(&m, f->path, 0);
        assert_fails(gpri_read_npz(f->ctx, &data, f->path), GPR_ERROR_FORMAT, cases[k].message);
        assert_non_null(strstr(gpr_last_error(), f->path));
        assert_null(data);
    }
}

static gpr_status write_and_read(gpr_ctx *ctx, void *path) {
    gpr_dataset *data = NULL, *back = NULL;
    gpr_status status = gpr_dataset_open(ctx, &data, "csbm:n=30,f=2", NULL);
    if (status == GPR_OK) status = gpr_dataset_save(ctx, data, path);
    if (status == GPR_OK) status = gpr_dataset_open(ctx, &back, path, NULL);
    gpr_dataset_free(data);
    gpr_dataset_free(back);
    return status;
}

static void test_memory(void **state) {
    fixture *f = *state;
    fail_every_allocation(write_and_read, f->path);
    assert_int_equal(folder_files(f->folder, false), 1);
}

/* The real dataset, if it is there. */
static void test_cora(void **state) {
    fixture *f = *state;
    const char *folder = getenv("GPRGNN_DATA") ? getenv("GPRGNN_DATA") : TEST_SOURCE_DIR "/../shared/data";
    gpr_dataset *data;
    gpr_dataset_info info = {.struct_size = sizeof info};
    gpr_status status = gpr_dataset_open(f->ctx, &data, "cora", folder);
    if (status == GPR_ERROR_NOT_FOUND) {
        skip_because("no data (graphs/cora.npz is neither in $GPRGNN_DATA nor in %s)", folder);
    }
    assert_ok(status);
    assert_ok(gpr_dataset_describe(f->ctx, data, &info));
    assert_string_equal(info.name, "cora");
    assert_int_equal(info.nodes, 2708);
    assert_int_equal(info.edges, 5278);
    assert_int_equal(info.features, 1433);
    assert_int_equal(info.classes, 7);
    assert_int_equal(info.feature_nnz, 49216);
    assert_int_equal(info.isolated + info.self_loops + info.duplicates, 0);
    assert_true(fabs(info.node_homophily - .8252) < 5e-5);
    assert_true(fabs(info.edge_homophily - .8100) < 5e-5);
    gpr_dataset *back;
    assert_ok(gpr_dataset_save(f->ctx, data, f->path));
    assert_ok(gpr_dataset_open(f->ctx, &back, f->path, NULL));
    assert_same(data, back);
    gpr_dataset_free(data);
    gpr_dataset_free(back);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_array_round_trip),
        TEST(test_writing_repeats),
        TEST(test_types),
        TEST(test_orders_and_versions),
        TEST(test_broken_arrays),
        TEST(test_conversions),
        TEST(test_no_archives),
        TEST(test_full_disk),
        TEST(test_graph_only_round_trip),
        TEST(test_dataset_round_trip),
        TEST(test_dataset_members),
        TEST(test_broken_datasets),
        TEST(test_memory),
        TEST(test_cora),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
