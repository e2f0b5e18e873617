/* Memory of a context. Blocks go back with gpri_free of the same context. */
#ifndef GPRI_MEMORY_H
#define GPRI_MEMORY_H

#include <stdbool.h>

#include "base/status.h"

/* count * size bytes, 64-byte aligned; contents undefined (gpri_alloc) or zero (gpri_calloc). *out is NULL on
   failure. A count of 0 gives a valid block. Checks count * size for overflow. `what` names it in the error. */
gpr_status gpri_alloc(gpr_ctx *ctx, void *out, int64_t count, size_t size, const char *what) GPRI_MUST_CHECK;
gpr_status gpri_calloc(gpr_ctx *ctx, void *out, int64_t count, size_t size, const char *what) GPRI_MUST_CHECK;
/* The same, with a copy of what lies at `from`. */
gpr_status gpri_copy(gpr_ctx *ctx, void *out, const void *from, int64_t count, size_t size,
                     const char *what) GPRI_MUST_CHECK;
/* Grows *block to at least `count` elements, doubling *capacity; keeps the contents. Blocks made so are freed
   with gpri_free too. On failure *block is unchanged and still the caller's. */
gpr_status gpri_grow(gpr_ctx *ctx, void *block, int64_t *capacity, int64_t count, size_t size,
                     const char *what) GPRI_MUST_CHECK;
void gpri_free(gpr_ctx *ctx, void *block); /* NULL is fine */
/* Several blocks: gpri_free_all(ctx, a, b, c). */
#define gpri_free_all(ctx, ...) \
    gpri_free_blocks(ctx, (void *const[]){__VA_ARGS__}, sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
void gpri_free_blocks(gpr_ctx *ctx, void *const *blocks, size_t count);
/* Asks the system for large pages, where a block is read at random: most reads of a small page begin with a search for
   the page itself. Only a hint. */
void gpri_wide_pages(void *block, int64_t bytes);
/* Hints for memory that may be a mapped file: it will be read from its beginning to its end; these bytes come next. */
void gpri_pages_in_order(const void *at, int64_t bytes);
void gpri_pages_ahead(const void *at, int64_t bytes);
gpr_status gpri_strdup(gpr_ctx *ctx, char **out, const char *text) GPRI_MUST_CHECK;

/* For qsort: ascending numbers. */
int gpri_by_size(const void *a, const void *b);  /* uint64_t */
int gpri_by_value(const void *a, const void *b); /* double */

/* "7.2 GB", "1.5 MB", "12 bytes": for messages. Returns out. */
#define GPRI_SIZE_TEXT 32
const char *gpri_size_text(char out[GPRI_SIZE_TEXT], double bytes);

/* a * b into *out; false on overflow or a negative factor. */
bool gpri_mul_size(int64_t a, int64_t b, int64_t *out);
/* The bytes of `count` elements of `size` bytes; false if they are more than `most`. Sizes have 64 bits on every
   machine, but what a machine can allocate has those of its size_t. */
bool gpri_block_size(size_t *out, int64_t count, size_t size, size_t most);

#endif
