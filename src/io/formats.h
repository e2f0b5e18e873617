/* The formats of files that a dataset is read from (formats.c) and written to (save.c): one line of a table each. */
#ifndef GPRI_FORMATS_H
#define GPRI_FORMATS_H

#include "data/dataset.h"

typedef struct gpri_format {
    const char *word; /* of --format */
    const char *what; /* "an .npz file", for messages */
    /* Does what lies at this path look like it? Looks at names and first bytes, not further; touches no handle. */
    bool (*fits)(const char *path);
    gpr_status (*read)(gpr_ctx *ctx, gpr_dataset **out, const char *path);
} gpri_format;

/* *out: NULL for "auto" or NULL. Fails for an unknown word. */
gpr_status gpri_format_named(const gpri_format **out, const char *word) GPRI_MUST_CHECK;
/* The first of the table that fits, or NULL. */
const gpri_format *gpri_format_of(const char *path);
/* Reads a path as the format says; NULL: as the path looks. */
gpr_status gpri_read_path(gpr_ctx *ctx, gpr_dataset **out, const char *path, const gpri_format *format) GPRI_MUST_CHECK;

typedef struct gpri_writer {
    const char *word, *ending;                                                    /* "npz", ".npz" */
    gpr_status (*write)(gpr_ctx *ctx, const gpr_dataset *data, const char *path); /* of a dataset that is ready */
} gpri_writer;

/* By the word, or where that is NULL or "auto" by the ending of path. */
gpr_status gpri_writer_of(const gpri_writer **out, const char *path, const char *word) GPRI_MUST_CHECK;

#endif
