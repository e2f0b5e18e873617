/* One file over HTTP: continued where an earlier attempt broke off, and tried again when the server fails. */
#include "fetch/download.h"

#ifndef GPRI_HAVE_CURL

bool gpri_can_download(void) { return false; }

gpr_status gpri_download_file(gpr_ctx *ctx, gpri_download *job) {
    (void)ctx;
    job->resumed = false;
    job->loaded = 0;
    return gpri_fail(GPR_ERROR_NETWORK, "cannot load %s: this build has no downloads (GPRGNN_CURL is OFF)", job->url);
}

#else

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fetch/curl.h"

#ifndef GPRI_VERSION
#define GPRI_VERSION "0.0.0"
#endif

#define MOST_UNKNOWN ((int64_t)1 << 30) /* bytes of a file whose size is not known */
#define LEAST_SPEED 100L                /* bytes per second; less is a stall */
#define MOST_PAUSE 30.0                 /* seconds, whatever a server asks for */

typedef struct transfer {
    gpr_ctx *ctx;
    gpri_download *job;
    gpri_curl curl; /* the library */
    CURL *handle;
    int64_t at;        /* bytes in the file */
    int64_t total;     /* of the whole; 0: not known */
    int64_t start;     /* where the answer says that it begins; -1: it does not */
    bool begun;        /* bytes of an answer that fits have come */
    bool unfit;        /* the answer does not begin where the file ends */
    bool stopped;      /* by the tick */
    gpr_status status; /* of what failed on this side */
    char why[CURL_ERROR_SIZE];
} transfer;

/* What an attempt came to. */
typedef enum outcome { LOADED, TRY_AGAIN, BEGIN_ANEW, FAILED } outcome;

bool gpri_can_download(void) { return true; }

/* ---- Callbacks of libcurl --------------------------------------------------------------------------- */

/* A header line, not NUL-terminated. Those of redirections come too: each answer begins with a line HTTP/... */
static size_t take_header(char *line, size_t one, size_t size, void *user) {
    transfer *t = user;
    char text[64];
    long long start;
    snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1), line);
    if (strncmp(text, "HTTP/", 5) == 0) t->start = -1;
    if (strncasecmp(text, "Content-Range:", 14) == 0 && sscanf(text + 14, " bytes %lld-", &start) == 1)
        t->start = start;
    return one * size;
}

/* The answer's head is complete: is it the file, or the rest of it? */
static bool begin(transfer *t) {
    const gpri_download *job = t->job;
    long code = 0;
    curl_off_t length = -1;
    char *type = NULL;
    t->curl.easy_getinfo(t->handle, CURLINFO_RESPONSE_CODE, &code);
    t->curl.easy_getinfo(t->handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    t->curl.easy_getinfo(t->handle, CURLINFO_CONTENT_TYPE, &type);
    const int64_t start = code == 206 ? t->start : 0;
    t->unfit = start != 0 && start != t->at;
    if (t->unfit && t->at > 0) return false;
    if (t->unfit || (code != 200 && code != 206)) {
        t->status = gpri_fail(GPR_ERROR_NETWORK, "cannot load %s: the server answers HTTP %ld", job->url, code);
    } else if (job->bytes && length >= 0 && start + length != job->bytes) {
        t->status = gpri_fail(GPR_ERROR_FORMAT, "%s is not the file that it should be: it has %lld bytes%s%s, not %lld",
                              job->url, (long long)(start + length), type ? " of " : "", type ? type : "",
                              (long long)job->bytes);
    } else if (start == 0 && t->at > 0) { /* the server knows no parts */
        if (ftruncate(t->job->fd, 0) != 0) t->status = gpri_fail_errno("write", job->path);
        t->job->resumed = false;
        t->at = 0;
    }
    if (t->status != GPR_OK) return false;
    t->total = job->bytes ? job->bytes : length >= 0 ? start + length : 0;
    t->begun = true;
    return true;
}

static size_t take_bytes(char *bytes, size_t one, size_t size, void *user) {
    transfer *t = user;
    gpri_download *job = t->job;
    if (!t->begun && !begin(t)) return CURL_WRITEFUNC_ERROR;
    const int64_t most = job->bytes ? job->bytes : MOST_UNKNOWN;
    if ((int64_t)size > most - t->at) {
        t->status = gpri_fail(GPR_ERROR_FORMAT, "%s is not the file that it should be: it has more than %lld bytes",
                              job->url, (long long)most);
        return CURL_WRITEFUNC_ERROR;
    }
    for (size_t left = size; left > 0;) {
        ssize_t written = pwrite(job->fd, bytes + (size - left), left, (off_t)t->at);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            t->status = gpri_fail_errno("write", job->path);
            return CURL_WRITEFUNC_ERROR;
        }
        left -= (size_t)written;
        t->at += written;
        job->loaded += written;
    }
    return one * size;
}

