/* io/text/delimited.c: rows of fields, guesses of delimiter and header, and the place of errors. */
#include <math.h>

#include "base/text.h"
#include "failing_memory.h"
#include "io/text/delimited.h"
#include "text_files.h"

static const gpri_delimited_options guessed = {0};

/* All rows as "[a|b][c|d]", the header in (). */
static gpr_status read_table(gpr_ctx *ctx, const char *path, const gpri_delimited_options *options, char *text,
                             char *delimiter) {
    gpr_status status = GPR_OK;
    gpri_delimited *table;
    const gpri_field *fields;
    int64_t count;
    *text = 0;
    TRY(gpri_delimited_open(ctx, &table, path, options));
    *delimiter = gpri_delimited_delimiter(table);
    fields = gpri_delimited_header(table);
    for (int64_t i = 0; fields && i < gpri_delimited_columns(table); i++)
        text += sprintf(text, "%s%.*s", i ? "|" : "(", GPRI_FIELD(fields[i]));
    if (fields) text += sprintf(text, ")");
    for (;;) {
        TRY(gpri_delimited_next(table, &fields, &count));
        if (count == 0) break;
        for (int64_t i = 0; i < count; i++) text += sprintf(text, "%s%.*s", i ? "|" : "[", GPRI_FIELD(fields[i]));
        text += sprintf(text, "]");
    }
done:
    gpri_delimited_close(table);
    return status;
}

/* The same with every size of piece, plain and packed. */
static void same_rows(const text_fixture *f, const char *given, gpri_delimited_options options, char delimiter,
                      const char *expected) {
    for (int packed = 0; packed < 2; packed++) {
        if (packed) write_gzip(f, given);
        else write_text(f, given);
        for (options.piece = 0; options.piece < 20; options.piece++) {
            char text[2000], found;
            assert_ok(read_table(f->ctx, f->path, &options, text, &found));
            assert_string_equal(text, expected);
            assert_int_equal(found, delimiter);
        }
    }
}

static void test_rows(void **state) {
    const text_fixture *f = *state;
    same_rows(f, "", guessed, ' ', "");
    same_rows(f, "# only\n\n% comments\n", guessed, ' ', "");
    same_rows(f, "1,2\n3,4\n", guessed, ',', "[1|2][3|4]");
    same_rows(f, "1,2\n3,4", guessed, ',', "[1|2][3|4]");
    same_rows(f, "1;2,5\r\n3;4,5;\r\n", (gpri_delimited_options){.delimiter = ';', .ragged = true}, ';',
              "[1|2,5][3|4,5|]");
    same_rows(f, "a b\tc d\n\te\n", guessed, '\t', "[a b|c d][|e]");
    same_rows(f, "# SNAP\n# Nodes: 2\n  1\t 2 \n3  4\n\n% x\n", (gpri_delimited_options){.delimiter = ' '}, ' ',
              "[1|2][3|4]");
    same_rows(f, "1 2\r\n3 \t 4\r\n \r\n", guessed, ' ', "[1|2][3|4]");
    same_rows(f, " 1 , 2 \n,\n", guessed, ',', "[1|2][|]");
    same_rows(f, "a;b;c,d\n1;2;3\n", guessed, ';', "(a|b|c,d)[1|2|3]");
}

/* A line that begins with # is a row unless it is a comment by its second letter, or by its place and its fields. */
static void test_comments(void **state) {
    const text_fixture *f = *state;
    same_rows(f, "source,target\n#a,#b\n# note, two\n%c,#a\n", guessed, ',', "(source|target)[#a|#b][%c|#a]");
    same_rows(f, "#a,#b\n#b,#c\n", guessed, ',', "[#a|#b][#b|#c]");
    same_rows(f, "#made by hand\n#on Monday, or so, perhaps\n1,2\n", guessed, ',', "[1|2]");
    same_rows(f, "#title\n\n## more\n1 2\n", guessed, ' ', "[1|2]");
    same_rows(f, "#src,dst\n1,2\n", guessed, ',', "(#src|dst)[1|2]");
    same_rows(f, "#only one line\n", guessed, ' ', "");
    same_rows(f, "1,2\n#x,y\n", (gpri_delimited_options){.comments = true}, ',', "[1|2]");
    same_rows(f, ",who,whom\n0,a,b\n1,b,c\n", guessed, ',', "(|who|whom)[0|a|b][1|b|c]");
}

