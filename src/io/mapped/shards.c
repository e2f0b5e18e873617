/* Reading shards: addresses of a whole .gpr file, of which a process maps what it needs. Nothing in the files is
 * trusted before it is checked. */
#include "io/mapped/shards.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file/checksum.h"

/* What a head and a shard have in common. */
static gpr_status check_head(const gpri_shard_head *head, const char *path, int64_t size) {
    if (size < (int64_t)sizeof *head || memcmp(head->magic, GPRI_SHARD_MAGIC, sizeof head->magic) != 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s is not a shard: it does not begin like one", path);
    if (head->order != GPRI_MAPPED_ORDER)
        return gpri_fail(GPR_ERROR_FORMAT, "%s comes from a machine of another byte order, or is damaged", path);
    if (head->version != GPRI_SHARD_VERSION)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: version %u of shards: this program reads version %u", path,
                         head->version, GPRI_SHARD_VERSION);
    return GPR_OK;
}

static gpr_status damaged(const char *path, const char *what) {
    return gpri_fail(GPR_ERROR_FORMAT, "%s is damaged: %s; convert the data again", path, what);
}

/* The tables behind the head; sizes first. */
static gpr_status read_tables(gpr_ctx *ctx, gpri_shards *s, const gpri_mapping *from) {
    const gpri_shard_head *head = &s->head;
    if (head->shards < 1 || head->shards > GPRI_MOST_SHARDS || head->extents < 0 ||
        head->extents > (GPRI_MAPPED_SLOTS + 1) * (GPRI_MOST_SHARDS + 1) || head->nodes < 1 ||
        head->nodes >= INT32_MAX || head->bytes < (int64_t)sizeof(gpri_mapped_header) || head->bytes > INT64_MAX / 4 ||
        head->number != 0)
        return damaged(from->path, "its counts are wrong");
    const int64_t cuts = (head->shards + 1) * (int64_t)sizeof *s->cuts,
                  extents = head->extents * (int64_t)sizeof *s->extents;
    if ((int64_t)sizeof *head + cuts + extents > from->size) return damaged(from->path, "it was cut");
    const char *at = (const char *)from->bytes + sizeof *head;
    NEED(gpri_copy(ctx, &s->cuts, at, head->shards + 1, sizeof *s->cuts, "shards"));
    NEED(gpri_copy(ctx, &s->extents, at + cuts, head->extents, sizeof *s->extents, "shards"));
    gpri_shard_head bare = *head;
    bare.checksum = 0;
    uint32_t checksum = gpri_checksum(0, &bare, sizeof bare);
    checksum = gpri_checksum(checksum, s->cuts, cuts);
    checksum = gpri_checksum(checksum, s->extents, extents);
    if (checksum != head->checksum) return damaged(from->path, "its checksum is wrong");
    return GPR_OK;
}

static gpr_status check_tables(const gpri_shards *s, const char *path) {
    const gpri_shard_head *head = &s->head;
    for (int64_t k = 0; k < head->shards; k++)
        if (s->cuts[k] < 0 || s->cuts[k + 1] < s->cuts[k]) return damaged(path, "its rows do not ascend");
    if (s->cuts[0] != 0 || s->cuts[head->shards] != head->nodes) return damaged(path, "its rows are not all nodes");
    for (int64_t k = 0; k < head->extents; k++) {
        const gpri_shard_extent *e = &s->extents[k];
        if (e->file > head->shards || e->place < 0 || e->place % GPRI_SHARD_UNIT || e->bytes < 1 ||
            e->bytes > head->bytes - e->place || e->offset < 0 || e->offset % GPRI_SHARD_UNIT ||
            e->offset > INT64_MAX / 4 || (e->bytes % GPRI_SHARD_UNIT && e->place + e->bytes != head->bytes))
            return damaged(path, "its table of pieces is wrong");
    }
    return GPR_OK;
}

/* How far from `place` on it is the same, up to `end`: *of_head: that the head has these bytes, or has not. */
static int64_t same_until(const gpri_shards *s, int64_t place, int64_t end, bool *of_head) {
    *of_head = false;
    for (int64_t k = 0; k < s->head.extents; k++) {
        const gpri_shard_extent *e = &s->extents[k];
        if (e->file != 0 || e->place >= end || e->place + e->bytes <= place) continue;
        *of_head = e->place <= place;
        if (*of_head) return e->place + e->bytes < end ? e->place + e->bytes : end;
        end = e->place;
    }
    return end;
}

/* Maps the pieces of a file to their places. What the head has stays as it is: the row pointers, by which the pieces of
   shards are found, were looked at there. */
