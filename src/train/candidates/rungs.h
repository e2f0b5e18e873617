/* Which candidates of a choice go on. All are in the first rung; in each further one are the best of those before it,
 * and what it finds replaces what was known of them. A rung ends when all of it are trained. Who is where follows from
 * the figures alone. */
#ifndef GPRI_RUNGS_H
#define GPRI_RUNGS_H

#include "train/result.h"

/* What became of a training. */
typedef struct gpri_found {
    bool failed;
    double score, loss; /* of the validation nodes */
    int64_t until, epochs;
    bool done;
} gpri_found;

/* Of candidate `number`: the next one, or one that is there already. */
void gpri_choice_note(gpri_choice *choice, int number, const char *name, const gpri_found *found);
/* in: (choice->count) which candidates are in the rung, once all before it are. */
void gpri_rung_members(const gpri_choice *choice, int rung, bool *in);
/* The next training of `count` candidates; false: there is none. Sets choice->taken: the best so far, of those that are
   in; -1: there is none. */
bool gpri_choice_next(gpri_choice *choice, int count, int *number, int *rung);

#endif
