/* Whether the file of a dataset is still as it was checked. Its bytes are read again through the open file, not through
 * the mapping: a file that is cut at this moment gives an error then, and no crash. */
#include <string.h>

#include "file/checksum.h"
#include "file/temporary.h"
#include "io/mapped/shards.h"

#define PIECE_BYTES ((int64_t)1 << 22) /* for a thread at a time */
#define STEP_BYTES ((int64_t)1 << 18)  /* read at once: they stay in the cache */

typedef struct piece {
    int slot;
    int64_t offset, bytes; /* in the file */
    uint32_t checksum;
    bool whole; /* it could be read */
} piece;

typedef struct review {
    const gpri_mapped *file;
    piece *pieces;
    int64_t count;
    unsigned char *buffers; /* (threads x STEP_BYTES) */
} review;

static void sum_piece(void *arg, int64_t chunk, int slot) {
    const review *comparing = arg;
    piece *p = &comparing->pieces[chunk];
    unsigned char *buffer = comparing->buffers + slot * STEP_BYTES;
    p->whole = true;
    for (int64_t done = 0; done < p->bytes && p->whole; done += STEP_BYTES) {
        const int64_t size = p->bytes - done < STEP_BYTES ? p->bytes - done : STEP_BYTES;
        p->whole = gpri_read_some(comparing->file->mapping.fd, buffer, size, p->offset + done) == size;
        if (p->whole) p->checksum = gpri_checksum(p->checksum, buffer, size);
    }
}

/* pieces: NULL only counts them. */
static int64_t cut(const gpri_mapped *file, piece *pieces) {
    int64_t count = 0;
    for (int slot = 0; slot < (int)file->header.sections; slot++) {
        const gpri_mapped_section *section = &file->header.section[slot];
        const int64_t end = section->offset + gpri_mapped_padded(section->bytes);
        for (int64_t at = section->offset; at < end; at += PIECE_BYTES, count++)
            if (pieces)
                pieces[count] =
                    (piece){.slot = slot, .offset = at, .bytes = end - at < PIECE_BYTES ? end - at : PIECE_BYTES};
    }
    return count;
}

/* *same: every byte gives the checksums that the file had when it was opened. */
static gpr_status compare(gpr_ctx *ctx, bool *same, const gpri_mapped *file) {
    gpr_status status = GPR_OK;
    review comparing = {.file = file};
    gpri_mapped_header header;
    uint32_t sums[GPRI_MAPPED_SLOTS] = {0};
    comparing.count = cut(file, NULL);
    TRY(gpri_alloc(ctx, &comparing.pieces, comparing.count, sizeof *comparing.pieces, "pieces of a file"));
    TRY(gpri_alloc(ctx, &comparing.buffers, ctx->threads, (size_t)STEP_BYTES, "pieces of a file"));
    cut(file, comparing.pieces);
    gpri_parallel(ctx, ctx->threads, comparing.count, sum_piece, &comparing);
    *same = gpri_read_some(file->mapping.fd, &header, sizeof header, 0) == (int64_t)sizeof header &&
            memcmp(&header, &file->header, sizeof header) == 0;
    for (int64_t i = 0; i < comparing.count; i++) {
        const piece *p = &comparing.pieces[i];
        *same = *same && p->whole;
        sums[p->slot] = gpri_checksum_join(sums[p->slot], p->checksum, p->bytes);
    }
    for (uint32_t slot = 0; slot < file->header.sections; slot++)
        *same = *same && sums[slot] == file->header.section[slot].checksum;
done:
    gpri_free(ctx, comparing.pieces);
    gpri_free(ctx, comparing.buffers);
    return status;
}

gpr_status gpri_mapped_unchanged(gpr_ctx *ctx, void *arg, bool deep) {
    static const char *const what[] = {"its bytes differ", "its bytes differ", "it was written to", "its size differs"};
    const gpri_mapped *file = arg;
    gpri_mapping_state state = gpri_mapping_changed(&file->mapping);
    if (file->mapping.fd < 0) return GPR_OK;
    if (file->shards) {
        bool all;
        NEED(gpri_shards_same(ctx, &all, file, deep));
        if (all) return GPR_OK;
        return gpri_fail(
            GPR_ERROR_IO,
            "%s, or one of its shards, changed while it was in use: what was computed from it is not valid; "
            "leave the files alone",
            file->path);
    }
    bool same = state < GPRI_MAPPING_WRITTEN;
    if (same && (deep || state == GPRI_MAPPING_TOUCHED)) NEED(compare(ctx, &same, file));
    if (same) return GPR_OK;
    return gpri_fail(GPR_ERROR_IO,
                     "%s changed while it was in use (%s): what was computed from it is not valid; leave the file "
                     "alone, or read it into memory with `no-map`",
                     file->path, what[state]);
}
