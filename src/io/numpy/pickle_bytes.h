/* The bytes of a pickle: lengths, lines, numbers and texts, each checked against what is left of the file. */
#ifndef GPRI_PICKLE_BYTES_H
#define GPRI_PICKLE_BYTES_H

#include "base/context.h"

typedef struct gpri_pickle_bytes {
    unsigned char *bytes; /* (size) */
    int64_t size, at;     /* at: the next one */
} gpri_pickle_bytes;

/* Little endian, without a sign; up to 4 bytes. */
gpr_status gpri_pickle_take_number(gpri_pickle_bytes *in, int64_t *out, int bytes) GPRI_MUST_CHECK;
/* A line without its end, made a C string in place. */
gpr_status gpri_pickle_take_line(gpri_pickle_bytes *in, char **out) GPRI_MUST_CHECK;
/* The number of instruction I, J, K, L, M, LONG1 (0x8a) or LONG4 (0x8b). *truth: it was written as True or False. */
gpr_status gpri_pickle_number(gpri_pickle_bytes *in, unsigned char op, int64_t *out, bool *truth) GPRI_MUST_CHECK;
/* Where the text of instruction S, T, U or X is; that of S is unquoted in place. */
gpr_status gpri_pickle_text(gpri_pickle_bytes *in, unsigned char op, int64_t *at, int64_t *size) GPRI_MUST_CHECK;

#endif
