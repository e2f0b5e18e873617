/* The safetensors container: named arrays of numbers, and texts about them, in a file or in memory (8 bytes of header
 * length, a JSON header, raw little-endian numbers). What a model puts into one is in model_file.c. */
#ifndef GPRI_SAFETENSORS_H
#define GPRI_SAFETENSORS_H

#include "base/json.h"

typedef struct gpri_stored_array {
    const char *name;
    const char *dtype;  /* "F32", "F64", "I64", "I32" or "U8" */
    int axes;           /* 1 or 2 */
    int64_t shape[2];   /* shape[1] is 1 where there is one axis */
    const void *values; /* row after row; of an array that was read: borrowed, at any address */
} gpri_stored_array;

/* A key of the metadata. Where the metadata has it, whatever its text, the writer puts the digest of the bytes there:
   the SHA-256, in hex, of all bytes from the first to the last, with a '0' in the place of each of its 64 digits. So
   every byte counts. It finds damage; it is no signature. */
#define GPRI_DIGEST_KEY "sha256"

/* metadata: an object whose values are texts; the call always takes it over. NULL: jansson ran out of memory, and the
   call says so. The same input gives the same bytes. */
gpr_status gpri_safetensors_save(gpr_ctx *ctx, const char *path, json_t *metadata, const gpri_stored_array *arrays,
                                 int count) GPRI_MUST_CHECK;
/* The same into memory; free with gpri_free. */
gpr_status gpri_safetensors_bytes(gpr_ctx *ctx, char **bytes, int64_t *size, json_t *metadata,
                                  const gpri_stored_array *arrays, int count) GPRI_MUST_CHECK;

typedef struct gpri_safetensors {
    json_t *header;
    const char *bytes; /* (size) all of it */
    int64_t size;
    const char *data; /* (data_size) the numbers */
    int64_t data_size;
    const char *path, *kind, *noun; /* for messages: "m.safetensors", "model file", "weight" */
} gpri_safetensors;

/* Reads the header of `size` bytes. The bytes and the three words for messages are borrowed and must outlive *out. All
   sizes in the header are checked before use. */
gpr_status gpri_safetensors_open(gpri_safetensors *out, const char *bytes, int64_t size, const char *path,
                                 const char *kind, const char *noun) GPRI_MUST_CHECK;
void gpri_safetensors_close(gpri_safetensors *file); /* safe on one that could not be opened */
/* Checks the digest; *found: whether there is one. */
gpr_status gpri_safetensors_verify(const gpri_safetensors *file, bool *found) GPRI_MUST_CHECK;
/* NULL: there is none. */
const json_t *gpri_safetensors_metadata(const gpri_safetensors *file);
/* The arrays one after the other: *at is NULL before the first, and again after the last; *out is not filled in then.
   dtype: the type that is expected; NULL: any of the five. */
gpr_status gpri_safetensors_next(const gpri_safetensors *file, void **at, gpri_stored_array *out,
                                 const char *dtype) GPRI_MUST_CHECK;
/* The same in two steps, where the name says which type is expected: the name of the next array, or NULL; the array. */
const char *gpri_safetensors_name(const gpri_safetensors *file, void **at);
gpr_status gpri_safetensors_read(const gpri_safetensors *file, void *at, gpri_stored_array *out,
                                 const char *dtype) GPRI_MUST_CHECK;
/* Checks that these arrays of the file, `count` of them, cover its data: no overlap, no gap, no rest. Sorts them by
   their place. */
gpr_status gpri_safetensors_cover(const gpri_safetensors *file, gpri_stored_array *arrays, int count) GPRI_MUST_CHECK;

#endif
