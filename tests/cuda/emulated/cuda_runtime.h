/* The part of CUDA that the kernels use, for a machine without a card: every thread of a block is a fiber of one thread
 * of the host, and blocks run one after the other (emulated.cpp). Threads and blocks come in a random order, so that a
 * missing barrier, or a sum whose order is not fixed, shows. Slow, and made to find mistakes. */
#ifndef EMULATED_CUDA_RUNTIME_H
#define EMULATED_CUDA_RUNTIME_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define __host__
#define __device__
#define __global__
#define __launch_bounds__(...)
#define __shared__ static
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define GPRI_CUDA_ARGUMENT(...) const __VA_ARGS__ &
#define GPRI_CUDA_EMULATED 1

struct uint3 {
    unsigned x, y, z;
};
struct dim3 : uint3 {
    dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : uint3{a, b, c} {}
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
static inline float4 make_float4(float x, float y, float z, float w) { return float4{x, y, z, w}; }

/* Of the fiber that runs. */
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

/* Waits for all threads of the block; how many of them gave true. */
int emulated_barrier(bool given);
/* What the thread `lane` of the warp gives; all threads of the warp must be there. */
uint64_t emulated_exchange(uint64_t own, int lane);

/* Waits for all threads of the cluster. */
void emulated_cluster_barrier();
/* The block's dynamic shared memory. */
extern char *emulated_shared;
static inline char *gpri_dynamic_shared() { return emulated_shared; }
static inline void gpri_cluster_wait() { emulated_cluster_barrier(); }

static inline void __syncthreads() { emulated_barrier(false); }
static inline int __syncthreads_count(int given) { return emulated_barrier(given != 0); }
static inline int __syncthreads_or(int given) { return emulated_barrier(given != 0) > 0; }
static inline int __syncthreads_and(int given) { return emulated_barrier(given == 0) == 0; }
static inline void __threadfence() {}
static inline void __threadfence_block() {}

template <class T> T emulated_shuffle(T own, int lane) {
    uint64_t bits = 0;
    static_assert(sizeof own <= sizeof bits, "");
    memcpy(&bits, &own, sizeof own);
    bits = emulated_exchange(bits, lane);
    memcpy(&own, &bits, sizeof own);
    return own;
}
template <class T> T __shfl_xor_sync(unsigned, T own, int step) {
    return emulated_shuffle(own, (int)(threadIdx.x % 32) ^ step);
}
template <class T> T __shfl_sync(unsigned, T own, int lane) { return emulated_shuffle(own, lane); }
template <class T> T __shfl_down_sync(unsigned, T own, int step) {
    const int lane = (int)(threadIdx.x % 32) + step;
    return emulated_shuffle(own, lane < 32 ? lane : (int)(threadIdx.x % 32));
}
template <class T> T __shfl_up_sync(unsigned, T own, int step) {
    const int lane = (int)(threadIdx.x % 32) - step;
    return emulated_shuffle(own, lane >= 0 ? lane : (int)(threadIdx.x % 32));
}
static inline void __syncwarp(unsigned = 0) { emulated_exchange(0, 0); }
static inline unsigned __ballot_sync(unsigned, int given) {
    unsigned all = 0;
    for (int lane = 0; lane < 32; lane++) all |= emulated_shuffle(given != 0 ? 1u : 0u, lane) << lane;
    return all;
}
template <class T> unsigned __match_any_sync(unsigned, T own) {
    unsigned all = 0;
    for (int lane = 0; lane < 32; lane++) all |= (unsigned)(emulated_shuffle(own, lane) == own) << lane;
    return all;
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline unsigned __float_as_uint(float x) {
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
template <class T> T min(T a, T b) { return a < b ? a : b; }
template <class T> T max(T a, T b) { return a > b ? a : b; }

template <class T> T __ldg(const T *at) { return *at; }
template <class T> T __ldcg(const T *at) { return *at; }
template <class T> T __ldcs(const T *at) { return *at; }
template <class T> void __stcg(T *at, T value) { *at = value; }
template <class T> T atomicAdd(T *at, T by) {
    const T before = *at;
    *at += by;
    return before;
}
template <class T> T atomicMax(T *at, T other) {
    const T before = *at;
    if (other > before) *at = other;
    return before;
}

#endif
