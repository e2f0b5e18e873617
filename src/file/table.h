/* A file of numbers that are computed once and in parts: mapped to be written, reserved whole on the disk beforehand.
 * It knows which parts are done, so a computation that was interrupted goes on, and a finished one is not repeated; and
 * their checksums, which are compared before they are used. Unlike other files it has its name from the start. */
#ifndef GPRI_TABLE_H
#define GPRI_TABLE_H

#include "base/context.h"

/* A row has `blocks` blocks of `cols` numbers of `each` bytes. A part is some columns, of all blocks and rows. */
typedef struct gpri_table_shape {
    int64_t rows, blocks, cols, each;
} gpri_table_shape;

typedef struct gpri_table {
    gpr_ctx *ctx;
    int fd; /* -1: none */
    const char *path;
    void *at; /* the numbers, aligned to a page */
    gpri_table_shape shape;
    int64_t bytes; /* of the numbers */
    int64_t done;  /* columns */
    bool renewed;  /* the file was of 0.2.0, without checksums: nothing is done */
    struct gpri_table_head *head;
} gpri_table;

/* Opens the file, or creates it with nothing done. key: what the numbers are of; a file with another one, or of another
   shape, is left alone: GPR_ERROR_MISMATCH. Numbers that are not what they were: GPR_ERROR_FORMAT. what: "the hops of
   the features", for messages. path: borrowed. One process at a time has it open. On failure *out has no file. */
gpr_status gpri_table_open(gpr_ctx *ctx, gpri_table *out, const char *path, const uint64_t key[2],
                           gpri_table_shape shape, const char *what) GPRI_MUST_CHECK;
/* The columns before `done` are: what was written is on the disk before the file says so. */
gpr_status gpri_table_done(gpri_table *table, int64_t done) GPRI_MUST_CHECK;
void gpri_table_close(gpri_table *table); /* safe on one that could not be opened, and safe to call twice */

/* Whether a file begins like a table. */
bool gpri_is_table(const char *path);
/* Compares all checksums of a table. *done of *cols columns are there; *old: it is of 0.2.0, and has none. */
gpr_status gpri_table_verify(gpr_ctx *ctx, const char *path, int64_t *done, int64_t *cols, bool *old) GPRI_MUST_CHECK;

#endif
