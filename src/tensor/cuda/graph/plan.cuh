/* How the rows of a graph are dealt out to warps, so that a few long rows keep nobody waiting. Made once per graph, by
 * the host, and shared by all nets.
 *
 * A warp has 16 slots of two threads. A slot sums up 8 entries at once; a row gets 1, 2, 4, 8 or 16 slots, as it needs.
 * A task is what a warp does: rows that have as many slots. Of a long row (more than 128 entries) it does one part of
 * 128; the parts are added afterwards. A share is what a block does: tasks of 256 to 2048 entries and rows, by the size
 * of the graph, of nodes that follow each other. A huge row has shares of its own.
 *
 * All this depends on the graph alone: neither cards nor runs nor threads change the order of a sum. */
#ifndef GPRI_CUDA_PLAN_CUH
#define GPRI_CUDA_PLAN_CUH

#include "tensor/cuda/base/device.cuh"

enum {
    GPRI_SLOT_ENTRIES = 8,
    GPRI_WARP_SLOTS = 16,
    GPRI_PART_ENTRIES = GPRI_SLOT_ENTRIES * GPRI_WARP_SLOTS,
    GPRI_LONG_PARTS = 32,  /* of a long row, at most: a row with more is huge */
    GPRI_LEAST_WORK = 256, /* of a share; it is doubled until there are so few that a large card has them all at once */
    GPRI_MOST_WORK = 2048,
    GPRI_ENOUGH_SHARES = 528,
    GPRI_SHARE_ITEMS = 136, /* tasks and long rows of a share, at most */
    GPRI_SMALL_SHARES = 1024,
    GPRI_SMALL_NODES = 5000,
    GPRI_WIDE_NODES = 200000,
    GPRI_PIECE_ENTRIES = 64 /* attention: a warp has one row, or a piece of one that is not short */
};

/* A row, in the order of the tasks. */
struct alignas(16) gpri_planned_row {
    int64_t begin; /* into column */
    int32_t count, node;
};

struct alignas(16) gpri_row_task {
    int32_t first;       /* row */
    int32_t part, slot;  /* of a long or huge row: which of its parts, and where the sum goes. slot -1: none */
    int16_t rows, slots; /* so many rows, with so many slots each. slots 0: a part of a huge row */
};

/* What a share has: entries [entry, entry + entries) of column, and the first of its rows, tasks, slots and long rows,
   with their counts. A share of a huge row has some of its parts. */
struct alignas(16) gpri_row_share {
    int64_t entry;
    int32_t entries;
    int32_t row, rows;
    int32_t task, tasks;
    int32_t slot, slots;
    int32_t long_row, longs;
    int32_t unused;
};

/* A task that is full has 16 rows of one slot or more, and a row is work even without entries; of each kind of task one
   is not full. Long rows have fewer tasks for their work. */
static_assert(GPRI_SHARE_ITEMS >= GPRI_MOST_WORK / GPRI_WARP_SLOTS + 8, "a share may have more tasks than that");

/* What a block needs room for, at most. */
struct gpri_share_room {
    int32_t entries, rows, tasks, slots, longs;
};
static inline void gpri_make_room(gpri_share_room *most, const gpri_row_share &of) {
    if (of.entries > most->entries) most->entries = of.entries;
    if (of.rows > most->rows) most->rows = of.rows;
    if (of.tasks > most->tasks) most->tasks = of.tasks;
    if (of.slots > most->slots) most->slots = of.slots;
    if (of.longs > most->longs) most->longs = of.longs;
}

struct alignas(16) gpri_long_row {
    int32_t row, slot, parts, unused;
};

/* Entries [GPRI_PIECE_ENTRIES piece, ...) of a node's row, where its node comes after its neighbours. */
struct alignas(8) gpri_row_piece {
    int32_t node, piece;
};

/* As kernels see it: all in the card's memory. */
struct gpri_row_plan {
    const gpri_planned_row *rows; /* (nodes) */
    const gpri_row_task *tasks;
    const gpri_row_share *shares; /* (share_count) */
    const gpri_long_row *longs, *huge;
    const int32_t *column; /* the graph's, or of a small graph a copy in the order of the rows here */
    const int32_t *places; /* of a small graph: where the row of a column's node is among the rows here */
    const float *weight;   /* NULL: all 1 */
    int32_t nodes, share_count, huge_count, huge_parts;
    const gpri_row_piece *pieces;
    const gpri_long_row *pieced; /* rows of more than GPRI_PART_ENTRIES: node, first piece, pieces */
    int32_t piece_count, pieced_count;
};

struct gpri_graph_plan {
    gpri_row_plan rows;
    gpri_row_share *shares; /* the host's copy */
    gpri_share_room room;   /* of the largest shares */
    bool small;             /* one kernel may do all steps of a filter */
    bool wide;              /* 128 bytes for each node do not stay in the L2 of a large card */
    void *block;            /* of the card: all arrays */
    const void *host;       /* whose plan it is */
    int64_t users;
    gpri_graph_plan *next;
};

/* What the host needs to know about rows of no plan: NULL. */
static inline const gpri_graph_plan *gpri_plan_of(const gpri_graph *graph) {
    return (const gpri_graph_plan *)graph->plan;
}

/* view: its arrays in the device's memory. No message is set if the host's memory is full. */
gpr_status gpri_graph_plan_new(const gpri_device *device, gpr_ctx *ctx, gpri_graph_plan **out, const gpri_graph *graph,
                               const gpri_graph *view) GPRI_MUST_CHECK;
void gpri_graph_plan_free(const gpri_device *device, gpr_ctx *ctx, gpri_graph_plan *plan);

#endif
