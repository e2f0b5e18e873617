/* Attention over the neighbours of a node and itself. A thread has one column of a node, and with it the coefficients
 * of its head; a warp has 32 columns. Of a node with more than LONG neighbours all warps of a block have a share, after
 * the others. The number of threads that share the sums of a node depends on its neighbours alone. */
#include "tensor/cuda/each.cuh"
#include "tensor/cuda/features.cuh"
#include "tensor/cuda/ops.cuh"
#include "tensor/cuda/reduce.cuh"

enum { THREADS = 256, WARPS = THREADS / GPRI_CUDA_WARP, LONG = 64 };

/* What both passes have in common: gpri_attention with the arrays of its graph. */
struct attention {
    const int64_t *rowptr;
    const int32_t *neighbour;
    int64_t heads, out, width;
    gpri_real slope, scale;
    const gpri_real *source;
    gpri_real *target;
    const uint64_t *keep;
    const int32_t *reverse;

    __device__ __forceinline__ gpri_real leaky(gpri_real e) const { return e > 0 ? e : slope * e; }
    /* The k-th that node i attends to: its neighbours, then itself. */
    __device__ __forceinline__ int64_t attended(int64_t i, int64_t begin, int64_t end, int64_t k) const {
        return begin + k < end ? __ldg(&neighbour[begin + k]) : i;
    }
    __device__ __forceinline__ int64_t head_of(int64_t column) const {
        const int64_t head = (int64_t)((uint32_t)column / (uint32_t)out);
        return head < heads ? head : heads - 1; /* padding: anything, it becomes 0 */
    }
};

static attention attention_of(const gpri_attention *a) {
    return attention{a->graph->rowptr, a->graph->column, a->heads,  a->out,  a->width,  a->slope,
                     a->scale,         a->source,        a->target, a->keep, a->reverse};
}

/* Runs a kernel's rows: short ones by a warp each, long ones by the block. Body::row(row, share, shares) does a
   warp's share of one. */
template <class Body> struct by_rows {
    Body body;
    int64_t rows;

    __device__ void run() const {
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP;
        const int64_t row0 = (int64_t)blockIdx.x * WARPS, row = row0 + warp;
        const bool is_long = row < rows && body.count(row) > LONG;
        if (row < rows && !is_long) body.row(row, 0, 1);
        if (__syncthreads_or(is_long))
            for (int r = 0; r < WARPS && row0 + r < rows; r++)
                if (body.count(row0 + r) > LONG) body.row(row0 + r, warp, WARPS);
    }
};

template <class Body> static void launch_rows(const Body &body, int64_t rows, int64_t width) {
    launch(by_rows<Body>{body, rows}, dim3(gpri_cuda_blocks(rows, WARPS), gpri_cuda_blocks(width, GPRI_CUDA_WARP)),
           THREADS);
}

/* The sums of all warps, in their order; all threads of the block must call it. The first warp gets them. */
template <int COUNT> __device__ __forceinline__ void join_warps(gpri_real *sums) {
    __shared__ gpri_real of_warp[COUNT][WARPS][GPRI_CUDA_WARP];
    const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
    __syncthreads();
    for (int s = 0; s < COUNT; s++) of_warp[s][warp][lane] = sums[s];
    __syncthreads();
    for (int k = 1; warp == 0 && k < WARPS; k++)
        for (int s = 0; s < COUNT; s++) sums[s] += of_warp[s][k][lane];
}

__device__ __forceinline__ gpri_real largest_of_warps(gpri_real most) {
    __shared__ gpri_real of_warp[WARPS][GPRI_CUDA_WARP];
    const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
    __syncthreads();
    of_warp[warp][lane] = most;
    __syncthreads();
    for (int k = 0; k < WARPS; k++) most = of_warp[k][lane] > most ? of_warp[k][lane] : most;
    return most;
}

/* ---- forward ---- */

template <bool BEND> struct attention_forward {
    attention a;
    gpri_matrix y, bend, x; /* bend: with BEND alone */
    int64_t first;

    __device__ __forceinline__ int64_t count(int64_t row) const {
        return __ldg(&a.rowptr[first + row + 1]) - __ldg(&a.rowptr[first + row]) + 1;
    }

    /* Every shares-th of those that the node attends to, from `share` on. */
    __device__ void row(int64_t row, int share, int shares) const {
        const int64_t column = (int64_t)blockIdx.y * GPRI_CUDA_WARP + threadIdx.x % GPRI_CUDA_WARP;
        const int64_t i = first + row, begin = __ldg(&a.rowptr[i]), end = __ldg(&a.rowptr[i + 1]);
        const int64_t n = end - begin + 1, h = a.head_of(column);
        const bool inside = column < a.heads * a.out;
        gpri_real *target = a.target + i * 4 * a.heads + h, own = target[0];
        gpri_real most = __ldg(&a.source[i * a.heads + h]);
#pragma unroll 4
        for (int64_t k = share; k < n; k += shares) {
            const gpri_real source = __ldg(&a.source[a.attended(i, begin, end, k) * a.heads + h]);
            most = source > most ? source : most;
        }
        if (shares > 1) most = largest_of_warps(most);
        most = a.leaky(most + own);       /* leaky is monotonic */
        gpri_real sums[4] = {0, 0, 0, 0}; /* of exp, of those with e > 0; y, and its share of those with e > 0 */
#pragma unroll 4
        for (int64_t k = share; k < n; k += shares) {
            const int64_t j = a.attended(i, begin, end, k);
            const gpri_real e = __ldg(&a.source[j * a.heads + h]) + own, weight = expf(a.leaky(e) - most);
            sums[0] += weight;
            if (e > 0) sums[1] += weight;
            if (!inside || !gpri_cuda_kept(a.keep, (begin + i + k) * a.heads + h)) continue;
            const gpri_real value = weight * __ldg(&x.at[j * x.ld + column]);
            sums[2] += value;
            if (e > 0) sums[3] += value;
        }
        if (shares > 1) join_warps<4>(sums);
        if (share != 0 || column >= a.width) return;
        const gpri_real by = a.scale / sums[0], value = inside ? sums[2] * by : 0;
        *element(y, row, column) = value;
        if (!BEND) return;
        *element(bend, row, column) = inside ? sums[3] * by - sums[1] / sums[0] * value : 0;
        if (!inside || column != h * a.out) return;
        target[a.heads] = most;
        target[2 * a.heads] = 1 / sums[0];
    }
};

