/* A block's part of a plan (plan.cuh) in its shared memory: one share, or several that follow each other. All of it is
 * on its way at once; from there on a row waits for what it gathers alone. */
#ifndef GPRI_CUDA_STAGED_CUH
#define GPRI_CUDA_STAGED_CUH

#include "tensor/cuda/graph/cluster.cuh"
#include "tensor/cuda/graph/plan.cuh"

/* Rows, entries and slots are counted from the share's first on. */
struct gpri_staged {
    gpri_planned_row *rows;
    gpri_row_task *tasks;
    gpri_long_row *longs;
    float4 *parts; /* (slots x lanes) sums of parts of long rows */
    int32_t *column;
    float *weight; /* NULL: all 1 */
    char *end;     /* of the shared memory that is used */
};

static __host__ __device__ inline int64_t gpri_staged_entries(const gpri_share_room &room) {
    return (room.entries + 3) / 4 * 4;
}

/* The shared memory that it needs; without entries where nothing is gathered. */
static inline int64_t gpri_staged_bytes(const gpri_share_room &room, int lanes, bool gathers, bool weighted) {
    int64_t bytes = 16 * ((int64_t)room.rows + room.tasks + room.longs);
    if (gathers) bytes += 16 * (int64_t)room.slots * lanes + 4 * gpri_staged_entries(room) * (weighted ? 2 : 1);
    return bytes;
}

/* Shares [first, end) as one. Only of a small graph: their entries follow each other. */
static __host__ __device__ inline gpri_row_share gpri_join_shares(const gpri_row_share *shares, int first, int end) {
    gpri_row_share all = shares[first];
    if (end - first < 2) return all;
    const gpri_row_share last = shares[end - 1];
    all.entries = (int32_t)(last.entry + last.entries - all.entry);
    all.rows = last.row + last.rows - all.row;
    all.tasks = last.task + last.tasks - all.task;
    all.slots = last.slot + last.slots - all.slot;
    all.longs = last.long_row + last.longs - all.long_row;
    return all;
}

/* entry: the plan's column, or its places. */
template <bool GATHERS>
__device__ __forceinline__ gpri_staged gpri_stage(const gpri_row_plan &plan, const int32_t *entry,
                                                  const gpri_row_share &share, const gpri_share_room &room, int lanes) {
    gpri_staged s = {};
    s.rows = (gpri_planned_row *)gpri_dynamic_shared();
    s.tasks = (gpri_row_task *)(s.rows + room.rows);
    s.longs = (gpri_long_row *)(s.tasks + room.tasks);
    s.parts = (float4 *)(s.longs + room.longs);
    s.end = (char *)s.parts;
    if (GATHERS) {
        s.column = (int32_t *)(s.parts + room.slots * lanes);
        s.weight = plan.weight ? (float *)(s.column + gpri_staged_entries(room)) : NULL;
        s.end = (char *)(s.column + gpri_staged_entries(room) * (plan.weight ? 2 : 1));
    }
    const int thread = (int)threadIdx.x, threads = (int)blockDim.x;
    for (int i = thread; i < share.rows; i += threads) {
        gpri_planned_row row = plan.rows[share.row + i];
        row.begin -= share.entry;
        s.rows[i] = row;
    }
    for (int i = thread; i < share.tasks; i += threads) {
        gpri_row_task task = plan.tasks[share.task + i];
        task.first -= share.row;
        if (task.slots) task.slot -= task.slot < 0 ? 0 : share.slot;
        s.tasks[i] = task;
    }
    for (int i = thread; i < share.longs; i += threads) {
        gpri_long_row row = plan.longs[share.long_row + i];
        row.row -= share.row;
        row.slot -= share.slot;
        s.longs[i] = row;
    }
    for (int i = thread; GATHERS && i < share.entries; i += threads) {
        s.column[i] = __ldcs(&entry[share.entry + i]); /* used once */
        if (s.weight) s.weight[i] = __ldcs(&plan.weight[share.entry + i]);
    }
    __syncthreads();
    return s;
}

#endif
