/* base/context.c: allocation through a context, its limits and failures; versions, status names, last error. */
#include <jansson.h>
#include <pthread.h>

#include "support.h"
#include "tensor/cpu/cpu.h"
#include "tensor/device.h"

/* An allocator that counts, and fails from the `fail_at`th call on (0: never). */
typedef struct {
    int calls, alive, fail_at;
} counter;

static void *counting_resize(void *user, void *block, size_t size) {
    counter *c = user;
    if (++c->calls >= c->fail_at && c->fail_at) return NULL;
    if (!block) c->alive++;
    return realloc(block, size);
}

static void counting_release(void *user, void *block) {
    counter *c = user;
    if (block) c->alive--;
    free(block);
}

static gpr_ctx_options counting_options(counter *c) {
    return (gpr_ctx_options){
        .struct_size = sizeof(gpr_ctx_options), .threads = 1, .allocator = {counting_resize, counting_release, c}};
}

static void makes_and_frees(void **state) {
    (void)state;
    gpr_ctx *ctx = NULL;
    assert_ok(gpr_ctx_new(&ctx, NULL));
    assert_true(gpr_ctx_threads(ctx) >= 1);
    gpr_ctx_free(ctx);
    gpr_ctx_free(NULL);
    assert_int_equal(gpr_ctx_threads(NULL), 0);
}

static void refuses_wrong_options(void **state) {
    (void)state;
    gpr_ctx *ctx = (gpr_ctx *)state; /* the call must set it to NULL */
    gpr_ctx_options options = {.struct_size = 1};
    assert_fails(gpr_ctx_new(NULL, NULL), GPR_ERROR_ARGUMENT, "out");
    assert_fails(gpr_ctx_new(&ctx, &options), GPR_ERROR_ARGUMENT, "struct_size");
    assert_null(ctx);
    options = (gpr_ctx_options){.struct_size = sizeof options, .threads = -1};
    assert_fails(gpr_ctx_new(&ctx, &options), GPR_ERROR_ARGUMENT, "threads is -1");
    options.threads = 100000;
    assert_fails(gpr_ctx_new(&ctx, &options), GPR_ERROR_ARGUMENT, "1024");
    options = (gpr_ctx_options){.struct_size = sizeof options, .cpu = "avx1024"};
    assert_fails(gpr_ctx_new(&ctx, &options), GPR_ERROR_ARGUMENT, "avx1024");
    options = (gpr_ctx_options){.struct_size = sizeof options, .allocator = {.resize = counting_resize}};
    assert_fails(gpr_ctx_new(&ctx, &options), GPR_ERROR_ARGUMENT, "release");
    assert_null(ctx);
}

static void sets_threads(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(3);
    assert_int_equal(gpr_ctx_threads(ctx), 3);
    assert_ok(gpr_ctx_set_threads(ctx, 5));
    assert_int_equal(gpr_ctx_threads(ctx), 5);
    assert_fails(gpr_ctx_set_threads(ctx, -2), GPR_ERROR_ARGUMENT, "-2");
    assert_int_equal(gpr_ctx_threads(ctx), 5);
    assert_ok(gpr_ctx_set_threads(ctx, 0));
    assert_true(gpr_ctx_threads(ctx) >= 1);
    assert_fails(gpr_ctx_set_threads(NULL, 1), GPR_ERROR_ARGUMENT, "ctx");
    gpr_ctx_free(ctx);
}

static void chooses_kernels(void **state) {
    (void)state;
    const gpri_ops *tables[8];
    int count = gpri_ops_all(tables, 8);
    assert_true(count >= 1);
    assert_string_equal(tables[0]->name, "ref");
    for (int i = 0; i < count; i++) {
        gpr_ctx *ctx;
        gpr_ctx_options options = {.struct_size = sizeof options, .cpu = tables[i]->name};
        assert_ok(gpr_ctx_new(&ctx, &options));
        assert_ptr_equal(ctx->job.device->ops, tables[i]);
        gpr_ctx_free(ctx);
    }
}

static void describes_build(void **state) {
    (void)state;
    gpr_ctx *ctx;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 2, .cpu = "ref"};
    assert_ok(gpr_ctx_new(&ctx, &options));
    json_error_t error;
    json_t *info = json_loads(gpr_build_info(ctx), 0, &error);
    if (!info) fail_msg("%s: %s", error.text, gpr_build_info(ctx));
    assert_string_equal(json_string_value(json_object_get(info, "version")), GPRI_VERSION);
    assert_string_equal(json_string_value(json_object_get(info, "device")), "cpu");
    assert_string_equal(json_string_value(json_object_get(info, "kernels")), "ref");
    assert_int_equal(json_integer_value(json_object_get(info, "threads")), 2);
    assert_non_null(json_string_value(json_object_get(info, "compiler")));
    json_decref(info);
    assert_string_equal(gpr_version(), GPRI_VERSION);
    gpr_ctx_free(ctx);
}

