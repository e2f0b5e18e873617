/* Products with sparse input features, thinned by dropout: forward by the entries of a node, backward by those of a
 * column (matmul/sparse.cuh). Dense ones are in features_dense.cu. */
#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/features.cuh"
#include "tensor/cuda/fuse/gradient.cuh"
#include "tensor/cuda/matmul/sparse.cuh"

/* ---- forward ---- */

/* The entries of a row: both streams, or one. */
template <bool TRAIN, bool EVAL> struct row_entries {
    const int32_t *column;
    const gpri_real *value;
    const uint64_t *keep;
    gpri_real scale;
    const gpri_real *w;
    int64_t width;
    enum { SUMS = TRAIN + EVAL };

    __device__ __forceinline__ bool entry(int64_t at, int32_t *row, gpri_real *by) const {
        const gpri_real x = __ldg(&value[at]);
        const bool kept = !TRAIN || gpri_cuda_kept(keep, at);
        *row = __ldg(&column[at]);
        if (TRAIN) by[0] = kept ? x * scale : 0;
        if (EVAL) by[SUMS - 1] = x;
        return EVAL || kept;
    }
    __device__ __forceinline__ const gpri_real *source(int32_t row) const { return w + row * width; }
};

/* A warp per row; or a block, where there are few of them. A row with more than LONG entries is left to all warps of
   the block after the short ones. */
template <bool TRAIN, bool EVAL, int LANES> struct sparse_forward {
    row_entries<TRAIN, EVAL> body;
    gpri_matrix train, eval;
    const int64_t *rowptr;
    const gpri_real *b;
    int64_t first;
    features_then then;
    int rows; /* of a block: 1 or WARPS */
    enum {
        THREADS = SPARSE_THREADS,
        BLOCKS = 3,
        WARPS = SPARSE_WARPS,
        WARP = GPRI_CUDA_WARP,
        SUMS = TRAIN + EVAL,
        LONG = 1024
    };
    typedef sparse_warp<row_entries<TRAIN, EVAL>, LANES> warp;

    __device__ __forceinline__ void finish_one(gpri_matrix y, const element_program &program, int64_t row, int c,
                                               float4 sum) const {
        const float4 bias = b ? four(b + c) : four_zeros(), value = bias + sum;
        pack<4> e = {{value.x, value.y, value.z, value.w}};
        run_program<4>(program, row, c, &e);
        store(element(y, row, c), e);
    }

    __device__ __forceinline__ void finish(int64_t row, int c, const float4 *sums) const {
        if (TRAIN) finish_one(train, then.train, row, c, sums[0]);
        if (EVAL) finish_one(eval, then.eval, row, c, sums[SUMS - 1]);
    }

    /* Batches of 32 entries, `apart` of them from one to the next. */
    __device__ __forceinline__ void add(float4 *sums, typename warp::batch *own, int64_t at, int64_t end, int apart,
                                        int column, bool inside) const {
        for (; at < end; at += apart * WARP) {
            const unsigned all = warp::fill(body, own, at, end);
            warp::add(sums, body, own, 0, __popc(all), column, inside);
        }
        warp::join(sums);
    }

    __device__ void run() const {
        __shared__ typename warp::batch batches[WARPS];
        __shared__ float4 of_warp[WARPS][SUMS][LANES];
        const int own = (int)threadIdx.x / WARP, lane = (int)threadIdx.x % WARP;
        const int column = 4 * ((int)blockIdx.y * LANES + lane % LANES);
        const gpri_matrix y = TRAIN ? train : eval;
        const int64_t row0 = (int64_t)blockIdx.x * rows, row = row0 + own;
        const int most = rows == 1 ? 0 : (int)LONG; /* entries of a row for one warp */
        const bool inside = column < y.width;
        /* where the block's rows begin: every warp knows whether one of them is long */
        const int64_t at = row0 + lane < y.rows ? row0 + lane : y.rows;
        const int64_t begins = lane <= rows ? __ldg(&rowptr[first + at]) : 0;
        const int64_t ends = __shfl_down_sync(0xffffffffu, begins, 1);
        const bool any_long = __ballot_sync(0xffffffffu, lane < rows && ends - begins > most) != 0;
        int64_t begin = __shfl_sync(0xffffffffu, begins, own), end = __shfl_sync(0xffffffffu, ends, own);
        float4 sums[SUMS];
        for (int s = 0; s < SUMS; s++) sums[s] = four_zeros();
        if (own < rows && row < y.rows && end - begin <= most) {
            add(sums, &batches[own], begin, end, 1, column, inside);
            if (inside && lane < LANES) finish(row, column, sums);
        }
        if (!any_long) return;
        __syncthreads();
        for (int r = 0; r < rows && row0 + r < y.rows; r++) {
            begin = __ldg(&rowptr[first + row0 + r]);
            end = __ldg(&rowptr[first + row0 + r + 1]);
            if (end - begin <= most) continue;
            for (int s = 0; s < SUMS; s++) sums[s] = four_zeros();
            add(sums, &batches[own], begin + own * WARP, end, WARPS, column, inside);
            if (lane < LANES)
                for (int s = 0; s < SUMS; s++) of_warp[own][s][lane] = sums[s];
            __syncthreads();
            if (own == 0 && lane < LANES && inside) {
                for (int k = 1; k < WARPS; k++)
                    for (int s = 0; s < SUMS; s++) sums[s] = sums[s] + of_warp[k][s][lane];
                finish(row0 + r, column, sums);
            }
            __syncthreads();
        }
    }
};

