/* A dataset with its nodes in another order. */
#include "data/order/reorder.h"

#include <stdio.h>
#include <string.h>

#include "base/thread.h"
#include "data/feature_matrix.h"

enum { ROWS = 1024 }; /* of a chunk */

/* ---- arrays of a dataset ---- */

typedef struct moving {
    const gpri_feature_matrix *from;
    gpri_feature_matrix *to;
    const int32_t *order;
} moving;

static void move_features(void *arg, int64_t chunk, int slot) {
    const moving *m = arg;
    const gpri_range range = gpri_chunk_of(chunk, ROWS, m->to->rows);
    const int64_t cols = m->to->cols;
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++) {
        const int64_t old = m->order[i];
        if (m->to->dense) {
            memcpy(m->to->dense + i * cols, m->from->dense + old * cols, (size_t)cols * sizeof *m->to->dense);
            continue;
        }
        const int64_t at = m->to->rowptr[i], count = m->to->rowptr[i + 1] - at, begin = m->from->rowptr[old];
        if (count == 0) continue;
        memcpy(m->to->column + at, m->from->column + begin, (size_t)count * sizeof *m->to->column);
        memcpy(m->to->value + at, m->from->value + begin, (size_t)count * sizeof *m->to->value);
    }
}

static gpr_status reorder_features(gpr_ctx *ctx, gpri_feature_matrix *to, const gpri_feature_matrix *from,
                                   const int32_t *order) {
    gpr_status status = GPR_OK;
    int64_t cells;
    *to = (gpri_feature_matrix){.rows = from->rows, .cols = from->cols, .nnz = from->nnz};
    if (from->dense) {
        if (!gpri_mul_size(from->rows, from->cols, &cells)) THROW(GPR_ERROR_MEMORY, "the features are too large");
        TRY(gpri_alloc(ctx, &to->dense, cells, sizeof *to->dense, "features"));
    } else {
        TRY(gpri_alloc(ctx, &to->rowptr, from->rows + 1, sizeof *to->rowptr, "features"));
        TRY(gpri_alloc(ctx, &to->column, from->nnz, sizeof *to->column, "features"));
        TRY(gpri_alloc(ctx, &to->value, from->nnz, sizeof *to->value, "features"));
        to->rowptr[0] = 0;
        for (int64_t i = 0; i < from->rows; i++)
            to->rowptr[i + 1] = to->rowptr[i] + from->rowptr[order[i] + 1] - from->rowptr[order[i]];
    }
    moving m = {from, to, order};
    gpri_parallel(ctx, ctx->threads, gpri_chunk_count(from->rows, ROWS), move_features, &m);
done:
    return status; /* the caller frees the dataset */
}

static int64_t id_size(const gpr_dataset *data, int64_t node) {
    const gpri_names *ids = &data->node_ids;
    if (ids->count > 0) return ids->start[node + 1] - ids->start[node];
    return snprintf(NULL, 0, "%lld", (long long)node) + 1;
}

/* Numbers where there are no ids. */
static gpr_status reorder_ids(gpr_ctx *ctx, gpri_names *to, const gpr_dataset *data, const int32_t *order) {
    gpr_status status = GPR_OK;
    const int64_t nodes = data->graph.nodes;
    char number[24];
    *to = (gpri_names){.count = nodes};
    TRY(gpri_alloc(ctx, &to->start, nodes + 1, sizeof *to->start, "ids of nodes"));
    to->start[0] = 0;
    for (int64_t i = 0; i < nodes; i++) to->start[i + 1] = to->start[i] + id_size(data, order[i]);
    TRY(gpri_alloc(ctx, &to->bytes, to->start[nodes], 1, "ids of nodes"));
    for (int64_t i = 0; i < nodes; i++)
        memcpy(to->bytes + to->start[i], gpri_name_or_number(&data->node_ids, order[i], number),
               (size_t)(to->start[i + 1] - to->start[i]));
done:
    if (status != GPR_OK) gpri_names_free(ctx, to);
    return status;
}

static gpr_status reorder_own_split(gpr_ctx *ctx, gpri_own_split *to, const gpri_own_split *from, const int32_t *order,
                                    int64_t nodes) {
    if (from->part) NEED(gpri_alloc(ctx, &to->part, nodes, sizeof *to->part, "split"));
    if (from->time) NEED(gpri_alloc(ctx, &to->time, nodes, sizeof *to->time, "times"));
    for (int64_t i = 0; i < nodes && from->part; i++) to->part[i] = from->part[order[i]];
    for (int64_t i = 0; i < nodes && from->time; i++) to->time[i] = from->time[order[i]];
    to->timed = from->timed;
    if (from->column) NEED(gpri_strdup(ctx, &to->column, from->column));
    return GPR_OK;
}

