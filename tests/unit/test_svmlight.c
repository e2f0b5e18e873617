/* io/text/svmlight.c: rows, labels, where indices begin, and where errors are. */
#include "failing_memory.h"
#include "io/feature_file.h"
#include "io/text/svmlight.h"
#include "text_files.h"

/* Rows as "0:1 3:2.5 | 1:1", labels as " a,b,". */
static gpr_status read_rows(gpr_ctx *ctx, const char *path, int64_t columns, char *text, int64_t *cols) {
    gpr_status status = GPR_OK;
    gpri_label_texts texts = {.ctx = ctx, .path = path};
    gpri_raw_features m = {0};
    bool labelled = false;
    *text = 0;
    TRY(gpri_read_svmlight(ctx, &m, &texts, &labelled, path, columns));
    *cols = m.cols;
    assert_int_equal(texts.count, m.rows);
    for (int64_t i = 0; i < m.rows; i++) {
        if (i) text += sprintf(text, " |");
        if (labelled) text += sprintf(text, " %s", texts.code[i] < 0 ? "-" : gpri_ids_text(&texts.ids, texts.code[i]));
        for (int64_t k = m.indptr[i]; k < m.indptr[i + 1]; k++)
            text += sprintf(text, " %d:%g", m.indices[k], (double)m.values[k]);
    }
done:
    gpri_raw_features_free(ctx, &m);
    gpri_label_texts_free(&texts);
    return status;
}

static void same(const text_fixture *f, const char *given, int64_t columns, const char *expected, int64_t cols) {
    for (int packed = 0; packed < 2; packed++) {
        char text[1000];
        int64_t found;
        if (packed) write_gzip(f, given);
        else write_text(f, given);
        assert_ok(read_rows(f->ctx, f->path, columns, text, &found));
        assert_string_equal(text, expected);
        assert_int_equal(found, cols);
    }
}

static void test_rows(void **state) {
    const text_fixture *f = *state;
    same(f, "1 1:0.5 3:2\n-1 2:1\n", 0, " 1 0:0.5 2:2 | -1 1:1", 3);
    same(f, "+1 qid:7 1:1 # good\r\n\n# nothing\n2\t 4:-1e3  \n", 0, " +1 0:1 | 2 3:-1000", 4);
    same(f, "1:1 2:2\n3:1\n", 0, " 0:1 1:2 | 2:1", 3);         /* no labels at all */
    same(f, "a 1:1\n2:1\nb\n", 0, " a 0:1 | - 1:1 | b", 2);    /* some */
    same(f, "0 0:1 2:1\n1 1:1\n", 0, " 0 0:1 2:1 | 1 1:1", 3); /* an index 0 */
    same(f, "# Column indices are zero-based\n1 1:1\n", 0, " 1 1:1", 2);
    same(f, "# Column indices are one-based\n1 1:1\n", 0, " 1 0:1", 1);
    same(f, "1 1:1\n", 5, " 1 0:1", 5);
    same(f, "1 7:1\n", 5, " 1 6:1", 7);
}

static void fails(const text_fixture *f, const char *given, const char *part) {
    char text[1000], wanted[256];
    int64_t cols;
    write_text(f, given);
    snprintf(wanted, sizeof wanted, "file.txt:%s", part);
    assert_fails(read_rows(f->ctx, f->path, 0, text, &cols), GPR_ERROR_FORMAT, wanted);
}

static void test_bad_rows(void **state) {
    const text_fixture *f = *state;
    fails(f, "", " no row");
    fails(f, "# nothing\n\n", " no row");
    fails(f, "1\n2\n", " not one index:value in 2 rows");
    fails(f, "1 1:1\n2 x:1\n", "2: 'x:1' has no index");
    fails(f, "1 -1:1\n", "1: '-1:1' has no index");
    fails(f, "1 1.5:1\n", "1: '1.5:1' has no index");
    fails(f, "1 2147483647:1\n", "1: '2147483647:1' has no index");
    fails(f, "\n\n1 1:\n", "3: '1:' has no value");
    fails(f, "1 1:nan\n", "1: '1:nan' has no value");
    fails(f, "1 1:inf\n", "1: '1:inf' has no value");
    fails(f, "1 1:1e39\n", "1: '1:1e39' has no value: expected index:value, the value a finite number");
    fails(f, "1 1:1\n2 766651666:1\n", " 766651666 columns in 20 bytes");
    fails(f, "1 1:1 2\n", "1: '2' where index:value was expected");
    fails(f, "1,3 1:1\n", "1: several labels, '1,3'");
    fails(f, "# one-based\n1 0:1\n", " a comment says");
    char text[1000];
    int64_t cols;
    unlink(f->path);
    assert_fails(read_rows(f->ctx, f->path, 0, text, &cols), GPR_ERROR_NOT_FOUND, "file.txt");
}

static gpr_status trial(gpr_ctx *ctx, void *arg) {
    char text[1000];
    int64_t cols;
    return read_rows(ctx, arg, 0, text, &cols);
}

static void test_memory(void **state) {
    text_fixture *f = *state;
    write_gzip(f, "a 1:1 2:2\nb 3:1\n");
    fail_every_allocation(trial, f->path);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEXT_TEST(test_rows), TEXT_TEST(test_bad_rows), TEXT_TEST(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
