/* Checksums: CRC-32 as in gzip and zip, since zlib computes it faster than disks deliver, every language has it at
 * hand, and those of two pieces give that of both: many threads can share the work. */
#ifndef GPRI_CHECKSUM_H
#define GPRI_CHECKSUM_H

#include <stdint.h>
#include <zlib.h>

/* Goes on from `before`, 0 at the start. */
static inline uint32_t gpri_checksum(uint32_t before, const void *bytes, int64_t size) {
    return size > 0 ? (uint32_t)crc32_z(before, bytes, (size_t)size) : before; /* zlib takes NULL for a start */
}

/* Of two pieces, one behind the other. */
static inline uint32_t gpri_checksum_join(uint32_t first, uint32_t second, int64_t second_size) {
    return (uint32_t)crc32_combine(first, second, second_size);
}

#endif
