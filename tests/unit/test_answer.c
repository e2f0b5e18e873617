/* What the head of an HTTP answer says, and how addresses are shown. A server may write anything. */
#include "support.h"

#include "fetch/address.h"
#include "fetch/answer.h"

static bool take(gpri_answer *a, const char *line) { return gpri_answer_line(a, line, strlen(line)); }

static void one_head(void **state) {
    gpri_answer a;
    (void)state;
    gpri_answer_begin(&a);
    assert_true(a.length == -1 && a.start == -1 && a.last == -1 && a.total == -1 && !a.tag[0] && !a.fault);
    assert_true(take(&a, "HTTP/1.1 206 Partial Content\r\n"));
    assert_true(take(&a, "content-length:  17 \r\n"));
    assert_true(take(&a, "Content-Range: bytes 5-21/1000\r\n"));
    assert_true(take(&a, "ETag: \"abc\"\r\n"));
    assert_true(take(&a, "Content-Type: Text/HTML; charset=utf-8\r\n"));
    assert_true(take(&a, "Content-Encoding: gzip\r\n"));
    assert_true(take(&a, "\r\n"));
    assert_true(a.length == 17 && a.start == 5 && a.last == 21 && a.total == 1000);
    assert_string_equal(a.tag, "\"abc\"");
    assert_string_equal(a.type, "Text/HTML");
    assert_string_equal(a.encoding, "gzip");
    const int64_t head = a.head;
    assert_true(take(&a, "HTTP/2 200\r\n")); /* another head: nothing of the first one counts */
    assert_true(a.length == -1 && a.start == -1 && a.total == -1 && !a.tag[0] && !a.type[0] && !a.encoding[0]);
    assert_int_equal(a.head, head + 12);
    assert_true(take(&a, "Content-Encoding: Identity\r\n"));
    assert_string_equal(a.encoding, "");
}

static void lengths(void **state) {
    static const struct {
        const char *line;
        int64_t length; /* -1: refused */
    } cases[] = {{"Content-Length: 0", 0},
                 {"Content-Length:9223372036854775799", 9223372036854775799},
                 {"Content-Length: 9223372036854775808", -1},
                 {"Content-Length: 123456789012345678901234567890", -1},
                 {"Content-Length: -5", -1},
                 {"Content-Length: +5", -1},
                 {"Content-Length: 5 5", -1},
                 {"Content-Length: 5, 5", -1},
                 {"Content-Length: 0x5", -1},
                 {"Content-Length:", -1},
                 {"Content-Length: many", -1}};
    gpri_answer a;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpri_answer_begin(&a);
        assert_int_equal(take(&a, cases[i].line), cases[i].length >= 0);
        assert_int_equal(a.fault == NULL, cases[i].length >= 0);
        if (cases[i].length >= 0) assert_int_equal(a.length, cases[i].length);
    }
    gpri_answer_begin(&a);
    assert_true(take(&a, "Content-Length: 5") && take(&a, "Content-Length: 5"));
    assert_false(take(&a, "Content-Length: 6"));
    assert_string_equal(a.fault, "it has two different Content-Lengths");
    gpri_answer_begin(&a);
    assert_true(take(&a, "Content-Lengths: x") && take(&a, "XContent-Length: x") && take(&a, "Content-Length"));
    assert_int_equal(a.length, -1);
}

static void ranges(void **state) {
    static const struct {
        const char *line;
        int64_t start, last, total;
    } cases[] = {{"Content-Range: bytes 0-0/1", 0, 0, 1},
                 {"Content-Range: BYTES 7-9/*", 7, 9, -1},
                 {"Content-Range: bytes */55", -1, -1, 55},
                 {"Content-Range: bytes */*", -1, -1, -1},
                 {"Content-Range: bytes 9-7/10", -1, -1, -1},
                 {"Content-Range: bytes 7-9/9", -1, -1, -1},
                 {"Content-Range: bytes 7-9", -1, -1, -1},
                 {"Content-Range: bytes 7-/9", -1, -1, -1},
                 {"Content-Range: bytes -7-9/20", -1, -1, -1},
                 {"Content-Range: bytes 7-9/20x", -1, -1, -1},
                 {"Content-Range: bytes 7-99999999999999999999/*", -1, -1, -1},
                 {"Content-Range: items 7-9/20", -1, -1, -1},
                 {"Content-Range: bytes", -1, -1, -1},
                 {"Content-Range:", -1, -1, -1}};
    gpri_answer a;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpri_answer_begin(&a);
        assert_true(take(&a, cases[i].line));
        if (a.start != cases[i].start || a.last != cases[i].last || a.total != cases[i].total)
            fail_msg("%s: %lld %lld %lld", cases[i].line, (long long)a.start, (long long)a.last, (long long)a.total);
    }
}

