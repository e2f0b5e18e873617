/* What a warp and a block do with the rows of a plan (plan.cuh). LANES threads hold a row of the result, four columns
 * each: 1, 2, 4 or 8 of them. A wider matrix is cut into panels.
 *
 * A body has
 *     enum { GATHERS, DOTS, FACTORS };          rows are sums over entries; there is a dot; entries have factors
 *     enum { STAGED };                          the rows are in shared memory, and there are few warps: what finish
 *                                               needs is read while the entries are on their way
 *     typedef own;                              what finish needs of the row itself
 *     own read(int node, int column) const;
 *     gpri_panel in;                            what the entries are multiplied with
 *     float factor(int node) const;             of an entry, beside its weight; with FACTORS
 *     double finish(int node, int column, float4 sum, const own &of) const;   returns its share of the dot */
#ifndef GPRI_CUDA_TASKS_CUH
#define GPRI_CUDA_TASKS_CUH

#include "tensor/cuda/gather.cuh"
#include "tensor/cuda/graph/plan.cuh"

/* Rows of a matrix, from the panel's first column on. Nodes are rows: all of them are there. */
struct gpri_panel {
    gpri_real *at; /* NULL: there is no such matrix */
    int64_t ld;
    __device__ __forceinline__ float4 *of(int node, int column) const {
        return (float4 *)(at + (int64_t)node * ld + column);
    }
};

/* Where a block finds its rows and leaves its sums: the card's memory, or its own. */
struct gpri_row_place {
    const gpri_planned_row *rows;
    const int32_t *column;
    const float *weight; /* NULL: all 1 */
    float4 *parts;       /* (slots x LANES) sums of parts of long rows */
    float4 *huge;        /* (huge_parts x panels x LANES) sums of parts of huge rows; this panel's */
    int64_t huge_apart;  /* of one part and the next */
};

#ifndef GPRI_CUDA_EMULATED
/* Reads four numbers, or leaves them. As the compiler writes a condition, each read would wait for the one before it.
   FRESH: past the cache of this processor. */
template <bool FRESH> __device__ __forceinline__ void gpri_load_if(float4 *x, const float4 *at, bool wanted) {
    if (FRESH)
        asm volatile(
            "{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %5, 0;\n\t@p ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];\n\t}"
            : "+f"(x->x), "+f"(x->y), "+f"(x->z), "+f"(x->w)
            : "l"(at), "r"((int)wanted));
    else
        asm volatile(
            "{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %5, 0;\n\t@p ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];\n\t}"
            : "+f"(x->x), "+f"(x->y), "+f"(x->z), "+f"(x->w)
            : "l"(at), "r"((int)wanted));
}
#else
template <bool FRESH> inline void gpri_load_if(float4 *x, const float4 *at, bool wanted) {
    if (wanted) *x = *at;
}
#endif

/* The sum of entries first, first + apart, ... of a row of `count`. All of them are asked for before the first is used.
   BY: they have coefficients. */
template <bool BY, class Body>
__device__ __forceinline__ float4 gpri_sum_some(const Body &body, const int32_t *entry, const float *weight, int first,
                                                int count, int apart, int column) {
    enum { AHEAD = GPRI_SLOT_ENTRIES };
    float4 sum = four_zeros();
    for (int at = first; at < count; at += AHEAD * apart) {
        float4 x[AHEAD];
        float by[AHEAD];
        int node[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            const int place = at + k * apart;
            node[k] = place >= count ? -1 : Body::STAGED ? entry[place] : __ldcs(&entry[place]); /* used once */
            if (BY) by[k] = place >= count || !weight ? 1 : Body::STAGED ? weight[place] : __ldcs(&weight[place]);
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            x[k] = four_zeros();
            gpri_load_if<Body::STAGED>(&x[k], body.in.of(node[k], column), node[k] >= 0);
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

template <class Body>
__device__ __forceinline__ float4 gpri_sum_entries(const Body &body, const gpri_row_place &place, int64_t begin,
                                                   int first, int count, int apart, int column) {
    const int32_t *entry = place.column + begin;
    if (!Body::FACTORS && !place.weight) return gpri_sum_some<false>(body, entry, NULL, first, count, apart, column);
    return gpri_sum_some<true>(body, entry, place.weight ? place.weight + begin : NULL, first, count, apart, column);
}

/* Over the threads of a group that have the same column; a group is a power of 2. */
template <int LANES> __device__ __forceinline__ float4 gpri_join_group(float4 sum, int group) {
    for (int step = LANES; step < group; step *= 2) sum = sum + from_lane(sum, step);
    return sum;
}

/* By one warp. slot0: the place's first slot. Returns this thread's share of the dot. */
template <int LANES, class Body>
__device__ __forceinline__ double gpri_do_task(const Body &body, const gpri_row_place &place, gpri_row_task task,
                                               int slot0) {
    const int lane = (int)threadIdx.x % GPRI_CUDA_WARP, column = 4 * (lane % LANES);
    const int threads = 2 * (task.slots ? (int)task.slots : (int)GPRI_WARP_SLOTS);
    const int group = threads > LANES ? threads : LANES, at_once = GPRI_CUDA_WARP / group;
    const int sub = lane % group / LANES, apart = group / LANES;
    const bool is_part = task.slot >= 0;
    double dot = 0;
    if (!Body::GATHERS && is_part) return 0;
    for (int r = 0; r < task.rows; r += at_once) {
        const bool inside = r + lane / group < task.rows, first = inside && sub == 0;
        gpri_planned_row row = {0, 0, 0};
        if (inside) row = place.rows[task.first + r + lane / group];
        typename Body::own own = {};
        if (Body::STAGED && first && !is_part) own = body.read(row.node, column);
        float4 sum = four_zeros();
        if (Body::GATHERS) {
            const int from = is_part ? task.part * GPRI_PART_ENTRIES : 0;
            int count = row.count - from;
            if (is_part && count > GPRI_PART_ENTRIES) count = GPRI_PART_ENTRIES;
            sum = gpri_sum_entries(body, place, row.begin + from, sub, count, apart, column);
            sum = gpri_join_group<LANES>(sum, group);
        }
        if (!first) continue;
        if (!Body::STAGED && !is_part) own = body.read(row.node, column);
        if (!is_part) dot += body.finish(row.node, column, sum, own);
        else if (task.slots) place.parts[(int64_t)(task.slot - slot0) * LANES + lane] = sum;
        else place.huge[(int64_t)task.slot * place.huge_apart + lane] = sum;
    }
    return dot;
}

/* The parts of a long row, by one warp. */
template <int LANES, class Body>
__device__ __forceinline__ double gpri_end_long_row(const Body &body, const gpri_row_place &place, gpri_long_row row,
                                                    int slot0) {
    const int lane = (int)threadIdx.x % GPRI_CUDA_WARP, column = 4 * (lane % LANES);
    const int node = place.rows[row.row].node;
    float4 sum = four_zeros();
    if (Body::GATHERS) {
        for (int p = lane / LANES; p < row.parts; p += GPRI_CUDA_WARP / LANES)
            sum = sum + place.parts[(int64_t)(row.slot - slot0 + p) * LANES + lane % LANES];
        sum = gpri_join_group<LANES>(sum, GPRI_CUDA_WARP);
    }
    return lane < LANES ? body.finish(node, column, sum, body.read(node, column)) : 0;
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