static gpr_status map_pieces(gpri_shards *s, const gpri_mapping *from, uint32_t number) {
    for (int64_t k = 0; k < s->head.extents; k++) {
        const gpri_shard_extent *e = &s->extents[k];
        if (e->file != number) continue;
        if (e->offset > from->size || e->bytes > from->size - e->offset) return damaged(from->path, "it was cut");
        const int64_t end = e->place + e->bytes;
        for (int64_t place = e->place, next; place < end; place = next) {
            bool of_head;
            next = same_until(s, place, end, &of_head);
            if (number > 0 && of_head) continue;
            if (number == 0) next = end;
            if (mmap(s->base + place, (size_t)(next - place), PROT_READ, MAP_PRIVATE | MAP_FIXED, from->fd,
                     (off_t)(e->offset + place - e->place)) == MAP_FAILED)
                return gpri_fail(GPR_ERROR_MEMORY, "%s cannot be mapped into memory", from->path);
        }
    }
    return GPR_OK;
}

/* Whether all bytes of [first, end) of the .gpr file come with the head and the shard of that number. */
static bool is_covered(const gpri_shards *s, uint32_t number, int64_t first, int64_t end) {
    for (bool found = true; found && first < end;) {
        found = false;
        for (int64_t k = 0; !found && k < s->head.extents; k++) {
            const gpri_shard_extent *e = &s->extents[k];
            if ((e->file != 0 && e->file != number) || e->place > first || e->place + e->bytes <= first) continue;
            first = e->place + e->bytes;
            found = true;
        }
    }
    return first >= end;
}