static void uses_given_allocator(void **state) {
    (void)state;
    counter c = {0};
    gpr_ctx_options options = counting_options(&c);
    gpr_ctx *ctx;
    assert_ok(gpr_ctx_new(&ctx, &options));
    assert_int_equal(c.alive, 1);
    float *block;
    char *text;
    assert_ok(gpri_alloc(ctx, &block, 10, sizeof *block, "block"));
    assert_ok(gpri_strdup(ctx, &text, "text"));
    assert_string_equal(text, "text");
    assert_int_equal(c.alive, 3);
    gpri_free(ctx, block);
    gpri_free(ctx, text);
    gpri_free(ctx, NULL);
    gpr_ctx_free(ctx);
    assert_int_equal(c.alive, 0);
}

static void survives_failing_allocator(void **state) {
    (void)state;
    counter c = {.fail_at = 1};
    gpr_ctx_options options = counting_options(&c);
    gpr_ctx *ctx = (gpr_ctx *)state;
    assert_fails(gpr_ctx_new(&ctx, &options), GPR_ERROR_MEMORY, "memory");
    assert_null(ctx);
    c = (counter){.fail_at = 3}; /* the context and one block */
    assert_ok(gpr_ctx_new(&ctx, &options));
    double *block = NULL;
    int64_t capacity = 0;
    assert_ok(gpri_grow(ctx, &block, &capacity, 4, sizeof *block, "numbers"));
    block[3] = 2.5;
    double *kept = block;
    int64_t had = capacity;
    assert_fails(gpri_grow(ctx, &block, &capacity, had + 1, sizeof *block, "numbers"), GPR_ERROR_MEMORY, "numbers");
    assert_ptr_equal(block, kept);
    assert_int_equal(capacity, had);
    assert_true(block[3] == 2.5);
    void *none = ctx;
    assert_fails(gpri_alloc(ctx, &none, 1, 1, "the matrix"), GPR_ERROR_MEMORY, "the matrix");
    assert_null(none);
    char *text = (char *)state;
    assert_int_equal(gpri_strdup(ctx, &text, "text"), GPR_ERROR_MEMORY);
    assert_null(text);
    gpri_free(ctx, block);
    gpr_ctx_free(ctx);
    assert_int_equal(c.alive, 0);
}

static void blocks_are_aligned(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char *blocks[40];
    for (int i = 0; i < 40; i++) {
        if (i % 2) assert_ok(gpri_alloc(ctx, &blocks[i], i, 1, "block"));
        else assert_ok(gpri_calloc(ctx, &blocks[i], i, 1, "block"));
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 64, 0);
        for (int j = 0; i % 2 == 0 && j < i; j++) assert_int_equal(blocks[i][j], 0);
        memset(blocks[i], i, (size_t)i);
    }
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < i; j++) assert_int_equal(blocks[i][j], i);
        gpri_free(ctx, blocks[i]);
    }
    gpr_ctx_free(ctx);
}

static void refuses_impossible_sizes(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    void *block = ctx;
    assert_fails(gpri_alloc(ctx, &block, INT64_MAX, 8, "huge"), GPR_ERROR_MEMORY, "huge");
    assert_null(block);
    assert_fails(gpri_alloc(ctx, &block, INT64_MAX / 8, 8, "huge"), GPR_ERROR_MEMORY, "huge");
    assert_fails(gpri_alloc(ctx, &block, -1, 8, "negative"), GPR_ERROR_MEMORY, "negative");
    assert_fails(gpri_calloc(ctx, &block, INT64_C(1) << 60, 2, "huge"), GPR_ERROR_MEMORY, "huge");
    int64_t capacity = 0;
    block = NULL;
    assert_fails(gpri_grow(ctx, &block, &capacity, INT64_MAX, 8, "list"), GPR_ERROR_MEMORY, "list");
    assert_null(block);
    assert_int_equal(capacity, 0);
    int64_t product = 7;
    assert_true(gpri_mul_size(0, INT64_MAX, &product) && product == 0);
    assert_true(gpri_mul_size(INT64_MAX, 0, &product) && product == 0);
    assert_true(gpri_mul_size(INT64_C(1) << 31, INT64_C(1) << 31, &product) && product == INT64_C(1) << 62);
    assert_false(gpri_mul_size(INT64_C(1) << 32, INT64_C(1) << 31, &product));
    assert_false(gpri_mul_size(-1, 1, &product));
    assert_false(gpri_mul_size(1, -1, &product));
    size_t bytes = 7;
    const size_t most = INT32_MAX / 2; /* as on a machine of 32 bits */
    assert_true(gpri_block_size(&bytes, 1 << 20, 8, most) && bytes == 1 << 23);
    assert_true(gpri_block_size(&bytes, (int64_t)most, 1, most) && bytes == most);
    assert_false(gpri_block_size(&bytes, (int64_t)most + 1, 1, most));
    assert_false(gpri_block_size(&bytes, (INT64_C(1) << 32) + 1, 1, most)); /* whose lower 32 bits are 1 */
    assert_false(gpri_block_size(&bytes, (INT64_C(1) << 29) + 1, 8, most)); /* 8 */
    gpr_ctx_free(ctx);
}

