/* Text files for tests, plain and gzip, in a folder of their own. */
#ifndef TEST_TEXT_FILES_H
#define TEST_TEXT_FILES_H

#include <zlib.h>

#include "npz_maker.h"
#include "support.h"

typedef struct text_fixture {
    gpr_ctx *ctx;
    char folder[64], path[128];
} text_fixture;

static int text_setup(void **state) {
    text_fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->ctx = new_ctx(1);
    folder_make(f->folder);
    snprintf(f->path, sizeof f->path, "%s/file.txt", f->folder);
    *state = f;
    return 0;
}

static int text_teardown(void **state) {
    text_fixture *f = *state;
    folder_files(f->folder, true);
    gpr_ctx_free(f->ctx);
    free(f);
    return 0;
}

#define TEXT_TEST(name) cmocka_unit_test_setup_teardown(name, text_setup, text_teardown)

static inline void write_bytes(const text_fixture *f, const void *bytes, size_t size) {
    FILE *file = fopen(f->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void write_text(const text_fixture *f, const char *text) { write_bytes(f, text, strlen(text)); }

/* One gzip member after what *to holds; to: realloc'ed. */
static inline void add_member(unsigned char **to, size_t *size, const char *text, size_t count) {
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    const size_t room = deflateBound(&z, (uLong)count) + 64;
    *to = realloc(*to, *size + room);
    assert_non_null(*to);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (unsigned)count;
    z.next_out = *to + *size;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    *size += room - z.avail_out;
    deflateEnd(&z);
}

static inline void write_gzip(const text_fixture *f, const char *text) {
    unsigned char *bytes = NULL;
    size_t size = 0;
    add_member(&bytes, &size, text, strlen(text));
    write_bytes(f, bytes, size);
    free(bytes);
}

#endif
