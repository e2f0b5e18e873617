/* Makes the plan of a graph's rows: on the host, then one copy to the card. */
#include <stdlib.h>
#include <string.h>

#include "tensor/cuda/graph/plan.cuh"

enum { CLASSES = 6, LONG = CLASSES - 1 }; /* 1, 2, 4, 8, 16 slots; and long rows */

/* A list that grows. */
template <class T> struct plan_list {
    T *at;
    int64_t count, room;
    bool failed;

    T *more() {
        if (count == room) {
            const int64_t larger = 2 * room + 64;
            T *grown = (T *)realloc((void *)at, (size_t)larger * sizeof *at);
            if (!grown) {
                failed = true;
                return NULL;
            }
            at = grown;
            room = larger;
        }
        return &at[count++];
    }
    void add(T item) {
        if (T *place = more()) *place = item;
    }
    size_t bytes() const { return (size_t)count * sizeof *at; }
};

struct plan_maker {
    const gpri_graph *graph;
    plan_list<gpri_planned_row> rows;
    plan_list<gpri_row_task> tasks;
    plan_list<gpri_row_share> shares;
    plan_list<gpri_long_row> longs, huge, pieced;
    plan_list<gpri_row_piece> pieces;
    plan_list<int32_t> waiting[CLASSES]; /* nodes of the share that is being filled */
    int64_t first, work;                 /* of that share: its first node, its entries and rows */
    int64_t slots, huge_parts;

    int64_t count_of(int64_t node) const { return graph->rowptr[node + 1] - graph->rowptr[node]; }
    gpri_row_share *begin_share(int64_t entry) {
        gpri_row_share share = {};
        share.entry = entry;
        share.row = (int32_t)rows.count, share.task = (int32_t)tasks.count;
        share.slot = (int32_t)slots, share.long_row = (int32_t)longs.count;
        shares.add(share);
        return shares.failed ? NULL : &shares.at[shares.count - 1];
    }
    void add_row(int64_t node) {
        rows.add(gpri_planned_row{graph->rowptr[node], (int32_t)count_of(node), (int32_t)node});
    }
    void add_long(int64_t node);
    void add_huge(int64_t node);
    void add_pieces(int64_t node);
    void close_share();
    void make();
    bool failed() const;
    void clear();
};

static int64_t parts_of(int64_t count) { return (count + GPRI_PART_ENTRIES - 1) / GPRI_PART_ENTRIES; }

static int class_of(int64_t count) {
    int which = 0;
    while (which < LONG && count > ((int64_t)GPRI_SLOT_ENTRIES << which)) which++;
    return which;
}

void plan_maker::add_long(int64_t node) {
    const int32_t row = (int32_t)rows.count, parts = (int32_t)parts_of(count_of(node));
    add_row(node);
    longs.add(gpri_long_row{row, (int32_t)slots, parts, 0});
    for (int32_t p = 0; p < parts; p++) tasks.add(gpri_row_task{row, p, (int32_t)slots++, 1, GPRI_WARP_SLOTS});
}

/* Shares of its own; they come first, so that they are begun first. */
void plan_maker::add_huge(int64_t node) {
    const int32_t row = (int32_t)rows.count, parts = (int32_t)parts_of(count_of(node));
    const int32_t parts_of_share = 2 * GPRI_LEAST_WORK / GPRI_PART_ENTRIES;
    const int64_t end = graph->rowptr[node + 1];
    gpri_row_share *share = NULL;
    add_row(node);
    huge.add(gpri_long_row{row, (int32_t)huge_parts, parts, 0});
    for (int32_t p = 0; p < parts; p++) {
        const int64_t from = graph->rowptr[node] + (int64_t)p * GPRI_PART_ENTRIES;
        if (p % parts_of_share == 0) share = begin_share(from);
        tasks.add(gpri_row_task{row, p, (int32_t)huge_parts++, 1, 0});
        if (!share) return;
        share->row = row, share->rows = 1;
        share->tasks++;
        const int64_t left = end - from, most = GPRI_PART_ENTRIES;
        share->entries += (int32_t)(left < most ? left : most);
    }
}

void plan_maker::add_pieces(int64_t node) {
    const int32_t count = (int32_t)((count_of(node) + GPRI_PIECE_ENTRIES) / GPRI_PIECE_ENTRIES); /* with itself */
    pieced.add(gpri_long_row{(int32_t)node, (int32_t)pieces.count, count, 0});
    for (int32_t p = 0; p < count; p++) pieces.add(gpri_row_piece{(int32_t)node, p});
}

