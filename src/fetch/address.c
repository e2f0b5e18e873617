/* Addresses of files: which protocol they name, and how messages show them. */
#include "fetch/address.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Where host and port begin; their length goes to *size. */
static const char *host_of(const char *url, int *size) {
    const char *slashes = strstr(url, "//"), *host = slashes ? slashes + 2 : url;
    const size_t all = strcspn(host, "/?#");
    const char *end = host + all;
    for (const char *at = host; at < end; at++)
        if (*at == '@') host = at + 1; /* the last one: a password may hold another */
    *size = (int)(end - host);
    return host;
}

void gpri_address_host(char shown[GPRI_SHOWN_ADDRESS], const char *url) {
    int size;
    const char *host = host_of(url, &size);
    snprintf(shown, GPRI_SHOWN_ADDRESS, "%.*s", size, host);
}

void gpri_address_show(char shown[GPRI_SHOWN_ADDRESS], const char *url) {
    int size;
    const char *slashes = strstr(url, "//"), *host = host_of(url, &size);
    const int before = slashes ? (int)(slashes + 2 - url) : 0, after = (int)strcspn(host, "?");
    snprintf(shown, GPRI_SHOWN_ADDRESS, "%.*s%.*s%s", before, url, after, host, host[after] ? "?..." : "");
}

void gpri_show_ascii(char *text) {
    for (; *text; text++)
        if (*text < 0x20 || *text > 0x7e) *text = '?';
}

bool gpri_address_is(const char *url, const char *scheme) {
    const size_t size = strlen(scheme);
    return strncasecmp(url, scheme, size) == 0 && strncmp(url + size, "://", 3) == 0;
}
