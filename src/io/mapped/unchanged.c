/* Whether the file of a dataset is still as it was checked. Its bytes are read again through the open file, not through
 * the mapping: a file that is cut at this moment gives an error then, and no crash. */
#include <string.h>

#include "file/checksum.h"
#include "file/temporary.h"
#include "io/mapped/shards.h"

#define PIECE_BYTES ((int64_t)1 << 22) /* for a thread at a time */
#define STEP_BYTES ((int64_t)1 << 18)  /* read at once: they stay in the cache */

/* Bytes of an open file. */
typedef struct piece {
    int fd, slot; /* slot: of the section, or the number of the extent */
    int64_t offset, bytes;
    uint32_t checksum;
    bool whole; /* all could be read */
} piece;

typedef struct review {
    piece *pieces;
    unsigned char *buffers; /* (threads x STEP_BYTES) */
} review;

static void sum_piece(void *arg, int64_t chunk, int slot) {
    const review *comparing = arg;
    piece *p = &comparing->pieces[chunk];
    unsigned char *buffer = comparing->buffers + slot * STEP_BYTES;
    p->whole = true;
    for (int64_t done = 0; done < p->bytes && p->whole; done += STEP_BYTES) {
        const int64_t size = p->bytes - done < STEP_BYTES ? p->bytes - done : STEP_BYTES;
        p->whole = gpri_read_some(p->fd, buffer, size, p->offset + done) == size;
        if (p->whole) p->checksum = gpri_checksum(p->checksum, buffer, size);
    }
}

static gpr_status sum_pieces(gpr_ctx *ctx, piece *pieces, int64_t count) {
    review comparing = {.pieces = pieces};
    NEED(gpri_alloc(ctx, &comparing.buffers, ctx->threads, (size_t)STEP_BYTES, "pieces of a file"));
    gpri_parallel(ctx, ctx->threads, count, sum_piece, &comparing);
    gpri_free(ctx, comparing.buffers);
    return GPR_OK;
}

/* pieces: NULL only counts them. */
static int64_t cut(const gpri_mapped *file, piece *pieces) {
    int64_t count = 0;
    for (int slot = 0; slot < (int)file->header.sections; slot++) {
        const gpri_mapped_section *section = &file->header.section[slot];
        const int64_t end = section->offset + gpri_mapped_padded(section->bytes);
        for (int64_t at = section->offset; at < end; at += PIECE_BYTES, count++)
            if (pieces)
                pieces[count] = (piece){.fd = file->mapping.fd,
                                        .slot = slot,
                                        .offset = at,
                                        .bytes = end - at < PIECE_BYTES ? end - at : PIECE_BYTES};
    }
    return count;
}

/* *same: every byte gives the checksums that the file had when it was opened. */
static gpr_status compare(gpr_ctx *ctx, bool *same, const gpri_mapped *file) {
    gpr_status status = GPR_OK;
    piece *pieces = NULL; /* (count) */
    gpri_mapped_header header;
    uint32_t sums[GPRI_MAPPED_SLOTS] = {0};
    const int64_t count = cut(file, NULL);
    TRY(gpri_alloc(ctx, &pieces, count, sizeof *pieces, "pieces of a file"));
    cut(file, pieces);
    TRY(sum_pieces(ctx, pieces, count));
    *same = gpri_read_some(file->mapping.fd, &header, sizeof header, 0) == (int64_t)sizeof header &&
            memcmp(&header, &file->header, sizeof header) == 0;
    for (int64_t i = 0; i < count; i++) {
        const piece *p = &pieces[i];
        *same = *same && p->whole;
        sums[p->slot] = gpri_checksum_join(sums[p->slot], p->checksum, p->bytes);
    }
    for (uint32_t slot = 0; slot < file->header.sections; slot++)
        *same = *same && sums[slot] == file->header.section[slot].checksum;
done:
    gpri_free(ctx, pieces);
    return status;
}

/* The same of the files of shards that are open. deep: by the checksums too. */
static gpr_status compare_shards(gpr_ctx *ctx, bool *same, const gpri_mapped *file, bool deep) {
    const gpri_shards *s = file->shards;
    piece *pieces; /* (extents) of the files that are open */
    int64_t count = 0;
    *same = gpri_mapping_changed(&file->mapping) < GPRI_MAPPING_WRITTEN;
    for (int64_t k = 0; k < s->head.shards; k++)
        if (s->files[k].fd >= 0) *same = *same && gpri_mapping_changed(&s->files[k]) < GPRI_MAPPING_WRITTEN;
    if (!*same || !deep) return GPR_OK;
    NEED(gpri_alloc(ctx, &pieces, s->head.extents, sizeof *pieces, "pieces of a file"));
    for (int64_t k = 0; k < s->head.extents; k++) {
        const gpri_shard_extent *e = &s->extents[k];
        const int fd = e->file == 0 ? file->mapping.fd : s->files[e->file - 1].fd;
        if (fd >= 0) pieces[count++] = (piece){.fd = fd, .slot = (int)k, .offset = e->offset, .bytes = e->bytes};
    }
    const gpr_status status = sum_pieces(ctx, pieces, count);
    for (int64_t i = 0; status == GPR_OK && i < count; i++)
        *same = *same && pieces[i].whole && pieces[i].checksum == s->extents[pieces[i].slot].checksum;
    gpri_free(ctx, pieces);
    return status;
}

gpr_status gpri_mapped_unchanged(gpr_ctx *ctx, void *arg, bool deep) {
    static const char *const what[] = {"its bytes differ", "its bytes differ", "it was written to", "its size differs"};
    const gpri_mapped *file = arg;
    gpri_mapping_state state = gpri_mapping_changed(&file->mapping);
    if (file->mapping.fd < 0) return GPR_OK;
    if (file->shards) {
        bool all;
        NEED(compare_shards(ctx, &all, file, deep));
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
