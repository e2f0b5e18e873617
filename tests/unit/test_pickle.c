/* io/numpy/pickle*.c: arrays, CSR matrices and graphs are read; nothing is ever called; broken files are refused. */
#include "failing_memory.h"
#include "io/numpy/pickle.h"
#include "pickle_maker.h"

static gpri_pickle *open_pickle(raw_fixture *f, pickle *p) {
    gpri_pickle *opened;
    pickle_write(p, raw_path(f, "file"));
    assert_ok(gpri_pickle_open(f->ctx, &opened, f->path));
    return opened;
}

static void small_csr(pickle *p) {
    const int32_t indptr[] = {0, 2, 2, 3}, indices[] = {0, 3, 1};
    const float values[] = {1, .5f, 2};
    op_csr(p, 3, 4, indptr, indices, values);
}

/* ---- What is read ---- */

static void test_arrays(void **state) {
    raw_fixture *f = *state;
    const int32_t numbers[] = {1, -2, 3, 4, 5, 6};
    gpri_array array;
    pickle p = pickle_begin();
    op_array(&p, "i4", 3, 2, numbers, sizeof numbers);
    gpri_pickle *opened = open_pickle(f, &p);
    assert_ok(gpri_pickle_array(opened, &array, GPRI_AS_DOUBLE, 2));
    assert_int_equal(array.shape[0], 3);
    assert_int_equal(array.shape[1], 2);
    for (int k = 0; k < 6; k++) assert_true(((double *)array.data)[k] == numbers[k]);
    gpri_free(f->ctx, array.data);
    assert_fails(gpri_pickle_array(opened, &array, GPRI_AS_FLOAT, 1), GPR_ERROR_FORMAT, "2 dimensions: expected 1");
    assert_fails(gpri_pickle_array(opened, &array, GPRI_AS_UINT8, 2), GPR_ERROR_FORMAT, "element 1 is -2");
    assert_non_null(strstr(gpr_last_error(), f->path));
    assert_null(array.data);
    gpri_csr matrix;
    gpri_neighbours graph;
    assert_fails(gpri_pickle_csr(opened, &matrix), GPR_ERROR_FORMAT, "not a scipy CSR matrix");
    assert_fails(gpri_pickle_graph(opened, &graph), GPR_ERROR_FORMAT, "not a graph");
    gpri_pickle_close(opened);
}

static void test_csr(void **state) {
    raw_fixture *f = *state;
    gpri_csr matrix;
    pickle p = pickle_begin();
    small_csr(&p);
    gpri_pickle *opened = open_pickle(f, &p);
    assert_ok(gpri_pickle_csr(opened, &matrix));
    assert_int_equal(matrix.rows, 3);
    assert_int_equal(matrix.cols, 4);
    assert_int_equal(matrix.indptr[3], 3);
    assert_int_equal(matrix.indices[1], 3);
    assert_true(matrix.values[1] == .5f);
    gpri_csr_free(f->ctx, &matrix);
    gpri_pickle_close(opened);
}

/* Old protocols write everything as text; both give the same graph. */
static void test_graphs(void **state) {
    raw_fixture *f = *state;
    static const char binary[] = /* holds a NUL */
        "\x80\x02"
        "ccollections\ndefaultdict\nq\x01"
        "c__builtin__\nlist\n\x85Rq\x02(K\x07]q\x03(K\x01M\x00\x01"
        "eK\x01]q\x04K\x07"
        "au.";
    static const char *const files[] = {
        binary,
        "(dp0\nI7\n(lp1\nI1\naL256L\nasI1\n(lI7\nas.",
        "ccollections\ndefaultdict\np0\n(c__builtin__\nlist\ntR(I7\n(I1\nI256\nlI1\n(I7\nlu.",
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        gpri_pickle *opened;
        gpri_neighbours graph;
        write_bytes(raw_path(f, "file"), files[k], k == 0 ? sizeof binary - 1 : strlen(files[k]));
        assert_ok(gpri_pickle_open(f->ctx, &opened, f->path));
        assert_ok(gpri_pickle_graph(opened, &graph));
        assert_int_equal(graph.nodes, 2);
        assert_int_equal(graph.edges, 3);
        const int64_t src[] = {7, 7, 1}, dst[] = {1, 256, 7};
        assert_memory_equal(graph.src, src, sizeof src);
        assert_memory_equal(graph.dst, dst, sizeof dst);
        gpri_neighbours_free(f->ctx, &graph);
        gpri_pickle_close(opened);
    }
}