gpr_status gpri_shards_open(gpr_ctx *ctx, gpri_mapped *file) {
    const gpri_mapping *from = &file->mapping;
    gpri_shards *s;
    NEED(gpri_calloc(ctx, &file->shards, 1, sizeof *file->shards, "shards"));
    s = file->shards;
    if (from->size >= (int64_t)sizeof s->head) memcpy(&s->head, from->bytes, sizeof s->head);
    NEED(check_head(&s->head, file->path, from->size));
    if (s->head.number > 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s is shard %u of %lld: give the file without the number at its end",
                         file->path, s->head.number, (long long)s->head.shards);
    NEED(read_tables(ctx, s, from));
    NEED(check_tables(s, file->path));
    if (sysconf(_SC_PAGESIZE) > GPRI_SHARD_UNIT)
        return gpri_fail(GPR_ERROR_IO,
                         "%s: the pages of this machine are larger than %d bytes: convert it to one file elsewhere",
                         file->path, GPRI_SHARD_UNIT);
    NEED(gpri_calloc(ctx, &s->files, s->head.shards, sizeof *s->files, "shards"));
    for (int64_t k = 0; k < s->head.shards; k++) s->files[k].fd = -1;
    const int64_t bytes = (s->head.bytes + GPRI_SHARD_UNIT - 1) / GPRI_SHARD_UNIT * GPRI_SHARD_UNIT;
    void *base = mmap(NULL, (size_t)bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return gpri_fail(GPR_ERROR_MEMORY, "%s: there is no room for %lld bytes in the address space", file->path,
                         (long long)bytes);
    s->base = base;
    s->reserved = bytes;
    if (!is_covered(s, 0, 0, sizeof file->header)) NEED(damaged(file->path, "its header is missing"));
    NEED(map_pieces(s, from, 0));
    file->bytes = s->base;
    return GPR_OK;
}

gpr_status gpri_shards_fit(const gpri_mapped *file) {
    const gpri_shards *s = file->shards;
    if (file->slots[GPRI_GRAPHS] >= 0) return damaged(file->path, "data with relations has no shards");
    if (s->head.nodes != file->header.nodes || s->head.bytes != file->header.bytes)
        return damaged(file->path, "its counts are not those of its data");
    for (int pass = 0; pass < 2; pass++) /* the second one reads row pointers, which the first one has found */
        for (int kind = 0; kind < GPRI_MAPPED_KINDS; kind++) {
            const int slot = file->slots[kind];
            if (slot < 0) continue;
            const int64_t at = file->header.section[slot].offset,
                          size = gpri_mapped_padded(file->header.section[slot].bytes);
            const bool by_rows = gpri_shard_cuts((gpri_mapped_kind)kind);
            if (pass == 0 && !by_rows && !is_covered(s, 0, at, at + size))
                return damaged(file->path, "a piece of it is missing");
            for (int64_t k = 0; pass == 1 && by_rows && k < s->head.shards; k++) {
                int64_t first, end;
                gpri_shard_part(file, (gpri_mapped_kind)kind, k, &first, &end);
                if (first < 0 || end < first || end > size) return damaged(file->path, "its row pointers are wrong");
                if (!is_covered(s, (uint32_t)k + 1, at + first, at + end))
                    return damaged(file->path, "a piece of a shard is missing");
            }
        }
    return GPR_OK;
}

static gpr_status open_shard(gpr_ctx *ctx, gpri_mapped *file, int64_t k) {
    gpr_status status = GPR_OK;
    gpri_shards *s = file->shards;
    gpri_mapping *to = &s->files[k];
    gpri_shard_head head = {.number = 0};
    char *path = NULL;
    const size_t room = strlen(file->path) + 24;
    TRY(gpri_alloc(ctx, &path, (int64_t)room, 1, "path"));
    snprintf(path, room, "%s.%lld", file->path, (long long)k + 1);
    status = gpri_map(ctx, to, path);
    if (status != GPR_OK && status != GPR_ERROR_MEMORY)
        gpri_fail_prefix(status, "%s has %lld shards, and rows %lld to %lld are in one that cannot be opened",
                         file->path, (long long)s->head.shards, (long long)s->cuts[k], (long long)s->cuts[k + 1] - 1);
    TRY(status);
    if (to->size >= (int64_t)sizeof head) memcpy(&head, to->bytes, sizeof head);
    TRY(check_head(&head, path, to->size));
    if (memcmp(head.identity, s->head.identity, sizeof head.identity) != 0 || head.shards != s->head.shards ||
        head.number != (uint32_t)k + 1)
        THROW(GPR_ERROR_MISMATCH,
              "%s is a shard of other data than %s, or of another conversion: convert the data again", path,
              file->path);
    TRY(map_pieces(s, to, (uint32_t)k + 1));
    s->open++;
    path = NULL; /* the mapping has it */
done:
    if (status != GPR_OK) gpri_unmap(to);
    gpri_free(ctx, path);
    return status;
}

gpr_status gpri_shards_rows(gpr_ctx *ctx, gpri_mapped *file, int64_t first, int64_t end) {
    gpri_shards *s = file->shards;
    for (int64_t k = 0; k < s->head.shards; k++)
        if (s->files[k].fd < 0 && s->cuts[k] < end && s->cuts[k + 1] > first) NEED(open_shard(ctx, file, k));
    for (int64_t k = 0; k < s->head.shards; k++) /* without rows: nothing is in it */
        if (s->files[k].fd < 0 && s->cuts[k] == s->cuts[k + 1] && first == 0 && end == s->head.nodes)
            NEED(open_shard(ctx, file, k));
    return GPR_OK;
}

void gpri_shards_close(gpr_ctx *ctx, gpri_shards *s) {
    if (!s) return;
    for (int64_t k = 0; s->files && k < s->head.shards; k++) {
        char *path = (char *)(uintptr_t)s->files[k].path;
        gpri_unmap(&s->files[k]);
        gpri_free(ctx, path);
    }
    if (s->base) munmap(s->base, (size_t)s->reserved);
    gpri_free_all(ctx, s->files, s->cuts, s->extents, s);
}

bool gpri_shard_cuts(gpri_mapped_kind kind) {
    return (gpri_mapped_is_graphs(kind) && kind != GPRI_ROWPTR) || kind == GPRI_DENSE || kind == GPRI_FEATURE_COLUMN ||
           kind == GPRI_FEATURE_VALUE;
}

/* Elements before a row; -1: more than any file has. */
static int64_t elements_before(const gpri_mapped *file, gpri_mapped_kind kind, int64_t row) {
    if (kind == GPRI_DENSE) return row * file->header.features;
    const bool graph = gpri_mapped_is_graphs(kind);
    const int64_t *rowptr = gpri_mapped_section_of(file, graph ? GPRI_ROWPTR : GPRI_FEATURE_ROWPTR);
    return rowptr[row] < 0 || rowptr[row] > INT64_MAX / 16 ? -1 : rowptr[row];
}

bool gpri_shard_part(const gpri_mapped *file, gpri_mapped_kind kind, int64_t shard, int64_t *first, int64_t *end) {
    const int64_t *cuts = file->shards->cuts, size = gpri_mapped_forms[kind].size;
    if (!gpri_shard_cuts(kind)) return false;
    *first = elements_before(file, kind, cuts[shard]) * size;
    *end = elements_before(file, kind, cuts[shard + 1]) * size;
    if (shard + 1 == file->shards->head.shards)
        *end = gpri_mapped_padded(file->header.section[file->slots[kind]].bytes);
    return true;
}
