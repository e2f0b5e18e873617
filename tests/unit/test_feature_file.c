/* Features from .npy, .npz and tables of numbers. */
#include <sys/stat.h>

#include "failing_memory.h"
#include "io/feature_file.h"
#include "io/numpy/npy.h"
#include "text_files.h"

/* The matrix as "1 0 2 / 0 3 0", dense or sparse. */
static gpr_status read_text(gpr_ctx *ctx, const char *path, char *text) {
    gpr_status status = GPR_OK;
    gpri_raw_features m = {0};
    bool labelled;
    *text = 0;
    TRY(gpri_read_features(ctx, &m, NULL, &labelled, path, 0));
    for (int64_t i = 0; i < m.rows; i++) {
        float row[16] = {0};
        assert_true(m.cols <= 16);
        for (int64_t j = 0; m.dense && j < m.cols; j++) row[j] = m.dense[i * m.cols + j];
        for (int64_t k = m.dense ? 0 : m.indptr[i]; !m.dense && k < m.indptr[i + 1]; k++)
            row[m.indices[k]] += m.values ? m.values[k] : 1;
        for (int64_t j = 0; j < m.cols; j++) text += sprintf(text, "%s%g", j ? " " : i ? " / " : "", (double)row[j]);
    }
    for (int64_t j = 0; j < m.names.count; j++) text += sprintf(text, " [%s]", gpri_name(&m.names, j));
done:
    gpri_raw_features_free(ctx, &m);
    return status;
}

static const char *in(text_fixture *f, const char *name) {
    snprintf(f->path, sizeof f->path, "%s/%s", f->folder, name);
    return f->path;
}

#define GIVES(f, expected)                                \
    do {                                                  \
        char text_[1000];                                 \
        assert_ok(read_text((f)->ctx, (f)->path, text_)); \
        assert_string_equal(text_, expected);             \
    } while (0)
#define FAILS(f, status, part)                                             \
    do {                                                                   \
        char text_[1000];                                                  \
        assert_fails(read_text((f)->ctx, (f)->path, text_), status, part); \
    } while (0)

/* A .npy file: a header with any dict, then the bytes. keep: how many bytes of the file are written; 0: all. */
static void write_npy(const text_fixture *f, const char *dict, const void *data, size_t size, size_t keep) {
    unsigned char bytes[1024] = "\x93NUMPY\x01";
    const size_t text = strlen(dict);
    bytes[8] = (unsigned char)text;
    memcpy(bytes + 10, dict, text);
    memcpy(bytes + 10 + text, data, size);
    write_bytes(f, bytes, keep ? keep : 10 + text + size);
}

#define DICT(descr, fortran, shape) "{'descr': '" descr "', 'fortran_order': " fortran ", 'shape': " shape ", }\n"

static void test_npy(void **state) {
    text_fixture *f = *state;
    const float floats[] = {1, 2, 3, 4, 5, 6};
    const int8_t bytes[] = {-1, 7};
    in(f, "x.npy");
    write_npy(f, DICT("<f4", "False", "(3, 2)"), floats, sizeof floats, 0);
    GIVES(f, "1 2 / 3 4 / 5 6");
    write_npy(f, DICT("<f4", "True", "(3, 2)"), floats, sizeof floats, 0);
    GIVES(f, "1 4 / 2 5 / 3 6");
    write_npy(f, DICT("|i1", "False", "(2,)"), bytes, sizeof bytes, 0);
    GIVES(f, "-1 / 7");
    in(f, "features"); /* told by its bytes */
    write_npy(f, DICT("<f4", "False", "(1, 6)"), floats, sizeof floats, 0);
    GIVES(f, "1 2 3 4 5 6");
}

static void test_bad_npy(void **state) {
    text_fixture *f = *state;
    const float floats[] = {1, 2, 3, 4, 5, 6};
    in(f, "x.npy");
    FAILS(f, GPR_ERROR_NOT_FOUND, "x.npy");
    write_text(f, "");
    FAILS(f, GPR_ERROR_FORMAT, "x.npy: has 0 bytes: too few");
    write_text(f, "a,b\n1,2\n3,4\n5,6\n");
    FAILS(f, GPR_ERROR_FORMAT, "x.npy: not an npy array");
    write_npy(f, DICT("<f4", "False", "(3, 2)"), floats, sizeof floats, 40); /* within the header */
    FAILS(f, GPR_ERROR_FORMAT, "x.npy: the npy header announces");
    write_npy(f, DICT("<f4", "False", "(300, 2)"), floats, sizeof floats, 0);
    FAILS(f, GPR_ERROR_FORMAT, "x.npy: the header announces 600 numbers of 4 bytes, but 24 bytes follow it");
    write_npy(f, DICT("<f4", "False", "(2, 2)"), floats, sizeof floats, 0);
    FAILS(f, GPR_ERROR_FORMAT, "announces 4 numbers");
    write_npy(f, DICT("<f4", "False", "(99999999999, 99999999999)"), floats, sizeof floats, 0);
    FAILS(f, GPR_ERROR_FORMAT, "does not fit in memory");
    write_npy(f, DICT("<f4", "False", "()"), floats, 4, 0);
    FAILS(f, GPR_ERROR_FORMAT, "x.npy: the array is a single number");
    write_npy(f, DICT("|S4", "False", "(6,)"), floats, sizeof floats, 0);
    FAILS(f, GPR_ERROR_FORMAT, "x.npy: the array holds text (dtype '|S4'): expected numbers");
    write_npy(f, DICT("|O", "False", "(3,)"), floats, sizeof floats, 0);
    FAILS(f, GPR_ERROR_FORMAT, "Python objects");
    unlink(f->path);
    assert_int_equal(mkdir(f->path, 0700), 0);
    FAILS(f, GPR_ERROR_FORMAT, "x.npy is a folder: expected an .npy file");
}

