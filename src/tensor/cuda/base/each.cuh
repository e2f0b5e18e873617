/* Operations that do the same with every element of a matrix: one thread for one of them, or for four that lie side by
 * side. A body has `__device__ void at(int64_t row, int64_t column) const`, for V columns from `column` on. */
#ifndef GPRI_CUDA_EACH_CUH
#define GPRI_CUDA_EACH_CUH

#include "tensor/cuda/base/launch.cuh"

/* V numbers that are read and written at once. */
template <int V> struct alignas(V * sizeof(gpri_real)) pack { gpri_real v[V]; };

template <int V> __device__ __forceinline__ pack<V> load(const gpri_real *at) {
    return *reinterpret_cast<const pack<V> *>(at);
}
template <int V> __device__ __forceinline__ void store(gpri_real *at, pack<V> x) {
    *reinterpret_cast<pack<V> *>(at) = x;
}

__device__ __forceinline__ gpri_real *element(gpri_matrix x, int64_t row, int64_t column) {
    return x.at + row * x.ld + column;
}

/* Whether its rows can be read four numbers at a time. A matrix that is absent can. */
static inline bool gpri_by_four(gpri_matrix x) {
    return !x.at || ((uintptr_t)x.at % (4 * sizeof(gpri_real)) == 0 && x.ld % 4 == 0 && x.width % 4 == 0);
}
static inline bool gpri_by_four(const gpri_real *x) { return (uintptr_t)x % (4 * sizeof(gpri_real)) == 0; }

/* place / across and place % across, with the division of 32 bits where that is enough. */
__device__ __forceinline__ void divide(int64_t place, int64_t across, int64_t *row, int64_t *column) {
    if (place >> 32 == 0 && across >> 32 == 0) {
        const uint32_t r = (uint32_t)place / (uint32_t)across;
        *row = r;
        *column = (uint32_t)place - r * (uint32_t)across;
    } else {
        *row = place / across;
        *column = place - *row * across;
    }
}

template <class Body, int V> struct each {
    Body body;
    int64_t count, across; /* packs, in all and of a row */
    enum { THREADS = 256 };
    __device__ void run() const {
        const int64_t place = (int64_t)blockIdx.x * THREADS + threadIdx.x;
        if (place >= count) return;
        int64_t row, column;
        divide(place, across, &row, &column);
        body.at(row, column * V);
    }
};

template <int V, class Body> void launch_each(const Body &body, int64_t rows, int64_t width) {
    const each<Body, V> op = {body, rows * (width / V), width / V};
    launch(op, dim3(gpri_cuda_blocks(op.count, op.THREADS)), op.THREADS);
}

#endif