/* Should it go on? */
static bool report(transfer *t) {
    if (gpri_tick_now(&t->job->tick, (double)t->at, (double)t->total) != GPR_OK) t->stopped = true;
    return !t->stopped;
}

static int take_progress(void *user, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up) {
    (void)total, (void)now, (void)up_total, (void)up;
    return report(user) ? 0 : 1;
}

/* ---- Attempts ------------------------------------------------------------------------------------------ */

static bool set_up(transfer *t) {
    const gpri_download *job = t->job;
    CURL *handle = t->handle;
    CURLcode (*set)(CURL *, CURLoption, ...) = t->curl.easy_setopt;
    const bool secure = strncmp(job->url, "https:", 6) == 0;
    return set(handle, CURLOPT_URL, job->url) == CURLE_OK &&
           set(handle, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           set(handle, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https") == CURLE_OK &&
           set(handle, CURLOPT_FOLLOWLOCATION, 1L) == CURLE_OK && set(handle, CURLOPT_MAXREDIRS, 10L) == CURLE_OK &&
           set(handle, CURLOPT_FAILONERROR, 1L) == CURLE_OK &&
           set(handle, CURLOPT_NOSIGNAL, 1L) == CURLE_OK && /* the host's handlers stay as they are */
           set(handle, CURLOPT_USERAGENT, "gprgnn/" GPRI_VERSION) == CURLE_OK &&
           set(handle, CURLOPT_CONNECTTIMEOUT, (long)job->timeout) == CURLE_OK &&
           set(handle, CURLOPT_LOW_SPEED_LIMIT, LEAST_SPEED) == CURLE_OK &&
           set(handle, CURLOPT_LOW_SPEED_TIME, (long)job->timeout) == CURLE_OK &&
           set(handle, CURLOPT_ERRORBUFFER, t->why) == CURLE_OK &&
           set(handle, CURLOPT_HEADERFUNCTION, take_header) == CURLE_OK &&
           set(handle, CURLOPT_HEADERDATA, t) == CURLE_OK &&
           set(handle, CURLOPT_WRITEFUNCTION, take_bytes) == CURLE_OK &&
           set(handle, CURLOPT_WRITEDATA, t) == CURLE_OK &&
           set(handle, CURLOPT_XFERINFOFUNCTION, take_progress) == CURLE_OK &&
           set(handle, CURLOPT_XFERINFODATA, t) == CURLE_OK && set(handle, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
}

/* "//host:port/" of an address: its length goes to *size. */
static const char *host_of(const char *url, int *size) {
    const char *slashes = strstr(url, "//"), *host = slashes ? slashes + 2 : url;
    *size = (int)strcspn(host, "/?#");
    return host;
}

/* What an answer of 400 and above means. */
static outcome judge_answer(transfer *t, long code) {
    const char *url = t->job->url;
    if (code == 416 && t->at > 0) return BEGIN_ANEW; /* the file there ends before ours does */
    if (code == 404 || code == 410) {
        t->status = gpri_fail(GPR_ERROR_NOT_FOUND, "cannot load %s: the server has no such file (HTTP %ld)", url, code);
        return FAILED;
    }
    t->status = gpri_fail(GPR_ERROR_NETWORK, "cannot load %s: the server answers HTTP %ld", url, code);
    return code >= 500 || code == 429 || code == 408 ? TRY_AGAIN : FAILED;
}

static outcome judge(transfer *t, CURLcode result) {
    const char *url = t->job->url, *why = t->why[0] ? t->why : t->curl.easy_strerror(result);
    long code = 0;
    int size;
    const char *host = host_of(url, &size);
    t->curl.easy_getinfo(t->handle, CURLINFO_RESPONSE_CODE, &code);
    if (t->stopped || t->status != GPR_OK) return FAILED;
    if (t->unfit) return BEGIN_ANEW;
    switch (result) {
    case CURLE_OK:
        if (!t->begun && !begin(t)) return t->unfit ? BEGIN_ANEW : FAILED; /* an answer without a byte */
        if (!t->job->bytes || t->at == t->job->bytes) return LOADED;
        t->status = gpri_fail(GPR_ERROR_NETWORK, "cannot load %s: it ends after %lld of %lld bytes", url,
                              (long long)t->at, (long long)t->job->bytes);
        return TRY_AGAIN;
    case CURLE_HTTP_RETURNED_ERROR: return judge_answer(t, code);
    case CURLE_OUT_OF_MEMORY: t->status = gpri_fail(GPR_ERROR_MEMORY, "out of memory: download"); return FAILED;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
        t->status = gpri_fail(GPR_ERROR_NETWORK, "cannot reach %.*s: %s", size, host, why);
        return FAILED;
    case CURLE_OPERATION_TIMEDOUT:
        if (code == 0 && t->at == 0)
            t->status = gpri_fail(GPR_ERROR_NETWORK, "no answer from %.*s: %s", size, host, why);
        else t->status = gpri_fail(GPR_ERROR_NETWORK, "cannot load %s: it stalls: %s", url, why);
        return TRY_AGAIN;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_SSL_CONNECT_ERROR:
        t->status = gpri_fail(GPR_ERROR_NETWORK, "cannot load %s: %s", url, why);
        return TRY_AGAIN;
    default: t->status = gpri_fail(GPR_ERROR_NETWORK, "cannot load %s: %s", url, why); return FAILED;
    }
}

static outcome attempt(transfer *t) {
    char range[32];
    t->begun = t->unfit = false;
    t->status = GPR_OK;
    t->why[0] = 0;
    snprintf(range, sizeof range, "%lld-", (long long)t->at);
    if (t->curl.easy_setopt(t->handle, CURLOPT_RANGE, t->at > 0 ? range : NULL) != CURLE_OK) {
        t->status = gpri_fail(GPR_ERROR_MEMORY, "out of memory: download");
        return FAILED;
    }
    return judge(t, t->curl.easy_perform(t->handle));
}

/* Waits before attempt `number` (the first is 0): twice as long as before the last, and as long as the server asks. */
static void pause_before(transfer *t, int number) {
    const struct timespec slice = {.tv_nsec = 20 * 1000 * 1000};
    const double doubled = t->job->pause * (double)(1 << (number < 16 ? number - 1 : 15));
    curl_off_t asked = 0;
    t->curl.easy_getinfo(t->handle, CURLINFO_RETRY_AFTER, &asked);
    double seconds = doubled > (double)asked ? doubled : (double)asked;
    if (seconds > MOST_PAUSE) seconds = MOST_PAUSE;
    gpri_log(t->ctx, GPR_LOG_WARNING, "%s; trying again in %.3g s (%d of %d)", gpr_last_error(), seconds, number,
             t->job->retries);
    for (double waited = 0; waited < seconds && report(t); waited += 0.02) nanosleep(&slice, NULL);
}

static gpr_status run(transfer *t) {
    for (int number = 0;;) {
        outcome came = attempt(t);
        if (t->stopped) break;
        if (came == LOADED || came == FAILED) return t->status;
        if (came == BEGIN_ANEW) { /* at once, and only once: an empty file is requested as a whole */
            if (ftruncate(t->job->fd, 0) != 0) return gpri_fail_errno("write", t->job->path);
            t->job->resumed = false;
            t->at = 0;
            continue;
        }
        if (number++ == t->job->retries) return t->status;
        pause_before(t, number);
        if (t->stopped) break;
    }
    return gpri_fail(GPR_ERROR_STOPPED, "stopped after %lld bytes of %s", (long long)t->at, t->job->url);
}

gpr_status gpri_download_file(gpr_ctx *ctx, gpri_download *job) {
    gpr_status status = GPR_OK;
    struct stat info;
    transfer t = {.ctx = ctx, .job = job};
    job->resumed = false;
    job->loaded = 0;
    if (fstat(job->fd, &info) != 0) return gpri_fail_errno("read", job->path);
    t.at = info.st_size;
    t.total = job->bytes;
    job->resumed = t.at > 0;
    status = gpri_curl_open(&t.curl);
    if (status != GPR_OK) return gpri_fail_prefix(status, "cannot load %s", job->url);
    t.handle = t.curl.easy_init();
    if (!t.handle) THROW(GPR_ERROR_MEMORY, "out of memory: download");
    if (!set_up(&t)) THROW(GPR_ERROR_NETWORK, "cannot load %s: libcurl refuses a setting: it is too old", job->url);
    status = run(&t);
done:
    if (t.handle) t.curl.easy_cleanup(t.handle);
    gpri_curl_close(&t.curl);
    return status;
}

#endif
