/* Operations on single numbers: zero, copy, add, scale; sums of blocks and of dots; random bits of dropout. */
#include "tensor/cuda/base/launch.cuh"
#include "tensor/cuda/base/ops.cuh"

namespace {

enum { THREADS = 256 };

/* ---- y = f(y, x), element by element ---- */

struct to_zero {
    __device__ float operator()(float, float) const { return 0; }
};
struct to_copy {
    __device__ float operator()(float, float x) const { return x; }
};
struct to_sum {
    __device__ float operator()(float y, float x) const { return y + x; }
};
struct to_product {
    float factor;
    __device__ float operator()(float y, float) const { return y * factor; }
};

/* Which of its arguments f needs. */
enum { OF_NOTHING = 0, OF_Y = 1, OF_X = 2 };

/* Numbers of type V, one per thread; n numbers per row, distances of rows in numbers of type V. */
template <class F, int NEEDS, class V> struct elements {
    V *y;
    const V *x;
    int64_t n, count, y_ld, x_ld; /* count: of all rows */
    F f;
    __device__ void run() const {
        const int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
        if (at >= count) return;
        int64_t row = 0, column = at;
        if (n != count) {
            row = count <= INT32_MAX ? (int64_t)((uint32_t)at / (uint32_t)n) : at / n;
            column = at - row * n;
        }
        V *to = y + row * y_ld + column;
        V a = NEEDS & OF_Y ? *to : V(), b = NEEDS & OF_X ? x[row * x_ld + column] : V();
        float *of_a = (float *)&a;
        const float *of_b = (const float *)&b;
        for (int i = 0; i < (int)(sizeof(V) / sizeof(float)); i++) of_a[i] = f(of_a[i], of_b[i]);
        *to = a;
    }
};

bool aligned(const void *at, int64_t ld) { return ((uintptr_t)at | (uintptr_t)(ld * 4)) % sizeof(float4) == 0; }

template <class F, int NEEDS, class V> void start(gpri_matrix y, gpri_matrix x, F f) {
    const int64_t size = sizeof(V) / sizeof(float), n = y.width / size, count = y.rows * n;
    elements<F, NEEDS, V> op = {(V *)y.at, (const V *)x.at, n, count, y.ld / size, x.ld / size, f};
    launch(op, dim3(gpri_cuda_blocks(count, THREADS)), THREADS);
}

template <class F, int NEEDS> void run_elements(gpri_matrix y, gpri_matrix x, F f) {
    const bool binary = NEEDS & OF_X;
    if (y.rows <= 0 || y.width <= 0) return;
    if (y.rows > 1 && y.ld == y.width && (!binary || x.ld == y.width)) {
        y.width = y.ld = x.ld = y.rows * y.width;
        y.rows = 1;
    }
    /* the distance of a single row means nothing */
    const bool one = y.rows == 1,
               wide = y.width % 4 == 0 && aligned(y.at, one ? 0 : y.ld) && (!binary || aligned(x.at, one ? 0 : x.ld));
    if (wide) start<F, NEEDS, float4>(y, x, f);
    else start<F, NEEDS, float>(y, x, f);
}

/* ---- sums ---- */

struct sum_of_blocks {
    float *sum;
    const float *blocks;
    int64_t count, stride, size;
    __device__ void run() const {
        const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
        if (i >= size) return;
        float all = blocks[i];
        for (int64_t block = 1; block < count; block++) all += blocks[block * stride + i];
        sum[i] = all;
    }
};

/* There are few dots: one per tile of rows, and a card has one tile. */
struct sum_of_dots {
    float *sum;
    const double *dots;
    int64_t count;
    __device__ void run() const {
        double all = 0;
        for (int64_t i = 0; i < count; i++) all += dots[i];
        *sum = (float)all;
    }
};

/* ---- random bits ---- */

struct bits_of_dropout {
    uint64_t *bits;
    gpri_mask mask;
    int64_t g0, g1;
    __device__ void run() const {
        const int64_t g = g0 + (int64_t)blockIdx.x * THREADS + threadIdx.x;
        uint64_t words[2];
        if (g >= g1) return;
        gpri_keep_group(words, g, gpri_mask_random(&mask), mask.rate);
        bits[2 * (g - g0)] = words[0];
        bits[2 * (g - g0) + 1] = words[1];
    }
};

} // namespace

void gpri_cuda_zero(gpri_matrix y) { run_elements<to_zero, OF_NOTHING>(y, gpri_no_matrix, to_zero()); }

void gpri_cuda_copy(gpri_matrix y, gpri_matrix x) { run_elements<to_copy, OF_X>(y, x, to_copy()); }

void gpri_cuda_add(gpri_matrix y, gpri_matrix x) { run_elements<to_sum, OF_Y | OF_X>(y, x, to_sum()); }

void gpri_cuda_scale(gpri_matrix y, gpri_real factor) {
    run_elements<to_product, OF_Y>(y, gpri_no_matrix, to_product{factor});
}

void gpri_cuda_sum_blocks(gpri_real *sum, const gpri_real *blocks, int64_t count, int64_t stride, int64_t size) {
    launch(sum_of_blocks{sum, blocks, count, stride, size}, dim3(gpri_cuda_blocks(size, THREADS)), THREADS);
}

void gpri_cuda_sum_dots(gpri_real *sum, const double *dots, int64_t count) {
    launch(sum_of_dots{sum, dots, count}, dim3(1), 1);
}

void gpri_cuda_keep_bits(uint64_t *bits, const gpri_mask *mask, int64_t g0, int64_t g1) {
    launch(bits_of_dropout{bits, *mask, g0, g1}, dim3(gpri_cuda_blocks(g1 - g0, THREADS)), THREADS);
}
