/* Structs of other sizes than the library's, as callers with an older or a newer header have them; and the header's
 * version. tests/abi/old_program.c does the same from outside, with the structs of 0.1.0. */
#include "support.h"

#include "base/struct.h"

/* What a later version's struct might be: this one's and more. */
typedef struct {
    gpr_ctx_options known;
    int64_t later[3];
} larger_options;

static void version(void **state) {
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", GPR_VERSION_MAJOR, GPR_VERSION_MINOR, GPR_VERSION_PATCH);
    assert_string_equal(text, GPR_VERSION_STRING);
    assert_string_equal(text, GPRI_VERSION); /* of CMakeLists.txt */
    assert_string_equal(text, gpr_version());
    assert_int_equal(GPR_VERSION_NUMBER, GPR_VERSION_MAJOR * 10000 + GPR_VERSION_MINOR * 100 + GPR_VERSION_PATCH);
}

/* New fields begin where the old struct ended: one in its padding would be read from programs that never set it. */
static void new_fields(void **state) {
    (void)state;
    assert_true(offsetof(gpr_ctx_options, device) >= GPRI_FIRST_gpr_ctx_options);
    assert_true(GPRI_FIRST_gpr_ctx_options < sizeof(gpr_ctx_options));
    assert_true(offsetof(gpr_dataset_info, mutual_edges) >= GPRI_FIRST_gpr_dataset_info); /* not in its padding */
}

static void smaller_input(void **state) {
    (void)state;
    gpr_ctx *ctx;
    gpr_ctx_options options = {.struct_size = GPRI_FIRST_gpr_ctx_options, .threads = 3, .device = "moon"};
    assert_ok(gpr_ctx_new(&ctx, &options)); /* device is beyond the size: not there */
    assert_int_equal(gpr_ctx_threads(ctx), 3);
    gpr_ctx_free(ctx);
    options.struct_size--;
    assert_fails(gpr_ctx_new(&ctx, &options), GPR_ERROR_ARGUMENT, "struct_size");
    assert_null(ctx);
    options.struct_size = sizeof options;
    assert_fails(gpr_ctx_new(&ctx, &options), GPR_ERROR_ARGUMENT, "'moon' is not known: it must be cpu, cuda");
    options.device = "cpu";
    assert_ok(gpr_ctx_new(&ctx, &options));
    gpr_ctx_free(ctx);
}

/* A size that was never set is refused, and nothing is read or written by it. */
static void senseless_size(void **state) {
    (void)state;
    gpr_ctx *ctx;
    gpr_param_info info = {.struct_size = (size_t)0x5a5a5a5a};
    gpr_ctx_options options = {.struct_size = SIZE_MAX};
    gpr_csbm_options csbm = {.struct_size = SIZE_MAX};
    assert_fails(gpr_param_describe(0, &info), GPR_ERROR_ARGUMENT, "struct_size");
    assert_fails(gpr_ctx_new(&ctx, &options), GPR_ERROR_ARGUMENT, "struct_size");
    gpr_csbm_options_init(&csbm, sizeof(size_t));
    assert_int_equal(csbm.struct_size, 0);
}

static void larger_input(void **state) {
    (void)state;
    gpr_ctx *ctx;
    larger_options options = {.known = {.struct_size = sizeof options, .threads = 1}};
    assert_ok(gpr_ctx_new(&ctx, &options.known));
    gpr_ctx_free(ctx);
    for (size_t i = 0; i < sizeof options.later; i++) {
        ((char *)options.later)[i] = 1;
        assert_fails(gpr_ctx_new(&ctx, &options.known), GPR_ERROR_ARGUMENT, "older than the header");
        ((char *)options.later)[i] = 0;
    }
}

typedef struct {
    gpr_param_info known;
    char later[20];
} larger_info;

static void outputs(void **state) {
    (void)state;
    larger_info info;
    memset(&info, 'x', sizeof info);
    info.known.struct_size = sizeof info;
    assert_ok(gpr_param_describe(0, &info.known));
    assert_string_equal(info.known.name, "model");
    assert_int_equal(info.known.struct_size, sizeof info);
    for (size_t i = sizeof info.known; i < sizeof info; i++) assert_int_equal(((char *)&info)[i], 0);

    /* cut at a size between the first and today's: only so many bytes are written */
    struct {
        size_t struct_size;
        int64_t first, second;
    } caller = {2 * sizeof(size_t), -1, -2}, library = {sizeof library, 1, 2};
    gpri_struct_out(&caller, &library, sizeof library);
    assert_true(caller.struct_size == 2 * sizeof(size_t) && caller.first == 1 && caller.second == -2);
    assert_fails(gpr_param_describe(0, NULL), GPR_ERROR_ARGUMENT, "struct_size");
}

static void inits(void **state) {
    (void)state;
    struct {
        gpr_csbm_options known;
        int64_t later;
    } csbm;
    struct {
        gpr_fetch_options known;
        int64_t later;
    } fetch;
    memset(&csbm, 'x', sizeof csbm);
    memset(&fetch, 'x', sizeof fetch);
    gpr_csbm_options_init(&csbm.known, sizeof csbm);
    gpr_fetch_options_init(&fetch.known, sizeof fetch);
    assert_true(csbm.known.struct_size == sizeof csbm && csbm.known.nodes == 5000 && csbm.later == 0);
    assert_true(fetch.known.struct_size == sizeof fetch && fetch.known.retries == 3 && fetch.later == 0);
    gpr_csbm_options_init(&csbm.known, sizeof csbm.known);
    gpr_fetch_options_init(&fetch.known, sizeof fetch.known);
    assert_true(csbm.known.struct_size == sizeof csbm.known && fetch.known.struct_size == sizeof fetch.known);
    gpr_csbm_options_init(NULL, sizeof csbm);
    gpr_fetch_options_init(NULL, sizeof fetch);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(version),       cmocka_unit_test(new_fields),
                                       cmocka_unit_test(smaller_input), cmocka_unit_test(senseless_size),
                                       cmocka_unit_test(larger_input),  cmocka_unit_test(outputs),
                                       cmocka_unit_test(inits)};
    return cmocka_run_group_tests_name("struct", tests, NULL, NULL);
}
