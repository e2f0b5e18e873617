/* Choosing the device: the words, libgprgnn_cuda.so as it is found, and what is said where it cannot be used. No GPU is
 * needed: a fake library stands for the real one (tests/cuda/fake/library.c). */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "tensor/cuda/base/plugin.h"

#define FAKE TEST_BINARY_DIR "/libfake_cuda.so"

static gpr_ctx *ctx;
static char said[1024]; /* the last line of the log */

static void keep_line(void *user, gpr_log_level level, const char *line) {
    (void)user, (void)level;
    snprintf(said, sizeof said, "%s", line);
}

static int open_ctx(void **state) {
    (void)state;
    const gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .log = keep_line};
    said[0] = 0;
    setenv("GPRGNN_CUDA_LIBRARY", FAKE, 1);
    unsetenv("FAKE_MESSAGE");
    return gpr_ctx_new(&ctx, &options);
}

static int close_ctx(void **state) {
    (void)state;
    gpr_ctx_free(ctx);
    return 0;
}

static void words(void **state) {
    (void)state;
    static const char *const wrong[] = {"",     "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:99999999999",
                                        "cuda1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(gpr_ctx_set_device(ctx, wrong[i]), GPR_ERROR_ARGUMENT);
        assert_string_equal(ctx->job.device->name, "cpu");
    }
    assert_fails(gpr_ctx_set_device(ctx, "gpu"), GPR_ERROR_ARGUMENT, "it must be cpu, cuda, cuda:N or auto");
    assert_ok(gpr_ctx_set_device(ctx, NULL));
    assert_ok(gpr_ctx_set_device(ctx, "cpu"));
    assert_ptr_equal(ctx->job.device, ctx->job.cpu);
}

/* The option takes the same words; a wrong one is found when it is set. */
static void option(void **state) {
    (void)state;
    gpr_params *params;
    assert_ok(gpr_params_new(ctx, &params));
    static const char *const right[] = {"cpu", "cuda", "cuda:0", "cuda:12", "auto"}, *const wrong[] = {
                                                                                         "cuda:", "cuda:x", "cuda:-1",
                                                                                         "cud"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) assert_ok(gpr_params_set(params, "device", right[i]));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(gpr_params_set(params, "device", wrong[i]), GPR_ERROR_ARGUMENT, "cpu|cuda[:N]|auto");
    gpr_params_free(params);
}

static void opens_a_card(void **state) {
    (void)state;
    assert_ok(gpr_ctx_set_device(ctx, "cuda:2"));
    assert_string_equal(ctx->job.device->name, "cuda");
    assert_non_null(strstr(gpr_build_info(ctx), "\"device\": \"cuda\", \"kernels\": \"fake\""));
    assert_string_equal(said, "computing on fake card 2");
    assert_ok(gpr_ctx_set_device(ctx, "cpu"));
    assert_ok(gpr_ctx_set_device(ctx, "auto"));
    assert_string_equal(ctx->job.device->name, "cuda");
    gpr_ctx *other;
    const gpr_ctx_options options = {.struct_size = sizeof options, .device = "cuda"};
    assert_ok(gpr_ctx_new(&other, &options));
    assert_string_equal(other->job.device->name, "cuda");
    gpr_ctx_free(other);
}

/* After an error the device is the one before; auto takes the CPU, and says why. */
static void no_card(void **state) {
    (void)state;
    assert_fails(gpr_ctx_set_device(ctx, "cuda:4"), GPR_ERROR_IO, "`device` cuda: there is no card 4");
    setenv("FAKE_MESSAGE", "out of order", 1);
    assert_fails(gpr_ctx_set_device(ctx, "cuda"), GPR_ERROR_IO, "out of order");
    assert_string_equal(ctx->job.device->name, "cpu");
    assert_ok(gpr_ctx_set_device(ctx, "auto"));
    assert_string_equal(ctx->job.device->name, "cpu");
    assert_non_null(strstr(said, "computing on the CPU: `device` cuda: out of order"));
    gpr_ctx *other;
    const gpr_ctx_options options = {.struct_size = sizeof options, .device = "cuda"};
    assert_fails(gpr_ctx_new(&other, &options), GPR_ERROR_IO, "out of order");
    assert_null(other);
}

static void no_library(void **state) {
    (void)state;
    setenv("GPRGNN_CUDA_LIBRARY", "/nowhere/libgprgnn_cuda.so", 1);
    assert_fails(gpr_ctx_set_device(ctx, "cuda"), GPR_ERROR_IO, "/nowhere/libgprgnn_cuda.so, which is not a file");
    setenv("GPRGNN_CUDA_LIBRARY", TEST_SOURCE_DIR "/README.md", 1);
    assert_fails(gpr_ctx_set_device(ctx, "cuda"), GPR_ERROR_IO, "libgprgnn_cuda.so cannot be loaded");
    setenv("GPRGNN_CUDA_LIBRARY", TEST_BINARY_DIR "/libfake_driver/libcuda.so.1", 1);
    assert_fails(gpr_ctx_set_device(ctx, "cuda"), GPR_ERROR_IO, "it is another library");
}

#ifdef TEST_CUDA_LIBRARY
/* The real library looks at version and sizes before anything else. */
static void other_build(void **state) {
    (void)state;
    gpri_cuda_host host = {.version = "0.0.1", .stamp = GPRI_CUDA_STAMP};
    gpri_cuda_open_fn *open;
    char message[512] = "";
    void *library = dlopen(TEST_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    assert_non_null(library);
    void *address = dlsym(library, GPRI_CUDA_FUNCTION);
    memcpy(&open, &address, sizeof open);
    assert_null(open(&host, 0, message, sizeof message));
    assert_non_null(strstr(message, "the program of version 0.0.1"));
    for (int i = 0; i < GPRI_CUDA_STAMPS; i++) {
        host = (gpri_cuda_host){.version = GPRI_VERSION, .stamp = GPRI_CUDA_STAMP};
        host.stamp[i]++;
        message[0] = 0;
        assert_null(open(&host, 0, message, sizeof message));
        assert_non_null(strstr(message, "from the same build"));
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(words, open_ctx, close_ctx),
        cmocka_unit_test_setup_teardown(option, open_ctx, close_ctx),
        cmocka_unit_test_setup_teardown(opens_a_card, open_ctx, close_ctx),
        cmocka_unit_test_setup_teardown(no_card, open_ctx, close_ctx),
        cmocka_unit_test_setup_teardown(no_library, open_ctx, close_ctx),
#ifdef TEST_CUDA_LIBRARY
        cmocka_unit_test_setup_teardown(other_build, open_ctx, close_ctx),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