gpr_status gpri_dataset_reorder_numbers(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset *data,
                                        const int32_t *order) {
    gpr_status status = GPR_OK;
    const int64_t nodes = data->graph.nodes;
    gpr_dataset *to = NULL;
    *out = NULL;
    TRY(gpri_dataset_new_empty(ctx, &to));
    TRY(gpri_strdup(ctx, &to->name, data->name));
    TRY(gpri_order_graph(ctx, &to->graph, &data->graph, order));
    TRY(reorder_features(ctx, &to->features, &data->features, order));
    TRY(gpri_target_new(ctx, &to->target, &data->target, nodes));
    for (int64_t i = 0; i < nodes; i++) gpri_target_copy(&to->target, i, &data->target, order[i]);
    if (data->node_weights) {
        TRY(gpri_alloc(ctx, &to->node_weights, nodes, sizeof *to->node_weights, "weights of nodes"));
        for (int64_t i = 0; i < nodes; i++) to->node_weights[i] = data->node_weights[order[i]];
    }
    to->mixed_columns = data->mixed_columns;
    to->from_table = data->from_table;
    to->phi = data->phi;
    to->generated = data->generated;
    to->memory = data->memory;
    *out = to;
    to = NULL;
done:
    gpr_dataset_free(to);
    return status;
}

/* Beside the numbers, all that names them. */
static gpr_status add_names(gpr_ctx *ctx, gpr_dataset *to, const gpr_dataset *data, const int32_t *order) {
    NEED(gpri_names_clone(ctx, &to->feature_names, &data->feature_names));
    NEED(reorder_ids(ctx, &to->node_ids, data, order));
    NEED(reorder_own_split(ctx, &to->own_split, &data->own_split, order, data->graph.nodes));
    NEED(gpri_plan_clone(ctx, &to->plan, data->plan));
    NEED(gpri_names_clone(ctx, &to->origin, &data->origin));
    memcpy(to->made, data->made, sizeof to->made);
    memcpy(to->made_from, data->made_from, sizeof to->made_from);
    to->duplicates_asked = data->duplicates_asked;
    to->duplicates = data->duplicates;
    return GPR_OK;
}

gpr_status gpri_dataset_reorder(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset *data, const int32_t *order) {
    gpr_status status = GPR_OK;
    const int64_t nodes = data->graph.nodes;
    gpr_dataset *to = NULL;
    *out = NULL;
    TRY(gpri_dataset_reorder_numbers(ctx, &to, data, order));
    TRY(add_names(ctx, to, data, order));
    TRY(gpri_alloc(ctx, &to->order, nodes, sizeof *to->order, "order of nodes"));
    for (int64_t i = 0; i < nodes; i++) to->order[i] = data->order ? data->order[order[i]] : order[i];
    to->graph.moved = true;
    *out = to;
    to = NULL;
done:
    gpr_dataset_free(to);
    return status;
}

/* ---- back ---- */

static bool are_numbers(const gpri_names *ids) {
    char number[24];
    for (int64_t i = 0; i < ids->count; i++) {
        snprintf(number, sizeof number, "%lld", (long long)i);
        if (strcmp(gpri_name(ids, i), number) != 0) return false;
    }
    return true;
}

gpr_status gpri_dataset_restore(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    int32_t *back = NULL; /* (nodes) */
    *out = NULL;
    TRY(gpri_alloc(ctx, &back, data->graph.nodes, sizeof *back, "order of nodes"));
    gpri_order_invert(back, data->order, data->graph.nodes);
    TRY(gpri_dataset_reorder(ctx, out, data, back));
    gpri_free(ctx, (*out)->order);
    (*out)->order = NULL;
    (*out)->graph.moved = false;
    if (are_numbers(&(*out)->node_ids)) gpri_names_free(ctx, &(*out)->node_ids);
done:
    gpri_free(ctx, back);
    return status;
}

/* ---- splits ---- */

gpr_status gpri_order_parts(gpr_ctx *ctx, uint8_t *part, const gpr_dataset *data) {
    uint8_t *copy = NULL;
    const int64_t nodes = data->graph.nodes;
    if (!data->order) return GPR_OK;
    NEED(gpri_copy(ctx, &copy, part, nodes, sizeof *copy, "split"));
    for (int64_t i = 0; i < nodes; i++) part[i] = copy[data->order[i]];
    gpri_free(ctx, copy);
    return GPR_OK;
}

gpr_status gpri_order_split(gpr_ctx *ctx, gpr_split **out, const gpr_split *split, const int32_t *order) {
    gpr_status status = GPR_OK;
    gpr_split *to = NULL;
    *out = NULL;
    TRY(gpri_calloc(ctx, &to, 1, sizeof *to, "split"));
    to->ctx = ctx;
    to->nodes = split->nodes;
    to->classes = split->classes;
    TRY(gpri_alloc(ctx, &to->part, split->nodes, sizeof *to->part, "split"));
    TRY(gpri_alloc(ctx, &to->counts, 4 * split->classes, sizeof *to->counts, "split"));
    for (int64_t i = 0; i < split->nodes; i++) to->part[i] = split->part[order[i]];
    memcpy(to->counts, split->counts, 4 * (size_t)split->classes * sizeof *to->counts);
    *out = to;
    to = NULL;
done:
    gpr_split_free(to);
    return status;
}
