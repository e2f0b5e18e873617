/* Building JSON objects and lists without a check after every member. What is not known is null. */
#ifndef GPRI_JSON_OBJECT_H
#define GPRI_JSON_OBJECT_H

#include <math.h>

#include "base/json.h"

/* A member that could not be stored (no memory) clears `good`. */
typedef struct gpri_object {
    json_t *tree;
    bool good;
} gpri_object;

static inline gpri_object gpri_object_new(void) { return (gpri_object){json_object(), true}; }

static inline void gpri_put(gpri_object *to, const char *key, json_t *value) {
    if (json_object_set_new(to->tree, key, value) != 0) to->good = false;
}

static inline void gpri_put_real(gpri_object *to, const char *key, double value) {
    gpri_put(to, key, isfinite(value) ? json_real(value) : json_null());
}

static inline void gpri_put_whole(gpri_object *to, const char *key, int64_t value) {
    gpri_put(to, key, json_integer((json_int_t)value));
}

/* Its name, or its number; null if that is negative. */
static inline void gpri_put_name(gpri_object *to, const char *key, const char *name, int64_t number) {
    gpri_put(to, key, name ? gpri_json_string(name) : number >= 0 ? json_integer((json_int_t)number) : json_null());
}

/* The tree, or NULL: there was no memory. */
static inline json_t *gpri_object_done(gpri_object *object) {
    if (object->good && object->tree) return object->tree;
    json_decref(object->tree);
    return NULL;
}

/* Appends a tree to a list; a NULL of either makes the list NULL. */
static inline json_t *gpri_append(json_t *list, json_t *tree) {
    if (list && tree && json_array_append_new(list, tree) == 0) return list;
    if (!list) json_decref(tree);
    json_decref(list);
    return NULL;
}

/* values NULL: null. */
static inline json_t *gpri_reals(const double *values, int64_t count) {
    if (!values) return json_null();
    json_t *list = json_array();
    for (int64_t i = 0; list && i < count; i++)
        list = gpri_append(list, isfinite(values[i]) ? json_real(values[i]) : json_null());
    return list;
}

#endif
