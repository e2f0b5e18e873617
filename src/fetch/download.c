/* One file over HTTP: continued where an earlier attempt broke off, and tried again when the server fails.
 *
 * Redirections are followed here and not by libcurl, whose limits on them are the same for all steps: after one answer
 * over https none may lead back to http. */
#include "fetch/download.h"

#ifndef GPRI_HAVE_CURL

bool gpri_can_download(void) { return false; }

gpr_status gpri_download_file(GPRI_UNUSED gpr_ctx *ctx, gpri_download *job) {
    job->pieced = false;
    job->loaded = 0;
    return gpri_fail(GPR_ERROR_NETWORK, "cannot load %s: this build has no downloads (GPRGNN_CURL is OFF)", job->url);
}

#else

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "fetch/transfer.h"

#ifndef GPRI_VERSION
#define GPRI_VERSION "0.0.0"
#endif

#define LEAST_SPEED 100L /* bytes per second; less is a stall */
#define MOST_PAUSE 30.0  /* seconds between two attempts, unless the server asks for more */
#define MOST_ASKED 120.0 /* seconds that a server may ask for */
#define MOST_STEPS 10    /* redirections */

/* What an attempt came to. */
typedef enum outcome { LOADED, TRY_AGAIN, BEGIN_ANEW, FAILED } outcome;

bool gpri_can_download(void) { return true; }

static outcome fail(gpri_transfer *t, outcome came, gpr_status status, const char *why) {
    gpri_transfer_fail(t, status, why);
    return came;
}

/* Should it go on? */
static bool report(gpri_transfer *t) {
    if (gpri_tick_now(&t->job->tick, (double)t->at, (double)t->total) != GPR_OK) t->stopped = true;
    return !t->stopped;
}

