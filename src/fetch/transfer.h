/* A download under way: what its requests and the answers to them share. */
#ifndef GPRI_TRANSFER_H
#define GPRI_TRANSFER_H

#include "fetch/address.h"
#include "fetch/answer.h"
#include "fetch/curl.h"
#include "fetch/download.h"

typedef struct gpri_transfer {
    gpr_ctx *ctx;
    gpri_download *job;
    gpri_curl curl; /* the library */
    CURL *handle;
    gpri_answer answer;
    char url[GPRI_SHOWN_ADDRESS];   /* of the job, for messages */
    char place[GPRI_SHOWN_ADDRESS]; /* where a redirection led to; "": none did */
    bool secure;                    /* an answer came over https: now all must */
    char tag[GPRI_TAG];             /* ETag of the bytes in the file; "": not known */
    int64_t at;                     /* bytes in the file */
    int64_t total;                  /* of the whole; 0: not known */
    int64_t notice;                 /* bytes of a redirection's page */
    bool begun;                     /* bytes of an answer that fits have come */
    bool unfit;                     /* the answer does not continue the file */
    bool stopped;                   /* by the tick */
    gpr_status status;              /* of what failed on this side */
    char why[CURL_ERROR_SIZE];
} gpri_transfer;

/* Sets the message and the transfer's status: "cannot load ADDRESS (redirected to ADDRESS): why". */
void gpri_transfer_fail(gpri_transfer *t, gpr_status status, const char *why);
long gpri_transfer_code(const gpri_transfer *t); /* HTTP status of the answer; 0: there is none */

/* The callbacks of libcurl for a line of the head and for bytes of the body; the last argument is the transfer. */
size_t gpri_transfer_header(char *line, size_t length, size_t size, void *user);
size_t gpri_transfer_bytes(char *bytes, size_t length, size_t size, void *user);
/* At the end of an answer: that it was one of use, even if it had no byte. False: `unfit` is set, or `status`. */
bool gpri_transfer_begin(gpri_transfer *t) GPRI_MUST_CHECK;
/* Empties the file: the next answer is to be a whole one. */
bool gpri_transfer_empty(gpri_transfer *t) GPRI_MUST_CHECK;

#endif
