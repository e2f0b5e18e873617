/* Checksums: CRC-32 as in gzip and zip. zlib computes it faster than disks deliver, and every language has it. The
 * checksums of two pieces give that of both together, so threads can share the work. */
#ifndef GPRI_CHECKSUM_H
#define GPRI_CHECKSUM_H

#include <stdint.h>
#include <zlib.h>

/* Continues from `before`, which is 0 at the start. */
static inline uint32_t gpri_checksum(uint32_t before, const void *bytes, int64_t size) {
    return size > 0 ? (uint32_t)crc32_z(before, bytes, (size_t)size) : before; /* zlib takes NULL for a start */
}

/* The checksum of two pieces, one after the other. */
static inline uint32_t gpri_checksum_join(uint32_t first, uint32_t second, int64_t second_size) {
    return (uint32_t)crc32_combine(first, second, second_size);
}

#endif
