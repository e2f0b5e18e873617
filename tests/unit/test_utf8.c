/* base/utf8.c: texts of any origin, spelled for people, CSV and JSON; messages and the log are printable. */
#include <jansson.h>

#include "base/context.h"
#include "base/json.h"
#include "base/utf8.h"
#include "support.h"

typedef size_t spelling(char *, size_t, const char *);

/* The whole, and every shorter buffer: never beyond its end, never half of an escape. */
static void assert_spelled(spelling *spell, const char *text, const char *wanted) {
    char out[200];
    const size_t length = strlen(wanted);
    assert_int_equal(spell(NULL, 0, text), length);
    assert_int_equal(spell(out, sizeof out, text), length);
    assert_string_equal(out, wanted);
    for (size_t size = 1; size <= length; size++) {
        memset(out, '#', sizeof out);
        assert_int_equal(spell(out, size, text), length);
        assert_true(strlen(out) < size);
        assert_int_equal(out[size], '#');
        assert_memory_equal(out, wanted, strlen(out));
    }
}

static void printable(void **state) {
    (void)state;
    const char *const cases[][2] = {
        {"", ""},
        {"plain \\ text, \"quoted\"", "plain \\ text, \"quoted\""},
        {"Müller γ 漢字 🙂", "Müller γ 漢字 🙂"},
        {"\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"},
        {"a\ab\bc\td\re\nf\x7f", "a\\x07b\\x08c\\x09d\\x0de\\x0af\\x7f"},
        {"\xc2\x9b"
         "31m\xc2\x80\xc2\x9f\xc2\xa0",
         "\\u009b31m\\u0080\\u009f\xc2\xa0"},
        {"a\xe2\x80\xae"
         "b\xe2\x81\xa6"
         "c\xe2\x81\xa9\xe2\x80\xa8",
         "a\\u202eb\\u2066c\\u2069\\u2028"},
        {"\xef\xbb\xbfx\xd8\x9c\xe2\x80\x8f", "\\ufeffx\\u061c\\u200f"},
        {"\xff\xc3(\x9b", "\\xff\\xc3(\\x9b"},
        {"\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80", "\\xc0\\x80\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80"},
        {"cut \xe2\x80", "cut \\xe2\\x80"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_spelled(gpr_text_printable, cases[i][0], cases[i][1]);
        assert_spelled(gpr_text_printable, cases[i][1], cases[i][1]); /* a message may be quoted in another one */
    }
}

static void csv(void **state) {
    (void)state;
    const char *const cases[][2] = {
        {"", ""},
        {"id 7", "id 7"},
        {"=1+1\\x", "=1+1\\x"},
        {"a,b", "\"a,b\""},
        {"say \"x\"", "\"say \"\"x\"\"\""},
        {"two\nlines\r\n", "\"two\nlines\r\n\""},
        {"a\tb", "a\tb"},
        {"M\xfcller", "M\xfcller"}, /* Latin-1: the id of the table that it came from */
        {"\x9b"
         "31m",
         "\\x9b31m"},
        {"\x1b]0;title\a,", "\"\\x1b]0;title\\x07,\""},
        {"Mü\xe2\x80\xae\xc2\x9b\x7f", "Mü\\u202e\\u009b\\x7f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_spelled(gpr_text_csv, cases[i][0], cases[i][1]);
}

/* jansson reads back what went in. */
static void json(void **state) {
    (void)state;
    const char *const cases[][2] = {
        {"", "\"\""},
        {"a\"b\\c/", "\"a\\\"b\\\\c/\""},
        {"\x1b\n\x7f", "\"\\u001b\\u000a\\u007f\""},
        {"Mü\xe2\x80\xae\xc2\x9b漢🙂", "\"Mü\\u202e\\u009b漢🙂\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_spelled(gpr_text_json, cases[i][0], cases[i][1]);
        json_t *back = json_loads(cases[i][1], JSON_DECODE_ANY, NULL);
        assert_non_null(back);
        assert_string_equal(json_string_value(back), cases[i][0]);
        json_decref(back);
    }
    assert_spelled(gpr_text_json, "M\xfcller \xed\xa0\x80?", "\"M?ller ????\"");
}

/* The JSON of the library: the same letters, escaped; everything else unchanged. */
static void library_json(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_text text = {.ctx = ctx};
    gpri_text_add(&text, "before ");
    assert_ok(gpri_json_write(&text, json_pack("{s:s,s:i}", "Mü\xe2\x80\xae", "a\x7f\xc2\x9b\xe2\x81\xa9z", "n", 3),
                              JSON_COMPACT | JSON_SORT_KEYS));
    assert_string_equal(text.bytes, "before {\"Mü\\u202e\":\"a\\u007f\\u009b\\u2069z\",\"n\":3}");
    assert_int_equal(text.size, strlen(text.bytes));
    gpri_text_free(&text);
    gpr_ctx_free(ctx);
}

static char logged[2000];
static void keep_line(void *user, gpr_log_level level, const char *line) {
    (void)user, (void)level;
    snprintf(logged, sizeof logged, "%s", line);
}

static void messages(void **state) {
    (void)state;
    gpr_ctx *ctx;
    const gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .log = keep_line};
    assert_ok(gpr_ctx_new(&ctx, &options));
    assert_int_equal(gpri_fail(GPR_ERROR_IO, "no %s", "\x1b[2J\xe2\x80\xae\xff"), GPR_ERROR_IO);
    assert_string_equal(gpr_last_error(), "no \\x1b[2J\\u202e\\xff");
    gpri_fail_prefix(GPR_ERROR_IO, "in\a");
    assert_string_equal(gpr_last_error(), "in\\x07: no \\x1b[2J\\u202e\\xff");
    gpri_log(ctx, GPR_LOG_WARNING, "seen %s", "\xc2\x9bx\ny");
    assert_string_equal(logged, "seen \\u009bx\\x0ay");
    char path[4000]; /* longer than a message when spelled out: cut, and ended */
    memset(path, 0x1b, sizeof path);
    path[3999] = 0;
    gpri_fail(GPR_ERROR_IO, "%s", path);
    assert_true(strlen(gpr_last_error()) > 2000);
    assert_int_equal(strlen(gpr_last_error()) % 4, 0);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printable),    cmocka_unit_test(csv),      cmocka_unit_test(json),
        cmocka_unit_test(library_json), cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
