/* Files mapped into memory: the operating system reads their bytes when they are first used. Or, where the file may
 * change meanwhile, a copy of the whole file in memory. */
#ifndef GPRI_MAPPING_H
#define GPRI_MAPPING_H

#include <time.h>

#include "base/context.h"

/* Read-only. Bytes that others write into a mapped file are seen here at once, and reading a part that was cut off ends
   the program (SIGBUS). gpri_mapping_changed tells. Renaming another file over it, as gpri_output does, is fine. */
typedef struct gpri_mapping {
    const unsigned char *bytes; /* aligned to 64 bytes at least; NULL when empty */
    int64_t size;
    gpr_ctx *ctx;
    char *copy; /* in place of a mapping; or NULL */
    int fd;     /* the open file; -1: a copy, or nothing */
    const char *path;
    struct timespec written, touched; /* its mtime and ctime when it was opened */
    struct gpri_mapping *next;        /* in the context's list of mapped files */
} gpri_mapping;

/* Refuses folders and what is not a regular file. On failure *out is empty. path: borrowed, must outlive it. The
   context knows its mappings, by their addresses: *out stays where it is until gpri_unmap. */
gpr_status gpri_map(gpr_ctx *ctx, gpri_mapping *out, const char *path) GPRI_MUST_CHECK;
/* The same with the whole file in memory: what happens to the file later does not matter. */
gpr_status gpri_map_copy(gpr_ctx *ctx, gpri_mapping *out, const char *path) GPRI_MUST_CHECK;
void gpri_unmap(gpri_mapping *mapping); /* a zeroed one is fine */
/* A hint that these bytes will be read soon. */
void gpri_map_ahead(const gpri_mapping *mapping, int64_t offset, int64_t size);

/* What happened to the file since it was mapped. Safe in a signal handler. */
typedef enum gpri_mapping_state {
    GPRI_MAPPING_SAME,
    GPRI_MAPPING_TOUCHED, /* its ctime differs: it was renamed, linked, or written with its mtime set back */
    GPRI_MAPPING_WRITTEN, /* its mtime differs */
    GPRI_MAPPING_RESIZED
} gpri_mapping_state;
gpri_mapping_state gpri_mapping_changed(const gpri_mapping *mapping);

#endif
