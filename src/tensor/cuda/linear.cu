/* Products of activations with weights, and biases. Widths of X need not be multiples of 4, nor its rows aligned: it
 * may be some columns of a wider matrix. */
#include "tensor/cuda/columns.cuh"
#include "tensor/cuda/ops.cuh"
#include "tensor/cuda/product.cuh"

/* y = x w + b */
struct linear_forward {
    gpri_matrix y, x;
    const gpri_real *w, *b;
    enum { SUMS = 1, LEFT_ALONG = 1, RIGHT_ALONG = 0 };

    __device__ __forceinline__ void left(gpri_real *l, int64_t i, int64_t k) const {
        l[0] = __ldg(&x.at[i * x.ld + k]);
    }
    __device__ __forceinline__ gpri_real right(int64_t k, int64_t c) const { return __ldg(&w[k * y.width + c]); }
    __device__ __forceinline__ void finish(int64_t i, int64_t c, int64_t chunk, const float4 *sums, int count) const {
        (void)chunk;
        for (int k = 0; k < count; k++) *element(y, i, c + k) = of_four(sums[0], k) + (b ? __ldg(&b[c + k]) : 0);
    }
};

void gpri_cuda_linear_forward(gpri_matrix y, gpri_matrix x, const gpri_real *w, const gpri_real *b) {
    launch_product(linear_forward{y, x, w, b}, y.rows, y.width, x.width, (x.width + 31) / 32 * 32);
}

/* dx = dy w' */
struct linear_dx {
    gpri_matrix dx, dy;
    const gpri_real *w;
    enum { SUMS = 1, LEFT_ALONG = 1, RIGHT_ALONG = 1 };

    __device__ __forceinline__ void left(gpri_real *l, int64_t i, int64_t k) const {
        l[0] = __ldg(&dy.at[i * dy.ld + k]);
    }
    __device__ __forceinline__ gpri_real right(int64_t k, int64_t h) const { return __ldg(&w[h * dy.width + k]); }
    __device__ __forceinline__ void finish(int64_t i, int64_t h, int64_t chunk, const float4 *sums, int count) const {
        (void)chunk;
        for (int k = 0; k < count; k++) *element(dx, i, h + k) = of_four(sums[0], k);
    }
};

/* dw += x' dy and db += column sums of dy: a last row of x' that is all 1 makes db. In chunks of rows that are added
   afterwards, or at once. */
struct linear_dw {
    gpri_real *dw, *db;
    gpri_real *parts; /* (chunks x (width of x + 1) x width of dy) scratch; NULL: one chunk */
    gpri_matrix dy, x;
    enum { SUMS = 1, LEFT_ALONG = 0, RIGHT_ALONG = 0 };

    __device__ __forceinline__ void left(gpri_real *l, int64_t h, int64_t k) const {
        l[0] = h < x.width ? __ldg(&x.at[k * x.ld + h]) : 1;
    }
    __device__ __forceinline__ gpri_real right(int64_t k, int64_t c) const { return __ldg(&dy.at[k * dy.ld + c]); }
    __device__ __forceinline__ void finish(int64_t h, int64_t c, int64_t chunk, const float4 *sums, int count) const {
        gpri_real *to = h < x.width ? dw + h * dy.width + c : db + c;
        if (parts) to = parts + (chunk * (x.width + 1) + h) * dy.width + c;
        for (int k = 0; k < count; k++) to[k] = parts ? of_four(sums[0], k) : to[k] + of_four(sums[0], k);
    }
};

void gpri_cuda_linear_backward(gpri_matrix dx, gpri_real *dw, gpri_real *db, gpri_matrix dy, gpri_matrix x,
                               const gpri_real *w) {
    const int64_t rows = x.width + 1, size = rows * dy.width, chunk = gpri_product_chunk(rows, dy.width, dy.rows);
    const int64_t chunks = (dy.rows + chunk - 1) / chunk;
    if (dy.rows == 0) return;
    launch_product(linear_dx{dx, dy, w}, dy.rows, x.width, dy.width, (dy.width + 31) / 32 * 32);
    gpri_real *parts = chunks > 1 ? (gpri_real *)gpri_cuda_scratch((size_t)(chunks * size) * sizeof *parts) : NULL;
    launch_product(linear_dw{dw, db, parts, dy, x}, rows, dy.width, dy.rows, chunk);
    if (chunks > 1) launch_fold<true>(dw, db, size - dy.width, parts, size, chunks);
}

/* ---- bias ---- */

template <int V> struct bias_forward {
    gpri_matrix y;
    const gpri_real *b;
    __device__ void at(int64_t row, int64_t column) const {
        gpri_real *to = element(y, row, column);
        const pack<V> by = load<V>(b + column);
        pack<V> e = load<V>(to);
        for (int k = 0; k < V; k++) e.v[k] += by.v[k];
        store(to, e);
    }
};

void gpri_cuda_bias_forward(gpri_matrix y, const gpri_real *b) {
    if (gpri_by_four(y) && gpri_by_four(b)) launch_each<4>(bias_forward<4>{y, b}, y.rows, y.width);
    else launch_each<1>(bias_forward<1>{y, b}, y.rows, y.width);
}

struct column_of {
    gpri_matrix dy;
    __device__ __forceinline__ gpri_real value(int64_t i, int64_t c) const { return __ldg(&dy.at[i * dy.ld + c]); }
};

void gpri_cuda_bias_backward(gpri_real *db, gpri_matrix dy) { launch_columns(column_of{dy}, db, dy.rows, dy.width); }
