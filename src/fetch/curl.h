/* libcurl, loaded when a file is downloaded and not with the program: it needs about thirty libraries, which would cost
 * every run 4.6 MB and 12 ms (measured on Debian 12). */
#ifndef GPRI_CURL_H
#define GPRI_CURL_H

#include <curl/curl.h>

#include "base/status.h"

typedef struct gpri_curl {
    void *library;
    CURLcode (*global_init)(long flags);
    void (*global_cleanup)(void);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*easy_perform)(CURL *handle);
    CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
    void (*easy_cleanup)(CURL *handle);
    const char *(*easy_strerror)(CURLcode code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
} gpri_curl;

/* Loads and starts it. On failure nothing is left open. */
gpr_status gpri_curl_open(gpri_curl *curl) GPRI_MUST_CHECK;
void gpri_curl_close(gpri_curl *curl);

#endif
