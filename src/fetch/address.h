/* Addresses of files, as messages show them. */
#ifndef GPRI_ADDRESS_H
#define GPRI_ADDRESS_H

#include <stdbool.h>

enum { GPRI_SHOWN_ADDRESS = 512 };

/* The address as people may see it: without name and password, and without what follows a '?', which may be a key to
   the file. A long one is cut. */
void gpri_address_show(char shown[GPRI_SHOWN_ADDRESS], const char *url);
/* "host:port" of it, in the same way. */
void gpri_address_host(char shown[GPRI_SHOWN_ADDRESS], const char *url);

/* A server's words for a terminal: what is not ASCII, or not printable, becomes '?'. */
void gpri_show_ascii(char *text);

bool gpri_address_is(const char *url, const char *scheme); /* "https", however the address spells it */

#endif
