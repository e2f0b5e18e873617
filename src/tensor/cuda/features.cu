/* Products with the input features. Sparse ones are gathered, forward by the entries of a node, backward by those of a
 * column (gather.cuh); dense ones are in features_dense.cu. */
#include "tensor/cuda/each.cuh"
#include "tensor/cuda/features.cuh"
#include "tensor/cuda/gather.cuh"
#include "tensor/cuda/ops.cuh"
#include "tensor/cuda/product.cuh"

/* Both streams, or one. */
template <bool TRAIN, bool EVAL> struct sparse_forward {
    gpri_matrix train, eval;
    const int64_t *rowptr;
    const int32_t *column;
    const gpri_real *value;
    const uint64_t *keep;
    gpri_real scale;
    const gpri_real *w, *b;
    int64_t first, width;
    enum { SUMS = TRAIN + EVAL, DOTS = 0 };

    __device__ __forceinline__ entries range(int64_t row) const {
        return entries{__ldg(&rowptr[first + row]), __ldg(&rowptr[first + row + 1])};
    }

    __device__ __forceinline__ gathered<SUMS> entry(int64_t row, int64_t at) const {
        (void)row;
        const gpri_real x = __ldg(&value[at]);
        const bool kept = !TRAIN || gpri_cuda_kept(keep, at);
        gathered<SUMS> e;
        e.from = EVAL || kept ? w + __ldg(&column[at]) * width : NULL;
        if (TRAIN) e.by[0] = kept ? x * scale : 0;
        if (EVAL) e.by[SUMS - 1] = x;
        return e;
    }

    __device__ __forceinline__ double finish(int64_t row, int c, const float4 *sums) const {
        const float4 bias = b ? four(b + c) : four_zeros();
        if (TRAIN) *(float4 *)element(train, row, c) = bias + sums[0];
        if (EVAL) *(float4 *)element(eval, row, c) = bias + sums[SUMS - 1];
        return 0;
    }
};

template <bool TRAIN, bool EVAL>
static void forward(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep, gpri_real scale,
                    const gpri_real *w, const gpri_real *b, int64_t first) {
    const gpri_matrix y = TRAIN ? train : eval;
    const sparse_forward<TRAIN, EVAL> body = {train, eval, x->rowptr, x->column, x->value, keep,
                                              scale, w,    b,         first,     y.width};
    launch_gather(body, y.rows, y.width, 0);
}

void gpri_cuda_features_forward(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep,
                                gpri_real scale, const gpri_real *w, const gpri_real *b, int64_t first) {
    if (x->dense) gpri_cuda_dense_forward(train, eval, x, keep, scale, w, b, first);
    else if (train.at && eval.at) forward<true, true>(train, eval, x, keep, scale, w, b, first);
    else if (train.at) forward<true, false>(train, eval, x, keep, scale, w, b, first);
    else forward<false, true>(train, eval, x, keep, scale, w, b, first);
}

/* A row of dw is the sum over the entries of a column of X. Columns may be long, up to the number of nodes, and few:
   each is cut into `parts` equal ones, which are added afterwards. */
struct sparse_backward {
    gpri_real *to; /* (parts x size) scratch; or dw, where there is one part */
    int64_t size;
    unsigned parts;
    gpri_matrix dy;
    const int64_t *colptr, *rowptr;
    const int32_t *node, *offset;
    const gpri_real *value;
    const uint64_t *keep;
    gpri_real scale;
    int64_t first, j0;
    enum { SUMS = 1, DOTS = 0 };

    __device__ __forceinline__ int64_t column_of(int64_t row) const {
        return parts == 1 ? row : (int64_t)((uint32_t)row / parts);
    }

    __device__ __forceinline__ entries range(int64_t row) const {
        const int64_t j = column_of(row), part = row - j * parts;
        const int64_t begin = __ldg(&colptr[j0 + j]), count = __ldg(&colptr[j0 + j + 1]) - begin;
        const int64_t each = ((uint32_t)count + parts - 1) / parts, from = part * each < count ? part * each : count;
        return entries{begin + from, begin + (from + each < count ? from + each : count)};
    }

    __device__ __forceinline__ gathered<1> entry(int64_t row, int64_t at) const {
        (void)row;
        const int64_t i = __ldg(&node[at]);
        gathered<1> e = {NULL, {0}};
        if (i < first || i >= first + dy.rows) return e;
        if (keep && !gpri_cuda_kept(keep, __ldg(&rowptr[i]) + __ldg(&offset[at]))) return e;
        e.from = dy.at + (i - first) * dy.ld;
        e.by[0] = __ldg(&value[at]) * scale;
        return e;
    }

    __device__ __forceinline__ double finish(int64_t row, int c, const float4 *sums) const {
        const int64_t j = column_of(row);
        *(float4 *)(to + (row - j * parts) * size + j * dy.width + c) = sums[0];
        return 0;
    }
};

/* By the sizes alone: how many entries a column has is not known here, but at most as many as there are nodes. */
static int64_t parts_of(int64_t rows, int64_t columns) {
    const int64_t most = 32, long_column = 1024, most_rows = 1 << 16;
    int64_t parts = rows / long_column < most ? rows / long_column : most;
    if (parts * columns > most_rows) parts = most_rows / columns;
    return parts > 1 ? parts : 1;
}

void gpri_cuda_features_backward(gpri_real *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep,
                                 gpri_real scale, int64_t first, int64_t j0, int64_t j1) {
    if (j1 <= j0) return;
    if (x->dense) {
        gpri_cuda_dense_backward(dw, dy, x, keep, scale, first, j0, j1);
        return;
    }
    const int64_t columns = j1 - j0, size = columns * dy.width, parts = parts_of(x->rows, columns);
    gpri_real *own = dw + j0 * dy.width;
    gpri_real *to = parts > 1 ? (gpri_real *)gpri_cuda_scratch((size_t)(parts * size) * sizeof *to) : own;
    const sparse_backward body = {to,     size,      (unsigned)parts, dy,   x->colptr, x->rowptr,
                                  x->row, x->offset, x->column_value, keep, scale,     first,
                                  j0};
    launch_gather(body, columns * parts, dy.width, 0);
    if (parts > 1) launch_fold<false>(own, NULL, size, to, size, parts);
}
