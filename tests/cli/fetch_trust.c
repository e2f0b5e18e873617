/* A libcurl.so.4 for tests that hands every call on to the real one ($GPRGNN_TEST_CURL), and trusts $GPRGNN_TEST_CA. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>

enum { CURLOPT_CAINFO = 10065, CURLOPT_CAPATH = 10097 };

static void *real(const char *name) {
    void *library = dlopen(getenv("GPRGNN_TEST_CURL"), RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

/* All arguments here are pointers or as wide as one, which registers carry alike. */
typedef void *(*one_fn)(void *);
typedef void *(*two_fn)(void *, void *);

int curl_global_init(long flags) { return ((int (*)(long))real("curl_global_init"))(flags); }
void curl_global_cleanup(void) { ((void (*)(void))real("curl_global_cleanup"))(); }
int curl_easy_perform(void *handle) { return ((int (*)(void *))real("curl_easy_perform"))(handle); }
void curl_easy_cleanup(void *handle) { ((one_fn)real("curl_easy_cleanup"))(handle); }
const char *curl_easy_strerror(int code) { return ((const char *(*)(int))real("curl_easy_strerror"))(code); }
void *curl_slist_append(void *list, void *text) { return ((two_fn)real("curl_slist_append"))(list, text); }
void curl_slist_free_all(void *list) { ((one_fn)real("curl_slist_free_all"))(list); }

int curl_easy_setopt(void *handle, int option, ...) {
    va_list arguments;
    va_start(arguments, option);
    void *value = va_arg(arguments, void *);
    va_end(arguments);
    return ((int (*)(void *, int, ...))real("curl_easy_setopt"))(handle, option, value);
}

int curl_easy_getinfo(void *handle, int info, ...) {
    va_list arguments;
    va_start(arguments, info);
    void *value = va_arg(arguments, void *);
    va_end(arguments);
    return ((int (*)(void *, int, ...))real("curl_easy_getinfo"))(handle, info, value);
}

void *curl_easy_init(void) {
    void *handle = ((void *(*)(void))real("curl_easy_init"))();
    if (!handle) return NULL;
    curl_easy_setopt(handle, CURLOPT_CAINFO, getenv("GPRGNN_TEST_CA"));
    curl_easy_setopt(handle, CURLOPT_CAPATH, NULL);
    return handle;
}
