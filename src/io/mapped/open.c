/* Opens a .gpr file, at once at any size. The arrays of the dataset are the file itself, or a copy of it in memory. */
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "file/checksum.h"
#include "io/mapped/shards.h"

static void release(gpr_ctx *ctx, void *arg) {
    gpri_mapped *file = arg;
    gpri_shards_close(ctx, file->shards);
    gpri_unmap(&file->mapping);
    for (int64_t r = 0; file->relations && r < file->relation_count; r++) gpri_free(ctx, file->relations[r].name);
    gpri_free_all(ctx, file->path, file->relations, file);
}

/* The name is read when the file is opened: messages need it. */
static gpr_status take_name(gpr_ctx *ctx, char **out, const gpri_mapped *file) {
    const gpri_mapped_section *section = &file->header.section[file->slots[GPRI_NAME]];
    const char *name = gpri_mapped_section_of(file, GPRI_NAME);
    if (gpri_checksum(0, name, gpri_mapped_padded(section->bytes)) != section->checksum)
        return gpri_fail(GPR_ERROR_FORMAT, "section name is damaged: its checksum is wrong; convert the data again");
    if (memchr(name, 0, (size_t)section->bytes) != name + section->bytes - 1)
        return gpri_fail(GPR_ERROR_FORMAT, "section name: expected a text with one NUL, at its end");
    return gpri_strdup(ctx, out, name);
}

static gpr_status open_rows(gpr_ctx *ctx, void *arg, int64_t first, int64_t end) {
    gpri_mapped *file = arg;
    gpri_acquire(&file->lock);
    gpr_status status = gpri_shards_rows(ctx, file, first, end);
    gpri_release(&file->lock);
    return status;
}

static bool is_head(const gpri_mapping *mapping) {
    const size_t size = sizeof GPRI_SHARD_MAGIC - 1;
    return mapping->size >= (int64_t)size && memcmp(mapping->bytes, GPRI_SHARD_MAGIC, size) == 0;
}

static bool is_whole(const void *arg) {
    const gpri_mapped *file = arg;
    return !file->shards || gpri_shards_whole(file->shards);
}

/* One thread checks the file, the others wait for it. The outcome is kept. */
static gpr_status check_once(gpr_ctx *ctx, int threads, const gpr_ctx *together, void *arg) {
    gpri_mapped *file = arg;
    int state = atomic_load(&file->state);
    if (state == GPRI_SOUND) return GPR_OK;
    gpri_acquire(&file->lock);
    gpr_status status = GPR_OK;
    state = atomic_load(&file->state);
    if (state == GPRI_UNSEEN || state == GPRI_PARTLY_SOUND) {
        if (file->shards && !together) status = gpri_shards_rows(ctx, file, 0, file->header.nodes);
        if (status == GPR_OK) status = gpri_mapped_check(ctx, threads, together, file);
        if (status == GPR_OK) {
            atomic_store(&file->state, is_whole(file) ? GPRI_SOUND : GPRI_PARTLY_SOUND);
        } else if (status == GPR_ERROR_FORMAT) { /* not if memory ran out */
            file->status = status;
            snprintf(file->message, sizeof file->message, "%s", gpr_last_error());
            atomic_store(&file->state, GPRI_DAMAGED);
        }
    } else if (atomic_load(&file->state) == GPRI_DAMAGED) {
        status = gpri_fail(file->status, "%s", file->message);
    }
    gpri_release(&file->lock);
    return status;
}

static bool is_partly_sound(const void *arg) {
    return atomic_load(&((const gpri_mapped *)arg)->state) == GPRI_PARTLY_SOUND;
}

static bool was_seen(const void *arg) { return atomic_load(&((const gpri_mapped *)arg)->state) != GPRI_UNSEEN; }

static gpr_status open_file(gpr_ctx *ctx, gpr_dataset **out, const char *path, bool copy) {
    gpr_status status = GPR_OK;
    gpr_dataset *data = NULL;
    gpri_mapped *file = NULL;
    *out = NULL;
    TRY(gpri_dataset_new_empty(ctx, &data));
    TRY(gpri_calloc(ctx, &file, 1, sizeof *file, "dataset"));
    file->mapping.fd = -1;
    data->backing = (gpri_backing){.file = file,
                                   .ready = check_once,
                                   .seen = was_seen,
                                   .whole = is_whole,
                                   .partly = is_partly_sound,
                                   .unchanged = gpri_mapped_unchanged,
                                   .release = release,
                                   .stated = file->header.fingerprint,
                                   .fingerprint = file->fingerprint};
    file->lock = (gpri_lock)GPRI_LOCK_READY;
    TRY(gpri_strdup(ctx, &file->path, path));
    TRY(copy ? gpri_map_copy(ctx, &file->mapping, file->path) : gpri_map(ctx, &file->mapping, file->path));
    file->bytes = file->mapping.bytes;
    if (is_head(&file->mapping)) {
        if (copy)
            THROW(GPR_ERROR_ARGUMENT, "%s has shards, which are mapped: leave out `no-map`, or convert it to one file",
                  path);
        TRY(gpri_shards_open(ctx, file));
        data->backing.rows = open_rows;
    }
    const int64_t size = file->shards ? file->shards->head.bytes : file->mapping.size;
    if (size < (int64_t)sizeof file->header)
        THROW(GPR_ERROR_FORMAT, "%s has %lld bytes: a .gpr file has at least %zu", path, (long long)size,
              sizeof file->header);
    memcpy(&file->header, file->bytes, sizeof file->header);
    status = gpri_mapped_check_header(file->slots, &file->header, size);
    if (status == GPR_OK && file->shards) TRY(gpri_shards_fit(file));
    if (status == GPR_OK) status = take_name(ctx, &data->name, file);
    if (status == GPR_OK) status = gpri_mapped_find_relations(ctx, file);
    if (status != GPR_OK) {
        if (status == GPR_ERROR_FORMAT) gpri_fail_prefix(status, "%s", path);
        goto done;
    }
    TRY(gpri_budget_declared(ctx, path, "features", file->header.features, GPRI_COLUMN_BYTES, size));
    gpri_mapped_arrays(data, file);
    *out = data;
    data = NULL;
done:
    gpr_dataset_free(data);
    return status;
}

gpr_status gpri_read_mapped(gpr_ctx *ctx, gpr_dataset **out, const char *path) {
    return open_file(ctx, out, path, false);
}

gpr_status gpri_read_mapped_copy(gpr_ctx *ctx, gpr_dataset **out, const char *path) {
    return open_file(ctx, out, path, true);
}