/* Only what may be sent back, or shown. */
static void texts(void **state) {
    gpri_answer a;
    char line[400];
    (void)state;
    gpri_answer_begin(&a);
    assert_true(take(&a, "ETag: W/\"weak\""));
    assert_string_equal(a.tag, "");
    assert_true(take(&a, "ETag: \"a\x1b[31m\""));
    assert_string_equal(a.tag, "");
    assert_true(take(&a, "ETag: \"a\xc2\x9b\""));
    assert_string_equal(a.tag, "");
    assert_true(take(&a, "ETag:"));
    assert_string_equal(a.tag, "");
    snprintf(line, sizeof line, "ETag: \"%0300d\"", 1);
    assert_true(take(&a, line));
    assert_string_equal(a.tag, "");
    assert_true(take(&a, "Content-Type: text/\x1b[31mhtml"));
    assert_string_equal(a.type, "");
    assert_true(take(&a, "Content-Encoding: \x07"));
    assert_string_equal(a.encoding, "");
    assert_true(gpri_answer_line(&a, "", 0));
    assert_false(gpri_answer_line(&a, "X: a\0b", 6));
    assert_string_equal(a.fault, "the head of its answer holds a NUL byte");
}

static void no_end(void **state) {
    char line[1000];
    gpri_answer a;
    int lines = 0;
    (void)state;
    memset(line, 'x', sizeof line);
    gpri_answer_begin(&a);
    while (lines < 1000 && gpri_answer_line(&a, line, sizeof line) && take(&a, "HTTP/1.1 100 Continue\r\n")) lines++;
    assert_int_equal(lines, GPRI_MOST_HEAD / 1023);
    assert_string_equal(a.fault, "the head of its answer has no end");
}

static void addresses(void **state) {
    static const struct {
        const char *url, *shown, *host;
    } cases[] = {{"https://host/a/b", "https://host/a/b", "host"},
                 {"http://name:word@host:80/a", "http://host:80/a", "host:80"},
                 {"http://a@b@host/a@b", "http://host/a@b", "host"},
                 {"https://host/a?key=secret#part", "https://host/a?...", "host"},
                 {"https://host?a@b", "https://host?...", "host"},
                 {"nothing", "nothing", "nothing"},
                 {"", "", ""}};
    char shown[GPRI_SHOWN_ADDRESS], longest[2000];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpri_address_show(shown, cases[i].url);
        assert_string_equal(shown, cases[i].shown);
        gpri_address_host(shown, cases[i].url);
        assert_string_equal(shown, cases[i].host);
    }
    snprintf(longest, sizeof longest, "http://%01500d", 1);
    gpri_address_show(shown, longest);
    assert_int_equal(strlen(shown), GPRI_SHOWN_ADDRESS - 1);
    assert_true(gpri_address_is("https://x", "https") && gpri_address_is("HtTpS://x", "https"));
    assert_false(gpri_address_is("http://x", "https") || gpri_address_is("https:x", "https"));
    assert_false(gpri_address_is("https://x", "http") || gpri_address_is("", "http"));
    snprintf(shown, sizeof shown, "a\x1b\x9b\xc3\xa4 b");
    gpri_show_ascii(shown);
    assert_string_equal(shown, "a???? b");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_head), cmocka_unit_test(lengths),
                                       cmocka_unit_test(ranges),   cmocka_unit_test(texts),
                                       cmocka_unit_test(no_end),   cmocka_unit_test(addresses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
