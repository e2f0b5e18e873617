/* What a warp does with the rows of a plan (plan.cuh) that its block has staged. LANES threads hold a row of the
 * result, four columns each. A wider matrix is cut into panels; of a panel that is less wide some threads have no
 * columns.
 *
 * A body has
 *     enum { GATHERS, DOTS, FACTORS };          rows are sums over entries; there is a dot; entries have factors
 *     typedef own;                              what finish needs of the row itself
 *     own read(int row, int node, int column) const;             row: its number in the block
 *     float4 source(int node, int column, bool wanted) const;    of an entry; zeros where it is not wanted
 *     float factor(int node) const;             of an entry, beside its weight; with FACTORS
 *     double finish(int row, int node, int column, float4 sum, const own &of) const;    returns its share of the dot */
#ifndef GPRI_CUDA_TASKS_CUH
#define GPRI_CUDA_TASKS_CUH

#include "tensor/cuda/base/gather.cuh"
#include "tensor/cuda/graph/staged.cuh"

/* Rows of a matrix, from the panel's first column on. Nodes are rows: all of them are there. */
struct gpri_panel {
    gpri_real *at; /* NULL: there is no such matrix */
    int64_t ld;
    __device__ __forceinline__ float4 *of(int node, int column) const {
        return (float4 *)(at + (int64_t)node * ld + column);
    }
};

/* Where a block finds its rows and leaves its sums. */
struct gpri_row_place {
    gpri_staged staged;
    float4 *huge;       /* (huge_parts x width / 4) sums of parts of huge rows; this panel's */
    int64_t huge_apart; /* of one part and the next */
    int width;          /* of the panel: columns, 4 LANES at most */
};

/* The sum of entries first, first + apart, ... of a row of `count`. All of them are asked for before the first is used.
   BY: they have coefficients. */
template <bool BY, int AHEAD, class Body>
__device__ __forceinline__ float4 gpri_sum_some(const Body &body, const int32_t *entry, const float *weight, int first,
                                                int count, int apart, int column) {
    float4 sum = four_zeros();
    for (int at = first; at < count; at += AHEAD * apart) {
        float4 x[AHEAD];
        float by[AHEAD];
        int node[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            const int place = at + k * apart;
            node[k] = place < count ? entry[place] : -1;
            if (BY) by[k] = place < count && weight ? weight[place] : 1;
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            x[k] = body.source(node[k], column, node[k] >= 0);
            if (BY && Body::FACTORS && node[k] >= 0) by[k] *= body.factor(node[k]);
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++) { /* where there is no entry: + 0 */
            if (BY) add_to(&sum, by[k], x[k]);
            else sum = sum + x[k];
        }
    }
    return sum;
}

template <int LANES, class Body>
__device__ __forceinline__ float4 gpri_sum_entries(const Body &body, const gpri_staged &staged, int begin, int first,
                                                   int count, int apart, int column) {
    enum {
        AHEAD = LANES == 1 || Body::FACTORS ? GPRI_SLOT_ENTRIES / 2 : GPRI_SLOT_ENTRIES
    }; /* factors need registers */
    const int32_t *entry = staged.column + begin;
    if (!Body::FACTORS && !staged.weight)
        return gpri_sum_some<false, AHEAD>(body, entry, NULL, first, count, apart, column);
    return gpri_sum_some<true, AHEAD>(body, entry, staged.weight ? staged.weight + begin : NULL, first, count, apart,
                                      column);
}

/* Over the threads of a group that have the same column; a group is a power of 2. All of them get it. */
template <int LANES> __device__ __forceinline__ float4 gpri_join_group(float4 sum, int group) {
    for (int step = LANES; step < group; step *= 2) sum = sum + from_lane(sum, step);
    return sum;
}

/* By one warp. Returns this thread's share of the dot. */
template <int LANES, class Body>
__device__ __forceinline__ double gpri_do_task(const Body &body, const gpri_row_place &place,
                                               const gpri_row_task &task) {
    const int lane = (int)threadIdx.x % GPRI_CUDA_WARP, column = 4 * (lane % LANES);
    const int threads = 2 * (task.slots ? (int)task.slots : (int)GPRI_WARP_SLOTS);
    const int group = threads > LANES ? threads : LANES, shift = __ffs(group) - 1, at_once = GPRI_CUDA_WARP >> shift;
    const int sub = (lane & (group - 1)) / LANES, apart = group / LANES, of_group = lane >> shift;
    const bool is_part = task.slot >= 0;
    double dot = 0;
    if (!Body::GATHERS && is_part) return 0;
    for (int r = 0; r < task.rows; r += at_once) {
        const int own_row = task.first + r + of_group;
        const bool inside = r + of_group < task.rows && column < place.width;
        gpri_planned_row row = {0, 0, 0};
        if (inside) row = place.staged.rows[own_row];
        float4 sum = four_zeros();
        if (Body::GATHERS) {
            const int from = is_part ? task.part * GPRI_PART_ENTRIES : 0;
            int count = row.count - from;
            if (is_part && count > GPRI_PART_ENTRIES) count = GPRI_PART_ENTRIES;
            sum = gpri_sum_entries<LANES>(body, place.staged, (int)(row.begin + from), sub, count, apart, column);
            sum = gpri_join_group<LANES>(sum, group);
        }
        if (!inside || sub > 0) continue;
        if (!is_part) dot += body.finish(own_row, row.node, column, sum, body.read(own_row, row.node, column));
        else if (task.slots) place.staged.parts[task.slot * LANES + lane] = sum;
        else place.huge[(int64_t)task.slot * place.huge_apart + lane] = sum;
    }
    return dot;
}

/* The parts of a long row, by one warp. */
template <int LANES, class Body>
__device__ __forceinline__ double gpri_end_long_row(const Body &body, const gpri_row_place &place,
                                                    const gpri_long_row &row) {
    const int lane = (int)threadIdx.x % GPRI_CUDA_WARP, column = 4 * (lane % LANES), apart = GPRI_CUDA_WARP / LANES;
    const int node = place.staged.rows[row.row].node;
    float4 sum = four_zeros();
    if (Body::GATHERS) {
        for (int p = lane / LANES; p < row.parts && column < place.width; p += apart)
            sum = sum + place.staged.parts[(row.slot + p) * LANES + lane % LANES];
        sum = gpri_join_group<LANES>(sum, GPRI_CUDA_WARP);
    }
    if (column >= place.width || lane >= LANES) return 0;
    return body.finish(row.row, node, column, sum, body.read(row.row, node, column));
}

/* The sum of count numbers by one warp, in an order of its own; all threads get it. */
__device__ __forceinline__ double gpri_sum_numbers(const double *numbers, int64_t count) {
    double sum = 0;
    for (int64_t i = (int)threadIdx.x % GPRI_CUDA_WARP; i < count; i += GPRI_CUDA_WARP) sum += gpri_fresh(&numbers[i]);
    return gpri_warp_sum(sum);
}

/* The dot of a share, by one warp: of its tasks and its long rows. In shared memory. */
__device__ __forceinline__ double gpri_sum_share(const double *of_task, int tasks, const double *of_long, int longs) {
    double sum = 0;
    for (int i = (int)threadIdx.x % GPRI_CUDA_WARP; i < tasks + longs; i += GPRI_CUDA_WARP)
        sum += i < tasks ? of_task[i] : of_long[i - tasks];
    return gpri_warp_sum(sum);
}

#endif
