/* Corrects the checksums of a .gpr file after a change: for tests of the checks after them. */
#ifndef TEST_MAPPED_SEAL_H
#define TEST_MAPPED_SEAL_H

#include <string.h>

#include "file/checksum.h"
#include "io/mapped/mapped.h"

/* bytes: a whole file of at least a header. Sections outside of it are not touched. */
static inline void mapped_seal(unsigned char *bytes, int64_t size) {
    gpri_mapped_header header;
    memcpy(&header, bytes, sizeof header);
    for (uint32_t i = 0; i < header.sections && i < GPRI_MAPPED_SLOTS; i++) {
        gpri_mapped_section *section = &header.section[i];
        if (section->offset < 0 || section->bytes < 0 || section->offset > size || section->bytes > size) continue;
        int64_t end = section->offset + gpri_mapped_padded(section->bytes);
        section->checksum = gpri_checksum(0, bytes + section->offset, (end < size ? end : size) - section->offset);
    }
    header.checksum = gpri_mapped_header_checksum(&header);
    memcpy(bytes, &header, sizeof header);
}

#endif
