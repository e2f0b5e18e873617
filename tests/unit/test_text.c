/* base/text.c: growing texts, numbers from texts, the nearest word. */
#include <locale.h>
#include <math.h>

#include "base/text.h"
#include "few_blocks.h"
#include "support.h"

static void text_grows(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_text text = {.ctx = ctx};
    assert_null(text.bytes);
    for (int i = 0; i < 1000; i++) gpri_text_add(&text, "%d,", i);
    assert_ok(gpri_text_status(&text));
    assert_int_equal(text.size, 10 * 2 + 90 * 3 + 900 * 4);
    assert_int_equal(strlen(text.bytes), text.size);
    assert_memory_equal(text.bytes, "0,1,2,", 6);
    assert_string_equal(text.bytes + text.size - 8, "998,999,");
    gpri_text_add(&text, "%s", "");
    assert_int_equal(strlen(text.bytes), text.size);
    gpri_text_free(&text);
    assert_null(text.bytes);
    gpri_text_add(&text, "again");
    assert_string_equal(text.bytes, "again");
    gpri_text_free(&text);
    gpri_text_free(&text);
    gpr_ctx_free(ctx);
}

/* After a failure nothing more is added, and the failure is remembered. */
static void text_failure_stays(void **state) {
    (void)state;
    gpr_ctx *ctx;
    gpr_ctx_options options = {
        .struct_size = sizeof options, .threads = 1, .allocator = {few_resize, few_release, NULL}};
    blocks_left = 2; /* the context, and the first piece of text */
    assert_ok(gpr_ctx_new(&ctx, &options));
    gpri_text text = {.ctx = ctx};
    gpri_text_add(&text, "short");
    assert_ok(gpri_text_status(&text));
    gpri_text_add(&text, "%500d", 1);
    assert_int_equal(gpri_text_status(&text), GPR_ERROR_MEMORY);
    blocks_left = 100;
    gpri_text_add(&text, "x");
    assert_int_equal(gpri_text_status(&text), GPR_ERROR_MEMORY);
    assert_string_equal(text.bytes, "short");
    gpri_text_free(&text);
    gpr_ctx_free(ctx);
}

static void parses_int(void **state) {
    (void)state;
    int64_t value = 5;
    assert_true(gpri_parse_int("42", &value) && value == 42);
    assert_true(gpri_parse_int("-1", &value) && value == -1);
    assert_true(gpri_parse_int("9223372036854775807", &value) && value == INT64_MAX);
    assert_true(gpri_parse_int("-9223372036854775808", &value) && value == INT64_MIN);
    value = 5;
    const char *wrong[] = {
        "", " ", "x", "1x", "1 ", "1.5", "1e3", "0x10", "9223372036854775808", "-9223372036854775809", "--1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (gpri_parse_int(wrong[i], &value)) fail_msg("'%s' was taken as a whole number", wrong[i]);
    assert_int_equal(value, 5);
}

static void parses_real(void **state) {
    (void)state;
    double value = 5;
    assert_true(gpri_parse_real("0.5", &value) && value == 0.5);
    assert_true(gpri_parse_real("-1e-3", &value) && value == -1e-3);
    assert_true(gpri_parse_real(".25", &value) && value == 0.25);
    assert_true(gpri_parse_real("7", &value) && value == 7);
    assert_true(gpri_parse_real("inf", &value) && isinf(value)); /* bounds are the caller's */
    value = 5;
    const char *wrong[] = {"", " ", "x", "1x", "0.5 ", "0,5", "nan", "-nan", "1e", ".", "1..2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (gpri_parse_real(wrong[i], &value)) fail_msg("'%s' was taken as a number", wrong[i]);
    assert_true(value == 5);
}

/* A host program may have set a locale with a decimal comma. */
static void parses_real_in_any_language(void **state) {
    (void)state;
    const char *languages[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < sizeof languages / sizeof *languages && !found; i++)
        found = setlocale(LC_NUMERIC, languages[i]) != NULL;
    if (!found) skip_because("there is no locale with a decimal comma (Debian: locales-all)");
    assert_int_equal(localeconv()->decimal_point[0], ',');
    double value = 0;
    bool parsed = gpri_parse_real("0.5", &value);
    setlocale(LC_NUMERIC, "C");
    assert_true(parsed && value == 0.5);
}

static const char *nearest(const char *word) {
    static const char *const words[] = {"dropout", "dprate", "weight-decay", "hidden", "lr", "seed"};
    const char *found = gpr_nearest_word(word, words, 6);
    return found ? found : "(none)";
}

static void finds_nearest_word(void **state) {
    (void)state;
    assert_string_equal(nearest("dropout"), "dropout");
    assert_string_equal(nearest("drouput"), "dropout"); /* swapped letters */
    assert_string_equal(nearest("dropot"), "dropout");
    assert_string_equal(nearest("weight_decay"), "weight-decay");
    assert_string_equal(nearest("hiden"), "hidden");
    assert_string_equal(nearest("sede"), "seed");
    assert_string_equal(nearest("rl"), "lr");
    assert_string_equal(nearest("xyzzyplugh"), "(none)");
    static const char *const flags[] = {"device", "weight"};
    assert_null(gpr_nearest_word("metric", flags, 2)); /* half of the letters are others: no help */
    char longest[300];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    (void)nearest(longest); /* no overrun; the sanitizers check */
    assert_null(gpr_nearest_word("lr", NULL, 0));
    assert_null(gpr_nearest_word(NULL, NULL, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_grows),
        cmocka_unit_test(text_failure_stays),
        cmocka_unit_test(parses_int),
        cmocka_unit_test(parses_real),
        cmocka_unit_test(parses_real_in_any_language),
        cmocka_unit_test(finds_nearest_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
