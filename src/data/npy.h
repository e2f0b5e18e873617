/* The .npy format of numpy: the header of one array, and its numbers as the types that the library uses. */
#ifndef GPRI_NPY_H
#define GPRI_NPY_H

#include "base/context.h"

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
    char kind;    /* 'b'ool, 'i'nt, 'u'nsigned, 'f'loat */
    int itemsize; /* bytes of a number */
    bool big_endian;
    bool fortran;     /* 2-D: column after column */
    int dims;         /* 0 to 2 */
    int64_t shape[2]; /* 1 where there is no such dimension */
    int64_t count;
} gpri_npy;

#define GPRI_NPY_PREAMBLE 12       /* bytes that hold the magic, the version and the header's length */
#define GPRI_NPY_MOST_HEADER 65536 /* bytes of header text that are taken */
#define GPRI_NPY_WRITTEN 128       /* bytes that gpri_npy_write_header writes */

/* Where the text of the header begins (10 or 12) and how long it is, from the first 12 bytes of the array. */
gpr_status gpri_npy_preamble(const unsigned char *bytes, int64_t *text_at, int64_t *text_size) GPRI_MUST_CHECK;
/* text: NUL-terminated, as written by numpy: {'descr': '<i8', 'fortran_order': False, 'shape': (3,), } */
gpr_status gpri_npy_parse(gpri_npy *out, const char *text) GPRI_MUST_CHECK;
/* Numbers first .. first + count - 1 of the file's order, from `bytes`, into their places in `to` (row after row).
   Fails on the first that does not fit the type, with its place. */
gpr_status gpri_npy_convert(void *to, gpri_number type, const gpri_npy *npy, int64_t first, int64_t count,
                            const unsigned char *bytes) GPRI_MUST_CHECK;

/* A version 1.0 header for an array in this machine's memory. */
void gpri_npy_write_header(char out[GPRI_NPY_WRITTEN], gpri_number type, int dims, const int64_t *shape);

#endif
