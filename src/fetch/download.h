/* A file from an http or https address into an open file, by libcurl; its environment variables for proxies work. */
#ifndef GPRI_DOWNLOAD_H
#define GPRI_DOWNLOAD_H

#include "base/context.h"

typedef struct gpri_download {
    const char *url;
    int fd;           /* open for writing; what it holds is taken for the beginning, and the rest is asked for */
    const char *path; /* its name, for errors */
    int64_t bytes;    /* that the whole file has; 0: not known */
    int retries;      /* further attempts after what may pass: a stall, a cut connection, an answer 5xx */
    int timeout;      /* seconds without connection, or with hardly a byte */
    double pause;     /* seconds before the second attempt; twice as many before the third, and so on */
    /* bytes: in the file so far; total: 0 if not known. Not 0 stops. May be NULL. */
    int (*progress)(void *user, int64_t bytes, int64_t total);
    void *user;
    bool resumed;   /* out: what the file held before is its beginning now */
    int64_t loaded; /* out: bytes that came */
} gpri_download;

/* Is libcurl in this build? */
bool gpri_can_download(void);

/* GPR_ERROR_STOPPED if progress asked for it. After every error but GPR_ERROR_FORMAT, what came is in the
   file, to be continued. GPR_ERROR_NETWORK: no server, or none that helps. GPR_ERROR_NOT_FOUND: HTTP 404.
   GPR_ERROR_FORMAT: it is not a file of so many bytes; what the file held before may still be good. */
gpr_status gpri_download_file(gpr_ctx *ctx, gpri_download *job) GPRI_MUST_CHECK;

#endif
