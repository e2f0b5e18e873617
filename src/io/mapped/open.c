/* Opening a .gpr file: in a moment, whatever its size. The arrays of the dataset are the file itself. */
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "io/mapped/mapped.h"

void gpri_mapped_free(gpr_ctx *ctx, gpri_mapped *file) {
    if (!file) return;
    gpri_unmap(&file->mapping);
    gpri_free(ctx, file->path);
    gpri_free(ctx, file);
}

/* Where a section lies in memory; NULL where the file has none. The arrays of a dataset are never written to. */
static void *section_of(const gpri_mapped *file, gpri_mapped_kind kind) {
    const int slot = file->slots[kind];
    return slot < 0 ? NULL : (void *)(uintptr_t)(file->mapping.bytes + file->header.section[slot].offset);
}

/* The name is looked at when the file is opened: messages want it. */
static gpr_status take_name(gpr_ctx *ctx, char **out, const gpri_mapped *file) {
    const gpri_mapped_section *section = &file->header.section[file->slots[GPRI_NAME]];
    const char *name = section_of(file, GPRI_NAME);
    if (gpri_checksum(0, name, gpri_mapped_padded(section->bytes)) != section->checksum)
        return gpri_fail(GPR_ERROR_FORMAT, "section name is damaged: its checksum is wrong; convert the data again");
    if (memchr(name, 0, (size_t)section->bytes) != name + section->bytes - 1)
        return gpri_fail(GPR_ERROR_FORMAT, "section name: expected a text with one NUL, at its end");
    return gpri_strdup(ctx, out, name);
}

static gpri_names names_of(const gpri_mapped *file, gpri_mapped_kind starts, gpri_mapped_kind bytes, int64_t count) {
    if (file->slots[starts] < 0) return (gpri_names){.count = 0};
    return (gpri_names){.count = count, .start = section_of(file, starts), .bytes = section_of(file, bytes)};
}

void gpri_mapped_arrays(gpr_dataset *data, const gpri_mapped *file) {
    const gpri_mapped_header *header = &file->header;
    data->graph = (gpri_graph){.nodes = header->nodes,
                               .arcs = header->arcs,
                               .rowptr = section_of(file, GPRI_ROWPTR),
                               .column = section_of(file, GPRI_COLUMN),
                               .weight = section_of(file, GPRI_WEIGHT),
                               .self_loops = header->self_loops,
                               .duplicates = header->duplicates,
                               .isolated = header->isolated};
    data->features = (gpri_feature_matrix){.rows = header->nodes,
                                           .cols = header->features,
                                           .nnz = header->feature_nnz,
                                           .dense = section_of(file, GPRI_DENSE),
                                           .rowptr = section_of(file, GPRI_FEATURE_ROWPTR),
                                           .column = section_of(file, GPRI_FEATURE_COLUMN),
                                           .value = section_of(file, GPRI_FEATURE_VALUE)};
    data->labels = section_of(file, GPRI_LABELS);
    data->classes = header->classes;
    data->class_names = names_of(file, GPRI_CLASS_STARTS, GPRI_CLASS_NAMES, header->classes);
    data->node_ids = names_of(file, GPRI_NODE_STARTS, GPRI_NODE_IDS, header->nodes);
    data->feature_names = names_of(file, GPRI_FEATURE_STARTS, GPRI_FEATURE_NAMES, header->features);
    data->mixed_columns = header->mixed_columns != 0;
    data->phi = header->phi;
}

gpr_status gpri_read_mapped(gpr_ctx *ctx, gpr_dataset **out, const char *path) {
    gpr_status status = GPR_OK;
    gpr_dataset *data = NULL;
    gpri_mapped *file = NULL;
    *out = NULL;
    TRY(gpri_calloc(ctx, &data, 1, sizeof *data, "dataset"));
    data->ctx = ctx;
    TRY(gpri_calloc(ctx, &file, 1, sizeof *file, "dataset"));
    data->file = file;
    file->lock = (gpri_lock)GPRI_LOCK_READY;
    TRY(gpri_strdup(ctx, &file->path, path));
    TRY(gpri_map(&file->mapping, path));
    const int64_t size = file->mapping.size;
    if (size < (int64_t)sizeof file->header)
        THROW(GPR_ERROR_FORMAT, "%s has %lld bytes: a .gpr file has %zu and more", path, (long long)size,
              sizeof file->header);
    memcpy(&file->header, file->mapping.bytes, sizeof file->header);
    status = gpri_mapped_check_header(file->slots, &file->header, size);
    if (status == GPR_OK) status = take_name(ctx, &data->name, file);
    if (status != GPR_OK) {
        if (status == GPR_ERROR_FORMAT) gpri_fail_prefix(status, "%s", path);
        goto done;
    }
    gpri_mapped_arrays(data, file);
    *out = data;
    data = NULL;
done:
    gpr_dataset_free(data);
    return status;
}

gpr_status gpri_dataset_check_file(gpr_ctx *ctx, int threads, const gpr_dataset *data) {
    gpri_mapped *file = data->file;
    if (atomic_load(&file->state) == GPRI_SOUND) return GPR_OK;
    gpri_acquire(&file->lock);
    gpr_status status = GPR_OK;
    if (atomic_load(&file->state) == GPRI_UNSEEN) {
        status = gpri_mapped_check(ctx, threads, file);
        if (status == GPR_OK) {
            atomic_store(&file->state, GPRI_SOUND);
        } else if (status == GPR_ERROR_FORMAT) { /* and not for want of memory */
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
