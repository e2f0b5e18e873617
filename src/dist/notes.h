/* Notes for process 0: what others have finished while all go on with their own work. A process posts some, then an end
 * note; process 0 looks now and then, and waits for all ends. */
#ifndef GPRI_NOTES_H
#define GPRI_NOTES_H

#include "base/context.h"

/* A head of a fixed size, then bytes. Returns when both may be used again. */
gpr_status gpri_note_post(gpr_ctx *ctx, const void *head, int64_t head_size, const void *bytes,
                          int64_t size) GPRI_MUST_CHECK;
void gpri_note_post_end(gpr_ctx *ctx);

typedef struct gpri_note {
    char *bytes; /* head and bytes; to be freed */
    int64_t size;
    bool came; /* there was one */
    bool end;  /* its process has no more */
} gpri_note;
/* The next note that has come to process 0, if one has. One for which memory fails is taken away all the same. */
gpr_status gpri_note_take(gpr_ctx *ctx, gpri_note *out) GPRI_MUST_CHECK;
/* A short rest, for who waits for notes. */
void gpri_note_rest(void);

#endif