/* An array as protocol 0 writes it: its bytes quoted. */
static void test_quoted(void **state) {
    raw_fixture *f = *state;
    gpri_pickle *opened;
    gpri_array array;
    write_text(
        raw_path(f, "file"),
        "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n(I4\ntcnumpy\ndtype\n(S'u1'\n"
        "I0\nI1\ntR(I3\nS'|'\nNNNI-1\nI-1\nI0\ntbI00\nS'\\x00\\n\\'A'\ntb.");
    assert_ok(gpri_pickle_open(f->ctx, &opened, f->path));
    assert_ok(gpri_pickle_array(opened, &array, GPRI_AS_UINT8, 1));
    assert_memory_equal(array.data, "\0\n'A", 4);
    gpri_free(f->ctx, array.data);
    gpri_pickle_close(opened);
}

/* ---- What is refused ---- */

static void test_refused(void **state) {
    raw_fixture *f = *state;
    static const struct {
        const char *text; /* without NUL bytes */
        const char *message;
    } cases[] = {
        {"cos\nsystem\n(S'true'\ntR.", "byte 0: refuses to build os.system: only numpy arrays, scipy CSR"},
        {"(S'true'\nios\nsystem\n.", "byte 9: refuses to build os.system"},
        {"c__builtin__\neval\n.", "__builtin__.eval"},
        {"cnumpy\nndarray\n(tR.", "refuses to call ndarray"},
        {"c__builtin__\nlist\n(tR.", "refuses to call list"},
        {"cnumpy.core.multiarray\n_reconstruct\n(c__builtin__\nlist\ntR.", "refuses to call _reconstruct with list"},
        {"ccopy_reg\n_reconstructor\n(c__builtin__\nobject\nc__builtin__\nobject\nNtR.", "_reconstructor with object"},
        {"c__builtin__\nlist\n)\x81.", "refuses to call list"},
        {"cnumpy\ndtype\n(tR.", "a numpy type is made from nothing"},
        {"cnumpy\ndtype\n(S'i4, oops'\ntR.", "a numpy type of 8 characters"},
        {"]N)R.", "None is called with a tuple"},
        {"]}b.", "refuses to build a list from a dict"},
        {"Nb.", "takes a value, but there is none"},
        {"N(b.", "takes a value, but there is none"},
        {"\x80\x04.", "protocol 4: expected 0, 1 or 2"},
        {"Pid\n.", "instruction 0x50 is not read"},
        {"", "the pickle has no end"},
        {"N", "byte 1: the pickle has no end"},
        {".", "ends with 0 values"},
        {"(.", "expected one"},
        {"NN.", "ends with 2 values"},
        {"N.N", "1 bytes follow"},
        {"Nt.", "there is no mark"},
        {"K\x01\x86.", "more values than there are"},
        {"(K\x01\x86.", "a mark lies among"},
        {"(\x85.", "a mark lies among"},
        {"(K\x01"
         "d.",
         "a key without a value"},
        {"}(K\x01u.", "a key without a value"},
        {"NNa.", "values are added to None: expected a list"},
        {"a.", "nothing to add values to"},
        {"(K\x01"
         "e.",
         "nothing to add values to"},
        {"]N(a.", "expected a list"},
        {"h\x07.", "place 7 of the memo is empty"},
        {"Nq\x02h\x01.", "place 1 of the memo is empty"},
        {"Nr\xff\xff\xff\x7f.", "place 2147483647 of the memo in a file of 7 bytes"},
        {"Np-1\n.", "place -1 of the memo"},
        {"Npx\n.", "'x' is not a place"},
        {"q\x01.", "no value to put"},
        {"(q\x01.", "no value to put"},
        {"I12x\n.", "'12x' is not a whole number"},
        {"L99999999999999999999L\n.", "not a whole number of 64 bits"},
        {"\x8a\x09"
         "123456789.",
         "9 bytes: at most 8"},
        {"S'abc\n.", "not quoted"},
        {"S'a\\q'\n.", "not quoted"},
        {"S'\\x4'\n.", "not quoted"},
        {"S'\\'\n.", "not quoted"},
        {"S\n.", "not quoted"},
        {"S'abc'", "ends within a line"},
        {"T\xff\xff\xff\xffxyz.", "4294967295 bytes are announced, but 4 are left"},
        {"X\x01\x01\x01\x7fxyz.", "are left in the file"},
        {"U\x40xyz.", "64 bytes are announced"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gpri_pickle *opened;
        write_text(raw_path(f, "file"), cases[k].text);
        assert_fails(gpri_pickle_open(f->ctx, &opened, f->path), GPR_ERROR_FORMAT, cases[k].message);
        assert_non_null(strstr(gpr_last_error(), f->path));
        assert_null(opened);
    }
}

/* Complete pickles with wrong content. */
static void test_wrong_contents(void **state) {
    raw_fixture *f = *state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"}(S'a'\n]u.", "not a node with a list"},
        {"}(K\x01Nu.", "not a node with a list"},
        {"}(K\x01]Nau.", "node 1 has a neighbour that is not a whole number"},
        {"}(K\x01](K\x01K\x02K\x03K\x04K\x05K\x06"
         "eq\x01K\x02h\x01K\x03h\x01K\x04h\x01K\x05h\x01K\x06h\x01u.",
         "stands for many nodes"},
        {"cscipy.sparse.csr\ncsr_matrix\n)\x81.", "a CSR matrix without contents"},
        {"cscipy.sparse.csr\ncsr_matrix\n)\x81}b.", "without a shape"},
        {"cscipy.sparse.csr\ncsr_matrix\n)\x81}(S'shape'\n(K\x01K\x01tub.", "indptr: it is not a numpy array"},
        {"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\ntR.", "an array without contents"},
        {"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\ntR)b.", "without shape, type or order"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gpri_pickle *opened;
        gpri_neighbours graph;
        gpri_csr matrix;
        gpri_array array;
        write_text(raw_path(f, "file"), cases[k].text);
        assert_ok(gpri_pickle_open(f->ctx, &opened, f->path));
        if (cases[k].text[0] == '}')
            assert_fails(gpri_pickle_graph(opened, &graph), GPR_ERROR_FORMAT, cases[k].message);
        else if (cases[k].text[1] == 's')
            assert_fails(gpri_pickle_csr(opened, &matrix), GPR_ERROR_FORMAT, cases[k].message);
        else assert_fails(gpri_pickle_array(opened, &array, GPRI_AS_FLOAT, 1), GPR_ERROR_FORMAT, cases[k].message);
        gpri_pickle_close(opened);
    }
}

