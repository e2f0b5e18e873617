/* Loads libcurl and finds its functions. */
#ifdef GPRI_HAVE_CURL

#include "fetch/curl.h"

#include <dlfcn.h>

#include "file/library.h"

gpr_status gpri_curl_open(gpri_curl *curl) {
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"}; /* the second is Debian's own */
    *curl = (gpri_curl){0};
    /* It stays loaded: cryptographic libraries cannot be unloaded safely. */
    for (size_t i = 0; !curl->library && i < sizeof names / sizeof *names; i++)
        curl->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    void *library = curl->library;
    if (!library) return gpri_fail(GPR_ERROR_NETWORK, "libcurl is needed and cannot be loaded (Debian: libcurl4)");
    if (gpri_library_find(&curl->global_init, library, "curl_global_init") &&
        gpri_library_find(&curl->global_cleanup, library, "curl_global_cleanup") &&
        gpri_library_find(&curl->easy_init, library, "curl_easy_init") &&
        gpri_library_find(&curl->easy_setopt, library, "curl_easy_setopt") &&
        gpri_library_find(&curl->easy_perform, library, "curl_easy_perform") &&
        gpri_library_find(&curl->easy_getinfo, library, "curl_easy_getinfo") &&
        gpri_library_find(&curl->easy_cleanup, library, "curl_easy_cleanup") &&
        gpri_library_find(&curl->easy_strerror, library, "curl_easy_strerror") &&
        gpri_library_find(&curl->slist_append, library, "curl_slist_append") &&
        gpri_library_find(&curl->slist_free_all, library, "curl_slist_free_all") &&
        curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
        return GPR_OK;
    dlclose(library);
    curl->library = NULL;
    return gpri_fail(GPR_ERROR_NETWORK, "libcurl cannot be started");
}

void gpri_curl_close(gpri_curl *curl) {
    if (!curl->library) return;
    curl->global_cleanup();
    dlclose(curl->library);
    curl->library = NULL;
}

#else

typedef int gpri_no_curl; /* a file must hold something */

#endif
