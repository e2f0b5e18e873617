/* Known labels as an input: rows of classes added to nodes, their gradients, and which nodes show their label. */
#include "tensor/cuda/base/each.cuh"
#include "tensor/cuda/base/last_block.cuh"
#include "tensor/cuda/base/ops.cuh"

struct labels_forward {
    gpri_matrix y;
    const gpri_real *e;
    const int32_t *shown;
    int64_t first;
    __device__ void at(int64_t row, int64_t column) const {
        const int32_t label = __ldg(&shown[first + row]);
        if (label >= 0) *element(y, row, column) += __ldg(&e[label * y.width + column]);
    }
};

void gpri_cuda_labels_forward(gpri_matrix y, const gpri_real *e, const int32_t *shown, int64_t first) {
    launch_each<1>(labels_forward{y, e, shown, first}, y.rows, y.width);
}

/* A block has 32 columns; each of its warps adds up a share of the rows, for some classes at a time. How many classes
   there are is seen in the labels. */
struct labels_backward {
    gpri_real *de;
    gpri_matrix dy;
    const int32_t *shown;
    int64_t first;
    enum { THREADS = 1024, WARPS = 32, CLASSES = 8 };

    __device__ int largest() const {
        __shared__ int of_warp[WARPS];
        int most = -1;
        for (int64_t i = threadIdx.x; i < dy.rows; i += THREADS) {
            const int label = __ldg(&shown[first + i]);
            most = label > most ? label : most;
        }
        for (int step = 16; step > 0; step /= 2) {
            const int other = __shfl_xor_sync(0xffffffffu, most, step);
            most = other > most ? other : most;
        }
        if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = most;
        __syncthreads();
        for (int warp = 0; warp < WARPS; warp++) most = of_warp[warp] > most ? of_warp[warp] : most;
        return most;
    }

    __device__ void run() const {
        __shared__ gpri_real sums[WARPS][CLASSES][32];
        const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32, most = largest();
        const int64_t c = (int64_t)blockIdx.x * 32 + lane;
        const int64_t begin = dy.rows * warp / WARPS, end = dy.rows * (warp + 1) / WARPS;
        for (int class0 = 0; class0 <= most; class0 += CLASSES) {
            for (int k = 0; k < CLASSES; k++) sums[warp][k][lane] = 0;
            for (int64_t i0 = begin; i0 < end; i0 += 32) {
                const int own = i0 + lane < end ? __ldg(&shown[first + i0 + lane]) : -1;
#pragma unroll 8
                for (int k = 0; k < 32; k++) {
                    const int label = __shfl_sync(0xffffffffu, own, k) - class0;
                    if (label >= 0 && label < CLASSES && c < dy.width)
                        sums[warp][label][lane] += __ldg(&dy.at[(i0 + k) * dy.ld + c]);
                }
            }
            __syncthreads();
            if (warp < CLASSES && class0 + warp <= most && c < dy.width) {
                gpri_real sum = 0;
                for (int k = 0; k < WARPS; k++) sum += sums[k][warp][lane];
                de[(class0 + warp) * dy.width + c] += sum;
            }
            __syncthreads();
        }
    }
};

void gpri_cuda_labels_backward(gpri_real *de, gpri_matrix dy, const int32_t *shown, int64_t first) {
    const labels_backward op = {de, dy, shown, first};
    if (dy.rows > 0) launch(op, dim3(gpri_cuda_blocks(dy.width, 32)), op.THREADS);
}

struct labels_show {
    int32_t *shown;
    gpri_real *factor;
    const int32_t *known;
    const uint64_t *keep;
    int64_t nodes;
    unsigned *counters; /* blocks that are done, nodes whose label is known, those of them that are hidden */
    enum { THREADS = 256 };

    __device__ void run() const {
        const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
        const int32_t label = i < nodes ? __ldg(&known[i]) : -1;
        const bool show = label >= 0 && gpri_kept(keep, i);
        if (i < nodes) shown[i] = show ? label : -1;
        const int all = __syncthreads_count(label >= 0), hidden = __syncthreads_count(label >= 0 && !show);
        if (threadIdx.x == 0) {
            atomicAdd(&counters[1], (unsigned)all);
            atomicAdd(&counters[2], (unsigned)hidden);
        }
        if (!gpri_last_block(&counters[0], gridDim.x) || threadIdx.x != 0) return;
        const unsigned known_all = gpri_fresh(&counters[1]), known_hidden = gpri_fresh(&counters[2]);
        *factor = known_hidden ? (gpri_real)((double)known_all / (double)known_hidden) : 0;
        counters[1] = counters[2] = 0;
    }
};

void gpri_cuda_labels_show(int32_t *shown, gpri_real *factor, const int32_t *known, const uint64_t *keep,
                           int64_t nodes) {
    const labels_show op = {shown, factor, known, keep, nodes, gpri_cuda_counters()};
    launch(op, dim3(nodes > 0 ? gpri_cuda_blocks(nodes, op.THREADS) : 1), op.THREADS);
}