static void grows(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int64_t *numbers = NULL, capacity = 0, times = 0, before = 0;
    for (int64_t i = 0; i < 100000; i++) {
        assert_ok(gpri_grow(ctx, &numbers, &capacity, i + 1, sizeof *numbers, "numbers"));
        assert_true(capacity >= i + 1);
        times += capacity != before;
        before = capacity;
        numbers[i] = i * 3;
    }
    for (int64_t i = 0; i < 100000; i++) assert_int_equal(numbers[i], i * 3);
    assert_true(times < 20); /* doubling */
    gpri_free(ctx, numbers);
    gpr_ctx_free(ctx);
}

typedef struct {
    int lines;
    gpr_log_level level;
    char last[2048];
} journal;

static void keep_line(void *user, gpr_log_level level, const char *line) {
    journal *j = user;
    j->lines++;
    j->level = level;
    snprintf(j->last, sizeof j->last, "%s", line);
}

static void logs_lines(void **state) {
    (void)state;
    journal j = {0};
    gpr_ctx *ctx;
    gpr_ctx_options options = {.struct_size = sizeof options, .log = keep_line, .user = &j};
    assert_ok(gpr_ctx_new(&ctx, &options));
    j.lines = 0;
    gpri_log(ctx, GPR_LOG_WARNING, "%d nodes", 3);
    assert_int_equal(j.lines, 1);
    assert_int_equal(j.level, GPR_LOG_WARNING);
    assert_string_equal(j.last, "3 nodes");
    gpri_log(ctx, GPR_LOG_INFO, "%5000d", 1); /* cut, not overrun */
    assert_int_equal(j.lines, 2);
    gpr_ctx_free(ctx);
    ctx = new_ctx(1);
    gpri_log(ctx, GPR_LOG_WARNING, "nobody listens");
    gpr_ctx_free(ctx);
}

static void names_statuses(void **state) {
    (void)state;
    assert_string_equal(gpr_status_name(GPR_OK), "GPR_OK");
    assert_string_equal(gpr_status_name(GPR_STOPPED), "GPR_STOPPED");
    for (int status = -9; status <= 1; status++) assert_memory_equal(gpr_status_name((gpr_status)status), "GPR_", 4);
    assert_non_null(gpr_status_name((gpr_status)-1000));
}

static void *other_thread(void *arg) {
    bool *ok = arg;
    *ok = gpr_last_error()[0] == 0;
    (void)gpri_fail(GPR_ERROR_IO, "of the other thread");
    return NULL;
}

static void messages(void **state) {
    (void)state;
    assert_int_equal(gpri_fail(GPR_ERROR_FORMAT, "line %d", 7), GPR_ERROR_FORMAT);
    assert_string_equal(gpr_last_error(), "line 7");
    assert_int_equal(gpri_fail_prefix(GPR_ERROR_FORMAT, "%s", "graph.csv"), GPR_ERROR_FORMAT);
    assert_string_equal(gpr_last_error(), "graph.csv: line 7");
    assert_int_equal(gpri_fail(GPR_ERROR_IO, "then %s", gpr_last_error()), GPR_ERROR_IO);
    assert_string_equal(gpr_last_error(), "then graph.csv: line 7");
    pthread_t thread;
    bool ok = false;
    assert_int_equal(pthread_create(&thread, NULL, other_thread, &ok), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(ok);
    assert_string_equal(gpr_last_error(), "then graph.csv: line 7"); /* each thread has its own */
    (void)gpri_fail(GPR_ERROR_IO, "%10000d", 1);
    assert_true(strlen(gpr_last_error()) < 10000);
    (void)gpri_fail_prefix(GPR_ERROR_IO, "%10000d", 1);
    assert_true(strlen(gpr_last_error()) < 10000);
}

static void measures_memory(void **state) {
    (void)state;
    enum { SIZE = 64 << 20 };
    int64_t before = gpr_peak_memory();
    assert_true(before > 0);
    char *block = malloc(SIZE);
    assert_non_null(block);
    for (size_t i = 0; i < SIZE; i += 4096) ((volatile char *)block)[i] = 1;
    assert_true(gpr_peak_memory() >= SIZE);
    free(block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_and_frees),
        cmocka_unit_test(refuses_wrong_options),
        cmocka_unit_test(sets_threads),
        cmocka_unit_test(chooses_kernels),
        cmocka_unit_test(describes_build),
        cmocka_unit_test(uses_given_allocator),
        cmocka_unit_test(survives_failing_allocator),
        cmocka_unit_test(blocks_are_aligned),
        cmocka_unit_test(refuses_impossible_sizes),
        cmocka_unit_test(grows),
        cmocka_unit_test(logs_lines),
        cmocka_unit_test(names_statuses),
        cmocka_unit_test(messages),
        cmocka_unit_test(measures_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