/* The largest tasks first. */
void plan_maker::close_share() {
    if (work == 0) return;
    gpri_row_share *share = begin_share(graph->rowptr[first]);
    for (int64_t i = 0; i < waiting[LONG].count; i++) add_long(waiting[LONG].at[i]);
    for (int which = LONG - 1; which >= 0; which--) {
        const int64_t at_once = GPRI_WARP_SLOTS >> which;
        for (int64_t i = 0; i < waiting[which].count; i++) {
            const int64_t left = waiting[which].count - i;
            if (i % at_once == 0)
                tasks.add(gpri_row_task{(int32_t)rows.count, 0, -1, (int16_t)(left < at_once ? left : at_once),
                                        (int16_t)(1 << which)});
            add_row(waiting[which].at[i]);
        }
    }
    for (int which = 0; which < CLASSES; which++) waiting[which].count = 0;
    if (share) {
        share->entries = (int32_t)(work - (rows.count - share->row));
        share->rows = (int32_t)rows.count - share->row, share->tasks = (int32_t)tasks.count - share->task;
        share->slots = (int32_t)slots - share->slot, share->longs = (int32_t)longs.count - share->long_row;
    }
    work = 0;
}

void plan_maker::make() {
    const int64_t most = (int64_t)GPRI_LONG_PARTS * GPRI_PART_ENTRIES;
    int64_t most_work = GPRI_LEAST_WORK;
    while (most_work < GPRI_MOST_WORK && graph->nodes + graph->arcs > most_work * GPRI_ENOUGH_SHARES) most_work *= 2;
    for (int64_t i = 0; i < graph->nodes; i++) {
        if (count_of(i) > most) add_huge(i);
        if (count_of(i) > GPRI_PART_ENTRIES) add_pieces(i);
    }
    for (int64_t i = 0; i < graph->nodes && !failed(); i++) {
        const int64_t count = count_of(i);
        if (work + count >= most_work) close_share();
        if (count > most) continue;
        if (work == 0) first = i;
        work += 1 + count;
        waiting[class_of(count)].add((int32_t)i);
    }
    close_share();
}

/* The most that a share has. */
static gpri_share_room room_of(const plan_list<gpri_row_share> *shares) {
    gpri_share_room most = {};
    for (int64_t i = 0; i < shares->count; i++) gpri_make_room(&most, shares->at[i]);
    return most;
}

bool plan_maker::failed() const {
    bool any =
        rows.failed || tasks.failed || shares.failed || longs.failed || huge.failed || pieced.failed || pieces.failed;
    for (int which = 0; which < CLASSES; which++) any |= waiting[which].failed;
    return any;
}

void plan_maker::clear() {
    free(rows.at), free(tasks.at), free(shares.at), free(longs.at), free(huge.at);
    free(pieced.at), free(pieces.at);
    for (int which = 0; which < CLASSES; which++) free(waiting[which].at);
}

/* The entries of a small graph in the order of its rows here, so that those of a share lie together. */
static void pack(plan_maker *m, int32_t *column, int32_t *places, float *weight, int32_t *place_of) {
    int64_t at = 0;
    for (int64_t r = 0; r < m->rows.count; r++) place_of[m->rows.at[r].node] = (int32_t)r;
    for (int64_t r = 0; r < m->rows.count; r++) {
        gpri_planned_row *row = &m->rows.at[r];
        const size_t count = (size_t)row->count;
        if (count) memcpy(column + at, m->graph->column + row->begin, count * sizeof *column);
        if (weight && count) memcpy(weight + at, m->graph->weight + row->begin, count * sizeof *weight);
        for (int64_t i = at; i < at + row->count; i++) places[i] = place_of[column[i]];
        row->begin = at;
        at += row->count;
    }
    for (int64_t s = 0; s < m->shares.count; s++) m->shares.at[s].entry = m->rows.at[m->shares.at[s].row].begin;
}