void gpri_cuda_attention_forward(gpri_matrix y, gpri_matrix bend, gpri_matrix x, const gpri_attention *a,
                                 int64_t first) {
    if (bend.at) launch_rows(attention_forward<true>{attention_of(a), y, bend, x, first}, y.rows, a->width);
    else launch_rows(attention_forward<false>{attention_of(a), y, bend, x, first}, y.rows, a->width);
}

/* ---- backward ---- */

/* dx of a column, and its share of dsource: x times the sum of what has passed the slopes. */
struct attention_backward {
    attention a;
    gpri_matrix dx, dy, x, shares_of; /* (rows x width) scratch, to be added over the columns of each head */
    int64_t first;

    __device__ __forceinline__ int64_t count(int64_t row) const {
        return __ldg(&a.rowptr[first + row + 1]) - __ldg(&a.rowptr[first + row]) + 1;
    }

    __device__ void row(int64_t row, int share, int shares) const {
        const int64_t column = (int64_t)blockIdx.y * GPRI_CUDA_WARP + threadIdx.x % GPRI_CUDA_WARP;
        const int64_t j = first + row, begin = __ldg(&a.rowptr[j]), end = __ldg(&a.rowptr[j + 1]);
        const int64_t n = end - begin + 1, h = a.head_of(column);
        const bool inside = column < a.heads * a.out;
        const gpri_real own = __ldg(&a.source[j * a.heads + h]);
        gpri_real sums[3] = {0, 0, 0}; /* dx, the same times the slopes, what the mean takes away */
#pragma unroll 2
        for (int64_t k = share; k < n; k += shares) {
            const int64_t i = a.attended(j, begin, end, k); /* node i attends to j; last j itself */
            const gpri_real *target = a.target + i * 4 * a.heads + h;
            const gpri_real e = own + __ldg(target), slope = e > 0 ? 1 : a.slope;
            const gpri_real part = expf(a.leaky(e) - __ldg(target + a.heads)) * __ldg(target + 2 * a.heads);
            bool kept = true;
            if (a.keep) {
                const int64_t place = k == n - 1 ? end + j : __ldg(&a.rowptr[i]) + i + __ldg(&a.reverse[begin + k]);
                kept = gpri_cuda_kept(a.keep, place * a.heads + h);
            }
            sums[2] = fmaf(slope * part, __ldg(target + 3 * a.heads), sums[2]);
            if (!inside || !kept) continue;
            const gpri_real value = part * a.scale * __ldg(&dy.at[i * dy.ld + column]);
            sums[0] += value;
            sums[1] = fmaf(slope, value, sums[1]);
        }
        if (shares > 1) join_warps<3>(sums);
        if (share != 0 || column >= a.width) return;
        *element(dx, row, column) = inside ? sums[0] : 0;
        if (!inside) return;
        const gpri_real value = *element(x, row, column) * sums[1];
        *element(shares_of, row, column) = column == h * a.out ? value - sums[2] : value;
    }
};

/* s = the sums over the columns of each head. */
struct head_sums {
    gpri_matrix s, x;
    int64_t heads, out;
    int lanes;

    __device__ void run() const {
        const int lane = (int)threadIdx.x % lanes;
        const int64_t place = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / lanes;
        const bool inside = place < s.rows * heads; /* all threads of a warp take part in its sums */
        int64_t row, head;
        divide(place, heads, &row, &head);
        gpri_real sum = 0;
        for (int64_t c = lane; inside && c < out; c += lanes) sum += __ldg(element(x, row, head * out + c));
        sum = gpri_warp_sum(sum, lanes);
        if (inside && lane == 0) *element(s, row, head) = sum;
    }
};

void gpri_cuda_attention_backward(gpri_matrix dx, gpri_matrix dsource, gpri_matrix dy, gpri_matrix x,
                                  const gpri_attention *a, int64_t first) {
    gpri_real *room = (gpri_real *)gpri_cuda_scratch((size_t)(dx.rows * a->width) * sizeof *room);
    const gpri_matrix shares = gpri_packed(room, dx.rows, a->width);
    launch_rows(attention_backward{attention_of(a), dx, dy, x, shares, first}, dx.rows, a->width);
    dsource.rows = dx.rows;
    head_sums sums = {dsource, shares, a->heads, a->out, 1};
    while (sums.lanes < GPRI_CUDA_WARP && 2 * sums.lanes <= a->out) sums.lanes *= 2;
    launch(sums, dim3(gpri_cuda_blocks(dx.rows * a->heads * sums.lanes, THREADS)), THREADS);
}
