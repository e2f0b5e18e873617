/* Dense products C = L R, cut into tiles of ROWS x COLS of the result. A block has one tile and a chunk of the inner
 * dimension, whose parts go through shared memory; while one is multiplied, the next is read. Where the inner dimension
 * is long, its chunks are blocks of their own (blockIdx.y): the last one to arrive adds their tiles in the order of the
 * chunks, or every chunk has a result of its own (APART), which others add up.
 *
 * A body has
 *     enum { SUMS, APART };                        products that are made at once: 1 or 2; all have the same R
 *     enum { LEFT_ALONG, RIGHT_ALONG };            whether numbers next to each other in memory are along the inner
 *                                                  dimension; threads then read along it
 *     left_at left_from(i0, k0) const;             where a tile of L begins,
 *     void left(gpri_real *l, from, i, k) const;   and L(i0 + i, k0 + k) of each of the sums. i, k: int, so that a
 *                                                  thread needs few registers for its addresses
 *     right_at right_from(k0, c0) const;           the same for R
 *     gpri_real right(from, k, c) const;
 *     void finish(i, c, chunk, const float4 *sums, int count) const;    writes `count` <= 4 columns from c on */
#ifndef GPRI_CUDA_PRODUCT_CUH
#define GPRI_CUDA_PRODUCT_CUH

#include "tensor/cuda/base/last_block.cuh"
#include "tensor/cuda/fuse/program.cuh"

/* A tile of a matrix in memory: element (a, b) is at[a * ld + b]. Within a tile 32 bits are enough. */
struct tile_at {
    const gpri_real *at;
    int ld;
    __device__ __forceinline__ gpri_real operator()(int a, int b) const { return __ldg(&at[a * ld + b]); }
};
__device__ __forceinline__ tile_at tile_of(const gpri_real *x, int64_t ld, int64_t row, int64_t column) {
    return tile_at{x + row * ld + column, (int)ld};
}

