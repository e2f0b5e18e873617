/* The head of an HTTP answer: what its lines say about the file. A server may write anything there. */
#ifndef GPRI_ANSWER_H
#define GPRI_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GPRI_MOST_HEAD = 256 * 1024, /* bytes; usual heads have below 4 kB */
    GPRI_TAG = 128,
};

typedef struct gpri_answer {
    int64_t head;               /* bytes of all heads since gpri_answer_begin, also of those before the last one */
    int64_t length;             /* Content-Length; -1: not stated */
    int64_t start, last, total; /* Content-Range: first byte, last byte, how many there are; -1: not stated */
    char tag[GPRI_TAG];         /* a strong ETag with its quotes; "": none, or one that is too long */
    char type[64];              /* Content-Type without its parameters; "": not stated */
    char encoding[32];          /* Content-Encoding, unless it is identity; "": none */
    const char *fault;          /* what is wrong with the head; NULL: nothing */
} gpri_answer;

void gpri_answer_begin(gpri_answer *answer);
/* Takes one line, which need not end with a NUL and may hold one. A line "HTTP/..." begins another head: that of a 100
   is followed by the one that counts. False: `fault` says why the answer cannot be used. */
bool gpri_answer_line(gpri_answer *answer, const char *line, size_t size);

#endif
