/* Bytes that grow, for mutators. */
#ifndef FUZZ_BLOB_H
#define FUZZ_BLOB_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {0} is empty. There is always room for one NUL behind the bytes. */
typedef struct {
    uint8_t *bytes;
    size_t size, capacity;
} blob;

static inline void blob_reserve(blob *b, size_t size) {
    if (size < b->capacity) return;
    b->capacity = 2 * size + 512;
    b->bytes = realloc(b->bytes, b->capacity);
    if (!b->bytes) abort();
}

/* Replaces `old` bytes at `at` by others, which may be NULL for zeros. They must not lie in the blob. */
static inline void blob_replace(blob *b, size_t at, size_t old, const void *bytes, size_t size) {
    blob_reserve(b, b->size - old + size);
    memmove(b->bytes + at + size, b->bytes + at + old, b->size - at - old);
    if (bytes && size) memcpy(b->bytes + at, bytes, size);
    else if (size) memset(b->bytes + at, 0, size);
    b->size += size - old;
}

static inline void blob_put(blob *b, const void *bytes, size_t size) { blob_replace(b, b->size, 0, bytes, size); }
static inline void blob_text(blob *b, const char *text) { blob_put(b, text, strlen(text)); }

/* Little endian. */
static inline void blob_number(blob *b, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) blob_put(b, &(uint8_t){(uint8_t)(value >> 8 * i)}, 1);
}

static inline blob blob_copy(const void *bytes, size_t size) {
    blob b = {0};
    blob_reserve(&b, 1);
    blob_put(&b, bytes, size);
    return b;
}

static inline void blob_free(blob *b) {
    free(b->bytes);
    *b = (blob){0};
}

/* The other's bytes become those of `b`; the other is empty then. */
static inline void blob_move(blob *b, blob *other) {
    free(b->bytes);
    *b = *other;
    *other = (blob){0};
}

static inline uint64_t read_number(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)at[i] << 8 * i;
    return value;
}

#endif
