/* Products of activations with weights, and biases. Widths of X need not be multiples of 4, nor its rows aligned: it
 * may be some columns of a wider matrix. */
#include "tensor/cuda/base/columns.cuh"
#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/fuse/gradient.cuh"
#include "tensor/cuda/matmul/narrow.cuh"
#include "tensor/cuda/product.cuh"

/* ---- forward ---- */

/* y = x w + b; the rows of the second stream come after those of the first. */
struct linear_forward {
    linear_streams streams;
    const gpri_real *w, *b;
    bool by_four;
    enum { SUMS = 1, APART = 0, LEFT_ALONG = 1, RIGHT_ALONG = 0 };

    struct left_at { /* a tile may have rows of both streams */
        tile_at of[2];
        int first; /* rows of the first one */
    };
    __device__ __forceinline__ left_at left_from(int64_t i0, int64_t k0) const {
        const gpri_matrix &x = streams.x[0], &x2 = streams.x[1];
        const int64_t left = x.rows - i0; /* may be below 0 */
        return left_at{{tile_of(x.at, x.ld, i0, k0), tile_of(x2.at, x2.ld, -left, k0)},
                       left > 32  ? 32
                       : left > 0 ? (int)left
                                  : 0};
    }
    __device__ __forceinline__ void left(gpri_real *l, const left_at &from, int i, int k) const {
        l[0] = i < from.first ? from.of[0](i, k) : from.of[1](i, k);
    }
    __device__ __forceinline__ tile_at right_from(int64_t k0, int64_t c0) const {
        return tile_of(w, streams.y[0].width, k0, c0);
    }
    __device__ __forceinline__ gpri_real right(const tile_at &from, int k, int c) const { return from(k, c); }
    __device__ __forceinline__ void finish(int64_t i, int64_t c, int64_t chunk, const float4 *sums, int count) const {
        (void)chunk;
        const int which = i >= streams.x[0].rows;
        if (which) i -= streams.x[0].rows;
        pack<4> e;
        for (int k = 0; k < 4; k++) e.v[k] = of_four(sums[0], k) + (b && k < count ? __ldg(&b[c + k]) : 0);
        write_four(streams.y[which], i, c, e, count, by_four, streams.then[which]);
    }
};

void gpri_cuda_linear_forward_streams(const linear_streams *streams, const gpri_real *w, const gpri_real *b) {
    const gpri_matrix y = streams->y[0], x = streams->x[0];
    if (gpri_by_four(x) && gpri_by_four(streams->x[1]) && x.width <= NARROW_MOST_X && y.width <= NARROW_MOST_Y) {
        const unsigned first = gpri_cuda_blocks(y.rows, NARROW_TILE);
        const narrow_forward op = {*streams, w, b, first};
        launch(op, dim3(first + gpri_cuda_blocks(streams->y[1].rows, NARROW_TILE)), op.THREADS);
        return;
    }
    const linear_forward body = {*streams, w, b, gpri_by_four(y) && gpri_by_four(streams->y[1])};
    launch_product(body, y.rows + streams->y[1].rows, y.width, x.width, gpri_product_chunk(y.rows, y.width, x.width));
}

void gpri_cuda_linear_forward(gpri_matrix y, gpri_matrix x, const gpri_real *w, const gpri_real *b) {
    const linear_streams streams = {{y, gpri_no_matrix}, {x, gpri_no_matrix}, {}};
    gpri_cuda_linear_forward_streams(&streams, w, b);
}

/* ---- backward ---- */

/* dx = dy w' */
struct linear_dx {
    gpri_matrix dx, dy;
    const gpri_real *w;
    bool by_four;
    element_program after;
    enum { SUMS = 1, APART = 0, LEFT_ALONG = 1, RIGHT_ALONG = 1 };

    __device__ __forceinline__ tile_at left_from(int64_t i0, int64_t k0) const { return tile_of(dy.at, dy.ld, i0, k0); }
    __device__ __forceinline__ void left(gpri_real *l, const tile_at &from, int i, int k) const { l[0] = from(i, k); }
    __device__ __forceinline__ tile_at right_from(int64_t k0, int64_t h0) const { return tile_of(w, dy.width, h0, k0); }
    __device__ __forceinline__ gpri_real right(const tile_at &from, int k, int h) const { return from(h, k); }
    __device__ __forceinline__ void finish(int64_t i, int64_t h, int64_t chunk, const float4 *sums, int count) const {
        (void)chunk;
        const pack<4> e = {{sums[0].x, sums[0].y, sums[0].z, sums[0].w}};
        write_four(dx, i, h, e, count, by_four, after);
    }
};

/* dw = x' dy and db = column sums of dy: a last row of x' that is all 1 makes db. In chunks of rows that are added
   afterwards. */
struct linear_dw {
    gpri_real *parts; /* (chunks x (width of x + 1) x width of dy) */
    gpri_matrix dy, x;
    enum { SUMS = 1, APART = 1, LEFT_ALONG = 0, RIGHT_ALONG = 0 };

