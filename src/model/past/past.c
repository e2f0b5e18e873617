/* What a model remembers of its training data, in memory and in its file. */
#include "model/past/past.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpr_status past_empty(gpr_ctx *ctx, gpri_past **out) {
    NEED(gpri_calloc(ctx, out, 1, sizeof **out, "known labels"));
    (*out)->ctx = ctx;
    (*out)->users = 1;
    (*out)->lock = (gpri_lock)GPRI_LOCK_READY;
    return GPR_OK;
}

/* A number of a row, from `base` on, in the order that the rows have for the user. */
static bool counts_rows(const gpr_dataset *data, long long base) {
    char number[24];
    for (int64_t i = 0; i < data->node_ids.count; i++) {
        snprintf(number, sizeof number, "%lld", base + (data->order ? data->order[i] : i));
        if (strcmp(gpri_name(&data->node_ids, i), number) != 0) return false;
    }
    return true;
}

bool gpri_ids_tell(const gpr_dataset *data) {
    const char *first = gpri_name(&data->node_ids, 0);
    return first && !counts_rows(data, strtoll(first, NULL, 10) - (data->order ? data->order[0] : 0));
}

gpr_status gpri_past_new(gpr_ctx *ctx, gpri_past **out, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    gpri_past *past = NULL;
    *out = NULL;
    TRY(past_empty(ctx, &past));
    gpri_unlabelled_fingerprint(past->data, data);
    past->nodes = data->graph.nodes;
    TRY(gpri_copy(ctx, &past->labels, data->target.labels, past->nodes, sizeof *past->labels, "known labels"));
    /* an order of the rows gives numbers from 0 to nodes that have no ids */
    if (!(data->order && counts_rows(data, 0))) TRY(gpri_names_clone(ctx, &past->ids, &data->node_ids));
    *out = past;
    past = NULL;
done:
    gpri_past_free(past);
    return status;
}

gpri_past *gpri_past_share(gpri_past *past) {
    if (!past) return NULL;
    gpri_acquire(&past->lock);
    past->users++;
    gpri_release(&past->lock);
    return past;
}

void gpri_past_free(gpri_past *past) {
    if (!past) return;
    gpri_acquire(&past->lock);
    const bool last = --past->users == 0;
    gpri_release(&past->lock);
    if (!last) return;
    gpri_free(past->ctx, past->labels);
    gpri_names_free(past->ctx, &past->ids);
    gpri_free(past->ctx, past);
}

/* ---- in a model file ---- */

const char *gpri_past_type(const char *name) {
    if (strcmp(name, GPRI_PAST_LABELS) == 0) return "I32";
    return strcmp(name, GPRI_PAST_IDS) == 0 ? "U8" : NULL;
}

int gpri_past_arrays(const gpri_past *past, gpri_stored_array *arrays, int count) {
    if (!past) return count;
    arrays[count++] = (gpri_stored_array){
        .name = GPRI_PAST_LABELS, .dtype = "I32", .axes = 1, .shape = {past->nodes, 1}, .values = past->labels};
    if (past->ids.count > 0)
        arrays[count++] = (gpri_stored_array){.name = GPRI_PAST_IDS,
                                              .dtype = "U8",
                                              .axes = 1,
                                              .shape = {past->ids.start[past->ids.count], 1},
                                              .values = past->ids.bytes};
    return count;
}

static gpr_status read_ids(gpr_ctx *ctx, gpri_names *out, const char *bytes, int64_t size, const char *path) {
    int64_t count = 0;
    if (bytes[size - 1] != 0) return gpri_fail(GPR_ERROR_FORMAT, "%s: %s does not end with a NUL", path, GPRI_PAST_IDS);
    for (int64_t i = 0; i < size; i++) count += bytes[i] == 0;
    NEED(gpri_alloc(ctx, &out->start, count + 1, sizeof *out->start, "ids"));
    NEED(gpri_copy(ctx, &out->bytes, bytes, size, 1, "ids"));
    out->start[0] = 0;
    for (int64_t i = 0; i < size; i++)
        if (bytes[i] == 0) out->start[++out->count] = i + 1;
    return GPR_OK;
}

gpr_status gpri_past_read(gpr_ctx *ctx, gpri_past **past, const gpri_stored_array *array, const char *path) {
    const int64_t count = array->shape[0];
    if (array->axes != 1)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: %s has two axes: one was expected", path, array->name);
    if (!*past) NEED(past_empty(ctx, past));
    if (strcmp(array->name, GPRI_PAST_IDS) == 0) return read_ids(ctx, &(*past)->ids, array->values, count, path);
    NEED(gpri_copy(ctx, &(*past)->labels, array->values, count, sizeof *(*past)->labels, "known labels"));
    (*past)->nodes = count;
    return GPR_OK;
}

gpr_status gpri_past_check(const gpri_past *past, int64_t classes, int64_t digits, const char *path) {
    if (!past) return GPR_OK;
    if (!past->labels || (past->nodes + 3) / 4 != digits)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: %s and metadata 'known_nodes' are not of the same number of nodes",
                         path, GPRI_PAST_LABELS);
    if (past->ids.count > 0 && past->ids.count != past->nodes)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: %s has %lld ids, and the training %lld nodes", path, GPRI_PAST_IDS,
                         (long long)past->ids.count, (long long)past->nodes);
    for (int64_t i = 0; i < past->nodes; i++)
        if (past->labels[i] < -1 || past->labels[i] >= classes)
            return gpri_fail(GPR_ERROR_FORMAT, "%s: %s: label %d of node %lld, and there are %lld classes", path,
                             GPRI_PAST_LABELS, (int)past->labels[i], (long long)i, (long long)classes);
    return GPR_OK;
}
