/* Cutting a .gpr file into shards. */
#include <stdio.h>
#include <string.h>

#include "file/checksum.h"
#include "io/mapped/shards.h"

enum {
    TILE = 64,  /* rows of a tile, and */
    BLOCKS = 64 /* blocks of tiles, at most, of a training */
};
#define PIECE ((int64_t)1 << 22) /* bytes copied at once */

int64_t gpri_shard_row(int64_t shard, int64_t shards, int64_t nodes) {
    const int64_t tiles = (nodes + TILE - 1) / TILE;
    const int64_t blocks = tiles < 8 ? 1 : tiles > 4 * BLOCKS ? BLOCKS : tiles / 4;
    const int64_t tile = shard * blocks / shards * tiles / blocks;
    return tile * TILE < nodes ? tile * TILE : nodes;
}

typedef struct cutting {
    gpr_ctx *ctx;
    const gpri_output *whole;
    const gpri_mapped_header *header;
    gpri_shard_head head;
    int64_t *cuts;
    gpri_shard_extent *extents;
    int64_t *ends; /* (shards + 1) bytes of each file so far */
    char *buffer;  /* (PIECE) */
    gpri_tick *tick;
} cutting;

static int64_t down(int64_t bytes) { return bytes / GPRI_SHARD_UNIT * GPRI_SHARD_UNIT; }
static int64_t up(int64_t bytes) { return down(bytes + GPRI_SHARD_UNIT - 1); }

/* The bytes [begin, end) of the whole belong to the file. Units that it has already are not stored twice. */
static void add(cutting *c, int64_t begin, int64_t end, uint32_t file) {
    gpri_shard_extent *last = NULL;
    begin = down(begin);
    end = up(end) < c->head.bytes ? up(end) : c->head.bytes;
    for (int64_t k = 0; k < c->head.extents; k++)
        if (c->extents[k].file == file) last = &c->extents[k];
    if (last && begin <= last->place + last->bytes) {
        if (end > last->place + last->bytes) last->bytes = end - last->place;
        return;
    }
    if (begin < end)
        c->extents[c->head.extents++] = (gpri_shard_extent){.place = begin, .bytes = end - begin, .file = file};
}

static const gpri_mapped_section *section_of(const gpri_mapped_header *header, gpri_mapped_kind kind) {
    for (uint32_t i = 0; i < header->sections; i++)
        if (strcmp(header->section[i].name, gpri_mapped_forms[kind].name) == 0) return &header->section[i];
    return NULL;
}

/* Where the rows from `row` on begin in a section: in bytes. */
static gpr_status row_begins(const cutting *c, int64_t *out, gpri_mapped_kind kind, int64_t row) {
    int64_t at = row * c->header->features;
    if (kind != GPRI_DENSE) {
        const gpri_mapped_section *starts =
            section_of(c->header, gpri_mapped_is_graphs(kind) ? GPRI_ROWPTR : GPRI_FEATURE_ROWPTR);
        NEED(gpri_output_read(c->whole, &at, sizeof at, starts->offset + row * (int64_t)sizeof at));
    }
    *out = at * gpri_mapped_forms[kind].size;
    return GPR_OK;
}

/* Which bytes go to which file. */
static gpr_status plan(cutting *c) {
    add(c, 0, (int64_t)sizeof *c->header, 0);
    for (uint32_t i = 0; i < c->header->sections; i++) {
        const gpri_mapped_section *section = &c->header->section[i];
        int kind = 0;
        while (kind < GPRI_MAPPED_KINDS && strcmp(section->name, gpri_mapped_forms[kind].name) != 0) kind++;
        if (kind == GPRI_MAPPED_KINDS || !gpri_shard_cuts((gpri_mapped_kind)kind)) {
            add(c, section->offset, section->offset + gpri_mapped_padded(section->bytes), 0);
            continue;
        }
        for (int64_t s = 0; s < c->head.shards; s++) {
            int64_t begin, end;
            NEED(row_begins(c, &begin, (gpri_mapped_kind)kind, c->cuts[s]));
            NEED(row_begins(c, &end, (gpri_mapped_kind)kind, c->cuts[s + 1]));
            if (s + 1 == c->head.shards) end = gpri_mapped_padded(section->bytes);
            if (begin < end) add(c, section->offset + begin, section->offset + end, (uint32_t)s + 1);
        }
    }
    return GPR_OK;
}

