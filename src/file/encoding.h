/* Encodings of text other than UTF-8, and how they become UTF-8. */
#ifndef GPRI_ENCODING_H
#define GPRI_ENCODING_H

#include "base/context.h"

typedef enum gpri_encoding {
    GPRI_BYTES,  /* UTF-8 or anything else: the bytes as they are */
    GPRI_UTF8,   /* checked */
    GPRI_LATIN1, /* ISO 8859-1; the bytes 0x80 to 0x9f are Windows-1252's letters, as browsers read it */
    GPRI_UTF16   /* its byte order mark says which byte comes first; without one the lower does */
} gpri_encoding;

/* Bytes that gpri_decode may write for each byte that it reads. */
#define GPRI_DECODED_BYTES 3

/* Turns bytes of LATIN1 or UTF16 into UTF-8. to: (GPRI_DECODED_BYTES x size + 4). ended: no byte follows. Returns how
   many bytes were used: a letter that is cut at the end waits for more. What is no letter becomes U+FFFD. */
int64_t gpri_decode(gpri_encoding from, bool big_endian, char *to, int64_t *written, const unsigned char *bytes,
                    int64_t size, bool ended);

#endif
