/* Sums over blocks in one kernel: every block leaves its own in memory, and the last one to arrive adds them, in the
 * order of the blocks. Which block that is changes nothing. */
#ifndef GPRI_CUDA_LAST_BLOCK_CUH
#define GPRI_CUDA_LAST_BLOCK_CUH

#include "tensor/cuda/base/launch.cuh"
#include "tensor/cuda/base/reduce.cuh"

/* Whether all other blocks that count with it have come here: then what they wrote before can be read (gpri_fresh).
   All threads of a block must call it. The counter is 0 again afterwards. */
__device__ __forceinline__ bool gpri_last_block(unsigned *counter, unsigned blocks) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(counter, 1u) == blocks - 1;
        if (last) *counter = 0;
        __threadfence();
    }
    __syncthreads();
    return last;
}

/* Reads past the cache of this processor, which may hold what was there before. */
template <class T> __device__ __forceinline__ T gpri_fresh(const T *at) { return __ldcg(at); }

/* *sum = the sum of the numbers of all blocks. All threads must call it. */
struct gpri_dot {
    double *sum;
    double *of_block; /* scratch: one number per block */
    unsigned *counter;

    __device__ __forceinline__ void add(double value) const {
        const unsigned block = blockIdx.y * gridDim.x + blockIdx.x, blocks = gridDim.x * gridDim.y;
        value = gpri_block_sum(value);
        if (blocks == 1) {
            if (threadIdx.x == 0) *sum = value;
            return;
        }
        if (threadIdx.x == 0) of_block[block] = value;
        if (!gpri_last_block(counter, blocks)) return;
        value = 0;
        for (unsigned i = threadIdx.x; i < blocks; i += blockDim.x) value += gpri_fresh(&of_block[i]);
        value = gpri_block_sum(value);
        if (threadIdx.x == 0) *sum = value;
    }
};

/* For a kernel of so many blocks. */
static inline gpri_dot gpri_dot_of(double *sum, int64_t blocks) {
    return gpri_dot{sum, (double *)gpri_cuda_scratch((size_t)blocks * sizeof(double)), gpri_cuda_counters()};
}

#endif
