/* Sums over all rows, column by column: y(c) += sum over i of value(i, c). Rows are cut into chunks by their number
 * alone; a block has a chunk and 32 columns, and the last block of these columns adds the sums of the chunks in order;
 * or they are left to whoever uses them.
 *
 * A body has `__device__ gpri_real value(int64_t row, int64_t column) const`. */
#ifndef GPRI_CUDA_COLUMNS_CUH
#define GPRI_CUDA_COLUMNS_CUH

#include "tensor/cuda/base/last_block.cuh"

/* The rows of a chunk: a multiple of 32, so that there are at most 256 chunks. */
static inline int64_t gpri_column_chunk(int64_t rows) {
    const int64_t tile = 32, most = 256;
    return rows > tile * most ? ((rows + most - 1) / most + tile - 1) / tile * tile : tile;
}

template <class Body> struct columns {
    Body body;
    gpri_real *y; /* NULL: the sums stay in parts */
    int64_t rows, width, chunk;
    gpri_real *parts;   /* (chunks x width) scratch */
    unsigned *counters; /* one for each 32 columns */
    enum { THREADS = 256, ACROSS = 32, SHARES = THREADS / ACROSS };

    /* Over the threads of a column; those of the first warp get it. */
    __device__ __forceinline__ gpri_real join(gpri_real sum) const {
        __shared__ gpri_real shares[SHARES][ACROSS];
        const int share = (int)threadIdx.x / ACROSS, lane = (int)threadIdx.x % ACROSS;
        __syncthreads();
        shares[share][lane] = sum;
        __syncthreads();
        for (int k = 1; share == 0 && k < SHARES; k++) sum += shares[k][lane];
        return sum;
    }

    __device__ void run() const {
        const int share = (int)threadIdx.x / ACROSS;
        const int64_t c = (int64_t)blockIdx.x * ACROSS + threadIdx.x % ACROSS;
        const int64_t begin = blockIdx.y * chunk, end = begin + chunk < rows ? begin + chunk : rows;
        const unsigned chunks = gridDim.y;
        gpri_real sum = 0;
#pragma unroll 4
        for (int64_t i = begin + share; i < end; i += SHARES)
            if (c < width) sum += body.value(i, c);
        sum = join(sum);
        if (share == 0 && c < width) parts[blockIdx.y * width + c] = sum;
        if (!y || !gpri_last_block(&counters[blockIdx.x], chunks)) return;
        sum = 0;
#pragma unroll 4
        for (unsigned k = (unsigned)share; k < chunks; k += SHARES)
            if (c < width) sum += gpri_fresh(&parts[k * width + c]);
        sum = join(sum);
        if (share == 0 && c < width) y[c] += sum;
    }
};

/* parts: for the sums of the chunks, where they are to stay there. */
template <class Body>
void launch_columns(const Body &body, gpri_real *y, int64_t rows, int64_t width, gpri_real *parts = NULL) {
    int64_t chunk = gpri_column_chunk(rows);
    if (width > 32 * (int64_t)GPRI_CUDA_COUNTERS) chunk = rows; /* there are no more counters */
    const int64_t chunks = rows > 0 ? (rows + chunk - 1) / chunk : 0;
    if (!parts) parts = (gpri_real *)gpri_cuda_scratch((size_t)(chunks * width) * sizeof *parts);
    const columns<Body> op = {body, y, rows, width, chunk, parts, gpri_cuda_counters()};
    launch(op, dim3(gpri_cuda_blocks(width, op.ACROSS), (unsigned)chunks), op.THREADS);
}

#endif
