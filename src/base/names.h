/* Texts by number: names of classes, ids of nodes. */
#ifndef GPRI_NAMES_H
#define GPRI_NAMES_H

#include "base/context.h"
#include "base/json.h"

/* Zeroed: no names. */
typedef struct gpri_names {
    int64_t count;
    int64_t *start; /* (count + 1) where in bytes each begins */
    char *bytes;    /* (start[count]) the texts, each with its NUL */
} gpri_names;

/* texts: (count), none NULL. On failure *names is zeroed. */
gpr_status gpri_names_copy(gpr_ctx *ctx, gpri_names *names, const char *const *texts, int64_t count) GPRI_MUST_CHECK;
/* texts: what a caller gives, or NULL: none. what: "class name", for the error where one of them is NULL. */
gpr_status gpri_names_take(gpr_ctx *ctx, gpri_names *names, const char *const *texts, int64_t count,
                           const char *what) GPRI_MUST_CHECK;
gpr_status gpri_names_clone(gpr_ctx *ctx, gpri_names *names, const gpri_names *from) GPRI_MUST_CHECK;
void gpri_names_make_utf8(gpri_names *names);
bool gpri_names_equal(const gpri_names *a, const gpri_names *b);
/* NULL where there is no name of that number. */
const char *gpri_name(const gpri_names *names, int64_t number);
/* What to call it: its name, or its number, written to `text`. */
const char *gpri_name_or_number(const gpri_names *names, int64_t number, char text[24]);
json_t *gpri_names_json(const gpri_names *names); /* a list */
json_t *gpri_pairs_json(const gpri_names *pairs); /* an object: a word, its value, and so on */
void gpri_names_free(gpr_ctx *ctx, gpri_names *names);

#endif