    struct left_at {
        tile_at of;
        int there; /* columns of x */
    };
    __device__ __forceinline__ left_at left_from(int64_t h0, int64_t k0) const {
        return left_at{tile_of(x.at, x.ld, k0, h0), x.width - h0 < 32 ? (int)(x.width - h0) : 32};
    }
    __device__ __forceinline__ void left(gpri_real *l, const left_at &from, int h, int k) const {
        l[0] = h < from.there ? from.of(k, h) : 1;
    }
    __device__ __forceinline__ tile_at right_from(int64_t k0, int64_t c0) const {
        return tile_of(dy.at, dy.ld, k0, c0);
    }
    __device__ __forceinline__ gpri_real right(const tile_at &from, int k, int c) const { return from(k, c); }
    __device__ __forceinline__ void finish(int64_t h, int64_t c, int64_t chunk, const float4 *sums, int count) const {
        gpri_real *to = parts + (chunk * (x.width + 1) + h) * dy.width + c;
        for (int k = 0; k < count; k++) to[k] = of_four(sums[0], k);
    }
};

bool gpri_cuda_linear_is_narrow(gpri_matrix dx, gpri_matrix dy, gpri_matrix x) {
    return gpri_by_four(dx) && gpri_by_four(dy) && gpri_by_four(x) && x.width <= NARROW_MOST_X &&
           dy.width <= NARROW_MOST_Y;
}

/* How rows are cut, and how many numbers each part has. */
struct backward_cut {
    bool narrow;
    int64_t chunk, chunks, stride;
};
static backward_cut cut_of(gpri_matrix dx, gpri_matrix dy, gpri_matrix x, bool sums) {
    backward_cut cut = {gpri_cuda_linear_is_narrow(dx, dy, x), 0, 0, (x.width + 1) * dy.width};
    cut.chunk = cut.narrow ? gpri_column_chunk(dy.rows) : gpri_product_chunk(x.width + 1, dy.width, dy.rows);
    cut.chunks = (dy.rows + cut.chunk - 1) / cut.chunk;
    if (sums) cut.stride += x.width;
    return cut;
}

static void backward(gpri_real *parts, const backward_cut *cut, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                     const gpri_real *w, const linear_more *more) {
    if (cut->narrow) {
        const narrow_backward op = {dx, dy, x, w, *more, cut->chunk, parts, cut->stride};
        launch(op, dim3((unsigned)cut->chunks), op.THREADS);
        return;
    }
    launch_product(linear_dw{parts, dy, x}, x.width + 1, dy.width, dy.rows, cut->chunk);
    launch_product(linear_dx{dx, dy, w, gpri_by_four(dx), more->after}, dy.rows, x.width, dy.width,
                   gpri_product_chunk(dy.rows, x.width, dy.width));
}

void gpri_cuda_linear_backward(gpri_matrix dx, gpri_real *dw, gpri_real *db, gpri_matrix dy, gpri_matrix x,
                               const gpri_real *w) {
    const linear_more nothing = {};
    const backward_cut cut = cut_of(dx, dy, x, false);
    if (dy.rows == 0) return;
    gpri_real *parts = (gpri_real *)gpri_cuda_scratch((size_t)(cut.chunks * cut.stride) * sizeof *parts);
    backward(parts, &cut, dx, dy, x, w, &nothing);
    launch_parts<true>(dw, db, x.width * dy.width, parts, cut.stride, cut.chunks);
}

bool gpri_cuda_linear_backward_parts(gradient_source *out, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                                     const gpri_real *w, const linear_more *more) {
    const backward_cut cut = cut_of(dx, dy, x, more->sums);
    gpri_real *parts = (gpri_real *)gpri_cuda_keep((size_t)(cut.chunks * cut.stride) * sizeof *parts);
    if (!parts) return false;
    backward(parts, &cut, dx, dy, x, w, more);
    *out = gradient_source{GRADIENT_PARTS, parts, cut.stride, cut.chunks, NULL, 0, 0};
    return true;
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

/* Where there are more columns than counters, rows are not cut. */
bool gpri_cuda_bias_has_parts(gpri_matrix dy) {
    return dy.rows > 0 && dy.width % 4 == 0 && dy.width <= 32 * (int64_t)GPRI_CUDA_COUNTERS;
}

bool gpri_cuda_bias_backward_parts(gradient_source *out, gpri_matrix dy) {
    const int64_t chunk = gpri_column_chunk(dy.rows), chunks = (dy.rows + chunk - 1) / chunk;
    gpri_real *parts = (gpri_real *)gpri_cuda_keep((size_t)(chunks * dy.width) * sizeof *parts);
    if (!parts) return false;
    launch_columns(column_of{dy}, NULL, dy.rows, dy.width, parts);
    *out = gradient_source{GRADIENT_PARTS, parts, dy.width, chunks, NULL, 0, 0};
    return true;
}
