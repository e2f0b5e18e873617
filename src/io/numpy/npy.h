/* The .npy format of numpy: the header of one array, and its numbers as the types that the library uses, or its
 * texts. */
#ifndef GPRI_NPY_H
#define GPRI_NPY_H

#include "base/names.h"

/* Types in memory. */
typedef enum gpri_number {
    GPRI_AS_BOOL,
    GPRI_AS_UINT8,
    GPRI_AS_INT32,
    GPRI_AS_INT64,
    GPRI_AS_FLOAT,
    GPRI_AS_DOUBLE
} gpri_number;

size_t gpri_number_size(gpri_number type); /* GPRI_AS_BOOL: a byte, 0 or 1 */

/* What the header says. */
typedef struct gpri_npy {
    char kind;      /* 'b'ool, 'i'nt, 'u'nsigned, 'f'loat; 'U': text of 4 bytes per letter, 'S': of bytes */
    char descr[32]; /* "<i8" */
    int itemsize;   /* bytes of a number, or of a text with its padding */
    bool big_endian;
    bool fortran;     /* 2-D: column after column */
    int dims;         /* 0 to 2 */
    int64_t shape[2]; /* 1 where there is no such dimension */
    int64_t count;
} gpri_npy;

typedef struct gpri_array {
    void *data;              /* of the type asked for, row after row; free with gpri_free */
    int dims;                /* 0 to 2 */
    int64_t shape[2], count; /* shape: 1 where there is no such dimension */
} gpri_array;

#define GPRI_NPY_PREAMBLE 12       /* bytes that hold the magic, the version and the header's length */
#define GPRI_NPY_MOST_HEADER 65536 /* most bytes of header text */
#define GPRI_NPY_WRITTEN 128       /* bytes that gpri_npy_write_header writes */

/* Where the text of the header begins (10 or 12) and how long it is, from the first 12 bytes of the array. */
gpr_status gpri_npy_preamble(const unsigned char *bytes, int64_t *text_at, int64_t *text_size) GPRI_MUST_CHECK;
/* text: NUL-terminated, as written by numpy: {'descr': '<i8', 'fortran_order': False, 'shape': (3,), } */
gpr_status gpri_npy_parse(gpri_npy *out, const char *text) GPRI_MUST_CHECK;
/* Numbers first .. first + count - 1 of the file's order, from `bytes`, into their places in `to` (row after row).
   Fails on the first that does not fit the type, with its place. */
gpr_status gpri_npy_convert(void *to, gpri_number type, const gpri_npy *npy, int64_t first, int64_t count,
                            const unsigned char *bytes) GPRI_MUST_CHECK;

static inline bool gpri_npy_is_text(const gpri_npy *npy) { return npy->kind == 'U' || npy->kind == 'S'; }
/* Appends texts first .. first + count - 1 of the array, from `bytes`, to `names` as UTF-8. `names` must have room for
   as many bytes as the file has, and one NUL per text. */
void gpri_npy_texts(gpri_names *names, const gpri_npy *npy, int64_t first, int64_t count, const unsigned char *bytes);

/* ---- A whole array (npy_read.c) ---- */

/* Where the bytes come from, and how many there are. */
typedef struct gpri_npy_input {
    gpr_ctx *ctx;
    gpr_status (*read)(void *from, void *to, int64_t size); /* exactly so many bytes */
    void *from;
    int64_t size;
} gpri_npy_input;

/* dims: how many are expected; -1: any from 0 to 2. what: for a message about memory. *out is zeroed on failure. */
gpr_status gpri_npy_read(const gpri_npy_input *input, gpri_array *out, gpri_number type, int dims,
                         const char *what) GPRI_MUST_CHECK;
/* A list of texts (or a single one), as UTF-8. Free with gpri_names_free. other: NULL, or set where the array is sound
   but not a list of texts: *out is empty then, and all of the input was read. */
gpr_status gpri_npy_read_names(const gpri_npy_input *input, gpri_names *out, bool *other,
                               const char *what) GPRI_MUST_CHECK;

/* The same of a .npy file; messages name it. */
gpr_status gpri_npy_file_read(gpr_ctx *ctx, gpri_array *out, const char *path, gpri_number type,
                              int dims) GPRI_MUST_CHECK;
gpr_status gpri_npy_file_read_names(gpr_ctx *ctx, gpri_names *out, const char *path) GPRI_MUST_CHECK;
/* *text: whether the file's array holds texts. Fails if it is not a .npy file. */
gpr_status gpri_npy_file_is_text(gpr_ctx *ctx, bool *text, const char *path) GPRI_MUST_CHECK;

/* ---- Writing ---- */

/* Header of a list of `count` texts of `letters` letters each ('<U7'). */
void gpri_npy_write_text_header(char out[GPRI_NPY_WRITTEN], int64_t letters, int64_t count);
/* The texts of such a list: (count x letters) code points; the caller's to free. *letters: of the longest, at least 1.
   Bytes that are not UTF-8 become '?'. */
gpr_status gpri_npy_pack_names(gpr_ctx *ctx, uint32_t **out, int64_t *letters, const gpri_names *names) GPRI_MUST_CHECK;

/* A version 1.0 header for an array in this machine's memory; code: "i8", its byte order is added, or "|b1". */
void gpri_npy_write_header_of(char out[GPRI_NPY_WRITTEN], const char *code, int dims, const int64_t *shape);
void gpri_npy_write_header(char out[GPRI_NPY_WRITTEN], gpri_number type, int dims, const int64_t *shape);

#endif
