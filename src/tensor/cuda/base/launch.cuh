/* How an operation reaches the card. An operation is a small struct of arguments with `__device__ void run() const`;
 * launch() runs or records it. Kernels use the first two dimensions of the grid; the third one is for lanes: the same
 * operation of several runs, side by side. */
#ifndef GPRI_CUDA_LAUNCH_CUH
#define GPRI_CUDA_LAUNCH_CUH

#include <type_traits>

#include "tensor/cuda/base/device.cuh"

#ifndef GPRI_CUDA_ARGUMENT /* set by tests that run kernels without a card */
#define GPRI_CUDA_ARGUMENT(...) const __grid_constant__ __VA_ARGS__
#endif

/* The threads that an operation is launched with, at most: its THREADS; and the blocks of it that a processor should
   hold at once: its BLOCKS. The compiler limits registers by them, so that no launch asks for more than there are. */
template <class Op, class = void> struct threads_of {
    enum { MOST = 1024 };
};
template <class Op> struct threads_of<Op, std::void_t<decltype(Op::THREADS)>> {
    enum { MOST = Op::THREADS };
};
template <class Op, class = void> struct blocks_of {
    enum { LEAST = 1 };
};
template <class Op> struct blocks_of<Op, std::void_t<decltype(Op::BLOCKS)>> {
    enum { LEAST = Op::BLOCKS };
};
#define GPRI_CUDA_BOUNDS(Op) __launch_bounds__(threads_of<Op>::MOST, blocks_of<Op>::LEAST)

template <class Op> __global__ void GPRI_CUDA_BOUNDS(Op) one_lane(GPRI_CUDA_ARGUMENT(Op) op) { op.run(); }

/* The bytes of arguments that a kernel takes at most. */
#if CUDART_VERSION >= 12010
#define GPRI_CUDA_ARGUMENTS 32000
#else
#define GPRI_CUDA_ARGUMENTS 4000
#endif

/* The arguments of several lanes: as many as fit. */
template <class Op> struct lanes {
    enum {
        MOST = GPRI_CUDA_ARGUMENTS / sizeof(Op) < GPRI_MOST_LANES ? GPRI_CUDA_ARGUMENTS / sizeof(Op) : GPRI_MOST_LANES
    };
    Op of[MOST];
};

template <class Op> __global__ void GPRI_CUDA_BOUNDS(Op) many_lanes(GPRI_CUDA_ARGUMENT(lanes<Op>) all) {
    all.of[blockIdx.z].run();
}

template <class Op>
gpri_cuda_launch call_of(const Op *op, dim3 grid, unsigned threads, unsigned shared, unsigned cluster) {
    static_assert(sizeof(Op) <= 4000, "a kernel's arguments are limited");
    return gpri_cuda_launch{(const void *)one_lane<Op>,
                            (const void *)many_lanes<Op>,
                            lanes<Op>::MOST,
                            grid,
                            threads,
                            shared,
                            cluster,
                            op,
                            sizeof *op,
                            __PRETTY_FUNCTION__};
}

/* An empty grid is no work. */
template <class Op> void launch(const Op &op, dim3 grid, unsigned threads, unsigned shared = 0, unsigned cluster = 1) {
    if (grid.x == 0 || grid.y == 0) return;
    if (threads > threads_of<Op>::MOST) return gpri_cuda_misuse("more threads than the operation has bounds for");
    const gpri_cuda_launch call = call_of(&op, grid, threads, shared, cluster);
    gpri_cuda_submit(&call);
}

/* Whether the card can run it. */
template <class Op> bool launch_fits(dim3 grid, unsigned threads, unsigned shared, unsigned cluster) {
    const gpri_cuda_launch call = call_of((const Op *)NULL, grid, threads, shared, cluster);
    return gpri_cuda_fits(&call);
}

/* Blocks of `size` that cover `count`. */
static inline unsigned gpri_cuda_blocks(int64_t count, int64_t size) { return (unsigned)((count + size - 1) / size); }

#endif
