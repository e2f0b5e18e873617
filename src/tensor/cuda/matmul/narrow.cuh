/* Products with a narrow result, such as the scores of a few classes.
 *
 * Forward: a block has 32 rows and all of w; every thread has an element or two of the result.
 * Backward, in one kernel: dx = dy w', dw = x' dy, db = column sums of dy,
 * with steps on the elements of dy before and of dx after, and the column sums of dx after them. A block has a chunk of
 * rows, in tiles of 32, and leaves its sums in memory. */
#ifndef GPRI_CUDA_NARROW_CUH
#define GPRI_CUDA_NARROW_CUH

#include "tensor/cuda/fuse/fused.cuh"

enum { NARROW_TILE = 32, NARROW_MOST_X = 128, NARROW_MOST_Y = 16 };

/* y = x w + b; the rows of the second stream come after those of the first, and begin a block of their own. */
struct narrow_forward {
    linear_streams streams;
    const gpri_real *w, *b;
    unsigned first_blocks; /* of the first stream */
    enum { THREADS = 256, TILE = NARROW_TILE, MOST_X = NARROW_MOST_X, MOST_Y = NARROW_MOST_Y };

    __device__ void run() const {
        __shared__ __align__(16) gpri_real x_tile[TILE][MOST_X + 4];
        __shared__ gpri_real w_all[MOST_X * MOST_Y];
        const int which = blockIdx.x >= first_blocks;
        const gpri_matrix x = streams.x[which], y = streams.y[which];
        const int64_t row0 = (int64_t)(which ? blockIdx.x - first_blocks : blockIdx.x) * TILE;
        const int depth = (int)x.width, width = (int)y.width, across = depth / 4;
        for (int at = (int)threadIdx.x; at < TILE * across; at += THREADS) {
            const int r = at / across, k = at % across * 4;
            if (row0 + r < x.rows) store(&x_tile[r][k], load<4>(element(x, row0 + r, k)));
        }
        for (int at = (int)threadIdx.x; at < depth * width; at += THREADS) w_all[at] = __ldg(&w[at]);
        __syncthreads();
        for (int at = (int)threadIdx.x; at < TILE * width; at += THREADS) {
            const int r = at / width, c = at % width;
            if (row0 + r >= x.rows) break;
            gpri_real sum = 0;
#pragma unroll 8
            for (int k = 0; k < depth; k++) sum = fmaf(x_tile[r][k], w_all[k * width + c], sum);
            pack<1> e = {{sum + (b ? __ldg(&b[c]) : 0)}};
            run_program<1>(streams.then[which], row0 + r, c, &e);
            store(element(y, row0 + r, c), e);
        }
    }
};

/* ---- backward ---- */

struct narrow_backward {
    gpri_matrix dx, dy, x;
    const gpri_real *w;
    linear_more more;
    int64_t chunk;    /* rows; a multiple of the tile */
    gpri_real *parts; /* (blocks x stride) */
    int64_t stride;
    enum {
        THREADS = 256,
        TILE = NARROW_TILE,
        MOST_X = NARROW_MOST_X,
        MOST_Y = NARROW_MOST_Y,
        ITEMS = ((MOST_X + 1) * MOST_Y / 4 + THREADS - 1) / THREADS, /* four sums each */
        SHARES = THREADS / 32,
        COLUMNS = MOST_X / 32
    };

    struct memory {
        gpri_real x[TILE][MOST_X + 4];
        __align__(16) gpri_real dy[TILE][MOST_Y];
        __align__(16) gpri_real w[MOST_Y][MOST_X]; /* w' */
    };

    __device__ __forceinline__ void read(memory *m, int64_t row0, int rows) const {
        const int across_y = (int)dy.width / 4, across_x = (int)x.width / 4;
        for (int at = (int)threadIdx.x; at < TILE * across_y; at += THREADS) {
            const int r = at / across_y, c = at % across_y * 4;
            pack<4> e = {{0, 0, 0, 0}};
            if (r < rows) {
                gpri_real *from = element(dy, row0 + r, c);
                e = load<4>(from);
                if (more.before.count) {
                    run_program<4>(more.before, row0 + r, c, &e);
                    store(from, e);
                }
            }
            store(&m->dy[r][c], e);
        }
        for (int at = (int)threadIdx.x; at < TILE * across_x; at += THREADS) {
            const int r = at / across_x, c = at % across_x * 4;
            pack<4> e = {{0, 0, 0, 0}};
            if (r < rows) e = load<4>(element(x, row0 + r, c));
            for (int k = 0; k < 4; k++) m->x[r][c + k] = e.v[k];
        }
    }

