/* Columns over all rows, or rows, brought to mean 0 and deviation 1, and their gradients. */
#include "tensor/cuda/base/columns.cuh"
#include "tensor/cuda/base/each.cuh"
#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/base/reduce.cuh"

namespace {

enum { THREADS = 256 };

/* ---- columns ---- */

struct squares_of {
    gpri_matrix x;
    const gpri_real *mean;
    __device__ __forceinline__ gpri_real value(int64_t i, int64_t c) const {
        const gpri_real apart = __ldg(&x.at[i * x.ld + c]) - __ldg(&mean[c]);
        return apart * apart;
    }
};

struct rate_of {
    gpri_real *rate;
    const gpri_real *squares;
    gpri_real factor;
    int64_t count;
    __device__ void run() const {
        const int64_t c = (int64_t)blockIdx.x * THREADS + threadIdx.x;
        if (c < count) rate[c] = 1 / sqrtf(factor * squares[c] + GPRI_NORM_LEAST);
    }
};

struct remembered {
    gpri_real *running;
    const gpri_real *now;
    gpri_real factor, least;
    const uint32_t *step;
    int64_t count;
    __device__ void run() const {
        const int64_t c = (int64_t)blockIdx.x * THREADS + threadIdx.x;
        const gpri_real share = gpri_remembered_share(least, *step);
        if (c < count) running[c] += share * (factor * now[c] - running[c]);
    }
};

template <int V> struct columns_there {
    gpri_matrix y, x;
    const gpri_real *mean, *rate;
    __device__ void at(int64_t row, int64_t column) const {
        pack<V> e = load<V>(element(x, row, column));
        const pack<V> m = load<V>(mean + column), r = load<V>(rate + column);
        for (int k = 0; k < V; k++) e.v[k] = (e.v[k] - m.v[k]) * r.v[k];
        store(element(y, row, column), e);
    }
};

template <int V> struct columns_back {
    gpri_matrix dx, dy, y;
    const gpri_real *rate, *sums;
    gpri_real share;
    __device__ void at(int64_t row, int64_t column) const {
        gpri_real *to = element(dx, row, column);
        const pack<V> d = load<V>(element(dy, row, column)), e = load<V>(element(y, row, column)),
                      r = load<V>(rate + column), s = load<V>(sums + column), p = load<V>(sums + dx.width + column);
        pack<V> out = load<V>(to);
        for (int k = 0; k < V; k++) out.v[k] += r.v[k] * (d.v[k] - share * s.v[k] - e.v[k] * (share * p.v[k]));
        store(to, out);
    }
};

/* ---- rows: a warp each ---- */

struct rows_there {
    gpri_matrix y, x;
    gpri_real *rate;
    __device__ void run() const {
        const int lane = (int)threadIdx.x % GPRI_CUDA_WARP;
        const int64_t row = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / GPRI_CUDA_WARP;
        const int64_t cols = row < y.rows ? x.cols : 0; /* all threads of a warp take part in its sums */
        gpri_real sum = 0;
        for (int64_t c = lane; c < cols; c += GPRI_CUDA_WARP) sum += *element(x, row, c);
        const gpri_real mean = gpri_warp_sum(sum, GPRI_CUDA_WARP) / (gpri_real)x.cols;
        sum = 0;
        for (int64_t c = lane; c < cols; c += GPRI_CUDA_WARP) {
            const gpri_real apart = *element(x, row, c) - mean;
            sum += apart * apart;
        }
        const gpri_real squares = gpri_warp_sum(sum, GPRI_CUDA_WARP) / (gpri_real)x.cols;
        const gpri_real factor = 1 / sqrtf(squares + GPRI_NORM_LEAST);
        if (row >= y.rows) return;
        if (lane == 0) rate[row] = factor;
        for (int64_t c = lane; c < y.width; c += GPRI_CUDA_WARP)
            *element(y, row, c) = c < cols ? (*element(x, row, c) - mean) * factor : 0;
    }
};

struct rows_back {
    gpri_matrix dx, dy, y;
    const gpri_real *rate;
    __device__ void run() const {
        const int lane = (int)threadIdx.x % GPRI_CUDA_WARP;
        const int64_t row = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / GPRI_CUDA_WARP;
        const int64_t cols = row < dx.rows ? dx.cols : 0;
        gpri_real sum = 0, products = 0;
        for (int64_t c = lane; c < cols; c += GPRI_CUDA_WARP) {
            const gpri_real d = *element(dy, row, c);
            sum += d;
            products = fmaf(d, *element(y, row, c), products);
        }
        const gpri_real mean = gpri_warp_sum(sum, GPRI_CUDA_WARP) / (gpri_real)dx.cols;
        const gpri_real product = gpri_warp_sum(products, GPRI_CUDA_WARP) / (gpri_real)dx.cols;
        for (int64_t c = lane; c < cols; c += GPRI_CUDA_WARP)
            *element(dx, row, c) += rate[row] * (*element(dy, row, c) - mean - *element(y, row, c) * product);
    }
};

unsigned blocks_of_rows(int64_t rows) { return gpri_cuda_blocks(rows * GPRI_CUDA_WARP, THREADS); }

} // namespace

void gpri_cuda_norm_squares(gpri_real *sum, gpri_matrix x, const gpri_real *mean) {
    launch_columns(squares_of{x, mean}, sum, x.rows, x.width);
}

void gpri_cuda_norm_rate(gpri_real *rate, const gpri_real *squares, gpri_real factor, int64_t count) {
    launch(rate_of{rate, squares, factor, count}, dim3(gpri_cuda_blocks(count, THREADS)), THREADS);
}

void gpri_cuda_norm_remember(gpri_real *running, const gpri_real *now, gpri_real factor, gpri_real least,
                             const uint32_t *step, int64_t count) {
    launch(remembered{running, now, factor, least, step, count}, dim3(gpri_cuda_blocks(count, THREADS)), THREADS);
}

void gpri_cuda_norm_columns(gpri_matrix y, gpri_matrix x, const gpri_real *mean, const gpri_real *rate) {
    if (gpri_by_four(y) && gpri_by_four(x) && gpri_by_four(mean) && gpri_by_four(rate))
        launch_each<4>(columns_there<4>{y, x, mean, rate}, y.rows, y.width);
    else launch_each<1>(columns_there<1>{y, x, mean, rate}, y.rows, y.width);
}

void gpri_cuda_norm_columns_backward(gpri_matrix dx, gpri_matrix dy, gpri_matrix y, const gpri_real *rate,
                                     const gpri_real *sums, gpri_real share) {
    if (gpri_by_four(dx) && gpri_by_four(dy) && gpri_by_four(y) && gpri_by_four(rate) && gpri_by_four(sums))
        launch_each<4>(columns_back<4>{dx, dy, y, rate, sums, share}, dx.rows, dx.width);
    else launch_each<1>(columns_back<1>{dx, dy, y, rate, sums, share}, dx.rows, dx.width);
}

void gpri_cuda_norm_rows(gpri_matrix y, gpri_matrix x, gpri_real *rate) {
    launch(rows_there{y, x, rate}, dim3(blocks_of_rows(y.rows)), THREADS);
}

void gpri_cuda_norm_rows_backward(gpri_matrix dx, gpri_matrix dy, gpri_matrix y, const gpri_real *rate) {
    launch(rows_back{dx, dy, y, rate}, dim3(blocks_of_rows(dx.rows)), THREADS);
}