static void test_quotes(void **state) {
    const text_fixture *f = *state;
    same_rows(f, "\"a,b\",\"c \"\"d\"\"\"\n\"\",x\n", guessed, ',', "[a,b|c \"d\"][|x]");
    same_rows(f, "\"two\nlines, and\n# this\" ,1\n\"#x\",2\n", guessed, ',', "[two\nlines, and\n# this|1][#x|2]");
    same_rows(f, "\"a b\" \"\"\"\"\t\"c\"\r\n1 2 3\n",
              (gpri_delimited_options){.delimiter = ' ', .header = GPRI_HEADER_NO}, ' ', "[a b|\"|c][1|2|3]");
    same_rows(f, "a\"b,c\nd,\"e\"", guessed, ',', "[a\"b|c][d|e]");
    same_rows(f, "\"a,,\" b\nc \"d\"", guessed, ' ', "[a,,|b][c|d]");
}

static void test_header(void **state) {
    const text_fixture *f = *state;
    const gpri_delimited_options yes = {.header = GPRI_HEADER_YES}, no = {.header = GPRI_HEADER_NO};
    same_rows(f, "a,b\n1,x\n", guessed, ',', "(a|b)[1|x]");
    same_rows(f, "a,b\nc,d\n", guessed, ',', "[a|b][c|d]");
    same_rows(f, "Source,Target\nc,d\n", guessed, ',', "(Source|Target)[c|d]");
    same_rows(f, "1,b\n2,3\n", guessed, ',', "[1|b][2|3]");
    same_rows(f, "id,2019\n2,3\n", guessed, ',', "(id|2019)[2|3]");
    same_rows(f, ",b\n2,c\n", guessed, ',', "[|b][2|c]");
    same_rows(f, "src dst\n", guessed, ' ', "(src|dst)");
    same_rows(f, "1,2\n3,4\n", yes, ',', "(1|2)[3|4]");
    same_rows(f, "src,b\n1,2\n", no, ',', "[src|b][1|2]");

    gpri_delimited *table;
    write_text(f, "Id,Label\n1,2\n");
    assert_ok(gpri_delimited_open(f->ctx, &table, f->path, NULL));
    assert_int_equal(gpri_delimited_column(table, "label"), 1);
    assert_int_equal(gpri_delimited_column(table, "lab"), -1);
    assert_string_equal(gpri_delimited_path(table), f->path);
    gpri_delimited_close(table);
}

static void test_lines(void **state) {
    const text_fixture *f = *state;
    static const int64_t lines[] = {2, 4, 6, 9};
    for (int64_t piece = 0; piece < 20; piece++) {
        gpri_delimited *table;
        const gpri_field *fields;
        int64_t count;
        const gpri_delimited_options options = {.piece = piece};
        write_text(f, "#\na,b\n\nc,d\n# x\n\"e\ne\",f\n%\ng,h");
        assert_ok(gpri_delimited_open(f->ctx, &table, f->path, &options));
        for (int k = 0; k < 4; k++) {
            assert_ok(gpri_delimited_next(table, &fields, &count));
            assert_int_equal(count, 2);
            assert_int_equal(gpri_delimited_line(table), lines[k]);
        }
        assert_fails(gpri_delimited_fail(table, "wrong %d", 7), GPR_ERROR_FORMAT, "file.txt:9: wrong 7");
        gpri_delimited_close(table);
    }
}

