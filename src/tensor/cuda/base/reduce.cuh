/* Sums over a warp and a block, in an order that depends on the number of threads alone. */
#ifndef GPRI_CUDA_REDUCE_CUH
#define GPRI_CUDA_REDUCE_CUH

#include "tensor/cuda/base/device.cuh"

#define GPRI_CUDA_WARP 32

/* The sum over groups of `lanes` neighbouring threads of a warp (a power of 2); all of them get it. */
template <class T> __device__ __forceinline__ T gpri_warp_sum(T value, int lanes = GPRI_CUDA_WARP) {
    for (int step = lanes / 2; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
    return value;
}

/* The sum over a block of at most 1024 threads, a multiple of 32; thread 0 gets it. All threads must call it. */
template <class T> __device__ __forceinline__ T gpri_block_sum(T value) {
    __shared__ T of_warp[GPRI_CUDA_WARP];
    const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
    const int warps = (int)blockDim.x / GPRI_CUDA_WARP;
    __syncthreads(); /* it may have been called before */
    value = gpri_warp_sum(value);
    if (lane == 0) of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) value = gpri_warp_sum(lane < warps ? of_warp[lane] : T(0));
    return value;
}

#endif
