/* Gradients of weights that are still in parts: how they are added. Every kernel that adds them does it this way, so it
 * does not matter which of them does. */
#ifndef GPRI_CUDA_GRADIENT_CUH
#define GPRI_CUDA_GRADIENT_CUH

#include "tensor/cuda/fuse/fused.cuh"

/* Eight threads of a warp that lie side by side share the parts: each adds every eighth, and then their sums are added
   in order. All eight get the sum; all threads of the warp must be there. */
enum { PART_SHARES = 8 };

template <int V> struct part_sum { float v[V]; };

template <int V> __device__ __forceinline__ part_sum<V> add_shares(part_sum<V> own) {
    const int first = (int)threadIdx.x % 32 / PART_SHARES * PART_SHARES;
    part_sum<V> sum;
    for (int k = 0; k < V; k++) {
        sum.v[k] = __shfl_sync(0xffffffffu, own.v[k], first);
        for (int share = 1; share < PART_SHARES; share++) sum.v[k] += __shfl_sync(0xffffffffu, own.v[k], first + share);
    }
    return sum;
}

/* Four neighbouring numbers of each part, 16-byte aligned. */
__device__ __forceinline__ part_sum<4> add_parts(const gpri_real *parts, int64_t stride, int64_t count, bool inside) {
    part_sum<4> sum = {{0, 0, 0, 0}};
#pragma unroll 4
    for (int64_t part = (int)threadIdx.x % PART_SHARES; part < count; part += PART_SHARES)
        if (inside) {
            const float4 x = __ldg((const float4 *)&parts[part * stride]);
            sum.v[0] += x.x;
            sum.v[1] += x.y;
            sum.v[2] += x.z;
            sum.v[3] += x.w;
        }
    return add_shares(sum);
}

/* to[e] = (or +=) the sum of parts of `size` numbers; those from `first` on go to `rest`. Eight threads for one number:
   any size and alignment will do. */
template <bool ADDS> struct parts_to {
    gpri_real *to, *rest;
    int64_t first;
    const gpri_real *parts;
    int64_t size, count;
    enum { THREADS = 256 };
    __device__ void run() const {
        const int64_t e = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / PART_SHARES;
        part_sum<1> sum = {{0}};
#pragma unroll 4
        for (int64_t part = (int)threadIdx.x % PART_SHARES; part < count; part += PART_SHARES)
            if (e < size) sum.v[0] += __ldg(&parts[part * size + e]);
        sum = add_shares(sum);
        if (e >= size || threadIdx.x % PART_SHARES != 0) return;
        gpri_real *out = e < first ? to + e : rest + (e - first);
        *out = ADDS ? *out + sum.v[0] : sum.v[0];
    }
};

template <bool ADDS>
void launch_parts(gpri_real *to, gpri_real *rest, int64_t first, const gpri_real *parts, int64_t size, int64_t count) {
    const parts_to<ADDS> op = {to, rest, first, parts, size, count};
    launch(op, dim3(gpri_cuda_blocks(size * PART_SHARES, op.THREADS)), op.THREADS);
}

/* Which pieces of sparse features a column is in (features.cu). */
struct column_pieces {
    int64_t first, count;
    bool whole; /* inside one piece: its sum is in its place */
};
__device__ __forceinline__ column_pieces pieces_of(const gradient_source &from, int64_t column) {
    const int64_t begin = __ldg(&from.colptr[column]), end = __ldg(&from.colptr[column + 1]);
    if (begin == end) return column_pieces{0, 0, false};
    const int64_t first = begin / from.piece, last = (end - 1) / from.piece;
    return column_pieces{first, last - first + 1, first == last};
}

/* Four columns of dw from c on, of a column that is not whole: the second slot of its first piece, then the first slots
   of the others. */
__device__ __forceinline__ part_sum<4> add_pieces(const gradient_source &from, column_pieces in, int64_t c,
                                                  bool inside) {
    const gpri_real *first = from.parts + (2 * in.first + 1) * from.width + c;
    const int64_t count = in.whole || !inside ? 0 : in.count;
    part_sum<4> sum = {{0, 0, 0, 0}};
#pragma unroll 4
    for (int64_t k = (int)threadIdx.x % PART_SHARES; k < count; k += PART_SHARES) {
        const float4 x = __ldg((const float4 *)(k ? first + (2 * k - 1) * from.width : first));
        sum.v[0] += x.x;
        sum.v[1] += x.y;
        sum.v[2] += x.z;
        sum.v[3] += x.w;
    }
    return add_shares(sum);
}

#endif