static void test_wrong_matrices(void **state) {
    raw_fixture *f = *state;
    static const struct {
        int32_t indptr[3], indices[2];
        float values[2];
        int rows, cols;
        const char *message;
    } cases[] = {
        {{0, 1, 2}, {0, 9}, {1, 1}, 2, 4, "indices[1] is 9: columns must be in [0, 4)"},
        {{0, 1, 2}, {0, -1}, {1, 1}, 2, 4, "indices[1] is -1"},
        {{1, 1, 2}, {0, 1}, {1, 1}, 2, 4, "indptr begins with 1: it must begin with 0"},
        {{0, 3, 2}, {0, 1}, {1, 1}, 2, 4, "indptr[2] is 2, less than the 3"},
        {{0, 1, 2}, {0, 1}, {1, 1e30f * 1e30f}, 2, 4, "data[1] is inf"},
        {{0, 1, 2}, {0, 1}, {1, 1}, 2, 0, "the shape is (2, 0)"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gpri_csr matrix;
        pickle p = pickle_begin();
        op_csr(&p, cases[k].rows, cases[k].cols, cases[k].indptr, cases[k].indices, cases[k].values);
        gpri_pickle *opened = open_pickle(f, &p);
        assert_fails(gpri_pickle_csr(opened, &matrix), GPR_ERROR_FORMAT, cases[k].message);
        assert_null(matrix.indptr);
        gpri_pickle_close(opened);
    }
}

/* A header that announces more than there is, and types that are no numbers. */
static void test_wrong_arrays(void **state) {
    raw_fixture *f = *state;
    static const struct {
        const char *code;
        int rows, cols;
        const char *message;
    } cases[] = {
        {"i4", 3, -1, "announces 3 numbers of 4 bytes, but has 8 bytes"},
        {"i4", INT32_MAX, 2, "but has 8 bytes"},
        {"f8", INT32_MAX, INT32_MAX, "does not fit in memory"},
        {"O8", 1, -1, "Python objects"},
        {"S4", 2, -1, "dtype '<S4'"},
        {"i4", -2, -1, "whole numbers from 0 on"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gpri_array array;
        pickle p = pickle_begin();
        op_array(&p, cases[k].code, cases[k].rows, cases[k].cols, "12345678", 8);
        gpri_pickle *opened = open_pickle(f, &p);
        assert_fails(gpri_pickle_array(opened, &array, GPRI_AS_INT64, cases[k].cols < 0 ? 1 : 2), GPR_ERROR_FORMAT,
                     cases[k].message);
        gpri_pickle_close(opened);
    }
}

/* Every beginning of a good file is refused. */
static void test_cut(void **state) {
    raw_fixture *f = *state;
    pickle p = pickle_begin();
    small_csr(&p);
    op(&p, ".");
    for (size_t size = 0; size < p.size; size++) {
        gpri_pickle *opened;
        write_bytes(raw_path(f, "file"), p.bytes, size);
        assert_fails(gpri_pickle_open(f->ctx, &opened, f->path), GPR_ERROR_FORMAT, "byte ");
        assert_null(opened);
    }
    free(p.bytes);
}

/* Deep nesting takes neither stack nor time. */
static void test_deep(void **state) {
    raw_fixture *f = *state;
    enum { DEPTH = 1 << 20 };
    char *bytes = malloc(2 * DEPTH);
    gpri_pickle *opened;
    assert_non_null(bytes);
    memset(bytes, ']', DEPTH);
    memset(bytes + DEPTH, 'a', DEPTH - 1);
    bytes[2 * DEPTH - 1] = '.';
    write_bytes(raw_path(f, "file"), bytes, 2 * DEPTH);
    free(bytes);
    assert_ok(gpri_pickle_open(f->ctx, &opened, f->path));
    gpri_pickle_close(opened);
    assert_fails(gpri_pickle_open(f->ctx, &opened, f->folder), GPR_ERROR_FORMAT, "is a folder");
    assert_fails(gpri_pickle_open(f->ctx, &opened, "/nonexistent"), GPR_ERROR_NOT_FOUND, "/nonexistent");
}

static gpr_status read_csr(gpr_ctx *ctx, void *path) {
    gpri_pickle *opened = NULL;
    gpri_csr matrix = {0};
    gpr_status status = gpri_pickle_open(ctx, &opened, path);
    if (status == GPR_OK) status = gpri_pickle_csr(opened, &matrix);
    gpri_csr_free(ctx, &matrix);
    gpri_pickle_close(opened);
    return status;
}

static void test_memory(void **state) {
    raw_fixture *f = *state;
    pickle p = pickle_begin();
    small_csr(&p);
    pickle_write(&p, raw_path(f, "file"));
    fail_every_allocation(read_csr, f->path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RAW_TEST(test_arrays),         RAW_TEST(test_csr),          RAW_TEST(test_graphs),
        RAW_TEST(test_quoted),         RAW_TEST(test_refused),      RAW_TEST(test_wrong_contents),
        RAW_TEST(test_wrong_matrices), RAW_TEST(test_wrong_arrays), RAW_TEST(test_cut),
        RAW_TEST(test_deep),           RAW_TEST(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
