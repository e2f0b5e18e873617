/* What arrives in a download: is it the file, or the rest of it, and not more than that? */
#ifdef GPRI_HAVE_CURL

#include "fetch/transfer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define MOST_NOTICE (1 << 16) /* bytes of the page that comes with a redirection */

void gpri_transfer_fail(gpri_transfer *t, gpr_status status, const char *why) {
    const char *to = t->place[0] ? " (redirected to " : "";
    t->status = gpri_fail(status, "cannot load %s%s%s%s: %s", t->url, to, t->place, *to ? ")" : "", why);
}

long gpri_transfer_code(const gpri_transfer *t) {
    long code = 0;
    t->curl.easy_getinfo(t->handle, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

size_t gpri_transfer_header(char *line, GPRI_UNUSED size_t length, size_t size, void *user) {
    gpri_transfer *t = user;
    if (gpri_answer_line(&t->answer, line, size)) return size;
    gpri_transfer_fail(t, GPR_ERROR_NETWORK, t->answer.fault);
    return 0;
}

static int64_t most_bytes(const gpri_transfer *t) { return t->job->bytes ? t->job->bytes : GPRI_MOST_UNKNOWN; }

/* "... it has 25 bytes of text/html, not 100000". relation: "not" or "more than". */
static void wrong_size(gpri_transfer *t, const char *size, const char *relation) {
    const gpri_answer *a = &t->answer;
    t->status = gpri_fail(GPR_ERROR_FORMAT, "%s is not the file that it should be: it has %s bytes%s%s%s%s, %s %lld",
                          t->url, size, a->type[0] ? " of " : "", a->type, a->encoding[0] ? " encoded as " : "",
                          a->encoding, relation, (long long)most_bytes(t));
}

bool gpri_transfer_empty(gpri_transfer *t) {
    t->job->pieced = false;
    t->at = 0;
    t->tag[0] = 0;
    if (ftruncate(t->job->fd, 0) == 0) return true;
    t->status = gpri_fail_errno("write", t->job->path);
    return false;
}

/* Does an answer 206 continue what is there? The file may have changed on the server since. */
static bool continues(const gpri_transfer *t) {
    const gpri_answer *a = &t->answer;
    if (a->start != t->at || (a->length >= 0 && a->last - a->start + 1 != a->length)) return false;
    return !a->tag[0] || !t->tag[0] || strcmp(a->tag, t->tag) == 0;
}

bool gpri_transfer_begin(gpri_transfer *t) {
    const gpri_answer *a = &t->answer;
    const int64_t wanted = t->job->bytes;
    const long code = gpri_transfer_code(t);
    const int64_t whole = code == 206 ? a->total : a->length;
    char text[64];
    t->unfit = code == 206 && !continues(t);
    if (t->unfit && t->at > 0) return false;
    if (t->unfit || (code != 200 && code != 206)) {
        snprintf(text, sizeof text, "the server answers HTTP %ld%s", code,
                 code / 100 == 3 ? " and does not say where to go" : "");
        gpri_transfer_fail(t, GPR_ERROR_NETWORK, text);
    } else if (whole >= 0 && (wanted ? whole != wanted : whole > GPRI_MOST_UNKNOWN)) {
        snprintf(text, sizeof text, "%lld", (long long)whole);
        wrong_size(t, text, wanted ? "not" : "more than");
    } else if (!wanted && a->encoding[0]) {
        t->status = gpri_fail(GPR_ERROR_FORMAT,
                              "%s is not the file that it should be: it is encoded as %s, which nobody asked for",
                              t->url, a->encoding);
    } else if (!wanted && strcasecmp(a->type, "text/html") == 0) {
        t->status =
            gpri_fail(GPR_ERROR_FORMAT, "%s is not the file that it should be: it is a web page (text/html)", t->url);
    } else if (code == 200 && t->at > 0) { /* the server knows no parts, or has another file now */
        if (!gpri_transfer_empty(t)) return false;
    }
    if (t->status != GPR_OK) return false;
    t->total = wanted ? wanted : whole > 0 ? whole : 0;
    t->job->pieced = t->at > 0;
    memcpy(t->tag, a->tag, sizeof t->tag);
    t->begun = true;
    return true;
}

/* The page that comes with a redirection is for people. */
static bool skip_notice(gpri_transfer *t, size_t size) {
    t->notice += (int64_t)size;
    if (t->notice <= MOST_NOTICE) return true;
    gpri_transfer_fail(t, GPR_ERROR_NETWORK, "a redirection comes with a page that has no end");
    return false;
}

size_t gpri_transfer_bytes(char *bytes, GPRI_UNUSED size_t length, size_t size, void *user) {
    gpri_transfer *t = user;
    gpri_download *job = t->job;
    if (!t->begun && gpri_transfer_code(t) / 100 == 3) return skip_notice(t, size) ? size : CURL_WRITEFUNC_ERROR;
    if (!t->begun && !gpri_transfer_begin(t)) return CURL_WRITEFUNC_ERROR;
    if ((int64_t)size > most_bytes(t) - t->at) {
        char text[64];
        snprintf(text, sizeof text, "more than %lld", (long long)most_bytes(t));
        wrong_size(t, text, "not");
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
    return size;
}

#else

typedef int gpri_no_transfer; /* a file must hold something */

#endif