static int take_progress(void *user, GPRI_UNUSED curl_off_t total, GPRI_UNUSED curl_off_t now,
                         GPRI_UNUSED curl_off_t up_total, GPRI_UNUSED curl_off_t up) {
    return report(user) ? 0 : 1;
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

static bool set_up(gpri_transfer *t) {
    const gpri_download *job = t->job;
    CURL *handle = t->handle;
    CURLcode (*set)(CURL *, CURLoption, ...) = t->curl.easy_setopt;
    return set(handle, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK && /* libcurl 7.85 */
           set(handle, CURLOPT_FAILONERROR, 1L) == CURLE_OK &&
           set(handle, CURLOPT_NOSIGNAL, 1L) == CURLE_OK && /* the host's handlers stay as they are */
           set(handle, CURLOPT_USERAGENT, "gprgnn/" GPRI_VERSION) == CURLE_OK &&
           set(handle, CURLOPT_HTTP09_ALLOWED, 0L) == CURLE_OK &&
           set(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) == CURLE_OK && /* those of a proxy */
           set(handle, CURLOPT_ACCEPT_ENCODING, "identity") == CURLE_OK &&  /* checksums are of the file itself */
           set(handle, CURLOPT_HTTP_CONTENT_DECODING, 0L) == CURLE_OK &&
           set(handle, CURLOPT_CONNECTTIMEOUT, (long)job->timeout) == CURLE_OK &&
           set(handle, CURLOPT_LOW_SPEED_LIMIT, LEAST_SPEED) == CURLE_OK &&
           set(handle, CURLOPT_LOW_SPEED_TIME, (long)job->timeout) == CURLE_OK &&
           set(handle, CURLOPT_ERRORBUFFER, t->why) == CURLE_OK &&
           set(handle, CURLOPT_HEADERFUNCTION, gpri_transfer_header) == CURLE_OK &&
           set(handle, CURLOPT_HEADERDATA, t) == CURLE_OK &&
           set(handle, CURLOPT_WRITEFUNCTION, gpri_transfer_bytes) == CURLE_OK &&
           set(handle, CURLOPT_WRITEDATA, t) == CURLE_OK &&
           set(handle, CURLOPT_XFERINFOFUNCTION, take_progress) == CURLE_OK &&
           set(handle, CURLOPT_XFERINFODATA, t) == CURLE_OK && set(handle, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
}

static double seconds_left(const gpri_transfer *t) { return t->job->deadline - gpri_seconds_now(); }

/* One request. libcurl decides what protocol the address names, however that is spelled. */
static CURLcode request(gpri_transfer *t, const char *url, struct curl_slist *headers) {
    CURLcode (*set)(CURL *, CURLoption, ...) = t->curl.easy_setopt;
    char range[32];
    const char *scheme = NULL;
    const double left = seconds_left(t);
    snprintf(range, sizeof range, "%lld-", (long long)t->at);
    gpri_answer_begin(&t->answer);
    t->notice = 0;
    t->why[0] = 0;
    if (left <= 0) return CURLE_OPERATION_TIMEDOUT;
    if (gpri_address_is(url, "https")) t->secure = true; /* now: the address may belong to the last request */
    CURLcode result = set(t->handle, CURLOPT_URL, url);
    if (result == CURLE_OK) result = set(t->handle, CURLOPT_PROTOCOLS_STR, t->secure ? "https" : "http,https");
    if (result == CURLE_OK) result = set(t->handle, CURLOPT_RANGE, t->at > 0 ? range : NULL);
    if (result == CURLE_OK) result = set(t->handle, CURLOPT_HTTPHEADER, headers);
    if (result == CURLE_OK) result = set(t->handle, CURLOPT_TIMEOUT_MS, (long)((left < 1e6 ? left : 1e6) * 1e3) + 1);
    if (result == CURLE_OK) result = t->curl.easy_perform(t->handle);
    t->curl.easy_getinfo(t->handle, CURLINFO_SCHEME, &scheme);
    if (scheme && strcasecmp(scheme, "https") == 0) t->secure = true;
    return result;
}

/* Where the answer redirects to, absolute; NULL: it does not. Belongs to libcurl until the next request. */
static const char *next_place(const gpri_transfer *t) {
    char *place = NULL;
    t->curl.easy_getinfo(t->handle, CURLINFO_REDIRECT_URL, &place);
    return gpri_transfer_code(t) / 100 == 3 ? place : NULL;
}

/* ---- What an answer means ------------------------------------------------------------------------------ */

/* What an answer of 400 and above means. */
static outcome judge_refusal(gpri_transfer *t, long code) {
    char why[96];
    const char *hint = code == 401   ? ": it wants a name and a password"
                       : code == 407 ? ": the proxy wants a name and a password"
                                     : "";
    if (code == 416 && t->at > 0 && t->answer.total == t->at) return LOADED; /* nothing is missing */
    if (code == 416 && t->at > 0) return BEGIN_ANEW; /* the file there ends before ours does */
    if (code == 404 || code == 410) {
        snprintf(why, sizeof why, "the server has no such file (HTTP %ld)", code);
        return fail(t, FAILED, GPR_ERROR_NOT_FOUND, why);
    }
    snprintf(why, sizeof why, "the server answers HTTP %ld%s", code, hint);
    return fail(t, code >= 500 || code == 429 || code == 408 ? TRY_AGAIN : FAILED, GPR_ERROR_NETWORK, why);
}

static outcome judge_end(gpri_transfer *t) {
    char why[96];
    if (!t->begun && !gpri_transfer_begin(t)) return t->unfit ? BEGIN_ANEW : FAILED; /* an answer without a byte */
    if (t->total && t->at != t->total) {
        snprintf(why, sizeof why, "it ends after %lld of %lld bytes", (long long)t->at, (long long)t->total);
        return fail(t, TRY_AGAIN, GPR_ERROR_NETWORK, why);
    }
    if (t->at > 0) return LOADED;
    t->status = gpri_fail(GPR_ERROR_FORMAT, "%s is not the file that it should be: it is empty", t->url);
    return FAILED;
}

static outcome judge_time(gpri_transfer *t, const char *why) {
    char text[CURL_ERROR_SIZE + 64], host[GPRI_SHOWN_ADDRESS];
    if (seconds_left(t) < 0.01) {
        snprintf(text, sizeof text, "the time is over after %lld bytes (`max-time`)", (long long)t->at);
        return fail(t, FAILED, GPR_ERROR_NETWORK, text);
    }
    gpri_address_host(host, t->place[0] ? t->place : t->url);
    if (gpri_transfer_code(t) == 0 && t->answer.head == 0)
        t->status = gpri_fail(GPR_ERROR_NETWORK, "no answer from %s for %s: %s", host, t->url, why);
    else {
        snprintf(text, sizeof text, "it stalls: %s", why);
        fail(t, TRY_AGAIN, GPR_ERROR_NETWORK, text);
    }
    return TRY_AGAIN;
}

/* libcurl also calls it so when a line of the head does not fit into its buffer. */
static outcome judge_memory(gpri_transfer *t) {
    long sent = 0;
    t->curl.easy_getinfo(t->handle, CURLINFO_REQUEST_SIZE, &sent);
    if (sent > 0 && !t->begun)
        return fail(t, FAILED, GPR_ERROR_NETWORK, "a line of its answer has no end (or memory is short)");
    t->status = gpri_fail(GPR_ERROR_MEMORY, "out of memory: download");
    return FAILED;
}

static outcome judge(gpri_transfer *t, CURLcode result) {
    const char *why = t->why[0] ? t->why : t->curl.easy_strerror(result);
    char host[GPRI_SHOWN_ADDRESS], text[CURL_ERROR_SIZE + GPRI_SHOWN_ADDRESS + 32];
    if (t->place[0]) gpri_show_ascii(t->why);
    if (t->stopped || t->status != GPR_OK) return FAILED;
    if (t->unfit) return BEGIN_ANEW;
    switch (result) {
    case CURLE_OK: return judge_end(t);
    case CURLE_HTTP_RETURNED_ERROR: return judge_refusal(t, gpri_transfer_code(t));
    case CURLE_OUT_OF_MEMORY: return judge_memory(t);
    case CURLE_OPERATION_TIMEDOUT: return judge_time(t, why);
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
        gpri_address_host(host, t->place[0] ? t->place : t->url);
        snprintf(text, sizeof text, "cannot reach %s: %s", host, why);
        if (t->place[0]) return fail(t, FAILED, GPR_ERROR_NETWORK, text);
        t->status = gpri_fail(GPR_ERROR_NETWORK, "%s", text);
        return FAILED;
    case CURLE_PEER_FAILED_VERIFICATION:
        snprintf(text, sizeof text, "the server's certificate cannot be trusted: %s", why);
        return fail(t, FAILED, GPR_ERROR_NETWORK, text);
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_SSL_CONNECT_ERROR: return fail(t, TRY_AGAIN, GPR_ERROR_NETWORK, why);
    default: return fail(t, FAILED, GPR_ERROR_NETWORK, why);
    }
}

/* ---- Attempts ------------------------------------------------------------------------------------------ */

/* Requests the file, or what is missing of it, and follows redirections. */
static outcome follow(gpri_transfer *t, struct curl_slist *headers) {
    const char *url = t->job->url;
    for (int step = 0; step <= MOST_STEPS; step++) {
        const CURLcode result = request(t, url, headers);
        const char *next = result == CURLE_OK ? next_place(t) : NULL;
        if (!next) return judge(t, result);
        gpri_address_show(t->place, next);
        gpri_show_ascii(t->place);
        if (!gpri_address_is(next, "https") && !gpri_address_is(next, "http"))
            return fail(t, FAILED, GPR_ERROR_NETWORK, "only http and https are followed");
        if (t->secure && !gpri_address_is(next, "https"))
            return fail(t, FAILED, GPR_ERROR_NETWORK, "a redirection from https to http is not followed");
        url = next;
    }
    return fail(t, FAILED, GPR_ERROR_NETWORK, "it redirects again and again");
}

static outcome attempt(gpri_transfer *t) {
    struct curl_slist *headers = NULL;
    char line[sizeof t->tag + 16];
    t->begun = t->unfit = t->secure = false;
    t->status = GPR_OK;
    t->place[0] = 0;
    if (t->at > 0 && t->tag[0]) { /* a server whose file has changed then sends all of it */
        snprintf(line, sizeof line, "If-Range: %s", t->tag);
        headers = t->curl.slist_append(NULL, line);
        if (!headers) {
            t->status = gpri_fail(GPR_ERROR_MEMORY, "out of memory: download");
            return FAILED;
        }
    }
    const outcome came = follow(t, headers);
    t->curl.easy_setopt(t->handle, CURLOPT_HTTPHEADER, NULL);
    t->curl.slist_free_all(headers);
    return came;
}

/* Waits before attempt `number` (the first is 0): twice as long as before the last, and as long as the server asks.
   False: it is of no use to wait so long; the message says it. */
static bool pause_before(gpri_transfer *t, int number) {
    const struct timespec slice = {.tv_nsec = 20 * 1000 * 1000};
    double seconds = t->job->pause * (double)(1 << (number < 16 ? number - 1 : 15));
    curl_off_t asked = 0;
    t->curl.easy_getinfo(t->handle, CURLINFO_RETRY_AFTER, &asked);
    if (seconds > MOST_PAUSE) seconds = MOST_PAUSE;
    if (seconds < (double)asked) seconds = (double)asked;
    if (seconds > MOST_ASKED || seconds >= seconds_left(t)) {
        if (asked > 0 && (double)asked == seconds)
            t->status = gpri_fail(GPR_ERROR_NETWORK, "%s; it asks to wait %lld s, which is too long", gpr_last_error(),
                                  (long long)asked);
        else
            t->status = gpri_fail(GPR_ERROR_NETWORK, "%s; no time is left to try again (`max-time`)", gpr_last_error());
        return false;
    }
    gpri_log(t->ctx, GPR_LOG_WARNING, "%s; trying again in %.3g s (%d of %d)", gpr_last_error(), seconds, number,
             t->job->retries);
    const double end = gpri_seconds_now() + seconds;
    while (gpri_seconds_now() < end && report(t)) nanosleep(&slice, NULL);
    return true;
}

static gpr_status run(gpri_transfer *t) {
    for (int number = 0;;) {
        outcome came = attempt(t);
        if (t->stopped) break;
        if (came == LOADED || came == FAILED) return t->status;
        if (came == BEGIN_ANEW) { /* at once, and only once: an empty file is requested as a whole */
            if (!gpri_transfer_empty(t)) return t->status;
            continue;
        }
        if (number++ == t->job->retries || !pause_before(t, number)) return t->status;
        if (t->stopped) break;
    }
    return gpri_fail(GPR_ERROR_STOPPED, "stopped after %lld bytes of %s", (long long)t->at, t->url);
}

gpr_status gpri_download_file(gpr_ctx *ctx, gpri_download *job) {
    gpr_status status = GPR_OK;
    struct stat info;
    gpri_transfer t = {.ctx = ctx, .job = job};
    job->loaded = 0;
    if (fstat(job->fd, &info) != 0) return gpri_fail_errno("read", job->path);
    gpri_address_show(t.url, job->url);
    t.at = info.st_size;
    t.total = job->bytes;
    job->pieced = t.at > 0;
    status = gpri_curl_open(&t.curl);
    if (status != GPR_OK) return gpri_fail_prefix(status, "cannot load %s", t.url);
    t.handle = t.curl.easy_init();
    if (!t.handle) THROW(GPR_ERROR_MEMORY, "out of memory: download");
    if (!set_up(&t))
        THROW(GPR_ERROR_NETWORK, "cannot load %s: libcurl refuses a setting: it must be 7.85 or newer", t.url);
    status = run(&t);
done:
    if (t.handle) t.curl.easy_cleanup(t.handle);
    gpri_curl_close(&t.curl);
    return status;
}

#endif
