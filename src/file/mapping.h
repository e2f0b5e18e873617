/* Files mapped into memory: the operating system reads their bytes when they are first used. */
#ifndef GPRI_MAPPING_H
#define GPRI_MAPPING_H

#include "base/context.h"

/* Read-only. The file must not shrink while it is mapped: reading a part that was cut off ends the program (SIGBUS).
   Renaming another file over it, as gpri_output does, is fine. */
typedef struct gpri_mapping {
    const unsigned char *bytes; /* aligned to a page; NULL when empty */
    int64_t size;
} gpri_mapping;

/* Refuses folders and what is not a regular file. On failure *out is zeroed. */
gpr_status gpri_map(gpri_mapping *out, const char *path) GPRI_MUST_CHECK;
void gpri_unmap(gpri_mapping *mapping); /* a zeroed one is fine */
/* A hint that these bytes will be read soon. */
void gpri_map_ahead(const gpri_mapping *mapping, int64_t offset, int64_t size);

#endif
