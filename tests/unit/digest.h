/* The digest of a model file, for tests that change one. */
#ifndef TEST_DIGEST_H
#define TEST_DIGEST_H

#include <string.h>

#include "file/sha256.h"

/* Makes the digest in the bytes right, if they have one: as docs/files.md says, the SHA-256 with zeros in the place of
   its digits. A NUL follows the bytes. */
static inline void make_digest_right(char *bytes, size_t size) {
    static const char before[] = "\"sha256\":\"";
    char hex[GPRI_SHA256_HEX], *place = strstr(bytes + 8, before);
    gpri_sha256 hash;
    if (!place) return;
    place += sizeof before - 1;
    if (strcspn(place, "\"") != GPRI_SHA256_HEX - 1) return;
    memset(place, '0', GPRI_SHA256_HEX - 1);
    gpri_sha256_begin(&hash);
    gpri_sha256_add(&hash, bytes, size);
    gpri_sha256_end(&hash, hex);
    memcpy(place, hex, GPRI_SHA256_HEX - 1);
}

#endif