/* After the plan: where each extent lies in its file. */
static void place(cutting *c) {
    const int64_t tables =
        (c->head.shards + 1) * (int64_t)sizeof *c->cuts + c->head.extents * (int64_t)sizeof *c->extents;
    for (int64_t f = 0; f <= c->head.shards; f++) c->ends[f] = up((int64_t)sizeof c->head + (f == 0 ? tables : 0));
    for (int64_t k = 0; k < c->head.extents; k++) {
        c->extents[k].offset = c->ends[c->extents[k].file];
        c->ends[c->extents[k].file] += up(c->extents[k].bytes);
    }
}

static gpr_status copy(cutting *c, gpri_output *to, gpri_shard_extent *extent) {
    extent->checksum = 0;
    for (int64_t done = 0; done < extent->bytes; done += PIECE) {
        const int64_t size = extent->bytes - done < PIECE ? extent->bytes - done : PIECE;
        NEED(gpri_output_read(c->whole, c->buffer, size, extent->place + done));
        NEED(gpri_output_write_at(to, c->buffer, (size_t)size, extent->offset + done));
        extent->checksum = gpri_checksum(extent->checksum, c->buffer, size);
        NEED(gpri_tick_now(c->tick, 0, 0));
    }
    return GPR_OK;
}

static gpr_status write_file(cutting *c, const char *path, uint32_t number) {
    gpr_status status = GPR_OK;
    gpri_output out = {.fd = -1};
    gpri_shard_head head = c->head;
    const int64_t cuts = (head.shards + 1) * (int64_t)sizeof *c->cuts;
    TRY(gpri_output_open(&out, path));
    for (int64_t k = 0; k < c->head.extents; k++)
        if (c->extents[k].file == number) TRY(copy(c, &out, &c->extents[k]));
    head.number = number;
    if (number > 0) head.extents = 0;
    const int64_t extents = head.extents * (int64_t)sizeof *c->extents;
    head.checksum = gpri_checksum(0, &head, sizeof head);
    if (number == 0) {
        head.checksum = gpri_checksum(head.checksum, c->cuts, cuts);
        head.checksum = gpri_checksum(head.checksum, c->extents, extents);
        TRY(gpri_output_write_at(&out, c->cuts, (size_t)cuts, sizeof head));
        TRY(gpri_output_write_at(&out, c->extents, (size_t)extents, (int64_t)sizeof head + cuts));
    }
    TRY(gpri_output_write_at(&out, &head, sizeof head, 0));
    TRY(gpri_output_commit(&out));
done:
    gpri_output_abandon(&out);
    return status;
}

gpr_status gpri_shards_write(gpr_ctx *ctx, const gpri_output *whole, const gpri_mapped_header *header, const char *path,
                             int64_t shards, gpri_tick *tick) {
    gpr_status status = GPR_OK;
    char name[GPRI_LONGEST_PATH];
    cutting c = {.ctx = ctx, .whole = whole, .header = header, .tick = tick};
    const int64_t most = (GPRI_MAPPED_SLOTS + 1) * (shards + 1);
    memcpy(c.head.magic, GPRI_SHARD_MAGIC, sizeof c.head.magic);
    c.head.order = GPRI_MAPPED_ORDER;
    c.head.version = GPRI_SHARD_VERSION;
    c.head.shards = shards;
    c.head.nodes = header->nodes;
    c.head.bytes = header->bytes;
    c.head.identity[0] = header->fingerprint[0] ^ header->checksum;
    c.head.identity[1] = header->fingerprint[1] ^ (uint64_t)shards;
    TRY(gpri_alloc(ctx, &c.cuts, shards + 1, sizeof *c.cuts, "shards"));
    TRY(gpri_alloc(ctx, &c.ends, shards + 1, sizeof *c.ends, "shards"));
    TRY(gpri_calloc(ctx, &c.extents, most, sizeof *c.extents, "shards"));
    TRY(gpri_alloc(ctx, &c.buffer, PIECE, 1, "shards"));
    for (int64_t s = 0; s <= shards; s++) c.cuts[s] = gpri_shard_row(s, shards, header->nodes);
    TRY(plan(&c));
    place(&c);
    for (int64_t s = 1; s <= shards; s++) {
        if (snprintf(name, sizeof name, "%s.%lld", path, (long long)s) >= (int)sizeof name)
            THROW(GPR_ERROR_ARGUMENT, "the name %s is too long", path);
        TRY(write_file(&c, name, (uint32_t)s));
    }
    TRY(write_file(&c, path, 0));
done:
    gpri_free_all(ctx, c.cuts, c.ends, c.extents, c.buffer);
    return status;
}
