/* Blocks of a cluster (compute capability 9.0): they run at the same time, wait for each other, and write into each
 * other's shared memory. A cluster is a row of the grid: gridDim.x blocks. */
#ifndef GPRI_CUDA_CLUSTER_CUH
#define GPRI_CUDA_CLUSTER_CUH

#include "tensor/cuda/launch.cuh"

#ifndef GPRI_CUDA_EMULATED /* set by tests that run kernels without a card */

/* The block's dynamic shared memory. */
__device__ __forceinline__ char *gpri_dynamic_shared() {
    extern __shared__ __align__(16) char gpri_dynamic[];
    return gpri_dynamic;
}

/* Waits for all threads of the cluster; then what they wrote into shared memory before is there. */
__device__ __forceinline__ void gpri_cluster_wait() {
#if __CUDA_ARCH__ >= 900
    if (gridDim.x > 1) {
        asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
        return;
    }
#endif
    __syncthreads();
}

/* Writes to that place of the dynamic shared memory of a block. */
__device__ __forceinline__ void gpri_cluster_put(float4 *at, float4 value, unsigned block) {
#if __CUDA_ARCH__ >= 900
    if (gridDim.x > 1) {
        asm volatile(
            "{\n\t.reg .u32 there;\n\tmapa.shared::cluster.u32 there, %0, %1;\n\t"
            "st.shared::cluster.v4.f32 [there], {%2, %3, %4, %5};\n\t}" ::"r"((unsigned)__cvta_generic_to_shared(at)),
            "r"(block), "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w)
            : "memory");
        return;
    }
#endif
    *at = value;
}

#endif
#endif
