/* Dense products C = L R, cut into tiles of ROWS x COLS of the result. A block has one tile and a chunk of the inner
 * dimension, whose parts go through shared memory. Where that dimension is long, its chunks are blocks of their own
 * (blockIdx.y); their tiles are added afterwards in the order of the chunks (fold).
 *
 * A body has
 *     enum { SUMS };                               products that are made at once: 1 or 2; all have the same R
 *     enum { LEFT_ALONG, RIGHT_ALONG };            whether numbers next to each other in memory are along the inner
 *                                                  dimension; threads then read along it
 *     void left(gpri_real *l, i, k) const;         L(i, k) of each of the sums
 *     gpri_real right(k, c) const;                 R(k, c)
 *     void finish(i, c, chunk, const float4 *sums, int count) const;    writes `count` <= 4 columns from c on */
#ifndef GPRI_CUDA_PRODUCT_CUH
#define GPRI_CUDA_PRODUCT_CUH

#include "tensor/cuda/join/program.cuh"

template <class Body, int COLS> struct product {
    Body body;
    int64_t rows, cols, depth;
    int64_t chunk; /* of the inner dimension; a multiple of DEPTH */
    enum {
        SUMS = Body::SUMS,
        ROWS = 32,
        DEPTH = 32,
        MICRO = COLS >= 64   ? 4
                : COLS >= 32 ? 2
                             : 1, /* rows of a thread */
        THREADS = ROWS / MICRO * (COLS / 4)
    };

    __device__ __forceinline__ void read_left(gpri_real (*l)[DEPTH][ROWS + 1], int64_t i0, int64_t k0,
                                              int64_t k1) const {
        for (int at = (int)threadIdx.x; at < ROWS * DEPTH; at += THREADS) {
            const int k = Body::LEFT_ALONG ? at % DEPTH : at / ROWS, i = Body::LEFT_ALONG ? at / DEPTH : at % ROWS;
            gpri_real value[SUMS];
            for (int s = 0; s < SUMS; s++) value[s] = 0;
            if (i0 + i < rows && k0 + k < k1) body.left(value, i0 + i, k0 + k);
            for (int s = 0; s < SUMS; s++) l[s][k][i] = value[s];
        }
    }

    __device__ __forceinline__ void read_right(gpri_real (*r)[COLS + 4], int64_t c0, int64_t k0, int64_t k1) const {
        for (int at = (int)threadIdx.x; at < DEPTH * COLS; at += THREADS) {
            const int k = Body::RIGHT_ALONG ? at % DEPTH : at / COLS, c = Body::RIGHT_ALONG ? at / DEPTH : at % COLS;
            r[k][c] = c0 + c < cols && k0 + k < k1 ? body.right(k0 + k, c0 + c) : 0;
        }
    }

    __device__ void run() const {
        __shared__ gpri_real l[SUMS][DEPTH][ROWS + 1];
        __shared__ __align__(16) gpri_real r[DEPTH][COLS + 4];
        const unsigned across = (unsigned)((cols + COLS - 1) / COLS);
        const int64_t i0 = (int64_t)(blockIdx.x / across) * ROWS, c0 = (int64_t)(blockIdx.x % across) * COLS;
        const int own_c = (int)threadIdx.x % (COLS / 4) * 4, own_i = (int)threadIdx.x / (COLS / 4) * MICRO;
        const int64_t begin = blockIdx.y * chunk, end = begin + chunk < depth ? begin + chunk : depth;
        float4 sums[MICRO][SUMS];
        for (int m = 0; m < MICRO; m++)
            for (int s = 0; s < SUMS; s++) sums[m][s] = make_float4(0, 0, 0, 0);
        for (int64_t k0 = begin; k0 < end; k0 += DEPTH) {
            read_left(l, i0, k0, end);
            read_right(r, c0, k0, end);
            __syncthreads();
#pragma unroll 8
            for (int k = 0; k < DEPTH; k++) {
                const float4 b = *(const float4 *)&r[k][own_c];
#pragma unroll
                for (int m = 0; m < MICRO; m++)
#pragma unroll
                    for (int s = 0; s < SUMS; s++) {
                        const gpri_real a = l[s][k][own_i + m];
                        sums[m][s].x = fmaf(a, b.x, sums[m][s].x);
                        sums[m][s].y = fmaf(a, b.y, sums[m][s].y);
                        sums[m][s].z = fmaf(a, b.z, sums[m][s].z);
                        sums[m][s].w = fmaf(a, b.w, sums[m][s].w);
                    }
            }
            __syncthreads();
        }
        const int64_t left = cols - c0 - own_c;
        for (int m = 0; m < MICRO; m++)
            if (i0 + own_i + m < rows && left > 0)
                body.finish(i0 + own_i + m, c0 + own_c, (int64_t)blockIdx.y, sums[m], left < 4 ? (int)left : 4);
    }
};

__device__ __forceinline__ gpri_real of_four(float4 x, int k) {
    return k == 0 ? x.x : k == 1 ? x.y : k == 2 ? x.z : x.w;
}

/* Columns from c on of a row of y, after the program. by_four: all four can be written at once; else the program is
   empty. */
__device__ __forceinline__ void write_four(gpri_matrix y, int64_t i, int64_t c, pack<4> e, int count, bool by_four,
                                           const element_program &program) {
    gpri_real *to = element(y, i, c);
    if (by_four) {
        run_program<4>(program, i, c, &e);
        store(to, e);
    } else {
        for (int k = 0; k < 4; k++)
            if (k < count) to[k] = e.v[k];
    }
}

template <int COLS, class Body>
void launch_product_with(const Body &body, int64_t rows, int64_t cols, int64_t depth, int64_t chunk) {
    typedef product<Body, COLS> kernel;
    const kernel op = {body, rows, cols, depth, chunk};
    const unsigned tiles = gpri_cuda_blocks(rows, kernel::ROWS) * gpri_cuda_blocks(cols, COLS);
    launch(op, dim3(tiles, depth > 0 ? gpri_cuda_blocks(depth, chunk) : 1), kernel::THREADS);
}

/* rows x cols, over `depth` in chunks. */
template <class Body> void launch_product(const Body &body, int64_t rows, int64_t cols, int64_t depth, int64_t chunk) {
    if (cols > 32) launch_product_with<64>(body, rows, cols, depth, chunk);
    else if (cols > 16) launch_product_with<32>(body, rows, cols, depth, chunk);
    else if (cols > 8) launch_product_with<16>(body, rows, cols, depth, chunk);
    else if (cols > 4) launch_product_with<8>(body, rows, cols, depth, chunk);
    else launch_product_with<4>(body, rows, cols, depth, chunk);
}

/* A chunk of the inner dimension so that all tiles together are about enough blocks for a card. By the sizes alone. */
static inline int64_t gpri_product_chunk(int64_t rows, int64_t cols, int64_t depth) {
    enum { BLOCKS = 256, LEAST = 128, DEPTH = 32 };
    const int64_t tiles = ((rows + 31) / 32) * ((cols + 63) / 64),
                  wanted = tiles < BLOCKS && tiles > 0 ? BLOCKS / tiles : 1;
    int64_t chunk = (depth + wanted - 1) / wanted;
    chunk = (chunk + DEPTH - 1) / DEPTH * DEPTH;
    return chunk < LEAST ? (int64_t)LEAST : chunk;
}

#endif
