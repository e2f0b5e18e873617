/* Products with dense input features, thinned by dropout while they are read. */
#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/features.cuh"
#include "tensor/cuda/fuse/gradient.cuh"
#include "tensor/cuda/product.cuh"

/* The dropout bits of a tile, from a word on. */
struct bits_at {
    const unsigned *words; /* NULL: all are kept */
    int first, columns;
    __device__ __forceinline__ bool operator()(int row, int column) const {
        const int bit = first + row * columns + column;
        return !words || (__ldg(&words[bit >> 5]) >> (bit & 31) & 1);
    }
};
__device__ __forceinline__ bits_at bits_from(const uint64_t *keep, int64_t bit, int64_t columns) {
    return bits_at{keep ? (const unsigned *)keep + (bit >> 5) : NULL, (int)(bit & 31), (int)columns};
}

struct thinned_tile {
    tile_at x;
    bits_at keep;
};

/* Y = X w + b: of both streams, or of one. Either reads X once. */
template <bool TRAIN, bool EVAL> struct dense_forward {
    gpri_matrix train, eval;
    const gpri_real *x;
    int64_t ld, columns; /* of X */
    const uint64_t *keep;
    gpri_real scale;
    const gpri_real *w, *b;
    int64_t first, width;
    bool by_four;
    features_then then;
    enum { SUMS = TRAIN + EVAL, APART = 0, LEFT_ALONG = 1, RIGHT_ALONG = 0 };

    __device__ __forceinline__ thinned_tile left_from(int64_t i0, int64_t k0) const {
        return thinned_tile{tile_of(x, ld, first + i0, k0), bits_from(keep, (first + i0) * columns + k0, columns)};
    }
    __device__ __forceinline__ void left(gpri_real *l, const thinned_tile &from, int i, int k) const {
        const gpri_real value = from.x(i, k);
        if (TRAIN) l[0] = from.keep(i, k) ? value * scale : 0;
        if (EVAL) l[SUMS - 1] = value;
    }
    __device__ __forceinline__ tile_at right_from(int64_t k0, int64_t c0) const { return tile_of(w, width, k0, c0); }
    __device__ __forceinline__ gpri_real right(const tile_at &from, int k, int c) const { return from(k, c); }
    __device__ __forceinline__ void finish(int64_t i, int64_t c, int64_t chunk, const float4 *sums, int count) const {
        (void)chunk;
        pack<4> e[SUMS];
        for (int k = 0; k < 4; k++)
            for (int s = 0; s < SUMS; s++) e[s].v[k] = (b && k < count ? __ldg(&b[c + k]) : 0) + of_four(sums[s], k);
        if (TRAIN) write_four(train, i, c, e[0], count, by_four, then.train);
        if (EVAL) write_four(eval, i, c, e[SUMS - 1], count, by_four, then.eval);
    }
};

template <bool TRAIN, bool EVAL>
static void forward(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep, gpri_real scale,
                    const gpri_real *w, const gpri_real *b, int64_t first, const features_then *then) {
    const gpri_matrix y = TRAIN ? train : eval;
    const dense_forward<TRAIN, EVAL> body = {train,   eval,  x->dense, x->ld,
                                             x->cols, keep,  scale,    w,
                                             b,       first, y.width,  gpri_by_four(train) && gpri_by_four(eval),
                                             *then};
    launch_product(body, y.rows, y.width, x->cols, gpri_product_chunk(y.rows, y.width, x->cols));
}

void gpri_cuda_dense_forward(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep,
                             gpri_real scale, const gpri_real *w, const gpri_real *b, int64_t first,
                             const features_then *then) {
    if (train.at && eval.at) forward<true, true>(train, eval, x, keep, scale, w, b, first, then);
    else if (train.at) forward<true, false>(train, eval, x, keep, scale, w, b, first, then);
    else forward<false, true>(train, eval, x, keep, scale, w, b, first, then);
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
    enum { SUMS = 1, APART = 1, LEFT_ALONG = 0, RIGHT_ALONG = 0 };

    __device__ __forceinline__ thinned_tile left_from(int64_t i0, int64_t k0) const {
        const int64_t j = j0 + i0;
        return thinned_tile{tile_of(x, ld, first + k0, j), bits_from(keep, (first + k0) * columns + j, columns)};
    }
    __device__ __forceinline__ void left(gpri_real *l, const thinned_tile &from, int j, int k) const {
        const gpri_real value = from.x(k, j);
        l[0] = from.keep(k, j) ? value * scale : 0;
    }
    __device__ __forceinline__ tile_at right_from(int64_t k0, int64_t c0) const {
        return tile_of(dy.at, dy.ld, k0, c0);
    }
    __device__ __forceinline__ gpri_real right(const tile_at &from, int k, int c) const { return from(k, c); }
    __device__ __forceinline__ void finish(int64_t j, int64_t c, int64_t chunk, const float4 *sums, int count) const {
        for (int k = 0; k < count; k++) to[chunk * size + j * dy.width + c + k] = of_four(sums[0], k);
    }
};

/* Rows are cut into chunks, each with a part of its own. */
static int64_t chunk_for(gpri_matrix dy, int64_t columns) { return gpri_product_chunk(columns, dy.width, dy.rows); }
static int64_t chunks_for(gpri_matrix dy, int64_t columns) {
    const int64_t chunk = chunk_for(dy, columns);
    return dy.rows > 0 ? (dy.rows + chunk - 1) / chunk : 1;
}

static void backward(gpri_real *parts, gpri_matrix dy, const gpri_features *x, const uint64_t *keep, gpri_real scale,
                     int64_t first, int64_t j0, int64_t j1) {
    const int64_t columns = j1 - j0;
    const dense_backward body = {parts, columns * dy.width, dy, x->dense, x->ld, x->cols, keep, scale, first, j0};
    launch_product(body, columns, dy.width, dy.rows, chunk_for(dy, columns));
}

void gpri_cuda_dense_backward(gpri_real *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep,
                              gpri_real scale, int64_t first, int64_t j0, int64_t j1) {
    if (j1 <= j0) return;
    const int64_t size = (j1 - j0) * dy.width, chunks = chunks_for(dy, j1 - j0);
    gpri_real *own = dw + j0 * dy.width;
    gpri_real *parts = chunks > 1 ? (gpri_real *)gpri_cuda_scratch((size_t)(chunks * size) * sizeof *parts) : own;
    backward(parts, dy, x, keep, scale, first, j0, j1);
    if (chunks > 1) launch_parts<false>(own, NULL, size, parts, size, chunks);
}

bool gpri_cuda_dense_backward_parts(gradient_source *out, gpri_real *dw, gpri_matrix dy, const gpri_features *x,
                                    const uint64_t *keep, gpri_real scale, int64_t first) {
    const int64_t size = x->cols * dy.width, chunks = chunks_for(dy, x->cols);
    gpri_real *parts = chunks > 1 ? (gpri_real *)gpri_cuda_keep((size_t)(chunks * size) * sizeof *parts) : dw;
    if (!parts) return false;
    backward(parts, dy, x, keep, scale, first, 0, x->cols);
    *out = gradient_source{chunks > 1 ? GRADIENT_PARTS : GRADIENT_PLAIN, parts, size, chunks, NULL, 0, 0};
    return true;
}