/* A matrix of scipy's save_npz:  1 0 2 / 0 0 0 / 0 3 0 */
static void make_sparse(maker *m, const char *form, const char *third, const void *first, size_t first_size,
                        const char *first_name, const void *second) {
    const int64_t shape[] = {3, 3};
    const float data[] = {1, 2, 3};
    char dims[16];
    snprintf(dims, sizeof dims, "(%d,)", (int)(first_size / 4));
    make_array(m, first_name, "<i4", dims, first, first_size);
    make_array(m, third, "<i4", "(3,)", second, 12);
    make_array(m, "shape", "<i8", "(2,)", shape, sizeof shape);
    make_array(m, "data", "<f4", "(3,)", data, sizeof data);
    if (form) make_array(m, "format", "|S3", "()", form, 3);
}

static void test_npz(void **state) {
    text_fixture *f = *state;
    maker m = {0};
    const int32_t csr[] = {0, 2, 2, 3}, columns[] = {0, 2, 1};
    const int32_t row[] = {0, 0, 2};
    const int32_t csc[] = {0, 1, 2, 3}, rows[] = {0, 2, 0}; /* data in this order: 1, 2 at (2,1), 3 at (0,2) */
    const double dense[] = {1, 2, 3, 4};
    const int64_t shape[] = {3, 3};
    in(f, "x.npz");
    make_sparse(&m, "csr", "indices", csr, sizeof csr, "indptr", columns);
    make_file(&m, f->path, 0);
    GIVES(f, "1 0 2 / 0 0 0 / 0 3 0");
    make_sparse(&m, NULL, "indices", csr, sizeof csr, "indptr", columns);
    make_file(&m, f->path, 0);
    GIVES(f, "1 0 2 / 0 0 0 / 0 3 0");
    make_sparse(&m, "csc", "indices", csc, sizeof csc, "indptr", rows);
    make_file(&m, f->path, 0);
    GIVES(f, "1 0 3 / 0 0 0 / 0 2 0");
    make_sparse(&m, "coo", "col", row, sizeof row, "row", columns);
    make_file(&m, f->path, 0);
    GIVES(f, "1 0 2 / 0 0 0 / 0 3 0");
    make_array(&m, "arr_0", "<f8", "(2, 2)", dense, sizeof dense);
    make_file(&m, f->path, 0);
    GIVES(f, "1 2 / 3 4");
    make_array(&m, "labels", "<f8", "(4,)", dense, sizeof dense);
    make_array(&m, "features", "<f8", "(4, 1)", dense, sizeof dense);
    make_file(&m, f->path, 0);
    GIVES(f, "1 / 2 / 3 / 4");
    make_array(&m, "attr_indptr", "<i4", "(4,)", csr, sizeof csr);
    make_array(&m, "attr_indices", "<i4", "(3,)", columns, sizeof columns);
    make_array(&m, "attr_shape", "<i8", "(2,)", shape, sizeof shape);
    make_array(&m, "attr_data", "<f4", "(3,)", (const float[]){1, 2, 3}, 12);
    make_file(&m, f->path, 0);
    GIVES(f, "1 0 2 / 0 0 0 / 0 3 0");
}

