/* Sums over the entries of sparse features, by a warp. The warp reads 32 entries at a time, one per thread: their place
 * in the other matrix and their coefficients, without those that are dropped. Then LANES threads hold a row of the
 * result, four columns each, and SPLIT groups of them share the entries. The order of every sum depends on the entries
 * alone.
 *
 * A body has
 *     enum { SUMS };                                       results that are made at once: 1 or 2
 *     bool entry(int64_t at, int32_t *row, gpri_real *by)  of an entry: the row that it multiplies, and SUMS
 *                                                          coefficients; false: all are 0
 *     const gpri_real *source(int32_t row)                 that row */
#ifndef GPRI_CUDA_SPARSE_CUH
#define GPRI_CUDA_SPARSE_CUH

#include "tensor/cuda/base/gather.cuh"

enum { SPARSE_THREADS = 256, SPARSE_WARPS = SPARSE_THREADS / GPRI_CUDA_WARP };

/* 32 entries, those that count first. */
template <int SUMS> struct sparse_batch {
    int32_t row[GPRI_CUDA_WARP];
    gpri_real by[SUMS][GPRI_CUDA_WARP];
};

template <class Body, int LANES> struct sparse_warp {
    enum { SUMS = Body::SUMS, WARP = GPRI_CUDA_WARP, SPLIT = WARP / LANES, AHEAD = LANES >= 8 ? 8 : LANES };
    typedef sparse_batch<SUMS> batch;

    /* Fills the batch with entries [at, end), at most 32; the mask of those that count. */
    static __device__ __forceinline__ unsigned fill(const Body &body, batch *to, int64_t at, int64_t end) {
        const int lane = (int)threadIdx.x % WARP;
        int32_t row = 0;
        gpri_real by[SUMS];
        const bool counts = at + lane < end && body.entry(at + lane, &row, by);
        const unsigned all = __ballot_sync(0xffffffffu, counts);
        __syncwarp(); /* the batch before this one has been used */
        if (counts) {
            const int place = __popc(all & ((1u << lane) - 1));
            to->row[place] = row;
            for (int s = 0; s < SUMS; s++) to->by[s][place] = by[s];
        }
        __syncwarp();
        return all;
    }

    /* Adds entries [first, end) of a batch; every group of threads takes each SPLIT-th. */
    static __device__ __forceinline__ void add(float4 *sums, const Body &body, const batch *from, int first, int end,
                                               int column, bool inside) {
        const int group = (int)threadIdx.x % WARP / LANES;
        for (int at = first + group; at < end; at += AHEAD * SPLIT) {
            float4 x[AHEAD];
#pragma unroll
            for (int k = 0; k < AHEAD; k++)
                x[k] = inside && at + k * SPLIT < end ? four(body.source(from->row[at + k * SPLIT]) + column)
                                                      : four_zeros();
#pragma unroll
            for (int k = 0; k < AHEAD; k++)
                for (int s = 0; s < SUMS; s++)
                    if (at + k * SPLIT < end) add_to(&sums[s], from->by[s][at + k * SPLIT], x[k]);
        }
    }

    /* Over the groups of threads: all get the sum. */
    static __device__ __forceinline__ void join(float4 *sums) {
        for (int step = LANES; step < WARP; step *= 2)
            for (int s = 0; s < SUMS; s++) sums[s] = sums[s] + from_lane(sums[s], step);
    }
};

/* The template's LANES for a width, as launch_gather. f<LANES>() */
#define GPRI_BY_LANES(width, f)             \
    do {                                    \
        const int64_t lanes_ = (width) / 4; \
        if (lanes_ > 16) f(32);             \
        else if (lanes_ > 8) f(16);         \
        else if (lanes_ > 4) f(8);          \
        else if (lanes_ > 2) f(4);          \
        else if (lanes_ > 1) f(2);          \
        else f(1);                          \
    } while (0)

#endif
