/* gzip: unpacking and packing, so that a mutator reaches the text inside. */
#ifndef FUZZ_GZIP_H
#define FUZZ_GZIP_H

#include <zlib.h>

#include "blob.h"
#include "random.h"

/* Windows: of 32 KiB to unpack anything, of 512 bytes to pack, which takes little memory. */
enum { GZIP_MOST = 1 << 16, GZIP_RAW = -15, GZIP_WRAPPED = 15 + 16, GZIP_RAW_PACK = -9, GZIP_WRAPPED_PACK = 9 + 16 };

static inline bool gzip_is(const blob *b) { return b->size > 2 && b->bytes[0] == 0x1f && b->bytes[1] == 0x8b; }

/* As much as can be unpacked, from one member or several; false: nothing. window: as inflateInit2 has it. */
static inline bool gzip_unpack(blob *out, const uint8_t *bytes, size_t size, int window) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size};
    uint8_t piece[4096];
    int code = Z_OK;
    *out = (blob){0};
    blob_reserve(out, 1);
    if (inflateInit2(&z, window) != Z_OK) abort();
    while (out->size < GZIP_MOST && (code == Z_OK || code == Z_STREAM_END)) {
        if (code == Z_STREAM_END && (window < 0 || z.avail_in < 2 || inflateReset(&z) != Z_OK)) break;
        z.next_out = piece;
        z.avail_out = sizeof piece;
        code = inflate(&z, Z_NO_FLUSH);
        blob_put(out, piece, sizeof piece - z.avail_out);
        if (z.avail_in == 0 && z.avail_out > 0) break;
    }
    inflateEnd(&z);
    if (out->size == 0) blob_free(out);
    return out->size > 0;
}

static inline void gzip_pack(blob *out, const uint8_t *bytes, size_t size, int window, int level) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size};
    if (deflateInit2(&z, level, Z_DEFLATED, window, 1, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    const size_t before = out->size, room = deflateBound(&z, (uLong)size) + 32;
    blob_reserve(out, before + room);
    z.next_out = out->bytes + before;
    z.avail_out = (uInt)room;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END) abort();
    out->size = before + z.total_out;
    deflateEnd(&z);
}

/* In one member, or in two. */
static inline void gzip_close(blob *b, chance *c) {
    blob packed = {0};
    const size_t cut = one_in(c, 4) ? below(c, b->size + 1) : b->size;
    const int level = (int)below(c, 4) * 3;
    gzip_pack(&packed, b->bytes, cut, GZIP_WRAPPED_PACK, level);
    if (cut < b->size) gzip_pack(&packed, b->bytes + cut, b->size - cut, GZIP_WRAPPED_PACK, level);
    if (one_in(c, 16)) blob_put(&packed, NULL, below(c, 8)); /* padding */
    blob_move(b, &packed);
}

#endif
