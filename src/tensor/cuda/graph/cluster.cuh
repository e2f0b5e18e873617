/* Blocks of a cluster (compute capability 9.0): they run at the same time, and wait for each other. A cluster is a row
 * of the grid: gridDim.x blocks. */
#ifndef GPRI_CUDA_CLUSTER_CUH
#define GPRI_CUDA_CLUSTER_CUH

#include "tensor/cuda/base/launch.cuh"

#ifndef GPRI_CUDA_EMULATED /* set by tests that run kernels without a card */

/* The block's dynamic shared memory. */
__device__ __forceinline__ char *gpri_dynamic_shared() {
    extern __shared__ __align__(16) char gpri_dynamic[];
    return gpri_dynamic;
}

/* Waits for all threads of the cluster; then what they wrote before can be read past the cache of this processor. */
__device__ __forceinline__ void gpri_cluster_wait() {
#if __CUDA_ARCH__ >= 900
    if (gridDim.x > 1) {
        asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
        return;
    }
#endif
    __syncthreads();
}

#endif
#endif
