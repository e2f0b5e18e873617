/* Helpers for jansson, which needs care with UTF-8 and with memory. */
#ifndef GPRI_JSON_H
#define GPRI_JSON_H

#include <jansson.h>

#include "base/text.h"

/* Names come from files and folders and need not be UTF-8, as JSON must be: bytes that are not become '?'. */
json_t *gpri_json_string(const char *text);

/* Appends the tree to `out` with json_dumps's flags, and frees it. tree is NULL when jansson had no memory. json_dumps
   itself can lose a key when memory is short, and its text has to be freed with the host's functions. */
gpr_status gpri_json_write(gpri_text *out, json_t *tree, size_t flags) GPRI_MUST_CHECK;

/* After json_loads failed on `size` bytes: did it run out of memory? */
bool gpri_json_no_memory(const json_error_t *error, size_t size);

#endif
