/* Texts by number: names of classes, ids of nodes. */
#ifndef GPRI_NAMES_H
#define GPRI_NAMES_H

#include "base/context.h"

/* Zeroed: no names. */
typedef struct gpri_names {
    int64_t count;
    int64_t *start; /* (count + 1) where in bytes each begins */
    char *bytes;    /* (start[count]) the texts, each with its NUL */
} gpri_names;

/* texts: (count), none NULL. On failure *names is zeroed. */
gpr_status gpri_names_copy(gpr_ctx *ctx, gpri_names *names, const char *const *texts, int64_t count) GPRI_MUST_CHECK;
/* NULL where there is no name of that number. */
const char *gpri_name(const gpri_names *names, int64_t number);
void gpri_names_free(gpr_ctx *ctx, gpri_names *names);

#endif
