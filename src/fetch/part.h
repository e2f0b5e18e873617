/* FILE.part: a file on its way. One process has it at a time. */
#ifndef GPRI_PART_H
#define GPRI_PART_H

#include "base/context.h"
#include "base/text.h"

typedef struct gpri_part {
    gpr_ctx *ctx;
    gpri_text path, target; /* target: the name that it gets when it is whole */
    int fd;                 /* -1: not open */
    bool locked;            /* no other process has it */
} gpri_part;

/* Nothing is opened yet. */
gpr_status gpri_part_init(gpri_part *part, gpr_ctx *ctx, const char *folder, const char *name) GPRI_MUST_CHECK;
/* Opens or creates it, with the folders above it, and waits until no other process has it. It then is a regular file of
   this user with no other name; one that is not so is replaced, and a link is an error. deadline: of
   gpri_seconds_now. */
gpr_status gpri_part_take(gpri_part *part, const gpri_tick *tick, double deadline) GPRI_MUST_CHECK;
gpr_status gpri_part_empty(const gpri_part *part) GPRI_MUST_CHECK;
/* Makes it durable, gives it its name, and closes it. */
gpr_status gpri_part_commit(gpri_part *part) GPRI_MUST_CHECK;
/* Closes it, and removes one without bytes, which is of no use to a later fetch. Safe to call twice. */
void gpri_part_close(gpri_part *part);
/* Removes what an earlier fetch left, unless another process has it; the file itself is there. */
void gpri_part_sweep(const gpri_part *part);
void gpri_part_free(gpri_part *part);

#endif
