/* Rows that are sums over the entries of a sparse matrix: steps over the graph, products with sparse features.
 *
 *     row r = sum over entries e of r, in [begin, end):  coefficient(e) * source row(e)
 *
 * LANES threads hold a row of the result, four columns each; SPLIT times as many share its entries, so a warp has one
 * row or several. A row with more than LONG entries is left to the whole block after the short ones. Sums are added in
 * an order that depends on the sizes alone.
 *
 * A body has
 *     enum { SUMS };                                                 results that are made at once: 1 or 2
 *     entries range(int64_t row) const;                              [begin, end) of a row; begin <= end
 *     gathered<SUMS> entry(int64_t row, int64_t at) const;           where its source is, and its coefficients
 *     double finish(int64_t row, int column, const float4 *sums);    writes four columns; returns their share of a dot
 * and, where it has a dot (enum { DOTS = 1 }), a gpri_dot `dot`. */
#ifndef GPRI_CUDA_GATHER_CUH
#define GPRI_CUDA_GATHER_CUH

#include "tensor/cuda/base/last_block.cuh"

struct entries {
    int64_t begin, end;
};

template <int SUMS> struct gathered {
    const gpri_real *from; /* NULL: all its coefficients are 0 */
    gpri_real by[SUMS];
};

__device__ __forceinline__ float4 four(const gpri_real *at) { return __ldg(reinterpret_cast<const float4 *>(at)); }
__device__ __forceinline__ float4 four_zeros() { return make_float4(0, 0, 0, 0); }
__device__ __forceinline__ float4 operator+(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ __forceinline__ float4 operator*(float a, float4 b) {
    return make_float4(a * b.x, a * b.y, a * b.z, a * b.w);
}
/* sum += by * x */
__device__ __forceinline__ void add_to(float4 *sum, float by, float4 x) {
    sum->x = fmaf(by, x.x, sum->x);
    sum->y = fmaf(by, x.y, sum->y);
    sum->z = fmaf(by, x.z, sum->z);
    sum->w = fmaf(by, x.w, sum->w);
}
__device__ __forceinline__ float4 from_lane(float4 x, int step) {
    return make_float4(__shfl_xor_sync(0xffffffffu, x.x, step), __shfl_xor_sync(0xffffffffu, x.y, step),
                       __shfl_xor_sync(0xffffffffu, x.z, step), __shfl_xor_sync(0xffffffffu, x.w, step));
}

template <class Body, int LANES, int SPLIT> struct gather {
    Body body;
    int64_t rows;
    int width;
    enum {
        THREADS = 256,
        WARPS = THREADS / GPRI_CUDA_WARP,
        SUMS = Body::SUMS,
        GROUP = LANES * SPLIT,
        ROWS = THREADS / GROUP,
        LONG = 32 * SPLIT,
        AHEAD = 4 /* entries that are read before the first is used */
    };
    static_assert(GROUP <= GPRI_CUDA_WARP, "a row's threads are in one warp");

    /* Every `apart`-th entry. */
    __device__ __forceinline__ void add(float4 *sums, int64_t row, int64_t at, int64_t end, int apart,
                                        int column) const {
        for (; at < end; at += AHEAD * apart) {
            gathered<SUMS> e[AHEAD];
            float4 x[AHEAD];
#pragma unroll
            for (int k = 0; k < AHEAD; k++) {
                if (at + k * apart < end) e[k] = body.entry(row, at + k * apart);
                else e[k].from = NULL;
            }
#pragma unroll
            for (int k = 0; k < AHEAD; k++) x[k] = e[k].from ? four(e[k].from + column) : four_zeros();
#pragma unroll
            for (int k = 0; k < AHEAD; k++)
                for (int s = 0; s < SUMS; s++)
                    if (e[k].from) add_to(&sums[s], e[k].by[s], x[k]);
        }
    }

    /* Over threads that have the same column, `first` apart and within `end`. */
    __device__ __forceinline__ void join(float4 *sums, int first, int end) const {
        for (int step = first; step < end; step *= 2)
            for (int s = 0; s < SUMS; s++) sums[s] = sums[s] + from_lane(sums[s], step);
    }

    /* A row by the whole block. */
    __device__ double long_row(int64_t row, entries e, int column, bool inside) const {
        __shared__ float4 of_warp[WARPS][SUMS][LANES];
        float4 sums[SUMS];
        double dot = 0;
        for (int s = 0; s < SUMS; s++) sums[s] = four_zeros();
        if (inside) add(sums, row, e.begin + (int)threadIdx.x / LANES, e.end, THREADS / LANES, column);
        join(sums, LANES, GPRI_CUDA_WARP);
        if ((int)threadIdx.x % GPRI_CUDA_WARP < LANES)
            for (int s = 0; s < SUMS; s++) of_warp[threadIdx.x / GPRI_CUDA_WARP][s][threadIdx.x % LANES] = sums[s];
        __syncthreads();
        if (threadIdx.x < LANES && inside) {
            for (int warp = 1; warp < WARPS; warp++)
                for (int s = 0; s < SUMS; s++) sums[s] = sums[s] + of_warp[warp][s][threadIdx.x];
            dot = body.finish(row, column, sums);
        }
        __syncthreads();
        return dot;
    }

    __device__ void run() const {
        const int thread = (int)threadIdx.x, column = 4 * ((int)blockIdx.y * LANES + thread % LANES);
        const int64_t row0 = (int64_t)blockIdx.x * ROWS, row = row0 + thread / GROUP;
        const bool inside = column < width;
        entries e = {0, 0};
        float4 sums[SUMS];
        double dot = 0;
        for (int s = 0; s < SUMS; s++) sums[s] = four_zeros();
        if (row < rows) e = body.range(row);
        const bool is_long = e.end - e.begin > LONG;
        if (inside && !is_long) add(sums, row, e.begin + thread / LANES % SPLIT, e.end, SPLIT, column);
        join(sums, LANES, GROUP);
        if (row < rows && inside && !is_long && thread % GROUP < LANES) dot = body.finish(row, column, sums);
        if (__syncthreads_or(is_long))
            for (int r = 0; r < ROWS && row0 + r < rows; r++) {
                e = body.range(row0 + r);
                if (e.end - e.begin > LONG) dot += long_row(row0 + r, e, column, inside);
            }
        if constexpr (Body::DOTS) body.dot.add(dot);
    }
};

/* The blocks that a kernel for so many rows has, at most: for the scratch of dots. A block has 8 rows or more. */
static inline int64_t gpri_gather_blocks(int64_t rows, int64_t width) {
    return (rows / 8 + 1) * (width / (4 * GPRI_CUDA_WARP) + 1);
}

template <int LANES, int SPLIT, class Body> void launch_gather_with(const Body &body, int64_t rows, int64_t width) {
    typedef gather<Body, LANES, SPLIT> kernel;
    const kernel op = {body, rows, (int)width};
    launch(op, dim3(gpri_cuda_blocks(rows, kernel::ROWS), gpri_cuda_blocks(width / 4, LANES)), kernel::THREADS);
}

/* width: a multiple of 4. mean: entries of a row, roughly; 0: not known. */
template <class Body> void launch_gather(const Body &body, int64_t rows, int64_t width, int64_t mean) {
    const int64_t lanes = width / 4;
    const bool few = mean > 0 && mean < 16;
    if (lanes > 16) launch_gather_with<32, 1>(body, rows, width);
    else if (lanes > 8) launch_gather_with<16, 2>(body, rows, width);
    else if (lanes > 4) launch_gather_with<8, 4>(body, rows, width);
    else if (lanes > 2) few ? launch_gather_with<4, 4>(body, rows, width) : launch_gather_with<4, 8>(body, rows, width);
    else if (lanes > 1)
        few ? launch_gather_with<2, 4>(body, rows, width) : launch_gather_with<2, 16>(body, rows, width);
    else few ? launch_gather_with<1, 4>(body, rows, width) : launch_gather_with<1, 32>(body, rows, width);
}

#endif
