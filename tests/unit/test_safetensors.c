/* The container by itself: arrays of each type and texts, to a file and to memory and back. How a damaged one is
 * refused is in test_model_damage.c. */
#include "model_files.h"

#include "model/file/metadata.h"
#include "model/file/safetensors.h"

static const float floats[6] = {1, 2, 3, 4, 5, 0.1f};
static const double doubles[3] = {1.5, -2, 1e300};
static const int64_t integers[2] = {INT64_MIN, 7};
static const gpri_stored_array arrays[] = {
    {"f", "F32", 2, {2, 3}, floats}, {"d", "F64", 1, {3, 1}, doubles}, {"i", "I64", 1, {2, 1}, integers}};

static json_t *texts(void) {
    gpri_object meta = gpri_object_new();
    gpri_put_text(&meta, "said", "hello");
    return gpri_object_done(&meta);
}

static void read_back(const char *bytes, int64_t size) {
    gpri_safetensors file;
    gpri_stored_array got;
    void *at = NULL;
    assert_ok(gpri_safetensors_open(&file, bytes, size, "a", "file", "array"));
    assert_string_equal(json_string_value(json_object_get(gpri_safetensors_metadata(&file), "said")), "hello");
    for (int i = 0; i < 3; i++) {
        const gpri_stored_array *want = &arrays[i];
        assert_ok(gpri_safetensors_next(&file, &at, &got, NULL));
        assert_non_null(at);
        assert_string_equal(got.name, want->name);
        assert_string_equal(got.dtype, want->dtype);
        assert_true(got.axes == want->axes && got.shape[0] == want->shape[0] && got.shape[1] == want->shape[1]);
        assert_memory_equal(got.values, want->values,
                            (size_t)(got.shape[0] * got.shape[1]) * (i == 0 ? sizeof(float) : sizeof(double)));
        assert_int_equal(((const char *)got.values - bytes) % 4, 0); /* aligned, from an aligned beginning */
    }
    assert_ok(gpri_safetensors_next(&file, &at, &got, NULL));
    assert_null(at);
    at = NULL;
    assert_ok(gpri_safetensors_next(&file, &at, &got, "F32"));
    assert_fails(gpri_safetensors_next(&file, &at, &got, "F32"), GPR_ERROR_FORMAT,
                 "a: array d has type F64: F32 was expected");
    gpri_safetensors_close(&file);
}

static void file_and_memory(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char *bytes;
    int64_t size;
    assert_ok(gpri_safetensors_save(ctx, in_folder("s"), texts(), arrays, 3));
    assert_ok(gpri_safetensors_bytes(ctx, &bytes, &size, texts(), arrays, 3));
    blob saved = read_blob(in_folder("s"));
    assert_int_equal(saved.size, size);
    assert_memory_equal(saved.bytes, bytes, saved.size);
    read_back(bytes, size);
    /* a block of just these bytes: AddressSanitizer sees a step beyond them */
    for (int64_t cut = 0; cut < size; cut++) {
        char *part = malloc((size_t)cut + 1);
        memcpy(part, bytes, (size_t)cut);
        part = realloc(part, cut ? (size_t)cut : 1);
        gpri_safetensors file;
        gpr_status status = gpri_safetensors_open(&file, part, cut, "a", "file", "array");
        gpri_stored_array got;
        void *at = NULL;
        for (int i = 0; status == GPR_OK && i < 3; i++) status = gpri_safetensors_next(&file, &at, &got, NULL);
        assert_int_equal(status, GPR_ERROR_FORMAT);
        gpri_safetensors_close(&file);
        free(part);
    }
    free(saved.bytes);
    gpri_free(ctx, bytes);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(file_and_memory, empty_folder)};
    scratch_folder(folder);
    int failed = cmocka_run_group_tests_name("safetensors", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
