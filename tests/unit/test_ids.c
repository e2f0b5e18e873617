/* data/ids.c: from texts to numbers and back. */
#include "data/ids.h"
#include "failing_memory.h"

static void test_add_and_find(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_ids ids = {.ctx = ctx};
    char text[32];
    int64_t number;
    assert_int_equal(gpri_ids_find(&ids, "x", 1), -1);
    assert_null(gpri_ids_text(&ids, 0));
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 5000; i++) { /* the second time all are known */
            const int size = snprintf(text, sizeof text, "node %d", i * 7);
            assert_ok(gpri_ids_add(&ids, &number, text, size));
            assert_int_equal(number, i);
        }
    assert_int_equal(gpri_ids_count(&ids), 5000);
    assert_string_equal(gpri_ids_text(&ids, 3), "node 21");
    assert_int_equal(gpri_ids_find(&ids, "node 21", 7), 3);
    assert_int_equal(gpri_ids_find(&ids, "node 21", 6), -1); /* "node 2" */
    assert_int_equal(gpri_ids_find(&ids, "node 22", 7), -1);
    assert_ok(gpri_ids_add(&ids, &number, "", 0));
    assert_int_equal(number, 5000);
    assert_int_equal(gpri_ids_find(&ids, "", 0), 5000);
    gpri_names names;
    gpri_ids_take_names(&ids, &names);
    assert_int_equal(gpri_ids_count(&ids), 0);
    assert_int_equal(names.count, 5001);
    assert_string_equal(gpri_name(&names, 4999), "node 34993");
    assert_string_equal(gpri_name(&names, 5000), "");
    gpri_names_free(ctx, &names);
    assert_ok(gpri_ids_add(&ids, &number, "again", 5));
    assert_int_equal(number, 0);
    gpri_ids_free(&ids);
    gpr_ctx_free(ctx);
}

static bool numbers(gpr_ctx *ctx, const char *const *texts) {
    gpri_ids ids = {.ctx = ctx};
    int64_t number;
    for (; *texts; texts++) assert_ok(gpri_ids_add(&ids, &number, *texts, (int64_t)strlen(*texts)));
    const bool result = gpri_ids_are_numbers(&ids);
    gpri_ids_free(&ids);
    return result;
}

static void test_numbers(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    assert_true(numbers(ctx, (const char *const[]){"0", "1", "2", NULL}));
    assert_true(numbers(ctx, (const char *const[]){"0", "1", "0", NULL}));
    assert_false(numbers(ctx, (const char *const[]){"1", "0", NULL}));
    assert_false(numbers(ctx, (const char *const[]){"0", "01", NULL}));
    assert_false(numbers(ctx, (const char *const[]){"0", "1x", NULL}));
    gpr_ctx_free(ctx);
}

static gpr_status trial(gpr_ctx *ctx, void *arg) {
    gpr_status status = GPR_OK;
    gpri_ids ids = {.ctx = ctx};
    int64_t number;
    (void)arg;
    for (int i = 0; i < 200; i++) {
        char text[16];
        const int size = snprintf(text, sizeof text, "%d", i);
        TRY(gpri_ids_add(&ids, &number, text, size));
    }
done:
    gpri_ids_free(&ids);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    fail_every_allocation(trial, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_and_find),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