static void test_bad_npz(void **state) {
    text_fixture *f = *state;
    maker m = {0};
    const int32_t csr[] = {0, 2, 2, 3}, columns[] = {0, 2, 1}, short_csr[] = {0, 3}, wrong[] = {0, 2, 2, 2};
    const int32_t up[] = {0, 4, 2, 3}, row[] = {0, 3, 2};
    const double dense[] = {1, 2, 3, 4};
    in(f, "x.npz");
    make_sparse(&m, "dia", "indices", csr, sizeof csr, "indptr", columns);
    make_file(&m, f->path, 0);
    FAILS(f, GPR_ERROR_FORMAT, "x.npz: a sparse matrix of the form 'dia': expected csr, csc or coo");
    make_sparse(&m, "csr", "indices", short_csr, sizeof short_csr, "indptr", columns);
    make_file(&m, f->path, 0);
    FAILS(f, GPR_ERROR_FORMAT, "x.npz: indptr has 2 numbers: expected 4");
    make_sparse(&m, "csr", "indices", wrong, sizeof wrong, "indptr", columns);
    make_file(&m, f->path, 0);
    FAILS(f, GPR_ERROR_FORMAT, "x.npz: indptr ends with 2: it must end with 3");
    make_sparse(&m, "csc", "indices", up, sizeof up, "indptr", columns);
    make_file(&m, f->path, 0);
    FAILS(f, GPR_ERROR_FORMAT, "x.npz: indptr[2] is 2, less than the 4 before it");
    make_sparse(&m, "coo", "col", row, sizeof row, "row", columns);
    make_file(&m, f->path, 0);
    FAILS(f, GPR_ERROR_FORMAT, "x.npz: entry 1 is in row 3: rows must be in [0, 3)");
    make_sparse(&m, "coo", "col", row, 8, "row", columns);
    make_file(&m, f->path, 0);
    FAILS(f, GPR_ERROR_FORMAT, "they must be equal");
    make_array(&m, "a", "<f8", "(2, 2)", dense, sizeof dense);
    make_array(&m, "b", "<f8", "(2, 2)", dense, sizeof dense);
    make_file(&m, f->path, 0);
    FAILS(f, GPR_ERROR_FORMAT, "x.npz: 2 arrays, and none is called features");
    make_array(&m, "a", "<f8", "()", dense, 8);
    make_file(&m, f->path, 0);
    FAILS(f, GPR_ERROR_FORMAT, "x.npz: member 'a' is a single number");
    make_array(&m, "a", "<f8", "(2, 2)", dense, sizeof dense);
    make_file(&m, f->path, 60);
    FAILS(f, GPR_ERROR_FORMAT, "x.npz: a damaged or cut off .npz file");
}

static void test_table(void **state) {
    text_fixture *f = *state;
    in(f, "x.csv");
    write_text(f, "1,2.5\n-3e2,0\n");
    GIVES(f, "1 2.5 / -300 0");
    write_text(f, "a,b\n1,2\n3,4\n");
    GIVES(f, "1 2 / 3 4 [a] [b]");
    in(f, "x.txt.gz");
    write_gzip(f, "1 2\n3 4\n");
    GIVES(f, "1 2 / 3 4");
    in(f, "x.svm.gz");
    write_gzip(f, "1 1:2\n");
    GIVES(f, "2");
    in(f, "x.csv");
    write_text(f, "1,2\n3,x\n");
    FAILS(f, GPR_ERROR_FORMAT, "x.csv:2: column 2 is 'x': expected a finite number");
    write_text(f, "1,2\n3,\n");
    FAILS(f, GPR_ERROR_FORMAT, "x.csv:2: column 2 is ''");
    write_text(f, "1,2\n3,1e39\n");
    FAILS(f, GPR_ERROR_FORMAT, "x.csv:2: column 2 is '1e39'");
    write_text(f, "1,2\n3\n");
    FAILS(f, GPR_ERROR_FORMAT, "x.csv:2: 1 field");
    write_text(f, "1 2:3\n1 4:5\n");
    FAILS(f, GPR_ERROR_FORMAT, "must end in .svm");
    write_text(f, "");
    FAILS(f, GPR_ERROR_FORMAT, "x.csv: no row");
}

static gpr_status trial(gpr_ctx *ctx, void *arg) {
    char text[1000];
    return read_text(ctx, arg, text);
}

static void test_memory(void **state) {
    text_fixture *f = *state;
    maker m = {0};
    const int32_t csc[] = {0, 1, 2, 3}, rows[] = {0, 2, 0};
    const float floats[] = {1, 2, 3, 4, 5, 6};
    in(f, "x.npz");
    make_sparse(&m, "csc", "indices", csc, sizeof csc, "indptr", rows);
    make_file(&m, f->path, 0);
    fail_every_allocation(trial, f->path);
    in(f, "x.npy");
    write_npy(f, DICT("<f4", "False", "(3, 2)"), floats, sizeof floats, 0);
    fail_every_allocation(trial, f->path);
    in(f, "x.csv");
    write_text(f, "a,b\n1,2\n3,4\n");
    fail_every_allocation(trial, f->path);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEXT_TEST(test_npy),     TEXT_TEST(test_bad_npy), TEXT_TEST(test_npz),
                                       TEXT_TEST(test_bad_npz), TEXT_TEST(test_table),   TEXT_TEST(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
