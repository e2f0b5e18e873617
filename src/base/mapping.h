/* Files mapped into memory: their bytes are read by the operating system when they are first looked at. */
#ifndef GPRI_MAPPING_H
#define GPRI_MAPPING_H

#include "base/context.h"

/* Read-only. The file must not shrink while it is mapped: to look at what was cut off ends the program (SIGBUS).
   Replacing it by renaming another over it, as gpri_output does, is fine. */
typedef struct gpri_mapping {
    const unsigned char *bytes; /* aligned to a page; NULL when empty */
    int64_t size;
} gpri_mapping;

/* Refuses folders and what is not a regular file. On failure *out is zeroed. */
gpr_status gpri_map(gpri_mapping *out, const char *path) GPRI_MUST_CHECK;
void gpri_unmap(gpri_mapping *mapping); /* a zeroed one is fine */
/* These bytes will be wanted soon. */
void gpri_map_ahead(const gpri_mapping *mapping, int64_t offset, int64_t size);

#endif