/* By the features' sizes alone, so that a part of the nodes has the same sums: a block per row, where warps would be
   idle and rows are not short. */
static int rows_of_block(const gpri_features *x) {
    enum { FEW = 1000, SHORT = 64 };
    return x->rows <= FEW && x->entries > SHORT * x->rows ? 1 : (int)SPARSE_WARPS;
}

template <bool TRAIN, bool EVAL>
static void forward(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep, gpri_real scale,
                    const gpri_real *w, const gpri_real *b, int64_t first, const features_then *then) {
    const gpri_matrix y = TRAIN ? train : eval;
    const row_entries<TRAIN, EVAL> body = {x->column, x->value, keep, scale, w, y.width};
#define FORWARD(lanes)                                                                              \
    launch(sparse_forward<TRAIN, EVAL, lanes>{body, train, eval, x->rowptr, b, first, *then, rows}, \
           dim3(gpri_cuda_blocks(y.rows, rows), gpri_cuda_blocks(y.width / 4, lanes)), SPARSE_THREADS)
    const int rows = rows_of_block(x);
    GPRI_BY_LANES(y.width, FORWARD);
#undef FORWARD
}

void gpri_cuda_features_forward_then(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep,
                                     gpri_real scale, const gpri_real *w, const gpri_real *b, int64_t first,
                                     const features_then *then) {
    if (x->dense) gpri_cuda_dense_forward(train, eval, x, keep, scale, w, b, first, then);
    else if (train.at && eval.at) forward<true, true>(train, eval, x, keep, scale, w, b, first, then);
    else if (train.at) forward<true, false>(train, eval, x, keep, scale, w, b, first, then);
    else forward<false, true>(train, eval, x, keep, scale, w, b, first, then);
}

void gpri_cuda_features_forward(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep,
                                gpri_real scale, const gpri_real *w, const gpri_real *b, int64_t first) {
    const features_then nothing = {};
    gpri_cuda_features_forward_then(train, eval, x, keep, scale, w, b, first, &nothing);
}

/* ---- backward ---- */

/* The entries of X by columns. */
struct column_entries {
    gpri_matrix dy;
    const int64_t *rowptr;
    const int32_t *node, *offset;
    const gpri_real *value;
    const uint64_t *keep;
    gpri_real scale;
    int64_t first;
    enum { SUMS = 1 };

    __device__ __forceinline__ bool entry(int64_t at, int32_t *row, gpri_real *by) const {
        const int32_t i = __ldg(&node[at]), place = __ldg(&offset[at]);
        by[0] = __ldg(&value[at]) * scale;
        *row = i;
        if (i < first || i >= first + dy.rows) return false;
        return gpri_cuda_kept(keep, __ldg(&rowptr[i]) + place);
    }
    __device__ __forceinline__ const gpri_real *source(int32_t row) const { return dy.at + (row - first) * dy.ld; }
};

/* The entries in the order of columns are cut into pieces of the same size, one for each warp, so that long columns
   take many warps and short ones share one. A column inside a piece gets its row of dw at once. Of a column that
   reaches over several pieces each leaves its sum: the piece where it begins in its second slot, the others in their
   first. */