/* All arrays in one block of the host, and then of the card. */
static gpr_status copy_plan(const gpri_device *device, gpr_ctx *ctx, gpri_graph_plan *plan, plan_maker *m,
                            const gpri_graph *view) {
    enum { ROWS, TASKS, SHARES, LONGS, HUGE_ROWS, PIECED, PIECES, COLUMN, PLACES, WEIGHT, ARRAYS };
    const size_t entries = plan->small ? (size_t)m->graph->arcs * sizeof(int32_t) : 0, alignment = 256;
    const size_t sizes[ARRAYS] = {m->rows.bytes(), m->tasks.bytes(),          m->shares.bytes(), m->longs.bytes(),
                                  m->huge.bytes(), m->pieced.bytes(),         m->pieces.bytes(), entries,
                                  entries,         view->weight ? entries : 0};
    size_t at[ARRAYS], all = 0;
    for (int i = 0; i < ARRAYS; i++) {
        at[i] = all;
        all += (sizes[i] + alignment - 1) / alignment * alignment;
    }
    char *block = (char *)calloc(1, all + 1);
    int32_t *place_of = plan->small ? (int32_t *)calloc((size_t)m->graph->nodes + 1, sizeof *place_of) : NULL;
    if (!block || (plan->small && !place_of)) {
        free(block), free(place_of);
        return GPR_ERROR_MEMORY;
    }
    if (plan->small)
        pack(m, (int32_t *)(block + at[COLUMN]), (int32_t *)(block + at[PLACES]),
             view->weight ? (float *)(block + at[WEIGHT]) : NULL, place_of);
    free(place_of);
    const void *const from[] = {m->rows.at, m->tasks.at,  m->shares.at, m->longs.at,
                                m->huge.at, m->pieced.at, m->pieces.at};
    for (int i = 0; i < COLUMN; i++)
        if (sizes[i]) memcpy(block + at[i], from[i], sizes[i]);
    const gpr_status status = device->alloc(device, ctx, &plan->block, (int64_t)all, 1, false, "plan of the rows");
    if (status == GPR_OK) device->put(device, plan->block, block, (int64_t)all);
    free(block);
    if (status != GPR_OK) return status;
    const char *to = (const char *)plan->block;
    gpri_row_plan *p = &plan->rows;
    p->rows = (const gpri_planned_row *)(to + at[ROWS]);
    p->tasks = (const gpri_row_task *)(to + at[TASKS]);
    p->shares = (const gpri_row_share *)(to + at[SHARES]);
    p->longs = (const gpri_long_row *)(to + at[LONGS]);
    p->huge = (const gpri_long_row *)(to + at[HUGE_ROWS]);
    p->pieced = (const gpri_long_row *)(to + at[PIECED]);
    p->pieces = (const gpri_row_piece *)(to + at[PIECES]);
    p->column = plan->small ? (const int32_t *)(to + at[COLUMN]) : view->column;
    p->places = plan->small ? (const int32_t *)(to + at[PLACES]) : NULL;
    p->weight = plan->small && view->weight ? (const float *)(to + at[WEIGHT]) : view->weight;
    return GPR_OK;
}

gpr_status gpri_graph_plan_new(const gpri_device *device, gpr_ctx *ctx, gpri_graph_plan **out, const gpri_graph *graph,
                               const gpri_graph *view) {
    gpri_graph_plan *plan = (gpri_graph_plan *)calloc(1, sizeof *plan);
    plan_maker m = {};
    gpr_status status = plan ? GPR_OK : GPR_ERROR_MEMORY;
    *out = NULL;
    m.graph = graph;
    if (status == GPR_OK) m.make();
    if (status != GPR_OK || m.failed()) {
        m.clear();
        free(plan);
        return GPR_ERROR_MEMORY;
    }
    plan->rows.nodes = (int32_t)graph->nodes;
    plan->rows.share_count = (int32_t)m.shares.count;
    plan->rows.huge_count = (int32_t)m.huge.count;
    plan->rows.huge_parts = (int32_t)m.huge_parts;
    plan->rows.pieced_count = (int32_t)m.pieced.count;
    plan->rows.piece_count = (int32_t)m.pieces.count;
    plan->room = room_of(&m.shares);
    plan->small =
        m.huge.count == 0 && plan->rows.share_count <= GPRI_SMALL_SHARES && plan->rows.nodes <= GPRI_SMALL_NODES;
    plan->wide = plan->rows.nodes > GPRI_WIDE_NODES;
    status = copy_plan(device, ctx, plan, &m, view);
    plan->shares = m.shares.at;
    m.shares.at = NULL;
    m.clear();
    if (status == GPR_OK) *out = plan;
    else gpri_graph_plan_free(device, ctx, plan);
    return status;
}

void gpri_graph_plan_free(const gpri_device *device, gpr_ctx *ctx, gpri_graph_plan *plan) {
    if (!plan) return;
    device->free(device, ctx, plan->block);
    free(plan->shares);
    free(plan);
}
