/* A file of numbers that are computed once and in parts: mapped to be written, reserved whole on the disk beforehand.
 * It knows how many parts are done, so a computation that was interrupted goes on, and a finished one is not repeated.
 * Unlike other files it has its name from the start. */
#ifndef GPRI_TABLE_H
#define GPRI_TABLE_H

#include "base/context.h"

typedef struct gpri_table {
    int fd; /* -1: none */
    const char *path;
    void *at;      /* the numbers, aligned to a page */
    int64_t bytes; /* of the numbers */
    int64_t done;  /* parts, as the caller counts them */
    uint64_t key[2];
} gpri_table;

/* Opens the file, or creates it with nothing done. key: what the numbers are of; a file with another one, or of another
   size, is left alone: GPR_ERROR_MISMATCH. what: "the hops of the features", for messages. path: borrowed. One process
   at a time has it open. On failure *out has no file. */
gpr_status gpri_table_open(gpri_table *out, const char *path, const uint64_t key[2], int64_t bytes,
                           const char *what) GPRI_MUST_CHECK;
/* So many parts are done: what was written is on the disk before the file says so. */
gpr_status gpri_table_done(gpri_table *table, int64_t done) GPRI_MUST_CHECK;
void gpri_table_close(gpri_table *table); /* safe on one that could not be opened, and safe to call twice */

#endif