static void test_errors(void **state) {
    const text_fixture *f = *state;
    static const struct {
        const char *text, *message;
    } cases[] = {{"1,2\n3,4\n\n5\n", "file.txt:4: 1 field: the first row has 2"},
                 {"1,2\n1,2,3\n", "file.txt:2: 3 fields: the first row has 2"},
                 {"1,2\n\"3,4\n5,6\n", "file.txt:2: a quote is opened and never closed"},
                 {"1,2\n\"3\"x,4\n", "file.txt:2: text follows the closing quote of field 1"},
                 {"\"", "file.txt:1: a quote"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int64_t piece = 0; piece < 20; piece++) {
            char text[200], delimiter;
            const gpri_delimited_options options = {.piece = piece};
            write_text(f, cases[k].text);
            assert_fails(read_table(f->ctx, f->path, &options, text, &delimiter), GPR_ERROR_FORMAT, cases[k].message);
        }
}

static gpr_status trial(gpr_ctx *ctx, void *path) {
    char text[300], delimiter;
    const gpri_delimited_options options = {.piece = 5};
    return read_table(ctx, path, &options, text, &delimiter);
}

static void test_memory(void **state) {
    text_fixture *f = *state;
    write_text(f, "id,name\n1,x\n2,\"a long one\nof two lines\"\n");
    fail_every_allocation(trial, f->path);
}

static void test_spans(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool good;
        double value;
    } reals[] = {{"0", true, 0},
                 {"-1.5", true, -1.5},
                 {"+2e3", true, 2000},
                 {".5", true, 0.5},
                 {"5.", true, 5},
                 {"1E-3", true, 1e-3},
                 {"123456789012345", true, 123456789012345},
                 {"0.1234567890123456789", true, 0.1234567890123456789},
                 {"12345678901234567890", true, 12345678901234567890.0},
                 {"1e-30", true, 1e-30},
                 {"1e400", true, INFINITY},
                 {"0.000000000000000000000000000001", true, 1e-30},
                 {"", false, 0},
                 {"-", false, 0},
                 {".", false, 0},
                 {"1e", false, 0},
                 {"1e+", false, 0},
                 {"e5", false, 0},
                 {"1x", false, 0},
                 {"0x1", false, 0},
                 {"nan", false, 0},
                 {"inf", false, 0},
                 {"1 ", false, 0}};
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) {
        double value = 77;
        assert_int_equal(gpri_span_real(reals[k].text, (int64_t)strlen(reals[k].text), &value), reals[k].good);
        if (reals[k].good && value != reals[k].value) fail_msg("%s became %.17g", reals[k].text, value);
    }
    uint64_t bits = 1;
    for (int k = 0; k < 20000; k++) { /* as strtod reads them, to the last bit */
        char text[64];
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        const int size = snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(bits >> (k % 60 + 4)),
                                  (unsigned long long)(bits >> (k % 41 + 23)), (int)(bits >> 40 & 63) - 40);
        double value;
        assert_true(gpri_span_real(text, size, &value));
        if (value != strtod(text, NULL)) fail_msg("%s became %.17g", text, value);
    }
    static const struct {
        const char *text;
        bool good;
        int64_t value;
    } ints[] = {{"0", true, 0},
                {"-7", true, -7},
                {"+7", true, 7},
                {"9223372036854775807", true, INT64_MAX},
                {"-9223372036854775808", true, INT64_MIN},
                {"9223372036854775808", false, 0},
                {"-9223372036854775809", false, 0},
                {"99999999999999999999", false, 0},
                {"", false, 0},
                {"-", false, 0},
                {"1.0", false, 0},
                {" 1", false, 0}};
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) {
        int64_t value = 77;
        assert_int_equal(gpri_span_int(ints[k].text, (int64_t)strlen(ints[k].text), &value), ints[k].good);
        if (ints[k].good) assert_int_equal(value, ints[k].value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEXT_TEST(test_rows),     TEXT_TEST(test_quotes), TEXT_TEST(test_header), TEXT_TEST(test_lines),
        TEXT_TEST(test_comments), TEXT_TEST(test_errors), TEXT_TEST(test_memory), TEXT_TEST(test_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