template <int LANES> struct sparse_backward {
    column_entries body;
    gpri_real *dw, *slots; /* (2 pieces x width) */
    const int64_t *colptr;
    const int32_t *piece_column; /* (pieces) the column of its first entry */
    int64_t piece, pieces, entries, j0, j1;
    enum { THREADS = SPARSE_THREADS, WARPS = SPARSE_WARPS, WARP = GPRI_CUDA_WARP };
    typedef sparse_warp<column_entries, LANES> warp;

    __device__ void run() const {
        __shared__ typename warp::batch batches[WARPS];
        const int own = (int)threadIdx.x / WARP, lane = (int)threadIdx.x % WARP;
        const int column = 4 * ((int)blockIdx.y * LANES + lane % LANES);
        const int64_t k = (int64_t)blockIdx.x * WARPS + own, width = body.dy.width;
        const bool inside = column < width;
        if (k >= pieces) return;
        const int64_t begin = k * piece, end = begin + piece < entries ? begin + piece : entries;
        int64_t j = __ldg(&piece_column[k]), j_begin = __ldg(&colptr[j]), j_end = __ldg(&colptr[j + 1]);
        float4 sum = four_zeros();
        for (int64_t at = begin; at < end; at += WARP) {
            const int64_t stop = at + WARP < end ? at + WARP : end;
            const unsigned all = warp::fill(body, &batches[own], at, end);
            for (int64_t from = at; from < stop;) { /* what columns have of this batch */
                const int64_t to = j_end < stop ? j_end : stop;
                const unsigned before = all & (unsigned)((1ull << (from - at)) - 1),
                               until = all & (unsigned)((1ull << (to - at)) - 1);
                warp::add(&sum, body, &batches[own], __popc(before), __popc(until), column, inside);
                from = to;
                if (to < j_end && to < end) break; /* the column goes on in the next batch */
                warp::join(&sum);
                const bool whole = j_begin >= begin && j_end <= end;
                gpri_real *out = whole ? dw + j * width : slots + (2 * k + (j_begin >= begin)) * width;
                if (inside && lane < LANES && j >= j0 && j < j1) *(float4 *)(out + column) = sum;
                sum = four_zeros();
                if (to < end) do {
                        j++;
                        j_begin = j_end;
                        j_end = __ldg(&colptr[j + 1]);
                    } while (j_end == j_begin);
            }
        }
    }
};

static void backward(gpri_real *slots, gpri_real *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep,
                     gpri_real scale, int64_t first, int64_t j0, int64_t j1) {
    const column_entries body = {dy, x->rowptr, x->row, x->offset, x->column_value, keep, scale, first};
#define BACKWARD(lanes)                                                                                               \
    launch(                                                                                                           \
        sparse_backward<lanes>{body, dw, slots, x->colptr, x->piece_column, x->piece, x->pieces, x->entries, j0, j1}, \
        dim3(gpri_cuda_blocks(x->pieces, SPARSE_WARPS), gpri_cuda_blocks(dy.width / 4, lanes)), SPARSE_THREADS)
    GPRI_BY_LANES(dy.width, BACKWARD);
#undef BACKWARD
}

/* Rows of dw whose column is in several pieces, or empty. */
struct sum_of_pieces {
    gpri_real *dw;
    gradient_source from;
    int64_t j0, columns;
    enum { THREADS = 256 };
    __device__ void run() const {
        const int64_t place = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / PART_SHARES, across = from.width / 4;
        const int64_t row = place / across, j = j0 + row, c = 4 * (place - row * across);
        const bool inside = row < columns;
        const column_pieces in = pieces_of(from, inside ? j : 0);
        const part_sum<4> sum = add_pieces(from, in, c, inside);
        if (inside && !in.whole && threadIdx.x % PART_SHARES == 0)
            for (int k = 0; k < 4; k++) dw[j * from.width + c + k] = sum.v[k];
    }
};

void gpri_cuda_features_backward(gpri_real *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep,
                                 gpri_real scale, int64_t first, int64_t j0, int64_t j1) {
    if (j1 <= j0) return;
    if (x->dense) {
        gpri_cuda_dense_backward(dw, dy, x, keep, scale, first, j0, j1);
        return;
    }
    gpri_real *slots = (gpri_real *)gpri_cuda_scratch((size_t)(2 * x->pieces * dy.width) * sizeof *slots);
    backward(slots, dw, dy, x, keep, scale, first, j0, j1);
    const gradient_source from = {GRADIENT_PIECES, slots, 0, 0, x->colptr, x->piece, dy.width};
    const sum_of_pieces op = {dw, from, j0, j1 - j0};
    launch(op, dim3(gpri_cuda_blocks(op.columns * (dy.width / 4) * PART_SHARES, op.THREADS)), op.THREADS);
}

bool gpri_cuda_features_backward_pieces(gradient_source *out, gpri_real *dw, gpri_matrix dy, const gpri_features *x,
                                        const uint64_t *keep, gpri_real scale, int64_t first) {
    if (x->dense) return gpri_cuda_dense_backward_parts(out, dw, dy, x, keep, scale, first);
    gpri_real *slots = (gpri_real *)gpri_cuda_keep((size_t)(2 * x->pieces * dy.width) * sizeof *slots);
    if (!slots) return false;
    backward(slots, dw, dy, x, keep, scale, first, 0, x->cols);
    *out = gradient_source{GRADIENT_PIECES, slots, 0, 0, x->colptr, x->piece, dy.width};
    return true;
}
