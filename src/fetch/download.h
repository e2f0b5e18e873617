/* A file from an http or https address into an open file, by libcurl; its environment variables for proxies work.
 * The server is not trusted: whatever it answers, the download ends in bounded time with a bounded number of bytes. */
#ifndef GPRI_DOWNLOAD_H
#define GPRI_DOWNLOAD_H

#include "base/context.h"

#define GPRI_MOST_UNKNOWN ((int64_t)64 << 20) /* bytes of a file whose size is not known */

typedef struct gpri_download {
    const char *url;
    int fd;           /* open for writing; its contents are the beginning of the file, and the rest is requested */
    const char *path; /* its name, for errors */
    int64_t bytes;    /* that the whole file has; 0: not known */
    int retries;      /* further attempts after a fault that may pass: a stall, a cut connection, an answer 5xx */
    int timeout;      /* seconds without a connection, or with almost no bytes */
    double pause;     /* seconds before the second attempt; twice as many before the third, and so on */
    double deadline;  /* of gpri_seconds_now; whatever the server does, nothing goes on after it */
    gpri_tick tick;   /* bytes in the file so far, of how many */
    bool pieced;      /* out: the file was put together from two answers or more, an earlier download's included */
    int64_t loaded;   /* out: bytes that came */
} gpri_download;

/* Is libcurl in this build? */
bool gpri_can_download(void);

/* GPR_ERROR_STOPPED if the tick ended it. After every error but GPR_ERROR_FORMAT, what came is in the file, to be
   continued. GPR_ERROR_NETWORK: no server, or none that helps, or the deadline. GPR_ERROR_NOT_FOUND: HTTP 404.
   GPR_ERROR_FORMAT: it is not a file of so many bytes; what the file held before may still be good. */
gpr_status gpri_download_file(gpr_ctx *ctx, gpri_download *job) GPRI_MUST_CHECK;

#endif
