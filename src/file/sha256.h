/* SHA-256 (FIPS 180-4). Written here: it is one page, and the program needs nothing else of a cryptographic library. */
#ifndef GPRI_SHA256_H
#define GPRI_SHA256_H

#include "base/status.h"

#define GPRI_SHA256_HEX 65 /* 64 digits and the NUL */

typedef struct gpri_sha256 {
    uint32_t state[8];
    uint64_t size;     /* bytes so far */
    uint8_t block[64]; /* the last size % 64 of them */
} gpri_sha256;

void gpri_sha256_begin(gpri_sha256 *hash);
void gpri_sha256_add(gpri_sha256 *hash, const void *bytes, size_t size);
void gpri_sha256_end(gpri_sha256 *hash, char hex[GPRI_SHA256_HEX]); /* begin again before the next use */

/* Of a whole open file, wherever it stands; `path` names it in errors. */
gpr_status gpri_sha256_file(char hex[GPRI_SHA256_HEX], int fd, const char *path) GPRI_MUST_CHECK;
/* Of the regular file at `path`, a file of a run. */
gpr_status gpri_sha256_path(char hex[GPRI_SHA256_HEX], const char *path) GPRI_MUST_CHECK;

#endif