template <class Body, int COLS> struct product {
    Body body;
    int64_t rows, cols, depth;
    int64_t chunk;      /* of the inner dimension; a multiple of DEPTH */
    float4 *parts;      /* (tiles x chunks x MICRO SUMS x THREADS) scratch, where there are several and not APART */
    unsigned *counters; /* one for each tile */
    enum {
        SUMS = Body::SUMS,
        ROWS = 32,
        DEPTH = 32,
        MICRO = COLS >= 64   ? 4
                : COLS >= 32 ? 2
                             : 1, /* rows of a thread */
        THREADS = ROWS / MICRO * (COLS / 4),
        BLOCKS = 512 / THREADS,
        LEFTS = ROWS * DEPTH / THREADS, /* numbers that a thread reads at a time */
        RIGHTS = DEPTH * COLS / THREADS
    };
    struct numbers {
        gpri_real left[LEFTS][SUMS], right[RIGHTS];
    };
    struct memory {
        __align__(16) gpri_real l[SUMS][DEPTH][ROWS + 4];
        __align__(16) gpri_real r[DEPTH][COLS + 4];
    };

    __device__ __forceinline__ void read(numbers *n, int64_t i0, int64_t c0, int64_t k0, int64_t k1) const {
        const auto left = body.left_from(i0, k0);
        const auto right = body.right_from(k0, c0);
        const int there_i = rows - i0 < ROWS ? (int)(rows - i0) : (int)ROWS;
        const int there_c = cols - c0 < COLS ? (int)(cols - c0) : (int)COLS;
        const int there_k = k1 - k0 < DEPTH ? (int)(k1 - k0) : (int)DEPTH;
#pragma unroll
        for (int a = 0; a < LEFTS; a++) {
            const int at = (int)threadIdx.x + a * THREADS;
            const int k = Body::LEFT_ALONG ? at % DEPTH : at / ROWS, i = Body::LEFT_ALONG ? at / DEPTH : at % ROWS;
            for (int s = 0; s < SUMS; s++) n->left[a][s] = 0;
            if (i < there_i && k < there_k) body.left(n->left[a], left, i, k);
        }
#pragma unroll
        for (int a = 0; a < RIGHTS; a++) {
            const int at = (int)threadIdx.x + a * THREADS;
            const int k = Body::RIGHT_ALONG ? at % DEPTH : at / COLS, c = Body::RIGHT_ALONG ? at / DEPTH : at % COLS;
            n->right[a] = c < there_c && k < there_k ? body.right(right, k, c) : 0;
        }
    }

    __device__ __forceinline__ void put(memory *m, const numbers *n) const {
#pragma unroll
        for (int a = 0; a < LEFTS; a++) {
            const int at = (int)threadIdx.x + a * THREADS;
            const int k = Body::LEFT_ALONG ? at % DEPTH : at / ROWS, i = Body::LEFT_ALONG ? at / DEPTH : at % ROWS;
            for (int s = 0; s < SUMS; s++) m->l[s][k][i] = n->left[a][s];
        }
#pragma unroll
        for (int a = 0; a < RIGHTS; a++) {
            const int at = (int)threadIdx.x + a * THREADS;
            const int k = Body::RIGHT_ALONG ? at % DEPTH : at / COLS, c = Body::RIGHT_ALONG ? at / DEPTH : at % COLS;
            m->r[k][c] = n->right[a];
        }
    }

    __device__ __forceinline__ void multiply(float4 (*sums)[SUMS], const memory *m, int own_i, int own_c) const {
#pragma unroll 8
        for (int k = 0; k < DEPTH; k++) {
            const float4 b = *(const float4 *)&m->r[k][own_c];
#pragma unroll
            for (int s = 0; s < SUMS; s++) {
                const pack<MICRO> a = load<MICRO>(&m->l[s][k][own_i]);
#pragma unroll
                for (int r = 0; r < MICRO; r++) {
                    sums[r][s].x = fmaf(a.v[r], b.x, sums[r][s].x);
                    sums[r][s].y = fmaf(a.v[r], b.y, sums[r][s].y);
                    sums[r][s].z = fmaf(a.v[r], b.z, sums[r][s].z);
                    sums[r][s].w = fmaf(a.v[r], b.w, sums[r][s].w);
                }
            }
        }
    }

    /* Whether this block has the sum of all chunks now. */
    __device__ __forceinline__ bool add_chunks(float4 (*sums)[SUMS]) const {
        const unsigned chunks = gridDim.y;
        if (Body::APART || chunks == 1) return true;
        float4 *tile = parts + (int64_t)blockIdx.x * chunks * (MICRO * SUMS * THREADS) + threadIdx.x;
#pragma unroll
        for (int r = 0; r < MICRO; r++)
#pragma unroll
            for (int s = 0; s < SUMS; s++)
                tile[((int)blockIdx.y * (MICRO * SUMS) + r * SUMS + s) * THREADS] = sums[r][s];
        if (!gpri_last_block(&counters[blockIdx.x], chunks)) return false;
#pragma unroll
        for (int r = 0; r < MICRO; r++)
#pragma unroll
            for (int s = 0; s < SUMS; s++) {
                float4 all = make_float4(0, 0, 0, 0);
                for (unsigned part = 0; part < chunks; part++) {
                    const float4 x = gpri_fresh(&tile[((int)part * (MICRO * SUMS) + r * SUMS + s) * THREADS]);
                    all = make_float4(all.x + x.x, all.y + x.y, all.z + x.z, all.w + x.w);
                }
                sums[r][s] = all;
            }
        return true;
    }

    __device__ void run() const {
        __shared__ memory m;
        const unsigned across = (unsigned)((cols + COLS - 1) / COLS);
        const int64_t i0 = (int64_t)(blockIdx.x / across) * ROWS, c0 = (int64_t)(blockIdx.x % across) * COLS;
        const int own_c = (int)threadIdx.x % (COLS / 4) * 4, own_i = (int)threadIdx.x / (COLS / 4) * MICRO;
        const int64_t begin = blockIdx.y * chunk, end = begin + chunk < depth ? begin + chunk : depth;
        float4 sums[MICRO][SUMS];
        numbers next;
#pragma unroll
        for (int r = 0; r < MICRO; r++)
#pragma unroll
            for (int s = 0; s < SUMS; s++) sums[r][s] = make_float4(0, 0, 0, 0);
        if (begin < end) read(&next, i0, c0, begin, end);
        for (int64_t k0 = begin; k0 < end; k0 += DEPTH) {
            put(&m, &next);
            __syncthreads();
            if (k0 + DEPTH < end) read(&next, i0, c0, k0 + DEPTH, end);
            multiply(sums, &m, own_i, own_c);
            __syncthreads();
        }
        if (!add_chunks(sums)) return;
        const int64_t left = cols - c0 - own_c;
#pragma unroll
        for (int r = 0; r < MICRO; r++)
            if (i0 + own_i + r < rows && left > 0)
                body.finish(i0 + own_i + r, c0 + own_c, (int64_t)blockIdx.y, sums[r], left < 4 ? (int)left : 4);
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
    const unsigned tiles = gpri_cuda_blocks(rows, kernel::ROWS) * gpri_cuda_blocks(cols, COLS);
    if (!Body::APART && tiles > GPRI_CUDA_COUNTERS) chunk = (depth + kernel::DEPTH - 1) / kernel::DEPTH * kernel::DEPTH;
    const unsigned chunks = depth > 0 ? gpri_cuda_blocks(depth, chunk) : 1;
    const size_t numbers = (size_t)kernel::MICRO * kernel::SUMS * kernel::THREADS;
    kernel op = {body, rows, cols, depth, chunk, NULL, NULL};
    if (!Body::APART && chunks > 1) {
        op.parts = (float4 *)gpri_cuda_scratch((size_t)tiles * chunks * numbers * sizeof *op.parts);
        op.counters = gpri_cuda_counters();
    }
    launch(op, dim3(tiles, chunks), kernel::THREADS);
}

/* rows x cols, over `depth` in chunks. */
template <class Body> void launch_product(const Body &body, int64_t rows, int64_t cols, int64_t depth, int64_t chunk) {
    if (cols > 32) launch_product_with<64>(body, rows, cols, depth, chunk);
    else if (cols > 16) launch_product_with<32>(body, rows, cols, depth, chunk);
    else launch_product_with<16>(body, rows, cols, depth, chunk);
}

/* A chunk of the inner dimension so that all tiles together are about enough blocks for a card. By the sizes alone. */
static inline int64_t gpri_product_chunk(int64_t rows, int64_t cols, int64_t depth) {
    enum { BLOCKS = 512, LEAST = 128, DEPTH = 32 };
    const int64_t tiles = ((rows + 31) / 32) * ((cols + 63) / 64),
                  wanted = tiles < BLOCKS && tiles > 0 ? BLOCKS / tiles : 1;
    int64_t chunk = (depth + wanted - 1) / wanted;
    chunk = (chunk + DEPTH - 1) / DEPTH * DEPTH;
    return chunk < LEAST ? (int64_t)LEAST : chunk;
}

#endif
