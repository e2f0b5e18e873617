/* Helpers for jansson, which needs care with UTF-8 and with memory. */
#ifndef GPRI_JSON_H
#define GPRI_JSON_H

#include <jansson.h>
#include <math.h>

#include "base/text.h"
#include "base/thread.h"

/* Names come from files and folders and need not be UTF-8, as JSON must be: bytes that are not become '?'. */
json_t *gpri_json_string(const char *text);

/* Appends the tree to `out` with json_dumps's flags, and frees it. tree is NULL when jansson had no memory. json_dumps
   itself can lose a key when memory is short, and its text has to be freed with the host's functions. */
gpr_status gpri_json_write(gpri_text *out, json_t *tree, size_t flags) GPRI_MUST_CHECK;

/* The same as people read it: indented, with 15 digits and a newline at the end. */
gpr_status gpri_json_page(gpri_text *out, json_t *tree) GPRI_MUST_CHECK;
/* A text that a handle keeps, made when somebody first asks for it; any thread may. *kept: NULL, or the text, which is
   freed with gpri_free of ctx. make: from the handle. */
gpr_status gpri_text_keep(gpr_ctx *ctx, gpri_lock *lock, char **kept, gpr_status (*make)(gpri_text *, const void *),
                          const void *handle, const char **out) GPRI_MUST_CHECK;

/* After json_loads failed on `size` bytes: did it run out of memory? */
bool gpri_json_no_memory(const json_error_t *error, size_t size);

/* ---- Objects and lists, built without a check after every member. What is not known is null. ---- */

/* A member that could not be stored (no memory) clears `good`. */
typedef struct gpri_object {
    json_t *tree;
    bool good;
} gpri_object;

static inline gpri_object gpri_object_new(void) { return (gpri_object){json_object(), true}; }

static inline void gpri_put(gpri_object *to, const char *key, json_t *value) {
    if (json_object_set_new(to->tree, key, value) != 0) to->good = false;
}

static inline json_t *gpri_json_real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static inline void gpri_put_real(gpri_object *to, const char *key, double value) {
    gpri_put(to, key, gpri_json_real(value));
}

static inline void gpri_put_whole(gpri_object *to, const char *key, int64_t value) {
    gpri_put(to, key, json_integer((json_int_t)value));
}

static inline void gpri_put_text(gpri_object *to, const char *key, const char *text) {
    gpri_put(to, key, text ? gpri_json_string(text) : json_null());
}

/* A text that is printed, shorter than 64 bytes. */
void gpri_put_print(gpri_object *to, const char *key, const char *format, ...) GPRI_PRINTF(3, 4);

/* Its name, or its number; null if that is negative. */
static inline void gpri_put_name(gpri_object *to, const char *key, const char *name, int64_t number) {
    gpri_put(to, key, name ? gpri_json_string(name) : number >= 0 ? json_integer((json_int_t)number) : json_null());
}

/* The tree, or NULL: there was no memory. */
json_t *gpri_object_done(gpri_object *object);

/* Appends a tree to a list; a NULL of either makes the list NULL. */
json_t *gpri_append(json_t *list, json_t *tree);

json_t *gpri_reals(const double *values, int64_t count); /* values NULL: null */
/* Each with as few digits as read back to its bits. values NULL: null. */
json_t *gpri_json_floats(const float *values, int64_t count);

#endif
