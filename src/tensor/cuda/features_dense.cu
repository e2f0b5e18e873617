/* Products with dense input features, thinned by dropout while they are read. */
#include "tensor/cuda/features.cuh"
#include "tensor/cuda/ops.cuh"
#include "tensor/cuda/product.cuh"

/* Y = X w + b: of both streams, or of one. Either reads X once. */
template <bool TRAIN, bool EVAL> struct dense_forward {
    gpri_matrix train, eval;
    const gpri_real *x;
    int64_t ld, columns; /* of X */
    const uint64_t *keep;
    gpri_real scale;
    const gpri_real *w, *b;
    int64_t first, width;
    enum { SUMS = TRAIN + EVAL, LEFT_ALONG = 1, RIGHT_ALONG = 0 };

    __device__ __forceinline__ void left(gpri_real *l, int64_t i, int64_t k) const {
        const int64_t node = first + i;
        const gpri_real value = __ldg(&x[node * ld + k]);
        if (TRAIN) l[0] = gpri_cuda_kept(keep, node * columns + k) ? value * scale : 0;
        if (EVAL) l[SUMS - 1] = value;
    }
    __device__ __forceinline__ gpri_real right(int64_t k, int64_t c) const { return __ldg(&w[k * width + c]); }
    __device__ __forceinline__ void finish(int64_t i, int64_t c, int64_t chunk, const float4 *sums, int count) const {
        (void)chunk;
        for (int k = 0; k < count; k++) {
            const gpri_real bias = b ? __ldg(&b[c + k]) : 0;
            if (TRAIN) *element(train, i, c + k) = bias + of_four(sums[0], k);
            if (EVAL) *element(eval, i, c + k) = bias + of_four(sums[SUMS - 1], k);
        }
    }
};

template <bool TRAIN, bool EVAL>
static void forward(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep, gpri_real scale,
                    const gpri_real *w, const gpri_real *b, int64_t first) {
    const gpri_matrix y = TRAIN ? train : eval;
    const dense_forward<TRAIN, EVAL> body = {train, eval, x->dense, x->ld, x->cols, keep, scale, w, b, first, y.width};
    launch_product(body, y.rows, y.width, x->cols, (x->cols + 31) / 32 * 32);
}

void gpri_cuda_dense_forward(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep,
                             gpri_real scale, const gpri_real *w, const gpri_real *b, int64_t first) {
    if (train.at && eval.at) forward<true, true>(train, eval, x, keep, scale, w, b, first);
    else if (train.at) forward<true, false>(train, eval, x, keep, scale, w, b, first);
    else forward<false, true>(train, eval, x, keep, scale, w, b, first);
}

/* dw = X~' dy, over chunks of rows. */
struct dense_backward {
    gpri_real *to; /* (chunks x size) */
    int64_t size;
    gpri_matrix dy;
    const gpri_real *x;
    int64_t ld, columns;
    const uint64_t *keep;
    gpri_real scale;
    int64_t first, j0;
    enum { SUMS = 1, LEFT_ALONG = 0, RIGHT_ALONG = 0 };

    __device__ __forceinline__ void left(gpri_real *l, int64_t j, int64_t k) const {
        const int64_t node = first + k;
        l[0] = gpri_cuda_kept(keep, node * columns + j0 + j) ? __ldg(&x[node * ld + j0 + j]) * scale : 0;
    }
    __device__ __forceinline__ gpri_real right(int64_t k, int64_t c) const { return __ldg(&dy.at[k * dy.ld + c]); }
    __device__ __forceinline__ void finish(int64_t j, int64_t c, int64_t chunk, const float4 *sums, int count) const {
        for (int k = 0; k < count; k++) to[chunk * size + j * dy.width + c + k] = of_four(sums[0], k);
    }
};

void gpri_cuda_dense_backward(gpri_real *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep,
                              gpri_real scale, int64_t first, int64_t j0, int64_t j1) {
    if (j1 <= j0) return;
    const int64_t rows = j1 - j0, size = rows * dy.width, chunk = gpri_product_chunk(rows, dy.width, dy.rows);
    const int64_t chunks = dy.rows > 0 ? (dy.rows + chunk - 1) / chunk : 1;
    gpri_real *own = dw + j0 * dy.width;
    gpri_real *parts = chunks > 1 ? (gpri_real *)gpri_cuda_scratch((size_t)(chunks * size) * sizeof *parts) : own;
    const dense_backward body = {parts, size, dy, x->dense, x->ld, x->cols, keep, scale, first, j0};
    launch_product(body, rows, dy.width, dy.rows, chunk);
    if (chunks > 1) launch_fold<false>(own, NULL, size, parts, size, chunks);
}