    /* dw and db: the row of dw after the last is that of db, as if x had a column of 1. */
    __device__ __forceinline__ void add_dw(const memory *m, float4 *sums) const {
        const int across = (int)dy.width / 4, items = ((int)x.width + 1) * across;
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const int item = (int)threadIdx.x + k * THREADS, h = item / across, c = item % across * 4;
            if (item >= items) break;
#pragma unroll 8
            for (int r = 0; r < TILE; r++) {
                const float a = h < x.width ? m->x[r][h] : 1;
                const float4 b = *(const float4 *)&m->dy[r][c];
                sums[k].x = fmaf(a, b.x, sums[k].x);
                sums[k].y = fmaf(a, b.y, sums[k].y);
                sums[k].z = fmaf(a, b.z, sums[k].z);
                sums[k].w = fmaf(a, b.w, sums[k].w);
            }
        }
    }

    /* dx, and in place of x in shared memory. */
    __device__ __forceinline__ void make_dx(memory *m, int64_t row0, int rows) const {
        const int across = (int)x.width / 4, width = (int)dy.width;
        for (int at = (int)threadIdx.x; at < TILE * across; at += THREADS) {
            const int r = at / across, h = at % across * 4;
            pack<4> e = {{0, 0, 0, 0}};
            if (r < rows) {
                for (int c = 0; c < width; c++) {
                    const float d = m->dy[r][c];
                    const pack<4> by = load<4>(&m->w[c][h]);
                    for (int k = 0; k < 4; k++) e.v[k] = fmaf(d, by.v[k], e.v[k]);
                }
                run_program<4>(more.after, row0 + r, h, &e);
                store(element(dx, row0 + r, h), e);
            }
            for (int k = 0; k < 4; k++) m->x[r][h + k] = e.v[k];
        }
    }

    /* Column sums in the order of columns.cuh: eight shares of the rows. */
    __device__ __forceinline__ void add_columns(const memory *m, gpri_real *sums, int rows) const {
        const int share = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) {
            const int h = lane + 32 * k;
            if (h >= x.width) break;
            for (int r = share; r < rows; r += SHARES) sums[k] += m->x[r][h];
        }
    }

    __device__ __forceinline__ void write_columns(memory *m, const gpri_real *sums, gpri_real *to) const {
        const int share = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < COLUMNS; k++)
            if (lane + 32 * k < x.width) m->x[share][lane + 32 * k] = sums[k];
        __syncthreads();
        for (int h = (int)threadIdx.x; h < x.width; h += THREADS) {
            gpri_real sum = m->x[0][h];
            for (int s = 1; s < SHARES; s++) sum += m->x[s][h];
            to[h] = sum;
        }
    }

    __device__ void run() const {
        __shared__ memory m;
        const int64_t begin = (int64_t)blockIdx.x * chunk, end = begin + chunk < dy.rows ? begin + chunk : dy.rows;
        float4 dw[ITEMS];
        gpri_real columns[COLUMNS];
#pragma unroll
        for (int k = 0; k < ITEMS; k++) dw[k] = make_float4(0, 0, 0, 0);
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) columns[k] = 0;
        for (int at = (int)threadIdx.x; at < (int)(x.width * dy.width); at += THREADS)
            m.w[at % (int)dy.width][at / (int)dy.width] = __ldg(&w[at]);
        for (int64_t row0 = begin; row0 < end; row0 += TILE) {
            const int rows = (int)(end - row0 < TILE ? end - row0 : TILE);
            __syncthreads();
            read(&m, row0, rows);
            __syncthreads();
            add_dw(&m, dw);
            __syncthreads();
            make_dx(&m, row0, rows);
            if (!more.sums) continue;
            __syncthreads();
            add_columns(&m, columns, rows);
        }
        const int across = (int)dy.width / 4, items = ((int)x.width + 1) * across;
        gpri_real *own = parts + blockIdx.x * stride;
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            if ((int)threadIdx.x + k * THREADS < items) *(float4 *)(own + 4 * ((int)threadIdx.x + k * THREADS)) = dw[k];
        if (more.sums) write_columns(&m, columns, own + 4 * items);
    }
};

#endif
