/* Splits as masks in an .npz file: reading and writing. */

#include <stdio.h>
#include <string.h>

#include "io/numpy/npz.h"
#include "io/numpy/split_masks.h"

enum { PARTS = 3 };
static const char *const mask_names[PARTS] = {"train_mask", "val_mask", "test_mask"}; /* GPR_TRAIN - 1 and on */

static gpr_status check_shape(const gpri_array *mask, const char *path, const char *name, int64_t nodes) {
    int64_t length = mask->dims == 2 ? mask->shape[1] : mask->count;
    if (mask->dims == 0 || mask->count == 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: %s is empty or a single number: expected a mask over the nodes", path,
                         name);
    if (length == nodes) return GPR_OK;
    if (mask->dims == 2)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%s: %s has the shape (%lld, %lld), but the graph has %lld nodes: expected runs x nodes%s",
                         path, name, (long long)mask->shape[0], (long long)mask->shape[1], (long long)nodes,
                         mask->shape[0] == nodes ? "; transpose it" : "");
    return gpri_fail(GPR_ERROR_MISMATCH,
                     "%s: %s has %lld entries, but the graph has %lld nodes: is it for another dataset?", path, name,
                     (long long)length, (long long)nodes);
}

gpr_status gpri_split_read(gpr_ctx *ctx, uint8_t *part, int64_t nodes, const char *path, int64_t run) {
    gpr_status status = GPR_OK;
    gpri_npz *npz = NULL;
    gpri_array mask = {0};
    int64_t training = 0;
    TRY(gpri_npz_open(ctx, &npz, path));
    memset(part, GPR_UNUSED, (size_t)nodes);
    for (int p = 0; p < PARTS; p++) {
        char name[32];
        snprintf(name, sizeof name, "%s%s", mask_names[p], gpri_npz_has(npz, mask_names[p]) ? "" : "s");
        if (!gpri_npz_has(npz, name)) name[strlen(name) - 1] = 0; /* neither: the message names the plain one */
        TRY(gpri_npz_read(npz, &mask, name, GPRI_AS_BOOL, -1));
        TRY(check_shape(&mask, path, name, nodes));
        const uint8_t *row = (uint8_t *)mask.data + (mask.dims == 2 ? run % mask.shape[0] * nodes : 0);
        for (int64_t i = 0; i < nodes; i++) {
            if (!row[i]) continue;
            if (part[i] != GPR_UNUSED)
                THROW(GPR_ERROR_FORMAT, "%s: node %lld is in both %s_mask and %s: the parts must not overlap", path,
                      (long long)i, gpri_part_word(part[i]), name);
            part[i] = (uint8_t)(p + GPR_TRAIN);
            training += p + GPR_TRAIN == GPR_TRAIN;
        }
        gpri_free(ctx, mask.data);
        mask.data = NULL;
    }
    if (training == 0) THROW(GPR_ERROR_FORMAT, "%s: train_mask is empty: there is nothing to train on", path);
done:
    gpri_free(ctx, mask.data);
    gpri_npz_close(npz);
    return status;
}

gpr_status gpr_split_save(gpr_ctx *ctx, const gpr_split *split, const char *path) {
    gpr_status status = GPR_OK;
    gpri_npz_writer *writer = NULL;
    uint8_t *masks[PARTS] = {NULL};
    if (!ctx || !split || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_split_save: a NULL argument");
    TRY(gpri_npz_create(ctx, &writer, path));
    for (int p = 0; p < PARTS; p++) {
        TRY(gpri_alloc(ctx, &masks[p], split->nodes, 1, "mask"));
        for (int64_t i = 0; i < split->nodes; i++)
            masks[p][split->order ? split->order[i] : i] = split->part[i] == p + GPR_TRAIN;
        TRY(gpri_npz_add(writer, mask_names[p], GPRI_AS_BOOL, 1, &split->nodes, masks[p], true));
    }
    TRY(gpri_npz_commit(&writer));
done:
    gpri_npz_discard(writer);
    for (int p = 0; p < PARTS; p++) gpri_free(ctx, masks[p]);
    return gpri_finish(status);
}
